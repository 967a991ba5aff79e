package strictjson

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// field says what stands in a place.
type field struct {
	name     string
	of       reflect.Type // nil: anything
	optional bool         // it is left out if it is empty
	limits                // of the numbers and strings in it
	least    int          // elements
	limited  bool         // it has a tag with limits
}

// limits are what the tag `is` says.
type limits struct {
	is      string
	lo, hi  int
	words   []string
	pattern *regexp.Regexp
}

func limitsOf(tag string) limits {
	l := limits{is: tag, lo: math.MinInt, hi: math.MaxInt}
	switch lo, hi, ranged := strings.Cut(tag, ".."); {
	case tag == "":
	case tag[0] == '/':
		l.pattern = regexp.MustCompile(tag[1 : len(tag)-1])
	case ranged && regexp.MustCompile(`^-?[0-9]`).MatchString(tag):
		l.lo, l.hi = bound(lo, l.lo), bound(hi, l.hi)
	default:
		l.words = strings.Split(tag, "|")
	}
	return l
}

// bound returns the number in a tag, or none if there is nothing.
func bound(text string, none int) int {
	if text == "" {
		return none
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// known has the fields of structs, by type. It keeps them for the next object.
var known sync.Map

// fields are those of a struct by the names that they have in JSON; nil for other types.
func fields(t reflect.Type) map[string]field {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	if of, has := known.Load(t); has {
		return of.(map[string]field)
	}
	out := map[string]field{}
	for _, f := range reflect.VisibleFields(t) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() || f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			continue // the fields of an embedded struct are listed by themselves
		}
		if name == "" {
			name = f.Name
		}
		is, length := f.Tag.Get("is"), f.Tag.Get("len")
		out[name] = field{
			name: name, of: f.Type, optional: strings.Contains(opts, "omitempty"),
			limits: limitsOf(is), least: limitsOf(length).lo, limited: is != "" || length != "",
		}
	}
	known.Store(t, out)
	return out
}

// withMember adds a member that may hold anything.
func withMember(of map[string]field, name string) map[string]field {
	out := maps.Clone(of)
	out[name] = field{}
	return out
}

// elements returns the field without pointers to its type, or for a type that reads itself, and
// knows its names, for anything.
func (f field) elements() field {
	for f.of != nil && f.of.Kind() == reflect.Pointer {
		f.of = f.of.Elem()
		f.optional = false // what it points to may be 0
	}
	if f.of != nil && (reflect.PointerTo(f.of).Implements(unmarshaler) || reflect.PointerTo(f.of).Implements(textUnmarshaler)) {
		f.of = nil
	}
	return f
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// elem says what an element of a list or an object holds.
func (f field) elem() field {
	out := field{name: f.name, limits: f.limits, limited: f.limited}
	if f.of != nil && slices.Contains([]reflect.Kind{reflect.Slice, reflect.Array, reflect.Map}, f.of.Kind()) {
		out.of = f.of.Elem()
	}
	return out
}

// fits fails unless the field may have so many elements.
func (f field) fits(size int) error {
	f = f.elements()
	switch {
	case f.of == nil:
	case f.of.Kind() == reflect.Interface && f.limited:
		return f.wrong("is no number and no truth value")
	case f.of.Kind() == reflect.Array && size != f.of.Len():
		return f.wrong("has %d elements", size)
	case f.of.Kind() != reflect.Struct && (f.optional && size == 0 || size < f.least):
		return f.wrong("has %d elements", size)
	}
	return nil
}

// holds fails if a value that is no list and no object may not stand there. Where the type is
// another one the decoder says so.
func (f field) holds(tok json.Token) error {
	if tok == nil {
		return f.null()
	}
	f = f.elements()
	if f.of == nil {
		return nil
	}
	kind := f.of.Kind()
	switch tok := tok.(type) {
	case bool:
		if f.optional && !tok {
			return f.wrong("is false, and not left out")
		}
	case json.Number:
		if kind >= reflect.Int && kind <= reflect.Uint64 || kind == reflect.Interface && f.limited {
			return f.number(string(tok))
		}
	case string:
		switch {
		case f.optional && tok == "":
			return f.wrong("is empty, and not left out")
		case kind == reflect.Interface && f.limited:
			return f.wrong("is no number and no truth value")
		case f.words != nil && !slices.Contains(f.words, tok), f.pattern != nil && !f.pattern.MatchString(tok):
			return f.wrong("is %q", shortened(tok))
		}
	}
	return nil
}

// null fails unless a nil value is written where the field stands.
func (f field) null() error {
	if f.of == nil || !f.limited && !f.optional && slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface}, f.of.Kind()) {
		return nil
	}
	if f.elements().of == nil && f.of.Kind() != reflect.Pointer {
		return nil // it reads itself
	}
	return f.wrong("is null")
}

// number fails unless a whole number lies in the range.
func (f field) number(text string) error {
	const digits = 20 // of the greatest
	if len(text) > digits || strings.ContainsAny(text, ".eE") {
		return f.wrong("is no whole number, or too large")
	}
	n, err := strconv.Atoi(text)
	if f.optional && err == nil && n == 0 {
		return f.wrong("is 0, and not left out")
	}
	if f.is != "" && (err != nil || n < f.lo || n > f.hi) {
		return f.wrong("is %s, and not in %s", text, f.is)
	}
	return nil
}

func (f field) wrong(format string, args ...any) error {
	return fmt.Errorf("the field %q "+format, append([]any{f.name}, args...)...)
}

// shortened keeps long texts out of messages.
func shortened(text string) string {
	const most = 80
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

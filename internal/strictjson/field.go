package strictjson

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
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
	limited  bool         // it has a tag, so it is never null
	is       limits       // of the numbers and strings in it
	least    int          // elements
}

// limits are what a tag says.
type limits struct {
	tag     string
	lo, hi  int
	words   []string
	pattern *regexp.Regexp
}

var ranged = regexp.MustCompile(`^(-?[0-9]+)\.\.(-?[0-9]*)$`)

func limitsOf(tag string) limits {
	l := limits{tag: tag, lo: math.MinInt, hi: math.MaxInt}
	if m := ranged.FindStringSubmatch(tag); m != nil {
		l.lo, _ = strconv.Atoi(m[1])
		if m[2] != "" {
			l.hi, _ = strconv.Atoi(m[2])
		}
	} else if strings.HasPrefix(tag, "/") {
		l.pattern = regexp.MustCompile(tag[1 : len(tag)-1])
	} else if tag != "" {
		l.words = strings.Split(tag, "|")
	}
	return l
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
		name = cmp.Or(name, f.Name)
		is, size := f.Tag.Get("is"), f.Tag.Get("len")
		out[name] = field{name, f.Type, strings.Contains(opts, "omitempty"), is+size != "", limitsOf(is), limitsOf(size).lo}
	}
	known.Store(t, out)
	return out
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// elements returns the field without pointers to its type, or for a type that reads itself, and
// knows its names, for anything.
func (f field) elements() field {
	for f.of != nil && f.of.Kind() == reflect.Pointer {
		f.of, f.optional = f.of.Elem(), false // what it points to may be 0
	}
	if f.of != nil && (reflect.PointerTo(f.of).Implements(unmarshaler) || reflect.PointerTo(f.of).Implements(textUnmarshaler)) {
		f.of = nil
	}
	return f
}

// elem says what an element of a list or an object holds.
func (f field) elem() field {
	out := field{name: f.name, limited: f.limited, is: f.is, least: math.MinInt}
	if f.isOne(reflect.Slice, reflect.Array, reflect.Map) {
		out.of = f.of.Elem()
	}
	return out
}

// isOne reports whether the type is of one of these kinds.
func (f field) isOne(kinds ...reflect.Kind) bool {
	return f.of != nil && slices.Contains(kinds, f.of.Kind())
}

// scalar reports whether the field holds whole numbers and truth values only.
func (f field) scalar() bool { return f.limited && f.isOne(reflect.Interface) }

// fits fails unless the field may have so many elements.
func (f field) fits(size int) error {
	f = f.elements()
	wrong := f.isOne(reflect.Array) && size != f.of.Len() ||
		f.isOne(reflect.Array, reflect.Slice, reflect.Map) && (f.optional && size == 0 || size < f.least)
	if wrong || f.scalar() {
		return f.wrong("has %d elements", size)
	}
	return nil
}

// holds fails if a value that is no list and no object may not stand there. Where the type is
// another one the decoder says so.
func (f field) holds(tok json.Token) error {
	if tok == nil && (f.limited || f.optional || !f.isOne(reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface)) &&
		(f.elements().of != nil || f.isOne(reflect.Pointer)) { // what reads itself may take null
		return f.wrong("is null")
	}
	f = f.elements()
	if f.of == nil {
		return nil
	}
	switch tok := tok.(type) {
	case bool:
		if f.optional && !tok {
			return f.wrong("is false, and not left out")
		}
	case json.Number:
		if f.scalar() || f.of.Kind() >= reflect.Int && f.of.Kind() <= reflect.Uint64 {
			return f.number(string(tok))
		}
	case string:
		bad := f.is.words != nil && !slices.Contains(f.is.words, tok) || f.is.pattern != nil && !f.is.pattern.MatchString(tok)
		if bad || f.scalar() || f.optional && tok == "" {
			return f.wrong("is %q", shortened(tok))
		}
	}
	return nil
}

// number fails unless a whole number lies in the range.
func (f field) number(text string) error {
	const digits = 20 // of the greatest
	if len(text) > digits || strings.ContainsAny(text, ".eE") {
		return f.wrong("is no whole number, or too large")
	}
	n, err := strconv.Atoi(text)
	if f.optional && err == nil && n == 0 || f.is.tag != "" && (err != nil || n < f.is.lo || n > f.is.hi) {
		return f.wrong("is %s", text)
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

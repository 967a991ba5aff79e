// Package strictjson reads JSON in one way only. Package encoding/json takes names in any letters,
// the last of several fields of one name, and text that is no UTF-8; two readers may then see
// different things in one file.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep lists and objects may nest.
const maxDepth = 64

// Unmarshal reads all of data into v. Every name must be spelled as the field is and stand once;
// fields without omitempty must be there; text must be UTF-8, and nothing may follow. Numbers in a
// field of type any are of type json.Number.
func Unmarshal(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("the text is not UTF-8")
	}
	w := walk{json.NewDecoder(bytes.NewReader(data))}
	w.UseNumber()
	if err := w.value(reflect.TypeOf(v).Elem(), 0); err != nil {
		return err
	}
	if _, err := w.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	return dec.Decode(v)
}

// walk compares tokens with a type.
type walk struct{ *json.Decoder }

func (w walk) value(t reflect.Type, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("lists and objects nest more than %d deep", maxDepth)
	}
	tok, err := w.Token()
	if err != nil {
		return unexpected(err)
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && reflect.PointerTo(t).Implements(unmarshaler) {
		t = nil // it knows its names itself
	}
	switch tok {
	case json.Delim('{'):
		return w.object(t, depth)
	case json.Delim('['):
		var elem reflect.Type
		if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			elem = t.Elem()
		}
		for w.More() {
			if err := w.value(elem, depth+1); err != nil {
				return err
			}
		}
		_, err := w.Token()
		return unexpected(err)
	}
	return nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// object compares the names of an object with the fields of a struct; those of a map may be any.
func (w walk) object(t reflect.Type, depth int) error {
	var known map[string]field
	var elem reflect.Type
	switch {
	case t != nil && t.Kind() == reflect.Struct:
		known = fields(t)
	case t != nil && t.Kind() == reflect.Map:
		elem = t.Elem()
	}
	seen := map[string]bool{}
	for w.More() {
		tok, err := w.Token()
		if err != nil {
			return unexpected(err)
		}
		name, _ := tok.(string)
		if seen[name] {
			return fmt.Errorf("the field %q stands twice", name)
		}
		seen[name] = true
		of := elem
		if known != nil {
			f, ok := known[name]
			if !ok {
				return fmt.Errorf("unknown field %q", name)
			}
			of = f.of
		}
		if err := w.value(of, depth+1); err != nil {
			return err
		}
	}
	if _, err := w.Token(); err != nil {
		return unexpected(err)
	}
	for name, f := range known {
		if f.required && !seen[name] {
			return fmt.Errorf("the field %q is missing", name)
		}
	}
	return nil
}

type field struct {
	of       reflect.Type
	required bool
}

// fields are those of a struct by the names that they have in JSON.
func fields(t reflect.Type) map[string]field {
	out := map[string]field{}
	for _, f := range reflect.VisibleFields(t) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() || f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			continue // the fields of an embedded struct are listed by themselves
		}
		if name == "" {
			name = f.Name
		}
		out[name] = field{f.Type, !strings.Contains(opts, "omitempty")}
	}
	return out
}

// Package strictjson reads JSON in one way only. Package encoding/json takes names in any letters,
// the last of several fields of one name, null for 0, more elements than an array has, and text
// that is no UTF-8; two readers may then see different things in one file.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"
)

// maxDepth is how deep lists and objects may nest.
const maxDepth = 64

// Unmarshal reads all of data into v. Every name must be spelled as the field is and stand once;
// fields without omitempty must be there, and others must not be empty. Null stands only for a nil
// slice, map or pointer of a field without omitempty. Text must be UTF-8, and nothing may follow.
// Numbers in a field of type any are of type json.Number.
//
// Tags may restrict what a field holds: `is` its numbers, as in "0..9" and "0..", or its strings,
// as in "this|that" and "/^[a-z]+$/"; and `len` how many elements or bytes it has, as in "1..".
// Fields with such a tag are not null, and an interface with `is` holds whole numbers and truth
// values.
func Unmarshal(data []byte, v any) error { return UnmarshalWith("", data, v) }

// UnmarshalWith is Unmarshal for an object that must have one member more than v has fields. The
// value of that member is not read.
func UnmarshalWith(member string, data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("the text is not UTF-8")
	}
	w := walk{json.NewDecoder(bytes.NewReader(data)), member}
	w.UseNumber()
	if err := w.value(field{of: reflect.TypeOf(v).Elem()}, 0); err != nil {
		return err
	}
	if _, err := w.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(v)
}

// walk compares tokens with types.
type walk struct {
	*json.Decoder
	member string // that the outermost object has besides its fields
}

// value reads the value of a field, or an element of it.
func (w walk) value(f field, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("lists and objects nest more than %d deep", maxDepth)
	}
	tok, err := w.Token()
	if err != nil {
		return unexpected(err)
	}
	size := 0
	switch tok {
	case json.Delim('{'):
		size, err = w.object(f.elements(), depth)
	case json.Delim('['):
		size, err = w.list(f.elements(), depth)
	default:
		return f.holds(tok)
	}
	if err != nil {
		return err
	}
	return f.fits(size)
}

func (w walk) list(f field, depth int) (size int, err error) {
	for w.More() {
		if err := w.value(f.elem(), depth+1); err != nil {
			return 0, err
		}
		size++
	}
	_, err = w.Token()
	return size, unexpected(err)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// object compares the names of an object with the fields of a struct; those of a map may be any.
func (w walk) object(f field, depth int) (size int, err error) {
	known, seen := fields(f.of), map[string]bool{}
	for w.More() {
		tok, err := w.Token()
		if err != nil {
			return 0, unexpected(err)
		}
		name, _ := tok.(string)
		if seen[name] {
			return 0, fmt.Errorf("the field %q stands twice", shortened(name))
		}
		seen[name] = true
		of := f.elem()
		if known != nil {
			var is bool
			if of, is = known[name]; !is && (depth > 0 || name != w.member) {
				return 0, fmt.Errorf("unknown field %q", shortened(name))
			}
		}
		if err := w.value(of, depth+1); err != nil {
			return 0, err
		}
	}
	if _, err := w.Token(); err != nil {
		return 0, unexpected(err)
	}
	if depth == 0 && w.member != "" && !seen[w.member] {
		return 0, fmt.Errorf("the field %q is missing", w.member)
	}
	for _, name := range slices.Sorted(maps.Keys(known)) { // the same message each time
		if !known[name].optional && !seen[name] {
			return 0, fmt.Errorf("the field %q is missing", name)
		}
	}
	return len(seen), nil
}

// Package describe writes values for a hash, such that different values have different
// descriptions: each text is preceded by its length, each list by that of its elements, and what an
// interface holds by its type. All fields are described, so that none that is added is forgotten.
package describe

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"reflect"
)

// Writer writes descriptions into a hash.
type Writer struct {
	hash.Hash
	other func(v reflect.Value) (done bool)
}

// New returns a Writer into a new SHA-256. A value for which other returns true is described by
// that, or does not matter.
func New(other func(v reflect.Value) (done bool)) Writer { return Writer{sha256.New(), other} }

// Number describes a number.
func (w Writer) Number(n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	w.Write(b[:])
}

// Text describes a text.
func (w Writer) Text(s string) { w.Bytes([]byte(s)) }

// Bytes describes a text.
func (w Writer) Bytes(text []byte) {
	w.Number(len(text))
	w.Write(text)
}

// Texts describes a list of texts.
func (w Writer) Texts(list []string) {
	w.Number(len(list))
	for _, s := range list {
		w.Text(s)
	}
}

// Value describes any value made of structs, lists, pointers, interfaces, numbers, truth values and
// texts. It panics at another one.
func (w Writer) Value(v reflect.Value) {
	if w.other(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.Text("nil")
			return
		}
		w.Text(v.Elem().Type().String())
		w.Value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.Value(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		w.list(v)
	case reflect.Bool:
		w.Text(fmt.Sprint(v.Bool()))
	case reflect.Int:
		w.Number(int(v.Int()))
	case reflect.Uint8:
		w.Number(int(v.Uint()))
	case reflect.String:
		w.Text(v.String())
	default:
		panic("internal error: no description of a " + v.Type().String())
	}
}

// list distinguishes a nil list from an empty one: nil may mean all.
func (w Writer) list(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		w.Number(-1)
		return
	}
	w.Number(v.Len())
	for i := range v.Len() {
		w.Value(v.Index(i))
	}
}

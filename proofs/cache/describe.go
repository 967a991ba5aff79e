package cache

import (
	"encoding/binary"
	"fmt"
	"hash"
	"reflect"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// describer writes descriptions into a hash. Each text is preceded by its length, and each list by
// that of its elements, so that different things have different descriptions.
type describer struct{ hash.Hash }

func (d describer) number(n int64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	d.Write(b[:])
}

func (d describer) text(s string) {
	d.number(int64(len(s)))
	d.Write([]byte(s))
}

func (d describer) texts(list []string) {
	d.number(int64(len(list)))
	for _, s := range list {
		d.text(s)
	}
}

// system is the canonical text.
func (d describer) system(sys *rules.System) {
	if sys == nil {
		d.text("")
		return
	}
	text := sys.Canonical()
	d.number(int64(len(text)))
	d.Write(text)
}

func (d describer) property(p resolve.Property) { d.value(reflect.ValueOf(&p)) }

var (
	ranges  = reflect.TypeFor[diag.Range]()
	systems = reflect.TypeFor[*rules.System]()
)

// value describes all fields of a property, so that none that is added is forgotten. Only where
// something stands in the source does not matter.
func (d describer) value(v reflect.Value) {
	switch v.Type() {
	case ranges:
		return
	case systems:
		d.system(v.Interface().(*rules.System))
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			d.text("nil")
			return
		}
		d.text(v.Elem().Type().String())
		d.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	case reflect.Slice:
		d.list(v)
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	default:
		d.basic(v)
	}
}

// list distinguishes a nil list from an empty one: nil may mean all.
func (d describer) list(v reflect.Value) {
	if v.IsNil() {
		d.number(-1)
		return
	}
	d.number(int64(v.Len()))
	for i := range v.Len() {
		d.value(v.Index(i))
	}
}

func (d describer) basic(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		d.text(fmt.Sprint(v.Bool()))
	case reflect.Int:
		d.number(v.Int())
	case reflect.Uint8:
		d.number(int64(v.Uint()))
	case reflect.String:
		d.text(v.String())
	default:
		panic("internal error: a property holds a " + v.Type().String())
	}
}

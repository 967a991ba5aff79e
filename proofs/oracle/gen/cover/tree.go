package cover

import (
	"reflect"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Tree counts the nodes of syntax trees by type ("Sow"), and their fields that are not empty ("Sow.StartAt").
type Tree map[string]int

// Count adds a file.
func (t Tree) Count(f *ast.File) {
	walk(reflect.ValueOf(f), func(v reflect.Value) {
		name := v.Type().Name()
		t[name]++
		for i := range v.NumField() {
			if f := v.Type().Field(i); !f.Anonymous && !v.Field(i).IsZero() {
				t[name+"."+f.Name]++
			}
		}
	})
}

var nodeType = reflect.TypeFor[ast.Node]()

// walk visits all nodes.
func walk(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), f)
		}
	case reflect.Struct:
		if v.Type().Implements(nodeType) || v.Type() == reflect.TypeFor[ast.File]() {
			f(v)
		}
		for i := range v.NumField() {
			if !v.Type().Field(i).Anonymous {
				walk(v.Field(i), f)
			}
		}
	}
}

package cover

import (
	"reflect"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Tree counts the nodes of syntax trees by type ("Sow"), and their fields that are not empty
// ("Sow.StartAt").
type Tree map[string]int

// Count adds a file.
func (t Tree) Count(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		t.add(reflect.ValueOf(n).Elem())
		return true
	})
}

// add counts a structure, and those embedded in it.
func (t Tree) add(v reflect.Value) {
	name := v.Type().Name()
	t[name]++
	for i := range v.NumField() {
		switch f := v.Type().Field(i); {
		case f.Anonymous:
			t.add(v.Field(i))
		case !v.Field(i).IsZero():
			t[name+"."+f.Name]++
		}
	}
}

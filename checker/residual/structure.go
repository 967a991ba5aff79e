package residual

import (
	"encoding/binary"
	"reflect"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// structure returns a key for a list of statements. Lists with the same key are equal in everything
// but their places in the text, so they do the same in every state.
func structure(stmts []rules.Stmt) string {
	return string(appendValue(nil, reflect.ValueOf(stmts)))
}

// appendValue appends a value with its length, so that different values cannot have the same bytes.
func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return binary.AppendVarint(b, int64(truth(v.Bool())))
	case reflect.Int:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint8:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Slice:
		b = binary.AppendVarint(b, int64(v.Len())+int64(truth(!v.IsNil())))
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return append(b, 0)
		}
		name := v.Elem().Type().Name()
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
		return appendValue(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() != reflect.TypeFor[diag.Range]() {
				b = appendValue(b, f)
			}
		}
		return b
	}
	panic("residual: a statement with a part of kind " + v.Kind().String())
}

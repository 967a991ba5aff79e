package ast

import (
	"reflect"
	"sync"
)

// Inspect calls f for a node and, if f returns true, for the nodes in it, in the order of their
// fields. Every node is passed as a pointer.
func Inspect(n Node, f func(Node) bool) { inspect(reflect.ValueOf(n), f) }

// All lists the nodes of type N in a node, in the order of Inspect.
func All[N Node](root Node) []N {
	var out []N
	Inspect(root, func(n Node) bool {
		if n, ok := n.(N); ok {
			out = append(out, n)
		}
		return true
	})
	return out
}

// Blocks lists the lists of statements that a node has.
func Blocks(n Node) (out [][]Stmt) {
	v := reflect.Indirect(reflect.ValueOf(n))
	for i := range v.NumField() {
		if list, is := v.Field(i).Interface().([]Stmt); is {
			out = append(out, list)
		}
	}
	return out
}

func inspect(v reflect.Value, f func(Node) bool) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer && v.Elem().Kind() != reflect.Struct {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if n, ok := v.Interface().(Node); ok && !f(n) {
			return
		}
		s := v.Elem()
		for _, i := range inner(s.Type()) {
			inspect(child(s.FieldByIndex(i)), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			inspect(child(v.Index(i)), f)
		}
	}
}

// child takes the address of a struct, because nodes are pointers.
func child(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Struct {
		return v.Addr()
	}
	return v
}

// inners caches the results of inner.
var inners sync.Map

// inner lists the index paths of the fields of a struct type that can contain nodes.
func inner(t reflect.Type) [][]int {
	if known, ok := inners.Load(t); ok {
		return known.([][]int)
	}
	var list [][]int
	for i := range t.NumField() {
		switch field := t.Field(i); {
		case field.Anonymous || field.Type.Kind() == reflect.Struct && !holds(field.Type): // as Offer.Verdict
			for _, path := range inner(field.Type) {
				list = append(list, append([]int{i}, path...))
			}
		case holds(field.Type):
			list = append(list, []int{i})
		}
	}
	inners.Store(t, list)
	return list
}

// holds reports whether a value of a type can contain nodes.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice:
		return holds(t.Elem())
	case reflect.Struct:
		return reflect.PointerTo(t).Implements(reflect.TypeFor[Node]())
	}
	return false
}

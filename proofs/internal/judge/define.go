package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// definition finds a definition that has a meaning here: one before that which is being read.
func (e *scope) definition(name string) *ast.Define {
	for _, d := range e.g.defs {
		if d == e.def {
			return nil
		}
		if d.Name.Name == name {
			return d
		}
	}
	return nil
}

// defined is the value of a definition, with those of its arguments.
func (e *scope) defined(d *ast.Define, args []ast.Expr) value {
	return e.g.settled(e.inside(d, args).expr(d.Value))
}

// inside is the scope of a definition's expression. It knows only its parameters. An argument
// without a value matters only where it is asked for.
func (e *scope) inside(d *ast.Define, args []ast.Expr) *scope {
	if len(args) != len(d.Params) {
		wrongf("%s takes %d arguments", d.Name.Name, len(d.Params))
	}
	c := *e
	c.def, c.names = d, nil
	for i, p := range d.Params {
		l := &local{name: p.Name.Name, fixed: true, outer: c.names}
		l.fails = stopped(func() { l.v = e.argument(p.Sort.Name, args[i]) })
		if m, is := l.fails.(mistake); is {
			panic(m)
		}
		c.names = l
	}
	return &c
}

// argument is the value of an argument for a parameter of a sort.
func (e *scope) argument(sort string, x ast.Expr) value {
	v := e.expr(x)
	if sort == "number" {
		return number(e.asInt(v))
	}
	want, known := map[string]kind{"bool": boolKind, "pit": pitKind, "player": playerKind, "lap": lapKind, "set": setKind}[sort]
	switch {
	case sort == "pit":
		return pitOf(v.pit())
	case sort == "set":
		return value{kind: setKind, set: v.members()}
	case !known:
		enum := e.g.enumOf(sort)
		want = enumKind
		e.shareEnum(value{kind: enumKind, enum: enum}, v)
		v.enum = enum
	}
	if v.kind != want {
		wrongf("%s is wanted, not %s", kindNames[want], kindNames[v.kind])
	}
	return v
}

// enumOf is the enumeration of a variable.
func (g *game) enumOf(variable string) string {
	if d := g.decls[variable]; d != nil {
		for _, i := range d.slot {
			if of := g.slots[i].of; of != "" {
				return of
			}
		}
	}
	wrongf("%s is no sort", variable)
	return ""
}

// settled is a value of which it is clear what enumeration it is of.
func (g *game) settled(v value) value {
	if v.kind != enumKind || v.enum != "" {
		return v
	}
	for of, names := range g.enums {
		if slices.Contains(names, v.name) {
			if v.enum != "" {
				wrongf("%s is a name of two enumerations", v.name)
			}
			v.enum = of
		}
	}
	return v
}

// opened is the expression that a name or call stands for if that is a definition, with its scope.
func (e *scope) opened(x ast.Expr) (*scope, ast.Expr) {
	name, args := "", []ast.Expr(nil)
	switch x := x.(type) {
	case *ast.Name:
		name = x.Name
	case *ast.Call:
		name, args = x.Func.Name, x.Args
	}
	if d := e.definition(name); d != nil && e.find(name) == nil {
		return e.inside(d, args), d.Value
	}
	return nil, nil
}

package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// definition returns the definition of a name if it is visible here. A definition sees only those
// before it, so there is no recursion.
func (e *scope) definition(name string) *ast.Define {
	for _, d := range e.g.defs {
		if d == e.def {
			return nil
		}
		if d, is := d.(*ast.Define); is && d.Name.Name == name {
			return d
		}
	}
	return nil
}

// defined returns the value of a definition for some arguments.
func (e *scope) defined(d *ast.Define, args []ast.Expr) value {
	return e.g.settled(e.inside(d, args).expr(d.Value))
}

// inside returns the scope of a definition's expression. Of the names bound around the call it has
// only the definition's parameters. Arguments are evaluated by name: a fault in one matters only
// where the parameter is read. A mistake in one always matters.
func (e *scope) inside(d *ast.Define, args []ast.Expr) *scope {
	if len(args) != len(d.Params) {
		wrongf("%s takes %d arguments", d.Name.Name, len(d.Params))
	}
	c := *e
	c.def, c.names = d, nil
	for i, p := range d.Params {
		l := &local{name: p.Name.Name, v: unread(p.Sort.Name), fixed: true, outer: c.names}
		l.fails = stopped(func() { l.v = e.argument(p.Sort.Name, args[i]) })
		if m, is := l.fails.(mistake); is {
			panic(m)
		}
		c.names = l
	}
	return &c
}

// argument returns the value of an argument, converted to the sort of its parameter.
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
	if want == playerKind {
		return v.player()
	}
	if v.kind != want {
		wrongf("%s is expected, not %s", kindNames[want], kindNames[v.kind])
	}
	return v
}

// enumOf returns the enumeration of a variable, whose name serves as a sort.
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

// settled adds the enumeration to a value that is only a name so far. A name of two enumerations is
// a mistake.
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

// opened returns the expression that a name or call stands for, with its scope, if it is a
// definition. A bound name hides a definition.
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

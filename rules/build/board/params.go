// Package board builds what a game has before play: the values of parameters, the board as it is
// drawn with what follows from the picture and what its lines declare, and the state variables.
package board

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Value is a value for a parameter: a number, or a truth value as 0 or 1.
type Value struct {
	N    int
	Bool bool
	At   diag.Range // where it was given; File is "-p" for the command line
}

func (v Value) String() string {
	if v.Bool {
		return strconv.FormatBool(v.N != 0)
	}
	return strconv.Itoa(v.N)
}

// Settings are values of parameters by name.
type Settings map[string]Value

// parameters gives the parameters of a variant their values.
type parameters struct {
	g     *term.Scope
	fixed term.Env // reads what is known before play
	given Settings // values other than the defaults
	open  []string // parameters that keep no value
}

// Params resolves every parameter of the variant. Open ones get no value.
func Params(s *term.Scope, given Settings, open []string) {
	ps := &parameters{g: s, fixed: term.NewEnv(s, term.InDeclaration), given: given, open: open}
	for _, p := range ast.Items[*ast.Param](s.Variant) {
		ps.param(p)
	}
	names := lists.Map(s.Sys.Params, func(p rules.Param) string { return p.Name })
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			bind.Suggest(s.Run.Diags.Errorf(diag.UnknownParam, given[name].At, "`%s` has no parameter `%s`", s.Variant.Name.Name, name), name, slices.Clone(names))
		}
	}
}

// param resolves one parameter. A number that decides how many pits there are is at least 1, unless
// its declaration has a range.
func (ps *parameters) param(p *ast.Param) {
	open := slices.Contains(ps.open, p.Name.Name)
	q := rules.Param{Name: p.Name.Name, Bool: IsBool(p.Default), Open: open}
	q.Value = ps.paramDefault(p, q.Bool)
	switch {
	case p.HasRange:
		q.Lo, q.Hi, q.HasHi = ps.paramRange(p)
	case !q.Bool && ps.g.Bound.IsSize(q.Name):
		q.Lo = 1
	}
	if v, ok := ps.given[q.Name]; ok {
		ps.give(&q, p, v)
	} else if !open && !ps.g.Run.Diags.HasErrors() { // a wrong value may put later defaults out of range
		ps.inRange(&q, p, q.Value, p.Default.Span())
	}
	ps.g.Make(ps.g.Bound.Symbol(p.Name.Name), bind.ParamName, len(ps.g.Sys.Params))
	ps.g.Sys.Params = append(ps.g.Sys.Params, q)
}

// IsBool reports whether an expression is `true` or `false`.
func IsBool(x ast.Expr) bool {
	n, ok := x.(*ast.Name)
	return ok && (n.Name == "true" || n.Name == "false")
}

// paramDefault returns the default; for a switch it is 0 or 1.
func (ps *parameters) paramDefault(p *ast.Param, isSwitch bool) int {
	if isSwitch {
		return num.Truth(p.Default.(*ast.Name).Name == "true")
	}
	return ps.fixed.ConstInt(p.Default)
}

// paramRange resolves the range of a parameter, which may have no upper end.
func (ps *parameters) paramRange(p *ast.Param) (lo, hi int, hasHi bool) {
	lo = ps.fixed.ConstInt(p.Lo)
	if p.Hi == nil {
		return lo, 0, false
	}
	hi = ps.fixed.ConstInt(p.Hi)
	if lo > hi {
		ps.g.Run.Diags.Errorf(diag.EmptyRange, p.Lo.Span().To(p.Hi.Span()), "no number lies between %d and %d", lo, hi)
	}
	return lo, hi, true
}

// give sets a parameter to a value from a claim or the command line.
func (ps *parameters) give(q *rules.Param, p *ast.Param, v Value) {
	if v.Bool != q.Bool {
		want := "a whole number"
		if q.Bool {
			want = "true or false"
		}
		ps.g.Run.Diags.Errorf(diag.ParamType, v.At, "parameter `%s` takes %s, not %s", q.Name, want, v)
		return
	}
	q.Value, q.Open = v.N, false
	ps.inRange(q, p, v.N, v.At)
}

// inRange reports a value outside the range of its parameter.
func (ps *parameters) inRange(q *rules.Param, p *ast.Param, n int, at diag.Range) {
	if q.Bool && !p.HasRange || n >= q.Lo && (!q.HasHi || n <= q.Hi) {
		return
	}
	d := ps.g.Run.Diags.Errorf(diag.OutOfRange, at, "%s = %d is out of range", q.Name, n)
	if q.HasHi {
		d.WithHelp("`%s` goes from %d to %d", q.Name, q.Lo, q.Hi)
	} else {
		d.WithHelp("`%s` is at least %d", q.Name, q.Lo)
	}
	if !p.HasRange {
		d.WithHelp("`%s` is at least %d, unless its declaration has another range, as `param %s = 3 in 0..` has", q.Name, q.Lo, q.Name)
	}
	if at != p.Default.Span() {
		d.WithNote(p.Range, "declared here")
	}
}

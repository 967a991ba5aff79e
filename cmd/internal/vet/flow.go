package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules/bind"
)

// Flow reports what the text of a variant shows about its values: variables that are only set or
// only read, locals that nothing reads, names that hide others, statements that are never carried
// out, and variants without an ending. defines are the definitions and procedures that it may use
// besides its own. All diagnostics are warnings.
func Flow(v *ast.Variant, symbols *bind.Symbols, defines []ast.Decl) diag.List {
	f := &flow{variant: v, symbols: symbols}
	for _, s := range symbols.All {
		if at := s.Decls; len(at) > 0 && f.declares(s) {
			f.variable(s, at[0])
			f.local(s, at[0])
		}
	}
	ast.Inspect(v, f.node)
	ends := len(ast.All[*ast.Ending](v))+len(ast.All[*ast.Offer](v))+len(ast.All[*ast.Finish](v)) > 0
	for _, d := range defines {
		ends = ends || len(ast.All[*ast.Finish](d)) > 0
	}
	if !ends {
		f.diags.Warnf(diag.NoEnding, v.Name.Range, "nothing ends a game of `%s`", v.Name.Name).
			WithHelp("write `end when …`, or a statement such as `end` or `draw`")
	}
	return f.diags
}

// flow collects what is found in one variant.
type flow struct {
	diags   diag.List
	variant *ast.Variant
	symbols *bind.Symbols
}

// declares reports whether a name is declared in the variant.
func (f *flow) declares(s *bind.Symbol) bool {
	return slices.ContainsFunc(s.Decls, func(at diag.Range) bool { return f.variant.Range.Holds(at) })
}

// variable reports a state variable that is not both set and read.
func (f *flow) variable(s *bind.Symbol, at diag.Range) {
	switch {
	case s.Kind != bind.VariableName:
	case !s.Read() && !s.Set():
		f.diags.Warnf(diag.Unused, at, "nothing uses the state variable `%s`", s.Name).
			WithHelp("use it, or leave it out")
	case !s.Set():
		f.diags.Warnf(diag.NeverSet, at, "the state variable `%s` is read and never set", s.Name).
			WithHelp("what is the same in all states is a parameter or a definition")
	case !s.Read():
		f.diags.Warnf(diag.NeverRead, at, "the state variable `%s` is set and never read", s.Name).
			WithHelp("states that differ in it alone are different states all the same")
	}
}

// local reports a local name that nothing reads, or that hides another name. A choice may have the
// name of a variable on purpose.
func (f *flow) local(s *bind.Symbol, at diag.Range) {
	if s.Kind != bind.LocalName {
		return
	}
	switch s.Node.(type) {
	case *ast.Choice, *ast.Facing:
		return
	case *ast.Let:
		if !s.Read() {
			f.diags.Warnf(diag.Unused, at, "nothing uses the local `%s`", s.Name).
				WithHelp("use it, or leave it out")
		}
	}
	for _, other := range f.symbols.Visible(at.File, at.Start.Offset, f.variant.Name.Name) {
		if other.Name == s.Name && other != s && f.declares(other) && hidden[other.Kind] != "" {
			f.diags.Warnf(diag.Shadowed, at, "this `%s` hides %s of that name", s.Name, hidden[other.Kind])
			return
		}
	}
}

// hidden says what a local name may hide.
var hidden = map[bind.Kind]string{
	bind.LocalName: "another one", bind.ParamName: "the parameter", bind.VariableName: "the state variable",
	bind.DefinitionName: "the definition", bind.ProcedureName: "the procedure", bind.PlayerName: "the player",
	bind.PitsName: "the pits", bind.GroupName: "the group", bind.LapName: "the lap", bind.RelationName: "the relation",
}

// node checks the conditions and statements of a node. A while loop whose condition is always true
// is no mistake: it may be left by an ending.
func (f *flow) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Move:
		f.constant(n.When, "this guard")
		f.block(n.Body)
	case *ast.Choice:
		f.constant(n.Where, "this condition")
	case *ast.Ending:
		f.constant(n.When, "this condition")
		f.block(n.Body)
	case *ast.Reaction:
		f.constant(n.When, "this condition")
		f.block(n.Body)
	case *ast.Procedure:
		f.block(n.Body)
	case *ast.If:
		f.constant(n.Cond, "this condition")
		f.block(n.Then)
		f.block(n.Else)
	case *ast.While:
		if value, known := literal(n.Cond); known && value == 0 {
			f.constant(n.Cond, "this condition")
		}
		f.block(n.Body)
	case *ast.For:
		f.block(n.Body)
	case *ast.Sow:
		f.block(n.Drop)
	case *ast.Require:
		f.constant(n.Cond, "this condition")
	}
	return true
}

// block reports the first of some statements that is never carried out.
func (f *flow) block(list []ast.Stmt) {
	if i := slices.IndexFunc(list, finishes); i >= 0 && i+1 < len(list) {
		f.diags.Warnf(diag.Unreached, list[i+1].Span(), "this is never carried out: the game is over before it")
	}
}

// finishes reports whether a statement always ends the game.
func finishes(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.Finish:
		return true
	case *ast.If:
		return s.HasElse && slices.ContainsFunc(s.Then, finishes) && slices.ContainsFunc(s.Else, finishes)
	}
	return false
}

// constant reports a condition whose value is evident from its text. x may be nil.
func (f *flow) constant(x ast.Expr, what string) {
	if x == nil {
		return
	}
	if value, known := literal(x); known {
		f.diags.Warnf(diag.Unreached, x.Span(), "%s is always %t", what, value != 0)
	}
}

// literal returns the value of an expression made of literals only, with 0 and 1 for truth values.
// Parameters are not evaluated, since a condition on a parameter is meant to be constant in one
// game.
func literal(x ast.Expr) (value int, known bool) {
	switch x := x.(type) {
	case *ast.Int:
		return x.Value, true
	case *ast.Paren:
		return literal(x.X)
	case *ast.Name:
		return num.Truth(x.Name == "true"), x.Name == "true" || x.Name == "false"
	case *ast.Unary:
		v, ok := literal(x.X)
		return num.Truth(v == 0), ok && x.Op == "not"
	case *ast.Binary:
		return binary(x)
	}
	return 0, false
}

// binary is literal for two operands, of which one may be enough to know the value.
func binary(x *ast.Binary) (value int, known bool) {
	l, lok := literal(x.L)
	r, rok := literal(x.R)
	switch x.Op {
	case "and":
		return num.Truth(lok && rok && l*r != 0), lok && rok || lok && l == 0 || rok && r == 0
	case "or":
		return num.Truth(lok && l != 0 || rok && r != 0), lok && rok || lok && l != 0 || rok && r != 0
	case "=":
		return num.Truth(l == r), lok && rok
	case "/=":
		return num.Truth(l != r), lok && rok
	case "<":
		return num.Truth(l < r), lok && rok
	case "<=":
		return num.Truth(l <= r), lok && rok
	case ">":
		return num.Truth(l > r), lok && rok
	case ">=":
		return num.Truth(l >= r), lok && rok
	}
	return 0, false
}

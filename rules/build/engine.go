package build

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/bind"
)

// Engine is a way to decide claims, by the name that `using` and --engine take. The names are part
// of the language, so the resolver knows them. Package engines runs them.
type Engine string

// The engines. Auto lets the tool choose.
const (
	Auto        Engine = "auto"
	Forward     Engine = "forward"
	Backward    Engine = "backward"
	BMC         Engine = "bmc"
	Induction   Engine = "induction"
	SMT         Engine = "smt"
	Laws        Engine = "laws"
	Hunt        Engine = "hunt"
	Abstraction Engine = "abstraction"
	Cases       Engine = "cases"
)

// Engines lists the names in the order in which help shows them.
var Engines = []Engine{Auto, Forward, Backward, BMC, Induction, SMT, Laws, Hunt, Abstraction, Cases}

// engine resolves the name of an engine, or reports that it is unknown.
func engine(name ast.Ident, diags *diag.List) Engine {
	e := Engine(name.Name)
	if slices.Contains(Engines, e) {
		return e
	}
	names := lists.Map(Engines, func(e Engine) string { return string(e) })
	bind.Suggest(diags.Errorf(diag.Unknown, name.Range, "unknown engine `%s`", name.Name).
		WithHelp("the engines are %s", bind.List(names)), name.Name, names)
	return Auto
}

package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Engine is a way to decide claims, by the name that `using` and --engine take. The names are part
// of the language, so the resolver knows them; package proofs says what the engines do.
type Engine string

// The engines. Auto leaves the choice to the tool.
const (
	Auto      Engine = "auto"
	Forward   Engine = "forward"
	Backward  Engine = "backward"
	BMC       Engine = "bmc"
	Induction Engine = "induction"
	SMT       Engine = "smt"
	Laws      Engine = "laws"
)

// Engines lists the names in the order in which help shows them.
var Engines = []Engine{Auto, Forward, Backward, BMC, Induction, SMT, Laws}

// engine reads the name of an engine.
func engine(name ast.Ident, diags *diag.List) Engine {
	e := Engine(name.Name)
	if slices.Contains(Engines, e) {
		return e
	}
	var names []string
	for _, known := range Engines {
		names = append(names, string(known))
	}
	suggest(diags.Errorf(diag.Unknown, name.Range, "unknown engine `%s`", name.Name).
		WithHelp("the engines are %s", list(names)), name.Name, names)
	return Auto
}

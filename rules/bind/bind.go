// Package bind finds what the names of a program stand for. It reads the syntax trees once; no
// size of a board and no value of a parameter matters to it, so a name means the same at each.
//
// A Program has the declarations of the files. For each variant there is a Variant with the scope
// of its names and the references of all text that is about it: its own items, the board it
// draws, the definitions, procedures, positions, strategies and claims that may be read for it.
// Text that variants share is read once for each, since a name in it may stand for other things.
//
//	program.go   the declarations of files; the variants with their boards
//	scope.go     the names that a variant gives a meaning, and those that the picture of its board
//	             implies
//	read.go      the walk that finds the reference of each name
//	refs.go      references and the mistakes that they may be
//	pits.go      names that are pits on boards of some size
//	symbols.go   the index of all names and their places, for editors
//
// Package rules/build makes Systems and properties from what is bound.
package bind

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// Ref is what a name at one place of the text stands for, in text that is about one variant.
type Ref struct {
	Kind   Kind
	Symbol *Symbol // what is declared, or implied; nil for words, functions and mistakes
	Name   string  // as written, without quotes
	Number int     // of a pit that is named with its number: 3 for hole03
	// Mistake says why the name stands for nothing, if Kind is Unknown.
	Mistake *diag.Diagnostic
}

// Kind is the kind of thing that a name stands for.
type Kind int

// The kinds of names.
const (
	Unknown        Kind = iota // a mistake
	VariantName                // a variant
	BoardName                  // a board that variants share
	PositionName               // a position
	StrategyName               // a strategy
	ClaimName                  // a claim
	ParamName                  // a parameter
	PlayerName                 // a player
	PitsName                   // the pits of the picture that share a name, or one without brackets
	PitName                    // one pit of several, with its number
	GroupName                  // a group of pits
	LapName                    // a lap
	RelationName               // a relation of pits
	VariableName               // a state variable
	ValueName                  // a value of an enumeration
	DefinitionName             // a definition
	ProcedureName              // a procedure
	OutcomeName                // the label of outcomes
	MoveName                   // the label of moves
	LocalName                  // bound by `let`, `choose`, a loop, a quantifier, or as a parameter
	WordName                   // a word of the language
	FunctionName               // a function of the language
)

// String is the kind in words.
func (k Kind) String() string {
	return [...]string{
		"name", "variant", "board", "position", "strategy", "claim", "parameter", "player", "pits", "pit", "group", "lap", "relation",
		"variable", "value", "definition", "procedure", "outcome", "move", "local name", "word", "function",
	}[k]
}

// Article is the kind with an article, for messages about names that are declared twice.
func (k Kind) Article() string {
	return map[Kind]string{
		ParamName: "a parameter", PlayerName: "a player", PitsName: "a group of pits", PitName: "a pit", GroupName: "a group of pits",
		LapName: "a lap", VariableName: "a state variable", DefinitionName: "a definition", RelationName: "a relation of pits",
		ProcedureName: "a procedure",
	}[k]
}

// A Variant is a variant with what its names stand for.
type Variant struct {
	*ast.Variant              // with the items that it has from a shared board in front
	Source       *ast.Variant // as it is written
	File         string
	Board        *ast.Board    // the board that it draws, its own or a shared one; nil: a mistake
	Defines      []*Definition // those that it may use: of the files, then its own
	// Mistakes are those in the variant itself that do not depend on the values of parameters, in
	// the order of the text. Mistakes in shared text are told where that is used.
	Mistakes diag.List

	program *Program
	own     *scope
	refs    map[ast.Node]Ref   // in rules, setups and strategies
	asked   map[ast.Node]Ref   // in claims, and of what they read
	uses    map[string]bool    // implied laps and relations that it uses
	shared  map[*Symbol]*usage // what definitions and procedures use
	ranks   map[*ast.Strategy]*usage
	columns map[*ast.ForBoards]map[string]*Symbol
}

// A Definition is a definition or procedure as a variant reads it. It may use those before it.
type Definition struct {
	Kind    Kind // DefinitionName or ProcedureName
	Name    *ast.Ident
	Node    ast.Node // *ast.Define or *ast.Procedure
	Symbol  *Symbol
	Params  []ast.Formal
	Formals []*Symbol  // the local names of Params
	Value   ast.Expr   // of a definition
	Body    []ast.Stmt // of a procedure
	index   int        // in Defines
}

// definitionOf returns a definition or procedure that is not bound yet; nil: n is something else.
func definitionOf(n ast.Node) *Definition {
	switch d := n.(type) {
	case *ast.Define:
		return &Definition{Kind: DefinitionName, Name: &d.Name, Node: d, Params: d.Params, Value: d.Value}
	case *ast.Procedure:
		return &Definition{Kind: ProcedureName, Name: &d.Name, Node: d, Params: d.Params, Body: d.Body}
	}
	return nil
}

// Definition returns the definition or procedure of a symbol; nil: it is of something else.
func (v *Variant) Definition(s *Symbol) *Definition {
	if v == nil {
		return nil
	}
	return lists.Find(v.Defines, func(d *Definition) bool { return d.Symbol == s })
}

// Ref returns what a name stands for in text about the variant. The node is the name: a Name, Text,
// Ident, Subject, Each, Sort, Who or Label. A name that a node binds, such as that of a choice,
// stands for itself. In claims more names have a meaning; a definition may be read there, too.
func (v *Variant) Ref(n ast.Node, inClaim bool) Ref {
	first, then := v.refs, v.asked
	if inClaim {
		first, then = then, first
	}
	if r, ok := first[n]; ok {
		return r
	}
	return then[n]
}

// Symbol returns what a name is declared as, or implied, in the variant; nil: nothing.
func (v *Variant) Symbol(name string) *Symbol { return v.own.value(v.program, name) }

// Declares reports whether the variant or its board declares a name.
func (v *Variant) Declares(name string) bool {
	x := v.own.find(byValues, name)
	return x != nil && x != v.program.symbol(x.Kind, name) || v.own.find(byEnums, name) != nil
}

// Implied returns the symbol of what the picture of the board may imply by a name, also if
// something else is declared by it; nil: nothing.
func (v *Variant) Implied(name string) *Symbol { return v.own.find(byImplied, name) }

// Column returns the symbol of a column of a file of boards that is neither a pit nor declared; nil
// for other columns.
func (v *Variant) Column(f *ast.ForBoards, name string) *Symbol { return v.columns[f][name] }

// Uses reports whether the variant uses a lap or relation that the picture of its board implies: in
// its items, its board, or in a definition or procedure that these use.
func (v *Variant) Uses(implied string) bool { return v.uses[implied] }

// UsedBy lists the implied laps and relations that a strategy for the variant uses.
func (v *Variant) UsedBy(s *ast.Strategy) map[string]bool {
	if found := v.ranks[s]; found != nil {
		return v.usedIn(found)
	}
	return nil
}

// Program is the program of the variant.
func (v *Variant) Program() *Program { return v.program }

package build

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/body"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Claim is a claim whose clauses have been read. Its property is resolved later, for each instance.
type Claim struct {
	Name    string
	Label   string // label of the source it is from; may be empty
	Doc     string
	File    string
	At      diag.Range
	Refuted bool   // the text expects it to be refuted
	Engine  Engine // hint; may be empty
	Bound   int    // hint; 0 if there is none
	Long    bool   // to be decided only when that is asked for

	Following  string // the strategy that play is restricted to; may be empty
	StartingAt string // the position that games begin at; empty: the setup

	ast       *ast.Claim
	variant   *ast.Variant
	unit      *Unit
	following *ast.Strategy
	begin     *ast.Position
	here      *body.Here
	endless   *ast.Endless
	list      *ast.ForBoards
	line      int   // the only line of list that counts; 0: all do
	others    *Unit // that has the variant which the claim compares its own with
}

// OnLine returns the claim restricted to one line of its file of boards. Mistakes in other lines do
// not matter to it.
func (c *Claim) OnLine(line int) *Claim {
	one := *c
	one.line = line
	return &one
}

// Claim reads the clauses of c. The result may be used only if the diagnostics hold no error.
func (u *Unit) Claim(c *ast.Claim) (*Claim, diag.List) {
	var diags diag.List
	out := &Claim{Name: c.Name.Name, Label: c.Label, Doc: c.Doc, File: u.files[c], At: c.Name.Range, ast: c, unit: u, others: u}
	if c.Mistakes != nil {
		return out, slices.Clip(c.Mistakes)
	}
	of, at := "", c.Name.Range
	if c.Of != nil {
		of, at = c.Of.Name, c.Of.Range
	}
	out.variant = u.Variant(of, at, &diags)
	if _, written := u.files[c]; !written && out.variant != nil {
		u.bound[out.variant].Ask(c)
	}
	seen := map[string]bool{}
	for _, cl := range c.Clauses {
		out.clause(cl, seen, &diags)
	}
	if c.Property == nil && !diags.HasErrors() {
		diags.Errorf(diag.Missing, c.Range, "claim `%s` asserts nothing", out.Name)
	}
	out.needsValue(&diags)
	return out, diags
}

// clause reads one clause. seen has the words of the clauses before it, since most may occur only
// once.
func (c *Claim) clause(cl ast.Clause, seen map[string]bool, diags *diag.List) {
	once := func(what string) {
		if seen[what] {
			diags.Errorf(diag.BadClause, cl.Span(), "a second `%s`", what)
		}
		seen[what] = true
	}
	switch cl := cl.(type) {
	case *ast.Expect:
		once("expect")
		c.Refuted = cl.Refuted
	case *ast.Using:
		once("using")
		c.Engine = engine(cl.Engine, diags)
	case *ast.Bound:
		once("bound")
		n, ok := cl.K.(*ast.Int)
		switch {
		case !ok:
			diags.Errorf(diag.NotConstant, cl.K.Span(), "a bound is a number").WithHelp("write one that is 1 or more")
		case n.Value < 1:
			diags.Errorf(diag.OutOfRange, cl.K.Span(), "a bound is 1 or more")
		default:
			c.Bound = n.Value
		}
	case *ast.ForSome:
		once("for some")
	case *ast.Following:
		once("following")
		c.Following = cl.Strategy.Name
		if c.variant != nil {
			c.following = c.unit.strategy(cl.Strategy, c.variant, diags)
		}
	case *ast.StartingAt:
		once("starting at")
		c.StartingAt = cl.Position.Name
		c.begin = c.unit.position(cl.Position, c.variant, diags)
	case *ast.ForBoards:
		once("for board")
		c.list = cl
	case *ast.Long:
		once("takes long")
		c.Long = true
	case *ast.Endless:
		once("where endless play")
		c.endless = cl
	}
}

// value resolves the value that a setting gives to a parameter.
func (c *Claim) value(set ast.Setting, s board.Settings, open []string, diags *diag.List) board.Value {
	v := board.Value{At: set.Value.Span(), Bool: board.IsBool(set.Value)}
	if set.Index != nil {
		diags.Errorf(diag.Arity, set.Range, "parameter `%s` is a single one and takes no argument", set.Name.Name)
	}
	if v.Bool {
		v.N = num.Truth(set.Value.(*ast.Name).Name == "true")
	} else {
		v.N = c.eval(set.Value, s, open, diags)
	}
	return v
}

// eval computes a number in a clause, which may use parameters that s sets and those in open. It
// resolves only the parameters of the variant, with a System that is thrown away.
func (c *Claim) eval(x ast.Expr, s board.Settings, open []string, diags *diag.List) int {
	scratch := diag.List{}
	in := term.NewScope(c.unit.Context, c.unit.bound[c.variant], &rules.System{}, &scratch)
	n := 0
	in.Run.Bounded(func() {
		board.Params(in, s, open)
		scratch = nil // faults of the parameters are reported with the instance
		n = term.NewEnv(in, term.InDeclaration).ConstInt(x)
	})
	*diags = append(*diags, scratch...)
	return n
}

// needsValue reports an assumption about plays that never end in a claim that does not depend on
// it.
func (c *Claim) needsValue(diags *diag.List) {
	switch any(c.ast.Property).(type) { // others ask for none
	case *ast.Value, *ast.Winner, *ast.Best:
	default:
		if c.endless != nil {
			diags.Errorf(diag.BadClause, c.endless.Range, "what endless play is worth matters only where a value is asked for").
				WithHelp("`value(start) = …`, `winner(start) = …` and `best(start) = …` ask for one")
		}
	}
}

// Against returns the claim with the variant that it compares its own with taken from another
// program, in which names may mean something else.
func (c *Claim) Against(u *Unit) *Claim {
	out := *c
	out.others = u
	return &out
}

// From returns the claim about plays from st, a live state of a System of the claim's variant. It
// replaces the position that the claim itself may begin at.
func (c *Claim) From(sys *rules.System, st rules.State) *Claim {
	out := *c
	out.here, out.begin, out.StartingAt = &body.Here{Sys: sys, State: st.Clone()}, nil, ""
	return &out
}

// position finds the position called name for a claim about v, or reports that there is none.
func (u *Unit) position(name ast.Ident, v *ast.Variant, diags *diag.List) *ast.Position {
	var names []string
	for _, p := range u.Positions {
		names = append(names, p.Name.Name)
		switch {
		case p.Name.Name != name.Name:
		case p.Of != nil && v != nil && p.Of.Name != v.Name.Name:
			term.NotItsPosition(p, v, name.Range, diags)
			return nil
		default:
			return p
		}
	}
	bind.Suggest(diags.Errorf(diag.Unknown, name.Range, "unknown position `%s`", name.Name), name.Name, names)
	return nil
}

// ParseValue reads a value from the command line.
func ParseValue(text string) (board.Value, error) {
	at := diag.Range{File: "-p"}
	switch text {
	case "true":
		return board.Value{N: 1, Bool: true, At: at}, nil
	case "false":
		return board.Value{Bool: true, At: at}, nil
	}
	n, err := num.Parse(text)
	switch {
	case err == num.ErrRange:
		return board.Value{}, fmt.Errorf("%s is beyond the range of numbers: %s", text, rules.RangeHelp)
	case err != nil:
		return board.Value{}, fmt.Errorf("%q is neither a whole number nor true or false", text)
	}
	return board.Value{N: n, At: at}, nil
}

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

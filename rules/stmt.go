package rules

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// Stmt is a statement of the body of an action or reaction: one of the six types of this file.
// Package exec defines how each is executed. The resolver expresses the rest of the language in
// these.
//
//sumtype:decl
type Stmt interface{ isStmt() }

// Sow takes seeds out of Source and drops them one by one along a lap.
//
// The first seed goes into StartAt, or into the Source itself with OriginFirst, or else into the
// pit after Source on the lap; each further one into the next pit of the lap, where pits with a
// true SkipIf (evaluated before the sowing, with origin already set) get none, and pits in OnlyLast
// are skipped unless the seed in hand is the last one. Without Count all seeds of Source are sown.
// After each seed the registers last and last was are set and Drop is executed. It makes the action
// illegal if there is no seed to sow, Count is more than Source holds, the line ends, or no pit of
// the lap can take the seed. If the game ends with seeds in hand they return to Source.
type Sow struct {
	Source      Expr
	Count       Expr // nil: all
	Lap         int
	SkipIf      []Expr // by pit; nil: never. The slice itself is nil if nothing is skipped
	OnlyLast    []bool // by pit; nil: none
	OriginFirst bool
	StartAt     Expr // nil: see above
	Drop        []Stmt
	At          diag.Range
}

// Transfer moves seeds from one pit to another. Without Count it moves all of them, and a From that
// is `none`, or Into itself, gives nothing. With Count `none` is a fault, as is a Count below zero
// or above what From holds.
type Transfer struct {
	Count      Expr // nil: all
	From, Into Expr
	At         diag.Range
}

// Set sets a cell: a control variable, a local, or the register next or rank. A value that the
// variable cannot have is a fault.
type Set struct {
	To Cell
	X  Expr
	At diag.Range
}

// If executes Then or Else.
type If struct {
	Cond       Expr
	Then, Else []Stmt
}

// While repeats Body as long as Cond holds. If the whole configuration (pits, variables, locals,
// last, origin) recurs at the loop's head, the loop never ends and the game is over with the
// outcome endless.
type While struct {
	Cond Expr
	Body []Stmt
	At   diag.Range
}

// Stop ends the body at once: with an Outcome, and then the game is over and no Reaction
// is evaluated; or with Illegal, and then the action cannot be executed.
type Stop struct{ Outcome int }

// Illegal replaces the outcome of a Stop that makes the action illegal.
const Illegal = Live - 1

func (Sow) isStmt()      {}
func (Transfer) isStmt() {}
func (Set) isStmt()      {}
func (If) isStmt()       {}
func (While) isStmt()    {}
func (Stop) isStmt()     {}

// Blocks returns the statement lists inside s.
func Blocks(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case Transfer, Set, Stop:
		return nil
	case Sow:
		return [][]Stmt{s.Drop}
	case If:
		return [][]Stmt{s.Then, s.Else}
	case While:
		return [][]Stmt{s.Body}
	}
	panic(foreign(s))
}

// WithBlocks returns s with other statement lists inside, in the order of Blocks.
func WithBlocks(s Stmt, blocks [][]Stmt) Stmt {
	switch s := s.(type) {
	case Transfer, Set, Stop:
		return s
	case Sow:
		s.Drop = blocks[0]
		return s
	case If:
		s.Then, s.Else = blocks[0], blocks[1]
		return s
	case While:
		s.Body = blocks[0]
		return s
	}
	panic(foreign(s))
}

// Rewrite returns s with each expression that it evaluates itself replaced, and each statement list
// inside.
func Rewrite(s Stmt, expr func(Expr) Expr, block func([]Stmt) []Stmt) Stmt {
	optional := func(x Expr) Expr {
		if x == nil {
			return nil
		}
		return expr(x)
	}
	switch s := s.(type) {
	case Sow:
		s.Source, s.Count, s.StartAt, s.SkipIf = expr(s.Source), optional(s.Count), optional(s.StartAt), lists.Map(s.SkipIf, optional)
		s.Drop = block(s.Drop)
		return s
	case Transfer:
		s.Count, s.From, s.Into = optional(s.Count), expr(s.From), expr(s.Into)
		return s
	case Set:
		s.To.Index, s.X = optional(s.To.Index), expr(s.X)
		return s
	case If:
		return If{expr(s.Cond), block(s.Then), block(s.Else)}
	case While:
		s.Cond, s.Body = expr(s.Cond), block(s.Body)
		return s
	case Stop:
		return s
	}
	panic(foreign(s))
}

// operand is an expression that a statement evaluates, with the type that its place demands.
type operand struct {
	x    Expr
	want Type
}

// operands lists the operands of s, not those of what is inside its blocks. An operand that is left
// out is nil. cell is the type of what a cell holds.
func operands(s Stmt, cell func(Cell) Type) []operand {
	switch s := s.(type) {
	case Sow:
		list := []operand{{s.Source, PitType}, {s.Count, NumberType}, {s.StartAt, PitType}}
		list = append(list, lists.Map(s.SkipIf, func(x Expr) operand { return operand{x, TruthType} })...)
		return list
	case Transfer:
		return []operand{{s.Count, NumberType}, {s.From, PitType}, {s.Into, PitType}}
	case Set:
		return []operand{{s.To.Index, s.To.indexType()}, {s.X, cell(s.To)}}
	case If:
		return []operand{{s.Cond, TruthType}}
	case While:
		return []operand{{s.Cond, TruthType}}
	case Stop:
		return nil
	}
	panic(foreign(s))
}

// Exprs returns the expressions that s evaluates itself, not those inside its blocks.
func Exprs(s Stmt) []Expr {
	var xs []Expr
	for _, o := range operands(s, func(Cell) Type { return NumberType }) {
		if o.x != nil {
			xs = append(xs, o.x)
		}
	}
	return xs
}

// WalkStmts calls f on every statement of body, outer ones before inner ones.
func WalkStmts(body []Stmt, f func(Stmt)) {
	for _, s := range body {
		f(s)
		for _, b := range Blocks(s) {
			WalkStmts(b, f)
		}
	}
}

// Effects says what a body may do, in any state.
type Effects struct {
	MovesSeeds bool  // it sows or moves seeds
	Ranks      bool  // it sets the rank of its action
	Loops      bool  // it has a loop, and so may end the game as endless
	Stops      []int // the outcomes that it may end the game with, in the order of the text, including Illegal
}

// EffectsOf returns the effects of a body.
func EffectsOf(body []Stmt) Effects {
	var e Effects
	WalkStmts(body, func(s Stmt) {
		switch s := s.(type) {
		case Sow, Transfer:
			e.MovesSeeds = true
		case Set:
			e.Ranks = e.Ranks || s.To.IsRegister(RankReg)
		case While:
			e.Loops = true
		case Stop:
			e.Stops = append(e.Stops, s.Outcome)
		case If:
		default:
			panic(foreign(s))
		}
	})
	return e
}

// Ranked reports by player whether some action of his has a `prefer`.
func (s *System) Ranked() []bool {
	by := make([]bool, len(s.Players))
	for _, a := range s.Actions {
		by[a.Mover] = by[a.Mover] || EffectsOf(a.Body).Ranks
	}
	return by
}

// MayEnd reports whether the body may itself end the game with the outcome.
func (e Effects) MayEnd(sys *System, outcome int) bool {
	return e.Loops && outcome == sys.Endless() || slices.Contains(e.Stops, outcome)
}

// FirstSow returns the first sowing of a body from a fixed pit, and the pit; nil and None if there
// is none.
func FirstSow(body []Stmt) (first *Sow, pit int) {
	pit = None
	WalkStmts(body, func(s Stmt) {
		if sow, is := s.(Sow); is && first == nil {
			if c, is := sow.Source.(Const); is && c.Value != None {
				first, pit = &sow, c.Value
			}
		}
	})
	return first, pit
}

package verdict

import "github.com/mancheck/mancheck/rules"

// Claim is what a verdict is about.
type Claim struct {
	Kind     Kind
	Strategy string // of StrategyWins
	Player   int    // of Force: who is to force it
	Some     string // the parameter of `for some`
	Negated  bool   // it denies what the kind says
}

// Kind is a kind of claim.
type Kind string

// The kinds. Some differ only in what they assert, so that their verdicts can be described in
// different words.
const (
	Reachable      Kind = "reachable"
	Unreachable    Kind = "unreachable" // and invariants
	NeverStuck     Kind = "never stuck"
	Terminates     Kind = "terminates"
	Neighbours     Kind = "neighbours" // predecessors and successors
	Step           Kind = "step"
	NoStep         Kind = "no step"
	EveryStep      Kind = "every step"                 // from reachable states
	EveryShapeStep Kind = "every step over all states" // of the right shape
	Count          Kind = "count"
	CountPlays     Kind = "count plays"
	WinningStarts  Kind = "winning starts"
	StrategyWins   Kind = "strategy wins"
	Refines        Kind = "refines"
	Equivalent     Kind = "equivalent"
	Reverses       Kind = "reverses"
	Value          Kind = "value"
	Winner         Kind = "winner"
	BestMoves      Kind = "best moves"
	Force          Kind = "force"
)

// What an engine may refuse of several kinds, or of a part of one.
const (
	AllValues      Kind = "all values" // of a parameter, at once
	CountAncestors Kind = "count ancestors"
	OfStarts       Kind = "of starts" // what asks which states are starts
)

// Engine is the name of an engine, as package build has it: the names are words of the language.
type Engine string

// The engines. Auto leaves the choice to the tool.
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

// BySolver reports whether what the engine finds rests on the answers of a solver.
func (e Engine) BySolver() bool { return e == BMC || e == Induction || e == SMT }

// Scope says what a verdict holds for.
type Scope struct {
	Params    []Param
	Unbounded []string // unbounded parameters for all of whose values the verdict holds
}

// Param is a parameter with its value N, which is 0 or 1 for a truth value, or with all values from
// N to Hi, or with all from N up.
type Param struct {
	Name  string
	N, Hi int
	Bool  bool
	All   bool // every value of its range
	Up    bool // the range has no upper end
}

// ScopeOf lists the parameters that a verdict about sys holds for.
func ScopeOf(sys *rules.System) Scope {
	var s Scope
	for _, p := range sys.Params {
		switch {
		case p.Upward:
			s.Params = append(s.Params, Param{Name: p.Name, N: p.Value, Hi: p.Value, All: true, Up: true})
		case p.Open && !p.HasHi:
			s.Unbounded = append(s.Unbounded, p.Name)
		case p.Open:
			s.Params = append(s.Params, Param{Name: p.Name, N: p.Lo, Hi: p.Hi, All: true})
		default:
			s.Params = append(s.Params, ParamOf(p))
		}
	}
	return s
}

// ParamOf is a parameter that has a value.
func ParamOf(p rules.Param) Param {
	return Param{Name: p.Name, N: p.Value, Hi: p.Value, Bool: p.Bool}
}

// Least is the least value of a parameter for which a claim holds.
type Least struct {
	Param string
	Value int
}

package verdict

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

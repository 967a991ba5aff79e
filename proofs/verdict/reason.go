package verdict

import "github.com/mancheck/mancheck/internal/limit"

// Reason says why a verdict is unknown or bounded: one of the types of this file, or NoPlay or
// StartIs.
//
//sumtype:decl
type Reason interface{ reason() }

// Cause is a Reason inside of something else.
type Cause = Box[Reason]

// Limits.
type (
	// Ended is a limit that ended the work.
	Ended struct{ Limit limit.Hit }
	// NotBegun is a limit that was hit before the work began.
	NotBegun struct{ Limit limit.Hit }
	// SearchEnded is a limit that ended a forward search: it found States, and examined all states
	// within Depth moves of the starts. A negative Depth says that not even all starts were.
	SearchEnded struct {
		Limit  limit.Hit
		States int64
		Depth  int
	}
	// BackwardEnded is a limit that ended a backward search.
	BackwardEnded struct{ Limit limit.Hit }
	// ComparisonEnded is a limit that ended a comparison of variants, this many moves from the
	// starts. A negative Depth says that not all starts were listed.
	ComparisonEnded struct {
		Limit limit.Hit
		Depth int
	}
	// TooMany is more of something than are looked at.
	TooMany struct {
		Of    Counted
		Most  int64
		Moves int // of plays
	}
	// Computation is a limit of computation that the rules exceed.
	Computation struct{ Words Detail }
)

// Counted is what there may be too much of.
type Counted int

const (
	Positions Counted = iota
	Starts
	Plays
	PlayMoves // of one play
	ShapedStates
	Ancestors
)

// Engines that do not answer.
type (
	// Refused is a question that an engine does not take.
	Refused struct {
		Engine Engine
		What   Question
	}
	// Obstacle is something in the rules or in the claim that the engine cannot deal with.
	Obstacle struct {
		Is    ObstacleKind
		Words Detail
	}
	// NotInductive is that the claim is not inductive up to an induction over K states.
	NotInductive struct{ K int }
	// SolverUnknown is that a solver does not answer a question. N is the depth of a bounded search
	// or the length of an induction.
	SolverUnknown struct {
		Solver string
		Asked  Asking
		N      int
		Words  Detail // the solver's
	}
	// MissingSolver is a solver that is not installed. Program is empty if no known one is.
	MissingSolver struct {
		Program string
		Help    Detail
	}
	// OneSolver is that only this solver shows a claim, and that one is not enough.
	OneSolver struct {
		Solver string
		Gap    Box[Gap] // why nothing else does
	}
	// HoldsStart is that the states that lead to a target include a start.
	HoldsStart struct{}
	// ComesBack is that the rules end a play in which a position comes back, and that the claim
	// depends on which positions do.
	ComesBack struct{}
)

// Question is what an engine may refuse.
type Question int

const (
	AboutReachability Question = iota
	AboutTermination
	AboutNeighbours
	AboutSteps
	AboutEveryStep
	AboutCounts
	AboutAncestors
	AboutWinningStarts
	AboutStrategies
	AboutRelations
	AboutValues
	AboutForce
	AboutAllValues   // of a parameter
	AboutWithinMoves // by induction
)

// ObstacleKind says what an engine cannot deal with.
type ObstacleKind int

const (
	Unfit          ObstacleKind = iota // the words say what
	RulesFault                         // in some state of the right shape
	InfiniteStarts                     // nothing bounds them
	NotEncodable                       // as formulas
)

// Asking is the question that a solver was asked.
type Asking int

const (
	AskedOnce Asking = iota
	AskedDepth
	AskedInduction
)

// What the rules or the claim leave open.
type (
	// OpenEnd is that the rules do not say what a play is worth. Rest is a limit that kept the
	// search from finding out whether that matters; its Reason is nil if it does matter.
	OpenEnd struct {
		Words  Detail
		Varies bool // they do, but play can go on for ever while the score changes
		Rest   Cause
	}
	// BestUnknown is that whether a move is one of the best is not decided, because of Rest.
	BestUnknown struct {
		Move string
		Rest Cause
	}
	// NotEverywhere is that a strategy does not win from every state that leads to a win.
	NotEverywhere struct{}
)

// Open parameters.
type (
	// At is the reason for one value of a parameter.
	At struct {
		Param string
		Value int
		Rest  Cause
	}
	// NoneDecides is that no value of the parameters that was tried refutes a claim for all.
	NoneDecides struct{ Params []string }
	// MixedQuantifiers is a claim for all values of one parameter and some of another.
	MixedQuantifiers struct{}
	// NoStartsLately is that the last values tried of a parameter, up to one, have no start.
	NoStartsLately struct {
		Param     string
		Values, N int
	}
	// NoneOfLeast is that a claim holds for none of the least values.
	NoneOfLeast struct{ Values int }
	// NotEverySize is that what decides the sizes up to Value is not known to decide greater ones.
	NotEverySize struct {
		Size  string
		Value int
		None  bool // there is none that is decided
		Words Detail
	}
	// StartUnknown is that it is not known whether the setup has a start.
	StartUnknown struct{}
)

func (Ended) reason()            {}
func (NotBegun) reason()         {}
func (SearchEnded) reason()      {}
func (BackwardEnded) reason()    {}
func (ComparisonEnded) reason()  {}
func (TooMany) reason()          {}
func (Computation) reason()      {}
func (Refused) reason()          {}
func (Obstacle) reason()         {}
func (NotInductive) reason()     {}
func (SolverUnknown) reason()    {}
func (MissingSolver) reason()    {}
func (OneSolver) reason()        {}
func (HoldsStart) reason()       {}
func (ComesBack) reason()        {}
func (OpenEnd) reason()          {}
func (BestUnknown) reason()      {}
func (NotEverywhere) reason()    {}
func (At) reason()               {}
func (NoneDecides) reason()      {}
func (MixedQuantifiers) reason() {}
func (NoStartsLately) reason()   {}
func (NoneOfLeast) reason()      {}
func (NotEverySize) reason()     {}
func (StartUnknown) reason()     {}
func (NoPlay) reason()           {}
func (StartIs) reason()          {}

// Because puts a reason inside of another one, or of a note.
func Because(r Reason) Cause { return Cause{r} }

// LacksSolver reports whether a reason is a solver that is not installed, for whatever value of a
// parameter.
func LacksSolver(r Reason) bool {
	if at, ok := r.(At); ok {
		return LacksSolver(at.Rest.Is)
	}
	_, lacks := r.(MissingSolver)
	return lacks
}

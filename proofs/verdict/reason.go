package verdict

import "github.com/mancheck/mancheck/internal/limit"

// Reason says why a verdict is unknown or bounded: a Fact, a Figure, a Quote, a Mention or one of
// the types of this file.
//
//sumtype:decl
type Reason interface{ reason() }

// Cause is a Reason inside of something else.
type Cause = Box[Reason]

// Limits.
type (
	// Ended is a limit that ended a kind of work. A search that it ended found States, and examined
	// all states within Depth moves of the starts; with a negative Depth, not even all starts. For
	// Games States are the positions that were looked at.
	Ended struct {
		Work   Work
		Limit  limit.Hit
		States int64
		Depth  int
	}
	// ManyPlays is more than Most plays of up to a number of moves.
	ManyPlays struct {
		Most  int64
		Moves int
	}
)

// Work is what a limit may end.
type Work int

const (
	Decision Work = iota
	Waiting       // before the work began
	ForwardSearch
	BackwardSearch
	Comparison // of variants
	Games      // that were played to find something
)

// Engines that do not answer.
type (
	// Refused is a kind of claim that an engine does not decide.
	Refused struct {
		Engine Engine
		What   Kind
	}
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
	// At is the reason for one value of a parameter.
	At struct {
		Param string
		Value int
		Rest  Cause
	}
	// NoStartsLately is that the last values tried of a parameter, up to one, have no start.
	NoStartsLately struct {
		Param     string
		Values, N int
	}
	// NotEverySize is that what decides the sizes up to Value is not known to decide greater ones.
	NotEverySize struct {
		Size  string
		Value int
		None  bool // there is none that is decided
		Words Detail
	}
)

func (Ended) reason()          {}
func (ManyPlays) reason()      {}
func (Refused) reason()        {}
func (SolverUnknown) reason()  {}
func (MissingSolver) reason()  {}
func (OneSolver) reason()      {}
func (OpenEnd) reason()        {}
func (BestUnknown) reason()    {}
func (At) reason()             {}
func (NoStartsLately) reason() {}
func (NotEverySize) reason()   {}

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

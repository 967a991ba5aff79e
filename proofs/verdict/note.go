package verdict

// Note is something else to be said of a verdict: one of the types of this file.
//
//sumtype:decl
type Note interface{ note() }

type (
	// LeftOut is a part of states that was left out, with the words why.
	LeftOut struct{ Why Detail }
	// CountedOnce is that states that differ only in what is left out count once.
	CountedOnce struct{}
	// NeverLegal is a move that no reachable state allows, by its label.
	NeverLegal struct{ Move string }
	// SubjectUnknown is that it is not known whether the verdict is vacuous.
	SubjectUnknown struct{ Of Subject }
	// NoSuchTotal is that no start has as many seeds as a drawn position of which the claim speaks:
	// no play comes to one.
	NoSuchTotal struct{ Position string }
	// FaultMet is a fault of the rules in an action from some state of the right shape.
	FaultMet struct{ Fault Detail }
	// MayFault is that an action may meet a fault of the rules, as far as is seen without playing.
	MayFault struct{}
	// Asked is the solver that was asked for the verdict, and the one that showed its evidence.
	// Either may be empty.
	Asked struct {
		Solver string
		Second string `json:",omitempty"`
	}
	// Compared is which pits of two variants were compared: some by their names, others by their
	// places in the picture.
	Compared struct {
		ByName  int
		ByPlace []string // as `a1 with b1`
	}
	// Ignored is what the claim leaves out of the comparison.
	Ignored struct{ Pits []string }
	// SmallerUnknown is that a smaller value of a parameter may do as well.
	SmallerUnknown struct {
		Param string
		Value int
		Rest  Cause
	}
	// EngineOpen is why one of several engines leaves the question open.
	EngineOpen struct {
		Engine Engine
		Why    Cause
	}
)

// Subject is what may be missing, so that a claim is vacuous.
type Subject int

const (
	StartOfSetup Subject = iota
	StartOfAny           // for any value of the parameters
	StateMatching
	StepReached
)

func (LeftOut) note()        {}
func (CountedOnce) note()    {}
func (NeverLegal) note()     {}
func (SubjectUnknown) note() {}
func (NoSuchTotal) note()    {}
func (FaultMet) note()       {}
func (MayFault) note()       {}
func (Asked) note()          {}
func (Compared) note()       {}
func (Ignored) note()        {}
func (SmallerUnknown) note() {}
func (EngineOpen) note()     {}

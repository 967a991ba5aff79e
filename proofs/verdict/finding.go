package verdict

import "reflect"

// Finding is what was found, with its numbers: one of the types of this file. A claim's numbers are
// confirmed by comparing its finding with one that was found in another way (Same).
//
//sumtype:decl
type Finding interface{ finding() }

// Figures are the numbers of a finding: neither those that stand for players, nor enumerations.
func Figures(f Finding) []int64 {
	if f == nil {
		return nil
	}
	return figures(reflect.ValueOf(f))
}

func figures(v reflect.Value) (list []int64) {
	switch v.Type() {
	case reflect.TypeFor[int](), reflect.TypeFor[int64]():
		return []int64{v.Int()}
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		if v.Type().Field(i).Name != "Player" {
			list = append(list, figures(v.Field(i))...)
		}
	}
	return list
}

// Same reports whether two findings are the same, with all their numbers.
func Same(a, b Finding) bool { return reflect.DeepEqual(a, b) }

// Reachability, invariants and steps.
type (
	// Play is a play that shows the verdict.
	Play struct {
		Moves    int
		Shortest bool // no play of fewer moves does
	}
	// AllReachable is all reachable states, none of which is a target.
	AllReachable struct{ States, Starts int64 }
	// NotWithin is that no play of at most this many moves leads to a target.
	NotWithin struct{ Moves int }
	// StartIs is whether a start is a target itself.
	StartIs struct{ Target bool }
	// ClosedSet is a set that is closed under predecessors and holds no start.
	ClosedSet struct {
		States   int
		BySolver bool
	}
	// EverySize is a closed set for the size At that decides all greater ones as well. The sizes
	// from Least on are decided one by one.
	EverySize struct {
		Size              string
		Least, At, States int
	}
	// SizesLaw is a law that decides the size At and all greater ones. The sizes from Least on are
	// decided one by one.
	SizesLaw struct {
		Size      string
		Least, At int
		Law       Law
	}
	// Conserved is that each state has as many seeds as a start, which decides the claim.
	Conserved struct{}
	// OneWay is that the ways that seeds may go leave no step that breaks the claim.
	OneWay struct{}
	// Falls is that each move lowers a rank, of which a play has finitely many values.
	Falls struct{}
	// NoneComesBack is that the rules end a play in which a position comes back, so that every play
	// ends.
	NoneComesBack struct{}
	// NoPlay is that a solver finds no play of at most this many moves.
	NoPlay struct{ Moves int }
	// Inductive is an induction over K states.
	Inductive struct{ K int }
	// StepsOfReachable is that every step is as claimed from the reachable states concerned.
	StepsOfReachable struct{ States int64 }
	// AllSteps is that every step is as claimed from the states of the right shape that were
	// listed.
	AllSteps struct{ Steps, States int }
	// StepsOfShape is that every step is as claimed from every state of the right shape.
	StepsOfShape struct{}
	// BadStep is a step that breaks a claim about all states of the right shape.
	BadStep struct{}
	// StepThere is whether there is a step as claimed. If there is none, one may lead elsewhere.
	StepThere struct{ Found, Elsewhere bool }
)

// Law is what follows from the rules for boards of every size.
type Law int

const (
	RankFalls     Law = iota // each move lowers a rank
	SeedsGoOneWay            // seeds do not leave some pits
	SeedsAreKept             // none are made or lost
)

// Sets and their sizes.
type (
	// Number is the size of the set that a claim counts.
	Number struct{ N int }
	// SetFound is a set of states: how many were found, and how that differs from those listed.
	SetFound struct{ States, Extra, Missing int }
)

// Termination.
type (
	// Repeats is that the last moves of a play repeat forever.
	Repeats struct{ Moves int }
	// Longest is the number of moves of the longest play.
	Longest struct {
		Moves  int
		Beyond bool // it is longer than the claim allows
	}
)

// Strategies that are to win.
type (
	// WinsWherever is that a strategy wins from every state that leads to a win.
	WinsWherever struct{ States int }
	// WinsFrom is that it wins from all the starts that can be won.
	WinsFrom struct{ Starts int }
	// StrategyFails is a play by the strategy that does not win. Win are the moves of one that
	// does; nil if that was not searched for, or not found.
	StrategyFails struct {
		Strategy string
		End      StrategyEnd
		Moves    int // of the play, or those that repeat
		Win      []string
	}
)

// StrategyEnd says how a play by a strategy ends that does not win.
type StrategyEnd int

const (
	EndsUnwon StrategyEnd = iota
	EndsStuck
	EndsNever
)

// Values, and what can be forced.
type (
	// Valued is the value of positions.
	Valued struct{ Worth Worth }
	// WinnerOf is who wins positions, as their value to the first player says.
	WinnerOf struct{ Worth Worth }
	// Best is the best moves of one position, or how many positions there are.
	Best struct {
		Positions int
		Moves     []string
	}
	// Forced is in how many moves a player forces the goal. Positions is 0 if it is so there at
	// once.
	Forced struct{ Player, Moves, Positions int }
	// Prevented is that the others can prevent that, for Within moves unless it is negative.
	Prevented struct{ Player, Within int }
)

// Relations of variants.
type (
	// Related is that two variants are related as the claim has it.
	Related struct {
		Kind  Kind
		Other string // the name of the other variant
		Steps int64  // compared
	}
	// Differs is where two variants differ. Names has that first which Side says.
	Differs struct {
		Is    Difference
		Names [2]string
		Moves int    // before the difference
		Move  string // in notation; empty for starts
		Looks [2]Look
	}
)

// Difference is a way in which two variants differ.
type Difference int

const (
	StartDiffers Difference = iota // a start of the one is none of the other
	MoveDiffers                    // a move is legal in the one alone
	BoardsDiffer                   // after the move
	LooksDiffer                    // after the move: who is to move, or how the game ended
	NotTakenBack                   // no move of the other takes the move back
)

// Look is what is seen of a state besides its board. Player is the name of who is to move, or has
// won.
type Look struct {
	Is     Standing
	Player string
}

// Standing is how a game stands.
type Standing int

const (
	ToMove Standing = iota
	GoesOn
	NeverEnds
	Over
	Won
	Lost
	Drawn
	WonBy
	NobodyWon
)

// Claims about values of parameters.
type (
	// NoStart is that the setup has no start for any value of the parameters.
	NoStart struct{ Params []string }
	// EachValue is that all values of a parameter, whose number is Values, were tried one by one.
	EachValue struct{ Values int }
	// NoValue is that the claim holds for no value of a parameter.
	NoValue struct {
		Param  string
		Lo, Hi int
	}
)

func (Play) finding()             {}
func (AllReachable) finding()     {}
func (NotWithin) finding()        {}
func (StartIs) finding()          {}
func (EverySize) finding()        {}
func (SizesLaw) finding()         {}
func (ClosedSet) finding()        {}
func (Conserved) finding()        {}
func (OneWay) finding()           {}
func (Falls) finding()            {}
func (NoneComesBack) finding()    {}
func (NoPlay) finding()           {}
func (Inductive) finding()        {}
func (StepsOfReachable) finding() {}
func (AllSteps) finding()         {}
func (StepsOfShape) finding()     {}
func (BadStep) finding()          {}
func (StepThere) finding()        {}
func (Number) finding()           {}
func (SetFound) finding()         {}
func (Repeats) finding()          {}
func (Longest) finding()          {}
func (WinsWherever) finding()     {}
func (WinsFrom) finding()         {}
func (StrategyFails) finding()    {}
func (Valued) finding()           {}
func (WinnerOf) finding()         {}
func (Best) finding()             {}
func (Forced) finding()           {}
func (Prevented) finding()        {}
func (Related) finding()          {}
func (Differs) finding()          {}
func (NoStart) finding()          {}
func (EachValue) finding()        {}
func (NoValue) finding()          {}

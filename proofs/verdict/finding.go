package verdict

import (
	"math"
	"reflect"

	"github.com/mancheck/mancheck/rules"
)

// Finding is what was found, with its numbers: a Fact, a Figure, a Mention or one of the types of
// this file. A claim's numbers are confirmed by comparing its finding with one that was found in
// another way (Same).
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

// NumberOf returns the size of the set that a claim counts; ok is false if the finding is none.
func NumberOf(f Finding) (n int, ok bool) {
	figure, is := f.(Figure)
	return figure.N, is && figure.Is == Number
}

// Same reports whether two findings are the same, with all their numbers.
func Same(a, b Finding) bool { return reflect.DeepEqual(a, b) }

// Reachability, steps and sets.
type (
	// Play is a play that shows the verdict.
	Play struct {
		Moves    int
		Shortest bool // no play of fewer moves does
	}
	// AllReachable is all reachable states, none of which is a target.
	AllReachable struct{ States, Starts int64 }
	// EverySize is what decides a claim for the size At and all greater ones: a law or, if that is
	// 0, a closed set of States. The sizes from Least on are decided one by one.
	EverySize struct {
		Size              string
		Least, At, States int
		Law               Fact
	}
	// AllSteps is that every step is as claimed from the states of the right shape that were
	// listed.
	AllSteps struct{ Steps, States int }
	// SetFound is a set of states: how many were found, and how that differs from those listed.
	SetFound struct{ States, Extra, Missing int }
)

// StrategyFails is a play by a strategy that does not win. Win are the moves of one that does; nil
// if that was not searched for, or not found.
type StrategyFails struct {
	Strategy string
	End      StrategyEnd
	Moves    int // of the play, or those that repeat
	Win      []string
}

// StrategyEnd says how a play by a strategy ends that does not win.
type StrategyEnd int

const (
	EndsUnwon StrategyEnd = iota
	EndsStuck
	EndsNever
)

// Values, and what can be forced.
type (
	// Valued is the value of positions or, as the value to the first player says, their winner.
	Valued struct {
		Worth  Worth
		Winner bool
	}
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
		In    rules.Agreement `json:",omitempty"`
		Other string          // the name of the other variant
		Steps int64           // compared
	}
	// Differs is where two variants differ. Names has that first which Side says.
	Differs struct {
		Is    rules.Difference
		Names [2]string
		Moves int    // before the difference
		Move  string // in notation; empty for starts
		Other string `json:",omitempty"` // with WrittenDiffers: the notation in the other variant
		Looks [2]Look
	}
)

// Look is what is seen of a state besides its board. Player is the name of who is to move, or has
// won. Points has the scores of the players, if these differ.
type Look struct {
	Is     rules.Standing
	Player string
	Points []int
}

// NoValue is that the claim holds for no value of a parameter.
type NoValue struct {
	Param  string
	Lo, Hi int
}

func (Play) finding()          {}
func (AllReachable) finding()  {}
func (EverySize) finding()     {}
func (AllSteps) finding()      {}
func (SetFound) finding()      {}
func (StrategyFails) finding() {}
func (Valued) finding()        {}
func (Best) finding()          {}
func (Forced) finding()        {}
func (Prevented) finding()     {}
func (Related) finding()       {}
func (Differs) finding()       {}
func (NoValue) finding()       {}

// Worth is what is known of the value of positions to a player: it is from Lo to Hi. Unbounded ends
// are NoLower and NoUpper.
type Worth struct {
	Player    int // as build.ValueOf has it
	Lo, Hi    int
	Positions int
}

// Ends of what is not known, as package checker/value has them.
const (
	NoLower = math.MinInt32
	NoUpper = math.MaxInt32
)

// Known reports whether the value is known.
func (w Worth) Known() bool { return w.Lo == w.Hi }

// AtLeast returns the lower end, if it is known.
func (w Worth) AtLeast() (lo int, known bool) { return w.Lo, w.Lo != NoLower }

// AtMost returns the upper end, if it is known.
func (w Worth) AtMost() (hi int, known bool) { return w.Hi, w.Hi != NoUpper }

// Within reports whether a value that these bounds allow is one that the others allow.
func (w Worth) Within(o Worth) bool { return o.Lo <= w.Lo && w.Hi <= o.Hi }

// Negated is what a value for one player is to the other.
func (w Worth) Negated() Worth {
	w.Lo, w.Hi = negated(w.Hi), negated(w.Lo)
	return w
}

func negated(n int) int {
	switch n {
	case NoLower:
		return NoUpper
	case NoUpper:
		return NoLower
	}
	return -n
}

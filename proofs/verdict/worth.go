package verdict

import "math"

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

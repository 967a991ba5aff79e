package value

import (
	"math"

	"github.com/mancheck/mancheck/checker/pack"
)

// estimate guesses what the rest of a play is worth to the first player, in units. It is a sum:
// each pit and each variable of a position adds what its value is worth when a player is to move.
// This is learnt from games (see learner), and nothing is proved of it.
type estimate struct {
	status pack.Field
	parts  []part
	base   [2]int32 // by the player to move
}

// How many units of an estimate make one of what a play is worth: a margin, or a result. Finer
// units tell more positions apart, and let a search leave out fewer.
const (
	marginUnit = 1 << 3
	resultUnit = 1 << 10
)

// part is a field of a position with what its values are worth.
type part struct {
	pack.Field
	worth [2][]int32 // by the player to move, and the value before it is shifted
}

// newEstimate returns the estimate that one begins with: what is in the pits is worth what it would
// be at the end.
func newEstimate(g *game) *estimate {
	e := &estimate{status: g.status}
	cells := len(g.sys.Pits) + len(g.sys.Vars)
	for cell := range cells {
		f, _, has := g.position.Place(cell)
		if !has || f.Mask == 0 {
			continue
		}
		p := part{Field: f}
		for mover := range p.worth {
			p.worth[mover] = make([]int32, min(f.Mask, mostWorth)+1)
			if cell >= len(g.sys.Pits) || !g.linear {
				continue
			}
			for v := range p.worth[mover] {
				p.worth[mover][v] = g.units(float64(v * g.margin.weights[cell]))
			}
		}
		e.parts = append(e.parts, p)
	}
	return e
}

// mostWorth bounds the values that are told apart.
const mostWorth = 1 << 10

// of estimates a live position.
func (e *estimate) of(key []uint64) int {
	mover := key[e.status.Word] >> (e.status.Shift & 63) & e.status.Mask & 1
	sum := e.base[mover]
	for i := range e.parts {
		p := &e.parts[i]
		v := key[p.Word] >> (p.Shift & 63) & p.Mask
		if worth := p.worth[mover]; v < uint64(len(worth)) {
			sum += worth[v]
		}
	}
	return int(sum)
}

// units returns a number in units.
func (g *game) units(x float64) int32 {
	return int32(math.Round(min(max(x*float64(g.unit), -mostUnits), mostUnits)))
}

// mostUnits bounds what a field is worth, so that no sum overflows.
const mostUnits = 1 << 20

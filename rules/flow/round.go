package flow

import (
	"github.com/mancheck/mancheck/rules"
)

// Loop is a loop of a body, and what is known where one of its rounds may begin.
type Loop struct {
	rules.While
	head *env
}

// Loops calls see with each loop that a run of a body may come to, those inside others too. A loop
// inside another one is seen several times, with more and more places where a round may begin.
func Loops(sys *rules.System, b Body, see func(Loop)) {
	f := &follower{sys: sys, loop: see}
	f.list(b.Stmts, runs{b.begin(sys)})
}

// FallsIn reports how a rank changes in a round of a loop after which another one may begin: same
// says whether it may stay as it is, and raised is a move that may raise it, if there is one. If
// the rank always becomes less, no run of the loop is infinite.
func (r Rank) FallsIn(l Loop) (same bool, raised *Move) {
	start := make(runs, len(r)+1)
	start[len(r)] = l.head.assume(l.Cond, true)
	f := &follower{sys: l.head.sys, rank: r}
	out := f.list(l.Body, start)
	return out[len(r)] != nil, f.raised
}

// Package flow finds out where seeds may go when a body is carried out, in any state, and whether a
// rank becomes less by that; and what is known of live states. Checks of evidence rest on it, and
// searches for values; what finds evidence rests on rules/abstract, which shares no code with this
// package.
//
// A body is followed over sets of values: an env has those that last, origin, variables and locals
// may have at a place, as far as conditions tell. The sets are never too small. Where evaluation
// meets a fault there is no step, and so no run to follow.
//
// A rank is a list of levels, each with a weight for every pit. What a level is worth in a state is
// the sum of the weights of all seeds. One state is below another if at the first level at which
// they differ it is worth less. A run has fallen at a level if that is worth less than when the
// body began, and each earlier level as much; nothing is said of later ones. So an env is kept for
// the runs that have fallen at each level, and one for those that have not fallen: a run that has
// fallen at a level may do anything that does not raise this one or an earlier one.
//
//	set.go    sets of values; env.go what is known at a place
//	pits.go   the pits that a sowing may come to, and those that hold seeds
//	flow.go   bodies
//	place.go  what is known of states, and what is certain there
//	body.go   bodies that certainly come to an end, the paths of a body, the rounds of loops
//	modes.go  what plays make of a variable that holds a pit
//	live.go   live states, and whether a player has a move
package flow

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Move is one way in which a statement may move seeds, from one pit to another.
type Move struct {
	From, Into int
	Transfer   *rules.Transfer // the statement; nil: a seed is sown
	At         diag.Range
	Facts      []rules.Expr // conditions that are true before the statement
}

// Body is what an action or a reaction does, where a condition holds; nil: anywhere. Mover is the
// player to move.
type Body struct {
	Mover  int
	When   rules.Expr
	Stmts  []rules.Stmt
	Locals int
}

// Of returns the body of an action.
func Of(a *rules.Action) Body { return Body{a.Mover, a.Guard, a.Body, len(a.Locals)} }

// ForMover returns the body of a reaction for a player to move.
func ForMover(by *rules.ReactionFor, mover int) Body {
	return Body{mover, by.When, by.Body, len(by.Locals)}
}

// Moves calls see for each way in which a body may move seeds.
func Moves(sys *rules.System, b Body, see func(Move)) {
	f := &follower{sys: sys, see: see}
	f.list(b.Stmts, runs{b.begin(sys)})
}

// begin returns the env in which the body begins.
func (b Body) begin(sys *rules.System) *env {
	e := before(sys, b.Mover, b.Locals)
	if b.When != nil {
		e = e.assume(b.When, true)
	}
	return e
}

// Rank has for each level the weights of the pits.
type Rank [][]int

// Falls reports how a rank changes if a body is carried out and the game goes on: fallen says at
// which levels it may fall, and same whether it may stay as it is. raised is a move that may raise
// it, if there is one.
func (r Rank) Falls(sys *rules.System, b Body) (fallen []bool, same bool, raised *Move) {
	start := make(runs, len(r)+1)
	start[len(r)] = b.begin(sys)
	return r.follow(sys, b, start)
}

// Keeps returns a move of a body that may raise the rank of a state that has fallen at a level, if
// there is one and the game goes on after the body.
func (r Rank) Keeps(sys *rules.System, b Body, fallen int) (raised *Move) {
	start := make(runs, len(r)+1)
	start[fallen] = b.begin(sys)
	_, _, raised = r.follow(sys, b, start)
	return raised
}

func (r Rank) follow(sys *rules.System, b Body, start runs) (fallen []bool, same bool, raised *Move) {
	f := &follower{sys: sys, rank: r}
	out := f.list(b.Stmts, start)
	if out.none() {
		return make([]bool, len(r)), false, nil // the game never goes on after it, whatever it moves
	}
	fallen = lists.Map(out[:len(r)], func(e *env) bool { return e != nil })
	return fallen, out[len(r)] != nil, f.raised
}

// runs has an env for the runs that have fallen at each level, and in the last place one for those
// that have not.
type runs []*env

func (r runs) none() bool {
	return !slices.ContainsFunc(r, func(e *env) bool { return e != nil })
}

// each returns the runs with f of each env.
func (r runs) each(f func(*env) *env) runs {
	out := make(runs, len(r))
	for i, e := range r {
		if e != nil {
			out[i] = f(e)
		}
	}
	return out
}

func (r runs) join(q runs) runs {
	out := make(runs, len(r))
	for i := range r {
		out[i] = join(r[i], q[i])
	}
	return out
}

func (r runs) equal(q runs) bool { return slices.EqualFunc(r, q, (*env).equal) }

// follower follows one body.
type follower struct {
	sys    *rules.System
	rank   Rank
	see    func(Move) // may be nil
	loop   func(Loop) // may be nil
	raised *Move      // the first move found that may raise the rank
	left   *int       // how many statements it may still follow; nil: all
}

func (f *follower) list(body []rules.Stmt, r runs) runs {
	for _, s := range body {
		if r.none() {
			break
		}
		r = f.stmt(s, r)
	}
	return r
}

func (f *follower) stmt(s rules.Stmt, r runs) runs {
	if f.left != nil {
		if *f.left--; *f.left < 0 {
			return make(runs, len(r))
		}
	}
	switch s := s.(type) {
	case rules.Sow:
		return f.sow(s, r)
	case rules.Transfer:
		return f.transfer(s, r)
	case rules.Set:
		return r.each(func(e *env) *env { return e.set(s) })
	case rules.If:
		yes := f.list(s.Then, r.each(func(e *env) *env { return e.assume(s.Cond, true) }))
		no := f.list(s.Else, r.each(func(e *env) *env { return e.assume(s.Cond, false) }))
		return yes.join(no)
	case rules.While:
		head := f.rounds(r, func(r runs) runs {
			return f.list(s.Body, r.each(func(e *env) *env { return e.assume(s.Cond, true) }))
		})
		if f.loop != nil && head[0] != nil {
			f.loop(Loop{s, head[0]})
		}
		return head.each(func(e *env) *env { return e.assume(s.Cond, false) })
	case rules.Stop:
		return make(runs, len(r))
	}
	panic(fmt.Sprintf("flow: unknown %T", s))
}

// rounds joins r with what rounds lead to until another one adds nothing.
func (f *follower) rounds(r runs, round func(runs) runs) runs {
	for left := 16 + 2*len(f.sys.Pits); ; left-- {
		next := r.join(round(r))
		if next.equal(r) {
			return r
		}
		if left < 0 { // counters grow in each round: nothing is known of what changes
			for i, e := range next {
				next[i] = e.beyond(r[i])
			}
		}
		r = next
	}
}

// beyond returns e with nothing known of the cells that differ from those of an earlier env.
func (e *env) beyond(earlier *env) *env {
	if e == nil || earlier == nil {
		return e
	}
	for i, s := range e.cells {
		if !s.equal(earlier.cells[i]) {
			e = e.with(i, anything)
		}
	}
	return e.forgetful()
}

// set returns e after a cell is set. If it may be one of several variables, each may keep its
// value. The registers next and rank are not followed.
func (e *env) set(s rules.Set) *env {
	value := e.values(s.X)
	if s.To.Sort == rules.RegisterCell {
		return e
	}
	to := e.vars(s.To)
	if value.empty() || len(to) == 0 {
		return nil // a fault
	}
	out := e
	for _, at := range to {
		is := value
		if v := at - firstVar; v >= 0 && v < len(e.sys.Vars) {
			is = value.among(e.sys.Vars[v].Domain)
		}
		if len(to) > 1 {
			is = is.union(e.cells[at])
		}
		if is.empty() {
			return nil // a fault: no value that it may get is in the domain
		}
		out = out.with(at, is)
	}
	return out
}

// change says how a seed that goes from one pit to another changes the first levels of the rank:
// the first level that changes, and whether it rises. It is levels if none of them changes.
func (f *follower) change(from, into, levels int) (at int, rises bool) {
	for i := range levels {
		if d := f.rank[i][into] - f.rank[i][from]; d != 0 {
			return i, d > 0
		}
	}
	return levels, false
}

// levels is how many levels runs in the i-th place must not raise.
func (f *follower) levels(i int) int { return min(i+1, len(f.rank)) }

// moves notes a move that changes the rank so in runs in the i-th place. It returns the place of
// the runs in which it was made.
func (f *follower) moves(m Move, i int) int {
	if f.see != nil {
		f.see(m)
	}
	levels := f.levels(i)
	at, rises := f.change(m.From, m.Into, levels)
	if rises && f.raised == nil {
		f.raised = &m
	}
	if at == levels {
		return i
	}
	return at
}

// transfer follows a transfer. It may move nothing, unless its count is a constant, or all seeds of
// a pit are moved that is known not to be empty.
func (f *follower) transfer(t rules.Transfer, r runs) runs {
	out := make(runs, len(r))
	count, is := t.Count.(rules.Const)
	for i, e := range r {
		if e == nil {
			continue
		}
		if t.Count != nil && e.values(t.Count).empty() {
			continue // a fault
		}
		after, holds := e.forgetful(), t.Count == nil && e.holdsSeeds(t.From)
		if holds && !rules.CountsSeeds(t.Into) {
			after = after.knowing(holdsSome(t.Into))
		}
		from, into := e.pits(t.From), e.pits(t.Into)
		for _, a := range from {
			for _, b := range into {
				if a == b {
					out[i] = join(out[i], after)
					continue
				}
				at := f.moves(Move{a, b, &t, t.At, e.facts}, i)
				out[at] = join(out[at], after)
			}
		}
		if some := is && count.Value >= 1 || holds; !some {
			out[i] = join(out[i], after)
		}
	}
	return out
}

// sow follows a sowing from each pit that may be its source.
func (f *follower) sow(s rules.Sow, r runs) runs {
	out := make(runs, len(r))
	for i, e := range r {
		if e == nil {
			continue
		}
		for _, from := range e.pits(s.Source) {
			at := e.with(originCell, one(from))
			if cell, ok := e.cell(s.Source); ok {
				at = at.narrowed(cell, one(from))
			}
			for _, first := range at.firsts(s, from) {
				out = out.join(f.sowFrom(s, from, at.targets(s, first), at, i, len(r)))
			}
		}
	}
	return out
}

// sowFrom follows a sowing from one source in the runs of e, which are in the i-th place of n. At
// least one seed is sown, or the sowing is illegal.
//
// Seeds fall one after another, so a seed that falls beyond a sure target is not the first that
// comes there: that target has got one. If this makes a level less, all runs in which seeds come so
// far have fallen, and of the others only the targets before it need be looked at for later levels.
func (f *follower) sowFrom(s rules.Sow, from int, list []target, e *env, i, n int) runs {
	for _, t := range list {
		if f.see != nil {
			f.see(Move{from, t.pit, nil, s.At, nil})
		}
	}
	fell := func(list []target) *env {
		after := e.forgetful().narrowed(lastCell, listed(lists.Map(list, func(t target) int { return t.pit })))
		if len(s.Drop) > 0 {
			return after
		}
		return after.knowing(holdsSome(rules.Last))
	}
	all, out := list, make(runs, n)
	for level := range f.levels(i) {
		less := func(t target) bool { return f.rank[level][t.pit] < f.rank[level][from] }
		for _, t := range list {
			if f.rank[level][t.pit] > f.rank[level][from] && f.raised == nil {
				f.raised = &Move{from, t.pit, nil, s.At, nil}
			}
		}
		if slices.ContainsFunc(list, less) {
			out[level] = fell(list)
		}
		if g := slices.IndexFunc(list, func(t target) bool { return t.sure && less(t) }); g >= 0 {
			list = list[:g]
		}
		list = slices.DeleteFunc(slices.Clone(list), less)
	}
	if len(list) > 0 {
		out[i] = join(out[i], fell(list))
	}
	if len(s.Drop) > 0 {
		return f.drops(s, out, fell(all))
	}
	return out
}

// drops follows what is done after each seed, after which the sowing goes on. What is done may make
// runs fall, and the seeds that come then may make them fall further.
func (f *follower) drops(s rules.Sow, sown runs, any *env) runs {
	var after runs
	f.rounds(sown, func(r runs) runs {
		after = f.list(s.Drop, r)
		again := make(runs, len(r))
		for i, e := range after {
			if e == nil {
				continue
			}
			for level := range i + 1 {
				if sown[level] != nil || level == i {
					again[level] = join(again[level], e.narrowed(lastCell, any.cells[lastCell]).forgetful())
				}
			}
		}
		return again
	})
	return after
}

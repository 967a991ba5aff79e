package flow

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Allows reports whether an action of the player is certainly legal in each such state: its guard
// holds, and it is legal where that is so.
func (p *Place) Allows(a *rules.Action) bool {
	e := p.at(len(a.Locals))
	return p.LegalByGuard(a) && (a.Guard == nil || e.assume(p.says(a.Guard), false) == nil)
}

// LegalByGuard reports whether in each such state an action of the player is legal if its guard
// holds, and only its guard may prevent it: nothing is at fault, and its body comes to an end if
// its loops do.
func (p *Place) LegalByGuard(a *rules.Action) bool {
	e := p.at(len(a.Locals))
	if a.Guard != nil {
		guard := p.says(a.Guard)
		if !(run{e, false}).sure(guard) {
			return false
		}
		e = e.assume(guard, true)
	}
	f := &follower{sys: p.sys}
	_, certain := f.certain(a.Body, run{e, false})
	return certain
}

// Forbids reports whether an action is legal in no such state: its guard does not hold, or its body
// begins with a sowing from an empty pit.
func (p *Place) Forbids(a *rules.Action) bool {
	if a.Mover != p.Mover {
		return true
	}
	e := p.at(len(a.Locals))
	if a.Guard != nil {
		e = e.assume(p.says(a.Guard), true)
	}
	if e == nil {
		return true
	}
	for _, s := range a.Body {
		switch s := any(s).(type) {
		case rules.Set:
			continue
		case rules.Sow:
			pit, is := s.Source.(rules.Const)
			return is && pit.Value >= 0 && p.empty[pit.Value]
		}
		break
	}
	return false
}

// run is what is known at a place of a body that has certainly come there without a fault: also
// whether something was sown before, so that `last` and `origin` have values.
type run struct {
	*env
	sown bool
}

// certain returns the run after a body, and whether that certainly comes to an end if its loops do.
// Sowings and transfers of a number of seeds, and what is done after each seed, are not looked at.
func (f *follower) certain(body []rules.Stmt, r run) (run, bool) {
	for _, s := range body {
		if r.env == nil {
			break
		}
		var sure bool
		if r, sure = f.certainly(s, r); !sure {
			return r, false
		}
	}
	return r, true
}

func (f *follower) certainly(s rules.Stmt, r run) (run, bool) {
	switch s := s.(type) {
	case rules.Set:
		return run{r.set(s), r.sown}, r.canSet(s)
	case rules.If:
		yes, ends := f.certain(s.Then, run{r.assume(s.Cond, true), r.sown})
		no, endsToo := f.certain(s.Else, run{r.assume(s.Cond, false), r.sown})
		sown := (yes.env == nil || yes.sown) && (no.env == nil || no.sown)
		return run{join(yes.env, no.env), sown}, ends && endsToo && r.sure(s.Cond)
	case rules.While:
		head := f.rounds(runs{r.env}, func(r runs) runs {
			return f.list(s.Body, r.each(func(e *env) *env { return e.assume(s.Cond, true) }))
		})[0]
		_, ends := f.certain(s.Body, run{head.assume(s.Cond, true), r.sown})
		return run{head.assume(s.Cond, false), r.sown}, ends && run{head, r.sown}.sure(s.Cond)
	case rules.Transfer:
		sure := s.Count == nil && r.sure(s.From) && r.sure(s.Into) && r.within(s.Into, r.isPit)
		return run{r.forgetful(), r.sown}, sure && !r.values(s.From).any
	case rules.Sow:
		return run{f.sow(s, runs{r.env})[0], true}, f.certainlySows(s, r)
	case rules.Stop:
		return run{}, s.Outcome != rules.Illegal
	}
	panic(fmt.Sprintf("flow: unknown %T", s))
}

// certainlySows reports whether a sowing certainly has seeds, and pits for all of them: it sows all
// seeds of a pit that is known to hold some, on a ring with a pit that takes each seed.
func (f *follower) certainlySows(s rules.Sow, r run) bool {
	if s.Count != nil || s.StartAt != nil || len(s.Drop) > 0 || !f.sys.Laps[s.Lap].Ring {
		return false
	}
	if !r.sure(s.Source) || !r.within(s.Source, r.isPit) || !r.holdsSeeds(s.Source) {
		return false
	}
	for _, from := range r.pits(s.Source) {
		at := run{r.with(originCell, one(from)), true}
		if slices.ContainsFunc(s.SkipIf, func(x rules.Expr) bool { return x != nil && !at.sure(x) }) {
			return false
		}
		firsts := at.firsts(s, from)
		for _, first := range firsts {
			if !slices.ContainsFunc(at.targets(s, first), func(t target) bool { return t.sure }) {
				return false
			}
		}
		if len(firsts) == 0 {
			return false
		}
	}
	return true
}

// canSet reports whether a cell is set without a fault.
func (r run) canSet(s rules.Set) bool {
	if !r.sure(s.To) || !r.sure(s.X) {
		return false
	}
	value := r.values(s.X)
	fits := func(domain []int) bool {
		return !value.any && !value.empty() && len(value.among(domain).of) == len(value.of)
	}
	switch {
	case s.To.IsRegister(rules.NextReg):
		return fits(num.Run(0, len(r.sys.Players)))
	case s.To.Sort != rules.VarCell:
		return true
	}
	return !slices.ContainsFunc(r.vars(s.To), func(at int) bool { return !fits(r.sys.Vars[at-firstVar].Domain) })
}

// sure reports whether x certainly has a value. A number that is too large to be computed is a
// limit and no fault.
func (r run) sure(x rules.Expr) bool {
	unsown := !r.sown && rules.Mentions(x, func(x rules.Expr) bool {
		c, is := x.(rules.Cell)
		return is && (c.IsRegister(rules.LastReg) || c.IsRegister(rules.LastWasReg) || c.IsRegister(rules.OriginReg))
	})
	return r.env == nil || !unsown && r.assume(rules.Valueless(x), true) == nil
}

func (e *env) isPit(i int) bool { return i >= 0 && i < len(e.sys.Pits) }

// within reports whether all values of x are such.
func (e *env) within(x rules.Expr, such func(int) bool) bool {
	s := e.values(x)
	return !s.any && !slices.ContainsFunc(s.of, func(v int) bool { return !such(v) })
}

// choosesNext reports whether a statement inside another one says who is to move next.
func choosesNext(s rules.Stmt) (does bool) {
	rules.WalkStmts([]rules.Stmt{s}, func(s rules.Stmt) {
		set, is := s.(rules.Set)
		does = does || is && set.To.IsRegister(rules.NextReg)
	})
	return does
}

// each returns a path for each player who may be next.
func (f *follower) each(e *env, next set) (list []path) {
	for player := range f.sys.Players {
		if next.has(player) {
			list = append(list, path{e, player})
		}
	}
	return list
}

// path is what is known after a part of a body, and who is to move next.
type path struct {
	*env
	next int
}

// paths follows a body for each pit of the last seed apart.
func (f *follower) paths(body []rules.Stmt, p path) []path {
	list := []path{p}
	for _, s := range body {
		var after []path
		for _, p := range list {
			if p.env != nil {
				after = append(after, f.pathsOf(s, p)...)
			}
		}
		list = after
	}
	return slices.DeleteFunc(list, func(p path) bool { return p.env == nil })
}

func (f *follower) pathsOf(s rules.Stmt, p path) []path {
	if *f.left--; *f.left < 0 {
		return nil
	}
	switch s := any(s).(type) { // the rest has one path for each pit of the last seed
	case rules.If:
		yes := f.paths(s.Then, path{p.assume(s.Cond, true), p.next})
		return append(yes, f.paths(s.Else, path{p.assume(s.Cond, false), p.next})...)
	case rules.Set:
		if s.To.IsRegister(rules.NextReg) {
			return f.each(p.env, p.values(s.X))
		}
	}
	e := f.stmt(s, runs{p.env})[0]
	if e == nil {
		return nil
	}
	if choosesNext(s) {
		return f.each(e, anything)
	}
	if e.cells[lastCell].equal(p.cells[lastCell]) || e.cells[lastCell].any {
		return []path{{e, p.next}}
	}
	return lists.Map(e.cells[lastCell].of, func(pit int) path { return path{e.narrowed(lastCell, one(pit)), p.next} })
}

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

package flow

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// target is a pit into which a sowing may drop seeds. A sure one takes each seed that comes to it.
type target struct {
	pit  int
	sure bool
}

// sow follows a sowing from each pit that may be its source.
func (f *follower) sow(s rules.Sow, r runs) runs {
	out := make(runs, len(r))
	for i, e := range r {
		if e == nil {
			continue
		}
		for _, from := range e.pits(s.Source) {
			at := e.narrowed(originCell, one(from))
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

// firsts lists the pits that may be tried for the first seed.
func (e *env) firsts(s rules.Sow, source int) []int {
	switch {
	case s.StartAt != nil:
		return e.pits(s.StartAt)
	case s.OriginFirst:
		return []int{source}
	}
	if next := e.sys.Laps[s.Lap].Next[source]; next != rules.None {
		return []int{next}
	}
	return nil // the sowing is illegal
}

// targets lists the pits that may take seeds, in the order in which they are tried.
func (e *env) targets(s rules.Sow, first int) (list []target) {
	tried := make([]bool, len(e.sys.Pits))
	for p := first; p != rules.None && !tried[p]; p = e.sys.Laps[s.Lap].Next[p] {
		tried[p] = true
		t := target{p, true}
		if s.SkipIf != nil && s.SkipIf[p] != nil {
			if e.assume(s.SkipIf[p], false) == nil {
				continue
			}
			t.sure = e.assume(s.SkipIf[p], true) == nil
		}
		t.sure = t.sure && (s.OnlyLast == nil || !s.OnlyLast[p])
		list = append(list, t)
	}
	return list
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
			f.see(Move{from, t.pit, s, nil})
		}
	}
	fell := func(list []target) *env {
		var pits []int
		for _, t := range list {
			pits = append(pits, t.pit)
		}
		return e.forgetful().narrowed(lastCell, listed(pits))
	}
	all, out := list, make(runs, n)
	for level := range f.levels(i) {
		less := func(t target) bool { return f.rank[level][t.pit] < f.rank[level][from] }
		for _, t := range list {
			if f.rank[level][t.pit] > f.rank[level][from] && f.raised == nil {
				f.raised = &Move{from, t.pit, s, nil}
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

package flow

import "github.com/mancheck/mancheck/rules"

// target is a pit into which a sowing may drop seeds. A sure one takes each seed that comes to it.
type target struct {
	pit  int
	sure bool
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

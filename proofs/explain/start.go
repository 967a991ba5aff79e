package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/space"
)

// notStart says which parts of the setup a state violates. It is empty if the kept parts violate
// none.
func (w *world) notStart(ctx context.Context, s rules.State, keep rules.Kept) string {
	why := lists.Map(w.setup, func(c condition) string { return w.breaks(c, s, keep) })
	why = slices.DeleteFunc(why, func(text string) bool { return text == "" })
	why = append(why, w.notEmpty(s, keep)...)
	if s.Live() {
		why = append(why, w.notInitial(s, keep)...)
	}
	if len(why) == 0 && (rules.Parts{Pits: keep.Pits}).All() {
		if is, known := w.isStart(ctx, s); known && !is {
			why = append(why, "no distribution that the setup allows agrees with it")
		}
	}
	return strings.Join(why, "; ")
}

// breaks says where one condition of the setup fails. A condition for each of several pits names
// the pits.
func (w *world) breaks(c condition, s rules.State, keep rules.Kept) string {
	failed, unnamed := []int(nil), false
	for _, part := range rules.Conjuncts(c.x) {
		if !w.within(part, keep, s) {
			continue
		}
		if holds, err := w.in.Holds(part, s, nil); err != nil || holds {
			continue
		}
		if pits := lists.Set(rules.Reads(w.sys, part).Pits); len(pits) == 1 {
			failed = append(failed, pits[0])
		} else {
			unnamed = true
		}
	}
	switch {
	case unnamed:
		return fmt.Sprintf("`%s` does not hold", c.text)
	case len(failed) > 0:
		return fmt.Sprintf("`%s` fails at %s", c.text, w.pits(failed))
	}
	return ""
}

// namedPits is the number of pits that are named in a list.
const namedPits = 3

func (w *world) pits(list []int) string {
	var names []string
	for i, p := range list {
		if i == namedPits && len(list) > namedPits+1 {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(list)-i)
		}
		names = append(names, w.sys.Pits[p].Name)
	}
	return strings.Join(names, ", ")
}

// notEmpty names pits that are empty in every start, but not in s.
func (w *world) notEmpty(s rules.State, keep rules.Kept) []string {
	full := slices.DeleteFunc(lists.Where(s.Seeds, func(n int) bool { return n > 0 }), func(p int) bool {
		return w.sys.Start.Free[p] || !keep.HasPit(p)
	})
	if len(full) == 0 {
		return nil
	}
	return []string{"a start has no seeds in " + w.pits(full)}
}

// notInitial names variables that differ from their values at a start.
func (w *world) notInitial(s rules.State, keep rules.Kept) []string {
	var why []string
	for v := range w.sys.Vars {
		if x := &w.sys.Vars[v]; !x.Ghost && keep.PartsOf(s).HasVar(v) && s.Vars[v] != x.Init {
			is, at := board.VarValue(w.sys, v, s.Vars[v]), board.VarValue(w.sys, v, x.Init)
			why = append(why, fmt.Sprintf("`%s` is %s, at a start %s", x.Name, is, at))
		}
	}
	if first := w.sys.Start.Mover; s.Mover != first {
		why = append(why, w.sys.Players[s.Mover]+" is to move, at a start "+w.sys.Players[first])
	}
	return why
}

// isStart reports whether a state is a start, and whether that is known. If reactions move seeds, a
// game may be over before its first move, and the board laid out cannot be inferred from the state.
// Then the starts are listed, as far as that takes only a moment.
func (w *world) isStart(ctx context.Context, s rules.State) (is, known bool) {
	if s.Live() || !w.endingsMoveSeeds() {
		is, err := w.in.IsStart(s)
		return is, err == nil
	}
	e, err := space.AnyStart(ctx, w.in, maxLooks, nil, s.Equal)
	return e == space.Some, err == nil && e != space.Unsure
}

func (w *world) endingsMoveSeeds() bool {
	return slices.ContainsFunc(w.sys.Reactions, func(e rules.Reaction) bool {
		return slices.ContainsFunc(e.By, func(by rules.ReactionFor) bool { _, plain := by.Plain(); return !plain })
	})
}

// maxLooks bounds a listing by the number of times it checks whether to go on, about once for a
// thousand states. It does not depend on time, so equal inputs give equal documents.
const maxLooks = 64

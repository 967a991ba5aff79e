package coverage

import (
	"cmp"
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// MovePlace is the kind of the line of a move.
const MovePlace rules.PlaceKind = "move"

// Report is what was counted in some searches or simulations, by place. Its zero value is empty.
type Report struct {
	Runs  []Run
	lines map[diag.Range]*Line
}

// Run is a search or a simulation.
type Run struct {
	Sys      *rules.System
	States   int64 // that were examined
	Games    int64 // that were simulated
	Complete bool  // all states were searched, or all games played
}

// Line is what was counted at a place.
type Line struct {
	At   diag.Range
	Kind rules.PlaceKind
	// Yes and No are in how many steps the place was carried out or true, and false. Of a guard and
	// its parts they only say whether that occurred.
	Yes, No int64
	// Decided says that the condition was known before play, and had one value in all runs.
	Decided bool

	under branch // where it is carried out; without a line: anywhere
}

// branch is what is carried out where a line is true, or false.
type branch struct {
	of   *Line
	when bool
}

// Add adds what a run has counted.
func (r *Report) Add(run Run, m *rules.Marked, c Counts) {
	r.Runs = append(r.Runs, run)
	if r.lines == nil {
		r.lines = map[diag.Range]*Line{}
	}
	owner := make([]branch, m.Marks())
	for _, p := range m.Places {
		l := r.line(p.At, p.Kind, p.Decided)
		l.Yes += c.Marks[p.Yes]
		owner[p.Yes] = branch{l, true}
		if p.No != rules.None {
			l.No += c.Marks[p.No]
			owner[p.No] = branch{l, false}
		}
	}
	for _, p := range m.Places {
		if p.Under != rules.None {
			r.lines[p.At].under = owner[p.Under]
		}
	}
	for i, n := range c.Moves {
		r.line(m.Sys.Moves[i].At, MovePlace, false).Yes += n
	}
}

// Search explores a System, and adds what was counted in the states that were examined: of those
// that were only found nothing is known. The error is that of forward.SearchGame.
func (r *Report) Search(ctx context.Context, sys *rules.System, m *rules.Marked, opts forward.Options) (*forward.Result, Counts, error) {
	g := Of(ctx, sys, m)
	opts.Whole = true // a state that stands for another one has not carried out what that has
	res, err := forward.SearchGame(ctx, g, g.Starts, forward.Query{}, opts)
	if err != nil {
		return nil, Counts{}, err
	}
	counts, examined := g.Counts(), res.Stats.Live
	for _, n := range res.Stats.Finished {
		examined += n
	}
	r.Add(Run{Sys: sys, States: examined, Complete: res.Stop == limit.Complete}, m, counts)
	return res, counts, nil
}

// line returns the line of a place.
func (r *Report) line(at diag.Range, kind rules.PlaceKind, decided bool) *Line {
	l := r.lines[at]
	if l == nil {
		l = &Line{At: at, Kind: kind, Decided: decided}
		r.lines[at] = l
	}
	l.Decided = l.Decided && decided
	return l
}

// Lines lists the places as they stand in the text, outer ones before those inside.
func (r *Report) Lines() []*Line {
	var list []*Line
	for _, l := range r.lines {
		l.Decided = l.Decided && (l.Yes == 0 || l.No == 0)
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b *Line) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), a.At.Start.Offset-b.At.Start.Offset, b.At.End.Offset-a.At.End.Offset)
	})
	return list
}

// Condition reports whether the place is a condition, which is true or false.
func (l *Line) Condition() bool { return l.Kind != rules.StatementPlace && l.Kind != MovePlace }

// Counted reports whether Yes and No are numbers of steps.
func (l *Line) Counted() bool { return l.Kind != rules.GuardPlace && l.Kind != rules.GuardPart }

// AlwaysTrue is what Idle says of a condition that was never false.
const AlwaysTrue = "always true"

// Idle says in words what never occurred at the place, or nothing.
func (l *Line) Idle() string {
	switch {
	case l.Decided || l.Off():
		return ""
	case !l.Condition() && l.Yes == 0:
		return "never carried out"
	case l.Condition() && l.Yes == 0 && l.No == 0:
		return "never evaluated"
	case l.Condition() && l.Yes == 0:
		return "never true"
	case l.Condition() && l.No == 0:
		return AlwaysTrue
	}
	return ""
}

// Off reports whether a condition that is known before play keeps play from the place.
func (l *Line) Off() bool {
	of := l.under.of
	return of != nil && (of.Decided && !l.Reached() || of.Off())
}

// Reached reports whether play came to the place, or could not fail to: what it stands under was so
// in some step.
func (l *Line) Reached() bool {
	switch {
	case l.under.of == nil:
		return true
	case l.under.when:
		return l.under.of.Yes > 0
	}
	return l.under.of.No > 0
}

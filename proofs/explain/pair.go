package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// pair puts the two plays of a verdict beside each other.
func (b *builder) pair(ctx context.Context, r *proofs.Result) *Pair {
	b.usesTrace(r.Trace)
	b.usesTrace(r.Other)
	side := func(t *rules.Trace, title string) *Play {
		return &Play{Title: title, First: b.first(ctx, t), Trace: t, Loop: -1}
	}
	switch p := r.Instance.Property.(type) {
	case *resolve.StrategyWins:
		out := &Pair{
			Title: fmt.Sprintf("A play by %s that does not win, and one that does", p.Strategy),
			Left:  side(r.Trace, "By "+p.Strategy), Right: side(r.Other, "A play that wins"),
		}
		out.Left.Loop = loop(r.Trace)
		return out
	case *resolve.Relation:
		left, right := proofs.OtherName(p.Other, r.Trace.System), proofs.OtherName(r.Trace.System, p.Other)
		out := &Pair{Title: "The same moves in both", Left: side(r.Trace, left), Right: side(r.Other, right)}
		out.Differ = differ(r.Trace, r.Other, p.Pairs)
		out.Words = differences(r.Trace, r.Other, p.Pairs, out.Differ[0])
		if p.Kind == resolve.Reverses {
			out.Title = "The step, and the board from which it would have to be taken back"
			out.Differ, out.Words = [2][]bool{}, ""
		}
		return out
	}
	return &Pair{Title: "Two plays", Left: side(r.Trace, "One"), Right: side(r.Other, "The other")}
}

// differ marks the pits of the last boards in which they differ, of those that are compared. Plays that are not of the same length differ in
// their moves.
func differ(left, right *rules.Trace, pairs [][2]int) (marks [2][]bool) {
	if len(left.Steps) != len(right.Steps) {
		return marks
	}
	a, c := end(left), end(right)
	marks = [2][]bool{make([]bool, len(a.Seeds)), make([]bool, len(c.Seeds))}
	for _, pair := range pairs {
		p, q := pair[0], pair[1]
		marks[0][p] = a.Seeds[p] != c.Seeds[q]
		marks[1][q] = marks[0][p]
	}
	if !slices.Contains(marks[0], true) {
		return [2][]bool{}
	}
	return marks
}

// differences tells the marked pits in words.
func differences(left, right *rules.Trace, pairs [][2]int, marked []bool) string {
	if marked == nil {
		return ""
	}
	var items []string
	for _, pair := range pairs {
		p, q := pair[0], pair[1]
		if a, c := left.System.Pits[p].Name, right.System.Pits[q].Name; marked[p] {
			name := "`" + a + "`"
			if c != a {
				name += " and `" + c + "`"
			}
			items = append(items, fmt.Sprintf("%s: %d and %d", name, end(left).Seeds[p], end(right).Seeds[q]))
		}
	}
	return "In the end the boards differ. " + strings.Join(items, "; ") + "."
}

// end is the last state of a play.
func end(t *rules.Trace) rules.State {
	if n := len(t.Steps); n > 0 {
		return t.Steps[n-1].State
	}
	return t.Start
}

package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
)

// pair shows the two plays of a verdict side by side.
func (b *builder) pair(ctx context.Context, r *proofs.Result) *Pair {
	w := r.Words()
	out := &Pair{Title: w.Pair.Title, Left: b.play(ctx, r, w.Pair.Left), Right: b.shown(ctx, w.Pair.Right, r.Other)}
	out.Differ = differ(r.Trace, r.Other, w.Pair.Compared)
	out.Words = differences(r.Trace, r.Other, w.Pair.Compared, out.Differ[0])
	return out
}

// differ marks the compared pits in which the last boards differ. It marks nothing if the plays
// have different lengths, because then they differ in their moves.
func differ(left, right *rules.Trace, pairs [][2]int) (marks [2][]bool) {
	if len(left.Steps) != len(right.Steps) {
		return marks
	}
	a, c := left.End(), right.End()
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

// differences describes the marked pits in words.
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
			items = append(items, fmt.Sprintf("%s: %d and %d", name, left.End().Seeds[p], right.End().Seeds[q]))
		}
	}
	return "In the end the boards differ. " + strings.Join(items, "; ") + "."
}

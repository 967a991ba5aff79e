package report

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Live writes the table of a run that is under way. A claim that is not decided yet has a line with
// what is done for it, in the words of working, which is empty if nothing is.
func (t *Table) Live(items []*suite.Item, working func(*suite.Item) string) {
	t.Begin(items)
	for _, group := range byClaim(items) {
		open := 0
		at := ""
		for _, i := range group {
			if i.Result == nil && i.Err == nil && !i.Skipped {
				open++
				if text := working(i); text != "" {
					at = text
				}
			}
		}
		if open == 0 {
			for _, i := range group {
				t.Item(i)
			}
			continue
		}
		e := entryOf(group[0])
		if len(group) > 1 {
			e = sweepEntry(undecided(group))
			e.Found = fmt.Sprintf("%s of %s", numeral.Number(int64(len(group)-open)), numeral.Count(int64(len(group)), "instance"))
		}
		e.Mark, e.color, e.Verdict, e.starred = "…", term.Faint, "", false
		if e.Engine = ""; at != "" {
			e.Found = join(e.Found, at)
		}
		t.line(group[0].File, e)
	}
}

// undecided are the items without their verdicts.
func undecided(group []*suite.Item) []*suite.Item {
	return lists.Map(group, func(i *suite.Item) *suite.Item {
		i = new(*i)
		i.Result, i.Err = nil, nil
		return i
	})
}

// byClaim has the instances of each claim together.
func byClaim(items []*suite.Item) [][]*suite.Item {
	return lists.Runs(items, func(a, b *suite.Item) bool {
		return a.Instance != nil && b.Instance != nil && a.Instance.Claim == b.Instance.Claim
	})
}

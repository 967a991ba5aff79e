package explain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/flow"
)

// law shows the argument of a verdict by laws, as the certificate checker has it: how the board
// grows, the weights of a rank, what each statement does, and what is counted.
func (b *builder) law(ctx context.Context, r *proofs.Result) (list []Block, err error) {
	sys, rank := r.Instance.System, [][]int(nil)
	if of, is := r.Evidence.(interface{ Grows() *cert.Growing }); is {
		g := of.Grows()
		on, err := r.Instance.AtSize(g.At)
		if err != nil {
			return nil, err
		}
		sys = on.System
		seams := lists.Map(g.Seams, func(s [2]string) string { return fmt.Sprintf("between `%s` and `%s`", s[0], s[1]) })
		list = append(list, Para(fmt.Sprintf("What follows is about %s = %d. Larger boards have more pits %s, and the same is true of them; each smaller one (%d) has evidence of its own.", r.Instance.Size, g.At, strings.Join(seams, " and "), len(g.Below))))
	}
	switch e := r.Evidence.(type) {
	case *cert.Sizes:
		kept, states, err := (&cert.Set{Kept: e.Kept, States: e.States}).Closed(sys)
		return append(list, b.world(sys).shown("The set, which no start is in and no other state leads into", states, kept)), err
	case *cert.Ranked:
		rank = e.Weights
	case *cert.SizesRank:
		rank = e.Levels(sys)
	case *cert.Grouped:
		for _, g := range e.Groups {
			how := "no statement takes seeds out of them"
			if g.Every > 0 {
				how = fmt.Sprintf("their seeds change by multiples of %d", g.Every)
			}
			list = append(list, Para("Of "+bind.List(g.Pits)+" it is used that "+how+"."))
		}
	case *cert.Conserved, *cert.Moved, *cert.SizesMoves, *cert.SizesSeeds:
		list = append(list, Para("Statements move seeds from pit to pit, and make or lose none. A pit out of which no statement takes seeds never has fewer."))
	default:
		return nil, nil
	}
	if rank != nil {
		drawn := &States{Title: "The weights of the pits"}
		kept := &rules.Kept{Parts: rules.Parts{Vars: make([]bool, len(sys.Vars))}}
		for i, w := range rank {
			s := rules.State{Seeds: w, Vars: make([]int, len(sys.Vars)), Outcome: rules.Live, Mover: rules.None}
			drawn.States = append(drawn.States, Shown{Board: &Board{System: sys, State: s, Kept: kept}, Name: fmt.Sprintf("Level %d", i+1)})
		}
		list = append(list, Para("A level of the rank is the sum, over all seeds, of the weights of their pits. Each move lowers the first level that it changes. As no seeds are made, a rank has finitely many values: no play is infinite."), drawn)
	}
	report, err := cert.Verify(ctx, r.Instance, r.Status.String(), r.Evidence, 0, nil)
	if err != nil {
		return nil, err
	}
	counted := lists.Map(report.Checked, func(c cert.Checked) string { return fmt.Sprintf("%s: %d", c.What, c.N) })
	return append(list, b.statements(sys, rank), Para("`mancheck certify` counts: "+strings.Join(counted, "; ")+".")), nil
}

// statements says of each statement that moves seeds out of which pits it takes them, into which it
// gives them, and what that does to a rank.
func (b *builder) statements(sys *rules.System, rank [][]int) *States {
	type way struct {
		at         diag.Range
		from, into int
	}
	does := map[way]string{}
	for _, body := range cert.Bodies(sys) {
		flow.Moves(sys, body, func(m flow.Move) {
			l, what := slices.IndexFunc(rank, func(w []int) bool { return w[m.From] != w[m.Into] }), "leaves the rank as it is"
			if l >= 0 && rank[l][m.From] > rank[l][m.Into] {
				what = fmt.Sprintf("lowers level %d", l+1)
			} else if l >= 0 {
				what = "raises a level below one that another seed of the move has lowered"
			}
			does[way{m.At, m.From, m.Into}] = what
		})
	}
	all := slices.SortedFunc(maps.Keys(does), func(x, y way) int {
		return cmp.Or(x.at.Start.Offset-y.at.Start.Offset, x.from-y.from, x.into-y.into)
	})
	pits := func(list []way, end func(way) int) string {
		return bind.List(lists.Distinct(lists.Map(list, func(w way) string { return sys.Pits[end(w)].Name })))
	}
	out := &States{Title: "What each statement does"}
	for _, list := range lists.Runs(all, func(x, y way) bool { return x.at == y.at }) {
		text := fmt.Sprintf("`%s` takes seeds out of %s and gives them to %s", strings.Join(strings.Fields(b.text(list[0].at)), " "), pits(list, func(w way) int { return w.from }), pits(list, func(w way) int { return w.into }))
		effects := lists.Map(list, func(w way) string { return does[w] })
		for _, what := range slices.Sorted(slices.Values(lists.Distinct(effects))) {
			if rank != nil {
				text += fmt.Sprintf("; in %d of %d ways a seed %s", lists.Count(effects, func(e string) bool { return e == what }), len(list), what)
			}
		}
		out.States = append(out.States, Shown{Text: text + "."})
	}
	return out
}

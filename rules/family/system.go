package family

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// system makes the System.
func (in *insertion) system() (*rules.System, error) {
	sys := *in.Base
	sys.Params = slices.Clone(sys.Params)
	for i := range sys.Params {
		p := &sys.Params[i]
		p.Lo += in.Lows[i] * (in.size - in.At)
		if p.Name == in.Size {
			p.Value = in.size
		}
	}
	sys.Pits = in.board()
	in.numbers = lists.Map(sys.Pits, func(p rules.Pit) int { return p.Index })
	sys.Groups = slices.Clone(sys.Groups)
	for i, g := range sys.Groups {
		sys.Groups[i].Pits = in.list(g.Pits)
	}
	in.laps, in.rels = lists.Map(sys.Laps, in.lap), lists.Map(sys.Relations, in.relation)
	sys.Laps, sys.Relations = in.laps, in.rels
	sys.Picture = lists.Map(in.Base.Picture, func(row [][]int) [][]int { return lists.Map(row, in.list) })
	sys.Vars = slices.Clone(sys.Vars)
	for i := range sys.Vars {
		in.variable(&sys.Vars[i])
	}
	sys.Start.Cond, sys.Start.Free = in.setup(sys.Start.Cond), in.set(sys.Start.Free)
	sys.Actions = in.actions()
	sys.Reactions = slices.Clone(sys.Reactions)
	for i, r := range sys.Reactions {
		sys.Reactions[i].By = nil
		for _, by := range r.By {
			by.When, by.Body = in.expr(by.When), in.reaction(by.Body)
			sys.Reactions[i].By = append(sys.Reactions[i].By, by)
		}
	}
	sys.Scores = lists.Map(sys.Scores, in.expr)
	return &sys, in.err
}

package family

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// copied is number of in a list, as it is or, if seam is not negative, as a copy in which the pit
// as has the place of the first pit of that seam.
type copied struct{ of, seam, as int }

// copies returns the list of things with copies for the inserted pits: between things in a row that
// name the first pit of a seam, and those that name the second one. named has the pits that each of
// them names.
func (in *insertion) copies(named []pitSet) []copied {
	seamOf := func(thing int) int {
		return slices.IndexFunc(in.Seams, func(s Seam) bool { return named[thing][s.X] })
	}
	var list []copied
	for i := 0; i < len(named); {
		seam, end := seamOf(i), i+1
		for seam >= 0 && end < len(named) && seamOf(end) == seam {
			end++
		}
		down := seam >= 0 && i > 0 && named[i-1][in.Seams[seam].Y]
		if down {
			list = in.copiesOf(list, i, end, seam, true)
		}
		for k := i; k < end; k++ {
			list = append(list, copied{k, -1, rules.None})
		}
		if seam >= 0 && !down {
			list = in.copiesOf(list, i, end, seam, false)
		}
		i = end
	}
	return list
}

// copiesOf appends copies of things in a row for each inserted pit of a seam.
func (in *insertion) copiesOf(list []copied, from, to, seam int, down bool) []copied {
	fresh := in.fresh[seam]
	if down {
		fresh = slices.Clone(fresh)
		slices.Reverse(fresh)
	}
	for _, e := range fresh {
		for k := from; k < to; k++ {
			list = append(list, copied{k, seam, e})
		}
	}
	return list
}

// each writes each of n things, and its copies. name adds the pits that a thing names to a set.
func (in *insertion) each(n int, name func(set pitSet, thing int), write func(thing int)) {
	named := make([]pitSet, n)
	for i := range named {
		named[i] = pitSet{}
		name(named[i], i)
	}
	for _, in.copied = range in.copies(named) {
		write(in.copied.of)
	}
	in.copied.seam = -1
}

// setup returns the condition for starts.
func (in *insertion) setup(cond rules.Expr) rules.Expr {
	conds := rules.Conjuncts(cond)
	var out []rules.Expr
	in.each(len(conds), func(set pitSet, i int) { set.expr(conds[i]) }, func(i int) { out = append(out, in.expr(conds[i])) })
	return rules.Conjunction(out...)
}

// actions returns the actions.
func (in *insertion) actions() []rules.Action {
	acts := in.Base.Actions
	var out []rules.Action
	in.each(len(acts), func(set pitSet, i int) { set.action(&acts[i]) }, func(i int) {
		if in.err != nil {
			return // as one for each action would
		}
		a := acts[i]
		a.Guard, a.Body = in.expr(a.Guard), in.body(a.Body)
		a.Written = slices.Clone(a.Written)
		for k, w := range a.Written {
			a.Written[k].X = in.written(w, &acts[i])
		}
		a.Choices = slices.Clone(a.Choices)
		for k, c := range a.Choices {
			if c.Type == rules.PitType {
				a.Choices[k].Value = in.pit(c.Value)
			}
		}
		out = append(out, a)
	})
	return out
}

// reaction returns the body of a reaction, which may have a statement for each pit.
func (in *insertion) reaction(body []rules.Stmt) []rules.Stmt {
	var out []rules.Stmt
	in.each(len(body), func(set pitSet, i int) { set.body(body[i : i+1]) }, func(i int) { out = append(out, in.stmt(body[i])) })
	return out
}

// written returns the image of an item of the notation of an action. The number of the pit that the
// action sows from becomes that of its image.
func (in *insertion) written(w rules.Written, a *rules.Action) rules.Expr {
	c, is := w.X.(rules.Const)
	_, pit := rules.FirstSow(a.Body)
	if !is || w.Pit || pit == rules.None || c.Value != in.Base.Pits[pit].Index {
		return in.expr(w.X)
	}
	return rules.Number(in.numbers[in.pit(pit)])
}

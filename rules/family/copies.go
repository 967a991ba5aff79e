package family

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// copied is number of in a list, as it is or, if seam is not negative, as a copy in which the pit
// as has the place of the first pit of that seam.
type copied struct{ of, seam, as int }

// copies returns the list of n things with copies for the inserted pits: between things in a row
// that name the first pit of a seam, and those that name the second one.
func (in *insertion) copies(n int, names func(thing, pit int) bool) []copied {
	seamOf := func(thing int) int {
		return slices.IndexFunc(in.Seams, func(s Seam) bool { return names(thing, s.X) })
	}
	var list []copied
	for i := 0; i < n; {
		seam, end := seamOf(i), i+1
		for seam >= 0 && end < n && seamOf(end) == seam {
			end++
		}
		down := seam >= 0 && i > 0 && names(i-1, in.Seams[seam].Y)
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

// setup returns the condition for starts.
func (in *insertion) setup(cond rules.Expr) rules.Expr {
	conds := rules.Conjuncts(cond)
	var out []rules.Expr
	for _, in.copied = range in.copies(len(conds), func(i, pit int) bool { return Names(conds[i], pit) }) {
		out = append(out, in.expr(conds[in.copied.of]))
	}
	in.copied.seam = -1
	return rules.Conjunction(out...)
}

// actions returns the actions.
func (in *insertion) actions() []rules.Action {
	acts := in.Base.Actions
	var out []rules.Action
	for _, in.copied = range in.copies(len(acts), func(i, pit int) bool { return ActionNames(&acts[i], pit) }) {
		a := acts[in.copied.of]
		a.Guard, a.Body = in.optional(a.Guard), in.body(a.Body)
		a.Written = slices.Clone(a.Written)
		for i, w := range a.Written {
			a.Written[i].X = in.written(w, &acts[in.copied.of])
		}
		a.Choices = slices.Clone(a.Choices)
		for i, c := range a.Choices {
			if c.Type == rules.PitType {
				a.Choices[i].Value = in.pit(c.Value)
			}
		}
		out = append(out, a)
	}
	in.copied.seam = -1
	return out
}

// reaction returns the body of a reaction, which may have a statement for each pit.
func (in *insertion) reaction(body []rules.Stmt) []rules.Stmt {
	var out []rules.Stmt
	for _, in.copied = range in.copies(len(body), func(i, pit int) bool { return BodyNames(body[i:i+1], pit) }) {
		out = append(out, in.stmt(body[in.copied.of]))
	}
	in.copied.seam = -1
	return out
}

// written returns the image of an item of the notation of an action. The number of the pit that the
// action sows from becomes that of its image.
func (in *insertion) written(w rules.Written, a *rules.Action) rules.Expr {
	c, is := w.X.(rules.Const)
	_, pit := rules.FirstSow(a.Body)
	if !is || w.Pit || pit == rules.None || c.Value != in.Base.Pits[pit].Index {
		return in.optional(w.X)
	}
	return rules.Number(in.numbers[in.pit(pit)])
}

// Names reports whether an expression names a single pit, as a value or for its seeds.
func Names(x rules.Expr, pit int) bool {
	return rules.Mentions(x, func(x rules.Expr) bool {
		if c, is := x.(rules.Const); is {
			return c.Type == rules.PitType && c.Value == pit
		}
		return rules.IsFixed(x, rules.PitCell, pit)
	})
}

// BodyNames reports whether some expression of a body names a pit. What is asked of each pit before
// it is skipped does not count.
func BodyNames(body []rules.Stmt, pit int) bool {
	found := false
	rules.WalkStmts(body, func(s rules.Stmt) {
		if sow, is := s.(rules.Sow); is {
			sow.SkipIf = nil
			s = sow
		}
		for _, x := range rules.Exprs(s) {
			found = found || Names(x, pit)
		}
	})
	return found
}

// ActionNames reports whether an action names a pit: in its guard, its body, or its notation.
func ActionNames(a *rules.Action, pit int) bool {
	return Names(a.Guard, pit) || BodyNames(a.Body, pit) ||
		slices.ContainsFunc(a.Written, func(w rules.Written) bool { return Names(w.X, pit) }) ||
		slices.ContainsFunc(a.Choices, func(c rules.Choice) bool { return c.Type == rules.PitType && c.Value == pit })
}

package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// seen is a closed set with the verdict that relies on it.
type seen struct {
	set    *closed
	result *proofs.Result
}

// interrupted is the reason why the rest of a document is missing. It is part of a sentence.
const interrupted = "an interrupt came before"

// evidence returns the blocks that show a verdict. After an interruption the rest is left out, with
// a note that says so.
func (b *builder) evidence(ctx context.Context, r *proofs.Result, trees *int) ([]Block, error) {
	var list []Block
	for _, gather := range []func(context.Context, *proofs.Result) ([]Block, error){
		b.law, b.work, b.sets, b.plays,
		func(ctx context.Context, r *proofs.Result) ([]Block, error) { return b.tree(ctx, r, trees) },
	} {
		blocks, err := gather(ctx, r)
		if err != nil && ctx.Err() != nil {
			return append(list, Para("The rest of the evidence is not here: "+interrupted+" it was gathered.")), nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, blocks...)
	}
	return append(list, opening(ctx, r, list)...), nil
}

// plays shows the plays that come with a verdict.
func (b *builder) plays(ctx context.Context, r *proofs.Result) ([]Block, error) {
	var list []Block
	switch {
	case r.Trace != nil && r.Other != nil:
		list = append(list, b.pair(ctx, r))
	case r.Trace != nil:
		list = append(list, b.play(ctx, r, r.Words().Play))
	case r.Other != nil:
		list = append(list, b.shown(ctx, "The other play", r.Other))
	}
	if step := r.StepCounterexample; step != nil {
		list = append(list, Para("The claim is not inductive, as this path shows. Its first board need not be reachable, so it refutes nothing."),
			b.shown(ctx, "Where the induction fails", step))
	}
	return list, nil
}

// work says how much was examined.
func (b *builder) work(_ context.Context, r *proofs.Result) ([]Block, error) {
	if len(r.Lengths) > 0 {
		return []Block{&Lengths{Counts: r.Lengths}}, nil
	}
	if text := r.Words().Work; text != "" {
		return []Block{Para(text)}, nil
	}
	return nil, nil
}

// play shows the trace of a verdict.
func (b *builder) play(ctx context.Context, r *proofs.Result, title string) *Play {
	p := b.shown(ctx, title, r.Trace)
	p.Loop = r.Words().Loop
	p.Why = append(p.Why, b.ending(r.Trace).claimed(r)...)
	return p
}

// shown shows a play.
func (b *builder) shown(ctx context.Context, title string, t *rules.Trace) *Play {
	for _, st := range t.Steps {
		b.uses(st.Label)
		if st.State.Outcome != rules.Live {
			b.uses(t.System.Outcomes[st.State.Outcome].Label)
		}
	}
	return &Play{Title: title, First: b.first(ctx, t), Trace: t, Loop: -1, Told: account(b.world(t.System).in, t), Why: b.ending(t).why()}
}

// first says whether a trace begins with a start.
func (b *builder) first(ctx context.Context, t *rules.Trace) string {
	if is, _ := b.world(t.System).isStart(ctx, t.Start); is {
		return "start"
	}
	return "a state, which need not be reachable"
}

// maxStates is the number of states of a set that are drawn.
const maxStates = 40

// sets shows the states found for a claim about a set, and how they differ from those listed.
func (b *builder) sets(ctx context.Context, r *proofs.Result) ([]Block, error) {
	if r.Sets == nil {
		return nil, nil
	}
	w, keep := b.world(r.System), r.Sets.Kept
	var list []Block
	add := func(title string, states []rules.State) {
		if len(states) > 0 {
			list = append(list, w.shown(title, states, keep))
		}
	}
	add(fmt.Sprintf("Found: %s", count(len(r.Sets.Found), "state")), r.Sets.Found)
	if len(r.Sets.Found) == 0 {
		list = append(list, Para("No state was found."))
	}
	add("Found, but not listed", r.Sets.Extra)
	if len(r.Sets.Missing) > 0 {
		missing, err := b.missing(ctx, w, r, keep)
		if err != nil {
			return nil, err
		}
		list = append(list, missing)
	}
	return list, nil
}

// missing shows, for each element that was listed but not found, a state that fits it, and where
// its moves lead.
func (b *builder) missing(ctx context.Context, w *world, r *proofs.Result, keep rules.Kept) (*States, error) {
	out := &States{Title: "Listed, but not found"}
	for _, m := range r.Sets.Missing {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shown := Shown{Name: strings.Join(strings.Fields(b.text(m.At)), " ")}
		states, _, err := w.fitting(ctx, m.Cond, keep)
		if err != nil {
			return nil, err
		}
		if len(states) > 0 {
			shown.Board = &Board{System: w.sys, State: states[0], Kept: &keep}
			if shown.Text, err = w.steps(states[0], keep, nil); err != nil {
				return nil, err
			}
		} else {
			shown.Text = "no state of the right shape fits"
		}
		out.States = append(out.States, shown)
	}
	return out, nil
}

// tree shows the closed set of a backward search, or the strategy, if the verdict relies on one.
func (b *builder) tree(ctx context.Context, r *proofs.Result, trees *int) ([]Block, error) {
	found, err := proofs.ClosedOf(ctx, r)
	game, no := claim.StrategyOf(ctx, r, maxNodes)
	says := func(text string) ([]Block, error) { return []Block{Para(text)}, nil }
	switch {
	case ctx.Err() != nil || no != nil && !errors.Is(no, claim.ErrNotKept):
		return nil, cmp.Or(ctx.Err(), no)
	case err != nil:
		return says("The tree is not drawn: " + err.Error() + ".")
	case no != nil && len(r.Each) > 0:
		return says("The strategy is not drawn: each value has its own. Choose one with -p to see it.")
	case no != nil:
		return says("The strategy is not drawn: " + no.Error() + ".")
	case found == nil && game == nil:
		return nil, nil
	}
	*trees++
	switch {
	case game != nil && *trees > 1:
		return says("The strategy is left out here; explain this instance alone to see it.")
	case game != nil:
		return []Block{b.game(r, game)}, nil
	}
	set := b.closed(r.System, found)
	if b.seen == nil && len(set.positions) > 0 && !set.blind() {
		b.seen = &seen{set, r}
	}
	if *trees > 1 {
		return says(fmt.Sprintf("The tree, of %s, is left out here; choose this instance with -p to see it.", count(len(set.Nodes), "state")))
	}
	b.usesSet(set)
	if claim, drawn := b.trees[set.key()]; drawn {
		return []Block{&Tree{Title: predecessors, SameAs: claim, States: len(set.Nodes), Targets: set.Targets, Closing: set.closing()}}, nil
	}
	b.trees[set.key()] = r.Instance.Name()
	return []Block{set.tree(ctx)}, nil
}

// usesSet notes the labels in a closed set as used.
func (b *builder) usesSet(c *closed) {
	b.uses(c.sys.Start.Label)
	for _, n := range c.Nodes {
		if n.Action >= 0 {
			a := c.sys.Actions[n.Action]
			b.uses(a.Label, c.sys.Moves[a.Move].Label)
		}
		if o := n.State.Outcome; o != rules.Live {
			b.uses(c.sys.Outcomes[o].Label)
		}
	}
}

// opening shows the first start, if the evidence has no board: readers should see the board that a
// verdict is about.
func opening(ctx context.Context, r *proofs.Result, shown []Block) []Block {
	drawn := func(b Block) bool { return slices.Contains([]string{"play", "pair", "tree", "states"}, b.Kind()) }
	if len(r.System.OpenParams()) > 0 || slices.ContainsFunc(shown, drawn) {
		return nil
	}
	out := &States{Title: "A start"}
	err := space.Starts(ctx, interp.New(r.System).Within(ctx), func(s rules.State) error {
		out.States = append(out.States, Shown{Board: &Board{System: r.System, State: s.Clone()}})
		return space.ErrStop
	})
	if err != nil || len(out.States) == 0 {
		return nil
	}
	return []Block{out}
}

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

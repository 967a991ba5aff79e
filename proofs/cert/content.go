package cert

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/family"
)

// Content is a certificate as data, for a checker that is no part of this program: what is
// certified, of which one of Never, Step, Ends, Counts and Force is set, and the evidence.
type Content struct {
	System *rules.System
	Never  rules.Expr        // no reachable state satisfies it
	Step   *build.EveryStep  // every step is as it says
	Ends   *build.Terminates // every play ends
	Counts *build.Count      // as many states are reachable as it says
	Force  *build.Force      // a player can force something from all starts
	Denied bool              // it is not so, as a play or the number of states shows
	Within int               // if Never is denied: the number of moves in which it is reached; negative: any

	Kind    string // of the evidence
	Parts   Parts
	States  []rules.State // of a closed set, or of a play; what is not kept means nothing
	Numbers []int         // of the states
	Number  int           // of the states that are counted
	Board   []int         // of a play: the seeds that the setup lays out
	Actions []int         // of a play
	Groups  []Group
	Weights [][]int
	Sinks   []int         // pits, of a rank for every size
	Heights []int         // by pit, of the same rank
	Sizes   *SizesContent // for a claim about every size: System, States and so on are those for Family.At
}

// SizesContent is what a certificate of a claim about every size has besides.
type SizesContent struct {
	Family *family.Family
	Below  []*Content // for the sizes before Family.At
}

// Content reads a certificate. The sources are read again, and the evidence is the whole of what
// has to be shown, but not checked. The error is a *NeedsSolver if the evidence cannot be written
// out as data, a *Rejected, or the context's.
func (c *Certificate) Content(ctx context.Context) (*Content, error) {
	st, err := c.statement(ctx)
	if err != nil {
		return nil, err
	}
	return contents{st}.read(ctx, &c.Evidence)
}

// contents reads the evidence of a statement as data.
type contents struct{ *statement }

func (st contents) read(ctx context.Context, e *Evidence) (*Content, error) {
	if st.sizes != nil {
		return st.sizesContent(ctx, e)
	}
	var err error
	out := &Content{
		System: st.sys, Never: st.target, Step: st.step, Ends: st.ends, Counts: st.counts, Denied: st.counts != nil && !st.proves,
		Kind: e.Kind, Groups: e.Groups, Weights: e.Weights,
	}
	switch e.Kind {
	case Backward:
		err = st.backwardContent(ctx, e, out)
	case Forward, Falling, Depths:
		err = st.packedContent(ctx, e, out)
	case Shown:
		err = st.playContent(ctx, e, out)
	case Strategies:
		err = st.forceContent(ctx, e, out)
	}
	if err == nil && (st.winners != nil || st.plan != nil || st.relation != nil) {
		err = &NeedsSolver{"claims of this kind are not written out as data"}
	}
	return out, err
}

// sizesContent reads the evidence of a claim about every size.
func (st contents) sizesContent(ctx context.Context, e *Evidence) (*Content, error) {
	of := func(size int) (*statement, error) {
		on, err := st.sizes.AtSize(size)
		if err != nil {
			return nil, reject("%v", err)
		}
		return stated(on, Proved)
	}
	at, err := of(e.At)
	if err != nil {
		return nil, err
	}
	xs, err := seamsOf(at.sys, e.Seams)
	if err != nil {
		return nil, err
	}
	f, err := st.sizes.Family(e.At, xs)
	if err != nil {
		return nil, unfit(ctx, err)
	}
	out := &Content{System: at.sys, Never: at.target, Step: at.step, Ends: at.ends, Kind: e.Kind, Heights: e.Heights, Sizes: &SizesContent{Family: f}}
	for _, name := range e.Sinks {
		out.Sinks = append(out.Sinks, at.sys.PitNamed(name))
	}
	if e.Kind == Sizes {
		if out.Parts, out.States, err = e.Closed(at.sys); err != nil {
			return nil, err
		}
	}
	for i := range e.Below {
		small, err := of(e.At - len(e.Below) + i)
		if err != nil {
			return nil, err
		}
		below, err := contents{small}.read(ctx, &e.Below[i])
		if err != nil {
			return nil, err
		}
		out.Sizes.Below = append(out.Sizes.Below, below)
	}
	return out, nil
}

func partsOf(k partial.Kept) Parts { return Parts{Pits: k.Pits, Vars: k.Vars, Over: k.Over} }

// backwardContent adds to the set the states that only a lemma excludes, so that nothing rests on
// the lemmas: those that satisfy the target, and those from which a step leads into the set. No
// step leads to a state that a lemma excludes.
func (st contents) backwardContent(ctx context.Context, e *Evidence, out *Content) error {
	b, err := st.readBackward(ctx, e)
	if err != nil {
		return err
	}
	if err := b.findWays(ctx); err != nil {
		return err
	}
	out.Parts, out.States = partsOf(b.kept), b.states
	seen := map[string]bool{}
	add := func(s partial.State) error {
		key, err := b.keyOf(s)
		if err != nil || b.member[string(key)] > 0 || seen[string(key)] || !b.excluded(s) {
			return err
		}
		seen[string(key)] = true
		out.States = append(out.States, b.project(numbersOf(s)))
		return nil
	}
	for outcome := rules.Live; outcome < len(b.sys.Outcomes); outcome++ {
		for _, l := range b.targets(outcome) {
			if err := l.Each(ctx, add); err != nil {
				return unlisted(err, "states that the claim is about")
			}
		}
	}
	back := b.goBack(ctx)
	back.each = func(s partial.State, _ []byte) error {
		to, legal, err := back.player.Do(s, back.action)
		if err != nil {
			return leftOut(err, "the move `%s` from %s", b.sys.ActionName(back.action), b.m.Text(s))
		}
		if !legal || back.elsewhere(to) {
			return ctx.Err()
		}
		return add(s)
	}
	return back.everywhere(func() {})
}

// numbersOf returns a state with 0 for what is not known.
func numbersOf(s partial.State) rules.State {
	out := rules.State{Seeds: make([]int, len(s.Seeds)), Vars: make([]int, len(s.Vars)), Mover: s.Mover, Outcome: s.Outcome}
	for p, v := range s.Seeds {
		out.Seeds[p], _ = v.Is()
	}
	for v, x := range s.Vars {
		out.Vars[v], _ = x.Is()
	}
	return out
}

// packedContent reads a set closed under steps.
func (st contents) packedContent(ctx context.Context, e *Evidence, out *Content) error {
	c, err := whole(st.sys), error(nil)
	if e.Kind == Forward {
		c, err = st.coder(e)
	}
	if err != nil {
		return err
	}
	out.Parts = partsOf(c.kept)
	out.States, out.Numbers, err = c.unpack(ctx, e.Packed, e.Count, e.Kind != Forward)
	if err == nil && st.counts != nil {
		out.Number, err = st.counted(ctx, c, out.States)
	}
	return err
}

// counted returns how many states of a set the claim counts.
func (st contents) counted(ctx context.Context, c coder, states []rules.State) (int, error) {
	set, err := newClosedSet(ctx, c, states)
	if err != nil {
		return 0, err
	}
	n := 0
	err = set.each(ctx, func(_ int, at partial.State) error {
		if st.counts.Set == build.CountFinished && at.Live() {
			return nil
		}
		is, err := set.decided(st.counts.Where, at, nil)
		if is {
			n++
		}
		return err
	})
	return n, err
}

// forceContent reads the strategy for a claim about what a player can force from all starts, or
// cannot from the only one.
func (st contents) forceContent(ctx context.Context, e *Evidence, out *Content) error {
	claim, is := st.best.(*forceClaim)
	if !is || !claim.From.Starts() || len(e.By) != 1 {
		return &NeedsSolver{"claims about the worth of positions, or about one position, are not written out as data"}
	}
	c, err := st.coder(e)
	if err != nil {
		return err
	}
	starts := 0
	err = eachStart(ctx, partial.New(ctx, st.sys), st.tries, func(partial.State) error {
		starts++
		return nil
	})
	if err == nil && starts != 1 && !st.proves {
		err = &NeedsSolver{"that something cannot be forced from one of several starts is not written out as data"}
	}
	if err != nil {
		return err
	}
	out.Force, out.Denied, out.Parts = claim.Force, !st.proves, partsOf(c.kept)
	out.States, out.Numbers, err = c.unpack(ctx, e.By[0].Packed, e.By[0].Count, true)
	return err
}

// playContent finds the board that becomes the start of a play, and the actions of its moves.
func (st contents) playContent(ctx context.Context, e *Evidence, out *Content) error {
	w := st.witness
	if w == nil {
		return reject("a play shows nothing about such a claim")
	}
	out.Never, out.Step, out.Ends, out.Denied, out.Within = w.target, w.step, w.ends, true, w.most
	c := whole(st.sys)
	none, err := newClosedSet(ctx, c, nil)
	if err != nil {
		return err
	}
	p := &playing{closedSet: none, statement: st.statement, moves: e.Play}
	for _, t := range e.States {
		s, err := c.decode(t)
		if err != nil {
			return err
		}
		out.States = append(out.States, s)
		p.states = append(p.states, p.m.Exactly(s))
	}
	if len(p.states) == 0 || len(p.moves) != len(p.states)-1 {
		return reject("%d moves do not make a play of %d states", len(p.moves), len(p.states))
	}
	out.Parts = partsOf(c.kept)
	if out.Board, err = p.board(ctx, out.States[0]); err != nil {
		return err
	}
	for i := range p.moves {
		action, err := p.action(i)
		if err != nil {
			return err
		}
		out.Actions = append(out.Actions, action)
	}
	return nil
}

// board returns the seeds that the setup lays out for a start.
func (p *playing) board(ctx context.Context, start rules.State) ([]int, error) {
	var board []int
	err := layouts(ctx, p.m, p.tries, func(raw partial.State) error {
		if is, err := p.decided(p.statement.sys.Start.Cond, raw, nil); err != nil || !is {
			return err
		}
		s, err := p.m.Settle(raw)
		if err != nil {
			return err
		}
		if numbersOf(s).Equal(start) {
			board = numbersOf(raw).Seeds
			return errFound
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return board, nil
	}
	if err == nil {
		err = reject("%s is no start", p.m.Text(p.states[0]))
	}
	return nil, err
}

// action returns the action of move i.
func (p *playing) action(i int) (int, error) {
	from, to := p.states[i], p.states[i+1]
	steps, err := p.m.Player().Steps(from)
	if err != nil {
		return 0, leftOut(err, "a move from %s", p.m.Text(from))
	}
	for _, s := range steps {
		text, err := p.m.Notation(s.Action, from)
		if err != nil {
			return 0, err
		}
		if squeeze(text) == squeeze(p.moves[i]) && numbersOf(s.To).Equal(numbersOf(to)) {
			return s.Action, nil
		}
	}
	return 0, reject("no move `%s` leads from %s to %s", p.moves[i], p.m.Text(from), p.m.Text(to))
}

package cert

import (
	"cmp"
	"context"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
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

	Evidence Evidence
	Parts    rules.Kept
	States   []rules.State // of a closed set, or of a play; what is not kept means nothing
	Numbers  []int         // of the states
	Number   int           // of the states that are counted
	Board    []int         // of a play: the seeds that the setup lays out
	Actions  []int         // of a play
	Sinks    []int         // pits, of a rank for every size
	Sizes    *SizesContent // for a claim about every size: System, States and so on are those for Family.At
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
	return st.content(ctx, c.Evidence.Is)
}

// readable is evidence whose states or moves are written out as data.
type readable interface {
	// content adds them to out, for the statement that they are to show.
	content(ctx context.Context, st *statement, out *Content) error
}

// content reads the evidence of a statement as data.
func (st *statement) content(ctx context.Context, e Evidence) (*Content, error) {
	out := &Content{System: st.sys, Evidence: e}
	if err := out.say(st); err != nil {
		return nil, err
	}
	if of, is := e.(readable); is {
		return out, of.content(ctx, st, out)
	}
	if _, all := st.says.(sizes); all {
		return nil, st.unfit(e)
	}
	return out, nil
}

// say adds what a statement says.
func (out *Content) say(st *statement) error {
	switch claim := st.says.(type) {
	case never:
		out.Never = claim.target
	case always:
		if out.Step = claim.EveryStep; out.Step.All {
			return refuse.Open("claims about all states are not written out as data")
		}
	case ends:
		out.Ends = claim.Terminates
	case counts:
		out.Counts, out.Denied = claim.Count, !st.proves
	case *witness:
		out.Never, out.Step, out.Ends, out.Denied, out.Within = claim.target, claim.step, claim.ends, true, claim.most
	case winners, plan, relation:
		return refuse.Open("claims of this kind are not written out as data")
	}
	return nil
}

func (e *Sizes) content(ctx context.Context, st *statement, out *Content) (err error) {
	if err := e.Growing.content(ctx, st, out); err != nil {
		return err
	}
	same := &Set{Kept: e.Kept, States: e.States}
	out.Parts, out.States, err = same.Closed(out.System)
	return err
}

func (e *SizesRank) content(ctx context.Context, st *statement, out *Content) error {
	err := e.Growing.content(ctx, st, out)
	out.Sinks = lists.Map(e.Sinks, out.System.PitNamed)
	return err
}

// content reads the claim for the size from which on the evidence is about all, and the evidence
// for those before.
func (g *Growing) content(ctx context.Context, st *statement, out *Content) error {
	claim, is := st.says.(sizes)
	if !is {
		return reject("the claim is not about every size")
	}
	at, f, err := g.resolve(ctx, st, claim)
	if err != nil {
		return err
	}
	out.System, out.Sizes = at.sys, &SizesContent{Family: f}
	if err := out.say(at); err != nil {
		return err
	}
	for i := range g.Below {
		small, err := st.atSize(claim, g.At-len(g.Below)+i)
		if err != nil {
			return err
		}
		below, err := small.content(ctx, g.Below[i].Is)
		if err != nil {
			return err
		}
		out.Sizes.Below = append(out.Sizes.Below, below)
	}
	return nil
}

// content adds to the set the states that only a lemma excludes, so that nothing rests on
// the lemmas: those that satisfy the target, and those from which a step leads into the set. No
// step leads to a state that a lemma excludes.
func (e *Backward) content(ctx context.Context, st *statement, out *Content) error {
	b, err := e.read(ctx, st)
	if err != nil {
		return err
	}
	if err := b.FindWays(ctx); err != nil {
		return err
	}
	out.Parts, out.States = b.kept, b.states
	seen := map[string]bool{}
	add := func(s partial.State) error {
		key, err := b.keyOf(s)
		if err != nil || b.member[string(key)] > 0 || seen[string(key)] || !b.excluded(s) {
			return err
		}
		seen[string(key)] = true
		out.States = append(out.States, b.kept.Project(b.sys, s.Numbers()))
		return nil
	}
	if err := b.eachTarget(ctx, add); err != nil {
		return err
	}
	back := b.Search()
	back.Each = func(s partial.State, _ []byte) error {
		if _, may, err := back.Leads(s); err != nil || !may {
			return cmp.Or(err, ctx.Err())
		}
		return add(s)
	}
	return b.intoAll(back)
}

func (e *Forward) content(ctx context.Context, st *statement, out *Content) error {
	c, err := st.coder(&e.Kept)
	if err != nil {
		return err
	}
	out.Parts = c.kept
	out.States, _, err = c.unpack(ctx, &e.Packed, false)
	return err
}

func (e *Falling) content(ctx context.Context, st *statement, out *Content) error {
	return e.numbered(ctx, st, out)
}

func (e *Depths) content(ctx context.Context, st *statement, out *Content) error {
	claim, is := st.says.(counts)
	if !is {
		return st.unfit(e)
	}
	if err := e.numbered(ctx, st, out); err != nil {
		return err
	}
	set, err := newClosedSet(ctx, whole(st.sys), out.States)
	if err != nil {
		return err
	}
	where := exec.ReadExpr(claim.Where)
	return set.each(ctx, func(_ int, at partial.State) error {
		is, err := claim.has(set, where, at)
		if is {
			out.Number++
		}
		return err
	})
}

// numbered reads a set of whole states with numbers.
func (p *Packed) numbered(ctx context.Context, st *statement, out *Content) (err error) {
	c := whole(st.sys)
	out.Parts = c.kept
	out.States, out.Numbers, err = c.unpack(ctx, p, true)
	return err
}

// content reads the strategy for a claim about what a player can force from all starts, or
// cannot from the only one.
func (e *Strategies) content(ctx context.Context, st *statement, out *Content) error {
	claim, is := st.plain.(*build.Force)
	if !is || !claim.From.Starts() || len(e.By) != 1 {
		return refuse.Open("claims about the worth of positions, or about one position, are not written out as data")
	}
	c, err := st.coder(&e.Kept)
	if err != nil {
		return err
	}
	starts := 0
	err = eachStart(ctx, partial.New(ctx, st.sys), st.tries, func(partial.State) error {
		starts++
		return nil
	})
	if err == nil && starts != 1 && !st.proves {
		err = refuse.Open("that something cannot be forced from one of several starts is not written out as data")
	}
	if err != nil {
		return err
	}
	out.Force, out.Denied, out.Parts = claim, !st.proves, c.kept
	out.States, out.Numbers, err = c.unpack(ctx, e.By[0].states(), true)
	return err
}

// content finds the board that becomes the start of a play, and the actions of its moves.
func (e *Play) content(ctx context.Context, st *statement, out *Content) error {
	p, states, err := e.read(ctx, st)
	if err != nil {
		return err
	}
	out.States, out.Parts = states, p.kept
	if out.Board, err = p.board(ctx); err != nil {
		return err
	}
	for i := range p.moves {
		action, err := p.move(i)
		if err != nil {
			return err
		}
		out.Actions = append(out.Actions, action)
	}
	return nil
}

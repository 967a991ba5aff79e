package cert

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Play is the evidence of a single play from a start: its states, and the moves that lead from each
// to the next.
type Play struct {
	States []State  `json:"states" len:"1.."`
	Moves  []string `json:"play,omitempty"`
}

func (e *Play) size() int { return len(e.States) }

// playing is the check of a single play.
type playing struct {
	*closedSet // has no states; for its methods
	*statement
	*witness
	states []partial.State
	moves  []string
}

// check checks the start of the play, each of its moves, and what it shows as a whole.
func (e *Play) check(ctx context.Context, st *statement, r *Report) error {
	p, _, err := e.read(ctx, st)
	if err != nil {
		return err
	}
	if p.most >= 0 && len(p.moves) > p.most {
		return reject("the play has %d moves, and the claim is about plays of %d", len(p.moves), p.most)
	}
	if err := p.start(ctx); err != nil {
		return err
	}
	for i := range p.moves {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := p.move(i); err != nil {
			return err
		}
	}
	r.Subject = SomeSubject
	r.checked("moves of a play from a start", len(p.moves))
	r.Trusted = append(r.Trusted, executor)
	return p.ending()
}

// read reads the play, for a statement that one can show.
func (e *Play) read(ctx context.Context, st *statement) (*playing, []rules.State, error) {
	w, is := st.says.(*witness)
	switch {
	case !is:
		return nil, nil, st.unfit(e)
	case len(st.sys.OpenParams()) > 0:
		return nil, nil, reject("a play is evidence for one value of each parameter only")
	case len(e.States) == 0 || len(e.Moves) != len(e.States)-1:
		return nil, nil, reject("%d moves do not make a play of %d states", len(e.Moves), len(e.States))
	}
	c := whole(st.sys)
	none, err := newClosedSet(ctx, c, nil)
	if err != nil {
		return nil, nil, err
	}
	states, err := c.decodeAll(e.States)
	p := &playing{closedSet: none, statement: st, witness: w, states: lists.Map(states, none.m.Exactly), moves: e.Moves}
	return p, states, err
}

// start checks that the first state is a start. If its parts do not decide that, the starts are
// listed.
func (p *playing) start(ctx context.Context) error {
	first := p.states[0]
	v, err := p.m.IsStart(first)
	if err != nil {
		return refuse.LeftOut(err, "the start %s", p.m.Text(first))
	}
	is, decided := v.Holds()
	if !decided {
		_, err := p.board(ctx)
		return err
	}
	if !is {
		return reject("%s is no start", p.m.Text(first))
	}
	return nil
}

// board returns the seeds that the setup lays out for the first state.
func (p *playing) board(ctx context.Context) (board []int, err error) {
	want, err := p.m.Key(p.states[0], p.kept)
	if err != nil {
		return nil, err
	}
	err = eachSettled(ctx, p.m, p.tries, func(raw, s partial.State) error {
		if key, err := p.m.Key(s, p.kept); err != nil || key != want {
			return err
		}
		board = raw.Numbers().Seeds
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return board, nil
	case err == nil:
		err = reject("%s is no start", p.m.Text(p.states[0]))
	}
	return nil, err
}

// move returns the action by which move i leads from its state to the next one. The last move of a
// play about steps must break the claim. Several steps may have the same notation and lead to the
// same state.
func (p *playing) move(i int) (action int, err error) {
	from, to := p.states[i], p.states[i+1]
	want, err := p.m.Key(to, p.kept)
	if err != nil {
		return 0, err
	}
	steps, err := p.m.Player().Steps(from)
	if err != nil {
		return 0, refuse.LeftOut(err, "a move from %s", p.m.Text(from))
	}
	leads := false
	for _, s := range steps {
		text, err := p.m.Notation(s.Action, from)
		if err != nil {
			return 0, err
		}
		key, err := p.m.Key(s.To, p.kept)
		if err != nil {
			return 0, err
		}
		if key != want || squeeze(text) != squeeze(p.moves[i]) {
			continue
		}
		leads = true
		if p.step == nil || i+1 < len(p.moves) {
			return s.Action, nil
		}
		if breaks, err := p.breaks(from, s); err != nil || breaks {
			return s.Action, err
		}
	}
	if leads {
		return 0, reject("the last move, `%s` from %s, is as the claim says", p.moves[i], p.m.Text(from))
	}
	return 0, reject("no move `%s` leads from %s to %s", p.moves[i], p.m.Text(from), p.m.Text(to))
}

// breaks reports whether the claim about steps is false of a step.
func (p *playing) breaks(from partial.State, s partial.Step) (bool, error) {
	claim := p.step
	if !rules.Counts(claim.Actions, s.Action) {
		return false, nil
	}
	if concerned, err := p.decided(exec.ReadExpr(claim.From), from, nil); err != nil || !concerned {
		return false, err
	}
	holds, err := p.decided(exec.ReadExpr(claim.Gives), s.To, &from)
	return !holds, err
}

// ending checks what the play shows as a whole: its last state, or that it is too long or comes
// back to an earlier state.
func (p *playing) ending() error {
	last := p.states[len(p.states)-1]
	switch w := p.witness; {
	case w.step != nil && len(p.moves) == 0:
		return reject("a play without moves shows nothing about steps")
	case w.step != nil:
		return nil
	case w.target != nil:
		if is, err := p.decided(exec.ReadExpr(w.target), last, nil); err != nil || is {
			return err
		}
		return reject("the play ends in %s, which shows nothing about the claim", p.m.Text(last))
	case w.ends.Within >= 0 && len(p.moves) > w.ends.Within:
		return nil
	}
	end, err := p.m.Key(last, p.kept)
	if err != nil {
		return err
	}
	for _, s := range p.states[:len(p.states)-1] {
		if key, err := p.m.Key(s, p.kept); err != nil || key == end {
			return err
		}
	}
	return reject("the play does not come back to a state")
}

package value

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// searched finds a value by alpha-beta. It fails with errRepeats, errDeep or an *OpenEndError with
// a play if that cannot be done.
func searched(ctx context.Context, sys *rules.System, st rules.State, p Payoff, opts Options) (*Found, error) {
	p, signed := byMargin(sys, p)
	g, err := newGame(ctx, sys, st.Total(), p)
	if err != nil {
		return nil, err
	}
	f := &Found{Method: AlphaBeta, Line: &Line{}}
	if !st.Live() {
		if signed {
			g.Kind = Result
		}
		p, err := g.of(st)
		if f.Lo, f.Hi, f.Reason, f.OpenEnd = p.lo, p.hi, p.open, p.open; p.open != "" {
			f.Line, f.Open = nil, f.Line
		}
		return f, err
	}
	g.fold(ctx)
	t := newTeam(ctx, g, opts)
	opts.Recall.begin(t)
	defer opts.Recall.end(t)
	r := &root{seeker: t.seekers[0], st: st, signed: signed, opts: opts, began: time.Now()}
	if err := r.begin(); err != nil {
		return nil, err
	}
	if err = r.narrow(); err == nil {
		err = r.tell(f)
	}
	f.Lo, f.Hi = r.result()
	f.Nodes, f.Looked = t.work()
	f.Bytes = t.table.bytes()
	return f, r.conclude(f, err)
}

// root is the state whose value is searched for. Its bounds are those of the seeker: for the player
// to move, and without the account.
type root struct {
	*seeker
	st      rules.State
	signed  bool // only the sign of the value is asked for
	key     []uint64
	name    []uint64
	actions []int // of the path on which a search failed
	bank    int   // what the account is worth to the player to move
	lo, hi  int
	opts    Options
	began   time.Time
}

// begin packs the state.
func (r *root) begin() (err error) {
	if r.key, err = r.keyOf(r.st); err != nil {
		return err
	}
	r.name = r.nameOf(r.key)
	r.bank = side(r.st.Mover) * r.account(r.key)
	r.lo, r.hi = r.futureOf(r.st.Mover, r.inPlay(r.key))
	return nil
}

// narrow asks whether the value is at least some guess until the bounds meet, by MTD(f) (A. Plaat
// and others, Artificial Intelligence 87, 1996).
func (r *root) narrow() error {
	return r.close(&r.lo, &r.hi, -r.bank, func(alpha, beta int) (int, error) {
		return r.ask(&question{r.key, r.name, alpha, beta})
	}, r.observe)
}

// close asks for bounds of a value, from a guess on, until they meet or answer the question.
func (r *root) close(lo, hi *int, guess int, ask func(alpha, beta int) (int, error), observe func()) error {
	for !r.decided(*lo, *hi) {
		guess = min(max(guess, *lo+1), *hi)
		if r.signed {
			guess = min(max(guess, -r.bank), 1-r.bank)
		}
		v, err := ask(guess-1, guess)
		if err != nil {
			return err
		}
		if v < guess {
			*hi, guess = v, v
		} else {
			*lo, guess = v, v+1
		}
		observe()
	}
	return nil
}

// ask answers a question. If that fails, r.actions lead to where it did.
func (r *root) ask(q *question) (v int, err error) {
	v, r.actions, err = r.team.ask(r.ctx, q)
	return v, err
}

// follow asks what a move from p is worth for the player who makes it.
func (r *root) follow(p *ply, m *move, alpha, beta int) (int, error) {
	q := &question{r.stepKey(p, m), r.moveName(p, m), alpha - m.gain, beta - m.gain}
	if !m.same {
		q.alpha, q.beta = m.gain-beta, m.gain-alpha
	}
	v, err := r.ask(q)
	if err != nil {
		r.actions = slices.Insert(slices.Clone(r.actions), 0, int(p.steps.Actions[m.step]))
	}
	if !m.same {
		v = -v
	}
	return m.gain + v, err
}

// decided reports whether bounds answer the question.
func (r *root) decided(lo, hi int) bool {
	return lo >= hi || r.signed && (lo+r.bank > 0 || hi+r.bank < 0)
}

// result returns the bounds for the first player.
func (r *root) result() (lo, hi int) { return r.forFirst(r.lo, r.hi) }

// forFirst turns bounds of the seeker into what the first player gets.
func (r *root) forFirst(lo, hi int) (int, int) {
	lo, hi = lo+r.bank, hi+r.bank
	if r.signed {
		lo, hi = sign(lo), sign(hi)
	}
	if !maximizes(r.st.Mover) {
		lo, hi = -hi, -lo
	}
	return orNone(lo, hi)
}

func (r *root) observe() {
	if r.opts.Observer == nil {
		return
	}
	lo, hi := r.result()
	r.opts.Observer(limit.Progress{Lo: lo, Hi: hi, States: r.team.nodes.Load(), Bytes: r.table.bytes(), Elapsed: time.Since(r.began)})
}

// conclude says why the search ended early.
func (r *root) conclude(f *Found, err error) error {
	if err != nil {
		f.Line, f.Moves = nil, nil
	}
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		f.End = limit.Cancelled(r.ctx)
		return nil
	case errors.Is(err, errNodes):
		f.End = limit.Reach(limit.Hit{Kind: limit.Positions, Most: r.opts.MaxStates})
		return nil
	case errors.Is(err, errRepeats), errors.Is(err, errDeep):
		return err
	}
	t := &forward.Trace{Start: r.st, Actions: r.actions}
	if open := (*OpenEndError)(nil); errors.As(err, &open) {
		return &OpenEndError{Reason: open.Reason, Trace: t}
	}
	return &forward.PlayError{Fault: err, Trace: *t}
}

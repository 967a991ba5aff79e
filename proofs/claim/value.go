package claim

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Claims about values are decided position by position. For one position everything is known of a
// value, or bounds, which may be enough.

// worth is a claim about values of positions: the value itself, who wins, or the best moves.
type worth struct {
	usual
	is      verdict.Kind
	of      *resolve.Place
	endless resolve.EndlessPlay
	winner  bool // only who wins matters
	moves   bool // it asks for the best moves
	// asks is what is known of a position as the claim asks for it.
	asks func(p *position) verdict.Worth
	// judge says what follows for the claim from what is known of one position.
	judge func(p *position) verdict.Status
	// finds is what was found of positions: those that all satisfy the claim, or one that does not.
	finds func(w verdict.Worth, best []string) verdict.Finding
}

// valueOf claims what positions are worth.
func valueOf(p *resolve.ValueOf) *worth {
	asks := func(at *position) verdict.Worth {
		if p.Player == resolve.ToMove {
			return worthTo(at.Worth, max(at.state.Mover, value.First))
		}
		return worthTo(at.Worth, p.Player)
	}
	return &worth{
		is: verdict.Value, of: &p.Of, endless: p.Endless, asks: asks,
		judge: func(at *position) verdict.Status { return judged(compare(asks(at), p.Op, p.Value)) },
		finds: func(w verdict.Worth, _ []string) verdict.Finding { return verdict.Valued{Worth: w} },
	}
}

// winnerOf claims who wins positions.
func winnerOf(p *resolve.WinnerOf) *worth {
	pays := map[int]int{value.First: 1, value.Second: -1}[p.Player] // to the first player
	op := rules.Eq
	if p.Not {
		op = rules.Ne
	}
	return &worth{
		is: verdict.Winner, of: &p.Of, endless: p.Endless, winner: true, asks: toFirst,
		judge: func(at *position) verdict.Status { return judged(compare(at.Worth, op, pays)) },
		finds: func(w verdict.Worth, _ []string) verdict.Finding { return verdict.WinnerOf{Worth: w} },
	}
}

// bestMoves claims which moves of positions are best.
func bestMoves(p *resolve.BestMoves) *worth {
	return &worth{
		is: verdict.BestMoves, of: &p.Of, endless: p.Endless, moves: true, asks: toFirst,
		judge: func(at *position) verdict.Status {
			if at.best == nil {
				return verdict.Unknown
			}
			same := p.Are(at.best)
			return judged(same, !same)
		},
		finds: func(w verdict.Worth, best []string) verdict.Finding {
			if w.Positions > 1 { // those of one position alone are told
				best = nil
			}
			return verdict.Best{Positions: w.Positions, Moves: best}
		},
	}
}

func toFirst(at *position) verdict.Worth { return at.Worth }

func judged(yes, no bool) verdict.Status {
	switch {
	case yes:
		return verdict.Proved
	case no:
		return verdict.Refuted
	}
	return verdict.Unknown
}

func (k *worth) about() verdict.Claim { return verdict.Claim{Kind: k.is} }

// OfPlays reports whether the positions are after moves from starts.
func (k *worth) OfPlays() bool { return k.of.From == nil }

func (k *worth) decide(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.AboutValues)
	}
	list, err := positions(run, k.of)
	if err != nil {
		return nil, err
	}
	var stats verdict.Stats
	var left error // the first position that is not decided; a later one may refute the claim
	for _, p := range list {
		why, err := k.find(run, p, &stats)
		if err != nil {
			return nil, err
		}
		switch k.judge(p) {
		case verdict.Proved:
		case verdict.Refuted:
			return k.valued(run, verdict.Refuted, []*position{p}, k.asks(p), stats)
		default:
			if left != nil {
				continue
			}
			if left, err = k.leftOpen(run, p, why, stats); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case left != nil:
		return nil, left
	case len(list) == 0:
		return nil, noStart(run.Sys)
	}
	return k.valued(run, verdict.Proved, list, k.together(list), stats)
}

// leftOpen is the verdict where a position is not decided, with the play to an open end.
func (k *worth) leftOpen(run *engines.Run, p *position, why verdict.Reason, stats verdict.Stats) (left *engines.Open, err error) {
	w := k.asks(p)
	left = run.Unknown(verdict.Forward, why)
	if left.Stats = stats; w.Lo != value.NoLower || w.Hi != value.NoUpper {
		left.Value = &w
	}
	if p.open != nil {
		left.Trace, err = run.Play(p.from, slices.Concat(p.moves, p.open.Actions))
	}
	return left, err
}

// together is what is known of all positions.
func (k *worth) together(list []*position) verdict.Worth {
	w := k.asks(list[0])
	for _, p := range list[1:] {
		w = both(w, k.asks(p))
	}
	return w
}

// valued is a verdict on what some positions show, with the line of the first one.
func (k *worth) valued(run *engines.Run, s verdict.Status, list []*position, w verdict.Worth, stats verdict.Stats) (*result.Result, error) {
	p := list[0]
	r := run.Result(s, verdict.Forward, k.finds(w, p.best))
	r.Value, r.Stats = &w, stats
	err := k.bound(run, r, list)
	if p.line == nil || err != nil {
		return r, err
	}
	r.Trace, err = run.Play(p.from, slices.Concat(p.moves, p.line.Actions))
	return r, err
}

// find finds what is known of the value of a position, and says why it is not more.
func (k *worth) find(run *engines.Run, p *position, stats *verdict.Stats) (why verdict.Reason, err error) {
	pay, opts := k.payoff(run.Sys), valueOptions(run, k.moves, stats.States)
	table, err := run.Opt.Tables.Find(run.Ctx, run.Sys, k.tablePayoff(run.Sys))
	if err != nil {
		return nil, err
	}
	if table != nil {
		opts.Tables = table
	}
	f, err := value.Find(run.Ctx, run.Sys, p.state, pay, opts)
	var open *value.OpenEndError
	switch {
	case errors.As(err, &open):
		return nil, run.Unknown(verdict.Forward, verdict.Obstacle{Is: verdict.Unfit, Words: verdict.Words(open.Reason)})
	case err != nil:
		return nil, err
	}
	p.Worth, p.line, p.open = worth1(f.Lo, f.Hi), f.Line, f.Open
	if pay.Kind == value.Result { // also if the search was ended by a limit
		p.Lo, p.Hi = max(p.Lo, -1), min(p.Hi, 1)
	}
	if f.Looked > 0 {
		trust(run, table)
	}
	stats.States += f.Nodes
	stats.Bytes = max(stats.Bytes, f.Bytes)
	if !k.moves || !f.Known() || f.Stop != limit.Complete {
		return valueOpen(f), nil
	}
	p.after = f.Moves
	var doubt *value.MoveValue
	if p.best, doubt = bestOf(run, p.state, f); doubt == nil {
		return nil, nil
	}
	if f, err = value.Find(run.Ctx, run.Sys, doubt.To, pay, opts); err != nil {
		return nil, err
	}
	if f.Open != nil {
		p.open = &value.Line{Actions: append([]int{doubt.Action}, f.Open.Actions...), Endless: f.Open.Endless}
	}
	return verdict.BestUnknown{Move: run.In.Notation(doubt.Action, p.state), Rest: verdict.Because(valueOpen(f))}, nil
}

// valueOpen says why a value is not known; nil if it is.
func valueOpen(f *value.Found) verdict.Reason {
	var ended verdict.Reason
	if f.Stop != limit.Complete {
		ended = verdict.Ended{Limit: f.Hit}
	}
	if f.OpenEnd != "" {
		return verdict.OpenEnd{Words: verdict.Words(f.OpenEnd), Varies: f.Varies(), Rest: verdict.Because(ended)}
	}
	return ended
}

var endlessOf = map[resolve.EndlessPlay]value.Endless{
	resolve.EndlessOpen: value.NoValue, resolve.EndlessDraw: value.Even, resolve.EndlessScored: value.AsScored,
}

// payoff is what a play is worth to the claim.
func (k *worth) payoff(sys *rules.System) value.Payoff {
	p := value.Payoff{Kind: value.KindOf(sys), Endless: endlessOf[k.endless]}
	if k.winner {
		p.Kind = value.Result
	}
	return p
}

// tablePayoff is the payoff of tables that a claim may use: who wins is found by margins.
func (k *worth) tablePayoff(sys *rules.System) value.Payoff {
	p := k.payoff(sys)
	p.Kind = value.Margin
	return p
}

// valueOptions returns the limits of a search for a value after so many states in others.
func valueOptions(run *engines.Run, moves bool, spent int64) value.Options {
	o := value.Options{Bounds: run.Opt.Bounds, Moves: moves, Recall: &run.Opt.Common.Positions}
	if run.Opt.MaxStates > 0 {
		o.MaxStates = max(run.Opt.MaxStates-spent, 1)
	}
	if observe := run.Observer(verdict.Forward); observe != nil {
		o.Observer = func(p limit.Progress) {
			p.States += spent
			observe(p)
		}
	}
	return o
}

// bestOf lists the notations of the moves that keep the value of a position. They are nil if the
// value of a move is not known well enough: doubt is that one.
func bestOf(run *engines.Run, st rules.State, f *value.Found) (best []string, doubt *value.MoveValue) {
	best = []string{}
	for i, m := range f.Moves {
		switch text := run.In.Notation(m.Action, st); {
		case m.Lo <= f.Lo && f.Lo <= m.Hi && m.Lo != m.Hi:
			return nil, &f.Moves[i]
		case m.Lo == f.Lo && m.Hi == f.Lo && !slices.Contains(best, text):
			best = append(best, text)
		}
	}
	return best, nil
}

// Again finds the values again. What is said of them has to be true of what is found.
func (k *worth) Again(q confirm.Question) (*enumerate.Opinion, error) {
	found, err := q.Plays().Values(k.of, k.winner, k.endless)
	if err != nil || len(found) == 0 {
		return &enumerate.Opinion{}, err
	}
	var list []*position
	for _, v := range found {
		list = append(list, &position{state: v.State, Worth: worth1(v.Lo, v.Hi), best: v.Best})
	}
	is := func(s verdict.Status) bool {
		return slices.ContainsFunc(list, func(p *position) bool { return k.judge(p) == s })
	}
	out := &enumerate.Opinion{Holds: !is(verdict.Refuted), Starts: len(found), States: len(found)}
	switch {
	case out.Holds && is(verdict.Unknown):
		return nil, confirm.Refuse("by playing all plays it is unknown")
	case !q.Same(out):
		return out, nil
	}
	return out, k.confirms(q, list)
}

// Certified checks what is told by what the certificate shows of the positions.
func (k *worth) Certified(q confirm.Question, report *cert.Report) error {
	var list []*position
	for _, c := range report.Positions {
		p := &position{state: c.State, Worth: worth1(c.Worth.Lo, c.Worth.Hi), best: c.Best}
		if p.Lo == -num.Inf {
			p.Lo = value.NoLower
		}
		if p.Hi == num.Inf {
			p.Hi = value.NoUpper
		}
		list = append(list, p)
	}
	return k.confirms(q, list)
}

// confirms checks what a verdict tells besides the verdict: of all positions, or of one that
// refutes it.
func (k *worth) confirms(q confirm.Question, list []*position) error {
	r := q.Result
	is := func(p *position, all verdict.Worth) bool {
		return r.Value != nil && r.Value.Positions == all.Positions && r.Value.Player == all.Player && all.Within(*r.Value) &&
			verdict.Same(r.Found, k.finds(*r.Value, p.best)) && k.line(q, p)
	}
	together := k.together(list)
	for _, p := range list { // the play is from one of them; in which order they are listed says nothing
		if r.Status == verdict.Proved && is(p, together) || k.judge(p) == verdict.Refuted && is(p, k.asks(p)) {
			return nil
		}
	}
	return confirm.Refuse("something else than `%s` is true of the positions, or of the play", r.Sentence())
}

// line reports whether the play of a verdict about a position is one, and is worth what it may be.
func (k *worth) line(q confirm.Question, p *position) bool {
	t := q.Result.Trace
	if t == nil {
		return true
	}
	if _, _, err := confirm.ReplayIn(q.Ctx, q.Sys, t).States(false); err != nil || !slices.ContainsFunc(t.States(), p.state.Equal) {
		return false
	}
	if t.End().Live() {
		return true
	}
	pays, err := q.Plays().Pays(t.End(), k.winner, k.endless)
	return err == nil && p.Lo <= pays.Lo && pays.Hi <= p.Hi
}

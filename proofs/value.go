package proofs

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Claims about values are decided position by position. For one position everything is known of a
// value, or bounds, which may be enough.

// worth1 is what is known of one position, for the first player.
func worth1(lo, hi int) verdict.Worth {
	return verdict.Worth{Player: value.First, Lo: lo, Hi: hi, Positions: 1}
}

// The ends of package value mean the same in verdicts.
var _ = [1]int{}[value.NoLower-verdict.NoLower+value.NoUpper-verdict.NoUpper]

// worthTo is what a value for the first player is to a player.
func worthTo(w verdict.Worth, player int) verdict.Worth {
	if player == value.Second {
		w = w.Negated()
	}
	w.Player = player
	return w
}

// both is what is known of positions together. The player to move need not be the same one.
func both(b, c verdict.Worth) verdict.Worth {
	if b.Player != c.Player {
		b.Player = resolve.ToMove
	}
	return verdict.Worth{Player: b.Player, Lo: min(b.Lo, c.Lo), Hi: max(b.Hi, c.Hi), Positions: b.Positions + c.Positions}
}

// compare reports whether every number in the bounds satisfies the comparison, or none does. A
// bound that is not known allows any number.
func compare(b verdict.Worth, op rules.Op, n int) (all, none bool) {
	lo, hasLo := b.AtLeast()
	hi, hasHi := b.AtMost()
	switch op {
	case rules.Eq:
		return b.Known() && lo == n, hasLo && n < lo || hasHi && n > hi
	case rules.Ne:
		none, all = compare(b, rules.Eq, n)
		return all, none
	case rules.Lt:
		return hasHi && hi < n, hasLo && lo >= n
	case rules.Le:
		return hasHi && hi <= n, hasLo && lo > n
	}
	none, all = compare(b, map[rules.Op]rules.Op{rules.Ge: rules.Lt, rules.Gt: rules.Le}[op], n)
	return all, none
}

// valueKind is a claim about values, of whichever kind.
type valueKind interface {
	Kind
	place() *resolve.Place
	convention() resolve.EndlessPlay
	winner() bool // only who wins matters
	moves() bool  // it asks for the best moves
	// asks is what is known of a position as the claim asks for it.
	asks(p *seenPosition) verdict.Worth
	// judge says what follows for the claim from what is known of one position.
	judge(p *seenPosition) Status
	// finds is what was found of positions: those that all satisfy the claim, or one that does not.
	finds(w verdict.Worth, best []string) verdict.Finding
}

// seenPosition is a position with what is known of its value.
type seenPosition struct {
	state         rules.State
	from          rules.State // the start or the named position, and the moves from there
	moves         []int
	verdict.Worth                   // to the first player
	best          []string          // in their notation; nil if that is not known, or not asked for
	after         []value.MoveValue // of all moves, if the best ones are asked for
	line          *value.Line
	open          *value.Line // a play to an open end, on which what is asked for depends
}

// values are what the kinds of claims about values have in common.
type values struct{ usual }

// decideValues decides a claim about values.
func (d *decision) decideValues(k valueKind) (*Result, error) {
	if !d.wants(Forward) {
		return nil, d.refuses(verdict.AboutValues)
	}
	list, err := d.positions(k.place())
	if err != nil {
		return nil, err
	}
	var stats verdict.Stats
	var left error // the first position that is not decided; a later one may refute the claim
	for _, p := range list {
		why, err := d.find(k, p, &stats)
		if err != nil {
			return nil, err
		}
		switch k.judge(p) {
		case Proved:
		case Refuted:
			return d.valued(Refuted, k, []*seenPosition{p}, k.asks(p), stats)
		default:
			if left != nil {
				continue
			}
			if left, err = d.leftOpen(k, p, why, stats); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case left != nil:
		return nil, left
	case len(list) == 0:
		return nil, noStart(d.sys)
	}
	return d.valued(Proved, k, list, together(k, list), stats)
}

// leftOpen is the verdict where a position is not decided, with the play to an open end.
func (d *decision) leftOpen(k valueKind, p *seenPosition, why verdict.Reason, stats verdict.Stats) (left *open, err error) {
	w := k.asks(p)
	left = d.unknown(Forward, why)
	if left.Stats = stats; w.Lo != value.NoLower || w.Hi != value.NoUpper {
		left.Value = &w
	}
	if p.open != nil {
		left.Trace, err = d.play(p.from, slices.Concat(p.moves, p.open.Actions))
	}
	return left, err
}

// together is what is known of all positions.
func together(k valueKind, list []*seenPosition) verdict.Worth {
	w := k.asks(list[0])
	for _, p := range list[1:] {
		w = both(w, k.asks(p))
	}
	return w
}

// valued is a verdict on what some positions show, with the line of the first one.
func (d *decision) valued(s Status, k valueKind, list []*seenPosition, w verdict.Worth, stats verdict.Stats) (*Result, error) {
	p := list[0]
	r := d.result(s, Forward, k.finds(w, p.best))
	r.Value, r.Stats = &w, stats
	err := d.bound(r, k, list)
	if p.line == nil || err != nil {
		return r, err
	}
	r.Trace, err = d.play(p.from, slices.Concat(p.moves, p.line.Actions))
	return r, err
}

// find finds what is known of the value of a position, and says why it is not more.
func (d *decision) find(k valueKind, p *seenPosition, stats *verdict.Stats) (why verdict.Reason, err error) {
	pay, opts := payoff(d.sys, k), d.valueOptions(k.moves(), stats.States)
	table, err := d.table(k)
	if err != nil {
		return nil, err
	}
	if table != nil {
		opts.Tables = table
	}
	f, err := value.Find(d.ctx, d.sys, p.state, pay, opts)
	var open *value.OpenEndError
	switch {
	case errors.As(err, &open):
		return nil, d.unknown(Forward, verdict.Obstacle{Is: verdict.Unfit, Words: verdict.Words(open.Reason)})
	case err != nil:
		return nil, err
	}
	p.Worth, p.line, p.open = worth1(f.Lo, f.Hi), f.Line, f.Open
	if pay.Kind == value.Result { // also if the search was ended by a limit
		p.Lo, p.Hi = max(p.Lo, -1), min(p.Hi, 1)
	}
	if f.Looked > 0 {
		d.trust(table)
	}
	stats.States += f.Nodes
	stats.Bytes = max(stats.Bytes, f.Bytes)
	if !k.moves() || !f.Known() || f.Stop != forward.Exhausted {
		return valueOpen(f), nil
	}
	p.after = f.Moves
	var doubt *value.MoveValue
	if p.best, doubt = d.bestMoves(p.state, f); doubt == nil {
		return nil, nil
	}
	if f, err = value.Find(d.ctx, d.sys, doubt.To, pay, opts); err != nil {
		return nil, err
	}
	if f.Open != nil {
		p.open = &value.Line{Actions: append([]int{doubt.Action}, f.Open.Actions...), Endless: f.Open.Endless}
	}
	return verdict.BestUnknown{Move: d.in.Notation(doubt.Action, p.state), Rest: verdict.Because(valueOpen(f))}, nil
}

// valueOpen says why a value is not known; nil if it is.
func valueOpen(f *value.Found) verdict.Reason {
	var ended verdict.Reason
	if f.Stop != forward.Exhausted {
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

// valueOptions returns the limits of a search for a value after so many states in others.
func (d *decision) valueOptions(moves bool, spent int64) value.Options {
	o := value.Options{MaxMemory: d.opt.MaxMemory, Threads: d.opt.Threads, Moves: moves, Recall: &d.opt.Common.positions}
	if d.opt.MaxStates > 0 {
		o.MaxStates = max(d.opt.MaxStates-spent, 1)
	}
	if d.opt.Observer != nil {
		o.Observer = func(p value.Progress) {
			d.observe(Progress{Engine: Forward, States: spent + p.Nodes, Elapsed: p.Elapsed})
		}
	}
	return o
}

// bestMoves lists the notations of the moves that keep the value of a position. They are nil if the
// value of a move is not known well enough: doubt is that one.
func (d *decision) bestMoves(st rules.State, f *value.Found) (best []string, doubt *value.MoveValue) {
	best = []string{}
	for i, m := range f.Moves {
		switch text := d.in.Notation(m.Action, st); {
		case m.Lo <= f.Lo && f.Lo <= m.Hi && m.Lo != m.Hi:
			return nil, &f.Moves[i]
		case m.Lo == f.Lo && m.Hi == f.Lo && !slices.Contains(best, text):
			best = append(best, text)
		}
	}
	return best, nil
}

// positions lists the positions that a claim is about.
func (d *decision) positions(p *resolve.Place) ([]*seenPosition, error) {
	var list []*seenPosition
	add := func(from rules.State) error {
		if most := d.upTo(mostPositions); int64(len(list)) == most {
			return d.unknown(Forward, verdict.TooMany{Of: verdict.Positions, Most: most})
		}
		at := &seenPosition{from: from.Clone()}
		moves, st, err := d.follow(from, p)
		if at.state, at.moves = st, moves; err != nil {
			return err
		}
		for _, q := range list {
			if q.state.Equal(at.state) {
				return nil
			}
		}
		list = append(list, at)
		return nil
	}
	if p.From == nil {
		return list, d.startless(d.starts()(d.ctx, add))
	}
	st, err := d.in.Start(*p.From)
	if err != nil {
		return nil, err
	}
	return list, add(st)
}

// mostPositions is how many positions a claim may ask the value of.
const mostPositions = 10_000

// follow makes the moves of a place. One that cannot be made is a mistake of the claim.
func (d *decision) follow(from rules.State, p *resolve.Place) (moves []int, to rules.State, err error) {
	t, err := d.in.Replay(from, p.After)
	var no *interp.MoveError
	if errors.As(err, &no) {
		var l diag.List
		l.Errorf(diag.BadClause, p.At, "%s", no.Error())
		return nil, from, l
	}
	if err != nil {
		return nil, from, err
	}
	_, moves, err = replayIn(d.ctx, d.sys, t).states(false)
	return moves, t.End(), err
}

// valueAgain finds the values again. What is said of them has to be true of what is found.
func (q question) valueAgain(k valueKind) (*enumerate.Opinion, error) {
	g := q.plays()
	found, err := g.Values(k.place(), k.winner(), k.convention())
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return &enumerate.Opinion{}, nil
	}
	out := &enumerate.Opinion{Holds: true, Starts: len(found), States: len(found)}
	var list, failed []*seenPosition
	open := 0
	for _, v := range found {
		p := &seenPosition{state: v.State, Worth: worth1(v.Lo, v.Hi), best: v.Best}
		list = append(list, p)
		switch k.judge(p) {
		case Refuted:
			out.Holds = false
			failed = append(failed, p)
		case Unknown:
			open++
		}
	}
	if open > 0 && out.Holds {
		return nil, refuse("by playing all plays it is unknown")
	}
	if !q.same(out) {
		return out, nil
	}
	return out, q.told(k, list, failed)
}

// valueCertified checks what is told by what the certificate shows of the positions.
func (q question) valueCertified(k valueKind, report *cert.Report) error {
	var list, failed []*seenPosition
	for _, c := range report.Positions {
		p := &seenPosition{state: c.State, Worth: worth1(c.Worth.Lo, c.Worth.Hi), best: c.Best}
		if p.Lo == -num.Inf {
			p.Lo = value.NoLower
		}
		if p.Hi == num.Inf {
			p.Hi = value.NoUpper
		}
		if list = append(list, p); k.judge(p) == Refuted {
			failed = append(failed, p)
		}
	}
	return q.told(k, list, failed)
}

// same reports whether a verdict is about just this System, and is what was found, so that all that
// it tells can be compared.
func (q question) same(o *enumerate.Opinion) bool {
	return q.r.System == q.sys && len(q.sys.OpenParams()) == 0 && (q.r.Status == Proved) == o.Holds
}

// told checks what a verdict tells besides the verdict: of all positions, or of one that refutes
// it.
func (q question) told(k valueKind, list, failed []*seenPosition) error {
	r := q.r
	is := func(p *seenPosition, all verdict.Worth) bool {
		return r.Value != nil && r.Value.Positions == all.Positions && r.Value.Player == all.Player && all.Within(*r.Value) &&
			verdict.Same(r.Found, k.finds(*r.Value, p.best)) && q.line(k, p)
	}
	if r.Status == Proved && is(list[0], together(k, list)) {
		return nil
	}
	for _, p := range failed {
		if is(p, k.asks(p)) {
			return nil
		}
	}
	return refuse("something else than `%s` is true of the positions, or of the play", r.Sentence())
}

// line reports whether the play of a verdict about a position is one, and is worth what it may be.
func (q question) line(k valueKind, p *seenPosition) bool {
	t := q.r.Trace
	if t == nil {
		return true
	}
	if _, _, err := replayIn(q.ctx, q.sys, t).states(false); err != nil || !slices.ContainsFunc(t.States(), p.state.Equal) {
		return false
	}
	if t.End().Live() {
		return true
	}
	pays, err := q.plays().Pays(t.End(), k.winner(), k.convention())
	return err == nil && p.Lo <= pays.Lo && pays.Hi <= p.Hi
}

// valueOf claims what positions are worth.
type valueOf struct {
	values
	*resolve.ValueOf
}

func (valueOf) about() verdict.Claim { return verdict.Claim{Kind: verdict.Value} }

func (k valueOf) ofPlays() bool                                { return k.Of.From == nil }
func (k valueOf) place() *resolve.Place                        { return &k.Of }
func (k valueOf) convention() resolve.EndlessPlay              { return k.Endless }
func (k valueOf) winner() bool                                 { return false }
func (k valueOf) moves() bool                                  { return false }
func (k valueOf) decide(d *decision) (*Result, error)          { return d.decideValues(k) }
func (k valueOf) again(q question) (*enumerate.Opinion, error) { return q.valueAgain(k) }
func (k valueOf) certified(q question, r *cert.Report) error   { return q.valueCertified(k, r) }

func (k valueOf) asks(p *seenPosition) verdict.Worth {
	if k.Player == resolve.ToMove {
		return worthTo(p.Worth, max(p.state.Mover, value.First))
	}
	return worthTo(p.Worth, k.Player)
}

func (k valueOf) judge(p *seenPosition) Status { return judged(compare(k.asks(p), k.Op, k.Value)) }

func (valueOf) finds(w verdict.Worth, _ []string) verdict.Finding { return verdict.Valued{Worth: w} }

func judged(yes, no bool) Status {
	switch {
	case yes:
		return Proved
	case no:
		return Refuted
	}
	return Unknown
}

// winnerOf claims who wins positions.
type winnerOf struct {
	values
	*resolve.WinnerOf
}

func (winnerOf) about() verdict.Claim { return verdict.Claim{Kind: verdict.Winner} }

func (k winnerOf) ofPlays() bool                                { return k.Of.From == nil }
func (k winnerOf) place() *resolve.Place                        { return &k.Of }
func (k winnerOf) convention() resolve.EndlessPlay              { return k.Endless }
func (k winnerOf) winner() bool                                 { return true }
func (k winnerOf) moves() bool                                  { return false }
func (k winnerOf) decide(d *decision) (*Result, error)          { return d.decideValues(k) }
func (k winnerOf) again(q question) (*enumerate.Opinion, error) { return q.valueAgain(k) }
func (k winnerOf) certified(q question, r *cert.Report) error   { return q.valueCertified(k, r) }

// pays is what a position is worth to the first player if the player wins it.
func (k winnerOf) pays() int {
	switch k.Player {
	case value.First:
		return 1
	case value.Second:
		return -1
	}
	return 0
}

func (k winnerOf) asks(p *seenPosition) verdict.Worth { return p.Worth }

func (k winnerOf) judge(p *seenPosition) Status {
	op := rules.Eq
	if k.Not {
		op = rules.Ne
	}
	return judged(compare(k.asks(p), op, k.pays()))
}

func (winnerOf) finds(w verdict.Worth, _ []string) verdict.Finding { return verdict.WinnerOf{Worth: w} }

// bestMoves claims which moves of positions are best.
type bestMoves struct {
	values
	*resolve.BestMoves
}

func (bestMoves) about() verdict.Claim { return verdict.Claim{Kind: verdict.BestMoves} }

func (k bestMoves) ofPlays() bool                                { return k.Of.From == nil }
func (k bestMoves) place() *resolve.Place                        { return &k.Of }
func (k bestMoves) convention() resolve.EndlessPlay              { return k.Endless }
func (k bestMoves) winner() bool                                 { return false }
func (k bestMoves) moves() bool                                  { return true }
func (k bestMoves) decide(d *decision) (*Result, error)          { return d.decideValues(k) }
func (k bestMoves) again(q question) (*enumerate.Opinion, error) { return q.valueAgain(k) }
func (k bestMoves) certified(q question, r *cert.Report) error   { return q.valueCertified(k, r) }

func (k bestMoves) asks(p *seenPosition) verdict.Worth { return p.Worth }

func (k bestMoves) judge(p *seenPosition) Status {
	if p.best == nil {
		return Unknown
	}
	same := k.Are(p.best)
	return judged(same, !same)
}

// finds has the best moves of one position alone.
func (bestMoves) finds(w verdict.Worth, best []string) verdict.Finding {
	if w.Positions > 1 {
		return verdict.Best{Positions: w.Positions}
	}
	return verdict.Best{Positions: w.Positions, Moves: best}
}

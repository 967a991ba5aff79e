package claim

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/build"
)

// Claims about values are decided one position after the other. A search gives the value of a
// position or bounds for it, and bounds may be enough to decide the claim.

// worth is a claim about values of positions: the value itself, who wins, or the best moves.
type worth struct {
	usual
	claim   build.Property
	is      verdict.Kind
	of      *build.Place
	endless build.EndlessPlay
	winner  bool // only who wins matters
	moves   bool // it asks for the best moves
	// asks returns what is known of a position, for the player that the claim is about.
	asks func(p *position) verdict.Worth
	// judge returns what follows for the claim from what is known of one position.
	judge func(p *position) verdict.Status
	// finds returns the finding about positions that all satisfy the claim, or about one that does
	// not.
	finds func(w verdict.Worth, best []string) verdict.Finding
}

// valueOf claims what positions are worth.
func valueOf(p *build.ValueOf) *worth {
	asks := func(at *position) verdict.Worth {
		// Where nobody is to move, the first player's side is taken.
		if p.Player == build.ToMove {
			return worthTo(at.Worth, max(at.state.Mover, value.First))
		}
		return worthTo(at.Worth, p.Player)
	}
	return &worth{
		claim: p, is: verdict.Value, of: &p.Of, endless: p.Endless, asks: asks,
		judge: func(at *position) verdict.Status { return judged(compare(asks(at), p.Op, p.Value)) },
		finds: func(w verdict.Worth, _ []string) verdict.Finding { return verdict.Valued{Worth: w} },
	}
}

// winnerOf claims who wins positions: the value is 1, 0 or -1 to the first player.
func winnerOf(p *build.WinnerOf) *worth {
	pays := map[int]int{value.First: 1, value.Second: -1}[p.Player] // to the first player
	op := rules.Eq
	if p.Not {
		op = rules.Ne
	}
	return &worth{
		claim: p, is: verdict.Winner, of: &p.Of, endless: p.Endless, winner: true, asks: toFirst,
		judge: func(at *position) verdict.Status { return judged(compare(at.Worth, op, pays)) },
		finds: func(w verdict.Worth, _ []string) verdict.Finding { return verdict.Valued{Worth: w, Winner: true} },
	}
}

// bestMoves claims which moves of positions are best.
func bestMoves(p *build.BestMoves) *worth {
	return &worth{
		claim: p, is: verdict.BestMoves, of: &p.Of, endless: p.Endless, moves: true, asks: toFirst,
		judge: func(at *position) verdict.Status {
			if at.best == nil {
				return verdict.Unknown
			}
			same := p.Are(at.best)
			return judged(same, !same)
		},
		finds: func(w verdict.Worth, best []string) verdict.Finding {
			if w.Positions > 1 { // moves are shown only for a single position
				best = nil
			}
			return verdict.Best{Positions: w.Positions, Moves: best}
		},
	}
}

// toFirst returns what is known of a position as it is, for the first player.
func toFirst(at *position) verdict.Worth { return at.Worth }

// judged turns what is known of a claim, that it is true or that it is false, into a status.
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

// OfPlays reports whether the positions come from the starts rather than being named in the claim.
func (k *worth) OfPlays() bool { return k.of.From == nil }

// decide finds the values of the positions one by one. One position that refutes the claim decides
// it, even if earlier ones were left open.
func (k *worth) decide(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.Value)
	}
	list, err := positions(run, k.of)
	if err != nil {
		return nil, err
	}
	var stats verdict.Stats
	var left error             // the first position that is not decided; a later one may refute the claim
	var bounded []verdict.Note // why of a position that is decided no more than bounds are known
	for _, p := range list {
		why, err := k.find(run, p, &stats)
		if err != nil {
			return nil, err
		}
		judged := k.judge(p)
		if why != nil && judged != verdict.Unknown {
			bounded = []verdict.Note{verdict.EngineOpen{Engine: verdict.Forward, Why: verdict.Because(why)}}
		}
		switch judged {
		case verdict.Proved:
		case verdict.Refuted:
			return k.valued(run, verdict.Refuted, []*position{p}, k.asks(p), stats, bounded)
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
	return k.valued(run, verdict.Proved, list, k.together(list), stats, bounded)
}

// leftOpen returns the verdict if a position is undecided: with its bounds, if there are any, and
// the play to an open end that stands in the way.
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

// together returns what is known of all positions: the value of each lies within its bounds.
func (k *worth) together(list []*position) verdict.Worth {
	w := k.asks(list[0])
	for _, p := range list[1:] {
		w = both(w, k.asks(p))
	}
	return w
}

// valued returns a verdict about some positions, with evidence for all of them and a best play from
// the first.
func (k *worth) valued(run *engines.Run, s verdict.Status, list []*position, w verdict.Worth, stats verdict.Stats, notes []verdict.Note) (*result.Result, error) {
	p := list[0]
	r := run.Result(s, verdict.Forward, k.finds(w, p.best))
	r.Value, r.Stats, r.Notes = &w, stats, append(r.Notes, notes...)
	err := k.bound(run, r, list)
	if p.line == nil || err != nil {
		return r, err
	}
	r.Trace, err = run.Play(p.from, slices.Concat(p.moves, p.line.Actions))
	return r, err
}

// find fills in what is known of the value of a position, and of its best moves if they are asked
// for. If that is not everything, why is the reason. It adds the cost to stats.
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
	if open, is := errors.AsType[*value.OpenEndError](err); is {
		return nil, run.Unknown(verdict.Forward, verdict.Unfit.Says(open.Reason))
	}
	if err != nil {
		return nil, err
	}
	p.Worth, p.line, p.open = worth1(f.Lo, f.Hi), f.Line, f.Open
	if pay.Kind == value.Result { // a search that ended at a limit may give wider bounds
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
	// The best moves are known only if the value of each move is, or at least which side of the
	// position's value it lies on.
	p.after = f.Moves
	var doubt *value.MoveValue
	if p.best, doubt = bestOf(run, p.state, f); doubt == nil {
		return nil, nil
	}
	// Another search, from the position after the move in doubt, finds the reason to report.
	if f, err = value.Find(run.Ctx, run.Sys, doubt.To, pay, opts); err != nil {
		return nil, err
	}
	if f.Open != nil {
		p.open = &value.Line{Actions: append([]int{doubt.Action}, f.Open.Actions...), Endless: f.Open.Endless}
	}
	return verdict.BestUnknown{Move: run.In.Notation(doubt.Action, p.state), Rest: verdict.Because(valueOpen(f))}, nil
}

// valueOpen returns the reason why a value is not known, or nil if it is known.
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

// endlessOf gives what a play without an end is worth, for package value.
var endlessOf = map[build.EndlessPlay]value.Endless{
	build.EndlessOpen: value.NoValue, build.EndlessDraw: value.Even, build.EndlessScored: value.AsScored,
}

// payoff returns what a finished play is worth to the claim.
func (k *worth) payoff(sys *rules.System) value.Payoff {
	p := value.Payoff{Kind: value.KindOf(sys), Endless: endlessOf[k.endless]}
	if k.winner {
		p.Kind = value.Result
	}
	return p
}

// tablePayoff returns the payoff that a table must have to be used for the claim. Tables have
// margins, which also say who wins.
func (k *worth) tablePayoff(sys *rules.System) value.Payoff {
	p := k.payoff(sys)
	p.Kind = value.Margin
	return p
}

// valueOptions returns the limits of a search for a value. spent is how many states earlier
// searches for the same claim have visited.
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

// bestOf lists the notations of the moves that keep the value of a position, which must be known.
// If the bounds of a move allow both that it does and that it does not, best is nil and doubt is
// that move.
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

// Again declines: only strategies show it.
func (k *worth) Again(q confirm.Question) (*enumerate.Opinion, error) { return q.ByStrategies() }

// Certified checks that what the verdict says follows from the values that the certificate shows.
func (k *worth) Certified(q confirm.Question, report *cert.Report) error {
	var list []*position
	for _, c := range report.Positions {
		list = append(list, &position{state: c.State, Worth: shownWorth(c.Worth), best: c.Best})
	}
	return k.confirms(q, list)
}

// shownWorth returns the bounds that certificates give for the value of one position.
func shownWorth(i num.Interval) verdict.Worth {
	w := worth1(i.Lo, i.Hi)
	if i.Lo == -num.Inf {
		w.Lo = value.NoLower
	}
	if i.Hi == num.Inf {
		w.Hi = value.NoUpper
	}
	return w
}

// confirms checks what a verdict says besides its status. It has to be true of all positions
// together if the claim is proved, and of a position that refutes the claim otherwise.
func (k *worth) confirms(q confirm.Question, list []*position) error {
	r := q.Result
	is := func(p *position, all verdict.Worth) bool {
		return r.Value != nil && r.Value.Positions == all.Positions && r.Value.Player == all.Player && all.Within(*r.Value) &&
			verdict.Same(r.Found, k.finds(*r.Value, p.best)) && k.line(q, p)
	}
	together := k.together(list)
	for _, p := range list { // the play starts at one of them; their order need not be that of the engines
		if r.Status == verdict.Proved && is(p, together) || k.judge(p) == verdict.Refuted && is(p, k.asks(p)) {
			return nil
		}
	}
	return confirm.Refuse("something else than `%s` is true of the positions, or of the play", r.Sentence())
}

// line reports whether the verdict's play, if there is one, is legal, passes through the position,
// and ends with a worth within the position's bounds. A play that does not end is not judged.
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
	pays, err := cert.WorthOfEnd(q.Ctx, q.Sys, k.claim, t.End())
	return err == nil && shownWorth(pays).Within(p.Worth)
}

// worth1 returns bounds for the value of one position, to the first player.
func worth1(lo, hi int) verdict.Worth {
	return verdict.Worth{Player: value.First, Lo: lo, Hi: hi, Positions: 1}
}

// Package verdict must use the same numbers for a missing bound as package value. The index is out
// of range at compile time if it does not.
var _ = [1]int{}[value.NoLower-verdict.NoLower+value.NoUpper-verdict.NoUpper]

// worthTo turns a value for the first player into one for the given player.
func worthTo(w verdict.Worth, player int) verdict.Worth {
	if player == value.Second {
		w = w.Negated()
	}
	w.Player = player
	return w
}

// both returns bounds for positions taken together. If they are for different players, the result
// is for whoever is to move.
func both(b, c verdict.Worth) verdict.Worth {
	if b.Player != c.Player {
		b.Player = build.ToMove
	}
	return verdict.Worth{Player: b.Player, Lo: min(b.Lo, c.Lo), Hi: max(b.Hi, c.Hi), Positions: b.Positions + c.Positions}
}

// compare reports whether every number within the bounds satisfies the comparison with n, or none
// does. A missing bound allows any number on its side.
func compare(b verdict.Worth, op rules.Op, n int) (all, none bool) {
	numbers := num.Anything
	if lo, known := b.AtLeast(); known {
		numbers.Lo = lo
	}
	if hi, known := b.AtMost(); known {
		numbers.Hi = hi
	}
	is := abstract.Apply(op, numbers, num.Point(n))
	return is == num.Point(1), is == num.Point(0)
}

// Claims about values may be decided with endgame tables. Their entries are believed and not
// checked again, so a verdict that used any names the tables (Verdict.Trusted).

// MayTrust lists the tables that a verdict on inst may rely on, so that a kept verdict is known to
// be outdated when they change. There are several only if parameters are open: then it lists those
// of all games of the variant.
func MayTrust(tables *endgame.Library, inst *build.Instance) []verdict.Table {
	k, ok := KindOf(inst.System, inst.Property).(*worth)
	if !ok || tables == nil {
		return nil
	}
	if len(inst.System.OpenParams()) > 0 {
		return lists.Map(tables.Sources(inst.System.Name), func(s endgame.Source) verdict.Table { return verdict.Table(s) })
	}
	if s, ok := tables.Source(inst.System, k.tablePayoff(inst.System)); ok {
		return []verdict.Table{verdict.Table(s)}
	}
	return nil
}

// Refused returns the reasons why no table is used for a claim about values. It returns nil if one
// is used, if there are no tables, and if parameters are open.
func Refused(tables *endgame.Library, inst *build.Instance) []error {
	k, ok := KindOf(inst.System, inst.Property).(*worth)
	if !ok || tables == nil || len(inst.System.OpenParams()) > 0 || len(MayTrust(tables, inst)) > 0 {
		return nil
	}
	return tables.Refusals(inst.System, k.tablePayoff(inst.System))
}

// trust notes that the verdict relies on a table.
func trust(run *engines.Run, t *endgame.Table) {
	if s := verdict.Table(t.Source()); !slices.Contains(run.Trusted, s) {
		run.Trusted = append(run.Trusted, s)
	}
}

// Renamed replaces tables of a kept verdict by those with the same contents in now, since their
// files may have been renamed.
func Renamed(kept, now []verdict.Table) []verdict.Table {
	for i, s := range kept {
		if n := slices.IndexFunc(now, func(t verdict.Table) bool { return t.SHA256 == s.SHA256 }); n >= 0 {
			kept[i] = now[n]
		}
	}
	return kept
}

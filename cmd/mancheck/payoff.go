package main

import (
	"errors"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
)

// payoffFlags say what a play is worth.
type payoffFlags struct {
	Payoff  string `enum:"auto,margin,result" default:"auto" help:"What a play is worth to the first player: margin, the score less that of the other player; or result, 1 for a win, 0 for a draw, -1 for a loss. auto is the margin if the rules have a score and every ending leaves the winner to it."`
	Endless string `enum:"open,even,scored" default:"open" help:"What a play is worth that never ends: even, 0; scored, as the score stands, or from the least score to the greatest if it still changes; open, nothing is assumed, and a value that depends on it is not known. Rules that say what follows where a position comes back decide it themselves."`
}

// endlessKinds has the values of --endless.
var endlessKinds = map[string]value.Endless{"open": value.NoValue, "even": value.Even, "scored": value.AsScored}

var payoffKinds = map[string]value.Kind{"margin": value.Margin, "result": value.Result}

// of returns the payoff for a game.
func (f payoffFlags) of(sys *rules.System) value.Payoff {
	kind, given := payoffKinds[f.Payoff]
	if !given {
		kind = value.KindOf(sys)
	}
	return value.Payoff{Kind: kind, Endless: worth.Endless(sys, endlessKinds[f.Endless])}
}

// valueFlags are the options of commands that find values.
type valueFlags struct {
	positionFlags
	payoffFlags `group:"values"`
	Seed        uint64 `default:"1" placeholder:"N" help:"Seed of the random numbers with which a start is dealt, if the setup leaves several: the same one deals the same. 1 by default."`
	tablesFlag  `group:"values"`
	workFlags   `group:"limits"`
	formatFlag
}

// valued is a position with what was found out about its value.
type valued struct {
	s *session
	*placement
	flags *valueFlags
	table *endgame.Source // the table that was used; nil if none was
	worth.Scale
	*value.Found
	estimate *estimated // where a limit has kept the value from being found; nil: there is none
}

// find finds the value of the position that the flags select and, with moves, of each move.
func (f *valueFlags) find(s *session, path string, moves bool) (*valued, error) {
	at, err := place(s, path, f.gameFlags, f.Board, f.State, f.Seed)
	if err != nil {
		return nil, err
	}
	if at.dealer != nil {
		s.note("the setup leaves several starts; this one was dealt with --seed %d:\n%s", at.seed, board.Rows(at.in.System(), at.st, board.Options{}))
	}
	in, st := at.in, at.st
	p := f.of(in.System())
	if p.Endless == value.AsScored && in.System().Scores == nil {
		return nil, explainValue(in.System(), &value.OpenEndError{Reason: in.System().Name + " has no `score`"})
	}
	opts := value.Options{Bounds: f.bounds(), Moves: moves}
	tables, err := f.openTables(s)
	if err != nil {
		return nil, err
	}
	table, err := s.largest(tables, in.System(), p)
	if err != nil {
		return nil, err
	}
	if table != nil {
		opts.Tables = table
	}
	v := &valued{s: s, placement: at, flags: f, Scale: worth.Scale{Sys: in.System(), Kind: p.Kind}}
	opts.Observer = s.progress.Observer(func(p limit.Progress) string { return v.Scale.Bounds(p.Lo, p.Hi) + ", " + pace(p, "nodes") })
	ctx, stop := limit.Most(s.ctx, estimateShare) // so that some time is left for an estimate
	v.Found, err = value.Find(ctx, v.Sys, st, p, opts)
	stop()
	if err == nil {
		err = v.guess(p, opts)
	}
	s.done()
	// A play that stops without a worth is an error of the rules, unless it never ends.
	if err == nil && v.Open != nil && !v.Open.Endless {
		err = &value.OpenEndError{Reason: v.Reason, Trace: &forward.Trace{Start: st, Actions: v.Open.Actions}}
	}
	if err != nil {
		return nil, explainValue(in.System(), err)
	}
	if table != nil {
		if err := table.Err(); err != nil {
			return nil, explainTable(in.System(), err)
		}
	}
	if v.Looked > 0 {
		v.table = new(table.Source())
	}
	return v, nil
}

// explainValue turns an error about the value of a game into a diagnostic.
func explainValue(sys *rules.System, err error) error {
	var open *value.OpenEndError
	switch {
	case errors.Is(err, value.ErrPlayers):
		return diag.Errorf(diag.NoWorth, sys.Start.At, "`%s` has %d players: %v", sys.Name, len(sys.Players), err)
	case !errors.As(err, &open):
		return fault.Explain(sys, err)
	}
	diags := diag.Errorf(diag.NoWorth, sys.Start.At, "%s", open.Reason).
		WithHelp("--payoff and --endless say what plays are worth; `mancheck help %s` has more", diag.NoWorth)
	if open.Trace != nil {
		noWorthAfter(&diags[0], sys, open.Trace)
	}
	return diags
}

// noWorthAfter adds the play after which the worth is unknown. If play is stuck there, it suggests
// an ending; if it is over, the diagnostic points to the outcome.
func noWorthAfter(d *diag.Diagnostic, sys *rules.System, t *forward.Trace) {
	in := interp.New(sys)
	moves, end, err := fault.Follow(in, *t)
	if err != nil {
		return // the search would have reported this fault
	}
	if steps, err := in.Steps(end); end.Live() && err == nil && len(steps) == 0 {
		d.WithHelp("an ending such as `end when no move` says that the game is over there")
	} else if !end.Live() && sys.Outcomes[end.Outcome].At != (diag.Range{}) {
		d.Range = sys.Outcomes[end.Outcome].At
	}
	d.Notes = append(d.Notes, fault.OccursAfter(sys, moves, t.Start))
}

// exact returns a value for JSON, or null if it is not known.
func exact(lo, hi int) any {
	if lo != hi {
		return nil
	}
	return lo
}

// boundsJSON returns bounds for JSON, with null for a missing one.
func boundsJSON(lo, hi int) [2]any {
	var list [2]any
	if lo > value.NoLower {
		list[0] = lo
	}
	if hi < value.NoUpper {
		list[1] = hi
	}
	return list
}

// head returns the first members of the object that JSON output has for a value.
func (v *valued) head() report.Object {
	out := report.Object{
		{Name: "value", Value: exact(v.Lo, v.Hi)},
		{Name: "bounds", Value: boundsJSON(v.Lo, v.Hi)},
	}
	if len(v.Sys.Players) > 1 {
		out = out.With("to", v.Sys.Players[value.First])
	}
	return append(out, v.start()...).With("payoff", worth.KindName(v.Kind)).With("endless", v.flags.Endless)
}

// tail returns the last members of that object.
func (v *valued) tail() report.Object {
	out := report.Object{
		{Name: "method", Value: v.Method},
		{Name: "nodes", Value: v.Nodes},
		{Name: "seconds", Value: v.Seconds},
	}
	out = out.If(v.table != nil, "table", v.table).If(!v.Known(), "reason", v.Reason)
	if e := v.estimate; e != nil && !v.Known() {
		out = out.With("estimate", report.Object{{Name: "score", Value: e.Score}, {Name: "depth", Value: e.Depth}, {Name: "line", Value: e.line}})
	}
	return out
}

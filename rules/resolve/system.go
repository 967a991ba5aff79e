package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// System resolves a variant with parameters. Those in open keep no value: the System holds for all
// values of their range at once. The System is usable only if the diagnostics hold no error.
func (u *Unit) System(v *ast.Variant, given Settings, open ...string) (*rules.System, diag.List) {
	var diags diag.List
	b := u.build(v, game{settings: given, open: open}, &diags)
	diags.Sort()
	return b.sys, diags
}

// Whole is System with all laps and relations that follow from the picture of the board, also those
// that nothing uses. It shows a board, and asks for no setup and no moves.
func (u *Unit) Whole(v *ast.Variant, given Settings) (*rules.System, diag.List) {
	var diags diag.List
	b := u.build(v, game{settings: given, whole: true}, &diags)
	diags.Sort()
	return b.sys, diags
}

// game is a way to play a variant: with parameters, of which some may be left open, following a
// strategy, beginning at a position. Its board has what its claim asks for, or the whole of what
// follows from the picture.
type game struct {
	settings  Settings
	open      []string
	following *ast.Strategy
	begin     *ast.Position
	here      *here
	board     *boardLine
	claim     *ast.Claim
	whole     bool
}

// resolved is a System that is made, with what its claims need to know of it.
type resolved struct {
	*scope
	derived map[string]derived // what follows from the picture, if it is used
	goesOn  bool               // moves go on
}

// build resolves the parts of a variant in the order in which they need each other. A board with
// faults would make every later line a fault too, so it ends there.
func (u *Unit) build(v *ast.Variant, g game, diags *diag.List) *resolved {
	own := &diag.List{}
	s := newScope(u, v, &rules.System{Name: v.Name.Name, File: u.files[v]}, own)
	s.claim = g.claim
	b := &resolved{scope: s}
	defer func() { *diags = append(*diags, *own...); s.diags = diags }()
	acts := &actions{scope: s, bodies: &bodies{}, following: g.following, whole: g.whole}
	begins := &opening{scope: s, begin: g.begin, here: g.here, laid: g.board, whole: g.whole}
	for _, phase := range []func(){
		func() { s.defines(); newParameters(s, g.settings, g.open).params() },
		s.players,
		func() { board := newDrawing(s, g.whole); board.board(); b.derived = board.derived },
		func() {
			s.ownersKnown = true
			begins.state = newVariables(s)
			begins.state.stateVars()
			acts.goesOn()
			b.goesOn = acts.going != nil
			begins.state.defaults()
			begins.beginVars()
		},
		func() { begins.setup(); acts.moves(); acts.reactions(); acts.scores(); acts.endless() },
	} {
		s.bounded(phase)
		if own.HasErrors() {
			return b
		}
	}
	acts.remark(u)
	return b
}

// endless adds the outcome that every System has last.
func (a *actions) endless() {
	a.sys.Outcomes = append(a.sys.Outcomes, rules.Outcome{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome})
}

// For picks the settings that concern v. Settings that no variant of the unit knows are reported.
func (u *Unit) For(v *ast.Variant, given Settings, diags *diag.List) Settings {
	known := map[string]bool{}
	var all []string
	for _, w := range u.Variants {
		for _, name := range ParamNames(w) {
			known[name] = true
			all = append(all, name)
		}
	}
	own := map[string]bool{}
	for _, name := range ParamNames(v) {
		own[name] = true
	}
	out := Settings{}
	for name, val := range given {
		switch {
		case own[name]:
			out[name] = val
		case !known[name]:
			suggest(diags.Errorf(diag.UnknownParam, val.At, "no variant has a parameter `%s`", name), name, all)
		}
	}
	return out
}

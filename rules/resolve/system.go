package resolve

import (
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// System resolves a variant with parameters. Parameters in open get no value: the System holds for
// all values of their range at once. The System may be used only if the diagnostics hold no error.
func (u *Unit) System(v *ast.Variant, given Settings, open ...string) (*rules.System, diag.List) {
	var diags diag.List
	b := u.build(v, game{settings: given, open: open}, &diags)
	diags.Sort()
	return b.sys, diags
}

// Whole is System with all laps and relations that follow from the picture of the board, whether
// used or not. It is for showing a board, so the setup and the moves may be missing.
func (u *Unit) Whole(v *ast.Variant, given Settings) (*rules.System, diag.List) {
	var diags diag.List
	b := u.build(v, game{settings: given, whole: true}, &diags)
	diags.Sort()
	return b.sys, diags
}

// Board is Whole without variables, setup and moves. Mistakes in these do not matter.
func (u *Unit) Board(v *ast.Variant, given Settings) (*rules.System, diag.List) {
	var diags diag.List
	s := u.scope(v, &diags)
	s.carryOut(boardOf(s, game{settings: given, whole: true}))
	diags.Sort()
	return s.sys, diags
}

// game is how a variant is played: with which parameters, some of which may be open, by which
// strategy, and from where.
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

// resolved is a System with what claims about it need to know.
type resolved struct {
	*scope
	goesOn bool // some move uses `go on`
}

// build resolves the parts of a variant in the order in which they depend on each other. It stops
// after a part with mistakes: a faulty board, for one, would make every later line a mistake too.
func (u *Unit) build(v *ast.Variant, g game, diags *diag.List) *resolved {
	own := &diag.List{}
	s := u.scope(v, own)
	s.claim = g.claim
	b := &resolved{scope: s}
	defer func() { *diags = append(*diags, withMistakes(*own, s.bound.Mistakes)...); s.diags = diags }()
	acts := &actions{scope: s, bodies: &bodies{}, following: g.following, whole: g.whole}
	begins := &opening{scope: s, begin: g.begin, here: g.here, laid: g.board, whole: g.whole}
	done := s.carryOut(append(boardOf(s, g),
		func() {
			s.ownersKnown = true
			begins.state = newVariables(s)
			begins.state.stateVars()
			acts.goesOn()
			b.goesOn = acts.going != nil
			begins.state.defaults()
			begins.beginVars()
		},
		func() {
			begins.setup()
			s.adopt(g.following)
			acts.moves()
			acts.reactions()
			acts.scores()
			acts.endless()
		},
	))
	if done {
		acts.remark(u.Remarks)
	}
	return b
}

// scope returns the scope of a System of a variant that is still empty.
func (u *Unit) scope(v *ast.Variant, diags *diag.List) *scope {
	return newScope(u.Context, u.bound[v], &rules.System{Name: v.Name.Name, File: u.bound[v].File}, diags)
}

// boardOf lists what is to be done for the board of a game.
func boardOf(s *scope, g game) []func() {
	return []func(){
		func() { newParameters(s, g.settings, g.open).params() },
		s.players,
		func() { newDrawing(s, g.whole).board() },
	}
}

// For selects the settings that concern v. Settings for no variant of the unit are reported.
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
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch val := given[name]; {
		case own[name]:
			out[name] = val
		case !known[name]:
			bind.Suggest(diags.Errorf(diag.UnknownParam, val.At, "no variant has a parameter `%s`", name), name, all)
		}
	}
	return out
}

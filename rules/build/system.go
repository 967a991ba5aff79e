package build

import (
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/body"
	"github.com/mancheck/mancheck/rules/build/term"
)

// System resolves a variant with parameters. Parameters in open get no value: the System holds for
// all values of their range at once. The System may be used only if the diagnostics hold no error.
func (u *Unit) System(v *ast.Variant, given board.Settings, open ...string) (*rules.System, diag.List) {
	return u.system(v, game{settings: given, open: open})
}

func (u *Unit) system(v *ast.Variant, g game) (*rules.System, diag.List) {
	var diags diag.List
	b := u.build(v, g, &diags)
	diags.Sort()
	return b.Sys, diags
}

// SettingsOf returns the values of the parameters of a System, without those that are open. at is
// where diagnostics say that they were given.
func SettingsOf(sys *rules.System, at diag.Range) Settings {
	given := Settings{}
	for _, p := range sys.Params {
		if !p.Open {
			given[p.Name] = Value{N: p.Value, Bool: p.Bool, At: at}
		}
	}
	return given
}

// Marked is System with marks of what is carried out; nil after a mistake.
func (u *Unit) Marked(v *ast.Variant, given board.Settings) (m *rules.Marked, diags diag.List) {
	_, diags = u.system(v, game{settings: given, marked: &m})
	return m, diags
}

// Whole is System with all laps and relations that follow from the picture of the board, whether
// used or not. It is for showing a board, so the setup and the moves may be missing.
func (u *Unit) Whole(v *ast.Variant, given board.Settings) (*rules.System, diag.List) {
	return u.system(v, game{settings: given, whole: true})
}

// Board is Whole without variables, setup and moves. Mistakes in these do not matter.
func (u *Unit) Board(v *ast.Variant, given board.Settings) (*rules.System, diag.List) {
	var diags diag.List
	s := u.scope(v, &diags)
	s.CarryOut(boardOf(s, game{settings: given, whole: true}))
	diags.Sort()
	return s.Sys, diags
}

// game is how a variant is played: with which parameters, some of which may be open, by which
// strategy, and from where.
type game struct {
	settings  board.Settings
	open      []string
	following *ast.Strategy
	begin     *ast.Position
	here      *body.Here
	board     *body.BoardLine
	claim     *ast.Claim
	whole     bool
	marked    **rules.Marked // gets the System with marks; nil: it has none
}

// build resolves the parts of a variant in the order in which they depend on each other. It stops
// after a part with mistakes: a faulty board, for one, would make every later line a mistake too.
func (u *Unit) build(v *ast.Variant, g game, diags *diag.List) *term.Scope {
	own := &diag.List{}
	s := u.scope(v, own)
	s.Claim = g.claim
	defer func() { *diags = append(*diags, term.WithMistakes(*own, s.Bound.Mistakes)...); s.Run.Diags = diags }()
	acts := &body.Actions{Game: s, Bodies: &body.Bodies{}, Following: g.following, Whole: g.whole}
	if g.marked != nil {
		acts.Marking()
	}
	begins := &body.Opening{Game: s, Begin: g.begin, Here: g.here, Laid: g.board, Whole: g.whole}
	done := s.CarryOut(append(boardOf(s, g),
		func() {
			s.OwnersKnown = true
			begins.State = board.StateVars(s)
			acts.GoesOn()
			begins.State.Defaults()
			begins.BeginVars()
		},
		func() {
			// What is built with one meaning of a name would have mistakes that the other has not.
			if slices.ContainsFunc(s.Bound.Mistakes, func(d diag.Diagnostic) bool { return d.Code == diag.Duplicate }) {
				return
			}
			begins.Setup()
			s.Adopt(g.following)
			acts.Moves()
			acts.Reactions()
			acts.Scores()
			acts.Endless()
		},
	))
	if done {
		acts.Remark(u.Remarks)
		if g.marked != nil {
			*g.marked = acts.Marked()
		}
	}
	return s
}

// scope returns the scope of a System of a variant that is still empty.
func (u *Unit) scope(v *ast.Variant, diags *diag.List) *term.Scope {
	return term.NewScope(u.Context, u.bound[v], &rules.System{Name: v.Name.Name, File: u.bound[v].File}, diags)
}

// boardOf lists what is to be done for the board of a game.
func boardOf(s *term.Scope, g game) []func() {
	return []func(){
		func() { board.Params(s, g.settings, g.open) },
		s.Players,
		func() { board.Draw(s, g.whole) },
	}
}

// For selects the settings that concern v. Settings for no variant of the unit are reported.
func (u *Unit) For(v *ast.Variant, given board.Settings, diags *diag.List) board.Settings {
	own := ParamNames(v)
	all := lists.Flat(u.Variants, ParamNames)
	out := board.Settings{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch val := given[name]; {
		case slices.Contains(own, name):
			out[name] = val
		case !slices.Contains(all, name):
			bind.Suggest(diags.Errorf(diag.UnknownParam, val.At, "no variant has a parameter `%s`", name), name, all)
		}
	}
	return out
}

package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/ask"
	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/drawing"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Game is a variant with parameters, and a play of it.
type Game struct {
	Variant string          `json:"variant"` // empty: the only one
	Params  map[string]any  `json:"params"`  // numbers and truth values; others are the defaults
	Start   json.RawMessage `json:"start"`   // a state; null: a start of the setup
	Setup   int             `json:"setup"`   // which of its starts, of those with a legal move
	Moves   []string        `json:"moves"`
}

// Position is a play, and what can be done at its end.
type Position struct {
	Title   string          `json:"title"`
	Variant string          `json:"variant"`
	Params  json.RawMessage `json:"params"`
	Players []string        `json:"players"`
	Start   json.RawMessage `json:"start"`
	Steps   []Step          `json:"steps"`
	Status  string          `json:"status"`           // of the last state, in words
	Ending  string          `json:"ending,omitempty"` // why play ends there although the game is not over
	Over    bool            `json:"over"`
	Mover   string          `json:"mover,omitempty"`
	Scores  []Score         `json:"scores,omitempty"`
	Legal   []Step          `json:"legal"`
	Claims  []string        `json:"claims"`            // that can be asked
	Setup   int             `json:"setup"`             // which start it is
	Several bool            `json:"several,omitempty"` // the setup has other starts
	Cut     string          `json:"cut,omitempty"`     // why the rest of the moves was not played
	Worth   string          `json:"worth,omitempty"`   // what values are of: margin or result
	Layout  *drawing.Layout `json:"layout"`
}

// Step is a move and what it does.
type Step struct {
	Move   string          `json:"move"`
	Label  string          `json:"label,omitempty"`
	Player string          `json:"player,omitempty"`
	Pit    string          `json:"pit,omitempty"` // that it begins with
	Moved  []Moved         `json:"moved"`
	State  json.RawMessage `json:"state"`
}

// Moved is seeds that change their place, as Interp.Account tells it. The hand is null.
type Moved struct {
	From  *string      `json:"from"`
	Into  *string      `json:"into"`
	Seeds int          `json:"seeds"`
	At    *editor.Span `json:"at,omitempty"` // the rule, if it is in the text
}

// Score is what a player has.
type Score struct {
	Player string `json:"player"`
	Score  int    `json:"score"`
}

// play is a game with the states it has come through.
type play struct {
	src     *source
	in      *interp.Interp
	sys     *rules.System
	states  []rules.State
	setup   int
	several bool
}

// play makes the moves of a game, as far as they are legal. cut says why one is not.
func (d *Desk) play(ctx context.Context, s Source, g Game) (p *play, steps []Step, cut error, err error) {
	ctx = d.reading(ctx)
	p = &play{}
	if p.src, p.sys, err = d.game(ctx, s, g); err != nil {
		return nil, nil, nil, err
	}
	p.in = interp.New(p.sys).Within(ctx)
	start, err := p.start(ctx, g)
	if err != nil {
		return nil, nil, nil, err
	}
	p.states = []rules.State{start}
	for _, move := range g.Moves {
		step, err := p.make(move)
		if err != nil {
			return p, steps, err, nil
		}
		steps = append(steps, step)
	}
	return p, steps, nil, nil
}

// whole makes all moves of a game.
func (d *Desk) whole(ctx context.Context, s Source, g Game) (*play, error) {
	p, _, cut, err := d.play(ctx, s, g)
	return p, cmp.Or(err, cut)
}

// game reads a text, and resolves the variant that a game is of.
func (d *Desk) game(ctx context.Context, s Source, g Game) (*source, *rules.System, error) {
	src, err := d.usable(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	given := build.Settings{}
	for name, v := range g.Params {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, nil, err
		}
		if string(text) == "null" {
			continue // an open one
		}
		value, err := build.ParseValue(string(text))
		if err != nil {
			return nil, nil, err
		}
		given[name] = value
	}
	sys, diags := src.File.System(g.Variant, given)
	return src, sys, diags.Err()
}

// start is the state that play begins with: a given one, or one of the setup. Those without a legal
// move are passed over if there are others; after the last one the first comes again.
func (p *play) start(ctx context.Context, g Game) (rules.State, error) {
	if len(g.Start) > 0 && string(g.Start) != "null" {
		return board.ReadState(p.sys, g.Start)
	}
	var stuck, found []rules.State // found ones have a legal move
	err := space.Starts(ctx, p.in, func(st rules.State) error {
		if can, err := p.in.CanMove(st); !can || err != nil {
			if stuck == nil {
				stuck = append(stuck, st.Clone())
			}
			return nil
		}
		if found = append(found, st.Clone()); len(found) > min(g.Setup, mostStarts)+1 {
			return space.ErrStop
		}
		return nil
	})
	switch {
	case len(found) > 0:
		p.setup, p.several = max(0, g.Setup)%len(found), len(found) > 1
		return found[p.setup], nil
	case stuck != nil:
		return stuck[0], nil
	case err != nil:
		return rules.State{}, err
	}
	return rules.State{}, input.NoStart(p.sys)
}

// mostStarts bounds the starts that can be looked at.
const mostStarts = 1000

func (p *play) last() rules.State { return p.states[len(p.states)-1] }

// legal lists the moves of the last state.
func (p *play) legal() ([]interp.Step, error) {
	steps, err := p.in.Steps(p.last())
	return p.in.InPlay(p.states, steps), err
}

// make makes a move.
func (p *play) make(move string) (Step, error) {
	s, err := p.in.Follow(p.states, 1, move)
	if err != nil {
		return Step{}, err
	}
	if _, err := p.legal(); err != nil { // a fault of another move
		return Step{}, err
	}
	out := p.tell(s)
	p.states = append(p.states, s.To)
	return out, nil
}

// tell tells what a legal move of the last state does.
func (p *play) tell(s interp.Step) Step {
	st := p.last()
	out := Step{
		Move: p.in.Notation(s.Action, st), Player: p.player(st.Mover), Moved: []Moved{}, State: board.StateJSON(p.sys, s.To),
	}
	if s.Action == interp.Offer {
		return out
	}
	out.Pit = p.chosen(s.Action)
	if drawing.OnlyLabel(p.sys) == "" {
		out.Label = p.sys.Actions[s.Action].Label
	}
	if st.Total() > mostSeeds {
		return out
	}
	moved, err := p.in.Account(st, s.Action)
	if err != nil || len(moved) > mostMoved {
		return out
	}
	for i, m := range moved {
		if i == 0 && m.From != rules.None && out.Pit == "" {
			out.Pit = *p.pit(m.From)
		}
		one := Moved{From: p.pit(m.From), Into: p.pit(m.Into), Seeds: m.Seeds}
		if m.At.File == p.src.Source.Path && !m.At.IsZero() {
			one.At = new(p.src.Span(m.At))
		}
		out.Moved = append(out.Moved, one)
	}
	return out
}

// A move of a board with more seeds, or in which seeds move more often, is shown without its parts.
const mostSeeds, mostMoved = 5000, 2000

// chosen is the pit that an action chooses, or empty.
func (p *play) chosen(action int) string {
	for _, c := range p.sys.Actions[action].Choices {
		if c.Type == rules.PitType && c.Value != rules.None {
			return p.sys.Pits[c.Value].Name
		}
	}
	return ""
}

func (p *play) pit(pit int) *string {
	if pit == rules.None {
		return nil
	}
	return &p.sys.Pits[pit].Name
}

func (p *play) player(player int) string {
	if player == rules.None {
		return ""
	}
	return p.sys.Players[player]
}

// position plays a game, and describes the play and its end.
func (d *Desk) position(ctx context.Context, s Source, g Game) (*Position, error) {
	p, steps, cut, err := d.play(ctx, s, g)
	if err != nil {
		return nil, err
	}
	st := p.last()
	trace := &rules.Trace{System: p.sys, Start: p.states[0]}
	for i, s := range steps {
		trace.Steps = append(trace.Steps, rules.TraceStep{Move: s.Move, Label: s.Label, State: p.states[i+1]})
	}
	out := &Position{
		Title: strings.TrimSpace(p.sys.Name + "  " + report.Params(p.sys)), Variant: p.sys.Name, Params: board.ParamsJSON(p.sys), Players: p.sys.Players, Start: board.StateJSON(p.sys, p.states[0]),
		Steps: append([]Step{}, steps...), Status: board.Status(p.sys, st), Ending: report.Ending(trace), Over: !st.Live(),
		Mover: p.player(st.Mover), Scores: p.scores(), Legal: []Step{}, Claims: append([]string{}, p.asker().Claims()...), Setup: p.setup, Several: p.several, Worth: worth.KindName(scale(p.sys).Kind),
		Layout: drawing.LayoutOf(p.sys),
	}
	if cut != nil {
		out.Cut = diag.FromError(cut)[0].Message
	}
	if !st.Live() {
		return out, nil
	}
	legal, err := p.legal()
	if err != nil {
		return nil, err
	}
	out.Legal = append(out.Legal, lists.Map(legal, p.tell)...)
	return out, nil
}

// scores lists the scores; it is empty where one has no value.
func (p *play) scores() []Score {
	var list []Score
	scores, _ := p.in.Scores(p.last())
	for i, n := range scores {
		list = append(list, Score{p.sys.Players[i], n})
	}
	return list
}

// asker asks claims of the position.
func (p *play) asker() *ask.Asker { return &ask.Asker{File: p.src.File, Game: p.in} }

// scale is what values of the game are of.
func scale(sys *rules.System) worth.Scale { return worth.Scale{Sys: sys, Kind: value.KindOf(sys)} }

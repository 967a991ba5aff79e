package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Replay plays the moves of a trace, which is JSON as docs/cli.md describes it, in the game of the
// claim, and compares every state; for a claim about reachable states or steps it also checks that
// the play shows what it should. A claim that compares two games has two plays; the second one does
// not follow the claim's strategy. `last` and `origin` are compared if the trace has them.
func Replay(f *ast.File, claim *ast.Claim, trace []byte) error {
	return ReplayIn([]*ast.File{f}, claim, trace, false)
}

// ReplayIn is Replay for a claim of the last of files. other says that it is the second of two
// plays: that of the variant that the claim names, or one that wins where a strategy does not.
func ReplayIn(files []*ast.File, claim *ast.Claim, trace []byte, other bool) error {
	return New(files, Limits{}).Replay(claim, trace, other)
}

// Replay is ReplayIn with the games that were explored for decisions. If a limit ends it, there is
// no error.
func (o *Judge) Replay(claim *ast.Claim, trace []byte, other bool) (err error) {
	var t traceJSON
	dec := json.NewDecoder(bytes.NewReader(trace))
	dec.UseNumber()
	if err := dec.Decode(&t); err != nil {
		return err
	}
	d := &decision{claim: claim, lim: o.lim, games: o.games}
	v := d.guard(func() verdict { err = d.replay(o.files, &t, other); return verdict{} })
	if v.why != "" && v.truth != Open {
		return fmt.Errorf("%v: %s", v.truth, v.why)
	}
	return err
}

// traceJSON is the format of docs/cli.md. The judge reads it with types of its own.
type traceJSON struct {
	Variant string
	Params  map[string]any
	Start   stateJSON
	Steps   []struct {
		Move, Label string
		State       stateJSON
	}
}

type stateJSON struct {
	Pits    map[string]json.Number
	Control map[string]any
}

// replay plays the moves one after another. A parameter that the trace leaves open keeps its
// default.
func (d *decision) replay(files []*ast.File, t *traceJSON, other bool) error {
	list := d.prepare(files)
	s := list[0]
	s.values = map[string]value{}
	open := false
	for name, v := range t.Params {
		switch v := v.(type) {
		case bool:
			s.values[name] = truth(v)
		case json.Number:
			s.values[name] = number(readNum(v.String()))
		case nil:
			open = true // the play is the same for any value
		default:
			return fmt.Errorf("parameter %s is %v", name, v)
		}
	}
	if w, ok := d.claim.Property.(*ast.StrategyWins); ok && !other {
		s.following = d.file.strategy(w.Strategy.Name, d.variant)
	}
	v := d.file.variants[t.Variant]
	if v == nil {
		return fmt.Errorf("unknown variant %s", t.Variant)
	}
	if _, compares := d.claim.Property.(*ast.Relation); compares && other {
		s.following = nil
	}
	g := d.file.newGame(v, s, d.budget, d.lim)
	at, err := g.read(t.Start, nil)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	first := at
	been := map[string]bool{}
	var before *state
	var last *step
	for i, st := range t.Steps {
		step := g.match(at, st.Move, st.Label, st.State)
		if step == nil {
			return fmt.Errorf("move %d: no step of %s is written %q, labelled %q, and leads to %v", i+1, g.show(at), st.Move, st.Label, st.State)
		}
		been[at.position()] = true
		before, at, last = at, step.to, step
	}
	if g.remembers() && at.live() && been[at.position()] {
		at = at.clone()
		g.over(at) // by the rule of repetition, which may be offered
	}
	if other || v != d.variant || open {
		return nil
	}
	return d.play(v, s).shown(first, before, at, last)
}

// shown fails if a play does not show what the play of a claim of this kind has to. It accepts any
// play of other kinds.
func (c *oneCase) shown(first, before, at *state, last *step) error {
	start, shows := true, true
	switch p := c.claim.Property.(type) {
	case *ast.Reach:
		start = c.view().start(first)
		shows = c.tester(p.Target)(at) == (p.Kind != "invariant")
	case *ast.NeverStuck:
		start = c.view().start(first)
		shows = c.stuck(at) || at.outcome == len(c.outcomes)
	case *ast.EveryStep:
		start = p.All || c.view().start(first)
		shows = last != nil && last.by(p.By) && c.tester(p.From)(before) && !c.givesTester(p.Gives)(before, last)
	case *ast.Terminates, *ast.CanGoOn, *ast.Neighbours, *ast.StepTo, *ast.Count, *ast.UniqueWinnable, *ast.WinningStarts, *ast.StrategyWins,
		*ast.Relation, *ast.Value, *ast.Winner, *ast.Best, *ast.Force: // no play alone shows it, or no such play is looked at
	}
	switch {
	case !start:
		return fmt.Errorf("%s is no start", c.show(first))
	case !shows:
		return fmt.Errorf("the play shows nothing about the claim: it ends in %s", c.show(at))
	}
	return nil
}

// match returns the step with a notation and a label that leads to a state.
func (g *game) match(at *state, move, label string, to stateJSON) *step {
	for _, t := range g.steps(at) {
		if squeeze(t.written) != squeeze(move) || t.label != label {
			continue
		}
		if s, err := g.read(to, t); err == nil && s.key() == t.to.key() {
			return t
		}
	}
	return nil
}

// read converts a state of a trace. t is the step that leads to it, if any.
func (g *game) read(in stateJSON, t *step) (*state, error) {
	s := &state{mover: 0}
	if len(in.Pits) != len(g.pits) {
		return nil, fmt.Errorf("%d pits are not %d", len(in.Pits), len(g.pits))
	}
	for _, p := range g.pits {
		n, ok := in.Pits[p.name]
		if !ok {
			return nil, fmt.Errorf("pit %s is missing", p.name)
		}
		s.seeds = append(s.seeds, readNum(n.String()))
	}
	for _, x := range g.slots {
		n, err := g.readVar(x, in.Control[x.name])
		if err != nil {
			return nil, err
		}
		s.vars = append(s.vars, n)
	}
	if len(g.players) > 1 {
		name, _ := in.Control["mover"].(string)
		s.mover = slices.Index(g.players, name)
	}
	if label, over := in.Control["outcome"]; over {
		s.mover = none
		s.outcome = 1 + slices.IndexFunc(g.outcomes, func(o outcome) bool { return g.called(o) == label })
		if s.outcome == 0 {
			return nil, fmt.Errorf("there is no outcome %s", label)
		}
	}
	return s, g.ghosts(in, t)
}

// called returns the name of an outcome in a trace: its label, after the player who has won, if
// any.
func (g *game) called(o outcome) string {
	switch {
	case o.winner == none:
		return o.label
	case o.label == "win":
		return g.players[o.winner] + " wins"
	}
	return g.players[o.winner] + " wins " + o.label
}

// readVar reads the value of a variable. JSON has null for none.
func (g *game) readVar(x slot, v any) (num, error) {
	values, _ := g.values(x, 1<<20)
	for _, n := range values {
		text := g.text(x.decode(n))
		if fmt.Sprint(v) == text || v == nil && text == "none" {
			return n, nil
		}
	}
	if n, ok := v.(json.Number); ok && x.kind == intKind {
		return readNum(n.String()), nil
	}
	return num{}, fmt.Errorf("%s is %v", x.name, v)
}

// ghosts compares `last` and `origin` after a step with the trace, if that has them.
func (g *game) ghosts(in stateJSON, t *step) error {
	if t == nil {
		return nil
	}
	for name, p := range map[string]int{"last": t.last, "origin": t.origin} {
		v, said := in.Control[name]
		if _, own := g.decls[name]; !said || own {
			continue
		}
		if text := g.text(pitOf(p)); fmt.Sprint(v) != text && !(v == nil && text == "none") {
			return fmt.Errorf("%s is %v, not %s", name, v, text)
		}
	}
	return nil
}

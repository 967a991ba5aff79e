package vet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// maxLaps bounds the states that emptyLap plays on from.
const maxLaps = 3_000

// emptyLap reports a move that goes on from a pit without seeds and then cannot be made. The state
// is then stuck, or an ending with `no move` ends the game, which is hardly what a lap is to do. It
// plays from the first starts, level by level, through a bounded number of states.
func emptyLap(l *look) {
	sys, ctx, goesOn := l.sys, l.ctx, bind.CarriedOut[*ast.GoOn](l.variant, l.variant.Variant)
	going := slices.IndexFunc(sys.Vars, func(v rules.Var) bool { return v.Name == "going" })
	g := gap{in: interp.New(sys).Within(ctx), going: going, reached: map[string]way{}}
	if len(goesOn) == 0 || g.going < 0 || len(sys.OpenParams()) > 0 {
		return
	}
	bare := *sys
	bare.Reactions = nil
	g.bare = interp.New(&bare).Within(ctx)
	g.play(ctx)
	if g.pit != rules.None {
		at := goesOn[0]
		if i := slices.IndexFunc(goesOn, func(n ast.Node) bool { return !plainLast(n) }); i >= 0 {
			at = goesOn[i] // the pit of the last seed is not empty, unless its seeds were captured
		}
		pit, ask := sys.Pits[g.pit].Name, "ask for seeds before `go on`"
		if s, is := at.(*ast.GoOn); is { // not a call
			ask = "ask for its seeds first: `if seeds(" + words(l.Root.Source).of(s.From) + ") > 0 { … }`"
		}
		l.warn(diag.EmptyLap, at.Span(), "this goes on from `%s`, which has no seeds, so that the lap cannot be made", pit).
			WithHelp("found after %s; %s", strings.Join(g.moves, ", "), ask)
	}
}

// plainLast reports whether a lap goes on from the pit of the last seed.
func plainLast(at ast.Node) bool {
	s, is := at.(*ast.GoOn)
	if !is {
		return false
	}
	n, is := s.From.(*ast.Name)
	return is && n.Name == "last"
}

// gap searches for a lap that goes on from an empty pit.
type gap struct {
	in, bare *interp.Interp // with the endings and reactions, and without
	going    int            // the variable
	reached  map[string]way
	queue    []rules.State
	pit      int // found; or none
	moves    []string
}

// way is how a state was reached: from which other one, and by which action.
type way struct {
	from   rules.State
	action int
	start  bool
}

// play searches until something is found or there are enough states.
func (g *gap) play(ctx context.Context) {
	g.pit = rules.None
	_ = space.Starts(ctx, g.in, func(s rules.State) error {
		settled, err := g.in.Start(s)
		if err == nil {
			g.add(settled, way{start: true})
		}
		if len(g.queue) >= maxLaps/10 {
			return space.ErrStop
		}
		return nil
	})
	for i := 0; i < len(g.queue) && ctx.Err() == nil; i++ {
		s := g.queue[i]
		steps, _, err := g.in.Legal(s)
		if err != nil {
			return
		}
		raw, _, err := g.bare.Legal(s)
		if err != nil {
			return
		}
		for _, st := range raw {
			if g.empty(st.To) {
				g.moves = append(g.line(s), g.in.Notation(st.Action, s))
				return
			}
		}
		for _, st := range steps {
			if st.To.Outcome == rules.Live && !g.add(st.To, way{from: s, action: st.Action}) {
				return
			}
		}
	}
}

// add notes a state to be played on from. It reports whether there is room for more.
func (g *gap) add(s rules.State, w way) bool {
	key := fmt.Sprint(s)
	if _, known := g.reached[key]; !known {
		g.reached[key] = w
		g.queue = append(g.queue, s)
	}
	return len(g.queue) < maxLaps
}

// empty reports whether a state, in which endings and reactions were not looked at, goes on from a
// pit without seeds and has no move.
func (g *gap) empty(s rules.State) bool {
	pit := s.Vars[g.going]
	if s.Outcome != rules.Live || pit == rules.None || s.Seeds[pit] > 0 {
		return false
	}
	can, err := g.bare.CanMove(s)
	if err != nil || can {
		return false
	}
	g.pit = pit
	return true
}

// line lists the moves that lead to a state.
func (g *gap) line(s rules.State) []string {
	w := g.reached[fmt.Sprint(s)]
	if w.start {
		return nil
	}
	return append(g.line(w.from), g.in.Notation(w.action, w.from))
}

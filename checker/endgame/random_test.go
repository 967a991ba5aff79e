package endgame

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// drawGame draws rules with a store for each player. Some captures go into the stores, and
// nothing else knows of them.
func drawGame(t *rapid.T) (*rules.System, value.Payoff) {
	sys := rulestest.System().Draw(t, "system")
	g := *sys
	g.Laps, g.Relations = slices.Clone(sys.Laps), slices.Clone(sys.Relations)
	g.Pits, g.Start.Free = slices.Clone(sys.Pits), slices.Clone(sys.Start.Free)
	none := slices.Repeat([]int{rules.None}, len(sys.Players))
	for i := range g.Laps {
		l := &g.Laps[i]
		l.Next, l.Prev = append(slices.Clone(l.Next), none...), append(slices.Clone(l.Prev), none...)
	}
	for i := range g.Relations {
		g.Relations[i].To = append(slices.Clone(g.Relations[i].To), none...)
	}
	g.Scores = nil
	var stores []int
	for p := range g.Players {
		stores = append(stores, len(g.Pits))
		g.Pits = append(g.Pits, rules.Pit{Name: fmt.Sprint("store", p), Owner: rules.None})
		if g.Start.Free != nil {
			g.Start.Free = append(g.Start.Free, false)
		}
		score := rules.Expr(rules.PitAt(stores[p]))
		if rapid.Bool().Draw(t, "double") {
			score = rules.Binary{Op: rules.Add, L: rules.Binary{Op: rules.Mul, L: rules.Const{Value: 2}, R: score}, R: rules.Const{Value: 1}}
		}
		if rapid.IntRange(0, 3).Draw(t, "in play") == 0 {
			score = rules.Binary{Op: rules.Add, L: score, R: rules.Sum{Pits: []int{rapid.IntRange(0, len(sys.Pits)-1).Draw(t, "pit")}}}
		}
		g.Scores = append(g.Scores, score)
	}
	d := &diverter{t, stores, len(sys.Pits)}
	g.Actions = slices.Clone(sys.Actions)
	for i := range g.Actions {
		d.tables(g.Actions[i].Guard)
		g.Actions[i].Body = d.block(g.Actions[i].Body)
	}
	g.Reactions = slices.Clone(sys.Reactions)
	for i := range g.Reactions {
		g.Reactions[i].By = slices.Clone(g.Reactions[i].By)
		for p := range g.Reactions[i].By {
			d.tables(g.Reactions[i].By[p].When)
			g.Reactions[i].By[p].Body = d.block(g.Reactions[i].By[p].Body)
		}
	}
	if rapid.Bool().Draw(t, "ends without move") {
		g.Reactions = append(g.Reactions, rulestest.EndIf(len(sys.Players), 0, rules.NoMove))
	}
	g.Outcomes = slices.Clone(sys.Outcomes)
	for i := range g.Outcomes[:len(g.Outcomes)-1] {
		g.Outcomes[i].Kind = rules.EndOutcome
	}
	return &g, value.Payoff{Kind: value.Margin, Endless: value.Endless(rapid.IntRange(0, int(value.AsScored)).Draw(t, "endless"))}
}

// diverter makes transfers go to stores.
type diverter struct {
	*rapid.T
	stores []int
	pits   int // without the stores
}

func (d *diverter) block(list []rules.Stmt) []rules.Stmt {
	list = slices.Clone(list)
	for i, s := range list {
		for _, x := range rules.Exprs(s) {
			d.tables(x)
		}
		if tr, is := s.(rules.Transfer); is && rapid.IntRange(0, 2).Draw(d.T, "divert") > 0 {
			tr.Into = rules.Const{Value: rapid.SampledFrom(d.stores).Draw(d.T, "store")}
			list[i] = tr
			continue
		}
		if sow, is := s.(rules.Sow); is {
			s = d.widen(sow)
		}
		var blocks [][]rules.Stmt
		for _, b := range rules.Blocks(s) {
			blocks = append(blocks, d.block(b))
		}
		list[i] = rules.WithBlocks(s, blocks)
	}
	return list
}

// tables adds the stores to the tables of an expression. They are of this System alone.
func (d *diverter) tables(x rules.Expr) {
	rules.Walk(x, func(x rules.Expr) bool {
		if l, is := x.(rules.Lookup); is && len(l.Table.Of) == d.pits {
			none := 0 // in no set, and without an index
			if l.Table.Kind <= rules.RelationOf {
				none = rules.None
			}
			l.Table.Of = append(slices.Clone(l.Table.Of), slices.Repeat([]int{none}, len(d.stores))...)
		}
		return true
	})
}

// widen says that a sowing skips no store; it meets none.
func (d *diverter) widen(s rules.Sow) rules.Stmt {
	if s.SkipIf != nil {
		s.SkipIf = append(slices.Clone(s.SkipIf), make([]rules.Expr, len(d.stores))...)
	}
	if s.OnlyLast != nil {
		s.OnlyLast = append(slices.Clone(s.OnlyLast), make([]bool, len(d.stores))...)
	}
	return s
}

// most bounds the positions of the tables here.
const most = 500

// TestRandom compares all futures of random games with retrograde analysis of the states.
func TestRandom(t *testing.T) {
	tables, cyclic, futures, unknown, refused := 0, 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys, payoff := drawGame(t)
		seeds := rapid.IntRange(1, 4).Draw(t, "seeds")
		p, err := value.NewPositions(context.Background(), sys, seeds, payoff)
		if err != nil {
			if !errors.As(err, new(*value.NoTablesError)) {
				t.Fatal(err)
			}
			t.Skip(err)
		}
		if p.Ranker.Live() > most {
			t.Skip("too many positions")
		}
		tab, err := Build(context.Background(), sys, seeds, payoff, Options{Threads: 2})
		if cycle := (*CycleError)(nil); errors.As(err, &cycle) {
			if refused++; !comesBack(sys, cycle.State) {
				t.Fatalf("play does not come back to a position after %v: %v", cycle.State, err)
			}
			return
		}
		if err != nil {
			t.Skip(err) // limits
		}
		tables++
		for _, l := range tab.Layers() {
			if l.Cyclic > 0 {
				cyclic++
				break
			}
		}
		if _, err := Verify(context.Background(), tab, VerifyOptions{Threads: 2}); err != nil {
			t.Fatal(err)
		}
		banked := rapid.SliceOfN(rapid.IntRange(0, 3), len(p.Sinks()), len(p.Sinks())).Draw(t, "banked")
		key := make([]uint64, p.Words())
		for rank := range p.Ranker.Live() {
			p.Unrank(rank, key)
			st := p.State(key)
			for i, s := range p.Sinks() {
				st.Seeds[s.Pit] = banked[i]
			}
			got, ok := tab.Value(st)
			s, err := value.Solve(context.Background(), sys, forward.From(st), payoff, forward.Options{MaxStates: 20000})
			if err != nil {
				if ok {
					t.Fatalf("%v: the table says %d, but %v", st, got, err)
				}
				unknown++
				continue
			}
			if f, err := value.Find(context.Background(), sys, st, payoff, value.Options{Tables: tab, MaxStates: 20000}); err == nil && f.Stop == forward.Exhausted {
				if lo, hi, _ := s.Value(st); f.Lo != lo || f.Hi != hi {
					t.Fatalf("%v: the search says %d to %d, want %d to %d", st, f.Lo, f.Hi, lo, hi)
				}
			}
			if lo, hi, _ := s.Value(st); s.Stop == forward.Exhausted && (!ok || lo != got || hi != got) {
				t.Fatalf("%v: the table says %d (%v), want %d to %d", st, got, ok, lo, hi)
			}
			futures++
		}
	})
	t.Logf("%d tables, %d with cycles, %d futures, %d not known; %d refused for cycles", tables, cyclic, futures, unknown, refused)
}

// stateName tells states apart.
func stateName(st rules.State) string { return fmt.Sprint(st) }

// comesBack reports whether a play from a state comes back to a position: stores do not count.
func comesBack(sys *rules.System, st rules.State) bool {
	in := interp.New(sys)
	onPath, done := map[string]bool{}, map[string]bool{}
	var visit func(st rules.State) bool
	visit = func(st rules.State) bool {
		for p := range sys.Players {
			st.Seeds[len(st.Seeds)-1-p] = 0
		}
		name := stateName(st)
		if onPath[name] || done[name] {
			return onPath[name]
		}
		onPath[name] = true
		steps, _ := in.Steps(st)
		for _, s := range steps {
			if s.To.Live() && visit(s.To) {
				return true
			}
		}
		onPath[name], done[name] = false, true
		return false
	}
	return visit(st.Clone())
}

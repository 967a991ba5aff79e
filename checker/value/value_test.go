package value

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/flow"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestKalah compares margins with those that other programs have found, G. Irving's among them
// ("Solving Kalah", ICGA Journal 23, 2000).
func TestKalah(t *testing.T) {
	for _, k := range []struct {
		m       int
		empty   bool
		margins []int // for n = 1, 2, …
	}{
		{1, true, []int{0, -2, 6, -2, 2, 0}},
		{1, false, []int{0, -2, 6, -2, 2, 0}},
		{2, true, []int{2, -2, -2, -12, 6, 8}},
		{2, false, []int{2, -2, -2, -10, 6, 8}},
		{3, true, []int{0, 4, 2}},
		{3, false, []int{0, 4, 2}},
	} {
		for i, want := range k.margins {
			sys := rulestest.Kalah(k.m, i+1, k.empty)
			start := rulestest.KalahStart(sys, i+1)
			s, err := Solve(context.Background(), sys, forward.From(start), Payoff{Kind: Margin}, forward.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if lo, hi, ok := s.Value(start); lo != want || hi != want || !ok {
				t.Errorf("Kalah(%d,%d), empty capture %v: from %d to %d, want %d", k.m, i+1, k.empty, lo, hi, want)
			}
			checkLine(t, s, start, want)
		}
	}
}

// TestSearchKalah finds margins of larger boards by search.
func TestSearchKalah(t *testing.T) {
	for _, k := range []struct {
		m       int
		empty   bool
		margins []int
	}{
		{3, true, []int{0, 4, 2, 2, 6, -10}},
		{3, false, []int{0, 4, 2, 2, 6, -8}},
		{6, true, []int{2, 10}},
		{6, false, []int{2, 6}},
	} {
		for i, want := range k.margins {
			sys := rulestest.Kalah(k.m, i+1, k.empty)
			start := rulestest.KalahStart(sys, i+1)
			f, err := searched(context.Background(), sys, start, Payoff{Kind: Margin}, Options{})
			if err != nil || f.Lo != want || f.Hi != want {
				t.Fatalf("Kalah(%d,%d), empty capture %v: %+v %v, want %d", k.m, i+1, k.empty, f, err, want)
			}
			checkPlay(t, &Solution{sys: sys, payoff: Payoff{Kind: Margin}}, f.Line, start, want)
			f, err = searched(context.Background(), sys, start, Payoff{Kind: Result}, Options{})
			if err != nil || f.Lo != sign(want) || f.Hi != sign(want) {
				t.Fatalf("Kalah(%d,%d), empty capture %v: result %+v %v, want %d", k.m, i+1, k.empty, f, err, sign(want))
			}
		}
	}
}

// checkLine plays a line and compares what it is worth.
func checkLine(t interface{ Fatalf(string, ...any) }, s *Solution, start rules.State, want int) {
	line, _, err := s.play(context.Background(), start)
	if err != nil {
		t.Fatalf("%v", err)
	}
	checkPlay(t, s, line, start, want)
}

// checkPlay plays actions from a state and compares what the play is worth.
func checkPlay(t interface{ Fatalf(string, ...any) }, s *Solution, line *Line, start rules.State, want int) {
	j, err := newJudge(context.Background(), s.sys, s.payoff)
	if err != nil {
		t.Fatalf("%v", err)
	}
	in, st := interp.New(s.sys), start
	for _, a := range line.Actions {
		to, legal, err := in.Do(st, a)
		if err != nil || !legal {
			t.Fatalf("action %d in %v: %v, legal %v", a, st, err, legal)
		}
		st = to
	}
	worth := j.of
	if line.Endless {
		worth = j.endless
	}
	if got, err := worth(st); err != nil || got != paid(want) {
		t.Fatalf("a line from %v ends in %v, worth %+v (%v); want %d", start, st, got, err, want)
	}
}

// drawGame draws a rule set with scores and a payoff.
func drawGame(t *rapid.T) (*rules.System, Payoff) {
	sys := *rulestest.System().Draw(t, "system")
	if rapid.Bool().Draw(t, "scores") {
		sys.Scores = nil
		for p := range sys.Players {
			sys.Scores = append(sys.Scores, drawScore(t, &sys, fmt.Sprint("score ", p)))
		}
	}
	p := Payoff{Kind: KindOf(&sys)}
	if sys.Scores != nil && rapid.Bool().Draw(t, "margin") {
		p.Kind = Margin
	}
	most := Even
	if sys.Scores != nil {
		most = AsScored
	}
	p.Endless = Endless(rapid.IntRange(0, int(most)).Draw(t, "endless"))
	return &sys, p
}

// drawScore draws a score; most are linear in the seeds.
func drawScore(t *rapid.T, sys *rules.System, name string) rules.Expr {
	sum := func() rules.Expr {
		return rules.Sum{Pits: rapid.SliceOfNDistinct(rapid.IntRange(0, len(sys.Pits)-1), 1, 2, rapid.ID).Draw(t, name)}
	}
	switch rapid.IntRange(0, 9).Draw(t, name+" form") {
	case 0:
		return rules.Binary{Op: rules.Sub, L: sum(), R: sum()}
	case 1:
		return rules.Binary{Op: rules.Mul, L: rules.Const{Value: -2}, R: sum()}
	case 2:
		return rules.Binary{Op: rules.Add, L: sum(), R: rules.Const{Value: 3}}
	case 3:
		return rules.Binary{Op: rules.Mul, L: sum(), R: sum()}
	case 4:
		return rules.Binary{Op: rules.Min, L: sum(), R: rules.Const{Value: 2}}
	}
	return sum()
}

// plain is a small game as the interpreter plays it.
type plain struct {
	states []rules.State
	number map[string]int
	to     [][]int
}

// explore lists the states of a game, or skips it.
func explore(t *rapid.T, sys *rules.System) (*plain, []rules.State) {
	in, p := interp.New(sys), &plain{number: map[string]int{}}
	add := func(st rules.State) int {
		key := fmt.Sprint(st)
		if _, known := p.number[key]; !known {
			p.number[key] = len(p.states)
			p.states = append(p.states, st.Clone())
		}
		if len(p.states) > 1500 {
			t.Skip("too many states")
		}
		return p.number[key]
	}
	err := space.Starts(context.Background(), in, func(st rules.State) error { add(st); return nil })
	starts := p.states
	for i := 0; i < len(p.states) && err == nil; i++ {
		var steps []interp.Step
		if steps, err = in.Steps(p.states[i]); err != nil {
			break
		}
		var to []int
		for _, s := range steps {
			to = append(to, add(s.To))
		}
		p.to = append(p.to, to)
	}
	if err != nil {
		t.Skip(err)
	}
	if len(starts) == 0 {
		t.Skip("no start")
	}
	return p, starts
}

// values finds a bound of the values, the upper or the lower one, by iteration. For one threshold
// at a time, as a play is won or lost then.
func (p *plain) values(t *rapid.T, j *judge, upper bool) []int {
	worth := make([]int, len(p.states)) // of a play that ends in a state, or comes back to it for ever
	for i, st := range p.states {
		v, err := j.stuck(), error(nil)
		switch {
		case !st.Live():
			v, err = j.of(st)
		case len(p.to[i]) > 0:
			v, err = j.endless(st)
		}
		if err != nil {
			t.Fatal(err)
		}
		if worth[i] = v.lo; upper {
			worth[i] = v.hi
		}
	}
	value := make([]int, len(p.states))
	for i := range value {
		value[i] = math.MinInt32
	}
	for _, v := range worth {
		// The upper bound takes the greatest worth of the states that an endless
		// play comes back to, so one that is good enough has to come back. The
		// lower one takes the least: the second player has to bring one back that
		// is not.
		player, good := First, func(i int) bool { return worth[i] >= v }
		if !upper {
			player, good = Second, func(i int) bool { return worth[i] < v }
		}
		for i, wins := range p.wins(player, good) {
			if wins == upper {
				value[i] = max(value[i], v)
			}
		}
	}
	return value
}

// wins finds the states in which a player can bring play to an end that is good, or for ever back
// to states that are. It is the least fixpoint over those that are won at last, inside of the
// greatest over those that are won for ever.
func (p *plain) wins(player int, good func(i int) bool) []bool {
	forever := make([]bool, len(p.states))
	for i := range forever {
		forever[i] = true
	}
	for {
		won := make([]bool, len(p.states))
		for changed := true; changed; {
			changed = false
			for i := range p.states {
				if !won[i] && p.brings(i, player, good, func(j int) bool { return won[j] || good(i) && forever[j] }) {
					won[i], changed = true, true
				}
			}
		}
		if slices.Equal(won, forever) {
			return won
		}
		forever = won
	}
}

// brings reports whether one more move of a player leads to a state that will accepts, or the state
// is a good end.
func (p *plain) brings(i, player int, good, will func(int) bool) bool {
	if len(p.to[i]) == 0 {
		return good(i)
	}
	mine := p.states[i].Mover == player
	for _, j := range p.to[i] {
		if will(j) == mine {
			return mine
		}
	}
	return !mine
}

// TestRandom compares values on random rule sets with those of the naive iteration. Where a value
// is not decided, the play that is shown comes to an open end.
func TestRandom(t *testing.T) {
	var seen struct{ states, undecided int }
	rulestest.Check(t, func(t *rapid.T) {
		sys, payoff := drawGame(t)
		p, starts := explore(t, sys)
		s, err := Solve(context.Background(), sys, forward.From(starts...), payoff, forward.Options{})
		j, refused := newJudge(context.Background(), sys, payoff)
		if refused != nil {
			if err == nil {
				t.Fatalf("the payoff does not suit the game: %v; but that was not noticed", refused)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := p.values(t, j, false), p.values(t, j, true)
		for i, st := range p.states {
			l, h, ok := s.Value(st)
			if !ok || l != lo[i] || h != hi[i] {
				t.Fatalf("%v is worth %d to %d (%v), want %d to %d", st, l, h, ok, lo[i], hi[i])
			}
			if seen.states++; l == h {
				checkLine(t, s, st, l)
				continue
			}
			seen.undecided++
			if line, end, err := s.play(t.Context(), st); err != nil || end.open == "" && payoff.Endless != AsScored {
				t.Fatalf("%v is worth %d to %d, and this play does not come to an open end: %+v %v %v", st, l, h, line, end, err)
			}
		}
	})
	if t.Logf("%+v", seen); !tier.Short() && (seen.undecided < seen.states/100 || seen.undecided == seen.states) {
		t.Error("few values are undecided, or all of them")
	}
}

// TestLineEnds: a line of a decided game ends. The winner does not send the other player round for
// ever, though that might be worth as much.
func TestLineEnds(t *testing.T) {
	for winner, want := range map[string]int{"South": 1, "North": -1} {
		u := buildtest.Text(t, strings.ReplaceAll(`variant Wait {
  player South, North
  board {
    a | b
    ring loop = a, b
  }
  setup { a = 1 }
  state trapped : bool
  move {
    require mover = WINNER and not trapped
    trapped = true
  }
  move {
    choose from in pit where from > 0
    sow from along loop
    if trapped { again }
  }
  move {
    require mover = WINNER and not trapped
    WINNER wins
  }
}
`, "WINNER", winner))
		sys := buildtest.System(t, u, nil)
		start := sys.EmptyStart()
		start.Seeds[0] = 1
		for mover := range sys.Players {
			start.Mover = mover
			s, err := Solve(t.Context(), sys, forward.From(start), Payoff{}, forward.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if lo, hi, _ := s.Value(start); lo != want || hi != want {
				t.Errorf("%s wins: %d to %d", winner, lo, hi)
			}
			checkLine(t, s, start, want)
		}
	}
}

// TestForceRandom compares what a player can force on random rule sets with a naive iteration.
func TestForceRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		p, starts := explore(t, sys)
		goal := rulestest.Claim(sys, false).Draw(t, "goal")
		player := rapid.IntRange(0, len(sys.Players)-1).Draw(t, "player")
		if rules.AsksFor(goal, rules.IsStart) {
			t.Skip("the naive iteration does not know starts")
		}
		in := interp.New(sys)
		moves := make([]int, len(p.states))
		for i, st := range p.states {
			is, err := in.Holds(goal, st, nil)
			if err != nil {
				t.Skip(err)
			}
			if moves[i] = Never; is {
				moves[i] = 0
			}
		}
		p.force(moves, player)
		f, err := Force(context.Background(), sys, forward.From(starts...), player, goal, forward.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, st := range starts {
			if n, ok := f.Moves(st); !ok || n != moves[i] {
				t.Fatalf("player %d forces the goal from %v in %d (%v), want %d", player, st, n, ok, moves[i])
			}
		}
	})
}

// force improves the moves until nothing changes.
func (p *plain) force(moves []int, player int) {
	for changed := true; changed; {
		changed = false
		for i, st := range p.states {
			if moves[i] == 0 || len(p.to[i]) == 0 {
				continue
			}
			best := Never
			if st.Mover != player {
				best = 0
			}
			for _, j := range p.to[i] {
				if st.Mover == player {
					best = min(best, moves[j])
				} else {
					best = max(best, moves[j])
				}
			}
			if best != Never && best+1 < moves[i] {
				moves[i], changed = best+1, true
			}
		}
	}
}

// TestFindRandom compares the search with retrograde analysis on random rule sets.
func TestFindRandom(t *testing.T) {
	var n compared
	rulestest.Check(t, func(t *rapid.T) {
		sys, payoff := drawGame(t)
		n.compare(t, sys, payoff)
	})
	t.Logf("%+v", n)
}

// TestTwoRows does so for games as people play them, where seeds leave play.
func TestTwoRows(t *testing.T) {
	var n compared
	rulestest.Check(t, func(r *rapid.T) {
		sys := buildtest.TwoRows(t, r)
		payoff := Payoff{Kind: rapid.SampledFrom([]Kind{Margin, Margin, Margin, Result}).Draw(r, "kind"), Endless: Endless(rapid.IntRange(0, 2).Draw(r, "endless"))}
		n.compare(r, sys, payoff)
	})
	// A short run has few games.
	if t.Logf("%+v", n); !tier.Short() && (n.neverStuck == 0 || n.sinks < n.states/20 || n.undecided < n.states/100 || n.open < n.states/100 || n.bounded < n.states/100) {
		t.Error("few games have seeds that leave play, or open ends")
	}
}

// compared counts states whose values were compared: those of games with seeds that leave play,
// with values that are not decided, with values that are though the search met an open end, and of
// games in which the seeds are bounds; and games in which the rules alone show that nobody is ever
// stuck.
type compared struct{ states, sinks, undecided, open, bounded, neverStuck int }

// compare compares values and lines by search with those by retrograde analysis.
func (n *compared) compare(t *rapid.T, sys *rules.System, payoff Payoff) {
	p, starts := explore(t, sys)
	if flow.AlwaysMoves(sys) {
		n.neverStuck++
		for i, st := range p.states[len(starts):] {
			if st.Live() && len(p.to[len(starts)+i]) == 0 {
				t.Fatalf("a player is stuck in %v", st)
			}
		}
	}
	s, refused := Solve(context.Background(), sys, forward.From(starts...), payoff, forward.Options{})
	if refused != nil {
		t.Skip(refused)
	}
	var recall Recall
	for _, st := range p.states[:min(len(p.states), len(starts)+20)] { // some with either player to move
		opts := Options{Moves: true, Bounds: limit.Bounds{Threads: rapid.IntRange(1, 3).Draw(t, "threads")}, Recall: &recall}
		f, err := searched(context.Background(), sys, st, payoff, opts)
		if open := (*OpenEndError)(nil); errors.As(err, &open) {
			checkOpen(t, s, &Line{Actions: open.Trace.Actions}, st)
			f, err = find(context.Background(), sys, st, payoff, opts)
			n.open++
		}
		if err != nil {
			continue
		}
		g, err := newGame(context.Background(), sys, st.Total(), payoff)
		if err != nil {
			t.Fatal(err)
		}
		n.states++
		if len(g.sinks) > 0 {
			n.sinks++
		}
		if g.bounded {
			n.bounded++
		}
		lo, hi, _ := s.Value(st)
		if f.Lo != lo || f.Hi != hi {
			t.Fatalf("%v is worth %d to %d, want %d to %d", st, f.Lo, f.Hi, lo, hi)
		}
		for _, m := range f.Moves {
			if lo, hi, ok := s.Value(m.To); !ok || m.Lo != lo || m.Hi != hi {
				t.Fatalf("move %d from %v is worth %d to %d, want %d to %d (%v)", m.Action, st, m.Lo, m.Hi, lo, hi, ok)
			}
		}
		if !f.Known() {
			n.undecided++
			if f.Line != nil || f.Reason == "" || f.Open == nil && f.Reason != variesReason {
				t.Fatalf("%v is worth %d to %d: %+v", st, lo, hi, f)
			}
			if f.Open != nil {
				checkOpen(t, s, f.Open, st)
			}
			continue
		}
		if f.Line == nil || f.Open != nil {
			t.Fatalf("no line of %v: %+v", st, f)
		}
		checkPlay(t, s, f.Line, st, lo)
	}
}

// checkOpen plays actions from a state: that is to come to an open end.
func checkOpen(t *rapid.T, s *Solution, line *Line, st rules.State) {
	in := interp.New(s.sys)
	scores := map[int32]bool{} // of the circle that the play comes to
	states := []rules.State{st}
	for _, a := range line.Actions {
		to, legal, err := in.Do(st, a)
		if err != nil || !legal {
			t.Fatalf("action %d in %v: %v, legal %v", a, st, err, legal)
		}
		st = to
		states = append(states, st)
	}
	if line.Endless {
		again := slices.IndexFunc(states[:len(states)-1], st.Equal)
		for _, c := range states[max(again, 0):] {
			p, err := s.judge.endless(c)
			if err != nil {
				t.Fatal(err)
			}
			scores[int32(p.lo)] = true
		}
		if again < 0 || s.payoff.Endless != NoValue && len(scores) < 2 {
			t.Fatalf("a play that comes back to %v is not open", st)
		}
		return
	}
	p, err := s.judge.stuck(), error(nil)
	steps, failed := in.Steps(st)
	if !st.Live() {
		p, err = s.judge.of(st)
	}
	if err != nil || failed != nil || p.open == "" || len(steps) > 0 {
		t.Fatalf("a play that ends in %v is not open: %+v %v %v", st, p, err, failed)
	}
}

// TestAlwaysEnds: the rules alone show that every play of Kalah ends. Where seeds may go round,
// they show nothing.
func TestAlwaysEnds(t *testing.T) {
	for _, c := range []struct {
		effect string
		ends   bool
	}{
		{"sow from along ccw_with_stores, skip their store", true},
		{"sow from along ccw_with_stores", true},
		{"sow from along ccw_with_stores, skip store", false},
		{"sow from along ccw", false},
		{"sow from along ccw_with_stores, skip their store capture last into my store", true},
		{"sow from along ccw_with_stores, skip their store capture last into my south1", false},
		{"if from > 1 { sow from along ccw_with_stores, skip their store }", false},
	} {
		u := buildtest.Text(t, strings.ReplaceAll(`variant V {
  player South, North
  board {
    north_store | north[2..1] |
                | south[1..2] | south_store
  }
  setup { each house = 2 }
  move {
    choose from in my house where from > 0
    EFFECT
  }
  end when total(south) = 0 or total(north) = 0
  score South = south_store, North = north_store
}`, "EFFECT", strings.ReplaceAll(c.effect, "my south1", "south1")))
		sys := buildtest.System(t, u, nil)
		sinks := make([]bool, len(sys.Pits))
		for p := range sys.Pits {
			sinks[p] = strings.HasSuffix(sys.Pits[p].Name, "store")
		}
		if _, got, _ := alwaysEnds(context.Background(), sys, sinks); got != c.ends {
			t.Errorf("%s: %v, want %v", c.effect, got, c.ends)
		}
	}
}

// TestMoverMayGainNothing shows a bound that holds only for some rules: with empty capture the
// player to move gains at least one seed, so the value is at least 2 above the worst; without it
// that is wrong in some positions. The bounds of a search come from the rules at hand.
func TestMoverMayGainNothing(t *testing.T) {
	const m, most = 3, 5
	for _, empty := range tier.First([]bool{true, false}, 1, 2) {
		sys := rulestest.Kalah(m, 1, empty)
		worst := 0
		st := rulestest.KalahStart(sys, 1)
		houses := []int{0, 1, 2, 4, 5, 6}
		var each func(k, left int)
		each = func(k, left int) {
			if k < len(houses) {
				for n := range left + 1 {
					st.Seeds[houses[k]] = n
					each(k+1, left-n)
				}
				return
			}
			if st.Seeds[0]+st.Seeds[1]+st.Seeds[2] == 0 || st.Seeds[4]+st.Seeds[5]+st.Seeds[6] == 0 {
				return
			}
			f, err := searched(context.Background(), sys, st, Payoff{Kind: Margin}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if f.Lo == -(most - left) {
				worst++
			}
		}
		each(0, most)
		if empty != (worst == 0) {
			t.Errorf("empty capture %v: %d positions in which the player to move gains nothing", empty, worst)
		}
	}
}

// TestRecall: what is known of a board is used for another one of the same game, and for no other
// game.
func TestRecall(t *testing.T) {
	var recall Recall
	find := func(empty, known bool) {
		sys := rulestest.Kalah(4, 3, empty)
		st := rulestest.KalahStart(sys, 3)
		alone, err := Find(t.Context(), sys, st, Payoff{Kind: Margin}, Options{Bounds: limit.Bounds{Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Find(t.Context(), sys, st, Payoff{Kind: Margin}, Options{Bounds: limit.Bounds{Threads: 1}, Recall: &recall})
		if err != nil || f.Lo != alone.Lo || f.Hi != alone.Hi {
			t.Fatalf("%+v, %v, want %d", f, err, alone.Lo)
		}
		if used := f.Nodes < alone.Nodes; used != known {
			t.Errorf("empty capture %v: %d positions, and %d without knowing any", empty, f.Nodes, alone.Nodes)
		}
	}
	find(true, false)
	find(true, true)
	find(false, false)
	find(true, false)
}

// TestLimitOfTeam: a search that has become one of several threads ends as one of a single thread
// does, whatever its end is.
func TestLimitOfTeam(t *testing.T) {
	defer func(was int64) { alone = was }(alone)
	alone = 1 << 10
	kalah := rulestest.Kalah(4, 4, true)
	for _, most := range []int64{1000, 2000, 4000} {
		f, err := Find(t.Context(), kalah, rulestest.KalahStart(kalah, 4), Payoff{Kind: Margin}, Options{Bounds: limit.Bounds{Threads: 2, MaxStates: most}})
		if err != nil || !f.Hits(limit.Positions) || f.Line != nil || f.Known() {
			t.Errorf("at most %d positions: %+v, %v", most, f, err)
		}
	}
	f, err := Find(t.Context(), kalah, rulestest.KalahStart(kalah, 4), Payoff{Kind: Margin}, Options{Bounds: limit.Bounds{Threads: 2}})
	if err != nil || !f.Known() || f.Nodes < 2*alone {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestRecallTogether: searches of several boards at the same time share what they know, and find
// what each finds alone.
func TestRecallTogether(t *testing.T) {
	sys := rulestest.Kalah(4, 3, true)
	var boards []rules.State
	for p := range 4 {
		st := rulestest.KalahStart(sys, 3)
		st.Seeds[p]--
		st.Seeds[p+5]++
		boards = append(boards, st)
	}
	var recall Recall
	var group sync.WaitGroup
	found := make([]*Found, len(boards))
	for i, st := range boards {
		group.Go(func() {
			f, err := Find(t.Context(), sys, st, Payoff{Kind: Margin}, Options{Bounds: limit.Bounds{Threads: 1 + i%3}, Recall: &recall})
			if err != nil {
				t.Error(err)
			}
			found[i] = f
		})
	}
	group.Wait()
	if len(recall.games) != 1 || recall.games[0].users.Load() != 0 {
		t.Errorf("%d games are remembered", len(recall.games))
	}
	for i, st := range boards {
		alone, err := Find(t.Context(), sys, st, Payoff{Kind: Margin}, Options{Bounds: limit.Bounds{Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if f := found[i]; f == nil || f.Lo != alone.Lo || f.Hi != alone.Hi {
			t.Errorf("board %d: %+v, want %d", i, f, alone.Lo)
		}
	}
}

// TestNeverStuck: whether the rules alone show that a player can always move.
func TestNeverStuck(t *testing.T) {
	const sow = "choose from in my house where from > 0 sow from along ccw_with_stores, skip their store"
	for _, c := range []struct {
		move, end string
		is        bool
	}{
		{sow, "end when total(south) = 0 or total(north) = 0", true},
		{sow, "end when total(my house) = 0", true},
		{sow, "end when no move", true},
		{sow, "end when no move and total(house) > 0 end when total(my house) = 0", true},
		{sow, "end when total(house) = 0", false},
		{sow, "end when total(house) <= 1", false},
		{sow, "end when total(my house) = 0 at end of turn", false},
		{sow, "end when total(my house) = 0 when total(house) = 2 { capture house into south_store }", false},
		{sow, "end when no move when total(house) = 2 { South moves next }", false},
		{sow + " require last /= my store", "end when total(my house) = 0", false},
		{sow + " require last /= my store", "end when no move", true},
		{sow + ", relay while last > 1", "end when total(my house) = 0", true},
		{sow + " while last in house and last > 1 { sow last along ccw }", "end when total(my house) = 0", true},
		{sow + " sow last along ccw", "end when total(my house) = 0", false},
		{"choose from in my house where from > 1 sow from along ccw", "end when total(my house) = 0", false},
		{"choose from in my house where from > 0 sow 2 from from along ccw", "end when total(my house) = 0", false},
		{"choose from in my house where from > 0 sow from along ccw, skip origin", "end when total(my house) = 0", true},
		{"choose from in my house where from > 0 sow from along ccw, skip {x in house where x > 1}", "end when total(my house) = 0", false},
		{sow + " } pass when no other move move { require total(house) < 0", "end when total(house) = 0", true},
	} {
		u := buildtest.Text(t, `variant V {
  player South, North
  board {
    north_store | north[2..1] |
                | south[1..2] | south_store
  }
  setup { each house = 2 }
  move { `+c.move+` }
  `+c.end+`
  score South = south_store, North = north_store
}`)
		if got := flow.AlwaysMoves(buildtest.System(t, u, nil)); got != c.is {
			t.Errorf("%s, %s: %v, want %v", c.move, c.end, got, c.is)
		}
	}
}

// TestRecallOfCancelled: a search that was cancelled before it began leaves nothing to others. The
// names of its positions may rest on symmetries that were not found.
func TestRecallOfCancelled(t *testing.T) {
	var recall Recall
	sys := rulestest.Kalah(3, 2, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	st := rulestest.KalahStart(sys, 2)
	_, _ = Find(ctx, sys, st, Payoff{Kind: Margin}, Options{Recall: &recall})
	if len(recall.games) > 0 {
		t.Error("it has left a table")
	}
	if f, err := Find(t.Context(), sys, st, Payoff{Kind: Margin}, Options{Recall: &recall}); err != nil || f.Stop != limit.Complete || len(recall.games) != 1 {
		t.Errorf("%+v, %v, %d tables", f, err, len(recall.games))
	}
}

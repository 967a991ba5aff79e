package simulate

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// slow plays the games of a player by the reference interpreter, with the same random numbers.
type slow struct {
	*player
	in     *interp.Interp
	counts Counts
}

// play plays a game, and checks that the player makes the same moves.
func (s *slow) play(t *rapid.T, game int64) (fault error) {
	failed := s.player.play(game)
	got := append([]int{}, s.player.actions...)
	s.begin(game)
	st := s.from
	var before []rules.State
	for n := 0; ; n++ {
		if !st.Live() {
			s.over(st)
			s.counts.ended(n)
			break
		}
		if n == s.maxMoves {
			s.counts.Unended++
			s.counts.Games++
			break
		}
		steps, err := s.in.Steps(st)
		if err != nil {
			if failed == nil && !errors.As(err, new(*rules.LimitError)) {
				t.Fatalf("game %d has no error, but after %v there is: %v", game, s.player.actions[:n], err)
			}
			return err
		}
		before = append(before, st)
		steps = s.in.InPlay(before, steps)
		if len(steps) == 0 {
			s.counts.Stuck++
			s.counts.ended(n)
			break
		}
		if n >= len(got) && steps[len(steps)-1].Action != interp.Offer {
			t.Fatalf("game %d ends after %d moves, there are %d more (error %v)", game, n, len(steps), failed)
		}
		one := steps[s.choose(len(steps))]
		if one.Action == interp.Offer {
			if len(got) > n {
				t.Fatalf("game %d goes on after %d moves, and should be ended", game, n)
			}
			s.counts.chose(len(steps))
			s.over(one.To)
			s.counts.ended(n)
			break
		}
		if n >= len(got) || one.Action != got[n] {
			t.Fatalf("game %d, move %d of %v: want action %d", game, n+1, got, one.Action)
		}
		s.counts.chose(len(steps))
		st = one.To
	}
	if failed != nil {
		t.Fatalf("game %d: %v", game, failed)
	}
	return nil
}

// over counts a finished state in a second way.
func (s *slow) over(st rules.State) {
	o := s.sys.Outcomes[st.Outcome]
	s.counts.Outcomes[st.Outcome]++
	var scores []int
	for _, x := range s.sys.Scores {
		n, _ := s.in.Eval(x, st, nil)
		scores = append(scores, n)
	}
	if len(scores) == 2 {
		s.counts.Margins[scores[0]-scores[1]]++
	} else if len(scores) == 1 {
		s.counts.Margins[scores[0]]++
	}
	switch o.Kind {
	case rules.WinOutcome:
		s.counts.Wins[o.Winner]++
	case rules.LoseOutcome:
		s.counts.Lost++
	case rules.DrawOutcome:
		s.counts.Drawn++
	case rules.EndlessOutcome:
		s.counts.Open++
	case rules.EndOutcome:
		best := func(player int) bool {
			return !slices.ContainsFunc(scores, func(n int) bool { return n > scores[player] })
		}
		var winners []int
		for player := range scores {
			if best(player) {
				winners = append(winners, player)
			}
		}
		switch {
		case len(scores) < 2:
			s.counts.Open++
		case len(winners) == 1:
			s.counts.Wins[winners[0]]++
		default:
			s.counts.Drawn++
		}
	}
}

// TestPlay compares games of random rules with those of the reference interpreter, move by move,
// and what is counted.
func TestPlay(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		start, err := interp.New(sys).Start(rulestest.State(sys, 8).Draw(t, "start"))
		if err != nil {
			t.Skip()
		}
		const games = 5
		opts := Options{Games: games, MaxMoves: 30, Seed: rapid.Uint64().Draw(t, "seed")}
		p, err := newPlayer(t.Context(), sys, start, opts)
		if err != nil {
			t.Fatalf("%v", err)
		}
		s := &slow{player: p, in: interp.New(sys), counts: newCounts(sys)}
		for game := range int64(games) {
			if err := s.play(t, game); err != nil {
				wantFault(t, sys, start, opts)
				return
			}
		}
		opts.Threads = rapid.IntRange(1, 3).Draw(t, "threads")
		res, err := Run(context.Background(), sys, start, opts)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if d := cmp.Diff(s.counts, res.Counts); d != "" || !res.Complete {
			t.Fatalf("complete: %t, other counts (-want +got):\n%s", res.Complete, d)
		}
	})
}

// wantFault wants the same error for any number of threads, with a play that leads to it.
func wantFault(t *rapid.T, sys *rules.System, start rules.State, opts Options) {
	var first *forward.PlayError
	for opts.Threads = 1; opts.Threads <= 3; opts.Threads++ {
		_, err := Run(context.Background(), sys, start, opts)
		var fault *forward.PlayError
		if !errors.As(err, &fault) {
			if errors.As(err, new(*rules.LimitError)) || err == nil {
				return // the limits of the interpreter are lower
			}
			t.Fatalf("%v", err)
		}
		if first == nil {
			first = fault
		}
		if !reflect.DeepEqual(fault.Trace, first.Trace) {
			t.Fatalf("with %d threads %v, before %v", opts.Threads, fault.Trace, first.Trace)
		}
	}
	in, st := interp.New(sys), first.Trace.Start
	for _, a := range first.Trace.Actions {
		to, legal, err := in.Do(st, a)
		if err != nil || !legal {
			t.Fatalf("action %d of %v: legal %t, %v", a, first.Trace, legal, err)
		}
		st = to
	}
	if _, err := in.Steps(st); err == nil {
		t.Fatalf("no fault after %v", first.Trace)
	}
}

// TestUniform: all first moves of Kalah are chosen as often, and so are all second moves after each
// of them.
func TestUniform(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	const games = 36_000
	p, err := newPlayer(t.Context(), sys, rulestest.KalahStart(sys, 4), Options{Games: games, MaxMoves: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]map[int]float64{}
	for game := range int64(games) {
		if err := p.play(game); err != nil {
			t.Fatal(err)
		}
		if found[p.actions[0]] == nil {
			found[p.actions[0]] = map[int]float64{}
		}
		found[p.actions[0]][p.actions[1]]++
	}
	for a, second := range found {
		sum, squares := 0.0, 0.0
		for _, n := range second {
			sum += n
		}
		for _, n := range second {
			squares += (n - sum/float64(len(second))) * (n - sum/float64(len(second)))
		}
		if math.Abs(sum-games/6) > 5*math.Sqrt(games/6) {
			t.Errorf("action %d is played %.0f times of %d", a, sum, games)
		}
		// Chi-squared with 4 or 5 degrees of freedom is above 25 once in more than 5,000 times.
		if chi := squares / (sum / float64(len(second))); chi > 25 || len(second) < 5 {
			t.Errorf("after action %d: %v, chi-squared %.1f", a, second, chi)
		}
	}
}

// followed makes a System of Kalah in which the actions with the least rank are preferred.
func followed(t *testing.T, sys *rules.System, rank func(action int) int) *rules.System {
	t.Helper()
	out := *sys
	out.Actions = append([]rules.Action{}, sys.Actions...)
	for i := range out.Actions {
		body := append([]rules.Stmt{}, rules.Prefer(rules.Const{Value: rank(i)}))
		out.Actions[i].Body = append(body, out.Actions[i].Body...)
	}
	return &out
}

// TestFollowed: who follows a strategy makes its moves only, and the other player any.
func TestFollowed(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	highest := followed(t, sys, func(a int) int { return a })
	in, strict := interp.New(sys), interp.New(highest)
	p, err := newPlayer(t.Context(), sys, rulestest.KalahStart(sys, 4), Options{MaxMoves: 1000, Seed: 7, Followed: []*rules.System{highest, nil}})
	if err != nil {
		t.Fatal(err)
	}
	free := 0
	for game := range int64(20) {
		if err := p.play(game); err != nil {
			t.Fatal(err)
		}
		st := p.from
		for _, a := range p.actions {
			steps, err := strict.Steps(st)
			if err != nil || len(steps) != 1 {
				t.Fatalf("%d moves of the strategy, %v", len(steps), err)
			}
			if st.Mover == 0 && steps[0].Action != a {
				t.Fatalf("the strategy plays %d, not %d", a, steps[0].Action)
			}
			if st.Mover == 1 && steps[0].Action != a {
				free++
			}
			st, _, err = in.Do(st, a)
			if err != nil {
				t.Fatal(err)
			}
		}
		if st.Live() {
			t.Error("the game has not ended")
		}
	}
	if free == 0 {
		t.Error("the other player follows the strategy, too")
	}
}

// TestCancelled: a simulation that is interrupted says so, and counts whole games.
func TestCancelled(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	ctx, cancel := context.WithCancel(context.Background())
	opts := Options{Games: 1 << 40, MaxMoves: 1000, Observer: func(p limit.Progress) {
		if p.States > 100 {
			cancel()
		}
	}}
	res, err := Run(ctx, sys, rulestest.KalahStart(sys, 4), opts)
	if err != nil {
		t.Fatal(err)
	}
	var ended int64
	for _, n := range res.Lengths {
		ended += n
	}
	if res.Complete || res.Games < 100 || ended+res.Unended != res.Games {
		t.Errorf("complete: %t, %d games, %d of them ended", res.Complete, res.Games, ended)
	}
}

func BenchmarkKalah(b *testing.B) {
	sys := rulestest.Kalah(6, 4, false)
	p, err := newPlayer(context.Background(), sys, rulestest.KalahStart(sys, 4), Options{MaxMoves: 1000})
	if err != nil {
		b.Fatal(err)
	}
	for game := int64(0); b.Loop(); game++ {
		if err := p.play(game); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDeal: each game begins at the start that is dealt to its number, whatever the threads, and an
// error of a deal is that of the run.
func TestDeal(t *testing.T) {
	sys := rulestest.Kalah(2, 1, false)
	over := rulestest.KalahStart(sys, 1)
	over.Outcome, over.Mover = 0, rules.None
	deal := func(game int64) (rules.State, error) {
		if game%3 == 0 {
			return over, nil
		}
		return rulestest.KalahStart(sys, 1), nil
	}
	var before *Result
	for threads := 1; threads <= 4; threads++ {
		opts := Options{Bounds: limit.Bounds{Threads: threads}, Games: 99, MaxMoves: 100, Seed: 1, Deal: deal, Seeds: 4}
		r, err := Run(t.Context(), sys, rules.State{}, opts)
		if err != nil || r.Lengths[0] != 33 || r.Games != 99 {
			t.Fatalf("%d threads: %+v, %v", threads, r, err)
		}
		r.Seconds = 0
		if before != nil && !reflect.DeepEqual(r, before) {
			t.Errorf("%d threads: %+v, before %+v", threads, r, before)
		}
		before = r
	}
	broken := errors.New("no start")
	_, err := Run(t.Context(), sys, rules.State{}, Options{
		Games: 9, MaxMoves: 9, Seeds: 4,
		Deal: func(game int64) (rules.State, error) {
			if game == 4 {
				return rules.State{}, broken
			}
			return deal(game)
		},
	})
	if !errors.Is(err, broken) || errors.As(err, new(*forward.PlayError)) {
		t.Errorf("%v, want that there is no start", err)
	}
}

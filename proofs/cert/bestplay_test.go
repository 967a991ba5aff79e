package cert_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/judge/naive"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// game is a game with the naive values of its starts: by playing all plays, and going over all
// states until nothing changes.
type game struct {
	sys     *rules.System
	winner  bool
	endless build.EndlessPlay
	starts  []rules.State
	worth   []naive.Worth
	pay     value.Payoff
}

var payoffs = map[build.EndlessPlay]value.Endless{
	build.EndlessOpen: value.NoValue, build.EndlessDraw: value.Even, build.EndlessScored: value.AsScored,
}

var enough = value.Limits{Kept: 1 << 20, Explored: 1 << 20}

// valued finds the values of a game, or skips it if it has none.
func valued(t *rapid.T, sys *rules.System) *game {
	g := &game{sys: sys, winner: rapid.Bool().Draw(t, "winner"), endless: build.EndlessPlay(rapid.IntRange(0, 2).Draw(t, "endless"))}
	found, err := naive.Values(context.Background(), sys, 1_500, &build.Place{}, g.winner, g.endless)
	if err != nil || len(found) == 0 {
		t.Skip(err)
	}
	for _, v := range found {
		g.starts, g.worth = append(g.starts, v.State), append(g.worth, v.Worth)
	}
	g.pay = value.Payoff{Kind: value.KindOf(sys), Endless: payoffs[g.endless]}
	if g.winner {
		g.pay.Kind = value.Result
	}
	return g
}

// claim is what all positions are worth to the first player.
func (g *game) claim(op rules.Op, n int) *build.Instance {
	p := &build.ValueOf{Op: op, Value: n, Endless: g.endless}
	return &build.Instance{Claim: &build.Claim{Name: "random"}, System: g.sys, Property: p}
}

// guaranteed returns the strategy by which all live states of a list are worth a bound, as
// evidence; nil if there is none.
func (g *game) guaranteed(t *rapid.T, from []rules.State, below bool, bound int) *cert.Strategies {
	var live []rules.State
	for _, s := range from {
		if s.Live() {
			live = append(live, s)
		}
	}
	parts, by, err := value.Guarantees(context.Background(), g.sys, []value.Side{{Below: below, Bound: bound, From: live}}, g.pay, value.Options{}, enough)
	if err != nil {
		t.Fatal(err)
	}
	if by[0] == nil {
		return nil
	}
	shows := map[bool]string{false: cert.AtLeast, true: cert.AtMost}[below]
	e := cert.NewStrategies(g.sys, rules.Kept{Parts: parts},
		cert.Followed{Shows: shows, Bound: bound, States: by[0].States, Numbers: by[0].Numbers})
	return e
}

// TestRandomStrategies: the least value of the starts of random games has a strategy that is
// accepted, and so has the greatest. One more has none, and no changed strategy shows it.
func TestRandomStrategies(t *testing.T) {
	games(t, func(t *testing.T, draw func(*rapid.T) *game) {
		tally := map[string]int{}
		rapid.Check(t, func(r *rapid.T) {
			g := draw(r)
			if g.winner = g.winner || value.KindOf(g.sys) == value.Result; g.winner != (value.KindOf(g.sys) == value.Result) {
				r.Skip("a claim about the winner where the value is the margin") // other tests have them
			}
			for _, below := range []bool{false, true} {
				g.tight(r, below, tally)
			}
		})
		t.Log(tally)
	})
}

// games calls test with each way to draw a game.
func games(t *testing.T, test func(t *testing.T, draw func(*rapid.T) *game)) {
	t.Run("rows", func(t *testing.T) {
		test(t, func(r *rapid.T) *game { return valued(r, buildtest.TwoRows(t, r)) })
	})
	t.Run("rules", func(t *testing.T) {
		test(t, func(r *rapid.T) *game { return valued(r, scored(r)) })
	})
}

// scored draws rules with scores for each player.
func scored(t *rapid.T) *rules.System {
	sys := *rulestest.System().Draw(t, "system")
	sys.Scores = nil
	for p := range sys.Players {
		pits := rapid.SliceOfNDistinct(rapid.IntRange(0, len(sys.Pits)-1), 1, 2, rapid.ID).Draw(t, fmt.Sprint("score ", p))
		sys.Scores = append(sys.Scores, rules.Sum{Pits: pits})
	}
	if len(sys.Players) > 2 {
		t.Skip("too many players")
	}
	return &sys
}

// tight checks the bound that all starts keep, and that no other is shown.
func (g *game) tight(t *rapid.T, below bool, tally map[string]int) {
	bound, more, op := num.Inf, 1, rules.Ge
	for _, w := range g.worth {
		bound = min(bound, w.Lo)
	}
	if below {
		bound, more, op = -num.Inf, -1, rules.Le
		for _, w := range g.worth {
			bound = max(bound, w.Hi)
		}
	}
	if bound == naive.Lowest || bound == naive.Highest {
		tally["open"]++
		return
	}
	e := g.guaranteed(t, g.starts, below, bound)
	if e == nil {
		t.Fatalf("no strategy shows %d", bound)
	}
	g.accepts(t, g.claim(op, bound), cert.Proved, e)
	tally["proved"]++
	if len(e.By) == 0 || e.By[0].Count == 0 || !g.margin() && (bound == 1 && !below || bound == -1 && below) {
		return // all is over, or nothing is worth more
	}
	if g.livesAt(below, bound) && g.guaranteed(t, g.starts, below, bound+more) != nil {
		t.Fatalf("a strategy shows %d", bound+more)
	}
	g.refuses(t, g.claim(op, bound+more), cert.Proved, e)
	forged := *e
	forged.By = slices.Clone(e.By)
	higher := bound + more
	forged.By[0].Bound = &higher
	g.refuses(t, g.claim(op, higher), cert.Proved, &forged)
	for range 5 {
		g.refuses(t, g.claim(op, higher), cert.Proved, g.spoilt(t, &forged))
	}
	g.refutes(t, below, bound, op, more, tally)
}

// livesAt reports whether a start that is not over is worth no more than a bound.
func (g *game) livesAt(below bool, bound int) bool {
	for i, w := range g.worth {
		if g.starts[i].Live() && (below && w.Hi == bound || !below && w.Lo == bound) {
			return true
		}
	}
	return false
}

func (g *game) margin() bool { return !g.winner && value.KindOf(g.sys) == value.Margin }

// refutes checks the refutation of one more, which the other player has if the value is known.
func (g *game) refutes(t *rapid.T, below bool, bound int, op rules.Op, more int, tally map[string]int) {
	for i, w := range g.worth {
		if w.Lo != w.Hi || w.Lo != bound || !g.starts[i].Live() {
			continue
		}
		e := g.guaranteed(t, g.starts[i:i+1], !below, bound)
		if e == nil {
			t.Fatalf("no strategy shows %d of the other side", bound)
		}
		g.accepts(t, g.claim(op, bound+more), cert.Refuted, e)
		tally["refuted"]++
		g.refuses(t, g.claim(op, bound), cert.Refuted, e)
		g.refuses(t, g.claim(op, bound), cert.Refuted, g.spoilt(t, e))
		return
	}
}

func (g *game) accepts(t *rapid.T, inst *build.Instance, verdict string, e *cert.Strategies) {
	_, err := cert.Verify(context.Background(), inst, verdict, e, 0, nil)
	if hard := (*cert.NeedsSolver)(nil); errors.As(err, &hard) {
		t.Skip(hard) // a goal may ask what the checker cannot tell, as whether a state is a start
	}
	if err != nil {
		t.Fatalf("%v: %v", inst.Property, err)
	}
}

func (g *game) refuses(t *rapid.T, inst *build.Instance, verdict string, e *cert.Strategies) {
	_, err := cert.Verify(context.Background(), inst, verdict, e, 0, nil)
	var rejected *cert.Rejected
	var hard *cert.NeedsSolver
	if !errors.As(err, &rejected) && !errors.As(err, &hard) {
		t.Fatalf("%+v is %s by a false strategy: %v", inst.Property, verdict, err)
	}
}

// spoilt changes a strategy.
func (g *game) spoilt(t *rapid.T, e *cert.Strategies) *cert.Strategies {
	return g.anyStates(t, e.By[0].Shows, e.By[0].Bound)
}

// anyStates makes a strategy of all live states that play comes to, or only some, with any numbers.
func (g *game) anyStates(t *rapid.T, shows string, bound *int) *cert.Strategies {
	rnd := rand.New(rand.NewPCG(1, uint64(rapid.IntRange(0, 1<<30).Draw(t, "spoilt"))))
	var states []rules.State
	var numbers []int
	most := 1 + rnd.IntN(4)
	keep := rnd.IntN(3)
	for _, s := range reachableFrom(t, g.sys, g.starts) {
		if s.Live() && (keep == 0 || rnd.IntN(8) > 0) {
			states, numbers = append(states, s), append(numbers, rnd.IntN(most))
		}
	}
	play := cert.Followed{Shows: shows, States: states, Numbers: numbers}
	if bound != nil {
		play.Bound = *bound
	}
	return cert.NewStrategies(g.sys, rules.Kept{}, play)
}

func reachableFrom(t *rapid.T, sys *rules.System, from []rules.State) []rules.State {
	in := interp.New(sys)
	list, seen := []rules.State{}, map[string]bool{}
	add := func(s rules.State) {
		if key := fmt.Sprint(s); !seen[key] {
			seen[key], list = true, append(list, s)
		}
	}
	for _, s := range from {
		add(s)
	}
	for i := 0; i < len(list); i++ {
		steps, err := in.Steps(list[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			add(s.To)
		}
	}
	return list
}

// TestRandomBestMoves: the best moves of the starts of random games are shown by strategies for the
// states after all moves. If one of them is missing nothing is shown, and nothing shows other
// moves.
func TestRandomBestMoves(t *testing.T) {
	games(t, func(t *testing.T, draw func(*rapid.T) *game) {
		tally := map[string]int{}
		rapid.Check(t, func(r *rapid.T) {
			g := draw(r)
			if g.winner = value.KindOf(g.sys) == value.Result; g.pay.Kind != value.KindOf(g.sys) {
				r.Skip("who wins is asked for, and the value is the margin")
			}
			for _, st := range g.starts[:min(len(g.starts), 3)] {
				g.bestMoves(r, st, tally)
			}
		})
		if t.Log(tally); tally["other"] == 0 && tier.Full() {
			t.Error("all moves were best everywhere")
		}
	})
}

// bestMoves checks the best moves of a state.
func (g *game) bestMoves(t *rapid.T, st rules.State, tally map[string]int) {
	if !st.Live() {
		return
	}
	from := build.Place{From: &st}
	naive, err := naive.Values(context.Background(), g.sys, 1_500, &from, g.winner, g.endless)
	if err != nil || len(naive) != 1 || naive[0].Lo != naive[0].Hi || !naive[0].State.Live() {
		tally["none"]++
		return
	}
	f, err := value.Find(context.Background(), g.sys, naive[0].State, g.pay, value.Options{Moves: true})
	if err != nil {
		t.Fatal(err)
	}
	e, ok := g.shown(t, f)
	if !ok {
		tally["open"]++ // what a move is worth that is not known not to be best
		return
	}
	claim := func(moves []string) *build.Instance {
		p := &build.BestMoves{Of: from, Moves: moves, Endless: g.endless}
		return &build.Instance{Claim: &build.Claim{Name: "random"}, System: g.sys, Property: p}
	}
	best := naive[0].Best
	g.accepts(t, claim(best), cert.Proved, e)
	tally["proved"]++
	in := interp.New(g.sys)
	for _, m := range f.Moves {
		other := []string{in.Notation(m.Action, naive[0].State)}
		if len(best) == 1 && other[0] == best[0] {
			continue
		}
		g.refuses(t, claim(other), cert.Proved, e)
		g.accepts(t, claim(other), cert.Refuted, e)
		tally["other"]++
	}
	g.refuses(t, claim(best), cert.Refuted, e)
	for i := range e.By {
		less := *e
		less.By = slices.Delete(slices.Clone(e.By), i, i+1)
		g.refuses(t, claim(best), cert.Proved, &less)
	}
	if len(e.By) > 0 {
		g.refuses(t, claim(best[1:]), cert.Proved, g.spoilt(t, e))
	}
}

// shown is the evidence for what the states after all moves are worth; ok is false if that is not
// known well enough.
func (g *game) shown(t *rapid.T, f *value.Found) (e *cert.Strategies, ok bool) {
	var sides []value.Side
	for _, m := range f.Moves {
		if m.Lo <= f.Lo && f.Lo <= m.Hi && m.Lo != m.Hi {
			return nil, false
		}
		for _, side := range []value.Side{{Bound: max(f.Lo, min(m.Lo, f.Lo+1))}, {Bound: min(f.Lo, max(m.Hi, f.Lo-1)), Below: true}} {
			known := !side.Below && m.Lo >= side.Bound || side.Below && m.Hi <= side.Bound
			if trivial := !g.margin() && (side.Below && side.Bound >= 1 || !side.Below && side.Bound <= -1); !known || trivial || !m.To.Live() {
				continue
			}
			at := slices.IndexFunc(sides, func(s value.Side) bool { return s.Below == side.Below && s.Bound == side.Bound })
			if at < 0 {
				at, sides = len(sides), append(sides, side)
			}
			sides[at].From = append(sides[at].From, m.To)
		}
	}
	parts, by, err := value.Guarantees(context.Background(), g.sys, sides, g.pay, value.Options{}, enough)
	if err != nil {
		t.Fatal(err)
	}
	var plays []cert.Followed
	for i, side := range sides {
		if by[i] == nil {
			t.Fatalf("no strategy shows %+v", side)
		}
		shows := map[bool]string{false: cert.AtLeast, true: cert.AtMost}[side.Below]
		plays = append(plays, cert.Followed{Shows: shows, Bound: side.Bound, States: by[i].States, Numbers: by[i].Numbers})
	}
	out := cert.NewStrategies(g.sys, rules.Kept{Parts: parts}, plays...)
	return out, true
}

// best makes the certificate of a claim of a file about the value of its only start.
func best(t testing.TB, text, claim, verdict string, bounds ...int) *cert.Certificate {
	t.Helper()
	program := source(t, text)
	inst := instanceOf(t, program, claim, nil)
	in := interp.New(inst.System)
	var starts []rules.State
	err := space.Starts(context.Background(), in, func(s rules.State) error { starts = append(starts, s.Clone()); return nil })
	if err != nil {
		t.Fatal(err)
	}
	p := inst.Property.(*build.ValueOf)
	pay := value.Payoff{Kind: value.KindOf(inst.System), Endless: payoffs[p.Endless]}
	var plays []cert.Followed
	for i, shows := range []string{cert.AtLeast, cert.AtMost}[:len(bounds)] {
		side := value.Side{Below: shows == cert.AtMost, Bound: bounds[i], From: starts}
		_, by, err := value.Guarantees(context.Background(), inst.System, []value.Side{side}, pay, value.Options{}, enough)
		if err != nil || by[0] == nil {
			t.Fatalf("no strategy shows %s %d: %v", shows, bounds[i], err)
		}
		g := by[0]
		plays = append(plays, cert.Followed{Shows: shows, Bound: bounds[i], States: g.States, Numbers: g.Numbers})
	}
	c, err := cert.New("test", program, inst, verdict, false, cert.NewStrategies(inst.System, rules.Kept{}, plays...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const nim = `
variant Nim {
  param n = 6 in 1..8
  player South, North
  board { heap | south_store | north_store }
  setup { heap = n }
  move { choose k in 1..2 where k <= heap  take k from heap into my store }
  end when heap = 0
  score South = south_store, North = north_store
}
// Who takes two wherever that is possible has the most: South has four of six.
claim right { value(start) = 2 }
claim label "L" { value(start) = 2 }
claim more { expect refuted  value(start) = 3 }
claim less { expect refuted  value(start) <= 1 }
claim fair { winner(start) = South }
claim force { South can force finished within 6 }
`

// TestEveryFieldOfAStrategy: nothing in evidence about a value may be changed.
func TestEveryFieldOfAStrategy(t *testing.T) {
	c := best(t, nim, "right", cert.Proved, 2, 2)
	mustCheck(t, c)
	by := func(d *cert.Certificate, i int) *cert.Strategy { return &strategiesOf(d).By[i] }
	for what, change := range map[string]func(*cert.Certificate){
		"claim":     func(d *cert.Certificate) { d.Claim.Name = "more" },
		"label":     func(d *cert.Certificate) { d.Claim.Name = "label" },
		"winner":    func(d *cert.Certificate) { d.Claim.Name = "fair" },
		"kind":      func(d *cert.Certificate) { d.Claim.Kind = "winner" },
		"assertion": func(d *cert.Certificate) { d.Claim.Asserts = "value(start) = 3" },
		"verdict":   func(d *cert.Certificate) { d.Verdict = cert.Refuted },
		"no verdict": func(d *cert.Certificate) {
			d.Verdict = "bounded"
		},
		"vacuous":      func(d *cert.Certificate) { d.Vacuous = true },
		"n":            func(d *cert.Certificate) { d.Settings["n"] = 5 },
		"line":         func(d *cert.Certificate) { d.Line = 1 },
		"evidence":     func(d *cert.Certificate) { d.Evidence.Is = &cert.Forward{Kept: strategiesOf(d).Kept} },
		"inductive":    func(d *cert.Certificate) { d.Evidence.Is = &cert.Inductive{K: 1} },
		"nothing kept": func(d *cert.Certificate) { strategiesOf(d).Kept = cert.Kept{} },
		"no pits":      func(d *cert.Certificate) { strategiesOf(d).Kept.Pits = nil },
		"no lower":     func(d *cert.Certificate) { strategiesOf(d).By = strategiesOf(d).By[1:] },
		"no upper":     func(d *cert.Certificate) { strategiesOf(d).By = strategiesOf(d).By[:1] },
		"other side":   func(d *cert.Certificate) { by(d, 0).Shows = cert.AtMost },
		"forces":       func(d *cert.Certificate) { by(d, 0).Shows = cert.Forces },
		"shows":        func(d *cert.Certificate) { by(d, 1).Shows = "at best" },
		"no bound":     func(d *cert.Certificate) { by(d, 0).Bound = nil },
		"lower":        func(d *cert.Certificate) { *by(d, 0).Bound-- },
		"higher":       func(d *cert.Certificate) { *by(d, 0).Bound++ },
		"upper lower":  func(d *cert.Certificate) { *by(d, 1).Bound-- },
		"upper higher": func(d *cert.Certificate) { *by(d, 1).Bound++ },
		"huge":         func(d *cert.Certificate) { *by(d, 1).Bound = -num.Inf },
		"count":        func(d *cert.Certificate) { by(d, 0).Count++ },
		"no states":    func(d *cert.Certificate) { by(d, 0).Count, by(d, 0).Packed = 0, "" },
		"packed":       func(d *cert.Certificate) { by(d, 0).Packed = by(d, 1).Packed },
		"garbage":      func(d *cert.Certificate) { by(d, 0).Packed = "x" },
	} {
		mustReject(t, c, what, change)
	}
	for i := range strategiesOf(c).By {
		states := numbered(t, c, i)
		for k := range states {
			mustReject(t, c, fmt.Sprintf("strategy %d without state %d", i, k), func(d *cert.Certificate) {
				put(by(d, i), slices.Delete(slices.Clone(states), k, k+1))
			})
		}
	}
}

// numbered lists the numbers of each state of a strategy, the last of which is its own.
func numbered(t testing.TB, c *cert.Certificate, strategy int) [][]int64 {
	return unpackedOf(t, strategiesOf(c).By[strategy].Packed, 3+len(strategiesOf(c).Kept.Pits))
}

// put packs the states of a strategy again.
func put(s *cert.Strategy, states [][]int64) { s.Count, s.Packed = len(states), packedOf(states) }

// TestNumbersOfStrategies: a strategy for a false claim is refused with whatever numbers, and one
// for a true claim remains right if it is accepted with others.
func TestNumbersOfStrategies(t *testing.T) {
	right, less := best(t, nim, "right", cert.Proved, 2, 2), best(t, nim, "less", cert.Refuted, 2)
	mustCheck(t, less)
	for i := range strategiesOf(right).By {
		states := numbered(t, right, i)
		for k := range states {
			for n := range states[k] {
				for _, by := range []int64{-1, 1} {
					changed := slices.Clone(states)
					changed[k] = slices.Clone(states[k])
					changed[k][n] += by
					d := copyOf(t, right)
					put(&strategiesOf(d).By[i], changed)
					if _, err := cert.Check(context.Background(), d); err == nil && n < len(states[k])-1 {
						t.Errorf("strategy %d, state %d, number %d by %d", i, k, n, by)
					}
				}
			}
		}
	}
	mustReject(t, less, "a worse bound", func(d *cert.Certificate) { *strategiesOf(d).By[0].Bound-- })
	mustReject(t, less, "proved", func(d *cert.Certificate) { d.Verdict = cert.Proved })
}

// TestEndlessPlay: what endless play is worth decides which strategies are right.
func TestEndlessPlay(t *testing.T) {
	const text = `
variant Loop {
  player South, North
  board { a | b | south_store | north_store }
  setup { a = 1, south_store = STORE }
  move out  when a = 1 { take 1 from a into b }
  move back when b = 1 { take 1 from b into a }
  end when a = 0 and b = 0
  score South = south_store, North = north_store
}
claim even { value(start) = 0 where endless play is a draw }
claim scored { value(start) = STORE where endless play counts as scored }
claim open { value(start) >= 0 }
claim won { winner(start) = South where endless play counts as scored }
`
	for _, store := range []int{0, 2} {
		text := strings.ReplaceAll(text, "STORE", fmt.Sprint(store))
		mustCheck(t, best(t, text, "even", cert.Proved, 0, 0))
		c := best(t, text, "scored", cert.Proved, store, store)
		mustCheck(t, c)
		mustReject(t, c, "by one more", func(d *cert.Certificate) { *strategiesOf(d).By[0].Bound++ })
		program := source(t, text)
		for _, claim := range []string{"open", "even"} {
			other, err := cert.New("test", program, instanceOf(t, program, claim, nil), cert.Proved, false, c.Evidence.Is)
			if err != nil {
				t.Fatal(err)
			}
			_, err = cert.Check(context.Background(), other)
			if (err == nil) != (claim == "even" && store == 0) {
				t.Errorf("%s with %d seeds: %v", claim, store, err)
			}
		}
	}
}

// TestBestPlayTransplants: evidence for one game is not accepted for another.
func TestBestPlayTransplants(t *testing.T) {
	c := best(t, nim, "right", cert.Proved, 2, 2)
	for _, change := range [][2]string{
		{"heap = n", "heap = n, south_store = 1"},
		{"1..2", "1..3"},
		{"into my store", "into south_store"},
		{"end when heap = 0", "South wins when heap = 0"},
		{"South = south_store", "South = south_store + 1"},
	} {
		changed := strings.Replace(nim, change[0], change[1], 1)
		program := source(t, changed)
		other, err := cert.New("test", program, instanceOf(t, program, "right", nil), cert.Proved, false, c.Evidence.Is)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Check(context.Background(), other); err == nil {
			t.Errorf("%s: accepted", change)
		}
	}
}

// TestMovesOfForce: a goal that takes one move is not forced in none, whatever the number of the
// state is that the move is made from.
func TestMovesOfForce(t *testing.T) {
	const text = `
variant Step {
  player South, North
  board { a | b }
  setup { a = 1 }
  move out when a = 1 { take 1 from a into b }
  end when b = 2
  score South = a, North = b
}
claim soon { South can force b = 1 within 1 }
claim now  { South can force b = 1 within 0 }
`
	program := source(t, text)
	for claim, within := range map[string]int{"soon": 1, "now": 0} {
		inst := instanceOf(t, program, claim, nil)
		start := inst.System.EmptyStart()
		start.Seeds[0] = 1
		for number := -2; number <= 2; number++ {
			e := cert.NewStrategies(inst.System, rules.Kept{}, cert.Followed{Shows: cert.Forces, States: []rules.State{start}, Numbers: []int{number}})
			_, err := cert.Verify(context.Background(), inst, cert.Proved, e, 0, nil)
			if want := within == 1 && number == 1; (err == nil) != want {
				t.Errorf("%s with number %d: %v", claim, number, err)
			}
		}
	}
}

// TestRandomForce: what a player can force in random games, or the others prevent, is shown by all
// states from which that is so, with the numbers of moves. The contrary is shown by no states with
// any numbers.
func TestRandomForce(t *testing.T) {
	tally := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		sys, goal := drawGoal(t, r)
		p := &build.Force{
			Goal: goal, Within: rapid.IntRange(-1, 4).Draw(r, "within"),
			Player: rapid.IntRange(0, len(sys.Players)-1).Draw(r, "player"),
		}
		moves, err := naive.Force(context.Background(), sys, 1_500, p)
		if err != nil || len(moves) == 0 {
			r.Skip(err)
		}
		g := &game{sys: sys}
		if err := space.Starts(context.Background(), interp.New(sys), func(s rules.State) error { g.starts = append(g.starts, s.Clone()); return nil }); err != nil {
			r.Skip(err)
		}
		inst := &build.Instance{Claim: &build.Claim{Name: "random"}, System: sys, Property: p}
		verdict, contrary, shows, other := cert.Proved, cert.Refuted, cert.Forces, cert.Prevents
		if most := slices.Max(moves); most == naive.Never || p.Within >= 0 && most > p.Within {
			verdict, contrary, shows, other = contrary, verdict, other, shows
		}
		e := g.forced(r, p, shows)
		g.accepts(r, inst, verdict, e)
		tally[verdict]++
		g.refuses(r, inst, contrary, e)
		for range 5 {
			e := g.anyStates(r, other, nil)
			g.refuses(r, inst, contrary, e)
		}
	})
	if t.Log(tally); len(tally) < 2 {
		t.Error("only one verdict was tried")
	}
}

// drawGoal draws a game and a condition.
func drawGoal(t *testing.T, r *rapid.T) (*rules.System, rules.Expr) {
	if rapid.Bool().Draw(r, "rules") {
		sys := rulestest.System().Draw(r, "system")
		return sys, rulestest.Claim(sys, false).Draw(r, "goal")
	}
	sys := buildtest.TwoRows(t, r)
	pit := rules.Sum{Pits: []int{rapid.IntRange(0, len(sys.Pits)-1).Draw(r, "pit")}}
	op := rapid.SampledFrom([]rules.Op{rules.Eq, rules.Ge, rules.Lt}).Draw(r, "op")
	return sys, rules.Binary{Op: op, L: pit, R: rules.Const{Value: rapid.IntRange(0, 4).Draw(r, "seeds")}}
}

// forced lists all live states from which a goal can be forced, or prevented.
func (g *game) forced(t *rapid.T, p *build.Force, shows string) *cert.Strategies {
	f, err := value.Force(context.Background(), g.sys, forward.From(g.starts...), p.Player, p.Goal, forward.Options{})
	if err != nil {
		t.Fatal(err)
	}
	play := cert.Followed{Shows: shows}
	for _, s := range reachableFrom(t, g.sys, g.starts) {
		n, _ := f.Moves(s)
		switch prevents := shows == cert.Prevents; {
		case !s.Live(), n == 0, n == value.Never && !prevents, n != value.Never && prevents && p.Within < 0:
			continue
		case prevents && n == value.Never:
			n = max(p.Within, 0)
		case prevents:
			n = min(n-1, p.Within)
		}
		if n == 0 && p.Within >= 0 {
			continue // nothing is left to prevent
		}
		play.States, play.Numbers = append(play.States, s), append(play.Numbers, n)
	}
	e := cert.NewStrategies(g.sys, rules.Kept{}, play)
	return e
}

// strategiesOf returns the evidence of a certificate.
func strategiesOf(c *cert.Certificate) *cert.Strategies { return c.Evidence.Is.(*cert.Strategies) }

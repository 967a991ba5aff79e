package build_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// claimed resolves the only instance of a claim that is written behind an example.
func claimed(t *testing.T, example, text string, given build.Settings) *build.Instance {
	t.Helper()
	const root = "../../examples/root.sow"
	prog, diags := dsl.Load(root, func(path string) ([]byte, error) {
		if path == root {
			return []byte("import \"" + example + "\"\n" + text), nil
		}
		return os.ReadFile(path)
	})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	unit, diags := build.Collect(prog.Files)
	claim, more := unit.Claim(unit.Claims[0])
	diags = append(diags, more...)
	list := claim.Instances(given, &diags)
	if diags.HasErrors() || len(list) != 1 {
		t.Fatalf("%d instances: %v", len(list), diags)
	}
	return list[0]
}

// reachable lists the states that play leads to.
func reachable(t *testing.T, sys *rules.System) []rules.State {
	t.Helper()
	in := interp.New(sys)
	var all []rules.State
	add := func(s rules.State) error {
		if !slices.ContainsFunc(all, s.Equal) {
			all = append(all, s.Clone())
		}
		return nil
	}
	if err := space.Starts(context.Background(), in, add); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(all); i++ {
		for _, st := range steps(t, in, all[i]) {
			_ = add(st.To)
		}
	}
	return all
}

func steps(t *testing.T, in *interp.Interp, s rules.State) []interp.Step {
	t.Helper()
	list, err := in.Steps(s)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestStrategies compares the moves that follow a strategy with those of all legal moves that are
// best when each is looked at by itself.
func TestStrategies(t *testing.T) {
	small := build.Settings{"m": {N: 2}, "n": {N: 2}}
	for rank, of := range map[string]func(sys *rules.System, s rules.State, from int) int{
		"least index(from)":    func(sys *rules.System, _ rules.State, from int) int { return -sys.Pits[from].Index },
		"greatest seeds(from)": func(_ *rules.System, s rules.State, from int) int { return s.Seeds[from] },
		"greatest next(from along ccw_with_stores) = my store": func(sys *rules.System, _ rules.State, from int) int {
			if sys.Pits[from].Index == 2 { // the houses before the stores
				return 1
			}
			return 0
		},
		"least from in south and seeds(from) > 1": func(sys *rules.System, s rules.State, from int) int {
			if sys.Pits[from].Group == "south" && s.Seeds[from] > 1 {
				return -1
			}
			return 0
		},
	} {
		inst := claimed(t, "kalah.sow", "strategy s = "+rank+"\nclaim c { following s never stuck }", small)
		all := interp.New(claimed(t, "kalah.sow", "claim c { never stuck }", small).System)
		followed := interp.New(inst.System)
		for _, s := range reachable(t, all.System()) {
			checkBest(t, rank, all, followed, s, of)
		}
	}
}

func checkBest(t *testing.T, name string, all, followed *interp.Interp, s rules.State, rank func(*rules.System, rules.State, int) int) {
	t.Helper()
	legal := steps(t, all, s)
	value := func(st interp.Step) int {
		return rank(all.System(), s, all.System().Actions[st.Action].Choices[0].Value)
	}
	var want []interp.Step
	for _, st := range legal {
		if !slices.ContainsFunc(legal, func(other interp.Step) bool { return value(other) > value(st) }) {
			want = append(want, st)
		}
	}
	got := steps(t, followed, s)
	if !slices.EqualFunc(got, want, func(a, b interp.Step) bool { return a.Action == b.Action && a.To.Equal(b.To) }) {
		t.Errorf("%s: in %v the strategy allows %v, want %v", name, s, got, want)
	}
}

func TestStrategyWins(t *testing.T) {
	inst := claimed(t, "tchoukaillon.sow", "strategy near = least index(c)\nclaim c { near wins wherever anything wins for all beads }", nil)
	p := inst.Property.(*build.StrategyWins)
	if p.Strategy != "near" || len(p.Followed.OpenParams()) != 1 || len(p.Followed.Actions) != len(inst.System.Actions) {
		t.Errorf("strategy %s, open %v", p.Strategy, p.Followed.OpenParams())
	}
	if p.Followed.Hash() == inst.System.Hash() {
		t.Error("all moves follow the strategy")
	}
}

// TestStartingAt compares the starts with the position as it is read by eye.
func TestStartingAt(t *testing.T) {
	inst := claimed(t, "kalah.sow", `
position p of Kalah {
  5 | 0 1 |
    | 0 1 | 2
} with mover = North
claim c { starting at p with m = 2 never stuck }`, nil)
	got := onlyStart(t, inst.System)
	var names []string
	for _, p := range inst.System.Pits {
		names = append(names, p.Name)
	}
	want := map[string]int{"north_store": 5, "north2": 0, "north1": 1, "south1": 0, "south2": 1, "south_store": 2}
	for i, name := range names {
		if got.Seeds[i] != want[name] {
			t.Errorf("%s has %d seeds, want %d", name, got.Seeds[i], want[name])
		}
	}
	if player := inst.System.Players[got.Mover]; player != "North" || len(want) != len(names) {
		t.Errorf("%s is to move, want North", player)
	}
	in := interp.New(inst.System)
	next := steps(t, in, got)[0].To
	if player := inst.System.Players[next.Mover]; player != "South" {
		t.Errorf("after North comes %s", player)
	}
}

func onlyStart(t *testing.T, sys *rules.System) rules.State {
	t.Helper()
	var list []rules.State
	err := space.Starts(context.Background(), interp.New(sys), func(s rules.State) error { list = append(list, s.Clone()); return nil })
	if err != nil || len(list) != 1 {
		t.Fatalf("%d starts, %v", len(list), err)
	}
	return list[0]
}

const turns = `
variant W {
  player A, B, C
  board {
    x[1..3]
    ring lap = x[1..3]
  }
  state turn : player = A
  state mark each player : x = none
  state set each x : bool = false
  state phase : {early, late} = early
  state n : 0..9 = 4
  setup { x1 = 1 }
  move {
    choose p in x where p > 0
    sow p along lap
  }
}
position p { 1 2 3 } with mover = C, mark(B) = x2, set(x3) = true, phase = late, n = 7
claim c of W { starting at p never stuck }`

// TestStartingVariables: what the position sets, and initial values for the rest.
func TestStartingVariables(t *testing.T) {
	sys := claimed(t, "kalah.sow", turns, nil).System
	s := onlyStart(t, sys)
	got := map[string]string{}
	for i := range sys.Vars {
		got[sys.Vars[i].Name] = sys.ValueName(sys.Vars[i].Type, s.Vars[i])
	}
	for name, want := range map[string]string{
		"turn": "A", "mark(A)": "none", "mark(B)": "x2", "set(x1)": "false", "set(x3)": "true", "phase": "late", "n": "7",
	} {
		if got[name] != want {
			t.Errorf("%s = %s, want %s", name, got[name], want)
		}
	}
	if !slices.Equal(sys.Players, []string{"A", "B", "C"}) || s.Mover != 2 {
		t.Errorf("players %v, %d to move", sys.Players, s.Mover)
	}
}

// TestStartingWithAnySeeds: what is drawn as `_` is not bounded.
func TestStartingWithAnySeeds(t *testing.T) {
	sys := claimed(t, "tchoukaillon.sow", "position p { 0 1 _ | 0 }\nclaim c { with cups = 3 starting at p never stuck }", nil).System
	err := space.Starts(context.Background(), interp.New(sys), func(rules.State) error { return nil })
	var infinite *space.InfiniteError
	if !errors.As(err, &infinite) {
		t.Errorf("the starts end with %v", err)
	}
	in := interp.New(sys)
	for seeds, want := range map[int]bool{0: true, 7: true} {
		s := sys.EmptyStart()
		s.Seeds[1], s.Seeds[2] = 1, seeds
		if is, err := in.IsStart(s); is != want || err != nil {
			t.Errorf("%v is a start: %v, %v", s.Seeds, is, err)
		}
		s.Seeds[3] = 1
		if is, _ := in.IsStart(s); is {
			t.Errorf("%v is a start", s.Seeds)
		}
	}
}

// TestGhosts replays every step of small games of Kalah by hand, and compares what the ghosts
// remember. They change nothing else.
func TestGhosts(t *testing.T) {
	small := build.Settings{"m": {N: 2}, "n": {N: 2}}
	plain := interp.New(claimed(t, "kalah.sow", "claim c { never stuck }", small).System)
	inst := claimed(t, "kalah.sow", "claim c { from true every step gives last = origin or last was empty or last was 3 }", small)
	haunted := interp.New(inst.System)
	if len(inst.System.Vars) != 4 {
		t.Fatalf("%d variables, want 4", len(inst.System.Vars))
	}
	for _, s := range reachable(t, inst.System) {
		bare := s.Clone()
		bare.Vars = []int{}
		want := steps(t, plain, bare)
		for i, st := range steps(t, haunted, s) {
			last, was, origin := sownByHand(inst.System, s, st.Action)
			if !slices.Equal(st.To.Seeds, want[i].To.Seeds) || st.To.Mover != want[i].To.Mover || st.To.Outcome != want[i].To.Outcome {
				t.Fatalf("ghosts change the step %v of %v", st, s)
			}
			if remembers(inst.System, st.To, "last") != last || remembers(inst.System, st.To, "origin") != origin ||
				remembers(inst.System, st.To, "last was empty") != b2i(was == 0) || remembers(inst.System, st.To, "last was 3") != b2i(was == 3) {
				t.Fatalf("after %v of %v the ghosts are %v, want last %d, which was %d, origin %d", st, s, st.To.Vars, last, was, origin)
			}
		}
	}
}

// TestBeforeTheStep: behind `old` a ghost is the pit of this step, in the state before it.
func TestBeforeTheStep(t *testing.T) {
	small := build.Settings{"m": {N: 2}, "n": {N: 2}}
	for text, want := range map[string]func(sys *rules.System, s rules.State, last, origin int) bool{
		"old seeds(last) = 2":          func(_ *rules.System, s rules.State, last, _ int) bool { return s.Seeds[last] == 2 },
		"old seeds(origin) > old last": func(_ *rules.System, s rules.State, last, origin int) bool { return s.Seeds[origin] > s.Seeds[last] },
		"old (last in south)":          func(sys *rules.System, _ rules.State, last, _ int) bool { return sys.Pits[last].Group == "south" },
		"old opposite(origin) = last": func(sys *rules.System, _ rules.State, last, origin int) bool {
			return sys.Relations[0].To[origin] == last
		},
	} {
		inst := claimed(t, "kalah.sow", "claim c { from true every step gives "+text+" }", small)
		sys, gives := inst.System, inst.Property.(*build.EveryStep).Gives
		in := interp.New(sys)
		for _, s := range reachable(t, sys) {
			for _, st := range steps(t, in, s) {
				last, _, origin := sownByHand(sys, s, st.Action)
				got, err := in.Holds(gives, st.To, &s)
				if err != nil || got != want(sys, s, last, origin) {
					t.Fatalf("%s: %v %v after %v of %v", text, got, err, st, s)
				}
			}
		}
	}
}

// sownByHand drops the seeds of a move of Kalah: round the board, but not into the other player's
// store.
func sownByHand(sys *rules.System, s rules.State, action int) (last, was, origin int) {
	origin = sys.Actions[action].Choices[0].Value
	their := "north_store"
	if sys.Pits[origin].Group == "north" {
		their = "south_store"
	}
	seeds := slices.Clone(s.Seeds)
	hand, at := seeds[origin], origin
	seeds[origin] = 0
	for hand > 0 {
		at = sys.Laps[0].Next[at]
		if sys.Pits[at].Name == their {
			continue
		}
		last, was = at, seeds[at]
		seeds[at]++
		hand--
	}
	return last, was, origin
}

func remembers(sys *rules.System, s rules.State, ghost string) int {
	for i := range sys.Vars {
		if sys.Vars[i].Name == ghost && sys.Vars[i].Ghost {
			return s.Vars[i]
		}
	}
	return -2
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestGhostsOfEveryWay: relays, a game that ends while seeds fall, and moves without a sowing,
// which remember nothing of the one before.
func TestGhostsOfEveryWay(t *testing.T) {
	inst := claimed(t, "kalah.sow", `
variant W {
  board {
    x[1..4] | home
    line lap = x[1..4], home
  }
  state sown : bool = false
  setup { x1 = 2, x3 = 1 }
  move RELAY when not sown {
    sown = true
    sow x1 along lap
    if last > 1 { sow last along lap }
  }
  move STOP when not sown {
    sow x1 along lap, each drop { if last = x2 { end EARLY } }
  }
  move REST when sown { take 0 from x1 into x2 }
}
claim c of W { from true every step gives last = origin }`, nil)
	sys := inst.System
	in := interp.New(sys)
	name := func(s rules.State, ghost string) string {
		return sys.ValueName(rules.PitType, remembers(sys, s, ghost))
	}
	first := steps(t, in, onlyStart(t, sys))
	for i, want := range [][2]string{{"home", "x3"}, {"x2", "x1"}} { // x3 holds two seeds when the relay goes on with it
		if s := first[i].To; name(s, "last") != want[0] || name(s, "origin") != want[1] {
			t.Errorf("move %d: last %s, origin %s, want %v", i, name(s, "last"), name(s, "origin"), want)
		}
	}
	if s := steps(t, in, first[0].To)[0].To; name(s, "last") != "none" || name(s, "origin") != "none" {
		t.Errorf("a move without a sowing: last %s, origin %s", name(s, "last"), name(s, "origin"))
	}
}

const two = `
variant Other {
  param m = 6 in 1..12
  param deep = 2 in 1..
  param extra = 1 in 0..
  player A, B
  board {
    bs | b[m..1] |
       | a[1..m] | as
    ring lap = a[1..m], as, b[1..m], bs
  }
  setup { each a = deep }
  move { choose p in a  sow p along lap }
}
`

// TestRelation: which settings reach the other variant.
func TestRelation(t *testing.T) {
	given := build.Settings{"m": {N: 3}, "extra": {N: 5}}
	inst := claimed(t, "kalah.sow", two+"claim c of Kalah { with n = 4 equivalent to Other(deep = 2*n + m) }", given)
	p := inst.Property.(*build.Relation)
	got := map[string]int{}
	for _, q := range p.Other.Params {
		got[q.Name] = q.Value
	}
	if p.Relates != build.Equivalent || p.Other.Name != "Other" || got["m"] != 3 || got["deep"] != 11 || got["extra"] != 5 {
		t.Errorf("kind %d, %s with %v", p.Relates, p.Other.Name, got)
	}
	inst = claimed(t, "kalah.sow", "claim c { with m = 3 refines Kalah(empty_capture = true) for all n }", nil)
	p = inst.Property.(*build.Relation)
	if q := p.Other.Params; q[0].Value != 3 || !q[1].Open || q[2].Value != 1 {
		t.Errorf("parameters %v", q)
	}
}

func TestCounts(t *testing.T) {
	c := claimed(t, "tchoukaillon.sow", "claim c { count(plays of cups moves) >= 2 }", nil).Property.(*build.Count)
	if c.Set != build.CountPlays || c.Moves != 6 || c.Where != rules.True || c.Op != rules.Ge || c.Value != 2 {
		t.Errorf("%+v", c)
	}
	c = claimed(t, "tchoukaillon.sow", "claim c { count(ancestors of basket = 3 where start) = 2 }", nil).Property.(*build.Count)
	if c.Set != build.CountAncestors || c.Where != rules.Expr(rules.IsStart) || c.Of == nil {
		t.Errorf("%+v", c)
	}
}

// TestStretches: ends that depend on a quantifier, and empty ones beside the row.
func TestStretches(t *testing.T) {
	inst := claimed(t, "tchoukaillon.sow",
		"claim c { with cups = 3 invariant each c in cup : total(cup[1..index(c)-1]) = 1 and total(cup[index(c)+1..cups]) = 2 }", nil)
	var got []string
	for _, x := range rules.Conjuncts(rules.Simplify(rules.Not{X: inst.Property.(*build.Reach).Target}, nil)) {
		got = append(got, rules.ExprString(inst.System, x))
	}
	if len(got) != 1 || got[0] != "false" { // for the first cup nothing lies before it
		t.Errorf("the claim reads %v", got)
	}
	inst = claimed(t, "tchoukaillon.sow", "claim c { with cups = 3 unreachable (number c in cup : total(cup[1..index(c)-1]) > 1) = 2 }", nil)
	in := interp.New(inst.System)
	for seeds, want := range map[[3]int]bool{{2, 0, 0}: true, {0, 2, 0}: false, {1, 1, 0}: false, {0, 0, 9}: false} {
		s := inst.System.EmptyStart()
		for i, n := range seeds {
			s.Seeds[inst.System.PitNamed([]string{"cup1", "cup2", "cup3"}[i])] = n
		}
		if holds, err := in.Holds(inst.Property.(*build.Reach).Target, s, nil); holds != want || err != nil {
			t.Errorf("%v: %v, %v", seeds, holds, err)
		}
	}
}

// TestCapturedSetIsFoundFirst: the first capture gives the mover a move again, and the pits of the
// set are those of before.
func TestCapturedSetIsFoundFirst(t *testing.T) {
	sys := buildtest.System(t, buildtest.Text(t, `
variant V {
  board { a[1..3] | z }
  setup { each a = 1 }
  move { choose p in z where p > 0  take 1 from p into a1 }
  move first when z = 0 and a1 = 1 { take 1 from a1 into a2 }
  when no move { capture {p in a where no move} into z }
}`), nil)
	all := reachable(t, sys)
	if !slices.ContainsFunc(all, func(s rules.State) bool { return slices.Equal(s.Seeds, []int{0, 0, 0, 3}) }) {
		t.Errorf("no state with all seeds in z: %v", all)
	}
}

// TestSetupAsks: a pit that a condition asks for may have seeds, whether or not they decide it.
func TestSetupAsks(t *testing.T) {
	for _, cond := range []string{
		"total(z) = 3 if n = 1 else a1 > 3", "total(z) = 3 if n /= 1 else a1 > 3", "total(z) = 3 if a2 = 0 else a1 > 3",
		"a1 > 3 if n = 1 else total(z) = 3", "a1 = 1 or n > 0", "n > 0 or a1 = 1", "a1 = 1 or true", "not (a1 = 1 and false)", "each pit >= 0 or 1 < 2",
		"some p in a : p > 1 or n = 1", "(each p in a : p > 1) or n = 1", "a1 * 0 = 0", "min(a1, 0) = 0", "a1 in {n, 2} or n = 1", "true or total(a) = 3",
		"always(a1)", "total({p in a where p > 1}) = 0 or n = 1",
	} {
		sys := buildtest.System(t, buildtest.Text(t, `
define always(k : number) = k >= 0 or true
variant V {
  param n = 1
  board { a[1..2] | z }
  setup { any where z = 3, `+cond+` }
  move { }
}`), nil)
		if !sys.Start.Free[sys.PitNamed("a1")] {
			t.Errorf("%s: a1 is empty", cond)
		}
	}
}

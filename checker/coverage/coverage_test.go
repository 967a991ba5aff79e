package coverage_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/simulate"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestCounts: counts worked out by hand. The start has three seeds in a. The first move takes one;
// a has two then. The second takes one, so a has one, and takes that, too: the game is over. So
// there are two steps, and three states. The ending is asked at the start, and after each step.
func TestCounts(t *testing.T) {
	const text = `
variant Tiny {
  board { a | b }
  setup { a = 3 }
  move when b < 9 {
    require a > 0
    take 1 from a into b
    if a = 1 or b = 9 and a > 5 { take 1 from a into b }
    while a > 7 { take 1 from a into b }
  }
  end when not (a > 0)
}
`
	u := buildtest.Text(t, text)
	r := report(t, u, nil)
	got := []string{}
	for _, l := range r.Lines() {
		got = append(got, fmt.Sprintf("%s %s: %d %d %s", l.Kind, strings.TrimSpace(text[l.At.Start.Offset:min(l.At.End.Offset, l.At.Start.Offset+16)]), l.Yes, l.No, l.Idle()))
	}
	want := []string{
		"move move when b < 9: 2 0 ",
		"guard b < 9: 1 0 always true", // of a guard it is only known that it was so
		"statement require a > 0: 2 0 ",
		"statement take 1 from a in: 2 0 ",
		"branch a = 1 or b = 9 a: 1 1 ",
		"part a = 1: 1 1 ",
		"part b = 9: 0 1 never true", // where a is 2
		"part a > 5: 0 0 never evaluated",
		"statement take 1 from a in: 1 0 ",
		"branch a > 7: 0 2 never true",
		"statement take 1 from a in: 0 0 never carried out",
		"ending not (a > 0): 1 2 ", // 3 and 2 seeds; none
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if run := r.Runs[0]; run.States != 3 || !run.Complete {
		t.Errorf("%+v, want 3 states", run)
	}
	reached := map[string]bool{}
	for _, l := range r.Lines() {
		reached[text[l.At.Start.Offset:l.At.End.Offset]] = l.Reached()
	}
	if reached["a > 5"] || !reached["b = 9"] || !reached["a > 7"] {
		t.Errorf("reached: %v", reached)
	}
}

// report searches the first variant of a file.
func report(t *testing.T, u *build.Unit, given build.Settings) *coverage.Report {
	t.Helper()
	sys := buildtest.System(t, u, given)
	m, diags := u.Marked(u.Variants[0], given)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r := &coverage.Report{}
	if _, _, err := r.Search(t.Context(), sys, m, forward.Options{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDecided: a condition that is known before play, on all boards that were searched, is no
// mistake; one whose value depends on the choice, or on the board, has been true and false.
func TestDecided(t *testing.T) {
	const text = `
variant Tiny {
  param switch = false
  board { a[1..2] | b }
  setup { each a = 1 }
  move {
    choose p in a where p > 0
    if switch { take 0 from a[1] into b }
    if index(p) = 1 { take 1 from a[1] into b } else { take 1 from a[2] into b }
  }
  end when total(a) = 0
}
`
	u := buildtest.Text(t, text)
	r := report(t, u, nil)
	for _, l := range r.Lines() {
		if l.Decided != (text[l.At.Start.Offset:l.At.End.Offset] == "switch") {
			t.Errorf("%v: decided is %v", l.At, l.Decided)
		}
	}
	on := report(t, u, build.Settings{"switch": {N: 1, Bool: true}})
	for _, l := range on.Lines() {
		if text[l.At.Start.Offset:l.At.End.Offset] == "switch" && (!l.Decided || l.Yes == 0) {
			t.Errorf("%+v, want that it is decided and true", l)
		}
	}
}

// drawn is a generated game and its System with marks.
type drawn struct {
	text   string
	sys    *rules.System
	marked *rules.Marked
}

func draw(t *rapid.T) drawn {
	for seed := rapid.Uint64().Draw(t, "file"); ; seed++ {
		text := gen.Game(seed).Text
		program, diags := dsl.Load("drawn.sow", func(string) ([]byte, error) { return []byte(text), nil })
		if diags.HasErrors() {
			continue
		}
		u, diags := build.Collect(program.Files)
		if diags.HasErrors() {
			continue
		}
		sys, diags := u.System(u.Variants[0], nil)
		if diags.HasErrors() {
			continue
		}
		m, diags := u.Marked(u.Variants[0], nil)
		if diags.HasErrors() {
			t.Fatalf("%s\nno marks: %v", text, diags)
		}
		return drawn{text, sys, m}
	}
}

func (d drawn) starts(ctx context.Context, yield func(rules.State) error) error {
	return space.Starts(ctx, interp.New(d.sys), yield)
}

// most bounds the states of drawn games.
const most = 300

// TestSearch: a search that counts finds what a search finds, and has the counts of the reference
// interpreter, with one thread and with several.
func TestSearch(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		d := draw(t)
		opts := forward.Options{Bounds: limit.Bounds{MaxStates: most, Threads: rapid.IntRange(1, 2).Draw(t, "threads")}, Whole: true}
		want, err := forward.Search(context.Background(), d.sys, d.starts, forward.Query{States: true}, opts)
		got, counts, failed := new(coverage.Report).Search(context.Background(), d.sys, d.marked, opts)
		if err != nil || failed != nil {
			if fmt.Sprint(err) != fmt.Sprint(failed) {
				t.Fatalf("%s\n%v, want %v", d.text, failed, err)
			}
			t.Skip("a fault")
		}
		got.Stats.Seconds, want.Stats.Seconds, got.Stats.Bytes = 0, 0, want.Stats.Bytes
		if diff := cmp.Diff(want.Stats, got.Stats); diff != "" || want.Stop != got.Stop || !slices.Equal(want.Fired, got.Fired) {
			t.Fatalf("%s\n%s", d.text, diff)
		}
		if got.Stop != limit.Complete {
			t.Skip("too large")
		}
		if diff := cmp.Diff(d.slow(t, want.States), counts); diff != "" {
			t.Errorf("%s\n%s", d.text, diff)
		}
	})
}

// slow counts what the steps of states carry out by the reference interpreter.
func (d drawn) slow(t *rapid.T, states []rules.State) coverage.Counts {
	out := coverage.Counts{Moves: make([]int64, len(d.sys.Moves)), Marks: make([]int64, d.marked.Marks())}
	add := func(sys *rules.System, st rules.State, surveys bool) {
		st = st.Clone()
		st.Vars = append(st.Vars, make([]int, d.marked.Marks())...)
		steps, _, err := interp.New(sys).Legal(st)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if survey := s.Action >= len(d.sys.Actions); survey != surveys {
				continue
			}
			for i, set := range s.To.Vars[d.marked.Vars:] {
				if out.Marks[i] += int64(set); surveys {
					out.Marks[i] = min(out.Marks[i], 1)
				}
			}
			if !surveys {
				out.Moves[sys.Actions[s.Action].Move]++
			}
		}
	}
	if d.marked.Survey != nil {
		for _, st := range states {
			add(d.marked.Survey, st, true)
		}
		for _, p := range d.marked.Places { // marks of other places are none of surveys
			if p.Kind != rules.GuardPlace && p.Kind != rules.GuardPart && (out.Marks[p.Yes] > 0 || p.No != rules.None && out.Marks[p.No] > 0) {
				t.Fatalf("%s\na survey sets a mark of %v", d.text, p)
			}
		}
	}
	for _, st := range states {
		add(d.marked.Sys, st, false)
	}
	err := space.Starts(context.Background(), interp.New(d.marked.Sys), func(st rules.State) error {
		for i, set := range st.Vars[d.marked.Vars:] {
			out.Marks[i] += int64(set)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestGames: games are the same if they are counted, and what is carried out in one of them is
// carried out in the search.
func TestGames(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		d := draw(t)
		res, all, err := new(coverage.Report).Search(context.Background(), d.sys, d.marked, forward.Options{Bounds: limit.Bounds{MaxStates: most}})
		if err != nil || res.Stop != limit.Complete || res.Stats.Starts == 0 {
			t.Skip("a fault, or too large")
		}
		var first rules.State
		if err := d.starts(context.Background(), func(st rules.State) error { first = st.Clone(); return space.ErrStop }); err != nil {
			t.Fatal(err)
		}
		opts := simulate.Options{Games: 20, MaxMoves: 50, Seed: 1, Bounds: limit.Bounds{Threads: 2}}
		want, err := simulate.Run(context.Background(), d.sys, first, opts)
		if err != nil {
			t.Fatal(err)
		}
		opts.Coverage = coverage.Of(context.Background(), d.sys, d.marked)
		got, err := simulate.Run(context.Background(), d.sys, first, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Counts, got.Counts); diff != "" {
			t.Fatalf("%s\n%s", d.text, diff)
		}
		counts, moves := opts.Coverage.Counts(), int64(0)
		for i, n := range counts.Marks {
			if n > 0 && all.Marks[i] == 0 {
				t.Errorf("%s\nmark %d is set in a game, and not in the search", d.text, i)
			}
		}
		for _, n := range counts.Moves {
			moves += n
		}
		ends := int64(0)
		if r := d.sys.Repetition; r != nil && r.Offered {
			ends = want.Moves - moves // moves that end the game
		}
		if moves+ends != want.Moves {
			t.Errorf("%s\n%d moves are counted of %d", d.text, moves, want.Moves)
		}
	})
}

package board_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
)

// busy is a Kalah with variables of all kinds.
func busy() *rules.System {
	sys := samples.Kalah(2, 3, true)
	sys.Enums = [][]string{{"placing", "sowing"}}
	sys.Vars = []rules.Var{
		{Name: "hand", Domain: []int{0, 1, 2, 3}},
		{Name: "first", Type: rules.TruthType, Domain: []int{0, 1}, Init: 1},
		{Name: "tuz(South)", Type: rules.PitType, Domain: []int{rules.None, 1, 2}, Init: rules.None},
		{Name: "tuz(North)", Type: rules.PitType, Domain: []int{rules.None, 3, 4}, Init: rules.None},
		{Name: "turn_of", Type: rules.PlayerType, Domain: []int{0, 1}},
		{Name: "phase", Type: rules.EnumType(0), Domain: []int{0, 1}},
	}
	return sys
}

func anyState(t *rapid.T, sys *rules.System) rules.State {
	s := sys.EmptyStart()
	for p := range s.Seeds {
		s.Seeds[p] = rapid.IntRange(0, 200).Draw(t, "seeds")
	}
	for v := range s.Vars {
		s.Vars[v] = rapid.SampledFrom(sys.Vars[v].Domain).Draw(t, "value")
	}
	s.Mover = rapid.IntRange(0, len(sys.Players)-1).Draw(t, "mover")
	if rapid.Bool().Draw(t, "over") {
		s.Outcome, s.Mover = rapid.IntRange(0, len(sys.Outcomes)-1).Draw(t, "outcome"), rules.None
	}
	return s
}

func anySystem(t *rapid.T) *rules.System {
	return rapid.SampledFrom([]*rules.System{busy(), samples.Dose(3, -1), samples.Kalah(6, 4, false)}).Draw(t, "system")
}

func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := anySystem(t)
		s := anyState(t, sys)
		seeds, err := board.ParseFlat(sys, board.Flat(sys, s))
		if err != nil || !slices.Equal(seeds, s.Seeds) {
			t.Fatalf("flat: %v, %v; want %v", seeds, err, s.Seeds)
		}
		drawn, err := board.Parse(sys, board.Rows(sys, s, board.Options{}))
		if err != nil || !slices.Equal(drawn.Seeds, s.Seeds) {
			t.Fatalf("drawn: %v, %v; want %v", drawn.Seeds, err, s.Seeds)
		}
		whole, err := board.Parse(sys, string(board.StateJSON(sys, s)))
		if err != nil || !whole.Equal(s) {
			t.Fatalf("JSON on the command line: %v, %v; want %v", whole, err, s)
		}
		back, err := board.ReadState(sys, board.StateJSON(sys, s))
		if err != nil || !back.Equal(s) {
			t.Fatalf("JSON: %+v, %v; want %+v", back, err, s)
		}
		set := sys.EmptyStart()
		for v := range s.Vars {
			if err := board.SetVar(sys, &set, sys.Vars[v].Name+" = "+board.VarValue(sys, v, s.Vars[v])); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(set.Vars, s.Vars) {
			t.Fatalf("settings: %v, want %v", set.Vars, s.Vars)
		}
	})
}

// TestDrawShowsAll: the drawing, read from left to right and from top to bottom, is the board in
// the order of declaration.
func TestDrawShowsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := anySystem(t)
		s := anyState(t, sys)
		lines := strings.Split(board.Draw(sys, s, board.Options{}), "\n")[:len(sys.Picture)]
		same := *sys
		same.Laps = nil // flat boards without laps go in order of declaration
		text := strings.NewReplacer("[", " ", "]", " ", "|", " ").Replace(strings.Join(lines, " "))
		order := slices.Clone(s.Seeds)
		got, err := board.ParseFlat(&same, text)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range slices.Concat(slices.Concat(sys.Picture...)...) {
			order[p] = got[i]
		}
		if !slices.Equal(order, s.Seeds) {
			t.Fatalf("drawn %v, want %v", order, s.Seeds)
		}
	})
}

// TestDrawnInOneLine: a drawing of several rows in one line, with bars between them, is the same
// board.
func TestDrawnInOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := anySystem(t)
		s := anyState(t, sys)
		rows := strings.Split(strings.TrimSuffix(board.Rows(sys, s, board.Options{}), "\n"), "\n")
		if len(rows) == 1 {
			return
		}
		if got, err := board.Parse(sys, strings.Join(rows, "|")); err != nil || !slices.Equal(got.Seeds, s.Seeds) {
			t.Fatalf("%q: %v, %v, want %v", rows, got.Seeds, err, s.Seeds)
		}
	})
}

func TestDraw(t *testing.T) {
	dose := samples.Dose(3, -1)
	s := dose.EmptyStart()
	copy(s.Seeds, []int{0, 1, 12, 3, 0, 4, 5, 6})
	s.Vars[0] = 2
	check(t, board.Draw(dose, s, board.Options{}), `
  0 |  1 [12]  3 |  0
    |  4   5   6 |
`)
	s.Vars[0] = rules.None
	s.Outcome, s.Mover = 0, rules.None
	before := s.Clone()
	before.Seeds[0], before.Seeds[1] = 1, 0
	check(t, board.Draw(dose, s, board.Options{Before: &before, Indent: "> "}), `
>   0- |  1+  12    3  |  0
>      |  4    5    6  |
> selected = none, over: SR005 (lose)
`)
	check(t, board.Draw(busy(), busy().EmptyStart(), board.Options{}), `
 0 | 0  0 |
   | 0  0 | 0
hand = 0, first = true, tuz(South) = none, tuz(North) = none, turn_of = South, phase = placing, South to move
`)
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseFlatErrors(t *testing.T) {
	sys := samples.Kalah(1, 1, true)
	if got, err := board.ParseFlat(sys, "1,2  3 4,"); err != nil || !slices.Equal(got, []int{4, 3, 1, 2}) {
		t.Errorf("got %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"1 2 3":                      "board: too few counts: 3 for the 4 pits of `Kalah` (south1 south_store north1 north_store)",
		"1 2 3 4 5":                  "board: too many counts: 5 for the 4 pits of `Kalah` (south1 south_store north1 north_store)",
		"1 -2 3 4":                   "board: `-2`, count 2 (south_store), is negative",
		"1 2 x 4":                    "board: `x`, count 3 (north1), is not a number",
		"1 2 3 -":                    "board: `-`, count 4 (north_store), is not a number",
		"99999999999999999999 0 0 0": "board: `99999999999999999999`, count 1 (south1), is too large",
	} {
		if _, err := board.ParseFlat(sys, text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestParse reads boards as people type them.
func TestParse(t *testing.T) {
	dose, kalah := samples.Dose(3, -1), samples.Kalah(2, 3, false)
	for _, c := range []struct {
		sys  *rules.System
		text string
		want string // the flat board, or what the error says
	}{
		{kalah, "1 2 9 3 4 8", "1 2 9 3 4 8"},
		{kalah, "8 | 4 3 | / | 1 2 | 9", "1 2 9 3 4 8"},
		{kalah, "{ 8 | 4, 3 |\n   | 1 2 | 9 }", "1 2 9 3 4 8"},
		{kalah, "8 | 4 3\n | 1 2 | 9 |", "1 2 9 3 4 8"},
		{kalah, "8 | 4 3", "it has 1 row, the board"},
		{kalah, "8 | 4 3 | 1 2 | 9", "1 2 9 3 4 8"},
		{kalah, "8 | 4 3 | | | 1 2 | 9", "1 2 9 3 4 8"},
		{kalah, "1 2 | 9 | 3 4 | 8", "row 1, part 1 has 2 counts, on the board it has 1 pit (north_store)"},
		{kalah, "1 2 | 9 3 4 8", "it has 1 row, the board"},
		{kalah, "\uFEFF1 2 9 3 4 8\r\n", "1 2 9 3 4 8"},
		{kalah, "1 2 9 3 4\r8", "carriage return"},
		{kalah, "1 2 9 3 4 8\u3164", "U+3164"},
		{kalah, "1_0 2 9 3 4 8", "10 2 9 3 4 8"},
		{kalah, "{ 8 | 4 3 }", "it has 1 row, the board"},
		{kalah, "8 | 4 3 / | 1 | 9", "row 2, part 2 has 1 count, on the board it has 2 pits"},
		{kalah, "8 | 4 3 / | 1 2 | 9 | 1", "row 2 has 4 parts"},
		{kalah, "8 | 4 3 / | 1 -2 | 9", "`-2`, south2, is negative"},
		{kalah, "8 | 4 [3] / | 1 2 | 9", "exactly one variable"},
		{kalah, "{ 8 | 4 3 / | 1 2 | 9", "closing brace"},
		{kalah, `{"pits": 1}`, "control"},
		{kalah, "8 | 4 3 / | 1 2 | 4611686018427387904", "too large"},
		{kalah, "8 | 4 3 / | 1 4611686018427387903 | 4611686018427387903", "more than"},
		{dose, "{ 0 | 1 [2] 3 | 4 / | 5 6 7 | }", ""},
	} {
		s, err := board.Parse(c.sys, c.text)
		got := ""
		if err != nil {
			got = err.Error()
		} else if c.want != "" {
			got = board.Flat(c.sys, s)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		if c.sys == dose && (err != nil || dose.Pits[s.Vars[0]].Name != "hole02" && dose.Pits[s.Vars[0]].Name != "hole2") {
			t.Errorf("%q: %v, %v", c.text, s, err)
		}
	}
}

func TestSetVarErrors(t *testing.T) {
	sys := busy()
	s := sys.EmptyStart()
	if err := board.SetVar(sys, &s, "mover=North"); err != nil || s.Mover != 1 {
		t.Errorf("mover %d, %v", s.Mover, err)
	}
	for text, want := range map[string]string{
		"hand":                   "state: `hand` is not a setting; write `NAME=VALUE`",
		"hnad=1":                 "state: unknown variable `hnad`; did you mean `hand`?",
		"hand=4":                 "state: `hand` is 0..3, not 4",
		"hand=all":               "state: `all` is not a value of `hand`, which is a number",
		"phase=plcing":           "state: `plcing` is not a value of `phase`; did you mean `placing`?",
		"tuz(South)=south_store": "state: `south_store` is not a value of `tuz(South)`; its values are none, north2, north1",
		"mover=West":             "state: unknown player `West`; the players are South, North",
	} {
		if err := board.SetVar(sys, &s, text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func doseTrace(t *testing.T) (*rules.System, *rules.Trace) {
	sys := samples.Dose(2, 4)
	s := sys.EmptyStart()
	copy(s.Seeds, []int{0, 1, 1, 0, 1, 1})
	trace, err := interp.New(sys).Replay(s, []string{"hole01", "hole01C", "hole02C"})
	if err != nil {
		t.Fatal(err)
	}
	trace.Claim = "thesis"
	return sys, trace
}

func TestTraceText(t *testing.T) {
	sys, trace := doseTrace(t)
	check(t, board.TraceText(sys, trace, board.Options{}), `
start
      0 | 1  1 | 0
        | 1  1 |
     selected = none
  1. hole01    SR003
      0  |[1]  1  | 0
         | 1   1  |
  2. hole01 C  SR004(A)
      0  | 0- [2]+| 0
         | 1   1  |
  3. hole02 C  SR004(A)
      0  | 0   0- | 0
         |[2]+ 2+ |
`)
}

func TestTraceJSON(t *testing.T) {
	sys, trace := doseTrace(t)
	data := board.TraceJSON(sys, trace)
	back, err := board.ReadTrace(sys, data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(board.TraceJSON(sys, back))); diff != "" {
		t.Error(diff)
	}
	head, err := board.ReadHead(data)
	want := board.Head{Variant: "Dose", SystemHash: sys.Hash(), Claim: "thesis", Params: map[string]string{"n": "2", "stones": "4"}}
	if diff := cmp.Diff(want, head); err != nil || diff != "" {
		t.Error(err, diff)
	}
	const start = `{"pits":{"store01":0,"hole01":1,"hole02":1,"store02":0,"hole03":1,"hole04":1},"control":{"selected":"none"}}`
	if got := string(board.StateJSON(sys, trace.Start)); got != start {
		t.Errorf("start is %s, want %s", got, start)
	}
}

func TestReadTraceIsStrict(t *testing.T) {
	sys, trace := doseTrace(t)
	data := string(board.TraceJSON(sys, trace))
	for _, c := range []struct{ old, new, want string }{
		{`"claim"`, `"claims"`, "trace: unknown field \"claims\""},
		{`"claim":"thesis",`, ``, "trace: the field \"claim\" is missing"},
		{`"claim"`, `"claim":"x","claim"`, "trace: the field \"claim\" stands twice"},
		{`"Dose"`, `"Rose"`, "trace: it is of the variant `Rose`, not of `Dose`"},
		{sys.Hash(), "0123456789abcdef", "trace: it was made with other rules or parameters of `Dose`"},
		{`"hole01":1`, `"hole01":-1`, "trace: start: pits: `hole01`: -1 is negative"},
		{`"hole01":1`, `"hole01":1.5`, "trace: start: pits: `hole01`: 1.5 is not a number"},
		{`"selected":"none"`, `"selected":"store01"`, "trace: start: control: \"store01\" is not a value of `selected`"},
		{`"selected":"none"`, `"selected":"none","outcome":"SR007"`, "trace: start: control: `Dose` has no outcome `SR007`"},
		{`"steps":[`, `"steps":[{"move":"1","label":"x"},`, "trace: the field \"state\" is missing"},
	} {
		_, err := board.ReadTrace(sys, []byte(strings.Replace(data, c.old, c.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
	if _, err := board.ReadTrace(sys, []byte(data+"{}")); err == nil {
		t.Error("text behind the trace is accepted")
	}
	if !json.Valid([]byte(data)) {
		t.Error("not valid JSON")
	}
}

// TestGhosts: ghosts are shown and read, but they are not marked by brackets and cannot be set.
func TestGhosts(t *testing.T) {
	dose := samples.Dose(3, -1)
	dose.Vars = append(dose.Vars, rules.Var{Name: "last", Type: rules.PitType, Domain: []int{rules.None, 1, 2}, Init: rules.None, Ghost: true})
	s := dose.EmptyStart()
	s.Vars[0], s.Vars[1] = 1, 2
	check(t, board.Draw(dose, s, board.Options{}), `
 0 |[0] 0  0 | 0
   | 0  0  0 |
last = hole02
`)
	if back, err := board.ReadState(dose, board.StateJSON(dose, s)); err != nil || !back.Equal(s) {
		t.Errorf("JSON: %+v, %v", back, err)
	}
	if err := board.SetVar(dose, &s, "last = hole01"); err == nil || !strings.Contains(err.Error(), "unknown variable `last`") {
		t.Errorf("setting a ghost: %v", err)
	}
}

// TestLoop: a play is marked where it first has the board that it ends with, unless the game is
// over.
func TestLoop(t *testing.T) {
	sys := samples.Kalah(2, 3, true)
	state := func(seeds int) rules.State {
		s := sys.EmptyStart()
		s.Seeds[0] = seeds
		return s
	}
	over := state(1)
	over.Outcome, over.Mover = 0, rules.None
	for _, test := range []struct {
		states []rules.State
		want   int
	}{
		{[]rules.State{state(1)}, -1},
		{[]rules.State{state(1), state(2)}, -1},
		{[]rules.State{state(1), state(2), state(1)}, 0},
		{[]rules.State{state(1), state(2), state(3), state(2)}, 1},
		{[]rules.State{over, state(2), over}, -1},
	} {
		trace := &rules.Trace{System: sys, Start: test.states[0]}
		for _, s := range test.states[1:] {
			trace.Steps = append(trace.Steps, rules.TraceStep{Move: "m", State: s})
		}
		if got := trace.Loop(); got != test.want {
			t.Errorf("%d states: %d, want %d", len(test.states), got, test.want)
		}
		marks := strings.Count(board.TraceText(sys, trace, board.Options{}), "comes back to here")
		if marks != 0 && test.want < 0 || marks != 1 && test.want >= 0 {
			t.Errorf("%d states: %d marks", len(test.states), marks)
		}
	}
}

func TestDrawOpen(t *testing.T) {
	dose := samples.Dose(3, -1)
	s := dose.EmptyStart()
	copy(s.Seeds, []int{100, 1, 2, 3, 100, 4, 5, 6})
	open := func(pit int) bool { return strings.HasPrefix(dose.Pits[pit].Name, "store") }
	check(t, board.Rows(dose, s, board.Options{Open: open}), `
 _ | 1  2  3 | _
   | 4  5  6 |
`)
}

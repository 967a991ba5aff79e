package main

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// ran is a contestant with runs of the given CPU times in seconds, half as long by the clock.
func ran(name string, o outcome, cpu ...float64) *contestant {
	c := &contestant{name: name, outcome: o}
	for _, s := range cpu {
		d := time.Duration(s * float64(time.Second))
		c.runs = append(c.runs, sample{cpu: d, wall: d / 2, peak: 100 << 20})
	}
	return c
}

func example() table {
	million := states(1_000_000)
	return table{name: "game", title: "A game", command: "mancheck count game.sow", rows: []*contestant{
		ran(mancheckName, million, 2, 8, 3),
		ran(twoThreads, million, 2.2, 8.8, 3.3),
		ran(handLoopName, million, 1, 2, 1),
		ran("SPIN", million, 4),
	}}
}

// TestPaired checks that ratios are taken round by round: a busy machine slows both of a round.
func TestPaired(t *testing.T) {
	tb := example()
	for _, c := range []struct {
		a, b int
		want float64
	}{
		{2, 0, 1.0 / 3}, // of 1/2, 1/4, 1/3
		{0, 2, 3},
		{3, 0, 2}, // only the first round
	} {
		if got := paired(tb.rows[c.a].runs, tb.rows[c.b].runs, cpuTime); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s against %s: %v, want %v", tb.rows[c.a].name, tb.rows[c.b].name, got, c.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}} {
		if got := median(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	want := strings.Join([]string{
		"### A game", "", "`mancheck count game.sow`", "",
		"| program | CPU s | speed, hand loop = 1 | speed, mancheck = 1 | wall s | states/s | peak MiB | B/state | runs |",
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|",
		"| mancheck | 3.00 | 0.33 | 1.00 | 1.50 | 333 k | 100 | 104.9 | 3 |",
		"| mancheck, 2 threads | 3.30 | 0.30 | 0.91 | 1.65 | 303 k | 100 | 104.9 | 3 |",
		"| hand loop | 1.00 | 1.00 | 3.00 | 0.50 | 1.00 M | 100 | 104.9 | 3 |",
		"| SPIN | 4.00 | 0.25 | 0.50 | 2.00 | 250 k | 100 | 104.9 | 1 |",
		"", "Result: 1,000,000 states. Two threads took 1.10 times the CPU time of one, and 1.10 times the wall time.", "", "",
	}, "\n")
	if got := example().markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFaults checks that programs that differ or fail are reported.
func TestFaults(t *testing.T) {
	tb := example()
	if f := tb.faults(); len(f) != 0 {
		t.Fatal(f)
	}
	tb.rows[2].outcome = states(999_999)
	tb.rows[3].runs, tb.rows[3].failed = nil, errors.New("exit status 1")
	want := []string{"mancheck: 1,000,000 states, but hand loop: 999,999 states", "SPIN failed: exit status 1"}
	if got := tb.faults(); strings.Join(got, ";") != strings.Join(want, ";") {
		t.Errorf("%q, want %q", got, want)
	}
	tb.rows[2].outcome = states(1_000_000)
	tb.rows[3].peer, tb.rows[3].late = true, true
	if f := tb.faults(); len(f) != 0 {
		t.Errorf("a slow peer is no fault: %q", f)
	}
	if n := len(tb.cells()); n != 4 {
		t.Errorf("%d rows, want a heading and three programs", n)
	}
}

func TestReplace(t *testing.T) {
	doc := "before\n" + beginFigures + "old\n" + endFigures + "after\n"
	got, err := replace(doc, "new\n")
	if want := "before\n" + beginFigures + "\nnew\n\n" + endFigures + "after\n"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if again, err := replace(got, "new\n"); err != nil || again != got {
		t.Errorf("not the same the second time: %v\n%s", err, again)
	}
	if _, err := replace("no figures\n", "new\n"); err == nil {
		t.Error("a document without a place for figures was changed")
	}
}

// TestOutcomes checks what is read from the programs' output.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome func([]byte) (outcome, error)
		out     string
		want    outcome
	}{
		{"count", counted, `{"schema": 1, "states": 27090, "live": 27076}`, outcome{27090, "27,090 states"}},
		{"SPIN", number(`(\d+) states, stored`, -1), "  27091 states, stored\n 23420 states, matched\n", outcome{27090, "27,090 states"}},
		{"Rumur", number(`(\d+) states, \d+ rules fired`, 0), "\t27090 states, 50509 rules fired in 0s.\n", outcome{27090, "27,090 states"}},
		{
			"check", verdict, `{"results": [{"verdict": "proved", "reason": "there are 28", "stats": {"states": 8737}}]}`,
			outcome{8737, "proved, there are 28"},
		},
		{"prove", lastLine, "✓ proved\n3 claims: 3 as expected; 2 checked, 1 unchecked (*)\n", outcome{0, "3 claims: 3 as expected"}},
	} {
		if got, err := c.outcome([]byte(c.out)); err != nil || got != c.want {
			t.Errorf("%s: %+v %v, want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := number(`(\d+) states`, 0)([]byte("out of memory")); err == nil {
		t.Error("no number of states, and no error")
	}
}

// TestCases checks that cases have different names, and that a name selects cases.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] || c.outcome == nil {
			t.Errorf("case %q", c.name)
		}
		seen[c.name] = true
	}
	if all, err := choose("", true); err != nil || len(all) != len(cases) {
		t.Error(len(all), err)
	}
	if two, err := choose("kalah44,oware", false); err != nil || len(two) != 2 || two[0].name != "kalah44" {
		t.Error(two, err)
	}
	if _, err := choose("chess", false); err == nil {
		t.Error("there is no chess")
	}
}

// TestDealing counts the states by hand: no hole is filled, one of 1 to 6 stones, or two of at most
// 7 together.
func TestDealing(t *testing.T) {
	if got := dealing(2, 9); got != 1+6+21 {
		t.Error(got)
	}
}

// TestValueOutcomes reads what commands about values write. What is not known is no outcome.
func TestValueOutcomes(t *testing.T) {
	for _, c := range []struct {
		of   func([]byte) (outcome, error)
		text string
		want outcome
	}{
		{valued, `{"value": -2, "nodes": 17}`, outcome{17, "value -2"}},
		{movesValued, `{"value": 2, "nodes": 5, "moves": [{"value": 2}, {"value": -14}]}`, outcome{5, "values 2 -14"}},
		{built, `{"seeds": 8, "positions": 990}`, outcome{990, "up to 8 seeds"}},
		{
			simulated, `{"games": 1000, "drawn": 57, "players": [{"name": "South", "wins": 484}, {"name": "North", "wins": 459}]}`,
			outcome{1000, "1,000 games, 57 drawn, 484 won by South, 459 won by North"},
		},
	} {
		if got, err := c.of([]byte(c.text)); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
	for _, c := range []struct {
		of   func([]byte) (outcome, error)
		text string
	}{{valued, `{"value": null, "nodes": 17}`}, {movesValued, `{"moves": [{"value": 2}, {"value": null}]}`}, {valued, ``}, {built, `x`}, {simulated, `[]`}} {
		if got, err := c.of([]byte(c.text)); err == nil {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

// TestUnit: what is counted has its name, and only states their bytes.
func TestUnit(t *testing.T) {
	tb := example()
	tb.unit = "nodes"
	cells := tb.cells()
	if cells[0][5] != "nodes/s" || cells[1][5] == "" || cells[1][7] != "" {
		t.Errorf("%q", cells)
	}
	if columns[5] != "" {
		t.Errorf("%q", columns)
	}
}

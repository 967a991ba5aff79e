package survey_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// margins are what independent programs have found: of Kalah, for n = 1, 2, … by m.
var margins = map[int][]int64{1: {0, -2, 6, -2, 2, 0}, 2: {2, -2, -2, -10, 6, 8}, 3: {0, 4, 2, 2, 6, -8}}

// TestSweep: the cells of Kalah and Oware are those that independent programs have found, and those
// that another way of this program finds: the value by a search back from the ends, states and the
// longest play by the interpreter, which plays all plays.
func TestSweep(t *testing.T) {
	most := int64(tier.Every(1_000, 30_000))
	if tier.Full() {
		most = 300_000
	}
	for _, test := range []struct {
		path            string
		m, n            [2]int
		clause          string
		known, compared int // at least
	}{
		{"../../examples/kalah.sow", [2]int{1, 5}, [2]int{1, 5}, "", 40, 35},
		{"../../examples/oware.sow", [2]int{2, 4}, [2]int{1, 4}, " where endless play counts as scored", 14, 8},
	} {
		file, err := proofs.Open(test.path)
		if err != nil {
			t.Fatal(err)
		}
		var games []*survey.Game
		for m := test.m[0]; m <= test.m[1]; m++ {
			for n := test.n[0]; n <= test.n[1]; n++ {
				given := build.Settings{"m": {N: m}, "n": {N: n}}
				sys, diags := file.Unit.System(file.Unit.Variants[0], given)
				games = append(games, &survey.Game{System: sys, Given: given, Err: diags.Err()})
			}
		}
		if err := survey.Prepare(t.Context(), test.path, os.ReadFile, games, survey.Figures, test.clause); err != nil {
			t.Fatal(err)
		}
		survey.Run(t.Context(), games, suite.Options{Decide: proofs.Options{Bounds: limit.Bounds{MaxStates: most}}, Each: time.Minute})
		known, compared := 0, 0
		for _, g := range games {
			for _, a := range g.Cells {
				if a.Known() {
					known++
				}
			}
			compared += compare(t, g, test.clause != "", most)
		}
		t.Logf("%s: %d known, %d compared", test.path, known, compared)
		if known < test.known || compared < test.compared {
			t.Errorf("%s: %d are known, and %d were compared", test.path, known, compared)
		}
	}
}

// compare compares the cells of a game with what is known, or is found in another way.
func compare(t *testing.T, g *survey.Game, scored bool, most int64) (compared int) {
	is := map[survey.Aspect]string{}
	of := map[survey.Aspect]*survey.Answer{}
	m, n := g.Given["m"].N, g.Given["n"].N
	if list := margins[m]; g.System.Name == "Kalah" && n <= len(list) {
		is[survey.Value] = fmt.Sprint(list[n-1])
	}
	if states, longest, all := played(t, g.System, int(most)); all {
		is[survey.States], is[survey.Length] = fmt.Sprint(states), longest
		p := value.Payoff{Kind: value.Margin, Endless: value.NoValue}
		if scored {
			p.Endless = value.AsScored
		}
		start := only(t, g.System)
		s, err := value.Solve(t.Context(), g.System, forward.From(start), p, forward.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if lo, hi, _ := s.Value(start); lo == hi {
			if was := is[survey.Value]; was != "" && was != fmt.Sprint(lo) {
				t.Errorf("m=%d, n=%d: the search back finds %d, and not %s", m, n, lo, was)
			}
			is[survey.Value], is[survey.FirstWins] = fmt.Sprint(lo), "no"
			if lo > 0 {
				is[survey.FirstWins] = "yes"
			}
		}
	}
	for _, a := range g.Cells {
		of[a.About] = a
	}
	for about, want := range is {
		a := of[about]
		least, most := a.Bounds()
		var number int64
		_, notNumber := fmt.Sscan(want, &number)
		switch {
		case a.Known():
			if compared++; a.Is() != want {
				t.Errorf("%s m=%d, n=%d: %s is %s, want %s", g.System.Name, m, n, about, a.Is(), want)
			}
		case notNumber == nil && (least != nil && *least > number || most != nil && *most < number):
			t.Errorf("%s m=%d, n=%d: %s is %s, which is outside the bounds", g.System.Name, m, n, about, want)
		}
	}
	return compared
}

// only is the start of a game.
func only(t *testing.T, sys *rules.System) (start rules.State) {
	if err := space.Starts(t.Context(), interp.New(sys), func(s rules.State) error { start = s.Clone(); return nil }); err != nil {
		t.Fatal(err)
	}
	return start
}

// played counts the states that the interpreter comes to, and the moves of the longest play. all is
// false if there are more than most.
func played(t *testing.T, sys *rules.System, most int) (states int, longest string, all bool) {
	in := interp.New(sys)
	const open = -1
	length, endless := map[string]int{}, false
	var visit func(s rules.State) int
	visit = func(s rules.State) int {
		key := fmt.Sprint(s)
		if n, seen := length[key]; seen || len(length) > most {
			endless = endless || seen && n == open
			return n
		}
		length[key] = open
		steps, err := in.Steps(s)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, step := range steps {
			n = max(n, 1+visit(step.To))
		}
		length[key] = n
		return n
	}
	n := visit(only(t, sys))
	if longest = fmt.Sprint(n); endless {
		longest = "endless"
	}
	return len(length), longest, len(length) <= most
}

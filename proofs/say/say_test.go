package say_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

var pair = &rules.System{Name: "Pair", Players: []string{"South", "North"}}

// TestFindings: one thing is singular, and names stand where they belong.
func TestFindings(t *testing.T) {
	value := func(lo, hi, positions int) verdict.Worth {
		return verdict.Worth{Player: 1, Lo: lo, Hi: hi, Positions: positions}
	}
	for _, test := range []struct {
		f    verdict.Finding
		want string
	}{
		{nil, ""},
		{verdict.Play{Moves: 1, Shortest: true}, "shortest play: 1 move"},
		{verdict.Play{Moves: 1200}, "a play of 1200 moves"},
		{verdict.AllReachable{States: 2, Starts: 1}, "all 2 reachable states from 1 start"},
		{verdict.SolverSet.Of(28), "closed set of 28 states, by solver pre-images"},
		{verdict.Inductive.Of(1), "induction"},
		{verdict.Inductive.Of(3), "3-induction"},
		{verdict.StepElsewhere, "there is no such step; this is where it leads"},
		{verdict.Number.Of(1), "there is 1"},
		{verdict.Number.Of(0), "there are 0"},
		{verdict.SetFound{States: 2}, "2 states"},
		{verdict.SetFound{States: 2, Extra: 1}, "1 not listed, 0 listed but not found"},
		{verdict.Repeats.Of(1), "the last move repeats forever"},
		{verdict.WinsFrom.Of(1), "it wins from the only start that can be won"},
		{
			verdict.StrategyFails{Strategy: "s", End: verdict.EndsUnwon, Moves: 2, Win: []string{"1", "2"}},
			"a play by `s` ends without a win after 2 moves; `1`, `2` wins",
		},
		{
			verdict.StrategyFails{Strategy: "s", End: verdict.EndsNever, Moves: 2, Win: []string{}},
			"by `s` the last 2 moves repeat forever; it is won at the start",
		},
		{verdict.StrategyFails{Strategy: "s", End: verdict.EndsStuck, Moves: 1}, "a play by `s` reaches a state without a legal move after 1 move; some other play wins"},
		{verdict.Valued{Worth: value(-2, -2, 1)}, "it is worth -2 to North"},
		{verdict.Valued{Worth: value(1, verdict.NoUpper, 3)}, "3 positions, worth at least 1"},
		{verdict.Valued{Worth: value(-1, 0, 1), Winner: true}, "South does not win"},
		{verdict.Valued{Worth: value(0, 0, 1), Winner: true}, "nobody wins"},
		{verdict.Best{Positions: 1}, "the game is over there"},
		{verdict.Best{Positions: 1, Moves: []string{"a", "b"}}, "the best moves are `a`, `b`"},
		{verdict.Forced{Player: 0, Moves: 3, Positions: 2}, "South forces it in at most 3 moves from each of 2 positions"},
		{verdict.Forced{Player: 7, Moves: 1, Positions: 1}, "nobody forces it in at most 1 move"}, // in a forged entry
		{verdict.Prevented{Player: 0, Within: -1}, "North can prevent it"},
		{verdict.Related{Kind: verdict.Refines, Other: "B", Steps: 4}, "every play is one of B: 4 steps"},
		{
			verdict.Differs{Is: rules.MoveDiffers, Names: [2]string{"A", "B"}, Move: "1"},
			"at the start `1` is legal in A and not in B",
		},
		{
			verdict.Differs{
				Is: rules.LooksDiffer, Names: [2]string{"A", "B"}, Moves: 2, Move: "1",
				Looks: [2]verdict.Look{{Is: rules.WonBy, Player: "South"}, {Is: rules.GoesOn}},
			},
			"after move 3, `1`, South has won in A, and the game goes on in B",
		},
		{verdict.Differs{Is: rules.NotTakenBack, Names: [2]string{"A", "B"}, Move: "1"}, "no move of B takes back move 1, `1`"},
		{verdict.NoStart.Of("m", "n"), "the setup has no start for any value of m, n"},
	} {
		if got := say.Finding(pair, test.f); got != test.want {
			t.Errorf("%+v:\n%s\n%s", test.f, got, test.want)
		}
	}
}

// TestSaid: every fact, figure, quote and mention has a sentence of its own.
func TestSaid(t *testing.T) {
	seen := map[string]bool{}
	check := func(x any, text string) {
		if text == "" || strings.Contains(text, "%!") || seen[text] {
			t.Errorf("%+v: %q", x, text)
		}
		seen[text] = true
	}
	for f := verdict.StartIsTarget; f < verdict.NoCertificate; f++ {
		check(f, say.Reason(f))
	}
	for m := verdict.NotWithin; m < verdict.OverBudget; m++ {
		check(m, say.Reason(m.Of(7)))
		if one := say.Reason(m.Of(1)); one == "" || strings.Contains(one, "%!") {
			t.Errorf("%+v: %q", m, one)
		}
	}
	for s := verdict.Unfit; s < verdict.NotChecked; s++ {
		check(s, say.Gap(s.Says("a %d b")))
	}
	for n := verdict.NoStart; n <= verdict.NoSuchTotal; n++ {
		check(n, say.Reason(n.Of("m", "n")))
	}
	if got := say.Gap(verdict.OverBudget.Of(50)); got != "it would take more than the budget of 50 states" {
		t.Error(got)
	}
	if say.Gap(verdict.NoCertificate) == "" || say.Gap(verdict.NotChecked.Says("words")) != "words" {
		t.Error("a gap without a sentence")
	}
}

// TestForged: an entry that somebody made up may name players and kinds that do not exist.
func TestForged(t *testing.T) {
	alone := &rules.System{Name: "Alone", Players: []string{""}}
	for _, n := range []int{-1 << 40, -1, 0, 1, 2, 1 << 40} {
		w := verdict.Worth{Player: n, Lo: n, Hi: n, Positions: n}
		for _, f := range []verdict.Finding{
			verdict.Valued{Worth: w},
			verdict.Valued{Worth: w, Winner: true},
			verdict.Forced{Player: n, Moves: n, Positions: n},
			verdict.Prevented{Player: n, Within: n},
			verdict.WinsFrom.Of(n),
			verdict.StrategyFails{End: verdict.StrategyEnd(n)},
			verdict.Related{Kind: "of no kind"},
			verdict.Differs{Is: rules.Difference(n), Looks: [2]verdict.Look{{Is: rules.Standing(n)}, {Is: rules.WonBy}}},
		} {
			for _, sys := range []*rules.System{alone, pair} {
				if say.Finding(sys, f) == "" {
					t.Errorf("%+v: nothing is said", f)
				}
			}
		}
	}
}

// TestReasons: limits have their figures, and causes stand behind what they keep open.
func TestReasons(t *testing.T) {
	words := verdict.Words("words")
	states := limit.Hit{Kind: limit.States, Most: 60, Found: 60}
	memory := limit.Hit{Kind: limit.Memory, Most: 3 << 20, Found: 5}
	for _, test := range []struct {
		r    verdict.Reason
		want string
	}{
		{nil, ""},
		{verdict.Ended{Limit: limit.Hit{Kind: limit.Time, After: time.Second}}, "out of time after 1s"},
		{verdict.Ended{Work: verdict.Waiting, Limit: limit.Hit{Kind: limit.Interrupt}}, "not decided: interrupted"},
		{verdict.Ended{Work: verdict.ForwardSearch, Limit: states, States: 60, Depth: 7}, "the limit of 60 states is reached: 60 states, complete to depth 7"},
		{verdict.Ended{Work: verdict.ForwardSearch, Limit: memory, Depth: -1}, "5 states fill the limit of 3 MB of memory, before all starts were examined"},
		{verdict.Ended{Work: verdict.BackwardSearch, Limit: states}, "more than 60 states"},
		{verdict.Ended{Work: verdict.BackwardSearch, Limit: limit.Hit{Kind: limit.Deadline}.With(1)}, "out of time, with 1 state found"},
		{verdict.Ended{Work: verdict.Comparison, Limit: states, Depth: 2}, "the limit of 60 states is reached, 2 moves from the starts"},
		{verdict.Ended{Work: verdict.Comparison, Limit: states, Depth: -1}, "the limit on states is reached, before all starts were listed"},
		{verdict.Ended{Work: verdict.Comparison, Limit: limit.Hit{Kind: limit.Interrupt}.With(2000)}, "interrupted, with 2000 pairs of states"},
		{verdict.ManyPlays{Most: 9, Moves: 1}, "there are more than 9 plays of up to 1 move (the limit on states)"},
		{verdict.Refused{Engine: verdict.BMC, What: verdict.Count}, "the engine bmc does not decide counts of this kind"},
		{verdict.NoMoveBound, "this engine knows no bound on the moves"},
		{verdict.RulesFault.Says("words"), "the rules have a fault in some state of the right shape: words"},
		{verdict.SolverUnknown{Solver: "z3", Asked: verdict.AskedDepth, N: 3, Words: words}, "at depth 3 z3 answers unknown: words"},
		{verdict.MissingSolver{Help: words}, "no solver is installed: words"},
		{verdict.OneSolver{Solver: "z3", Gap: verdict.Box[verdict.Gap]{Is: verdict.NotChecked.Says("words")}}, "only z3 shows it: words"},
		{verdict.OpenEnd{Words: words}, "words"},
		{
			verdict.OpenEnd{Words: words, Rest: verdict.Because(verdict.Ended{Limit: limit.Hit{Kind: limit.Positions}})},
			"words; whether the value depends on that is not decided: the limit of positions is reached",
		},
		{verdict.At{Param: "n", Value: 3, Rest: verdict.Because(verdict.NoPlay.Of(10))}, "at n = 3: no play of at most 10 moves"},
	} {
		if got := say.Reason(test.r); got != test.want {
			t.Errorf("%+v:\n%s\n%s", test.r, got, test.want)
		}
	}
}

// TestSentence: what is said besides the finding or the reason stands around it.
func TestSentence(t *testing.T) {
	worth := verdict.Worth{Lo: 1, Hi: verdict.NoUpper, Positions: 1}
	for _, test := range []struct {
		v    verdict.Verdict
		want string
	}{
		{verdict.Verdict{}, ""},
		{verdict.Verdict{Status: verdict.Proved, Found: verdict.Number.Of(6), Least: &verdict.Least{Param: "seeds", Value: 2}}, "least seeds: 2; there are 6"},
		{verdict.Verdict{Open: verdict.NotEverywhere, Value: &worth}, "the strategy does not win from every state that leads to a win; it is worth at least 1 to South"},
		{
			verdict.Verdict{Open: verdict.HoldsStart, Missing: &verdict.MissingSolver{Program: "z3", Help: verdict.Words("get it")}},
			"the set of states that lead there holds a start; a solver may decide it, but z3 is not installed: get it",
		},
		{verdict.Verdict{Status: verdict.Proved, Found: verdict.Valued{Worth: worth}, Value: &worth}, "it is worth at least 1 to South"},
	} {
		if got := say.Sentence(pair, &test.v); got != test.want {
			t.Errorf("%+v:\n%s\n%s", test.v, got, test.want)
		}
	}
}

// TestTellsStates: the number of states is not added to a sentence that already has or mentions it.
func TestTellsStates(t *testing.T) {
	value := func(lo, positions int) verdict.Finding {
		return verdict.Valued{Worth: verdict.Worth{Lo: lo, Hi: lo, Positions: positions}}
	}
	for _, test := range []struct {
		f    verdict.Finding
		why  verdict.Reason
		want bool
	}{
		{verdict.AllReachable{States: 1, Starts: 1}, nil, true},
		{verdict.Number.Of(7), nil, true},
		{verdict.Number.Of(77), nil, false},
		{verdict.SetFound{States: 7, Extra: 1}, nil, false},
		{verdict.SetFound{States: 8}, nil, true},
		{value(2, 7), nil, true},
		{value(-7, 1), nil, true},
		{value(2, 1), nil, false},
		{verdict.StrategyFails{End: verdict.EndsUnwon, Moves: 2}, nil, false},
		{verdict.StrategyFails{End: verdict.EndsStuck, Moves: 2}, nil, true},
		{nil, verdict.Ended{Limit: limit.Hit{Kind: limit.Interrupt}}, false},
		{nil, verdict.Ended{Limit: limit.Hit{Kind: limit.Interrupt}.With(7)}, true},
		{nil, verdict.At{Rest: verdict.Because(verdict.Ended{Work: verdict.ForwardSearch})}, true},
	} {
		v := verdict.Verdict{Found: test.f, Open: test.why}
		v.Stats.States = 7
		if got := say.TellsStates(&v); got != test.want {
			t.Errorf("%q: %t", say.Sentence(pair, &v), got)
		}
	}
}

// TestScope: ranges and truth values.
func TestScope(t *testing.T) {
	s := verdict.Scope{
		Params:    []verdict.Param{{Name: "n", N: 3, Hi: 3}, {Name: "on", N: 1, Hi: 1, Bool: true}, {Name: "m", N: 1, Hi: 4, All: true}},
		Unbounded: []string{"seeds"},
	}
	if got := say.Scope(s, " = "); got != "n = 3, on = true, every m in 1..4, any number of seeds" {
		t.Error(got)
	}
}

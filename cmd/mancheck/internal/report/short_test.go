package report

import (
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// playOver is a play through states that are told apart by one number.
func playOver(first int, rest ...int) *rules.Trace {
	t := &rules.Trace{Start: rules.State{Seeds: []int{first}}}
	for _, n := range rest {
		t.Steps = append(t.Steps, rules.TraceStep{State: rules.State{Seeds: []int{n}}})
	}
	return t
}

func TestShort(t *testing.T) {
	anywhere := &resolve.Reach{Within: -1}
	count := &resolve.Count{Op: rules.Eq, Value: 27090}
	same := &resolve.Relation{Kind: resolve.Equivalent}
	tests := []struct {
		want string
		of   resolve.Property
		r    proofs.Result
	}{
		{"closed, 28 states", anywhere, proofs.Result{Status: proofs.Proved, Engine: proofs.Backward, Stats: proofs.Stats{Closed: 28, States: 29}}},
		{"27,090 states", anywhere, proofs.Result{Status: proofs.Proved, Engine: proofs.Forward, Stats: proofs.Stats{States: 27090}}},
		{"play of 2", anywhere, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2, 3)}},
		{"a start", anywhere, proofs.Result{Status: proofs.Refuted, Trace: playOver(1)}},
		{"no play in 7", &resolve.Reach{Within: 7}, proofs.Result{Status: proofs.Refuted, Engine: proofs.Backward}},
		{"k = 1", anywhere, proofs.Result{Status: proofs.Proved, K: 1}},
		{"vacuous", anywhere, proofs.Result{Status: proofs.Proved, Vacuous: true}},
		{"open at 1 state", anywhere, proofs.Result{Status: proofs.Unknown, Stats: proofs.Stats{States: 1}}},
		{"open", anywhere, proofs.Result{Status: proofs.Unknown}},
		{"= 27,090", count, proofs.Result{Status: proofs.Proved}},
		{"not = 27,090", count, proofs.Result{Status: proofs.Refuted, Sets: &proofs.SetDiff{}}},
		{"2 states", &resolve.Neighbours{}, proofs.Result{Status: proofs.Proved, Sets: &proofs.SetDiff{Found: make([]rules.State, 2)}}},
		{"1 missing, 2 extra", &resolve.Neighbours{}, proofs.Result{
			Status: proofs.Refuted, Sets: &proofs.SetDiff{Missing: make([]resolve.Listed, 1), Extra: make([]rules.State, 2)},
		}},
		{"every step", &resolve.EveryStep{}, proofs.Result{Status: proofs.Proved}},
		{"play of 1", &resolve.EveryStep{}, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2)}},
		{"a step", &resolve.EveryStep{All: true}, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2)}},
		{"a step", &resolve.StepTo{}, proofs.Result{Status: proofs.Proved}},
		{"a step", &resolve.StepTo{Not: true}, proofs.Result{Status: proofs.Refuted}},
		{"no such step", &resolve.StepTo{Not: true}, proofs.Result{Status: proofs.Proved}},
		{"lasso 2+3", &resolve.Terminates{Within: -1}, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2, 3, 4, 5, 3)}},
		{"play of 2", &resolve.Terminates{Within: 1}, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2, 3)}},
		{"≤ 9 moves", &resolve.Terminates{Within: 9}, proofs.Result{Status: proofs.Proved}},
		{"ends, 4 states", &resolve.Terminates{Within: -1}, proofs.Result{Status: proofs.Proved, Stats: proofs.Stats{States: 4}}},
		{"same, 3,931 steps", same, proofs.Result{Status: proofs.Proved, Stats: proofs.Stats{Transitions: 3931}}},
		{"differ after 1", same, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2), Other: playOver(1, 2, 3)}},
		{"differ", same, proofs.Result{Status: proofs.Refuted, Trace: playOver(1)}},
		{"wins, 6 states", &resolve.StrategyWins{}, proofs.Result{Status: proofs.Proved, Stats: proofs.Stats{States: 6}}},
		{"fails in 2", &resolve.StrategyWins{}, proofs.Result{Status: proofs.Refuted, Trace: playOver(1, 2, 3)}},
	}
	for _, test := range tests {
		test.r.Instance = &resolve.Instance{Property: test.of}
		if got := short(&test.r); got != test.want {
			t.Errorf("%T: %q, want %q", test.of, got, test.want)
		}
	}
}

func TestShortScope(t *testing.T) {
	inst := &resolve.Instance{Settings: resolve.Settings{"n": {N: 6}}, Some: "x"}
	params := []proofs.ScopeParam{{Name: "m", Text: "3"}, {Name: "n", Text: "6"}, {Name: "x", Text: "4"}, {Name: "y", Text: "1..5", All: true}}
	for want, s := range map[string]proofs.Scope{
		"n=6, x=4, y in 1..5": {Params: params},
		"n=6, any stones":     {Params: params[:2], Unbounded: []string{"stones"}},
		"defaults":            {Params: params[:1]},
		"":                    {},
	} {
		if got := shortScope(inst, s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMiddleCut(t *testing.T) {
	for _, test := range []struct {
		width int
		want  string
	}{{9, "narrow[1]"}, {8, "narr…[1]"}, {5, "na…1]"}, {2, "n…"}, {1, "…"}} {
		if got := middleCut(test.width, "narrow[1]"); got != test.want {
			t.Errorf("%d: %q, want %q", test.width, got, test.want)
		}
	}
}

package trial_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

func formulas(t *testing.T, sys *rules.System) *encode.Encoder {
	t.Helper()
	enc, err := encode.New(sys, term.NewBuilder(), encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return enc
}

// TestAgrees: formulas and stepper are the same on random rules.
func TestAgrees(t *testing.T) {
	rulestest.Check(t, func(r *rapid.T) {
		sys := rulestest.Kernel().Draw(r, "system")
		enc, err := encode.New(sys, term.NewBuilder(), encode.Options{MaxCases: 200})
		if err != nil {
			r.Skip(err)
		}
		var not *trial.MismatchError
		if err := trial.Encoding(sys, enc); errors.As(err, &not) {
			r.Fatal(err)
		}
	})
}

// TestSees: formulas of other rules are noticed.
func TestSees(t *testing.T) {
	sys := rulestest.Solitaire(2)
	enc := formulas(t, sys)
	if err := trial.Encoding(sys, enc); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*rules.System){
		"next pit": func(s *rules.System) { s.Laps[0], s.Laps[1] = s.Laps[1], s.Laps[0] },
		"guard": func(s *rules.System) {
			s.Actions[0].Guard = rules.Binary{Op: rules.Gt, L: rules.PitAt(1), R: rules.Const{Value: 2}}
		},
		"body":        func(s *rules.System) { s.Actions[len(s.Actions)-1].Body = nil },
		"no ending":   func(s *rules.System) { s.Reactions = nil },
		"all illegal": func(s *rules.System) { s.Actions[1].Body = []rules.Stmt{rules.Stop{Outcome: rules.Illegal}} },
	} {
		other := rulestest.Solitaire(2)
		change(other)
		var not *trial.MismatchError
		if err := trial.Encoding(other, enc); !errors.As(err, &not) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

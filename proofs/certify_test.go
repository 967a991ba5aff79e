package proofs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/confirm"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/smt/solver"
)

// solvers lists the installed solvers.
func solvers(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, spec := range solver.Known {
		s, err := solver.Open(context.Background(), spec)
		var missing *solver.NotInstalled
		if errors.As(err, &missing) {
			t.Logf("%s is not installed", spec)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		list = append(list, spec)
	}
	return list
}

// certificate decides a claim of an example and writes and reads its certificate.
func certificate(t testing.TB, path, claim string, given build.Settings, opt proofs.Options) *cert.Certificate {
	t.Helper()
	prog, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	opt.Certify = true
	r := decide(t, buildtest.Instances(t, buildtest.File(t, path), claim, given)[0], opt)
	c, err := r.Certificate("test", prog)
	if err != nil {
		t.Fatalf("%s: %s %s: %v", claim, r.Status, r.Sentence(), err)
	}
	var text bytes.Buffer
	if err := cert.Write(&text, c); err != nil {
		t.Fatal(err)
	}
	if c, err = cert.Read(&text); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDoseCertified: the thesis, for every number of stones, checked by the independent checker and
// by every installed solver.
func TestDoseCertified(t *testing.T) {
	for _, n := range tier.First([]int{5, 12, 6, 7}, 1, 2) {
		c := certificate(t, "../examples/dose2015.sow", "thesis", ints("n", n), proofs.Options{})
		specs := append([]string{""}, solvers(t)...)
		if n > 7 {
			specs = specs[:1] // only the independent checker; a solver takes a quarter of a minute, and n = 7 asks it the same
		}
		for _, spec := range specs {
			t.Run(fmt.Sprintf("n=%d/%s", n, spec), func(t *testing.T) {
				r, err := confirm.Certify(context.Background(), c, spec)
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Trusted) == 0 || len(r.Checked) == 0 {
					t.Errorf("an empty report: %+v", r)
				}
			})
		}
	}
}

// TestSolverRejects: with any one state deleted, the solver alone finds the step from outside that
// shows it. (Without the won state the others still show the thesis: only the independent checker
// requires that one.)
func TestSolverRejects(t *testing.T) {
	have := solvers(t)
	if len(have) == 0 {
		t.Skip("no solver")
	}
	c := certificate(t, "../examples/dose2015.sow", "thesis", nil, proofs.Options{})
	evidence := c.Evidence.Is.(*cert.Backward)
	for i, s := range evidence.States {
		if i%tier.Every(21, 3) != 0 || i%4 != 0 && s.Outcome == "" {
			continue // at most a quarter of the live states, and all finished ones
		}
		cut, less := *c, *evidence
		less.States = append(append([]cert.State{}, evidence.States[:i]...), evidence.States[i+1:]...)
		cut.Evidence.Is = &less
		check := confirm.CertifyBy
		if s.Outcome != "" {
			check = confirm.Certify
		}
		_, err := check(context.Background(), &cut, have[0])
		var rejected *cert.Rejected
		if !errors.As(err, &rejected) {
			t.Errorf("without state %d: %v, want a rejection", i, err)
		}
	}
}

// TestEmit: the scripts are complete: a solver in a separate process answers unsat to each.
func TestEmit(t *testing.T) {
	c := certificate(t, "../examples/dose2015.sow", "thesis", nil, proofs.Options{})
	n := 0
	err := confirm.EmitSMT2(t.Context(), c, func(name string, text []byte) error {
		n++
		for _, want := range []string{"(set-logic QF_LIA)", "(check-sat)", "expected answer: unsat"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		return nil
	})
	if err != nil || n < 30 {
		t.Errorf("%d scripts, %v", n, err)
	}
}

// TestKalahConservation: Javeriana's invariant (section 3.1) by induction, for any number of seeds
// and both rules of capture.
func TestKalahConservation(t *testing.T) {
	have := solvers(t)
	if len(have) == 0 {
		t.Skip("no solver")
	}
	sizes := tier.First([]int{1, 3, 6, 2, 4, 5}, 2, 3)
	src := "import \"kalah.sow\"\nclaim sum { invariant total(pit) = 2*m*n for all n }\n" +
		"claim wrong { invariant total(pit) = 2*m*n + south_store for all n }\nclaim never_ten { invariant south_store /= n + 7 for all n }\n"
	u := parseWith(t, "../examples", src)
	for _, m := range sizes {
		for _, empty := range []bool{false, true} {
			given := ints("m", m, "empty_capture", empty)
			r := decide(t, buildtest.Instances(t, u, "sum", given)[0], proofs.Options{Engine: proofs.Induction})
			if r.Status != proofs.Proved || r.K != 1 || len(r.Scope.Unbounded) != 1 {
				t.Errorf("m=%d, empty capture %v: %s, %s", m, empty, r.Status, r.Sentence())
			}
		}
	}
	if r := decide(t, buildtest.Instances(t, u, "wrong", ints("m", 2))[0], proofs.Options{Engine: proofs.Induction}); r.Status == proofs.Proved {
		t.Errorf("a wrong sum is proved")
	}
	r := decide(t, buildtest.Instances(t, u, "never_ten", ints("m", 2))[0], proofs.Options{Engine: proofs.Induction, Bound: 1})
	if r.Status != proofs.Unknown || r.StepCounterexample == nil || r.Trace != nil {
		t.Errorf("no counterexample to the induction step: %s, %s", r.Status, r.Sentence())
	}
}

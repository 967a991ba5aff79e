package cert_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// sampler is a Solver that tries obligations of one step on some states.
type sampler struct {
	states []rules.State
	asked  []string
}

func (s *sampler) Trusted() []string { return []string{"samples"} }

func (s *sampler) Discharge(_ context.Context, o cert.Obligation) error {
	s.asked = append(s.asked, o.Name)
	if o.Start || o.Steps != 1 {
		return nil
	}
	in := interp.New(o.System)
	for _, st := range s.states {
		if slices.ContainsFunc(o.Assume, func(x rules.Expr) bool { return !holds(in, x, st) }) {
			continue
		}
		steps, _ := in.Steps(st)
		for _, step := range steps {
			if !holds(in, o.Show, step.To) {
				return fmt.Errorf("%v has a step to %v", st, step.To)
			}
		}
	}
	return nil
}

func holds(in *interp.Interp, x rules.Expr, s rules.State) bool {
	is, err := in.Holds(x, s, nil)
	return err == nil && is
}

// nearby lists states of the set of c and around it.
func nearby(t *testing.T, c *cert.Certificate, sys *rules.System) []rules.State {
	t.Helper()
	var list []rules.State
	for _, e := range backwardOf(c).States {
		s := sys.EmptyStart()
		for i, p := range backwardOf(c).Kept.Pits {
			s.Seeds[sys.PitNamed(p)] = e.Seeds[i]
		}
		if len(e.Vars) == 0 {
			continue
		}
		s.Vars[0] = sys.PitNamed(e.Vars[0])
		list = append(list, s)
		for p := range s.Seeds {
			near := s.Clone()
			near.Seeds[p]++
			list = append(list, near)
		}
	}
	return list
}

func TestObligations(t *testing.T) {
	c := dose(t, 5)
	_, inst := instance(t, "../../examples/dose2015.sow", "thesis", build.Settings{"n": {N: 5}})
	s := &sampler{states: nearby(t, c, inst.System)}
	list, err := cert.Obligations(t.Context(), c)
	if err != nil || len(list) != 2*24+1 {
		t.Fatalf("%d obligations, %v", len(list), err)
	}
	for _, o := range list {
		if err := s.Discharge(context.Background(), o); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
	}
	for i, state := range backwardOf(c).States {
		if i%tier.Every(10, 3) > 0 && state.Outcome == "" {
			continue
		}
		d := copyOf(t, c)
		backwardOf(d).States = slices.Delete(backwardOf(d).States, i, i+1)
		list, err := cert.Obligations(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		fails := slices.ContainsFunc(list, func(o cert.Obligation) bool { return s.Discharge(context.Background(), o) != nil })
		if finished := state.Outcome != ""; fails == finished { // the target itself stays excluded
			t.Errorf("without state %d an obligation fails: %v", i, fails)
		}
	}
}

func TestInductive(t *testing.T) {
	program, inst := instance(t, "../../examples/kalah.sow", "conservation", nil)
	c, err := cert.New("test", program, inst, cert.Proved, false, &cert.Inductive{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := cert.Check(context.Background(), c)
	if err != nil || r.Subject != cert.SubjectUnknown {
		t.Errorf("without a solver: %+v, %v", r, err)
	}
	c.Evidence.Is.(*cert.Inductive).K = 2
	s := &sampler{}
	r, err = cert.CheckBy(context.Background(), c, s)
	if err != nil || fmt.Sprint(s.asked) != "[base 0 base 1 step]" || !slices.Contains(r.Trusted, "samples") {
		t.Errorf("%v, asked %v, %+v", err, s.asked, r)
	}
	mustReject(t, c, "k", func(d *cert.Certificate) { d.Evidence.Is.(*cert.Inductive).K = 0 })
}

// TestCaseByCase: claims about Kalah with any number of seeds. Those that are false are never
// accepted, and evidence about plays shows nothing about all states.
func TestCaseByCase(t *testing.T) {
	kalah, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	text := string(kalah)
	claims := []struct {
		text  string
		shown bool
	}{
		{"from true every step gives total(pit) = old total(pit) over all states", true},
		{"from true every step gives total(house) < old total(house) over all states", false},
		{"from mover = South every step gives finished or seeds(north_store) = old seeds(north_store) over all states", true},
		{"from mover = South every step gives seeds(north_store) = old seeds(north_store) over all states", false},
		{"from mover = South every step gives finished or last = south_store and mover = South or last in house and mover = North over all states", true},
		{"from mover = South every step gives finished or last = south_store and mover = South or last in north and mover = North over all states", false},
		{"from mover = South and south[1] = 2 * m + 1 every step gives finished or origin /= south[1] or last = south[1] over all states", true},
		{"from mover = South and south[1] = 2 * m every step gives finished or origin /= south[1] or last = south[1] over all states", false},
		{"from seeds(south_store) >= 3 every step gives south_store >= 3", true},
		{"from seeds(south_store) >= 3 every step gives south_store >= 4", false},
		{"unreachable finished and total(house) > 0", true},
		{"unreachable finished and total(house) = 0", false},
		{"unreachable south_store > 1000", false},
	}
	for i, c := range claims {
		text += fmt.Sprintf("claim c%d of Kalah { for all n %s }\n", i, c.text)
	}
	program := source(t, text)
	for i, c := range claims {
		inst := instanceOf(t, program, fmt.Sprintf("c%d", i), nil)
		_, err := cert.Verify(t.Context(), inst, cert.Proved, &cert.Inductive{K: 1}, 0, nil)
		if needs := (*cert.NeedsSolver)(nil); c.shown != (err == nil) || err != nil && !errors.As(err, &needs) {
			t.Errorf("%s: %v", c.text, err)
		}
		_, err = cert.Verify(t.Context(), inst, cert.Proved, cert.NewForward(inst.System, rules.Kept{}, nil), 0, nil)
		if no := (*cert.Rejected)(nil); !errors.As(err, &no) {
			t.Errorf("%s by no states: %v", c.text, err)
		}
	}
}

// TestBeyondTheChecker: what the checker cannot check itself is left to a solver, and the error
// says so.
func TestBeyondTheChecker(t *testing.T) {
	program := source(t, `
variant Capturing {
  param stones = 4 in 1..
  board { a[1..3] | store  ring lap = a[1..3] }
  setup { any where total(a) = stones, a[1] >= 1 }
  move round { choose p in a where seeds(p) > 1  sow p along lap  if last was empty { capture last into store } }
  win WON when total(a) = 0
}
claim never { unreachable WON for all stones }
claim fixed { unreachable store = 100 and a[1] = 0 and a[2] = 0 and a[3] = 0 for all stones }
`)
	for claim, reason := range map[string]string{"never": "captures", "fixed": "captures"} {
		inst := instanceOf(t, program, claim, nil)
		state := inst.System.EmptyStart()
		state.Seeds[3] = 100
		target := state.Clone()
		target.Mover, target.Outcome = rules.None, 0
		states := []rules.State{state, target}
		parts := rules.Kept{}
		if claim == "never" {
			parts.Pits, states = []bool{true, true, true, false}, states[1:]
		}
		c, err := cert.New("test", program, inst, cert.Proved, false, cert.NewBackward(inst.System, parts, nil, states))
		if err != nil {
			t.Fatal(err)
		}
		_, err = cert.Check(context.Background(), c)
		if needs := (*cert.NeedsSolver)(nil); !errors.As(err, &needs) || !strings.Contains(needs.Reason, reason) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

// TestLeftOutPartIsNamed: a part that matters cannot be ignored, and the reason names it.
func TestLeftOutPartIsNamed(t *testing.T) {
	c := dose(t, 6)
	_, inst := instance(t, "../../examples/oware.sow", "conservation", nil)
	kept := rules.Kept{Parts: rules.Parts{Pits: []bool{true, false, true, true, true, true}}}
	program, _ := instance(t, "../../examples/oware.sow", "conservation", nil)
	d, err := cert.New("test", program, inst, cert.Proved, false, cert.NewForward(inst.System, kept, reachable(t, inst.System)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = cert.Check(context.Background(), d)
	if err == nil || !strings.Contains(err.Error(), "depends on `"+inst.System.Pits[1].Name+"`, which the certificate leaves out") {
		t.Errorf("%v", err)
	}
	leaveOut(c, 3)
	if _, err := cert.Check(context.Background(), c); err == nil {
		t.Error("hole04 was left out")
	}
}

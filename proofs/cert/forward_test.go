package cert_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// reachable lists all reachable states.
func reachable(t testing.TB, sys *rules.System) []rules.State {
	t.Helper()
	in := interp.New(sys)
	var list []rules.State
	seen := map[string]bool{}
	add := func(s rules.State) error {
		var key strings.Builder
		for _, n := range append(append([]int{s.Mover, s.Outcome}, s.Vars...), s.Seeds...) {
			key.WriteRune(rune(n + 2))
		}
		if !seen[key.String()] {
			seen[key.String()] = true
			list = append(list, s)
		}
		return nil
	}
	if err := space.Starts(context.Background(), in, add); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(list); i++ {
		steps, err := in.Steps(list[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			_ = add(s.To)
		}
	}
	return list
}

func forwardCert(t testing.TB, program *dsl.Program, inst *build.Instance, verdict string) *cert.Certificate {
	t.Helper()
	c, err := cert.New("test", program, inst, verdict, false, cert.NewForward(inst.System, rules.Kept{}, reachable(t, inst.System)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func kalah(t testing.TB, m, n int) *cert.Certificate {
	t.Helper()
	program, inst := instance(t, "../../examples/kalah.sow", "always_a_move", build.Settings{"m": {N: m}, "n": {N: n}})
	return forwardCert(t, program, inst, cert.Proved)
}

func TestForward(t *testing.T) {
	for _, c := range []struct {
		file, claim string
		given       build.Settings
	}{
		{"kalah", "always_a_move", nil},
		{"oware", "playable", nil},
		{"dose2015", "thesis", build.Settings{"n": {N: 5}, "stones": {N: 10}}},
		{"kalah", "stores_grow", build.Settings{"m": {N: 2}, "n": {N: 2}}},
		{"oware", "conservation", build.Settings{"m": {N: 2}, "n": {N: 2}}},
	}[:5-2*(tier.Every(2)-1)] {
		program, inst := instance(t, "../../examples/"+c.file+".sow", c.claim, c.given)
		r := mustCheck(t, forwardCert(t, program, inst, cert.Proved))
		t.Logf("%s: %v", c.claim, r.Checked)
	}
}

// TestForwardOfFalseClaims: a closed set does not prove a false claim.
func TestForwardOfFalseClaims(t *testing.T) {
	for _, claim := range []string{"some_are_lost", "one_step"} {
		program := source(t, tchoukaillon)
		inst := instanceOf(t, program, claim, nil)
		_, err := cert.Check(context.Background(), forwardCert(t, program, inst, cert.Proved))
		if rejected := (*cert.Rejected)(nil); !errors.As(err, &rejected) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

const tchoukaillon = `
variant Tchoukaillon {
  param beads = 4 in 0..
  board { cup[4..1] | basket  line home = cup[4..1], basket }
  setup { any where total(cup) = beads }
  move {
    choose c in cup where seeds(c) = index(c)
    sow c along home
  }
  win when total(cup) = 0
}
claim some_are_lost { expect refuted never stuck }
claim one_step { expect refuted from not finished every step gives basket > 1 }
claim grows { from not finished every step gives basket > old seeds(basket) }
claim no_five { expect refuted reachable basket = 5 }
`

func TestForwardOfTrueClaims(t *testing.T) {
	program := source(t, tchoukaillon)
	for claim, verdict := range map[string]string{"grows": cert.Proved, "no_five": cert.Refuted} {
		mustCheck(t, forwardCert(t, program, instanceOf(t, program, claim, nil), verdict))
	}
}

// TestBindsNoStrongerClaim: a certificate about the steps from reachable states does not bind a
// claim about those from all.
func TestBindsNoStrongerClaim(t *testing.T) {
	program := source(t, tchoukaillon)
	inst := instanceOf(t, program, "grows", nil)
	c := forwardCert(t, program, inst, cert.Proved)
	if err := c.Binds([]*build.Instance{inst}); err != nil {
		t.Error(err)
	}
	stronger := source(t, strings.Replace(tchoukaillon, "old seeds(basket)", "old seeds(basket) over all states", 1))
	if err := c.Binds([]*build.Instance{instanceOf(t, stronger, "grows", nil)}); !errors.As(err, new(*cert.Rejected)) {
		t.Errorf("binds a claim about all states: %v", err)
	}
}

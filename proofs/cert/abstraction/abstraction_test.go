package abstraction_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

func startsOf(in *interp.Interp) (starts []rules.State, err error) {
	err = space.Starts(context.Background(), in, func(s rules.State) error {
		starts = append(starts, s.Clone())
		return nil
	})
	return starts, err
}

// reached lists states that plays from the starts come to: all, or more than most.
func reached(t *rapid.T, in *interp.Interp, starts []rules.State, most int) (list []rules.State) {
	seen := map[string]bool{}
	add := func(s rules.State) {
		if key := fmt.Sprint(s); !seen[key] {
			seen[key] = true
			list = append(list, s)
		}
	}
	for _, s := range starts {
		add(s)
	}
	for i := 0; i < len(list) && len(list) <= most; i++ {
		steps, _, err := in.Legal(list[i])
		if err != nil {
			t.Skip(err)
		}
		for _, step := range steps {
			add(step.To)
		}
	}
	return list
}

// TestAgreesWithPlay: a set that is closed has the kept parts of every state that plays come to,
// and none of these is a target; a play that is found leads from a start to a target.
func TestAgreesWithPlay(t *testing.T) {
	closed, played, partly := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		target := rulestest.Claim(sys, false).Draw(t, "target")
		in := interp.New(sys)
		starts, err := startsOf(in)
		if err != nil {
			t.Skip(err)
		}
		states := reached(t, in, starts, 300)
		res, err := abstraction.Search(context.Background(), sys, starts, abstraction.Aim{Bad: target}, 300)
		switch {
		case errors.As(err, new(*abstraction.OpenError)):
			return
		case err != nil:
			t.Fatal(err)
		case res.States == nil:
			played++
			at := res.Start
			for _, a := range res.Actions {
				to, legal, err := in.Do(at, a)
				if err != nil || !legal {
					t.Fatalf("`%s` in %v: %t, %v", sys.ActionName(a), at, legal, err)
				}
				at = to
			}
			if is, err := in.Holds(target, at, nil); err != nil || !is {
				t.Fatalf("%v is no target: %v", at, err)
			}
			return
		}
		if closed++; !res.Kept.All() {
			partly++
		}
		has := map[string]bool{}
		for _, s := range res.States {
			has[fmt.Sprint(s)] = true
		}
		for _, s := range states {
			if !has[fmt.Sprint(res.Kept.Project(sys, s))] {
				t.Fatalf("%v is not in the set of %v\n%s", s, res.Kept, sys.Canonical())
			}
			if is, err := in.Holds(target, s, nil); err == nil && is {
				t.Fatalf("%v is a target", s)
			}
		}
	})
	t.Logf("%d closed, %d of them partly known, %d plays", closed, partly, played)
	if partly == 0 || played == 0 {
		t.Errorf("%d closed, %d of them partly known, %d plays", closed, partly, played)
	}
}

// TestAllValues: a set that is closed for all values of the open parameters has the kept parts of
// every state that plays from any board come to, and none of these is a target.
func TestAllValues(t *testing.T) {
	tried, closed, states := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		target := rulestest.Claim(sys, false).Draw(t, "target")
		tried++
		in, all := interp.New(sys), *sys
		all.Params = append(slices.Clone(sys.Params), rules.Param{Name: "any", Open: true, Hi: 1})
		res, err := abstraction.Search(context.Background(), &all, nil, abstraction.Aim{Bad: target}, 300)
		if errors.As(err, new(*abstraction.OpenError)) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(res.Kept.Pits, true) {
			t.Fatalf("%v are known", res.Kept)
		}
		closed++
		has := map[string]bool{}
		for _, s := range res.States {
			has[fmt.Sprint(s)] = true
		}
		laid := sys.EmptyStart()
		for p := range lists.Marked(sys.Start.Free) {
			laid.Seeds[p] = rapid.IntRange(0, 9).Draw(t, "seeds")
		}
		start, err := in.Start(laid)
		if err != nil {
			t.Skip(err)
		}
		for _, s := range reached(t, in, []rules.State{start}, 100) {
			states++
			if !has[fmt.Sprint(res.Kept.Project(sys, s))] {
				t.Fatalf("%v, from %v, is not in the set of %v\n%s", s, start, res.Kept, sys.Canonical())
			}
			if is, err := in.Holds(target, s, nil); err == nil && is {
				t.Fatalf("%v, from %v, is a target", s, start)
			}
		}
	})
	t.Logf("%d closed, %d states", closed, states)
	if tried >= 30 && closed == 0 { // a quarter is
		t.Error("no set is closed")
	}
}

// TestSets: the checker of certificates accepts a set that is found, and none that lacks a state.
func TestSets(t *testing.T) {
	for _, c := range []struct{ variant, claim string }{
		{"ToguzKumalak with m = 4, n = 4", "unreachable tuz(South) = north1 and tuz(North) = south1"},
		{"Sungka with m = 3", "unreachable phase = filling and passes = -1"},
		{"ToguzKumalak with m = 4", "unreachable tuz(South) = north1 and tuz(North) = south1 for all n"},
		{"Katra with m = 3", "unreachable way(South) = way(North) and mover = North and way(South) = ccw and way(North) = cw"},
	} {
		variant, board, _ := strings.Cut(c.variant, " ")
		u := buildtest.Text(t, family(t, variant)+fmt.Sprintf("\nclaim it of %s { %s %s }\n", variant, board, c.claim))
		inst := buildtest.Instances(t, u, "it", nil)[0]
		sys := inst.System
		starts, err := []rules.State(nil), error(nil)
		if len(sys.OpenParams()) == 0 {
			starts, err = startsOf(interp.New(sys))
		}
		if err != nil {
			t.Fatal(err)
		}
		res, err := abstraction.Search(context.Background(), sys, starts, abstraction.Aim{Bad: inst.Property.(*build.Reach).Target}, 2000)
		if err != nil {
			t.Errorf("%s: %v", variant, err)
			continue
		}
		check := func(states []rules.State) error {
			_, err := cert.Verify(context.Background(), inst, cert.Proved, cert.NewForward(sys, res.Kept, states), 0, nil)
			return err
		}
		if err := check(res.States); err != nil || res.Kept.All() {
			t.Errorf("%s: %v of %v", variant, err, res.Kept)
		}
		for i := range res.States {
			if err := check(slices.Delete(slices.Clone(res.States), i, i+1)); !errors.As(err, new(*cert.Rejected)) {
				t.Errorf("%s without %v: %v", variant, res.States[i], err)
			}
		}
		t.Logf("%s: %d states", variant, len(res.States))
	}
}

// family returns the text of a variant of the family, with what it imports.
func family(t *testing.T, variant string) string {
	t.Helper()
	text := ""
	for _, name := range []string{"two_rows", "four_rows", map[string]string{"ToguzKumalak": "toguz_kumalak", "Sungka": "sungka", "Katra": "katra"}[variant]} {
		data, err := os.ReadFile("../../../examples/family/" + name + ".sow")
		if err != nil {
			t.Fatal(err)
		}
		text += strings.Join(lists.Filter(strings.SplitAfter(string(data), "\n"), func(line string) bool {
			return !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "claim rulings")
		}), "")
	}
	return text
}

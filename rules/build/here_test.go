package build_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// named is a state by the names of its pits, variables and players.
func named(t *testing.T, sys *rules.System, st rules.State) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal(board.StateJSON(sys, st), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFrom: a claim that is asked from a state in the middle of a game is about plays that begin
// there, and go on as the game does.
func TestFrom(t *testing.T) {
	compared := 0
	games := strings.Fields("kalah_common oware andot awari katra mangola nchuwa nsolo o_an_quan pallankuli papan_dakon selus sungka toguz_kumalak")
	for _, name := range games {
		path := "../../examples/family/" + name + ".sow"
		unit := loadWithClaim(t, path)
		sys, diags := unit.System(unit.Variants[0], nil)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		in := interp.New(sys)
		st, one := startFrom(t, in)
		random := rand.New(rand.NewPCG(1, 1))
		for range 7 {
			if st = randomMove(t, in, st, random); !st.Live() {
				break
			}
		}
		if !one || !st.Live() {
			continue
		}
		if settled, err := in.Start(st); err != nil || !settled.Equal(st) {
			continue
		}
		compared++
		claim, diags := unit.Claim(unit.Claims[len(unit.Claims)-1])
		list := claim.From(sys, st).Instances(build.Settings{}, &diags)
		if diags.HasErrors() || len(list) != 1 {
			t.Fatalf("%s: %d instances: %v", path, len(list), diags)
		}
		compareFrom(t, path, in, st, interp.New(list[0].System), random)
	}
	if compared < len(games)-2 {
		t.Errorf("only %d games were compared", compared)
	}
}

// loadWithClaim reads a file with a claim about its variant added.
func loadWithClaim(t *testing.T, path string) *build.Unit {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	load := func(claim string) *build.Unit {
		prog, diags := dsl.Load(path, func(at string) ([]byte, error) {
			if at == path {
				return append(src[:len(src):len(src)], claim...), nil
			}
			return os.ReadFile(at)
		})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		unit, diags := build.Collect(prog.Files)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return unit
	}
	name := load("").Variants[0].Name.Name
	return load(fmt.Sprintf("\nclaim from_here of %s { never stuck }\n", name))
}

func startFrom(t *testing.T, in *interp.Interp) (st rules.State, one bool) {
	t.Helper()
	starts := 0
	if err := space.Starts(context.Background(), in, func(s rules.State) error {
		st = s.Clone()
		if starts++; starts > 1 {
			return space.ErrStop
		}
		return nil
	}); err != nil {
		return st, false
	}
	return st, starts == 1
}

func randomMove(t *testing.T, in *interp.Interp, st rules.State, random *rand.Rand) rules.State {
	t.Helper()
	steps, err := in.Steps(st)
	if err != nil || len(steps) == 0 {
		return st
	}
	return steps[random.IntN(len(steps))].To
}

// compareFrom plays a game on in both Systems.
func compareFrom(t *testing.T, path string, in *interp.Interp, st rules.State, there *interp.Interp, random *rand.Rand) {
	t.Helper()
	other, one := startFrom(t, there)
	if !one {
		t.Errorf("%s: not one start", path)
		return
	}
	for range 12 {
		if a, b := named(t, in.System(), st), named(t, there.System(), other); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v, want %v", path, b, a)
			return
		}
		steps, err := in.Steps(st)
		again, also := there.Steps(other)
		if err != nil || also != nil || len(steps) != len(again) {
			t.Errorf("%s: %d steps, want %d (%v, %v)", path, len(again), len(steps), also, err)
			return
		}
		if len(steps) == 0 {
			return
		}
		k := random.IntN(len(steps))
		st, other = steps[k].To, again[k].To
	}
}

package proofs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// aboutMovers has claims of every kind about Drawn, a game of buildtest.TwoRowsText in which
// %[1]s begins, and another one. Every player is named. %[2]d is a small number, and the rest are
// rows.
const aboutMovers = `
position x { _ | %[3]s |
               | %[4]s | _ } with mover = %[1]s
position y { 0 | %[3]s |
               | %[4]s | %[2]d } with mover = %[1]s
strategy nearest = least index(from)
claim reach      of Drawn { reachable mover = South and south_store > %[2]d }
claim reach_in   of Drawn { reachable North wins within %[2]d }
claim invariant_ of Drawn { invariant south_store <= %[2]d or mover = North }
claim wins_not   of Drawn { unreachable South wins }
claim from_x     of Drawn { starting at y  unreachable North wins }
claim never      of Drawn { never stuck }
claim ends       of Drawn { terminates }
claim before     of Drawn { predecessors(y) = { x, mover = South } }
claim after      of Drawn { successors(y) = { mover = South } }
claim step       of Drawn { mover = South -> mover = North }
claim every      of Drawn { from mover = North every step gives mover = South or finished }
claim states     of Drawn { count(states where mover = South) > %[2]d }
claim starts     of Drawn { count(starts where mover = %[1]s) = 1 }
claim winning    of Drawn { count(winning starts) = 1 }
claim plays      of Drawn { count(plays of 3 moves) > %[2]d }
claim ancestors  of Drawn { count(ancestors of y where mover = South) > %[2]d }
claim unique     of Drawn { unique winnable start }
claim starters   of Drawn { winning starts = { mover = %[1]s } }
claim strategic  of Drawn { nearest wins wherever anything wins }
claim value_s    of Drawn { value(start) for South >= %[2]d }
claim value_n    of Drawn { value(y) for North <= %[2]d where endless play is a draw }
claim winner_    of Drawn { winner(start) = South where endless play is a draw }
claim nobody     of Drawn { winner(y) = none }
claim best_      of Drawn { best(start) = { 1 } where endless play counts as scored }
claim force      of Drawn { South can force south_store > %[2]d }
claim force_in   of Drawn { North can force mover = South within %[2]d from y }
claim same       of Drawn { equivalent to Again }
claim refines_   of Again { refines Drawn }
claim reverses_  of Drawn { reverses Again }
`

// TestMoverByName: that somebody begins who is not declared first changes no result that names the
// players, whatever the kind of claim. The games of a pair differ in the order in which the players
// are declared: with two players the order of play is the same.
func TestMoverByName(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		begins := rapid.SampledFrom([]string{"South", "North"}).Draw(r, "begins")
		drawn := beginningWith(buildtest.TwoRowsText(r), begins)
		again := drawn
		if rapid.Bool().Draw(r, "other rules") {
			again = beginningWith(buildtest.TwoRowsText(r), begins)
		}
		pits := int(rowOfSouth.FindStringSubmatch(drawn)[1][0] - '0')
		row := func() string {
			list := rapid.SliceOfN(rapid.IntRange(0, 2), pits, pits).Draw(r, "row")
			return strings.Trim(fmt.Sprint(list), "[]")
		}
		text := drawn + strings.Replace(again, "Drawn", "Again", 1) +
			fmt.Sprintf(aboutMovers, begins, rapid.IntRange(0, 3).Draw(r, "k"), row(), row())
		r.Logf("%s", text)
		one := buildtest.Text(t, text)
		other := buildtest.Text(t, strings.ReplaceAll(text, "player South, North", "player North, South"))
		for range 3 {
			n := rapid.IntRange(0, len(one.Claims)-1).Draw(r, "claim")
			engines := allEngines() // those with a solver take most of the time
			if rapid.IntRange(0, 10*tier.Every(10)-1).Draw(r, "solver") > 0 {
				engines = []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward}
			}
			engine := rapid.SampledFrom(engines).Draw(r, "engine")
			a, b := stated(t, one, n, engine), stated(t, other, n, engine)
			if a != b && a != "" && b != "" {
				r.Fatalf("%s by %s: %s; with the players declared the other way round: %s", one.Claims[n].Name.Name, engine, a, b)
			}
		}
	})
}

// TestMoversOfAllKinds: aboutMovers has a claim of every kind that some file has.
func TestMoversOfAllKinds(t *testing.T) {
	text := "variant Drawn { }\n" + fmt.Sprintf(aboutMovers, "South", 1, "0", "0")
	program, _ := dsl.Load("test.sow", func(string) ([]byte, error) { return []byte(text), nil })
	kinds := map[reflect.Type]bool{}
	for _, p := range ast.All[ast.Property](program.Files[0]) {
		kinds[reflect.TypeOf(p)] = true
	}
	for _, pattern := range []string{"../examples/*.sow", "../examples/family/*.sow", "*.sow", "testdata/*/*.sow"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, path := range files {
			program, _ := dsl.Load(path, os.ReadFile)
			for _, f := range program.Files {
				for _, p := range ast.All[ast.Property](f) {
					if kind := reflect.TypeOf(p); !kinds[kind] {
						t.Errorf("%s has a claim of another kind: %v", path, kind)
						kinds[kind] = true
					}
				}
			}
		}
	}
}

var rowOfSouth = regexp.MustCompile(`south\[1\.\.(\d)\]`)

// beginningWith is a game of buildtest.TwoRowsText in which this player begins.
func beginningWith(text, player string) string {
	return setupOfRows.ReplaceAllString(text, "setup { $1 = $2, mover = "+player+" }")
}

var setupOfRows = regexp.MustCompile(`setup \{ (each house|any where total\(house\)) = (\d+).* \}`)

// stated is what the verdict on a claim says, with nothing in it that depends on the order of the
// players: which of several shortest plays is shown does. It is empty for a claim that is a
// mistake, as one that compares boards of different sizes, and for one that is open: how far an
// engine comes may depend on the order, too.
func stated(t *testing.T, u *build.Unit, n int, engine proofs.Engine) string {
	t.Helper()
	claim, diags := u.Claim(u.Claims[n])
	list := claim.Instances(nil, &diags)
	if diags.HasErrors() {
		return ""
	}
	inst := list[0]
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	res, err := proofs.Decide(ctx, inst, proofs.Options{Engine: engine, Bounds: limit.Bounds{MaxStates: 20_000}, SolverTimeout: 100 * time.Millisecond})
	switch {
	case err != nil && ctx.Err() == nil:
		return "an error"
	case err != nil || res.Status == proofs.Unknown || res.Status == proofs.Bounded:
		return ""
	}
	text := res.Status.String()
	_, ends := inst.Property.(*build.Terminates)
	if res.Trace != nil && !ends && res.Value == nil { // neither one that comes back nor best play need be the shortest
		text += fmt.Sprintf(", a play of %d moves", len(res.Trace.Steps))
	}
	if w := res.Value; w != nil && w.Player >= 0 && w.Known() {
		toSouth := w.Lo
		if inst.System.Players[w.Player] == "North" {
			toSouth = -w.Lo
		}
		text += fmt.Sprintf(", worth %d to South", toSouth)
	}
	return text
}

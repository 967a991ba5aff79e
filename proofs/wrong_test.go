package proofs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/smt/solver"
)

// truths are the right verdicts on the claims of testdata/wrong, derived by hand from the rules:
// each was once decided wrongly.
var truths = []struct {
	file  string
	true  []string
	false []string
}{
	// One move from the only start, 1 1, sets done, and W ends the game. W has predecessors with
	// any number of seeds.
	{"k1", []string{"c2", "c3", "c4"}, []string{"c1"}},
	{"k2", []string{"p4", "p7"}, []string{"p1", "p2", "p3", "p6", "p8"}},
	{"k3", nil, []string{"c"}},
	{"k4", nil, []string{"c"}},
	// Many has the start 0 1, and Few has not.
	{"onestart", []string{"less"}, []string{"few", "many", "more"}},
	// 1 mod -3 is -2, so the move is legal, and b gets the seed.
	{"quotient", []string{"w", "p"}, []string{"u"}},
	// The 21 starts are over at once, and no state comes after them.
	{"swept", []string{"c"}, nil},
	// 2 is not 1.
	{"kept", []string{"c"}, nil},
	// n = 3 has starts with more seeds than X allows; deciding that n = 2 has no start takes too
	// long.
	{"intr", nil, []string{"c"}},
	{"g3", nil, []string{"u1"}},
	// n = 3 has the start 3 0 | 0, in which X holds, and others in which the condition of W divides
	// by zero. With n = 2, a2 after a1 and a2 again leave no seed in the row.
	{"g2", []string{"u4", "u5", "u7", "u8", "u9"}, []string{"u1", "u10"}},
	// No value of n has a start, so all is true of them, and nothing for some.
	{"vac", []string{"q", "q2", "q3", "q4"}, []string{"q1"}},
	// In A with n = 2 all seeds come into z from 1 1, by a2, a1, a2; with n = 4 there is no way. B
	// has no start.
	{"h1", []string{"x7", "x9", "y1", "y3"}, []string{"x1", "x2", "x4", "x6", "x8", "y2", "y4"}},
	// GOOD wins at once; BAD has a fault, and so no step.
	{"f2", []string{"cA2"}, []string{"cA", "cB", "cC"}},
	// A move that never ends is no end.
	{"eq", []string{"q3"}, []string{"q", "q2"}},
	// The boards differ in pits off the laps: the other player's row, and a hand, once something is
	// captured.
	{"equal1", nil, []string{"same", "same_r"}},
	{"equal2", nil, []string{"same"}},
	// Starts have at most four seeds.
	{"crash3", []string{"u1"}, nil},
	// The only move sets x to big+1; the board is then 0 2 or 2 0, and sowing goes on. So four
	// states are reached.
	{"a", []string{"c3", "c5", "c6"}, []string{"c1", "c2", "c4", "c7"}},
	// The only play of one move captures everything; then a1 is empty, and no move is left.
	{"n1", []string{"c1", "c3", "c4", "c5", "c6", "c7"}, []string{"c2"}},
	// t2 is 2^32, so no move is legal; y1 begins as 2^31 + 3; some pit of b holds 3000000000 seeds,
	// or none, and so not 1.
	{"dom1", []string{"c5"}, nil},
	{"dom2", []string{"c7"}, nil},
	{"seeds", []string{"c4"}, nil},
	// In A, x becomes 1 and 2, and 2^62 is beyond the range. In G, N is never legal: from 1 1
	// either pit may be sown, from 0 2 one of them, and play comes back to 1 1. From 1 1 | 0 0, a1
	// goes to a2, the last pit, whose two seeds go on to a3 and z. a2 is then empty, so none can be
	// taken from it.
	{"forname", nil, []string{"c1"}},
	// Only a1 is in the set, and its seed goes to a2, which was empty as the set was settled.
	{"forset", []string{"c1", "c3"}, []string{"c2"}},
	// The last pit is a2, so the set has one pit, with one seed.
	{"twice", []string{"c1", "c3"}, []string{"c2"}},
	// The seed goes to a2 and back to a1. There the first configuration is back.
	{"endless", []string{"c1"}, []string{"c2"}},
	// `at` becomes a2, which held nothing before the step; a1 held 2. No pit has an opposite.
	{"old", []string{"o1", "o2", "n1"}, []string{"o3", "n2"}},
	// A step changes nothing. So what is before a1 = 1 is a1 = 1.
	{"shape", []string{"s1", "s3"}, []string{"s2"}},
	// Sowing changes no total, and no state has two.
	{"nothing", []string{"e1", "e2", "e3", "e4", "e6"}, []string{"e5"}},
	// Why is said in the files.
	{"laid", []string{"l1", "l3", "l5"}, []string{"l2", "l4"}},
	{"ghost", []string{"s1", "s2"}, []string{"s3"}},
	{"sums", []string{"p2", "p3", "p5"}, []string{"p1", "p4", "p6", "p7"}},
	{"play", []string{"d1", "d2", "d3", "d5", "d6", "g1", "g2", "g5", "g6", "g7"}, []string{"d4", "g3", "g4"}},
	{"equivalent_setup_mover", []string{"g", "g2", "h", "h2"}, []string{"eq", "refines_it"}},
	{"player_order_setup_mover", []string{"lastk"}, nil},
	{"rot2", []string{"starts_q", "x_p", "v_p", "w", "f"}, []string{"x_q", "v_q"}},
	{"value_over_setup_mover", []string{"v", "vp", "px", "py"}, []string{"vq", "pyn"}},
	{"passrank", []string{"c1", "c3"}, []string{"c2"}},
	{"nowhere", []string{"c1", "c2", "c3"}, nil},
	{"going_other", nil, []string{"c", "g", "g2", "bc"}},
	{"order_of_starts", []string{"c4"}, []string{"c5"}},
	{"remainder", nil, []string{"c"}},
	// P is best off to end the game at once: it is worth 2^32 + 1.
	{"far", []string{"w"}, []string{"v"}},
	{"kalah_no_winning_start", []string{"a1", "a2", "a3", "b", "b2", "c", "d"}, []string{"a", "d2", "e"}},
	// P surely gets 4 more than Q, and in a play that comes to an open end perhaps
	// more. See undecided.
	{"value_past_stuck", []string{"ge", "w", "not_q"}, []string{"f5", "s"}},
	// Q surely gets 1 more than P, and perhaps more.
	{"value_with_table_only", []string{"ge"}, nil},
	// The copy is stuck where the game is not, or where the game is over.
	{"refines_stuck", []string{"same", "back", "more"}, []string{"c", "eq", "over", "early"}},
	// In the only play of G the two seeds go to u3 and u2, along cw.
	{"claim_changes_game", []string{"one", "four", "six"}, []string{"two", "three", "five"}},
	{"position_changes_game", []string{"one"}, nil},
	{"imp_changes_game", []string{"one"}, nil},
	// The variants differ in a local that decides nothing.
	{"first_lap", []string{"same"}, nil},
	{"first_lap_2", []string{"same"}, nil},
	// Why is said in the file: the mark is on a2, then on u2, which lie between a1 and a3, and
	// between u1 and u3; that of H goes from south_out1 to south_in2.
	{"own_laps", []string{"c1", "c3", "c4", "c5", "c6", "c7", "h1", "h3"}, []string{"c2", "h2"}},
	// One start is a draw, and nobody knows who wins the other one.
	{"certify_refuted_by_one", []string{"not2"}, []string{"v"}},
	// The lap of a relay is the first one's. A sowing along a lap that the mover lacks is illegal.
	// The others are worked out in the file.
	{"relay_lap", []string{"once"}, []string{"each_lap"}},
	{"no_own_lap", []string{
		"name", "mine", "place", "var", "given", "made", "made2", "theirs0", "next_is_none", "only", "only_next",
	}, []string{"next_is_pit"}},
	{"operands", []string{
		"chain_lap", "chain_into", "chain_name", "relay_lap", "relay_way", "relay_skip", "relay_first", "relay_from", "counted",
		"for_set", "for_list", "argument", "local_set", "local_lap", "captured", "unread", "read", "stored", "stored_once",
		"moves_next", "going", "read_each",
	}, nil},
}

// undecided are the claims that depend on an open end: they are neither true nor false.
var undecided = []string{
	"value_past_stuck v4", "value_past_stuck v5", "value_past_stuck le", "value_past_stuck b",
	"value_with_table_only v", "value_with_table_only vs", "certify_refuted_by_one d", "open_far eq", "open_far lt", "open_far ge",
}

// faulty are claims about plays in which the rules have a fault: an engine that meets it reports it
// instead.
var faulty = []string{"g2 u1", "g2 u4", "g2 u5", "g2 u7", "g2 u8", "g2 u9", "g2 u10", "f2 cA", "f2 cA2", "f2 cB", "f2 cC", "forname c1", "nowhere c1", "nowhere c2", "nowhere c3", "passrank c2"}

// vacuous are the claims that nothing matches.
var vacuous = []string{
	"vac q", "vac q1", "vac q2", "vac q3", "vac q4", "h1 y1", "h1 y2", "h1 y3", "h1 y4",
	"ghost s1", "sums p1", "sums p2", "nothing e1", "nothing e2", "nothing e4", "nothing e5", "kept c", "remainder c",
	"claim_changes_game five", "claim_changes_game six",
}

// shapeless are claims about no state of the right shape, according to the engines that list
// states.
var shapeless = []string{"old n2", "a c3", "play d1", "play d2"}

// beyond are claims that need numbers beyond the range to be computed.
var beyond = []string{"far v", "far w", "play d3", "play d4", "play g3", "play g4", "play g5", "play g6"}

// tooMuch are claims of testdata/wrong about infinitely many states, which no engine lists, or with
// a search that takes too long.
var tooMuch = []string{"k2 p1", "k2 p6", "intr c", "g3 u1", "crash3 u1", "sums p5", "sums p6", "sums p7"}

// TestOnceWrong: no engine contradicts the truth, and the tool's choice of engines finds it, except
// for tooMuch.
func TestOnceWrong(t *testing.T) {
	asked := 0
	for _, f := range truths {
		u := buildtest.File(t, "testdata/wrong/"+f.file+".sow")
		for _, want := range []proofs.Status{proofs.Proved, proofs.Refuted} {
			claims := f.true
			if want == proofs.Refuted {
				claims = f.false
			}
			for _, name := range claims {
				for _, inst := range buildtest.Instances(t, u, name, nil) {
					asked++
					for k, engine := range allEngines() {
						if k > 0 && (tier.Short() || (asked+k)%tier.Every(1, 4) > 0) {
							continue // each engine is asked about some of the claims
						}
						tellsTruth(t, f.file+" "+name, inst, engine, want)
					}
				}
			}
		}
	}
}

// TestUndecided: no engine decides a claim that depends on an open end, and the verdict shows a
// play that comes to one.
func TestUndecided(t *testing.T) {
	for _, claim := range undecided {
		file, name, _ := strings.Cut(claim, " ")
		u := buildtest.File(t, "testdata/wrong/"+file+".sow")
		for _, inst := range buildtest.Instances(t, u, name, nil) {
			for _, engine := range allEngines() {
				r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine, Certify: true})
				if err != nil || r.Status != proofs.Unknown || r.Sentence() == "" {
					t.Fatalf("%s by %s: %+v, %v", claim, engine, r, err)
				}
				if asked := engine == proofs.Auto || engine == proofs.Forward; asked && (r.Trace == nil || r.Trace.End().Live() != (strings.Contains(r.Sentence(), "no move") || strings.Contains(r.Sentence(), "for ever"))) {
					t.Errorf("%s by %s: %s: %v", claim, engine, r.Sentence(), r.Trace)
				}
			}
		}
	}
}

func tellsTruth(t *testing.T, claim string, inst *build.Instance, engine proofs.Engine, want proofs.Status) {
	patience := 10 * time.Second
	if slices.Contains(tooMuch, claim) {
		patience = time.Second / time.Duration(tier.Every(10, 5))
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := proofs.Decide(ctx, inst, proofs.Options{Engine: engine, Bounds: limit.Bounds{MaxStates: 100_000}, SolverTimeout: 400 * time.Millisecond, Certify: true})
	if err != nil {
		if fault := (diag.Diagnostic{}); !errors.As(err, &fault) || !strings.HasPrefix(string(fault.Code), "X") || !slices.Contains(faulty, claim) {
			t.Errorf("%s by %s: %v", claim, engine, err)
		}
		return
	}
	open := r.Status == proofs.Unknown && r.Sentence() != "" || r.Status == proofs.Bounded
	if !open && r.Vacuous != slices.Contains(vacuous, claim) && !slices.Contains(shapeless, claim) {
		t.Errorf("%s by %s: vacuous %v", claim, engine, r.Vacuous)
	}
	alone := strings.Contains(r.Sentence(), new(solver.NotInstalled).Error()) // what a solver may decide is open without one
	if open && engine == proofs.Auto && !alone && !slices.Contains(slices.Concat(tooMuch, beyond), claim) || !open && r.Status != want {
		t.Errorf("%s by %s: %s (%s), want %s", claim, engine, r.Status, r.Sentence(), want)
	}
}

// TestFaultInTheClaim: the claim divides by the seeds in z, which is empty at the start: that is a
// fault, which no engine takes for no.
func TestFaultInTheClaim(t *testing.T) {
	u := buildtest.Text(t, `
variant B {
  board { a[1..3] | z
    ring lap = a[1..3] }
  setup { any where total(a) = 3, each a >= 1 }
  move when 1 > 1 { }
  draw X when total(a) = 0
}
claim c { invariant seeds(a3) div z /= 3 or not X }
claim d { unreachable seeds(a3) div z = 3 }
claim e { expect refuted reachable 1 < a1 mod (seeds(a1) - a2) }
claim f { from 3 div z = 1 every step gives true }`)
	for _, name := range []string{"c", "d", "e", "f"} {
		for _, engine := range allEngines() {
			inst := buildtest.Instances(t, u, name, nil)[0]
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine, Bounds: limit.Bounds{MaxStates: 10_000}, SolverTimeout: time.Second})
			if fault := (diag.Diagnostic{}); errors.As(err, &fault) && fault.Code == diag.DivZero {
				continue
			}
			if err != nil || r.Status != proofs.Unknown {
				t.Errorf("%s by %s: %v, %+v", name, engine, err, r)
			}
		}
	}
}

// TestNegativeMoves: a negative number of moves is a mistake, also if it is the value of a sweep's
// parameter, and never means no limit.
func TestNegativeMoves(t *testing.T) {
	for file, claims := range map[string][]string{"neg": {"r", "t"}, "h1": {"x3", "x5"}} {
		u := buildtest.File(t, "testdata/wrong/"+file+".sow")
		for _, c := range u.Claims {
			if !slices.Contains(claims, c.Name.Name) {
				continue
			}
			claim, diags := u.Claim(c)
			claim.Instances(nil, &diags)
			if len(diags) == 0 || diags[0].Code != diag.OutOfRange || diags[0].Range.IsZero() || diags[0].Help == "" {
				t.Errorf("%s %s: %v", file, c.Name.Name, diags)
			}
		}
	}
}

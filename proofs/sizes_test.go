package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// dose reads the rules of DOSE 2015 with another claim, and with some of their text replaced.
func dose(t *testing.T, claim string, replace ...string) string {
	t.Helper()
	text, err := os.ReadFile("../examples/dose2015.sow")
	if err != nil {
		t.Fatal(err)
	}
	rules, _, _ := strings.Cut(string(text), "// The player never wins")
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(rules, replace[i]) {
			t.Fatalf("the rules have no `%s`", replace[i])
		}
		rules = strings.ReplaceAll(rules, replace[i], replace[i+1])
	}
	return rules + "\nclaim c { " + claim + " }\n"
}

// TestThesisBySize: the thesis is true on each of the boards that it is proved for at once. With
// SIZES=all these are the boards up to n = 64.
func TestThesisBySize(t *testing.T) {
	sizes := tier.First([]int{5, 17, 9, 10, 11, 64}, 1, 2)
	if os.Getenv("SIZES") == "all" {
		sizes = nil
		for n := 5; n <= 64; n++ {
			sizes = append(sizes, n)
		}
	}
	for _, n := range sizes {
		r, err := decideText(t, dose(t, "unreachable SR006 for all stones"), "c", ints("n", n))
		if err != nil || r.Status != proofs.Proved || r.Checked != proofs.ByCertificate {
			t.Errorf("n = %d: %v, %v", n, r, err)
		}
	}
}

func TestEverySize(t *testing.T) {
	for _, claim := range []string{
		"for all n >= 5: unreachable SR006 for all stones",
		"unreachable SR006 for all stones for all n >= 5",
		"for all n >= 5, with stones = 1000 invariant not SR006",
	} {
		r, err := decideText(t, dose(t, claim), "c", nil)
		if strings.Contains(claim, "1000") { // more than 500 holes in a row are a mistake
			if err == nil && r.Status == proofs.Proved {
				t.Errorf("%s: a proof for boards that have too few stones", claim)
			}
			continue
		}
		if err != nil || r.Status != proofs.Proved || r.Checked != proofs.ByCertificate || r.Vacuous {
			t.Errorf("%s: %v, %v", claim, r, err)
			continue
		}
		if got := (verdict.EverySize{Size: "n", Least: 5, At: 10, States: 58}); r.Found != got {
			t.Errorf("%s: found %+v", claim, r.Found)
		}
		if p := r.Scope.Params; len(p) != 1 || !p[0].Up || p[0].N != 5 || !slices.Equal(r.Scope.Unbounded, []string{"stones"}) {
			t.Errorf("%s: scope %+v", claim, r.Scope)
		}
	}
	// From n = 4 on the thesis is false: on the least board with nine stones it is refuted.
	r, err := decideText(t, dose(t, "for all n >= 4: unreachable SR006 for all stones"), "c", nil)
	if err != nil || r.Status != proofs.Refuted || r.Checked != proofs.ByReplay || r.Trace == nil {
		t.Fatalf("%v, %v", r, err)
	}
	if p := r.Scope.Params; p[0].N != 4 || p[0].All || p[0].Up || p[1].All {
		t.Errorf("refuted for %+v", r.Scope)
	}
	// Its value may be given.
	one, err := decideText(t, dose(t, "for all n >= 5: unreachable SR006 for all stones"), "c", ints("n", 8))
	if err != nil || one.Status != proofs.Proved || one.Instance.Size != "" || one.Scope.Params[0].All {
		t.Errorf("%v, %v", one, err)
	}
}

// TestUnfitRules: rules that are not known to be alike for every size leave the claim open, with
// the reason.
func TestUnfitRules(t *testing.T) {
	const thesis = "for all n >= 5: unreachable SR006 for all stones"
	for i, test := range []struct{ was, is, why string }{
		{"else if last was empty", "else if last was empty and index(last) < 100", "line 32: the number of a pit depends on `n`"},
		{"else if last was empty", "else if last was empty or seeds(last) > 50*n", "line 32: `n` decides more than where stretches of pits end"},
		{"else if last was empty", "else if last was empty or (number p in hole : p > 9) > 30", "how many pits there are of a kind"},
		{"hole[n+1], hole[2*n]", "hole[n+1], hole[2*n], hole[n div 2]", "`n div 2` is no multiple of `n`"},
		{"selected = before(last)", "selected = before(before(last))", "`before` of another pit than `last`"},
		{"along dir, store", "along dir, skip origin, store", "(line 26) skips `store01` only under a condition"},
		{"where each hole >= 1,", "where hole[1] >= 0,", "asks for seeds in no single pit"},
		{"total(hole) = 0", "total(hole) + total(hole) = 0", "while there are seeds on the board"},
		{"when selected = none {\n    choose selected in hole", "when not (selected in hole) {\n    choose selected in hole", "may be made whatever `selected` is"},
		{"choose selected in hole\n", "choose selected in hole where selected > 0\n", "does more with `hole"},
	} {
		if i%tier.Every(5, 2) > 0 {
			continue
		}
		r, err := decideText(t, dose(t, thesis, test.was, test.is), "c", nil)
		if err != nil {
			t.Errorf("%s: %v", test.is, err)
			continue
		}
		if _, is := r.Open.(verdict.NotEverySize); !is || r.Status != proofs.Unknown || !strings.Contains(r.Sentence(), test.why) {
			t.Errorf("%s: %s, %s", test.is, r.Status, r.Sentence())
		}
	}
}

// TestNotForEverySize: what cannot be claimed for every size is a mistake of the text.
func TestNotForEverySize(t *testing.T) {
	for claim, why := range map[string]string{
		"for all n >= 5: reachable SR006 for some stones":        "only `unreachable E`, `invariant E`, `terminates` and `from E every step gives F`",
		"for all n >= 5: never stuck for all stones":             "only `unreachable E`, `invariant E`, `terminates` and `from E every step gives F`",
		"for all n >= 5: unreachable SR006 within 3":             "only `unreachable E`, `invariant E`, `terminates` and `from E every step gives F`",
		"for all n >= 5: not unreachable SR006":                  "only `unreachable E`, `invariant E`, `terminates` and `from E every step gives F`",
		"for all stones >= 20: unreachable SR006":                "does not decide how many pits there are",
		"for all n >= 5, for all n >= 6: unreachable SR006":      "is set already",
		"for all n >= 5, with n = 6 unreachable SR006":           "is set already",
		"for all n >= 5, with stones = 2*n unreachable SR006":    "which stands for every size",
		"for all n >= 5, for stones in n..20: unreachable SR006": "which stands for every size",
		"for all n >= 5: unreachable SR006 for some stones":      "takes no `for some`",
		"for all m >= 5: unreachable SR006":                      "no parameter `m`",
		"for all n >= 0: unreachable SR006 for all stones":       "n = 0 is out of range",
	} {
		_, err := decideText(t, dose(t, claim), "c", nil)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", claim, err)
		}
	}
	text := dose(t, "for all n >= 5: unreachable SR006 for all stones", "6 in 1..     //", "6 in 1..64   //")
	if _, err := decideText(t, text, "c", nil); err == nil || !strings.Contains(err.Error(), "has an upper end") {
		t.Errorf("an upper end: %v", err)
	}
}

// pick returns one of several texts, the first one in half of the cases.
func pick(r *rand.Rand, usual string, others ...string) string {
	if r.IntN(2) == 0 {
		return usual
	}
	return others[r.IntN(len(others))]
}

// mutant writes rules like those of DOSE 2015, with some parts exchanged. The parts are such that
// the thesis may be true on small boards, and false on larger ones.
func mutant(r *rand.Rand) string {
	k := strconv.Itoa(1 + r.IntN(14))
	// rare exchanges a part only sometimes, as rules in which all is exchanged are no game.
	rare := func(usual string, others ...string) string {
		if r.IntN(6) > 0 {
			return usual
		}
		return pick(r, others[0], others...)
	}
	set := func() string {
		return pick(r, "hole", "corner", "early", "late", "inner", "first", "store", "hole[1..n]", "hole[n+1..2*n]", "hole[n-2..n+3]", "hole without corner",
			"hole["+k+"..n]", "hole[1..2*n-"+k+"]", "hole[n-"+k+"..n], hole["+k+"..2*n]")
	}
	pit := func() string {
		return pick(r, "last", "selected", "hole[1]", "hole[n]", "hole["+k+"]", "hole[n+"+k+"]", "hole[2*n-"+k+"]", "next(last)", "before(last)", "origin")
	}
	cond := func() string {
		return pick(r, "last was empty", "last in "+set(), "seeds("+pit()+") = "+k, "total("+set()+") < "+k, "seeds("+pit()+") > 2", "index(last) > "+k, "index(selected) < "+k, "total(hole) = n",
			"seeds(last) < n", pit()+" = "+pit(), "selected in "+set(), "(number p in "+set()+" : p > 0) = "+k, "each corner = 0", "some inner > 1", "min(2*n, "+k+") < 12")
	}
	laps := rare("ring clockwise     = hole[1..n], store02, hole[2*n..n+1], store01", "line clockwise     = hole[1..n], store02, hole[2*n..n+1], store01",
		"ring clockwise     = hole[1..n], hole[2*n..n+1]", "ring clockwise     = hole[1..n], store02", "ring clockwise     = hole[1..n], store02, hole[n+1..2*n], store01",
		"ring clockwise     = hole[2..n], store02, hole[2*n..n+1], store01, hole[1]", "ring clockwise     = hole[1..n-"+k+"], store02, hole[2*n..n+1], store01")
	sow := rare("sow selected along dir, store takes only the last", "sow selected along dir", "sow selected along dir, skip store", "sow selected along dir, skip corner, store takes only the last",
		"sow selected along dir, skip origin, store takes only the last", "sow selected along dir, "+set()+" takes only the last", "sow selected along dir, skip "+set(),
		"sow selected along dir, origin first", "sow selected along dir, relay while last was "+k, "sow min(seeds(selected), "+k+") from selected along dir")
	inStore := rare("selected = before(last)", "selected = none", "selected = next(last)", "selected = hole[1]", "selected = hole["+k+"]", "selected = hole[n]", "selected = before(before(last))", "selected = origin")
	empty := rare("lose SR005", "selected = none", "selected = last", "selected = hole[n]", "win SR006", "end other")
	onward := rare("selected = last", "selected = none", "selected = origin", "selected = next(last)", "selected = hole["+k+"]", "if "+cond()+" { selected = last } else { lose SR005 }")
	test := rare("last was empty", cond(), cond(), "last was empty and "+cond(), "last was empty or "+cond())
	guard := rare("selected /= none", "selected /= none and "+strings.ReplaceAll(cond(), "last", "selected"), "selected in hole", "selected in "+set())
	choose := rare("choose selected in hole", "choose selected in "+set(), "choose selected in hole where selected > "+strconv.Itoa(r.IntN(3)), "choose selected in hole where selected in "+set(),
		"choose selected in hole where total("+set()+") > "+k, "choose p in hole\n    selected = p\n    count = 1", "choose p in hole where seeds(p) > 0\n    sow p along clockwise\n    selected = last")
	win := rare("win SR006 when total(hole) = 0", "win SR006 when total("+set()+") = 0", "win SR006 when total(hole) <= 1", "win SR006 when total(hole) = 1", "win SR006 when total(hole) = 0 and selected /= none",
		"win SR006 when each hole = 0", "win SR006 when total(hole) < "+k, "win SR006 when total(store) > "+k, "win SR006 when total(hole) = 0 or total("+set()+") > 3*"+k)
	setup := rare("each hole >= 1", "each hole >= "+strconv.Itoa(r.IntN(3)), "each "+set()+" >= 1", "each hole = "+k, "hole[1] >= 1", "each corner >= 1", "hole["+k+"] >= 1")
	lose := rare("", "", "lose few when total(hole) = "+k, "lose late when total("+set()+") = 0", "when total(hole) = "+k+" { selected = none }", "when selected in "+set()+" and count = 0 { count = 1 }", "lose one when selected = hole[n]")
	dirs := rare(`{ clockwise as C "SR004(A)", anticlockwise as A "SR004(B)" }`, `{ clockwise as C "SR004(A)" }`, `{ anticlockwise as A "SR004(B)" }`)
	more := rare("", "move more when selected = none {\n    choose q in hole where q "+pick(r, "> 0", "= "+k, "= n")+"\n    sow q along anticlockwise, store takes only the last\n    selected = last\n  }",
		"move pass when selected = none and "+strings.ReplaceAll(cond(), "last", "hole[1]")+" {\n    count = min(count + 1, 3)\n  }")
	store := rare("store01, store02", "store01", "store02, hole[n]", "store01, store02, hole["+k+"]")
	return fmt.Sprintf(`variant Mutant {
  param n      = 6 in 1..
  param stones = 48 in %s

  board {
    store01 | hole[01..n]    | store02
            | hole[n+1..2*n] |
    %s
    ring anticlockwise = reverse clockwise
    group store  = %s
    group corner = hole[1], hole[n], hole[n+1], hole[2*n]
    group early  = hole[1..3]
    group late   = hole[n-1..n], hole[2*n]
    group inner  = hole[3..n-2], hole[n+3..2*n-2]
    group first  = hole[%s..n]
  }

  state selected : hole = none
  state count : 0..3

  setup SR002 { any where %s, total(hole) = stones }

  move SR003 when selected = none {
    %s
  }

  move SR004 when %s {
    choose dir in %s
    written selected dir
    %s
    if last in store {
      %s
    } else if %s {
      %s
    } else {
      %s
    }
  }

  %s

  %s
  %s
}

claim every { for all n >= %d: unreachable SR006 for all stones }
claim single { unreachable SR006 for all stones }
`, rare("2*n..", "n..", "1..", "30.."), laps, store, strconv.Itoa(1+r.IntN(4)), setup, choose, guard, dirs, sow, inStore, test, empty, onward, more, win, lose, 5+r.IntN(3))
}

// decideText decides the only instance of a claim of a text.
func decideText(t *testing.T, text, claim string, given build.Settings) (*proofs.Result, error) {
	t.Helper()
	file, err := proofs.Load("mutant.sow", func(string) ([]byte, error) { return []byte(text), nil })
	if err != nil {
		return nil, err
	}
	list, err := file.Instances(given, claim)
	if err != nil {
		return nil, err
	}
	return proofs.Decide(context.Background(), list[0], proofs.Options{Engine: proofs.Backward, Bounds: limit.Bounds{MaxStates: 3000}})
}

// normal leaves out of a reason what differs from one mutant to the next.
func normal(reason string) string {
	_, reason, _ = strings.Cut(reason, ": ")
	for _, cut := range []string{`mutant\.sow, `, `line \d+: `, ` \(line \d+\)`} {
		reason = regexp.MustCompile(cut).ReplaceAllString(reason, "")
	}
	reason = regexp.MustCompile("`[^`]*`").ReplaceAllString(reason, "…")
	reason = regexp.MustCompile(`\d+`).ReplaceAllString(reason, "N")
	first, _, _ := strings.Cut(reason, ": ")
	return first
}

// TestSizesOfMutants: what is proved for every size is so on each board that engines decide one by
// one. MUTANTS is how many are tried, from MUTANTS_SEED on.
func TestSizesOfMutants(t *testing.T) {
	t.Parallel()
	tries, seed := 24/tier.Every(12, 6), uint64(1)
	if n, err := strconv.Atoi(os.Getenv("MUTANTS")); err == nil {
		tries = n
	}
	if n, err := strconv.Atoi(os.Getenv("MUTANTS_SEED")); err == nil {
		seed = uint64(n)
	}
	table := map[string]int{}
	broken := 0
	for tried := 0; tried < tries; seed++ {
		text := mutant(rand.New(rand.NewPCG(seed, 1)))
		r, err := decideText(t, text, "every", nil)
		if errors.As(err, new(*proofs.RejectedError)) {
			t.Errorf("mutant %d: %v\n%s", seed, err, text)
		}
		if err != nil { // no game
			if broken++; broken > 100+20*tries {
				t.Fatalf("the mutants are no games: %v", err)
			}
			continue
		}
		tried++
		switch r.Status {
		case proofs.Proved:
			f := r.Found.(verdict.EverySize)
			table["proved"]++
			if r.Checked != proofs.ByCertificate {
				t.Errorf("mutant %d: checked by %s", seed, r.Checked)
			}
			sizes := []int{f.At + 3, f.At + 4, f.At + 5, f.At + 9, f.At + 17}
			for n := max(5, f.Least); n <= 13; n++ {
				sizes = append(sizes, n)
			}
			for _, n := range sizes {
				one, err := decideText(t, text, "single", ints("n", n))
				switch {
				case err != nil:
					t.Errorf("mutant %d, n = %d: %v", seed, n, err)
				case one.Status == proofs.Refuted:
					t.Errorf("mutant %d is proved for every size, but for n = %d it is refuted:\n%s", seed, n, text)
				case one.Status != proofs.Proved:
					t.Logf("mutant %d, n = %d: %s", seed, n, one.Sentence())
				}
			}
		case proofs.Refuted:
			table["refuted"]++
		default:
			why := normal(r.Sentence())
			if _, is := r.Open.(verdict.NotEverySize); !is {
				why = "a size is not decided"
			}
			table[why]++
		}
	}
	var rows []string
	for why, n := range table {
		rows = append(rows, fmt.Sprintf("%5d  %s", n, why))
	}
	slices.Sort(rows)
	slices.Reverse(rows)
	t.Logf("%d mutants\n%s", tries, strings.Join(rows, "\n"))
}

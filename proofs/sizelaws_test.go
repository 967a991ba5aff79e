package proofs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// kalahClaims claims for every size, and for one, what laws may decide. Each name but its first
// word is that of the claim for one size.
const kalahClaims = `
claim every_ends { for all m >= 1: terminates for all n }
claim one_ends { terminates }
claim every_grows { for all m >= 1: from not finished every step gives seeds(south_store) >= old seeds(south_store) }
claim one_grows { from not finished every step gives seeds(south_store) >= old seeds(south_store) }
claim every_total { for all m >= 1: invariant total(pit) = 2 * m * n }
claim one_total { invariant total(pit) = 2 * m * n }
claim every_keeps { for all m >= 1: from not finished every step gives total(pit) = old total(pit) }
claim one_keeps { from not finished every step gives total(pit) = old total(pit) }
`

// kalahMutant writes rules like those of Kalah, with some parts exchanged.
func kalahMutant(r *rand.Rand) string {
	// rare exchanges a part only sometimes, as rules in which all is exchanged are no game.
	rare := func(usual string, others ...string) string {
		if r.IntN(6) > 0 {
			return usual
		}
		return others[r.IntN(len(others))]
	}
	k := strconv.Itoa(1 + r.IntN(3))
	pit := func() string {
		return []string{"last", "opposite(last)", "my store", "their store", "from", "south[1]", "north[m]", "south[m]", "south_store", "origin"}[r.IntN(10)]
	}
	cond := func() string {
		return []string{
			"last = my store", "last = their store", "last in my house", "last in their house", "last in house", "last was empty", "last was = " + k, "index(last) > " + k, "seeds(last) = m",
			"total(my house) > m", "seeds(opposite(last)) > 0", "last in south[1..m]", "last = south[" + k + "]", "seeds(my store) > " + k, "index(from) = m", "last in store",
		}[r.IntN(16)]
	}
	do := func() string {
		return []string{
			"again", "capture " + pit() + " into my store", "capture " + pit() + " into " + pit(), "capture last, opposite(last) into their store", "sow " + pit() + " along LAP, skip their store",
			"sow " + pit() + " along LAP", "take 1 from my store into south[1]", "take 1 from " + pit() + " into my store", "x = x + 1", "capture their house into my store", "p = last", "if p /= none { sow p along LAP, skip their store }",
			"while " + cond() + " { sow last along LAP }", "while last in my house and last was > 0 { sow last along LAP, skip their store }", "draw none", "South wins",
		}[r.IntN(16)]
	}
	ring := rare("ring mine = south[1..m], south_store, north[1..m], north_store", "ring mine = south[m..1], south_store, north[1..m], north_store", "ring mine = south[1..m], south_store, north[m..1], north_store",
		"ring mine = south[1..m], north[1..m], north_store", "line mine = south[1..m], south_store", "ring mine = south[1..m], south_store", "ring mine = south[2..m], south_store, north[1..m], north_store, south[1]",
		"ring mine = south_store, south[1..m], north_store, north[1..m]", "ring mine = south[1..m], north[1..m]", "ring mine = north_store, north[m..1], south_store, south[m..1]")
	skip := rare(", skip their store", "", ", skip my store", ", skip store", ", skip their house", ", skip my house", ", skip origin", ", their store takes only the last", ", my store takes only the last, skip their store",
		", origin first, skip their store", ", south[1] takes only the last", ", skip south["+k+"]", ", relay while last in house and last was > 0", ", skip their store, relay while last in my house and last was = "+k,
		", skip their store, each drop { if seeds(last) = "+k+" { capture last into my store } }", ", starting at from", ", starting at next(from along LAP), skip their store")
	source := rare("sow from along LAP", "sow 1 from from along LAP", "sow min(seeds(from), "+k+") from from along LAP", "sow my store along LAP", "sow opposite(from) along LAP", "p = from\n    sow p along LAP", "sow (seeds(from) - 1) from from along LAP")
	lap := rare("mine", "mine", "ccw_with_stores", "cw_with_stores", "mine")
	if strings.Contains(ring, "line") && strings.Contains(skip, "their store") {
		lap = "ccw_with_stores"
	}
	where := rare("from > 0", "from > 1", "from >= 0", "from > 0 and seeds(from) < m", "from > 0 and index(from) > "+k, "from > 0 and total(my store) < "+k, "from = "+k)
	set := rare("my house", "house", "their house", "my house, my store", "south[1..m]", "south[1], north[1]", "pit")
	again := rare("again", do(), do(), "")
	capture := rare("capture last, opposite(last) into my store", do(), do(), do())
	other := rare("", "else { "+do()+" }", "else if "+cond()+" { "+do()+" }")
	extra := rare("", "pass when total(my house) = "+k, "move extra when total(my house) = "+k+" {\n    again\n  }", "move back {\n    choose h in my house where h = 0\n    take 1 from my store into h\n  }",
		"move back when seeds(my store) > "+k+" {\n    choose h in their house\n    sow my store along LAP\n  }", "move feed {\n    choose h in their house where h > 0\n    take 1 from h into their store\n  }", "move count when x < 3 {\n    x = x + 1\n  }")
	end := rare("capture south into south_store\n    capture north into north_store", "capture south_store into south[1]", "capture house into south_store", "")
	react := rare("", "when total(south) = "+k+" { capture south into south_store }", "when seeds(south_store) > "+k+" { take 1 from south_store into south[1] }", "when total(house) < "+k+" { draw few }",
		"when total(south) = "+k+" { sow south[1] along LAP }", "when x = 2 { x = 0 }")
	setup := rare("each house = n", "each house = n, south_store = 0", "each south = n", "south[1] = n, north[1] = n", "any where total(house) = 2 * n", "each house = index(south[1])", "each house = n, each store = 1")
	text := fmt.Sprintf(`variant Mutant {
  param m = 3 in 1..
  param n = 2 in 1..
  player South, North

  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
    %s
  }

  state x : 0..3
  state p : house = none

  setup { %s }

  move {
    choose from in %s where %s
    written from
    %s%s
    if %s {
      %s
    } else if %s {
      %s
    } %s
  }

  %s

  %s

  end when total(south) = 0 or total(north) = 0 {
    %s
  }

  score South = south_store, North = north_store
}
`, ring, setup, set, where, source, skip, rare("last = my store", cond()), again, rare("last in my house and last was empty and opposite(last) > 0", cond(), cond()+" and "+cond()), capture, other, extra, react, end)
	return strings.ReplaceAll(text, "LAP", lap) + kalahClaims
}

// lawTexts are the claims about every size, and what is looked for at one size.
var lawTexts = []string{"ends", "grows", "total", "keeps"}

// mutated reads rules with claims about them.
func mutated(text string) (*proofs.File, error) {
	return proofs.Load("mutant.sow", func(string) ([]byte, error) { return []byte(text), nil })
}

// smallest decides a claim by searching all states of one size.
func smallest(file *proofs.File, claim string, given build.Settings) (*proofs.Result, error) {
	list, err := file.Instances(given, claim)
	if err != nil {
		return nil, err
	}
	return proofs.Decide(context.Background(), list[0], proofs.Options{Engine: proofs.Forward, Bounds: limit.Bounds{MaxStates: 3000}})
}

// lawful decides a claim about every size, with few states for the sizes that are decided one by
// one.
func lawful(file *proofs.File, claim string) (*proofs.Result, error) {
	list, err := file.Instances(nil, claim)
	if err != nil {
		return nil, err
	}
	return proofs.Decide(context.Background(), list[0], proofs.Options{Bounds: limit.Bounds{MaxStates: 300}})
}

// general leaves out of a reason what differs from one game to the next.
func general(r *proofs.Result) string {
	_, reason, _ := strings.Cut(r.Sentence(), ": ")
	for _, cut := range []string{`[a-z_/0-9.]+\.sow, `, `line \d+: `, ` \(line \d+\)`} {
		reason = regexp.MustCompile(cut).ReplaceAllString(reason, "")
	}
	reason = regexp.MustCompile("`[^`]*`").ReplaceAllString(reason, "…")
	return regexp.MustCompile(`\d+`).ReplaceAllString(reason, "N")
}

// rows lists how often each line of a table was counted.
func rows(table map[string]int) string {
	var list []string
	for line, n := range table {
		list = append(list, fmt.Sprintf("%5d  %s", n, line))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return strings.Join(list, "\n")
}

// TestLawsOfMutants: what a law proves for every size is so on each small board that a search
// decides. MUTANTS is how many are tried, from MUTANTS_SEED on.
func TestLawsOfMutants(t *testing.T) {
	t.Parallel()
	tries, seed := 24/tier.Every(12, 4), uint64(1)
	if n, err := strconv.Atoi(os.Getenv("MUTANTS")); err == nil {
		tries = n
	}
	if n, err := strconv.Atoi(os.Getenv("MUTANTS_SEED")); err == nil {
		seed = uint64(n)
	}
	table := map[string]int{}
	for tried := 0; tried < tries; seed++ {
		text := kalahMutant(rand.New(rand.NewPCG(seed, 2)))
		file, err := mutated(text)
		if err == nil {
			_, err = smallest(file, "one_keeps", ints("n", 1, "m", 1))
		}
		if err != nil {
			table["no game: "+regexp.MustCompile("`[^`]*`").ReplaceAllString(strings.Split(err.Error(), "\n")[0], "…")]++
			continue
		}
		tried++
		for _, law := range lawTexts {
			r, err := lawful(file, "every_"+law)
			if err != nil && strings.Contains(err.Error(), "error[X") {
				table[law+": a fault of the rules"]++
				continue
			} else if err != nil {
				t.Fatalf("mutant %d: %v\n%s", seed, err, text)
			}
			f, is := r.Found.(verdict.EverySize)
			is = is && f.Law != 0
			proved := r.Status == proofs.Proved
			if proved != is || proved && r.Checked != proofs.ByCertificate {
				t.Errorf("mutant %d, %s: %s, checked by %v", seed, law, r.Sentence(), r.Checked)
			}
			if !proved {
				table[law+" "+r.Status.String()+": "+general(r)]++
			} else {
				table[law+" proved"]++
			}
			agreesOnSmall(t, file, text, seed, law, proved, f)
		}
	}
	t.Logf("%d mutants\n%s", tries, rows(table))
}

// agreesOnSmall searches small boards for a play that refutes what is proved for every size.
func agreesOnSmall(t *testing.T, file *proofs.File, text string, seed uint64, law string, proved bool, f verdict.EverySize) {
	if !proved {
		return
	}
	for m := 1; m <= 5; m++ {
		for n := 1; n <= max(1, 4-m); n++ {
			one, err := smallest(file, "one_"+law, ints("m", m, "n", n))
			switch {
			case err != nil && strings.Contains(err.Error(), "error[X"): // a law holds all the same: no step follows
			case err != nil:
				t.Errorf("mutant %d, m = %d: %v", seed, m, err)
			case one.Status == proofs.Refuted:
				t.Errorf("mutant %d: %s is proved for every size from m = %d on, but for m = %d, n = %d it is refuted:\n%s", seed, law, f.At, m, n, text)
			}
		}
	}
}

// unlimitedGame reads a game in which a parameter has no upper end, with more claims.
func unlimitedGame(path, size, claims string) (*proofs.File, error) {
	end := regexp.MustCompile(`(param ` + size + `\s*= \d+) in (\d+)\.\.\d*`)
	return proofs.Load(path, func(p string) ([]byte, error) {
		text, err := os.ReadFile(p)
		text = end.ReplaceAll(text, []byte("$1 in $2.."))
		if p == path {
			text = append(text, claims...)
		}
		return text, err
	})
}

// gameClaims are claims for every size from the least one on, and for one. grows is a pit that is
// in no stretch, if there is one.
func gameClaims(size string, least int, grows string) string {
	var b strings.Builder
	claim := func(name, property string) {
		fmt.Fprintf(&b, "claim every_%s { for all %s >= %d: %s }\nclaim one_%s { %s }\n", name, size, least, property, name, property)
	}
	claim("ends", "terminates")
	claim("keeps", "from not finished every step gives total(pit) = old total(pit)")
	if grows != "" {
		claim("grows", fmt.Sprintf("from not finished every step gives seeds(%s) >= old seeds(%[1]s)", grows))
	}
	return "\n" + b.String()
}

// sizeOf returns the parameter of a game that decides how many pits there are, the least value that
// it may have, and a pit without a number.
func sizeOf(path string) (size string, least int, single string) {
	for _, size := range []string{"m", "w", "cups", "n"} {
		file, err := unlimitedGame(path, size, "\nclaim some_size { for all "+size+" >= 3: terminates }\n")
		if err != nil {
			continue
		}
		list, err := file.Instances(nil, "some_size")
		if err != nil {
			continue
		}
		for _, p := range list[0].System.Params {
			if p.Name == size {
				least = p.Lo
			}
		}
		for _, p := range list[0].System.Pits {
			if p.Name == p.Group {
				single = p.Name
			}
		}
		return size, least, single
	}
	return "", 0, ""
}

// TestLawsOfGames: what a law proves for every size of a game is so on each small board.
func TestLawsOfGames(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, pattern := range []string{"../examples/*.sow", "../examples/family/*.sow"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, list...)
	}
	sized, proved, table := 0, 0, map[string]int{}
	always := []string{"../examples/kalah.sow", "../examples/family/ns_kalah.sow", "../examples/family/wari.sow"}
	for i, path := range paths {
		if i%tier.Every(len(paths), 8) > 0 && !slices.Contains(always, path) {
			continue
		}
		size, least, single := sizeOf(path)
		if size == "" {
			continue
		}
		sized++
		file, err := unlimitedGame(path, size, gameClaims(size, least, single))
		if err != nil {
			t.Fatal(err)
		}
		for _, law := range []string{"ends", "keeps", "grows"} {
			list, err := file.Instances(nil, "every_"+law)
			if err != nil {
				continue // there is no single pit
			}
			r, err := proofs.Decide(context.Background(), list[0], proofs.Options{Bounds: limit.Bounds{MaxStates: 300}})
			switch {
			case err != nil:
				t.Errorf("%s: %v", path, err)
				continue
			case r.Status != proofs.Proved:
				t.Logf("%-40s %s %s", strings.TrimPrefix(path, "../examples/"), law, r.Sentence())
				table[law+": "+general(r)]++
				continue
			}
			t.Logf("%-40s %s %s", strings.TrimPrefix(path, "../examples/"), law, r.Sentence())
			table[law+" proved"]++
			proved++
			for n := least; n <= 12; n += 1 + n {
				for _, engine := range []proofs.Engine{proofs.Auto, proofs.Forward} {
					list, err := file.Instances(ints(size, n), "one_"+law)
					if err != nil {
						t.Fatal(err)
					}
					one, err := proofs.Decide(context.Background(), list[0], proofs.Options{Engine: engine, Bounds: limit.Bounds{MaxStates: 1000}})
					if err != nil || one.Status == proofs.Refuted || engine == proofs.Auto && one.Status != proofs.Proved {
						t.Errorf("%s is proved for every size of %s, but for %s = %d: %v %v", law, path, size, n, one, err)
					}
				}
			}
		}
	}
	if sized < 3 || proved < 8 || tier.Full() && sized < 40 {
		t.Errorf("%d games with a size, and %d claims are proved", sized, proved)
	}
	t.Logf("%d games with a size\n%s", sized, rows(table))
}

// plainKalah is what the rules of TestLawsRefused differ from in one place.
const plainKalah = `variant Plain {
  param m = 3 in 1..
  param n = 2 in 1..
  player South, North
  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
    ring round = south[1..m], south_store, north[1..m], north_store
  }
  state p : house = none
  setup { each house = n }
  move {
    choose from in my house where from > 0
    sow from along round, skip their store
    if last = my store {
      again
    } else if last in my house and last was empty {
      capture last, opposite(last) into my store
    }
  }
  end when total(south) = 0 or total(north) = 0 {
    capture south into south_store
    capture north into north_store
  }
  score South = south_store, North = north_store
}
`

// TestLawsRefused: what is no law for every size is unknown, with a condition that fails, or it is
// refuted.
func TestLawsRefused(t *testing.T) {
	t.Parallel()
	const foundBySolver = "a play of 0 moves"
	for i, test := range []struct{ law, was, is, why string }{
		{"ends", "", "", ""},
		{"grows", "", "", ""},
		{"total", "", "", ""},
		{"keeps", "", "", ""},
		{"ends", ", skip their store", ", skip store", "repeat forever"},
		{"ends", ", skip their store", ", skip their store, store takes only the last", "sowings come back to where they began"},
		{"ends", ", skip their store", ", skip their store, north[1..m] takes only the last", "may not drop a seed into `north1`, where the board grows"},
		{"ends", ", skip their store", ", skip their store, origin first", "sowings come back to where they began before a seed has left play"},
		{"ends", ", skip their store", ", skip their store, starting at from", "sowings come back to where they began before a seed has left play"},
		{"ends", ", skip their store", ", skip their store, each drop { p = none }", "does something after each seed"},
		{"ends", ", skip their store", ", skip their store, relay while last in house and last > 1", "sowings come back to where they began before a seed has left play"},
		{"ends", "sow from along", "p = from\n    sow p along", "sows from a pit that is not always the same"},
		{"ends", "capture last, opposite(last) into my store", "capture last into opposite(last)", "sows or moves seeds after it has sown"},
		{"ends", "      again\n", "      sow 1 from south[1] along round\n", "sows or moves seeds after it has sown"},
		{"ends", "sow from along round, skip their store", "if from > 1 { sow from along round, skip their store }", "may sow nothing"},
		{"ends", "  end when", "  move pass {\n    again\n  }\n  end when", "repeats forever"},
		{"ends", "  end when", "  when total(house) = 2 { sow south[1] along round }\n  end when", "sows"},
		{"ends", "  end when", "  when total(house) = 2 { capture south into north[1] }\n  end when", "moves seeds into a pit that is sown from"},
		{"ends", "ring round = south[1..m],", "ring round = south[m..1],", ""},
		{"ends", "north[1..m], north_store\n", "north[1..m - m div 9], north_store\n", "`m - m div 9` is no multiple of `m` and a number"},
		{"ends", "last was empty {", "last was empty and seeds(last) < m {", "`m` decides more than where stretches of pits end"},
		{"ends", "last was empty {", "last was empty and index(last) > 1 {", "the number of a pit depends on `m`"},
		{"grows", "choose from in my house", "choose from in my house + my store", "shortest play: "},
		{"grows", "last in my house and last was empty", "last was empty", "may take seeds out of `south_store`"},
		{"grows", "capture last, opposite(last) into my store", "take 1 from my store into last", "shortest play: "},
		{"grows", "capture last, opposite(last) into my store", "sow opposite(last) along round\n      capture last into my store", "shortest play: "},
		{"grows", "capture last, opposite(last) into my store", "let x = last\n      capture x into my store", "takes seeds out of a pit that may be any"},
		{"grows", "capture last, opposite(last) into my store", "p = last\n      capture p into my store", ""},
		{"grows", "capture last, opposite(last) into my store", "capture (last if seeds(last) > 1 else opposite(last)) into my store", ""},
		{"grows", "  end when", "  when total(house) = 2 { capture south_store into south[1] }\n  end when", "shortest play: "},
		{"total", "each house = n", "any where each house >= n", foundBySolver},
		{"total", "each house = n", "each house = n, each store = 1", "shortest play: 0 moves"},
		{"total", "each house = n", "each south = 2*n", ""},
		{"total", "each house = n", "any where total(house) = 2 * n", "shortest play: 0 moves"},
	} {
		if i%tier.Every(12, 3) > 0 || test.why == foundBySolver && len(solvers(t)) == 0 {
			continue
		}
		text := strings.Replace(plainKalah, test.was, test.is, 1) + kalahClaims
		file, err := mutated(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := lawful(file, "every_"+test.law)
		switch {
		case err != nil:
			t.Errorf("%s, %s: %v", test.law, test.is, err)
		case test.why == "" && (r.Status != proofs.Proved || r.Checked != proofs.ByCertificate):
			t.Errorf("%s, %s: %s", test.law, test.is, r.Sentence())
		case test.why != "" && (r.Status == proofs.Proved || !strings.Contains(r.Sentence(), test.why)):
			t.Errorf("%s, %s: %s, not %s", test.law, test.is, r.Sentence(), test.why)
		}
	}
}

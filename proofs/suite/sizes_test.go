package suite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
)

// growing is Kalah with places for what does nothing at the least size.
const growing = `variant K {
  param m = 2 in 1..
  param n = 1 in 0..
  player South, North
  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
  }
  setup { each house = n }
  move {
    choose from in my house where from > 0 GUARD
    sow from along ccw_with_stores, skip SKIP
    STATEMENT
  }
  end when total(south) = 0 or total(north) = 0 ENDING {
    SWEEP
    capture south into south_store
    capture north into north_store
  }
}
DECLARED
claim c { for all m >= LEAST: PROPERTY }
`

// idle lists, for each place, texts that do nothing where BEYOND is empty, and the usual text.
var idle = map[string][]string{
	"GUARD":  {"", "", "and total(BEYOND) < 3", "and not from in BEYOND", "and (total(BEYOND) = 0 or from > 1)"},
	"ENDING": {"", "", "or total(BEYOND) > 2", "or some p in BEYOND : p > 3"},
	"SKIP":   {"their store", "their store", "(their store + BEYOND)", "their store, BEYOND takes only the last"},
	"SWEEP":  {"", "", "capture BEYOND into north_store", "if total(BEYOND) > 0 and south_store > 0 { take 1 from south_store into south[1] }"},
	"STATEMENT": {
		"", "", "if total(BEYOND) > 0 and south_store > 0 { take 1 from south_store into south[1] }",
		"if last in BEYOND and south_store > 0 { take 1 from south_store into north[1] }", "if last in BEYOND { capture last into my store }", "capture BEYOND into north_store",
		"if some p in BEYOND : p = 2 { capture south_store into south[1] }", "if far and south_store > 0 { take 1 from south_store into south[1] }",
		"if south_store > 0 and total(north[LATER..m]) > 0 { take 1 from south_store into north_store }", "if total(BEYOND) > 2 { again }",
	},
	"PROPERTY": {
		"from not finished every step gives seeds(south_store) >= old seeds(south_store)", "from not late every step gives seeds(south_store) >= old seeds(south_store)",
		"from not finished every step gives seeds(north_store) >= old seeds(north_store)", "invariant total(pit) = 2 * m * n", "terminates",
		"from not finished and total(BEYOND) = 0 every step gives seeds(south_store) >= old seeds(south_store)",
	},
}

const declared = "define far = total(BEYOND) > 1\nposition late of K where total(BEYOND) > 1"

// twins writes two files that differ in one place, by something that does nothing at the least
// size.
func twins(r *rand.Rand) (files [2]string) {
	least := 1 + r.IntN(2)
	text, pairs := growing, [2][]string{}
	differs := []string{"GUARD", "ENDING", "SKIP", "SWEEP", "STATEMENT", "STATEMENT", "DECLARED"}[r.IntN(7)]
	for _, place := range []string{"GUARD", "ENDING", "SKIP", "SWEEP", "STATEMENT", "PROPERTY"} {
		list := idle[place]
		one := list[r.IntN(len(list))]
		if r.IntN(3) > 0 {
			one = list[0]
		}
		other := one
		if place == differs {
			other = list[r.IntN(len(list))]
		}
		if differs == "DECLARED" && (place == "STATEMENT" || place == "PROPERTY") { // what is declared has to be used
			one = map[string]string{"STATEMENT": list[7%len(list)], "PROPERTY": list[r.IntN(2)]}[place]
			other = one
		}
		pairs[0], pairs[1] = append(pairs[0], place, one), append(pairs[1], place, other)
	}
	far, bound := strconv.Itoa(r.IntN(3)), strconv.Itoa(r.IntN(3))
	for i := range files {
		decl := declared
		if i == 1 && differs == "DECLARED" {
			decl = strings.Replace(strings.Replace(declared, "> 1\np", "> "+far+"\np", 1), "where total(BEYOND) > 1", "where total(BEYOND) > "+bound, 1)
		}
		t := strings.NewReplacer(append(pairs[i], "DECLARED", decl)...).Replace(text)
		later := strconv.Itoa(least + 1)
		files[i] = strings.NewReplacer("BEYOND", "south["+later+"..m]", "LATER", later, "LEAST", strconv.Itoa(least)).Replace(t)
	}
	return files
}

// read reads a file of twins; nil: it has mistakes.
func read(path, src string) *suite.Item {
	program, diags := dsl.Load(path, func(string) ([]byte, error) { return []byte(src), nil })
	if diags.HasErrors() {
		return nil
	}
	unit, diags := build.Collect(program.Files)
	if diags.HasErrors() {
		return nil
	}
	c, diags := unit.Claim(unit.Claims[0])
	list := c.Instances(nil, &diags)
	if diags.HasErrors() || len(list) != 1 {
		return nil
	}
	return &suite.Item{File: path, Program: program, Claim: c.Name, Instance: list[0]}
}

// quick are options for which the verdicts on twins are found at once.
func quick() suite.Options {
	opt := suite.Options{Build: cache.Build{Tool: "test"}}
	opt.Decide.MaxStates, opt.Decide.Solver, opt.Decide.Engine = 400, "none", proofs.Auto
	return opt
}

// TestAlikeAtTheLeastSize: two files whose games are the same at the least size and differ at
// greater ones are told apart wherever a verdict on one could be said of the other: each has the
// verdict that it has alone.
func TestAlikeAtTheLeastSize(t *testing.T) {
	want, seed := 8/tier.Every(2, 2), uint64(1)
	if n, err := strconv.Atoi(os.Getenv("MANCHECK_TWINS")); err == nil {
		want = n
	}
	r := rand.New(rand.NewPCG(seed, 38))
	tally := map[string]int{}
	for made := 0; made < want; {
		files := twins(r)
		before, after := read("before.sow", files[0]), read("after.sow", files[1])
		if before == nil || after == nil || files[0] == files[1] || before.Instance.System.Hash() != after.Instance.System.Hash() || !differLater(before.Instance, after.Instance) {
			tally["made in vain"]++
			continue
		}
		if made++; made%25 == 0 {
			t.Log(made, tally)
		}
		pair(t, []*suite.Item{before, after}, files, made%2, tally)
	}
	if tally["with other verdicts"] == 0 || tally["certificates"] == 0 || tally["proved"] == 0 || tally["refuted"] == 0 {
		t.Errorf("only %v", tally)
	}
}

// differLater reports whether the games or properties of one of the next sizes differ.
func differLater(a, b *build.Instance) bool {
	for n := a.Least() + 1; n < a.Least()+4; n++ {
		x, err := a.AtSize(n)
		if err != nil {
			return false
		}
		y, err := b.AtSize(n)
		if err != nil {
			return false
		}
		if x.System.Hash() != y.System.Hash() || x.Asserts() != y.Asserts() {
			return true
		}
	}
	return false
}

// pair decides two files in all ways, in an order that depends on whose turn it is.
func pair(t *testing.T, list []*suite.Item, files [2]string, turn int, tally map[string]int) {
	t.Helper()
	if list[0].Instance.Asserts() == list[1].Instance.Asserts() {
		t.Errorf("the claims assert the same:\n%s\n%s", files[0], files[1])
	}
	var alone []string
	for _, item := range list {
		alone = append(alone, verdicts(suite.Run(context.Background(), []*suite.Item{item}, quick()))...)
	}
	for _, v := range alone {
		tally[strings.Fields(v)[0]]++
	}
	if alone[0] != alone[1] {
		tally["with other verdicts"]++
	}
	check := func(what string, want []string, opt suite.Options, items ...*suite.Item) {
		t.Helper()
		suite.Recall(items, opt)
		if got := verdicts(suite.Run(context.Background(), items, opt)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, and alone %q:\n%s\n%s", what, got, want, files[0], files[1])
		}
	}
	kept := func() suite.Options {
		opt := quick()
		opt.Store = &cache.Store{Dir: t.TempDir(), Secret: []byte("own")}
		return opt
	}
	for jobs := 1; jobs <= 2; jobs++ {
		x := (turn + jobs) % 2
		y, opt := 1-x, kept()
		opt.Jobs = jobs
		both := []string{alone[x], alone[y]}
		check(fmt.Sprint("in one command with a cache, jobs ", jobs), both, opt, again(list[x]), again(list[y]))
		check("from the cache", both, opt, again(list[x]), again(list[y]))
		opt.Store = nil
		check(fmt.Sprint("in one command, jobs ", jobs), both, opt, again(list[x]), again(list[y]))
	}
	opt := kept()
	check("the first", alone[turn:turn+1], opt, again(list[turn]))
	check("the second, from the cache of the first", alone[1-turn:2-turn], opt, again(list[1-turn]))
	was := cache.KeyOf(quick().Build, list[0].Instance, quick().Decide)
	if is := cache.KeyOf(quick().Build, list[1].Instance, quick().Decide); was == is {
		t.Errorf("--since says that nothing has changed:\n%s\n%s", files[0], files[1])
	}
	certified(t, list, files, tally)
}

// again is an item that was not decided.
func again(i *suite.Item) *suite.Item {
	return &suite.Item{File: i.File, Program: i.Program, Claim: i.Claim, Instance: i.Instance}
}

// verdicts are those of a report, with what they are about.
func verdicts(rep *suite.Report) (list []string) {
	for _, i := range rep.Items {
		if i.Err != nil {
			list = append(list, "faulty "+i.Err.Error())
			continue
		}
		list = append(list, fmt.Sprint(i.Result.Status, " ", i.Result.Scope))
	}
	return list
}

// certified demands that a certificate is about its own file only.
func certified(t *testing.T, list []*suite.Item, files [2]string, tally map[string]int) {
	t.Helper()
	for k, item := range list {
		opt := quick().Decide
		opt.Certify = true
		res, err := proofs.Decide(context.Background(), item.Instance, opt)
		if err != nil || res.Status != proofs.Proved {
			continue
		}
		c, err := res.Certificate("test", item.Program)
		if err != nil {
			t.Errorf("%s: %v", item.File, err)
			continue
		}
		tally["certificates"]++
		if _, err := cert.Check(context.Background(), c); err != nil {
			t.Errorf("the certificate of %s is rejected: %v", item.File, err)
		}
		if err := c.Binds([]*build.Instance{item.Instance}); err != nil {
			t.Errorf("the certificate of %s is about others: %v", item.File, err)
		}
		if err := c.Binds([]*build.Instance{list[1-k].Instance}); err == nil {
			t.Errorf("the certificate of %s is said of the other file:\n%s\n%s", item.File, files[0], files[1])
		}
		c.Claim.Asserts = list[1-k].Instance.Asserts()
		if _, err := cert.Check(context.Background(), c); err == nil {
			t.Errorf("a certificate with the digest of the other file is accepted:\n%s\n%s", files[0], files[1])
		}
	}
}

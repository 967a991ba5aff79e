package cache_test

import (
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/rules/build"
)

const pair = `
variant Pair {
  param n = 3 in 1..
  param on = true
  board {
    p[1..2] | q[1..2]
    line way = p, q
  }
  setup { p1 = n }
  move "M" { choose k in 1..2 require on and p1 >= k take k from p1 into q1 }
  move "N" { require p1 = 0 take 1 from q1 into q2 }
  end when q2 = 1
}
`

// only is the only instance of a claim about the pair.
func only(t *testing.T, claim string) *build.Instance {
	t.Helper()
	src := []byte(pair + "claim c { " + claim + " }")
	program, diags := dsl.Load("test.sow", func(string) ([]byte, error) { return src, nil })
	if diags.HasErrors() {
		t.Fatalf("%s: %v", claim, diags)
	}
	unit, diags := build.Collect(program.Files)
	c, more := unit.Claim(unit.Claims[0])
	list := c.Instances(nil, &more)
	if diags = append(diags, more...); diags.HasErrors() || len(list) != 1 {
		t.Fatalf("%s: %v", claim, diags)
	}
	return list[0]
}

// TestKeys: claims that mean different things have different keys.
func TestKeys(t *testing.T) {
	seen := map[cache.Key]string{}
	add := func(what string, k cache.Key) {
		t.Helper()
		if other, dup := seen[k]; dup {
			t.Errorf("%s has the key of %s", what, other)
		}
		seen[k] = what
	}
	for _, claim := range []string{
		"unreachable q2 = 1", "reachable q2 = 1", "reachable q2 = 1 within 3", "reachable q2 = 1 within 0", "reachable q2 = 2", "reachable q1 = 1",
		"reachable total(p) = 1", "reachable total(q) = 1", "reachable total(p + q) = 1", "unreachable not q2 = 1",
		"with n = 4 reachable q2 = 1", "with on = false reachable q2 = 1",
		"reachable q2 = 1 for some n", "reachable q2 = 1 for all n",
		"never stuck", "terminates", "terminates within 5",
		"predecessors(q2 = 1) = { q1 = 3 }", "successors(q2 = 1) = { q1 = 3 }", "successors(q2 = 1) = { }", "successors(q2 = 1) = { q1 = 3, q1 = 2 }",
		"p1 = 3 -> p1 = 2", "not p1 = 3 -> p1 = 2", `p1 = 3 -> p1 = 2 by "M"`, `p1 = 3 -> p1 = 2 by "N"`,
		"from p1 = 3 every step gives q1 > 0", "from p1 = 3 every step gives q1 > 0 over all states",
		"count(starts) = 1", "count(states) = 1", "count(states) = 2", "count(states) < 2", "count(finished) = 1", "count(states where q1 = 1) = 1",
	} {
		add(claim, cache.KeyOf(cache.Build{}, only(t, claim), proofs.Options{}))
	}
	inst := only(t, "never stuck")
	for what, opt := range map[string]proofs.Options{
		"an engine": {Engine: proofs.Forward}, "a bound": {Bound: 7}, "a solver": {Solver: "cvc5"},
	} {
		add(what, cache.KeyOf(cache.Build{}, inst, opt))
	}
	for what, build := range map[string]cache.Build{
		"a tool": {Tool: "x"}, "a program": {Executable: "x"}, "a solver's version": {Solver: "x"},
	} {
		add(what, cache.KeyOf(build, inst, proofs.Options{}))
	}
}

// TestSameKeys: what a verdict does not depend on does not change its key.
func TestSameKeys(t *testing.T) {
	for _, same := range [][2]string{
		{"reachable q2 = 1", "reachable   q2  =  1"},
		{"reachable q2 = 1", "expect refuted reachable q2 = 1"},
		{"reachable q2 = 1", "with n = 3 reachable q2 = 1"},
	} {
		a := cache.KeyOf(cache.Build{}, only(t, same[0]), proofs.Options{})
		b := cache.KeyOf(cache.Build{}, only(t, same[1]), proofs.Options{Bounds: limit.Bounds{MaxStates: 7, MaxMemory: 7, Threads: 7}, SolverSteps: 7, Certify: true})
		if a != b {
			t.Errorf("%q", same)
		}
	}
	using := cache.KeyOf(cache.Build{}, only(t, "using forward bound 3 never stuck"), proofs.Options{})
	given := cache.KeyOf(cache.Build{}, only(t, "never stuck"), proofs.Options{Engine: proofs.Forward, Bound: 3})
	if using != given {
		t.Error("the engine that a claim asks for is another one than that of an option")
	}
}

// TestOlderRecord: an entry of the previous format, which had sentences, is no verdict.
func TestOlderRecord(t *testing.T) {
	inst := only(t, "never stuck")
	older := `{"verdict":"proved","engine":"forward","system":{},"reason":"all 3 reachable states from 1 start","stats":{"States":3},"checked":"enumeration"}`
	for _, how := range []cache.Reading{cache.Strictly, cache.AsOwn, cache.InBrief} {
		if r, err := cache.Decode(inst, []byte(older), how); err == nil {
			t.Errorf("reading %d: read as %s", how, r.Status)
		}
	}
}

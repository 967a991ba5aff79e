// Package everysize_test decides claims about every size of a board, and what is proved there
// again for single sizes.
//
// Its games put a size where it may decide something, and most of them are true of small boards and
// false from a size above twenty on. MANCHECK_SIZES is how many are made, MANCHECK_SIZES_SEED the
// first one; MANCHECK_SIZES_CLASS is the name of the only class, MANCHECK_SIZES_KNOWN=1 takes the
// classes of known mistakes as well.
package everysize_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
)

// known are the classes in which the tool proves for every size what is false at some. They are
// left out of TestEverySizeAgainstSizes, and TestKnown wants each to be found. Who mends one takes
// it off the list.
var known = []string{"position", "position and outcome", "shadowed by a pit", "shadowed in a closed set", "no game"}

// count is a table of what was met.
type count map[string]int

// rows lists how often each line was counted, the most frequent first.
func (c count) rows(most int) string {
	var list []string
	for line, n := range c {
		list = append(list, fmt.Sprintf("%6d  %s", n, line))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return strings.Join(list[:min(most, len(list))], "\n")
}

// wrong decides a game, and counts how it went. The text is what is wrong, and empty if nothing is.
func (g *game) wrong(reasons, classes, sizes count) string {
	file, err := g.load()
	var r *proofs.Result
	if err == nil {
		r, err = g.every(file)
	}
	state := "unknown"
	switch {
	case err != nil && fault(err):
		state = "fault"
		reasons[reason("fault: "+err.Error())]++
	case err != nil:
		state = "error"
		reasons[reason("error: "+err.Error())]++
	case r.Status == proofs.Unknown:
		reasons[reason("unknown: "+r.Sentence())]++
	default:
		state = r.Status.String()
	}
	classes[state]++
	classes[fmt.Sprintf("%s: %s", g.class, state)]++
	if state != proofs.Proved.String() {
		return ""
	}
	for _, n := range g.sizes() {
		one, err := g.single(file, "one", g.settings(n))
		switch {
		case err != nil && fault(err):
			sizes["fault"]++
		case err != nil:
			sizes["no game"]++
			return fmt.Sprintf("there is no game with %s = %d: %v", g.size, n, err)
		case one.Status == proofs.Refuted:
			sizes["refuted"]++
			return fmt.Sprintf("with %s = %d it is refuted: %s", g.size, n, one.Sentence())
		default:
			sizes[one.Status.String()]++
			if one.Status != proofs.Proved {
				reasons[reason("one size: "+one.Sentence())]++
			}
		}
	}
	if g.at > 0 {
		classes["proved, and meant to be false"]++
		classes[g.class+": proved, and meant to be false"]++
	}
	return ""
}

func (g *game) failure(what string) string {
	return fmt.Sprintf("seed %d, %s, %s: proved for every size from %d on, but %s\n%s", g.seed, g.class, g.kind, g.least, what, g.text())
}

// environment reads a number that the environment may set.
func environment(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

// TestEverySizeAgainstSizes: what is proved for every size is not refuted at the least one, at one
// that was put where it may decide something, and at others. No game is missing there.
func TestEverySizeAgainstSizes(t *testing.T) {
	t.Parallel()
	games, seed := environment("MANCHECK_SIZES", 60/tier.Every(3)), uint64(environment("MANCHECK_SIZES_SEED", 1))
	only, all := os.Getenv("MANCHECK_SIZES_CLASS"), os.Getenv("MANCHECK_SIZES_KNOWN") != ""
	reasons, tally, sizes, found := count{}, count{}, count{}, count{}
	for made := 0; made < games; seed++ {
		c := classOf(seed)
		if only != "" && c.name != only || only == "" && !all && slices.Contains(known, c.name) {
			continue
		}
		made++
		g := generate(seed, c)
		begin := time.Now()
		if what := g.wrong(reasons, tally, sizes); what != "" {
			if found[c.name]++; found[c.name] <= 3 {
				t.Error(g.failure(what))
			}
		}
		if took := time.Since(begin); took > time.Second {
			t.Logf("SLOW %d %s %s %v", seed, c.name, g.kind, took)
		}
	}
	if games >= 60 && only == "" && tally["proved"]*10 < games {
		t.Errorf("%d of %d claims are proved, which is less than one in ten", tally["proved"], games)
	}
	t.Logf("%d games\n%s\nsizes of what is proved\n%s\nreasons\n%s\nfound wrong\n%s", games, tally.rows(200), sizes.rows(9), reasons.rows(60), found.rows(99))
}

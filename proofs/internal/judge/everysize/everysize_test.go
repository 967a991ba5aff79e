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
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
)

// known are the classes in which the tool proves for every size what is false at some. They are
// left out of TestEverySizeAgainstSizes, and TestKnown wants each to be found. Who mends one takes
// it off the list.
var known []string

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

// tally is what a run met.
type tally struct {
	sync.Mutex
	games, sizes, reasons, found count
}

func newTally() *tally {
	return &tally{games: count{}, sizes: count{}, reasons: count{}, found: count{}}
}

func (t *tally) add(c count, lines ...string) {
	t.Lock()
	defer t.Unlock()
	for _, line := range lines {
		c[line]++
	}
}

// wrong decides a game, and what is proved for every size again at so many sizes at most. It counts
// how that went. The text is what is wrong, and empty if nothing is.
func (g *game) wrong(t *tally, most int) string {
	file, err := g.load()
	var r *proofs.Result
	if err == nil {
		r, err = g.every(file)
	}
	var state string
	switch {
	case err != nil && fault(err):
		state = "fault"
		t.add(t.reasons, reason("fault: "+err.Error()))
	case err != nil:
		state = "error"
		t.add(t.reasons, reason("error: "+err.Error()))
	case r.Status == proofs.Unknown:
		state = "unknown"
		t.add(t.reasons, reason("unknown: "+r.Sentence()))
	default:
		state = r.Status.String()
	}
	t.add(t.games, state, g.class+": "+state)
	if state != proofs.Proved.String() {
		return ""
	}
	sizes := g.sizes()
	for _, n := range sizes[:min(most, len(sizes))] {
		if what := g.wrongAt(file, n, t); what != "" {
			t.add(t.found, g.class)
			return what
		}
	}
	if g.at > 0 {
		t.add(t.games, "proved, and meant to be false", g.class+": proved, and meant to be false")
	}
	return ""
}

// wrongAt decides what is proved for every size at one.
func (g *game) wrongAt(file *proofs.File, n int, t *tally) string {
	one, err := single(file, "one", g.settings(n), g.attempts(n))
	switch {
	case err != nil && fault(err):
		t.add(t.sizes, "fault")
	case err != nil:
		t.add(t.sizes, "no game")
		return fmt.Sprintf("there is no game with %s = %d: %v", g.size, n, err)
	case one.Status == proofs.Refuted:
		t.add(t.sizes, "refuted")
		return fmt.Sprintf("with %s = %d it is refuted: %s", g.size, n, one.Sentence())
	default:
		t.add(t.sizes, one.Status.String())
		if one.Status != proofs.Proved {
			t.add(t.reasons, reason("one size: "+one.Sentence()))
		}
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

// seeds lists those of the first games of classes that are wanted.
func seeds(games int, first uint64, want func(class) bool) []uint64 {
	var list []uint64
	for seed := first; len(list) < games; seed++ {
		if want(classOf(seed)) {
			list = append(list, seed)
		}
	}
	return list
}

// allSizes is more than a game is decided at.
const allSizes = 100

// decide decides games on all processors, and calls found for each that is wrong, until that says
// no.
func decide(list []uint64, most int, t *tally, found func(g *game, what string) bool) {
	var wait sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				g := generate(list[i], classOf(list[i]))
				if what := g.wrong(t, most); what != "" && !found(g, what) {
					next.Store(int64(len(list)))
				}
			}
		})
	}
	wait.Wait()
}

// TestEverySizeAgainstSizes: what is proved for every size is not refuted at the least one, at one
// that was put where it may decide something, and at others. No game is missing there.
func TestEverySizeAgainstSizes(t *testing.T) {
	t.Parallel()
	games, first := environment("MANCHECK_SIZES", 24/tier.Every(8, 4)), uint64(environment("MANCHECK_SIZES_SEED", 1))
	only, all := os.Getenv("MANCHECK_SIZES_CLASS"), os.Getenv("MANCHECK_SIZES_KNOWN") != ""
	if only != "" && !slices.ContainsFunc(classes, func(c class) bool { return c.name == only }) {
		t.Fatalf("no class is called %q", only)
	}
	list := seeds(games, first, func(c class) bool {
		return c.name == only || only == "" && (all || !slices.Contains(known, c.name))
	})
	met := newTally()
	decide(list, allSizes, met, func(g *game, what string) bool {
		met.Lock()
		defer met.Unlock()
		if met.found[g.class] <= 3 {
			t.Error(g.failure(what))
		} else {
			t.Fail()
		}
		return true
	})
	if games >= 24 && only == "" && met.games["proved"]*10 < games {
		t.Errorf("%d of %d claims are proved, which is less than one in ten", met.games["proved"], games)
	}
	t.Logf("%d games\n%s\nsizes of what is proved\n%s\nreasons\n%s\nproved and wrong\n%s", games, met.games.rows(200), met.sizes.rows(9), met.reasons.rows(60), met.found.rows(99))
}

// TestKnown: a mistake is on the list of known ones only while games of its class show it.
func TestKnown(t *testing.T) {
	t.Parallel()
	tier.Long(t, "it decides games of each class until one is wrong")
	for _, name := range known {
		met := newTally()
		var mistake string
		decide(seeds(100, 1, func(c class) bool { return c.name == name }), 1, met, func(g *game, what string) bool {
			met.Lock()
			defer met.Unlock()
			mistake = g.failure(what)
			return false
		})
		if mistake == "" {
			t.Errorf("no game shows the mistake %q: take it off the list of known ones\n%s", name, met.games.rows(20))
		}
		t.Logf("%s: %v\n%s", name, met.games, mistake)
	}
}

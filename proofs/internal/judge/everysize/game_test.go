package everysize_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
)

// patience is how long one engine may take.
const patience = 10 * time.Second

// game is a file with the claim `every` about every size from least on, and `one` about a single
// one.
type game struct {
	seed  uint64
	class string
	kind  string
	files map[string]string
	size  string
	least int
	at    int // where the claim is meant to be false first; 0: it is meant to be true
	given map[string]int
}

// Sizes that may decide something.
const (
	leastPlaced = 21
	mostPlaced  = 39
	mostSize    = 40
)

// classOf draws the class of a seed.
func classOf(seed uint64) class { return classes[rand.New(rand.NewPCG(seed, 37)).IntN(len(classes))] }

// generate writes the game of a seed in a class.
func generate(seed uint64, c class) *game {
	r := rand.New(rand.NewPCG(seed, 38))
	d := &draft{r: r, base: c.bases[r.IntN(len(c.bases))], from: "from", armed: r.IntN(4) > 0, least: 2 + r.IntN(3), given: map[string]int{}}
	if freely(seed) {
		d.least = 1 // which laws need another engine for
	}
	d.s = leastPlaced + r.IntN(mostPlaced-leastPlaced+1)
	d.at = d.s
	kinds := slices.DeleteFunc(slices.Clone(d.base.kinds), func(k string) bool { return c.kinds != nil && !slices.Contains(c.kinds, k) })
	if len(kinds) == 0 {
		kinds = c.kinds[:1]
	}
	d.kind = kinds[r.IntN(len(kinds))]
	if d.base == dose {
		d.least, d.setup = 5, "stones"
		d.clauses = " for all stones"
	} else {
		d.laid()
		d.given["n"] = 2
		if r.IntN(2) == 0 {
			d.clauses = " for all n"
		}
	}
	d.claimed()
	c.put(d)
	g := &game{seed: seed, class: c.name, kind: d.kind, size: d.base.size, least: d.least, at: d.at, given: d.given, files: d.files()}
	if !d.armed {
		g.at = 0
	}
	return g
}

// sizes are those at which the claim is decided: the least, that at which it is meant to be false,
// the one before, and ten others.
func (g *game) sizes() []int {
	r := rand.New(rand.NewPCG(g.seed, 39))
	list := []int{g.at, g.least, g.at - 1}
	for range 10 {
		list = append(list, g.least+r.IntN(mostSize-min(g.least, mostSize-1)+1))
	}
	list = slices.DeleteFunc(list, func(n int) bool { return n < g.least })
	var out []int
	for _, n := range list {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// load reads the files.
func (g *game) load() (*proofs.File, error) {
	return proofs.Load("game.sow", func(path string) ([]byte, error) {
		if text, is := g.files[path]; is {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
}

// freely reports whether the tool is left to choose how to decide the claim about every size, which
// takes long where it does not succeed.
func freely(seed uint64) bool { return seed%16 == 0 }

// every decides the claim about every size, by laws and closed sets, or as the tool likes.
func (g *game) every(file *proofs.File) (*proofs.Result, error) {
	list, err := file.Instances(nil, "every")
	if err != nil {
		return nil, err
	}
	engines := []proofs.Engine{proofs.Laws, proofs.Backward}
	if freely(g.seed) {
		engines = []proofs.Engine{proofs.Auto}
	}
	var r, first *proofs.Result
	for _, engine := range engines {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		r, err = proofs.Decide(ctx, list[0], proofs.Options{Engine: engine, Bounds: limit.Bounds{MaxStates: 300}})
		cancel()
		if err != nil || r.Status != proofs.Unknown {
			return r, err
		}
		if first == nil {
			first = r
		}
		if _, is := list[0].Property.(*build.Reach); !is {
			break
		}
	}
	return first, nil
}

// settings are those of one size.
func (g *game) settings(n int) build.Settings {
	s := build.Settings{g.size: {N: n}}
	if g.size == dose.size {
		s["stones"] = build.Value{N: 2 * n}
	}
	for name, v := range g.given {
		s[name] = build.Value{N: v}
	}
	return s
}

// attempt is an engine that decides one size, and how many states it may store.
type attempt struct {
	engine proofs.Engine
	states int64
}

// thorough is set for long runs, which check a closed set of each size.
var thorough = os.Getenv("MANCHECK_SIZES") != ""

// attempts are those for one size: a search goes further where the claim is meant to be false.
func (g *game) attempts(n int) []attempt {
	search := attempt{proofs.Forward, 1000}
	if n == g.at || n == g.least {
		search.states = 10_000
	}
	list := []attempt{search, {proofs.Laws, 1000}}
	if g.kind == "lost" && (thorough || n == g.at || n == g.least) {
		list = append(list, attempt{proofs.Backward, 3000})
	}
	return list
}

// single decides a claim at one size by the first engine that can. The error is a mistake of the
// text: there is no game of this size.
func single(file *proofs.File, claim string, settings build.Settings, by []attempt) (*proofs.Result, error) {
	list, err := file.Instances(settings, claim)
	if err != nil {
		return nil, err
	}
	var r *proofs.Result
	for _, a := range by {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		r, err = proofs.Decide(ctx, list[0], proofs.Options{Engine: a.engine, Bounds: limit.Bounds{MaxStates: a.states}})
		cancel()
		if err != nil || r.Status == proofs.Proved || r.Status == proofs.Refuted {
			break
		}
	}
	return r, err
}

// fault reports whether an error is one that a play comes to, which leaves a claim open.
func fault(err error) bool {
	return strings.Contains(err.Error(), "error[X") || errors.Is(err, context.DeadlineExceeded)
}

// text is all files of the game, to read.
func (g *game) text() string {
	var b strings.Builder
	for _, name := range []string{"lib.sow", "game.sow"} {
		if g.files[name] != "" {
			fmt.Fprintf(&b, "--- %s\n%s", name, g.files[name])
		}
	}
	return b.String()
}

var (
	quoted  = regexp.MustCompile("`[^`]*`")
	digits  = regexp.MustCompile(`\d+`)
	inLines = regexp.MustCompile(`([a-z]+\.sow, )?line \d+: `)
)

// reason leaves out of a sentence what differs from one game to the next.
func reason(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = inLines.ReplaceAllString(text, "")
	text = digits.ReplaceAllString(quoted.ReplaceAllString(text, "…"), "N")
	return text
}

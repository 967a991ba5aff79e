// Command match plays the computer of `mancheck play` against a textbook alpha-beta of a fixed
// depth, and counts points: one for a game that is won, and half of one for a draw.
//
//	go run ./scripts/match -file examples/kalah.sow -depth 8,11,14
//
// Games begin with some random moves, each opening twice, so that both sides are played. A game
// that is not over after so many moves is a draw.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

type match struct {
	sys     *rules.System
	in      *interp.Interp
	start   rules.State
	payoff  value.Payoff
	time    time.Duration
	threads int
	opening int
	nodes   int64 // of the computer for a move; 0: the time counts
	memory  choose.Memory
	player  *choose.Searcher // with nodes
	book    *textbook
	depths  int // that the computer has looked ahead, in all
	moves   int // that it has looked ahead for
}

// longest is how many moves a game may have.
const longest = 500

func main() {
	log.SetFlags(0)
	log.SetPrefix("match: ")
	file := flag.String("file", "examples/kalah.sow", "rules `file`")
	variant := flag.String("variant", "", "`name` of the variant")
	depths := flag.String("depth", "8", "`depths` of the textbook, separated by commas")
	games := flag.Int("games", 40, "games of each")
	opening := flag.Int("opening", 3, "random moves at the beginning")
	budget := flag.Duration("time", 100*time.Millisecond, "of the computer for a move")
	nodes := flag.Int64("nodes", 0, "positions that the computer looks at for a move, and not so long; the games are then the same on each machine")
	threads := flag.Int("threads", 1, "of the computer")
	endless := flag.Bool("endless", false, "plays that never end count by their score")
	flag.Parse()
	m := &match{time: *budget, nodes: *nodes, threads: *threads, opening: *opening}
	if err := m.load(*file, *variant, *endless); err != nil {
		log.Fatal(err)
	}
	for d := range strings.SplitSeq(*depths, ",") {
		depth, err := strconv.Atoi(d)
		if err != nil || depth < 1 {
			log.Fatalf("-depth: %q is no depth", d)
		}
		if err := m.play(depth, *games); err != nil {
			log.Fatal(err)
		}
	}
}

func (m *match) load(file, variant string, endless bool) error {
	program, diags := dsl.Load(file, os.ReadFile)
	u, more := build.Collect(program.Files)
	v := u.Variant(variant, diag.Range{File: "-variant"}, &more)
	if err := append(diags, more...).Err(); err != nil {
		return err
	}
	if m.sys, diags = u.System(v, nil); diags.HasErrors() {
		return diags.Err()
	}
	m.in, m.payoff = interp.New(m.sys), value.Payoff{Kind: value.KindOf(m.sys)}
	if endless {
		m.payoff.Endless = value.AsScored
	}
	found := false
	err := space.Starts(context.Background(), m.in, func(st rules.State) error {
		m.start, found = st.Clone(), true
		return space.ErrStop
	})
	if err == nil && !found {
		err = errors.New("the game has no start")
	}
	return err
}

// play plays games against a depth, and writes the result with an interval in which, nineteen times
// out of twenty, the mean is (E. Wilson, 1927).
func (m *match) play(depth, games int) (err error) {
	if m.book, err = newTextbook(m.sys, m.start.Total(), depth); err != nil {
		return err
	}
	m.depths, m.moves = 0, 0
	points := 0.0
	for n := range games {
		p, err := m.game(uint64(n/2), n%2)
		if err != nil {
			return err
		}
		points += p
	}
	n, p, z := float64(games), points/float64(games), 1.96
	center, spread := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	fmt.Printf("%s, depth %d: %.1f of %d points, %.0f %% (%.0f to %.0f %%)", m.sys.Name, depth, points, games,
		100*p, 100*(center-spread)/(1+z*z/n), 100*(center+spread)/(1+z*z/n))
	if m.moves > 0 {
		fmt.Printf("; looked %.1f moves ahead", float64(m.depths)/float64(m.moves))
	}
	fmt.Println()
	return nil
}

// game plays one game, and returns the points of the computer, which is the given player.
func (m *match) game(seed uint64, computer int) (float64, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	st := m.start
	for n := 0; st.Live() && n < longest; n++ {
		steps, err := m.in.Steps(st)
		if err != nil || len(steps) == 0 {
			return 0.5, err
		}
		var s interp.Step
		switch {
		case n < m.opening:
			s = steps[rng.IntN(len(steps))]
		case st.Mover == computer:
			s, err = m.think(st, steps)
		default:
			s, err = m.book.choose(steps, st.Mover)
		}
		if err != nil {
			return 0, err
		}
		st = s.To
	}
	if st.Live() {
		return 0.5, nil
	}
	score, err := margin(m.in, st)
	return 0.5 + 0.5*float64((1-2*computer)*winner(m.sys, st, score)), err
}

func (m *match) think(st rules.State, steps []interp.Step) (interp.Step, error) {
	if m.nodes > 0 {
		return m.look(st, steps)
	}
	opts := choose.Options{Payoff: m.payoff, Time: m.time, Bounds: limit.Bounds{MaxMemory: 1 << 30, Threads: m.threads}, Games: 100, Memory: &m.memory}
	c, err := choose.Choose(context.Background(), m.sys, st, opts)
	if err != nil {
		return interp.Step{}, err
	}
	if c.How == choose.Estimated {
		m.depths += c.Depth
		m.moves++
	}
	return c.Step, nil
}

// look chooses by looking at so many positions.
func (m *match) look(st rules.State, steps []interp.Step) (interp.Step, error) {
	ctx := context.Background()
	if m.player == nil {
		opts := value.Options{Bounds: limit.Bounds{MaxMemory: 1 << 30}}
		var err error
		if m.player, err = choose.NewSearcher(ctx, m.sys, m.start, m.payoff, value.Study{Nodes: m.nodes}, opts); err != nil {
			return interp.Step{}, err
		}
	}
	if len(steps) == 1 {
		return steps[0], nil
	}
	action, err := m.player.Choose(ctx, st)
	for _, s := range steps {
		if s.Action == action {
			return s, err
		}
	}
	return interp.Step{}, err
}

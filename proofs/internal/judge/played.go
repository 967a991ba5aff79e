package judge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// played is what was found about a game, shared by all claims about it. A limit or mistake that
// ended the work is kept and ends the work of later claims in the same way.
type played struct {
	game      *game
	starts    []*state
	allStarts bool
	keys      map[string]bool // of the starts
	broken    any             // what stopped the search for the starts

	explored bool
	nodes    graph // the reachable states, breadth first
	index    map[string]int
	stopped  any  // what stopped their exploration
	faults   bool // there was a fault in the exploration
}

// play makes the case of some settings, and finds its starts.
func (d *decision) play(v *ast.Variant, s settings) *oneCase {
	k := s.key(v)
	p := d.games[k]
	if p == nil {
		p = &played{}
		if d.games != nil {
			d.games[k] = p
		}
		p.broken = stopped(func() {
			p.game = d.file.newGame(v, s, d.budget, d.lim)
			p.starts, p.allStarts = p.game.starts()
		})
	}
	if p.broken != nil {
		panic(p.broken)
	}
	g := *p.game // faults that a claim meets, and what it spends, are its own
	g.budget = d.budget
	return &oneCase{decision: d, game: &g, settings: s, starts: p.starts, allStarts: p.allStarts, played: p}
}

// stopped runs f, and returns the fault, mistake or limit that it panics with, if any.
func stopped(f func()) (why any) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault, mistake, spent, unknown:
			why = r
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// key identifies a game among those of some files.
func (s settings) key(v *ast.Variant) string {
	k := v.Name.Name
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		x := s.values[name]
		k += fmt.Sprintf(" %s=%d:%v:%d", name, x.kind, x.n, x.i)
	}
	k += fmt.Sprint(" ", slices.Sorted(maps.Keys(s.open)))
	if s.following != nil {
		k += " following " + s.following.Name.Name
	}
	if s.forgets {
		k += " without the rule of repetition"
	}
	if s.begin != nil {
		k += " starting at " + s.begin.Name.Name
	}
	for _, name := range slices.Sorted(maps.Keys(s.cells)) {
		k += fmt.Sprintf(" %s=%v", name, s.cells[name])
	}
	return k
}

// isStart reports whether a state is one of the starts that were found.
func (p *played) isStart(s *state) bool {
	if p.keys == nil {
		p.keys = map[string]bool{}
		for _, s := range p.starts {
			p.keys[s.position()] = true
		}
	}
	return p.keys[s.position()]
}

// explore lists all reachable states, up to the limit. Nodes that are not done were beyond it.
// Faults in play belong to the game, so every claim that explores has them.
func (c *oneCase) explore() {
	p := c.played
	if !p.explored {
		p.explored, p.index = true, map[string]int{}
		before := c.game.faults
		c.game.faults = false
		p.stopped = stopped(func() { c.walk(p) })
		p.faults = c.game.faults
		c.game.faults = before
	}
	c.game.faults = c.game.faults || p.faults
	if p.stopped != nil {
		panic(p.stopped)
	}
	c.nodes = p.nodes
}

// walk is a breadth-first search, so depth is the least number of moves from a start.
func (c *oneCase) walk(p *played) {
	for _, s := range c.starts {
		p.node(s, 0)
	}
	for i := 0; i < len(p.nodes) && len(p.nodes) <= c.game.lim.States; i++ {
		n := p.nodes[i]
		for _, t := range c.inPlay(n.s, c.steps(n.s)) {
			n.out = append(n.out, edge{t, p.node(t.to, n.depth+1)})
		}
		n.done = true
	}
}

// node returns the index of a state among the nodes, and adds it if it is new.
func (p *played) node(s *state, depth int) int {
	k := s.key()
	i, ok := p.index[k]
	if !ok {
		i = len(p.nodes)
		p.index[k] = i
		p.nodes = append(p.nodes, &node{s: s, depth: depth})
	}
	return i
}

package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
)

// Limits on the part of a tree that is drawn.
const (
	maxNodes = 500 // states
	maxDepth = 40  // states below one another
)

// closed is the closed set of a backward search.
type closed struct {
	*world
	*proofs.Closed
	shown int // number of states drawn, which are the first
}

// edge is a predecessor with the labels of the moves that lead on from it.
type edge struct {
	state int
	moves []string
}

// closedSet returns the set that a verdict of the backward search relies on, or nil if there is
// none. If there should be one but it cannot be had, missing says why.
func (b *builder) closedSet(ctx context.Context, r *proofs.Result) (c *closed, missing string, err error) {
	set, err := proofs.ClosedOf(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		return nil, err.Error(), nil
	case set == nil:
		return nil, "", nil
	}
	c = &closed{world: b.world(r.System), Closed: set}
	for i := range min(len(c.Nodes), maxNodes) {
		if c.Nodes[i].Distance < maxDepth {
			c.shown++
		}
	}
	return c, "", nil
}

// blind reports whether the set was not searched for starts: then all of it is the answer, as in a
// count of ancestors.
func (c *closed) blind() bool { return c.Where != nil }

// edges returns the predecessors of a state, with all moves from the same predecessor together.
func (c *closed) edges(state int) []edge {
	var list []edge
	for _, p := range c.Nodes[state].Preds {
		i, label := p.From, c.sys.Actions[p.Action].Label
		if n := len(list); n > 0 && list[n-1].state == i {
			if !slices.Contains(list[n-1].moves, label) {
				list[n-1].moves = append(list[n-1].moves, label)
			}
			continue
		}
		list = append(list, edge{i, []string{label}})
	}
	return list
}

// planting is a tree under construction.
type planting struct {
	*closed
	ctx   context.Context
	tree  *Tree
	nodes []*Node // by state: the node with its predecessors
	no    int     // the number of the latest node
}

// tree returns the tree of a closed set.
func (c *closed) tree(ctx context.Context) *Tree {
	p := &planting{
		closed: c, ctx: ctx, nodes: make([]*Node, len(c.Nodes)),
		tree: &Tree{States: len(c.Nodes), Targets: c.Targets, More: len(c.Nodes) - c.shown},
	}
	for i := range min(c.Targets, c.shown) {
		p.tree.Roots = append(p.tree.Roots, p.node(i, nil, ""))
	}
	p.same(p.tree.Roots)
	p.mirrors(p.tree.Roots)
	p.tree.Intro = strings.TrimSpace("Each state stands below the one that it leads to; the move is named beside it. " +
		"The predecessors of a state are computed: all states with a step to it, reachable or not, whatever the number of seeds. " + c.leftOut())
	p.tree.Closing = c.closing()
	return p.tree
}

// leftOut says which pits are not drawn, and why nothing is lost by that.
func (c *closed) leftOut() string {
	pits := lists.Where(c.Kept.Pits, func(kept bool) bool { return !kept })
	if len(pits) == 0 {
		return ""
	}
	return fmt.Sprintf("What lies in %s is left out, since nothing asks for it: a board stands for all boards that agree with it elsewhere.",
		c.pits(pits))
}

// closing returns the argument at the end of the tree.
func (c *closed) closing() []string {
	deepest := 0
	for _, n := range c.Nodes {
		deepest = max(deepest, n.Distance)
	}
	whole := fmt.Sprintf("The set is closed: every state with a step into one of its %s (%s, and %s within %s of it) is in the set itself.",
		count(len(c.Nodes), "state"), count(c.Targets, "target"), count(c.Others(), "other"), count(deepest, "move"))
	if c.blind() {
		return []string{
			whole,
			"So a play that comes to a target, from wherever it begins, has all of its states in the set: the ancestors are those that are no " +
				"targets, and there are no others." + c.anyNumber(),
		}
	}
	return []string{
		whole,
		"It holds no start: the setup was asked about each of its states. What it breaks is named beside each that is drawn.",
		"A play that came to a target would have its last state in the set, so the one before, and so on back to its start: " +
			"a start in the set. There is none." + c.anyNumber(),
	}
}

// anyNumber adds that the argument holds for every value of the open parameters.
func (c *closed) anyNumber() string {
	names := lists.Map(c.sys.OpenParams(), func(p int) string { return c.sys.Params[p].Name })
	if len(names) == 0 {
		return ""
	}
	return " Nowhere was it asked what " + strings.Join(names, ", ") + " is, so this holds for every value."
}

// node makes the node of state i and all nodes below it. It leads by moves to the state above,
// whose name is to. A state reached in several ways has its predecessors at one node only; other
// nodes refer to it.
func (p *planting) node(i int, moves []string, to string) *Node {
	p.no++
	s := p.Nodes[i].State
	n := &Node{
		No: p.no, Board: &Board{System: p.sys, State: s, Kept: &p.Kept}, Names: p.names(s, p.Kept),
		Moves: moves, To: to, Target: i < p.Targets,
	}
	p.judge(n, s)
	p.nodes[i] = n
	name := fmt.Sprintf("No. %d", n.No)
	if len(n.Names) > 0 {
		name = n.Names[0]
	}
	for _, e := range p.edges(i) {
		switch {
		case e.state >= p.shown:
			n.Hidden++
		case p.Nodes[e.state].Next == i:
			n.Preds = append(n.Preds, p.node(e.state, e.moves, name))
		default:
			n.Preds = append(n.Preds, &Node{Moves: e.moves, To: name, Same: -e.state - 1})
		}
	}
	return n
}

// judge says why a state is no start or, if that is not the question, whether it is counted.
func (p *planting) judge(n *Node, s rules.State) {
	if p.blind() {
		holds, err := p.in.Holds(p.Where, s, nil)
		n.Uncounted = !n.Target && err == nil && !holds
		return
	}
	if n.NotStart = p.notStart(p.ctx, s, p.Kept); n.NotStart == "" {
		n.NotStart = "the search found no start that agrees with it"
	}
}

// same fills in the nodes that refer to others. It runs last, when all numbers are known.
func (p *planting) same(nodes []*Node) {
	for _, n := range nodes {
		if n.Same < 0 {
			there := p.nodes[-n.Same-1]
			n.Same, n.Board, n.Names, n.Target = there.No, there.Board, there.Names, there.Target
		}
		p.same(n.Preds)
	}
}

// key identifies trees that look the same, so that each is shown once.
func (c *closed) key() string {
	text := strings.Builder{}
	for _, pit := range c.sys.Pits {
		text.WriteString(pit.Name + " ")
	}
	for _, n := range c.Nodes {
		fmt.Fprintln(&text, n.State, n.Next, n.Action)
	}
	return text.String()
}

// mirror is a reflection of the board. Every branch of a tree is computed, whether it mirrors
// another one or not: mirrors only tell a reader what need not be read twice.
type mirror struct {
	reflection string // the sides that it exchanges
	pits       []int  // by pit: its image
}

// mirrors marks the branches that are images of an earlier sibling.
func (p *planting) mirrors(siblings []*Node) {
	glasses := mirrorsOf(p.sys)
	var mark func(list []*Node)
	mark = func(list []*Node) {
		for i, n := range list {
			for _, before := range list[:i] {
				if m := p.image(glasses, before, n); m.pits != nil && before.Mirror == 0 {
					n.Mirror, n.How = before.No, m.reflection
					break
				}
			}
			mark(n.Preds)
		}
	}
	mark(siblings)
}

// image returns a mirror of which one node is the image of the other, if there is one.
func (p *planting) image(glasses []mirror, a, b *Node) mirror {
	return lists.Find(glasses, func(m mirror) bool { return a.Same <= 0 && b.Same <= 0 && p.mapsTo(m, a, b) })
}

// mapsTo reports whether the mirror maps a, with everything below it, to b.
func (p *planting) mapsTo(m mirror, a, b *Node) bool {
	if len(a.Preds) != len(b.Preds) || a.Hidden+b.Hidden > 0 || !m.state(p.sys, a.Board.State).Equal(b.Board.State) {
		return false
	}
	return !slices.ContainsFunc(a.Preds, func(x *Node) bool {
		return !slices.ContainsFunc(b.Preds, func(y *Node) bool { return p.mapsTo(m, x, y) })
	})
}

// state returns the image of a state.
func (m mirror) state(sys *rules.System, s rules.State) rules.State {
	t := s.Clone()
	for p, q := range m.pits {
		t.Seeds[q] = s.Seeds[p]
	}
	for v, x := range sys.Vars {
		if x.Type == rules.PitType && s.Vars[v] != rules.None {
			t.Vars[v] = m.pits[s.Vars[v]]
		}
	}
	return t
}

// mirrorsOf returns the reflections of the board's picture.
func mirrorsOf(sys *rules.System) []mirror {
	var list []mirror
	for _, m := range []struct {
		how    string
		lr, ud bool
	}{{"left and right", true, false}, {"top and bottom", false, true}, {"left and right, top and bottom", true, true}} {
		if pits, ok := sys.Reflection(m.lr, m.ud); ok {
			list = append(list, mirror{m.how, pits})
		}
	}
	return list
}

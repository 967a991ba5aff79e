package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
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
	to    string // name of the state that they lead to
}

// closed returns the set with the number of states that are drawn.
func (b *builder) closed(sys *rules.System, set *proofs.Closed) *closed {
	near := func(n proofs.ClosedNode) bool { return n.Distance < maxDepth }
	return &closed{b.world(sys), set, lists.Count(set.Nodes[:min(len(set.Nodes), maxNodes)], near)}
}

// blind reports whether the set was not searched for starts: then all of it is the answer, as in a
// count of ancestors.
func (c *closed) blind() bool { return c.Where != nil }

// edges returns the predecessors of a state.
func (c *closed) edges(state int) (list []edge) {
	for _, p := range c.Nodes[state].Preds {
		list = joined(list, p.From, c.sys.Actions[p.Action].Label)
	}
	return list
}

// joined adds a move to a list in which all moves between the same states stand together.
func joined(list []edge, state int, move string) []edge {
	i := slices.IndexFunc(list, func(e edge) bool { return e.state == state })
	if i < 0 {
		return append(list, edge{state: state, moves: []string{move}})
	}
	if !slices.Contains(list[i].moves, move) {
		list[i].moves = append(list[i].moves, move)
	}
	return list
}

// planting is a tree under construction. States have numbers.
type planting struct {
	edges func(state int) []edge      // to those that stand below it
	here  func(state, above int) bool // all that stands below the state does so here
	make  func(state int, above *Node) *Node
	shown int           // number of states drawn, which are the first
	nodes map[int]*Node // by state: the node with those below it
	later []int         // states that are roots, if they do not stand below another one
}

const predecessors = "The tree of predecessors"

// tree returns the tree of a closed set.
func (c *closed) tree(ctx context.Context) *Tree {
	p := &planting{
		edges: c.edges, here: func(i, above int) bool { return c.Nodes[i].Next == above },
		make: func(i int, _ *Node) *Node { return c.node(ctx, i) }, shown: c.shown, nodes: map[int]*Node{},
	}
	t := &Tree{Title: predecessors, States: len(c.Nodes), Targets: c.Targets, More: len(c.Nodes) - c.shown, Rest: "further from the target"}
	t.Roots = p.roots(num.Run(0, min(c.Targets, c.shown)))
	c.mirrors(t.Roots)
	t.Intro = strings.TrimSpace("Each state stands below the one that it leads to; the move is named beside it. " +
		"The predecessors of a state are computed: all states with a step to it, reachable or not, whatever the number of seeds. " + c.leftOut())
	t.Closing = c.closing()
	return t
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

// node makes the node of a state, without those below it.
func (c *closed) node(ctx context.Context, i int) *Node {
	s := c.Nodes[i].State
	n := &Node{Board: &Board{System: c.sys, State: s, Kept: &c.Kept}, Names: c.names(s, c.Kept)}
	if i < c.Targets {
		n.Target = "target"
	}
	if c.blind() {
		holds, err := c.in.Holds(c.Where, s, nil)
		n.Uncounted = n.Target == "" && err == nil && !holds
	} else if n.NotStart = c.notStart(ctx, s, c.Kept); n.NotStart == "" {
		n.NotStart = "the search found no start that agrees with it"
	}
	return n
}

// roots makes the nodes of these states, and all nodes below them. What would stand too far below
// becomes a root.
func (p *planting) roots(states []int) (list []*Node) {
	for p.later = states; len(p.later) > 0; p.later = p.later[1:] {
		if i := p.later[0]; p.nodes[i] == nil {
			list = append(list, p.node(i, nil, edge{}, 0))
		}
	}
	p.same(list)
	return list
}

// node makes the node of state i and all nodes below it, so far below a root, beside the moves
// between it and the state above. A state that stands below several has those below it at one node
// only; other nodes refer to it.
func (p *planting) node(i int, above *Node, by edge, depth int) *Node {
	n := p.make(i, above)
	p.nodes[i] = n
	n.No, n.Moves, n.To = len(p.nodes), by.moves, by.to
	to := fmt.Sprintf("No. %d", n.No)
	switch {
	case n.Says != "":
		to = "" // the moves lead down
	case len(n.Names) > 0:
		to = n.Names[0]
	}
	for _, e := range p.edges(i) {
		e.to = to
		switch {
		case e.state >= p.shown:
			n.Hidden++
		case p.here(e.state, i) && depth+1 < maxDepth:
			n.Preds = append(n.Preds, p.node(e.state, n, e, depth+1))
		default:
			n.Preds = append(n.Preds, &Node{Moves: e.moves, To: to, Same: -e.state - 1})
			p.later = append(p.later, e.state)
		}
	}
	return n
}

// same fills in the nodes that refer to others. It runs last, when all numbers are known.
func (p *planting) same(nodes []*Node) {
	for _, n := range nodes {
		if n.Same < 0 {
			there := p.nodes[-n.Same-1]
			n.Same, n.Board, n.Names, n.Target, n.Says = there.No, there.Board, there.Names, there.Target, there.Says
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
func (c *closed) mirrors(siblings []*Node) {
	glasses := mirrorsOf(c.sys)
	var mark func(list []*Node)
	mark = func(list []*Node) {
		for i, n := range list {
			for _, before := range list[:i] {
				if m := c.image(glasses, before, n); m.pits != nil && before.Mirror == 0 {
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
func (c *closed) image(glasses []mirror, a, b *Node) mirror {
	return lists.Find(glasses, func(m mirror) bool { return a.Same <= 0 && b.Same <= 0 && c.mapsTo(m, a, b) })
}

// mapsTo reports whether the mirror maps a, with everything below it, to b.
func (c *closed) mapsTo(m mirror, a, b *Node) bool {
	if len(a.Preds) != len(b.Preds) || a.Hidden+b.Hidden > 0 || !m.state(c.sys, a.Board.State).Equal(b.Board.State) {
		return false
	}
	return !slices.ContainsFunc(a.Preds, func(x *Node) bool {
		return !slices.ContainsFunc(b.Preds, func(y *Node) bool { return c.mapsTo(m, x, y) })
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

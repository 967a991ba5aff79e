package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Limits on what is drawn of a tree.
const (
	maxNodes = 500
	maxDepth = 40 // boards below one another
)

// closed is the closed set of a backward search, with the predecessors of the states that are drawn.
type closed struct {
	*world
	*backward.Result
	goal  rules.Expr
	where rules.Expr // which of its states count; nil: the question is whether it holds a start
	index map[string]int
	preds [][]edge // by state, as far as it is drawn
	shown int      // states that are drawn: the first so many
}

// edge is a predecessor with the moves that lead on from it.
type edge struct {
	state int
	moves []string
}

// target is the condition whose unreachability, or reachability, a claim asserts, or whose ancestors it counts.
func target(r *proofs.Result) (goal rules.Expr, opt backward.Options, ok bool) {
	switch p := r.Instance.Property.(type) {
	case *resolve.Reach:
		return p.Target, opt, p.Within < 0
	case *resolve.NeverStuck:
		return rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(r.System.Endless())}, opt, true
	case *resolve.Count:
		opt = backward.Options{All: true, Blind: true, Also: []rules.Expr{p.Where}}
		return p.Of, opt, p.Set == resolve.CountAncestors
	}
	return nil, opt, false
}

// closedSet finds the set again on which a verdict of the backward search rests: nil if it rests on none. If it cannot be had, missing
// says why.
func (b *builder) closedSet(ctx context.Context, r *proofs.Result) (c *closed, missing string, err error) {
	goal, opt, ok := target(r)
	if !ok || r.Engine != proofs.Backward || r.Trace != nil || r.Inconclusive() {
		return nil, "", nil
	}
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	w := b.world(r.System)
	opt.MaxMemory = b.opt.MaxMemory
	res, err := backward.Search(ctx, w.in, goal, opt)
	switch {
	case err != nil:
		return nil, "", err
	case res.Stop != backward.Closed && res.Stop != backward.StartFound:
		return nil, res.Reason, nil
	case !opt.Blind && !res.Unreachable():
		return nil, "", nil
	}
	c = &closed{world: w, Result: res, goal: goal, index: map[string]int{}}
	if p, ok := r.Instance.Property.(*resolve.Count); ok {
		c.where = p.Where
	}
	return c, "", c.look(ctx)
}

// look finds the predecessors of the states that are drawn.
func (c *closed) look(ctx context.Context) error {
	for i := range c.Nodes {
		c.index[stateKey(c.State(i))] = i
		if i < maxNodes && c.Nodes[i].Distance < maxDepth {
			c.shown++
		}
	}
	for i := range c.shown {
		preds, err := backward.Preimage(ctx, c.in, c.Kept.Kept, c.State(i))
		if err != nil {
			return err
		}
		c.preds = append(c.preds, c.edges(preds))
	}
	return nil
}

// blind reports whether the set was not looked through for starts: all of it is the answer.
func (c *closed) blind() bool { return c.where != nil }

func stateKey(s rules.State) string { return fmt.Sprint(s) }

// find is the number of a state in the set, or -1.
func (c *closed) find(s rules.State) int {
	if i, ok := c.index[stateKey(c.Kept.Project(c.sys, s))]; ok {
		return i
	}
	return -1
}

// edges puts moves together that lead from the same predecessor.
func (c *closed) edges(preds []backward.Pred) []edge {
	var list []edge
	for _, p := range preds {
		i, label := c.find(p.State), c.sys.Actions[p.Action].Label
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

// planting is a tree being made.
type planting struct {
	*closed
	ctx  context.Context
	tree *Tree
	at   []*Node // by state: where its predecessors stand
	no   int
}

// tree makes the tree of a closed set.
func (c *closed) tree(ctx context.Context) *Tree {
	p := &planting{
		closed: c, ctx: ctx, at: make([]*Node, len(c.Nodes)),
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

// leftOut tells which pits are not drawn, and why that loses nothing.
func (c *closed) leftOut() string {
	var pits []int
	for p, kept := range c.Kept.Pits {
		if !kept {
			pits = append(pits, p)
		}
	}
	if len(pits) == 0 {
		return ""
	}
	return fmt.Sprintf("What lies in %s is left out, since nothing asks for it: a board stands for all boards that agree with it elsewhere.",
		c.pits(pits))
}

// closing is the argument at the end.
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

// anyNumber says that the argument did not count seeds.
func (c *closed) anyNumber() string {
	var names []string
	for _, p := range c.sys.OpenParams() {
		names = append(names, c.sys.Params[p].Name)
	}
	if len(names) == 0 {
		return ""
	}
	return " Nowhere was it asked what " + strings.Join(names, ", ") + " is, so this holds for every value."
}

// node makes the node of state i and of all that is to stand below it. It leads by moves to the state above, which is called to.
func (p *planting) node(i int, moves []string, to string) *Node {
	p.no++
	s := p.State(i)
	n := &Node{
		No: p.no, Board: &Board{System: p.sys, State: s, Kept: &p.Kept.Kept}, Names: p.names(s, p.Kept.Kept),
		Moves: moves, To: to, Target: i < p.Targets,
	}
	p.judge(n, s)
	p.at[i] = n
	name := fmt.Sprintf("No. %d", n.No)
	if len(n.Names) > 0 {
		name = n.Names[0]
	}
	for _, e := range p.preds[i] {
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

// judge says why a state is no start, or if that is not the question, whether it counts.
func (p *planting) judge(n *Node, s rules.State) {
	if p.blind() {
		holds, err := p.in.Holds(p.where, s, nil)
		n.Uncounted = !n.Target && err == nil && !holds
		return
	}
	if n.NotStart = p.notStart(p.ctx, s, p.Kept.Kept); n.NotStart == "" {
		n.NotStart = "the search found no start that agrees with it"
	}
}

// same fills in the nodes of states that stand elsewhere, once all have their numbers.
func (p *planting) same(nodes []*Node) {
	for _, n := range nodes {
		if n.Same < 0 {
			there := p.at[-n.Same-1]
			n.Same, n.Board, n.Names, n.Target = there.No, there.Board, there.Names, there.Target
		}
		p.same(n.Preds)
	}
}

// key is what two trees must have in common to be shown once.
func (c *closed) key() string {
	text := strings.Builder{}
	for _, pit := range c.sys.Pits {
		text.WriteString(pit.Name + " ")
	}
	for i, n := range c.Nodes {
		fmt.Fprintln(&text, c.State(i), n.Next, n.Action)
	}
	return text.String()
}

// Package export writes plays and graphs of states in formats of other programs.
//
//	itf.go        a play as a trace in ITF
//	positions.go  the states of a play as positions, for a file of rules
//	graph.go      the states that are reached, to a limit, as JSON and for Graphviz
package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Graph is states of a game with the moves between them, in the order in which a search by levels
// meets them.
type Graph struct {
	System *rules.System
	States []Node
	Edges  []Edge
	Cut    string // why there are more states; empty if these are all
}

// Node is a state.
type Node struct {
	State rules.State
	Start bool
	Depth int  // moves from the nearest start
	Cut   bool // its moves are left out
	Stuck bool // the game goes on, and there is no move

	from, by int // the state and the action that first led here
}

// Edge is a move, or several that lead from one state to the same other one.
type Edge struct {
	From, To int      // indices of states
	Moves    []string // in their notation
}

// Bounds are the limits on a Graph.
type Bounds struct {
	States int // 0: no limit
	Depth  int // moves from a start; less than 0: no limit
}

// Reach collects the states that play comes to, from the starts, within the bounds. An error is a
// *forward.PlayError, or that of the context.
func Reach(ctx context.Context, in *interp.Interp, starts forward.Starts, b Bounds) (*Graph, error) {
	r := &reaching{g: &Graph{System: in.System()}, in: in, number: map[string]int{}, bounds: b}
	err := starts(ctx, func(s rules.State) error {
		at, new := r.add(s, 0)
		if at < 0 {
			return space.ErrStop
		}
		if new {
			r.g.States[at].Start = true
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(r.g.States); at++ {
		if err := r.expand(ctx, at); err != nil {
			return nil, err
		}
	}
	return r.g, nil
}

// reaching is a Graph under construction.
type reaching struct {
	g      *Graph
	in     *interp.Interp
	number map[string]int // of a state, by its text
	bounds Bounds
}

// add returns the number of a state, and whether it is new. It is -1 if there is no room for it.
func (r *reaching) add(s rules.State, depth int) (at int, new bool) {
	key := fmt.Sprint(s)
	if at, has := r.number[key]; has {
		return at, false
	}
	if r.bounds.States > 0 && len(r.g.States) == r.bounds.States {
		r.cut(limit.Hit{Kind: limit.States, Most: int64(r.bounds.States)}.String())
		return -1, false
	}
	at = len(r.g.States)
	r.number[key] = at
	r.g.States = append(r.g.States, Node{State: s.Clone(), Depth: depth})
	return at, true
}

func (r *reaching) cut(why string) { r.g.Cut = cmp.Or(r.g.Cut, why) }

// expand adds what the moves of a state lead to. A state is cut if there is no room for all that.
func (r *reaching) expand(ctx context.Context, at int) error {
	n := r.g.States[at]
	if !n.State.Live() {
		return nil
	}
	if err := limit.Look(ctx); err != nil {
		return err
	}
	steps, err := r.in.Steps(n.State)
	if err != nil {
		return r.fault(at, err)
	}
	if len(steps) == 0 {
		r.g.States[at].Stuck = true
		return nil
	}
	if r.bounds.Depth >= 0 && n.Depth == r.bounds.Depth {
		r.g.States[at].Cut = true
		r.cut(only(r.bounds.Depth))
		return nil
	}
	edge := map[int]int{} // by the state it leads to
	for _, s := range steps {
		to, new := r.add(s.To, n.Depth+1)
		if new {
			r.g.States[to].from, r.g.States[to].by = at, s.Action
		}
		if to < 0 {
			r.g.States[at].Cut = true
			continue
		}
		move := r.in.Notation(s.Action, n.State)
		if e, has := edge[to]; has {
			r.g.Edges[e].Moves = append(r.g.Edges[e].Moves, move)
			continue
		}
		edge[to] = len(r.g.Edges)
		r.g.Edges = append(r.g.Edges, Edge{at, to, []string{move}})
	}
	return nil
}

// only says how many moves are made at most.
func only(moves int) string {
	switch moves {
	case 0:
		return "no move is made"
	case 1:
		return "only 1 move is made"
	}
	return fmt.Sprintf("only %d moves are made", moves)
}

// fault is a fault of the rules that was met in a state, with the play that leads there.
func (r *reaching) fault(at int, err error) error {
	var actions []int
	for ; !r.g.States[at].Start; at = r.g.States[at].from {
		actions = append(actions, r.g.States[at].by)
	}
	slices.Reverse(actions)
	return &forward.PlayError{Fault: err, Trace: forward.Trace{Start: r.g.States[at].State, Actions: actions}}
}

// JSON returns the graph as one object.
func (g *Graph) JSON() report.Object {
	states := []report.Object{}
	for i := range g.States {
		n := &g.States[i]
		one := report.Object{{Name: "id", Value: i}, {Name: "depth", Value: n.Depth}, {Name: "state", Value: board.StateJSON(g.System, n.State)}}
		states = append(states, one.If(n.Start, "start", true).If(n.Stuck, "stuck", true).If(n.Cut, "cut", true))
	}
	edges := []report.Object{}
	for _, e := range g.Edges {
		edges = append(edges, report.Object{{Name: "from", Value: e.From}, {Name: "to", Value: e.To}, {Name: "moves", Value: e.Moves}})
	}
	return report.Object{
		{Name: "variant", Value: g.System.Name},
		{Name: "params", Value: board.ParamsJSON(g.System)},
		{Name: "complete", Value: g.Cut == ""},
		{Name: "states", Value: states},
		{Name: "edges", Value: edges},
	}.If(g.Cut != "", "reason", g.Cut)
}

// DOT returns the graph in the language of Graphviz: a box with the board for each state. Starts
// have a thick frame, states in which the game is over two, and those whose moves are left out a
// broken one.
func (g *Graph) DOT() string {
	var text strings.Builder
	title := strings.TrimSpace(g.System.Name + " " + report.Params(g.System))
	fmt.Fprintf(&text, "digraph %s {\n", quote(title))
	fmt.Fprintf(&text, "  label=%s\n  labelloc=t\n", quote(title+"\n"+g.words()))
	text.WriteString("  node [shape=box fontname=monospace]\n  edge [fontname=monospace]\n")
	for i := range g.States {
		n := &g.States[i]
		label := quote(board.Draw(g.System, n.State, board.Options{}) + g.remark(n))
		fmt.Fprintf(&text, "  %d [label=%s", i, strings.ReplaceAll(label, `\n`, `\l`)) // lines begin at the left
		for _, style := range n.styles() {
			text.WriteString(" " + style)
		}
		text.WriteString("]\n")
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&text, "  %d -> %d [label=%s]\n", e.From, e.To, quote(strings.Join(e.Moves, ", ")))
	}
	text.WriteString("}\n")
	return text.String()
}

// words says what the graph has, and what is missing.
func (g *Graph) words() string {
	text := numeral.Count(int64(len(g.States)), "state")
	if g.Cut == "" {
		return text + ", and no more"
	}
	cut := lists.Count(g.States, func(n Node) bool { return n.Cut })
	return fmt.Sprintf("%s; there are more: %s; of %s not all moves are shown", text, g.Cut, numeral.Count(int64(cut), "state"))
}

func (g *Graph) remark(n *Node) string {
	switch {
	case n.Stuck:
		return "stuck\n"
	case n.Cut:
		return "…\n"
	}
	return ""
}

func (n *Node) styles() []string {
	var list []string
	if n.Start {
		list = append(list, "penwidth=3")
	}
	if !n.State.Live() {
		list = append(list, "peripheries=2")
	}
	if n.Cut {
		list = append(list, "style=dashed")
	}
	return list
}

// quote returns a string of DOT.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

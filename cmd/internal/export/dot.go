package export

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules/board"
)

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

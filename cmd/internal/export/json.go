package export

import (
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/rules/board"
)

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

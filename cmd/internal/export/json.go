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
		for _, mark := range []struct {
			name string
			is   bool
		}{{"start", n.Start}, {"stuck", n.Stuck}, {"cut", n.Cut}} {
			if mark.is {
				one = append(one, report.Member{Name: mark.name, Value: true})
			}
		}
		states = append(states, one)
	}
	edges := []report.Object{}
	for _, e := range g.Edges {
		edges = append(edges, report.Object{{Name: "from", Value: e.From}, {Name: "to", Value: e.To}, {Name: "moves", Value: e.Moves}})
	}
	out := report.Object{
		{Name: "variant", Value: g.System.Name},
		{Name: "params", Value: board.ParamsJSON(g.System)},
		{Name: "complete", Value: g.Cut == ""},
		{Name: "states", Value: states},
		{Name: "edges", Value: edges},
	}
	if g.Cut != "" {
		out = append(out, report.Member{Name: "reason", Value: g.Cut})
	}
	return out
}

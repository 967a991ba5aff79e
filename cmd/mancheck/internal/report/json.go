package report

import (
	"encoding/json"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// Schema is the version of the shape of all JSON that is written.
const Schema = 1

// document is the object that `check` writes. Diagnostics are there only if there are any, as are results if the input was
// fit to be decided.
type document struct {
	Schema      int      `json:"schema"`
	Results     []result `json:"results"`
	Diagnostics any      `json:"diagnostics,omitempty"`
}

type result struct {
	File        string          `json:"file"`
	Claim       string          `json:"claim"`
	Label       string          `json:"label"`
	Expect      string          `json:"expect"`
	Verdict     string          `json:"verdict"`
	AsExpected  bool            `json:"asExpected"`
	Engine      string          `json:"engine"`
	Scope       scope           `json:"scope"`
	Bound       *int            `json:"bound"`
	Reason      string          `json:"reason"`
	Notes       []string        `json:"notes,omitempty"`
	Vacuous     bool            `json:"vacuous,omitempty"`
	Stats       stats           `json:"stats"`
	Sets        *sets           `json:"sets,omitempty"`
	Trace       json.RawMessage `json:"trace"`
	Certificate *string         `json:"certificate"`
}

type scope struct {
	Params    members  `json:"params"`
	Unbounded []string `json:"unbounded"`
}

type stats struct {
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Depth       int     `json:"depth"`
	Closed      int     `json:"closed,omitempty"`
	Bytes       int64   `json:"bytes,omitempty"`
	Seconds     float64 `json:"seconds"`
}

// sets compares the states that were found with those the claim lists.
type sets struct {
	Found   []json.RawMessage `json:"found"`
	Extra   []json.RawMessage `json:"extra"`
	Missing []string          `json:"missing"`
}

// JSON is the object for the results of `check`, with the diagnostics that came up.
func JSON(results []*proofs.Result, diags diag.List, sources map[string][]byte) any {
	doc := document{Schema: Schema, Results: []result{}}
	for _, r := range results {
		doc.Results = append(doc.Results, resultJSON(r, sources))
	}
	if len(diags) > 0 {
		doc.Diagnostics = diag.JSON(diags)
	}
	return doc
}

func resultJSON(r *proofs.Result, sources map[string][]byte) result {
	claim := r.Instance.Claim
	out := result{
		File: claim.File, Claim: claim.Name, Label: claim.Label,
		Expect: r.Expected().String(), Verdict: r.Status.String(), AsExpected: r.AsExpected(),
		Engine: r.Engine, Scope: scopeJSON(r.Scope), Reason: r.Reason, Notes: r.Notes, Vacuous: r.Vacuous,
		Stats: statsJSON(r.Stats), Sets: setsJSON(r, sources), Trace: json.RawMessage("null"),
	}
	if r.Status == proofs.Bounded {
		out.Bound = &r.Bound
	}
	if r.Trace != nil {
		out.Trace = board.TraceJSON(r.System, r.Trace)
	}
	return out
}

func scopeJSON(s proofs.Scope) scope {
	out := scope{Params: members{}, Unbounded: append([]string{}, s.Unbounded...)}
	for _, p := range s.Params {
		out.Params = append(out.Params, member{p.Name, paramJSON(p)})
	}
	return out
}

// paramJSON is a number, a truth value, or the range whose values are all meant, as text.
func paramJSON(p proofs.ScopeParam) any {
	switch {
	case p.All:
		return p.Text
	case p.Bool:
		return p.N != 0
	}
	return p.N
}

func statsJSON(s proofs.Stats) stats {
	return stats{States: s.States, Transitions: s.Transitions, Depth: s.Depth, Closed: s.Closed, Bytes: s.Bytes,
		Seconds: s.Elapsed.Seconds()}
}

func setsJSON(r *proofs.Result, sources map[string][]byte) *sets {
	if r.Sets == nil {
		return nil
	}
	out := &sets{Found: statesJSON(r.System, r.Sets.Found), Extra: statesJSON(r.System, r.Sets.Extra), Missing: []string{}}
	for _, m := range r.Sets.Missing {
		out.Missing = append(out.Missing, text(m.At, sources))
	}
	return out
}

func statesJSON(sys *rules.System, states []rules.State) []json.RawMessage {
	out := []json.RawMessage{}
	for _, s := range states {
		out = append(out, board.StateJSON(sys, s))
	}
	return out
}

// member is a member of a JSON object; members keep their order.
type (
	member struct {
		name  string
		value any
	}
	members []member
)

// MarshalJSON writes the members in their order.
func (m members) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i, x := range m {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(x.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(x.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

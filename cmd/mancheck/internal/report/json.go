package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// Schema is the version of the shape of all JSON that is written.
const Schema = 1

// document is the object that `check` writes. Diagnostics are there only if there are any.
type document struct {
	Schema      int             `json:"schema"`
	Results     []result        `json:"results"`
	Diagnostics json.RawMessage `json:"diagnostics,omitempty"`
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
	Checked     string          `json:"checked,omitempty"` // of conclusive verdicts
	Unchecked   string          `json:"uncheckedReason,omitempty"`
	Stats       stats           `json:"stats"`
	Sets        *sets           `json:"sets,omitempty"`
	Trace       json.RawMessage `json:"trace"`
	OtherTrace  json.RawMessage `json:"otherTrace,omitempty"`
	StepCounter json.RawMessage `json:"stepCounterexample,omitempty"`
	Certificate *string         `json:"certificate"`
}

type scope struct {
	Params    Object   `json:"params"`
	Unbounded []string `json:"unbounded"`
}

type stats struct {
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Depth       int     `json:"depth"`
	Closed      int     `json:"closed,omitempty"`
	K           int     `json:"k,omitempty"` // length of an induction
	Bytes       int64   `json:"bytes,omitempty"`
	Seconds     float64 `json:"seconds"`
}

// sets compares the states that were found with those the claim lists.
type sets struct {
	Found   []json.RawMessage `json:"found"`
	Extra   []json.RawMessage `json:"extra"`
	Missing []string          `json:"missing"`
}

// JSON is the object for the results of `check`, with the paths of their certificates and the diagnostics that came up.
func JSON(results []*proofs.Result, certificates map[*proofs.Result]string, diags diag.List, sources map[string][]byte) any {
	doc := document{Schema: Schema, Results: []result{}}
	for _, r := range results {
		out := resultJSON(r, sources)
		if path, ok := certificates[r]; ok {
			out.Certificate = &path
		}
		doc.Results = append(doc.Results, out)
	}
	if len(diags) > 0 {
		doc.Diagnostics = diagnosticsJSON(diags)
	}
	return doc
}

// diagnosticsJSON is the list without the object around it.
func diagnosticsJSON(diags diag.List) json.RawMessage {
	var doc document
	if err := json.Unmarshal(diag.ToJSON(diags), &doc); err != nil {
		panic(err) // it was written a moment ago
	}
	return doc.Diagnostics
}

func resultJSON(r *proofs.Result, sources map[string][]byte) result {
	claim := r.Instance.Claim
	out := result{
		File: claim.File, Claim: claim.Name, Label: claim.Label,
		Expect: r.Expected().String(), Verdict: r.Status.String(), AsExpected: r.AsExpected(),
		Engine: string(r.Engine), Scope: scopeJSON(r.Scope), Reason: r.Reason, Notes: r.Notes, Vacuous: r.Vacuous,
		Stats: statsJSON(r), Sets: setsJSON(r, sources), Trace: json.RawMessage("null"),
	}
	if r.Status == proofs.Bounded {
		out.Bound = &r.Bound
	}
	if r.Checked != proofs.NotYet {
		out.Checked, out.Unchecked = r.Checked.String(), r.Why
	}
	if r.Trace != nil {
		out.Trace = board.TraceJSON(r.System, r.Trace)
	}
	if t := r.Other; t != nil {
		out.OtherTrace = board.TraceJSON(t.System, t)
	}
	if t := r.StepCounterexample; t != nil {
		out.StepCounter = board.TraceJSON(t.System, t)
	}
	return out
}

func scopeJSON(s proofs.Scope) scope {
	out := scope{Params: Object{}, Unbounded: append([]string{}, s.Unbounded...)}
	for _, p := range s.Params {
		out.Params = append(out.Params, Member{p.Name, paramJSON(p)})
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

func statsJSON(r *proofs.Result) stats {
	s := r.Stats
	return stats{
		States: s.States, Transitions: s.Transitions, Depth: s.Depth, Closed: s.Closed, K: r.K, Bytes: s.Bytes,
		Seconds: s.Elapsed.Seconds(),
	}
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

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		out = slices.Concat(out, name, []byte(":"), value)
	}
	return append(out, '}'), nil
}

// Trace is a play as an object of its own.
func Trace(t *rules.Trace) json.RawMessage {
	rest := board.TraceJSON(t.System, t)[1:]
	return append(fmt.Appendf(nil, `{"schema":%d,`, Schema), rest...)
}

package report

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// Schema is the version of the format of all JSON output.
const Schema = 1

// document is the object that `check` and `prove` write. Diagnostics are left out if there are
// none.
type document struct {
	Schema      int             `json:"schema"`
	Results     []result        `json:"results"`
	Summary     *summary        `json:"summary,omitempty"`
	Shard       any             `json:"shard,omitempty"`
	Coverage    any             `json:"coverage,omitempty"`
	Diagnostics json.RawMessage `json:"diagnostics,omitempty"`
}

// result is the result for one instance of a claim. docs/cli.md describes the fields.
type result struct {
	File        string          `json:"file"`
	Claim       string          `json:"claim"`
	Label       string          `json:"label"`
	Line        int             `json:"line,omitempty"` // in the file of boards
	Expect      string          `json:"expect"`
	Verdict     *string         `json:"verdict"` // null for a claim that was skipped
	AsExpected  bool            `json:"asExpected"`
	Engine      string          `json:"engine"`
	Scope       scope           `json:"scope"`
	Bound       *int            `json:"bound"`
	Reason      string          `json:"reason"`
	Notes       []string        `json:"notes,omitempty"`
	Vacuous     bool            `json:"vacuous,omitempty"`
	Checked     string          `json:"checked,omitempty"` // conclusive verdicts only
	Unchecked   string          `json:"uncheckedReason,omitempty"`
	Stats       stats           `json:"stats"`
	Sets        *sets           `json:"sets,omitempty"`
	Value       *worth          `json:"value,omitempty"`
	Tables      []verdict.Table `json:"tables,omitempty"` // that the verdict relies on
	Strategy    *strategy       `json:"strategy,omitempty"`
	Trace       json.RawMessage `json:"trace"`
	OtherTrace  json.RawMessage `json:"otherTrace,omitempty"`
	OtherPlays  *otherPlays     `json:"otherPlays,omitempty"`
	StepCounter json.RawMessage `json:"stepCounterexample,omitempty"`
	Certificate *string         `json:"certificate"`
	Long        bool            `json:"long,omitempty"` // left out since it takes long
	*origin
}

// origin is what `prove` adds: where a result comes from, and the length of its play, which itself
// may be left out.
type origin struct {
	Moves   *int `json:"moves,omitempty"`
	Cached  bool `json:"cached"`
	Skipped bool `json:"skipped"`
}

// summary counts the outcomes of a run.
type summary struct {
	Claims        int `json:"claims"`
	AsExpected    int `json:"asExpected"`
	NotAsExpected int `json:"notAsExpected"`
	Inconclusive  int `json:"inconclusive"`
	Failed        int `json:"failed"`
	Unchanged     int `json:"unchanged"`
	LeftOut       int `json:"leftOut"`
	Vacuous       int `json:"vacuous"`
	Cached        int `json:"cached"`
	Checked       int `json:"checked"`
	Unchecked     int `json:"unchecked"`
}

type scope struct {
	Params    Object   `json:"params"`
	Unbounded []string `json:"unbounded"`
	From      string   `json:"from,omitempty"` // the position that games begin at
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

// sets has the states that were found, those that the claim does not list, and what it lists that
// was not found.
type sets struct {
	Found   []json.RawMessage `json:"found"`
	Extra   []json.RawMessage `json:"extra"`
	Missing []string          `json:"missing"`
}

// worth has the bounds on the value of positions for the player To, who is left out if the
// positions have different ones. A missing bound is null.
type worth struct {
	To        string `json:"to,omitempty"`
	Lo        *int   `json:"lo"`
	Hi        *int   `json:"hi"`
	Positions int    `json:"positions"`
}

// strategy shows what a player can force, or that the others can prevent it. A strategy with too
// many states has no moves.
type strategy struct {
	States int    `json:"states"`
	Moves  []move `json:"moves,omitempty"`
}

// move is the move that a strategy makes in a state.
type move struct {
	State json.RawMessage `json:"state"`
	Move  string          `json:"move"`
}

// mostAnswers bounds the states of a strategy that is written.
const mostAnswers = 1000

// Document has what goes into the JSON object of a run besides the report.
type Document struct {
	Certificates map[*proofs.Result]string // paths of the certificates written
	Diagnostics  diag.List
	Sources      map[string][]byte
	Traces       bool // write the plays of all verdicts, not only of those that are not as expected
	Summary      bool // say where results come from, and count the outcomes
	Coverage     any  // what was counted of the rules; nil if that was not asked for
	Shard        any  // what the report says of the part that it is of; nil if it is of all
}

// JSON returns the object for a run. Items that failed are among the diagnostics.
func (d Document) JSON(rep *suite.Report) any {
	doc := document{Schema: Schema, Results: []result{}, Shard: d.Shard, Coverage: d.Coverage}
	for _, i := range rep.Items {
		if i.Err == nil {
			doc.Results = append(doc.Results, d.item(i))
		}
	}
	if d.Summary {
		doc.Summary = &summary{
			Claims: len(rep.Items), AsExpected: rep.Count(suite.AsExpected), NotAsExpected: rep.Count(suite.NotAsExpected),
			Inconclusive: rep.Count(suite.Inconclusive), Failed: rep.Count(suite.Failed), Unchanged: rep.Unchanged(),
			LeftOut: rep.Count(suite.NotRun) - rep.Unchanged(), Vacuous: vacuous(rep),
			Cached: lists.Count(rep.Items, func(i *suite.Item) bool { return i.Cached }),
		}
		doc.Summary.Checked, doc.Summary.Unchecked = rep.Checked()
	}
	if len(d.Diagnostics) > 0 {
		doc.Diagnostics = diagnosticsJSON(d.Diagnostics)
	}
	return doc
}

// diagnosticsJSON returns the list of diagnostics without the object that diag.ToJSON puts around
// it.
func diagnosticsJSON(diags diag.List) json.RawMessage {
	var doc document
	if err := json.Unmarshal(diag.ToJSON(diags), &doc); err != nil {
		panic(err) // diag.ToJSON wrote it
	}
	return doc.Diagnostics
}

// item returns the result for one item. A skipped item is shown as undecided, without a verdict.
func (d Document) item(i *suite.Item) result {
	r, e := i.Result, entryOf(i)
	if i.Skipped {
		r = proofs.Undecided(i.Instance, "", nil)
		r.Scope = scopeOf(i)
	}
	claim := r.Instance.Claim
	out := result{
		File: claim.File, Claim: claim.Name, Label: claim.Label, Line: r.Instance.Line(), Expect: r.Expected().String(), AsExpected: r.AsExpected(),
		Engine: e.Engine, Scope: scopeJSON(r.Scope, i.Instance), Reason: e.reason, Notes: e.notes, Vacuous: e.vacuous,
		Stats: statsJSON(r), Sets: setsJSON(r, d.Sources), Trace: json.RawMessage("null"),
	}
	if word := r.Status.String(); !i.Skipped {
		out.Verdict = &word
	}
	if path, ok := d.Certificates[r]; ok {
		out.Certificate = &path
	}
	if r.Status == proofs.Bounded {
		out.Bound = &r.Bound
	}
	if r.Checked != proofs.NotYet {
		out.Checked, out.Unchecked = r.Checked.String(), e.unchecked
	}
	out.Long = i.Long
	if d.Summary {
		out.origin = &origin{Cached: i.Cached, Skipped: i.Skipped}
		if r.Trace != nil {
			out.Moves = new(len(r.Trace.Steps))
		}
	}
	out.Value, out.Tables = worthJSON(r), r.Trusted
	if d.Traces || !r.AsExpected() {
		out.traces(r)
		out.Strategy = strategyJSON(r)
	}
	return out
}

func worthJSON(r *proofs.Result) *worth {
	w := r.Value
	if w == nil {
		return nil
	}
	out := &worth{Positions: w.Positions}
	if w.Player >= 0 {
		out.To = r.System.Players[w.Player]
	}
	if lo, known := w.AtLeast(); known {
		out.Lo = &lo
	}
	if hi, known := w.AtMost(); known {
		out.Hi = &hi
	}
	return out
}

func strategyJSON(r *proofs.Result) *strategy {
	if r.Printed() == nil {
		return nil
	}
	out := &strategy{States: cert.Size(r.Printed())}
	if out.States > mostAnswers {
		return out
	}
	if s, err := claim.StrategyOf(context.Background(), r, math.MaxInt); s != nil && err == nil {
		own := lists.Filter(s.Nodes, func(n claim.StrategyNode) bool { return n.Own && len(n.Next) > 0 })
		out.Moves = lists.Map(own, func(n claim.StrategyNode) move { return move{board.StateJSON(r.System, n.State), n.Next[0].Move} })
	}
	return out
}

// otherPlays are more plays like the trace.
type otherPlays struct {
	Plays []json.RawMessage `json:"plays"`
	All   bool              `json:"all"`
}

// traces adds the plays of a verdict.
func (out *result) traces(r *proofs.Result) {
	if r.Others != nil {
		out.OtherPlays = &otherPlays{[]json.RawMessage{}, r.Others.All}
		for _, t := range r.Others.Plays {
			out.OtherPlays.Plays = append(out.OtherPlays.Plays, board.TraceJSON(t.System, t))
		}
	}
	for _, play := range []struct {
		trace *rules.Trace
		to    *json.RawMessage
	}{{r.Trace, &out.Trace}, {r.Other, &out.OtherTrace}, {r.StepCounterexample, &out.StepCounter}} {
		if play.trace != nil {
			*play.to = board.TraceJSON(play.trace.System, play.trace)
		}
	}
}

// scopeJSON is a scope; inst may be nil.
func scopeJSON(s verdict.Scope, inst *build.Instance) scope {
	out := scope{Params: Object{}, Unbounded: append([]string{}, s.Unbounded...)}
	for _, p := range s.Params {
		out.Params = out.Params.With(p.Name, paramJSON(p))
	}
	if inst != nil {
		out.From = inst.Claim.StartingAt
	}
	return out
}

// paramJSON returns a number, a truth value, or, for a range of values, its text.
func paramJSON(p verdict.Param) any {
	switch {
	case p.All:
		return say.Value(p)
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
	out = append(out, lists.Map(states, func(s rules.State) json.RawMessage { return board.StateJSON(sys, s) })...)
	return out
}

// Object is a JSON object whose members keep their order.
type Object = board.Object

// Trace returns a play as a JSON object of its own, with the version of the format.
func Trace(t *rules.Trace) json.RawMessage {
	rest := board.TraceJSON(t.System, t)[1:]
	return append(fmt.Appendf(nil, `{"schema":%d,`, Schema), rest...)
}

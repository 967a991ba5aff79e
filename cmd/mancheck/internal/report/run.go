package report

import (
	"encoding/json"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// runDocument is the object that `prove` writes.
type runDocument struct {
	Schema      int             `json:"schema"`
	Results     []runResult     `json:"results"`
	Summary     runSummary      `json:"summary"`
	Diagnostics json.RawMessage `json:"diagnostics,omitempty"`
}

// runResult is a result of `check` with where it comes from. A claim that was left out has no verdict.
type runResult struct {
	result
	Verdict *string `json:"verdict"`
	Cached  bool    `json:"cached"`
	Skipped bool    `json:"skipped"`
}

type runSummary struct {
	Claims        int `json:"claims"`
	AsExpected    int `json:"asExpected"`
	NotAsExpected int `json:"notAsExpected"`
	Inconclusive  int `json:"inconclusive"`
	Failed        int `json:"failed"`
	Unchanged     int `json:"unchanged"`
	Vacuous       int `json:"vacuous"`
	Cached        int `json:"cached"`
	Checked       int `json:"checked"`
	Unchecked     int `json:"unchecked"`
}

// Run is the object for a run, with the paths of certificates and the diagnostics that came up.
func Run(rep *suite.Report, certificates map[*proofs.Result]string, diags diag.List, sources map[string][]byte) any {
	doc := runDocument{Schema: Schema, Results: []runResult{}, Summary: runSummary{
		Claims: len(rep.Items), AsExpected: rep.Count(suite.AsExpected), NotAsExpected: rep.Count(suite.NotAsExpected),
		Inconclusive: rep.Count(suite.Inconclusive), Failed: rep.Count(suite.Failed), Unchanged: rep.Count(suite.NotRun), Vacuous: vacuous(rep),
	}}
	doc.Summary.Checked, doc.Summary.Unchecked = rep.Checked()
	for _, i := range rep.Items {
		if i.Cached {
			doc.Summary.Cached++
		}
		if i.Err == nil {
			doc.Results = append(doc.Results, runItem(i, certificates, sources))
		}
	}
	if len(diags) > 0 {
		doc.Diagnostics = diagnosticsJSON(diags)
	}
	return doc
}

func runItem(i *suite.Item, certificates map[*proofs.Result]string, sources map[string][]byte) runResult {
	out := runResult{Cached: i.Cached, Skipped: i.Skipped}
	if i.Skipped {
		sys := i.Instance.System
		out.result = resultJSON(&proofs.Result{Instance: i.Instance, System: sys, Scope: proofs.ScopeOf(sys)}, sources)
		return out
	}
	out.result = resultJSON(i.Result, sources)
	out.Verdict = &out.result.Verdict
	if path, ok := certificates[i.Result]; ok {
		out.Certificate = &path
	}
	return out
}

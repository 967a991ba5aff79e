package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Report is the report of a shard.
type Report struct {
	Path    string
	Text    []byte
	Header  Header
	Content Content
}

// help for reports that cannot be used.
const (
	howToWrite = "`mancheck prove --shard I/N --report json=FILE` writes one for each I from 1 to N"
	runAgain   = "run this shard again, or copy its report again"
)

// Read reads the reports of all shards of a run, and returns them in the order of the shards. All
// must be of the given build. The error is a diag.List.
func Read(paths []string, build Build) ([]*Report, error) {
	var reports []*Report
	var wrong diag.List
	for _, path := range paths {
		r := &Report{Path: path}
		if d := r.read(build); d != nil {
			wrong = append(wrong, *d)
			continue
		}
		reports = append(reports, r)
	}
	if wrong == nil {
		wrong = differences(reports)
	}
	if wrong == nil {
		wrong = gaps(reports)
	}
	slices.SortFunc(reports, func(a, b *Report) int { return a.Header.Index - b.Header.Index })
	return reports, wrong.Err()
}

// mistake returns a diagnostic about a report.
func (r *Report) mistake(c diag.Code, help, format string, args ...any) *diag.Diagnostic {
	var list diag.List
	return list.Errorf(c, diag.Range{File: r.Path}, format, args...).WithHelp("%s", help)
}

// Damaged returns the diagnostic about a damaged report.
func (r *Report) Damaged(why error) *diag.Diagnostic {
	return r.mistake(diag.NotReport, runAgain, "the report is damaged: %v", why)
}

// read reads the file. It returns nil if the file is a report of the build.
func (r *Report) read(build Build) *diag.Diagnostic {
	f, err := file.Open(r.Path)
	if err != nil {
		return r.mistake(diag.Unreadable, howToWrite, "cannot read the report: %v", input.Reason(err))
	}
	defer f.Close()
	if r.Text, err = io.ReadAll(io.LimitReader(f, mostContent+1)); err != nil {
		return r.mistake(diag.Unreadable, howToWrite, "cannot read the report: %v", input.Reason(err))
	}
	var doc struct {
		Schema int             `json:"schema"`
		Shard  json.RawMessage `json:"shard"`

		Results     json.RawMessage `json:"results"`
		Diagnostics json.RawMessage `json:"diagnostics"`
	}
	err = json.Unmarshal(r.Text, &doc)
	switch {
	case len(r.Text) > mostContent:
		return r.mistake(diag.NotReport, howToWrite, "this is not a report: it is too large")
	case err != nil:
		return r.mistake(diag.NotReport, howToWrite, "this is not a JSON report, or it is truncated: %v", err)
	case doc.Schema == 0:
		return r.mistake(diag.NotReport, howToWrite, "this is not a report of mancheck")
	case doc.Shard == nil && doc.Results == nil && doc.Diagnostics != nil:
		return r.mistake(diag.NotReport, runAgain, "the run that wrote this report failed before it decided anything")
	case doc.Shard == nil:
		return r.mistake(diag.NotReport, howToWrite, "this is not the report of a shard")
	}
	var by struct{ Build Build }
	if json.Unmarshal(doc.Shard, &by) == nil && by.Build != (Build{}) && (by.Build.Tool != build.Tool || by.Build.Program != build.Program) { // solvers may differ
		return r.mistake(diag.NotWhole, "decide all shards with one build of mancheck, and merge their reports with it",
			"the report was written by another build, %s; this is %s", by.Build, build)
	}
	return r.open(doc.Shard)
}

// String returns a short name of the build.
func (b Build) String() string {
	return fmt.Sprintf("%s (%s)", b.Tool, b.Program[:min(12, len(b.Program))])
}

// open reads the header and the content of the report.
func (r *Report) open(header json.RawMessage) *diag.Diagnostic {
	err := strictjson.Unmarshal(header, &r.Header)
	h := r.Header
	if err == nil && h.Sum != h.sum() {
		err = errors.New("it has the wrong digest")
	}
	if err == nil && (h.Index < 1 || h.Index > h.Of || h.Of > suite.MostShards) {
		err = fmt.Errorf("there is no shard %d of %d", h.Index, h.Of)
	}
	if err == nil {
		r.Content, err = unpack(h.Content)
	}
	if err != nil {
		return r.Damaged(err)
	}
	return nil
}

// differences compares what all shards of a run must have in common.
func differences(reports []*Report) (wrong diag.List) {
	if len(reports) == 0 {
		return nil
	}
	first := reports[0]
	for _, r := range reports[1:] {
		a, b := first.Header, r.Header
		var d *diag.Diagnostic
		switch {
		case a.Of != b.Of:
			d = r.mistake(diag.NotWhole, "merge reports of one division into shards", "this is shard %d of %d, but %s is shard %d of %d", b.Index, b.Of, first.Path, a.Index, a.Of)
		case a.Items != b.Items || a.Digest != b.Digest:
			d = r.mistake(diag.NotWhole, "all shards need the same files, in the same state, and the same paths on the command line",
				"this is a shard of other claims (%s) than %s (%s)", b.Digest[:min(12, len(b.Digest))], first.Path, a.Digest[:min(12, len(a.Digest))])
		case a.Build.Solver != b.Build.Solver:
			d = r.mistake(diag.NotWhole, "all shards need the same solver", "this shard had the solver %s, but %s had %s", b.Build.Solver, first.Path, a.Build.Solver)
		case digest(a.Settings) != digest(b.Settings):
			d = r.mistake(diag.NotWhole, "the command lines may differ in --shard and in where they write to", "this shard had other options than %s", first.Path)
		default:
			continue
		}
		wrong = append(wrong, *d)
	}
	return wrong
}

// gaps finds shards that are missing or duplicate.
func gaps(reports []*Report) (wrong diag.List) {
	by := map[int]*Report{}
	for _, r := range reports {
		if first := by[r.Header.Index]; first != nil {
			wrong = append(wrong, *r.mistake(diag.NotWhole, "name one report for each shard", "this is shard %d of %d, and so is %s", r.Header.Index, r.Header.Of, first.Path))
		}
		by[r.Header.Index] = r
	}
	if len(wrong) > 0 || len(reports) == 0 {
		return wrong
	}
	var missing []string
	for i := 1; i <= reports[0].Header.Of; i++ {
		if by[i] == nil {
			missing = append(missing, fmt.Sprint(i))
		}
	}
	if len(missing) > 0 {
		text := "shard " + missing[0]
		if n := len(missing); n > 1 {
			text = "shards " + strings.Join(missing[:min(n, mostMissing)], ", ")
			if n > mostMissing {
				text += fmt.Sprintf(" and %d more", n-mostMissing)
			}
			text += " are"
		} else {
			text += " is"
		}
		wrong = append(wrong, *reports[0].mistake(diag.NotWhole, howToWrite, "%s missing: this is one of %d shards", text, reports[0].Header.Of))
	}
	return wrong
}

// mostMissing is the number of missing shards that are named.
const mostMissing = 10

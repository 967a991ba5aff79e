// No build server runs in a browser, and the libraries for this format are large.

//go:build !js

package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// fingerprint is the name and version of the method by which a finding is recognized from run to
// run.
const fingerprint = "claimInstance/v1"

// sarifLines bounds the lines of evidence in a message, because code hosts refuse long logs.
const sarifLines = 500

// homePage is the page of the tool. The help of its SARIF rules is there.
const homePage = "https://github.com/mancheck/mancheck"

// sarifRules are the kinds of findings that every run declares. Codes of mistakes are added when
// they occur.
var sarifRules = []struct{ id, name, level, text string }{
	{unexpectedClaim, "ClaimNotAsExpected", sarif.LevelError, "The verdict on a claim contradicts its expectation."},
	{inconclusiveClaim, "ClaimInconclusive", sarif.LevelWarning, "A claim could not be decided: a limit was hit, or no engine can tell."},
	{failedClaim, "ClaimFailed", sarif.LevelError, "The rules have a mistake, or the tool failed."},
	{vacuousClaim, "VacuousClaim", sarif.LevelWarning, "A claim holds only because nothing matches it."},
}

// SARIF writes a run as a SARIF 2.1.0 log. Only findings are results, since code hosts show every
// result as an alert. A play is a code flow through the moves of the rules. An error is an error of
// writing.
func SARIF(w io.Writer, rep *suite.Report, sources map[string][]byte) error {
	doc := sarifReport(rep, sources)
	if err := doc.PrettyWrite(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func sarifReport(rep *suite.Report, sources map[string][]byte) *sarif.Report {
	l := &sarifLog{run: sarif.NewRunWithInformationURI("mancheck", homePage), sources: sources}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		l.run.Tool.Driver.WithVersion(info.Main.Version)
	}
	l.run.WithColumnKind("unicodeCodePoints")
	l.run.AddInvocation(sarif.NewInvocation().WithExecutionSuccessful(rep.Count(suite.Failed) == 0))
	if p := rep.Part; p != nil {
		// Code hosts take a second log of one category for a newer one, unless its id is another.
		l.run.WithAutomationDetails(sarif.NewRunAutomationDetails().WithID(fmt.Sprintf("mancheck/shard-%d-of-%d/", p.Index, p.Of)).
			WithDescription(sarifMessage(partOf(p))))
	}
	for _, r := range sarifRules {
		l.rule(r.id, r.name, r.level, r.text)
	}
	for _, f := range findings(rep) {
		l.finding(f)
	}
	return sarif.NewReport().AddRun(l.run)
}

// sarifLog is a log under construction.
type sarifLog struct {
	run     *sarif.Run
	sources map[string][]byte
}

// rule declares a rule. Declaring one again changes nothing.
func (l *sarifLog) rule(id, name, level, text string) {
	l.run.AddRule(id).WithName(name).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText(text)).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(text)).
		WithHelp(sarif.NewMultiformatMessageString().WithText(text + " See " + homePage + "/blob/main/docs/ci.md.")).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level))
}

// finding adds a finding as a result.
func (l *sarifLog) finding(f finding) {
	if f.kind == failedClaim {
		l.fault(f.item, f.fault)
		return
	}
	r := l.result(f.item, f.kind, f.place, headline(f.item)+"\n"+firstLines(evidenceText(f.item, l.sources), sarifLines))
	for _, flow := range sarifFlows(f.item.Result, f.place) {
		r.AddCodeFlow(flow)
	}
	if len(f.item.Instance.Swept()) > 0 {
		// Without this fingerprint code hosts compute one from the line, and then take all
		// instances of a claim for the same finding.
		r.PartialFingerprints["primaryLocationLineHash"] = r.PartialFingerprints[fingerprint][:16] + ":1"
	}
}

// fault adds a mistake as a result. Its code is the rule.
func (l *sarifLog) fault(i *suite.Item, d diag.Diagnostic) {
	id, level := failedClaim, sarif.LevelError
	if d.Severity == diag.Warning {
		level = sarif.LevelWarning
	}
	if d.Code != "" {
		id = string(d.Code)
		l.rule(id, "Diagnostic"+id, level, "A mistake in a rules file, with the code "+id+".")
	}
	r := l.result(i, id, d.Range, entryOf(i).title()+": failed: "+faultText(d), d.Message)
	r.WithLevel(level)
	for _, n := range d.Notes {
		if place := sarifPlace(n.Range); place != nil {
			r.AddRelatedLocation(sarif.NewLocationWithPhysicalLocation(place).WithMessage(sarifMessage(n.Message)))
		}
	}
}

// result adds a result. also has what distinguishes it from other results of its kind for the same
// item.
func (l *sarifLog) result(i *suite.Item, kind string, at diag.Range, text string, also ...string) *sarif.Result {
	path, _ := sourcePath(i.File)
	location := sarif.NewLocation().AddLogicalLocation(
		sarif.NewLogicalLocation().WithName(i.Name()).WithFullyQualifiedName(path + ":" + i.Name()).WithKind("claim"))
	if place := sarifPlace(at); place != nil {
		location.WithPhysicalLocation(place)
	}
	mark := sha256.Sum256([]byte(strings.Join(append([]string{kind, path, i.Name()}, also...), "\x00")))
	r := l.run.CreateResultForRule(kind).WithMessage(sarifMessage(text)).AddLocation(location).
		WithPartialFingerprints(map[string]string{fingerprint: fmt.Sprintf("%x", mark)})
	for _, rule := range sarifRules {
		if rule.id == kind {
			r.WithLevel(rule.level)
		}
	}
	return r
}

// sarifMessage returns a message in which nothing is read as a placeholder or a link.
func sarifMessage(text string) *sarif.Message {
	return sarif.NewTextMessage(strings.NewReplacer("{", "{{", "}", "}}", "](", `\](`).Replace(strings.TrimSpace(printableLines(text))))
}

// sarifPlace returns the location of a range, or nil if it is in no file.
func sarifPlace(at diag.Range) *sarif.PhysicalLocation {
	path, below := sourcePath(at.File)
	if path == "" {
		return nil
	}
	uri := url.URL{Path: path}
	file := sarif.NewArtifactLocation()
	switch {
	case below:
		file.WithURIBaseID("%SRCROOT%")
	case filepath.IsAbs(at.File):
		uri = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")} // a path with a drive letter has no leading slash
	}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(file.WithURI(uri.String()))
	if !at.IsZero() {
		place.WithRegion(sarif.NewRegion().WithStartLine(at.Start.Line).WithStartColumn(at.Start.Column).
			WithEndLine(at.End.Line).WithEndColumn(at.End.Column))
	}
	return place
}

// sarifSteps is how many moves of a play a code flow shows at either end: GitHub takes a thousand
// places of a finding, and refuses a log that has one with ten thousand.
const sarifSteps = 400

// sarifFlows are the plays that come with a verdict.
func sarifFlows(r *proofs.Result, claim diag.Range) []*sarif.CodeFlow {
	var out []*sarif.CodeFlow
	add := func(t *rules.Trace, title string) {
		if t == nil {
			return
		}
		flow := sarifFlow(t, claim)
		if title != "" {
			flow.WithMessage(sarifMessage(title))
		}
		out = append(out, flow)
	}
	add(r.Trace, "")
	if r.Other != nil {
		add(r.Other, r.Words().Pair.Other)
	}
	add(r.StepCounterexample, "why the claim is not inductive; this refutes nothing")
	return out
}

// sarifFlow is a play as the places of the rules that it goes through: the claim, and then the move
// that is made, with the board it leads to.
func sarifFlow(t *rules.Trace, claim diag.Range) *sarif.CodeFlow {
	flow := sarif.NewThreadFlow()
	step := func(n int, at diag.Range, text string) {
		place := cmp.Or(sarifPlace(at), sarifPlace(claim))
		location := sarif.NewLocation().WithMessage(sarifMessage(text))
		if place != nil {
			location.WithPhysicalLocation(place)
		}
		flow.AddLocation(sarif.NewThreadFlowLocation().WithLocation(location).WithExecutionOrder(n))
	}
	step(0, claim, "start\n"+board.Draw(t.System, t.Start, board.Options{}))
	before := t.Start
	for n, s := range t.Steps {
		if far := len(t.Steps) - sarifSteps; n == sarifSteps && n < far {
			step(n+1, claim, fmt.Sprintf("… %s", numeral.Count(int64(far-n), "more move")))
		}
		if n < sarifSteps || n >= len(t.Steps)-sarifSteps {
			title := strings.TrimSpace(fmt.Sprintf("%d. %s  %s", n+1, s.Move, s.Label))
			step(n+1, movePlace(t.System, s.Label), title+"\n"+board.Draw(t.System, s.State, board.Options{Before: &before}))
		}
		before = s.State
	}
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}

// movePlace is where the move that labels a step is declared, if there is just one.
func movePlace(sys *rules.System, label string) diag.Range {
	labelled := lists.Filter(sys.Actions, func(a rules.Action) bool { return a.Label == label })
	moves := lists.Distinct(lists.Map(labelled, func(a rules.Action) int { return a.Move }))
	if len(moves) != 1 {
		return diag.Range{}
	}
	return sys.Moves[moves[0]].At
}

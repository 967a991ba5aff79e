package report

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
)

// fingerprint is the name, and the version, of the way in which a finding is told from others in
// every run.
const fingerprint = "claimInstance/v1"

// sarifLines is how much evidence a message has: code hosts refuse logs that are too long.
const sarifLines = 500

// homePage says what the tool is, and is where its rules are explained.
const homePage = "https://github.com/mancheck/mancheck"

// sarifRules are the kinds of findings that every run declares. Codes of mistakes are added as they
// are met.
var sarifRules = []struct{ id, name, level, text string }{
	{unexpectedClaim, "ClaimNotAsExpected", sarif.LevelError, "The verdict on a claim contradicts its expectation."},
	{inconclusiveClaim, "ClaimInconclusive", sarif.LevelWarning, "A claim could not be decided: a limit was hit, or no engine can tell."},
	{failedClaim, "ClaimFailed", sarif.LevelError, "The rules have a mistake, or the tool failed."},
	{vacuousClaim, "VacuousClaim", sarif.LevelWarning, "A claim holds only because nothing matches it."},
}

// SARIF writes a run as a SARIF 2.1.0 log. Only findings are results of it, since code hosts show
// every result as an alert; a play is a code flow along the moves of the rules. An error is one of
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
	for _, r := range sarifRules {
		l.rule(r.id, r.name, r.level, r.text)
	}
	for _, f := range findings(rep) {
		l.finding(f)
	}
	return sarif.NewReport().AddRun(l.run)
}

// sarifLog is a log that is being written.
type sarifLog struct {
	run     *sarif.Run
	sources map[string][]byte
}

func (l *sarifLog) rule(id, name, level, text string) {
	l.run.AddRule(id).WithName(name).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText(text)).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(text)).
		WithHelp(sarif.NewMultiformatMessageString().WithText(text + " See " + homePage + "/blob/main/docs/ci.md.")).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level))
}

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
		// Code hosts make this one of the line if it is not there, and take findings in which it is
		// the same for one.
		r.PartialFingerprints["primaryLocationLineHash"] = r.PartialFingerprints[fingerprint][:16] + ":1"
	}
}

// fault writes a mistake that was met while a claim was decided. Its code is its rule.
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

// result adds a result; also tells it from others of its kind in the same item.
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

// sarifMessage is text in which nothing is taken as a placeholder or a link.
func sarifMessage(text string) *sarif.Message {
	return sarif.NewTextMessage(strings.NewReplacer("{", "{{", "}", "}}", "](", `\](`).Replace(strings.TrimSpace(printableLines(text))))
}

// sarifPlace is nil for what stands in no file.
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
		uri = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")} // a drive letter has no slash of its own
	}
	place := sarif.NewPhysicalLocation().WithArtifactLocation(file.WithURI(uri.String()))
	if !at.IsZero() {
		place.WithRegion(sarif.NewRegion().WithStartLine(at.Start.Line).WithStartColumn(at.Start.Column).
			WithEndLine(at.End.Line).WithEndColumn(at.End.Column))
	}
	return place
}

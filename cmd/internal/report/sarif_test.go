package report

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// The parts of a log that code hosts look at.
type (
	sarifRun struct {
		ColumnKind  string
		Invocations []struct{ ExecutionSuccessful bool }
		Tool        struct {
			Driver struct {
				Rules []struct {
					ID                   string
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		Results []sarifResult
	}
	sarifResult struct {
		RuleID              string
		RuleIndex           int
		Kind, Level         string
		Message             struct{ Text string }
		Locations           []sarifLocation
		PartialFingerprints map[string]string
		CodeFlows           []struct {
			Message     struct{ Text string }
			ThreadFlows []struct {
				Locations []struct{ Location sarifLocation }
			}
		}
	}
	sarifLocation struct {
		Message          struct{ Text string }
		PhysicalLocation struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
	}
)

func readSARIF(t rapid.TB, doc []byte) sarifRun {
	t.Helper()
	var log struct {
		Version string
		Runs    []sarifRun
	}
	if err := json.Unmarshal(doc, &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%v in\n%s", err, doc)
	}
	return log.Runs[0]
}

// readMessage takes the escapes of braces and links back.
func readMessage(text string) string {
	return strings.NewReplacer("{{", "{", "}}", "}", `\](`, "](").Replace(text)
}

func TestSARIFSchema(t *testing.T) {
	for _, rep := range []*suite.Report{sample(t), {}} {
		if err := sarifReport(rep, sources()).Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestSARIF(t *testing.T) {
	run := readSARIF(t, written(t, SARIF, sample(t)))
	want := []struct{ rule, level, at string }{
		{unexpectedClaim, "error", "bad of Line"},
		{vacuousClaim, "warning", "vacuous of Line"},
		{inconclusiveClaim, "warning", "limited of Line"},
		{unexpectedClaim, "error", "listed of Line"},
		{"X001", "error", "k = k + 1"},
		{"F001", "error", ""},
	}
	if len(run.Results) != len(want) || run.ColumnKind != "unicodeCodePoints" || run.Invocations[0].ExecutionSuccessful {
		t.Fatalf("%+v", run)
	}
	marks := map[string]bool{}
	for n, r := range run.Results {
		if r.RuleID != want[n].rule || r.Level != want[n].level || r.Kind != "fail" || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%d: %+v", n, r)
		}
		if level := run.Tool.Driver.Rules[r.RuleIndex].DefaultConfiguration.Level; level != r.Level {
			t.Errorf("%s is declared as %s", r.RuleID, level)
		}
		marks[r.PartialFingerprints["claimInstance/v1"]] = true
		if want[n].at != "" {
			checkSARIFPlace(t, r.Locations[0], want[n].at)
		}
	}
	if len(marks) != len(want) || marks[""] {
		t.Errorf("fingerprints: %v", marks)
	}
}

func checkSARIFPlace(t *testing.T, l sarifLocation, text string) {
	t.Helper()
	file, region := l.PhysicalLocation.ArtifactLocation, l.PhysicalLocation.Region
	if path, err := url.PathUnescape(file.URI); err != nil || path != gameFile || file.URIBaseID != "%SRCROOT%" {
		t.Errorf("in %+v", file)
	}
	if line, column := placeOf(text); region.StartLine != line || region.StartColumn != column || region.EndLine < line {
		t.Errorf("%q at %+v", text, region)
	}
}

// TestSARIFFlow: a play starts at the claim and goes on at the move that is made.
func TestSARIFFlow(t *testing.T) {
	rep := sample(t)
	steps := readSARIF(t, written(t, SARIF, rep)).Results[0].CodeFlows[0].ThreadFlows[0].Locations
	if len(steps) != len(rep.Items[1].Result.Trace.Steps)+1 || !strings.Contains(steps[1].Location.Message.Text, "GO") {
		t.Fatalf("%+v", steps)
	}
	checkSARIFPlace(t, steps[0].Location, "bad of Line")
	for _, s := range steps[1:] {
		checkSARIFPlace(t, s.Location, "move GO")
	}
}

// TestSARIFMessage: a lone brace or a link would be read as something else.
func TestSARIFMessage(t *testing.T) {
	text := *sarifMessage("a {0} b [c](d) [1]+").Text
	if text != `a {{0}} b [c\](d) [1]+` || regexp.MustCompile(`\[[^\\\]]*\]\(`).MatchString(text) {
		t.Error(text)
	}
}

// TestFingerprints: neither the way a path is written nor the verdict's details matter.
func TestFingerprints(t *testing.T) {
	rep := sample(t)
	mark := func() string {
		return readSARIF(t, written(t, SARIF, rep)).Results[0].PartialFingerprints["claimInstance/v1"]
	}
	first := mark()
	rep.Items[1].File = "./" + gameFile
	rep.Items[1].Result.Found = verdict.Number.Of(7)
	if mark() != first {
		t.Error("another fingerprint")
	}
	rep.Items[1].File = "b.sow"
	if mark() == first {
		t.Error("the same fingerprint for another file")
	}
}

// TestSweepFingerprints: code hosts would take the instances of a sweep, which share a line, for
// one finding.
func TestSweepFingerprints(t *testing.T) {
	rep := sample(t)
	for _, i := range rep.Items[3:5] {
		i.Instance.Claim.Refuted = false
	}
	seen := map[string]bool{}
	for _, r := range readSARIF(t, written(t, SARIF, rep)).Results {
		mark, given := r.PartialFingerprints["primaryLocationLineHash"]
		if sweep := strings.HasPrefix(r.Message.Text, "sweep["); given != sweep || seen[mark] && sweep {
			t.Errorf("%q for %s", mark, r.Message.Text)
		}
		seen[mark] = true
	}
	if len(seen) != 3 {
		t.Error(seen)
	}
}

// TestLongFlow: of a play that has more moves than code hosts take both ends are there.
func TestLongFlow(t *testing.T) {
	rep := sample(t)
	play := rep.Items[1].Result.Trace
	first := play.Steps[0]
	for n := range 3 * sarifSteps {
		first.Move = "m" + strconv.Itoa(n)
		play.Steps = append(play.Steps, first)
	}
	steps := readSARIF(t, written(t, SARIF, rep)).Results[0].CodeFlows[0].ThreadFlows[0].Locations
	left := len(play.Steps) - 2*sarifSteps
	if text := steps[sarifSteps+1].Location.Message.Text; text != "… "+strconv.Itoa(left)+" more moves" {
		t.Error(text)
	}
	last := steps[len(steps)-1].Location.Message.Text
	if len(steps) != 2*sarifSteps+2 || !strings.HasPrefix(last, strconv.Itoa(len(play.Steps))+". "+first.Move+" ") {
		t.Errorf("%d steps, the last of which is %s", len(steps), last)
	}
}

// TestOtherPlays: each play that comes with a verdict is a flow of its own.
func TestOtherPlays(t *testing.T) {
	rep := sample(t)
	r := rep.Items[1].Result
	r.Other, r.StepCounterexample = r.Trace, r.Trace
	flows := readSARIF(t, written(t, SARIF, rep)).Results[0].CodeFlows
	if len(flows) != 3 || flows[1].Message.Text != "the same moves in Line" || !strings.Contains(flows[2].Message.Text, "not inductive") {
		t.Errorf("%+v", flows)
	}
}

func TestSourcePath(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"./a/../b.sow":                    "b.sow",
		filepath.Join(here, "a", "b.sow"): "a/b.sow",
		"-":                               "",
		"":                                "",
	} {
		if got, ok := sourcePath(file); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", file, got, ok)
		}
	}
	if got, ok := sourcePath("../b.sow"); got != "../b.sow" || ok {
		t.Errorf("../b.sow: %q, %v", got, ok)
	}
}

// TestSARIFURI: only what lies below the current folder is relative to the root of the sources.
func TestSARIFURI(t *testing.T) {
	for file, want := range map[string]string{
		"a b/c#d.sow":      "%SRCROOT% a%20b/c%23d.sow",
		"a:b.sow":          "%SRCROOT% ./a:b.sow",
		"../b.sow":         " ../b.sow",
		"/elsewhere/b.sow": " file:///elsewhere/b.sow",
	} {
		place := sarifPlace(diag.Range{File: file}).ArtifactLocation
		base := ""
		if place.URIBaseID != nil {
			base = *place.URIBaseID
		}
		if got := base + " " + *place.URI; got != want {
			t.Errorf("%s: %s", file, got)
		}
	}
}

// TestStandardInput has no file to point at, in any format.
func TestStandardInput(t *testing.T) {
	rep := sample(t)
	item := rep.Items[1]
	item.File, item.Instance.Claim.At.File = "-", "-"
	rep.Items = []*suite.Item{item}
	if err := sarifReport(rep, sources()).Validate(); err != nil {
		t.Error(err)
	}
	if uri := readSARIF(t, written(t, SARIF, rep)).Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "" {
		t.Error(uri)
	}
	if c := readCommands(t, written(t, GitHub, rep))[0]; c.properties["file"] != "" {
		t.Error(c)
	}
}

// TestBounded is inconclusive, and says up to where it holds.
func TestBounded(t *testing.T) {
	rep := sample(t)
	r := rep.Items[0].Result
	r.Status, r.Bound = proofs.Bounded, 7
	text := readSARIF(t, written(t, SARIF, rep)).Results[0]
	if text.RuleID != inconclusiveClaim || !strings.Contains(text.Message.Text, "expected proved, but bounded 7") ||
		!strings.Contains(text.Message.Text, "not a proof") {
		t.Errorf("%+v", text)
	}
}

package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
)

// tapRead is a test point as a reader of TAP 14 sees it.
type tapRead struct {
	ok        bool
	text      string
	directive string
	detail    tapDetail
}

var tapLine = regexp.MustCompile(`^(not )?ok (\d+) - (.*)$`)

// readTAP is a small strict reader: every line has to mean something.
func readTAP(t rapid.TB, doc []byte) []tapRead {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(doc), "\n"), "\n")
	var planned int
	if _, err := fmt.Sscanf(lines[1], "1..%d", &planned); err != nil || lines[0] != "TAP version 14" {
		t.Fatalf("begins with %q", lines[:2])
	}
	var points []tapRead
	for n := 2; n < len(lines); n++ {
		switch {
		case strings.HasPrefix(lines[n], "# unchecked: ") && n+1 < len(lines) && lines[n+1] == "  ---":
			t.Fatalf("line %d: a comment between a test point and its block", n+1)
		case strings.HasPrefix(lines[n], "# unchecked: "):
			continue
		case lines[n] == "  ---":
			n += readBlock(t, lines[n+1:], &points[len(points)-1].detail) + 1
			continue
		}
		m := tapLine.FindStringSubmatch(lines[n])
		if m == nil || m[2] != fmt.Sprint(len(points)+1) {
			t.Fatalf("line %d: %q", n+1, lines[n])
		}
		text, directive := splitDirective(m[3])
		points = append(points, tapRead{ok: m[1] == "", text: text, directive: directive})
	}
	if len(points) != planned {
		t.Errorf("%d points, %d planned", len(points), planned)
	}
	return points
}

// readBlock decodes YAML up to its end mark, and counts the lines before that.
func readBlock(t rapid.TB, lines []string, into *tapDetail) int {
	t.Helper()
	var text strings.Builder
	for n, l := range lines {
		if l == "  ..." {
			d := yaml.NewDecoder(strings.NewReader(text.String()))
			d.KnownFields(true)
			if err := d.Decode(into); err != nil {
				t.Fatalf("%v in\n%s", err, text.String())
			}
			return n
		}
		if !strings.HasPrefix(l, "  ") { // even an empty line of text, else the reader of Perl ends there
			t.Fatalf("%q in a block", l)
		}
		text.WriteString(strings.TrimPrefix(l, "  ") + "\n")
	}
	t.Fatal("a block without end")
	return 0
}

// splitDirective takes escapes back, and cuts at the first # that has none.
func splitDirective(s string) (text, directive string) {
	var out strings.Builder
	for n := 0; n < len(s); n++ {
		switch {
		case s[n] == '\\' && n+1 < len(s):
			n++
			out.WriteByte(s[n])
		case s[n] == '#':
			return strings.TrimSuffix(out.String(), " "), strings.TrimSpace(s[n+1:])
		default:
			out.WriteByte(s[n])
		}
	}
	return out.String(), ""
}

func TestTAP(t *testing.T) {
	points := readTAP(t, written(t, TAP, sample(t)))
	for n, p := range points {
		kind := wantKinds[n]
		if p.ok != (kind == "" || kind == vacuousClaim) || p.detail.Finding != kind {
			t.Errorf("%d: %+v", n+1, p)
		}
		if skip := strings.HasPrefix(p.directive, "SKIP"); skip != (n == 8) {
			t.Errorf("%d: directive %q", n+1, p.directive)
		}
	}
	bad := points[1].detail
	line, column := placeOf("bad of Line")
	if bad.File != gameFile || bad.Line != line || bad.Column != column || bad.Expected != "proved" || bad.Verdict != "refuted" {
		t.Errorf("%+v", bad)
	}
	if !strings.HasPrefix(bad.Evidence, "start\n") || !strings.Contains(bad.Evidence, "over: WON (win)") {
		t.Errorf("evidence:\n%s", bad.Evidence)
	}
	if limited := points[5].detail; limited.Verdict != "unknown" || limited.Reason == "" {
		t.Errorf("%+v", limited)
	}
}

// placeOf is the line and the column of the only place where text stands in the game.
func placeOf(text string) (line, column int) {
	before, _, _ := strings.Cut(game, text)
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndex(before, "\n")
}

// TestTAPMistakes: a block that draws several mistakes has empty lines, and points at the first.
func TestTAPMistakes(t *testing.T) {
	var two diag.List
	two.Errorf(diag.Unreadable, diag.Range{File: "two.sow", Start: diag.Pos{Line: 2, Column: 5}}, "first")
	two.Errorf(diag.Unreadable, diag.Range{File: "two.sow", Start: diag.Pos{Line: 3, Column: 1}}, "second")
	rep := &suite.Report{Items: []*suite.Item{{File: "two.sow", Err: two}}}
	d := readTAP(t, written(t, TAP, rep))[0].detail
	if d.Line != 2 || d.Column != 5 || !strings.Contains(d.Evidence, "first") || !strings.Contains(d.Evidence, "\n\n") {
		t.Errorf("%+v", d)
	}
}

func TestTAPOfNothing(t *testing.T) {
	if got := string(written(t, TAP, &suite.Report{})); got != "TAP version 14\n1..0 # SKIP there are no claims\n" {
		t.Error(got)
	}
}

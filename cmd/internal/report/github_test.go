package report

import (
	"html"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
)

// workflowCommand is a command as the runner of GitHub Actions reads it.
type workflowCommand struct {
	name       string
	properties map[string]string
	message    string
}

// readCommands reads as the runner does: blanks before a command do not hide it, and what is no
// command is only shown.
func readCommands(t rapid.TB, doc []byte) []workflowCommand {
	t.Helper()
	var out []workflowCommand
	for line := range strings.Lines(string(doc)) {
		info, message, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "::"), "::")
		if !strings.HasPrefix(strings.TrimSpace(line), "::") || !ok {
			continue
		}
		c := workflowCommand{properties: map[string]string{}, message: unescape(message, "%0D", "\r", "%0A", "\n")}
		var rest string
		c.name, rest, _ = strings.Cut(info, " ")
		for p := range strings.SplitSeq(rest, ",") {
			key, value, _ := strings.Cut(p, "=")
			c.properties[key] = unescape(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
		}
		out = append(out, c)
	}
	return out
}

// unescape replaces one after the other, and %25 at the end.
func unescape(s string, pairs ...string) string {
	for n := 0; n < len(pairs); n += 2 {
		s = strings.ReplaceAll(s, pairs[n], pairs[n+1])
	}
	return strings.ReplaceAll(s, "%25", "%")
}

func TestGitHub(t *testing.T) {
	doc := written(t, GitHub, sample(t))
	commands := readCommands(t, doc)
	want := []struct{ name, title, at string }{
		{"error", "claim failed: broken [X001]", "k = k + 1"},
		{"error", "claim failed: (file) [F001]", ""},
		{"error", "claim not as expected: bad ", "bad of Line"},
		{"error", "claim not as expected: listed", "listed of Line"},
		{"warning", "claim inconclusive: limited", "limited of Line"},
		{"warning", "vacuous claim: vacuous", "vacuous of Line"},
	}
	if len(commands) != len(want) {
		t.Fatalf("%+v", commands)
	}
	for n, c := range commands {
		if c.name != want[n].name || !strings.HasPrefix(c.properties["title"], want[n].title) {
			t.Errorf("%+v", c)
		}
		if want[n].at == "" {
			continue
		}
		line, column := placeOf(want[n].at)
		if c.properties["file"] != gameFile || c.properties["line"] != strconv.Itoa(line) || c.properties["col"] != strconv.Itoa(column) {
			t.Errorf("%q is at %v", want[n].at, c.properties)
		}
	}
	if got := labelIn(t, commands[2].message, "bad"); got != nasty {
		t.Errorf("label %q", got)
	}
	if missing := commands[1]; missing.properties["file"] != "missing.sow" || !strings.Contains(missing.message, "help: two\nlines") {
		t.Errorf("%+v", missing)
	}
	if total, _ := tally(sample(t)); !strings.HasSuffix(string(doc), "\n"+total+"\n") {
		t.Errorf("ends with %s", doc)
	}
}

// TestManyLines: columns are left out of a range of several lines, in which they would have no
// meaning.
func TestManyLines(t *testing.T) {
	var out strings.Builder
	command(&out, "error", diag.Range{File: "f.sow", Start: diag.Pos{Line: 1, Column: 2}, End: diag.Pos{Line: 3, Column: 4}}, "t", "m")
	if got := out.String(); got != "::error file=f.sow,line=1,endLine=3,title=t::m\n" {
		t.Error(got)
	}
}

// readSummary gives the cells of the rows of the table, as a reader sees them.
func readSummary(t rapid.TB, doc []byte) [][]string {
	t.Helper()
	_, table, ok := strings.Cut(string(doc), "|---|---|---|---|---|---|---|\n")
	var rows [][]string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 7 {
			t.Fatalf("row %q", line)
		}
		for n := range cells {
			cells[n] = html.UnescapeString(strings.TrimSpace(cells[n]))
		}
		rows = append(rows, cells)
	}
	if !ok && len(rows) > 0 {
		t.Fatal("no table")
	}
	return rows
}

func TestGitHubSummary(t *testing.T) {
	rows := readSummary(t, written(t, GitHubSummary, sample(t)))
	verdicts := []string{
		"proved", "refuted", "proved (vacuous)", "refuted", "refuted", "unknown", "refuted", "failed", "unchanged", "failed",
	}
	marks := []string{"✓", "✗", "⚠", "✓", "✓", "?", "✗", "✗", "–", "✗"}
	for n, row := range rows {
		if row[0] != marks[n] || strings.TrimSuffix(row[3], " (unchecked)") != verdicts[n] {
			t.Errorf("%d: %q", n, row)
		}
	}
}

// TestLongSummary stays below the megabyte that is taken, and counts what it leaves out.
func TestLongSummary(t *testing.T) {
	one := sample(t)
	rep := &suite.Report{}
	for range 2000 {
		rep.Items = append(rep.Items, one.Items...)
	}
	doc := written(t, GitHubSummary, rep)
	if len(doc) > 1<<20 || !strings.Contains(string(doc), "more claims left out here") {
		t.Errorf("%d bytes", len(doc))
	}
}

// TestLimitedText takes a shorter form where the long one has no room.
func TestLimitedText(t *testing.T) {
	l := limitedText{max: 5}
	l.add("long", "1")
	l.add("long", "2")
	l.add("long", "also long")
	if got := l.text.String(); got != "long2" || l.room != 1 {
		t.Errorf("%q, %d left", got, l.room)
	}
}

// TestWarningOfAFile is no error, although the file failed for another reason.
func TestWarningOfAFile(t *testing.T) {
	f := finding{kind: failedClaim, fault: diag.Diagnostic{Severity: diag.Warning}}
	if got := annotationLevel(f); got != "warning" {
		t.Error(got)
	}
}

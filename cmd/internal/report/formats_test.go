package report

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// nasty has what is special in XML, SARIF messages, Markdown and workflow commands.
const nasty = "<&\"'%,:#\\|`*_ ]]> --- ... %0A {0} [a](b) ::error::播種 é \U0001f600"

// gameFile stands in a folder whose name has to be escaped in URIs and in workflow commands.
const gameFile = "a folder/ö,1:2%.sow"

// game has three seeds on a line; they can all be brought home by small steps. Setting k beyond its
// range is a mistake in OVER.
const game = `
variant Line {
  param seeds = 3 in 1..
  board {
    a[1..3] | s
    line home = a[1..3], s
  }
  setup { any where total(a) = seeds }
  move GO { choose p in a where p > 0  sow p along home }
  win WON when total(a) = 0
}

variant Over {
  board { b[1..1] | c }
  state k : 0..1 = 0
  setup { b1 = 1 }
  move OVER { k = k + 1 }
}

position home of Line { _ _ _ | 3 }

claim good of Line "as it should be" { invariant total(pit) = seeds }
claim bad of Line "not so" { unreachable WON }
claim vacuous of Line { unreachable a1 = 1 and a1 = 2 }
claim sweep of Line { expect refuted  for seeds in 1..2: unreachable WON }
claim limited of Line { terminates within 9 }
claim listed of Line { predecessors(WON) = { a1 = 3 } }
claim broken of Over { terminates }
claim left of Line { terminates }
`

func sources() map[string][]byte { return map[string][]byte{gameFile: []byte(game)} }

// read makes an item of each instance of the claims in a text.
func read(t rapid.TB, src string) (items []*suite.Item) {
	t.Helper()
	program, diags := dsl.Load(gameFile, func(string) ([]byte, error) { return []byte(src), nil })
	unit, more := build.Collect(program.Files)
	for _, decl := range unit.Claims {
		claim, wrong := unit.Claim(decl)
		for _, inst := range claim.Instances(nil, &wrong) {
			items = append(items, &suite.Item{File: gameFile, Instance: inst})
		}
		more = append(more, wrong...)
	}
	if err := append(diags, more...).Err(); err != nil {
		t.Fatal(err)
	}
	return items
}

// sample is a run with every outcome, decided by the engines but for the bounded verdict.
func sample(t rapid.TB) *suite.Report {
	t.Helper()
	rep := &suite.Report{}
	for _, i := range read(t, game) {
		rep.Items = append(rep.Items, sampleItem(i.Instance))
	}
	var unread diag.List
	unread.Errorf(diag.Unreadable, diag.Range{File: "missing.sow"}, "cannot read the file: %s", nasty).WithHelp("two\nlines")
	rep.Items = append(rep.Items, &suite.Item{File: "missing.sow", Err: unread})
	return rep
}

func sampleItem(inst *build.Instance) *suite.Item {
	item := &suite.Item{File: gameFile, Instance: inst}
	var opt proofs.Options
	switch inst.Claim.Name {
	case "limited":
		opt.MaxStates = 1
	case "left":
		item.Skipped = true
		return item
	case "bad":
		inst.Claim.Label = nasty
	}
	item.Result, item.Err = proofs.Decide(context.Background(), inst, opt)
	return item
}

// wantKinds has the results of the claims of game, found by hand: bad has a play, listed leaves
// predecessors out and lists one that is none, limited reached its limit.
var wantKinds = []string{
	"", unexpectedClaim, vacuousClaim, "", "", inconclusiveClaim, unexpectedClaim, failedClaim, "", failedClaim,
}

func TestFindingKinds(t *testing.T) {
	rep := sample(t)
	if len(rep.Items) != len(wantKinds) {
		t.Fatalf("%d items", len(rep.Items))
	}
	for n, i := range rep.Items {
		if got := findingKind(i); got != wantKinds[n] {
			t.Errorf("%s: %q (%v)", entryOf(i).title(), got, i.Err)
		}
	}
	want := "10 claims: 4 as expected (2 refuted), 1 unchanged, 1 vacuous, 1 inconclusive, 2 not as expected, 2 failed"
	text, _ := tally(rep)
	if got, _, _ := strings.Cut(text, ";"); got != want {
		t.Error(got)
	}
}

// TestUsefulFirst: what is new comes before the next of its kind, mistakes before verdicts, and
// what is sure before what is open.
func TestUsefulFirst(t *testing.T) {
	rep := sample(t)
	sweep := rep.Items[3:5]
	for _, i := range sweep {
		i.Instance.Claim.Refuted = false
	}
	var two diag.List
	two.Errorf(diag.Unreadable, diag.Range{File: "two.sow"}, "first")
	two.Errorf(diag.Unreadable, diag.Range{File: "two.sow", Start: diag.Pos{Line: 2}}, "second")
	rep.Items = append(rep.Items, &suite.Item{File: "two.sow", Err: two})
	var got []string
	for _, f := range usefulFirst(findings(rep)) {
		got = append(got, strings.TrimSpace(f.item.Name()+" "+f.fault.Message))
	}
	broken, missing := faults(rep.Items[7])[0].Message, faults(rep.Items[9])[0].Message
	want := []string{
		"broken " + broken, "(file) " + missing, "(file) first", "bad", "sweep[seeds=1]", "listed", "limited", "vacuous",
		"(file) second", "sweep[seeds=2]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if text := headline(rep.Items[10]); !strings.HasSuffix(text, "failed: first, and 1 more mistake") {
		t.Error(text)
	}
}

type writeFormat func(io.Writer, *suite.Report, map[string][]byte) error

var formats = map[string]writeFormat{"junit": JUnit, "sarif": SARIF, "github": GitHub, "summary": GitHubSummary}

func written(t rapid.TB, write writeFormat, rep *suite.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, rep, sources()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// placeOf is the line and the column of the only place where text stands in the game.
func placeOf(text string) (line, column int) {
	before, _, _ := strings.Cut(game, text)
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndex(before, "\n")
}

// TestSameBytes: only JUnit has times, and nothing else differs between runs.
func TestSameBytes(t *testing.T) {
	rep := sample(t)
	times := regexp.MustCompile(` time="[0-9.]*"`)
	for _, name := range slices.Sorted(maps.Keys(formats)) {
		first := written(t, formats[name], rep)
		for _, i := range rep.Items {
			if i.Result != nil {
				i.Result.Stats.Elapsed += 1500 * time.Millisecond
				i.Result.Stats.Bytes++
				i.Cached = !i.Cached
			}
		}
		second := written(t, formats[name], rep)
		if name == "junit" {
			first, second = times.ReplaceAll(first, nil), times.ReplaceAll(second, nil)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s differs:\n%s\n%s", name, first, second)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	for name, write := range formats {
		if err := write(full{}, sample(t), sources()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// labelIn reads the label out of "name "label": …", where it is quoted as in Go.
func labelIn(t rapid.TB, text, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, name+` "`)
	quoted, err := strconv.QuotedPrefix(`"` + rest)
	label, err2 := strconv.Unquote(quoted)
	if !ok || err != nil || err2 != nil {
		t.Fatalf("no label in %q", text)
	}
	return label
}

// TestAnyText: whatever the label, the reason and the evidence, each format is read back with that
// label and as many findings.
func TestAnyText(t *testing.T) {
	rep := sample(t)
	bad := rep.Items[1]
	rapid.Check(t, func(rt *rapid.T) {
		label := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune(nasty+"\n\r\t\x00\u2028-=>")))).
			Filter(func(s string) bool { return s != "" }).Draw(rt, "label")
		bad.Instance.Claim.Label = label
		text := rapid.StringOf(rapid.SampledFrom([]rune("\n\r\t \x1b\x00.:%#-,|a{}[]()\ufffe"))).Draw(rt, "text")
		bad.Result.Found, bad.Result.Trace.Steps[0].Label = verdict.Best{Positions: 1, Moves: []string{text}}, text

		cases := readJUnit(rt, written(rt, JUnit, rep))
		if got := labelIn(rt, cases[1].Failure.Message, "bad"); got != label || len(cases) != len(rep.Items) {
			rt.Errorf("junit: %q", got)
		}
		results := readSARIF(rt, written(rt, SARIF, rep)).Results
		if got := labelIn(rt, readMessage(results[0].Message.Text), "bad"); got != label || len(results) != 6 {
			rt.Errorf("sarif: %q", got)
		}
		commands := readCommands(rt, written(rt, GitHub, rep))
		if got := labelIn(rt, commands[2].message, "bad"); got != label || len(commands) != 6 {
			rt.Errorf("github: %q", got)
		}
		if got := labelIn(rt, commands[2].properties["title"], "bad"); got != label {
			rt.Errorf("github, title: %q", got)
		}
		if got := readSummary(rt, written(rt, GitHubSummary, rep)); len(got) != len(rep.Items) || labelIn(rt, got[1][1], "bad") != label {
			rt.Errorf("summary: %q", got)
		}
	})
}

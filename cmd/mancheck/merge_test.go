package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/cmd/internal/shard"
	"github.com/mancheck/mancheck/internal/tier"
)

// cold are options that disable what is kept from earlier runs.
var cold = []string{"--cache", "off", "--solver-steps", "100_000"}

// ran runs a command, and returns its status and its output.
func ran(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// inShards decides all n shards of a run, and returns their reports.
func inShards(t testing.TB, n int, args ...string) (reports []string) {
	t.Helper()
	dir := t.TempDir()
	for i := 1; i <= n; i++ {
		path := filepath.Join(dir, fmt.Sprintf("%d.json", i))
		_, _, errs := ran(slices.Concat(args, []string{"--shard", fmt.Sprintf("%d/%d", i, n), "--report", "json=" + path})...)
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%v: %s", err, errs)
		}
		reports = append(reports, path)
	}
	return reports
}

// written returns the reports of a command in all formats, its diagnostics, and its status.
func written(t testing.TB, args ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	formats := []string{"json", "junit", "sarif", "github"}
	for _, f := range formats {
		args = append(args, "--report", f+"="+filepath.Join(dir, f))
	}
	code, out, errs := ran(args...)
	all := map[string]string{"status": fmt.Sprint(code), "text": out, "diagnostics": errs}
	for _, f := range formats {
		text, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatalf("%q: status %d: %v: %s", args, code, err, errs)
		}
		all[f] = timings.ReplaceAllString(string(text), "")
	}
	return all
}

// TestMergeIsTheWhole: for any number of shards, the merged reports in all formats, and the status,
// are those of one run.
func TestMergeIsTheWhole(t *testing.T) {
	t.Parallel()
	suites := []struct {
		args   []string
		counts []int
	}{
		{[]string{"prove", "../../examples/dose2015.sow", "../../examples/tchoukaillon.sow"}, []int{7, 1, 2, 60}},
		{[]string{"check", "../../examples/dose2015.sow", "--claim", "thesis", "--claim", "narrow_refuted"}, []int{5, 1}},
		{[]string{"prove", "../../proofs/testdata/wrong", "--strict", "--max-states", "300", "--engine", "backward"}, []int{2, 7}},
		{[]string{"prove", "../../examples"}, []int{7, 1, 2}},
	}
	for _, suite := range tier.First(suites, 3, 3) {
		args := slices.Concat(suite.args, cold)
		whole := written(t, args...)
		for _, n := range tier.First(suite.counts, 1, min(2, len(suite.counts))) {
			merged := written(t, slices.Concat([]string{"merge", "reports"}, inShards(t, n, args...))...)
			for what, text := range merged {
				if text != whole[what] {
					t.Errorf("%q with %d shards: %s: %s\nwant\n%s", args, n, what, text, whole[what])
				}
			}
		}
	}
}

// TestMergeRefuses: a report that was changed or truncated anywhere is refused, unless only white
// space has changed.
func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	reports := inShards(t, 2, slices.Concat([]string{"prove", small(t)}, cold)...)
	whole, err := os.ReadFile(reports[1])
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := ran("merge", "reports", reports[0], reports[1], "--format", "json")
	changed := filepath.Join(t.TempDir(), "changed.json")
	refused := func(t interface{ Fatalf(string, ...any) }, text []byte) {
		if err := os.WriteFile(changed, text, 0o666); err != nil {
			t.Fatalf("%v", err)
		}
		code, out, errs := ran("merge", "reports", reports[0], changed)
		if code == exitFailed && out == "" && strings.Contains(errs, changed) && strings.Contains(errs, "help: ") {
			return
		}
		if _, got, _ := ran("merge", "reports", reports[0], changed, "--format", "json"); !sameJSON(text, whole) || got != want {
			t.Fatalf("status %d: %s%s", code, out, errs)
		}
	}
	for _, size := range []int{0, 1, len(whole) / 2, len(whole) - 3} {
		refused(t, whole[:size])
	}
	rapid.Check(t, func(t *rapid.T) {
		text := bytes.Clone(whole)
		if at := rapid.IntRange(0, len(text)-1).Draw(t, "at"); rapid.Bool().Draw(t, "cut") {
			text = text[:at]
		} else {
			text[at] ^= byte(1 << rapid.IntRange(0, 7).Draw(t, "bit"))
		}
		refused(t, text)
	})
}

// TestMergeForged: if data and digest of a report are changed together, the report contradicts
// itself.
func TestMergeForged(t *testing.T) {
	t.Parallel()
	path := inShards(t, 1, slices.Concat([]string{"prove", small(t)}, cold)...)[0]
	build, err := thisBuild()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	forge := func(change func(*shard.Header, *shard.Content)) (code int, errs string) {
		read, err := shard.Read([]string{path}, build)
		if err != nil {
			t.Fatal(err)
		}
		h, c := read[0].Header, read[0].Content
		change(&h, &c)
		h.Content = c.Pack()
		var doc struct {
			Schema  int             `json:"schema"`
			Results json.RawMessage `json:"results"`
			Summary json.RawMessage `json:"summary"`
			Shard   shard.Header    `json:"shard"`
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		doc.Shard = h.Seal()
		forged := filepath.Join(t.TempDir(), "forged.json")
		if err := os.WriteFile(forged, objectText(doc), 0o666); err != nil {
			t.Fatal(err)
		}
		code, out, errs = ran("merge", "reports", forged)
		return code, errs
	}
	for name, change := range map[string]func(*shard.Header, *shard.Content){
		"another verdict": func(_ *shard.Header, c *shard.Content) {
			v := string(c.Results[0].Verdict)
			other := strings.Replace(v, `"status":"proved"`, `"status":"refuted"`, 1)
			if other == v {
				t.Fatalf("no verdict is proved: %s", v)
			}
			c.Results[0].Verdict = json.RawMessage(other)
		},
		"a result less":    func(_ *shard.Header, c *shard.Content) { c.Results = c.Results[1:] },
		"a result twice":   func(_ *shard.Header, c *shard.Content) { c.Results = append(c.Results, c.Results[0]) },
		"no such verdict":  func(_ *shard.Header, c *shard.Content) { c.Results[0].Verdict = json.RawMessage("{}") },
		"no verdict":       func(_ *shard.Header, c *shard.Content) { c.Results[0].Verdict = nil },
		"another order":    func(_ *shard.Header, c *shard.Content) { slices.Reverse(c.Results) },
		"skipped":          func(_ *shard.Header, c *shard.Content) { c.Results[0].Skipped = true },
		"another file":     func(_ *shard.Header, c *shard.Content) { c.Texts.Files[0].Path = "other.sow" },
		"no text":          func(_ *shard.Header, c *shard.Content) { clear(c.Texts.Texts) },
		"an edited text":   func(_ *shard.Header, c *shard.Content) { edit(c.Texts.Texts) },
		"no files":         func(_ *shard.Header, c *shard.Content) { c.Texts = nil },
		"another number":   func(h *shard.Header, _ *shard.Content) { h.Items++ },
		"another digest":   func(h *shard.Header, _ *shard.Content) { h.Digest = strings.Repeat("0", 64) },
		"no such shard":    func(h *shard.Header, _ *shard.Content) { h.Index = 2 },
		"too many shards":  func(h *shard.Header, _ *shard.Content) { h.Of = 1 << 40 },
		"another claim":    func(h *shard.Header, _ *shard.Content) { h.Settings.Claims = []string{"none"} },
		"other JSON":       func(h *shard.Header, _ *shard.Content) { h.Settings.Summary = false },
		"none of 0 shards": func(h *shard.Header, _ *shard.Content) { h.Index, h.Of = 0, 0 },
	} {
		if code, errs := forge(change); code != exitFailed || !strings.Contains(errs, "error[F009]: the report is damaged: ") {
			t.Errorf("%s: status %d, %s", name, code, errs)
		}
	}
	unchanged, errs := forge(func(*shard.Header, *shard.Content) {})
	if unchanged == exitFailed {
		t.Errorf("unchanged: %s", errs)
	}
	want := out
	for seed := range phasetest.Runs(20) {
		var what string
		code, errs := forge(func(_ *shard.Header, c *shard.Content) {
			r := rand.New(rand.NewPCG(seed, 1))
			v := &c.Results[r.IntN(len(c.Results))].Verdict
			what, *v = phasetest.Change(r, *v)
		})
		if code != exitFailed && (code != unchanged || out != want) || strings.Contains(errs, "internal error") {
			t.Errorf("%s: status %d, %s%s", what, code, out, errs)
		}
	}
}

// edit adds a comment to all texts.
func edit(texts map[string][]byte) {
	for path, text := range texts {
		texts[path] = append(slices.Clone(text), "// edited\n"...)
	}
}

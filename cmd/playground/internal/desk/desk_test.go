package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/playground/internal/desk"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

const root = "../../../.."

// bounds are those of the desk.
var bounds = limit.Bounds{MaxStates: desk.DefaultLimits.States, MaxMemory: desk.DefaultLimits.Memory}

// library reads the files that come with the playground.
func library(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow", "proofs/*.csv"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.ToSlash(name)] = string(text)
		}
	}
	return files
}

func newDesk(t *testing.T) *desk.Desk {
	t.Helper()
	limits := desk.DefaultLimits
	limits.Reading = time.Hour // the machine may be busy
	d := desk.New(limits)
	d.Library = library(t)
	return d
}

func file(t *testing.T, d *desk.Desk, path string) desk.Source {
	t.Helper()
	text, known := d.Library[path]
	if !known {
		t.Fatalf("there is no %s", path)
	}
	return desk.Source{Path: path, Text: text}
}

// ask asks a question, and returns the answer with what was told before.
func ask[T any](t *testing.T, d *desk.Desk, q desk.Question) (out T, told []any) {
	t.Helper()
	text, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	answer := d.Answer(t.Context(), text, func(part any) { told = append(told, part) })
	var failed desk.Failure
	if err := json.Unmarshal(answer, &failed); err != nil {
		t.Fatal(err)
	}
	if _, wanted := any(out).(desk.Failure); failed.Error != "" && !wanted {
		t.Fatalf("%s: %s", q.Ask, failed.Error)
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatal(err)
	}
	return out, told
}

// TestVerdicts: the playground finds what the command line does, and says it in the same words.
func TestVerdicts(t *testing.T) {
	d := newDesk(t)
	var paths []string
	for path := range d.Library {
		if dir := filepath.Dir(path); dir == "examples" || path == "proofs/dose2015.sow" || path == "proofs/rice.sow" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for n, path := range paths {
		if n%tier.Every(6, 4) != 0 {
			continue
		}
		t.Run(path, func(t *testing.T) {
			if strings.HasPrefix(path, "proofs/") {
				tier.Long(t, "the larger boards of the proof files")
			}
			if diff := cmp.Diff(rows(t, d, path), decided(t, d, file(t, d, path))); diff != "" {
				t.Errorf("the command line says other than the playground:\n%s", diff)
			}
		})
	}
}

// decided decides all claims of a text.
func decided(t *testing.T, d *desk.Desk, src desk.Source) (list []report.Row) {
	_, told := ask[desk.Decided](t, d, desk.Question{Ask: "decide", Source: src})
	for _, part := range told {
		if v, is := part.(*desk.Verdict); is {
			list = append(list, v.Row)
		}
	}
	return list
}

// rows are those of the command line.
func rows(t *testing.T, d *desk.Desk, path string) (list []report.Row) {
	t.Helper()
	reader := input.NewReader(strings.NewReader(""))
	reader.Allowed = []string{root}
	f, diags := reader.File(filepath.Join(root, path))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	items, _ := f.Items(nil, nil)
	for _, i := range items {
		if i.Instance != nil && i.Instance.Claim.Long {
			i.Long, i.Skipped = true, true
		}
	}
	for _, i := range suite.Run(t.Context(), items, suite.Options{Decide: proofs.Options{Bounds: bounds}}).Items {
		list = append(list, report.RowOf(i))
	}
	return list
}

// TestMoved: what is told of a move, seed by seed, makes the state that it leads to of the one
// before; in random plays of all games.
func TestMoved(t *testing.T) {
	d := newDesk(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var paths []string
	for path := range d.Library {
		if strings.HasSuffix(path, ".sow") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	steps := 0
	for n, path := range paths {
		if n%tier.Every(18, 6) != 0 {
			continue
		}
		src := file(t, d, path)
		checked, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: src})
		for _, v := range checked.Variants {
			game := desk.Game{Variant: v.Name}
			for range 12 {
				p, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: src, Game: game})
				for _, s := range p.Steps {
					steps += len(s.Moved)
				}
				replayed(t, path, &p)
				if len(p.Legal) == 0 {
					break
				}
				game.Moves = append(game.Moves, p.Legal[rng.IntN(len(p.Legal))].Move)
			}
		}
	}
	if steps < 1000 {
		t.Errorf("only %d seeds and captures were told of", steps)
	}
}

type state struct {
	Pits map[string]int `json:"pits"`
}

func pits(t *testing.T, raw json.RawMessage) map[string]int {
	t.Helper()
	var s state
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return s.Pits
}

// replayed checks what is told of the steps of a play, and of the legal moves after it.
func replayed(t *testing.T, path string, p *desk.Position) {
	t.Helper()
	at := pits(t, p.Start)
	apply := func(before map[string]int, s desk.Step) map[string]int {
		after := map[string]int{}
		maps.Copy(after, before)
		for _, m := range s.Moved {
			if m.From != nil {
				after[*m.From] -= m.Seeds
			}
			if m.Into != nil {
				after[*m.Into] += m.Seeds
			}
		}
		if want := pits(t, s.State); !reflect.DeepEqual(after, want) {
			t.Errorf("%s: %s after %d moves gives %v, and not %v", path, s.Move, len(p.Steps), after, want)
		}
		return after
	}
	for _, s := range p.Steps {
		at = apply(at, s)
	}
	for _, s := range p.Legal {
		apply(at, s)
	}
}

// small is the game of the README.
var small = desk.Game{Variant: "Kalah", Params: map[string]any{"m": 3, "n": 2}}

// TestPosition plays what the README plays.
func TestPosition(t *testing.T) {
	d := newDesk(t)
	game := small
	game.Moves = []string{"2", "3", "1"}
	p, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: game})
	want := map[string]int{"north_store": 1, "north3": 3, "north2": 4, "north1": 0, "south1": 2, "south2": 0, "south3": 0, "south_store": 2}
	if got := pits(t, p.Steps[2].State); !reflect.DeepEqual(got, want) {
		t.Errorf("the moves lead to %v, and not to %v", got, want)
	}
	if p.Steps[2].Player != "North" || p.Mover != "North" || p.Over || p.Cut != "" || p.Worth != "margin" {
		t.Errorf("the position is %+v", p)
	}
	var moves []string
	for _, s := range p.Legal {
		moves = append(moves, s.Move+" in "+s.Pit)
	}
	if want := []string{"2 in north2", "3 in north3"}; !slices.Equal(moves, want) {
		t.Errorf("the legal moves are %q, and not %q", moves, want)
	}
	if len(p.Layout.Spots) != 8 {
		t.Errorf("the board has %d pits", len(p.Layout.Spots))
	}

	// What is illegal by now is cut off.
	game.Moves = []string{"2", "2", "2", "1"}
	p, _ = ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: game})
	if len(p.Steps) != 1 || !strings.Contains(p.Cut, "2") {
		t.Errorf("%d moves were made, and the rest is cut off because %q", len(p.Steps), p.Cut)
	}

	// A play may begin anywhere.
	game = small
	game.Start = json.RawMessage(`{"pits":{"north_store":9,"north3":0,"north2":0,"north1":1,"south1":0,"south2":0,"south3":1,"south_store":1},"control":{"mover":"South"}}`)
	game.Moves = []string{"3"}
	p, _ = ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: game})
	if !p.Over || len(p.Legal) != 0 || len(p.Scores) != 2 || p.Scores[0].Score != 2 || p.Scores[1].Score != 10 {
		t.Errorf("the end is %+v", p)
	}
}

// TestAnalysis: the values are those of the README.
func TestAnalysis(t *testing.T) {
	d := newDesk(t)
	q := desk.Question{Ask: "analyse", Source: file(t, d, "examples/kalah.sow"), Game: small, Time: 20_000}
	a, _ := ask[desk.Analysis](t, d, q)
	if a.Kind != "exact" || a.Value != "+4 (South by 4)" || !a.Done || a.Line[0] != "2" {
		t.Errorf("the value is %+v", a)
	}
	got := map[string]string{}
	for _, m := range a.Moves {
		if got[m.Move] = m.Kind + " " + m.Value; m.Best != (m.Move == "2") {
			t.Errorf("%s is best: %v", m.Move, m.Best)
		}
	}
	want := map[string]string{"1": "exact -8 (North by 8)", "2": "exact +4 (South by 4)", "3": "exact 0 (even)"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the moves are worth %v, and not %v", got, want)
	}

	// What is not proved is an estimate, and never looks like a value.
	q.Game, q.Time = desk.Game{}, 200
	a, _ = ask[desk.Analysis](t, d, q)
	if a.Kind != "estimate" || !strings.HasPrefix(a.Value, "about ") || len(a.Moves) != 6 {
		t.Errorf("the whole board: %+v", a)
	}

	// A solitaire is decided, or played at random.
	q.Source, q.Time = file(t, d, "examples/family/tchuka_ruma.sow"), 5000
	if a, _ = ask[desk.Analysis](t, d, q); a.Kind == "estimate" && a.Reason == "" || len(a.Moves) == 0 {
		t.Errorf("the solitaire: %+v", a)
	}
}

// TestHolds asks a claim of a position as the README does.
func TestHolds(t *testing.T) {
	d := newDesk(t)
	q := desk.Question{Ask: "holds", Source: file(t, d, "examples/kalah.sow"), Claim: "stores_grow", Game: desk.Game{Params: map[string]any{"m": 2, "n": 1}, Moves: []string{"2"}}}
	v, _ := ask[desk.Verdict](t, d, q)
	if v.Verdict != "proved" || v.Scope != "m=2, n=1, empty_capture=false" || v.Engine != "laws" || v.Found != "it follows from where seeds may go" {
		t.Errorf("the verdict is %+v", v.Row)
	}
	q.Claim = "positions_a"
	if f, _ := ask[desk.Failure](t, d, q); !strings.Contains(f.Error, "the claim is about m = 3, n = 3, and is not asked of this board") {
		t.Errorf("another board's claim: %q", f.Error)
	}
}

// TestEvidence: a refuted claim comes with the play that refutes it, which can be stepped through.
func TestEvidence(t *testing.T) {
	d := newDesk(t)
	src := file(t, d, "examples/dose2015.sow")
	_, told := ask[desk.Decided](t, d, desk.Question{Ask: "decide", Source: src, Claims: []string{"hole_in_the_rules"}})
	v := told[len(told)-1].(*desk.Verdict)
	if v.Standing != "good" || v.Verdict != "refuted" || len(v.Plays) != 1 || v.Plays[0].Ending != "stuck: there is no legal move" {
		t.Fatalf("the verdict is %+v", v)
	}
	var trace struct {
		Variant string
		Params  map[string]any
		Start   json.RawMessage
		Steps   []struct {
			Move  string
			State json.RawMessage
		}
	}
	if err := json.Unmarshal(v.Plays[0].Trace, &trace); err != nil {
		t.Fatal(err)
	}
	game := desk.Game{Variant: trace.Variant, Params: trace.Params, Start: trace.Start}
	for _, s := range trace.Steps {
		game.Moves = append(game.Moves, s.Move)
	}
	p, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: src, Game: game})
	if len(p.Steps) != 2 || p.Over || len(p.Legal) != 0 || p.Ending != "stuck: there is no legal move" {
		t.Errorf("the play ends in %+v", p)
	}
	if string(p.Steps[1].State) != string(trace.Steps[1].State) {
		t.Errorf("the play comes to %s, and not to %s", p.Steps[1].State, trace.Steps[1].State)
	}
}

// TestMistakes: every code has its place in the text.
func TestMistakes(t *testing.T) {
	d := newDesk(t)
	seen := 0
	for _, e := range diag.Explanations() {
		if e.Wrong == "" || strings.HasPrefix(string(e.Code), "V") || strings.HasPrefix(string(e.Code), "X") {
			continue // found by other commands, or in play
		}
		c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: desk.Source{Path: "game.sow", Text: e.Wrong}})
		i := slices.IndexFunc(c.Diagnostics, func(d desk.Diagnostic) bool { return d.Code == string(e.Code) })
		if i < 0 {
			continue
		}
		seen++
		if at := c.Diagnostics[i]; at.Where == "" && (at.From > at.To || at.To > len(utf16.Encode([]rune(e.Wrong)))) {
			t.Errorf("%s lies at %d to %d", e.Code, at.From, at.To)
		}
		if c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: desk.Source{Path: "game.sow", Text: e.Right}}); slices.ContainsFunc(c.Diagnostics, func(d desk.Diagnostic) bool { return d.Code == string(e.Code) }) {
			t.Errorf("%s is found in the text without the mistake", e.Code)
		}
	}
	if seen < 20 {
		t.Errorf("only %d kinds of mistakes were found", seen)
	}
}

// TestBrokenClaim: with a mistake of syntax in a claim the game is played, and the other claims are
// decided as without it. Elsewhere a mistake leaves nothing.
func TestBrokenClaim(t *testing.T) {
	d := newDesk(t)
	for _, path := range []string{"examples/kalah.sow", "examples/tchoukaillon.sow"} {
		whole := file(t, d, path)
		was, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: whole})
		game := desk.Game{Variant: was.Variants[0].Name}
		position, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: whole, Game: game})
		verdicts := decided(t, d, whole)
		for i, c := range was.Claims {
			if i%tier.Every(3, 1) != 0 {
				continue
			}
			broken := whole
			broken.Text = strings.Replace(whole.Text, "claim "+c.Name, "claim "+c.Name+" nonsense ", 1)
			is, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: broken})
			if !is.Read || len(is.Diagnostics) != 1 || len(is.Claims) != len(was.Claims) || len(is.Variants) != len(was.Variants) {
				t.Errorf("%s, %s: %+v", path, c.Name, is)
				continue
			}
			for k, other := range is.Claims {
				if other.Name != was.Claims[k].Name || other.Sound != (k != i) {
					t.Errorf("%s, %s: %+v", path, c.Name, other)
				}
			}
			p, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: broken, Game: game})
			if !reflect.DeepEqual(position, p) || len(p.Legal) == 0 {
				t.Errorf("%s, %s: another position: %+v", path, c.Name, p)
			}
			about := func(r report.Row) bool { return r.Name == c.Name || strings.HasPrefix(r.Name, c.Name+"[") }
			others := slices.DeleteFunc(slices.Clone(verdicts), about)
			got := decided(t, d, broken)
			at := slices.IndexFunc(got, about)
			if at < 0 || got[at].Mark != "✗" {
				t.Errorf("%s, %s: the claim with the mistake is %+v", path, c.Name, got)
				continue
			}
			if diff := cmp.Diff(others, slices.Delete(got, at, at+1)); diff != "" {
				t.Errorf("%s, %s: other verdicts:\n%s", path, c.Name, diff)
			}
		}
	}
	c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: desk.Source{Path: "game.sow", Text: "variant V {\nclaim c { never stuck }\n"}})
	if c.Read || len(c.Claims) > 0 {
		t.Errorf("a mistake in a variant: %+v", c)
	}
}

// TestPlaces: editors count in units of UTF-16.
func TestPlaces(t *testing.T) {
	d := newDesk(t)
	before := "// Ô Ăn Quan 𝄞 数\n"
	c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: desk.Source{Path: "game.sow", Text: before + "variant V { nonsense }\n"}})
	want := len(utf16.Encode([]rune(before + "variant V { ")))
	if len(c.Diagnostics) != 1 || c.Diagnostics[0].From != want || c.Diagnostics[0].To != want+len("nonsense") {
		t.Errorf("the mistake lies at %+v, and not at %d", c.Diagnostics, want)
	}
}

// TestImports: a text sees the library, and nothing else.
func TestImports(t *testing.T) {
	d := newDesk(t)
	c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: desk.Source{Path: "game.sow", Text: `import "examples/kalah.sow"` + "\n"}})
	if len(c.Diagnostics) > 0 || len(c.Variants) != 1 {
		t.Errorf("an import of the library: %+v", c)
	}
	for _, path := range []string{"/etc/passwd.sow", "../go.mod", "other.sow"} {
		c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: desk.Source{Path: "game.sow", Text: `import "` + path + `"` + "\n"}})
		if len(c.Diagnostics) != 1 || c.Diagnostics[0].Code != "F005" {
			t.Errorf("%s: %+v", path, c.Diagnostics)
		}
	}
}

// TestEdits: whatever is typed is answered within the limits, and never by a fault of the tool.
func TestEdits(t *testing.T) {
	d := newDesk(t)
	rng := rand.New(rand.NewPCG(3, 4))
	texts := []string{d.Library["examples/kalah.sow"], d.Library["examples/dose2015.sow"], d.Library["examples/family/o_an_quan.sow"]}
	for range 300 / tier.Every(20, 6) {
		text := []rune(texts[rng.IntN(len(texts))])
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(text))
			piece := []rune([]string{"", " ", "}", "{", "999999999", "\"", "ö", " and ", "param x = 7 in 1..", "in", "𝄞"}[rng.IntN(11)])
			text = slices.Concat(text[:at], piece, text[min(len(text), at+rng.IntN(12)):])
		}
		src := desk.Source{Path: "examples/family/edited.sow", Text: string(text)}
		c, _ := ask[desk.Checked](t, d, desk.Question{Ask: "check", Source: src})
		for _, m := range c.Diagnostics {
			if strings.Contains(m.Message, "internal error") {
				t.Errorf("%s in\n%s", m.Message, src.Text)
			}
		}
		for _, v := range c.Variants {
			if f, _ := ask[desk.Failure](t, d, desk.Question{Ask: "position", Source: src, Game: desk.Game{Variant: v.Name}}); strings.Contains(f.Error, "internal error") {
				t.Errorf("%s in\n%s", f.Error, src.Text)
			}
		}
	}
}

// TestRefused: questions that cannot be answered say so.
func TestRefused(t *testing.T) {
	d := newDesk(t)
	long := desk.Source{Path: "game.sow", Text: strings.Repeat("// long\n", desk.MaxText/8+1)}
	for _, q := range []desk.Question{
		{Ask: "check", Source: long},
		{Ask: "sing"},
		{Ask: "position", Source: desk.Source{Path: "game.sow", Text: "variant {"}},
		{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: desk.Game{Params: map[string]any{"m": "x"}}},
		{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: desk.Game{Params: map[string]any{"m": 0}}},
		{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: desk.Game{Start: json.RawMessage(`{"pits":{}}`)}},
		{Ask: "analyse", Source: file(t, d, "examples/kalah.sow"), Game: desk.Game{Moves: []string{"9"}}},
	} {
		if f, _ := ask[desk.Failure](t, d, q); f.Error == "" {
			t.Errorf("%s %s is answered", q.Ask, q.Source.Path)
		}
	}
	var failed desk.Failure
	if err := json.Unmarshal(d.Answer(t.Context(), []byte("{"), nil), &failed); err != nil || failed.Error == "" {
		t.Errorf("what is no question: %v, %v", failed, err)
	}
}

// TestStates: a claim that needs too many states is open, and says why.
func TestStates(t *testing.T) {
	limits := desk.DefaultLimits
	limits.States = 100
	d := desk.New(limits)
	d.Library = library(t)
	_, told := ask[desk.Decided](t, d, desk.Question{Ask: "decide", Source: file(t, d, "examples/kalah.sow"), Claims: []string{"positions_a"}})
	v := told[len(told)-1].(*desk.Verdict)
	if v.Verdict != "unknown" || v.Standing != "open" || !strings.Contains(v.Found, "100") {
		t.Errorf("the verdict is %+v", v.Row)
	}
}

// TestHostileTexts: a short text that stands for much work is answered. Of a sweep only the first
// game is looked at, and a sowing of 10^15 seeds, one by one, ends with the time for it.
func TestHostileTexts(t *testing.T) {
	limits := desk.DefaultLimits
	limits.Reading = 50 * time.Millisecond
	seeds := desk.Source{Path: "seeds.sow", Text: `variant V {
  board { a[1..3] | s   ring l = a, s }
  setup { each a = 1_000_000_000_000_000 }
  move { choose k in a  sow k along l, each drop { if last = s { } } }
  win when total(a) = 0
}
`}
	if f, _ := ask[desk.Failure](t, desk.New(limits), desk.Question{Ask: "position", Source: seeds}); !strings.Contains(f.Error, "longer than 50ms") {
		t.Errorf("the error is %q", f.Error)
	}
	sweeps := desk.Source{Path: "sweeps.sow", Text: `variant V {
  param n = 1 in 1..99999
  board { a[1..3] | s   ring l = a, s }
  setup { each a = 1 }
  move { choose x in a where x > 0  sow x along l }
  win when total(a) = 0
}
`}
	for i := range 200 {
		sweeps.Text += fmt.Sprintf("claim c%d { for n in 1..99999: unreachable total(s) = 9 }\n", i)
	}
	allocated := testing.AllocsPerRun(1, func() {
		if out, _ := ask[desk.Checked](t, newDesk(t), desk.Question{Ask: "check", Source: sweeps}); len(out.Diagnostics) > 0 || len(out.Claims) != 200 {
			t.Errorf("%d claims, %v", len(out.Claims), out.Diagnostics)
		}
	})
	if allocated > 10_000_000 { // 200 sweeps of 99,999 games take more
		t.Errorf("%.0f allocations", allocated)
	}
}

// TestStopped: the end of the context ends an analysis with what is known.
func TestStopped(t *testing.T) {
	d := newDesk(t)
	ctx, stop := context.WithCancel(t.Context())
	q, err := json.Marshal(desk.Question{Ask: "analyse", Source: file(t, d, "examples/kalah.sow"), Time: int(time.Hour.Milliseconds())})
	if err != nil {
		t.Fatal(err)
	}
	var a desk.Analysis
	if err := json.Unmarshal(d.Answer(ctx, q, func(any) { stop() }), &a); err != nil || len(a.Moves) != 6 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestStarts: a setup with several starts offers them one after another, those with a move first of
// all; after the last one comes the first.
func TestStarts(t *testing.T) {
	d := newDesk(t)
	q := desk.Question{Ask: "position", Source: desk.Source{Path: "game.sow", Text: `variant V {
  board { a | b }
  setup { any where total(pit) = 2 }
  move { choose from in pit where from > 1 take 1 from from into b }
}
`}}
	var list []string
	for q.Game.Setup = range 4 {
		p, _ := ask[desk.Position](t, d, q)
		at := pits(t, p.Start)
		list = append(list, fmt.Sprint(at["a"], at["b"], p.Several, len(p.Legal)))
	}
	if want := []string{"0 2 true 1", "2 0 true 1", "0 2 true 1", "2 0 true 1"}; !slices.Equal(list, want) {
		t.Errorf("the starts are %q, and not %q", list, want)
	}
	// Where no start has a move there is still a board.
	q.Source.Text, q.Game.Setup = strings.ReplaceAll(q.Source.Text, "from > 1", "from > 2"), 3
	if p, _ := ask[desk.Position](t, d, q); p.Claims == nil || p.Several || len(p.Legal) > 0 || p.Ending == "" {
		t.Errorf("without a move: %+v", p)
	}
}

// TestMany: a board with very many seeds is answered, without the way of each of them.
func TestMany(t *testing.T) {
	d := newDesk(t)
	game := desk.Game{Params: map[string]any{"n": 100_000}, Moves: []string{"1"}}
	p, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/kalah.sow"), Game: game})
	if len(p.Steps) != 1 || len(p.Steps[0].Moved) > 0 || p.Steps[0].Pit != "south1" || len(p.Legal) != 6 {
		t.Errorf("%d steps, %d legal moves", len(p.Steps), len(p.Legal))
	}
}

// TestChosen: a move that first of all chooses a pit begins there, though no seed moves.
func TestChosen(t *testing.T) {
	d := newDesk(t)
	p, _ := ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/dose2015.sow")})
	if s := p.Legal[0]; s.Move != "hole01" || s.Pit != "hole01" || len(s.Moved) > 0 {
		t.Errorf("the first move is %+v", s)
	}
	p, _ = ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/dose2015.sow"), Game: desk.Game{Moves: []string{"hole03"}}})
	for _, s := range p.Legal {
		if s.Pit != "hole03" {
			t.Errorf("%s begins in %q", s.Move, s.Pit)
		}
	}
	// One house has a single seed: the one across is captured before that is sown.
	start := `{"pits": {"north_store": 19, "north6": 3, "north5": 3, "north4": 0, "north3": 0, "north2": 0, "north1": 2,
		"south1": 1, "south2": 2, "south3": 0, "south4": 0, "south5": 0, "south6": 0, "south_store": 18}, "control": {"mover": "South"}}`
	p, _ = ask[desk.Position](t, d, desk.Question{Ask: "position", Source: file(t, d, "examples/family/achochodi.sow"), Game: desk.Game{Start: json.RawMessage(start)}})
	for _, s := range p.Legal {
		if s.Pit != s.Move {
			t.Errorf("%s of Achochodi begins in %q", s.Move, s.Pit)
		}
	}
}

// TestAtPlace: proposals and meanings have places as the browser counts them, and an offset from
// outside is no fault.
func TestAtPlace(t *testing.T) {
	const text = "// ä𝄞\nvariant V {\n  pla"
	d := desk.New(desk.DefaultLimits)
	ask := func(what string, at int, out any) {
		t.Helper()
		q, err := json.Marshal(desk.Question{Ask: what, Source: desk.Source{Path: "a.sow", Text: text}, At: at})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(d.Answer(t.Context(), q, func(any) {}), out); err != nil {
			t.Fatal(err)
		}
	}
	var words desk.Proposals
	ask("complete", len(text), &words)
	if !slices.ContainsFunc(words.List, func(p editor.Proposal) bool { return p.Text == "player" }) || words.From != 21 || words.To != 24 {
		t.Errorf("proposed: %+v", words)
	}
	var word desk.Meaning
	ask("hover", strings.Index(text, "variant")+2, &word)
	if word.Text == "" || word.From != 7 || word.To != 14 {
		t.Errorf("said: %+v", word)
	}
	for _, at := range []int{-1, len(text) + 9} {
		ask("complete", at, &words)
		ask("hover", at, &word)
	}
}

// drain is a game whose plays can be counted by hand: seeds are taken from two houses, one by one.
// From 1 1 | 0 there are two moves; from 0 1 | 1 and 1 0 | 1 one, which ends the game.
const drain = `variant Drain {
  param n = 1 in 1..3
  board { a[1..2] | b }
  setup { each a = n }
  move { choose p in a where p > 0 take 1 from p into b }
  end when total(a) = 0
}
`

// TestCompare: two texts have the same names, and are compared as two variants of one file are.
func TestCompare(t *testing.T) {
	d := newDesk(t)
	compare := func(text, other string, n int, in string) *desk.Verdict {
		t.Helper()
		v, _ := ask[desk.Verdict](t, d, desk.Question{
			Ask: "compare", Source: desk.Source{Path: "drain.sow", Text: text}, Game: desk.Game{Variant: "Drain", Params: map[string]any{"n": n}},
			Rival: desk.Rival{Source: desk.Source{Path: "drain.sow", Text: other}, Variant: "Drain", Name: "Drain as opened", In: in},
		})
		return &v
	}
	sooner := strings.Replace(drain, "total(a) = 0", "b = 1", 1)
	for _, test := range []struct {
		name, text, other, in, verdict, found string
		n                                     int
		moves                                 []int
	}{
		{"the same", drain + "\n// a remark\n", drain, "play", "proved", "the plays are those of Drain as opened: 4 steps, 3 states", 1, nil},
		{"another default", drain, strings.Replace(drain, "n = 1", "n = 2", 1), "play", "proved", "the plays are those of Drain as opened: 4 steps, 3 states", 1, nil},
		{"an end", sooner, drain, "play", "refuted", "the game is over in Drain, and ", 1, []int{1, 1}},
		{"an end that is the same", strings.Replace(drain, "total(a) = 0", "b = 2", 1), drain, "result", "proved", "4 steps, 3 states", 1, nil},
		{"an end that is the same on a small board", strings.Replace(drain, "total(a) = 0", "b = 2", 1), drain, "result", "refuted", "after move 2", 2, []int{2, 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := compare(test.text, test.other, test.n, test.in)
			var moves []int
			for _, p := range v.Plays {
				var trace struct{ Steps []any }
				if err := json.Unmarshal(p.Trace, &trace); err != nil {
					t.Fatal(err)
				}
				moves = append(moves, len(trace.Steps))
			}
			if v.Verdict != test.verdict || !strings.Contains(v.Found, test.found) || !slices.Equal(moves, test.moves) {
				t.Errorf("%s: %s, with plays of %d moves", v.Verdict, v.Found, moves)
			}
		})
	}

	// One file with both says the same.
	one := desk.Source{Path: "both.sow", Text: drain + strings.Replace(sooner, "Drain", "Sooner", 1) + "claim c of Sooner { equivalent to Drain }\n"}
	_, told := ask[desk.Decided](t, d, desk.Question{Ask: "decide", Source: one, Claims: []string{"c"}})
	there := told[len(told)-1].(*desk.Verdict)
	here := compare(sooner, drain, 1, "play")
	words := strings.NewReplacer("Drain as opened", "Drain", "Drain", "Sooner")
	if got := words.Replace(here.Found); got != there.Found {
		t.Errorf("%q, and in one file %q", got, there.Found)
	}

	d = desk.New(desk.Limits{Reading: time.Hour, States: 2, Memory: 1 << 30})
	if v := compare(drain, drain+"\n", 3, "play"); v.Verdict != "unknown" || !strings.Contains(v.Found, "2 states") {
		t.Errorf("beyond the limit: %s, %s", v.Verdict, v.Found)
	}
}

// TestIncomparable: what cannot be compared is a mistake that is said.
func TestIncomparable(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct{ other, variant, in, want string }{
		{strings.Replace(drain, "board", "player A, B board", 1), "Drain", "play", "is a game for one player"},
		{strings.Replace(drain, "a[1..2] | b", "a[1..2] | b | c", 1), "Drain", "play", "no pit to compare with `c`"},
		{drain, "Drian", "play", "Drian"},
		{"variant Drain {", "Drain", "play", "expected"},
		{strings.Replace(drain, "1..3", "2..3", 1), "Drain", "play", "n"},
	} {
		failed, _ := ask[desk.Failure](t, d, desk.Question{
			Ask: "compare", Source: desk.Source{Path: "drain.sow", Text: drain}, Game: desk.Game{Variant: "Drain"},
			Rival: desk.Rival{Source: desk.Source{Path: "other.sow", Text: test.other}, Variant: test.variant, Name: "the other", In: test.in},
		})
		if !strings.Contains(failed.Error, test.want) || strings.Contains(failed.Error, "internal error") {
			t.Errorf("%q does not say %q", failed.Error, test.want)
		}
	}
}

// TestCoverage: a capture that is never made is found, as the script of `check --coverage` finds
// it. From 1 1 | 0 the two moves lead to 1 0 | 1 and 0 2 | 0; from there one each to 0 1 | 1 and 1
// 0 | 1, and from 0 1 | 1 one to 0 0 | 2. A seed falls into the last house, so that is never empty.
func TestCoverage(t *testing.T) {
	d := newDesk(t)
	const text = `// ä 🎲
variant Mutant {
  param m = 2 in 1..2
  board { house[1..m] | store   ring round = house, store }
  setup { each house = 1 }
  move {
    choose from in house where from > 0   sow from along round
    if last in house and last = 0 {
      capture last into store
    }
  }
  end when total(house) = 0
}
`
	type covered struct {
		Runs   []struct{ States, Complete any }
		Places []struct {
			Range   struct{ Start struct{ Line int } }
			Idle    string
			Reached *bool
		}
	}
	search := func(time int) (runs string, idle []string) {
		t.Helper()
		got, _ := ask[covered](t, d, desk.Question{Ask: "coverage", Source: desk.Source{Path: "mutant.sow", Text: text}, Time: time})
		for _, p := range got.Places {
			if p.Idle != "" {
				idle = append(idle, fmt.Sprintf("%d %s %t", p.Range.Start.Line, p.Idle, p.Reached == nil))
			}
		}
		return fmt.Sprint(got.Runs), idle
	}
	runs, idle := search(60_000)
	if want := []string{"8 never true true", "8 never true true", "9 never carried out false"}; runs != "[{5 true}]" || !slices.Equal(idle, want) {
		t.Errorf("%s: %q, want %q", runs, idle, want)
	}
	if runs, _ := search(0); runs != "[{0 false}]" {
		t.Errorf("without time: %s", runs)
	}
	d = desk.New(desk.Limits{Reading: time.Hour, States: 2, Memory: 1 << 30})
	if runs, _ := search(60_000); runs != "[{1 false}]" { // the start, which leads to two
		t.Errorf("beyond the limit: %s", runs)
	}
}

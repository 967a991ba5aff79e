//go:build !js

package main_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdpinput "github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	. "github.com/mancheck/mancheck/internal/webtest"
)

// site returns the folder of the playground. `make playground` makes it, which needs npm: without
// it the tests are left out.
func site(t *testing.T) string {
	t.Helper()
	InTier(t)
	dir, err := filepath.Abs("../../bin/playground")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "app.js")); err != nil {
		t.Skip("make playground has not been run")
	}
	return dir
}

// visitor is somebody at the page.
type visitor struct {
	t     *testing.T
	ctx   context.Context
	heard *Events
	home  string
}

// kalah is the fragment that opens the example of most tests.
const kalah = "#example=examples/kalah.sow"

// visit opens the playground with a fragment.
func visit(t *testing.T, fragment string) *visitor {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(site(t))))
	t.Cleanup(server.Close)
	v := &visitor{t: t, ctx: Browser(t), home: server.URL + "/index.html"}
	v.size(1440, 900)
	v.heard = Open(t, v.ctx, v.home+fragment)
	v.wait(ready)
	return v
}

const ready = `document.documentElement.dataset.ready === "true" && document.querySelector("#board .board") !== null && !document.getElementById("mistakes").hidden`

func (v *visitor) size(width, height int64) {
	v.t.Helper()
	Do(v.t, v.ctx, chromedp.EmulateViewport(width, height))
}

func (v *visitor) media(name, value string) {
	v.t.Helper()
	Call(v.t, v.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
}

func (v *visitor) wait(js string) {
	v.t.Helper()
	Wait(v.t, v.ctx, js)
}

// drop drops a file on the page. The text is an expression.
func (v *visitor) drop(name, text string) {
	v.t.Helper()
	v.bool(fmt.Sprintf(`(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([%s], %q));
  dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  return true;
})()`, text, name))
}

func (v *visitor) click(selector string) {
	v.t.Helper()
	Do(v.t, v.ctx, chromedp.Click(selector))
}

func (v *visitor) press(keys ...string) {
	v.t.Helper()
	for _, k := range keys {
		Do(v.t, v.ctx, chromedp.KeyEvent(k))
	}
}

func (v *visitor) insert(text string) {
	v.t.Helper()
	Call(v.t, v.ctx, cdpinput.InsertText, cdpinput.InsertTextParams{Text: text})
}

func (v *visitor) bool(js string) bool     { v.t.Helper(); return Eval[bool](v.t, v.ctx, js) }
func (v *visitor) text(js string) string   { v.t.Helper(); return Eval[string](v.t, v.ctx, js) }
func (v *visitor) number(js string) int64  { v.t.Helper(); return Eval[int64](v.t, v.ctx, js) }
func (v *visitor) list(js string) []string { v.t.Helper(); return Eval[[]string](v.t, v.ctx, js) }

const content = `document.getElementById("editor").shadowRoot.querySelector(".cm-content")`

// line goes to a line in the editor.
func (v *visitor) line(n int) {
	v.t.Helper()
	v.bool(content + `.focus(), true`)
	Do(v.t, v.ctx, chromedp.KeyEvent("g", chromedp.KeyModifiers(chromedp.ModifierAlt, chromedp.ModifierCtrl)))
	v.wait(`document.getElementById("editor").shadowRoot.querySelector(".cm-panel input") !== null`)
	v.insert(strconv.Itoa(n))
	v.press(kb.Enter)
	v.wait(`document.getElementById("editor").shadowRoot.querySelector(".cm-panel input") === null`)
	v.bool(content + `.focus(), true`)
}

// write replaces the whole text.
func (v *visitor) write(text string) {
	v.t.Helper()
	v.bool(content + `.focus(), true`)
	Do(v.t, v.ctx, chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.press(kb.Backspace) // the browser would keep the style of the first word
	v.insert(text)
}

// shot takes a picture into the folder SHOTS, if there is one, for somebody to look at.
func (v *visitor) shot(name string) {
	v.t.Helper()
	dir := os.Getenv("SHOTS")
	if dir == "" {
		return
	}
	out, err := chromedp.Call(v.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: "png"})
	if err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), out.Data, 0o666); err != nil {
		v.t.Fatal(err)
	}
}

// link is the fragment of a link that holds a file.
func link(t testing.TB, shared any) string {
	t.Helper()
	text, err := json.Marshal(shared)
	if err != nil {
		t.Fatal(err)
	}
	return packed(t, text)
}

func packed(t testing.TB, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "#v=test&z=" + base64.RawURLEncoding.EncodeToString(out.Bytes())
}

func claim(name string) string { return `#claims [data-claim="` + name + `"]` }

func decide(name string) string { return `#claims [data-key="decide ` + name + `"]` }

func verdict(name, class string) string {
	return fmt.Sprintf(`document.querySelector(%q) !== null`, claim(name)+" .verdict."+class)
}

// TestNewcomer: the first ten minutes. A claim is proved; with another rule it is refuted; the play
// that refutes it is stepped through; a link shows all that to somebody else.
func TestNewcomer(t *testing.T) {
	v := visit(t, kalah)
	v.click(decide("always_a_move"))
	v.wait(verdict("always_a_move", "good"))

	const before, after = "end when total(south) = 0 or total(north) = 0 {", "  end when total(south) = 0 and total(north) = 0 {"
	text, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.TrimSpace(line) == before })
	v.line(at + 1)
	Do(t, v.ctx, chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierShift)))
	v.insert(after)

	v.wait(`document.querySelector(` + strconv.Quote(claim("always_a_move")+".stale") + `) !== null`)
	if got := v.text(`document.getElementById("mistakes").textContent`); got != "no mistakes" {
		t.Errorf("there are %s", got)
	}
	v.click(decide("always_a_move"))
	v.wait(verdict("always_a_move", "bad"))
	v.shot("refuted")

	v.click(claim("always_a_move") + " .verdict button")
	v.wait(`document.activeElement.dataset.key === "forward"`)
	moves := int(v.number(`document.querySelectorAll("#board .history button").length`))
	if moves == 0 {
		t.Fatal("the play has no moves")
	}
	for n := range moves {
		v.press(kb.ArrowRight)
		v.wait(fmt.Sprintf(`document.querySelector("#board .where").textContent === "move %d of %d"`, n+1, moves))
	}
	v.wait(`document.querySelector("#board .strong").textContent.includes("stuck")`)
	v.shot("stuck")

	v.click("#share")
	v.wait(`document.getElementById("address") !== null`)
	address := v.text(`document.getElementById("address").value`)
	v.heard.Quiet(t)

	other := visit(t, address[strings.Index(address, "#"):])
	if got := other.text(content + `.textContent`); !strings.Contains(got, strings.TrimSpace(after)) {
		t.Error("the link has another text")
	}
	other.wait(fmt.Sprintf(`document.querySelectorAll("#board .history button").length === %d`, moves))
	other.wait(`document.querySelector("#board .strong").textContent.includes("stuck")`)
	if n := other.number(`document.querySelectorAll(".verdict").length`); n > 0 {
		t.Errorf("%d claims were decided that nobody asked for", n)
	}
	other.heard.Quiet(t)
}

// made plays a move that begins in a pit, by the keyboard.
func (v *visitor) made(pit string, moves int) {
	v.t.Helper()
	v.wait(fmt.Sprintf(`document.querySelector('#board [data-pit=%q]') !== null`, pit))
	Do(v.t, v.ctx, chromedp.Focus(`#board [data-pit="`+pit+`"]`), chromedp.KeyEvent(kb.Enter))
	v.wait(fmt.Sprintf(`document.querySelector("#board .where").textContent === "move %[1]d of %[1]d" && document.querySelector("#board .key") !== null`, moves))
}

// TestVariations: in the middle of a play another move begins a branch. Nothing is overwritten; a
// branch can be removed, and a link and a reload keep all lines.
func TestVariations(t *testing.T) {
	v := visit(t, kalah)
	for n, pit := range []string{"south3", "south1", "north2"} { // the first one moves again
		v.made(pit, n+1)
	}
	before := v.list(history)
	v.click(`#board [data-key="step 0"]`)
	v.wait(`document.querySelector("#board .where").textContent === "move 1 of 3"`)
	v.click(`#board [data-move="5"]`)
	v.wait(`document.querySelector("#board .where").textContent === "move 2 of 2"`)
	v.wait(`document.querySelector("#board .history .branch button[aria-current]")?.textContent === "2. South: 5"`)
	v.shot("variations")
	all := v.list(history)
	if want := append([]string{before[0], before[1], "2. South: 5"}, before[2:]...); !slices.Equal(all, want) {
		t.Errorf("the tree is %q, want %q", all, want)
	}
	v.click("#share")
	v.wait(`document.getElementById("address") !== null`)
	address := v.text(`document.getElementById("address").value`)
	v.press(kb.Escape)
	v.click(`#board .history [data-key^="other"]`)
	v.wait(`document.querySelector("#board .where").textContent === "move 2 of 3"`)
	v.press(kb.ArrowRight)
	v.wait(`document.querySelector("#board .where").textContent === "move 3 of 3"`)
	v.click(`#board .branch button`)
	v.wait(`document.querySelector("#board .where").textContent === "move 2 of 2"`)
	v.click(`#board [data-key="remove"]`)
	v.wait(`document.querySelector("#board .where").textContent === "move 1 of 3"`)
	if got := v.list(history); !slices.Equal(got, before) {
		t.Errorf("the play is %q, and was %q", got, before)
	}
	v.click("#hold")
	v.wait(`document.querySelector('#board [data-held="stores_grow"] .verdict.good') !== null`)
	v.wait(`document.querySelector('#board [data-held="positions_a"]').textContent.includes("is not asked of this board")`)
	v.heard.Quiet(t)

	other := visit(t, address[strings.Index(address, "#"):])
	other.wait(`document.querySelector("#board .where").textContent === "move 2 of 2"`)
	if got := other.list(history); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(all))) {
		t.Errorf("the link has %q, want %q", got, all)
	}
	other.heard.Quiet(t)
}

// TestSetUp: a position is set up by clicks and by keys, and played from.
func TestSetUp(t *testing.T) {
	v := visit(t, kalah)
	v.click(`[data-key="set up"]`)
	v.wait(`document.querySelectorAll('#board [data-pit]').length === 14`)
	v.click(`#board [data-pit="south_store"]`)
	v.click(`#board [data-pit="south_store"]`)
	v.click(`[data-key="tool 0"]`)
	Do(t, v.ctx, chromedp.Focus(`#board [data-pit="south2"]`), chromedp.KeyEvent(kb.Enter))
	v.wait(`document.querySelector("#board .where").textContent === "46 seeds"`)
	v.bool(`(() => { const s = document.querySelector('[data-key="mover"]'); s.value = "North"; s.dispatchEvent(new Event("change")); return true })()`)
	v.shot("set up")
	v.click(`[data-key="done"]`)
	v.wait(`document.querySelector("#board .strong").textContent === "North to move" && document.querySelector("#board .board").getAttribute("aria-label").includes("south_store 2")`)
	v.made("north1", 1)
	v.heard.Quiet(t)
}

// TestSeen: the last move and the rule that it went by are shown; the values of moves stand at
// their pits, and the board can be flipped.
func TestSeen(t *testing.T) {
	v := visit(t, kalah)
	v.made("south1", 1) // four seeds, into south5
	if n := v.number(`document.querySelectorAll("#board .state .path").length`); n != 1 {
		t.Errorf("the last move has %d arrows", n)
	}
	if got := v.list(`[...document.querySelectorAll("#board .change")].map(c => c.textContent)`); !slices.Equal(got, []string{"−4", "+1", "+1", "+1", "+1"}) {
		t.Errorf("the changes are %q", got)
	}
	if got := v.list(`[...document.querySelectorAll("#board .fired button")].map(b => b.textContent)`); !slices.Equal(got, []string{"sow from along ccw_with_stores, skip their store"}) {
		t.Errorf("the rules are %q", got)
	}
	v.made("north1", 2)
	v.click("#analysis")
	v.wait(`document.querySelectorAll("#board .state .worth").length > 0 && document.querySelectorAll("#board .state .worth.best").length === 1 && document.querySelector("#board .bar") !== null`)
	const top = `document.querySelector('#board [data-pit^="south"]').getBoundingClientRect().top - document.querySelector("#board .board").getBoundingClientRect().top`
	before := v.number(`Math.round(` + top + `)`)
	v.click(`[data-key="flip"]`)
	v.wait(fmt.Sprintf(`%s < %d - 40`, top, before))
	v.shot("flipped")
	v.heard.Quiet(t)
}

// TestThreat: what the player to move can capture is marked.
func TestThreat(t *testing.T) {
	text, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	start := `{"pits": {"north_store": 0, "north6": 0, "north5": 0, "north4": 0, "north3": 5, "north2": 0, "north1": 1, "south1": 0, "south2": 2, "south3": 0, "south4": 0, "south5": 0, "south6": 1, "south_store": 0}, "control": {"mover": "South"}}`
	v := visit(t, link(t, map[string]any{"path": "kalah.sow", "text": string(text), "game": map[string]any{"variant": "Kalah", "start": json.RawMessage(start)}}))
	if got := v.list(`[...document.querySelectorAll("#board .threat title")].map(e => e.textContent)`); !slices.Equal(got, []string{"north3 can be lost"}) {
		t.Errorf("threats: %q", got)
	}
	v.shot("threat")
}

// TestReadable: on a phone the pits of four rows can be hit and their numbers read, numbers and
// changes do not touch each other, and names are out of the way until somebody asks for them.
func TestReadable(t *testing.T) {
	v := visit(t, kalah)
	v.size(360, 740)
	for _, name := range []string{"hus_nama", "bao_kiswahili", "wari", "kalah_pie"} {
		Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+"#example=examples/family/"+name+".sow"))
		v.wait(ready)
		v.wait(settled)
		v.bool(`(document.querySelector("#board [data-move]").click(), true)`)
		v.wait(`document.querySelector("#board .where")?.textContent === "move 1 of 1" && document.querySelector("#board .change") !== null`)
		v.wait(settled)
		pit := v.number(`Math.round(Math.min(...[...document.querySelectorAll("#board .pit .hole")].map(h => h.getBoundingClientRect().width)))`)
		digits := v.number(`Math.round(10 * parseFloat(getComputedStyle(document.querySelector("#board .count")).fontSize) * document.querySelector("#board .board").getScreenCTM().a)`)
		if four := name == "hus_nama" || name == "bao_kiswahili"; four && pit < 36 || pit < 28 || digits < 120 {
			t.Errorf("%s: pits of %d pixels, numbers of %d tenths", name, pit, digits)
		}
		touching := v.list(`(() => {
  const box = t => [...Array(t.getNumberOfChars()).keys()].map(i => ({ text: t.textContent, b: t.getExtentOfChar(i), t }));
  const all = [...document.querySelectorAll("#board .state text")].flatMap(box), bad = [];
  for (const x of all) for (const y of all) if (x.t !== y.t && x.b.x + 1 < y.b.x + y.b.width && y.b.x + 1 < x.b.x + x.b.width && x.b.y + 5 < y.b.y + y.b.height && y.b.y + 5 < x.b.y + x.b.height) bad.push(x.text + " " + y.text);
  return bad;
})()`)
		if len(touching) > 0 {
			t.Errorf("%s: numbers touch: %q", name, touching)
		}
		if got := v.text(`getComputedStyle(document.querySelector("#board .name")).opacity`); got != "0" {
			t.Errorf("%s: names have the opacity %s", name, got)
		}
		v.shot("phone-" + name)
		if got := v.text(`document.querySelector("#board .game").textContent`); strings.Contains(got, "= false") || strings.Contains(got, "= none") {
			t.Errorf("%s: variables as they are called: %q", name, got)
		}
		v.click(`[data-key="names"]`)
		v.wait(`getComputedStyle(document.querySelector("#board .name")).opacity === "1"`)
	}
	v.heard.Quiet(t)
}

const history = `[...document.querySelectorAll("#board .history button")].map(b => b.textContent)`

// TestAnalysisAndOpponent: what moves are worth is labelled, and the computer answers a move.
func TestAnalysisAndOpponent(t *testing.T) {
	v := visit(t, kalah)
	v.click("#analysis")
	v.wait(`document.querySelectorAll("#board .moves .kind").length === 6 && document.querySelector("#board .analysis .kind") !== null`)
	v.shot("analysis")
	for _, kind := range v.list(`[...document.querySelectorAll("#board .kind")].map(k => k.textContent)`) {
		if !slices.Contains([]string{"exact", "bounded", "estimate"}, kind) {
			t.Errorf("a value is labelled %q", kind)
		}
	}
	v.click("#analysis")
	v.bool(`(() => { const s = document.getElementById("opponent"); s.value = "North"; s.dispatchEvent(new Event("change")); return true })()`)
	v.click(`#board [data-move="1"]`)

	v.wait(`document.querySelectorAll("#board .history button").length > 1 && document.querySelector("#board .strong").textContent.startsWith("South")`)
	v.heard.Quiet(t)
}

// TestAnswers: the page answers while a claim is decided, which can be stopped.
func TestAnswers(t *testing.T) {
	text, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, link(t, map[string]any{"path": "large.sow", "text": string(text) + "\nclaim large { with m = 5, n = 4\n count(states) = 1 }\n"}))
	v.click(decide("large"))
	v.wait(`document.querySelector("#claims .progress span")?.textContent.includes("states")`)
	for n, pit := range []string{"south3", "south1"} {
		v.wait(fmt.Sprintf(`document.querySelector('#board [data-pit=%q]') !== null`, pit))
		Do(t, v.ctx, chromedp.Focus(`#board [data-pit="`+pit+`"]`), chromedp.KeyEvent(kb.Enter))
		v.wait(fmt.Sprintf(`document.querySelectorAll("#board .history button").length === %d`, n+1))
	}
	if !v.bool(`document.querySelector("#claims .progress") !== null`) {
		t.Skip("the claim was decided before anything else")
	}
	v.click("#stop")
	v.wait(`document.querySelector("#claims .progress") === null`)
	if got := v.text(`document.querySelector(` + strconv.Quote(claim("large")+" .verdict.open p") + `).textContent`); !regexp.MustCompile(`unknown: interrupted, .*[\d,]+ states`).MatchString(got) {
		t.Errorf("the verdict on what was stopped is %q", got)
	}
	if n := v.number(`document.querySelectorAll(".verdict").length`); n != 1 {
		t.Errorf("there are %d verdicts", n)
	}
	v.click(decide("stores_grow"))
	v.wait(verdict("stores_grow", "good"))
	v.heard.Quiet(t)
}

// TestFiles: a file that is dropped on the page is shown, and comes back when the page is loaded
// again. One that is too large is refused.
func TestFiles(t *testing.T) {
	v := visit(t, kalah)
	drop := v.drop
	drop("large.sow", `"x".repeat(2 << 20)`)
	v.wait(`document.getElementById("toast").textContent.includes("longer than a megabyte")`)
	drop("mine.sow", `"variant Mine { board { a | b } setup { a = 1 } move { take 1 from a into b } }"`)
	v.wait(`document.getElementById("game").textContent.trim() === "Mine" && document.getElementById("path").textContent === "mine.sow"`)
	Do(t, v.ctx, chromedp.Navigate(v.home))
	v.wait(ready)
	v.wait(`document.getElementById("game").textContent.trim() === "Mine" && document.getElementById("path").textContent === "mine.sow"`)
	v.heard.Quiet(t)
}

// TestFailed: a worker whose program ends says so.
func TestFailed(t *testing.T) {
	v := visit(t, kalah)
	v.bool(`(window.failed = "", WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(program => {
  const worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => { window.failed = data.failed; };
  worker.postMessage({ program });
}), true)`)
	v.wait(`typeof window.failed === "string" && window.failed !== ""`)
}

// TestEdits: a hundred random edits, and the page still answers.
func TestEdits(t *testing.T) {
	v := visit(t, kalah)
	rng := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"}", "{", "9", "\"", " and ", "sow from along ", "param z = 3 in 1..\n", "// ", "in my house", "<b>", "𝄞", "choose x in house "}
	for range 100 {
		v.line(1 + rng.IntN(60))
		v.press([]string{kb.End, kb.Delete, kb.ArrowRight, kb.Backspace}[rng.IntN(4)])
		v.insert(pieces[rng.IntN(len(pieces))])
	}
	v.wait(`/mistake/.test(document.getElementById("mistakes").textContent)`)
	text, err := os.ReadFile("../../examples/oware.sow")
	if err != nil {
		t.Fatal(err)
	}
	v.write(string(text))
	v.wait(`document.getElementById("mistakes").textContent === "no mistakes" && document.getElementById("game").textContent.startsWith("Oware")`)
	v.heard.Quiet(t)
}

// TestHostileLinks: a link is text. It is not read as HTML, and does not fill the memory.
func TestHostileLinks(t *testing.T) {
	const bad = `<img src=x onerror="document.title='run'">`
	rules := `variant V "` + strings.ReplaceAll(bad, `"`, `'`) + `" { board { a | b } setup { a = 1 } move { take 1 from a into b } }` + "\n" +
		`claim c "<img src=x onerror=document.title=1>" { terminates }` + "\n" + bad
	v := visit(t, link(t, map[string]any{"path": bad + ".sow", "text": strings.TrimSuffix(rules, bad), "game": map[string]any{"variant": bad, "moves": []any{bad, 7}}}))
	if v.number(`document.querySelectorAll("img").length`) > 0 || v.text("document.title") != "mancheck playground" {
		t.Error("what the link holds was read as HTML")
	}
	if got := v.text(`document.getElementById("path").textContent`); got != "game.sow" {
		t.Errorf("the path is %q", got)
	}
	if v.number(`document.querySelectorAll(".verdict").length`) > 0 {
		t.Error("something was decided")
	}
	v.heard.Quiet(t)
	for name, fragment := range map[string]string{
		"a bomb": packed(t, make([]byte, 64<<20)), "no JSON": packed(t, []byte("{")), "no file": link(t, []int{1}), "damage": "#v=1&z=%%%", "null": link(t, nil),
		"no example": "#example=__proto__", "nor that": "#example=constructor",
	} {
		v := visit(t, fragment)
		if got := v.text(`document.getElementById("toast").textContent`); !strings.HasPrefix(got, "The link cannot be opened: ") {
			t.Errorf("%s: %q", name, got)
		}
		v.click(decide("conserved"))
		v.wait(verdict("conserved", "good"))
	}
}

// TestHangingLinks: a text that stands for very much work is given up, and another link is opened
// in the same page.
func TestHangingLinks(t *testing.T) {
	rules := func(seeds string) string {
		return "variant V {\n  board { a[1..3] | s   ring l = a, s }\n  setup { each a = " + seeds + " }\n" +
			"  move { choose k in a where k > 0  sow k along l, each drop { if last = s { } } }\n  win when total(a) = 0\n}\n"
	}
	hostile := link(t, map[string]any{"path": "seeds.sow", "text": rules("1_000_000_000_000_000")})
	good := link(t, map[string]any{"path": "good.sow", "text": rules("2")})
	v := visit(t, kalah)
	for range 2 {
		v.bool(`(location.hash = "` + hostile + `", true)`)
		v.wait(`/longer than/.test(document.getElementById("board").textContent)`)
		v.bool(`(location.hash = "` + good + `", true)`)
		v.wait(`document.getElementById("path").textContent === "good.sow" && document.querySelectorAll("#board [data-move]").length === 3`)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(site(t))))
	t.Cleanup(server.Close)
	Open(t, v.ctx, server.URL+"/index.html"+hostile)
	v.wait(`/longer than/.test(document.getElementById("board").textContent)`)
}

// TestExamples: the files of the menu can be opened and played, those that import others, too.
func TestExamples(t *testing.T) {
	v := visit(t, kalah)
	v.click("#examples")
	v.wait(`document.querySelector("#library[open] li") !== null`)
	v.shot("examples")
	if n := v.number(`document.querySelectorAll("#library li").length`); n < 50 {
		t.Errorf("there are %d examples", n)
	}
	for n := range v.number(`document.querySelectorAll("#library li").length`) {
		v.bool(fmt.Sprintf(`(document.querySelectorAll("#library li button")[%d].click(),
			document.getElementById("mistakes").hidden = true)`, n))
		v.wait(`!document.getElementById("mistakes").hidden && document.querySelector("#board .strong") !== null && document.querySelector("#board .problem") === null`)
		if got := v.list(`["mistakes", "path"].map(id => document.getElementById(id).textContent)`); got[0] != "no mistakes" {
			t.Errorf("%s has %s", got[1], got[0])
		}
		v.click("#examples")
		v.wait(`document.querySelector("#library[open] li") !== null`)
	}
	v.heard.Quiet(t)
}

// TestThesis: the thesis of the paper is decided by a worker that has started already.
func TestThesis(t *testing.T) {
	text, err := os.ReadFile("../../proofs/dose2015.sow")
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, link(t, map[string]any{"path": "proofs/dose2015.sow", "text": string(text)}))
	v.wait(`document.querySelector(` + strconv.Quote(decide("thesis_any")) + `)?.disabled === false`)
	began := time.Now()
	v.click(decide("thesis_any"))
	v.wait(verdict("thesis_any", "good"))
	t.Logf("ready after %d ms, decided %v after that", v.number(`Math.round(performance.getEntriesByName("ready")[0].startTime)`), time.Since(began))
	if got := v.text(`document.querySelector(` + strconv.Quote(claim("thesis_any")+" .verdict p") + `).textContent`); got != "✓ proved: closed set of 28 states" {
		t.Errorf("the verdict is %q", got)
	}
	v.click(decide("d2"))
	v.wait(verdict("d2", "open"))
	if got := v.text(`document.querySelector(` + strconv.Quote(claim("d2")+" .verdict") + `).textContent`); !strings.Contains(got, "needs a solver") {
		t.Errorf("a claim for a solver: %q", got)
	}
	v.heard.Quiet(t)
}

// settled is true after the editor has measured itself anew.
const settled = `new Promise(resolve => setTimeout(() => resolve(true), 200))`

// TestWidths: the page does not scroll sideways, in any panel.
func TestWidths(t *testing.T) {
	v := visit(t, kalah)
	v.click(decide("conservation"))
	v.wait(verdict("conservation", "good"))
	v.click("#analysis")
	v.wait(`document.querySelector("#board .analysis .kind") !== null`)
	for _, scheme := range []string{"light", "dark"} {
		v.media("prefers-color-scheme", scheme)
		for _, width := range []int64{360, 768, 1440} {
			v.size(width, 800)
			for _, panel := range []string{"editor-panel", "board-panel", "claims-panel"} {
				if width < 600 {
					v.click(`.tabs [data-panel="` + panel + `"]`)
				} else if panel != "editor-panel" {
					continue
				}
				v.wait(settled)
				if got := v.number(`document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s is %d wide on %d", panel, got, width)
				}
				v.shot(fmt.Sprintf("%d-%s-%s", width, scheme, panel))
			}
		}
	}
	v.heard.Quiet(t)
}

// TestKeyboard: everything can be reached by Tab.
func TestKeyboard(t *testing.T) {
	v := visit(t, kalah)
	want := []string{"skip", "new", "examples", "open", "save", "help", "share", "cm-content", "param m", "south1", "hold", "analysis", "opponent", "move 1", "again", "all", "name conservation", "decide conservation"}
	const where = `(e => e.shadowRoot?.activeElement ? "cm-content" : e.dataset.key || e.dataset.pit || e.id || e.className)(document.activeElement)`
	v.bool(`(document.activeElement.blur(), true)`)
	seen := []string{}
	for range 60 {
		v.press(kb.Tab)
		seen = append(seen, v.text(where))
	}
	at := 0
	for _, name := range seen {
		if at < len(want) && name == want[at] {
			at++
		}
	}
	if at < len(want) {
		t.Errorf("%s is not reached: %q", want[at], seen)
	}
	v.heard.Quiet(t)
}

// TestPlayedByKeys: who plays by keys goes on from the board, and from the list of moves; who
// decides a claim goes on from there.
func TestPlayedByKeys(t *testing.T) {
	v := visit(t, kalah)
	at := func(n int) {
		v.wait(fmt.Sprintf(`document.querySelector("#board .where").textContent === "move %[1]d of %[1]d"`, n))
	}
	v.bool(`(document.querySelector('#board [data-pit="south3"]').focus(), true)`)
	v.press(kb.Enter) // South moves again
	at(1)
	v.wait(`document.activeElement.dataset.pit?.startsWith("south") === true`)
	v.press(kb.ArrowRight, kb.Enter)
	at(2)
	v.wait(`document.activeElement.dataset.pit?.startsWith("north") === true`)
	v.bool(`(document.querySelector('#board [data-move="1"]').focus(), true)`)
	v.press(kb.Enter)
	at(3)
	v.wait(`document.activeElement.dataset.move !== undefined`)
	v.bool(`(document.querySelector(` + strconv.Quote(decide("stores_grow")) + `).focus(), true)`)
	v.press(kb.Enter)
	v.wait(verdict("stores_grow", "good"))
	v.wait(`document.activeElement.dataset.key === "decide stores_grow"`)
	v.heard.Quiet(t)
}

// TestHurry: who clicks while seeds are sown does no harm.
func TestHurry(t *testing.T) {
	v := visit(t, kalah)
	const click = `(name => document.querySelector("#board [" + name + "]").click())`
	v.bool(`(` + click + `('data-move="1"'), ` + click + `('data-move="2"'), true)`) // the second is that of nobody
	v.wait(`document.querySelector("#board .hand circle") !== null`)                 // seeds are under way
	v.bool(`(` + click + `('data-move="4"'), ` + click + `('data-key="One move back"'), true)`)
	v.wait(`document.querySelector("#board .where").textContent === "the start"`)
	v.bool(`(` + click + `('data-key="forward"'), ` + click + `('data-key="To the end"'), true)`)
	v.wait(`document.querySelector("#board .where").textContent === "move 1 of 1" && document.querySelector("#board .strong").textContent === "North to move"`)
	if got := v.list(history); !slices.Equal(got, []string{"1. South: 1"}) {
		t.Errorf("the moves are %q", got)
	}
	v.wait(`document.querySelectorAll('#board [data-pit^="north"]').length === 6`)
	v.heard.Quiet(t)
}

// TestAgain: what was decided is decided again after a change, if that is asked for.
func TestAgain(t *testing.T) {
	v := visit(t, kalah)
	v.click(decide("positions_a"))
	v.wait(verdict("positions_a", "good"))
	v.click(`[data-key="again"]`)
	text, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	v.write(strings.Replace(string(text), "27090", "27091", 1))
	v.wait(verdict("positions_a", "bad"))
	v.write(string(text))
	v.wait(verdict("positions_a", "good"))
	v.heard.Quiet(t)
}

// TestStillness: who wants less motion gets none.
func TestStillness(t *testing.T) {
	v := visit(t, kalah)
	v.media("prefers-reduced-motion", "reduce")
	v.bool(`(window.moved = 0, Element.prototype.animate = (animate => function (...a) { window.moved++; return animate.apply(this, a) })(Element.prototype.animate), true)`)
	v.click(`#board [data-move="1"]`)
	v.wait(`document.querySelector("#board .where").textContent === "move 1 of 1"`)
	if n := v.number("window.moved"); n > 0 {
		t.Errorf("%d things moved", n)
	}
	v.media("prefers-reduced-motion", "no-preference")
	v.click(`#board [data-move="1"]`)
	v.wait(`document.querySelector("#board .where").textContent === "move 2 of 2"`)
	if n := v.number("window.moved"); n == 0 {
		t.Error("nothing moved")
	}
}

// axeCore is the checker of accessibility, which is there if the page was built here.
func axeCore(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("web/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed")
	}
	return string(text)
}

// TestAxe: axe-core finds no serious fault, in any state of the page.
func TestAxe(t *testing.T) {
	axe := axeCore(t)
	v := visit(t, kalah)
	for _, scheme := range []string{"light", "dark"} {
		v.media("prefers-color-scheme", scheme)
		Accessible(t, v.ctx, axe)
	}
	v.click(decide("positions_a"))
	v.wait(verdict("positions_a", "good"))
	v.click("#analysis")
	v.wait(`document.querySelector("#board .analysis .kind") !== null`)
	v.write("variant V { nonsense }")
	v.wait(`document.getElementById("mistakes").textContent === "1 mistake"`)
	for _, scheme := range []string{"light", "dark"} {
		v.media("prefers-color-scheme", scheme)
		Accessible(t, v.ctx, axe)
	}
	v.click("#examples")
	v.wait(`document.querySelector("#library[open] li") !== null`)
	Accessible(t, v.ctx, axe)
}

const mine = `"variant Mine { board { a | b } setup { a = 1 } move { take 1 from a into b } }"`

// TestUndo: undo leads to earlier texts of the same file and no further, and what is saved has the
// name of the file that is shown.
func TestUndo(t *testing.T) {
	v := visit(t, "")
	undo := func() {
		v.bool(content + `.focus(), true`)
		for range 5 {
			Do(t, v.ctx, chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		}
	}
	undo()
	if got := v.text(content + `.textContent`); !strings.Contains(got, "variant FirstGame") {
		t.Errorf("undo leads to %q", got)
	}
	v.drop("mine.sow", mine)
	v.wait(`document.getElementById("game").textContent.trim() === "Mine"`)
	v.line(1)
	v.insert("// typed ")
	v.wait(content + `.textContent.startsWith("// typed ")`)
	v.click("#new")
	v.wait(`document.getElementById("game").textContent.startsWith("Game") && document.getElementById("path").textContent === "game.sow"`)
	undo()
	v.bool(`(window.saved = null, URL.createObjectURL = b => (window.blob = b, "about:blank#"), HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }, true)`)
	v.click("#save")
	v.wait(`window.saved === "game.sow"`)
	v.bool(`(window.blob.text().then(t => { window.text = t; }), true)`)
	v.wait(`window.text?.includes("variant Game") === true`)
	v.drop("mine.sow", mine) // what was typed there can be undone to
	v.wait(`document.getElementById("game").textContent.trim() === "Mine"`)
	v.bool(content + `.focus(), true`)
	Do(t, v.ctx, chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.wait(content + `.textContent.startsWith("// typed ")`)
	v.write(" ")
	v.wait(`document.getElementById("mistakes").hidden && document.querySelector("#board .board") === null && document.getElementById("board").textContent.includes("no game")`)
	v.heard.Quiet(t)
}

// TestFirst: who comes for the first time sees a game that can be played, whose one false claim is
// refuted by a play, and help.
func TestFirst(t *testing.T) {
	v := visit(t, "")
	v.click("#decide-all")
	v.wait(`document.getElementById("tally").textContent.startsWith("4 claims")`)
	v.wait(verdict("playable", "bad"))
	if n := v.number(`document.querySelectorAll(".verdict.good").length`); n != 3 {
		t.Errorf("%d claims are proved", n)
	}
	v.shot("first")
	v.click("#help")
	v.wait(`document.querySelector("#guide[open]") !== null`)
	v.shot("help")
	for _, address := range v.list(`[...document.querySelectorAll("#guide a")].map(a => a.href)`) {
		name := address[strings.LastIndex(address, "/")+1:]
		if _, err := os.Stat("../../docs/" + name); err != nil {
			t.Error(err)
		}
	}
	v.press(kb.Escape)
	v.wait(`document.querySelector("#guide[open]") === null`)
	v.heard.Quiet(t)
}

// TestMistake: the number of mistakes opens them, with what they mean.
func TestMistake(t *testing.T) {
	v := visit(t, kalah)
	v.write("variant V { nonsense }")
	v.wait(`document.getElementById("mistakes").textContent === "1 mistake"`)
	v.click("#mistakes")
	const message = `document.getElementById("editor").shadowRoot.querySelector(".cm-panel-lint .cm-diagnostic")`
	v.wait(message + `?.textContent.includes("nonsense") === true`)
	v.shot("mistake")
	v.heard.Quiet(t)
}

// TestMistakeInClaim: with a mistake of syntax in a claim the board stays, and the other claims can
// be decided.
func TestMistakeInClaim(t *testing.T) {
	v := visit(t, kalah)
	v.write("variant Mine {\n  board { a | b }\n  setup { a = 1 }\n  move { require a > 0 take 1 from a into b }\n  end when a = 0\n}\nclaim good { reachable b = 1 }\nclaim bad { reachable b = \nclaim also { never stuck }\n")
	v.wait(`document.getElementById("mistakes").textContent === "1 mistake" && document.querySelectorAll("#claims .claim").length === 3`)
	const decide = `document.querySelector('#claims [data-claim="%s"] .top button:last-child').disabled`
	for claim, disabled := range map[string]bool{"good": false, "bad": true, "also": false} {
		if v.bool(fmt.Sprintf(decide, claim)) != disabled {
			t.Errorf("%s can be decided: %v", claim, disabled)
		}
	}
	if v.bool(`document.body.textContent.includes("The board is that of the text before the mistake.")`) {
		t.Error("the board is that of an earlier text")
	}
	v.click("#decide-all")
	v.wait(`document.querySelectorAll("#claims .claim .verdicts").length === 2`)
	v.shot("mistake_in_claim")
	v.heard.Quiet(t)
}

// TestImports: a text is not called mistaken before the files are there that it imports, whatever
// is being decided.
func TestImports(t *testing.T) {
	v := visit(t, "")
	v.bool(`(window.badges = [], window.release = null, new MutationObserver(() => badges.push(document.getElementById("mistakes").textContent))
		.observe(document.getElementById("mistakes"), { childList: true }), true)`)
	v.bool(`(window.fetch = (get => address => new Promise(resolve => { window.release = () => resolve(get(address)); }))(window.fetch), true)`)
	v.drop("mine.sow", `"import \"examples/kalah.sow\"\nclaim c of Kalah { with m = 6, n = 4\n count(states) = 1 }"`)
	v.wait(`window.release !== null`)
	v.wait(settled)
	if v.bool(`badges.some(b => b.includes("mistake") && b !== "no mistakes")`) {
		t.Errorf("before the files were there: %q", v.list(`badges`))
	}
	v.bool(`(release(), true)`)
	v.wait(`document.getElementById("game").textContent.startsWith("Kalah")`)
	v.click(decide("c"))
	v.wait(`document.querySelector("#claims .progress span")?.textContent.includes("states")`)
	v.write("import \"examples/oware.sow\"")
	v.wait(`document.getElementById("game").textContent.startsWith("Oware")`)
	if v.bool(`badges.some(b => b.includes("mistake") && b !== "no mistakes")`) {
		t.Errorf("what was said: %q", v.list(`badges`))
	}
	v.heard.Quiet(t)
}

// inSight is true if an element lies within its panel and the window.
func inSight(selector string) string {
	return fmt.Sprintf(`(e => { const a = e.getBoundingClientRect(), p = e.closest("section").getBoundingClientRect();
		return a.height > 0 && a.top >= p.top && a.top + Math.min(a.height, 60) <= Math.min(p.bottom, innerHeight); })(document.querySelector(%q))`, selector)
}

// TestSight: on a phone a link shows its board, on a tablet the board is beside the rules, and
// answers appear where they can be seen.
func TestSight(t *testing.T) {
	text, err := os.ReadFile("../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	shared := link(t, map[string]any{"path": "kalah.sow", "text": string(text), "game": map[string]any{"variant": "Kalah", "moves": []string{"3", "1"}}})
	for _, size := range [][2]int64{{360, 740}, {768, 1024}, {1440, 900}} {
		v := visit(t, kalah)
		v.size(size[0], size[1])
		Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+shared))
		v.wait(ready)
		v.wait(settled)
		if !v.bool(inSight("#board .board")) {
			t.Errorf("at %d the board is not in sight", size[0])
		}
		v.click("#hold")
		v.wait(`document.querySelector("#board .here .verdict") !== null`)
		if !v.bool(inSight("#board .here h3")) {
			t.Errorf("at %d the answer is not in sight", size[0])
		}
		v.shot(fmt.Sprintf("held-%d", size[0]))
		v.click("#analysis")
		v.wait(`document.querySelector("#board .analysis .kind") !== null`)
		if !v.bool(inSight("#board .analysis")) {
			t.Errorf("at %d the analysis is not in sight", size[0])
		}
		v.heard.Quiet(t)
	}
}

// TestSettings: what is typed while an answer is under way is kept.
func TestSettings(t *testing.T) {
	v := visit(t, kalah)
	v.bool(`(() => { const set = (name, value) => { const box = document.querySelector('[data-key="param ' + name + '"]'); box.value = value; box.dispatchEvent(new Event("change")); };
		set("m", 5); set("n", 7); return true })()`)
	v.wait(`document.getElementById("game").textContent.startsWith("Kalah  m=5, n=7")`)
	v.heard.Quiet(t)
}

// TestWords: the editor proposes what may stand at a place, and says what words mean to those who
// use the keyboard.
func TestWords(t *testing.T) {
	v := visit(t, kalah)
	const root = `document.getElementById("editor").shadowRoot`
	v.write("variant V {\n  player A, B\n  board { a[1..3] | s }\n  // ä\n  ")
	v.wait(`document.getElementById("mistakes").textContent.includes("mistake")`)
	v.press("m", "o")
	v.wait(`[...` + root + `.querySelectorAll(".cm-tooltip-autocomplete li")].some(li => li.textContent.startsWith("move"))`)
	v.wait(`/move/i.test(` + root + `.querySelector(".cm-completionInfo")?.textContent ?? "")`)
	v.wait(settled)
	v.shot("completion")
	v.press(kb.Enter)
	v.wait(content + `.textContent.includes("move")`)
	v.line(2)
	v.press(kb.Home, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.F1)
	v.wait(root + `.querySelector(".cm-meaning") !== null`)
	v.shot("meaning")
	v.press(kb.Escape)
	v.wait(root + `.querySelector(".cm-meaning") === null`)
	v.heard.Quiet(t)
}

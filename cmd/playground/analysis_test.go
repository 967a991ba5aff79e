//go:build !js

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	. "github.com/mancheck/mancheck/internal/webtest"
)

const (
	where   = `document.querySelector("#board .where").textContent`
	label   = `document.querySelector("#board .stage .board").getAttribute("aria-label")`
	focused = `(document.activeElement.dataset.key ?? document.activeElement.dataset.pit ?? document.activeElement.tagName)`
)

// at waits until the page says where the play is.
func (v *visitor) at(place string) {
	v.t.Helper()
	v.wait(where + ` === ` + strconv.Quote(place) + ` && document.querySelector("#board .key") !== null`)
}

// variations makes a play of three moves, and another second move: move 2 of 2 of that is shown.
func (v *visitor) variations() {
	v.t.Helper()
	for n, pit := range []string{"south3", "south1", "north2"} {
		v.made(pit, n+1)
	}
	v.click(`#board [data-key="step 0"]`)
	v.at("move 1 of 3")
	v.click(`#board [data-move="5"]`)
	v.at("move 2 of 2")
}

// TestTreeKeys: arrow keys step through a play and lead from branch to branch, Delete removes one,
// and the focus stays where it was of use.
func TestTreeKeys(t *testing.T) {
	v := visit(t, kalah)
	v.variations()
	v.bool(`(document.querySelector("#board .history [aria-current]").focus(), true)`)
	current := func(text string) {
		t.Helper()
		v.wait(`document.activeElement.textContent === ` + strconv.Quote(text) + ` && document.activeElement.closest(".history") !== null`)
	}
	step := func(key, place, text string) {
		t.Helper()
		v.press(key)
		v.at(place)
		current(text)
	}
	step(kb.ArrowUp, "move 2 of 3", "2. South: 1")
	step(kb.ArrowRight, "move 3 of 3", "3. North: 2")
	step(kb.ArrowDown, "move 2 of 2", "2. South: 5") // the branch nearest before it
	step(kb.ArrowDown, "move 2 of 2", "2. South: 5") // there is none below
	v.wait(`document.getElementById("said").textContent === "There is no line below"`)
	step(kb.ArrowLeft, "move 1 of 2", "1. South: 3")
	step(kb.Home, "the start", "1. South: 3")
	step(kb.End, "move 2 of 2", "2. South: 5")
	if n := v.number(`document.querySelectorAll("#board .history [tabindex='0']").length`); n != 1 {
		t.Errorf("%d moves can be reached by Tab", n)
	}
	v.shot("tree keys")
	step(kb.Delete, "move 1 of 3", "1. South: 3")
	v.press(kb.Delete) // of the only line
	v.wait(`document.getElementById("said").textContent === "There is only one line"`)
	if got := v.list(history); !slices.Equal(got, []string{"1. South: 3", "2. South: 1", "3. North: 2"}) {
		t.Errorf("the play is %q", got)
	}

	// On the board arrows lead from pit to pit, and with Shift they step.
	v.press(kb.End)
	v.at("move 3 of 3")
	v.bool(`(document.querySelector('#board [data-pit="south2"]').focus(), true)`)
	v.press(kb.ArrowRight)
	if got := v.text(focused); got == "south2" || !strings.HasPrefix(got, "south") {
		t.Errorf("the focus is on %s", got)
	}
	v.at("move 3 of 3")
	Do(t, v.ctx, chromedp.KeyEvent(kb.ArrowLeft, chromedp.KeyModifiers(chromedp.ModifierShift)))
	v.at("move 2 of 3")
	v.wait(`document.activeElement.dataset.pit?.startsWith("north") === true`) // it is North's turn
	v.bool(`(document.activeElement.blur(), true)`)
	v.press(kb.ArrowLeft) // who has the focus nowhere means the play
	v.at("move 1 of 3")

	// In the editor they are those of the text.
	v.bool(content + `.focus(), true`)
	v.press(kb.ArrowRight, kb.ArrowDown)
	v.at("move 1 of 3")
	v.heard.Quiet(t)
}

// TestRemovedAtStart: who removes the first move of a branch has the focus on another move.
func TestRemovedAtStart(t *testing.T) {
	v := visit(t, kalah)
	v.made("south1", 1)
	v.press(kb.Home)
	v.at("the start")
	v.click(`#board [data-move="2"]`)
	v.at("move 1 of 1")
	v.click(`#board [data-key="remove"]`)
	v.at("the start")
	v.wait(`document.activeElement.textContent === "1. South: 1"`)
	v.heard.Quiet(t)
}

// endgame is a link to an example with a position that has these seeds, of those named, and no
// other.
func endgame(t *testing.T, path, variant string, seeds map[string]int) string {
	t.Helper()
	text, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	pits := map[string]int{"south_store": 0, "north_store": 0}
	for i := range 6 {
		pits[fmt.Sprintf("south%d", i+1)], pits[fmt.Sprintf("north%d", i+1)] = 0, 0
	}
	for p, n := range seeds {
		pits[p] = n
	}
	start, err := json.Marshal(map[string]any{"pits": pits, "control": map[string]string{"mover": "South"}})
	if err != nil {
		t.Fatal(err)
	}
	return link(t, map[string]any{"path": path, "text": string(text), "game": map[string]any{"variant": variant, "start": json.RawMessage(start)}})
}

const preview = `document.querySelector("#board .preview:not([hidden]) .board")`

// TestAhead: the best line shows the board after each of its moves, which is the board that is
// there when the line is played up to that move.
func TestAhead(t *testing.T) {
	start := endgame(t, "examples/kalah.sow", "Kalah", map[string]int{"south1": 3, "south2": 2, "south5": 1, "north2": 4, "north3": 1})
	v := visit(t, start)
	v.made("south1", 1)
	v.press(kb.Home)
	v.at("the start")
	v.click("#analysis")
	v.wait(`document.querySelector("#board .analysis .kind.exact") !== null && document.querySelectorAll("#board .ahead button").length > 2`)
	v.wait(settled)
	Do(t, v.ctx, chromedp.Focus(`#board [data-key="ahead 1"]`))
	v.wait(preview + ` !== null`)
	v.wait(settled)
	v.shot("ahead")
	after := v.text(preview + `.getAttribute("aria-label")`)
	if after == v.text(label) {
		t.Error("the board of the line is the board that is there")
	}
	v.press(kb.Tab)
	v.wait(preview + `?.getAttribute("aria-label") !== ` + strconv.Quote(after))
	v.press(kb.Escape)
	v.wait(preview + ` === null`)
	v.bool(`(document.querySelector('#board [data-key="ahead 2"]').blur(), true)`)
	v.bool(`(document.querySelector('#board [data-key="ahead 1"]').dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" })), true)`)
	v.wait(preview + `?.getAttribute("aria-label") === ` + strconv.Quote(after))
	v.bool(`(document.querySelector('#board [data-key="ahead 1"]').dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" })), true)`)
	v.wait(preview + ` === null`)
	Do(t, v.ctx, chromedp.Focus(`#board [data-key="ahead 1"]`))
	v.press(kb.Enter)
	v.at("move 2 of 2")
	if got := v.text(label); got != after {
		t.Errorf("the board is %q, and was shown as %q", got, after)
	}
	v.wait(`document.activeElement.closest(".history") !== null && document.activeElement.textContent.startsWith("2. ")`) // to step on from there
	line := v.list(history)
	v.press(kb.ArrowLeft, kb.ArrowLeft)
	v.at("the start")
	v.wait(`document.querySelector('#board [data-key="ahead 0"]') !== null && document.querySelector("#board .analysis .kind.exact") !== null`)
	v.wait(settled)
	v.click(`#board [data-key="ahead 0"]`) // a part of the play that is there
	v.at("move 1 of 2")
	if got := v.list(history); !slices.Equal(got, line) {
		t.Errorf("the play is %q, and was %q", got, line)
	}
	v.heard.Quiet(t)
}

// TestAheadTapped: on a phone the first tap on a move shows its board, the second one plays it.
func TestAheadTapped(t *testing.T) {
	v := visit(t, kalah)
	v.size(360, 740)
	Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+endgame(t, "examples/kalah.sow", "Kalah", map[string]int{"south1": 3, "south2": 2, "south5": 1, "north2": 4, "north3": 1})))
	v.wait(ready)
	v.click("#analysis")
	v.wait(`document.querySelector("#board .analysis .kind.exact") !== null && document.querySelectorAll("#board .ahead button").length > 2`)
	const tap = `(b => { b.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "touch" })); b.focus();
  b.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "touch" })); b.dispatchEvent(new PointerEvent("click", { pointerType: "touch", bubbles: true })); return true })(document.querySelector('#board [data-key="ahead 1"]'))`
	v.bool(tap)
	v.wait(preview + ` !== null`)
	v.bool(`(document.querySelector("#board .preview").scrollIntoView({ block: "end" }), true)`)
	v.wait(settled)
	v.shot("ahead tapped")
	after := v.text(preview + `.getAttribute("aria-label")`)
	if v.bool(`document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page is wider than the phone")
	}
	v.bool(tap)
	v.at("move 2 of 2")
	if got := v.text(label); got != after {
		t.Errorf("the board is %q, and was shown as %q", got, after)
	}
	v.heard.Quiet(t)
}

// TestEndgameTable: in an endgame of Awari each move has its value from a table, which the page
// says, with what that rests on.
func TestEndgameTable(t *testing.T) {
	v := visit(t, endgame(t, "examples/awari.sow", "Awari", map[string]int{"south1": 1, "south3": 2, "south6": 1, "north2": 1, "north5": 2, "south_store": 20, "north_store": 21}))
	v.click("#analysis")
	v.wait(`document.querySelector("#board .analysis .kind.table") !== null && document.querySelectorAll("#board .moves .kind.table").length === 3`)
	got := v.text(`document.querySelector("#board .analysis .note").textContent`)
	if !strings.Contains(got, "table of all positions with at most 7 seeds in play (") || !strings.Contains(got, "which the rules do not say") {
		t.Errorf("of the table is said %q", got)
	}
	if got := v.list(`[...document.querySelectorAll("#board .state .worth")].map(e => e.textContent)`); len(got) != 3 || strings.Contains(strings.Join(got, " "), "≈") {
		t.Errorf("the values at the pits are %q", got)
	}
	v.wait(settled)
	for _, scheme := range []string{"light", "dark"} {
		v.media("prefers-color-scheme", scheme)
		v.shot("table " + scheme)
	}
	v.heard.Quiet(t)
}

// TestThreatInHand: seeds that a move captures into a hand are a threat, and those with which a lap
// goes on are none, also when it goes on from the next house.
func TestThreatInHand(t *testing.T) {
	const rules = `variant V {
  player South, North
  board {
    north_store | north[4..1] |
                | south[1..4] | south_store
  }
  setup { each house = 2 }
  move {
    choose from in my house where from > 0
    sow from along ccw
    %s
  }
  end when no move
  score South = south_store, North = north_store
}`
	start := map[string]any{"pits": map[string]int{"north_store": 0, "north4": 0, "north3": 3, "north2": 0, "north1": 2, "south1": 1, "south2": 0, "south3": 1, "south4": 0, "south_store": 0}, "control": map[string]string{"mover": "South"}}
	for rest, want := range map[string][]string{
		"if last was empty and opposite(last) > 0 { sow opposite(last) along ccw }":                       {"north3 can be lost", "north1 can be lost"},
		"if last was empty and index(last) < 4 { let o = opposite(last)\n if o > 0 { sow o along ccw } }": {"north3 can be lost"},
		"if last was empty and next(last) > 0 { sow next(last) along ccw }":                               {}, // from south4 with north1
		"while last > 1 { sow last along ccw }":                                                           {},
	} {
		slices.Sort(want)
		text := fmt.Sprintf(rules, rest)
		v := visit(t, link(t, map[string]any{"path": "v.sow", "text": text, "game": map[string]any{"variant": "V", "start": start}}))
		if got := v.list(`[...document.querySelectorAll("#board .threat title")].map(e => e.textContent).sort()`); !slices.Equal(got, want) {
			t.Errorf("%q: threats %q, want %q; %s", rest, got, want, v.text(`document.getElementById("mistakes").title`))
		}
		v.heard.Quiet(t)
	}
}

// TestThreatBefore: what is captured before the sowing is a threat, and the move is that of its
// house.
func TestThreatBefore(t *testing.T) {
	v := visit(t, endgame(t, "examples/family/achochodi.sow", "Achochodi", map[string]int{"south1": 1, "south2": 2, "north6": 3, "north2": 1}))
	if got := v.list(`[...document.querySelectorAll("#board .threat title")].map(e => e.textContent)`); !slices.Equal(got, []string{"north6 can be lost"}) {
		t.Errorf("threats: %q", got)
	}
	if got := v.list(`[...document.querySelectorAll("#board .key")].map(e => e.dataset.pit)`); !slices.Equal(got, []string{"south1", "south2"}) {
		t.Errorf("moves begin in %q", got)
	}
	v.heard.Quiet(t)
}

// TestAnalysisLooks: a table's values, a board of the best line and an exercise are accessible, and
// no wider than the page, at each width and in each scheme.
func TestAnalysisLooks(t *testing.T) {
	axe, err := os.ReadFile("web/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed")
	}
	awari := endgame(t, "examples/awari.sow", "Awari", map[string]int{"south1": 1, "south3": 2, "south6": 1, "north2": 1, "north5": 2, "south_store": 20, "north_store": 21})
	v := visit(t, "")
	look := func(name string) {
		t.Helper()
		for _, scheme := range []string{"light", "dark"} {
			v.media("prefers-color-scheme", scheme)
			v.wait(settled)
			v.shot(name + "-" + scheme)
			Accessible(t, v.ctx, string(axe))
		}
		if v.bool(`document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%s: the page is wider than the window", name)
		}
	}
	for _, width := range []int64{360, 768, 1440} {
		v.size(width, 900)
		Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+awari))
		v.wait(ready)
		v.click("#analysis")
		v.wait(`document.querySelectorAll("#board .moves .kind.table").length === 3 && document.getElementById("toast").hidden`)
		Do(t, v.ctx, chromedp.Focus(`#board [data-key="ahead 3"]`))
		v.wait(preview + ` !== null`)
		v.bool(`(document.querySelector("#board .preview").scrollIntoView({ block: "nearest" }), true)`)
		look(fmt.Sprintf("line-%d", width))
		Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+"#example=docs/exercises/hole.sow"))
		v.wait(ready)
		v.bool(`(document.querySelector('.tabs [data-panel="claims-panel"]').click(), true)`)
		v.click("#decide-all")
		v.wait(`document.querySelector('[data-key="hint 1"]') !== null`)
		v.click(`[data-key="hint 1"]`)
		v.wait(`document.querySelector("#exercise .hint p") !== null`)
		look(fmt.Sprintf("exercise-%d", width))
	}
	v.heard.Quiet(t)
}

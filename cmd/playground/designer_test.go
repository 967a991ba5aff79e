//go:build !js

package main_test

import (
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

// capturing is a game whose capture is never made: the last house is not empty after a seed fell
// into it. From 2 2 | 2 2 a first move ends in a house only from south2, which is that of North;
// and from south1 it ends in the store.
const capturing = `variant Capturing {
  param m = 2 in 1..6
  param n = 2 in 1..6
  player South, North
  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
  }
  setup { each house = n }
  move {
    choose from in my house where from > 0
    sow from along ccw_with_stores, skip their store
    if last in my house and last = 0 {
      capture opposite(last) into my store
    }
  }
  end when no move {
    capture south into south_store
    capture north into north_store
  }
  score South = south_store, North = north_store
}
`

const (
	shadow   = `document.getElementById("editor").shadowRoot`
	apart    = `document.querySelector("#comparison .apart").textContent`
	compared = `document.querySelector("#comparison .verdict") !== null`
)

// file shows a file of the reader's.
func (v *visitor) file(name, text string) {
	v.t.Helper()
	v.drop(name, strconv.Quote(text))
	v.wait(fmt.Sprintf(`document.getElementById("path").textContent === %q && document.getElementById("game").textContent !== ""`, name))
	v.wait(settled)
}

// cover searches for coverage, and returns what is said beside the text, from above.
func (v *visitor) cover() []string {
	v.t.Helper()
	v.click("#cover")
	v.wait(`document.querySelector("#coverage > p") !== null`)
	return v.list(`[...` + shadow + `.querySelectorAll(".cm-unvisited")].map(m => m.title)`)
}

// comparing opens the comparison, with all that can be chosen there.
func (v *visitor) comparing() []string {
	v.t.Helper()
	v.click("#compare")
	v.wait(`document.querySelector("#comparison[open] [data-key=with] option")?.textContent !== "…"`)
	return v.list(`[...document.querySelectorAll("#comparison [data-key=with] option")].map(o => o.textContent)`)
}

// TestDesigner: somebody sees that a capture is never made, mends it, and looks for the first play
// in which that matters.
func TestDesigner(t *testing.T) {
	v := visit(t, "")
	v.file("capturing.sow", capturing)
	if got := v.comparing(); !slices.Equal(got, []string{"FirstGame of first_game.sow"}) {
		t.Errorf("what is not changed can be compared with %q", got)
	}
	v.press(kb.Escape)

	want := []string{"never true, in all 65 states", "never carried out, in all 65 states"}
	if got := v.cover(); !slices.Equal(got, want) {
		t.Errorf("beside the text: %q", got)
	}
	v.shot("coverage")
	v.click(`#coverage [data-line="13"]`)
	v.wait(`document.getElementById("editor").shadowRoot.activeElement !== null`)

	v.write(strings.Replace(capturing, "last = 0", "last = 1", 1))
	v.wait(`document.querySelector("#coverage .old:not([hidden])") !== null`)
	v.wait(settled)
	if got := v.cover(); len(got) > 0 || !v.bool(`document.getElementById("coverage").textContent.includes("Everything is carried out")`) {
		t.Errorf("after the change: %q", got)
	}

	if got := v.comparing(); !slices.Equal(got, []string{"Capturing as opened", "FirstGame of first_game.sow"}) {
		t.Errorf("what can be compared: %q", got)
	}
	v.click("#comparison [data-key=compare]")
	v.wait(compared)
	moves := v.number(`document.querySelectorAll("#comparison .half").length === 2 ? Number(document.querySelector("#comparison .where").textContent.split(" ").at(-1)) : 0`)
	if moves == 0 || !strings.HasPrefix(v.text(apart), "The first difference. ") {
		t.Errorf("after %d moves: %q", moves, v.text(apart))
	}
	v.wait(`document.activeElement.dataset.key === "back"`)
	v.press(kb.ArrowLeft)
	v.wait(apart + ` === "Up to here both boards are the same."`)
	v.press(kb.Home)
	v.wait(apart + ` === "Both begin with the same board."`)
	boards := `[...document.querySelectorAll("#comparison .board")].map(b => b.getAttribute("aria-label"))`
	for range moves {
		if got := v.list(boards); got[0] != got[1] {
			t.Errorf("before the difference the boards are %q", got)
		}
		v.press(kb.ArrowRight)
	}
	if got := v.list(boards); got[0] == got[1] {
		t.Errorf("both boards are %q", got[0])
	}
	v.wait(`[...document.querySelectorAll("#comparison .legal")].every(p => p.textContent !== "…")`)
	v.click("#comparison [data-key=take]")
	v.wait(fmt.Sprintf(`document.getElementById("game").textContent === "Play for a difference" && document.querySelectorAll("#board .history button").length === %d`, moves))

	// A reload keeps the text as it was opened.
	Do(t, v.ctx, chromedp.Reload())
	v.wait(ready)
	if got := v.comparing(); !slices.Contains(got, "Capturing as opened") {
		t.Errorf("after a reload: %q", got)
	}
	v.heard.Quiet(t)
}

// TestSame: two variants of a file are the same, an example has another board, and a comparison of
// large games can be stopped.
func TestSame(t *testing.T) {
	v := visit(t, "")
	other := strings.Replace(strings.Replace(capturing, "variant Capturing", "variant Plain", 1), "last = 0", "last in their house", 1)
	v.file("two.sow", capturing+other)
	v.comparing()
	v.click("#comparison [data-key=compare]")
	v.wait(compared)
	if got := v.text(`document.querySelector("#comparison .verdict").textContent`); !strings.Contains(got, "proved: the plays are those of Plain") || !v.bool(`document.querySelector("#comparison .strong").textContent === "They are the same, compared by boards and winners."`) {
		t.Errorf("the same game twice: %q", got)
	}
	if v.bool(`document.querySelector("#comparison .board") !== null`) {
		t.Error("there are boards without a difference")
	}
	v.shot("same")
	v.click("#comparison [data-key=example]")
	v.wait(`document.querySelector("#library[open] li") !== null`)
	v.bool(`([...document.querySelectorAll("#library li")].find(li => li.dataset.name === "tchoukaillon").querySelector("button").click(), true)`)
	v.wait(`document.querySelector("#comparison [data-key=with]").selectedOptions[0].textContent .endsWith(" of tchoukaillon.sow")`)
	v.click("#comparison [data-key=compare]")
	v.wait(`document.querySelector("#comparison .problem")?.textContent.includes("is a game for") === true`)
	v.press(kb.Escape)
	v.bool(`(() => { for (const name of ["m", "n"]) { const box = document.querySelector('[data-key="param ' + name + '"]'); box.value = 6; box.dispatchEvent(new Event("change")); } return true })()`)
	v.wait(`document.getElementById("game").textContent === "Capturing  m=6, n=6"`)
	v.comparing()
	v.click("#comparison [data-key=compare]")
	v.wait(`document.querySelector("#comparison .progress span")?.textContent.includes("states") === true`)
	v.click("#comparison [data-key=stop]")
	v.wait(`document.querySelector("#comparison .problem")?.textContent.startsWith("unknown: interrupted, ") === true`)
	v.heard.Quiet(t)
}

// TestFirstStates: what a search did not come to in its time is not called never.
func TestFirstStates(t *testing.T) {
	v := visit(t, "")
	v.file("capturing.sow", strings.Replace(strings.Replace(capturing, "m = 2", "m = 6", 1), "n = 2", "n = 6", 1))
	got := v.cover()
	if len(got) == 0 || strings.Contains(strings.Join(got, " "), "never") || !strings.Contains(got[0], "not true in the first ") {
		t.Errorf("beside the text: %q", got)
	}
	if got := v.text(`document.getElementById("coverage").textContent`); !strings.Contains(got, "not yet true. Only the first ") || strings.Contains(got, "never") {
		t.Errorf("the summary is %q", got)
	}
	v.heard.Quiet(t)
}

// TestSideBySide: at each width both boards are seen at once, and axe-core finds no serious fault.
func TestSideBySide(t *testing.T) {
	axe, err := os.ReadFile("web/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed")
	}
	for _, size := range [][2]int64{{360, 740}, {768, 1024}, {1440, 900}} {
		v := visit(t, "")
		v.size(size[0], size[1])
		v.file("capturing.sow", capturing)
		v.cover()
		v.shot(fmt.Sprintf("coverage-%d", size[0]))
		Accessible(t, v.ctx, string(axe))
		v.write(strings.Replace(capturing, "last = 0", "last = 1", 1))
		v.wait(settled)
		v.wait(`document.querySelector("#coverage .old:not([hidden])") !== null`)
		Accessible(t, v.ctx, string(axe))
		v.comparing()
		v.click("#comparison [data-key=compare]")
		v.wait(compared)
		for _, scheme := range []string{"light", "dark"} {
			v.media("prefers-color-scheme", scheme)
			v.wait(`[...document.querySelectorAll("#comparison .legal")].every(p => p.textContent !== "…")`)
			v.shot(fmt.Sprintf("compare-%d-%s", size[0], scheme))
			Accessible(t, v.ctx, string(axe))
		}
		if !v.bool(`[...document.querySelectorAll("#comparison .board")].every(b => { const r = b.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth; })`) {
			t.Errorf("at %d the boards are not seen", size[0])
		}
		if n := v.number(`document.getElementById("comparison").scrollWidth - document.getElementById("comparison").clientWidth`); n > 0 {
			t.Errorf("at %d the comparison is %d too wide", size[0], n)
		}
		v.heard.Quiet(t)
	}
}

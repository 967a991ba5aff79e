package page_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mancheck/mancheck/cmd/internal/page"
	"github.com/mancheck/mancheck/internal/webtest"
	"github.com/mancheck/mancheck/proofs/explain"
)

// forced is a document with strategies: North's in Kalah with two houses a side, South's in a game
// of so many positions that not all are drawn, and one by which a seed goes to and fro.
func forced(t *testing.T) *explain.Document {
	return document(t, "-", func(path string) ([]byte, error) {
		if path == "kalah.sow" {
			return os.ReadFile("../../../examples/kalah.sow")
		}
		return []byte(`import "kalah.sow"
variant Heaps {
  player South, North, West
  board { h[1..4] | gone }
  setup { each h = 4 }
  move { choose p in h
    choose k in 1..2 where k <= seeds(p)
    take k from p into gone }
}
variant Loop {
  player South, North
  board { a | b | c }
  setup { a = 1 }
  move out  when a = 1 { take 1 from a into b }
  move back when b = 1 { take 1 from b into a }
  move grab when a = 1 { take 1 from a into c }
  end when c = 1
}
claim north of Kalah { North can force north_store > 4  with m = 2, n = 2 }
claim large of Heaps { South can force total(h) = 0 }
claim never of Loop { expect refuted  North can force finished }
claim soon of Loop { not North can force finished within 3 }
`), nil
	})
}

// TestAgainst plays against a strategy with the pointer: to the goal, back, and once more.
func TestAgainst(t *testing.T) {
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(forced(t), page.Options{Made: "mancheck v1"}))
	said := func(want ...string) {
		t.Helper()
		for _, text := range want {
			webtest.Wait(t, ctx, `document.querySelector(".against").textContent.includes("`+text+`")`)
		}
	}
	press := func(what string) {
		t.Helper()
		webtest.Eval[bool](t, ctx, `([...document.querySelectorAll(".against")[0].querySelectorAll("button")].find(b => b.textContent === "`+what+`").click(), true)`)
	}
	pit := func(name string) {
		t.Helper()
		webtest.Eval[bool](t, ctx, `(document.querySelector('.against .key[data-pit="`+name+`"]').dispatchEvent(new MouseEvent("click")), true)`)
	}
	said("you make the moves of South", "At most 5 moves to go.", "South to move")
	pit("south1") // its last seed falls into the store, so South moves again
	said("South: 1. At most 1 move to go.", "South to move")
	pit("south2") // North takes what is left
	said("Here north_store > 4 holds.", "Over after 2 moves.", "Played: South: 1, South: 2")
	press("Take back")
	said("South: 1. At most 1 move to go.")
	press("New game")
	said("At most 5 moves to go.")
	press("2") // North answers
	said("North: 1. At most 3 moves to go.", "Played: South: 2, North: 1")
	press("Take back") // to where South moved last
	said("At most 5 moves to go.")
	if n := webtest.Eval[int](t, ctx, `document.querySelectorAll(".against")[0].querySelectorAll(".made *").length`); n > 0 {
		t.Error("moves are left after the last was taken back")
	}
	heard.Quiet(t)
}

// TestAgainstByKeys plays by keys alone: the focus stays where the next move can be made.
func TestAgainstByKeys(t *testing.T) {
	ctx := webtest.Browser(t)
	prefer(t, ctx, "prefers-reduced-motion", "reduce")
	heard := open(t, ctx, page.HTML(forced(t), page.Options{Made: "mancheck v1"}))
	webtest.Eval[bool](t, ctx, `(document.querySelector(".against .key").focus(), true)`)
	const focused = `document.activeElement.dataset.pit ?? document.activeElement.textContent`
	for _, step := range []struct{ key, made, focus string }{
		{kb.ArrowRight, "", "south2"},
		{kb.Enter, "Played: South: 2, North: 1", "south1"},
		{kb.Enter, "Played: South: 2, North: 1, South: 1, North: 1", "south2"},
		{kb.Enter, "Played: South: 2, North: 1, South: 1, North: 1, South: 2", "New game"},
		{kb.Enter, "", ""},
	} {
		if step.key == kb.Enter && step.focus != "" { // without the character, which a page does not get once it has taken the key
			webtest.Call(t, ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{
				Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13,
			})
		} else {
			webtest.Do(t, ctx, chromedp.KeyEvent(step.key))
		}
		webtest.Wait(t, ctx, `document.querySelector(".against .made").textContent === "`+step.made+`"`)
		if step.focus != "" {
			webtest.Wait(t, ctx, `(`+focused+`) === "`+step.focus+`"`)
		}
	}
	heard.Quiet(t)
}

// TestAgainstBeyond: where the page does not have a position it says so, and the game can go on
// with another move; a strategy that begins waits for the reader.
func TestAgainstBeyond(t *testing.T) {
	ctx := webtest.Browser(t)
	prefer(t, ctx, "prefers-reduced-motion", "reduce")
	heard := open(t, ctx, page.HTML(forced(t), page.Options{Made: "mancheck v1"}))
	const game = `document.querySelectorAll(".against")[1]`
	webtest.Wait(t, ctx, game+`.querySelector(".choices").textContent === "Let the strategy move"`)
	webtest.Eval[bool](t, ctx, `(`+game+`.querySelector(".choices button").click(), true)`)
	for i := 0; !webtest.Eval[bool](t, ctx, game+`.textContent.includes("does not have what follows: it has 500 positions")`); i++ {
		if i == 16 {
			t.Fatal("the game has as many moves as there are seeds")
		}
		webtest.Wait(t, ctx, game+`.querySelector(".choices button") !== null`)
		webtest.Eval[bool](t, ctx, `(`+game+`.querySelector(".choices button:last-child").click(), true)`)
	}
	if webtest.Eval[bool](t, ctx, game+`.querySelector(".controls button").disabled`) {
		t.Error("nothing can be taken back")
	}
	heard.Quiet(t)
}

// TestAgainstForEver: a play that comes back says so, and can go on; one within some moves ends
// after them.
func TestAgainstForEver(t *testing.T) {
	ctx := webtest.Browser(t)
	prefer(t, ctx, "prefers-reduced-motion", "reduce")
	heard := open(t, ctx, page.HTML(forced(t), page.Options{Made: "mancheck v1"}))
	for i, want := range []string{"Play has come back to this position.", "The claim is about 3 moves, and these were all."} {
		game := `document.querySelectorAll(".against")[` + string(rune('2'+i)) + `]`
		webtest.Eval[bool](t, ctx, `(`+game+`.querySelector(".choices button").click(), true)`) // South: out
		webtest.Wait(t, ctx, game+`.querySelector(".choices").textContent === "back"`)
		webtest.Eval[bool](t, ctx, `(`+game+`.querySelector(".choices button").click(), true)`)
		webtest.Wait(t, ctx, game+`.querySelector(".made").textContent === "Played: South: out, North: back, South: out"`)
		if text := webtest.Eval[string](t, ctx, game+`.querySelector(".caption").textContent`); !strings.Contains(text, want) {
			t.Errorf("after three moves: %q", text)
		}
	}
	heard.Quiet(t)
}

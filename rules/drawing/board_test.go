package drawing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/internal/webtest"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/drawing"
	"github.com/mancheck/mancheck/rules/interp"
)

// move is a first move of a game, as a page gets it.
type move struct {
	Layout        *drawing.Layout
	Dots          any
	Before, After json.RawMessage
	Moved         []moved
}

type moved struct {
	From  *string `json:"from"`
	Into  *string `json:"into"`
	Seeds int     `json:"seeds"`
}

// firstMove plays the first legal move of a game with four seeds in each hole.
func firstMove(t *testing.T, sys *rules.System) move {
	t.Helper()
	in := interp.New(sys)
	start := sys.EmptyStart()
	for i, p := range sys.Pits {
		if p.Index > 0 {
			start.Seeds[i] = 4
		}
	}
	steps, _, err := in.Legal(start)
	if err != nil || len(steps) == 0 {
		t.Fatal(err, steps)
	}
	told, err := in.Account(start, steps[0].Action)
	if err != nil {
		t.Fatal(err)
	}
	out := move{drawing.LayoutOf(sys), drawing.Dots, board.StateJSON(sys, start), board.StateJSON(sys, steps[0].To), nil}
	name := func(pit int) *string {
		if pit == rules.None {
			return nil
		}
		return &sys.Pits[pit].Name
	}
	for _, m := range told {
		out.Moved = append(out.Moved, moved{name(m.From), name(m.Into), m.Seeds})
	}
	return out
}

// open shows a board of the game in the browser; `chosen` has the pits that were chosen.
func open(t *testing.T, ctx context.Context, m move) *webtest.Events {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><style>%s</style><body><script>%s
const game = %s, chosen = [];
const board = new Board(game.Layout, { dots: game.Dots, onpit: pit => chosen.push(pit) });
document.body.append(board.element);
board.show(game.Before);
const drawn = () => board.element.querySelector(".state").innerHTML;
</script>`, drawing.Style, bare(drawing.Inline(drawing.Script)), data)
	return webtest.Open(t, ctx, webtest.File(t, []byte(page)))
}

// bare takes the braces off a script, so that its names can be used from outside.
func bare(script string) string {
	const before = len("\"use strict\";\n{\n")
	return script[before : len(script)-len("}\n")]
}

// TestSow: while seeds are sown they are in the pits that have them by then, and at the end the
// board shows the state after the move, with its changes.
func TestSow(t *testing.T) {
	ctx := webtest.Browser(t)
	m := firstMove(t, system(t, "kalah"))
	heard := open(t, ctx, m)
	webtest.Eval[bool](t, ctx, `(globalThis.seen = [], globalThis.done = null,
  board.sow(game.Before, game.Moved, game.After, { speed: 8, onstep: i => seen.push(board.element.querySelectorAll(".zero, .count").length && drawn()) })
    .then(d => done = d), true)`)
	webtest.Wait(t, ctx, "done !== null")
	if !webtest.Eval[bool](t, ctx, "done") || webtest.Eval[int](t, ctx, "new Set(seen).size") != len(m.Moved) {
		t.Errorf("%d moves of seeds are seen, want %d", webtest.Eval[int](t, ctx, "new Set(seen).size"), len(m.Moved))
	}
	if !webtest.Eval[bool](t, ctx, `(() => { const was = drawn(); board.show(game.After, { before: game.Before }); return was === drawn(); })()`) {
		t.Error("at the end the board does not show the state after the move")
	}
	if webtest.Eval[int](t, ctx, `board.element.querySelector(".hand").children.length`) != 0 {
		t.Error("there is still a hand")
	}
	heard.Quiet(t)
}

// TestSowEnds: what is shown meanwhile ends a sowing, as a signal does.
func TestSowEnds(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, firstMove(t, system(t, "kalah")))
	const sow = `globalThis.done = null, globalThis.stop = new AbortController(),
  board.sow(game.Before, game.Moved, game.After, { speed: 0.01, signal: stop.signal }).then(d => done = d)`
	for _, end := range []string{`board.show(game.Before)`, `stop.abort()`} {
		webtest.Eval[bool](t, ctx, "("+sow+", setTimeout(() => "+end+", 50), true)")
		webtest.Wait(t, ctx, "done === false")
		if webtest.Eval[int](t, ctx, `board.element.querySelector(".hand").children.length`) != 0 {
			t.Errorf("%s: there is still a hand", end)
		}
	}
	heard.Quiet(t)
}

// TestReducedMotion: where no motion is wanted the board jumps to the state after the move.
func TestReducedMotion(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, firstMove(t, system(t, "kalah")))
	webtest.Call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	webtest.Eval[bool](t, ctx, `(globalThis.steps = 0, globalThis.done = null,
  board.sow(game.Before, game.Moved, game.After, { speed: 0.001, onstep: () => steps++ }).then(d => done = d), true)`)
	webtest.Wait(t, ctx, "done === true && steps === 0")
	heard.Quiet(t)
}

// TestPits: pits that can be played are buttons with names, one of which Tab comes to; arrows go to
// the others, and Enter, the space bar and a click choose.
func TestPits(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, firstMove(t, system(t, "kalah")))
	webtest.Eval[bool](t, ctx, `(board.show(game.Before, { playable: ["south1", "south2", "south4"] }), true)`)
	got := webtest.Eval[[]string](t, ctx, `[...board.element.querySelectorAll("[role=button]")]
  .map(e => e.getAttribute("aria-label") + " " + e.getAttribute("tabindex"))`)
	if want := []string{"south1: 4 seeds 0", "south2: 4 seeds -1", "south4: 4 seeds -1"}; !slices.Equal(got, want) {
		t.Errorf("the buttons are %q, want %q", got, want)
	}
	webtest.Do(t, ctx, chromedp.KeyEvent(kb.Tab))
	webtest.Wait(t, ctx, `document.activeElement.dataset.pit === "south1"`)
	for _, k := range []struct{ key, at string }{{kb.ArrowRight, "south2"}, {kb.ArrowRight, "south4"}, {kb.ArrowUp, "south4"}, {kb.ArrowLeft, "south2"}} {
		webtest.Do(t, ctx, chromedp.KeyEvent(k.key))
		webtest.Wait(t, ctx, fmt.Sprintf(`document.activeElement.dataset.pit === %q`, k.at))
	}
	webtest.Do(t, ctx, chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(" "), chromedp.Click(`[data-pit=south4]`))
	webtest.Wait(t, ctx, `chosen.join() === "south2,south2,south4"`)
	webtest.Eval[bool](t, ctx, `(board.show(game.After, { playable: ["south1"] }), true)`)
	webtest.Wait(t, ctx, `document.activeElement.dataset.pit === "south1"`)
	heard.Quiet(t)
}

package page_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mancheck/mancheck/cmd/internal/page"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/internal/webtest"
)

// open shows a document in the browser.
func open(t *testing.T, ctx context.Context, text []byte) *webtest.Events {
	t.Helper()
	return webtest.Open(t, ctx, webtest.File(t, text))
}

// prefer sets what a reader wants.
func prefer(t *testing.T, ctx context.Context, feature, value string) {
	t.Helper()
	webtest.Call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: feature, Value: value}},
	})
}

const shown = `document.querySelector(".player .stage").innerHTML`

// TestKeys plays a trace forward and back by keys and buttons.
func TestKeys(t *testing.T) {
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules"), page.Options{Made: "mancheck v1"}))
	webtest.Do(t, ctx, chromedp.Focus(".player"))
	start := webtest.Eval[string](t, ctx, shown)
	at := func(want string) { // the browser may be slow to hear of a key
		t.Helper()
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.querySelector(".player").dataset.at === "`+want+`"`)); err != nil {
			t.Fatalf("not at move %s: %v", want, err)
		}
	}
	for _, k := range []struct{ key, at string }{
		{kb.ArrowRight, "1"}, {kb.ArrowRight, "2"}, {kb.ArrowRight, "2"}, {kb.ArrowLeft, "1"}, {kb.End, "2"}, {kb.Home, "0"},
	} {
		webtest.Do(t, ctx, chromedp.KeyEvent(k.key))
		at(k.at)
	}
	space := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: " ", Code: "Space", WindowsVirtualKeyCode: 32}
	webtest.Call(t, ctx, input.DispatchKeyEvent, space) // without the character, which a page does not get once it has taken the key
	at("1")
	if webtest.Eval[string](t, ctx, shown) == start {
		t.Error("the board does not change")
	}
	webtest.Do(t, ctx, chromedp.KeyEvent(kb.Home))
	at("0")
	if webtest.Eval[string](t, ctx, shown) != start {
		t.Error("the board does not come back")
	}
	for _, want := range []string{"1", "2"} {
		webtest.Do(t, ctx, chromedp.Click(`.player button[aria-label^="One move forward"]`))
		at(want)
	}
	said := webtest.Eval[string](t, ctx, `document.querySelector('.player [aria-live]').textContent`)
	if !strings.Contains(said, "hole01 A") || !strings.Contains(said, "SR004(B)") {
		t.Errorf("the player says %q", said)
	}
	heard.Quiet(t)
}

// TestSameDrawing: the player draws each state of a play as the page itself does.
func TestSameDrawing(t *testing.T) {
	ctx := webtest.Browser(t)
	prefer(t, ctx, "prefers-reduced-motion", "reduce")
	for _, doc := range []string{proof, "../../../examples/oware.sow"} {
		claim := "goes_on"
		if doc == proof {
			claim = "hole_in_the_rules"
		}
		heard := open(t, ctx, page.HTML(document(t, doc, os.ReadFile, claim), page.Options{Made: "mancheck v1"}))
		differ := webtest.Eval[[]string](t, ctx, `(() => {
  const play = document.querySelector(".play"), next = play.querySelector('button[aria-label^="One move forward"]');
  const drawn = svg => [...(svg.querySelector(".state") ?? svg).children].filter(e => e.tagName !== "use").map(e => e.outerHTML).join("\n");
  const empty = svg => (svg.querySelector(".state") ? svg.firstChild : document.querySelector(svg.firstChild.getAttribute("href"))).innerHTML;
  return [...play.querySelectorAll(".steps svg")].filter((svg, i) => {
    if (i > 0) next.click();
    const played = play.querySelector(".stage svg");
    return drawn(svg) !== drawn(played) || empty(svg) !== empty(played) || svg.getAttribute("viewBox") !== played.getAttribute("viewBox");
  }).map(drawn);
})()`)
		if len(differ) > 0 {
			t.Errorf("%s: %d states are drawn otherwise, such as\n%s", doc, len(differ), differ[0])
		}
		heard.Quiet(t)
	}
}

// TestOpenTrace plays a trace that is pasted, of rules that the page does not know, and refuses
// what is none.
func TestOpenTrace(t *testing.T) {
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(thesis(t), page.Options{Made: "mancheck v1"}))
	const trace = `{"variant": "<b>V", "start": {"pits": {"a1": 1, "a2": 0, "s": 0}, "control": {}},
	  "steps": [{"move": "<i>1", "label": "m", "state": {"pits": {"a1": 0, "a2": 1, "s": 0}, "control": {}}}]}`
	webtest.Do(t, ctx, chromedp.SetValue("#trace-text", trace), chromedp.Click("#trace-open"),
		chromedp.WaitVisible("#trace-stage .player"), chromedp.KeyEvent(kb.ArrowRight))
	const moved = `document.querySelector("#trace-stage .player").dataset.at === "1"`
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](moved)); err != nil {
		t.Fatal(err)
	}
	said := webtest.Eval[string](t, ctx, `document.querySelector("#trace-stage .caption").textContent`)
	if !strings.Contains(said, "<i>1") || webtest.Eval[int](t, ctx, `document.querySelectorAll("#trace-stage i, #trace-stage b b").length`) > 0 {
		t.Errorf("the player says %q", said)
	}
	for _, bad := range []string{"{", `{"start": {}}`, `{"start": {"pits": {"a": 1}, "control": {}}, "steps": [{}]}`, "null"} {
		webtest.Do(t, ctx, chromedp.SetValue("#trace-text", bad), chromedp.Click("#trace-open"))
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.getElementById("trace-error").textContent !== ""`)); err != nil {
			t.Errorf("%s is taken for a trace: %v", bad, err)
		}
	}
	heard.Quiet(t)
}

// TestOpenLarge: a trace of more than 1 MB, or of a very large board, is not opened.
func TestOpenLarge(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(thesis(t), page.Options{Made: "mancheck v1"}))
	webtest.Eval[bool](t, ctx, `(document.getElementById("trace-text").value = '{"start": {"pits": {}}}' + " ".repeat(1 << 20), document.getElementById("trace-open").click(), true)`)
	webtest.Wait(t, ctx, `document.getElementById("trace-error").textContent.includes("1 MB")`)
	webtest.Eval[bool](t, ctx, `(document.getElementById("trace-text").value = JSON.stringify({ start: { control: {},
  pits: Object.fromEntries(Array.from({ length: 500 }, (_, i) => ["p" + i, 0])) }, steps: [] }), document.getElementById("trace-open").click(), true)`)
	webtest.Wait(t, ctx, `document.getElementById("trace-error").textContent.includes("pits")`)
	heard.Quiet(t)
}

// TestSowing: a step forward sows seed by seed, with the statement marked that does so, and ends at
// the state after the move; a jump sows nothing.
func TestSowing(t *testing.T) {
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(document(t, "../../../examples/oware.sow", os.ReadFile, "goes_on"), page.Options{Made: "mancheck v1"}))
	webtest.Eval[bool](t, ctx, `(globalThis.now = [], new MutationObserver(() => {
  const mark = document.querySelector(".source mark.now");
  if (mark) now.push(mark.textContent);
}).observe(document.querySelector(".source pre"), { childList: true }), document.querySelector('[aria-label^="One move forward"]').click(), true)`)
	webtest.Wait(t, ctx, `document.querySelector(".hand").children.length > 0`)
	webtest.Wait(t, ctx, `document.querySelector(".hand").children.length === 0 && document.querySelector(".stage .change") !== null`)
	if got := webtest.Eval[[]string](t, ctx, "[...new Set(now)]"); !slices.Equal(got, []string{"sow from along ccw, skip origin"}) {
		t.Errorf("the statements marked are %q", got)
	}
	marked := webtest.Eval[[]string](t, ctx, `[...document.querySelectorAll(".source mark.fired")].map(m => m.textContent)`)
	if !slices.Equal(marked, []string{"sow from along ccw, skip origin"}) {
		t.Errorf("afterwards %q are marked", marked)
	}
	webtest.Eval[bool](t, ctx, `(now.length = 0, document.querySelector('[aria-label^="To the end"]').click(), true)`)
	webtest.Wait(t, ctx, `document.querySelector(".player").dataset.at === document.querySelector(".controls input").max && now.length === 0`)
	heard.Quiet(t)
}

// TestEnding: at the end of a play the rule that ends it is marked.
func TestEnding(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "least_2"), page.Options{Made: "mancheck v1"}))
	webtest.Eval[bool](t, ctx, `(document.querySelector('[aria-label^="To the end"]').click(), true)`)
	webtest.Wait(t, ctx, `document.querySelector(".source mark.last")?.textContent === "win SR006 when total(hole) = 0"`)
	if got := webtest.Eval[string](t, ctx, `document.querySelector(".why").textContent`); !strings.Contains(got, "The game is over: SR006, won.") {
		t.Errorf("the reasons are %q", got)
	}
	heard.Quiet(t)
}

// TestLinkToState: a link leads to a state of a play, and the player has such links.
func TestLinkToState(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	address := webtest.File(t, page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules"), page.Options{Made: "mancheck v1"}))
	heard := webtest.Open(t, ctx, address+"#claim-hole-in-the-rules-play-1.1")
	webtest.Wait(t, ctx, `document.querySelector(".player").dataset.at === "1"`)
	webtest.Eval[bool](t, ctx, `(location.hash = "#claim-hole-in-the-rules-play-1.2", true)`)
	webtest.Wait(t, ctx, `document.querySelector(".player").dataset.at === "2"`)
	webtest.Wait(t, ctx, `document.querySelector(".controls a").hash === "#claim-hole-in-the-rules-play-1.2"`)
	heard.Quiet(t)
}

// TestMenu: beside a wide page the menu is open; above a narrow one it is a bar that opens, and
// that a chosen link closes.
func TestMenu(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(example(t, "oware"), page.Options{Made: "mancheck v1"}))
	webtest.Do(t, ctx, chromedp.EmulateViewport(1440, 900))
	webtest.Wait(t, ctx, `menu.open && menu.getBoundingClientRect().right <= document.getElementById("main").getBoundingClientRect().left`)
	webtest.Eval[bool](t, ctx, `(document.getElementById("claim-goes-on").scrollIntoView(), true)`)
	webtest.Wait(t, ctx, `document.querySelector("#menu [aria-current]")?.hash === "#claim-goes-on"`)
	webtest.Do(t, ctx, chromedp.EmulateViewport(360, 740))
	webtest.Wait(t, ctx, `!menu.open && Math.round(menu.getBoundingClientRect().top) === 0 && menu.getBoundingClientRect().height < 60`)
	webtest.Eval[bool](t, ctx, `(document.querySelector("#menu > summary").click(), true)`)
	webtest.Wait(t, ctx, `menu.open && menu.querySelector("nav").getBoundingClientRect().height < 740`)
	webtest.Eval[bool](t, ctx, `(document.querySelector('#menu a[href="#claim-playable"]').click(), true)`)
	webtest.Wait(t, ctx, `!menu.open && location.hash === "#claim-playable"`)
	heard.Quiet(t)
}

// TestWidths: pages do not scroll sideways, neither on a telephone nor on a wide screen, whatever
// is open.
func TestWidths(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	pages := [][]byte{page.HTML(document(t, proof, os.ReadFile), page.Options{Made: "mancheck v1"}), page.HTML(forced(t), page.Options{Made: "mancheck v1"})}
	for _, name := range examples {
		pages = append(pages, page.HTML(example(t, name), page.Options{Made: "mancheck v1"}))
	}
	for i, text := range pages {
		heard := open(t, ctx, text)
		for _, width := range []int64{360, 768, 1440} {
			webtest.Do(t, ctx, chromedp.EmulateViewport(width, 900))
			const js = `document.querySelectorAll("details").forEach(d => d.open = true), document.documentElement.scrollWidth`
			if got := webtest.Eval[int64](t, ctx, js); got > width {
				t.Errorf("page %d is %d wide on a window of %d", i, got, width)
			}
		}
		heard.Quiet(t)
	}
}

// TestPair: both plays of a pair go on together, and in the end the pits that differ are marked on
// both boards.
func TestPair(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(document(t, "../../../proofs/fairkalah.sow", os.ReadFile, "starvation"), page.Options{Made: "mancheck v1"}))
	webtest.Do(t, ctx, chromedp.Focus(".pair .player"), chromedp.KeyEvent(kb.End))
	const there = `document.querySelectorAll(".pair .player .differs").length > 0`
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](there)); err != nil {
		t.Fatal(err)
	}
	got := webtest.Eval[[]string](t, ctx, `[...document.querySelector(".pair .player").querySelectorAll(".side")]
  .map(s => s.querySelectorAll(".differs").length + " " + s.querySelector(".status").textContent)`)
	if want := []string{"4 over: empty_side", "4 North to move"}; !slices.Equal(got, want) { // the sweep takes all that lies in three pits
		t.Errorf("the sides are %q, want %q", got, want)
	}
	webtest.Do(t, ctx, chromedp.KeyEvent(kb.Home))
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool]("!("+there+")")); err != nil {
		t.Error("marks stay at the start")
	}
	heard.Quiet(t)
}

// TestMapLinks: a cell of a map opens the section it links to.
func TestMapLinks(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "thesis_narrow"), page.Options{Made: "mancheck v1"}))
	webtest.Eval[bool](t, ctx, `(document.querySelector(".map td a").click(), true)`)
	const opened = `location.hash !== "" && document.getElementById(location.hash.slice(1)).open === true`
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](opened)); err != nil {
		t.Error(err)
	}
	heard.Quiet(t)
}

// TestDrop plays a file that is dropped on the page.
func TestDrop(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(thesis(t), page.Options{Made: "mancheck v1"}))
	webtest.Eval[bool](t, ctx, `(() => {
  const text = JSON.stringify({ start: { pits: { a1: 1, a2: 0 }, control: {} },
    steps: [{ move: "1", label: "m", state: { pits: { a1: 0, a2: 1 }, control: {} } }] });
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "play.json", { type: "application/json" }));
  const drop = type => document.getElementById("player").dispatchEvent(
    new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  return drop("dragover"), drop("drop");
})()`)
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.querySelector("#trace-stage .player") !== null`)); err != nil {
		t.Error(err)
	}
	heard.Quiet(t)
}

// TestPrint: on paper all branches and plays are open, and there are no players. Afterwards all is
// as it was.
func TestPrint(t *testing.T) {
	tier.Long(t, "it opens a browser")
	ctx := webtest.Browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules"), page.Options{Made: "mancheck v1"}))
	const closed = `document.querySelectorAll("details:not([open])").length`
	before := webtest.Eval[int](t, ctx, closed)
	webtest.Eval[bool](t, ctx, `dispatchEvent(new Event("beforeprint"))`)
	if n := webtest.Eval[int](t, ctx, closed); n > 0 || before == 0 {
		t.Errorf("%d of %d stay closed", n, before)
	}
	webtest.Call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	const seen = `[...document.querySelectorAll(".player, .controls, #player, nav")].filter(e => e.getClientRects().length > 0).length`
	if n := webtest.Eval[int](t, ctx, seen); n > 0 {
		t.Errorf("%d things for a screen are printed", n)
	}
	if n := webtest.Eval[int](t, ctx, `[...document.querySelectorAll("#claim-hole-in-the-rules .steps .board")].filter(e => e.getClientRects().length > 0).length`); n != 3 {
		t.Errorf("%d boards are printed, want 3", n)
	}
	webtest.Eval[bool](t, ctx, `dispatchEvent(new Event("afterprint"))`)
	if n := webtest.Eval[int](t, ctx, closed); n != before {
		t.Errorf("%d are closed afterwards, %d before", n, before)
	}
	heard.Quiet(t)
}

// TestPolicy: what a page's policy forbids does not happen, and these tests would hear of it.
func TestPolicy(t *testing.T) {
	ctx := webtest.Browser(t)
	for _, bad := range []string{
		`<script>document.title = "run"</script>`, `<img src="https://example.invalid/x.png">`, `<p style="color: red">`,
	} {
		text := bytes.Replace(page.HTML(thesis(t), page.Options{Made: "mancheck v1"}), []byte("<header>"), []byte("<header>"+bad), 1)
		heard := open(t, ctx, text)
		if len(heard.Errors()) == 0 {
			t.Errorf("nothing is heard of %s", bad)
		}
		if webtest.Eval[string](t, ctx, "document.title") == "run" {
			t.Errorf("%s is run", bad)
		}
	}
}

// TestAccessible: a page has no serious fault of accessibility, light or dark, on a telephone or a
// wide screen, at the start and in the middle of a play.
func TestAccessible(t *testing.T) {
	tier.Long(t, "it may fetch from the network")
	axe, ctx := webtest.Axe(t), webtest.Browser(t)
	for name, text := range map[string][]byte{
		"dose2015":  page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules", "thesis_any", "map"), page.Options{Made: "mancheck v1"}),
		"oware":     page.HTML(example(t, "oware"), page.Options{Made: "mancheck v1"}),
		"fairkalah": page.HTML(document(t, "../../../proofs/fairkalah.sow", os.ReadFile, "starvation"), page.Options{Made: "mancheck v1"}),
		"forced":    page.HTML(forced(t), page.Options{Made: "mancheck v1"}),
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1440} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, scheme, width), func(t *testing.T) {
					prefer(t, ctx, "prefers-color-scheme", scheme)
					webtest.Do(t, ctx, chromedp.EmulateViewport(width, 900))
					open(t, ctx, text)
					webtest.Accessible(t, ctx, axe)
					webtest.Eval[bool](t, ctx, `(document.querySelector(".player [aria-label^='To the end']").click(),
  document.querySelectorAll("details").forEach(d => d.open = true), true)`)
					webtest.Accessible(t, ctx, axe)
				})
			}
		}
	}
}

package page_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mancheck/mancheck/cmd/internal/page"
)

// browser opens a headless Chromium, or skips the test if there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	do(t, ctx, chromedp.Navigate("about:blank")) // the context of the first action lives as long as the browser
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	return ctx
}

// events gathers what a page should not do.
type events struct {
	mu       sync.Mutex
	requests []string
	errors   []string
}

func (e *events) hear(ev any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if url := ev.Request.URL; !strings.HasPrefix(url, "file:") {
			e.requests = append(e.requests, url)
		}
	case *runtime.EventExceptionThrown:
		e.errors = append(e.errors, ev.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		e.errors = append(e.errors, ev.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		e.errors = append(e.errors, "console: "+string(ev.Type))
	}
}

// open shows a document in the browser.
func open(t *testing.T, ctx context.Context, text []byte) *events {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	heard := &events{}
	if err := chromedp.Listen(ctx, heard.hear); err != nil {
		t.Fatal(err)
	}
	call(t, ctx, network.Enable, network.EnableParams{})
	call(t, ctx, runtime.Enable, cdp.Empty{})
	call(t, ctx, cdplog.Enable, cdp.Empty{})
	do(t, ctx, chromedp.Navigate("file://"+path))
	return heard
}

func (e *events) quiet(t *testing.T) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.requests)+len(e.errors) > 0 {
		t.Errorf("requests %v, errors %v", e.requests, e.errors)
	}
}

func call[P, R any](t *testing.T, ctx context.Context, cmd cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(ctx, cmd, params); err != nil {
		t.Fatal(err)
	}
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const shown = `document.querySelector(".player .stage").innerHTML`

// TestKeys plays a trace forward and back by keys and buttons.
func TestKeys(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules")))
	do(t, ctx, chromedp.Focus(".player"))
	start := eval[string](t, ctx, shown)
	at := func(want string) { // the browser may be slow to hear of a key
		t.Helper()
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.querySelector(".player").dataset.at === "`+want+`"`)); err != nil {
			t.Fatalf("not at move %s: %v", want, err)
		}
	}
	for _, k := range []struct{ key, at string }{
		{kb.ArrowRight, "1"}, {kb.ArrowRight, "2"}, {kb.ArrowRight, "2"}, {kb.ArrowLeft, "1"}, {kb.End, "2"}, {kb.Home, "0"},
	} {
		do(t, ctx, chromedp.KeyEvent(k.key))
		at(k.at)
	}
	space := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: " ", Code: "Space", WindowsVirtualKeyCode: 32}
	call(t, ctx, input.DispatchKeyEvent, space) // without the character, which a page does not get once it has taken the key
	at("1")
	if eval[string](t, ctx, shown) == start {
		t.Error("the board does not change")
	}
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	at("0")
	if eval[string](t, ctx, shown) != start {
		t.Error("the board does not come back")
	}
	for _, want := range []string{"1", "2"} {
		do(t, ctx, chromedp.Click(`.player button[aria-label^="One move forward"]`))
		at(want)
	}
	said := eval[string](t, ctx, `document.querySelector('.player [aria-live]').textContent`)
	if !strings.Contains(said, "hole01 A") || !strings.Contains(said, "SR004(B)") {
		t.Errorf("the player says %q", said)
	}
	heard.quiet(t)
}

// TestSameDrawing: the player draws each state of a play as the page itself does.
func TestSameDrawing(t *testing.T) {
	ctx := browser(t)
	for _, doc := range []string{proof, "../../../examples/oware.sow"} {
		claim := "goes_on"
		if doc == proof {
			claim = "hole_in_the_rules"
		}
		heard := open(t, ctx, page.HTML(document(t, doc, os.ReadFile, claim)))
		differ := eval[[]string](t, ctx, `(() => {
  const play = document.querySelector(".play"), next = play.querySelector('button[aria-label^="One move forward"]');
  const plain = svg => { const s = svg.cloneNode(true); s.removeAttribute("aria-label"); return s.outerHTML; };
  return [...play.querySelectorAll(".steps svg")].filter((svg, i) => {
    if (i > 0) next.click();
    return plain(svg) !== plain(play.querySelector(".stage svg"));
  }).map(plain);
})()`)
		if len(differ) > 0 {
			t.Errorf("%s: %d states are drawn otherwise, such as\n%s", doc, len(differ), differ[0])
		}
		heard.quiet(t)
	}
}

// TestOpenTrace plays a trace that is pasted, of rules that the page does not know, and refuses
// what is none.
func TestOpenTrace(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(thesis(t)))
	const trace = `{"variant": "<b>V", "start": {"pits": {"a1": 1, "a2": 0, "s": 0}, "control": {}},
	  "steps": [{"move": "<i>1", "label": "m", "state": {"pits": {"a1": 0, "a2": 1, "s": 0}, "control": {}}}]}`
	do(t, ctx, chromedp.SetValue("#trace-text", trace), chromedp.Click("#trace-open"),
		chromedp.WaitVisible("#trace-stage .player"), chromedp.KeyEvent(kb.ArrowRight))
	const moved = `document.querySelector("#trace-stage .player").dataset.at === "1"`
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](moved)); err != nil {
		t.Fatal(err)
	}
	said := eval[string](t, ctx, `document.querySelector("#trace-stage .caption").textContent`)
	if !strings.Contains(said, "<i>1") || eval[int](t, ctx, `document.querySelectorAll("#trace-stage i, #trace-stage b b").length`) > 0 {
		t.Errorf("the player says %q", said)
	}
	for _, bad := range []string{"{", `{"start": {}}`, `{"start": {"pits": {"a": 1}, "control": {}}, "steps": [{}]}`, "null"} {
		do(t, ctx, chromedp.SetValue("#trace-text", bad), chromedp.Click("#trace-open"))
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.getElementById("trace-error").textContent !== ""`)); err != nil {
			t.Errorf("%s is taken for a trace: %v", bad, err)
		}
	}
	heard.quiet(t)
}

// TestWidths: pages do not scroll sideways, neither on a telephone nor on a wide screen, whatever
// is open.
func TestWidths(t *testing.T) {
	ctx := browser(t)
	pages := [][]byte{page.HTML(document(t, proof, os.ReadFile))}
	for _, name := range examples {
		pages = append(pages, page.HTML(example(t, name)))
	}
	for i, text := range pages {
		heard := open(t, ctx, text)
		for _, width := range []int64{360, 1600} {
			do(t, ctx, chromedp.EmulateViewport(width, 900))
			const js = `document.querySelectorAll("details").forEach(d => d.open = true), document.documentElement.scrollWidth`
			if got := eval[int64](t, ctx, js); got > width {
				t.Errorf("page %d is %d wide on a window of %d", i, got, width)
			}
		}
		heard.quiet(t)
	}
}

// TestPair: both plays of a pair go on together, and in the end the pits that differ are marked on
// both boards.
func TestPair(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(document(t, "../../../proofs/fairkalah.sow", os.ReadFile, "starvation")))
	do(t, ctx, chromedp.Focus(".pair .player"), chromedp.KeyEvent(kb.End))
	const there = `document.querySelectorAll(".pair .player .differs").length > 0`
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](there)); err != nil {
		t.Fatal(err)
	}
	got := eval[[]string](t, ctx, `[...document.querySelector(".pair .player").querySelectorAll(".side")]
  .map(s => s.querySelectorAll(".differs").length + " " + s.querySelector(".status").textContent)`)
	if want := []string{"4 over: empty_side", "4 North to move"}; !slices.Equal(got, want) { // the sweep takes all that lies in three pits
		t.Errorf("the sides are %q, want %q", got, want)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Home))
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool]("!("+there+")")); err != nil {
		t.Error("marks stay at the start")
	}
	heard.quiet(t)
}

// TestMapLinks: a cell of a map opens the section it links to.
func TestMapLinks(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "thesis_narrow")))
	eval[bool](t, ctx, `(document.querySelector(".map td a").click(), true)`)
	const opened = `location.hash !== "" && document.getElementById(location.hash.slice(1)).open === true`
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](opened)); err != nil {
		t.Error(err)
	}
	heard.quiet(t)
}

// TestDrop plays a file that is dropped on the page.
func TestDrop(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(thesis(t)))
	eval[bool](t, ctx, `(() => {
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
	heard.quiet(t)
}

// TestPrint: on paper all branches and plays are open, and there are no players. Afterwards all is
// as it was.
func TestPrint(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules")))
	const closed = `document.querySelectorAll("details:not([open])").length`
	before := eval[int](t, ctx, closed)
	eval[bool](t, ctx, `dispatchEvent(new Event("beforeprint"))`)
	if n := eval[int](t, ctx, closed); n > 0 || before == 0 {
		t.Errorf("%d of %d stay closed", n, before)
	}
	call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	const seen = `[...document.querySelectorAll(".player, .controls, #player, nav")].filter(e => e.getClientRects().length > 0).length`
	if n := eval[int](t, ctx, seen); n > 0 {
		t.Errorf("%d things for a screen are printed", n)
	}
	eval[bool](t, ctx, `dispatchEvent(new Event("afterprint"))`)
	if n := eval[int](t, ctx, closed); n != before {
		t.Errorf("%d are closed afterwards, %d before", n, before)
	}
	heard.quiet(t)
}

// TestPolicy: what a page's policy forbids does not happen, and these tests would hear of it.
func TestPolicy(t *testing.T) {
	ctx := browser(t)
	for _, bad := range []string{
		`<script>document.title = "run"</script>`, `<img src="https://example.invalid/x.png">`, `<p style="color: red">`,
	} {
		text := bytes.Replace(page.HTML(thesis(t)), []byte("<main>"), []byte("<main>"+bad), 1)
		heard := open(t, ctx, text)
		heard.mu.Lock()
		if len(heard.errors) == 0 {
			t.Errorf("nothing is heard of %s", bad)
		}
		heard.mu.Unlock()
		if eval[string](t, ctx, "document.title") == "run" {
			t.Errorf("%s is run", bad)
		}
	}
}

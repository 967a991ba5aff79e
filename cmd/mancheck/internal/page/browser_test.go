package page_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/page"
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
	for _, doc := range []string{proof, "../../../../examples/oware.sow"} {
		claim := "cycles"
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

// TestOpenTrace plays a trace that is pasted, of rules that the page does not know, and refuses what is none.
func TestOpenTrace(t *testing.T) {
	ctx := browser(t)
	heard := open(t, ctx, page.HTML(thesis(t)))
	const trace = `{"variant": "<b>V", "start": {"pits": {"a1": 1, "a2": 0, "s": 0}, "control": {}},
	  "steps": [{"move": "<i>1", "label": "m", "state": {"pits": {"a1": 0, "a2": 1, "s": 0}, "control": {}}}]}`
	do(t, ctx, chromedp.SetValue("#trace-text", trace), chromedp.Click("#trace-open"), chromedp.WaitVisible("#trace-stage .player"), chromedp.KeyEvent(kb.ArrowRight))
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

// TestWidths: pages do not scroll sideways, neither on a telephone nor on a wide screen, whatever is open.
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

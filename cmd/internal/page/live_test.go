package page_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/page"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/internal/webtest"
)

const row = `variant Row {
  board { a[1..3] line l = a[1..3] }
  setup { a1 = 1, a2 = 1 }
  move { choose p in a where p > 0 sow p along l }
}
claim c { reachable a3 = 2 }
`

// worker answers as the worker of a playground does, with a legal move in each state but the last;
// the status is the question.
const worker = `self.onmessage = ({ data }) => {
  const answer = a => self.postMessage({ answer: JSON.stringify(a) });
  if (data.program) return self.postMessage({ ready: true });
  const { ask, source, game, files } = JSON.parse(data.question);
  if (ask === "library") return answer({});
  const pits = { a1: 1, a2: 0, a3: 1 }, control = {};
  const move = (move, into) => ({ move, pit: "a2", moved: [{ from: "a2", into: null, seeds: 1 }, { from: null, into, seeds: 1 }], state: { pits, control } });
  answer({ legal: game.moves.length === 0 ? [move("2", "a3"), move("2 back", "a1")] : [], status: JSON.stringify({ ask, path: source.path, text: source.text, game }) });
};`

// noProgram is the least that is a program.
var noProgram = []byte("\x00asm\x01\x00\x00\x00")

// served serves a page and, in the folder play beside it, a playground.
func served(t *testing.T, text []byte) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, file := range map[string][]byte{"/page.html": text, "/play/worker.js": []byte(worker), "/play/mancheck.wasm": noProgram} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			if _, err := w.Write(file); err != nil {
				t.Error(err)
			}
		})
	}
	mux.HandleFunc("/favicon.ico", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/page.html"
}

// TestWhatIf: from a state of a play other moves can be made, which the tool of a playground is
// asked about; and there is a way back.
func TestWhatIf(t *testing.T) {
	tier.Long(t, "it opens a browser")
	doc := document(t, "-", func(string) ([]byte, error) { return []byte(row), nil })
	text := page.HTML(doc, page.Options{Live: &page.Live{Address: "play/", Path: "-", Files: map[string][]byte{"-": []byte(row)}}})
	wellFormed(t, text)
	ctx := webtest.Browser(t)
	prefer(t, ctx, "prefers-reduced-motion", "reduce")
	heard := webtest.Open(t, ctx, served(t, text))
	press := func(words string) {
		t.Helper()
		webtest.Wait(t, ctx, `[...document.querySelectorAll(".player button")].some(b => b.textContent === "`+words+`" && !b.disabled)`)
		webtest.Eval[bool](t, ctx, `([...document.querySelectorAll(".player button")].find(b => b.textContent === "`+words+`").click(), true)`)
	}
	asked := func() (q struct {
		Ask, Path, Text string
		Game            struct {
			Variant string
			Start   struct{ Pits map[string]int }
			Moves   []string
		}
	},
	) {
		t.Helper()
		webtest.Wait(t, ctx, `document.querySelector(".whatif .status")?.textContent.startsWith("{")`)
		if err := json.Unmarshal([]byte(webtest.Eval[string](t, ctx, `document.querySelector(".whatif .status").textContent`)), &q); err != nil {
			t.Fatal(err)
		}
		return q
	}
	press("What if …")
	q := asked()
	if q.Ask != "position" || q.Path != "-" || q.Text != row || q.Game.Variant != "Row" || q.Game.Start.Pits["a2"] != 1 || len(q.Game.Moves) != 0 {
		t.Errorf("asked is %+v", q)
	}
	webtest.Eval[bool](t, ctx, `(document.querySelector('[data-pit="a2"]').dispatchEvent(new MouseEvent("click", { bubbles: true })), true)`)
	webtest.Wait(t, ctx, `document.activeElement.textContent === "2"`) // of several moves the reader chooses
	press("2 back")
	webtest.Wait(t, ctx, `document.querySelector(".whatif").textContent.includes("2 back")`)
	if q = asked(); !slices.Equal(q.Game.Moves, []string{"2 back"}) {
		t.Errorf("asked is %+v", q)
	}
	webtest.Wait(t, ctx, `document.querySelector(".stage svg").getAttribute("aria-label") === "a1 1, a3 1"`)
	press("Take back")
	if q = asked(); len(q.Game.Moves) != 0 {
		t.Errorf("asked is %+v", q)
	}
	press("Back to the play")
	webtest.Wait(t, ctx, `document.querySelector(".whatif").childElementCount === 0 && document.querySelector("[data-pit]") === null`)
	heard.Quiet(t)
}

// TestNoPlayground: where the playground cannot be loaded the page says so, and goes on.
func TestNoPlayground(t *testing.T) {
	tier.Long(t, "it opens a browser")
	doc := document(t, "-", func(string) ([]byte, error) { return []byte(row), nil })
	ctx := webtest.Browser(t)
	open(t, ctx, page.HTML(doc, page.Options{Live: &page.Live{Address: "nowhere", Path: "-", Files: map[string][]byte{"-": []byte(row)}}}))
	webtest.Eval[bool](t, ctx, `([...document.querySelectorAll(".player button")].find(b => b.textContent === "What if …").click(), true)`)
	webtest.Wait(t, ctx, `document.querySelector(".whatif").textContent.includes("cannot be loaded. A page that is opened as a file")`)
}

// TestLivePolicy: a page may load from its playground and from nowhere else; without one it has
// nothing of it.
func TestLivePolicy(t *testing.T) {
	doc := document(t, proof, os.ReadFile, "hole_in_the_rules")
	policy := func(live *page.Live) string {
		return strings.ReplaceAll(regexp.MustCompile(`default-src[^"]*`).FindString(string(page.HTML(doc, page.Options{Live: live}))), "&#39;", "'")
	}
	for _, c := range []struct{ address, want string }{
		{"https://example.org:8000/play/", "; connect-src https://example.org:8000; worker-src blob:;"}, {"../play", "; connect-src 'self'; worker-src blob:;"},
	} {
		if got := policy(&page.Live{Address: c.address}); !strings.Contains(got, c.want) || !strings.Contains(got, "'wasm-unsafe-eval'") {
			t.Errorf("for %s the policy is %s", c.address, got)
		}
	}
	if got := policy(nil); strings.Contains(got, "connect-src") || strings.Contains(got, "wasm") || strings.Contains(got, "worker") {
		t.Errorf("without a playground the policy is %s", got)
	}
	if bytes.Contains(page.HTML(doc, page.Options{}), []byte("wasm")) {
		t.Error("a page without a playground has its script")
	}
}

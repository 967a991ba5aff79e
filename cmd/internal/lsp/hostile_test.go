package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/suite"
)

// secret is a name in a file outside of the workspace.
const secret = "Betrayed"

// hostileFolder returns a workspace whose folder has a link to one outside, which has a file with
// the secret.
func hostileFolder(t *testing.T) (inside, outside string) {
	t.Helper()
	inside, outside = t.TempDir(), t.TempDir()
	text := "variant " + secret + " { board { a | b } setup { a = 1 } move { require a > 0 take 1 from a into b } }\n"
	err := os.WriteFile(filepath.Join(outside, "other.sow"), []byte(text), 0o666)
	if err == nil {
		err = os.WriteFile(filepath.Join(inside, "near.sow"), []byte(strings.ReplaceAll(text, secret, "Near")), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(inside, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	return filepath.ToSlash(inside), filepath.ToSlash(outside)
}

// hostileTexts are documents that take long, or lead out of the workspace, by their kind.
func hostileTexts(r *rand.Rand, outside string) string {
	n := 1 << r.IntN(9)
	condition := strings.Repeat("(", n) + "1 = 1" + strings.Repeat(")", n)
	texts := []string{
		game,
		"import \"link/other.sow\"\n" + game,
		"import \"" + outside + "/other.sow\"\n" + game,
		"import \"near.sow\"\nclaim c of Near { terminates }\n",
		"import \"" + strings.Repeat("a/", 10*n) + "x.sow\"\n" + game,
		"import \"" + strings.Repeat("../", n) + "etc/passwd\"\n",
		"import \"http://127.0.0.1:1/x.sow\"\nimport \"file:///etc/passwd\"\n",
		strings.Repeat("x ", 20*n),
		strings.Repeat("{", n) + game,
		strings.Replace(game, "p > 0", condition, 1),
		strings.Replace(game, "last > 2", strings.Repeat("not ", n)+"last > 2", 1),
		strings.Replace(game, "last > 2", "last > 2"+strings.Repeat(" + 1", n), 1),
		strings.Replace(game, "1..6", "1.."+strings.Repeat("9", n), 1),
		strings.Replace(game, "m = 3", "m = 99999", 1),
		strings.Replace(game, "each hole = 1", "each hole = 1000000000000000", 1),
		game + strings.Repeat("claim c { for m in 1..6: unreachable total(hole) = 9 }\n", n/8),
		game + "claim many { for m in 1..99999: unreachable hole1 = 9 }\n",
		game + "claim __proto__ { reachable big }\nclaim constructor { reachable big }\n",
		game + "// \u202e\u0000\ufeff\U0001F600 " + strings.Repeat("é", n) + "\r\r\n",
		strings.ReplaceAll(game, "hole", "ho\u0430le"),
		strings.Repeat(game, 1+n/64),
		"",
	}
	text := texts[r.IntN(len(texts))]
	if r.IntN(4) == 0 { // cut somewhere
		text = text[:r.IntN(len(text)+1)]
	}
	return text
}

// hostileSettings are settings that want what only trust makes count.
func hostileSettings(r *rand.Rand, outside string) any {
	hostile := map[string]any{"trusted": true, "Trusted": true, "solver": outside + "/evil.sh", "allowImports": []string{"/", outside}, "decideOnSave": true, "showDocument": true, "timeout": "1ms"}
	list := []any{
		hostile,
		map[string]any{"mancheck": hostile},
		map[string]any{"mancheck": map[string]any{"mancheck": hostile}},
		map[string]any{"threads": -1 << 40, "maxMemory": strings.Repeat("9", 100) + "TiB", "timeout": -1e300},
		map[string]any{"threads": 1e300, "timeout": "never", "solver": []any{hostile}, "allowImports": "x"},
		map[string]any{"__proto__": hostile, "constructor": hostile, "": hostile},
		[]any{hostile},
		"trusted", true, 1, nil,
	}
	return list[r.IntN(len(list))]
}

// tamed are the notifications and their parameters that a hostile workspace can make a client send.
func tamed(r *rand.Rand, uri, outside string) (method string, params any) {
	switch r.IntN(7) {
	case 0:
		return "workspace/didChangeConfiguration", map[string]any{"settings": hostileSettings(r, outside)}
	case 1:
		return "mancheck/trust", []any{map[string]any{"trusted": "true"}, map[string]any{"trusted": 1}, map[string]any{"Trusted": true}, []any{true}, nil}[r.IntN(5)]
	case 2:
		return "textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}, "text": "x"}
	case 3:
		return "workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uri, "type": r.IntN(9) - 3}, nil, map[string]any{"uri": "file://" + outside + "/other.sow", "type": 2}}}
	case 4:
		folders := map[string]any{"added": []any{map[string]any{"uri": "file:" + strings.Repeat("/", r.IntN(5)) + "x%zz", "name": ""}}, "removed": []any{}}
		return "workspace/didChangeWorkspaceFolders", map[string]any{"event": folders}
	case 5:
		return "window/workDoneProgress/cancel", map[string]any{"token": r.IntN(3)}
	}
	end := Position{r.Uint32() >> r.IntN(32), r.Uint32() >> r.IntN(32)}
	change := map[string]any{"text": hostileTexts(r, outside), "range": map[string]any{"start": Position{uint32(r.IntN(30)), uint32(r.IntN(30))}, "end": end}}
	return "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": r.IntN(9)}, "contentChanges": []any{change}}
}

// hurried decides within a short time, as the program does within the time of the settings.
type hurried struct{ Decider }

func (h hurried) Decide(ctx context.Context, job Job) ([]*suite.Item, error) {
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	return h.Decider.Decide(ctx, job)
}

// TestHostileSessions sends sessions of hostile documents, settings and requests. Every request is
// answered, nothing panics, no setting counts that trust alone makes count, and what lies outside
// of the folder is not read. MANCHECK_SESSIONS is their number.
func TestHostileSessions(t *testing.T) {
	inside, outside := hostileFolder(t)
	sessions, err := strconv.Atoi(os.Getenv("MANCHECK_SESSIONS"))
	if err != nil {
		sessions = 16 / tier.Every(4, 2)
	}
	var asked []string
	for method := range methods {
		if method != "initialize" && method != "shutdown" {
			asked = append(asked, method)
		}
	}
	slices.Sort(asked)
	took := map[string][]time.Duration{}
	before := runtime.NumGoroutine()
	for seed := range sessions {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		c := start(t, hurried{deciding{before: func(_ context.Context, j Job) {
			if s := j.Settings; s.Trusted || s.Solver != "" || s.AllowImports != nil || s.DecideOnSave || s.ShowDocument {
				t.Errorf("session %d: a decision has the settings %+v", seed, s)
			}
		}}})
		options, _ := hostileSettings(r, outside).(map[string]any)
		delete(options, "trusted") // the client itself has this word
		c.initialize(inside, options, nil)
		late := time.AfterFunc(time.Minute, func() { c.to.Close() })
		uri := uriOf(inside + fmt.Sprintf("/game%d.sow", r.IntN(2)))
		if r.IntN(8) == 0 {
			uri = []string{"untitled:x", "file://" + outside + "/other.sow", "x", "http://127.0.0.1:1/", "file:///nowhere/%00"}[r.IntN(5)]
		}
		text := hostileTexts(r, outside)
		c.open(uri, text)
		for range 4 + r.IntN(8) {
			for r.IntN(2) == 0 {
				c.notify(tamed(r, uri, outside))
			}
			method := asked[r.IntN(len(asked))]
			began := time.Now()
			m := c.ask(method, hostileParams(r, uri))
			took[method] = append(took[method], time.Since(began))
			if m.Error != nil && m.Error.Code == jsonrpc2.CodeInternalError {
				t.Errorf("session %d: %s: %s", seed, method, m.Error.Message)
			}
			if strings.Contains(string(m.Result), secret) && !strings.Contains(uri, outside) {
				t.Errorf("session %d: %s tells what lies outside of the folder: %s", seed, method, m.Result)
			}
		}
		if status := c.quit(); status != 0 {
			t.Errorf("session %d: the server ends with %d", seed, status)
		}
		late.Stop()
		c.to.Close()
		for _, m := range c.notes {
			if m.Method == "window/showDocument" || strings.Contains(string(m.Params), secret) && !strings.Contains(uri, outside) {
				t.Errorf("session %d: %s %s", seed, m.Method, m.Params)
			}
		}
	}
	if files, err := filepath.Glob(inside + "/*"); err != nil || len(files) != 2 {
		t.Errorf("the folder has %q, %v", files, err)
	}
	logTimes(t, took)
	for range 1000 { // the goroutines of a session end with it
		if runtime.NumGoroutine() <= before+2 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d sessions, %d were there before", runtime.NumGoroutine(), sessions, before)
}

// hostileParams are the parameters of a request, about a place that may not exist.
func hostileParams(r *rand.Rand, uri string) map[string]any {
	at := Position{uint32(r.IntN(30)), uint32(r.IntN(60))}
	if r.IntN(4) == 0 {
		at = Position{r.Uint32() >> r.IntN(32), r.Uint32() >> r.IntN(32)}
	}
	params := place(uri, at)
	params["range"] = map[string]any{"start": Position{0, 0}, "end": at}
	params["context"] = map[string]any{"includeDeclaration": true, "diagnostics": []any{}, "triggerKind": r.IntN(5)}
	params["newName"] = []string{"x", "", "a b", strings.Repeat("y", 1<<r.IntN(16)), "../x", "\u0000"}[r.IntN(6)]
	params["query"] = params["newName"]
	params["options"] = map[string]any{"tabSize": r.IntN(9) - 4, "insertSpaces": true}
	params["command"] = []string{decideCommand, decideAllCommand, traceCommand, explainCommand, "evil"}[r.IntN(5)]
	params["arguments"] = []any{uri, []any{"always", "wins", "c", "__proto__", 7, nil}[r.IntN(6)]}
	return params
}

// logTimes logs how long answers took.
func logTimes(t *testing.T, took map[string][]time.Duration) {
	t.Helper()
	var all, quick []time.Duration
	for method, list := range took {
		all = append(all, list...)
		if method != "workspace/executeCommand" { // decisions have a time limit of their own
			quick = append(quick, list...)
		}
		slices.Sort(list)
		t.Logf("%-33s %6d  p99 %8v  most %8v", method, len(list), list[len(list)*99/100].Round(time.Microsecond), list[len(list)-1].Round(time.Microsecond))
	}
	slices.Sort(all)
	slices.Sort(quick)
	t.Logf("%d answers: p50 %v, p99 %v, most %v; without decisions p99 %v", len(all), all[len(all)/2], all[len(all)*99/100], all[len(all)-1], quick[len(quick)*99/100])
}

// FuzzSettings: whatever settings are, and whatever is said of trust, nothing but the word of the
// client makes a workspace trusted, and times are not negative.
func FuzzSettings(f *testing.F) {
	for seed := range uint64(24) {
		text, err := json.Marshal(hostileSettings(rand.New(rand.NewPCG(seed, 2)), "/outside"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{"", "{", `{"trusted":true}`, `{"trusted":true,"trusted":false}`, `{"timeout":1e308}`, `{"timeout":"9999999h"}`, `{"mancheck":{"trusted":true}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := Settings{}.merged(json.RawMessage(text))
		if e := s.effective(); s.Trusted || e.Solver != "" || e.AllowImports != nil || e.DecideOnSave || e.ShowDocument {
			t.Errorf("%q: %+v", text, e)
		}
		if s.Limit() < 0 {
			t.Errorf("%q: the limit is %v", text, s.Limit())
		}
		var said struct {
			Trusted *bool `json:"trusted"`
		}
		if trust(json.RawMessage(text)) && (json.Unmarshal([]byte(text), &said) != nil || said.Trusted == nil) {
			t.Errorf("%q is taken for trust", text)
		}
	})
}

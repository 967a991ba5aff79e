package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLifeCycle(t *testing.T) {
	c := start(t, deciding{})
	if m := c.ask("textDocument/hover", place(gameURI, Position{})); m.Error == nil || m.Error.Code != codeNotInitialized {
		t.Errorf("before initialize: %+v", m)
	}
	c.open(gameURI, game) // is dropped
	m := c.initialize("", nil, nil)
	if m.Error != nil || !strings.Contains(string(m.Result), `"positionEncoding":"utf-16"`) {
		t.Errorf("initialize: %+v", m)
	}
	if m := c.ask("initialize", map[string]any{"capabilities": map[string]any{}}); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("a second time: %+v", m)
	}
	if m := c.ask("no/method", nil); m.Error == nil || m.Error.Code != -32601 {
		t.Errorf("an unknown method: %+v", m)
	}
	c.notify("no/notification", nil)
	c.notify("$/unknown", map[string]any{})
	if m := c.ask("textDocument/hover", place(gameURI, Position{})); m.Error != nil || string(m.Result) != "null" {
		t.Errorf("a document that is not open: %+v", m)
	}
	if m := c.ask("textDocument/hover", map[string]any{"position": "nowhere"}); m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("wrong parameters: %+v", m)
	}
	if m := c.ask("shutdown", nil); m.Error != nil || string(m.Result) != "null" {
		t.Errorf("shutdown: %+v", m)
	}
	if m := c.ask("textDocument/hover", place(gameURI, Position{})); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("after shutdown: %+v", m)
	}
	c.notify("exit", nil)
	if status := <-c.status; status != 0 {
		t.Errorf("the status is %d", status)
	}
}

// TestExitStatus: a client that exits without shutdown, or is gone, is no success.
func TestExitStatus(t *testing.T) {
	c := start(t, deciding{})
	c.initialize("", nil, nil)
	c.notify("exit", nil)
	if status := <-c.status; status != 1 {
		t.Errorf("without shutdown the status is %d", status)
	}
	c = start(t, deciding{})
	c.initialize("", nil, nil)
	c.to.Close()
	if status := <-c.status; status != 1 {
		t.Errorf("without exit the status is %d", status)
	}
}

func TestMalformed(t *testing.T) {
	c := start(t, deciding{})
	c.initialize("", nil, nil)
	for text, code := range map[string]int{
		`{`: -32700, `[]`: -32600, `{"jsonrpc":"2.0"}`: -32600, `{"id":1.5,"method":"shutdown"}`: -32600, `{"id":-1,"method":"shutdown"}`: -32600,
		`{"id":{},"method":"shutdown"}`: -32600, `{"method":7}`: -32600, `"text"`: -32600, `{"id":7,"method":"a","result":1}`: -32600,
	} {
		c.mu.Lock()
		before := len(c.answers["null"]) + len(c.answers["7"])
		c.mu.Unlock()
		c.raw(text)
		c.mu.Lock()
		for len(c.answers["null"])+len(c.answers["7"]) == before && !c.gone {
			c.arrived.Wait()
		}
		list := append(c.answers["null"], c.answers["7"]...)
		delete(c.answers, "7")
		c.mu.Unlock()
		if m := list[len(list)-1]; m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %+v", text, m)
		}
	}
	c.raw(`{"jsonrpc":"2.0","id":99,"result":null}`) // the answer to nothing
	if c.quit() != 0 {
		t.Error("the server did not live on")
	}
}

func TestPanic(t *testing.T) {
	c := opened(t, deciding{before: func(context.Context, Job) { panic("a fault for the test") }})
	if m := execute(c, "mancheck.decide", gameURI, "wins"); m.Error == nil || m.Error.Code != -32603 {
		t.Errorf("got %+v", m)
	}
	if got := lensTitles(t, c, "wins"); len(got) != 1 || got[0] != "decide" {
		t.Errorf("after it: %v", got)
	}
}

// TestCancelledDecision: a decision that is cancelled is no verdict, and the next one is made.
func TestCancelledDecision(t *testing.T) {
	begun := make(chan struct{}, 1)
	wait := true
	c := opened(t, deciding{before: func(ctx context.Context, _ Job) {
		if wait {
			begun <- struct{}{}
			<-ctx.Done()
		}
	}})
	id := c.begin("workspace/executeCommand", map[string]any{"command": "mancheck.decide", "arguments": []string{gameURI, "wins"}})
	<-begun
	// What is decided holds up nothing.
	if got := lensTitles(t, c, "wins"); len(got) != 1 || got[0] != "… deciding" {
		t.Errorf("meanwhile: %v", got)
	}
	second := c.begin("workspace/executeCommand", map[string]any{"command": "mancheck.decide", "arguments": []string{gameURI, "always"}})
	c.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(second)})
	if m := c.await(second); m.Error == nil || m.Error.Code != codeRequestCancelled {
		t.Errorf("the one that waits: %+v", m)
	}
	c.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
	if m := c.await(id); m.Error == nil || m.Error.Code != codeRequestCancelled {
		t.Errorf("got %+v", m)
	}
	if got := lensTitles(t, c, "wins"); len(got) != 1 || got[0] != "decide" {
		t.Errorf("after it: %v", got)
	}
	wait = false
	if m := execute(c, "mancheck.decide", gameURI, "wins"); m.Error != nil {
		t.Error(m.Error)
	}
}

// TestLimit: a limit is no verdict but a reason why there is none.
func TestLimit(t *testing.T) {
	c := opened(t, deciding{})
	text := strings.Replace(game, "param m = 3 in 1..6", "param m = 6 in 1..60", 1) + "claim many { with m = 40 count(states) = 3 }\n"
	text = strings.Replace(text, "setup { each hole = 1 }", "setup { any where total(hole) = m }", 1)
	c.change(gameURI, 2, text)
	if m := execute(c, "mancheck.decide", gameURI, "many"); m.Error != nil {
		t.Fatal(m.Error)
	}
	if got := lensTitles(t, c, "many"); len(got) == 0 || !strings.HasPrefix(got[0], "? unknown: ") {
		t.Errorf("got %v", got)
	}
}

// TestFault: an error in the rules that play comes to is told, and is no verdict.
func TestFault(t *testing.T) {
	c := opened(t, deciding{})
	text := strings.Replace(game, "sow p along round", "take 2 from p into hole1", 1)
	c.change(gameURI, 2, strings.Replace(text, "if last > 2", "if hole1 > 2", 1))
	m := execute(c, "mancheck.decide", gameURI, "wins")
	if m.Error != nil || !strings.Contains(string(m.Result), "failed") {
		t.Errorf("got %s, %+v", m.Result, m.Error)
	}
	if got := lensTitles(t, c, "wins"); len(got) != 1 || got[0] != "decide" {
		t.Errorf("after it: %v", got)
	}
}

// TestTrust: what is set counts only for a workspace that is trusted, and so does what lies
// outside.
func TestTrust(t *testing.T) {
	var jobs []Job
	inside, outside := filepath.ToSlash(t.TempDir()), filepath.ToSlash(t.TempDir())
	if err := os.WriteFile(filepath.Join(outside, "other.sow"), []byte("variant Other { board { a | b } setup { a = 1 } move { require a > 0 take 1 from a into b } }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := start(t, deciding{before: func(_ context.Context, j Job) { jobs = append(jobs, j) }})
	c.initialize(inside, map[string]any{"solver": "/bin/false", "allowImports": []string{outside}, "timeout": "7s"}, nil)
	uri := uriOf(inside + "/game.sow")
	text := "import \"" + outside + "/other.sow\"\nclaim c { terminates }\n"
	c.open(uri, text)
	if list := c.published(uri, 1); len(list) != 1 || list[0].Code != "F005" {
		t.Fatalf("got %+v", list)
	}
	c.change(uri, 2, game)
	if m := execute(c, "mancheck.decide", uri, "always"); m.Error != nil {
		t.Fatal(m.Error)
	}
	c.notify("mancheck/trust", map[string]bool{"trusted": true})
	c.change(uri, 3, text)
	if list := c.published(uri, 3); len(list) != 0 {
		t.Fatalf("got %+v", list)
	}
	if m := execute(c, "mancheck.decide", uri, "c"); m.Error != nil {
		t.Fatal(m.Error)
	}
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"mancheck": map[string]any{"threads": 2}}})
	c.notify("mancheck/trust", map[string]bool{"trusted": false})
	c.change(uri, 4, game)
	if m := execute(c, "mancheck.decide", uri, "always"); m.Error != nil {
		t.Fatal(m.Error)
	}
	if len(jobs) != 3 {
		t.Fatalf("%d jobs", len(jobs))
	}
	for i, trusted := range []bool{false, true, false} {
		if s := jobs[i].Settings; s.Trusted != trusted || (s.Solver == "") == trusted || (s.AllowImports == nil) == trusted || s.Limit() != 7e9 {
			t.Errorf("job %d has %+v", i, s)
		}
	}
	if jobs[2].Settings.Threads != 2 {
		t.Errorf("the threads are %d", jobs[2].Settings.Threads)
	}
}

// TestOneDoorToTrust: what a client passes on from a file of the workspace does not make it
// trusted, nor does a notification without the word.
func TestOneDoorToTrust(t *testing.T) {
	hostile := map[string]any{"trusted": true, "solver": "/bin/false", "decideOnSave": true, "allowImports": []string{"/"}, "showDocument": true}
	for name, c := range map[string]struct {
		options map[string]any
		method  string
		params  any
	}{
		"settings":           {nil, "workspace/didChangeConfiguration", map[string]any{"settings": hostile}},
		"section":            {nil, "workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"mancheck": hostile}}},
		"options as text":    {map[string]any{"trusted": "true", "solver": "/bin/false"}, "workspace/didChangeConfiguration", nil},
		"section of options": {map[string]any{"mancheck": hostile}, "workspace/didChangeConfiguration", nil},
		"other case":         {map[string]any{"Trusted": true, "solver": "/bin/false"}, "mancheck/trust", map[string]any{"TRUSTED": true}},
		"no word":            {hostileUntrusted, "mancheck/trust", map[string]any{}},
		"a number":           {hostileUntrusted, "mancheck/trust", map[string]any{"trusted": 1}},
		"a list":             {hostileUntrusted, "mancheck/trust", []bool{true}},
		"null":               {hostileUntrusted, "mancheck/trust", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var jobs []Job
			client := start(t, deciding{before: func(_ context.Context, j Job) { jobs = append(jobs, j) }})
			client.initialize("", c.options, nil)
			client.open(gameURI, game)
			client.notify(c.method, c.params)
			client.notify("textDocument/didSave", map[string]any{"textDocument": map[string]string{"uri": gameURI}})
			if m := execute(client, "mancheck.decide", gameURI, "always"); m.Error != nil {
				t.Fatal(m.Error)
			}
			if s := jobs[0].Settings; len(jobs) != 1 || s.Trusted || s.Solver != "" || s.AllowImports != nil || s.ShowDocument || s.DecideOnSave {
				t.Errorf("%d jobs, the first with %+v", len(jobs), s)
			}
		})
	}
}

var hostileUntrusted = map[string]any{"solver": "/bin/false", "decideOnSave": true}

func TestDecideOnSave(t *testing.T) {
	decided := make(chan []string, 1)
	c := start(t, deciding{before: func(_ context.Context, j Job) { decided <- j.Claims }})
	c.initialize("", map[string]any{"trusted": true, "decideOnSave": true}, nil)
	c.open(gameURI, game)
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]string{"uri": gameURI}})
	if got := <-decided; strings.Join(got, " ") != "wins always" {
		t.Errorf("decided %v", got)
	}
}

// TestLongLine: places in one line of a megabyte are found without going through it for each.
func TestLongLine(t *testing.T) {
	text := strings.Repeat("x é😀 ", 1<<17)
	l := newLines(text, false)
	for at := range len(text) { // by the square of the length these would take hours
		p := l.position(at)
		if back := l.offset(p); back > at || at-back >= utf8.UTFMax || utf8.RuneStart(text[at]) && back != at {
			t.Fatalf("byte %d is at %v, which is byte %d", at, p, back)
		}
	}
}

// TestStuckAnswer: a request that does not come to an end is answered when it is cancelled.
func TestStuckAnswer(t *testing.T) {
	stuck := make(chan struct{})
	methods["test/stuck"] = func(*request) (any, error) { <-stuck; return nil, nil }
	defer delete(methods, "test/stuck")
	c := start(t, deciding{})
	defer close(stuck)
	c.initialize("", nil, nil)
	id := c.begin("test/stuck", nil)
	c.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
	if m := c.await(id); m.Error == nil || m.Error.Code != codeRequestCancelled {
		t.Errorf("got %+v", m)
	}
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ uri, path, back string }{
		{"file:///home/a/game.sow", "/home/a/game.sow", "file:///home/a/game.sow"},
		{"file:///home/a%20b/%C3%A4.sow", "/home/a b/ä.sow", "file:///home/a%20b/%C3%A4.sow"},
		{"file:///c%3A/games/x.sow", "c:/games/x.sow", "file:///c:/games/x.sow"},
		{"file:///C:/games/x.sow", "c:/games/x.sow", "file:///c:/games/x.sow"},
		{"file://server/share/x.sow", "//server/share/x.sow", "file://server/share/x.sow"},
		{"file:///a/../b/x.sow", "/b/x.sow", "file:///b/x.sow"},
		{"file:///a%23b%3F.sow", "/a#b?.sow", "file:///a%23b%3F.sow"},
	} {
		if got := pathOf(c.uri, "/folder"); got != c.path {
			t.Errorf("%s: %s", c.uri, got)
		}
		if got := uriOf(c.path); got != c.back {
			t.Errorf("%s: %s", c.path, got)
		}
	}
	if got := pathOf("untitled:Untitled-1", "/folder"); got != "/folder/untitled:Untitled-1" {
		t.Errorf("untitled: %s", got)
	}
}

// plainText is a text with what is hard about positions.
var plainText = rapid.StringOfN(rapid.RuneFrom([]rune("ab\n\r\té€😀𝄞")), 0, 30, -1)

// units is a simple model of columns: the lines of a text as units of UTF-16, with what ends them.
func units(text string) (lines [][]string) {
	line := []string{}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		piece := text[i : i+n]
		if r == '\r' && strings.HasPrefix(text[i:], "\r\n") {
			piece = "\r\n"
		}
		line = append(line, piece)
		if r > 0xffff {
			line = append(line, "") // the second unit of the pair
		}
		i += len(piece)
		if r == '\n' || r == '\r' {
			lines, line = append(lines, line), []string{}
		}
	}
	return append(lines, line)
}

// cut is the text before a position.
func cut(text string, p Position) string {
	var b strings.Builder
	lines := units(text)
	for n, line := range lines {
		if n > int(p.Line) {
			break
		}
		k := 0
		for _, u := range line {
			ends := strings.ContainsAny(u, "\r\n")
			if n == int(p.Line) && (ends || k >= int(p.Character) || u != "" && k+1 < len(line) && line[k+1] == "" && k+1 >= int(p.Character)) {
				return b.String()
			}
			b.WriteString(u)
			k++
		}
	}
	return b.String()
}

var anyPosition = rapid.Custom(func(t *rapid.T) Position {
	return Position{rapid.Uint32Range(0, 6).Draw(t, "line"), rapid.Uint32Range(0, 12).Draw(t, "column")}
})

// TestEdits: the text of a document after any changes is that of a simple model.
func TestEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := plainText.Draw(t, "text")
		d := &document{lines: newLines(text, false)}
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			r := Range{anyPosition.Draw(t, "start"), anyPosition.Draw(t, "end")}
			inserted := plainText.Draw(t, "inserted")
			from, to := cut(text, r.Start), cut(text, r.End)
			if len(from) > len(to) {
				from, to = to, from
			}
			text = from + inserted + text[len(to):]
			d = d.changed(1, []change{{&r, inserted}})
			if d.text() != text {
				t.Fatalf("got %q, want %q", d.text(), text)
			}
		}
	})
}

// TestPositions: a position leads to the place that has it, in both encodings.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := plainText.Draw(t, "text")
		l := newLines(text, rapid.Bool().Draw(t, "bytes"))
		for at := range text {
			if back := l.offset(l.position(at)); back != at && !(at > 0 && text[at-1] == '\r' && text[at] == '\n') {
				t.Fatalf("%q: %d is at %+v, which is %d", text, at, l.position(at), back)
			}
		}
	})
}

// TestUTF8: a client that offers it may count bytes.
func TestUTF8(t *testing.T) {
	c := start(t, deciding{})
	m := c.initialize("", nil, map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8", "utf-16"}}})
	if !strings.Contains(string(m.Result), `"positionEncoding":"utf-8"`) {
		t.Errorf("got %s", m.Result)
	}
	c.open(gameURI, `variant V "é😀" x`)
	if list := c.published(gameURI, 1); len(list) == 0 || list[0].Range.Start != (Position{0, 19}) {
		t.Errorf("got %+v", list)
	}
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": gameURI, "version": 2},
		"contentChanges": []any{change{&Range{Position{0, 13}, Position{0, 20}}, `" { `}},
	})
	if symbols := get[[]documentSymbol](c, "textDocument/documentSymbol", place(gameURI, Position{})); len(symbols) != 1 || symbols[0].Detail != "variant é" {
		t.Errorf("got %+v", symbols)
	}
}

// TestIncremental: after any changes the diagnostics are those of a server that was given the whole
// text.
func TestIncremental(t *testing.T) {
	words := []string{"", "sow", " p ", "}", "{", "\n", "variant", "1", "hole", "// é😀\r\n", "\"", "claim c { terminates }", "=", "round"}
	first, second := start(t, deciding{}), start(t, deciding{})
	first.initialize("", nil, nil)
	second.initialize("", nil, nil)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		uri := uriOf("/games/" + strings.Repeat("x", n%7+1) + ".sow")
		text := game
		first.forget()
		second.forget()
		first.open(uri, text)
		version := 1
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			version++
			d := newLines(text, false)
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			to := min(len(text), from+rapid.IntRange(0, 12).Draw(t, "length"))
			ch := change{&Range{d.position(from), d.position(to)}, rapid.SampledFrom(words).Draw(t, "text")}
			text = replaced(d, ch)
			first.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []change{ch}})
		}
		second.open(uri, text)
		got, _ := json.Marshal(first.published(uri, int32(version)))
		want, _ := json.Marshal(second.published(uri, 1))
		for _, c := range []*client{first, second} {
			c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]string{"uri": uri}})
		}
		if string(got) != string(want) {
			t.Fatalf("%s\ngot  %s\nwant %s", text, got, want)
		}
	})
}

// TestCancelled: requests that are cancelled at any time are answered once each, and the server
// goes on as before.
func TestCancelled(t *testing.T) {
	c := opened(t, deciding{})
	asked := []string{"textDocument/hover", "textDocument/completion", "textDocument/codeLens", "textDocument/documentSymbol", "textDocument/references", "textDocument/semanticTokens/full", "workspace/executeCommand"}
	rapid.Check(t, func(t *rapid.T) {
		var ids []string
		for range rapid.IntRange(1, 12).Draw(t, "requests") {
			method := rapid.SampledFrom(asked).Draw(t, "method")
			params := place(gameURI, Position{uint32(rapid.IntRange(0, 20).Draw(t, "line")), 8})
			if method == "workspace/executeCommand" {
				params = map[string]any{"command": "mancheck.decide", "arguments": []string{gameURI, "always"}}
			}
			ids = append(ids, c.begin(method, params))
			if rapid.Bool().Draw(t, "cancel") {
				id := rapid.SampledFrom(ids).Draw(t, "which")
				c.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
			}
		}
		for _, id := range ids {
			if m := c.await(id); m.Error != nil && m.Error.Code != codeRequestCancelled {
				t.Fatalf("%+v", m.Error)
			}
		}
		if m := c.ask("textDocument/hover", place(gameURI, find(c.t, game, "^sow p"))); m.Error != nil || !strings.Contains(string(m.Result), "drops the seeds") {
			t.Fatalf("after it: %+v", m)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, id := range ids {
			if len(c.answers[id]) != 1 {
				t.Fatalf("request %s has %d answers", id, len(c.answers[id]))
			}
		}
	})
}

// FuzzMessages: whatever comes in, the reader gives a message that is well formed or an error, and
// a change of a document does not fail.
func FuzzMessages(f *testing.F) {
	f.Add("Content-Length: 2\r\n\r\n{}")
	f.Add("content-length:40\r\nContent-Type: x\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"exit\"}")
	f.Add("Content-Length: 90\r\n\r\n{\"contentChanges\":[{\"range\":{\"start\":{\"line\":1,\"character\":2},\"end\":{\"line\":0}},\"text\":\"a\"}]}")
	f.Fuzz(func(t *testing.T, text string) {
		in := bufio.NewReader(strings.NewReader(text))
		d := &document{lines: newLines("a😀\r\nb\n", false)}
		for {
			m, err := readMessage(in)
			if err != nil {
				return
			}
			if wellFormed(m) == nil && !json.Valid(m) {
				t.Errorf("%q is taken for a message", m)
			}
			var p about
			if json.Unmarshal(m, &p) != nil {
				continue
			}
			d = d.changed(p.TextDocument.Version, p.Changes)
			if whole := newLines(d.text(), false); len(whole.start) != len(d.lines.start) {
				t.Errorf("%q: the lines are not those of the text", d.text())
			}
		}
	})
}

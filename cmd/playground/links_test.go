//go:build !js

package main_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/playground/internal/desk"
)

// linkReader is a node that reads links as the page does: share.js, with nothing of a browser.
type linkReader struct {
	to   io.Writer
	from *bufio.Reader
}

func newLinkReader(t testing.TB) *linkReader {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here")
	}
	text, err := os.ReadFile("web/src/share.js")
	if err != nil {
		t.Fatal(err)
	}
	script := string(text) + `
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try { answer = { read: await shared(Buffer.from(line, "base64").toString("utf8")) }; }
  catch (e) { answer = { error: String(e.message) }; }
  if ({}.trusted !== undefined || {}.text !== undefined) answer = { error: "the prototype of all objects was changed" };
  console.log(JSON.stringify(answer));
}`
	cmd := exec.Command("node", "--input-type=module", "-e", script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &linkReader{in, bufio.NewReader(out)}
}

// read returns what a fragment holds, or nil if it is no link.
func (r *linkReader) read(t testing.TB, fragment string) (it *sharedFile, failed string) {
	t.Helper()
	if _, err := io.WriteString(r.to, base64.StdEncoding.EncodeToString([]byte(fragment))+"\n"); err != nil {
		t.Fatalf("%.200q ends the reader: %v", fragment, err)
	}
	line, err := r.from.ReadString('\n')
	if err != nil {
		t.Fatalf("%.200q ends the reader: %v", fragment, err)
	}
	var answer struct {
		Read  *sharedFile `json:"read"`
		Error string      `json:"error"`
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatalf("%.200q is read as %.500s: %v", fragment, line, err)
	}
	return answer.Read, answer.Error
}

// sharedFile is what a link holds.
type sharedFile struct {
	Path    string    `json:"path"`
	Text    string    `json:"text"`
	Version string    `json:"version"`
	Game    desk.Game `json:"game"`
}

var linkedPath = regexp.MustCompile(`^[\w./ -]{1,200}\.sow$`)

// FuzzLinks: whatever a link is, it holds nothing, or a text of at most a megabyte with a game
// whose members have their types.
func FuzzLinks(f *testing.F) {
	const rules = "variant V { board { a | b } setup { a = 1 } move { require a > 0 take 1 from a into b } }\n"
	for _, fragment := range []string{
		"", "#", "#z=", "#z", "#v=1&z=%%%", "#z=AAAA&z=BBBB", "#example=__proto__", "#example=constructor", "#%", "#z=\u00e9", "#z=" + strings.Repeat("A", 1<<12),
		packed(f, make([]byte, 4<<20)), packed(f, []byte("{")), packed(f, []byte("null")), packed(f, []byte("[1]")), packed(f, []byte("\xff\xfe")),
		packed(f, []byte(`{"text":"x","__proto__":{"trusted":true,"text":"y"},"game":{"__proto__":{"variant":"V"},"params":{"__proto__":{"trusted":true}}}}`)),
		packed(f, []byte(`{"text":"x","game":{"params":{"__proto__":7,"constructor":1,"m":1e400},"start":[1],"setup":1e300,"moves":{"length":1e9}}}`)),
		packed(f, []byte(`{"text":7}`)), packed(f, []byte(`{"text":"`+strings.Repeat(`\u0000`, 1000)+`"}`)), packed(f, []byte(strings.Repeat("[", 100_000))),
		link(f, map[string]any{"path": "../../../etc/passwd\n.sow", "text": rules}), link(f, map[string]any{"path": strings.Repeat("a/", 30_000) + "x.sow", "text": "import \"" + strings.Repeat("a/", 30_000) + "x.sow\"\n"}),
		link(f, map[string]any{"text": rules, "game": map[string]any{"variant": "<img src=x>", "start": map[string]any{"pits": nil}, "setup": -1, "moves": []any{"1", 7, nil, "<b>"}}}),
		link(f, map[string]any{"text": strings.Replace(rules, "a = 1 ", "a = 1_000_000_000_000_000 ", 1)}),
		link(f, map[string]any{"text": rules + strings.Repeat("claim c { for n in 1..99999: unreachable b = 9 }\n", 30)}),
	} {
		f.Add(fragment)
	}
	r := newLinkReader(f)
	f.Fuzz(func(t *testing.T, fragment string) {
		it, failed := r.read(t, fragment)
		switch {
		case it == nil && strings.Contains(failed, "prototype"):
			t.Errorf("%.200q: %s", fragment, failed)
		case it == nil:
		case len(it.Text) > 3<<20 || !utf8.ValidString(it.Text) || !linkedPath.MatchString(it.Path): // a megabyte of UTF-8 is at most three as JSON's
			t.Errorf("%.200q holds %.200q, %d bytes", fragment, it.Path, len(it.Text))
		case len(it.Game.Moves) > 10_000:
			t.Errorf("%.200q holds %d moves", fragment, len(it.Game.Moves))
		}
	})
}

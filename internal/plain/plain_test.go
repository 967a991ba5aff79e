package plain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/plain"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"Größe 2 👩\u200d🌾 می\u200cخواهم": "Größe 2 👩\u200d🌾 می\u200cخواهم",
		"a\nb\r\tc":             "a␊b␍␉c",
		"\x1b[2J\x00\x7f":       "␛[2J␀␡",
		"\u0085\u009b31m":       "\uFFFD\uFFFD31m",
		"\u202eabc\u2066\u2069": "\uFFFDabc\uFFFD\uFFFD",
		"a\u2028b\u2029\uFEFF":  "a\uFFFDb\uFFFD\uFFFD",
		"\xff\xc3":              "\uFFFD\uFFFD",
	} {
		if got := plain.Line(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if plain.Is(text) != (text == want) {
			t.Errorf("%q: plain: %t", text, plain.Is(text))
		}
	}
}

// TestWriter: whatever the pieces in which text comes, it is shown in the same way.
func TestWriter(t *testing.T) {
	text := "a\tb\n" + plain.Style("1;31", "red é") + "\x1b[31mnot red\r\u202e\x9b\xe2\x82" + plain.Style("2", "") + "\x1b"
	want := "a\tb\n\x1b[1;31mred é\x1b[0m␛[31mnot red␍\uFFFD\uFFFD\uFFFD\x1b[2m\x1b[0m"
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		w := plain.NewWriter(&out)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSuffix(out.String(), "\uFFFD")
		if got = strings.ReplaceAll(got, "\uFFFD\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD"); got != want {
			t.Fatalf("in pieces of %d: %q, want %q", size, got, want)
		}
	}
}

func FuzzWriter(f *testing.F) {
	f.Add([]byte("a\x1b[31m\u202e\xff"), 3)
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		at = max(0, min(at, len(text)))
		var out bytes.Buffer
		w := plain.NewWriter(&out)
		for _, piece := range [][]byte{text[:at], text[at:]} {
			if n, err := w.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("%d, %v", n, err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(out.Bytes()) {
			t.Fatalf("%q", &out)
		}
		for _, r := range out.String() {
			if plain.Control(r) && r != '\n' && r != '\t' {
				t.Fatalf("%q", &out)
			}
		}
	})
}

// TestJSON: what comes out means the same, and has no control characters.
func TestJSON(t *testing.T) {
	text := "a\u009b\u202e\x7f\u2028\U000E0001 é \x1b\n"
	in, err := json.Marshal([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	var back []string
	out := plain.JSON(in)
	if err := json.Unmarshal(out, &back); err != nil || len(back) != 1 || back[0] != text {
		t.Errorf("%s: %q, %v", out, back, err)
	}
	if !plain.Is(string(out)) {
		t.Errorf("%q", out)
	}
}

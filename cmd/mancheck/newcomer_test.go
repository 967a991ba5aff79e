package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewcomers vets the files of testdata/newcomer, each with one or two mistakes that are made
// before the language is known: words and signs of other languages, misspelt and missing words,
// claims that claim nothing. No file is passed over in silence, none has more than two
// diagnostics, and each of these has a place and says what to do. newcomer.txt has them all;
// -update writes it.
func TestNewcomers(t *testing.T) {
	t.Chdir("testdata/newcomer")
	files, err := filepath.Glob("*.sow")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	var all strings.Builder
	for _, path := range files {
		var text, errs bytes.Buffer
		found := messages(t, path)
		if n := len(found); n < 1 || n > 2 {
			t.Errorf("%s has %d diagnostics", path, n)
		}
		for _, d := range found {
			if d.Range == nil || d.Range.Start.Line < 1 || d.File != path || d.Help == "" {
				t.Errorf("%s: %s (%s) has no place or no help", path, d.Code, d.Message)
			}
		}
		run([]string{"vet", path}, strings.NewReader(""), &text, &errs)
		shown, _, _ := strings.Cut(text.String(), "\n`mancheck help")
		fmt.Fprintf(&all, "== %s ==\n%s\n", path, shown)
	}
	golden(t, "newcomer.txt", all.String())
}

// newcomersGame is the game that has the mistakes of mistakes.txt: each of its parts in turn is
// replaced by a mistaken one, or followed by it.
var newcomersGame = []struct{ name, text string }{
	{"", "variant G {\n  param m = 3\n  "},
	{"players", "player South, North"},
	{"board", "board {\n    north_store | north[m..1] |\n                | south[1..m] | south_store\n  }"},
	{"state", "state turn : 0..9 = 0\n  "},
	{"setup", "setup { each house = 2 }"},
	{"", "move {\n    "},
	{"choose", "choose from in my house where from > 0"},
	{"sow", "sow from along ccw_with_stores, skip their store"},
	{"body", "if last = my store and turn < 9 { turn = turn + 1  again }\n    "},
	{"", "}\n  "},
	{"end", "end when no move"},
	{"", "}\n"},
	{"claim", ""},
}

// mistaken is the game with another text for one part.
func mistaken(part, text string) string {
	if part == "file" {
		return text
	}
	var out strings.Builder
	for _, p := range newcomersGame {
		switch {
		case p.name != part:
			out.WriteString(p.text)
		case p.name == "state" || p.name == "body":
			out.WriteString(p.text + text)
		default:
			out.WriteString(text)
		}
		if p.name != "" {
			out.WriteString("\n  ")
		}
	}
	return out.String()
}

// TestMistakes vets a game with each of the mistakes of testdata/newcomer/mistakes.txt: none is
// passed over in silence, each has one message, at a place, and in nine of ten this says what to
// do. mistakes.golden has what is said; -update writes it.
func TestMistakes(t *testing.T) {
	text, err := os.ReadFile("testdata/newcomer/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs("testdata/newcomer/mistakes.golden")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	sections := strings.Split("\n"+string(text), "\n-- ")[1:]
	helped := 0
	var all strings.Builder
	for _, section := range sections {
		head, wrong, _ := strings.Cut(section, " --\n")
		part, _, ok := strings.Cut(head, " ")
		if !ok {
			t.Fatalf("%q has no part and name", head)
		}
		if err := os.WriteFile("g.sow", []byte(mistaken(part, wrong)), 0o600); err != nil {
			t.Fatal(err)
		}
		found := messages(t, "g.sow")
		fmt.Fprintf(&all, "== %s ==\n%s\n", head, strings.TrimSuffix(wrong, "\n"))
		for _, d := range found {
			fmt.Fprintf(&all, "%s: %s\n  help: %s\n", d.Code, d.Message, d.Help)
			if d.Range == nil {
				t.Errorf("%s: %s has no place", head, d.Message)
			}
		}
		if len(found) != 1 {
			t.Errorf("%s has %d diagnostics", head, len(found))
		}
		if len(found) > 0 && found[0].Help != "" {
			helped++
		}
	}
	if len(sections) < 200 || 10*helped < 9*len(sections) {
		t.Errorf("of %d mistakes %d have a help", len(sections), helped)
	}
	golden(t, path, all.String())
}

// newcomersMessage is a diagnostic as JSON.
type newcomersMessage struct {
	Code, File, Message, Help string
	Range                     *struct{ Start struct{ Line, Column int } }
}

// messages is what `vet` says of a file.
func messages(t *testing.T, path string) []newcomersMessage {
	t.Helper()
	var out, errs bytes.Buffer
	run([]string{"vet", "--format", "json", path}, strings.NewReader(""), &out, &errs)
	var list struct{ Diagnostics []newcomersMessage }
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%s: %v: %s %s", path, err, out.Bytes(), errs.Bytes())
	}
	return list.Diagnostics
}

// golden compares a text with the one in a file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; go test -run %s -update\n%s", path, t.Name(), got)
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMangled feeds the program rules files in which some piece was cut out, doubled or exchanged
// for another. Whatever it makes of them, it must not break, and must say something.
func TestMangled(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../examples/*.sow")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var sources []string
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(src))
	}
	commands := [][]string{
		{"check", "-", "--brief", "--max-states", "200", "--solver-steps", "1000"},
		{"check", "-", "--format", "json", "--max-states", "200", "--solver-steps", "1000"},
		{"prove", "-", "--cache", "off", "--max-states", "200", "--solver-steps", "1000"},
		{"prove", "-", "--cache", "off", "--format", "junit", "--max-states", "200", "--solver-steps", "1000"},
		{"count", "-", "--max-states", "200"},
		{"moves", "-"},
		{"fmt"},
	}
	for i := range commands[:4] {
		commands[i] = append(commands[i], "--timeout", "300ms")
	}
	rapid.Check(t, func(t *rapid.T) {
		src := mangle(t, rapid.SampledFrom(sources).Draw(t, "source"))
		var out, errs bytes.Buffer
		code := run(rapid.SampledFrom(commands).Draw(t, "command"), strings.NewReader(src), &out, &errs)
		if strings.Contains(errs.String(), "internal error") || code < 0 || code > 3 {
			t.Fatalf("exit status %d\n%s\n%s", code, &errs, src)
		}
		if out.Len()+errs.Len() == 0 {
			t.Fatalf("nothing was said about\n%s", src)
		}
	})
}

// mangle changes a text in a few places, at the ends of words.
func mangle(t *rapid.T, src string) string {
	words := strings.SplitAfter(src, " ")
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		i := rapid.IntRange(0, len(words)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			words[i] = ""
		case 1:
			words[i] += words[i]
		case 2:
			words[i] = words[rapid.IntRange(0, len(words)-1).Draw(t, "other")]
		case 3:
			words[i] = rapid.StringN(0, 4, 16).Draw(t, "text")
		}
	}
	return strings.Join(words, "")
}

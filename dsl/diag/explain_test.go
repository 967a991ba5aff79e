package diag

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// declaredCodes are the codes of codes.go.
func declaredCodes(t *testing.T) []Code {
	t.Helper()
	src, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []Code
	for _, m := range regexp.MustCompile(`Code = "([A-Z]\d{3})"`).FindAllSubmatch(src, -1) {
		out = append(out, Code(m[1]))
	}
	if len(out) < 30 {
		t.Fatalf("only %d codes", len(out))
	}
	return out
}

// TestEachCodeIsExplained compares the sections of codes.txt with the codes. That the examples are
// right is seen in cmd/mancheck, which can resolve and play them.
func TestEachCodeIsExplained(t *testing.T) {
	codes := declaredCodes(t)
	for _, c := range codes {
		e, ok := Explain(c)
		switch {
		case !ok:
			t.Errorf("%s has no section", c)
		case e.Title == "" || e.Text == "" || (e.Wrong == "") != (e.Right == ""):
			t.Errorf("the section of %s is not whole: %q", c, e)
		}
	}
	seen := map[Code]bool{}
	for _, e := range Explanations() {
		if seen[e.Code] || !strings.Contains(joined(codes), string(e.Code)) {
			t.Errorf("a section on %s, which is no code or has two", e.Code)
		}
		seen[e.Code] = true
	}
}

func joined(codes []Code) string {
	s := ""
	for _, c := range codes {
		s += string(c) + " "
	}
	return s
}

// TestPage keeps docs/diagnostics.md as the sections are; -update writes it.
func TestPage(t *testing.T) {
	page := []byte("# Diagnostics\n\n" +
		"What each code means, with a file that has the mistake and the same file without it. `mancheck help\n" +
		"R008` prints one section, `mancheck help codes` a list.\n" +
		"Codes never change their meaning: S is syntax, F files, R names, types and boards, P parameters, C\n" +
		"claims, X mistakes in play, U the command line, V what `mancheck vet` finds.\n\n" +
		strings.NewReplacer("```sow wrong", "A mistake:\n\n```sow", "```sow right", "Without it:\n\n```sow").Replace(texts))
	const path = "../../docs/diagnostics.md"
	if *update {
		if err := os.WriteFile(path, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, page) {
		t.Errorf("%s is not as codes.txt says (%v); go test ./dsl/diag -update", path, err)
	}
}

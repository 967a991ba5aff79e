package vet

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/build"
)

// confusables reads the pairs of the table of Unicode: a character, and what it looks like.
func confusables(t *testing.T) (list [][2]string) {
	t.Helper()
	f, err := os.Open("testdata/confusables.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Split(text, ";")
		if len(fields) < 3 {
			continue
		}
		var pair [2]string
		for i := range pair {
			for _, hex := range strings.Fields(fields[i]) {
				n, err := strconv.ParseInt(hex, 16, 32)
				if err != nil {
					t.Fatal(err)
				}
				pair[i] += string(rune(n))
			}
		}
		list = append(list, pair)
	}
	if len(list) < 6000 {
		t.Fatalf("%d pairs", len(list))
	}
	return list
}

// loaded parses one file, which imports nothing.
func loaded(text string) (*dsl.Program, diag.List) {
	return dsl.Load("game.sow", func(string) ([]byte, error) { return []byte(text), nil })
}

// TestAlikeLetters: a file with two names that differ by characters that look alike is refused, or
// the warning names both.
func TestAlikeLetters(t *testing.T) {
	t.Parallel()
	warned := 0
	for _, pair := range confusables(t) {
		if pair[0][0] < 0x80 && strings.IndexFunc(pair[1], func(r rune) bool { return r >= 0x80 }) < 0 {
			continue // both are ASCII
		}
		a, b := "x"+pair[0]+"y", "x"+pair[1]+"y"
		program, diags := loaded(fmt.Sprintf("define %s = 1\ndefine %s = 2\n", a, b))
		if diags.HasErrors() {
			continue
		}
		found := alikeIn(program)
		if len(found) != 1 || found[0].Code != diag.Alike || !strings.Contains(found[0].Message, a) || !strings.Contains(found[0].Message, b) {
			t.Errorf("%q and %q: %v", a, b, found)
		}
		warned++
	}
	if warned < 2000 {
		t.Errorf("only %d pairs may stand in names", warned)
	}
}

// TestAlikeWords: a name that looks like a word of the language is found, and one that stands alone
// is not, nor are names of one alphabet.
func TestAlikeWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"define c\u043Eunt = 1":                                          "`count`",
		"define kal\u0430h = 1 define b = kal\u0430h":                    "",
		"define \u0441laim = 1":                                          "`claim`",
		"define дом = 1 define сад = 2 define вода = дом":                "",
		"define l1 = 1 define ll = 2 define modem = 3 define modern = 4": "",
		"variant V { board { a \u01C0 b | c } }":                         "`|`",
		"define \u00E9 = 1 define e = 2":                                 "",
		"define x\u0451 = 1 define x\u00EB = 2":                          "x\u0451",
	} {
		program, _ := loaded(text)
		found := alikeIn(program)
		if (len(found) > 0) != (want != "") || want != "" && !strings.Contains(found[0].Message, want) {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// TestShownAlike: a text that is changed so that it looks the same is refused, or means the same,
// or is warned of.
func TestShownAlike(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	like := map[string][]string{"\n": {"\r", "\r\n", "\u2028", "\u0085"}}
	blank := []string{"\u115F", "\u1160", "\u3164", "\uFFA0", "\uFEFF", "\u200B", "\u200D", "\u00AD", "\u034F", "\uFE0F", "\u2800", "\u202E", "\U000E0061", "\U00013441"}
	for _, pair := range confusables(t) {
		like[pair[1]] = append(like[pair[1]], pair[0])
	}
	want := understood(t, string(src))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 800 {
		at := rng.IntN(len(src))
		text := string(src[:at]) + blank[rng.IntN(len(blank))] + string(src[at:])
		if list := like[string(src[at])]; len(list) > 0 && rng.IntN(3) > 0 {
			text = string(src[:at]) + list[rng.IntN(len(list))] + string(src[at+1:])
		}
		if got := understood(t, text); got != "" && got != want {
			t.Fatalf("at %d, %q: it means something else", at, text[max(0, at-20):min(len(text), at+20)])
		}
	}
}

// understood is what a text says, or empty if it is refused or has a pair of words that look alike.
func understood(t *testing.T, text string) string {
	t.Helper()
	program, diags := loaded(text)
	if diags.HasErrors() || slices.ContainsFunc(alikeIn(program), func(d diag.Diagnostic) bool { return d.Code == diag.Alike }) {
		return ""
	}
	unit, diags := build.Collect(program.Files)
	if diags.HasErrors() || len(unit.Variants) == 0 {
		return ""
	}
	sys, diags := unit.System(unit.Variants[0], nil)
	if diags.HasErrors() {
		return ""
	}
	unnamed := *sys
	unnamed.Name = ""
	return unnamed.Hash()
}

// alikeIn is what alike finds in a program.
func alikeIn(p *dsl.Program) diag.List {
	l := &look{File: &input.File{Program: p}}
	alike(l)
	return l.found.Diags
}

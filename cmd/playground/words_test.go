//go:build !js

package main_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
)

// TestWords: the editor colours the words that the parser reserves, and in claims only words that
// the grammar has.
func TestWords(t *testing.T) {
	text, err := os.ReadFile("web/src/sow.js")
	if err != nil {
		t.Fatal(err)
	}
	listed := func(name string) (words []string) {
		_, rest, found := strings.Cut(string(text), "export const "+name+" =")
		if !found {
			t.Fatalf("there is no %s", name)
		}
		list, _, _ := strings.Cut(rest, ";")
		for _, part := range regexp.MustCompile(`"([a-z ]*)"`).FindAllStringSubmatch(list, -1) {
			words = append(words, strings.Fields(part[1])...)
		}
		return words
	}
	coloured := append(listed("reserved"), listed("values")...)
	var literals []string
	for _, part := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(dsl.Grammar(), -1) {
		literals = append(literals, part[1])
	}
	for _, word := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(literals, coloured)))) {
		if is := reserved(word); is != slices.Contains(coloured, word) {
			t.Errorf("%s is reserved: %v", word, is)
		}
	}
	for _, word := range listed("clauses") {
		if !slices.Contains(literals, word) {
			t.Errorf("the grammar has no %s", word)
		}
	}
}

// reserved reports whether a word can be no name.
func reserved(word string) bool {
	_, diags := dsl.Parse("game.sow", []byte("variant V { param "+word+" = 1 }"))
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.Reserved })
}

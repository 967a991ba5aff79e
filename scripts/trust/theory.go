package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

const theoryFolder = "proofs/coq"

// statements are the words of which the statements of emitted theorems consist.
var statements = []string{
	"unreachable", "reachable", "reachable_within", "every_step", "among", "terminates", "terminates_within", "counts", "forces", "can_force",
	"ended", "keeps_seeds", "with_ranges", "instance",
}

// base are the files that hold the kernel and what claims say.
var base = []string{"Kernel", "Claims"}

// definition is a definition of the theory in Coq, an inductive type or a record.
type definition struct {
	name, file string
	defines    []string // the name, constructors and fields
	uses       []string // all identifiers of its text
	lines      int
}

// theory are the definitions of a folder of Coq files.
type theory struct {
	by       map[string][]*definition // by each name that it defines
	requires map[string][]string      // the files that a file requires, the last one first
}

var (
	remark     = regexp.MustCompile(`(?s)\(\*.*?\*\)`)
	require    = regexp.MustCompile(`(?s)From Mancheck Require Import ([\w\s]+)\.`)
	sentence   = regexp.MustCompile(`(?ms)^(Definition|Fixpoint|Inductive|Record)\s+(.*?)\.\s*$`)
	mutual     = regexp.MustCompile(`(?m)^\s*with\s+`)
	identifier = regexp.MustCompile(`[A-Za-z_][\w']*`)
	variants   = regexp.MustCompile(`\|\s*([A-Za-z_][\w']*)`)
	maker      = regexp.MustCompile(`:=\s*(\w+)\s*\{`)
	member     = regexp.MustCompile(`[{;]\s*([A-Za-z_][\w']*)\s*:`)
)

func readTheory(folder string) (*theory, error) {
	t := &theory{by: map[string][]*definition{}, requires: map[string][]string{}}
	paths, err := filepath.Glob(filepath.Join(folder, "*.v"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		t.add(strings.TrimSuffix(filepath.Base(path), ".v"), remark.ReplaceAllString(string(text), ""))
	}
	return t, nil
}

// add adds the definitions of a file.
func (t *theory) add(file, text string) {
	for _, m := range require.FindAllStringSubmatch(text, -1) {
		t.requires[file] = append(t.requires[file], strings.Fields(m[1])...)
	}
	slices.Reverse(t.requires[file])
	for _, m := range sentence.FindAllStringSubmatch(text, -1) {
		for _, part := range mutual.Split(m[2], -1) {
			names := []string{identifier.FindString(part)}
			switch m[1] {
			case "Inductive":
				names = append(names, firsts(variants, part)...)
			case "Record":
				names = append(append(names, firsts(maker, part)...), firsts(member, part)...)
			}
			d := &definition{name: names[0], file: file, defines: names, uses: identifier.FindAllString(part, -1), lines: 1 + strings.Count(part, "\n")}
			for _, name := range names {
				t.by[name] = append(t.by[name], d)
			}
		}
	}
}

// firsts returns the first groups of all matches.
func firsts(of *regexp.Regexp, text string) []string {
	return lists.Map(of.FindAllStringSubmatch(text, -1), func(m []string) string { return m[1] })
}

// find returns what a name means in a file: a definition of that file, or of one that it requires.
func (t *theory) find(name, file string) *definition {
	for _, d := range t.by[name] {
		if d.file == file {
			return d
		}
	}
	for _, f := range t.requires[file] {
		if d := t.find(name, f); d != nil {
			return d
		}
	}
	return nil
}

// reaches returns the definitions on which the meaning of a word rests, itself among them.
func (t *theory) reaches(word string) (map[*definition]bool, error) {
	from := t.by[word]
	at := slices.IndexFunc(from, func(d *definition) bool { return d.file != "Insert" || len(from) == 1 })
	if at < 0 {
		return nil, fmt.Errorf("no definition of %s in %s", word, theoryFolder)
	}
	found := map[*definition]bool{}
	for todo := []*definition{from[at]}; len(todo) > 0; {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if found[d] {
			continue
		}
		found[d] = true
		for _, name := range d.uses {
			if next := t.find(name, d.file); next != nil {
				todo = append(todo, next)
			}
		}
	}
	return found, nil
}

// definitions is the table of what the statements rest on.
func definitions(folder string) (string, error) {
	t, err := readTheory(folder)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| word of a theorem | lines of definitions | of them outside Kernel.v and Claims.v |\n|---|---|---|\n")
	for _, word := range statements {
		found, err := t.reaches(word)
		if err != nil {
			return "", err
		}
		lines := 0
		outside := map[string][]string{}
		for d := range found {
			lines += d.lines
			if !slices.Contains(base, d.file) {
				outside[d.file] = append(outside[d.file], "`"+d.name+"`")
			}
		}
		var more []string
		for _, file := range slices.Sorted(maps.Keys(outside)) {
			names := outside[file]
			slices.Sort(names)
			more = append(more, file+".v: "+strings.Join(names, ", "))
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", word, lines, strings.Join(more, "; "))
	}
	return b.String(), nil
}

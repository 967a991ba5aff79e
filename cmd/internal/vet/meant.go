package vet

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// meantWord begins a comment that says which warnings a line is not to have: `// meant: V014`.
var meantWord = regexp.MustCompile(`^//+[ \t]*meant:[ \t]*(.*)$`)

var code = regexp.MustCompile(`^[A-Z]\d{3}$`)

// meant leaves out the warnings that the comments of the files say are meant, and reports comments
// that leave out nothing. A comment is about its own line or, if it stands alone, about the next
// line that has more than a comment. Only those of the file at path are reported, and only if the
// checks for the code ran, which have the kinds up to most.
func meant(diags diag.List, files []*ast.File, path string, most kind) diag.List {
	var out diag.List
	used := map[*mark]bool{}
	marks := slices.Concat(lists.Map(files, marksOf)...)
	for _, d := range diags {
		silent := false
		for _, m := range marks {
			if d.Severity == diag.Warning && d.Code == m.code && d.Range.File == m.at.File && slices.Contains(m.lines, d.Range.Start.Line) {
				silent, used[m] = true, true
			}
		}
		if !silent {
			out = append(out, d)
		}
	}
	later := func(code diag.Code) bool {
		return slices.ContainsFunc(checks, func(c check) bool { return c.code == code && c.reads > most })
	}
	for _, m := range marks {
		_, known := diag.Explain(m.code)
		switch {
		case used[m] || m.at.File != path || later(m.code):
		case m.code == "":
			out.Warnf(diag.Unmeant, m.at, "this comment names no warning").
				WithHelp("write the code, and what you like behind it: `// meant: V014 …`")
		case !known:
			out.Warnf(diag.Unmeant, m.at, "there is no code %s", m.code).
				WithHelp("`mancheck help codes` lists them")
		case m.code[0] != 'V':
			out.Warnf(diag.Unmeant, m.at, "%s is no warning: only those of `vet`, which begin with V, can be meant", m.code).
				WithHelp("what is an error has to be changed")
		default:
			out.Warnf(diag.Unmeant, m.at, "there is no %s here that could be meant", m.code).
				WithHelp("the comment is about its line, or the next one if it stands alone; leave it out if nothing is warned of any more")
		}
	}
	return out
}

// mark is one code of such a comment, with the lines that it is about. The code is empty if the
// comment has none.
type mark struct {
	code  diag.Code
	at    diag.Range
	lines []int
}

// marksOf lists the marks of a file.
func marksOf(f *ast.File) []*mark {
	lines := strings.Split(string(f.Source), "\n")
	var list []*mark
	for _, c := range f.Comments {
		m := meantWord.FindStringSubmatch(strings.TrimRight(c.Text, "\r"))
		if m == nil {
			continue
		}
		about := []int{c.Range.Start.Line}
		if alone(lines, about[0]) {
			next := about[0] + 1
			for alone(lines, next) {
				next++
			}
			about = append(about, next)
		}
		codes := codesIn(m[1])
		if len(codes) == 0 {
			codes = []diag.Code{""}
		}
		list = append(list, lists.Map(codes, func(code diag.Code) *mark { return &mark{code, c.Range, about} })...)
	}
	return list
}

// alone reports whether a line, counted from 1, has nothing but a comment.
func alone(lines []string, n int) bool {
	return n <= len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n-1]), "//")
}

// codesIn lists the codes that a text begins with, with commas or blanks between them.
func codesIn(text string) []diag.Code {
	var list []diag.Code
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		if !code.MatchString(strings.Trim(word, ".:;")) {
			break
		}
		list = append(list, diag.Code(strings.Trim(word, ".:;")))
	}
	return list
}

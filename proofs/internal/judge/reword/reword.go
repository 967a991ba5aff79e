// Package reword writes rules files in other words: the same games and claims under other names, in
// another order, without sugar, or seen from the other side. No named result may depend on the
// words: verdicts, counts, values to a named player, winners, plays in notation. All engines share
// the resolver, so that no comparison of engines finds its mistakes. This comparison does, and it
// needs no second implementation.
//
// A Way finds in the syntax tree what it replaces, and edits the text there, so the result is a
// file that can be read and shrunk like any other.
//
//	reword.go  files, edits
//	names.go   other names
//	sugar.go   sugar written out
//	stands.go  statements by what they stand for
//	order.go   declarations, rows and players in another order
//	conjoin.go conditions of claims with others beside them
package reword

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Way is one way to write a file in other words.
type Way struct {
	Name string
	// Exact says that engines also do the same work: they find the same one of several shortest
	// plays, and print the same words.
	Exact bool
	// Moves says that only what moves do is written otherwise, so that the games are equivalent.
	Moves bool
	apply func(*edit)
}

// Ways lists all ways, in the order in which they are tried.
var Ways = []Way{
	{"other names", true, false, (*edit).rename},
	{"bound names of others", true, false, (*edit).shadow},
	{"again spelled out", true, true, (*edit).again},
	{"pass as a move", true, true, (*edit).pass},
	{"relays as loops", false, true, (*edit).relays},
	{"first laps by what goes on", false, true, (*edit).firstLaps},
	{"chains as loops", false, true, (*edit).chains},
	{"numbers of seeds written out", false, true, (*edit).numbers},
	{"starting where it began", false, true, (*edit).starts},
	{"empty as a number", true, true, (*edit).empties},
	{"captures joined", false, true, (*edit).joins},
	{"loops over a local", false, true, (*edit).settles},
	{"sets as filters", false, true, (*edit).filters},
	{"choices from a group", false, true, (*edit).choices},
	{"choices stored by the body", true, true, (*edit).stores},
	{"locals of sets by pit", false, true, (*edit).setLocals},
	{"definitions inlined", false, true, (*edit).inline},
	{"procedures written out", false, true, (*edit).writeOut},
	{"owners by name", true, true, (*edit).owners},
	{"theirs of three", false, true, (*edit).theirs},
	{"players listed", true, true, (*edit).listPlayers},
	{"losers as winners", true, true, (*edit).losers},
	{"comparisons of sets as quantifiers", false, true, (*edit).quantifiers},
	{"ranges of play as conditions", false, true, (*edit).ranges},
	{"first pits by loops", false, true, (*edit).firsts},
	{"conditionals as statements", false, true, (*edit).conditionals},
	{"else if as a block", true, true, (*edit).elses},
	{"invariants as unreachable", false, false, (*edit).invariants},
	{"the first player begins", true, false, (*edit).begins},
	{"declarations in another order", false, false, (*edit).reorder},
	{"loans of boards written out", true, false, (*edit).loans},
	{"drawn boards shared", true, false, (*edit).share},
	{"board turned round", false, false, (*edit).turn},
	{"players declared from the second on", false, false, (*edit).rotate},
}

// Reworded is a file in other words. Word returns the new name for a word of a notation or of a
// result. Leaves reports whether the result of a claim may change.
type Reworded struct {
	Text   string
	Parts  map[string]string
	Word   func(string) string
	Leaves func(*ast.Claim) bool
}

// Words returns a text with every word replaced.
func (r *Reworded) Words(text string) string { return eachWord(text, r.Word) }

// Apply writes a file in other words. The text must have no imports; parts has the lists of boards
// that its claims name. It returns false if the way changes nothing in this file, or cannot be
// used.
func (w Way) Apply(text string, parts map[string]string) (*Reworded, bool) {
	file, diags := dsl.Parse("root.sow", []byte(text))
	if diags.HasErrors() {
		return nil, false
	}
	same := func(s string) string { return s }
	e := &edit{file: file, text: text, out: &Reworded{Parts: parts, Word: same, Leaves: func(*ast.Claim) bool { return false }}}
	w.apply(e)
	if e.refused || len(e.changes) == 0 {
		return nil, false
	}
	e.out.Text = e.done()
	return e.out, true
}

// edit is a file that is being edited.
type edit struct {
	file    *ast.File
	text    string
	changes []change
	refused bool // the way cannot be used for this file
	out     *Reworded
}

// change replaces the text between two offsets.
type change struct {
	from, to int
	by       string
}

// replace replaces a node by a text. Changes inside a replaced node are lost, unless in has put
// them into the new text.
func (e *edit) replace(n ast.Node, by string) { e.put(n.Span(), by) }

// put replaces the text of a range.
func (e *edit) put(r diag.Range, by string) {
	e.changes = append(e.changes, change{r.Start.Offset, r.End.Offset, by})
}

// insert inserts a text at an offset.
func (e *edit) insert(at int, text string) { e.changes = append(e.changes, change{at, at, text}) }

// of returns the original text of a node.
func (e *edit) of(n ast.Node) string {
	r := n.Span()
	return e.text[r.Start.Offset:r.End.Offset]
}

// in returns the text of a node with the changes inside it.
func (e *edit) in(n ast.Node) string {
	r := n.Span()
	return apply(e.text, r.Start.Offset, r.End.Offset, e.changes)
}

// done returns the text of the file with all changes.
func (e *edit) done() string { return apply(e.text, 0, len(e.text), e.changes) }

// apply returns the text between two offsets with its changes. Of two changes that begin at one
// offset the longer one counts, which is that of the outer node.
func apply(text string, from, to int, changes []change) string {
	list := slices.Clone(changes)
	slices.SortStableFunc(list, func(a, b change) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var b strings.Builder
	at := from
	for _, c := range list {
		if c.from < at || c.to > to {
			continue
		}
		b.WriteString(text[at:c.from] + c.by)
		at = c.to
	}
	b.WriteString(text[at:to])
	return b.String()
}

// each calls f for every node of a type, inner ones first, so that an outer one can contain the
// changes of the inner.
func each[N ast.Node](e *edit, f func(N)) { eachIn(e.file, f) }

// eachIn is each for the nodes below a root.
func eachIn[N ast.Node](root ast.Node, f func(N)) {
	list := ast.All[N](root)
	slices.Reverse(list)
	for _, n := range list {
		f(n)
	}
}

// variants lists the variants of the file.
func (e *edit) variants() []*ast.Variant {
	var out []*ast.Variant
	for _, d := range e.file.Decls {
		if v, ok := d.(*ast.Variant); ok {
			out = append(out, v)
		}
	}
	return out
}

// players lists the names of the players of a variant.
func (e *edit) players(v *ast.Variant) []string {
	list := ast.Items[*ast.Players](v)
	if b := e.lender(v); len(list) == 0 && b != nil && b.Players != nil {
		list = append(list, b.Players)
	}
	var out []string
	for _, p := range list {
		for _, n := range p.Names {
			out = append(out, n.Name)
		}
	}
	return out
}

// within reports whether a node lies in another.
func within(n, outer ast.Node) bool {
	a, b := n.Span(), outer.Span()
	return b.Start.Offset <= a.Start.Offset && a.End.Offset <= b.End.Offset
}

// eachWord replaces every word of a text and keeps what is between words.
func eachWord(text string, f func(string) string) string {
	var b strings.Builder
	letter := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && letter(text[j]) {
			j++
		}
		if j == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(f(text[i:j]))
		i = j
	}
	return b.String()
}

package main

import (
	"bytes"
	"context"
	"io/fs"
	"reflect"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules/build"
)

// Most files that were changed by bytes are refused by the parser. Those that were changed by the
// grammar still resolve, so that something has to be decided about them.

const (
	mostGrammar = 8                      // changes of one file
	mostTried   = 40                     // changes tried for them; many do not fit
	mostReading = 300 * time.Millisecond // to resolve what was changed; longer is worth a run
)

// grammatical is a file of the corpus that imports nothing, with changes after each of which it
// still resolves.
func (m *mutator) grammatical() []byte {
	for m.text = m.other(); !resolves(m.text); {
		m.text = m.other()
	}
	made := 0
	for range mostTried {
		before := m.text
		m.node()
		switch {
		case bytes.Equal(m.text, before) || len(m.text) > mostText || !resolves(m.text):
			m.text = before
		case made == mostGrammar:
			return m.text
		default:
			made++
		}
	}
	return m.text
}

// resolves reports whether a file has no mistakes, as far as that is known soon.
func resolves(text []byte) bool {
	program, diags := dsl.Load("x.sow", func(path string) ([]byte, error) {
		if path != "x.sow" {
			return nil, fs.ErrNotExist
		}
		return text, nil
	})
	if diags.HasErrors() {
		return false
	}
	unit, diags := build.Collect(program.Files)
	if diags.HasErrors() || len(unit.Claims) == 0 {
		return false
	}
	ctx, stop := context.WithTimeout(context.Background(), mostReading)
	defer stop()
	unit.Context = ctx
	for _, c := range unit.Claims {
		claim, diags := unit.Claim(c)
		if claim.Instances(nil, &diags); ctx.Err() != nil {
			return true
		}
		if diags.HasErrors() {
			return false
		}
	}
	return true
}

// node changes one node of the tree: a number, an expression for another of its kind, a statement
// that is doubled, left out or exchanged for another.
func (m *mutator) node() {
	file, diags := dsl.Parse("x.sow", m.text)
	if diags.HasErrors() {
		return
	}
	switch m.IntN(4) {
	case 0:
		if list := ast.All[*ast.Int](file); len(list) > 0 {
			m.exchange(list[m.IntN(len(list))], m.number())
		}
	case 1:
		if list := ast.All[ast.Stmt](file); len(list) > 0 {
			at, other := list[m.IntN(len(list))], list[m.IntN(len(list))]
			m.exchange(at, []string{"", m.of(at) + " " + m.of(at), m.of(other), m.of(at) + " " + m.of(other)}[m.IntN(4)])
		}
	default:
		list := ast.All[ast.Expr](file)
		at, other := list[m.IntN(len(list))], list[m.IntN(len(list))]
		for range len(list) {
			if reflect.TypeOf(at) == reflect.TypeOf(other) && m.of(at) != m.of(other) {
				break
			}
			other = list[m.IntN(len(list))]
		}
		m.exchange(at, "("+m.of(other)+")")
	}
}

// of is the text of a node.
func (m *mutator) of(n ast.Node) string {
	at := n.Span()
	return string(m.text[at.Start.Offset:at.End.Offset])
}

// exchange puts a text in the place of a node.
func (m *mutator) exchange(n ast.Node, by string) {
	m.put(n.Span().Start.Offset, n.Span().End.Offset, by)
}

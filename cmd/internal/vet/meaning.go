package vet

import (
	"bytes"
	"math"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// Meaning reports what the text of a variant says and is probably not meant: conditions that mix
// `and` and `or` about one thing, a look at `going` where it is always `none`, and endings whose
// `mover` is not the player who moved. v is a variant of file; defines are the definitions and
// procedures that it may use besides its own.
func Meaning(v *ast.Variant, file *ast.File, defines []ast.Decl) diag.List {
	m := meaning{defs: map[string]*ast.Define{}, words: words(file.Source)}
	for _, d := range defines {
		if d, is := d.(*ast.Define); is {
			m.defs[d.Name.Name] = d
		}
	}
	players := 0
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Define:
			m.defs[item.Name.Name] = item
		case *ast.Players:
			players += len(item.Names)
		}
	}
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Move:
			m.going(item)
		case *ast.Ending:
			if players > 1 {
				m.mover(item)
			}
		}
	}
	return m.diags
}

// meaning collects what Meaning finds.
type meaning struct {
	words
	diags diag.List
	defs  map[string]*ast.Define
}

// words is the source of a file.
type words []byte

// of returns a stretch of the source in one line.
func (w words) of(n ast.Node) string {
	r := n.Span()
	return string(bytes.Join(bytes.Fields(w[r.Start.Offset:r.End.Offset]), []byte(" ")))
}

// mentions reports whether a node, or a definition that it uses, has a node that is wanted.
func (m *meaning) mentions(n ast.Node, wanted func(ast.Node) bool) bool {
	return m.find(n, wanted, map[string]bool{})
}

// find is mentions for definitions that are not in seen yet.
func (m *meaning) find(n ast.Node, wanted func(ast.Node) bool, seen map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.Name:
			name = n.Name
		case *ast.Ident:
			name = n.Name
		}
		if d := m.defs[name]; d != nil && !seen[name] {
			seen[name] = true
			found = found || m.find(d.Value, wanted, seen)
		}
		found = found || wanted(n)
		return !found
	})
	return found
}

// uses recognizes a use of one of these names.
func uses(names ...string) func(ast.Node) bool {
	return func(n ast.Node) bool {
		name, is := n.(*ast.Name)
		return is && slices.Contains(names, name.Name)
	}
}

// ofMover recognizes what depends on who is to move.
func ofMover(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Name:
		return n.Name == "mover" || n.Name == "opponent"
	case *ast.Of:
		return n.Player == nil
	case *ast.NoMove:
		return true
	}
	return false
}

// mover reports an ending that names `mover` and whose condition does not depend on who is to move.
// The player who has just moved is then often meant, or one of the players.
func (m *meaning) mover(e *ast.Ending) {
	if e.Player == nil || e.Player.Name != "mover" || m.mentions(e.When, ofMover) {
		return
	}
	m.diags.Warnf(diag.NextMover, e.Player.Range, "`mover` is the player who is to move next, and the condition does not ask who that is").
		WithHelp("name the player, as in `South %s when …`; `opponent` is the one who has just moved, if the turn has passed", e.Kind.String()+"s")
}

// going reports a look at `going` or `going_as` in the body of a move. A move sets both to their
// initial values before anything else, also where it goes on, so they tell nothing until a `go on`
// of the body, or of an earlier turn of a loop, was carried out. A procedure may do so, too.
func (m *meaning) going(move *ast.Move) {
	body := &ast.While{Body: move.Body}
	known := math.MaxInt // the offset up to which they have these values
	goesOn := func(n ast.Node) []ast.Node { return append(nodes[*ast.GoOn](n), nodes[*ast.CallStmt](n)...) }
	for _, s := range goesOn(body) {
		known = min(known, s.Span().Start.Offset)
	}
	for _, s := range append(nodes[*ast.While](body), nodes[*ast.For](body)...) {
		if s != ast.Node(body) && len(goesOn(s)) > 0 {
			known = min(known, s.Span().Start.Offset)
		}
	}
	for _, name := range ast.All[*ast.Name](body) {
		if name.Range.Start.Offset < known && m.mentions(name, uses("going", "going_as")) {
			m.inBody(name)
		}
	}
}

// nodes lists the nodes of a type.
func nodes[N ast.Node](body ast.Node) []ast.Node {
	return lists.Map(ast.All[N](body), func(n N) ast.Node { return n })
}

// inBody reports a name by which the body of a move depends on `going`.
func (m *meaning) inBody(name *ast.Name) {
	what := "`going` is always `none` here"
	if !m.mentions(name, uses("going")) {
		what = "`going_as` is always `first` here"
	}
	if uses("going", "going_as")(name) {
		what += ", in later laps too"
	} else {
		what = "`" + name.Name + "` tells no laps apart: " + what
	}
	m.diags.Warnf(diag.GoingInBody, name.Range, "%s: a move sets it before its body begins", what).
		WithHelp("what is asked of the first lap alone stands in the `where` of its `choose`;\na variable of your own, set before `go on`, tells later laps apart")
}

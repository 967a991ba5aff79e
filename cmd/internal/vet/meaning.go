package vet

import (
	"math"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/bind"
)

// definitions has the values of the definitions that a variant may use, by name.
type definitions map[string]ast.Expr

func definitionsOf(v *bind.Variant) definitions {
	defs := definitions{}
	for _, d := range v.Defines {
		if d.Kind == bind.DefinitionName {
			defs[d.Name.Name] = d.Value
		}
	}
	return defs
}

// words is the source of a file.
type words []byte

// of returns a stretch of the source in one line.
func (w words) of(n ast.Node) string { return diag.OneLine(w, n.Span()) }

// mentions reports whether a node, or a definition that it uses, has a node that is wanted.
func (m definitions) mentions(n ast.Node, wanted func(ast.Node) bool) bool {
	return m.find(n, wanted, map[string]bool{})
}

// find is mentions for definitions that are not in seen yet.
func (m definitions) find(n ast.Node, wanted func(ast.Node) bool, seen map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.Name:
			name = n.Name
		case *ast.Ident:
			name = n.Name
		}
		if value := m[name]; value != nil && !seen[name] {
			seen[name] = true
			found = found || m.find(value, wanted, seen)
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

// nextMover reports endings that name `mover` and whose condition does not depend on who is to
// move. The player who has just moved is then often meant, or one of the players.
func nextMover(l *look) {
	defs := definitionsOf(l.variant)
	for _, e := range ast.Items[*ast.Ending](l.variant.Variant) {
		if len(l.sys.Players) > 1 && e.Player != nil && e.Player.Name == "mover" && !defs.mentions(e.When, ofMover) {
			l.warn(diag.NextMover, e.Player.Range, "`mover` is the player who is to move next, and the condition does not ask who that is").
				WithHelp("name the player, as in `South %s when …`; `opponent` is the one who has just moved, if the turn has passed", e.Kind.String()+"s")
		}
	}
}

// goingInBody reports a look at `going` or `going_as` in the body of a move. A move sets both to
// their initial values before anything else, also where it goes on, so they tell nothing until a
// `go on` of the body, or of an earlier turn of a loop, was carried out. A procedure may do so,
// too.
func goingInBody(l *look) {
	defs := definitionsOf(l.variant)
	goesOn := func(n ast.Node) []ast.Node { return append(nodes[*ast.GoOn](n), nodes[*ast.CallStmt](n)...) }
	for _, move := range ast.Items[*ast.Move](l.variant.Variant) {
		body := &ast.While{Body: move.Body}
		known := math.MaxInt // the offset up to which they have these values
		for _, s := range goesOn(body) {
			known = min(known, s.Span().Start.Offset)
		}
		for _, s := range append(nodes[*ast.While](body), nodes[*ast.For](body)...) {
			if s != ast.Node(body) && len(goesOn(s)) > 0 {
				known = min(known, s.Span().Start.Offset)
			}
		}
		for _, name := range ast.All[*ast.Name](body) {
			if name.Range.Start.Offset < known && defs.mentions(name, uses("going", "going_as")) {
				l.inBody(name, defs)
			}
		}
	}
}

// nodes lists the nodes of a type.
func nodes[N ast.Node](body ast.Node) []ast.Node {
	return lists.Map(ast.All[N](body), func(n N) ast.Node { return n })
}

// inBody reports a name by which the body of a move depends on `going`.
func (l *look) inBody(name *ast.Name, defs definitions) {
	what := "`going` is always `none` here"
	if !defs.mentions(name, uses("going")) {
		what = "`going_as` is always `first` here"
	}
	if uses("going", "going_as")(name) {
		what += ", in later laps too"
	} else {
		what = "`" + name.Name + "` tells no laps apart: " + what
	}
	l.warn(diag.GoingInBody, name.Range, "%s: a move sets it before its body begins", what).
		WithHelp("what is asked of the first lap alone stands in the `where` of its `choose`;\na variable of your own, set before `go on`, tells later laps apart")
}

// seeming reports words that mean something else than they seem to: a stretch that is one pit, all
// houses where one is meant, and `end turn`.
func seeming(l *look) {
	for _, c := range l.variant.Board.Picture {
		if p := c.Pit; p != nil && p.From != nil && p.To == nil {
			if b, is := p.From.(*ast.Binary); is && b.Op == "-" {
				l.warn(diag.Seeming, p.Range, "this is one pit and no stretch of pits").WithHelp("write `%s[1..6]` for six pits", p.Group.Name)
			}
		}
	}
	for _, m := range ast.Items[*ast.Move](l.variant.Variant) {
		for _, s := range m.Body {
			if c, is := s.(*ast.Capture); is && slices.ContainsFunc(c.From, func(x ast.Sum) bool { n, is := x.(*ast.Name); return is && n.Name == "house" }) {
				l.warn(diag.Seeming, c.Range, "in each move this takes the seeds of all houses").WithHelp("say which are meant: `capture last into Q`, `if last in my house { … }`")
			}
		}
		for _, f := range ast.All[*ast.Finish](m) {
			if f.Label != nil && f.Label.Text == "turn" {
				l.warn(diag.Seeming, f.Range, "this ends the game, and `turn` is its label").WithHelp("the turn passes by itself after a move; `again` keeps it")
			}
		}
	}
}

// foreign reports the drawn positions of claims about plays that have the seeds of no start, so
// that no play comes to them. Each place is reported once, also if a sweep makes many claims of it.
func foreign(l *look) {
	seen := map[diag.Range]bool{}
	for _, c := range l.found.Items {
		if c.Instance == nil {
			continue
		}
		for _, p := range proofs.Foreign(l.ctx, c.Instance) {
			if seen[p.At] {
				continue
			}
			seen[p.At] = true
			l.warn(diag.NoSuchTotal, p.At, "no start of `%s` has as many seeds as the position `%s`", c.Instance.System.Name, p.Position).
				WithHelp("no play comes to it, so the claim says nothing; draw it with the seeds of a start, or set the parameters that it is meant for")
		}
	}
}

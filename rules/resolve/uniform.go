package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// SizeError says why the rules of one size tell nothing about those of greater ones. At is the
// place in the text, if there is one.
type SizeError struct {
	At      diag.Range
	Message string
}

func (e *SizeError) Error() string {
	if e.At.File == "" {
		return e.Message
	}
	return fmt.Sprintf("%s, line %d: %s", e.At.File, e.At.Start.Line, e.Message)
}

// gate decides whether the size of a board decides nothing but where stretches of pits end. What it
// does not know it refuses.
//
// Allowed uses of the size are, as a sum of a number and a multiple of the size:
//
//   - an end of a stretch of pits, or the number of a single pit, wherever these are written;
//   - the lower end of the range of an open parameter, and its default, which has no effect.
//
// Nothing else may depend on the number of pits without naming the size: neither the number of a
// pit, nor how many pits of a set are as asked, nor what is once more carried out for each pit.
type gate struct {
	*Instance
	reach int // the greatest number in these sums
	bound map[string]bool
	err   *SizeError
}

// Uniform returns the greatest number that is added to a multiple of the size in an end of a
// stretch. The error is a *SizeError if something in the text depends on the size in another way.
func (i *Instance) Uniform() (reach int, err error) {
	if i.borrows {
		return 0, &SizeError{At: i.Claim.At, Message: "the claim names a lap or relation that the rules do not use"}
	}
	g := &gate{Instance: i, bound: map[string]bool{}}
	nodes := append(i.boards(), i.parts()...)
	for _, d := range i.Claim.unit.Defines {
		nodes = append(nodes, d)
	}
	for _, n := range nodes {
		g.binders(n)
	}
	for _, n := range nodes {
		g.node(n)
	}
	if g.err != nil {
		return 0, g.err
	}
	return g.reach, nil
}

func (g *gate) refuse(at diag.Range, format string, args ...any) {
	if g.err == nil {
		g.err = &SizeError{at, fmt.Sprintf(format, args...)}
	}
}

// binders notes the names that stand for something else inside a node.
func (g *gate) binders(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Choice:
			g.bound[n.Name.Name] = true
		case *ast.Let:
			g.bound[n.Name.Name] = true
		case *ast.Quant:
			g.bound[n.Var.Name] = true
		case *ast.Filter:
			g.bound[n.Var.Name] = true
		case *ast.Formal:
			g.bound[n.Name.Name] = true
		case *ast.Define:
			g.bound[n.Name.Name] = true
		case *ast.StateVar:
			g.bound[n.Name.Name] = true
		}
		return true
	})
}

// node checks a node and what is in it.
func (g *gate) node(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if g.err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Param:
			g.param(n)
			return false
		case *ast.Setting:
			g.setting(n)
			return false
		case *ast.PitRange:
			g.end(n.From)
			g.end(n.To)
			return false
		case *ast.IndexExpr:
			g.index(n.Index)
			return false
		case *ast.Move:
			g.move(n)
			return false
		case *ast.Name:
			if n.Name == g.Size {
				g.refuse(n.Range, "`%s` decides more than where stretches of pits end", n.Name)
			}
		case *ast.Call:
			return g.call(n)
		case *ast.Quant:
			if n.Kind == "number" {
				g.refuse(n.Range, "how many pits there are of a kind depends on `%s`", g.Size)
			}
		default:
			if !sizeless(n) {
				g.refuse(n.Span(), "what `%s` means for other values of `%s` is not known", g.Claim.unit.text(n.Span()), g.Size)
			}
		}
		return true
	})
}

// sizeless reports whether a node means the same for every size if its parts do.
func sizeless(n ast.Node) bool {
	switch n.(type) {
	case *ast.Variant, *ast.VariantHead, *ast.Ident, *ast.Subject, *ast.Each, *ast.Label, *ast.Who, *ast.Players,
		*ast.Board, *ast.BoardCell, *ast.Lap, *ast.Group, *ast.Owner, *ast.StateVar, *ast.VarType, *ast.Define, *ast.Procedure, *ast.Formal,
		*ast.Sort, *ast.Setup, *ast.Choice, *ast.Option, *ast.Pass, *ast.Ending, *ast.Reaction, *ast.Score, *ast.ScorePart,
		*ast.Sow, *ast.Capture, *ast.Take, *ast.Again, *ast.Assign, *ast.Let, *ast.If, *ast.CallStmt, *ast.MovesNext, *ast.Finish, *ast.Require,
		*ast.Int, *ast.Text, *ast.Of, *ast.Was, *ast.NoMove, *ast.Wins, *ast.Unary, *ast.Binary, *ast.Cond, *ast.EachCmp, *ast.SetLit, *ast.Filter, *ast.Paren,
		*ast.Reach, *ast.Terminates, *ast.EveryStep:
		return true
	}
	return false
}

// param checks a parameter. One that has a value must not depend on the size.
func (g *gate) param(p *ast.Param) {
	if p.Name.Name == g.Size {
		return
	}
	if slices.Contains(g.Open, p.Name.Name) {
		for _, x := range []ast.Expr{p.Default, p.Lo} {
			if x == nil {
				continue
			}
			if _, ok := g.affine(x); !ok {
				g.refuse(x.Span(), "`%s` is no multiple of `%s` and a number", g.Claim.unit.text(x.Span()), g.Size)
			}
		}
		if p.Hi != nil {
			g.node(p.Hi)
		}
		return
	}
	for _, x := range []ast.Expr{p.Default, p.Lo, p.Hi} {
		if x != nil {
			g.node(x)
		}
	}
}

// move checks a move. Its notation may have the numbers of pits, since it decides nothing.
func (g *gate) move(m *ast.Move) {
	if m.When != nil {
		g.node(m.When)
	}
	for _, c := range m.Choices {
		g.node(c)
	}
	for _, w := range m.Written {
		call, is := w.(*ast.Call)
		if !is || call.Func.Name != "index" {
			g.node(w)
		}
	}
	for _, s := range m.Body {
		g.node(s)
	}
}

// call checks a call, and reports whether to look into it.
func (g *gate) call(x *ast.Call) bool {
	switch name := x.Func.Name; {
	case name == "next" || name == "before":
		if arg, is := x.Args[0].(*ast.Name); !is || arg.Name != "last" {
			g.refuse(x.Range, "`%s` of another pit than `last`", name)
		}
	case name == "index":
		g.refuse(x.Range, "the number of a pit depends on `%s`", g.Size)
	case functions[name] != 0:
	case g.isRelation(name):
		g.reach = max(g.reach, g.columns())
	case !slices.ContainsFunc(g.definitions(), func(d string) bool { return d == name }):
		g.refuse(x.Range, "what `%s` means for other values of `%s` is not known", name, g.Size)
	}
	return true
}

// definitions lists the names of definitions and procedures, whose bodies are checked themselves.
func (g *gate) definitions() []string {
	var names []string
	for _, root := range append([]ast.Node{g.Claim.variant}, declared(g.Claim.unit.Defines)...) {
		for _, d := range ast.All[*ast.Define](root) {
			names = append(names, d.Name.Name)
		}
		for _, p := range ast.All[*ast.Procedure](root) {
			names = append(names, p.Name.Name)
		}
	}
	return names
}

func declared(list []ast.Decl) []ast.Node {
	var out []ast.Node
	for _, d := range list {
		out = append(out, d)
	}
	return out
}

// index checks what stands in brackets behind a group: the number of a pit, or two ends.
func (g *gate) index(x ast.Expr) {
	if b, is := x.(*ast.Binary); is && b.Op == ".." {
		g.end(b.L)
		g.end(b.R)
		return
	}
	g.end(x)
}

// end checks one end of a stretch of pits.
func (g *gate) end(x ast.Expr) {
	if x == nil {
		return
	}
	c, ok := g.affine(x)
	if !ok {
		g.refuse(x.Span(), "`%s` is no multiple of `%s` and a number", g.Claim.unit.text(x.Span()), g.Size)
	}
	g.reach = max(g.reach, c, -c)
}

// greatReach bounds the numbers that are added to multiples of the size.
const greatReach = 100

// affine returns the number c of an expression that is c + d·n for the size n and whole numbers.
func (g *gate) affine(x ast.Expr) (c int, ok bool) {
	c, _, ok = g.sum(x)
	return c, ok && c <= greatReach && c >= -greatReach
}

func (g *gate) sum(x ast.Expr) (c, d int, ok bool) {
	switch x := x.(type) {
	case *ast.Int:
		return x.Value, 0, x.Value <= greatReach
	case *ast.Paren:
		return g.sum(x.X)
	case *ast.Unary:
		c, d, ok = g.sum(x.X)
		return -c, -d, ok && x.Op == "-"
	case *ast.Name:
		if g.bound[x.Name] {
			return 0, 0, false
		}
		if x.Name == g.Size {
			return 0, 1, true
		}
		for _, p := range g.System.Params {
			if p.Name == x.Name {
				return p.Value, 0, !p.Open && !p.Bool && p.Value <= greatReach && p.Value >= -greatReach
			}
		}
	case *ast.Binary:
		c, d, ok = g.sum(x.L)
		c2, d2, ok2 := g.sum(x.R)
		switch ok = ok && ok2; {
		case x.Op == "+":
			return c + c2, d + d2, ok
		case x.Op == "-":
			return c - c2, d - d2, ok
		case x.Op == "*" && (d == 0 || d2 == 0):
			return c * c2, c*d2 + d*c2, ok && max(c, -c) <= greatReach && max(d, -d) <= greatReach
		}
	}
	return 0, 0, false
}

// firstDifference describes the first line in which two canonical texts differ.
func firstDifference(l, r string) string {
	a, b := strings.Split(l, "\n"), strings.Split(r, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("`%s` is there `%s`", strings.TrimSpace(a[i]), strings.TrimSpace(b[i]))
		}
	}
	return "one has more than the other"
}

// setting checks a setting behind the name of a board. That of the size is a default, and has no
// effect.
func (g *gate) setting(s *ast.Setting) {
	if s.Name.Name != g.Size || s.Index != nil {
		g.node(s.Value)
	}
}

// isRelation reports whether a name is that of a relation that the picture makes.
func (g *gate) isRelation(name string) bool {
	return slices.ContainsFunc(g.System.Relations, func(r rules.Relation) bool { return r.Name == name })
}

// columns returns the greatest number that is added to a multiple of the size in the place of a
// pit in its row: that depends on the ends of all stretches before it.
func (g *gate) columns() int {
	n := 0
	for _, board := range g.boards() {
		for _, cell := range ast.All[*ast.PitRange](board) {
			n++
			for _, end := range []ast.Expr{cell.From, cell.To} {
				if c, ok := g.affine(end); end != nil && ok {
					n += max(c, -c)
				}
			}
		}
	}
	return n
}

package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
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

// gate decides whether the size of a board decides nothing but where stretches of pits end. It
// walks all that the claim is made of, by what the names stand for: the variant, its board, the
// clauses and the property of the claim, and the definitions, procedures and positions that these
// use. What it does not know it refuses, and what it has not walked does not count.
//
// Allowed uses of the size are, as a sum of a number and a multiple of the size:
//
//   - an end of a stretch of pits, or the number of a single pit, wherever these are written;
//   - the lower end of the range of an open parameter, and its default, which has no effect.
//
// Nothing else may depend on the number of pits without naming the size: neither the number of a
// pit, nor how many pits of a set are as asked, nor what is once more carried out for each pit, nor
// what there is one of for each pit.
type gate struct {
	of      *Instance
	bound   *bind.Variant
	inClaim bool // the text is that of a claim, or read for it
	reach   int  // the greatest number in these sums
	walked  []ast.Node
	seen    map[walk]bool
	err     *SizeError
}

// walk is a text that is read in rules or in claims, where more names have a meaning.
type walk struct {
	node    ast.Node
	inClaim bool
}

// Uniform returns the greatest number that is added to a multiple of the size in an end of a
// stretch. The error is a *SizeError if something in the text depends on the size in another way.
func (i *Instance) Uniform() (reach int, err error) {
	if i.borrows {
		return 0, &SizeError{At: i.Claim.At, Message: "the claim names a lap or relation that the rules do not use"}
	}
	g := i.gate()
	if g.err != nil {
		return 0, g.err
	}
	return g.reach, nil
}

// gate walks all that the claim is made of.
func (i *Instance) gate() *gate {
	g := &gate{of: i, bound: i.Claim.unit.bound[i.Claim.variant], seen: map[walk]bool{}}
	g.root(g.bound.Variant)
	if g.bound.Board != nil {
		g.root(g.bound.Board)
	}
	g.inClaim = true
	for _, c := range i.Claim.ast.Clauses {
		if _, is := c.(ast.Property); !is {
			g.root(c)
		}
	}
	for _, part := range i.parts() {
		g.root(part)
	}
	return g
}

// root walks a text once.
func (g *gate) root(n ast.Node) {
	if w := (walk{n, g.inClaim}); !g.seen[w] {
		g.seen[w] = true
		g.walked = append(g.walked, n)
		g.node(n)
	}
}

func (g *gate) refuse(at diag.Range, format string, args ...any) {
	if g.err == nil {
		g.err = &SizeError{at, fmt.Sprintf(format, args...)}
	}
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
		case *ast.Setting:
			g.setting(n)
		case *ast.PitRange:
			g.end(n.From)
			g.end(n.To)
		case *ast.IndexExpr:
			g.index(n.Index)
		case *ast.Move:
			g.move(n)
		case *ast.Define, *ast.Procedure: // walked where they are used
		case *ast.Name:
			g.name(n)
		case *ast.Each:
			if n.Name != "player" {
				g.refuse(n.Range, "there is one for each pit, and so more with a greater `%s`", g.of.Size)
			}
		case *ast.Call:
			g.call(n)
			return true
		case *ast.Quant:
			switch n.Kind {
			case "first":
				g.refuse(n.Range, "which pit is the first one of a kind depends on `%s`", g.of.Size)
			case "number":
				g.refuse(n.Range, "how many pits there are of a kind depends on `%s`", g.of.Size)
			}
			return true
		case *ast.ForAll:
			if n.From == nil || n.Name.Name != g.of.Size {
				return true
			}
		default:
			if !sizeless(n) {
				g.refuse(n.Span(), "what `%s` means for other values of `%s` is not known", g.of.Claim.unit.Bound.Text(n.Span()), g.of.Size)
			}
			return true
		}
		return false
	})
}

// sizeless reports whether a node means the same for every size if its parts do.
func sizeless(n ast.Node) bool {
	switch n.(type) {
	case *ast.Variant, *ast.VariantHead, *ast.Ident, *ast.Subject, *ast.Label, *ast.Who, *ast.Players,
		*ast.Board, *ast.BoardCell, *ast.Lap, *ast.Group, *ast.Owner, *ast.StateVar, *ast.VarType, *ast.Formal,
		*ast.Sort, *ast.Setup, *ast.Choice, *ast.Option, *ast.Pass, *ast.Ending, *ast.Reaction, *ast.Score, *ast.ScorePart,
		*ast.Sow, *ast.Capture, *ast.Take, *ast.Again, *ast.Assign, *ast.Let, *ast.If, *ast.CallStmt, *ast.MovesNext, *ast.Finish, *ast.Require,
		*ast.Int, *ast.Text, *ast.Of, *ast.Was, *ast.NoMove, *ast.Wins, *ast.Unary, *ast.Binary, *ast.Cond, *ast.EachCmp, *ast.SetLit, *ast.Filter, *ast.Paren,
		*ast.Reach, *ast.Terminates, *ast.EveryStep,
		*ast.Expect, *ast.With, *ast.ForIn, *ast.ParamRange, *ast.ForAll, *ast.Using, *ast.Bound, *ast.Long:
		return true
	}
	return false
}

// name checks what a name stands for, and walks that.
func (g *gate) name(n *ast.Name) {
	switch ref := g.bound.Ref(n, g.inClaim); ref.Kind {
	case bind.ParamName:
		if ref.Name == g.of.Size {
			g.refuse(n.Range, "`%s` decides more than where stretches of pits end", n.Name)
		}
	case bind.PitName:
		g.end(&ast.Int{At: n.At, Value: ref.Number})
	case bind.DefinitionName:
		g.definition(ref)
	case bind.PositionName:
		g.position(ref.Symbol.Node.(*ast.Position))
	case bind.LocalName, bind.PlayerName, bind.PitsName, bind.GroupName, bind.LapName, bind.RelationName, bind.VariableName, bind.ValueName,
		bind.OutcomeName, bind.WordName:
	default:
		g.refuse(n.Range, "what `%s` means for other values of `%s` is not known", n.Name, g.of.Size)
	}
}

// definition walks a definition.
func (g *gate) definition(ref bind.Ref) {
	if d := g.bound.Definition(ref.Symbol); d != nil {
		g.root(d.Value)
	}
}

// position walks a position.
func (g *gate) position(p *ast.Position) {
	if p.Picture != nil {
		g.refuse(p.Range, "the position `%s` is drawn for one `%s`", p.Name.Name, g.of.Size)
		return
	}
	was := g.inClaim
	g.inClaim = true
	g.root(p.Where)
	for i := range p.With {
		g.root(&p.With[i])
	}
	g.inClaim = was
}

// param checks a parameter. One that has a value must not depend on the size.
func (g *gate) param(p *ast.Param) {
	if p.Name.Name == g.of.Size {
		return
	}
	open := slices.Contains(g.of.Open, p.Name.Name)
	for _, x := range []ast.Expr{p.Default, p.Lo} {
		switch {
		case x == nil:
		case !open:
			g.node(x)
		default:
			if _, ok := g.affine(x); !ok {
				g.refuse(x.Span(), "`%s` is no multiple of `%s` and a number", g.of.Claim.unit.Bound.Text(x.Span()), g.of.Size)
			}
		}
	}
	if p.Hi != nil {
		g.node(p.Hi)
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
		if !is || call.Func.Name != "index" || g.bound.Ref(&call.Func, g.inClaim).Kind != bind.FunctionName {
			g.node(w)
		}
	}
	for _, s := range m.Body {
		g.node(s)
	}
}

// call checks what is called.
func (g *gate) call(x *ast.Call) {
	switch ref := g.bound.Ref(&x.Func, g.inClaim); ref.Kind {
	case bind.FunctionName:
		g.function(x)
	case bind.RelationName:
		g.reach = max(g.reach, g.columns())
	case bind.DefinitionName:
		g.definition(ref)
	case bind.ProcedureName:
		for _, s := range g.bound.Definition(ref.Symbol).Body {
			g.root(s)
		}
	case bind.VariableName: // for each player
	default:
		g.refuse(x.Range, "what `%s` means for other values of `%s` is not known", x.Func.Name, g.of.Size)
	}
}

// function checks a call of a function of the language.
func (g *gate) function(x *ast.Call) {
	switch name := x.Func.Name; name {
	case "next", "before":
		arg, is := x.Args[0].(*ast.Name)
		if ref := g.bound.Ref(arg, g.inClaim); !is || ref.Kind != bind.WordName || ref.Name != "last" {
			g.refuse(x.Range, "`%s` of another pit than `last`", name)
		}
	case "index":
		g.refuse(x.Range, "the number of a pit depends on `%s`", g.of.Size)
	}
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
		g.refuse(x.Span(), "`%s` is no multiple of `%s` and a number", g.of.Claim.unit.Bound.Text(x.Span()), g.of.Size)
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
		return g.term(x)
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

// term is sum for a name: the size, or another parameter that has a value.
func (g *gate) term(x *ast.Name) (c, d int, ok bool) {
	if g.bound.Ref(x, g.inClaim).Kind != bind.ParamName {
		return 0, 0, false
	}
	if x.Name == g.of.Size {
		return 0, 1, true
	}
	for _, p := range g.of.System.Params {
		if p.Name == x.Name {
			return p.Value, 0, !p.Open && !p.Bool && p.Value <= greatReach && p.Value >= -greatReach
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

// setting checks a setting. That of the size behind the name of a board is a default, and has no
// effect.
func (g *gate) setting(s *ast.Setting) {
	if s.Name.Name != g.of.Size || s.Index != nil {
		if s.Index != nil {
			g.node(s.Index)
		}
		g.node(s.Value)
	}
}

// columns returns the greatest number that is added to a multiple of the size in the place of a
// pit in its row: that depends on the ends of all stretches before it.
func (g *gate) columns() int {
	n := 0
	for _, cell := range ast.All[*ast.PitRange](g.bound.Board) {
		n++
		for _, end := range []ast.Expr{cell.From, cell.To} {
			if c, ok := g.affine(end); end != nil && ok {
				n += max(c, -c)
			}
		}
	}
	return n
}

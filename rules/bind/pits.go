package bind

import (
	"fmt"
	"strconv"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
)

// A pit that is drawn with brackets has a name of its own, such as south3 or hole03. Which of these
// names there are depends on the size of the board. What a name refers to must not, so nothing that
// is declared may have the name of a pit on a board of some size.

// numbered is a group of pits with numbers, and the number of one that has the name asked for.
type numbered struct {
	group  *Symbol
	number int
}

// pitNamed finds the groups that have a pit of this name on some board.
func (s *scope) pitNamed(name string) []numbered {
	var list []numbered
	for i := len(name) - 1; i > 0 && name[i] >= '0' && name[i] <= '9'; i-- {
		width, ok := s.hasNumbers(name[:i])
		n, err := strconv.Atoi(name[i:])
		if ok && err == nil && fmt.Sprintf("%0*d", width, n) == name[i:] {
			list = append(list, numbered{s.find(byValues, name[:i]), n})
		}
	}
	return list
}

// pit reads the name of a pit with its number.
func (r reader) pit(n ast.Node, name string, groups []numbered, at diag.Range) {
	if len(groups) > 1 {
		a, b := groups[0], groups[1]
		d := mistake(diag.Duplicate, at, "`%s` is the name of two pits", name)
		d.WithHelp("write `%s[%d]` or `%s[%d]`", a.group.Name, a.number, b.group.Name, b.number)
		r.unknown(n, name, d)
		return
	}
	group := groups[0].group
	r.use(n, group, front(at, len(group.Name)))
	r.note(n, Ref{Kind: PitName, Symbol: group, Name: name, Number: groups[0].number})
}

// front is the first n bytes of a name, which are ASCII or end at a character.
func front(r diag.Range, n int) diag.Range {
	r.End.Offset -= r.End.Offset - r.Start.Offset - n
	r.End.Column = r.Start.Column + n
	return r
}

// names reports what the variant declares by the name of a pit that some size of its board has.
func (v *Variant) names() {
	for _, space := range []space{byValues, byEnums, byOutcomes} {
		for in := v.own; in != nil; in = in.board {
			for name, s := range in.names[space] {
				if len(s.Decls) > 0 {
					v.noPit(name, s.Decls[0], s.Kind)
				}
			}
		}
	}
	for _, p := range v.program.Positions {
		if p.Of == nil || p.Of.Name == v.Name.Name {
			v.noPit(p.Name.Name, p.Name.Range, PositionName)
		}
	}
}

// noPit reports a declared name that is that of a pit on a board of some size. What stands outside
// of the variant is a mistake of it all the same: it is declared for the variant, too.
func (v *Variant) noPit(name string, at diag.Range, kind Kind) {
	if v == nil {
		return
	}
	for _, p := range v.own.pitNamed(name) {
		where, has := v.hasPit(p)
		if !has {
			continue
		}
		v.Mistakes.Errorf(diag.Duplicate, at, "`%s` is the name of a pit%s, and cannot be that of %s %s", name, where, map[bool]string{true: "an", false: "a"}[kind == OutcomeName], kind).
			WithHelp("what a name stands for must not depend on the size of the board: choose another one").
			Notes = []diag.Note{{Range: p.group.Decls[0], Message: "the pits are drawn here"}}
		return
	}
}

// hasPit reports whether a board of some size has a pit of this group with the number, and of which
// size if that can be said. It does not overlook any.
func (v *Variant) hasPit(p numbered) (where string, has bool) {
	for _, cell := range v.Board.Picture {
		if cell.Pit == nil || cell.Pit.Group.Name != p.group.Name || cell.Pit.From == nil {
			continue
		}
		from, to := extents{v: v, depth: maxDepth}.ends(cell.Pit)
		if !from.Hull(to).Has(p.number) {
			continue
		}
		has = true
		if where = v.witness(cell.Pit, p.number); where != "" || len(NamesIn(cell.Pit)) == 0 {
			return where, true
		}
	}
	if has {
		where = " on boards of some size"
	}
	return where, has
}

// witness names a value of a parameter with which a stretch has a pit of this number, and the
// others their defaults; it is empty if that was not found.
func (v *Variant) witness(p *ast.PitRange, number int) string {
	for _, param := range ast.Items[*ast.Param](v.Variant) {
		name := param.Name.Name
		e := extents{v: v, depth: maxDepth}
		bounds := e.param(param)
		for n := max(bounds.Lo, -number-triedSizes); n <= min(bounds.Hi, number+triedSizes); n++ {
			e.set = map[string]int{name: n}
			e.usual = true
			from, to := e.ends(p)
			if from.IsPoint() && to.IsPoint() && from.Hull(to).Has(number) {
				return fmt.Sprintf(" where %s = %d", name, n)
			}
		}
	}
	return ""
}

// triedSizes is how many values beyond a number are tried for a parameter, and maxDepth how deep
// parameters and definitions may be nested.
const (
	triedSizes = 64
	maxDepth   = 16
)

// extents bounds numbers that are known before play, for all values of parameters.
type extents struct {
	v     *Variant
	set   map[string]int // values of parameters
	usual bool           // other parameters have their defaults
	depth int
}

// ends bounds both ends of a stretch of the picture.
func (e extents) ends(p *ast.PitRange) (from, to num.Interval) {
	if p.To == nil {
		return e.of(p.From), e.of(p.From)
	}
	return e.of(p.From), e.of(p.To)
}

// of bounds an expression. What it does not know may be any number.
func (e extents) of(x ast.Expr) num.Interval {
	switch x := x.(type) {
	case *ast.Int:
		return num.Point(x.Value)
	case *ast.Paren:
		return e.of(x.X)
	case *ast.Unary:
		if x.Op == "-" {
			return e.of(x.X).Negated()
		}
	case *ast.Cond:
		return e.of(x.Then).Hull(e.of(x.Else))
	case *ast.Binary:
		l, r := e.of(x.L), e.of(x.R)
		switch x.Op {
		case "+":
			return l.Plus(r)
		case "-":
			return l.Minus(r)
		case "*":
			return l.Times(r)
		case "div":
			if r.IsPoint() && r.Lo > 0 {
				return l.Div(r.Lo)
			}
		case "mod":
			if r.IsPoint() && r.Lo > 0 {
				return l.Mod(r.Lo)
			}
		}
	case *ast.Name:
		return e.named(x.Name)
	}
	return num.Anything
}

// named bounds a parameter or a definition.
func (e extents) named(name string) num.Interval {
	if e.depth--; e.depth < 0 {
		return num.Anything
	}
	if n, ok := e.set[name]; ok {
		return num.Point(n)
	}
	for _, p := range ast.Items[*ast.Param](e.v.Variant) {
		switch {
		case p.Name.Name != name:
		case e.usual:
			return e.of(p.Default)
		default:
			return e.param(p)
		}
	}
	for _, d := range e.v.Defines {
		if d.Kind == DefinitionName && d.Name.Name == name && len(d.Params) == 0 {
			return e.of(d.Value)
		}
	}
	return num.Anything
}

// param bounds a parameter by its range.
func (e extents) param(p *ast.Param) num.Interval {
	e.usual = false
	switch {
	case !p.HasRange && e.v.IsSize(p.Name.Name):
		return num.AtLeast(1)
	case !p.HasRange:
		return num.AtLeast(0)
	case p.Hi == nil:
		return num.AtLeast(e.of(p.Lo).Lo)
	}
	return num.Interval{Lo: e.of(p.Lo).Lo, Hi: e.of(p.Hi).Hi}
}

// IsSize reports whether the ends of drawn stretches use a parameter, directly or by definitions.
func (v *Variant) IsSize(param string) bool {
	if v.Board == nil {
		return false
	}
	seen := map[string]bool{}
	var note func(n ast.Node)
	note = func(n ast.Node) {
		for _, name := range NamesIn(n) {
			if seen[name] {
				continue
			}
			seen[name] = true
			for _, d := range v.Defines {
				if d.Kind == DefinitionName && d.Name.Name == name {
					note(d.Node)
				}
			}
		}
	}
	for _, cell := range v.Board.Picture {
		if cell.Pit != nil && cell.Pit.From != nil {
			note(cell.Pit)
		}
	}
	return seen[param]
}

// NamesIn lists the names of values and functions in a node.
func NamesIn(n ast.Node) []string {
	var names []string
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			names = append(names, n.Name)
		case *ast.Call:
			names = append(names, n.Func.Name)
		}
		return true
	})
	return names
}

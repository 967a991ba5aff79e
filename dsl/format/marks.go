package format

import (
	"sort"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// offsets is a set of positions in the source, in bytes.
type offsets map[int]bool

// marks has what the syntax tree says about tokens, by their offsets.
type marks struct {
	tokens  []lexer.Token
	line    offsets     // always begin a line
	part    offsets     // begin a line if their block takes several: statements, rows of pictures
	cond    offsets     // begin a line if they do in the source: conditions, clauses
	close   offsets     // operators without blanks around them: in brackets and beside `..`
	rows    map[int]int // by offset of the first token of a row: the number of its picture
	cells   offsets     // begin a cell of a picture
	tight   offsets     // braces without blanks inside
	wide    offsets     // braces of blocks that always take several lines
	prefix  offsets     // `-` as a prefix
	glued   offsets     // ends of names that a bracket follows without a blank
	colon   offsets     // colons without a blank before them
	other   offsets     // each `else` of an expression
	count   int         // number of pictures so far
	options *ast.SetLit // the set of the current choice; may be nil
}

func newMarks(f *ast.File, tokens []lexer.Token) *marks {
	m := &marks{
		tokens: tokens, line: offsets{}, part: offsets{}, cond: offsets{}, close: offsets{}, rows: map[int]int{}, cells: offsets{}, tight: offsets{},
		wide: offsets{}, prefix: offsets{}, glued: offsets{}, colon: offsets{}, other: offsets{},
	}
	if f.Language != nil {
		m.line.add(f.Language)
	}
	for _, i := range f.Imports {
		m.line.add(i)
	}
	for _, d := range f.Decls {
		m.line.add(d)
		ast.Inspect(d, func(n ast.Node) bool {
			m.node(n)
			return true
		})
	}
	m.words()
	return m
}

func (o offsets) add(n ast.Node) { o[n.Span().Start.Offset] = true }

func (o offsets) end(n ast.Node) { o[n.Span().End.Offset] = true }

// starts reports whether a token begins something that does not continue what is before it.
func (m *marks) starts(t lexer.Token) bool {
	o := t.Pos.Offset
	return m.line[o] || m.part[o] || m.cond[o] || m.rows[o] > 0
}

// node marks the tokens of one node.
func (m *marks) node(n ast.Node) {
	switch n := n.(type) {
	case ast.Item, ast.BoardLine:
		m.line.add(n)
	}
	switch n := n.(type) {
	case *ast.Board:
		m.board(n)
	case *ast.PitRange:
		m.cells.add(n)
		m.closely(n)
		m.glued.end(n.Group)
	case *ast.Facing:
		m.closely(n.Index, n.Expr)
		m.glued.end(n.Group)
		m.glued.end(n.Other)
	case *ast.VarType:
		if n.Enum != nil {
			m.tight.add(n)
		}
		m.closely(n.Lo, n.Hi)
	case *ast.Param:
		m.closely(n.Lo, n.Hi)
	case *ast.Setup:
		for _, c := range n.Conds {
			m.cond.add(c)
		}
	case *ast.Picture:
		m.picture(n)
	case *ast.Choice:
		m.part.add(n)
		m.options, _ = n.Set.(*ast.SetLit)
	case ast.Stmt:
		m.part.add(n)
	case ast.Clause:
		m.clause(n)
	case *ast.Define:
		m.glued.end(n.Name)
	case *ast.Procedure:
		m.glued.end(n.Name)
	case *ast.Setting:
		m.glued.end(n.Name)
	case ast.Expr:
		m.expr(n)
	}
}

func (m *marks) board(b *ast.Board) {
	m.count++
	for _, r := range b.Rows() {
		m.line.add(r)
		m.rows[r.Range.Start.Offset] = m.count
	}
}

func (m *marks) picture(p *ast.Picture) {
	m.count++
	line := 0
	for _, c := range p.Cells {
		if c.Range.Start.Line != line {
			line = c.Range.Start.Line
			m.part.add(c)
			m.rows[c.Range.Start.Offset] = m.count
		}
		if !c.Bar {
			m.cells.add(c)
		}
	}
}

// within returns the tokens of a node.
func (m *marks) within(n ast.Node) []lexer.Token {
	at := func(offset int) int {
		return sort.Search(len(m.tokens), func(i int) bool { return m.tokens[i].Pos.Offset >= offset })
	}
	return m.tokens[at(n.Span().Start.Offset):at(n.Span().End.Offset)]
}

// words marks what the tree does not have: the word `written`, and the braces of variants and
// boards.
func (m *marks) words() {
	for i, t := range m.tokens {
		if t.Type != scan.Keyword {
			continue
		}
		switch t.Value {
		case "written":
			m.part[t.Pos.Offset] = true
		case "variant", "board":
			for i++; m.tokens[i].Type == scan.Name || m.tokens[i].Type == scan.String; i++ {
			}
			m.wide[m.tokens[i].Pos.Offset] = true // has no effect where a variant takes a board by its name
		}
	}
}

// closely removes the blanks in the sums and products of nodes, some of which may be nil.
func (m *marks) closely(nodes ...ast.Node) {
	for _, n := range nodes {
		if n == nil {
			continue
		}
		for _, t := range m.within(n) {
			if t.Type == scan.Punct && (t.Value == "+" || t.Value == "-" || t.Value == "*") {
				m.close[t.Pos.Offset] = true
			}
		}
	}
}

func (m *marks) clause(n ast.Clause) {
	m.cond.add(n)
	switch n := n.(type) {
	case *ast.Relation:
		m.glued.end(n.Other)
	case *ast.ForIn:
		for i, r := range n.Ranges {
			if i > 0 {
				m.cond.add(r)
			}
			m.closely(r.Lo, r.Hi)
		}
		m.colonAt(n, n.Colon)
	case *ast.ForAll:
		m.colonAt(n, n.Colon)
	case *ast.ForBoards:
		m.colonAt(n, n.Colon)
	}
}

// colonAt marks the colon that a clause may end with.
func (m *marks) colonAt(n ast.Clause, has bool) {
	if has {
		m.colon[n.Span().End.Offset-1] = true
	}
}

func (m *marks) expr(n ast.Expr) {
	switch n := n.(type) {
	case *ast.Unary:
		if n.Op == "-" {
			m.prefix.add(n)
		}
	case *ast.Cond:
		before := m.within(n)
		before = before[:len(before)-len(m.within(n.Else))]
		m.other[before[len(before)-1].Pos.Offset] = true
	case *ast.SetLit:
		m.tight[n.Range.Start.Offset] = n != m.options
	case *ast.Filter:
		m.tight.add(n)
	case *ast.Call:
		m.glued.end(n.Func)
	case *ast.IndexExpr:
		m.glued.end(n.Group)
		m.closely(n.Index)
	case *ast.Binary:
		if n.Op == ".." {
			m.closely(n.L, n.R)
		}
	}
}

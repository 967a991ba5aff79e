package dsl

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/grammar"
)

func (l *lowerer) item(i *grammar.Item) ast.Item {
	span := at(i)
	doc := l.docs.above(span.Range)
	switch {
	case i.Param != nil:
		return l.param(span, doc, i.Param)
	case i.Players != nil:
		return &ast.Players{At: span, Names: idents(i.Players.Names)}
	case i.Board != nil:
		return l.board(span, i.Board)
	case i.State != nil:
		return l.state(span, doc, i.State)
	case i.Setup != nil:
		return l.setup(span, doc, i.Setup)
	case i.Move != nil:
		return l.move(span, doc, i.Move)
	case i.Ending != nil:
		return l.ending(span, doc, i.Ending)
	}
	return l.score(span, i.Score)
}

// param splits `6 in 1..12` at its `in`.
func (l *lowerer) param(span ast.At, doc string, p *grammar.Param) *ast.Param {
	out := &ast.Param{At: span, Doc: doc, Name: ident(p.Name)}
	terms := flatten(p.Value)
	out.Default = l.order(terms, spanOf(p.Value), true)
	in, ok := out.Default.(*ast.Binary)
	if !ok || in.Op != "in" {
		l.closed(terms)
		return out
	}
	r, ok := in.R.(*ast.Binary)
	if !ok || r.Op != ".." {
		l.errorf(in.R.Span(), "expected a range such as `1..12` after `in`")
		l.closed(terms)
		return out
	}
	out.Default, out.HasRange, out.Lo, out.Hi = in.L, true, r.L, r.R
	return out
}

// closed rejects an open range that is not the range of a parameter.
func (l *lowerer) closed(terms []term) {
	if last := terms[len(terms)-1]; last.op == ".." {
		l.errorf(last.at, "expected a number after `..`")
	}
}

func (l *lowerer) state(span ast.At, doc string, s *grammar.State) *ast.StateVar {
	out := &ast.StateVar{At: span, Doc: doc, Name: ident(s.Name), Init: l.expr(s.Init)}
	if s.Each != nil {
		out.Each = &ast.Ident{At: at(s.Each), Name: s.Each.Word}
	}
	out.Type = l.varType(s.Type)
	return out
}

func (l *lowerer) varType(t *grammar.VarType) ast.VarType {
	out := ast.VarType{At: at(t)}
	switch {
	case t.Enum != nil:
		out.Enum = idents(t.Enum)
	case t.Player:
		out.Name = &ast.Ident{At: at(t), Name: "player"}
	case t.Hi != nil:
		out.Lo, out.Hi = l.arith(t.Lo), l.arith(t.Hi)
	default:
		out.Name = l.typeName(l.arith(t.Lo))
	}
	return out
}

func (l *lowerer) typeName(e ast.Expr) *ast.Ident {
	if n, ok := e.(*ast.Name); ok {
		return &ast.Ident{At: n.At, Name: n.Name}
	}
	l.errorf(e.Span(), "expected a type: a group of pits, `bool`, `player`, a range or names in braces")
	return &ast.Ident{At: ast.At{Range: e.Span()}}
}

func (l *lowerer) score(span ast.At, s *grammar.Score) *ast.Score {
	out := &ast.Score{At: span}
	for _, p := range s.Parts {
		out.Players = append(out.Players, ident(p.Player))
		out.Values = append(out.Values, l.expr(p.Value))
	}
	return out
}

func (l *lowerer) setup(span ast.At, doc string, s *grammar.Setup) *ast.Setup {
	out := &ast.Setup{At: span, Doc: doc, Label: label(s.Label), Any: s.Any}
	switch {
	case s.Cells != nil:
		out.Picture = l.picture(s.Cells)
	case s.Any:
		out.Conds = l.exprs(s.Where)
	default:
		out.Conds = l.exprs(s.Conds)
	}
	return out
}

func (l *lowerer) board(span ast.At, b *grammar.Board) *ast.Board {
	out := &ast.Board{At: span, Rows: l.boardRows(b.Picture)}
	for _, line := range b.Lines {
		out.Lines = append(out.Lines, l.boardLine(line))
	}
	return out
}

// boardRows groups the picture by lines, and each line by its bars.
func (l *lowerer) boardRows(cells []*grammar.BoardCell) []ast.BoardRow {
	var rows []ast.BoardRow
	line := 0
	for _, c := range cells {
		span := spanOf(c)
		l.onOneLine(span)
		if span.Start.Line != line {
			rows = append(rows, ast.BoardRow{At: ast.At{Range: span}, Parts: [][]ast.PitRange{nil}})
		}
		l.boardCell(&rows[len(rows)-1], c, span)
		line = span.End.Line
	}
	return rows
}

// onOneLine rejects a pit or count of a picture that goes over the end of its row.
func (l *lowerer) onOneLine(span diag.Range) {
	if span.Start.Line != span.End.Line {
		l.errorf(span, "a row of a picture is a line, and this goes over its end")
	}
}

func (l *lowerer) boardCell(row *ast.BoardRow, c *grammar.BoardCell, span diag.Range) {
	row.Range = row.Range.To(span)
	switch last := len(row.Parts) - 1; {
	case c.Bar:
		row.Parts = append(row.Parts, nil)
	case c.Pit != nil:
		row.Parts[last] = append(row.Parts[last], l.pit(c.Pit))
	}
}

func (l *lowerer) pits(list []*grammar.Pit) []ast.PitRange {
	var out []ast.PitRange
	for _, p := range list {
		out = append(out, l.pit(p))
	}
	return out
}

func (l *lowerer) pit(p *grammar.Pit) ast.PitRange {
	out := ast.PitRange{At: at(p), Group: ident(p.Group)}
	out.From = l.expr(p.Index)
	if r, ok := out.From.(*ast.Binary); ok && r.Op == ".." {
		out.From, out.To = r.L, r.R
	}
	out.Width = width(out.From)
	return out
}

func (l *lowerer) boardLine(b *grammar.BoardLine) ast.BoardLine {
	span := at(b)
	switch {
	case b.Lap != nil:
		return &ast.Lap{
			At: span, Ring: b.Lap.Kind == "ring", Name: ident(b.Lap.Name), Of: identPtr(b.Lap.Of),
			Pits: l.pits(b.Lap.Pits), Reverse: identPtr(b.Lap.Reverse),
		}
	case b.Group != nil:
		return &ast.Group{At: span, Name: ident(b.Group.Name), Sets: l.exprs(b.Group.Sets)}
	case b.Owner != nil:
		return &ast.Owner{At: span, Player: ident(b.Owner.Player), Sets: l.exprs(b.Owner.Sets)}
	}
	o := b.Opposite
	return &ast.Opposite{
		At: span, Group: ident(o.Group), Index: ident(o.Index), Other: ident(o.Other),
		Expr: l.expr(o.Expr),
	}
}

// picture groups cells like boardRows.
func (l *lowerer) picture(cells []*grammar.Cell) *ast.Picture {
	p := &ast.Picture{At: ast.At{Range: spanOf(cells[0]).To(spanOf(cells[len(cells)-1]))}}
	line := 0
	for _, c := range cells {
		l.onOneLine(spanOf(c))
		if at := spanOf(c).Start.Line; at != line {
			line = at
			p.Rows = append(p.Rows, [][]ast.Cell{nil})
		}
		row := &p.Rows[len(p.Rows)-1]
		if c.Bar {
			*row = append(*row, nil)
			continue
		}
		last := len(*row) - 1
		(*row)[last] = append((*row)[last], l.cell(c))
	}
	return p
}

func (l *lowerer) cell(c *grammar.Cell) ast.Cell {
	token := c.Plain
	if c.Marked != nil {
		token = c.Marked
	}
	out := ast.Cell{At: at(c), Marked: c.Marked != nil, Any: token.Value == "_"}
	if !out.Any {
		out.Count = l.number(*token)
	}
	return out
}

func (l *lowerer) position(p *grammar.Position) *ast.Position {
	out := &ast.Position{
		At: at(p), Doc: l.docs.above(spanOf(p)), Name: ident(p.Name), Of: identPtr(p.Of),
		Where: l.expr(p.Where), With: l.settings(p.With),
	}
	if p.Where == nil {
		out.Picture = l.picture(p.Cells)
	}
	return out
}

func (l *lowerer) strategy(s *grammar.Strategy) *ast.Strategy {
	return &ast.Strategy{
		At: at(s), Doc: l.docs.above(spanOf(s)), Name: ident(s.Name), Of: identPtr(s.Of),
		Least: s.Best == "least", Rank: l.expr(s.Rank), By: label(s.By),
	}
}

func (l *lowerer) settings(list []*grammar.Setting) []ast.Setting {
	var out []ast.Setting
	for _, s := range list {
		name := ast.Ident{At: at(s.Name), Name: s.Name.Word}
		out = append(out, ast.Setting{At: at(s), Name: name, Index: l.expr(s.Index), Value: l.expr(s.Value)})
	}
	return out
}

package ast

import "strings"

// Loaded is a file that is no rules file, once it has been read: its name, as paths of files are
// written, and its text.
type Loaded struct {
	Name string
	Text []byte
}

// BoardRow is one row of the picture: its parts, which `|` separates. A part may be empty.
type BoardRow struct {
	At
	Parts [][]PitRange
}

// Rows groups the picture by lines, and each line by its bars.
func (b *Board) Rows() []BoardRow {
	var rows []BoardRow
	line := 0
	for _, c := range b.Picture {
		if c.Range.Start.Line != line {
			rows = append(rows, BoardRow{At: c.At, Parts: [][]PitRange{nil}})
			line = c.Range.Start.Line
		}
		row := &rows[len(rows)-1]
		row.Range = row.Range.To(c.Range)
		switch last := len(row.Parts) - 1; {
		case c.Bar:
			row.Parts = append(row.Parts, nil)
		case c.Pit != nil:
			row.Parts[last] = append(row.Parts[last], *c.Pit)
		}
	}
	return rows
}

// Width is the number of digits of a zero-padded first index (2 for hole[01..n], else 0).
func (p *PitRange) Width() int {
	if n, ok := p.From.(*Int); ok && len(n.Text) > 1 && strings.HasPrefix(n.Text, "0") {
		return len(n.Text)
	}
	return 0
}

// Rows groups the cells by lines, and each line by its bars.
func (p *Picture) Rows() [][][]Cell {
	var rows [][][]Cell
	line := 0
	for _, c := range p.Cells {
		if c.Range.Start.Line != line {
			line = c.Range.Start.Line
			rows = append(rows, [][]Cell{nil})
		}
		row := &rows[len(rows)-1]
		if c.Bar {
			*row = append(*row, nil)
			continue
		}
		last := len(*row) - 1
		(*row)[last] = append((*row)[last], c)
	}
	return rows
}

// Name is a group of pits, `bool` or `player`; nil for the other types.
func (t *VarType) Name() *Ident {
	if t.Player {
		return &Ident{At: t.At, Name: "player"}
	}
	if n, ok := t.Lo.(*Name); ok && t.Hi == nil {
		return &Ident{At: n.At, Name: n.Name}
	}
	return nil
}

// Options lists the elements of a set in braces; nil if Set is anything else.
func (c *Choice) Options() []Option {
	var out []Option
	if s, ok := c.Set.(*SetLit); ok {
		for _, e := range s.Elems {
			if o, ok := e.(*Option); ok {
				out = append(out, *o)
			} else {
				out = append(out, Option{At: At{Range: e.Span()}, Value: e})
			}
		}
	}
	return out
}

// ByLap reports whether the choice of a move that goes on does not stand for all of its laps.
func (c *Choice) ByLap() bool { return c.EachLap || c.Later != nil }

// Variable returns the variable that is set and its index, which may be nil.
func (a *Assign) Variable() (Ident, Expr) {
	switch x := a.Target.(type) {
	case *Name:
		return Ident{At: x.At, Name: x.Name}, nil
	case *Call:
		if len(x.Args) == 1 && x.Along == nil {
			return x.Func, x.Args[0]
		}
	}
	return Ident{}, nil
}

// Items lists the items of a variant that are of one kind.
func Items[I Item](v *Variant) []I {
	var out []I
	for _, item := range v.Items {
		if x, is := item.(I); is {
			out = append(out, x)
		}
	}
	return out
}

// Ranges lists the ranges in the `for` clauses of a claim.
func (c *Claim) Ranges() []*ParamRange {
	var out []*ParamRange
	for _, cl := range c.Clauses {
		if f, ok := cl.(*ForIn); ok {
			out = append(out, f.Ranges...)
		}
	}
	return out
}

// Exprs makes expressions of more special ones.
func Exprs[E Expr](list []E) []Expr {
	out := make([]Expr, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

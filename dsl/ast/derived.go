package ast

import (
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

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
	same := func(a, b BoardCell) bool { return a.Range.Start.Line == b.Range.Start.Line }
	return lists.Map(lists.Runs(b.Picture, same), func(line []BoardCell) BoardRow {
		row := BoardRow{At: At{Range: line[0].Range.To(line[len(line)-1].Range)}, Parts: [][]PitRange{nil}}
		for _, c := range line {
			switch last := len(row.Parts) - 1; {
			case c.Bar:
				row.Parts = append(row.Parts, nil)
			case c.Pit != nil:
				row.Parts[last] = append(row.Parts[last], *c.Pit)
			}
		}
		return row
	})
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
	same := func(a, b Cell) bool { return a.Range.Start.Line == b.Range.Start.Line }
	return lists.Map(lists.Runs(p.Cells, same), func(line []Cell) [][]Cell {
		row := [][]Cell{nil}
		for _, c := range line {
			if c.Bar {
				row = append(row, nil)
			} else {
				row[len(row)-1] = append(row[len(row)-1], c)
			}
		}
		return row
	})
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
func Exprs[E Expr](list []E) []Expr { return lists.Map(list, func(x E) Expr { return x }) }

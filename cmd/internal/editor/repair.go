package editor

import (
	"bytes"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/internal/lists"
)

// Fixes lists the diagnostics whose mistakes changes of this text remove.
func (t *Text) Fixes(found diag.List) diag.List {
	return lists.Filter(found, func(d diag.Diagnostic) bool {
		return len(d.Fix) > 0 && !slices.ContainsFunc(d.Fix, func(e diag.Edit) bool { return e.Range.File != t.Path })
	})
}

// FixAll joins the changes of several diagnostics. One that would change what another one changes
// is left for the next time.
func FixAll(found diag.List) []diag.Edit {
	var out []diag.Edit
	for _, d := range found {
		clash := slices.ContainsFunc(d.Fix, func(e diag.Edit) bool {
			return slices.ContainsFunc(out, func(o diag.Edit) bool {
				return e.Range.Start.Offset <= o.Range.End.Offset && o.Range.Start.Offset <= e.Range.End.Offset
			})
		})
		if !clash {
			out = append(out, d.Fix...)
		}
	}
	return out
}

// Format is the text in its usual layout. It fails if there are mistakes of syntax.
func (t *Text) Format() ([]byte, error) {
	return format.Source(&ast.File{Path: t.Path, Source: t.Source})
}

// Change replaces a stretch of a text, in bytes.
type Change struct {
	From, To int
	Text     string
}

// Changes lists what makes the lines of one text of those of another. Lines that both have in
// common stay, those before and behind first; of texts that differ in many lines all between is one
// change.
func Changes(old, laid [][]byte) []Change {
	head := 0
	for head < len(old) && head < len(laid) && bytes.Equal(old[head], laid[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(laid)-head && bytes.Equal(old[len(old)-1-tail], laid[len(laid)-1-tail]) {
		tail++
	}
	c := changes{old: old[head : len(old)-tail], laid: laid[head : len(laid)-tail], at: size(old[:head])}
	c.find()
	return c.list
}

func size(lines [][]byte) int { return lists.Sum(lines, func(l []byte) int { return len(l) }) }

// changes is a call of Changes for the lines that remain.
type changes struct {
	old, laid [][]byte
	at        int
	list      []Change
}

// mostCompared bounds the pairs of lines that are compared.
const mostCompared = 1 << 22

// find compares the lines by their longest common sequence.
func (c *changes) find() {
	n, m := len(c.old), len(c.laid)
	if n*m > mostCompared {
		c.replace(c.old, c.laid)
		return
	}
	common := make([][]int32, n+1) // by line of each: how many the rests have in common
	for i := range common {
		common[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); bytes.Equal(c.old[i], c.laid[j]) {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	from, to := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && bytes.Equal(c.old[i], c.laid[j]):
			c.replace(c.old[from:i], c.laid[to:j])
			c.at += len(c.old[i])
			i, j = i+1, j+1
			from, to = i, j
		case j == m || i < n && common[i+1][j] >= common[i][j+1]:
			i++
		default:
			j++
		}
	}
	c.replace(c.old[from:], c.laid[to:])
}

// replace notes that some lines take the place of others.
func (c *changes) replace(old, laid [][]byte) {
	if len(old)+len(laid) > 0 {
		c.list = append(c.list, Change{c.at, c.at + size(old), string(bytes.Join(laid, nil))})
	}
	c.at += size(old)
}

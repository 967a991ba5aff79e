package dsl

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// Nothing can name a claim, so the other declarations of a file do not depend on one with a mistake
// of syntax. That holds only where it is certain that what was skipped is part of the claim.

// extent is what belongs to a claim: from one token and one diagnostic to others.
type extent struct {
	claim       *ast.Claim
	first, next int
	from, to    int
	lost        bool // something of it was skipped
}

// remainder adds to the claim before token start what was skipped from there on: braces, or lines
// that are indented.
func (p *parser) remainder(start, end int) {
	n := len(p.claims) - 1
	for i := start; i < end; i++ {
		if n < 0 || p.claims[n].next != start || p.tokens[i].Pos.Column == 1 && p.tokens[i].Value != "}" {
			return
		}
	}
	c := &p.claims[n]
	if c.lost || c.to > c.from {
		p.diags = p.diags[:c.to] // the consequence of a mistake
	}
	c.next, c.to, c.lost = end, len(p.diags), true
	c.claim.Range.End = ast.TokenRange(p.tokens[c.next-1]).End
}

// confine gives claims their mistakes, and marks the mistakes that are in claims alone. The first
// read of them were found before the declarations were told apart.
func (p *parser) confine(read int) {
	if p.hidden || len(p.diags) >= diag.MaxMistakes-1 || slices.ContainsFunc(p.claims, p.torn) {
		return
	}
	diags := slices.Clone(p.diags)
	for i := range diags {
		d := &diags[i]
		d.InClaim = true
		for _, place := range append(slices.Clip(d.Fix), diag.Edit{Range: d.Range}) {
			c := slices.IndexFunc(p.claims, func(c extent) bool { return c.from <= i && i < c.to || i < read && p.within(place.Range.Start, c) })
			if d.InClaim = d.InClaim && c >= 0; c >= 0 {
				own := &p.claims[c].claim.Mistakes
				*own = append(*own, *d)
				own.Sort()
			}
		}
	}
	if !slices.ContainsFunc(p.claims, func(c extent) bool { return c.lost && c.claim.Mistakes == nil }) {
		p.diags = diags
	}
}

// within reports whether a place is in a claim, or directly behind it.
func (p *parser) within(at diag.Pos, c extent) bool {
	r := c.claim.Range
	return r.Start.Offset <= at.Offset && at.Offset < p.tokens[c.next].Pos.Offset && (c.lost || at.Line <= r.End.Line)
}

// torn reports whether the skipped part of a claim may hold another declaration.
func (p *parser) torn(c extent) bool {
	for i := c.first + 1; c.lost && i < c.next; i++ {
		t := p.tokens[i]
		if t.Value != "board" && t.Type == scan.Keyword && declWords()[t.Value] || p.topLevel(i) || p.startsStrategy(i) {
			return true
		}
	}
	return false
}

package explain

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
)

// variantText returns the text of a variant, divided at its labels.
func (b *builder) variantText(v *ast.Variant) *Variant {
	found := labelsOf(v)
	out := &Variant{Name: v.Name.Name, Title: v.Title, Doc: v.Doc, At: v.Range}
	src := b.program.Sources[v.Range.File]
	if v.Range.End.Offset > len(src) {
		return out
	}
	slices.SortStableFunc(found, func(l, m labelled) int { return l.label.Range.Start.Offset - m.label.Range.Start.Offset })
	from := v.Range.Start.Offset
	piece := func(to int, label string) {
		if to > from {
			out.Source = append(out.Source, Piece{Text: string(src[from:to]), Label: label, Used: b.used[label]})
			from = to
		}
	}
	for _, l := range found {
		piece(l.label.Range.Start.Offset, "")
		piece(l.label.Range.End.Offset, l.label.Text)
		out.Labels = append(out.Labels, Label{
			Name: l.label.Text, Kind: l.kind, Text: b.lines(l.names), Doc: l.doc, Used: b.used[l.label.Text],
		})
	}
	piece(v.Range.End.Offset, "")
	return out
}

// labelled is a label of the rules with the stretch of text that it stands for.
type labelled struct {
	label *ast.Label
	kind  string
	names diag.Range
	doc   string
}

func labelsOf(v *ast.Variant) []labelled {
	var list []labelled
	add := func(l *ast.Label, kind string, names diag.Range, doc string) {
		if l != nil {
			list = append(list, labelled{l, kind, names, doc})
		}
	}
	for _, item := range v.Items {
		switch x := item.(type) {
		case *ast.Setup:
			add(x.Label, "setup", x.Range, x.Doc)
		case *ast.Move:
			add(x.Label, "move", x.Range, x.Doc)
			for _, c := range x.Choices {
				for _, o := range c.Options() {
					add(o.Label, "option", o.Range, "")
				}
			}
			inBody(x, add)
		case *ast.Pass:
			add(&ast.Label{At: x.At, Text: "pass"}, "move", x.Range, x.Doc)
		case *ast.Procedure, *ast.Reaction:
			inBody(x, add)
		case *ast.Offer:
			add(x.Verdict.Label, "ending", x.Range, x.Doc)
		case *ast.Ending:
			add(x.Label, "ending", x.Range, x.Doc)
			inBody(x, add)
		}
	}
	return list
}

// inBody finds the labels of outcomes in statements. Such a label stands for the innermost
// statement around it that decides whether it applies.
func inBody(around ast.Node, add func(*ast.Label, string, diag.Range, string)) {
	ast.Inspect(around, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.Finish:
			add(s.Label, "outcome", around.Span(), "")
		case *ast.If, *ast.While, *ast.For, *ast.Sow:
			if n != around {
				inBody(n, add)
				return false
			}
		}
		return true
	})
}

// declared finds the declaration of a claim.
func (b *builder) declared(name string) *ast.Claim {
	return lists.Find(b.unit.Claims, func(d *ast.Claim) bool { return d.Name.Name == name })
}

// text returns a stretch of source.
func (b *builder) text(r diag.Range) string {
	src := b.program.Sources[r.File]
	if r.End.Offset > len(src) || r.Start.Offset > r.End.Offset {
		return r.String()
	}
	return string(src[r.Start.Offset:r.End.Offset])
}

// lines returns a stretch of source without the indentation of its last line.
func (b *builder) lines(r diag.Range) string {
	lines := strings.Split(b.text(r), "\n")
	last := lines[len(lines)-1]
	indent := last[:len(last)-len(strings.TrimLeft(last, " "))]
	for i := range lines[1:] {
		lines[i+1] = strings.TrimPrefix(lines[i+1], indent)
	}
	return strings.Join(lines, "\n")
}

// intro returns the comment at the head of a file, unless it belongs to the first declaration.
func (b *builder) intro(f *ast.File) string {
	if len(f.Comments) == 0 || f.Comments[0].Range.Start.Line != 1 {
		return ""
	}
	var lines []string
	next := 1
	for _, c := range f.Comments {
		if c.Range.Start.Line != next || c.Range.Start.Column != 1 {
			break
		}
		lines = append(lines, strings.TrimSpace(strings.TrimPrefix(c.Text, "//")))
		next++
	}
	for _, d := range f.Decls {
		if d.Span().Start.Line == next {
			return ""
		}
	}
	return strings.Join(lines, "\n")
}

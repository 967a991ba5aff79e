package agree

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/proofs"
)

// Shrink takes away what it can of a file so that the finding stays.
func (o Options) Shrink(f Finding) Finding {
	o.Claim = f.Claim
	if f.Class != "contradiction" && f.Engine != "judge" && f.Engine != "resolver" {
		o.Engines, o.Sampled = []proofs.Engine{proofs.Engine(f.Engine)}, nil
	} else {
		o.Rate = 1
	}
	best := f
	shows := func(text string) bool {
		file := &gen.File{Text: text, Parts: best.File.Parts}
		for _, g := range o.File(f.Seed, file, NewTally()) {
			if g.Class == f.Class && g.Claim == f.Claim {
				best = g
				return true
			}
		}
		return false
	}
	if whole := inlined(f.File); whole != f.File.Text {
		shows(whole)
	}
	ShrinkText(best.File.Text, shows)
	if text := tidy(best.File.Text); text != "" {
		shows(text)
	}
	return best
}

// maxTries bounds the texts that are tried.
const maxTries = 4000

// ShrinkText takes away what it can of a text of which shows is true, so that it stays true.
func ShrinkText(text string, shows func(string) bool) string {
	tries := 0
	for better := true; better; {
		better = false
		for _, c := range changes(text) {
			if tries++; tries > maxTries {
				return text
			}
			if smaller := text[:c.from] + c.by + text[c.to:]; shows(smaller) {
				text, better = smaller, true
				break
			}
		}
	}
	return text
}

// inlined is a file's text behind that of what it imports.
func inlined(f *gen.File) string {
	program, _ := dsl.Load("root.sow", opener(f))
	text := ""
	for _, part := range program.Files {
		text += string(part.Source)
	}
	return imports.ReplaceAllString(text, "")
}

var imports = regexp.MustCompile(`(?m)^import "[^"]*".*\n`)

// change replaces a stretch of the text.
type change struct {
	from, to int
	by       string
}

// changes lists what can be left out of a text, or be replaced by a part of itself.
func changes(text string) []change {
	file, _ := dsl.Parse("root.sow", []byte(text))
	var list []change
	ast.Inspect(file, func(n ast.Node) bool {
		r := n.Span()
		from, to := r.Start.Offset, r.End.Offset
		if _, ok := n.(*ast.Ident); ok || from >= to || to > len(text) {
			return true
		}
		if _, ok := n.(ast.Expr); !ok {
			list = append(list, change{from, to, ""})
		}
		for _, part := range parts(n) {
			p := part.Span()
			list = append(list, change{from, to, text[p.Start.Offset:p.End.Offset]})
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b change) int {
		return cmp.Compare(b.to-b.from-len(b.by), a.to-a.from-len(a.by))
	})
	return list
}

// parts are the expressions that may stand for a whole one.
func parts(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.Binary:
		return []ast.Node{n.L, n.R}
	case *ast.Unary:
		return []ast.Node{n.X}
	case *ast.Paren:
		return []ast.Node{n.X}
	case *ast.Cond:
		return []ast.Node{n.Then, n.Else}
	case *ast.Quant:
		return []ast.Node{n.Body}
	case *ast.Call:
		if len(n.Args) > 0 {
			return []ast.Node{n.Args[0]}
		}
	}
	return nil
}

// tidy is a text without comments and empty statements, formatted; nothing if it cannot be.
func tidy(text string) string {
	text = clutter.ReplaceAllString(text, "")
	file, diags := dsl.Parse("root.sow", []byte(text))
	if diags.HasErrors() {
		return ""
	}
	out, err := format.Source(file)
	if err != nil {
		return ""
	}
	return string(out)
}

var clutter = regexp.MustCompile(`//[^\n]*|;`)

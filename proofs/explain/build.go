package explain

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
)

// Source is the file with the claims, and everything that it imports.
type Source struct {
	Path    string
	Program *dsl.Program
}

// Item is an instance of a claim with its result, or with the error that kept it from being
// decided.
type Item struct {
	Instance *build.Instance
	Result   *proofs.Result
	Err      error
}

// Build makes the document about the chosen claims, and briefly about those beside them, from their
// results. The items of a claim must follow each other. An error is the context's, or a failure of
// the tool.
func Build(ctx context.Context, src Source, chosen, beside []*Item) (*Document, error) {
	unit, diags := build.Collect(src.Program.Files)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	b := &builder{
		ctx: ctx, program: src.Program, unit: unit,
		worlds: map[string]*world{}, trees: map[string]string{}, used: map[string]bool{},
	}
	root := src.Program.Files[len(src.Program.Files)-1]
	doc := &Document{File: src.Path, Title: title(src.Path, chosen), Intro: b.intro(root)}
	var err error
	if doc.Claims, err = b.claims(ctx, chosen, whole); err != nil {
		return nil, err
	}
	if doc.Beside, err = b.claims(ctx, about(chosen, beside), briefly); err != nil {
		return nil, err
	}
	if doc.Positions, err = b.positions(ctx, chosen); err != nil {
		return nil, err
	}
	b.variants(doc, chosen)
	share(doc)
	return doc, nil
}

// builder is a document under construction.
type builder struct {
	ctx     context.Context
	program *dsl.Program
	unit    *build.Unit
	worlds  map[string]*world // by name and hash of the System
	trees   map[string]string // the claim for which each tree was drawn, by the tree's key
	seen    *seen             // the first closed set that positions are seen from
	used    map[string]bool   // labels that occur in the document
}

// title returns the label or name of the document's only claim, or else the name of the file.
func title(path string, chosen []*Item) string {
	if len(chosen) > 0 && len(byClaim(chosen)) == 1 {
		c := chosen[0].Instance.Claim
		return cmp.Or(c.Label, c.Name)
	}
	if path == "-" {
		return "Standard input"
	}
	return strings.TrimSuffix(filepath.Base(path), ".sow")
}

// byClaim groups items by claim.
func byClaim(items []*Item) [][]*Item {
	return lists.Runs(items, func(a, b *Item) bool { return a.Instance.Claim == b.Instance.Claim })
}

// about returns the items that are about a variant of the chosen ones.
func about(chosen, items []*Item) []*Item {
	names := lists.Map(chosen, variantOf)
	return lists.Filter(items, func(item *Item) bool { return slices.Contains(names, variantOf(item)) })
}

// variantOf is the name of the variant that an item is about.
func variantOf(item *Item) string { return item.Instance.System.Name }

func (b *builder) variant(name string) *ast.Variant {
	return lists.Find(b.unit.Variants, func(v *ast.Variant) bool { return v.Name.Name == name })
}

// variants adds the rules of the variants that the claims are about.
func (b *builder) variants(doc *Document, chosen []*Item) {
	for _, name := range lists.Distinct(lists.Map(chosen, variantOf)) {
		if v := b.variant(name); v != nil {
			doc.Variants = append(doc.Variants, b.variantText(v))
		}
	}
}

// positions describes the named positions in relation to the first closed set whose board has any.
// Without such a set it takes the first board that has positions.
func (b *builder) positions(ctx context.Context, chosen []*Item) (*Positions, error) {
	if f := b.seen; f != nil {
		return b.positionsFor(ctx, f.set.world, f.set, f.result)
	}
	for _, item := range chosen {
		if item.Result == nil {
			continue
		}
		if w := b.world(item.Result.System); len(w.positions) > 0 {
			return b.positionsFor(ctx, w, nil, item.Result)
		}
	}
	return nil, nil
}

// uses notes labels as used.
func (b *builder) uses(labels ...string) {
	for _, l := range labels {
		b.used[l] = true
	}
}

// usesText notes the labels that occur in a stretch of text as used.
func (b *builder) usesText(v *ast.Variant, r diag.Range) {
	text := b.text(r)
	for _, l := range labelsOf(v) {
		if strings.Contains(text, l.label.Text) {
			b.used[l.label.Text] = true
		}
	}
}

package explain

import (
	"context"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
)

// detail is how much is said about a claim.
type detail int

const (
	whole   detail = iota
	briefly        // evidence only if the claim is refuted
)

// claims describes the claims of a list of items.
func (b *builder) claims(ctx context.Context, items []*Item, much detail) ([]*Claim, error) {
	var list []*Claim
	for _, group := range byClaim(items) {
		c, err := b.claim(ctx, group, much)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func (b *builder) claim(ctx context.Context, items []*Item, much detail) (*Claim, error) {
	from := items[0].Instance.Claim
	c := &Claim{Name: from.Name, Label: from.Label, Doc: from.Doc, Setting: b.settings(items[0])}
	trees := 0
	for _, item := range items {
		inst, err := b.instance(ctx, item, much, &trees)
		if err != nil {
			return nil, err
		}
		c.Instances = append(c.Instances, inst)
	}
	c.Sweep = table(items, c.Instances)
	c.Map = sweepMap(items, c.Instances)
	if d := lists.Find(b.unit.Claims, func(d *ast.Claim) bool { return d.Name.Name == c.Name }); d != nil {
		c.Text = b.lines(d.Range)
		if v := b.variant(variantOf(items[0])); v != nil && much == whole {
			b.usesText(v, d.Range)
		}
	}
	return c, nil
}

// instance describes one verdict. Of a sweep only the first tree is drawn; trees counts them.
func (b *builder) instance(ctx context.Context, item *Item, much detail, trees *int) (*Instance, error) {
	r := item.Result
	if r == nil {
		return failed(item), nil
	}
	w := r.Words()
	out := &Instance{
		Name: r.Instance.Name(), Status: r.Status, AsExpected: r.AsExpected(), Verdict: verdictWords(r), Scope: say.ScopeFrom(r.Scope, r.Instance.Claim.StartingAt, " = "),
		How: w.How, Found: r.Sentence(), Notes: say.Notes(&r.Verdict), Trust: trust(r, w),
	}
	if r.Status == proofs.Unknown {
		out.Found = "" // the verdict says it already
	}
	if much == briefly && r.Status != proofs.Refuted {
		return out, nil
	}
	var err error
	out.Evidence, err = b.evidence(ctx, r, trees)
	return out, err
}

// failed describes an instance without a verdict, because its rules have a fault in play.
func failed(item *Item) *Instance {
	text := "it was not decided"
	if item.Err != nil {
		text = item.Err.Error()
	}
	return &Instance{
		Name: item.Instance.Name(), Failed: text, Verdict: "Not decided: " + text + ".",
	}
}

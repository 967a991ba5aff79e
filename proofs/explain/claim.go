package explain

import (
	"context"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/claim"
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
	if d := b.declared(c.Name); d != nil {
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
	return &Instance{Name: item.Instance.Name(), Failed: text, Verdict: "Not decided: " + text + "."}
}

// settings describes what a claim refers to: the strategy that is followed or claimed to win, and
// the position that games begin at.
func (b *builder) settings(item *Item) []Setting {
	var list []Setting
	c := item.Instance.Claim
	if s := b.strategy(c.Following); s != nil {
		list = append(list, b.strategySetting(s, "Only moves that follow it are legal here."))
	}
	if s := b.strategy(claim.About(item.Instance, item.Instance.System).Strategy); s != nil {
		list = append(list, b.strategySetting(s, "It is to win from each start from which anything wins, whichever of its moves are made."))
	}
	if p := b.begin(item.Instance.System); p != nil {
		meaning := fmt.Sprintf("Games begin at `%s`, and not as the setup says.", p.Name.Name)
		list = append(list, Setting{Name: p.Name.Name, Text: b.lines(p.Range), Doc: p.Doc, Meaning: meaning})
	}
	return list
}

func (b *builder) strategy(name string) *ast.Strategy {
	return lists.Find(b.unit.Strategies, func(s *ast.Strategy) bool { return s.Name.Name == name })
}

func (b *builder) strategySetting(s *ast.Strategy, role string) Setting {
	most := "greatest"
	if s.Least {
		most = "least"
	}
	rank := strings.Join(strings.Fields(b.text(s.Rank.Span())), " ")
	text := fmt.Sprintf("Of all legal moves, those follow `%s` for which `%s` is %s", s.Name.Name, rank, most)
	if s.By != nil {
		text += fmt.Sprintf("; it ranks the moves of %s, and others count as 0", s.By.Text)
	}
	return Setting{Name: s.Name.Name, Text: b.lines(s.Range), Doc: s.Doc, Meaning: text + ". " + role}
}

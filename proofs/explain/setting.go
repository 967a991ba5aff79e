package explain

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/claim"
)

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

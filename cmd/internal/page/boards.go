package page

import (
	"fmt"
	"html/template"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/drawing"
)

// boards draws the boards of a page. What all states on a board have in common is on the page once.
type boards struct {
	layouts map[*rules.System]*drawing.Layout
	ids     map[string]string // of empty boards, by what they look like
	Empty   []template.HTML
}

func (b *boards) layout(sys *rules.System) *drawing.Layout {
	if b.layouts[sys] == nil {
		b.layouts[sys] = drawing.LayoutOf(sys)
	}
	return b.layouts[sys]
}

func (b *boards) draw(x *explain.Board) template.HTML {
	l := b.layout(x.System)
	looks := fmt.Sprint(l.Spots, l.Players)
	for pit := range x.System.Pits {
		looks += fmt.Sprint(" ", x.Open(pit))
	}
	if b.ids[looks] == "" {
		b.ids[looks] = fmt.Sprintf("board%d", len(b.Empty)+1)
		b.Empty = append(b.Empty, l.Empty(b.ids[looks], x.Open))
	}
	return l.Draw(b.ids[looks], x.State, x)
}

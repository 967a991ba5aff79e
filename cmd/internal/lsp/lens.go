package lsp

import "github.com/mancheck/mancheck/cmd/internal/editor"

// The commands that a client may have executed.
const (
	decideCommand    = "mancheck.decide"
	decideAllCommand = "mancheck.decideAll"
	traceCommand     = "mancheck.trace"
	explainCommand   = "mancheck.explain"
)

// lenses are the lines above claims: to decide it, or the verdict with what shows why. A claim with
// mistakes has none.
func (q *request) lenses(d *document, text *editor.Text) (any, error) {
	out := []codeLens{}
	for _, c := range text.Vet(q.ctx).Claims {
		if !c.Sound || q.ctx.Err() != nil {
			continue
		}
		add := func(title, name string) {
			out = append(out, codeLens{d.lines.span(c.Name.Range), &command{title, name, []any{d.uri, c.Name.Name}}})
		}
		one := q.verdicts.current(text, c)
		switch {
		case q.verdicts.underWay(d.path, c.Name.Name):
			add("… deciding", decideCommand)
		case one == nil:
			add("decide", decideCommand)
		default:
			add(one.line(), decideCommand)
			if one.hasPlay() {
				add("show the play", traceCommand)
			}
			add("explain", explainCommand)
		}
	}
	return out, nil
}

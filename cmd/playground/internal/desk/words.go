package desk

import (
	"context"

	"github.com/mancheck/mancheck/cmd/internal/editor"
)

// Proposals are what may stand at a place in the text, for the stretch that is being written.
type Proposals struct {
	editor.Span
	List []editor.Proposal `json:"list"`
}

// Meaning is what a word means. Without a text there is nothing to say.
type Meaning struct {
	editor.Span
	Text string `json:"text"` // Markdown
}

// word answers for a place in a text: what may stand there, or what the word there means.
func (d *Desk) word(ctx context.Context, q *Question) (any, error) {
	src, err := d.read(d.reading(ctx), q.Source)
	if err != nil {
		return nil, err
	}
	at, words, word := max(0, min(q.At, len(q.Source.Text))), Proposals{List: []editor.Proposal{}}, Meaning{}
	if q.Ask == "hover" {
		if h := src.Hover(at); h != nil {
			word = Meaning{src.Span(h.Range), h.Text}
		}
		return word, nil
	}
	if c := src.Complete(at, func(string) []string { return nil }); c != nil {
		words = Proposals{src.Span(c.Range), append(words.List, c.Proposals...)}
	}
	return words, nil
}

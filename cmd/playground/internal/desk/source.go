package desk

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/internal/limit"
)

// MaxText is the size in bytes of the largest text that is read.
const MaxText = 1 << 20

// Source is a rules file as it stands in the editor. Imports are relative to its path.
type Source struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// source is a text that was read, with places in it as the browser counts them.
type source struct {
	Source
	*editor.Text
	editor.Units
}

// reading is a context for reading a text and for playing, which ends in time. Searches have that
// of the question: the page can end them.
func (d *Desk) reading(ctx context.Context) context.Context {
	return limit.WithClock(ctx, d.limits.Reading)
}

// read reads a text, unless it was read last. The context ends what is resolved of it.
func (d *Desk) read(ctx context.Context, s Source) (*source, error) {
	if len(s.Text) > MaxText {
		return nil, errors.New("the text is longer than a megabyte")
	}
	if d.source != nil && d.source.Source == s {
		d.source.Within(ctx)
		return d.source, nil
	}
	text := editor.Read(ctx, s.Path, func(path string) ([]byte, error) {
		if path == s.Path {
			return []byte(s.Text), nil
		}
		text, known := d.Library[path]
		if !known {
			return nil, errors.New("it is not among the files of the playground")
		}
		return []byte(text), nil
	})
	d.source = &source{s, text, editor.UnitsOf(s.Text)}
	return d.source, nil
}

// usable reads a text that has to have no mistakes of syntax.
func (d *Desk) usable(ctx context.Context, s Source) (*source, error) {
	src, err := d.read(ctx, s)
	if err == nil {
		err = src.Diags.Err()
	}
	return src, err
}

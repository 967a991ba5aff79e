package desk

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
)

// MaxText is the size in bytes of the largest text that is read.
const MaxText = 1 << 20

// Source is a rules file as it stands in the editor. Imports are relative to its path.
type Source struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// source is a text that was read. It has no file if there are mistakes in its syntax.
type source struct {
	Source
	file  *input.File
	diags diag.List
	places
}

var (
	errTooLarge = errors.New("the text is longer than a megabyte")
	errAbsent   = errors.New("it is not among the files of the playground")
)

// read reads a text, unless it was read last.
func (d *Desk) read(ctx context.Context, s Source) (*source, error) {
	if len(s.Text) > MaxText {
		return nil, errTooLarge
	}
	ctx = limit.WithClock(ctx, d.limits.Reading)
	if d.source != nil && d.source.Source == s {
		if f := d.source.file; f != nil {
			f.Unit.Context = ctx
		}
		return d.source, nil
	}
	program, diags := dsl.Load(s.Path, func(path string) ([]byte, error) {
		if path == s.Path {
			return []byte(s.Text), nil
		}
		text, known := d.Library[path]
		if !known {
			return nil, errAbsent
		}
		return []byte(text), nil
	})
	d.source = &source{Source: s, diags: diags, places: placesOf(s.Text)}
	if !diags.HasErrors() {
		f, more := input.Parsed(ctx, s.Path, program)
		d.source.file, d.source.diags = f, append(diags, more...)
	}
	return d.source, nil
}

// usable reads a text that has to have no mistakes of syntax.
func (d *Desk) usable(ctx context.Context, s Source) (*source, error) {
	src, err := d.read(ctx, s)
	if err == nil {
		err = src.diags.Err()
	}
	return src, err
}

package desk

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Checked is what a text is about, and what is wrong with it.
type Checked struct {
	Diagnostics []Diagnostic `json:"diagnostics"`
	Read        bool         `json:"read"` // the syntax is right outside of claims; otherwise nothing else is known
	Variants    []Variant    `json:"variants"`
	Claims      []Claim      `json:"claims"`
}

// Variant is a game of the file.
type Variant struct {
	Name   string  `json:"name"`
	Title  string  `json:"title,omitempty"`
	Sound  bool    `json:"sound"` // it can be played
	Params []Param `json:"params"`
}

// Param is a parameter with its default and its range.
type Param struct {
	Name  string `json:"name"`
	Bool  bool   `json:"bool,omitempty"`
	Value int    `json:"value"`
	Lo    int    `json:"lo"`
	Hi    *int   `json:"hi"` // null: there is no bound
}

// Claim is a claim of the file.
type Claim struct {
	Name  string      `json:"name"`
	Label string      `json:"label,omitempty"`
	Doc   string      `json:"doc,omitempty"`
	At    editor.Span `json:"at"`
	Sound bool        `json:"sound"` // it can be decided
	Long  bool        `json:"long,omitempty"`
}

// check finds the mistakes in a text: all those that show without a decision.
func (d *Desk) check(ctx context.Context, s Source) (*Checked, error) {
	src, err := d.read(d.reading(ctx), s)
	if err != nil {
		return nil, err
	}
	checked := src.Check()
	out := &Checked{Read: src.File != nil, Diagnostics: src.diagnostics(checked.Diags), Variants: []Variant{}, Claims: []Claim{}}
	for _, v := range checked.Variants {
		one := Variant{Name: v.Name.Name, Title: v.Title, Sound: v.System != nil, Params: []Param{}}
		if one.Sound {
			one.Params = params(v.System)
		}
		out.Variants = append(out.Variants, one)
	}
	for _, c := range checked.Claims {
		out.Claims = append(out.Claims, Claim{c.Name.Name, c.Label, c.Doc, src.Span(c.Name.Span()), c.Sound, c.Long})
	}
	return out, nil
}

func params(sys *rules.System) []Param {
	list := []Param{}
	for _, p := range sys.Params {
		one := Param{Name: p.Name, Bool: p.Bool, Value: p.Value, Lo: p.Lo}
		if p.HasHi {
			one.Hi = &p.Hi
		}
		list = append(list, one)
	}
	return list
}

// Diagnostic is a mistake. One that is not in the text itself has no place in it.
type Diagnostic struct {
	editor.Span
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Help     string `json:"help,omitempty"`
	Notes    []Note `json:"notes,omitempty"`
	Fix      []Edit `json:"fix,omitempty"`
	Where    string `json:"where,omitempty"` // the place, if it is in another file
}

// Note points at a second place.
type Note struct {
	editor.Span
	Message string `json:"message"`
}

// Edit replaces a stretch.
type Edit struct {
	editor.Span
	Text string `json:"text"`
}

// diagnostics writes mistakes for the editor.
func (s *source) diagnostics(list diag.List) []Diagnostic {
	out := []Diagnostic{}
	for _, d := range list {
		one := Diagnostic{Severity: d.Severity.String(), Code: string(d.Code), Message: d.Message, Help: d.Help}
		if one.Span = s.at(d.Range); d.Range.File != s.Source.Path {
			one.Where = d.Range.String()
		}
		one.Notes = lists.Map(d.Notes, func(n diag.Note) Note { return Note{s.at(n.Range), n.Message} })
		for _, e := range d.Fix {
			if e.Range.File == s.Source.Path {
				one.Fix = append(one.Fix, Edit{s.Span(e.Range), e.Text})
			}
		}
		out = append(out, one)
	}
	return out
}

// at is where a range is in the text, or nowhere.
func (s *source) at(r diag.Range) (at editor.Span) {
	if r.File == s.Source.Path {
		at = s.Span(r)
	}
	return at
}

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

// usable reads a text that has to have no mistakes of syntax outside of claims.
func (d *Desk) usable(ctx context.Context, s Source) (*source, error) {
	src, err := d.read(ctx, s)
	if err == nil {
		err = src.Diags.Outside().Err()
	}
	return src, err
}

package editor

import (
	"slices"
	"sort"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/bind"
)

// Part is a part of a file: a declaration, or an item of one.
type Part struct {
	Word   string // it begins with
	Name   string // what is named, or the word
	Detail string
	Range  diag.Range
	At     diag.Range // of the name
	Parts  []Part
}

// Parts lists the parts of the text that have no mistakes of syntax.
func (t *Text) Parts() []Part {
	if t.Root == nil {
		return nil
	}
	o := outline(dsl.Tokens(t.Path, t.Source))
	var out []Part
	for _, d := range t.Root.Decls {
		p := o.part(d)
		switch d := d.(type) {
		case *ast.Variant:
			p.Detail = d.Title
			p.Parts = append(p.Parts, lists.Map(d.Items, func(item ast.Item) Part { return o.part(item) })...)
		case *ast.Claim:
			p.Detail = d.Label
		}
		out = append(out, p)
	}
	return out
}

// outline is the tokens of a text.
type outline []dsl.Token

// part describes a node by its first words.
func (o outline) part(n ast.Node) Part {
	p := Part{Range: n.Span()}
	var first []dsl.Token
	from := sort.Search(len(o), func(i int) bool { return o[i].Range.Start.Offset >= p.Range.Start.Offset })
	for i := from; i < len(o) && len(first) < 2; i++ {
		if o[i].Kind != dsl.CommentToken {
			first = append(first, o[i])
		}
	}
	if len(first) == 0 {
		return p
	}
	p.Word, p.Name, p.At = first[0].Text, first[0].Text, first[0].Range
	if len(first) == 2 && (first[1].Kind == dsl.NameToken || first[1].Kind == dsl.TextToken) && first[1].Range.End.Offset <= p.Range.End.Offset {
		p.Name, p.At = strings.Trim(first[1].Text, `"`), first[1].Range
		if who := first[0]; (who.Kind == dsl.NameToken || who.Text == "mover" || who.Text == "opponent") && who.Text != "strategy" {
			p.Name = who.Text + " " + first[1].Text // as in `South wins`
		}
	}
	return p
}

// Fold is a stretch of lines that can be folded, from 1.
type Fold struct {
	From, To int
	Comment  bool
}

// Folds lists the blocks and comments of more than one line.
func (t *Text) Folds() []Fold {
	var out []Fold
	var open []int
	comment := Fold{}
	for _, k := range dsl.Tokens(t.Path, t.Source) {
		line := k.Range.Start.Line
		switch {
		case k.Kind == dsl.CommentToken:
			if comment.From > 0 && line == comment.To+1 {
				comment.To = line
				continue
			}
			out = comment.add(out)
			comment = Fold{line, line, true}
		case k.Kind == dsl.SignToken && k.Text == "{":
			open = append(open, line)
		case k.Kind == dsl.SignToken && k.Text == "}" && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			out = Fold{from, line - 1, false}.add(out)
		}
	}
	return comment.add(out)
}

func (f Fold) add(list []Fold) []Fold {
	if f.From < f.To {
		return append(list, f)
	}
	return list
}

// Colour is a word, sign or comment with what it is. A name that means something has a symbol.
type Colour struct {
	Range    diag.Range
	Kind     dsl.TokenKind
	Symbol   *bind.Symbol
	Declares bool // it is the declaration of its symbol
	Function bool // it is a function of the language
}

// Colours lists the words and signs of the text. A word that means something only at its places is
// a keyword there.
func (t *Text) Colours() []Colour {
	at := map[int]Colour{}
	for s, place := range t.Symbols().In(t.Path) {
		at[place.Start.Offset] = Colour{Range: place, Symbol: s, Declares: slices.Contains(s.Decls, place)}
	}
	var out []Colour
	for _, k := range dsl.Tokens(t.Path, t.Source) {
		c := Colour{Range: k.Range, Kind: k.Kind}
		if named, is := at[k.Range.Start.Offset]; is && k.Kind == dsl.NameToken {
			c.Symbol, c.Declares = named.Symbol, named.Declares
		} else if k.Kind == dsl.NameToken && bind.IsFunction(k.Text) {
			c.Function = true
		} else if k.Kind == dsl.NameToken && (dsl.IsWord(k.Text) || meanings()[k.Text] != "") {
			c.Kind = dsl.KeywordToken
		}
		out = append(out, c)
	}
	return out
}

package editor

import (
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
)

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

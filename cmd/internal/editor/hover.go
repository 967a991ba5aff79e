package editor

import (
	"cmp"
	_ "embed" // what the words mean
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/board"
)

// Hover is what is said of a word, as Markdown.
type Hover struct {
	Range diag.Range
	Text  string
}

// Hover says what the word at an offset means. It is nil if there is nothing to say.
func (t *Text) Hover(offset int) *Hover {
	k, ok := t.token(offset)
	if !ok || k.Kind == dsl.CommentToken || k.Kind == dsl.NumberToken || k.Kind == dsl.SignToken {
		return nil
	}
	if s, at := t.Symbols().At(t.Path, offset); s != nil && !s.Implied() {
		return &Hover{at, t.symbol(s, t.variantAt(offset))}
	}
	if k.Kind == dsl.TextToken {
		return nil
	}
	var parts []string
	if s, _ := t.Symbols().At(t.Path, offset); s != nil {
		parts = append(parts, t.implied(k.Text, t.variantAt(offset)))
	}
	parts = append(parts, meanings()[k.Text])
	if k.Text == "board" || k.Text == "variant" {
		parts = append(parts, t.drawn(t.boardAt(offset)))
	}
	if text := paragraphs(parts...); text != "" {
		return &Hover{k.Range, text}
	}
	return nil
}

// symbol describes what a name stands for, as it is in one of the variants.
func (t *Text) symbol(s *bind.Symbol, variant string) string {
	variant = cmp.Or(variant, s.Of)
	parts := []string{code(t.declared(s))}
	switch d := s.Node.(type) {
	case *ast.Variant:
		parts = append(parts, d.Title, d.Doc, t.drawn(t.Board(s.Name)))
		return paragraphs(parts...)
	case *ast.Board:
		parts = append(parts, d.Doc, t.drawn(t.sharing(s.Name)))
		return paragraphs(parts...)
	case *ast.Claim:
		parts = append(parts, d.Label)
	}
	sys := t.Board(variant)
	if sys != nil {
		parts = append(parts, about(sys, s))
	}
	if d, is := s.Node.(interface{ Documentation() string }); is {
		parts = append(parts, d.Documentation())
	}
	return paragraphs(parts...)
}

// declared is how a symbol is declared: the first line of its declaration, with its kind.
func (t *Text) declared(s *bind.Symbol) string {
	if s.Kind == bind.ValueName || s.Kind == bind.PlayerName || s.Kind == bind.LocalName || s.Kind == bind.PitsName || s.Node == nil {
		return s.Kind.String() + " " + s.Name
	}
	text, _, _ := strings.Cut(t.text(s.Node.Span()), "\n")
	return strings.TrimRight(strings.TrimSpace(text), "{ ")
}

// about says what a symbol is in a game.
func about(sys *rules.System, s *bind.Symbol) string {
	switch s.Kind {
	case bind.ParamName:
		own := lists.Filter(sys.Params, func(p rules.Param) bool { return p.Name == s.Name })
		return strings.Join(lists.Map(own, paramText), "\n\n")
	case bind.PitsName:
		return pitsText(sys, s.Name)
	case bind.GroupName, bind.LapName, bind.RelationName, bind.PlayerName:
		return linesOf(sys, s.Name)
	}
	return ""
}

// linesOf returns the lines of a board that are about a name, as code.
func linesOf(sys *rules.System, name string) string {
	own := lists.Filter(board.Lines(sys), func(l board.Line) bool { return l.Name == name })
	return code(strings.Join(lists.Map(own, func(l board.Line) string { return l.Text }), "\n"))
}

// paramText is the value and the range of a parameter.
func paramText(p rules.Param) string {
	switch {
	case p.Bool:
		return fmt.Sprintf("A switch, %v by default.", p.Value != 0)
	case p.HasHi:
		return fmt.Sprintf("%d by default, from %d to %d.", p.Value, p.Lo, p.Hi)
	}
	return fmt.Sprintf("%d by default, at least %d.", p.Value, p.Lo)
}

// pitsText says which pits have a name, and whose they are.
func pitsText(sys *rules.System, group string) string {
	own := lists.Filter(sys.Pits, func(p rules.Pit) bool { return p.Group == group })
	n := len(own)
	if n == 0 {
		return ""
	}
	text := "1 pit"
	if n > 1 {
		text = fmt.Sprintf("%d pits, %s to %s", n, own[0].Name, own[n-1].Name)
	}
	for i, name := range sys.Players {
		if slices.ContainsFunc(own, func(p rules.Pit) bool { return p.Owner == i }) {
			text += ", of " + name
		}
	}
	return text + "."
}

// implied says what a name is that follows from the picture of a variant, or of some variant if
// none is given.
func (t *Text) implied(name, variant string) string {
	for _, v := range t.games() {
		if variant != "" && v.Name.Name != variant {
			continue
		}
		if sys := t.Board(v.Name.Name); sys != nil {
			if lines := linesOf(sys, name); lines != "" {
				return paragraphs(lines, "It follows from the picture of the board.")
			}
		}
	}
	return ""
}

// boardAt is the System whose board is drawn around an offset.
func (t *Text) boardAt(offset int) *rules.System {
	switch d := t.declaration(offset).(type) {
	case *ast.Variant:
		return t.Board(d.Name.Name)
	case *ast.Board:
		if d.Name != nil {
			return t.sharing(d.Name.Name)
		}
	}
	return nil
}

// sharing is the System of the first variant that has a shared board.
func (t *Text) sharing(name string) *rules.System {
	for _, v := range t.games() {
		for _, b := range ast.Items[*ast.Board](v) {
			if b.Name != nil && b.Name.Name == name {
				return t.Board(v.Name.Name)
			}
		}
	}
	return nil
}

// drawn is the board as `mancheck show` draws it.
func (t *Text) drawn(sys *rules.System) string {
	if sys == nil {
		return ""
	}
	return code(board.Show(sys))
}

func code(text string) string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return ""
	}
	return "```sow\n" + text + "\n```"
}

// paragraphs joins those parts that are not empty.
func paragraphs(parts ...string) string {
	parts = lists.Filter(lists.Map(parts, strings.TrimSpace), func(p string) bool { return p != "" })
	return strings.Join(parts, "\n\n")
}

// wordTexts has a line for each word of the language that means something by itself.
//
//go:embed words.txt
var wordTexts string

// explained has what words of the language mean, by word, once somebody asks.
var explained struct {
	once sync.Once
	by   map[string]string
}

// meanings says what words of the language mean, by word.
func meanings() map[string]string {
	explained.once.Do(func() {
		explained.by = map[string]string{}
		for line := range strings.Lines(wordTexts) {
			word, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
			explained.by[word] = text
		}
	})
	return explained.by
}

package dsl

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/spell"
)

// foreign reports a word of another language at token bad or just before it, or a phrase there,
// with what to write instead. A word before a misspelt one, as in `never stick`, is not taken for
// the mistake.
func (p *parser) foreign(bad, start int, in context, expected []string) bool {
	at, text, help := p.foreignPhrase(bad, in)
	for i := max(bad-1, start); i <= bad; i++ {
		t := p.tokens[i]
		misspelt := i < bad && p.tokens[bad].Type == scan.Name && spell.Nearest(p.tokens[bad].Value, words()[in]) != ""
		if t.Type == scan.Name && spell.Foreign("word", t.Value) != "" && in != inHead && !misspelt && !p.declared(t.Value) {
			at, text, help = p.rangeOf(i), t.Value, spell.Foreign("word", t.Value)
		}
	}
	if t := p.tokens[bad]; t.Type == scan.Name && t.Value == "to" && slices.Contains(expected, `"into"`) {
		at, text, help = p.rangeOf(bad), t.Value, "write `into`"
	}
	if help != "" {
		p.errorf(at, "`%s` has no meaning here", text).Help = help
	}
	return help != ""
}

// playerWord is the player in a help, who is called by his name.
var playerWord = regexp.MustCompile(`\bP\b`)

// verbs has the words that follow a player in the language.
var verbs = []string{"wins", "loses", "moves", "can"}

// foreignPhrase looks for a phrase at token bad, or that ends just before it.
func (p *parser) foreignPhrase(bad int, in context) (at diag.Range, text, help string) {
	for _, f := range spell.Table {
		if f.Kind != "any" && f.Kind != map[context]string{inVariant: "body", inClaim: "claim"}[in] {
			continue
		}
		words := strings.Fields(f.Words)
		for i := max(bad-len(words), 0); i <= bad; i++ {
			if i+len(words) > bad-1 && p.matches(i, words) {
				r := p.rangeOf(i).To(p.rangeOf(i + len(words) - 1))
				if help = f.Help; p.isPlayer(p.tokens[i].Value) {
					help = playerWord.ReplaceAllString(help, p.tokens[i].Value)
				}
				return r, diag.OneLine(p.out.Source, r), help
			}
		}
	}
	return diag.Range{}, "", ""
}

// matches reports whether the words of a phrase stand at token i on their own, and but for what
// follows a brace on one line.
func (p *parser) matches(i int, words []string) bool {
	for k, w := range words {
		if i+k >= len(p.tokens) {
			return false
		}
		t := p.tokens[i+k]
		player := t.Type == scan.Name && p.isPlayer(t.Value)
		switch {
		case k > 0 && (p.firstOnLine(i+k) && words[k-1] != "{" || p.reported(i+k)), w == "P" && k == 0 && i > 0 && p.tokens[i-1].Value == "player":
			return false
		case w == "P" && player, w == "N" && t.Type == scan.Name && !player && !slices.Contains(verbs, t.Value), w == "I" && t.Type == scan.Int, w == "T" && t.Type == scan.String:
		case len(w) == 1 && w >= "A" && w <= "Z", t.Value != w, t.Type == scan.Name && p.declared(w):
			return false
		}
	}
	return true
}

package dsl

import (
	_ "embed" // what people write who guess
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/spell"
)

// foreignText has a line for each word of another language, each phrase, and each token that the
// grammar may want.
//
//go:embed foreign.txt
var foreignText string

// foreignWords has words of other languages, with what to write instead. They are not reserved:
// they matter only if the parser fails at one, or just after it. phrases are looked for where the
// parser fails, in their order. wants has what to write where the grammar expects a token.
var foreignWords, wants, phrases = readForeign(foreignText)

func readForeign(text string) (words, wants map[string]string, list []phrase) {
	places := map[string][]context{"any": nil, "body": {inVariant}, "claim": {inClaim}}
	words, wants = map[string]string{}, map[string]string{}
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		switch {
		case len(parts) < 3: // a comment
		case parts[0] == "word":
			words[parts[1]] = parts[2]
		case parts[0] == "want":
			wants[parts[1]] = parts[2]
		default:
			list = append(list, phrase{parts[1], parts[2], places[parts[0]]})
		}
	}
	return words, wants, list
}

// foreign reports a word of another language at token bad or just before it, or a phrase there, with
// what to write instead. A word before a misspelt one, as in `never stick`, is not taken for the
// mistake.
func (p *parser) foreign(bad, start int, in context, expected []string) bool {
	at, text, help := p.foreignPhrase(bad, in)
	for i := max(bad-1, start); i <= bad; i++ {
		t := p.tokens[i]
		misspelt := i < bad && p.tokens[bad].Type == scan.Name && spell.Nearest(p.tokens[bad].Value, words()[in]) != ""
		if t.Type == scan.Name && foreignWords[t.Value] != "" && in != inHead && !misspelt && !p.declared(t.Value) {
			at, text, help = p.rangeOf(i), t.Value, foreignWords[t.Value]
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

// phrase is what people write who guess: a sequence of tokens, with what to write instead. In it
// `P` is a player of the file, `N` another name, `I` a number, and `T` a text.
type phrase struct {
	words string
	help  string
	in    []context // where it is one; nil: everywhere
}

// verbs has the words that follow a player in the language.
var verbs = []string{"wins", "loses", "moves", "can"}

// foreignPhrase looks for a phrase at token bad, or that ends just before it.
func (p *parser) foreignPhrase(bad int, in context) (at diag.Range, text, help string) {
	for _, f := range phrases {
		if f.in != nil && !slices.Contains(f.in, in) {
			continue
		}
		words := strings.Fields(f.words)
		for i := max(bad-len(words), 0); i <= bad; i++ {
			if i+len(words) > bad-1 && p.matches(i, words) {
				last := i + len(words) - 1
				r := p.rangeOf(i).To(p.rangeOf(last))
				return r, diag.OneLine(p.out.Source, r), p.filled(f.help, i)
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

// filled puts the player of a phrase at token i into its help.
func (p *parser) filled(help string, i int) string {
	if !p.isPlayer(p.tokens[i].Value) {
		return help
	}
	var out []string
	for _, w := range strings.Split(help, " ") {
		if bare := strings.Trim(w, "`,;:"); bare == "P" {
			w = strings.Replace(w, "P", p.tokens[i].Value, 1)
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

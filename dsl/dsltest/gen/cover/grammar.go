// Package cover counts what rules files use: the productions of the grammar and each place in them,
// the nodes of the syntax tree, and pairs of features.
//
//	grammar.go  the grammar of docs/grammar.ebnf, and which places of it a text comes through
//	tree.go     nodes of the syntax tree and their fields
//	features.go features of variants and claims, and their pairs
package cover

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Grammar is a grammar in the notation of docs/grammar.ebnf. It recognises texts as the notation
// says, with no use of the parser. Used counts each place of it: each terminal and each production,
// where it stands.
type Grammar struct {
	rules    map[string]*expr
	order    []string
	Used     map[string]int
	reserved map[string]bool
}

// expr is a part of a production.
type expr struct {
	op    byte // t terminal, n production, s sequence, a alternative, ? * +, = and ! look ahead
	text  string
	place string
	parts []*expr
}

// NewGrammar reads a grammar. reserved are the words that are no names.
func NewGrammar(text string, reserved []string) (*Grammar, error) {
	g := &Grammar{rules: map[string]*expr{}, Used: map[string]int{}, reserved: map[string]bool{}}
	for _, w := range reserved {
		g.reserved[w] = true
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		name, body, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), "."), " = ")
		if !ok {
			return nil, fmt.Errorf("no production: %s", line)
		}
		r := &reader{rest: tokenize(ebnfTokens, body), rule: name, g: g}
		x, err := r.alternatives()
		if err != nil || len(r.rest) > 0 {
			return nil, fmt.Errorf("%s: %v at %v", name, err, r.rest)
		}
		g.rules[name] = x
		g.order = append(g.order, name)
	}
	return g, nil
}

// Words lists the words that stand in a grammar's text.
func Words(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// Unused lists the places that no text came through.
func (g *Grammar) Unused() []string {
	var out []string
	for _, name := range g.reached() {
		g.rules[name].each(func(x *expr) {
			if (x.op == 't' || x.op == 'n') && g.Used[x.place] == 0 {
				out = append(out, x.place)
			}
		})
	}
	return out
}

// reached lists the productions that stand in others, and not only for the parser to look ahead.
func (g *Grammar) reached() []string {
	list := []string{g.order[0]}
	for i := 0; i < len(list); i++ {
		g.rules[list[i]].each(func(x *expr) {
			if x.op == 'n' && !slices.Contains(list, x.text) {
				list = append(list, x.text)
			}
		})
	}
	return list
}

// each visits a part and its parts, but for those that only look ahead.
func (x *expr) each(f func(*expr)) {
	if x.op == '=' || x.op == '!' {
		return
	}
	f(x)
	for _, p := range x.parts {
		p.each(f)
	}
}

var ebnfTokens = regexp.MustCompile(`"[^"]*"|<[a-z]+>|[A-Za-z]+|\(\?=|\(\?!|[()|?*+]`)

func tokenize(re *regexp.Regexp, text string) []string { return re.FindAllString(text, -1) }

// reader reads the right side of a production.
type reader struct {
	rest  []string
	rule  string
	g     *Grammar
	count int
}

func (r *reader) peek() string {
	if len(r.rest) == 0 {
		return ""
	}
	return r.rest[0]
}

func (r *reader) take() string {
	t := r.peek()
	if t != "" {
		r.rest = r.rest[1:]
	}
	return t
}

func (r *reader) alternatives() (*expr, error) {
	x := &expr{op: 'a'}
	for {
		s, err := r.sequence()
		if err != nil {
			return nil, err
		}
		x.parts = append(x.parts, s)
		if r.peek() != "|" {
			return x, nil
		}
		r.take()
	}
}

func (r *reader) sequence() (*expr, error) {
	x := &expr{op: 's'}
	for t := r.peek(); t != "" && t != "|" && t != ")"; t = r.peek() {
		p, err := r.item()
		if err != nil {
			return nil, err
		}
		x.parts = append(x.parts, p)
	}
	return x, nil
}

func (r *reader) item() (*expr, error) {
	t := r.take()
	var x *expr
	switch {
	case t == "(" || t == "(?=" || t == "(?!":
		inner, err := r.alternatives()
		if err != nil {
			return nil, err
		}
		if r.take() != ")" {
			return nil, fmt.Errorf("no closing bracket")
		}
		x = inner
		if t != "(" {
			return &expr{op: t[2], parts: []*expr{inner}}, nil
		}
	case strings.HasPrefix(t, `"`):
		x = r.place('t', strings.Trim(t, `"`))
	case strings.HasPrefix(t, "<"):
		x = r.place('t', t)
	default:
		x = r.place('n', t)
	}
	if op := r.peek(); op == "?" || op == "*" || op == "+" {
		r.take()
		x = &expr{op: op[0], parts: []*expr{x}}
	}
	return x, nil
}

func (r *reader) place(op byte, text string) *expr {
	r.count++
	return &expr{op: op, text: text, place: fmt.Sprintf("%s %d: %s", r.rule, r.count, text)}
}

// token is a token of a rules file.
type token struct{ kind, text string }

var sowTokens = regexp.MustCompile(`//[^\n]*|"[^"\n]*"|[A-Za-z][A-Za-z0-9_]*|[0-9]+|->|\.\.|/=|!=|<=|>=|[^\s]`)

func (g *Grammar) tokens(text string) []token {
	var out []token
	for _, t := range tokenize(sowTokens, text) {
		switch c := t[0]; {
		case strings.HasPrefix(t, "//"):
		case c == '"':
			out = append(out, token{"<string>", t})
		case c >= '0' && c <= '9':
			out = append(out, token{"<int>", t})
		case g.reserved[t]:
			out = append(out, token{"keyword", t})
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			out = append(out, token{"<name>", t})
		default:
			out = append(out, token{"punct", t})
		}
	}
	return out
}

// Read counts the places that a text comes through. It returns whether the grammar has the text.
func (g *Grammar) Read(text string) bool {
	m := &match{g: g, tokens: g.tokens(text)}
	end, ok := m.at(&expr{op: 'n', text: g.order[0], place: g.order[0]}, 0)
	if !ok || end != len(m.tokens) {
		return false
	}
	for _, x := range m.trail {
		g.Used[x.place]++
		if x.op == 'n' && x.place != x.text {
			g.Used[x.text]++
		}
	}
	return true
}

// match is a text being read. trail are the places come through; those of a way that led nowhere
// are taken back.
type match struct {
	g      *Grammar
	tokens []token
	trail  []*expr
}

// at reads x from token i on. The first alternative that fits is taken, and repetitions take what
// they can.
func (m *match) at(x *expr, i int) (end int, ok bool) {
	mark := len(m.trail)
	defer func() {
		if !ok || x.op == '=' || x.op == '!' {
			m.trail = m.trail[:mark]
		}
	}()
	switch x.op {
	case 't':
		if i < len(m.tokens) && m.fits(x.text, m.tokens[i]) {
			m.trail = append(m.trail, x)
			return i + 1, true
		}
		return i, false
	case 'n':
		m.trail = append(m.trail, x)
		return m.at(m.g.rules[x.text], i)
	case 's':
		for _, p := range x.parts {
			if i, ok = m.at(p, i); !ok {
				return i, false
			}
		}
		return i, true
	case 'a':
		for _, p := range x.parts {
			if end, ok = m.at(p, i); ok {
				return end, true
			}
		}
		return i, false
	case '=':
		_, ok = m.at(x.parts[0], i)
		return i, ok
	case '!':
		_, ok = m.at(x.parts[0], i)
		return i, !ok
	}
	return m.repeat(x, i)
}

func (m *match) repeat(x *expr, i int) (int, bool) {
	for n := 0; ; n++ {
		end, ok := m.at(x.parts[0], i)
		if !ok || end == i || x.op == '?' && n > 0 {
			return i, x.op != '+' || n > 0
		}
		i = end
		if x.op == '?' {
			return i, true
		}
	}
}

func (m *match) fits(want string, t token) bool {
	if strings.HasPrefix(want, "<") && len(want) > 2 {
		return t.kind == want
	}
	return t.text == want && t.kind != "<string>"
}

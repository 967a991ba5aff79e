package dsl

import (
	"bytes"
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/num"
)

// Expected is what the grammar allows at one place of a text.
type Expected struct {
	Words   []string // words and signs that may stand there
	Names   []string // productions in which a name may stand there
	Strings []string // productions in which a text in quotes may stand there
	Before  string   // the token before it; may be empty
	Inside  string   // the word that begins the declaration around it; empty: there is none
}

// Expect finds what may stand at an offset of a text. The text before it may have mistakes: a line
// that does not fit is left out. It goes through the grammar as written, by Earley's algorithm,
// without the lookahead that the parser decides by, so it may allow a little more than the parser.
func Expect(src []byte, offset int) Expected {
	all := scan.File("", src).Tokens
	o := outline{tokens: all}
	n := 0
	for n < len(all)-1 && all[n].Pos.Offset < offset {
		n++
	}
	var out Expected
	if n > 0 {
		out.Before = all[n-1].Value
	}
	decl := 0
	for i := n - 1; i > 0; i-- {
		if o.startsDecl(i) {
			decl = i
			break
		}
	}
	if n > decl && (o.startsDecl(decl) || eitherPlace(all[decl])) {
		out.Inside = all[decl].Value
	}
	part := o.lastPart(decl, n)
	list := o.before(decl, n, part)
	if len(list) > mostFed {
		return out
	}
	e := &earley{automaton: automata()}
	e.begin([]earleyItem{{e.starts[earleyStart], 0}})
	fresh := n > 0 && bytes.IndexByte(src[all[n-1].Pos.Offset:min(offset, len(src))], '\n') >= 0
	e.feed(o, list, part, fresh)
	e.expected(&out)
	return out
}

// mostFed bounds the tokens that are gone through: of longer items and claims nothing is said.
const mostFed = 3000

// lastPart is where the last item of a variant begins that begins before token n. It is 0 if there
// is none, or none is needed.
func (o outline) lastPart(decl, n int) int {
	if o.tokens[decl].Value != "variant" {
		return 0
	}
	depth := 0
	part := 0
	for i := decl; i < n; i++ {
		if column := o.tokens[decl].Pos.Column; i > decl && (depth == 1 && o.startsItem(i) || o.firstOnLine(i) && o.tokens[i].Pos.Column <= column+4 && o.startsItemSurely(i, column+4)) {
			part, depth = i, 1
		}
		depth = max(0, depth+nesting(o.tokens[i]))
	}
	return part
}

// before lists the tokens of a declaration before token n; of a variant, its head and last item.
func (o outline) before(decl, n, part int) []int {
	head := n
	if o.tokens[decl].Value == "variant" {
		if brace := slices.IndexFunc(o.tokens[decl:n], func(t lexer.Token) bool { return t.Value == "{" }); brace >= 0 {
			head = decl + brace + 1
		}
	}
	part = max(part, head)
	return append(num.Run(decl, head-decl), num.Run(part, n-part)...)
}

// The productions as automata. An edge with a symbol goes to a state; one without is free.
type automaton struct {
	names  []string // of the production of each state
	edges  [][]edge
	starts map[string]int
	ends   map[int]bool
}

type edge struct {
	symbol string // as in ebnfTokens; empty: free
	to     int
}

// earleyStart is the production of a whole file.
const earleyStart = "File"

var automata = sync.OnceValue(func() *automaton {
	a := &automaton{starts: map[string]int{}, ends: map[int]bool{}}
	for name, body := range productions() {
		from := a.state(name)
		a.starts[name] = from
		to, _ := a.choice(name, body, from)
		a.ends[to] = true
	}
	return a
})

func (a *automaton) state(name string) int {
	a.names, a.edges = append(a.names, name), append(a.edges, nil)
	return len(a.edges) - 1
}

func (a *automaton) edge(from int, symbol string, to int) {
	a.edges[from] = append(a.edges[from], edge{symbol, to})
}

// choice adds alternatives up to a closing bracket. It returns the state behind them and the tokens
// after the bracket.
func (a *automaton) choice(name string, ts []string, from int) (end int, rest []string) {
	end = a.state(name)
	at := from
	for len(ts) > 0 {
		t := ts[0]
		ts = ts[1:]
		switch t {
		case ")":
			a.edge(at, "", end)
			return end, ts
		case "|":
			a.edge(at, "", end)
			at = from
			continue
		case "(?=", "(?!":
			_, ts = a.choice(name, ts, a.state(name)) // a part that nothing leads to
			continue
		}
		begin, to := a.state(name), 0
		a.edge(at, "", begin)
		if t == "(" {
			to, ts = a.choice(name, ts, begin)
		} else {
			to = a.state(name)
			a.edge(begin, t, to)
		}
		if len(ts) > 0 && (ts[0] == "?" || ts[0] == "*") {
			a.edge(begin, "", to)
		}
		if len(ts) > 0 && (ts[0] == "*" || ts[0] == "+") {
			a.edge(to, "", begin)
		}
		if len(ts) > 0 && (ts[0] == "?" || ts[0] == "*" || ts[0] == "+") {
			ts = ts[1:]
		}
		at = to
	}
	a.edge(at, "", end)
	return end, nil
}

// earley recognizes tokens. A set has the states that the text before a token may lead to.
type earley struct {
	*automaton
	sets []earleySet
}

type earleyItem struct{ state, origin int }

type earleySet struct {
	list  []earleyItem
	has   map[earleyItem]bool
	waits map[string][]earleyItem // by production: those that go on behind it
}

// begin adds a set, with all that follows from some items of it.
func (e *earley) begin(items []earleyItem) {
	n := len(e.sets)
	e.sets = append(e.sets, earleySet{has: map[earleyItem]bool{}, waits: map[string][]earleyItem{}})
	set := &e.sets[n]
	add := func(i earleyItem) {
		if !set.has[i] {
			set.has[i] = true
			set.list = append(set.list, i)
		}
	}
	for _, i := range items {
		add(i)
	}
	for k := 0; k < len(set.list); k++ {
		i := set.list[k]
		if e.ends[i.state] && i.origin < n {
			for _, w := range e.sets[i.origin].waits[e.names[i.state]] {
				add(w)
			}
		}
		for _, d := range e.edges[i.state] {
			if d.symbol == "" {
				add(earleyItem{d.to, i.origin})
			} else if start, is := e.starts[d.symbol]; is {
				set.waits[d.symbol] = append(set.waits[d.symbol], earleyItem{d.to, i.origin})
				add(earleyItem{start, n})
			}
		}
	}
}

// next goes on by a token. It reports whether the grammar allows it.
func (e *earley) next(t lexer.Token) bool {
	var items []earleyItem
	for _, i := range e.sets[len(e.sets)-1].list {
		for _, d := range e.edges[i.state] {
			if matches(d.symbol, t) {
				items = append(items, earleyItem{d.to, i.origin})
			}
		}
	}
	if len(items) > 0 {
		e.begin(items)
	}
	return len(items) > 0
}

func matches(symbol string, t lexer.Token) bool {
	switch symbol {
	case "<name>":
		return t.Type == scan.Name
	case "<int>":
		return t.Type == scan.Int
	case "<string>":
		return t.Type == scan.String
	}
	word, is := literal(symbol)
	return is && word == t.Value && t.Type != scan.String
}

// feed goes on by tokens. Where one does not fit, the rest of its line is left out, or all of the
// line if others follow, as they do if the place is a fresh one. At the last part of a variant what
// is before it is taken for whole.
func (e *earley) feed(o outline, list []int, part int, fresh bool) {
	line, body := 0, 0 // sets before the line and inside the variant
	for k := 0; k < len(list); k++ {
		i := list[k]
		if o.firstOnLine(i) {
			line = len(e.sets)
		}
		if i == part && body > 0 {
			e.sets = e.sets[:body]
			line = body
		}
		if !e.next(o.tokens[i]) {
			for k+1 < len(list) && !o.firstOnLine(list[k+1]) {
				k++
			}
			if (k+1 < len(list) || fresh) && line > 0 {
				e.sets = e.sets[:line]
			}
			continue
		}
		if body == 0 && o.tokens[i].Value == "{" {
			body = len(e.sets)
		}
	}
}

// expected lists what the last set allows.
func (e *earley) expected(out *Expected) {
	for _, i := range e.sets[len(e.sets)-1].list {
		for _, d := range e.edges[i.state] {
			word, is := literal(d.symbol)
			switch {
			case is:
				out.Words = append(out.Words, word)
			case d.symbol == "<name>" && !namesOnly(e.names[i.state]), namesOnly(d.symbol):
				out.Names = append(out.Names, e.names[i.state])
			case d.symbol == "<string>":
				out.Strings = append(out.Strings, e.names[i.state])
			}
		}
	}
	for _, list := range []*[]string{&out.Words, &out.Names, &out.Strings} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// namesOnly reports whether a production is a name, so that the one around it says what is named.
func namesOnly(name string) bool {
	return slices.Contains([]string{"Ident", "Subject", "Each", "Label", "Who", "Sort"}, name)
}

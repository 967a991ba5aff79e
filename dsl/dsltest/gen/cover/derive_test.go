package cover

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
)

// deriver makes random texts of a grammar.
type deriver struct {
	g      *Grammar
	random *rand.Rand
	height map[*expr]int // how many productions a part needs at least
	left   int           // how many productions there may be
}

// measure finds the heights: it starts with great ones and lowers them until they stay.
func (d *deriver) measure() {
	const unknown = 1000
	height := func(x *expr) int {
		if h, ok := d.height[x]; ok {
			return h
		}
		return unknown
	}
	var of func(x *expr) int
	of = func(x *expr) int {
		h := 0
		switch x.op {
		case 'n':
			h = 1 + height(d.g.rules[x.text])
		case 's', '+':
			for _, p := range x.parts {
				h = max(h, of(p))
			}
		case 'a':
			h = unknown
			for _, p := range x.parts {
				h = min(h, of(p))
			}
		default:
			for _, p := range x.parts {
				of(p)
			}
		}
		d.height[x] = h
		return h
	}
	for range d.g.order {
		for _, name := range d.g.order {
			of(d.g.rules[name])
		}
	}
}

func (d *deriver) text(x *expr, rule string) string {
	var out []string
	switch x.op {
	case 't':
		switch x.text {
		case "<name>":
			return []string{"a", "b", "c"}[d.random.IntN(3)]
		case "<int>":
			return "1"
		case "<string>":
			return `"t"`
		}
		return x.text
	case 'n':
		d.left--
		return d.text(d.g.rules[x.text], x.text)
	case 's':
		for _, p := range x.parts {
			out = append(out, d.text(p, rule))
		}
	case 'a':
		var list []*expr
		for _, p := range x.parts {
			if !d.quantified(p) && (d.left > 0 || d.height[p] == d.height[x]) {
				list = append(list, p)
			}
		}
		return d.text(list[d.random.IntN(len(list))], rule)
	case '?', '*', '+':
		least := map[byte]int{'+': 1}[x.op]
		for n := 0; n < least || rule != "Element" && d.left > 0 && n < 2 && d.random.IntN(3) == 0; n++ {
			out = append(out, d.text(x.parts[0], rule))
			if x.op == '?' {
				break
			}
		}
	}
	return strings.Join(out, " ")
}

// quantified reports whether a part is a quantified expression. As that extends as far as possible,
// it may leave nothing that fits to what is around it.
func (d *deriver) quantified(x *expr) bool {
	return len(x.parts) == 1 && x.parts[0].text == "Quantified"
}

// TestDerived: the parser accepts what the grammar says expressions are.
func TestDerived(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../docs/grammar.ebnf")
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGrammar(string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &deriver{g: g, random: rand.New(rand.NewPCG(1, 2)), height: map[*expr]int{}}
	d.measure()
	for n := range 3000 {
		d.left = 40
		name := []string{"Expr", "Quantified"}[n%2]
		x := d.text(g.rules[name], name)
		if _, diags := dsl.Parse("t.sow", []byte("variant V { end when "+x+" }")); len(diags) > 0 {
			t.Fatalf("the parser refuses `%s`: %v", x, diags)
		}
	}
}

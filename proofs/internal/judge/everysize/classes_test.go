package everysize_test

import (
	"fmt"
	"strings"
)

// class is a place where a size may decide something.
type class struct {
	name  string
	bases []*base
	kinds []string // that can be broken there; nil: each
	put   func(d *draft)
}

var (
	two   = []*base{kalah, kalah, solo, rows4}
	steps = []string{"grows", "ends"}
)

// classes are the places, those in which known mistakes of the tool are as well.
var classes = []class{
	{"plain", two, nil, func(d *draft) { d.armed = false }},
	{"plain closed set", []*base{dose}, nil, func(d *draft) { d.armed = false; d.property = d.one("unreachable SR006", "invariant not SR006") }},
	{"decoy", two, nil, decoy},
	{"guard", two, steps, func(d *draft) { d.body += d.harm("(" + d.static() + ")") }},
	{"definition", two, steps, definition},
	{"procedure", two, steps, procedure},
	{"parameter", two, steps, parameter},
	{"range", two, nil, ranges},
	{"shared board", two, nil, shared},
	{"local", two, steps, local},
	{"state", two, steps, state},
	{"setup", two, nil, setup},
	{"choice", two, steps, choice},
	{"conditional", two, []string{"grows"}, conditional},
	{"loop", two, []string{"grows"}, loop},
	{"move", two, []string{"ends"}, extraMove},
	{"reaction", two, []string{"grows"}, reaction},
	{"score", []*base{kalah}, nil, score},
	{"property", two, nil, property},
	{"polynomial", two, []string{"total"}, polynomial},
	{"stretch", two, steps, stretch},
	{"large numbers", two, steps, large},
	{"relation", []*base{kalah, rows4}, []string{"grows"}, relation},
	{"number of a pit", two, steps, func(d *draft) {
		d.body += d.harm("(" + d.one("index(last) >= NUM", "index(FROM) = NUM", "index(last) mod NUM = 0 and index(last) > 0") + ")")
	}},
	{"many seeds", []*base{solo}, steps, manySeeds},
	{"closed set", []*base{dose}, nil, closedSet},
	{"not for every size", two, nil, notForEverySize},
	{"position", two, []string{"total"}, position},
	{"position and outcome", []*base{dose}, nil, outcome},
	{"shadowed by a pit", two, steps, shadowed},
	{"shadowed in a closed set", []*base{dose}, nil, shadowedOutcome},
	{"no game", two, nil, noGame},
	{"named like a pit", two, nil, named},
}

// decoy puts the size where it decides nothing.
func decoy(d *draft) {
	d.armed = false
	for range 1 + d.r.IntN(2) {
		switch d.r.IntN(7) {
		case 0:
			d.tail += d.one("strategy idle = least index(FROM) - SIZE\n", "strategy idle = greatest SIZE - NUM\n")
		case 1:
			d.tail += "position aside where " + d.static() + "\n"
		case 2:
			d.tail += "define aside = " + d.static() + "\n"
		case 3:
			d.choices += d.one("    written index(FROM)\n", "    written FROM\n")
		case 4:
			d.head += "board aside {\n    " + d.one("left | a[1..SIZE] | right\n  param SIZE = NUM in 1..\n}\n")
		case 5:
			d.body += d.fill("    if total(GROUP[1..SIZE]) > 1 { capture FROM into MINE }\n")
		default:
			d.tail += d.fill("claim aside { for SIZE in 1..2: terminates }\n")
		}
	}
	d.head, d.tail = once(d.head, "board aside"), once(d.tail, "strategy idle", "position aside", "define aside", "claim aside")
	d.choices = once(d.choices, "written")
}

// once leaves out what is said again.
func once(text string, words ...string) string {
	for _, w := range words {
		if i := strings.LastIndex(text, w); i > 0 && strings.Index(text, w) < i {
			text = strings.TrimRight(text[:i], " ")
		}
	}
	return text
}

func definition(d *draft) {
	switch d.r.IntN(4) {
	case 0:
		d.put("define big = " + d.static())
		d.body += d.harm("big")
	case 1:
		d.put(d.one("define big(x : number) = x >= NUM", "define big(x : number) = x mod NUM = 0"))
		d.body += d.harm(d.one("big(SIZE)"))
	case 2:
		d.put("define k = " + d.number())
		d.body += d.harm("k = 1")
	default:
		d.put(d.fill("define far(p : pit) = index(p)"))
		d.body += d.harm(d.one("far(last) >= NUM", "far(GROUP[SIZE]) = NUM"))
	}
}

func procedure(d *draft) {
	hurt := d.fill("take 1 from STORE into FIRST")
	if !d.armed || d.kind == "ends" {
		d.armed, hurt = false, "capture last into "+d.base.mine
	}
	switch d.r.IntN(3) {
	case 0:
		d.put("procedure sweep { if seeds(" + d.base.store + ") > 0 and " + d.static() + " { " + hurt + " } }")
		d.body += "    sweep()\n"
	case 1:
		d.put("procedure sweep(k : number) { if seeds(" + d.base.store + ") > 0 and " + d.one("k >= NUM", "k = NUM") + " { " + hurt + " } }")
		d.body += d.one("    sweep(SIZE)\n", "    sweep(index(last))\n", "    sweep(index(GROUP[SIZE]))\n")
	default:
		d.put("procedure sweep(on : bool) { if seeds(" + d.base.store + ") > 0 and on { " + hurt + " } }")
		d.body += "    sweep(" + d.static() + ")\n"
	}
}

func parameter(d *draft) {
	switch d.r.IntN(4) {
	case 0:
		d.params += "  param k = " + d.number() + " in 0..\n"
		d.body += d.harm("k > 0")
	case 1:
		d.params += d.one("  param k = SIZE in 0..\n", "  param k = SIZE + 1 in 0..\n", "  param k = 2 * SIZE in 1..\n")
		d.body += d.harm(d.one("k >= NUM", "k div NUM > 0"))
	case 2:
		d.params += d.one("  param k = NUM in 0..\n")
		d.body += d.harm(d.one("SIZE >= k", "k - SIZE <= 0", "index(last) = k"))
	default:
		d.params += d.one("  param k = NUM in SIZE..\n", "  param k = SIZE in SIZE..\n")
		if d.r.IntN(4) == 0 { // which is refused
			d.clauses += " for all k"
		}
		d.body += d.harm(d.one("k >= NUM", "k < SIZE", "k = SIZE"))
	}
}

// ranges makes a parameter impossible from some size on.
func ranges(d *draft) {
	d.armed = false
	d.params += d.one("  param k = NUM - 1 in SIZE..\n", "  param k = 0 in 0..NUM - 1 - SIZE\n", "  param k = 1 in 2 - (1 if SIZE < NUM else 0)..\n", "  param k = SIZE in 0..NUM - 1\n",
		"  param k = 2 in 0..max(2, SIZE)\n", "  param k = 1 div max(0, NUM - SIZE) in 0..\n")
}

func shared(d *draft) {
	d.sharedLib = d.r.IntN(2) == 0
	switch d.r.IntN(4) {
	case 0:
		d.shared = "wood with n = 1 + " + d.number()
		delete(d.given, "n")
	case 1:
		d.shared = d.one("wood with SIZE = NUM", "wood")
		d.armed = false
	case 2:
		d.params += "  param k = 0 in 0..\n"
		d.shared = "wood with k = " + d.number()
		if d.kind == "grows" || d.kind == "ends" {
			d.body += d.harm("k > 0")
		}
	default:
		d.shared = "wood"
		if d.kind == "grows" || d.kind == "ends" {
			d.body += d.harm(d.one("total(GROUP[1..SIZE]) = 0 and "+d.static(), "last in GROUP[1..SIZE] and "+d.static()))
		}
	}
}

func local(d *draft) {
	d.inside = true
	switch d.r.IntN(4) {
	case 0:
		d.body += "    let big = " + d.static() + "\n" + d.harm("big")
	case 1:
		d.body += d.one("    let k = SIZE\n", "    let k = SIZE + 1 - 1\n") + d.harm(d.one("k >= NUM"))
	case 2:
		d.body += d.fill("    let p = GROUP[SIZE]\n") + d.harm(d.one("index(p) >= NUM"))
	default:
		d.body += "    let k = 0\n    if " + d.static() + " { k = 1 }\n" + d.harm("k = 1")
	}
}

func state(d *draft) {
	switch d.r.IntN(5) {
	case 0:
		d.state += "  state big : bool = " + d.static() + "\n"
		d.body += d.harm("big")
	case 1:
		d.state += "  state big : bool\n"
		d.setup += ", big = (" + d.static() + ")"
		d.body += d.harm("big")
	case 2:
		d.state += d.one("  state x : 0..SIZE = SIZE\n", "  state x : 0..1000 = SIZE\n")
		d.body += d.harm(d.one("x >= NUM"))
	case 3:
		d.state += d.fill("  state p : GROUP = GROUP[SIZE]\n")
		d.body += d.harm(d.one("index(p) >= NUM"))
	default:
		d.state += d.fill("  state seen each GROUP : bool = false\n")
		d.before += d.fill("    if FROM in GROUP { seen(FROM) = true }\n")
		d.body += d.harm("(number p in " + d.base.group + " : seen(p)) >= 1 and " + d.static())
	}
}

func setup(d *draft) {
	d.armed = d.armed && d.kind == "total"
	if d.armed {
		d.setup += d.one(", STORE = ") + d.number()
		return
	}
	d.setup = d.one("each GROUP = SIZE", "FIRST = SIZE", "any where total(GROUP) = 1, GROUP[SIZE] = 1", "FIRST = min(SIZE, 1)", "GROUP[SIZE] = 1, FIRST = 1")
	if d.kind == "total" {
		d.property = d.one("invariant total(pit) = SIZE", "invariant total(pit) = 1", "invariant total(pit) = 2 - 1", "invariant total(pit) = SIZE * SIZE")
	}
}

func choice(d *draft) {
	d.inside = true
	switch d.r.IntN(3) {
	case 0:
		d.choices += d.one("    choose k in 1..SIZE where k = NUM or k = 1\n")
		d.body += d.harm(d.one("k >= NUM"))
	case 1:
		d.choices += d.one("    choose k in {0, SIZE}\n", "    choose k in {0, SIZE div NUM}\n")
		d.body += d.harm(d.one("(k >= NUM or k > 0 and k < 3 and SIZE >= NUM)"))
	default:
		d.choices += d.fill("    choose q in GROUP[1..SIZE] where index(q) = NUM or index(q) = 1\n")
		d.body += d.harm(d.one("index(q) >= NUM"))
	}
}

func conditional(d *draft) {
	into := d.fill("FIRST")
	if !d.armed {
		into = d.base.store
	}
	d.body += d.fill("    if seeds(STORE) > 0 { take 1 from ("+d.one("STORE if ", "STORE if SIZE > 0 and ")) + d.static() + d.fill(" else FROM) into ") + into + " }\n"
	d.body = strings.ReplaceAll(d.body, "seeds("+d.base.store+") > 0", "seeds("+d.base.store+") > 0 and "+d.from+" > 0")
}

func loop(d *draft) {
	hurt := d.fill("if seeds(STORE) > 0 { take 1 from STORE into FIRST }")
	if !d.armed {
		hurt = d.fill("if FROM > 0 { capture FROM into MINE }")
	}
	d.body += "    " + d.one("for k in NUM..SIZE { HURT }", "for k in 1..SIZE { if k = NUM { HURT } }", "for p in GROUP[1..SIZE] { if index(p) = NUM { HURT } }", "for k in 1..SIZE div NUM { HURT }",
		"let k = 0\n    while k < SIZE {\n      k = k + 1\n      if k = NUM { HURT }\n    }", "let k = 0\n    for p in GROUP {\n      k = k + 1\n      if k = NUM { HURT }\n    }", "for b in {SIZE >= NUM, false} { if b { HURT } }") + "\n"
	d.body = strings.ReplaceAll(d.body, "HURT", hurt)
}

func extraMove(d *draft) {
	if !d.armed {
		d.before += "    require not (" + d.static() + ")\n"
		return
	}
	d.moves += "  " + d.one("move idle when ", "pass when ") + d.static()
	if !strings.Contains(d.moves, "pass") {
		d.moves += " { }"
	}
	d.moves += "\n"
}

func reaction(d *draft) {
	if !d.armed {
		d.endings += "  end when " + d.static() + "\n"
		return
	}
	d.endings += "  when " + d.fill("seeds(STORE) > 0 and ") + d.static() + d.fill(" { take 1 from STORE into FIRST }\n")
}

func score(d *draft) {
	d.score = "  score South = " + d.one("0 if SIZE < NUM else 5", "SIZE div NUM", "south_store if SIZE < NUM else 1000") + ", North = 1\n"
	d.property = d.one("unreachable South wins", "invariant not (South wins)")
}

// property puts the size into the claim.
func property(d *draft) {
	d.armed = d.armed && d.kind != "ends"
	if !d.armed {
		return
	}
	switch d.kind {
	case "total":
		d.property = d.one("invariant total(pit) = TOTAL + "+d.number(), "invariant total(pit) = TOTAL + SIZE div NUM", "invariant total(pit) = TOTAL or SIZE < NUM", "invariant not ("+d.static()+")",
			"unreachable total(pit) /= TOTAL or "+d.static(), "invariant total(pit) = TOTAL and not ("+d.static()+")", "invariant total(pit) + SIZE div NUM = TOTAL")
		d.property = strings.ReplaceAll(d.property, "TOTAL", d.seeds())
	default:
		d.property += " and " + d.one("SIZE < NUM", "not ("+d.static()+")", "old seeds(STORE) + SIZE div NUM <= seeds(STORE)", "total(pit) = old total(pit) + SIZE div NUM")
	}
}

// polynomial is a number that is right at the smallest sizes alone.
func polynomial(d *draft) {
	p := d.seeds()
	if d.armed {
		d.least, d.at = 1, 2+d.r.IntN(9)
		var factors []string
		for k := 1; k < d.at; k++ {
			factors = append(factors, fmt.Sprintf("(%s - %d)", d.base.size, k))
		}
		p += " + " + strings.Join(factors, " * ")
	} else {
		p = "(" + p + ") * (SIZE + 1) - SIZE * (" + p + ")"
	}
	d.property = d.fill("invariant total(pit) = " + p)
}

// stretch uses ends of stretches, which may be so.
func stretch(d *draft) {
	k := 1 + d.r.IntN(4)
	d.least = 2*k + 2
	if d.armed {
		d.at = d.least
	}
	text := d.one("total(GROUP[K..SIZE]) > 0", "last in GROUP[K..SIZE-K]", "last in GROUP[SIZE-K..SIZE]", "total(GROUP[1..SIZE-K]) = 0", "(each GROUP[K..SIZE] < 2)", "(some GROUP[1..K] > 0)", "FROM in GROUP[SIZE-K..SIZE-1]")
	d.body += d.harm(strings.ReplaceAll(text, "K", fmt.Sprint(k)))
}

// large uses pits of large numbers, in ways that are first so at the second size.
func large(d *draft) {
	d.least, d.at = d.s-1, d.s
	text := d.one("total(GROUP[NUM..SIZE]) > 0", "last in GROUP[NUM..SIZE]", "last in GROUP[2..SIZE-LESS+1]", "total(GROUP[2..SIZE-LESS+1]) > 0", "FROM in GROUP[NUM..SIZE]", "total(GROUP[NUM..SIZE]) + GROUP[LESS] > 0", "last = GROUP[SIZE-LESS+1]",
		"(some GROUP[NUM..SIZE] > 0)", "BEFORE > 0", "far > 0")
	text = strings.ReplaceAll(text, "BEFORE", d.pit(d.s-1))
	if text == "far > 0" {
		d.lines += d.fill("    group far = GROUP[NUM..SIZE], GROUP[LESS]\n")
		text = "last in far and index(last) > LESS"
	}
	d.body += d.harm(strings.ReplaceAll(text, "LESS", fmt.Sprint(d.s-1)))
	d.body = strings.ReplaceAll(d.body, "LESS", fmt.Sprint(d.s-1))
	d.lines = strings.ReplaceAll(d.lines, "LESS", fmt.Sprint(d.s-1))
}

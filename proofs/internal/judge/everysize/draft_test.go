package everysize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A draft is a file in the making. Its base is a game for which some claim about every size can be
// proved, and a class puts the size, or a name that only some sizes have, where it may decide
// something.
type draft struct {
	r      *rand.Rand
	base   *base
	kind   string // which claim
	inside bool   // the condition has names of the move's body
	armed  bool   // what is put in breaks the claim where its condition holds
	s      int    // the size, or the number of a pit, that may decide something
	at     int    // the size at which the claim is meant to be false first
	least  int

	from                                                            string // the name of the pit that is chosen
	head, lib, file, tail                                           string // declarations, and those of an imported file
	params, lines, state, items, label, when, choices, before, mods string
	body, moves, endings, score                                     string
	setup, property                                                 string
	clauses                                                         string // of the claim about every size
	given                                                           map[string]int
	shared                                                          string // how the variant names its board, if it is declared outside
	sharedLib                                                       bool   // it is imported
}

// base is a game with the words of its own for what classes put in.
type base struct {
	name   string
	kinds  []string
	group  string // pits with numbers, of which there are more on larger boards
	store  string
	size   string
	board  string
	player string
	house  string // the set to choose from
	lap    string
	skip   string
	mine   string // the store of the mover
	after  string // what comes after the sowing
	ends   string
}

var kalah = &base{
	name: "Kalah", kinds: []string{"grows", "grows", "ends", "keeps", "total"}, group: "south", store: "south_store", size: "m",
	board: "    north_store | north[m..1] |\n                | south[1..m] | south_store\n", player: "  player South, North\n",
	house: "my house", lap: "ccw_with_stores", skip: ", skip their store", mine: "my store",
	after: "    if last = my store { again } else if last in my house and last was empty { capture last, opposite(last) into my store }\n",
	ends:  "  end when total(south) = 0 or total(north) = 0 {\n    capture south into south_store\n    capture north into north_store\n  }\n",
}

var solo = &base{
	name: "Solo", kinds: []string{"grows", "ends", "keeps", "total"}, group: "cup", store: "home", size: "m",
	board: "    tray | cup[1..m] | home\n    line way = cup[1..m], home\n", house: "cup", lap: "way", mine: "home",
	ends: "  end when total(cup) = 0\n",
}

var rows4 = &base{
	name: "Four", kinds: []string{"grows", "keeps", "total"}, group: "south", store: "south_store", size: "m",
	board: "    north_store | north[2*m..m+1] |\n                | north[1..m]     |\n                | south[1..m]     |\n                | south[m+1..2*m] | south_store\n", player: "  player South, North\n",
	house: "my house", lap: "ccw", mine: "my store",
	after: "    if last in my house and last was empty { capture opposite(last), behind(last) into my store }\n",
	ends:  "  end when total(south) = 0 or total(north) = 0\n",
}

// first is a single pit with a number.
func (d *draft) first() string { return d.base.group + "[1]" }

// pit is the name of the pit with number k, as a word.
func (d *draft) pit(k int) string {
	if d.base == dose {
		return fmt.Sprintf("hole%02d", k)
	}
	return fmt.Sprintf("%s%d", d.base.group, k)
}

// one draws one of several texts, in which SIZE, S, GROUP, STORE, FROM and FIRST stand for those of
// the draft.
func (d *draft) one(texts ...string) string { return d.fill(texts[d.r.IntN(len(texts))]) }

func (d *draft) fill(text string) string {
	return strings.NewReplacer("SIZE", d.base.size, "NUM", fmt.Sprint(d.s), "GROUP", d.base.group, "STORE", d.base.store, "MINE", d.base.mine,
		"FROM", d.from, "FIRST", d.first(), "PIT", d.pit(d.s), "SET", d.base.house, "LAP", d.base.lap).Replace(text)
}

// static is a condition of the size alone that holds from the size s on, or there first.
func (d *draft) static() string {
	texts := []string{
		"SIZE >= NUM", "SIZE = NUM", "not (SIZE < NUM)", "SIZE div NUM > 0", "SIZE mod NUM = 0", "min(SIZE, NUM) = NUM", "SIZE - NUM >= 0",
		"(1 if SIZE >= NUM else 0) = 1", "SIZE * SIZE >= NUM * NUM", "2 * SIZE > 2 * NUM - 1", "SIZE in NUM..1000", "SIZE in {NUM, NUM + 1}",
		"max(SIZE, NUM - 1) >= NUM", "(SIZE mod 2 = NUM mod 2 and SIZE > NUM - 1)", "(some x in 1..SIZE : x = NUM)", "index(GROUP[SIZE]) >= NUM",
		"(number p in GROUP[1..SIZE] : true) >= NUM", "(some p in GROUP[1..SIZE] : index(p) = NUM)", "(number x in 1..SIZE : true) >= NUM",
	}
	return d.one(texts...)
}

// number is 1 where a condition of the size holds, and 0 elsewhere.
func (d *draft) number() string {
	return d.one("(1 if SIZE >= NUM else 0)", "min(SIZE div NUM, 1)", "(0 if SIZE < NUM else 1)", "max(0, min(1, SIZE - NUM + 1))", "(SIZE * SIZE) div (NUM * NUM)")
}

// harm is statements that break the claim where the condition holds, or may not if the draft is not
// armed.
func (d *draft) harm(cond string) string {
	switch {
	case d.base == dose:
		return d.fill("    if last was empty and " + cond + " { selected = FIRST }\n")
	case !d.armed:
		return d.fill("    if " + cond + " { capture FROM into MINE }\n")
	case d.kind == "ends" && !strings.Contains(cond, "last") && !strings.Contains(cond, d.from) && !d.inside:
		d.moves += "  move idle when " + cond + " { }\n"
		return ""
	case d.kind == "ends":
		return d.fill("    if last = MINE and " + cond + " {\n      take 1 from MINE into FROM\n" + d.again() + "    }\n")
	}
	return d.fill("    if seeds(STORE) > 0 and " + cond + " { take 1 from STORE into FIRST }\n")
}

func (d *draft) again() string {
	if d.base.player == "" {
		return ""
	}
	return "      again\n"
}

// put adds a declaration to the variant, to the file, or to a file that is imported.
func (d *draft) put(decl string) {
	switch d.r.IntN(3) {
	case 0:
		d.items += "  " + decl + "\n"
	case 1:
		d.file += decl + "\n"
	default:
		d.lib += decl + "\n"
	}
}

// claimed sets the property of the kind.
func (d *draft) claimed() {
	text := map[string][]string{
		"grows": {
			"from not finished every step gives seeds(STORE) >= old seeds(STORE)", "from not finished every step gives seeds(STORE) >= old seeds(STORE) and total(pit) = old total(pit)",
			"from STORE >= 0 every step gives total({STORE}) >= old total({STORE})",
		},
		"ends":  {"terminates"},
		"keeps": {"from not finished every step gives total(pit) = old total(pit)"},
		"total": {"invariant total(pit) = TOTAL", "invariant TOTAL = total(pit)"},
		"lost":  {"unreachable SR006", "invariant not SR006"},
	}[d.kind]
	d.property = strings.ReplaceAll(d.one(text...), "TOTAL", d.seeds())
}

// seeds is how many seeds there are, if each pit with a number has n.
func (d *draft) seeds() string {
	return map[string]string{"Kalah": "2 * m * n", "Solo": "m * n", "Four": "4 * m * n"}[d.base.name]
}

// laid sets a setup: of few seeds, so that a search gets far, but where it need not.
func (d *draft) laid() {
	few := []string{"south[1] = n, north[1] = n", "south[1] = n, north[1] = 1", "south[SIZE] = n, south[1] = n, north[1] = 1", "south[SIZE] = n, south[SIZE-1] = 1, north[1] = n"}
	all := "each house = n"
	if d.base == solo {
		few = []string{"FIRST = n", "FIRST = n, GROUP[SIZE] = 1", "GROUP[SIZE] = 1, GROUP[SIZE-1] = n"}
		all = "each cup = n"
	}
	if d.least < 2 {
		few = few[:len(few)-1]
	}
	d.setup = d.one(few...)
	if d.kind == "total" || d.r.IntN(12) == 0 {
		d.setup = all
	}
	if d.kind != "total" && d.r.IntN(2) == 0 {
		d.setup += d.one(", STORE = 1")
	}
}

// files writes the files of the draft.
func (d *draft) files() map[string]string {
	b, files := d.base, map[string]string{}
	params := fmt.Sprintf("  param %s = %d in %d..\n", b.size, max(3, d.least), 1) + "  param n = 2 in 0..\n" + d.params
	setup := "  setup { " + d.setup + " }\n"
	board := "  board {\n" + b.board + d.lines + "  }\n"
	head := params + b.player + board
	if d.shared != "" {
		decl := "board wood {\n" + b.board + d.lines + params + b.player + setup + "}\n"
		head, setup = "  board "+d.shared+"\n", ""
		if d.sharedLib {
			d.lib += decl
		} else {
			d.head += decl
		}
	}
	text := d.head + d.file + "variant " + b.name + " {\n" + head + d.state + d.items + setup +
		d.fill("  move"+d.label+d.when+" {\n    choose FROM in SET where FROM > 0\n"+d.choices+d.before+"    sow FROM along LAP"+b.skip+d.mods+"\n"+b.after) +
		d.body + "  }\n" + d.moves + d.endings + b.ends + d.score + "}\n" + d.tail
	if b == dose {
		text = d.head + d.file + d.dose() + d.tail
	}
	text += fmt.Sprintf("claim every { for all %s >= %d: %s%s }\nclaim one { %s }\n", b.size, d.least, d.property, d.clauses, d.property)
	if d.lib != "" {
		files["lib.sow"] = d.lib
		text = "import \"lib.sow\"\n" + text
	}
	files["game.sow"] = text
	return files
}

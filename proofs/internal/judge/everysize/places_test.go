package everysize_test

import (
	"fmt"
	"strings"
)

// relation asks for pits that face others.
func relation(d *draft) {
	switch d.r.IntN(5) {
	case 0:
		d.least, d.at = d.s, d.s
		d.body += d.harm(d.one("opposite(last) = north[NUM]", "opposite(south[NUM]) = last", "opposite(last) = south[NUM]"))
	case 1:
		d.body += d.harm(d.one("opposite(last) = north[SIZE]", "opposite(last) = north[1]", "(last in house and opposite(last) > 0)"))
	case 2: // the rows are equally long at one size
		if d.base == kalah {
			b := *kalah
			b.board = strings.Replace(b.board, "north[m..1]", fmt.Sprintf("north[%d..1]", d.s), 1)
			b.after = "    if last = my store { again }\n"
			d.base = &b
		}
		d.put(d.one("define opposite(p : pit) = p", "define opposite(p : pit) = south_store"))
		d.body += d.harm("opposite(last) = north[1]")
	case 3:
		if d.base == rows4 {
			d.body += d.harm(d.one("behind(last) = south[SIZE]", "behind(last) = south[2*SIZE]", "(last in house and seeds(behind(last)) > 0)", "index(behind(last)) > 2*NUM"))
			return
		}
		d.body += d.harm(d.one("index(opposite(last)) >= NUM"))
	default:
		d.lines += d.one("    facing twin south[i] = north[SIZE+1-i]\n", "    map twin south[i] = north[i]\n", "    map twin south[SIZE] = north_store\n", "    map twin south[i] = south[i-NUM]\n")
		d.body += d.harm(d.one("twin(last) = north[1]", "twin(last) = none", "twin(last) = north_store", "index(twin(last)) > NUM"))
	}
}

// manySeeds asks for more seeds than small boards have.
func manySeeds(d *draft) {
	d.setup = "each cup = n"
	d.before = "    require from = cup[1] or cup[1] = 0\n"
	d.before = strings.ReplaceAll(d.before, "from", d.from)
	d.choices += d.fill("    require each cup[1..m] >= 0\n")
	d.body += d.harm(d.one("home >= NUM - 1", "total(cup) + home >= NUM"))
}

// closedSet puts the size into a game of which a closed set shows that it cannot be won.
func closedSet(d *draft) {
	cond := d.one("n >= NUM", "index(selected) >= NUM", "seeds(hole[1]) > n + NUM", "total(hole[2..n]) = 0", "selected = hole[n]", "selected in hole[2..n-1]", "(number p in hole : p > 0) >= NUM", "hole[n] = 0", "n mod NUM = 0")
	switch d.r.IntN(6) {
	case 0:
		d.endings += "  win SR006 when " + d.one("total(hole) = 0 or ", "total(hole[1..n]) = 0 and ") + cond + "\n"
	case 1:
		d.endings += "  when " + cond + " and selected /= none { selected = hole[1] }\n"
	case 2:
		d.body += "    if " + strings.ReplaceAll(cond, "selected", "last") + " { selected = last }\n"
	case 3:
		d.moves += "  move more when selected = none and " + strings.ReplaceAll(cond, "selected", "hole[1]") + " { choose selected in hole }\n"
	case 4:
		d.property = "unreachable SR006 and " + d.static()
	default:
		d.property = "unreachable SR006 or SR005 and " + d.static()
	}
}

// notForEverySize claims what cannot be claimed of every size.
func notForEverySize(d *draft) {
	d.armed = false
	switch d.r.IntN(5) {
	case 0:
		d.clauses += d.one(" for board in file \"boards.csv\"")
		d.tail += ""
	case 1:
		d.tail += d.fill("strategy near = least index(FROM)\n")
		d.clauses += " following near"
	case 2:
		d.tail += "position aside where " + d.static() + "\n"
		d.clauses += " starting at aside"
	case 3:
		d.property = d.one("reachable finished", "never stuck", "terminates within NUM", "count(starts) = 1", "terminates within SIZE", "not terminates")
	default:
		d.clauses += d.one(" with n = SIZE", " for n in 1..SIZE", " with n = (1 if SIZE < NUM else 2)")
	}
}

// position asks for the size in the condition of a position that the claim names, also by way of a
// definition.
func position(d *draft) {
	where := func(cond string) string {
		if d.r.IntN(3) == 0 {
			d.put("define much = " + d.number())
			return strings.ReplaceAll(cond, "EXTRA", "much")
		}
		return strings.ReplaceAll(cond, "EXTRA", d.number())
	}
	of := d.one("", " of "+d.base.name)
	d.clauses = ""
	decl := d.one("total(pit) = TOTAL", "total(pit) = TOTAL + NUM - NUM", "TOTAL + SIZE - SIZE = total(pit)")
	d.property = d.one("invariant okay", "invariant okay", "invariant okay", "unreachable not okay", "invariant not not okay", "invariant total(pit) = TOTAL and okay", "from okay every step gives total(pit) = old total(pit)")
	if d.armed {
		decl = where(d.one("total(pit) = TOTAL + EXTRA", "TOTAL + EXTRA = total(pit)", "total(pit) = TOTAL - SIZE * EXTRA", "total(pit) = (TOTAL if EXTRA = 0 else 0)",
			"total(pit) = TOTAL and EXTRA = 0", "EXTRA = 0 and TOTAL = total(pit)"))
	}
	if strings.HasPrefix(d.property, "from") {
		d.armed = false // as the position only says from where
	}
	decl, d.property = strings.ReplaceAll(decl, "TOTAL", d.seeds()), strings.ReplaceAll(d.property, "TOTAL", d.seeds())
	if of == "" && d.r.IntN(2) == 0 {
		d.lib += "position okay where " + decl + "\n"
		if strings.Contains(decl, "much") {
			d.lib += d.file + d.items
			d.file, d.items = "", ""
		}
		return
	}
	d.tail += "position okay" + of + " where " + decl + "\n"
}

// outcome asks for the size in a position about how the game ends.
func outcome(d *draft) {
	cond := d.static()
	if !d.armed {
		cond = d.one("SR006", "SR006 and "+d.static())
	}
	if d.r.IntN(3) == 0 {
		d.put("define big = " + d.static())
		if d.armed {
			cond = "big"
		}
	}
	d.tail += "position bad of Dose where SR006 or (SR005 and " + cond + ")\n"
	d.property = d.one("unreachable bad", "invariant not bad")
}

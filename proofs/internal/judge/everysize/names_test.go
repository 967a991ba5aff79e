package everysize_test

import "fmt"

// shadowed gives a definition the name of a pit of larger boards, where it would mean the pit.
func shadowed(d *draft) {
	pit := d.pit(d.s)
	switch d.r.IntN(6) {
	case 0, 1:
		d.put("define " + pit + " = 0")
		d.body += d.harm(pit + " > 0")
	case 2:
		d.put("define " + pit + " = 0\n" + "define far = " + pit)
		d.body += d.harm("far > 0")
	case 3:
		d.put("define " + pit + " = 1")
		d.body += d.harm(pit + " /= 1")
	case 4:
		d.put("define " + pit + " = 2 < 1")
		d.body += d.harm(pit)
	default:
		d.put("define " + pit + d.one(" = STORE", " = none"))
		d.body += d.harm("(last in house and last = " + pit + ")")
	}
}

// shadowedOutcome does so in a game that is shown to be lost by a closed set.
func shadowedOutcome(d *draft) {
	d.s = 2*d.s + d.r.IntN(2)
	pit := d.pit(d.s)
	d.at = (d.s + 1) / 2
	d.put("define " + pit + " = 0")
	switch {
	case !d.armed:
		d.body += "    if last was empty and " + pit + " > 0 { lose SR005 }\n"
	case d.r.IntN(2) == 0:
		d.body += "    if last was empty and " + pit + " > 0 { lose lost }\n"
		d.property = d.one("unreachable SR006 or lost", "invariant not lost and not SR006")
	default:
		d.tail += "position bad of Dose where SR006 or (SR005 and " + pit + " > 0)\n"
		d.property = "unreachable bad"
	}
}

// noGame declares something by the name of a pit that larger boards have, so that there is no game
// with such a board.
func noGame(d *draft) {
	pit := d.pit(d.s)
	switch d.r.IntN(9) {
	case 0:
		d.from = pit
	case 1:
		d.state += "  state " + pit + d.one(" : bool = false\n", " : 0..3 = 0\n", " : GROUP = none\n")
	case 2:
		d.lines += "    " + d.one("ring ", "line ") + pit + d.one(" = GROUP[1..SIZE]\n", " = GROUP[SIZE..1], STORE\n")
	case 3:
		d.put("procedure " + pit + " { }")
		d.body += "    " + pit + "()\n"
	case 4:
		d.lines += "    group " + pit + d.one(" = STORE\n", " = GROUP[1..SIZE]\n")
	case 5:
		d.body += "    let " + pit + d.one(" = 0\n", " = last\n")
	case 6:
		d.params += "  param " + pit + " = 0 in 0..\n"
	case 7:
		d.put("procedure reap(" + pit + " : number) { }")
		d.body += "    reap(1)\n"
	default:
		d.choices += "    choose " + pit + " in {0, 1}\n"
	}
	if d.kind == "ends" || d.kind == "grows" || !d.armed {
		return
	}
	d.claimed()
}

// named gives the name of a pit of larger boards to what is not among the names of pits, or is
// bound inside of something.
func named(d *draft) {
	pit := d.pit(d.s)
	d.armed = d.armed && (d.kind == "grows" || d.kind == "ends")
	harm := func(cond string) {
		if d.kind == "grows" || d.kind == "ends" {
			d.body += d.harm(cond)
		}
	}
	switch d.r.IntN(12) {
	case 0:
		d.label = " " + pit
	case 1:
		d.endings += d.fill("  end " + pit + " when total(GROUP) = 0\n")
		d.base = withEnds(d.base, "")
		if d.r.IntN(2) == 0 {
			d.property = d.one("invariant not "+pit+" or total(GROUP) = 0", "unreachable "+pit)
		}
	case 2:
		d.state += "  state phase : {" + pit + ", other} = other\n"
		harm("phase = " + pit)
	case 3:
		harm(fmt.Sprintf("(some %s in %s : seeds(%s) > 100)", pit, d.base.group, pit))
	case 4:
		harm(fmt.Sprintf("total({%s in %s where seeds(%s) > 100}) > 0", pit, d.base.group, pit))
	case 5:
		d.put("define twice(" + pit + " : number) = " + pit + " + " + pit)
		harm("twice(0) > 0")
	case 6:
		d.body += "    for " + pit + " in 1..2 { if " + pit + " = 3 { capture last into " + d.base.mine + " } }\n"
	case 7:
		d.tail += "strategy " + pit + " = least 1\n"
	case 8:
		d.tail += "position " + pit + " where total(pit) >= 0\n"
		d.property = d.one("invariant "+pit, "unreachable not "+pit, "from "+pit+" every step gives total(pit) = old total(pit)")
	case 9:
		d.head += "board " + pit + " {\n    left | a[1..3] | right\n}\n"
	case 10:
		d.tail += "claim " + pit + " { terminates }\n"
	default:
		d.choices += "    choose dir in { " + d.base.lap + " as " + pit + " \"" + pit + "\" }\n"
	}
}

// withEnds is a base with other endings.
func withEnds(b *base, ends string) *base {
	c := *b
	c.ends = ends
	return &c
}

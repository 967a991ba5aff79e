package gen

import (
	"fmt"
	"slices"
	"strings"
)

func (w *writer) drawPlayers(v *variant) {
	one, two, three := []string{"South"}, []string{"South", "North"}, []string{"South", "East", "North"}
	type names = share[[]string]
	v.players = pick(w.chance, names{50, nil}, names{2, one}, names{36, two}, names{12, three})
	switch {
	case w.theme == contested && !w.percent(10):
		v.players = two
	case w.theme == ordered:
		v.players = pick(w.chance, names{65, two}, names{35, three})
	}
}

// drawParams draws parameters, each for one use.
func (w *writer) drawParams(v *variant) {
	switch {
	case w.slow:
		v.params = append(v.params, param{name: "n", role: ofSetup, lo: 1, hi: 3, ranged: true, text: "param n = 1 in 1..3"})
	case w.theme == startless || w.theme == curving || w.percent(45):
		v.params = append(v.params, w.param("n", ofSetup, max(v.seeds, 1)))
	}
	if w.percent(20) {
		v.params = append(v.params, w.param("lim", ofRules, w.between(1, 3)))
	}
	if w.percent(35) {
		v.params = append(v.params, w.param("k", ofClaims, w.between(0, 3)))
	}
	if w.percent(15) {
		v.params = append(v.params, param{name: "sw", role: asSwitch, text: "param sw = " + w.one("true", "false")})
	}
	if w.huge > 0 && w.percent(60) {
		v.params = append(v.params, w.hugeParam())
	}
}

func (w *writer) param(name string, r role, value int) param {
	p := param{name: name, role: r, lo: w.between(max(value-2, -1), value), hi: value + w.n(3)}
	if r == ofSetup {
		p.lo = max(p.lo, 0)
	}
	p.text = params.draw(w, aParam{&p, value})
	return p
}

// aParam is a parameter of which the range is drawn.
type aParam struct {
	*param
	value int
}

var params *table[aParam]

func init() {
	// leftOpen is a weight that differs where claims are to leave parameters of the setup open.
	leftOpen := func(usual, leftOpen int) func(*writer, aParam) int {
		return func(w *writer, p aParam) int {
			if p.role == ofSetup && (w.theme == startless || w.theme == curving) {
				return leftOpen
			}
			return usual
		}
	}
	params = newTable("parameter",
		production[aParam]{name: "without range", vary: leftOpen(20, 0), write: func(_ *writer, p aParam) string {
			p.lo = max(p.lo, 0)
			return fmt.Sprintf("param %s = %d", p.name, p.value)
		}},
		production[aParam]{name: "range", vary: leftOpen(60, 4), write: func(_ *writer, p aParam) string {
			p.ranged = true
			return fmt.Sprintf("param %s = %d in %d..%d", p.name, p.value, p.lo, p.hi)
		}},
		production[aParam]{name: "conditional", weight: 6, write: func(w *writer, p aParam) string {
			p.ranged = true
			value := w.one(fmt.Sprintf("%d if 1 < 2 else %d", p.value, p.hi), fmt.Sprintf("%d if not true else %d", p.lo, p.value))
			return fmt.Sprintf("param %s = %s in %d..%d", p.name, value, p.lo, p.hi)
		}},
		production[aParam]{name: "open range", vary: leftOpen(20, 1), write: func(_ *writer, p aParam) string {
			p.ranged, p.open = true, true
			return fmt.Sprintf("param %s = %d in %d..", p.name, p.value, p.lo)
		}},
	)
}

func (w *writer) hugeParam() param {
	p := param{name: "big", role: of(w.chance, []role{ofRules, ofRules, ofClaims, ofSetup}), huge: true}
	big := w.bigNumber()
	alone := 60
	if strings.HasPrefix(big, "(0-") {
		alone = 0
	}
	p.text = pick(w.chance, share[string]{alone, "param big = " + big}, share[string]{20, "param big = " + big + " in 1.."},
		share[string]{20, fmt.Sprintf("param big = %s in %s..%s", big, big, big+"+2")})
	p.ranged, p.open = strings.Contains(p.text, ".."), strings.HasSuffix(p.text, "..")
	return p
}

// rows are the stretches that a board is made of.
type stretch struct {
	name   string
	size   int // 0: a pit without brackets
	padded bool
	sized  string // the parameter that is its size
	down   bool   // it is drawn from the last pit to the first
}

func (w *writer) stretches(v *variant) []stretch {
	list := []stretch{{name: "a", size: w.between(1, 4)}}
	if w.percent(8) {
		list[0].size = w.between(2, 3)
		list[0].sized = "m"
		hi := list[0].size + w.n(2)
		v.params = append(v.params, param{
			name: "m", role: ofBoard, ranged: true, lo: list[0].size, hi: hi,
			text: fmt.Sprintf("param m = %d in %d..%d", list[0].size, list[0].size, hi),
		})
	}
	switch {
	case len(v.players) > 2 && w.percent(60): // so that each of them may own some
		list = append(list, stretch{name: "b", size: w.between(1, 2)}, stretch{name: "c", size: w.between(1, 2)})
	case w.percent(45):
		list = append(list, stretch{name: "b", size: w.between(1, 3), padded: w.percent(12)})
	}
	stores := w.weighted(35, 40, 25)
	if w.theme == likened {
		stores = 2
	}
	for _, name := range []string{"z", "h"}[:stores] {
		list = append(list, stretch{name: name})
	}
	if !v.solitaire() && len(list) == 1 {
		list = append(list, stretch{name: "b", size: w.between(1, 2)})
	}
	return list
}

// drawBoard draws the picture, the laps and what else stands on the board.
func (w *writer) drawBoard(v *variant) {
	var lines []string
	if w.theme != likened && len(v.players) < 3 && w.percent(35) {
		lines = w.rows(v)
	} else {
		lines = w.strewn(v)
	}
	v.findEnds(lines)
	w.groups(v, &lines)
	if len(v.picture) == 2 && w.percent(50) || len(v.picture) > 2 && w.percent(80) {
		w.follow(v)
	}
	if len(v.laps) == 0 || w.percent(20) {
		w.laps(v, &lines)
	}
	w.owners(v, &lines)
	w.relations(v, &lines)
	w.overall(v)
	v.board = "board {\n" + strings.Join(lines, "\n") + "\n}"
	if w.percent(22) {
		v.shared = "board_" + strings.ToLower(v.name)
		v.lends = lending{w.percent(50), w.percent(50), w.percent(50)}
	}
}

// strewn is a picture of stretches in any places.
func (w *writer) strewn(v *variant) []string {
	row := "  "
	var rows []string
	v.picture = [][]int{nil}
	for i, s := range w.stretches(v) {
		if i > 0 {
			switch pick(w.chance, share[string]{40, "part"}, share[string]{40, "row"}, share[string]{20, "beside"}) {
			case "part":
				row += " | "
			case "row":
				rows = append(rows, row)
				row = "  " + w.one("", "", "| ")
				v.picture = append(v.picture, nil)
			default:
				row += " "
			}
		}
		row += w.stretch(v, s)
		v.inRow(s)
	}
	v.dropEmptyRows()
	return append(rows, row)
}

// findEnds finds the pits without numbers at the ends of rows that have pits with numbers.
func (v *variant) findEnds(lines []string) {
	for _, line := range lines {
		parts := strings.Split(line, "|")
		if len(parts) == 1 || !strings.Contains(line, "[") {
			continue
		}
		for _, name := range strings.Fields(parts[0] + " " + parts[len(parts)-1]) {
			if g := v.group(name); g != nil && !g.row {
				v.ends = append(v.ends, g.pits...)
			}
		}
	}
}

// inRow adds the pits of the latest stretch to the row in hand.
func (v *variant) inRow(s stretch) {
	if s.size > 0 {
		at := len(v.picture) - 1
		v.picture[at] = append(v.picture[at], v.groups[len(v.groups)-1].pits...)
	}
}

func (v *variant) dropEmptyRows() {
	v.picture = slices.DeleteFunc(v.picture, func(row []int) bool { return len(row) == 0 })
}

// rows is a picture of several rows with stores, from which laps and more follow. The upper ones
// are North's.
func (w *writer) rows(v *variant) []string {
	m := w.between(1, 3)
	sized := ""
	names := []string{"north", "south"}
	switch {
	case w.percent(30):
		names, m = []string{"north_b", "north_a", "south_a", "south_b"}, w.between(1, 2)
	case w.percent(12):
		names, m = []string{"north_c", "north_b", "north_a", "south_a", "south_b", "south_c"}, w.between(1, 2)
	case w.percent(8):
		names, m = []string{"north", "south_a", "south_b"}, w.between(1, 3)
	}
	if w.percent(20) {
		sized = "m"
		m = max(m, 2)
		hi := m + w.n(2)
		text := fmt.Sprintf("param m = %d in %d..%d", m, m, hi)
		if w.percent(50) {
			text = fmt.Sprintf("param m = %d", m)
		}
		v.params = append(v.params, param{name: "m", role: ofBoard, ranged: true, lo: m, hi: hi, text: text})
	}
	stores := w.percent(60)
	var lines []string
	for i, name := range names {
		v.picture = append(v.picture, nil)
		s := stretch{name: name, size: m, sized: sized, down: i < len(names)/2}
		if sized == "" && w.percent(12) {
			s.size++
		}
		line := "  "
		if stores && i == 0 && w.percent(80) {
			line += w.stretch(v, stretch{name: "north_store"}) + " "
		}
		if stores {
			line += "| "
		}
		line += w.stretch(v, s)
		v.inRow(s)
		if stores {
			line += " |"
		}
		if stores && i == len(names)-1 && w.percent(80) {
			line += " " + w.stretch(v, stretch{name: "south_store"})
		}
		lines = append(lines, line)
	}
	return lines
}

// follow adds the laps and relations that follow from the picture, as far as they are worth while.
func (w *writer) follow(v *variant) {
	turned := func(list []int) []int {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}
	add := func(suffix string, of int, pits []int) {
		for _, i := range pits {
			v.pits[i].onLap = true
		}
		v.laps = append(v.laps, lap{name: "ccw" + suffix, ring: true, of: of, pits: pits})
		if w.percent(60) {
			v.laps = append(v.laps, lap{name: "cw" + suffix, ring: true, of: of, pits: turned(pits)})
		}
	}
	rows := v.picture
	switch {
	case len(rows) == 2:
		round := slices.Concat(rows[1], turned(rows[0]))
		if len(v.ends) > 0 && w.percent(50) {
			add("_with_stores", -1, slices.Concat(round, v.ends))
		} else {
			add("", -1, round)
		}
		if len(rows[0]) == len(rows[1]) {
			v.relations = append(v.relations, "opposite")
		}
	case len(v.players) == 2 && v.group("south_b") != nil:
		for p, name := range []string{"South", "North"} {
			if v.players[p] != name {
				return
			}
		}
		middle := len(rows) / 2
		add("", 0, slices.Concat(rows[middle:]...)) // in which order does not matter here
		add("", 1, slices.Concat(rows[:middle]...))
		if !slices.ContainsFunc(rows, func(r []int) bool { return len(r) != len(rows[0]) }) {
			v.relations = append(v.relations, "opposite", "behind")
		}
	}
}

// overall adds the groups that are there on every board.
func (w *writer) overall(v *variant) {
	house, store := group{name: "house", over: true}, group{name: "store", over: true}
	for i, p := range v.pits {
		if p.index > 0 {
			house.pits = append(house.pits, i)
		} else {
			store.pits = append(store.pits, i)
		}
	}
	for _, g := range []group{house, store} {
		if v.group(g.name) == nil && len(g.pits) > 0 {
			g.owned = w.ownedByAll(v, g.pits)
			v.groups = append(v.groups, g)
		}
	}
}

// stretch declares pits and returns how they are drawn.
func (w *writer) stretch(v *variant, s stretch) string {
	g := group{name: s.name, row: s.size > 0, sized: s.sized != ""}
	if s.size == 0 {
		v.pits = append(v.pits, pit{name: s.name, group: s.name, owner: -1})
		g.pits = []int{len(v.pits) - 1}
		v.groups = append(v.groups, g)
		return s.name
	}
	from, to, step := 1, s.size, 1
	if s.down || w.percent(25) && s.sized == "" && v.picture != nil {
		from, to, step = s.size, 1, -1
	}
	for i := from; i != to+step; i += step {
		name := fmt.Sprintf("%s%d", s.name, i)
		if s.padded {
			name = fmt.Sprintf("%s%02d", s.name, i)
		}
		v.pits = append(v.pits, pit{name: name, group: s.name, index: i, owner: -1})
		g.pits = append(g.pits, len(v.pits)-1)
	}
	v.groups = append(v.groups, g)
	switch {
	case s.sized != "" && s.down:
		return fmt.Sprintf("%s[%s..1]", s.name, s.sized)
	case s.sized != "":
		return fmt.Sprintf("%s[1..%s]", s.name, s.sized)
	case s.padded:
		return fmt.Sprintf("%s[%02d..%02d]", s.name, from, to)
	case s.size == 1 && w.percent(60):
		return s.name + "[1]"
	}
	return fmt.Sprintf("%s[%d..%d]", s.name, from, to)
}

// groups draws named groups over the pits.
func (w *writer) groups(v *variant, lines *[]string) {
	if !w.percent(40) {
		return
	}
	name := w.one("house", "row")
	g := group{name: name, over: true}
	var sets []string
	switch {
	case len(v.groups) > 1 && w.percent(70):
		for _, i := range w.Perm(len(v.groups))[:2] {
			sets = append(sets, v.groups[i].name)
			g.pits = append(g.pits, v.groups[i].pits...)
		}
		if w.percent(30) {
			sets = []string{strings.Join(sets, " + ")}
		}
	default:
		for _, i := range w.Perm(len(v.pits))[:1+w.n(len(v.pits))] {
			sets = append(sets, v.pits[i].name)
			g.pits = append(g.pits, i)
		}
	}
	v.groups = append(v.groups, g)
	*lines = append(*lines, fmt.Sprintf("  group %s = %s", name, strings.Join(sets, ", ")))
}

// laps draws one to three laps. Not every pit need be on one.
func (w *writer) laps(v *variant, lines *[]string) {
	if !v.solitaire() && (w.percent(30) || w.theme == ordered && w.percent(50)) {
		w.lapsOfPlayers(v, lines)
		return
	}
	w.lap(v, "lap", -1, lines)
	if w.percent(35) {
		l := v.laps[0]
		back := lap{name: "back", ring: l.ring, of: -1}
		kind := w.one("ring", "line")
		back.ring = kind == "ring"
		for i := range l.pits {
			back.pits = append(back.pits, l.pits[len(l.pits)-1-i])
		}
		v.laps = append(v.laps, back)
		*lines = append(*lines, fmt.Sprintf("  %s back = reverse lap", kind))
	} else if w.percent(20) {
		w.lap(v, "other", -1, lines)
	}
}

func (w *writer) lapsOfPlayers(v *variant, lines *[]string) {
	for p := range v.players {
		w.lap(v, "lap", p, lines)
	}
	if w.percent(30) {
		for p := range v.players {
			of := v.laps[p]
			back := lap{name: "back", ring: true, of: p}
			for i := range of.pits {
				back.pits = append(back.pits, of.pits[len(of.pits)-1-i])
			}
			v.laps = append(v.laps, back)
			*lines = append(*lines, fmt.Sprintf("  ring back of %s = reverse lap", v.players[p]))
		}
	} else if w.percent(30) {
		w.lap(v, "whole", -1, lines)
	}
}

// lap draws a lap over all pits, or some of them.
func (w *writer) lap(v *variant, name string, player int, lines *[]string) {
	l := lap{name: name, ring: !w.percent(30), of: player}
	var stops []string
	order := w.Perm(len(v.groups))
	if w.percent(70) {
		order = order[:0]
		for i := range v.groups {
			order = append(order, i)
		}
	}
	seen := map[int]bool{}
	for _, i := range order {
		g := v.groups[i]
		if g.over || w.percent(20) && len(stops) > 0 || w.percent(12) {
			continue
		}
		if w.theme == likened && !g.row && w.percent(90) {
			continue
		}
		stops = append(stops, w.stop(v, g, &l, seen))
	}
	if len(stops) == 0 {
		stops = append(stops, w.stop(v, v.groups[0], &l, seen))
	}
	v.laps = append(v.laps, l)
	whose := ""
	if player >= 0 {
		whose = " of " + v.players[player]
	}
	kind := "line"
	if l.ring {
		kind = "ring"
	}
	*lines = append(*lines, fmt.Sprintf("  %s %s%s = %s", kind, name, whose, strings.Join(stops, ", ")))
}

// stop puts a group on a lap, in its order, or the other way round.
func (w *writer) stop(v *variant, g group, l *lap, seen map[int]bool) string {
	n := len(g.pits)
	add := func(i int) {
		l.pits = append(l.pits, i)
		v.pits[i].onLap = true
		seen[i] = true
	}
	lo, hi := 1, n
	if g.sized || !g.row || w.percent(40) {
		for _, i := range g.pits {
			add(i)
		}
		return g.name
	}
	if w.percent(15) && n > 1 {
		hi--
	}
	at := map[int]int{}
	for _, i := range g.pits {
		at[v.pits[i].index] = i
	}
	if w.percent(40) {
		for i := hi; i >= lo; i-- {
			add(at[i])
		}
		return fmt.Sprintf("%s[%d..%d]", g.name, hi, lo)
	}
	for i := lo; i <= hi; i++ {
		add(at[i])
	}
	if lo == hi {
		return fmt.Sprintf("%s[%d]", g.name, lo)
	}
	return fmt.Sprintf("%s[%d..%d]", g.name, lo, hi)
}

// owners gives pits to players.
func (w *writer) owners(v *variant, lines *[]string) {
	if v.solitaire() {
		return
	}
	if w.percent(15) || v.byName() && w.percent(85) {
		w.ownersByName(v)
		return
	}
	sets := make([][]string, len(v.players))
	turn := w.n(len(v.players))
	for _, g := range v.groups {
		if g.over || w.percent(10) {
			continue
		}
		if len(g.pits) > 1 && w.percent(35) && len(v.paramsOf(ofBoard)) == 0 {
			for _, i := range g.pits {
				p := turn % len(v.players)
				sets[p] = append(sets[p], v.pits[i].name)
				v.pits[i].owner = p
				turn++
			}
			continue
		}
		p := turn % len(v.players)
		sets[p] = append(sets[p], g.name)
		for _, i := range g.pits {
			v.pits[i].owner = p
		}
		turn++
	}
	for p, list := range sets {
		if len(list) > 0 {
			*lines = append(*lines, fmt.Sprintf("  owner %s = %s", v.players[p], strings.Join(list, ", ")))
		}
	}
	for i := range v.groups {
		v.groups[i].owned = w.ownedByAll(v, v.groups[i].pits)
	}
}

// byName reports whether the names of pits say whose they are.
func (v *variant) byName() bool { return v.group("south_a") != nil || v.group("south") != nil }

// ownersByName leaves it to the names of pits whose they are.
func (w *writer) ownersByName(v *variant) {
	for i, p := range v.pits {
		for k, name := range v.players {
			if strings.HasPrefix(p.name, strings.ToLower(name)) {
				v.pits[i].owner = k
			}
		}
	}
	for i := range v.groups {
		v.groups[i].owned = w.ownedByAll(v, v.groups[i].pits)
	}
}

func (w *writer) ownedByAll(v *variant, pits []int) bool {
	if v.solitaire() {
		return false
	}
	has := map[int]bool{}
	for _, i := range pits {
		has[v.pits[i].owner] = true
	}
	delete(has, -1)
	return len(has) == len(v.players)
}

// relations draws facing pits, and pits that lead to others.
func (w *writer) relations(v *variant, lines *[]string) {
	if w.percent(30) {
		w.facing(v, lines)
	}
	if w.percent(15) {
		p, q := of(w.chance, v.pits), of(w.chance, v.pits)
		name := w.one("home", "home", "twin")
		line := fmt.Sprintf("  map %s %s = %s", name, w.side(p), w.side(q))
		if w.percent(30) {
			line = fmt.Sprintf("  facing %s %s = %s", name, w.side(p), w.side(q))
		}
		v.relations = append(v.relations, name)
		*lines = append(*lines, line)
	}
}

// side is a pit on one side of such a line.
func (w *writer) side(p pit) string {
	if p.index > 0 {
		return fmt.Sprintf("%s[%d]", p.group, p.index)
	}
	return p.name
}

func (w *writer) facing(v *variant, lines *[]string) {
	a, b := v.main(), v.group("b")
	n := len(a.pits)
	name := w.one("opposite", "opposite", "face")
	v.relations = append(v.relations, name)
	to := ""
	switch {
	case b != nil && w.percent(70):
		to = fmt.Sprintf("b[%s]", w.one("i", fmt.Sprintf("%d-i", n+1)))
	case n == 1 && v.group("z") != nil:
		to = "z"
	default:
		to = fmt.Sprintf("%s[%d-i]", a.name, n+1)
	}
	word := "facing"
	if w.percent(25) {
		word = "map"
		if p := of(w.chance, v.pits); p.index == 0 {
			to = p.name
		}
	}
	if word == "map" && strings.HasPrefix(to, a.name) && w.percent(20) {
		to = fmt.Sprintf("%s[i]", a.name)
	}
	*lines = append(*lines, fmt.Sprintf("  %s %s %s[i] = %s", word, name, a.name, to))
}

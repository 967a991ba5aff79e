package gen

import (
	"fmt"
	"slices"
	"strings"
)

// kind is the type of a value.
type kind int

const (
	number kind = iota
	truth
	pitKind
	playerKind
	enumKind
	lapKind
	setKind
)

// variant is what is known of a variant while it is written, and its parts as text.
type variant struct {
	name      string
	players   []string // empty: a solitaire
	params    []param
	pits      []pit
	groups    []group
	laps      []lap
	vars      []stateVar
	picture   [][]int // the rows that have pits with numbers
	ends      []int   // pits without numbers at the ends of rows
	relations []string
	shared    string // the name of its board if that stands outside
	lends     lending
	lender    *variant // the first variant with that board
	defs      []definition
	procs     []procedure
	goes      bool // some move goes on
	fixed     bool // nothing is sown: there may be any number of seeds
	free      bool // no prefer: strategies can be followed
	board     string
	setup     string
	states    []string
	moves     []*move
	endings   []string
	score     string
	results   []string // labels of outcomes, as claims write them
	seeds     int      // about so many are in play
}

// role is where a parameter is read, which decides whether claims may leave it open.
type role int

const (
	ofBoard role = iota
	ofSetup
	ofRules
	ofClaims
	asSwitch
)

type param struct {
	name   string
	role   role
	lo, hi int
	open   bool // no upper end
	huge   bool
	ranged bool
	text   string
}

// pit is a pit's name, and how it can be written.
type pit struct {
	name  string
	group string
	index int // 0: without brackets
	owner int // a player, or -1
	onLap bool
}

type group struct {
	name  string
	pits  []int
	owned bool // each player has some of them
	row   bool // drawn with numbers in brackets
	sized bool // by a parameter
	over  bool // its pits belong to other groups
}

type lap struct {
	name string
	ring bool
	of   int // a player, or -1
	pits []int
}

type stateVar struct {
	name   string
	kind   kind
	lo, hi int
	names  []string // of an enumeration
	group  string   // of a pit variable
	each   string   // a group, player, or nothing
	huge   string   // the text of its lower end, if that is huge
	nobody bool     // of a player: it may be none
}

func (v *variant) solitaire() bool { return len(v.players) < 2 }

// lending is what a shared board has beside what is drawn.
type lending struct{ params, players, setup bool }

// lent reports whether a variant has a parameter from its shared board.
func (v *variant) lent(p param) bool {
	return v.lender != nil && v.lender.lends.params && slices.Contains(v.lender.params, p)
}

// outside is the declaration of a board that variants share.
func (v *variant) outside() string {
	lines := strings.Split(strings.Replace(v.board, "board", "board "+v.shared, 1), "\n")
	out := slices.Clone(lines[:len(lines)-1])
	if v.lends.params {
		for _, p := range v.params {
			out = append(out, "  "+p.text)
		}
	}
	if v.lends.players && len(v.players) > 0 {
		out = append(out, "  player "+strings.Join(v.players, ", "))
	}
	if v.lends.setup {
		out = append(out, "  "+strings.ReplaceAll(v.setup, "\n", "\n  "))
	}
	return strings.Join(append(out, "}"), "\n")
}

// text is the declaration.
func (v *variant) text(c chance) string {
	var b strings.Builder
	if c.percent(15) {
		fmt.Fprintf(&b, "// Variant %s, as drawn.\n", v.name)
	}
	fmt.Fprintf(&b, "variant %s %s{\n", v.name, c.one("", "", "\"A game\" "))
	line := func(text string) {
		if text == "" {
			return
		}
		if c.percent(4) {
			b.WriteString("  // As the rules say.\n")
		}
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(text, "\n", "\n  "))
	}
	var with []string
	for _, p := range v.params {
		if !v.lent(p) || c.percent(10) {
			line(p.text)
		} else if p.ranged && !p.huge && c.percent(60) {
			with = append(with, fmt.Sprintf("%s = %d", p.name, c.between(p.lo, p.hi)))
		}
	}
	if len(v.players) > 0 && (v.lender == nil || !v.lender.lends.players || !slices.Equal(v.players, v.lender.players)) {
		line("player " + strings.Join(v.players, ", "))
	}
	switch {
	case v.shared == "":
		line(v.board)
	case len(with) > 0:
		line("board " + v.shared + " with " + strings.Join(with, ", "))
	default:
		line("board " + v.shared)
	}
	for _, s := range v.states {
		line(s)
	}
	for _, d := range v.defs {
		if !d.outside {
			line(d.text)
		}
	}
	for _, p := range v.procs {
		if !p.outside {
			line(p.text)
		}
	}
	if v.lender == nil || !v.lender.lends.setup || v.setup != v.lender.setup {
		line(v.setup)
	}
	for _, m := range v.moves {
		line(m.text(c))
	}
	for _, e := range v.endings {
		line(e)
	}
	line(v.score)
	b.WriteString("}\n")
	return b.String()
}

// variant draws a whole variant.
func (w *writer) variant(name string) *variant {
	v := &variant{name: name, free: w.percent(75), fixed: w.theme == vast && w.percent(60) || w.huge > 0 && w.percent(40)}
	v.seeds = w.weighted(1, 4, 10, 12, 8, 5, 3)
	w.drawPlayers(v)
	w.drawParams(v)
	w.drawBoard(v)
	w.drawStates(v)
	w.define(v)
	w.drawProcedures(v)
	w.drawSetup(v)
	for i := range 1 + w.weighted(55, 30, 15) {
		v.moves = append(v.moves, w.move(v, i))
	}
	if w.theme == faulty || w.risk > 0 && w.percent(30) {
		v.moves = append(v.moves, w.faulty(v))
	}
	if w.percent(14) {
		v.moves = append(v.moves, w.pass(v))
	}
	w.drawEndings(v)
	w.drawScore(v)
	return v
}

// param finds a parameter by its role.
func (v *variant) paramsOf(roles ...role) []param {
	var out []param
	for _, p := range v.params {
		for _, r := range roles {
			if p.role == r {
				out = append(out, p)
			}
		}
	}
	return out
}

func (v *variant) group(name string) *group {
	for i := range v.groups {
		if v.groups[i].name == name {
			return &v.groups[i]
		}
	}
	return nil
}

// main is the first group that is drawn with numbers.
func (v *variant) main() *group {
	for i := range v.groups {
		if v.groups[i].row {
			return &v.groups[i]
		}
	}
	return nil
}

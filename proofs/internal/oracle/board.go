package oracle

import (
	"fmt"
	"sort"

	"github.com/mancheck/mancheck/dsl/ast"
)

// game is a variant with values for its parameters, ready to be played.
type game struct {
	*budget
	lim       Limits
	file      *file
	variant   *ast.Variant
	params    map[string]value
	open      map[string]bool // parameters that the claim quantifies over: only the setup and the claim may read them
	following *ast.Strategy   // nil: all legal moves
	begin     *ast.Position   // nil: the setup

	players     []string
	first       int // the player who begins
	pits        []pit
	picture     [][][]int // rows, parts, pits
	groups      map[string][]int
	laps        []*lap
	opposite    []int
	decls       map[string]*decl // state variables
	slots       []slot
	enums       map[string]bool // the names of their values
	outcomes    []outcome
	faults      bool // some action met a fault
	startFaults bool // so did some start, which is none then
}

// pit is one pit. index is the number in its brackets, and 0 without brackets.
type pit struct {
	name, group string
	index       int
	bracketed   bool
	owner       int
}

// lap is a way round the board, for one player or (owner is none) for all.
type lap struct {
	name  string
	ring  bool
	owner int
	pits  []int
}

// step is the pit so many places on (or, negative, back) from p, or none.
func (l *lap) step(p, by int) int {
	for i, q := range l.pits {
		if q != p {
			continue
		}
		i += by
		if l.ring {
			i = (i + len(l.pits)) % len(l.pits)
		}
		if i >= 0 && i < len(l.pits) {
			return l.pits[i]
		}
	}
	return none
}

// outcome is a way for the game to end.
type outcome struct {
	label string
	kind  ast.EndingKind
}

// endless is the kind of the outcome of a loop that never ends.
const endless ast.EndingKind = -1

// newGame reads all of a variant but its moves and endings, which play reads. It panics with a
// mistake.
func (f *file) newGame(v *ast.Variant, s settings, b *budget, lim Limits) *game {
	g := &game{
		budget: b, lim: lim, file: f, variant: v, open: s.open, following: s.following, begin: s.begin,
		params: map[string]value{}, groups: map[string][]int{}, decls: map[string]*decl{}, enums: map[string]bool{},
	}
	g.readParams(s.values)
	for _, p := range items[*ast.Players](v) {
		for _, name := range p.Names {
			g.players = append(g.players, name.Name)
		}
	}
	if len(g.players) == 0 {
		g.players = []string{""}
	}
	g.readBoard()
	g.readVars()
	g.readOutcomes()
	if len(items[*ast.Setup](v)) != 1 {
		wrongf("a variant has one setup")
	}
	if len(items[*ast.Move](v)) == 0 {
		wrongf("a variant has moves")
	}
	return g
}

// items lists the items of a variant that are of one kind.
func items[T ast.Item](v *ast.Variant) []T {
	var out []T
	for _, item := range v.Items {
		if x, ok := item.(T); ok {
			out = append(out, x)
		}
	}
	return out
}

func (g *game) readParams(given map[string]value) {
	for _, p := range items[*ast.Param](g.variant) {
		e := g.scope(inDeclaration)
		v := e.expr(p.Default)
		if v.kind != boolKind {
			v = number(e.asInt(v))
		}
		if w, ok := given[p.Name.Name]; ok {
			if w.kind != v.kind {
				wrongf("parameter %s takes %s", p.Name.Name, kindNames[v.kind])
			}
			v = w
		}
		// A default may stand out of range where an earlier parameter was set; only a value that is
		// used must be in it.
		if p.HasRange {
			if lo := e.int(p.Lo); v.n.cmp(lo) < 0 {
				wrongf("%s = %v is out of range", p.Name.Name, v.n)
			}
			if p.Hi != nil && v.n.cmp(e.int(p.Hi)) > 0 {
				wrongf("%s = %v is out of range", p.Name.Name, v.n)
			}
		}
		g.params[p.Name.Name] = v
	}
}

func (g *game) readBoard() {
	boards := items[*ast.Board](g.variant)
	if len(boards) != 1 {
		wrongf("a variant has one board")
	}
	b := boards[0]
	g.drawPits(b)
	all := make([]int, len(g.pits))
	g.opposite = make([]int, len(g.pits))
	for p := range g.pits {
		all[p], g.opposite[p] = p, none
	}
	g.groups["pit"] = all
	for _, line := range b.Lines {
		switch l := line.(type) {
		case *ast.Lap:
			g.readLap(l)
		case *ast.Group:
			g.groups[l.Name.Name] = g.fixedPits(l.Sets)
		case *ast.Owner:
			player := g.player(l.Player.Name)
			for _, p := range g.fixedPits(l.Sets) {
				g.pits[p].owner = player
			}
		case *ast.Facing:
			g.readOpposite(l)
		}
	}
}

// drawPits declares the pits as they are drawn, and a group for each name, in the order of its
// numbers.
func (g *game) drawPits(b *ast.Board) {
	width := map[string]int{}
	for _, row := range b.Rows() {
		for _, part := range row.Parts {
			for _, pr := range part {
				if width[pr.Group.Name] == 0 {
					width[pr.Group.Name] = pr.Width()
				}
			}
		}
	}
	for _, row := range b.Rows() {
		parts := [][]int{}
		for _, part := range row.Parts {
			drawn := []int{}
			for _, pr := range part {
				for _, i := range g.indices(pr.From, pr.To) {
					name := pr.Group.Name
					if pr.From != nil {
						name = fmt.Sprintf("%s%0*d", name, width[name], i)
					}
					drawn = append(drawn, len(g.pits))
					g.pits = append(g.pits, pit{name: name, group: pr.Group.Name, index: i, bracketed: pr.From != nil, owner: none})
				}
			}
			parts = append(parts, drawn)
		}
		g.picture = append(g.picture, parts)
	}
	for p, x := range g.pits {
		g.groups[x.group] = append(g.groups[x.group], p)
	}
	for _, list := range g.groups {
		sort.SliceStable(list, func(i, j int) bool { return g.pits[list[i]].index < g.pits[list[j]].index })
	}
}

// maxPits is the largest board that is drawn.
const maxPits = 4096

// indices lists the numbers from one end to the other, or the one; without brackets that is 0.
func (g *game) indices(from, to ast.Expr) []int {
	if from == nil {
		return []int{0}
	}
	e := g.scope(inDeclaration)
	a := e.int(from).int("the number of a pit")
	if to == nil {
		return []int{a}
	}
	return stretch(a, e.int(to).int("the number of a pit"))
}

func stretch(a, b int) []int {
	by := 1
	if b < a {
		by = -1
	}
	list := []int{a}
	for ; a != b; list = append(list, a) {
		if a += by; len(list) > maxPits {
			exceedf("more than %d pits in a row", maxPits)
		}
	}
	return list
}

// fixedPits lists the pits of sets that do not depend on play.
func (g *game) fixedPits(sets []ast.Expr) []int {
	var set []member
	for _, x := range sets {
		set = append(set, g.scope(inDeclaration).set(x)...)
	}
	return pits(set)
}

func (g *game) player(name string) int {
	for i, p := range g.players {
		if p == name {
			return i
		}
	}
	wrongf("there is no player %s", name)
	return none
}

// pitAt is group[i].
func (g *game) pitAt(group string, i int) int {
	for p, x := range g.pits {
		if x.group == group && x.index == i && x.bracketed {
			return p
		}
	}
	wrongf("there is no pit %s[%d]", group, i)
	return none
}

func (g *game) readLap(l *ast.Lap) {
	out := &lap{name: l.Name.Name, ring: l.Ring, owner: none}
	if l.Of != nil {
		out.owner = g.player(l.Of.Name)
	}
	if l.Reverse != nil {
		forth := g.lapOf(l.Reverse.Name, func(owner int) bool { return owner == out.owner || owner == none })
		for _, p := range forth.pits {
			out.pits = append([]int{p}, out.pits...)
		}
	}
	for _, pr := range l.Pits {
		if pr.From == nil {
			out.pits = append(out.pits, g.fixedPits([]ast.Expr{&ast.Name{Name: pr.Group.Name}})...)
			continue
		}
		for _, i := range g.indices(pr.From, pr.To) {
			out.pits = append(out.pits, g.pitAt(pr.Group.Name, i))
		}
	}
	seen := map[int]bool{}
	for _, p := range out.pits {
		if seen[p] {
			wrongf("lap %s comes to %s twice", out.name, g.pits[p].name)
		}
		seen[p] = true
	}
	if len(out.pits) == 0 {
		wrongf("lap %s has no pits", out.name)
	}
	g.laps = append(g.laps, out)
}

// lapOf finds the first lap of a name with an owner that will do.
func (g *game) lapOf(name string, will func(owner int) bool) *lap {
	for _, l := range g.laps {
		if l.name == name && will(l.owner) {
			return l
		}
	}
	wrongf("there is no such lap as %s", name)
	return nil
}

// readOpposite makes pits face each other, in both directions, where both are there.
func (g *game) readOpposite(o *ast.Facing) {
	for p, x := range g.pits {
		if x.group != o.Group.Name {
			continue
		}
		for q, y := range g.pits {
			if y.group == o.Other.Name && g.faces(o, x.index, y) {
				g.face(p, q)
				g.face(q, p)
			}
		}
	}
}

func (g *game) faces(o *ast.Facing, i int, y pit) bool {
	if o.Expr == nil {
		return !y.bracketed
	}
	e := g.scope(inDeclaration).with(o.Index.(*ast.Name).Name, number(whole(i)))
	return e.int(o.Expr).cmp(whole(y.index)) == 0
}

func (g *game) face(p, q int) {
	if g.opposite[p] != none && g.opposite[p] != q {
		wrongf("%s faces two pits", g.pits[p].name)
	}
	g.opposite[p] = q
}

// readOutcomes gathers the ways to end that the variant names anywhere.
func (g *game) readOutcomes() {
	for _, m := range items[*ast.Move](g.variant) {
		for _, f := range ast.All[*ast.Finish](m) {
			g.outcome(f.Kind, f.Label)
		}
	}
	for _, e := range items[*ast.Ending](g.variant) {
		g.outcome(e.Kind, e.Label)
	}
	g.outcomes = append(g.outcomes, outcome{"endless", endless})
}

// outcome is the number of an outcome, as a state has it.
func (g *game) outcome(kind ast.EndingKind, label *ast.Label) int {
	name := kind.String()
	if label != nil {
		name = label.Text
	}
	for i, o := range g.outcomes {
		if o.label == name {
			if o.kind != kind {
				wrongf("outcome %s is of two kinds", name)
			}
			return i + 1
		}
	}
	if name == "endless" || name == "stuck" {
		wrongf("no outcome can be called %s", name)
	}
	g.outcomes = append(g.outcomes, outcome{name, kind})
	return len(g.outcomes)
}

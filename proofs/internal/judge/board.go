package judge

import (
	"fmt"
	"slices"
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
	repeats   repetition
	forgets   bool           // repeats is left out
	laid      map[int]num    // the seeds that a line of a list says; nil: none
	columns   map[string]num // what else it says, for the claim

	players     []string
	pits        []pit
	picture     [][][]int // rows, parts, pits
	groups      map[string][]int
	laps        []*lap
	relations   map[string]map[int]int
	used        map[string]bool  // names that the variant uses
	decls       map[string]*decl // state variables
	slots       []slot
	enums       map[string][]string // the values of enumerations
	defs        []ast.Node          // definitions and procedures
	moves       []*ast.Move         // each `pass` is one
	goingOn     *goingOn            // nil: no move goes on
	outcomes    []outcome
	faults      bool // there was a fault in some action
	startFaults bool // there was a fault in settling some board, which is then no start
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
	spare bool // the variant does not use it, so no variable holds it
}

// step returns the pit by places after p (or before it, if by is negative), or none.
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
	label  string
	kind   ast.EndingKind
	winner int // none: nobody, or the only player
}

// endless is the kind of the outcome of a loop that never ends.
const endless ast.EndingKind = -1

// newGame reads all of a variant but its moves and endings, which play reads. It panics with a
// mistake.
func (f *file) newGame(v *ast.Variant, s settings, b *budget, lim Limits) *game {
	g := &game{
		budget: b, lim: lim, file: f, variant: v, open: s.open, following: s.following, begin: s.begin, forgets: s.forgets,
		params: map[string]value{}, groups: map[string][]int{}, relations: map[string]map[int]int{},
		decls: map[string]*decl{}, enums: map[string][]string{}, used: f.used(v),
	}
	g.defs = slices.Clone(f.defines)
	for _, item := range v.Items {
		g.defs = append(g.defs, item)
	}
	g.readParams(s.values)
	for _, p := range ast.Items[*ast.Players](v) {
		for _, name := range p.Names {
			g.players = append(g.players, name.Name)
		}
	}
	if len(g.players) == 0 {
		g.players = []string{""}
	}
	g.readBoard()
	g.readCells(s.cells)
	g.readVars()
	g.readMoves()
	g.readOutcomes()
	g.readRepetition()
	if len(ast.Items[*ast.Setup](v)) != 1 {
		wrongf("a variant has one setup")
	}
	return g
}

// readParams gives the parameters their values, in the order of their declarations: a default or a
// range may read the ones before.
func (g *game) readParams(given map[string]value) {
	for _, p := range ast.Items[*ast.Param](g.variant) {
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
		if v.kind == intKind {
			if v.n.cmp(e.lowest(p)) < 0 || p.Hi != nil && v.n.cmp(e.int(p.Hi)) > 0 {
				wrongf("%s = %v is out of range", p.Name.Name, v.n)
			}
		}
		g.params[p.Name.Name] = v
	}
}

// lowest returns the lower end of the range of a number. Without a range that is 1 for the size of
// a stretch in the picture, and else 0.
func (e *scope) lowest(p *ast.Param) num {
	if p.HasRange {
		return e.int(p.Lo)
	}
	for _, c := range e.g.file.board(e.g.variant).Picture {
		if c.Pit != nil && c.Pit.To != nil && (reads(c.Pit.From, p.Name.Name) || reads(c.Pit.To, p.Name.Name)) {
			return whole(1)
		}
	}
	return num{}
}

// reads reports whether an expression has a name in it.
func reads(x ast.Expr, name string) bool {
	return slices.ContainsFunc(ast.All[*ast.Name](x), func(n *ast.Name) bool { return n.Name == name })
}

// readCells lays out the board of a line of a list, if there is one, and checks that the claim uses
// its other columns.
func (g *game) readCells(cells map[string]num) {
	g.columns = map[string]num{}
	laid := map[int]num{}
	for name, n := range cells {
		if p := slices.IndexFunc(g.pits, func(x pit) bool { return x.name == name }); p < 0 {
			g.columns[name] = n
		} else if laid[p] = n; n.sign() < 0 {
			wrongf("%s cannot hold %v seeds", name, n)
		}
	}
	for name := range g.columns {
		if g.file.claim == nil || !slices.ContainsFunc(ast.All[*ast.Name](g.file.claim.Property), func(n *ast.Name) bool { return n.Name == name }) {
			wrongf("the column %s is not used", name)
		}
	}
	switch {
	case len(laid) == 0 || g.begin != nil:
	case len(laid) < len(g.pits):
		wrongf("a board has a column for each pit")
	default:
		g.laid = laid
	}
}

// readBoard reads the picture, what follows from it, and then the lines.
func (g *game) readBoard() {
	b := g.file.board(g.variant)
	g.drawPits(b)
	all := make([]int, len(g.pits))
	for p := range g.pits {
		all[p] = p
	}
	g.groups["pit"] = all
	d := g.follow(b)
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
			g.readFacing(l)
		}
	}
	d.finish()
}

// drawPits declares the pits as they are drawn, and a group for each name, in the order of its
// numbers.
func (g *game) drawPits(b *ast.Board) {
	width := map[string]int{}
	for _, row := range b.Rows() {
		for _, part := range row.Parts {
			for _, pr := range part {
				g.checkStretch(pr)
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

// checkStretch refuses a stretch of no pits: where a parameter decides one end, it runs from the
// other end to that one.
func (g *game) checkStretch(pr ast.PitRange) {
	if pr.To == nil {
		return
	}
	lo, hi := pr.From, pr.To
	switch from, to := g.sized(pr.From), g.sized(pr.To); {
	case from && !to:
		lo, hi = hi, lo
	case from == to:
		return
	}
	if e := g.scope(inDeclaration); e.int(lo).cmp(e.int(hi)) > 0 {
		wrongf("a stretch of no pits")
	}
}

// sized reports whether an end of a stretch depends on a parameter.
func (g *game) sized(x ast.Expr) bool {
	return slices.ContainsFunc(ast.All[*ast.Name](x), func(n *ast.Name) bool { _, is := g.params[n.Name]; return is })
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

// stretch lists the numbers from a to b, upwards or downwards.
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

// player returns the number of a player.
func (g *game) player(name string) int {
	for i, p := range g.players {
		if p == name {
			return i
		}
	}
	wrongf("there is no player %s", name)
	return none
}

// pitAt returns group[i], which must exist.
func (g *game) pitAt(group string, i int) int {
	p := g.pitOrNone(group, i)
	if p == none {
		wrongf("there is no pit %s[%d]", group, i)
	}
	return p
}

// pitOrNone returns group[i], or none if there is no such pit.
func (g *game) pitOrNone(group string, i int) int {
	return slices.IndexFunc(g.pits, func(x pit) bool { return x.group == group && x.index == i && x.bracketed })
}

// readLap reads a lap. A lap that is the reverse of another one takes that of the same owner, or of
// all.
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

// lapOf returns the first lap with a name and an owner that will accepts.
func (g *game) lapOf(name string, will func(owner int) bool) *lap {
	for _, l := range g.laps {
		if l.name == name && will(l.owner) {
			return l
		}
	}
	wrongf("there is no such lap as %s", name)
	return nil
}

// readFacing adds the pairs of a relation. With a name for an index it adds those for which both
// pits exist.
func (g *game) readFacing(o *ast.Facing) {
	name, isName := o.Index.(*ast.Name)
	if isName {
		_, param := g.params[name.Name]
		isName = !param
	}
	e := g.scope(inDeclaration)
	if !isName {
		g.lead(o, g.side(e, o.Group, o.Index), g.side(e, o.Other, o.Expr))
		return
	}
	for p, x := range g.pits {
		if x.group != o.Group.Name || !x.bracketed {
			continue
		}
		at := e.with(name.Name, number(whole(x.index)))
		q := none
		if o.Expr == nil {
			q = g.side(at, o.Other, nil)
		} else if n := at.int(o.Expr); n.big == nil {
			q = g.pitOrNone(o.Other.Name, int(n.i))
		}
		if q != none {
			g.lead(o, p, q)
		}
	}
}

// side returns the single pit that one side of a line names.
func (g *game) side(e *scope, group ast.Ident, index ast.Expr) int {
	if index == nil {
		return e.name(group.Name).pit()
	}
	return g.pitAt(group.Name, e.int(index).int("the number of a pit"))
}

// lead relates p to q, and also q to p unless the line says one way.
func (g *game) lead(o *ast.Facing, p, q int) {
	g.relate(o.Name.Name, p, q)
	if !o.OneWay {
		g.relate(o.Name.Name, q, p)
	}
}

// relate adds a pair. A relation leads from a pit to one pit only.
func (g *game) relate(name string, p, q int) {
	r := g.relations[name]
	if r == nil {
		r = map[int]int{}
		g.relations[name] = r
	}
	if to, known := r[p]; known && to != q {
		wrongf("%s leads from %s to two pits", name, g.pits[p].name)
	}
	r[p] = q
}

// readMoves lists the moves; a `pass` is one that does nothing.
func (g *game) readMoves() {
	for _, item := range g.variant.Items {
		switch x := item.(type) {
		case *ast.Move:
			g.moves = append(g.moves, x)
		case *ast.Pass:
			label := &ast.Label{Text: "pass"}
			g.moves = append(g.moves, &ast.Move{ItemAt: x.ItemAt, Label: label, When: x.When})
		}
	}
	if len(g.moves) == 0 {
		wrongf("a variant has moves")
	}
	g.readGoingOn()
}

// readOutcomes gathers the ways to end that the moves, endings and reactions name.
func (g *game) readOutcomes() {
	for _, item := range g.variant.Items {
		if _, is := item.(*ast.Procedure); is {
			continue
		}
		for _, f := range carries[*ast.Finish](g.defs, item) {
			g.declare(&f.Verdict)
		}
		if e, ok := item.(*ast.Ending); ok {
			g.declare(&e.Verdict)
		}
		if o, ok := item.(*ast.Offer); ok {
			g.declare(&o.Verdict)
		}
	}
	g.outcomes = append(g.outcomes, outcome{"endless", endless, none})
}

// declare makes outcomes of a verdict; where it depends on play who wins, one for each player.
func (g *game) declare(v *ast.Verdict) {
	if v.Player == nil {
		if len(g.players) > 1 && v.Kind <= ast.Lose {
			wrongf("who of several players has won is not said")
		}
		g.add(outcome{labelled(v), v.Kind, none})
		return
	}
	who := v.Player.Name
	switch {
	case len(g.players) == 1:
		wrongf("the only player wins or loses without a name")
	case v.Kind == ast.Lose && len(g.players) != 2:
		wrongf("who has won if one of several players loses is not said")
	case who == "opponent" && len(g.players) != 2:
		wrongf("there is more than one opponent")
	}
	for p := range g.players {
		if who == "mover" || who == "opponent" || g.winner(v, g.player(who)) == p {
			g.add(outcome{labelled(v), ast.Win, p})
		}
	}
}

// winner returns who has won by a verdict about a player: of two players the other one if it is a
// loss.
func (g *game) winner(v *ast.Verdict, about int) int {
	if v.Kind == ast.Lose {
		return 1 - about
	}
	return about
}

// labelled returns the label of a verdict; without one it is the word of its kind.
func labelled(v *ast.Verdict) string {
	switch {
	case v.Label != nil:
		return v.Label.Text
	case v.Player != nil:
		return ast.Win.String()
	}
	return v.Kind.String()
}

// add adds an outcome once. Outcomes with the same label must be of the same kind.
func (g *game) add(o outcome) {
	if o.label == "endless" || o.label == "stuck" || slices.Contains(g.players, o.label) {
		wrongf("no outcome can be called %s", o.label)
	}
	for _, other := range g.outcomes {
		if other.label == o.label && other.kind != o.kind {
			wrongf("outcome %s is of two kinds", o.label)
		}
	}
	if !slices.Contains(g.outcomes, o) {
		g.outcomes = append(g.outcomes, o)
	}
}

// outcome returns the number of the outcome of a verdict, as a state has it, where 0 is no outcome.
// mover is the player to move there.
func (g *game) outcome(v *ast.Verdict, mover int) int {
	o := outcome{labelled(v), v.Kind, none}
	if v.Player != nil {
		about := mover
		switch v.Player.Name {
		case "mover":
		case "opponent":
			about = 1 - mover
		default:
			about = g.player(v.Player.Name)
		}
		o.kind, o.winner = ast.Win, g.winner(v, about)
	}
	return 1 + slices.Index(g.outcomes, o)
}

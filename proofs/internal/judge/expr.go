package judge

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
)

// place is the kind of text an expression stands in. It decides which words have a meaning.
type place int

const (
	inDeclaration place = iota // nothing of the state is known
	inSetup                    // only the pits are
	inRules
	inClaim
)

// scope is all that an expression can speak of.
type scope struct {
	g     *game
	place place
	s     *state // nil before there is one
	names *local
	run   *run     // the body that is carried out; nil outside
	claim *view    // what only claims know; nil elsewhere
	def   ast.Node // the definition or procedure that is read: only those before it have a meaning

	guard    bool // this is the `when` of a move, which may ask for other moves
	settling bool // this belongs to an ending or a reaction, which may ask for moves

	// In a search, what has not been chosen yet. Reading it panics with unknown.
	room  []*span // the seeds that a pit may have; nil: it has what s says
	blind bool    // the variables, the mover and the outcome
}

// view is what only claims know: which states are starts, and after `gives` the step.
type view struct {
	start  func(s *state) bool
	before *state // nil unless after `gives`
	step   *step
	inside []*ast.Position // whose conditions are being read
}

// local is a name that stands for a value within a block, linked outwards.
type local struct {
	name  string
	v     value
	fixed bool // it was chosen, or counts a loop
	fails any  // an argument without a value: what asking for it panics with
	outer *local
}

func (g *game) scope(p place) *scope { return &scope{g: g, place: p} }

// with is the scope in which one more name stands for a fixed value.
func (e *scope) with(name string, v value) *scope {
	c := *e
	c.names = &local{name: name, v: v, fixed: true, outer: e.names}
	return &c
}

func (e *scope) find(name string) *local {
	for l := e.names; l != nil; l = l.outer {
		if l.name == name {
			return l
		}
	}
	return nil
}

func (e *scope) int(x ast.Expr) num   { return e.asInt(e.expr(x)) }
func (e *scope) cond(x ast.Expr) bool { return e.expr(x).bool() }
func (e *scope) pit(x ast.Expr) int   { return e.expr(x).pit() }

// lap is the lap that an expression means; nil if the mover has none of its name.
func (e *scope) lap(x ast.Expr) *lap {
	v := e.expr(x)
	if v.kind != lapKind {
		wrongf("a lap is expected, not %s", kindNames[v.kind])
	}
	for _, l := range e.g.laps {
		if v.lap == nil && !v.lacking && l.name == v.name && (l.owner == none || l.owner == e.mover()) {
			return l
		}
	}
	return v.lap
}

// lapNamed is the lap of a name: the mover's if players have laps of their own. Where nobody is
// known to move, or has none of his own, it is no more than the name.
func (e *scope) lapNamed(name string) (value, bool) {
	others := false
	for _, l := range e.g.laps {
		switch {
		case l.name != name:
		case l.owner == none:
			return value{kind: lapKind, name: name, lap: l}, true
		case e.place != inRules:
			return value{kind: lapKind, name: name}, true
		case l.owner == e.mover():
			return value{kind: lapKind, name: name, lap: l}, true
		}
		others = others || l.name == name
	}
	return value{kind: lapKind, name: name}, others
}

// asInt turns a pit into its seeds.
func (e *scope) asInt(v value) num {
	switch {
	case v.held:
		return v.n
	case v.kind == intKind:
		return v.n
	case v.pitLike():
		return e.seeds(v.pit())
	}
	wrongf("a number is expected, not %s", kindNames[v.kind])
	return num{}
}

// seeds is what a pit holds.
func (e *scope) seeds(p int) num {
	switch {
	case p == none:
		failf("none is used as a pit")
	case e.room != nil && e.room[p] != nil:
		panic(unknown{})
	case e.s == nil:
		wrongf("no pit has any seeds before play")
	}
	return e.s.seeds[p]
}

// mover is who is to move; none once the game is over.
func (e *scope) mover() int {
	switch {
	case len(e.g.players) == 1:
		wrongf("a solitaire has no mover")
	case e.place == inDeclaration || e.place == inSetup:
		wrongf("nobody is to move here")
	case e.blind:
		panic(unknown{})
	}
	return e.s.mover
}

func (e *scope) expr(x ast.Expr) value {
	e.g.spend(1)
	switch x := x.(type) {
	case *ast.Int:
		return number(readNum(x.Text))
	case *ast.Name:
		return e.name(x.Name)
	case *ast.Text:
		return e.outcomeNamed(x.Value)
	case *ast.Paren:
		return e.expr(x.X)
	case *ast.IndexExpr:
		return e.indexed(x)
	case *ast.Call:
		return e.call(x)
	case *ast.Of:
		return e.of(x)
	case *ast.NoMove:
		return e.noMove(x)
	case *ast.Wins:
		return e.wins(x)
	case *ast.Was:
		return e.was(e.int(x.Value))
	case *ast.Unary:
		return e.unary(x)
	case *ast.Binary:
		return e.binary(x)
	case *ast.Cond:
		return e.conditional(x)
	case *ast.Quant:
		return e.quant(x)
	case *ast.EachCmp:
		return e.eachCmp(x)
	case *ast.SetLit:
		return e.setLit(x)
	case *ast.Filter:
		return e.filter(x)
	}
	wrongf("an expression is missing")
	return value{}
}

// name finds what a name stands for: inner names hide outer ones, and those all others.
func (e *scope) name(name string) value {
	if l := e.find(name); l != nil {
		if l.fails != nil {
			panic(l.fails)
		}
		return l.v
	}
	switch name {
	case "true", "false":
		return truth(name == "true")
	case "none":
		return pitOf(none)
	case "empty":
		return number(num{})
	case "last", "origin":
		return pitOf(e.sown(name))
	case "mover":
		return value{kind: playerKind, i: e.mover()}
	case "opponent":
		return value{kind: playerKind, i: e.opponent()}
	}
	if v, ok := e.claimWord(name); ok {
		return v
	}
	if v, ok := e.declared(name); ok {
		return v
	}
	if e.place == inClaim {
		return e.claimName(name)
	}
	wrongf("unknown name %s", name)
	return value{}
}

// declared finds a name that the variant declares.
func (e *scope) declared(name string) (value, bool) {
	g := e.g
	if v, ok := g.params[name]; ok {
		if g.open[name] && e.place != inSetup && e.place != inClaim {
			wrongf("%s is left open, and read outside the setup", name)
		}
		return v, true
	}
	if i := slices.Index(g.players, name); i >= 0 {
		return value{kind: playerKind, i: i}, true
	}
	if d := g.decls[name]; d != nil {
		if d.each != "" {
			wrongf("%s exists for each %s", name, d.each)
		}
		return e.variable(d.slot[none]), true
	}
	if d := e.definition(name); d != nil {
		return e.defined(d, nil), true
	}
	for p, x := range g.pits {
		if x.bracketed && x.name == name {
			return pitOf(p), true
		}
	}
	if pits, ok := g.groups[name]; ok {
		return setOf(pits), true
	}
	if v, ok := e.lapNamed(name); ok {
		return v, true
	}
	for _, names := range g.enums {
		if slices.Contains(names, name) {
			return value{kind: enumKind, name: name}, true
		}
	}
	return value{}, false
}

func (e *scope) variable(slot int) value {
	switch {
	case e.place == inDeclaration || e.place == inSetup:
		wrongf("variables have no values before play")
	case e.blind:
		panic(unknown{})
	}
	return e.g.slots[slot].decode(e.s.vars[slot])
}

// sown is the pit that `last` or `origin` is; after `gives` it is none if the step's move has sown
// nothing.
func (e *scope) sown(word string) int {
	switch {
	case e.claim != nil && e.claim.step != nil:
		if word == "last" {
			return e.claim.step.last
		}
		return e.claim.step.origin
	case e.run == nil:
		wrongf("%s has no meaning here", word)
	case e.run.origin == none:
		failf("nothing was sown yet")
	case word == "origin":
		return e.run.origin
	case e.run.last == none:
		failf("nothing was sown yet")
	}
	return e.run.last
}

// was reports whether the pit of the last seed held so many before it.
func (e *scope) was(n num) value {
	if e.claim != nil && e.claim.step != nil {
		return truth(e.claim.step.last != none && e.claim.step.lastWas.cmp(n) == 0)
	}
	e.sown("last")
	return truth(e.run.lastWas.cmp(n) == 0)
}

func (e *scope) indexed(x *ast.IndexExpr) value {
	name := x.Group.Name
	r, ok := x.Index.(*ast.Binary)
	if !ok || r.Op != ".." {
		return pitOf(e.g.pitAt(name, e.int(x.Index).int("the number of a pit")))
	}
	a, b := e.int(r.L).int("the number of a pit"), e.int(r.R).int("the number of a pit")
	if e.g.beside(name, a, b) {
		return setOf(nil)
	}
	var list []int
	for _, i := range stretch(a, b) {
		list = append(list, e.g.pitAt(name, i))
	}
	return setOf(list)
}

// beside reports whether a..b is the empty stretch before the first pit, or behind the last one.
func (g *game) beside(group string, a, b int) bool {
	var numbers []int
	for _, x := range g.pits {
		if x.group == group && x.bracketed {
			numbers = append(numbers, x.index)
		}
	}
	return len(numbers) > 0 && a == b+1 && (a == slices.Min(numbers) || b == slices.Max(numbers))
}

func (e *scope) unary(x *ast.Unary) value {
	switch x.Op {
	case "not":
		return truth(!e.cond(x.X))
	case "-":
		return number(e.int(x.X).neg())
	}
	if e.claim == nil || e.claim.before == nil {
		wrongf("old has a meaning only after gives")
	}
	c := *e
	c.s = e.claim.before
	v := c.expr(x.X)
	if v.pitLike() {
		p := v.pit()
		v = pitOf(p)
		if p != none {
			v.n, v.held = c.seeds(p), true
		}
	}
	return v
}

func (e *scope) binary(x *ast.Binary) value {
	switch x.Op {
	case "or":
		return truth(e.cond(x.L) || e.cond(x.R))
	case "and":
		return truth(e.cond(x.L) && e.cond(x.R))
	case "in":
		return truth(e.contains(x))
	case "not in":
		return truth(!e.contains(x))
	case "without":
		return e.without(x)
	case "..":
		return value{kind: rangeKind, list: []value{number(e.int(x.L)), number(e.int(x.R))}}
	case "=", "/=", "!=", "<", "<=", ">", ">=":
		l, r := e.expr(x.L), e.expr(x.R)
		if l.pitLike() && r.pitLike() && e.writtenOut(x.L) && e.writtenOut(x.R) {
			wrongf("two pits that are written out are compared")
		}
		return truth(e.compare(x.Op, l, r))
	}
	l, r := e.expr(x.L), e.expr(x.R)
	if l.pitLike() && r.pitLike() {
		if x.Op != "+" {
			wrongf("two pits are joined by %s", x.Op)
		}
		return value{kind: setKind, set: slices.Concat(l.members(), r.members())}
	}
	return number(arithmetic(x.Op, e.asInt(l), e.asInt(r)))
}

func arithmetic(op string, a, b num) num {
	switch op {
	case "+":
		return a.add(b)
	case "-":
		return a.sub(b)
	case "*":
		return a.mul(b)
	}
	quo, rem := a.divMod(b)
	if op == "div" {
		return quo
	}
	return rem
}

// writtenOut reports whether x is a pit that is known without playing.
func (e *scope) writtenOut(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Paren:
		return e.writtenOut(x.X)
	case *ast.Name:
		_, pits := e.g.groups[x.Name]
		return e.find(x.Name) == nil && (pits || slices.ContainsFunc(e.g.pits, func(p pit) bool { return p.name == x.Name }))
	case *ast.IndexExpr:
		return !slices.ContainsFunc(ast.All[*ast.Name](x.Index), func(n *ast.Name) bool { return e.find(n.Name) != nil })
	case *ast.Of:
		return true
	case *ast.Call:
		_, is := e.g.relations[x.Func.Name]
		return (is || x.Func.Name == "next" || x.Func.Name == "before") && len(x.Args) == 1 && e.writtenOut(x.Args[0])
	}
	return false
}

// compare compares pit and pit as pits, a pit beside a number by its seeds, and all else as it is.
func (e *scope) compare(op string, l, r value) bool {
	equal := op == "=" || op == "/=" || op == "!="
	same := false
	switch {
	case equal && l.pitLike() && r.pitLike():
		same = l.pit() == r.pit()
	case l.pitLike() && r.pitLike():
		wrongf("two pits are joined by %s", op)
	case !equal || l.kind == intKind || r.kind == intKind:
		return compared(op, e.asInt(l), e.asInt(r))
	case l.kind == playerKind && r.kind == pitKind && r.i == none, r.kind == playerKind && l.kind == pitKind && l.i == none:
		same = l.i == r.i
	case l.kind != r.kind:
		wrongf("%s and %s cannot be compared", kindNames[l.kind], kindNames[r.kind])
	case l.kind == boolKind || l.kind == playerKind:
		same = l.i == r.i
	case l.kind == enumKind:
		e.shareEnum(l, r)
		same = l.name == r.name
	case l.kind == lapKind:
		same = l.name == r.name && (l.lap == nil || r.lap == nil || l.played || r.played || l.lap == r.lap)
	default:
		wrongf("%s cannot be compared", kindNames[l.kind])
	}
	return same == (op == "=")
}

// shareEnum complains if two values are not of one enumeration.
func (e *scope) shareEnum(l, r value) {
	if l.enum == "" {
		l, r = r, l
	}
	if l.enum != "" && l.enum != r.enum && (r.enum != "" || !slices.Contains(e.g.enums[l.enum], r.name)) {
		wrongf("%s and %s are of different enumerations", l.name, r.name)
	}
}

// contains is `x in SET`, of pits or of numbers.
func (e *scope) contains(x *ast.Binary) bool {
	l := e.expr(x.L)
	if n, ok := x.R.(*ast.Name); ok && n.Name == "player" {
		if l.kind != playerKind {
			wrongf("a player is expected, not %s", kindNames[l.kind])
		}
		return l.i != none
	}
	r := e.expr(x.R)
	switch r.kind {
	case rangeKind:
		n := e.asInt(l)
		return n.cmp(r.list[0].n) >= 0 && n.cmp(r.list[1].n) <= 0
	case listKind:
		return slices.ContainsFunc(r.list, func(v value) bool { return e.compare("=", l, v) })
	}
	return contains(r.members(), l.pit())
}

// ended is the outcome of the state; nil where the game goes on.
func (e *scope) ended() *outcome {
	switch {
	case e.place != inClaim:
		wrongf("only claims ask how the game ended")
	case e.blind:
		panic(unknown{})
	case e.s.live():
		return nil
	}
	return &e.g.outcomes[e.s.outcome-1]
}

// outcomeNamed is whether the game is over with an outcome of this label.
func (e *scope) outcomeNamed(label string) value {
	for _, o := range e.g.outcomes {
		if o.label == label && e.place == inClaim {
			o := e.ended()
			return truth(o != nil && o.label == label)
		}
	}
	wrongf("unknown name %s", label)
	return value{}
}

// wins is whether a player has won: by the outcome, or by a score above all others.
func (e *scope) wins(x *ast.Wins) value {
	p := e.g.player(x.Player.Name)
	if len(e.g.players) == 1 {
		wrongf("a solitaire is won by nobody else")
	}
	switch o := e.ended(); {
	case o == nil:
		return truth(false)
	case o.kind == ast.End:
		return truth(e.g.ahead(e.s) == p)
	default:
		return truth(o.winner == p)
	}
}

// noMove is whether nobody can move, not counting fallbacks.
func (e *scope) noMove(x *ast.NoMove) value {
	switch {
	case e.s == nil || x.Other != e.guard || !x.Other && !e.settling && e.place != inClaim:
		wrongf("this is no place to ask for moves")
	case e.blind || e.room != nil:
		panic(unknown{})
	}
	return truth(e.s.live() && !e.g.canMove(e.s, true))
}

// opponent is the other one of two players; none once the game is over.
func (e *scope) opponent() int {
	if len(e.g.players) != 2 {
		wrongf("there is not just one opponent")
	}
	if p := e.mover(); p != none {
		return 1 - p
	}
	return none
}

// claimWord is one of the words that only claims have.
func (e *scope) claimWord(name string) (value, bool) {
	if e.place != inClaim || !slices.Contains([]string{"stuck", "finished", "start"}, name) {
		return value{}, false
	}
	if e.blind || e.room != nil {
		panic(unknown{})
	}
	switch name {
	case "stuck":
		return truth(e.g.stuck(e.s)), true
	case "finished":
		return truth(!e.s.live()), true
	}
	return truth(e.claim.start(e.s)), true
}

// claimName is the label of an outcome or the name of a position.
func (e *scope) claimName(name string) value {
	for _, o := range e.g.outcomes {
		if o.label == name {
			return e.outcomeNamed(name)
		}
	}
	return truth(e.fits(e.g.file.position(name, e.g.variant)))
}

// inPosition is the scope of what a position says, which does not depend on who says its name.
func (e *scope) inPosition(p *ast.Position) *scope {
	if slices.Contains(e.claim.inside, p) {
		wrongf("position %s is defined by itself", p.Name.Name)
	}
	c, view := *e, *e.claim
	view.inside = append(slices.Clip(view.inside), p)
	c.claim, c.names = &view, nil
	return &c
}

// fits reports whether the state fits a position.
func (e *scope) fits(p *ast.Position) bool {
	e = e.inPosition(p)
	if p.Where != nil && !e.cond(p.Where) {
		return false
	}
	if p.Picture != nil && !e.looksLike(p.Picture) {
		return false
	}
	for _, s := range p.With {
		if !e.compare("=", e.setting(s), e.expr(s.Value)) {
			return false
		}
	}
	return true
}

// setting is what is to the left of the sign in `x = E` or `x(i) = E`.
func (e *scope) setting(s ast.Setting) value {
	if s.Index != nil {
		return e.call(&ast.Call{Func: ast.Ident(s.Name), Args: []ast.Expr{s.Index}})
	}
	return e.name(s.Name.Name)
}

func (e *scope) looksLike(pic *ast.Picture) bool {
	mark := e.g.markSlot()
	for _, c := range e.g.cells(pic) {
		if !c.Any && e.seeds(c.pit).cmp(whole(c.Count)) != 0 {
			return false
		}
		if !c.Marked {
			continue
		}
		if mark == none {
			wrongf("brackets have no meaning here")
		}
		if e.variable(mark).i != c.pit {
			return false
		}
	}
	return true
}

// cell is a cell of a picture on its pit.
type cell struct {
	ast.Cell
	pit int
}

// cells lays a picture on the board. Empty parts at the end of a row may be left out.
func (g *game) cells(pic *ast.Picture) []cell {
	var out []cell
	if len(pic.Rows()) != len(g.picture) {
		wrongf("the picture has %d rows, the board %d", len(pic.Rows()), len(g.picture))
	}
	for r, row := range pic.Rows() {
		for k := range max(len(row), len(g.picture[r])) {
			var have []ast.Cell
			var want []int
			if k < len(row) {
				have = row[k]
			}
			if k < len(g.picture[r]) {
				want = g.picture[r][k]
			}
			if len(have) != len(want) {
				wrongf("part %d of row %d has %d counts, on the board it has %d pits", k+1, r+1, len(have), len(want))
			}
			for i, c := range have {
				out = append(out, cell{c, want[i]})
			}
		}
	}
	return out
}

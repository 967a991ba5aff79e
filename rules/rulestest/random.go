package rulestest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// System draws small random rule sets: those that somebody could have written down, and those that
// only the kernel can express.
func System() *rapid.Generator[*rules.System] { return rapid.OneOf(Kernel(), Written()) }

// Kernel draws Systems statement by statement, because no text resolves to many of them: tables and
// domains with gaps, reactions and actions that differ from player to player, sums and conditions
// in any place, code that cannot be reached. It knows boards of two to eight pits, up to two
// players, variables of all kinds, sowings with all their options, captures, relays, preferences,
// fallbacks, endings and reactions. Most of their moves can be carried out; some are errors in the
// rules. Loops keep their locals small, so that they come back if they do not end. Draws shrink
// towards few pits, actions and statements.
func Kernel() *rapid.Generator[*rules.System] {
	return rapid.Custom(func(t *rapid.T) *rules.System {
		g := &drawer{T: t, sys: &rules.System{Name: "Random"}}
		g.board()
		g.vars()
		g.outcomes()
		g.actions()
		g.reactions()
		g.start()
		return g.sys
	})
}

// State draws a live state of sys with at most the given number of seeds. It need not be reachable.
func State(sys *rules.System, maxSeeds int) *rapid.Generator[rules.State] {
	return rapid.Custom(func(t *rapid.T) rules.State {
		s := sys.EmptyStart()
		left := maxSeeds // and no pit may take most of them, so that many pits have some
		for p := range s.Seeds {
			s.Seeds[p] = rapid.IntRange(0, min(left, 1+2*maxSeeds/len(s.Seeds))).Draw(t, sys.Pits[p].Name)
			left -= s.Seeds[p]
		}
		for i := range s.Vars {
			s.Vars[i] = rapid.SampledFrom(sys.Vars[i].Domain).Draw(t, sys.Vars[i].Name)
		}
		s.Mover = rapid.IntRange(0, len(sys.Players)-1).Draw(t, "mover")
		return s
	})
}

// Claim draws a condition such as claims make, over a state and, with old, the state before a step.
func Claim(sys *rules.System, old bool) *rapid.Generator[rules.Expr] {
	return rapid.Custom(func(t *rapid.T) rules.Expr {
		g := &drawer{T: t, sys: sys, claims: true, old: old}
		return g.condition(2)
	})
}

// drawer draws the parts of one System.
type drawer struct {
	*rapid.T
	sys    *rules.System
	locals int  // slots of the body under way that are set
	sown   bool // a sowing of the body under way was surely carried out
	claims bool
	reacts bool // the condition of a reaction is drawn, or its body
	old    bool // the condition may read the state before a step
}

// upTo draws a number from 0 to n. It shrinks towards 0, so the simplest alternative has to be 0.
func (g *drawer) upTo(n int, label string) int { return rapid.IntRange(0, n).Draw(g.T, label) }

// oneIn is true with a chance of one in n, and false after shrinking.
func (g *drawer) oneIn(n int, label string) bool { return g.upTo(n-1, label) == n-1 }

func (g *drawer) pit() int { return g.upTo(len(g.sys.Pits)-1, "pit") }

// relation declares a relation that leads from about half of the pits to those that to says.
func (g *drawer) relation(name string, to func(pit int) int) {
	r := rules.Relation{Name: name}
	for p := range g.sys.Pits {
		q := rules.None
		if g.oneIn(2, "is related") {
			q = to(p)
		}
		r.To = append(r.To, q)
	}
	g.sys.Relations = append(g.sys.Relations, r)
}

// board draws pits, laps, relations and owners.
func (g *drawer) board() {
	g.sys.Players = []string{""}
	if g.oneIn(2, "two players") {
		g.sys.Players = []string{"South", "North"}
	}
	houses, stores := 2+g.upTo(4, "houses"), g.upTo(2, "stores")
	n := houses + stores
	g.sys.Pits = make([]rules.Pit, n)
	addGroup(g.sys, "house", rules.None, num.Run(0, houses)...)
	if stores > 0 {
		addGroup(g.sys, "store", rules.None, num.Run(houses, stores)...)
	}
	for p := range n {
		g.sys.Pits[p].Owner = p % len(g.sys.Players)
	}
	g.relation("opposite", func(p int) int { return n - 1 - p })
	g.relation("mapped", func(int) int { return g.upTo(n-1, "mapped to") })
	g.sys.Picture = [][][]int{{num.Run(0, n)}}
	for i := range 1 + g.upTo(1, "more laps") {
		g.lap(i)
	}
}

// lap draws a ring or a line of some of the pits, mostly in the order of their numbers.
func (g *drawer) lap(i int) {
	n := len(g.sys.Pits)
	order := num.Run(0, n)
	if g.oneIn(3, "shuffled") {
		order = rapid.Permutation(order).Draw(g.T, "order")
	}
	length := n - g.upTo(n-1, "left out")
	g.sys.Laps = append(g.sys.Laps, NewLap(fmt.Sprintf("lap%d", i), !g.oneIn(4, "line"), n, order[:length]...))
}

// vars draws control variables. The domain of a pit variable may have gaps.
func (g *drawer) vars() {
	for i := range g.upTo(3, "variables") {
		v := rules.Var{Name: fmt.Sprintf("v%d", i)}
		types := []rules.Type{rules.NumberType, rules.TruthType, rules.PitType, rules.PlayerType, rules.EnumType(0)}
		switch v.Type = types[g.upTo(len(types)-1, "type")]; v.Type {
		case rules.NumberType:
			v.Domain = num.Run(g.upTo(2, "low")-1, 4)
		case rules.TruthType:
			v.Domain = num.Run(0, 2)
		case rules.PitType:
			v.Domain = g.pitDomain()
		case rules.PlayerType:
			v.Domain = num.Run(0, len(g.sys.Players))
		default:
			g.sys.Enums, v.Domain = [][]string{{"placing", "sowing", "resting"}}, num.Run(0, 3)
		}
		v.Init = v.Domain[g.upTo(len(v.Domain)-1, "initial")]
		v.Default = v.Init
		g.sys.Vars = append(g.sys.Vars, v)
	}
}

// pitDomain draws None and some pits. Gaps matter to codecs, which number the values of a domain.
func (g *drawer) pitDomain() []int {
	domain := []int{rules.None}
	for p := range g.sys.Pits {
		if !g.oneIn(4, "gap") {
			domain = append(domain, p)
		}
	}
	return domain
}

func (g *drawer) outcomes() {
	g.sys.Outcomes = []rules.Outcome{{Label: "won", Kind: rules.WinOutcome}}
	if len(g.sys.Players) == 1 {
		g.sys.Outcomes = append(g.sys.Outcomes, rules.Outcome{Label: "lost", Kind: rules.LoseOutcome})
	} else {
		g.sys.Outcomes = append(g.sys.Outcomes, rules.Outcome{Label: "won", Kind: rules.WinOutcome, Winner: 1})
	}
	g.sys.Outcomes = append(g.sys.Outcomes, rules.Outcome{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome})
}

// outcome draws an outcome that a body may end the game with: any but the endless one, which is
// last.
func (g *drawer) outcome() int { return g.upTo(len(g.sys.Outcomes)-2, "outcome") }

// actions draws one to four moves for each player.
func (g *drawer) actions() {
	for p := range g.sys.Players {
		for range 1 + g.upTo(3, "actions") {
			g.action(p)
		}
	}
}

// action draws a move. Most begin with a sowing, since otherwise few states would be reachable.
func (g *drawer) action(player int) {
	n := len(g.sys.Moves)
	label := fmt.Sprintf("move%d", n)
	g.sys.Moves = append(g.sys.Moves, rules.Move{Label: label})
	a := rules.Action{Move: n, Mover: player, Label: label, Written: []rules.Written{{Text: label}}}
	g.locals, g.sown = 0, false
	switch {
	case g.oneIn(6, "fallback"):
		a.Fallback = true
		a.Guard = rules.Expr(rules.NoMove)
		if g.oneIn(2, "and more") {
			a.Guard = binary(rules.And, g.condition(1), a.Guard)
		}
	case g.oneIn(3, "guard"):
		a.Guard = g.condition(2)
	}
	if !g.oneIn(5, "no sowing first") {
		a.Body = append(a.Body, g.sow(2))
		g.sown = true
	}
	if g.oneIn(4, "relay") {
		a.Body = append(a.Body, g.relay())
	}
	a.Body = append(a.Body, g.block(3, 2)...)
	a.Locals = make([]rules.Type, maxLocals)
	g.sys.Actions = append(g.sys.Actions, a)
}

// reactions draws conditions for the end of the game, each with a sweep or a few statements, and
// reactions after which the game goes on.
func (g *drawer) reactions() {
	for range g.upTo(3, "reactions") {
		e := rules.Reaction{AtTurnEnd: g.oneIn(3, "at turn end")}
		goesOn := g.oneIn(3, "the game goes on")
		for range g.sys.Players {
			g.locals, g.sown, g.reacts = 0, false, true
			by := rules.ReactionFor{Locals: make([]rules.Type, maxLocals), When: g.condition(1)}
			by.Body = g.block(2, 1)
			if goesOn && g.oneIn(3, "who moves next") {
				by.Body = append(by.Body, rules.Again(g.upTo(len(g.sys.Players)-1, "next")))
			}
			if !goesOn {
				by.Body = append(by.Body, rules.Stop{Outcome: g.outcome()})
			}
			e.By = append(e.By, by)
		}
		g.reacts = false
		g.sys.Reactions = append(g.sys.Reactions, e)
	}
}

// start allows any distribution of one to six seeds on the first pits.
func (g *drawer) start() {
	free := members(len(g.sys.Pits), num.Run(0, 2)...)
	g.sys.Start = rules.Start{Free: free, Mover: g.upTo(len(g.sys.Players)-1, "first mover"), Cond: binary(rules.Eq, rules.Sum{Pits: num.Run(0, 2)}, k(1+g.upTo(5, "seeds")))}
}

// maxLocals is the number of local slots of every body.
const maxLocals = 2

// block draws up to n statements. Whether something was sown is forgotten at its end, as it may not
// be carried out.
func (g *drawer) block(n, depth int) []rules.Stmt {
	locals, sown := g.locals, g.sown
	var body []rules.Stmt
	for range g.upTo(n, "statements") {
		body = append(body, g.stmt(depth))
	}
	g.locals, g.sown = locals, sown
	return body
}

// stmt draws a statement. Only depth > 0 allows those that contain others.
func (g *drawer) stmt(depth int) rules.Stmt {
	kinds := 8
	if depth > 0 {
		kinds = 11
	}
	switch g.upTo(kinds, "statement") {
	case 0:
		return g.next()
	case 1:
		return rules.Transfer{From: g.pitOrNone(1), Into: g.somePit(1)}
	case 2:
		return rules.Stop{Outcome: g.outcome()}
	case 3:
		return rules.Require(g.condition(2))
	case 4:
		return rules.Prefer(g.number(1))
	case 5:
		return g.assign()
	case 6:
		return g.setLocal()
	case 7:
		from := g.somePit(1)
		return rules.Transfer{Count: binary(rules.Min, k(g.upTo(2, "count")), rules.Seeds(from)), From: from, Into: g.somePit(1)}
	case 8, 9:
		return rules.If{Cond: g.condition(2), Then: g.block(2, depth-1), Else: g.block(1, depth-1)}
	case 10:
		s := g.sow(depth)
		g.sown = true
		return s
	}
	return rules.While{Cond: g.condition(2), Body: g.block(3, depth-1)}
}

// relay sows on from the pit of the last seed as long as it held something, or some other condition
// holds.
func (g *drawer) relay() rules.Stmt {
	cond := binary(rules.Gt, rules.LastWas, k(0))
	if g.oneIn(3, "other condition") || !g.sown {
		cond = g.condition(2)
	}
	source := rules.Expr(rules.Last)
	if !g.sown {
		source = pit(g.pit())
	}
	body := []rules.Stmt{rules.Sow{Source: source, Lap: g.upTo(len(g.sys.Laps)-1, "lap")}}
	return rules.While{Cond: cond, Body: append(body, g.block(1, 1)...)}
}

// next lets some player move after the action, who may be one that a variable names.
func (g *drawer) next() rules.Stmt {
	player := rules.Expr(rules.FixedPlayer(g.upTo(len(g.sys.Players)-1, "next")))
	if g.oneIn(4, "by variable") {
		player = g.variableOr(rules.PlayerType, player)
	}
	return rules.Set{To: rules.Register(rules.NextReg), X: player}
}

// assign sets a variable to a value of its domain; now and then to any number.
func (g *drawer) assign() rules.Stmt {
	if len(g.sys.Vars) == 0 {
		return g.next()
	}
	i := g.upTo(len(g.sys.Vars)-1, "variable")
	to, x := rules.VarAt(i), g.valueOf(&g.sys.Vars[i])
	switch {
	case g.sys.Vars[i].Type == rules.PitType && g.sown && g.oneIn(2, "last"):
		x = rules.Last
	case g.oneIn(6, "any value"):
		x = g.number(1)
	}
	if g.oneIn(5, "indexed") {
		to = rules.Cell{Sort: rules.VarCell, Table: []int{i, i}, Index: k(g.upTo(2, "index"))}
	}
	return rules.Set{To: to, X: x}
}

// valueOf draws a value of a variable.
func (g *drawer) valueOf(x *rules.Var) rules.Expr {
	return rules.Const{Value: rapid.SampledFrom(x.Domain).Draw(g.T, "value"), Type: x.Type}
}

// setLocal keeps locals below four, so that loops come back.
func (g *drawer) setLocal() rules.Stmt {
	x := binary(rules.Mod, g.number(1), k(4))
	slot := min(g.locals, maxLocals-1)
	g.locals = slot + 1
	return rules.SetLocal(slot, x)
}

// sow draws a sowing with a random choice of options.
func (g *drawer) sow(depth int) rules.Stmt {
	s := rules.Sow{Source: g.somePit(1), Lap: g.upTo(len(g.sys.Laps)-1, "lap")}
	if g.oneIn(6, "count") {
		s.Count = g.number(1)
	}
	s.SkipIf = g.skips()
	if g.oneIn(4, "only last") {
		s.OnlyLast = rapid.SliceOfN(rapid.Bool(), len(g.sys.Pits), len(g.sys.Pits)).Draw(g.T, "only last")
	}
	switch g.upTo(9, "first") {
	case 8:
		s.OriginFirst = true
	case 9:
		s.StartAt = g.somePit(1)
	}
	if depth > 0 && g.oneIn(6, "drop") {
		sown := g.sown
		g.sown = true
		s.Drop = g.block(2, depth-1)
		g.sown = sown
	}
	return s
}

// skips draws what a sowing passes over: nothing, fixed pits, its origin, or pits chosen by a
// condition.
func (g *drawer) skips() []rules.Expr {
	kind := g.upTo(7, "skip")
	if kind < 4 {
		return nil
	}
	skip := make([]rules.Expr, len(g.sys.Pits))
	for p := range skip {
		switch {
		case kind == 4:
			skip[p] = binary(rules.Eq, rules.Origin, pit(p))
		case !g.oneIn(3, "skipped"):
		case kind == 5:
			skip[p] = rules.True
		case kind == 6:
			skip[p] = binary(rules.Ge, seeds(p), k(2))
		default:
			skip[p] = g.condition(1)
		}
	}
	return skip
}

// somePit draws a pit, mostly a fixed one; now and then it may be none.
func (g *drawer) somePit(depth int) rules.Expr {
	if depth == 0 || !g.oneIn(4, "computed pit") {
		if g.sown && g.oneIn(3, "last") {
			return rules.Last
		}
		return pit(g.pit())
	}
	return g.pitOrNone(depth)
}

// pitOrNone draws an expression whose value is a pit or none. A use as a pit is then a fault in
// some states, which engines have to report alike.
func (g *drawer) pitOrNone(depth int) rules.Expr {
	switch kind := g.upTo(6, "pit expression"); {
	case kind == 1 && len(g.sys.Relations) > 0:
		return g.sys.Related(g.somePit(depth-1), g.upTo(len(g.sys.Relations)-1, "relation"))
	case kind == 2:
		return []func(rules.Expr, int) rules.Lookup{g.sys.Next, g.sys.Before}[g.upTo(1, "back")](
			g.somePit(depth-1), g.upTo(len(g.sys.Laps)-1, "lap"))
	case kind == 3 && g.sown:
		return rules.Origin
	case kind == 4:
		return rules.Cond{If: g.condition(depth - 1), Then: pit(g.pit()), Else: pit(rules.None)}
	case kind == 5:
		return g.variableOr(rules.PitType, pit(rules.None))
	case kind == 6 && g.sown:
		return rules.Last
	}
	return pit(g.pit())
}

// variableOr returns the first variable of a type, or x if there is none.
func (g *drawer) variableOr(t rules.Type, x rules.Expr) rules.Expr {
	for i := range g.sys.Vars {
		if g.sys.Vars[i].Type == t {
			return variable(i)
		}
	}
	return x
}

// number draws an expression with an integer value.
func (g *drawer) number(depth int) rules.Expr {
	if depth > 0 && g.oneIn(3, "compound") {
		ops := []rules.Op{rules.Add, rules.Sub, rules.Mul, rules.Min, rules.Max, rules.Div, rules.Mod}
		op := rapid.SampledFrom(ops).Draw(g.T, "operator")
		r := g.number(depth - 1)
		if (op == rules.Div || op == rules.Mod) && !g.oneIn(5, "any divisor") {
			r = k(2 - g.upTo(1, "divisor")*5)
		}
		return binary(op, g.number(depth-1), r)
	}
	switch kind := g.upTo(9, "number"); {
	case kind == 9:
		return g.indexed()
	case kind == 1:
		return rules.Sum{Pits: g.set()}
	case kind == 2:
		return k(g.upTo(4, "constant") - 1)
	case kind == 3:
		return g.variableOr(rules.NumberType, k(1))
	case kind == 4 && g.locals > 0:
		return rules.LocalAt(g.upTo(g.locals-1, "slot"))
	case kind == 5 && g.sown:
		return rules.LastWas
	case kind == 6:
		return g.sys.Index(g.somePit(depth))
	case kind == 7 && depth > 0:
		return rules.Cond{If: g.condition(depth - 1), Then: g.number(depth - 1), Else: g.number(depth - 1)}
	case kind == 8 && g.old:
		return rules.Old{X: seeds(g.pit())}
	}
	return rules.Seeds(g.somePit(depth))
}

// indexed draws a variable chosen by a pit or by the mover. Where the table has a gap that is an
// error in the rules.
func (g *drawer) indexed() rules.Expr {
	if len(g.sys.Vars) == 0 {
		return k(0)
	}
	key, index, size := rules.PitType, g.somePit(1), len(g.sys.Pits)
	if g.oneIn(2, "by mover") {
		key, index, size = rules.PlayerType, rules.Mover, len(g.sys.Players)
	}
	table := make([]int, size)
	for i := range table {
		table[i] = g.upTo(len(g.sys.Vars)-1, "variable")
	}
	if g.oneIn(5, "gap") {
		table[0] = -1
	}
	return rules.Cell{Sort: rules.VarCell, Table: table, Key: key, Index: index}
}

// set draws a set of at least one pit, as a list in random order.
func (g *drawer) set() []int {
	return rapid.Permutation(num.Run(0, len(g.sys.Pits))).Draw(g.T, "set")[:1+g.upTo(len(g.sys.Pits)-1, "size")]
}

// condition draws an expression with a truth value.
func (g *drawer) condition(depth int) rules.Expr {
	if depth > 0 && g.oneIn(3, "compound") {
		return g.compound(depth)
	}
	kind := g.upTo(7, "condition")
	switch {
	case kind == 1:
		return rules.In(g.pitOrNone(1), members(len(g.sys.Pits), g.set()...))
	case kind == 2:
		return binary(rules.Eq, g.pitOrNone(1), g.pitOrNone(1))
	case kind == 3:
		return binary(rules.Eq, rules.Mover, rules.FixedPlayer(g.upTo(len(g.sys.Players)-1, "player")))
	case kind == 4:
		return g.variableOr(rules.TruthType, rules.True)
	case kind == 5 && g.reacts:
		return rules.NoMove
	case kind >= 5 && g.claims:
		return g.ofClaim()
	}
	op := rules.Eq + rules.Op(g.upTo(5, "comparison"))
	if g.oneIn(2, "constant on the left") {
		return binary(op, k(g.upTo(3, "constant")), g.number(1))
	}
	if g.oneIn(2, "constant") {
		return binary(op, g.number(1), k(g.upTo(3, "constant")))
	}
	return binary(op, g.number(1), g.number(1))
}

func (g *drawer) compound(depth int) rules.Expr {
	switch g.upTo(2, "connective") {
	case 0:
		return rules.Not{X: g.condition(depth - 1)}
	case 1:
		return binary(rules.And, g.condition(depth-1), g.condition(depth-1))
	}
	return binary(rules.Or, g.condition(depth-1), g.condition(depth-1))
}

// ofClaim draws what only claims may say.
func (g *drawer) ofClaim() rules.Expr {
	switch kind := g.upTo(3, "claim"); {
	case kind == 1:
		if g.oneIn(2, "but by a fallback") {
			return rules.NoMove
		}
		return rules.IsStuck
	case kind == 2:
		return rules.IsStart
	case kind == 3 && g.old:
		h := &drawer{T: g.T, sys: g.sys, claims: true}
		return rules.Old{X: h.condition(1)}
	}
	return rules.HasOutcome(g.upTo(len(g.sys.Outcomes), "outcome") - 1)
}

package backward_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// Variables of a simple System.
const (
	mark    = iota // a pit or none
	flag           // a truth value
	counter        // a number from 0 to 2
)

// simpleSystem makes a System of 3 to 5 pits in which every body moves seeds by at most one sowing,
// unless it then loses. It makes no sense as a game, but serves to compare engines.
func simpleSystem(r *rand.Rand) *rules.System {
	g := &generator{Rand: r, pits: 3 + r.IntN(3)}
	g.sys = &rules.System{
		Name: "random", Players: []string{"A", "B"}[:1+r.IntN(2)], Moves: []rules.Move{{Label: "move"}},
		Outcomes: []rules.Outcome{
			win: {Label: "win", Kind: rules.WinOutcome}, lose: {Label: "lose", Kind: rules.LoseOutcome},
			{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome},
		},
		Start: rules.Start{Cond: rules.True, Free: make([]bool, g.pits)},
	}
	g.board()
	g.variables()
	for range 2 + r.IntN(4) {
		g.sys.Actions = append(g.sys.Actions, g.action())
	}
	for range r.IntN(3) {
		g.sys.Reactions = append(g.sys.Reactions, g.reaction())
	}
	return g.sys
}

type generator struct {
	*rand.Rand
	sys   *rules.System
	pits  int
	sown  bool // in the current body: last and origin are set
	local bool // likewise: local 0 is set
}

func (g *generator) board() {
	var to []int
	for p := range g.pits {
		g.sys.Pits = append(g.sys.Pits, rules.Pit{Name: fmt.Sprintf("p%d", p), Group: "p", Index: p, Owner: rules.None})
		to = append(to, g.pits-1-p)
	}
	g.sys.Relations = []rules.Relation{{Name: "opposite", To: to}}
	for range 2 {
		on := g.Perm(g.pits)[:2+g.IntN(g.pits-1)]
		g.sys.Laps = append(g.sys.Laps, rulestest.NewLap("lap", g.chance(0.7), g.pits, on...))
	}
}

func (g *generator) variables() {
	where := []int{rules.None}
	for p := range g.pits {
		where = append(where, p)
	}
	g.sys.Vars = []rules.Var{
		mark:    {Name: "mark", Type: rules.PitType, Domain: where, Init: rules.None},
		flag:    {Name: "flag", Type: rules.TruthType, Domain: []int{0, 1}},
		counter: {Name: "counter", Type: rules.NumberType, Domain: []int{0, 1, 2}},
	}
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

func (g *generator) action() rules.Action {
	g.sown, g.local = false, false
	a := rules.Action{Mover: g.IntN(len(g.sys.Players)), Label: "move", Locals: make([]rules.Type, 1)}
	if g.chance(0.5) {
		a.Guard = g.cond(2)
	}
	if g.chance(0.3) {
		a.Body = append(a.Body, g.set())
	}
	a.Body = append(a.Body, g.seeds()...)
	for range g.IntN(3) {
		a.Body = append(a.Body, g.stmt(2))
	}
	return a
}

// seeds makes the part of a body that moves seeds.
func (g *generator) seeds() []rules.Stmt {
	switch {
	case g.chance(0.2):
		return nil
	case g.chance(0.2):
		cond := g.cond(1)
		sow := g.sow()
		g.sown = false
		return []rules.Stmt{rules.If{Cond: cond, Then: []rules.Stmt{sow}, Else: []rules.Stmt{g.set()}}}
	}
	sow := g.sow()
	return []rules.Stmt{sow, rules.If{Cond: g.cond(1), Then: []rules.Stmt{g.capture(), rules.Stop{Outcome: lose}}}}
}

func (g *generator) lap() int { return g.IntN(len(g.sys.Laps)) }

func (g *generator) sow() rules.Stmt {
	s := rules.Sow{Source: g.pit(1), Lap: g.lap(), OriginFirst: g.chance(0.15)}
	if g.chance(0.3) {
		s.OnlyLast = g.members()
	}
	if g.chance(0.3) {
		s.SkipIf = make([]rules.Expr, g.pits)
		s.SkipIf[g.IntN(g.pits)] = rules.True
	}
	if g.chance(0.3) {
		s.SkipIf = make([]rules.Expr, g.pits)
		for p := range s.SkipIf {
			s.SkipIf[p] = equal(number(p), []rules.Expr{rules.Origin, variable(mark)}[g.IntN(2)])
		}
	}
	if g.chance(0.1) {
		s.StartAt = number(g.IntN(g.pits))
	}
	g.sown = true
	return s
}

func (g *generator) capture() rules.Stmt {
	from := rules.Cond{If: g.cond(1), Then: g.pit(1), Else: number(rules.None)}
	return rules.Transfer{From: from, Into: number(g.IntN(g.pits))}
}

// stmt makes a statement that moves no seeds.
func (g *generator) stmt(depth int) rules.Stmt {
	switch n := g.IntN(10); {
	case n == 0:
		return rules.Require(g.cond(1))
	case n == 1 && g.chance(0.3):
		return rules.Prefer(g.number())
	case n == 2:
		return rules.Again(g.IntN(len(g.sys.Players)))
	case n == 3 && depth > 0:
		return rules.While{Cond: g.cond(1), Body: []rules.Stmt{g.set()}}
	case n == 4:
		g.local = true
		return rules.SetLocal(0, g.pit(1))
	case n <= 7 && depth > 0:
		cond := g.cond(1)
		local := g.local
		then := g.stmt(depth - 1)
		g.local = local
		els := g.stmt(depth - 1)
		g.local = local
		return rules.If{Cond: cond, Then: []rules.Stmt{then}, Else: []rules.Stmt{els}}
	case n == 8 && g.chance(0.4):
		return rules.Stop{Outcome: g.IntN(2)}
	}
	return g.set()
}

// set makes an assignment, usually of a value in the variable's domain.
func (g *generator) set() rules.Stmt {
	v := g.IntN(3)
	x := map[int]func() rules.Expr{
		mark: func() rules.Expr { return g.pit(2) },
		flag: func() rules.Expr { return g.cond(1) },
		counter: func() rules.Expr {
			return rules.Binary{Op: rules.Min, L: number(2), R: g.number()}
		},
	}[v]()
	return rules.SetVar(v, x)
}

// pit makes an expression for a pit or none.
func (g *generator) pit(depth int) rules.Expr {
	switch n := g.IntN(7); {
	case n == 0 || n == 1:
		return variable(mark)
	case n == 2 && g.sown:
		return rules.Last
	case n == 3 && g.sown:
		return rules.Origin
	case n == 4 && depth > 0:
		if g.chance(0.5) {
			return g.sys.Before(g.pit(depth-1), g.lap())
		}
		return g.sys.Next(g.pit(depth-1), g.lap())
	case n == 5 && depth > 0:
		return g.sys.Related(g.pit(depth-1), 0)
	case n == 6 && g.local:
		return rules.LocalAt(0)
	}
	return number(g.IntN(g.pits))
}

func (g *generator) number() rules.Expr {
	switch n := g.IntN(6); {
	case n == 0 && g.sown:
		return rules.LastWas
	case n <= 1:
		return rules.PitAt(g.IntN(g.pits))
	case n == 2:
		return variable(counter)
	case n == 3:
		return rules.Binary{Op: rules.Mod, L: rules.PitAt(g.IntN(g.pits)), R: number(2)}
	}
	return number(g.IntN(3))
}

func (g *generator) cond(depth int) rules.Expr {
	switch n := g.IntN(8); {
	case n <= 1 && depth > 0:
		return rules.Binary{Op: []rules.Op{rules.And, rules.Or}[n], L: g.cond(depth - 1), R: g.cond(depth - 1)}
	case n == 2 && depth > 0:
		return rules.Not{X: g.cond(depth - 1)}
	case n == 3:
		return variable(flag)
	case n == 4:
		return rules.In(g.pit(1), g.members())
	case n == 5:
		return equal(g.pit(1), g.pit(1))
	}
	return rules.Binary{Op: []rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Ge}[g.IntN(4)], L: g.number(), R: g.number()}
}

func (g *generator) members() []bool {
	set := make([]bool, g.pits)
	for p := range set {
		set[p] = g.chance(0.4)
	}
	return set
}

func (g *generator) reaction() rules.Reaction {
	g.sown, g.local = false, false
	e := rules.Reaction{AtTurnEnd: g.chance(0.2)}
	outcome, noMove, goesOn := g.IntN(2), g.chance(0.2), g.chance(0.3)
	for range g.sys.Players {
		by := rules.ReactionFor{Locals: make([]rules.Type, 1), When: equal(rules.PitAt(g.IntN(g.pits)), number(g.IntN(2)))}
		if noMove {
			by.When = rules.NoMove
		}
		if g.chance(0.3) || goesOn {
			by.Body = append(by.Body, g.set())
		}
		switch {
		case !goesOn:
			by.Body = append(by.Body, rules.Stop{Outcome: outcome})
		case g.chance(0.3):
			by.Body = append(by.Body, rules.Again(g.IntN(len(g.sys.Players))))
		}
		e.By = append(e.By, by)
	}
	return e
}

package encode

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// explored is all that can happen from one state, in which every part is a variable.
type explored struct {
	layout
	opt     Options
	any     State // that state: every formula is an instance of one about it
	actions []action
	moves   []moves // by player
	others  []moves // by player, without fallbacks
	starts  *node   // from the setup to settled starts
}

// action is what the Encoder knows of an Action, for any live state with its player to move.
type action struct {
	rounds  int
	body    *node // the ways through its body: barred where it is illegal, regardless of `prefer`
	cases   []way // the ways to a settled state
	fault   *term.Term
	overrun *term.Term
}

// way is a settled state and the condition under which it is reached.
type way struct {
	when *term.Term
	to   State
}

// moves says, for any live state with one player to move, whether the player has a legal move, and
// whether finding that out meets an error of the rules or a loop that exceeds its unrolling.
type moves struct {
	can, fault, overrun *term.Term
	prefers             bool // some move of the player has a rank
}

// exploreBodies explores all bodies up to the settling, and from that derives who can move.
func (e *explored) exploreBodies() error {
	e.actions = make([]action, len(e.sys.Actions))
	for _, fallbacks := range []bool{false, true} { // the guards of fallbacks ask who can move otherwise
		for i := range e.sys.Actions {
			if e.sys.Actions[i].Fallback != fallbacks {
				continue
			}
			if err := e.exploreBody(i); err != nil {
				return err
			}
		}
		list := &e.others
		if fallbacks {
			list = &e.moves
		}
		for p := range e.sys.Players {
			*list = append(*list, e.movesOf(p, fallbacks))
		}
	}
	return nil
}

// exploreBody explores the body of an action. It unrolls loops more and more until none of them
// overruns, the bound is reached, or there are too many ways.
func (e *explored) exploreBody(i int) error {
	a := &e.actions[i]
	for rounds := 1; ; rounds = min(2*rounds, e.opt.Unroll) {
		was := a.rounds
		a.rounds = rounds
		tree, err := e.newPath(e.before(i)).explore(func(p *path) (leaf, error) { return e.bodyOnly(p, i) })
		if err == errMany && was > 0 {
			a.rounds = was
			return nil
		}
		if err != nil {
			return e.inMove(i, err)
		}
		a.body = tree
		if rounds >= e.opt.Unroll || e.is(tree, overrun).IsFalse() {
			return nil
		}
	}
}

func (e *explored) bodyOnly(p *path, i int) (leaf, error) {
	d, legal, err := e.try(p, i)
	if err != nil || !legal {
		return leaf{kind: barred}, err
	}
	return leaf{to: d.state(), rank: e.asInt(d.run.Rank)}, nil
}

// exploreStep explores an action up to the settled states. It unrolls loops fewer times if there
// would be too many ways.
func (e *explored) exploreStep(i int) (*node, error) {
	a := &e.actions[i]
	for {
		tree, err := e.newPath(e.before(i)).explore(func(p *path) (leaf, error) { return e.step(p, i) })
		if err != errMany || a.rounds == 1 {
			return tree, e.inMove(i, err)
		}
		a.rounds /= 2
	}
}

func (e *explored) inMove(i int, err error) error {
	where := "a move" // without a label
	if label := e.sys.Actions[i].Label; label != "move" {
		where = fmt.Sprintf("the move `%s`", label)
	}
	return unsupported(where, err)
}

// before is any live state in which the action's player is to move.
func (e *explored) before(i int) State {
	s := e.any.clone()
	s.Mover, s.Outcome = e.b.Int(e.sys.Actions[i].Mover), e.b.Int(rules.Live)
	return s
}

// try executes guard and body.
func (e *explored) try(p *path, i int) (*terms, bool, error) {
	a := e.program.Action(i)
	d := p.newRun(e.before(i), len(a.Locals), e.actions[i].rounds)
	d.trying = true
	legal, err := d.run.Perform(a)
	return d, legal, err
}

// is returns a formula for the ways of a body that end as one of kinds.
func (e *explored) is(n *node, kinds ...kind) *term.Term {
	return e.formula(n, func(l *leaf) *term.Term { return e.b.Bool(slices.Contains(kinds, l.kind)) })
}

// movesOf examines a player's actions in order, as the interpreter does: actions after the first
// legal one do not matter.
func (e *explored) movesOf(player int, fallbacks bool) moves {
	b := e.b
	m := moves{can: b.False(), fault: b.False(), overrun: b.False()}
	for i := range e.sys.Actions {
		a := &e.sys.Actions[i]
		if a.Mover != player || a.Fallback && !fallbacks {
			continue
		}
		tree, none := e.actions[i].body, b.Not(b.Or(m.can, m.fault, m.overrun))
		m.fault = b.Or(m.fault, b.And(none, e.is(tree, faulty)))
		m.overrun = b.Or(m.overrun, b.And(none, e.is(tree, overrun)))
		m.can = b.Or(m.can, e.is(tree, stepped))
		m.prefers = m.prefers || rules.EffectsOf(a.Body).Ranks
	}
	return m
}

// exploreSteps explores all actions up to the settled states.
func (e *explored) exploreSteps() error {
	for i := range e.actions {
		tree, err := e.exploreStep(i)
		if err != nil {
			return err
		}
		a := &e.actions[i]
		a.fault, a.overrun, a.cases = e.is(tree, faulty), e.is(tree, overrun), e.ways(tree)
	}
	return nil
}

// step executes an action if it is legal, passes the turn, and settles.
func (e *explored) step(p *path, i int) (leaf, error) {
	d, legal, err := e.try(p, i)
	if err != nil || !legal {
		return leaf{kind: barred}, err
	}
	if ok, err := d.decide(e.preferred(i, e.asInt(d.run.Rank))); err != nil || !ok {
		return leaf{kind: barred}, err
	}
	d.trying = false
	err = d.run.Conclude(e.sys.Actions[i].Mover)
	return leaf{to: d.settled(d.state())}, err
}

// preferred says that no other legal action of the player has a greater rank.
func (e *explored) preferred(i int, rank *term.Term) *term.Term {
	mover := e.sys.Actions[i].Mover
	all := []*term.Term{}
	for j := range e.actions {
		if j == i || e.sys.Actions[j].Mover != mover || !e.moves[mover].prefers {
			continue
		}
		all = append(all, e.b.Not(e.formula(e.actions[j].body, func(l *leaf) *term.Term {
			if l.kind != stepped {
				return e.b.False()
			}
			return e.b.Lt(rank, l.rank)
		})))
	}
	return e.b.And(all...)
}

// ways lists the states at the leaves of an exploration, each with the condition under which it is
// reached.
func (e *explored) ways(tree *node) []way {
	var list []way
	index, count := map[string]int{}, map[string]int{}
	tree.each(nil, func(when []*term.Term, l *leaf) {
		if l.kind != stepped {
			return
		}
		l.key = l.to.key()
		if count[l.key]++; count[l.key] == 1 {
			index[l.key] = len(list)
			list = append(list, way{e.b.And(when...), l.to})
		}
	})
	for key, i := range index {
		if count[key] > 1 {
			list[i].when = e.formula(tree, func(l *leaf) *term.Term { return e.b.Bool(l.key == key) })
		}
	}
	return list
}

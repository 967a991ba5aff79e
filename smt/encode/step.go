package encode

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// Case is one way in which an action may go, with everything fixed that a formula can fix.
type Case struct {
	Action int
	// When says that the action goes this way: the game goes on, its player is to move, guard and
	// body allow it, and no other action is preferred. It defines Fresh.
	When *term.Term
	// Fresh are quotients. s determines their values.
	Fresh       []*term.Term
	To          State        // the settled state that it leads to
	nonnegative []*term.Term // the seeds before, and those of Fresh that cannot be negative where When holds
}

// Cases lists the ways on from s. Where neither Overrun nor Fault holds, s has a step to t by
// action a if and only if some Case of that action has When and To = t. Different Cases of an
// action exclude each other.
func (e *Encoder) Cases(s State) ([]Case, error) {
	if len(s.Seeds) != len(e.sys.Pits) || len(s.Vars) != len(e.sys.Vars) {
		return nil, errors.New("a state of another System")
	}
	return e.cases(s), nil
}

func (e *Encoder) cases(s State) []Case {
	var list []Case
	here := e.instance(s)
	for i := range e.actions {
		turn := e.turn(s, i)
		if turn.IsFalse() {
			continue
		}
		for _, w := range e.actions[i].cases {
			if c := e.caseOf(s, here, turn, w); c.When != nil {
				c.Action = i
				list = append(list, c)
			}
		}
	}
	return list
}

// turn says that the game goes on and the action's player is to move.
func (e *layout) turn(s State, i int) *term.Term {
	return e.b.And(e.b.Eq(s.Outcome, e.b.Int(rules.Live)), e.b.Eq(s.Mover, e.b.Int(e.sys.Actions[i].Mover)))
}

// caseOf makes an instance of a way; its When is nil if no state goes this way.
func (e *Encoder) caseOf(s State, here *substitution, turn *term.Term, w way) Case {
	when := e.b.And(turn, here.term(w.when))
	if when.IsFalse() {
		return Case{}
	}
	to := here.state(w.to)
	fresh := e.quotientsIn(append(to.Parts(), when)...)
	return Case{When: e.defining(when, fresh), Fresh: fresh, To: to, nonnegative: e.nonnegative(s.Seeds, fresh, when)}
}

// defining adds to a condition the definitions of the quotients that it does not fix by an
// equation.
func (e *layout) defining(when *term.Term, fresh []*term.Term) *term.Term {
	fixed := map[*term.Term]bool{}
	for _, c := range operands(term.And, when) {
		fixed[c] = true
	}
	all := []*term.Term{when}
	for _, q := range fresh {
		if !e.fixes(fixed, e.defined[q]) {
			all = append(all, e.definition(q))
		}
	}
	return e.b.And(all...)
}

// fixes reports whether one of conds determines the remainder of the division. Only sowings ask for
// remainders, by the length of their way, so larger divisors need not be looked for.
func (e *layout) fixes(conds map[*term.Term]bool, d quotient) bool {
	if d.divisor > len(e.sys.Pits) {
		return false
	}
	for r := range d.divisor {
		if conds[e.leaves(d.dividend, d.divisor, r)] {
			return true
		}
	}
	return false
}

// Overrun holds where some action from s has a loop that exceeds its unrolling; it is the constant
// false without such loops. See Definitions.
func (e *Encoder) Overrun(s State) *term.Term {
	return e.anyAction(s, func(a *action) *term.Term { return a.overrun })
}

// Fault holds where a step from s, or the search for steps, meets an error of the rules. See
// Definitions.
func (e *Encoder) Fault(s State) *term.Term {
	return e.anyAction(s, func(a *action) *term.Term { return a.fault })
}

func (e *explored) anyAction(s State, f func(*action) *term.Term) *term.Term {
	here := e.instance(s)
	var some []*term.Term
	for i := range e.actions {
		some = append(some, e.b.And(e.turn(s, i), here.term(f(&e.actions[i]))))
	}
	return e.b.Or(some...)
}

// cannotMove holds in live states without a legal move; moves says which count.
func (e *explored) cannotMove(moves []moves, s State) *term.Term {
	here := e.instance(s)
	all := []*term.Term{e.b.Eq(s.Outcome, e.b.Int(rules.Live))}
	for p, m := range moves {
		all = append(all, e.b.Or(e.b.Ne(s.Mover, e.b.Int(p)), e.b.Not(here.term(m.can))))
	}
	return e.b.And(all...)
}

// Step relates s and t: rel holds if and only if exactly one selector is true, and the When of its
// Case and t = To hold. The selector that is true in a model identifies the action.
//
// Since just one case is chosen, all cases use the same variables for their quotients, whatever the
// dividends are. So there are few different equations for a part of t, which usually is left alone
// or gets q or q + 1 seeds. Each equation occurs once, implied by the selectors that need it.
func (e *Encoder) Step(s, t State, prefix string) (rel *term.Term, choose []*term.Term, cases []Case) {
	cases = e.cases(s)
	b := e.b
	var parts, all []*term.Term
	selectors := map[*term.Term][]*term.Term{} // that imply a part
	for i, c := range cases {
		x := b.Var(fmt.Sprintf("%s.case%d", prefix, i), term.Bool)
		choose = append(choose, x)
		shared := e.sharing(c.Fresh, prefix)
		for _, list := range []*term.Term{shared.term(c.When), e.Same(t, shared.state(c.To), nil, nil)} {
			for _, part := range operands(term.And, list) {
				if selectors[part] == nil {
					parts = append(parts, part)
				}
				selectors[part] = append(selectors[part], x)
			}
		}
	}
	for _, part := range parts {
		all = append(all, b.Implies(b.Or(selectors[part]...), part))
	}
	all = append(all, b.Or(choose...), e.atMostOne(choose, prefix))
	return b.And(all...), choose, cases
}

// sharing replaces the quotients of a case by variables that all cases of a step have in common.
func (e *explored) sharing(fresh []*term.Term, prefix string) *substitution {
	sub := &substitution{e: e, memo: map[*term.Term]*term.Term{}}
	for i, q := range fresh {
		sub.memo[q] = e.b.Var(fmt.Sprintf("%s.q%d", prefix, i), term.Int)
	}
	return sub
}

// atMostOne says, for all i, by a further variable whether one of the first i of xs is true.
func (e *arithmetic) atMostOne(xs []*term.Term, prefix string) *term.Term {
	b := e.b
	before := b.False()
	var all []*term.Term
	for i, x := range xs {
		upTo := b.Var(fmt.Sprintf("%s.upto%d", prefix, i), term.Bool)
		all = append(all, b.Not(b.And(before, x)), b.Eq(upTo, b.Or(before, x)))
		before = upTo
	}
	return b.And(all...)
}

package cert

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/everysize"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/flow"
)

// No statement of the kernel makes seeds or removes them: sowings and transfers move them from pit
// to pit, and pits cannot be assigned to. So every reachable state has as many seeds as some start.
// Of some pits more is known from the text of the rules: that seeds only come to them, or only so
// many at once. Package flow says which way seeds may go. For conditions that are linear in the
// seeds this may be enough to decide them.

// mostTotals bounds how many different numbers of seeds the starts may have.
const mostTotals = 10_000

// Conserved is the evidence that the number of seeds never changes.
type Conserved struct{}

// Grouped is the evidence that seeds only come to some pits, or only so many at once.
type Grouped struct {
	Groups []Group `json:"groups" len:"1.."`
}

// Group is a group of pits of which more is known than that they have some of the seeds. Seeds only
// come to them and never leave them; or if Every is not 0, come and leave in multiples of it only.
type Group struct {
	Pits  []string `json:"pits" len:"1.."`
	Every int      `json:"every,omitempty" is:"2..1048576"`
}

func (e *Conserved) check(ctx context.Context, st *statement, r *Report) error {
	return st.conserves(ctx, e, nil, r)
}

func (e *Grouped) check(ctx context.Context, st *statement, r *Report) error {
	if len(e.Groups) == 0 {
		return reject("there are no groups")
	}
	return st.conserves(ctx, e, e.Groups, r)
}

// conserves checks that no state with as many seeds as some start satisfies the target, where the
// groups of the evidence are as it says.
func (st *statement) conserves(ctx context.Context, e Evidence, of []Group, r *Report) error {
	never, is := st.says.(never)
	switch {
	case !is:
		return st.unfit(e)
	case len(st.sys.OpenParams()) > 0:
		return reject("the number of seeds is evidence for one value of each parameter only")
	case !concerns(never.target):
		return reject("the claim does not compare numbers of seeds")
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	groups, err := st.groups(of)
	if err != nil {
		return err
	}
	m := partial.New(ctx, st.sys)
	starts, seen := 0, map[string]bool{}
	err = eachStart(ctx, m, st.tries, func(s partial.State) error {
		at, err := known(s)
		if err != nil {
			return err
		}
		starts++
		o := groups.outlook(st.sys, at)
		key := fmt.Sprint(o.total, o.least, o.residues)
		if seen[key] {
			return nil
		}
		if seen[key] = true; len(seen) > mostTotals {
			return refuse.Open("the starts have too many different numbers of seeds")
		}
		if may, _ := o.truth(never.target, false); may {
			return reject("that all states have %d seeds does not decide the claim", at.Total())
		}
		return nil
	})
	if err != nil {
		return err
	}
	if r.Subject = NoSubject; starts > 0 {
		r.Subject = st.hasSubject(ctx, never.target, whole(st.sys), m)
	}
	r.checked("starts, and the number of seeds of each", starts)
	if len(groups) > 0 {
		r.checked("groups of pits, and which seeds come to them", len(groups))
	}
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// assignsSeeds reports whether a statement assigns to a pit. The resolver makes no such statement.
func assignsSeeds(sys *rules.System) bool { return everysize.Kept(sys) != "" }

// Bodies lists all that is carried out in play: the bodies of actions, and after them those of
// reactions.
func Bodies(sys *rules.System) []flow.Body {
	actions := lists.Map(sys.Actions, func(a rules.Action) flow.Body { return flow.Of(&a) })
	return append(actions, reactions(sys)...)
}

// reactions lists the bodies of reactions, for each player to move.
func reactions(sys *rules.System) []flow.Body {
	var list []flow.Body
	for mover, by := range sys.EachReaction() {
		list = append(list, flow.ForMover(by, mover))
	}
	return list
}

// group is a group of the evidence.
type group struct {
	pits  []int
	in    []bool // by pit
	every int    // 0: seeds only come
}

type groups []group

// groups reads the groups of the evidence, and checks that they are as it says.
func (st *statement) groups(list []Group) (groups, error) {
	var all groups
	taken := make([]bool, len(st.sys.Pits))
	for _, l := range list {
		g := group{in: make([]bool, len(st.sys.Pits)), every: l.Every}
		if len(l.Pits) == 0 || l.Every < 0 || l.Every == 1 {
			return nil, reject("a group of %d pits, with seeds that come %d at once", len(l.Pits), l.Every)
		}
		for _, name := range l.Pits {
			p := st.sys.PitNamed(name)
			switch {
			case p == rules.None || g.in[p]:
				return nil, reject("a group has a pit `%s`", name)
			case l.Every == 0 && taken[p]:
				return nil, reject("the pit `%s` is in two groups", name)
			}
			g.pits, g.in[p] = append(g.pits, p), true
			taken[p] = taken[p] || l.Every == 0
		}
		all = append(all, g)
	}
	if len(all) == 0 {
		return nil, nil
	}
	var err error
	for _, b := range Bodies(st.sys) {
		flow.Moves(st.sys, b, func(m flow.Move) {
			for i := range all {
				if err == nil && !all[i].allows(m) {
					err = reject("seeds may go from `%s` to `%s`, and not as a group needs", st.sys.Pits[m.From].Name, st.sys.Pits[m.Into].Name)
				}
			}
		})
	}
	return all, err
}

// allows reports whether a move leaves a group as it is said to be.
func (g *group) allows(m flow.Move) bool {
	if g.every == 0 {
		return !g.in[m.From] || g.in[m.Into]
	}
	if g.in[m.From] == g.in[m.Into] {
		return true
	}
	t := m.Transfer
	if t == nil {
		return false
	}
	if n, is := t.Count.(rules.Const); is {
		return num.Mod(n.Value, g.every) == 0
	}
	return t.Count == nil && slices.ContainsFunc(m.Facts, func(x rules.Expr) bool { return divides(g.every, x, rules.Seeds(t.From)) })
}

// divides reports whether a condition says that k divides a number.
func divides(k int, x rules.Expr, number rules.Cell) bool {
	b, is := x.(rules.Binary)
	if !is {
		return false
	}
	switch b.Op {
	case rules.And:
		return divides(k, b.L, number) || divides(k, b.R, number)
	case rules.Or:
		return divides(k, b.L, number) && divides(k, b.R, number)
	case rules.Eq:
		n, is := b.R.(rules.Const)
		if !is {
			return false
		}
		if same(b.L, number) {
			return num.Mod(n.Value, k) == 0
		}
		mod, is := b.L.(rules.Binary)
		if !is || mod.Op != rules.Mod || !same(mod.L, number) {
			return false
		}
		by, is := mod.R.(rules.Const)
		return is && by.Value > 0 && num.Mod(by.Value, k) == 0 && num.Mod(n.Value, k) == 0
	}
	return false
}

// same reports whether x is the number of seeds in the same pit.
func same(x rules.Expr, number rules.Cell) bool {
	c, is := x.(rules.Cell)
	return is && c.Sort == number.Sort && c.Slot == number.Slot && reflect.DeepEqual(c.Index, number.Index)
}

// outlook is what the groups tell of all states of a play from a start.
func (g groups) outlook(sys *rules.System, start rules.State) *outlook {
	o := &outlook{sys: sys, total: num.Point(start.Total()), mover: players(sys)}
	for i := range g {
		n := lists.Sum(g[i].pits, func(p int) int { return start.Seeds[p] })
		if g[i].every == 0 {
			o.least = append(o.least, least{g[i].pits, n})
		} else {
			o.residues = append(o.residues, residue{g[i].pits, g[i].every, num.Mod(n, g[i].every)})
		}
	}
	return o
}

// concerns reports whether a condition compares something with numbers of seeds.
func concerns(x rules.Expr) bool {
	switch x := any(x).(type) { // most say nothing
	case rules.Not:
		return concerns(x.X)
	case rules.Binary:
		if x.Op == rules.And || x.Op == rules.Or {
			return concerns(x.L) || concerns(x.R)
		}
		return rules.Mentions(x, func(x rules.Expr) bool {
			_, single := rules.SeedsOf(x)
			_, adds := x.(rules.Sum)
			return single || adds
		})
	}
	return false
}

// Moved is the evidence of which way seeds go in a step.
type Moved struct{}

// check checks that every step that the claim is about is as it says, whatever the state before it
// is, by which way seeds may go in it.
func (e *Moved) check(_ context.Context, st *statement, r *Report) error {
	step, is := st.says.(always)
	switch {
	case !is:
		return st.unfit(e)
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	anywhere := &outlook{sys: st.sys, total: num.AtLeast(0), mover: players(st.sys)}
	if fails, _ := anywhere.truth(rules.Valueless(step.From), false); fails {
		return reject("`from` may have no value")
	}
	var meant []int
	for a := range st.sys.Actions {
		may, _ := st.stepBy(a, nil).truth(step.From, true)
		if may && rules.Counts(step.Actions, a) {
			meant = append(meant, a)
		}
	}
	for _, a := range meant { // what does not hold without moves of seeds does not hold with any
		if err := st.isGiven(step.Gives, a, nil); err != nil {
			return err
		}
	}
	var after moved
	if len(meant) > 0 {
		after.add(st.sys, reactions(st.sys)...)
	}
	for _, a := range meant {
		ways := slices.Clone(after)
		ways.add(st.sys, flow.Of(&st.sys.Actions[a]))
		if err := st.isGiven(step.Gives, a, ways); err != nil {
			return err
		}
	}
	if r.Subject = SubjectUnknown; len(meant) == 0 {
		r.Subject = NoSubject
	}
	r.checked("actions, and which way seeds go", len(meant))
	return nil
}

// stepBy is the outlook on a step by an action, in which seeds may go these ways.
func (st *statement) stepBy(action int, ways moved) *outlook {
	return &outlook{sys: st.sys, total: num.AtLeast(0), mover: num.Point(st.sys.Actions[action].Mover), change: ways.changes}
}

// isGiven fails unless what the claim says holds after each step by an action, if seeds may go
// these ways.
func (st *statement) isGiven(gives rules.Expr, action int, ways moved) error {
	o := st.stepBy(action, ways)
	if fails, _ := o.truth(rules.Valueless(gives), false); fails {
		return reject("after a step by `%s` the condition may have no value", st.sys.ActionName(action))
	}
	if _, mayNot := o.truth(gives, false); mayNot {
		return reject("which way seeds go in a step by `%s` does not decide the claim", st.sys.ActionName(action))
	}
	return nil
}

// moved lists pairs of pits: from the first of each seeds may go to the second.
type moved [][2]int

func (m *moved) add(sys *rules.System, list ...flow.Body) {
	seen := map[[2]int]bool{}
	for _, way := range *m {
		seen[way] = true
	}
	for _, b := range list {
		flow.Moves(sys, b, func(x flow.Move) {
			if way := [2]int{x.From, x.Into}; !seen[way] {
				seen[way], *m = true, append(*m, way)
			}
		})
	}
}

// changes bounds by how much a sum of multiples of the seeds in the pits may change.
func (m moved) changes(factors []int) num.Interval {
	all := num.Point(0)
	for _, way := range m {
		switch from, into := factors[way[0]], factors[way[1]]; {
		case into > from:
			all.Hi = num.Inf
		case into < from:
			all.Lo = -num.Inf
		}
	}
	return all
}

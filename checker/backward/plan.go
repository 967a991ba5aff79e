package backward

import (
	"slices"

	"github.com/mancheck/mancheck/checker/slice/possible"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/rules"
)

// maxValuations bounds the assignments of values to variables that are tried for one candidate or
// one sowing.
const maxValuations = 1 << 16

// plan is a sowing with everything fixed but the number of seeds.
type plan struct {
	lap      *rules.Lap
	source   int
	first    int    // the pit tried for the first seed, or none
	skip     []bool // by pit; nil: nothing is skipped
	onlyLast []bool
	ties     []tie
}

// tie says that the plan is followed only from states in which a variable has this value.
type tie struct{ variable, value int }

// place finds the pit for a seed that falls into at or a pit behind it, or none.
func (p *plan) place(at int, last bool) int { return step.Place(p.lap, p.skip, p.onlyLast, at, last) }

func (p *plan) equal(q *plan) bool {
	return p.source == q.source && p.first == q.first && slices.Equal(p.skip, q.skip) && slices.Equal(p.ties, q.ties)
}

// planner finds the plans of one sowing: it tries all values of the variables that choose its pits.
type planner struct {
	sys   *rules.System
	mover int
	sow   sowing
	vars  []int // that choose the pits
	value []int // by variable; of those
	plans []*plan
	hard  string
}

// plansOf lists the plans of a sowing, each once, or says why it cannot.
func plansOf(sys *rules.System, mover int, s sowing) (plans []*plan, hard string) {
	p := &planner{sys: sys, mover: mover, sow: s, value: make([]int, len(sys.Vars))}
	p.vars = p.choosers()
	options := make([][]int, len(sys.Vars))
	for v := range options {
		if options[v] = []int{rules.None}; slices.Contains(p.vars, v) {
			options[v] = p.values(v)
		}
	}
	if many(options) {
		return nil, "sows in more ways than can be listed"
	}
	_ = choose(options, p.value, p.sources)
	return p.plans, p.hard
}

// many reports whether there are too many ways to choose one of each list.
func many(options [][]int) bool {
	n := 1
	for _, values := range options {
		if n *= len(values); n > maxValuations {
			return true
		}
	}
	return false
}

// choose calls f for each way to choose one of each list of options, with the choice at the end of
// into. It restores into afterwards.
func choose(options [][]int, into []int, f func() error) error {
	if len(options) == 0 {
		return f()
	}
	i := len(into) - len(options)
	before := into[i]
	defer func() { into[i] = before }()
	for _, v := range options[0] {
		into[i] = v
		if err := choose(options[1:], into, f); err != nil {
			return err
		}
	}
	return nil
}

// choosers lists the variables that the pits of the sowing depend on.
func (p *planner) choosers() []int {
	var vars []int
	add := func(x rules.Expr, at *possible.Env) {
		if c, is := x.(rules.Cell); is && c.Sort == rules.VarCell {
			vars = append(vars, at.Slots(c)...)
		}
	}
	p.sow.env.Walk(p.sow.Source, add)
	for _, x := range append([]rules.Expr{p.sow.StartAt}, p.sow.SkipIf...) {
		p.sow.env.Sowing(p.sow.Sow).Walk(x, add)
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// values lists the possible values of a variable when the sowing starts.
func (p *planner) values(v int) []int {
	if set := p.sow.env.Var(v); !set.Any {
		return set.Values
	}
	return p.sys.Vars[v].Domain
}

// sources makes a plan for each possible source pit; the variables may determine it.
func (p *planner) sources() error {
	pits := p.sow.env.Pits(p.sow.Source)
	if v, ok := p.eval(p.sow.Source, rules.None); ok {
		pits = []int{v}
	}
	for _, source := range pits {
		if source != rules.None {
			p.plan(source)
		}
	}
	return nil
}

func (p *planner) plan(source int) {
	out := &plan{lap: &p.sys.Laps[p.sow.Lap], source: source, onlyLast: p.sow.OnlyLast}
	out.first = out.lap.Next[source]
	if p.sow.OriginFirst {
		out.first = source
	}
	if p.sow.StartAt != nil {
		first, ok := p.eval(p.sow.StartAt, source)
		if !ok {
			p.hard = "sows from a place that depends on more than variables"
		}
		out.first = first
	}
	out.skip = p.skips(source)
	out.ties = p.ties()
	if !slices.ContainsFunc(p.plans, out.equal) {
		p.plans = append(p.plans, out)
	}
}

func (p *planner) skips(source int) []bool {
	if p.sow.SkipIf == nil {
		return nil
	}
	skip := make([]bool, len(p.sow.SkipIf))
	for pit, x := range p.sow.SkipIf {
		if x == nil {
			continue
		}
		v, ok := p.eval(x, source)
		if !ok {
			p.hard = "skips pits by more than variables"
		}
		skip[pit] = v != 0
	}
	return skip
}

// ties lists the values of the choosing variables that must have been there before the action.
func (p *planner) ties() []tie {
	var ties []tie
	for _, v := range p.vars {
		if !p.sow.assigned[v] {
			ties = append(ties, tie{v, p.value[v]})
		}
	}
	return ties
}

// eval evaluates an expression that depends only on the variables given values, the board and, if
// there is one, the pit sown from.
func (p *planner) eval(x rules.Expr, origin int) (value int, ok bool) {
	c, ok := rules.Simplify(x, func(x rules.Expr) (int, bool) {
		c, is := x.(rules.Cell)
		switch {
		case !is || c.Index != nil:
		case c.Sort == rules.VarCell:
			return p.value[c.Slot], slices.Contains(p.vars, c.Slot)
		case c.Sort == rules.RegisterCell && c.Slot == rules.OriginReg:
			return origin, origin != rules.None
		case c.Sort == rules.RegisterCell && c.Slot == rules.MoverReg:
			return p.mover, true
		}
		return 0, false
	}).(rules.Const)
	return c.Value, ok
}

package backward

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
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
	minSeeds int // seeds in the source that the guard allows
	maxSeeds int
	course
}

// course says where the seeds of a plan fall. If the sowing does not end at the end of a line, the
// pits recur in rounds.
type course struct {
	drops   []drop
	round   int     // index at which a round begins, behind the first drops; the round ends with the list. noRound on a line
	meets   meeting // of the round
	ignored bool    // all pits of the round are ignored

	meetsSource bool // some seed, at least as the last one, falls into the source
}

// drop is one seed of a course. Its cells are indices in guess.cells.
type drop struct {
	onward   int32 // cell for the seed if another one follows; or none, at the end of a line
	end      int32 // cell for it if it is the last one; or none
	pit      int32 // the pit of end
	onSource bool  // that is the source, and kept
}

// noRound is the beginning of the round of a sowing that ends after a few seeds at the latest.
const noRound = -1

// meeting says which seeds of a round fall into the pit sown from, if that is kept.
type meeting int8

const (
	never  meeting = iota
	atEnd          // one that is the last
	always         // one in each round
)

// tie says that the plan is followed only from states in which a variable has this value.
type tie struct{ variable, value int }

// follow makes the course of a plan. The pit for a seed depends on the one before it, so the round
// begins behind the first pit that recurs.
func (p *plan) follow(sys *rules.System, keep rules.Parts) {
	cell := func(pit int) int32 {
		if pit != rules.None && !keep.HasPit(pit) {
			return int32(sink(sys))
		}
		return int32(pit)
	}
	p.round = noRound
	dropAt := map[int]int{} // by pit: the index of its drop
	for at := p.first; ; {
		end, pit := p.place(at, true), p.place(at, false)
		p.drops = append(p.drops, drop{cell(pit), cell(end), int32(end), end == p.source && keep.HasPit(end)})
		p.meetsSource = p.meetsSource || end == p.source || pit == p.source
		if pit == rules.None {
			return
		}
		if before, is := dropAt[pit]; is {
			p.round = before + 1
			break
		}
		dropAt[pit] = len(p.drops) - 1
		at = p.lap.Next[pit]
	}
	p.ignored = true
	for _, d := range p.drops[p.round:] {
		p.ignored = p.ignored && d.onward == int32(sink(sys))
		switch {
		case !keep.HasPit(p.source):
		case d.onward == int32(p.source):
			p.meets = always
		case d.onSource && p.meets == never:
			p.meets = atEnd
		}
	}
}

// sink is the index in guess.cells that stands for all ignored pits.
func sink(sys *rules.System) int { return len(sys.Pits) + len(sys.Vars) }

// place finds the pit for a seed that falls into at or a pit behind it, or none.
func (p *plan) place(at int, last bool) int {
	return residual.Place(p.lap, p.skip, p.onlyLast, at, last)
}

// allowed sets the numbers of seeds in the source that the guard allows, as far as it compares them
// with constants.
func (p *plan) allowed(guard rules.Expr) {
	p.minSeeds, p.maxSeeds = 1, num.Most
	if guard == nil {
		return
	}
	for _, c := range rules.Conjuncts(guard) {
		b, is := c.(rules.Binary)
		if !is {
			continue
		}
		if pit, is := rules.SeedsOf(b.L); is && pit == p.source {
			p.compare(b.Op, b.R)
		}
		if pit, is := rules.SeedsOf(b.R); is && pit == p.source {
			p.compare(b.Op.Mirror(), b.L)
		}
	}
}

// compare restricts the numbers of seeds to those for which `seeds op x` holds.
func (p *plan) compare(op rules.Op, x rules.Expr) {
	c, is := x.(rules.Const)
	if !is || c.Value < 0 || c.Value > num.Most {
		return
	}
	switch op {
	case rules.Eq:
		p.minSeeds, p.maxSeeds = max(p.minSeeds, c.Value), min(p.maxSeeds, c.Value)
	case rules.Lt:
		p.maxSeeds = min(p.maxSeeds, c.Value-1)
	case rules.Le:
		p.maxSeeds = min(p.maxSeeds, c.Value)
	case rules.Gt:
		p.minSeeds = max(p.minSeeds, c.Value+1)
	case rules.Ge:
		p.minSeeds = max(p.minSeeds, c.Value)
	}
}

// planner finds the plans of one sowing: it tries all values of the variables that choose its pits.
type planner struct {
	ctx   context.Context
	sys   *rules.System
	mover int
	sow   sowing
	vars  []int // the variables that choose the pits
	value []int // by variable; only those of vars are set
	plans []*plan
	seen  map[string]bool // by key of a plan
	hard  string
}

// plansOf lists the plans of a sowing, each once, or says why it cannot. The list is not whole if
// the context has ended.
func plansOf(ctx context.Context, sys *rules.System, mover int, s sowing) (plans []*plan, hard string) {
	p := &planner{ctx: ctx, sys: sys, mover: mover, sow: s, value: make([]int, len(sys.Vars)), seen: map[string]bool{}}
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
	add := func(x rules.Expr, at *abstract.Env) {
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
	return p.sow.env.Var(v).Among(p.sys.Vars[v].Domain)
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
	return p.ctx.Err()
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
	if key := fmt.Sprint(out.source, out.first, out.skip, out.ties); !p.seen[key] {
		p.seen[key] = true
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
	free := lists.Filter(p.vars, func(v int) bool { return !p.sow.assigned[v] })
	return lists.Map(free, func(v int) tie { return tie{v, p.value[v]} })
}

// eval evaluates an expression that depends only on the variables given values, the board and, if
// there is one, the pit sown from.
func (p *planner) eval(x rules.Expr, origin int) (value int, ok bool) {
	c, ok := rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
		fixed := func(v int) rules.Const { return rules.Const{Value: v, Type: p.sys.TypeOf(x, nil)} }
		c, is := x.(rules.Cell)
		switch {
		case !is || c.Index != nil:
		case c.Sort == rules.VarCell:
			return fixed(p.value[c.Slot]), slices.Contains(p.vars, c.Slot)
		case c.Sort == rules.RegisterCell && c.Slot == rules.OriginReg:
			return fixed(origin), origin != rules.None
		case c.Sort == rules.RegisterCell && c.Slot == rules.MoverReg:
			return fixed(p.mover), true
		}
		return rules.Const{}, false
	}).(rules.Const)
	return c.Value, ok
}

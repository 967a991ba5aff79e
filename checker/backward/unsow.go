package backward

import (
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// guess makes the candidates for a target and yields those that are predecessors. Its work is the
// target, changed and changed back: a copy for each candidate would take most of the time.
type guess struct {
	*inverse
	target *pack.Flat // with ignored parts empty
	work   *pack.Flat
	cells  []int // of work, and one with any number of seeds: see sink
	job    *job
	yield  func(s *pack.Flat, action int) error // s is valid until it returns
}

func newGuess(v *inverse, yield func(*pack.Flat, int) error) *guess {
	g := &guess{inverse: v, target: pack.NewFlat(v.sys), work: pack.NewFlat(v.sys), yield: yield}
	n := sink(v.sys)
	g.cells = make([]int, n+1)
	g.cells[n] = math.MaxInt
	g.work.Cells = g.cells[:n:n]
	return g
}

// preimage yields the predecessors of the target, which is of class c. It may yield one more than
// once.
func (g *guess) preimage(c *class) error {
	copy(g.work.Cells, g.target.Cells)
	g.work.Outcome = rules.Live
	for i := range c.jobs {
		g.job = &c.jobs[i]
		g.work.Mover = g.job.action.mover
		if err := g.back(g.job.plan); err != nil {
			return err
		}
	}
	return c.err
}

// back undoes a plan, or an action that moves no seeds.
func (g *guess) back(p *plan) error {
	if p == nil {
		return g.values()
	}
	first := &p.drops[0]
	if !p.meetsSource && g.cells[p.source] != 0 || first.end == rules.None || g.cells[first.end] == 0 && (first.onward == rules.None || g.cells[first.onward] == 0) {
		return nil
	}
	d := undoing{guess: g, plan: p}
	err := d.run()
	d.restore()
	return err
}

// undoing undoes the drops of a plan: those of its course before index at, and whole rounds.
//
// Each seed is taken out of its pit. All drops but the last fall into the same pits for any number
// of seeds, so when one finds no seed, no greater number is possible. The pit sown from was empty
// after its seeds were taken: all seeds now in it must have fallen into it. If each round drops one
// there, this determines the number of rounds, and they are undone at once. Otherwise each number
// of rounds that the kept pits allow has its own predecessor.
type undoing struct {
	*guess
	*plan
	drop   int
	rounds int
	seeds  int // undone
}

// run tries all numbers of seeds with which the plan may have been executed.
func (u *undoing) run() error {
	cells := u.cells
	for {
		d := &u.drops[u.drop]
		if left := cells[u.source]; left == 0 || left == 1 && d.onSource {
			if err := u.tryLast(d); err != nil {
				return err
			}
		}
		if d.onward == rules.None || cells[d.onward] == 0 || u.seeds+1 >= u.maxSeeds {
			return nil
		}
		cells[d.onward]--
		u.drop++
		u.seeds++
		if u.drop == u.round || u.drop == len(u.drops) {
			if more, err := u.enterRound(); !more {
				return err
			}
		}
	}
}

// enterRound goes to the beginning of the next round with a candidate, and reports whether there
// may be one.
func (u *undoing) enterRound() (bool, error) {
	first := u.drop == u.round
	if !first {
		u.drop = u.round
		u.rounds++
	}
	skip := max(0, (u.minSeeds-1-u.seeds)/(len(u.drops)-u.round))
	left := u.cells[u.source]
	if u.meets == always {
		return u.undoRounds(max(skip, left-1)), nil
	}
	if err := u.ctx.Err(); err != nil {
		return false, err
	}
	switch {
	case left > 1 || left == 1 && u.meets == never:
		return false, nil
	case u.ignored && u.maxSeeds == num.Most:
		return false, u.job.action.hard("sows any number of seeds into pits that do not matter")
	case first && !slices.ContainsFunc(u.drops[u.round:], func(d drop) bool { return u.job.ends.allows(int(d.pit)) }):
		return false, nil // the last seed falls into no pit of the round
	}
	return u.undoRounds(skip), nil
}

// undoRounds undoes whole rounds, if there are enough seeds.
func (u *undoing) undoRounds(n int) bool {
	if n == 0 {
		return true
	}
	round := u.drops[u.round:]
	if n > (u.maxSeeds-u.seeds)/len(round) {
		return false
	}
	for _, d := range round {
		if u.cells[d.onward] < n {
			return false
		}
	}
	for _, d := range round {
		u.cells[d.onward] -= n
	}
	u.rounds += n
	u.seeds += n * len(round)
	return true
}

// tryLast undoes d as the last drop, if this may be the number of seeds.
func (u *undoing) tryLast(d *drop) error {
	if d.end == rules.None || u.cells[d.end] == 0 || u.seeds+1 < u.minSeeds || u.seeds+1 > u.maxSeeds || !u.job.ends.allows(int(d.pit)) {
		return nil
	}
	u.cells[d.end]--
	source := u.cells[u.source]
	u.cells[u.source] = u.seeds + 1
	err := u.values()
	u.cells[u.source] = source
	u.cells[d.end]++
	return err
}

// restore makes the drops again.
func (u *undoing) restore() {
	for _, d := range u.drops[:u.drop] {
		u.cells[d.onward]++
	}
	if u.rounds > 0 {
		for _, d := range u.drops[u.round:] {
			u.cells[d.onward] += u.rounds
		}
	}
}

// values tries all values that variables may have had before the action.
func (g *guess) values() error {
	vars := g.work.Cells[len(g.sys.Pits):]
	for _, s := range g.job.fixed {
		vars[s.variable] = s.value
	}
	err := g.choose(vars, g.job.free)
	copy(vars, g.target.Cells[len(g.sys.Pits):])
	return err
}

func (g *guess) choose(vars []int, free []choice) error {
	if len(free) == 0 {
		return g.confirm()
	}
	for _, v := range free[0].values {
		vars[free[0].variable] = v
		if err := g.choose(vars, free[1:]); err != nil {
			return err
		}
	}
	return nil
}

// confirm yields the candidate if the action leads from it to the target, and it may be a state in
// play. What is quick is decided first.
func (g *guess) confirm() error {
	if g.tooManySeeds() {
		return nil
	}
	inPlay := g.inPlay(g.work)
	if inPlay == no {
		return nil
	}
	if leads, err := g.leads(g.job.action, g.work, g.target); err != nil || !leads {
		return err
	}
	if inPlay == unknown {
		is, err := g.shape.Allows(g.work.View(g.sys), g.keep)
		if err != nil || !is {
			return err
		}
	}
	return g.yield(g.work, g.job.action.index)
}

// tooManySeeds reports whether the candidate has more seeds than any state in play.
func (g *guess) tooManySeeds() bool {
	if g.maxSeeds == nil {
		return false
	}
	n, ok := num.Sum(g.cells[:len(g.sys.Pits)])
	return !ok || n > *g.maxSeeds
}

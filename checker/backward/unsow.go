package backward

import (
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
	cells  []int // of work
	job    *job
	yield  func(s *pack.Flat, action int) error // s is valid until it returns
}

func newGuess(v *inverse, yield func(*pack.Flat, int) error) *guess {
	g := &guess{inverse: v, target: pack.NewFlat(v.sys), work: pack.NewFlat(v.sys), yield: yield}
	g.cells = g.work.Cells
	return g
}

// preimage yields the predecessors of the target, which is of class c. It may yield one more than
// once.
func (g *guess) preimage(c *class) error {
	copy(g.cells, g.target.Cells)
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
	if !p.meetsSource && g.cells[p.source] != 0 {
		return nil
	}
	d := drops{guess: g, plan: p}
	err := d.undo()
	d.restore()
	return err
}

// drops are the drops of a plan that are undone: one into each pit of the course before index at,
// and whole rounds.
//
// Each seed is taken out of a pit, if the pit is kept. All drops but the last fall into the same
// pits for any number of seeds, so when one finds no seed, no greater number is possible. The pit
// sown from was empty after its seeds were taken: all seeds now in it must have fallen into it. If
// each round drops one there, this determines the number of rounds, and they are undone at once.
// Otherwise each number of rounds that the kept pits allow has its own predecessor.
type drops struct {
	*guess
	*plan
	at     int
	rounds int
	seeds  int // of these drops
}

// undo tries all numbers of seeds with which the plan may have been executed.
func (d *drops) undo() error {
	for {
		if err := d.tryLast(); err != nil {
			return err
		}
		if d.at == len(d.on) || d.seeds+1 >= d.most || !d.lift(int(d.on[d.at])) {
			return nil
		}
		d.at++
		d.seeds++
		if d.at == d.round || d.at == len(d.on) && d.round != noRound {
			if more, err := d.enterRound(); !more {
				return err
			}
		}
	}
}

// enterRound goes to the beginning of the next round with a candidate, and reports whether there
// may be one.
func (d *drops) enterRound() (bool, error) {
	first := d.at == d.round
	if !first {
		d.at = d.round
		d.rounds++
	}
	if err := d.ctx.Err(); err != nil {
		return false, err
	}
	skip := max(0, (d.least-1-d.seeds)/(len(d.on)-d.round))
	switch left := d.cells[d.source]; {
	case d.meets == always:
		return d.liftRounds(max(skip, left-1)), nil
	case left > 1 || left == 1 && d.meets == never:
		return false, nil
	}
	if d.ignored && d.most == num.Most {
		return false, d.job.action.hard("sows any number of seeds into pits that do not matter")
	}
	if first && !d.mayEndInRound() {
		return false, nil
	}
	return d.liftRounds(skip), nil
}

// mayEndInRound reports whether the last seed may fall into a pit of the round.
func (d *drops) mayEndInRound() bool {
	for _, pit := range d.last[d.round:] {
		if pit != rules.None && d.job.ends.allows(int(pit)) {
			return true
		}
	}
	return false
}

// liftRounds undoes whole rounds, if there are enough seeds.
func (d *drops) liftRounds(n int) bool {
	if n == 0 {
		return true
	}
	round := d.on[d.round:]
	if n > (d.most-d.seeds)/len(round) {
		return false
	}
	for _, pit := range round {
		if d.keep.HasPit(int(pit)) && d.cells[pit] < n {
			return false
		}
	}
	d.shift(round, -n)
	d.rounds += n
	d.seeds += n * len(round)
	return true
}

// tryLast undoes another drop as the last one, if this may be the number of seeds.
func (d *drops) tryLast() error {
	pit := int(d.last[d.at])
	if pit == rules.None || d.seeds+1 < d.least || d.seeds+1 > d.most {
		return nil
	}
	left := d.cells[d.source]
	if pit == d.source && d.keep.HasPit(pit) {
		left--
	}
	if left != 0 || !d.job.ends.allows(pit) || !d.lift(pit) {
		return nil
	}
	d.cells[d.source] = d.seeds + 1
	err := d.values()
	d.cells[d.source] = 0
	d.shift(d.last[d.at:d.at+1], 1)
	return err
}

// lift takes a seed out of a pit, if the pit is kept, and reports whether there was one.
func (d *drops) lift(pit int) bool {
	if !d.keep.HasPit(pit) {
		return true
	}
	if d.cells[pit] == 0 {
		return false
	}
	d.cells[pit]--
	return true
}

// restore makes the drops again.
func (d *drops) restore() {
	d.shift(d.on[:d.at], 1)
	if d.rounds > 0 {
		d.shift(d.on[d.round:], d.rounds)
	}
}

// shift adds n seeds to each of some pits, where they are kept.
func (d *drops) shift(pits []int32, n int) {
	for _, pit := range pits {
		if d.keep.HasPit(int(pit)) {
			d.cells[pit] += n
		}
	}
}

// values tries all values that variables may have had before the action.
func (g *guess) values() error {
	vars := g.cells[len(g.sys.Pits):]
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
	to, legal, err := g.do(g.job.action, g.work)
	if err != nil || !legal || !g.agree(to, g.target) {
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

package interp

import (
	"cmp"
	"encoding/binary"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// flow says how the carrying out of statements ended.
type flow int

const (
	onward   flow = iota // the next statement is to be carried out
	finished             // the game is over
	illegal              // the action cannot be carried out
)

// run is the carrying out of one body. It owns the state it changes.
type run struct {
	frame
	again bool
	rank  int
}

func (in *Interp) newRun(s rules.State, locals int, at diag.Range) *run {
	return &run{frame: frame{in: in, s: &s, locals: make([]int, locals), last: unset, origin: unset, at: at}}
}

// end closes the game with an outcome.
func (r *run) end(outcome int) {
	r.s.Outcome = outcome
	r.s.Mover = rules.None
}

func (r *run) block(body []rules.Stmt) (flow, error) {
	for _, s := range body {
		if how, err := r.stmt(s); err != nil || how != onward {
			return how, err
		}
	}
	return onward, nil
}

func (r *run) stmt(s rules.Stmt) (flow, error) {
	switch s := s.(type) {
	case rules.Sow:
		return r.sow(s)
	case rules.Gather:
		return onward, r.gather(s)
	case rules.Take:
		return onward, r.take(s)
	case rules.Assign:
		return onward, r.assign(s)
	case rules.SetLocal:
		return onward, r.evalTo(&r.locals[s.Slot], s.X)
	case rules.If:
		return r.branch(s)
	case rules.While:
		return r.while(s)
	case rules.Again:
		r.again = true
	case rules.Finish:
		r.end(s.Outcome)
		return finished, nil
	case rules.Require:
		ok, err := r.holds(s.Cond)
		if err == nil && !ok {
			return illegal, nil
		}
		return onward, err
	case rules.Prefer:
		return onward, r.evalTo(&r.rank, s.Rank)
	}
	return onward, nil
}

func (r *run) evalTo(to *int, x rules.Expr) error {
	v, err := r.eval(x)
	if err == nil {
		*to = v
	}
	return err
}

func (r *run) branch(s rules.If) (flow, error) {
	yes, err := r.holds(s.Cond)
	if err != nil {
		return onward, err
	}
	if yes {
		return r.block(s.Then)
	}
	return r.block(s.Else)
}

// maxRounds bounds a loop in which a local grows for ever, so that no configuration comes back.
const maxRounds = 1 << 20

// while repeats the body. Every entry into a loop has its own set of configurations seen at its head: an inner
// loop that starts again from a configuration of an earlier entry is no repetition. A loop that never ends leaves the board as it
// lies when a configuration comes back for the first time.
func (r *run) while(s rules.While) (flow, error) {
	seen := map[string]bool{}
	for len(seen) < maxRounds {
		r.at = s.At
		if more, err := r.holds(s.Cond); err != nil || !more {
			return onward, err
		}
		key := r.configuration()
		if seen[key] {
			r.end(r.in.sys.Endless())
			return finished, nil
		}
		seen[key] = true
		if how, err := r.block(s.Body); err != nil || how != onward {
			return how, err
		}
	}
	return onward, rules.ManyRounds(s.At, maxRounds)
}

// configuration is all that can decide how a running body goes on from here.
func (r *run) configuration() string {
	var key []byte
	for _, list := range [][]int{r.s.Seeds, r.s.Vars, r.locals, {r.last, r.lastWas, r.origin}} {
		for _, v := range list {
			key = binary.AppendVarint(key, int64(v))
		}
	}
	return string(key)
}

func (r *run) assign(s rules.Assign) error {
	r.at = s.At
	i, err := r.variable(s.Table, s.Index, s.At)
	if err != nil {
		return err
	}
	v, err := r.eval(s.X)
	if err != nil {
		return err
	}
	if x := &r.in.sys.Vars[i]; !x.Contains(v) {
		return overflow(s.At, r.in.sys, x, v)
	}
	r.s.Vars[i] = v
	return nil
}

// gather finds out which pits are meant before it moves a seed.
func (r *run) gather(s rules.Gather) error {
	r.at = s.At
	into, err := r.pit(s.Into, s.At)
	if err != nil {
		return err
	}
	from := make([]int, len(s.From))
	for i, x := range s.From {
		if from[i], err = r.eval(x); err != nil {
			return err
		}
	}
	for _, p := range from {
		if p == rules.None || p == into {
			continue
		}
		if err := r.move(r.s.Seeds[p], p, into); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) take(s rules.Take) error {
	r.at = s.At
	count, err := r.eval(s.Count)
	if err != nil {
		return err
	}
	from, err := r.pit(s.From, s.At)
	if err != nil {
		return err
	}
	into, err := r.pit(s.Into, s.At)
	if err != nil {
		return err
	}
	if has := r.s.Seeds[from]; count < 0 || count > has {
		return overdraw(s.At, r.in.sys.Pits[from].Name, has, count)
	}
	return r.move(count, from, into)
}

func (r *run) move(seeds, from, into int) error {
	r.s.Seeds[from] -= seeds
	return r.add(into, seeds)
}

func (r *run) add(pit, seeds int) error {
	n, ok := num.Add(r.s.Seeds[pit], seeds)
	if !ok {
		return r.in.sys.ManySeeds()
	}
	r.s.Seeds[pit] = n
	return nil
}

// sowing is a sowing under way: the seeds in hand, and the pit to be tried for the next one.
type sowing struct {
	lap      *rules.Lap
	source   int
	hand     int
	next     int
	skip     []bool
	onlyLast []bool
}

// sow carries out a sowing. If the game ends with seeds in hand they go back into the pit sown from, as seeds are never
// lost.
func (r *run) sow(s rules.Sow) (flow, error) {
	r.at = s.At
	w, err := r.prepare(s)
	if err != nil {
		return onward, err
	}
	if w.hand <= 0 || w.hand > r.s.Seeds[w.source] {
		return illegal, nil
	}
	r.s.Seeds[w.source] -= w.hand
	for w.hand > 0 {
		pit := w.place()
		if pit == rules.None {
			return illegal, nil
		}
		r.last, r.lastWas = pit, r.s.Seeds[pit]
		if err := r.add(pit, 1); err != nil {
			return onward, err
		}
		w.hand--
		w.next = w.lap.Next[pit]
		if how, err := r.block(s.Drop); err != nil || how != onward {
			return how, cmp.Or(err, r.add(w.source, w.hand))
		}
	}
	return onward, nil
}

// prepare evaluates what a sowing depends on, before any seed is moved.
func (r *run) prepare(s rules.Sow) (*sowing, error) {
	source, err := r.pit(s.Source, s.At)
	if err != nil {
		return nil, err
	}
	r.origin = source
	w := &sowing{lap: &r.in.sys.Laps[s.Lap], source: source, hand: r.s.Seeds[source], onlyLast: s.OnlyLast}
	if s.Count != nil {
		if err := r.evalTo(&w.hand, s.Count); err != nil {
			return nil, err
		}
	}
	if w.next, err = r.firstPit(s, w); err != nil {
		return nil, err
	}
	w.skip, err = r.skips(s)
	return w, err
}

func (r *run) firstPit(s rules.Sow, w *sowing) (int, error) {
	switch {
	case s.StartAt != nil:
		return r.pit(s.StartAt, s.At)
	case s.OriginFirst:
		return w.source, nil
	}
	return w.lap.Next[w.source], nil
}

func (r *run) skips(s rules.Sow) ([]bool, error) {
	if s.SkipIf == nil {
		return nil, nil
	}
	skip := make([]bool, len(s.SkipIf))
	for p, x := range s.SkipIf {
		if x == nil {
			continue
		}
		var err error
		if skip[p], err = r.holds(x); err != nil {
			return nil, err
		}
	}
	return skip, nil
}

// place finds the pit for the next seed; it is None at the end of a line, and if no pit can take the seed. The pit
// tried first may lie off the lap, hence one try more than the lap has pits.
func (w *sowing) place() int {
	pit := w.next
	for range len(w.lap.Pits) + 1 {
		if pit == rules.None || w.takes(pit) {
			return pit
		}
		pit = w.lap.Next[pit]
	}
	return rules.None
}

func (w *sowing) takes(pit int) bool {
	if w.skip != nil && w.skip[pit] {
		return false
	}
	return w.onlyLast == nil || !w.onlyLast[pit] || w.hand == 1
}

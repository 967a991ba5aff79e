package interp

import (
	"encoding/binary"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// maxRounds bounds a loop in which a local grows forever, so that no configuration recurs.
const maxRounds = 1 << 22

// loop is an entry into a `while` statement. It compares its configuration with an earlier one,
// which it replaces after 1, 2, 4, … rounds (R. P. Brent, An improved Monte Carlo factorization
// algorithm, 1980, section 7). A loop that repeats meets that. Only then it goes through its rounds
// again and keeps all configurations, to stop at the first one that recurs.
type loop struct {
	entry, mark []int
	round       int
	seen        map[string]bool // nil: no configuration is known to recur
}

// Loop ends the game when a configuration recurs. Every entry into a loop has its own
// configurations seen at its head: an inner loop that starts again from a configuration of an
// earlier entry is no repetition. A loop that never ends leaves the board as it is when a
// configuration recurs for the first time.
func (d *numbers) Loop(s *exec.Stmt) func() (exec.Flow, error) {
	var l loop
	if d.memory.tell != nil { // of each seed once
		l.seen = map[string]bool{}
	}
	var now []int
	return func() (exec.Flow, error) {
		if err := d.goesOn(len(d.run.S.Seeds) + len(d.run.S.Vars)); err != nil {
			return exec.Onward, err
		}
		if l.round == maxRounds {
			return exec.Onward, rules.ManyRounds(s.At, maxRounds)
		}
		now = d.configuration(now[:0])
		switch {
		case l.seen != nil:
		case l.round == 0:
			l.entry = slices.Clone(now)
			l.mark = l.entry
		case slices.Equal(now, l.mark):
			d.goBack(l.entry)
			now, l.round, l.seen = append(now[:0], l.entry...), 0, map[string]bool{}
		case l.round&(l.round-1) == 0:
			l.mark = slices.Clone(now)
		}
		l.round++
		if l.seen != nil {
			return d.goesRound(&l, now), nil
		}
		return exec.Onward, nil
	}
}

// goesRound ends the game if a configuration of the loop recurs.
func (d *numbers) goesRound(l *loop, now []int) exec.Flow {
	var key []byte
	for _, v := range now {
		key = binary.AppendVarint(key, int64(v))
	}
	if l.seen[string(key)] {
		d.run.End(d.in.sys.Endless())
		return exec.Finished
	}
	l.seen[string(key)] = true
	return exec.Onward
}

// configuration appends everything that can affect how a running body continues.
func (d *numbers) configuration(list []int) []int {
	sown := &d.run.Sown
	for _, has := range sown.Set {
		list = append(list, num.Truth(has))
	}
	return append(append(append(append(list, sown.Values[:]...), d.run.S.Seeds...), d.run.S.Vars...), d.run.Locals...)
}

// goBack makes a configuration the current one.
func (d *numbers) goBack(list []int) {
	sown := &d.run.Sown
	for i := range sown.Set {
		sown.Set[i] = list[i] != 0
	}
	copy(sown.Values[:], list[3:])
	list = list[6:]
	list = list[copy(d.run.S.Seeds, list):]
	list = list[copy(d.run.S.Vars, list):]
	copy(d.run.Locals, list)
}

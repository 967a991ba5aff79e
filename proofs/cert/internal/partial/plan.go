package partial

import (
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// appendPlan appends what distinguishes plans of one action.
func appendPlan(key []byte, p *exec.Plan) []byte {
	if p == nil {
		return append(key, '0')
	}
	key = appendInts(append(key, '1'), p.Source, p.First, p.Track)
	return appendBools(appendBools(appendBools(key, p.Skip), p.OnlyLast), []bool{p.Counted})
}

// ends lists the pits into which the last seed may fall: at most those of the lap, and the first.
func ends(p *exec.Plan, pits int) (list []int) {
	on := make([]bool, pits)
	for _, q := range p.Lap.Pits {
		on[q] = true
	}
	if p.First != rules.None {
		on[p.First] = true
	}
	for q := range lists.Marked(on) {
		if p.Takes(q, true) {
			list = append(list, q)
		}
	}
	return list
}

// Undo lists the possible contents of the pits before a sowing, if after is their contents now.
// Pits that are not kept are ignored and given as -1. The list is overwritten after yield returns.
// It fails if no number of seeds is too large: if from some seed on all fall into pits that are not
// kept.
//
// All seeds but the last fall into the same pits for any number of seeds. So if some of them are
// not among the seeds there afterwards, neither are those of a greater number.
func (u *Undoing) Undo(p *exec.Plan, after []int, kept []bool, yield func(before []int) error) error {
	u.Plan, u.kept, u.remaining = p, kept, append(u.remaining[:0], after...)
	at, idle := p.First, 0
	for seeds := 1; ; seeds++ {
		if seeds > manySeeds {
			return &Intricate{"may sow very many seeds"}
		}
		if err := u.last(at, seeds, yield); err != nil {
			return err
		}
		pit := p.Place(at, false)
		if pit == rules.None || !u.lift(pit) {
			return nil
		}
		if idle++; kept[pit] {
			idle = 0
		}
		if idle > len(p.Lap.Pits)+1 {
			return &Intricate{"sows any number of seeds into pits that are left out"}
		}
		at = p.Lap.Next[pit]
	}
}

// Undoing undoes sowings, one after another: remaining is the contents of the pits without the
// seeds lifted so far.
type Undoing struct {
	*exec.Plan
	kept              []bool
	remaining, before []int
}

func (u *Undoing) lift(pit int) bool {
	if !u.kept[pit] {
		return true
	}
	u.remaining[pit]--
	return u.remaining[pit] >= 0
}

// last lifts the last of the given number of seeds. If all seeds of the pit were sown, all seeds
// now in it fell into it.
func (u *Undoing) last(at, seeds int, yield func([]int) error) error {
	pit := u.Place(at, true)
	if pit == rules.None {
		return nil
	}
	u.remaining[pit]--
	defer func() { u.remaining[pit]++ }()
	if u.kept[pit] && u.remaining[pit] < 0 || !u.Counted && u.kept[u.Source] && u.remaining[u.Source] != 0 {
		return nil
	}
	u.before = append(u.before[:0], u.remaining...)
	u.before[u.Source] += seeds
	for q, k := range u.kept {
		if !k {
			u.before[q] = -1
		}
	}
	return yield(u.before)
}

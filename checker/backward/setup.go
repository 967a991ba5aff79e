package backward

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// setup decides quickly whether a state can be a start. Most states that are asked for are none.
type setup struct {
	player   *residual.Player // whose condition is what all starts satisfy
	pits     int
	inits    []int       // the initial values of variables
	mover    int         // who is to move in all starts
	raw      *pack.Flat  // the start asked about, before reactions
	laidOut  []setting   // cells whose value is the same in all starts
	bare     []int       // pits that are empty in all starts
	given    map[int]int // seeds of ignored pits
	vague    bool        // the setup reads unknown pits
	complete bool        // of known pits nothing else is required
	goesOn   bool        // a reaction may change a live start
}

// newSetup takes from the setup what it says of known parts. Other pits are empty in the states, or
// have the numbers given, of which it keeps only those.
func newSetup(ctx context.Context, sys *rules.System, known rules.Parts, given map[int]int) *setup {
	s := &setup{
		pits: len(sys.Pits), inits: sys.EmptyStart().Vars, mover: sys.Start.Mover, raw: pack.NewFlat(sys), given: given,
		complete: true, goesOn: len(sys.GoingOn()) > 0,
	}
	maps.DeleteFunc(given, func(p, _ int) bool { return known.HasPit(p) })
	for x, v := range sys.Vars {
		if known.HasVar(x) {
			s.laidOut = append(s.laidOut, setting{len(sys.Pits) + x, v.Init})
		}
	}
	for p, free := range sys.Start.Free {
		if _, is := given[p]; free && !is && !known.HasPit(p) {
			s.vague = true
		}
		if !free && known.HasPit(p) {
			s.bare = append(s.bare, p)
		}
	}
	conds := s.conditions(sys, withPits(sys, known, given))
	s.player = residual.NewPlayer(ctx, sys, rules.Parts{}, rules.Conjunction(conds...))
	return s
}

// withPits returns the known pits together with those given, and all variables.
func withPits(sys *rules.System, known rules.Parts, given map[int]int) rules.Parts {
	pits := make([]bool, len(sys.Pits))
	for p := range pits {
		_, is := given[p]
		pits[p] = is || known.HasPit(p)
	}
	return rules.Parts{Pits: pits}
}

// conditions lists what all starts satisfy. An open parameter is what its definition says. If that
// may be about unknown pits, nothing is said of parameters.
func (s *setup) conditions(sys *rules.System, known rules.Parts) []rules.Expr {
	var list []rules.Expr
	defined := map[int]bool{}
	about := func(x rules.Expr) bool { return known.Decide(x) && !rules.HasA[rules.Question](x) }
	for _, p := range sys.OpenParams() {
		if def, ok := sys.Definition(p); ok && !s.vague && about(def) {
			list = append(list, inRange(def, sys.Params[p])...)
			defined[p] = true
		}
	}
	for _, c := range rules.Conjuncts(sys.Start.Cond) {
		p, _, defines := rules.Defines(c)
		switch {
		case !rules.HasA[rules.OpenParam](c) && about(c):
			list = append(list, c)
		case defines && defined[p]:
			defined[p] = false // the first one is the definition
		case !s.vague:
			s.complete = false
		}
	}
	return list
}

// inRange is the condition that a parameter with this definition is in its range.
func inRange(def rules.Expr, p rules.Param) []rules.Expr {
	list := []rules.Expr{rules.Binary{Op: rules.Ge, L: def, R: rules.Const{Value: p.Lo}}}
	if p.HasHi {
		list = append(list, rules.Binary{Op: rules.Le, L: def, R: rules.Const{Value: p.Hi}})
	}
	return list
}

// isStart reports whether a live state, with ignored parts empty, is a start. If the setup speaks
// of ignored pits, it is only asked whether known parts exclude that.
func (s *setup) isStart(f *pack.Flat) answer {
	if s.goesOn {
		return unknown
	}
	if !s.isLaidOut(f) || !s.vague && !s.isBare(f) {
		return no
	}
	s.raw.Copy(f)
	if is := s.satisfied(); is != yes {
		return is
	}
	if !s.complete || !s.player.Settled(s.raw) {
		return unknown
	}
	return yes
}

// mayBeStart reports whether a state agrees with some start, or this is not known.
func (s *setup) mayBeStart(f *pack.Flat) bool {
	if f.Outcome == rules.Live && !s.goesOn && !s.isLaidOut(f) || !s.isBare(f) {
		return false
	}
	copy(s.raw.Cells[copy(s.raw.Cells, f.Cells[:s.pits]):], s.inits)
	s.raw.Mover, s.raw.Outcome = s.mover, rules.Live
	for p, n := range s.given {
		s.raw.Cells[p] = n
	}
	return s.satisfied() != no
}

// isLaidOut reports whether the player to move and the variables are as in all starts.
func (s *setup) isLaidOut(f *pack.Flat) bool {
	return f.Mover == s.mover && !slices.ContainsFunc(s.laidOut, func(v setting) bool { return f.Cells[v.variable] != v.value })
}

func (s *setup) isBare(f *pack.Flat) bool {
	return !slices.ContainsFunc(s.bare, func(p int) bool { return f.Cells[p] != 0 })
}

// satisfied reports whether raw satisfies the conditions. A fault of the rules leaves it open.
func (s *setup) satisfied() answer {
	is, err := s.player.Holds(s.raw)
	if err != nil {
		return unknown
	}
	return answerOf(is)
}

// start reports whether some start agrees with t on the kept parts, and returns one. It was just
// asked whether there may be one, so the setup has that as it is before reactions: those that lead
// to t do not move seeds, or the search would have failed before. It fails with a *HardError if the
// setup mentions ignored pits without saying what is in them.
func (s *search) start(t rules.State) (Start, bool, error) {
	raw := s.setup.raw.State(s.in.System())
	settled, err := s.inverse.in.Start(raw)
	if err != nil {
		return Start{}, false, err
	}
	if !agrees(s.Kept.Kept, settled, t) {
		return Start{}, false, nil
	}
	open, is, err := s.openValues(settled)
	if err != nil || is {
		return Start{State: settled, Open: open}, is, err
	}
	vague := lists.Filter(vaguePits(s.in.System()), func(p int) bool { return !s.Kept.HasPit(p) })
	if len(vague) == 0 || !shape.MayHold(s.in, s.Kept.Kept, raw) {
		return Start{}, false, nil
	}
	return Start{}, false, hard("whether a state is a start depends on `%s`, which was left out", s.in.System().Pits[vague[len(vague)-1]].Name)
}

// agrees reports whether s and t agree on the kept parts.
func agrees(keep rules.Kept, s, t rules.State) bool {
	return s.Mover == t.Mover && s.Outcome == t.Outcome &&
		agreeOn(keep.Pits, s.Seeds, t.Seeds) && agreeOn(keep.VarsOf(s.Outcome), s.Vars, t.Vars)
}

func agreeOn(keep []bool, a, b []int) bool {
	for i := range a {
		if (keep == nil || keep[i]) && a[i] != b[i] {
			return false
		}
	}
	return true
}

// bytes is the memory that a start takes: its own words and those of its lists.
func (s *Start) bytes() int64 {
	const own, word = 15, 8
	return int64(own+len(s.State.Seeds)+len(s.State.Vars)+len(s.Open)+len(s.Actions)) * word
}

// openValues returns the parameters for which a settled state is a start. A setup that does not
// determine them is hard.
func (s *search) openValues(settled rules.State) ([]int, bool, error) {
	open, is, err := s.in.OpenValues(settled)
	if fault := new(interp.RuleError); err != nil && !errors.As(err, &fault) {
		err = hard("%v", err)
	}
	return open, is, err
}

// vaguePits lists the pits that the setup mentions without saying what is in them.
func vaguePits(sys *rules.System) []int {
	given := fixed(sys)
	return lists.Filter(num.Run(0, len(sys.Start.Free)), func(p int) bool {
		_, is := given[p]
		return sys.Start.Free[p] && !is
	})
}

// fixed returns the seeds in the pits that are not always empty and for which the setup gives a
// number. The first number given counts.
func fixed(sys *rules.System) map[int]int {
	given := map[int]int{}
	for _, c := range rules.Conjuncts(sys.Start.Cond) {
		b, ok := c.(rules.Binary)
		if !ok || b.Op != rules.Eq {
			continue
		}
		for _, side := range [][2]rules.Expr{{b.L, b.R}, {b.R, b.L}} {
			n, isNumber := side[1].(rules.Const)
			p, isPit := rules.SeedsOf(side[0])
			if _, known := given[p]; isNumber && isPit && !known && sys.Start.Free[p] {
				given[p] = n.Value
			}
		}
	}
	return given
}

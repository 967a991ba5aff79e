package backward

import (
	"context"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
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

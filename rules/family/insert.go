package family

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// insertion makes the System of a size out of that of the family's base.
type insertion struct {
	*Family
	size  int
	to    []int   // by pit of the base: its index
	fresh [][]int // by seam: the indexes of the inserted pits
	pits  int     // how many pits there are
	laps  []rules.Lap
	rels  []rules.Relation
	// copied is what is written at the moment: a copy, or the original.
	copied  copied
	numbers []int // in brackets, by pit of the new System
	err     error
}

func (f *Family) insertion(size int) *insertion {
	in := &insertion{Family: f, size: size, fresh: make([][]int, len(f.Seams)), copied: copied{seam: -1}}
	for p := range f.Base.Pits {
		in.to = append(in.to, in.pits)
		in.pits++
		for i, s := range f.Seams {
			for k := 0; s.X == p && k < s.Grows*(size-f.At); k++ {
				in.fresh[i] = append(in.fresh[i], in.pits)
				in.pits++
			}
		}
	}
	return in
}

// fail notes that the rules say nothing about the inserted pits.
func (in *insertion) fail(format string, args ...any) {
	if in.err == nil {
		in.err = fmt.Errorf(format, args...)
	}
}

// pit returns the image of a pit, or of None.
func (in *insertion) pit(p int) int {
	switch {
	case p == rules.None:
		return p
	case in.copied.seam >= 0 && p == in.Seams[in.copied.seam].X:
		return in.copied.as
	}
	return in.to[p]
}

// list returns the image of a list of pits. The inserted ones come where the pits of a seam follow
// each other.
func (in *insertion) list(pits []int) []int {
	var out []int
	for i, p := range pits {
		out = append(out, in.to[p])
		if i+1 == len(pits) {
			continue
		}
		for k, s := range in.Seams {
			switch fresh := in.fresh[k]; {
			case p == s.X && pits[i+1] == s.Y:
				out = append(out, fresh...)
			case p == s.Y && pits[i+1] == s.X:
				fresh = slices.Clone(fresh)
				slices.Reverse(fresh)
				out = append(out, fresh...)
			}
		}
	}
	return out
}

// ring is list for a lap, which may close between the pits of a seam.
func (in *insertion) ring(l rules.Lap) []int {
	if n := len(l.Pits); l.Ring && n > 2 {
		for _, s := range in.Seams {
			if first, last := l.Pits[0], l.Pits[n-1]; min(first, last) == s.X && max(first, last) == s.Y {
				in.fail("the lap `%s` begins where the board grows", l.Name)
			}
		}
	}
	return in.list(l.Pits)
}

// set returns the image of a set of pits. Inserted ones are in it if both pits of the seam are.
func (in *insertion) set(set []bool) []bool {
	if set == nil {
		return nil
	}
	out := make([]bool, in.pits)
	for p, is := range set {
		out[in.to[p]] = is
	}
	for i, s := range in.Seams {
		for _, e := range in.fresh[i] {
			out[e] = set[s.X] && set[s.Y]
		}
	}
	return out
}

// board returns the pits with their numbers and names.
func (in *insertion) board() []rules.Pit {
	pits := make([]rules.Pit, in.pits)
	steps := in.size - in.At
	for p, q := range in.to {
		pits[q] = in.Base.Pits[p]
		pits[q].Index += in.Numbers[p] * steps
	}
	for i, s := range in.Seams {
		step := in.Base.Pits[s.Y].Index - in.Base.Pits[s.X].Index
		for k, e := range in.fresh[i] {
			pits[e] = pits[in.to[s.X]]
			pits[e].Index += (k + 1) * step
		}
	}
	width := map[string]int{}
	for _, p := range in.Base.Pits {
		if digits := strings.TrimPrefix(p.Name, p.Group); strings.HasPrefix(digits, "0") {
			width[p.Group] = max(width[p.Group], len(digits))
		}
	}
	for i, p := range pits {
		if p.Name != p.Group {
			pits[i].Name = fmt.Sprintf("%s%0*d", p.Group, width[p.Group], p.Index)
		}
	}
	return pits
}

func (in *insertion) lap(l rules.Lap) rules.Lap {
	l.Pits = in.ring(l)
	l.Link(in.pits)
	return l
}

// relation returns the image of a relation. Inserted pits are related as the pits of their seam
// are: to those of another seam, in the same order or the other way round, or to none.
func (in *insertion) relation(r rules.Relation) rules.Relation {
	to := slices.Repeat([]int{rules.None}, in.pits)
	for p, q := range r.To {
		to[in.to[p]] = in.pit(q)
	}
	for i, s := range in.Seams {
		x, y := r.To[s.X], r.To[s.Y]
		other := slices.IndexFunc(in.Seams, func(o Seam) bool { return o.X == x && o.Y == y || o.X == y && o.Y == x })
		if x == rules.None && y == rules.None {
			continue
		}
		if other < 0 || len(in.fresh[other]) != len(in.fresh[i]) {
			in.fail("the relation `%s` does not lead from one stretch that grows to another", r.Name)
			continue
		}
		fresh := slices.Clone(in.fresh[other])
		if x > y {
			slices.Reverse(fresh)
		}
		for k, e := range in.fresh[i] {
			to[e] = fresh[k]
		}
	}
	r.To = to
	return r
}

func (in *insertion) variable(x *rules.Var) {
	if x.Type != rules.PitType {
		return
	}
	domain := lists.Map(x.Domain, in.pit)
	for i, s := range in.Seams {
		if x.Contains(s.X) && x.Contains(s.Y) {
			domain = append(domain, in.fresh[i]...)
		}
	}
	slices.Sort(domain)
	x.Domain, x.Init, x.Default = domain, in.pit(x.Init), in.pit(x.Default)
}

// Package family has the Systems of a variant for every size of its board at once: a Family is the
// System of one size, and where stretches of the board grow. The Systems of greater sizes follow by
// inserting pits there.
//
//	family.go   families, their Systems and their text
//	stretch.go  which stretches of a board grow, found by comparing two sizes
//	insert.go   a board with pits inserted; rewrite.go expressions and statements, copies.go what
//	            there is once for each pit
//	names.go    which pits rules name
//
// Who makes a Family has to see to it that its Systems are those of the rules: package build says
// when two sizes tell about all greater ones.
package family

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Family is the Systems of a variant for all values of a size from At on.
type Family struct {
	Base  *rules.System // for the size At
	Size  string        // the parameter
	At    int
	Seams []Seam
	// Numbers has for each pit by how much the number in its brackets grows with the size, and Lows
	// for each parameter by how much the lower end of its range does.
	Numbers, Lows []int
}

// Seam is a place where pits are inserted: between X and Y, which follow each other where the pits
// are declared. Grows is the number of pits for each step of the size.
type Seam struct{ X, Y, Grows int }

// New returns the family of the System base for the size at, whose next size has the System next.
// xs are the first pits of the seams, one in each stretch that grows. It fails if there are others.
func New(base, next *rules.System, size string, at int, xs []int) (*Family, error) {
	stretches, err := Stretches(base, next)
	if err != nil {
		return nil, err
	}
	if len(xs) != len(stretches) {
		return nil, fmt.Errorf("%d seams for %d stretches that grow", len(xs), len(stretches))
	}
	f := &Family{Base: base, Size: size, At: at}
	for i, s := range stretches {
		if xs[i] < s.First || xs[i] >= s.Last {
			return nil, fmt.Errorf("the seam behind `%s` is not in the stretch that grows", base.Pits[s.First].Name)
		}
		f.Seams = append(f.Seams, Seam{xs[i], xs[i] + 1, s.Grows})
	}
	if len(base.Params) != len(next.Params) {
		return nil, fmt.Errorf("the sizes have different parameters")
	}
	for i, p := range base.Params {
		f.Lows = append(f.Lows, next.Params[i].Lo-p.Lo)
	}
	in := f.insertion(at + 1)
	for p := range base.Pits {
		f.Numbers = append(f.Numbers, next.Pits[in.to[p]].Index-base.Pits[p].Index)
	}
	return f, nil
}

// System returns the System of a size, which is At or greater. It fails if something in the rules
// says nothing about the inserted pits.
func (f *Family) System(size int) (*rules.System, error) {
	if size < f.At {
		return nil, fmt.Errorf("the family begins with the size %d", f.At)
	}
	return f.insertion(size).system()
}

// Text returns a text that determines the family: where it grows, and then the canonical text of
// Base.
func (f *Family) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "family %s >= %d\n", f.Size, f.At)
	for _, s := range f.Seams {
		fmt.Fprintf(&b, "grows %d between %s and %s\n", s.Grows, f.Base.Pits[s.X].Name, f.Base.Pits[s.Y].Name)
	}
	for p, by := range f.Numbers {
		if by != 0 {
			fmt.Fprintf(&b, "index %s grows %d\n", f.Base.Pits[p].Name, by)
		}
	}
	for i, by := range f.Lows {
		if by != 0 && f.Base.Params[i].Open {
			fmt.Fprintf(&b, "least %s grows %d\n", f.Base.Params[i].Name, by)
		}
	}
	b.Write(f.Base.Canonical())
	return b.String()
}

// Images returns for each pit of Base its index in the System of a size, and how many pits that
// has.
func (f *Family) Images(size int) (to []int, pits int) {
	in := f.insertion(size)
	return in.to, in.pits
}

// From returns the family from a greater size on, which grows behind the same pits.
func (f *Family) From(size int) (*Family, error) {
	base, err := f.System(size)
	if err != nil {
		return nil, err
	}
	next, err := f.System(size + 1)
	if err != nil {
		return nil, err
	}
	to, _ := f.Images(size)
	xs := lists.Map(f.Seams, func(s Seam) int { return to[s.X] })
	return New(base, next, f.Size, size, xs)
}

// system makes the System.
func (in *insertion) system() (*rules.System, error) {
	sys := *in.Base
	sys.Params = slices.Clone(sys.Params)
	for i := range sys.Params {
		p := &sys.Params[i]
		p.Lo += in.Lows[i] * (in.size - in.At)
		if p.Name == in.Size {
			p.Value = in.size
		}
	}
	sys.Pits = in.board()
	in.numbers = lists.Map(sys.Pits, func(p rules.Pit) int { return p.Index })
	sys.Groups = slices.Clone(sys.Groups)
	for i, g := range sys.Groups {
		sys.Groups[i].Pits = in.list(g.Pits)
	}
	in.laps, in.rels = lists.Map(sys.Laps, in.lap), lists.Map(sys.Relations, in.relation)
	sys.Laps, sys.Relations = in.laps, in.rels
	sys.Picture = lists.Map(in.Base.Picture, func(row [][]int) [][]int { return lists.Map(row, in.list) })
	sys.Vars = slices.Clone(sys.Vars)
	for i := range sys.Vars {
		in.variable(&sys.Vars[i])
	}
	sys.Start.Cond, sys.Start.Free = in.setup(sys.Start.Cond), in.set(sys.Start.Free)
	sys.Actions = in.actions()
	sys.Reactions = slices.Clone(sys.Reactions)
	for i, r := range sys.Reactions {
		sys.Reactions[i].By = nil
		for _, by := range r.By {
			by.When, by.Body = in.expr(by.When), in.reaction(by.Body)
			sys.Reactions[i].By = append(sys.Reactions[i].By, by)
		}
	}
	sys.Scores = lists.Map(sys.Scores, in.expr)
	return &sys, in.err
}

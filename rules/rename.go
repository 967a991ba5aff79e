package rules

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
)

// Renaming is an exchange of the parts of a System: each list has the image of every index.
type Renaming struct {
	Pits     []int
	Players  []int
	Vars     []int
	Outcomes []int
}

// Value returns the image of a value of a type. None is its own image.
func (r *Renaming) Value(t Type, v int) int {
	switch {
	case v == None:
	case t == PitType:
		return r.Pits[v]
	case t == PlayerType:
		return r.Players[v]
	case t == OutcomeType:
		return r.Outcomes[v]
	}
	return v
}

// Renamer writes rules with each part in the place of another. The System is well typed.
//
// What the board says of each pit has to stay what it is: the image of a lap or of a relation is a
// lap or relation of the System, the first of several that are alike, and the image of a pit has
// the same number in its brackets, if the rules ask for them. Otherwise there is no image, and the
// Renamer is Broken.
type Renamer struct {
	Renaming
	Broken bool

	sys       *System
	laps      []int // by lap: its image, or None
	relations []int
	index     bool // the numbers in the brackets stay
	tables    map[*Table]*Table
}

// NewRenamer returns a Renamer of the rules of a System.
func NewRenamer(s *System, to Renaming) *Renamer {
	r := &Renamer{Renaming: to, sys: s, tables: map[*Table]*Table{}}
	for _, l := range s.Laps {
		next := r.pits(l.Next)
		r.laps = append(r.laps, slices.IndexFunc(s.Laps, func(x Lap) bool {
			return len(x.Pits) == len(l.Pits) && slices.Equal(x.Next, next)
		}))
	}
	for _, x := range s.Relations {
		image := r.pits(x.To)
		r.relations = append(r.relations, slices.IndexFunc(s.Relations, func(y Relation) bool { return slices.Equal(y.To, image) }))
	}
	r.index = true
	for p, q := range to.Pits {
		r.index = r.index && s.Pits[p].Index == s.Pits[q].Index
	}
	return r
}

// pits returns the image of a table from pits to pits.
func (r *Renamer) pits(table []int) []int {
	return moved(r, lists.Map(table, func(q int) int { return r.Value(PitType, q) }))
}

// moved returns what there is for each pit in the places of their images.
func moved[E any](r *Renamer, list []E) []E {
	images := make([]E, len(list))
	for p, x := range list {
		images[r.Pits[p]] = x
	}
	return images
}

// list returns the images of a set of pits, in order.
func (r *Renamer) list(pits []int) []int {
	images := lists.Map(pits, func(p int) int { return r.Pits[p] })
	slices.Sort(images)
	return images
}

// Expr returns the image of an expression.
func (r *Renamer) Expr(x Expr) Expr {
	switch x := x.(type) {
	case Const:
		x.Value = r.Value(x.Type, x.Value)
		return x
	case Cell:
		return r.cell(x)
	case Sum:
		return Sum{r.list(x.Pits)}
	case Lookup:
		return Lookup{Table: r.table(x.Table), X: r.Expr(x.X)}
	case OpenParam, Not, Binary, Cond, Question, Old:
	}
	return WithChildren(x, r.Expr)
}

func (r *Renamer) cell(x Cell) Cell {
	if x.Index != nil {
		x.Index = r.Expr(x.Index)
	}
	return r.place(x)
}

// place returns the image of a cell whose index is an image already.
func (r *Renamer) place(x Cell) Cell {
	switch {
	case x.Table != nil:
		table := x.Table
		x.Table = slices.Repeat([]int{-1}, max(len(table), len(r.sys.Pits), len(r.sys.Players)))
		for i, v := range table {
			if v >= 0 {
				x.Table[r.Value(x.Key, i)] = r.Vars[v]
			}
		}
	case x.Index == nil && x.Sort == PitCell:
		x.Slot = r.Pits[x.Slot]
	case x.Index == nil && x.Sort == VarCell:
		x.Slot = r.Vars[x.Slot]
	}
	return x
}

func (r *Renamer) table(t *Table) *Table {
	image, known := r.tables[t]
	if known {
		return image
	}
	if t.IsOwn() { // it has to be its own image
		r.Broken = r.Broken || !slices.Equal(r.pits(t.Of), t.Of)
		r.tables[t] = t
		return t
	}
	image = &Table{Kind: t.Kind}
	switch t.Kind {
	case NextOn, BeforeOn:
		image.Lap = r.lap(t.Lap)
	case RelationOf:
		image.Relation = r.relations[t.Relation]
		r.Broken = r.Broken || image.Relation < 0
	case IndexOf:
		r.Broken = r.Broken || !r.index
	case MemberOf:
		image.Of = moved(r, t.Of)
	}
	r.tables[t] = image
	return image
}

func (r *Renamer) lap(lap int) int {
	r.Broken = r.Broken || r.laps[lap] < 0
	return r.laps[lap]
}

// Body returns the image of a list of statements.
func (r *Renamer) Body(body []Stmt) []Stmt {
	return lists.Map(body, r.stmt)
}

func (r *Renamer) stmt(s Stmt) Stmt {
	s = Rewrite(s, r.Expr, r.Body)
	if sow, is := s.(Sow); is {
		sow.Lap, sow.SkipIf, sow.OnlyLast = r.lap(sow.Lap), moved(r, sow.SkipIf), r.Set(sow.OnlyLast)
		return sow
	}
	if set, is := s.(Set); is {
		set.To = r.place(set.To)
		return set
	}
	if stop, is := s.(Stop); is && stop.Outcome >= 0 {
		return Stop{r.Outcomes[stop.Outcome]}
	}
	return s
}

// Set returns the image of a set of pits, by pit.
func (r *Renamer) Set(set []bool) []bool { return moved(r, set) }

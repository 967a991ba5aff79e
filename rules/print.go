package rules

import (
	"fmt"
	"slices"
	"strings"
)

// ExprString writes x as the language would, with the names of pits, variables and groups.
func ExprString(sys *System, x Expr) string { return printer{sys: sys, groups: true}.expr(x, 0) }

// printer writes expressions. With groups, sets that have a name are written by it.
type printer struct {
	sys    *System
	groups bool
}

// Strength of binding, from loosest to tightest.
const (
	loose = iota
	conjunctive
	negative
	comparing
	adding
	multiplying
	tight
)

func strength(op Op) int {
	switch op {
	case Or:
		return loose
	case And:
		return conjunctive
	case Add, Sub:
		return adding
	case Mul, Div, Mod:
		return multiplying
	}
	return comparing
}

// expr writes x, in parentheses if it binds more loosely than the context requires.
func (p printer) expr(x Expr, place int) string {
	text, binds := p.open(x)
	if binds < place {
		return "(" + text + ")"
	}
	return text
}

func (p printer) open(x Expr) (string, int) {
	switch x := x.(type) {
	case Binary:
		return p.binary(x)
	case Not:
		return "not " + p.expr(x.X, negative), negative
	case Lookup:
		return p.lookup(x)
	case Cond:
		t := p.typeOf(x)
		return fmt.Sprintf("(if %s then %s else %s)", p.expr(x.If, loose), p.as(t, x.Then, loose), p.as(t, x.Else, loose)),
			tight
	case Const:
		return fmt.Sprint(x.Value), tight
	case OpenParam:
		return p.sys.Params[x.Param].Name, tight
	case Cell:
		return p.cell(x), tight
	case Sum:
		return "total(" + p.set(x.Pits) + ")", tight
	case Question:
		return [...]string{IsStuck: StuckLabel, IsStart: "start", NoMove: "no move"}[x], tight
	case Old:
		return "old " + p.expr(x.X, tight), tight
	}
	panic(foreign(x))
}

var registerNames = [...]string{
	LastReg: "last", LastWasReg: "(last was)", OriginReg: "origin", NextReg: "next mover", RankReg: "(rank)", MoverReg: "mover",
	OutcomeReg: "(outcome)",
}

func (p printer) cell(x Cell) string {
	switch {
	case x.Sort == LocalCell:
		return fmt.Sprintf("$%d", x.Slot)
	case x.Sort == RegisterCell:
		return registerNames[x.Slot]
	case x.Sort == VarCell && x.Index == nil:
		return p.sys.Vars[x.Slot].Name
	case x.Sort == VarCell:
		return p.chosenVar(x.Table, x.Index)
	case x.Index == nil:
		return "seeds(" + p.sys.Pits[x.Slot].Name + ")"
	}
	return "seeds(" + p.pit(x.Index) + ")"
}

// lookup also returns how strongly the text binds.
func (p printer) lookup(x Lookup) (string, int) {
	switch x.Table.Kind {
	case MemberOf:
		return p.as(pitType, x.X, adding) + " in " + p.set(x.Table.Members()), comparing
	case RelationOf:
		return p.sys.Relations[x.Table.Relation].Name + "(" + p.pit(x.X) + ")", tight
	case IndexOf:
		return "index(" + p.pit(x.X) + ")", tight
	}
	word := choice(x.Table.Kind == NextOn, "next", "before")
	return fmt.Sprintf("%s(%s along %s)", word, p.pit(x.X), p.lap(x.Table.Lap)), tight
}

func choice(b bool, x, y string) string {
	if b {
		return x
	}
	return y
}

// outcomeTest writes `outcome = LABEL` as the language does.
func (p printer) outcomeTest(x Binary) (text string, is bool) {
	c, fixed := x.R.(Const)
	if !fixed || x.Op != Eq || !IsFixed(x.L, RegisterCell, OutcomeReg) {
		return "", false
	}
	if c.Value == Live {
		return "not finished", true
	}
	return p.sys.OutcomeName(c.Value), true
}

// lap distinguishes laps of one name by their owner.
func (p printer) lap(i int) string {
	lap := p.sys.Laps[i]
	if lap.Owner == None {
		return lap.Name
	}
	return lap.Name + " of " + p.sys.Players[lap.Owner]
}

func (p printer) binary(x Binary) (string, int) {
	if text, is := p.outcomeTest(x); is {
		return text, tight
	}
	if x.Op == Min || x.Op == Max {
		return fmt.Sprintf("%s(%s, %s)", x.Op, p.expr(x.L, loose), p.expr(x.R, loose)), tight
	}
	s := strength(x.Op)
	left, right := s, s+1
	if s == comparing {
		left = s + 1 // comparisons are not chained
	}
	l, r := p.as(p.typeOf(x.R), x.L, left), p.as(p.typeOf(x.L), x.R, right)
	return fmt.Sprintf("%s %s %s", l, x.Op, r), s
}

func (p printer) pit(x Expr) string { return p.as(pitType, x, loose) }

var pitType = &Var{Kind: PitVar}

// as writes x where a value of type t is expected; a nil type is a number.
func (p printer) as(t *Var, x Expr, place int) string {
	if c, ok := x.(Const); ok && t != nil {
		return ValueName(p.sys, t, c.Value)
	}
	return p.expr(x, place)
}

// typeOf returns a variable of the type of x, or nil if x is a number or of unknown type.
func (p printer) typeOf(x Expr) *Var {
	switch x := x.(type) {
	case Cell:
		return p.cellType(x)
	case Lookup:
		if x.Table.Kind <= RelationOf {
			return pitType
		}
	case Cond:
		if t := p.typeOf(x.Then); t != nil {
			return t
		}
		return p.typeOf(x.Else)
	case Old:
		return p.typeOf(x.X)
	case Const, OpenParam, Sum, Not, Binary, Question:
	default:
		panic(foreign(x))
	}
	return nil
}

func (p printer) cellType(x Cell) *Var {
	switch {
	case x.Sort == VarCell:
		for _, v := range x.Slots(0) {
			return &p.sys.Vars[v]
		}
	case x.Sort == RegisterCell && (x.Slot == LastReg || x.Slot == OriginReg):
		return pitType
	case x.Sort == RegisterCell && (x.Slot == MoverReg || x.Slot == NextReg):
		return &Var{Kind: PlayerVar}
	}
	return nil
}

// chosenVar writes a control variable that is chosen by an index, as the list of all candidates.
func (p printer) chosenVar(table []int, index Expr) string {
	var names []string
	for i, v := range table {
		if v >= 0 {
			names = append(names, fmt.Sprintf("%d: %s", i, p.sys.Vars[v].Name))
		}
	}
	if !p.groups {
		return fmt.Sprintf("{%s}(%s)", strings.Join(names, ", "), p.expr(index, loose))
	}
	if len(names) == 0 {
		return "?"
	}
	name, _, _ := strings.Cut(strings.SplitN(names[0], ": ", 2)[1], "(")
	return fmt.Sprintf("%s(%s)", name, p.expr(index, loose))
}

func (p printer) set(pits []int) string {
	if p.groups {
		sorted := slices.Sorted(slices.Values(pits))
		for _, g := range p.sys.Groups {
			if slices.Equal(sorted, slices.Sorted(slices.Values(g.Pits))) {
				return g.Name
			}
		}
	}
	return "{" + p.list(pits) + "}"
}

func (p printer) list(pits []int) string {
	names := make([]string, len(pits))
	for i, pit := range pits {
		names[i] = ValueName(p.sys, pitType, pit)
	}
	return strings.Join(names, ", ")
}

// Members lists the pits in a set, or those with an entry other than zero.
func (t *Table) Members() []int {
	var pits []int
	for p, v := range t.Of {
		if v != 0 {
			pits = append(pits, p)
		}
	}
	return pits
}

func members(set []bool) []int {
	var pits []int
	for p, in := range set {
		if in {
			pits = append(pits, p)
		}
	}
	return pits
}

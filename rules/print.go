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

// expr writes x, in parentheses if it binds more loosely than the place demands.
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
	case In:
		return p.as(pitType, x.X, adding) + " in " + p.set(members(x.Set)), comparing
	case Cond:
		t := p.typeOf(x)
		return fmt.Sprintf("(if %s then %s else %s)", p.expr(x.If, loose), p.as(t, x.Then, loose), p.as(t, x.Else, loose)),
			tight
	}
	return p.primary(x), tight
}

func (p printer) primary(x Expr) string {
	switch x := x.(type) {
	case Const:
		return fmt.Sprint(x.Value)
	case OpenParam:
		return p.sys.Params[x.Param].Name
	case Seeds:
		return "count(" + p.pit(x.Pit) + ")"
	case Sum:
		return "total(" + p.set(x.Pits) + ")"
	case VarRef:
		return p.variable(x.Table, x.Index)
	case Local:
		return fmt.Sprintf("$%d", x.Slot)
	case Neighbour:
		return fmt.Sprintf("%s(%s along %s)", choice(x.Back, "before", "next"), p.pit(x.Pit), p.lap(x.Lap))
	case OppositeOf:
		return "opposite(" + p.pit(x.Pit) + ")"
	case IndexOf:
		return "index(" + p.pit(x.Pit) + ")"
	case HasOutcome:
		return p.outcome(x.Outcome)
	case Old:
		return "old " + p.expr(x.X, tight)
	}
	return word(x)
}

// word writes expressions that have no parts.
func word(x Expr) string {
	switch x.(type) {
	case Last:
		return "last"
	case LastWas:
		return "(last was)"
	case Origin:
		return "origin"
	case Mover:
		return "mover"
	case IsStuck:
		return StuckLabel
	case IsStart:
		return "start"
	}
	return fmt.Sprintf("%T", x)
}

func choice(b bool, x, y string) string {
	if b {
		return x
	}
	return y
}

func (p printer) outcome(o int) string {
	if o == Live {
		return "not finished"
	}
	return p.sys.Outcomes[o].Label
}

// lap tells laps of one name apart by their owner.
func (p printer) lap(i int) string {
	lap := p.sys.Laps[i]
	if lap.Owner == None {
		return lap.Name
	}
	return lap.Name + " of " + p.sys.Players[lap.Owner]
}

func (p printer) binary(x Binary) (string, int) {
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

// typeOf is a variable of the type of x, or nil if x is a number or not known to be anything else.
func (p printer) typeOf(x Expr) *Var {
	switch x := x.(type) {
	case Last, Origin, Neighbour, OppositeOf:
		return pitType
	case Mover:
		return &Var{Kind: PlayerVar}
	case VarRef:
		for _, i := range x.Table {
			if i >= 0 {
				return &p.sys.Vars[i]
			}
		}
	case Cond:
		if t := p.typeOf(x.Then); t != nil {
			return t
		}
		return p.typeOf(x.Else)
	case Old:
		return p.typeOf(x.X)
	}
	return nil
}

// variable writes a control variable; one that is chosen by an index as all that it may be.
func (p printer) variable(table []int, index Expr) string {
	if index == nil {
		return p.sys.Vars[table[0]].Name
	}
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

func members(set []bool) []int {
	var pits []int
	for p, in := range set {
		if in {
			pits = append(pits, p)
		}
	}
	return pits
}

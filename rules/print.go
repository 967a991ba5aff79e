package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

// Wording is an expression as the rules may write it, for messages. It is empty if it has locals,
// whose names are not known here.
func Wording(sys *System, x Expr) string {
	if Mentions(x, func(x Expr) bool { c, is := x.(Cell); return is && c.Sort == LocalCell }) {
		return ""
	}
	return ExprString(sys, x)
}

// ExprString writes x as the language would, with the names of pits, variables and groups.
func ExprString(sys *System, x Expr) string { return printer{sys: sys}.expr(x, loose) }

// ExactString writes x as the canonical text does: see System.Canonical. Equal texts mean equal
// expressions.
func ExactString(sys *System, x Expr) string { return printer{sys: sys, exact: true}.expr(x, loose) }

// ExactName writes the name of a pit, a variable or a parameter as the canonical text does.
func ExactName(name string) string { return printer{exact: true}.name(name) }

// printer writes expressions: for people, or as the canonical text has them.
type printer struct {
	sys   *System
	exact bool
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
	return string(p.append(make([]byte, 0, 64), x, place))
}

func (p printer) loosely(x Expr) string { return p.expr(x, loose) }

// append is expr at the end of a text: that of a long chain would be copied once for each part.
func (p printer) append(text []byte, x Expr, place int) []byte {
	if p.binds(x) >= place {
		return p.open(text, x)
	}
	return append(p.open(append(text, '('), x), ')')
}

// binds is how strongly the text of an expression binds.
func (p printer) binds(x Expr) int {
	switch x := x.(type) {
	case Binary:
		if _, is := p.outcomeTest(x); !is && x.Op != Min && x.Op != Max {
			return strength(x.Op)
		}
	case Not:
		return negative
	case Lookup:
		if x.Table.Kind == MemberOf {
			return comparing
		}
	case Const, OpenParam, Cell, Sum, Question, Old, Cond:
	default:
		panic(foreign(x))
	}
	return tight
}

// open appends x without parentheses round it.
func (p printer) open(text []byte, x Expr) []byte {
	switch x := x.(type) {
	case Binary:
		return p.binary(text, x)
	case Not:
		return p.append(append(text, "not "...), x.X, negative)
	case Lookup:
		return p.lookup(text, x)
	case Cond:
		text = p.append(append(text, "(if "...), x.If, loose)
		text = p.append(append(text, " then "...), x.Then, loose)
		text = p.append(append(text, " else "...), x.Else, loose)
		return append(text, ')')
	case Const:
		return append(text, p.value(x.Type, x.Value)...)
	case OpenParam:
		return append(text, p.name(p.sys.Params[x.Param].Name)...)
	case Cell:
		return p.cell(text, x)
	case Sum:
		return append(append(append(text, "total("...), p.set(x.Pits)...), ')')
	case Question:
		return append(text, [...]string{IsStuck: StuckLabel, IsStart: "start", NoMove: "no move"}[x]...)
	case Old:
		return p.append(append(text, "old "...), x.X, tight)
	}
	panic(foreign(x))
}

// value writes a value of a type.
func (p printer) value(t Type, v int) string {
	if !p.exact || v == None && t.namesNone() {
		return p.sys.ValueName(t, v)
	}
	text := p.sys.ValueName(t, v)
	if isNumber(text) {
		return text // a value without a name, too
	}
	switch t {
	case NumberType, TruthType:
		return text
	case PitType:
		return p.name(text)
	case PlayerType:
		return strconv.Quote(text)
	case OutcomeType:
		return "outcome " + strconv.Quote(text)
	}
	return t.String() + "." + p.name(text)
}

func isNumber(text string) bool {
	if text == "" || text[0] > '9' { // as of most names, for which Atoi would make an error
		return false
	}
	_, err := strconv.Atoi(text)
	return err == nil
}

// textWords are the words of the canonical text.
var textWords = words(`
	kernel variant param enum player pit ring line relation state ghost setup move fallback reaction outcome score
	index owner of locals written when for free mover label win lose draw end endless at turn number truth
	sow from along all skip if only last starting origin first into illegal finish while else rank next before was
	not and or in div mod min max then total seeds pick stuck start no old none true false`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// name writes a name; in the canonical text in backquotes if it is a word of that text, or no
// identifier.
func (p printer) name(name string) string {
	if p.exact && (textWords[name] || !isIdentifier(name)) {
		return "`" + name + "`"
	}
	return name
}

func isIdentifier(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

var registerNames = [...]string{
	LastReg: "last", LastWasReg: "last was", OriginReg: "origin", NextReg: "next mover", RankReg: "rank", MoverReg: "mover",
	OutcomeReg: "outcome",
}

func (p printer) cell(text []byte, x Cell) []byte {
	switch {
	case x.Sort == LocalCell:
		return strconv.AppendInt(append(text, '$'), int64(x.Slot), 10)
	case x.Sort == RegisterCell:
		return append(text, registerNames[x.Slot]...)
	case x.Sort == VarCell && x.Index == nil:
		return append(text, p.name(p.sys.Vars[x.Slot].Name)...)
	case x.Sort == VarCell:
		return append(text, p.chosenVar(x)...)
	case x.Index == nil:
		return append(append(append(text, "seeds("...), p.pit(x.Slot)...), ')')
	}
	return append(p.append(append(text, "seeds("...), x.Index, loose), ')')
}

func (p printer) pit(pit int) string { return p.value(PitType, pit) }

func (p printer) lookup(text []byte, x Lookup) []byte {
	switch x.Table.Kind {
	case MemberOf:
		return append(append(p.append(text, x.X, adding), " in "...), p.set(x.Table.Members())...)
	case RelationOf:
		r := x.Table.OwnRelation
		if r == nil {
			r = &p.sys.Relations[x.Table.Relation]
		}
		text = append(text, p.name(r.Name)...)
		return append(p.append(append(text, '('), x.X, loose), ')')
	case IndexOf:
		return append(p.append(append(text, "index("...), x.X, loose), ')')
	}
	text = p.append(append(text, choose(x.Table.Kind == NextOn, "next(", "before(")...), x.X, loose)
	lap := x.Table.OwnLap
	if lap == nil {
		lap = &p.sys.Laps[x.Table.Lap]
	}
	return append(append(append(text, " along "...), p.lap(lap)...), ')')
}

// outcomeTest writes `outcome = LABEL` as the language does.
func (p printer) outcomeTest(x Binary) (text string, is bool) {
	c, fixed := x.R.(Const)
	if p.exact || !fixed || x.Op != Eq || !IsFixed(x.L, RegisterCell, OutcomeReg) {
		return "", false
	}
	if c.Value == Live {
		return "not finished", true
	}
	return p.sys.OutcomeName(c.Value), true
}

// lap distinguishes laps of one name by their owner.
func (p printer) lap(lap *Lap) string {
	if lap.Owner == None {
		return p.name(lap.Name)
	}
	return p.name(lap.Name) + " of " + p.value(PlayerType, lap.Owner)
}

func (p printer) binary(text []byte, x Binary) []byte {
	if test, is := p.outcomeTest(x); is {
		return append(text, test...)
	}
	if x.Op == Min || x.Op == Max {
		text = p.append(append(append(text, x.Op.String()...), '('), x.L, loose)
		return append(p.append(append(text, ", "...), x.R, loose), ')')
	}
	s := strength(x.Op)
	left, right := s, s+1
	if s == comparing {
		left = s + 1 // comparisons are not chained
	}
	text = append(append(append(p.append(text, x.L, left), ' '), x.Op.String()...), ' ')
	return p.append(text, x.R, right)
}

// chosenVar writes a control variable that is chosen by an index.
func (p printer) chosenVar(x Cell) string {
	var names []string
	choices := []string{p.loosely(x.Index)}
	for i, v := range x.Table {
		if v >= 0 {
			names = append(names, p.sys.Vars[v].Name)
			choices = append(choices, p.value(x.Key, i)+": "+p.name(p.sys.Vars[v].Name))
		}
	}
	if p.exact {
		return "pick(" + strings.Join(choices, ", ") + ")"
	}
	if len(names) == 0 {
		return "?"
	}
	name, _, _ := strings.Cut(names[0], "(")
	return fmt.Sprintf("%s(%s)", name, p.loosely(x.Index))
}

func (p printer) set(pits []int) string {
	if !p.exact {
		sorted := slices.Sorted(slices.Values(pits))
		for _, g := range p.sys.Groups {
			if slices.Equal(sorted, slices.Sorted(slices.Values(g.Pits))) {
				return g.Name
			}
		}
	}
	return "{" + p.pits(pits) + "}"
}

func (p printer) pits(pits []int) string { return strings.Join(lists.Map(pits, p.pit), ", ") }

// Members lists the pits in a set, or those with an entry other than zero.
func (t *Table) Members() []int { return lists.Where(t.Of, func(v int) bool { return v != 0 }) }

package resolve

import (
	"fmt"
	"sort"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// maxDomain bounds the values of one control variable.
const maxDomain = 1 << 16

type eachKind int

const (
	eachNone eachKind = iota
	eachPlayer
	eachPit
)

// stateVar is a `state` declaration: one variable, or one for each player or pit. table leads from
// the index to the variable, as in rules.Cell.
type stateVar struct {
	name     string
	typ      typ
	each     eachKind
	eachName string
	table    []int
}

func (b *builder) stateVars() {
	for _, item := range b.variant.Items {
		if v, ok := item.(*ast.StateVar); ok {
			b.stateVar(v)
		}
	}
}

func (b *builder) stateVar(v *ast.StateVar) {
	if v.Name.Name == "outcome" { // what a written state calls how the game ended
		b.diags.Errorf(diag.Duplicate, v.Name.Range, "`outcome` has a meaning of its own and cannot name a variable")
	}
	sv := stateVar{name: v.Name.Name}
	proto, ok := b.varType(v, &sv)
	b.declare(v.Name, entity{kind: entVar, index: len(b.vars)})
	if ok && v.Init != nil {
		b.initial(v, sv.typ, &proto)
	}
	b.makeVars(v, &sv, proto)
	b.vars = append(b.vars, sv)
}

// varType resolves the type; the result lacks a name.
func (b *builder) varType(v *ast.StateVar, sv *stateVar) (rules.Var, bool) {
	out := rules.Var{At: v.Range, Domain: []int{0}}
	t := v.Type
	named := t.Name()
	switch {
	case named != nil && named.Name == "bool":
		sv.typ = typ{kind: kBool}
		out.Type, out.Domain = rules.TruthType, []int{0, 1}
	case named != nil && named.Name == "lap":
		sv.typ = typ{kind: kLap}
		return b.named(v, sv, out, b.lapNames(), "the board has no laps")
	case named != nil && named.Name == "player":
		sv.typ = typ{kind: kPlayer}
		if !b.playerInit(v) {
			return out, false
		}
		out.Type, out.Domain = rules.PlayerType, upTo(0, len(b.sys.Players)-1)
	case named != nil:
		return b.pitVar(named, sv, out)
	case len(t.Enum) > 0:
		sv.typ = typ{kind: kEnum, enum: sv.name}
		var names []string
		for _, n := range t.Enum {
			names = append(names, n.Name)
		}
		b.enums[sv.name] = names
		return b.named(v, sv, out, names, "")
	case t.Lo != nil && t.Hi != nil:
		sv.typ = typ{kind: kInt}
		lo, hi := b.constInt(t.Lo), b.constInt(t.Hi)
		if hi < lo || hi-lo >= maxDomain {
			b.diags.Errorf(diag.EmptyRange, t.Range, "`%d..%d` is no range for a state variable", lo, hi).
				WithHelp("the lower end comes first, and at most %d values are supported", maxDomain)
			return out, false
		}
		out.Domain = upTo(lo, hi)
	}
	out.Init = out.Domain[0]
	return out, true
}

// named is a variable whose values have names. Without any, fault says what is wrong.
func (b *builder) named(v *ast.StateVar, sv *stateVar, out rules.Var, names []string, fault string) (rules.Var, bool) {
	if len(names) == 0 {
		b.diags.Errorf(diag.Missing, v.Type.Range, "`%s` has no values: %s", sv.name, fault)
		return out, false
	}
	out.Type, out.Domain = b.enumType(names), upTo(0, len(names)-1)
	return out, true
}

// playerInit reports a variable for a player that does not say which one it begins as.
func (b *builder) playerInit(v *ast.StateVar) bool {
	switch {
	case !b.twoPlayers():
		b.diags.Errorf(diag.Misplaced, v.Type.Range, "a solitaire has no players")
		return false
	case v.Init == nil:
		b.diags.Errorf(diag.Missing, v.Name.Range, "`%s` needs a value: no player is the first one to think of", v.Name.Name).
			WithHelp("say which one: `= %s`", b.sys.Players[0])
	}
	return true
}

func upTo(lo, hi int) []int {
	var list []int
	for i := lo; i <= hi; i++ {
		list = append(list, i)
	}
	return list
}

func (b *builder) pitVar(name *ast.Ident, sv *stateVar, out rules.Var) (rules.Var, bool) {
	sv.typ = typ{kind: kPit}
	out.Type, out.Domain, out.Init = rules.PitType, []int{rules.None}, rules.None
	ent, ok := b.names[name.Name]
	if ok && ent.kind == entVar && b.vars[ent.index].typ.kind == kEnum {
		like := b.vars[ent.index]
		sv.typ = like.typ
		names := b.enums[like.typ.enum]
		out.Type, out.Domain, out.Init = b.enumType(names), upTo(0, len(names)-1), 0
		return out, true
	}
	if !ok || ent.kind != entGroup {
		var names []string
		for _, g := range b.sys.Groups {
			names = append(names, g.Name)
		}
		d := b.diags.Errorf(diag.Unknown, name.Range, "`%s` is no type", name.Name)
		d.WithHelp("a type is a group of pits, `bool`, `player`, `lap`, a range `0..3`, names in braces, or a variable that has some")
		suggest(d, name.Name, append(names, "bool", "player", "lap"))
		return out, false
	}
	pits := append([]int{}, b.sys.Groups[ent.index].Pits...)
	sort.Ints(pits)
	out.Domain = append(out.Domain, pits...)
	return out, true
}

func (b *builder) initial(v *ast.StateVar, t typ, proto *rules.Var) {
	e := b.env(inDeclaration)
	val, ok := constOf(e.asType(t, e.expr(v.Init), v.Init.Span()))
	switch {
	case !ok:
		b.diags.Errorf(diag.NotConstant, v.Init.Span(), "the initial value of `%s` must be known before play", v.Name.Name)
	case !proto.Contains(val):
		b.diags.Errorf(diag.OutOfRange, v.Init.Span(), "`%s` cannot begin with this value: it is not of its type", v.Name.Name)
	default:
		proto.Init = val
	}
}

func (b *builder) makeVars(v *ast.StateVar, sv *stateVar, proto rules.Var) {
	add := func(name string) int {
		proto.Name = name
		b.sys.Vars = append(b.sys.Vars, proto)
		return len(b.sys.Vars) - 1
	}
	if v.Each == nil {
		sv.table = []int{add(sv.name)}
		return
	}
	sv.eachName = v.Each.Name
	if v.Each.Name == "player" {
		sv.each = eachPlayer
		for _, p := range b.sys.Players {
			sv.table = append(sv.table, add(fmt.Sprintf("%s(%s)", sv.name, p)))
		}
		return
	}
	sv.each = eachPit
	sv.table = make([]int, len(b.sys.Pits))
	for i := range sv.table {
		sv.table[i] = -1
	}
	for _, p := range b.staticPits([]ast.Expr{&ast.Name{At: v.Each.At, Name: v.Each.Name}}) {
		sv.table[p] = add(fmt.Sprintf("%s(%s)", sv.name, b.sys.Pits[p].Name))
	}
}

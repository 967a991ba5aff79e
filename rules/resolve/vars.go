package resolve

import (
	"fmt"
	"slices"
	"sort"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// maxDomain bounds the values of one state variable.
const maxDomain = 1 << 16

// variables declares the state variables and sets their initial values.
type variables struct {
	*scope
	fixed env                // reads what is known before play
	begun map[int]diag.Range // the variables that the start of games sets, and where it does
}

func newVariables(s *scope) *variables {
	return &variables{scope: s, fixed: newEnv(s, inDeclaration), begun: map[int]diag.Range{}}
}

func (vs *variables) stateVars() {
	for _, v := range ast.Items[*ast.StateVar](vs.variant) {
		vs.stateVar(v)
	}
}

// stateVar declares one line of state variables.
func (vs *variables) stateVar(v *ast.StateVar) {
	sv := stateVar{name: v.Name.Name}
	proto, ok := vs.varType(v, &sv)
	vs.declare(v.Name.Name, entity{kind: entVar, index: len(vs.vars)})
	if ok && v.Init != nil {
		vs.initial(v, sv.typ, &proto)
	}
	vs.makeVars(v, &sv, proto)
	vs.vars = append(vs.vars, sv)
}

// varType resolves the type of a variable. The result has no name yet. ok is false after a mistake.
func (vs *variables) varType(v *ast.StateVar, sv *stateVar) (rules.Var, bool) {
	out := rules.Var{At: v.Range, Domain: []int{0}}
	t := v.Type
	named := t.Name()
	switch {
	case named != nil && named.Name == "bool":
		sv.typ = typ{kind: kBool}
		out.Type, out.Domain = rules.TruthType, []int{0, 1}
	case named != nil && named.Name == "lap":
		sv.typ = typ{kind: kLap}
		if !vs.lapInit(v) {
			return out, false
		}
		return vs.named(v, sv, out, vs.lapNames(), "the board has no laps")
	case named != nil && named.Name == "player":
		sv.typ = typ{kind: kPlayer, nobody: t.OrNone}
		if !vs.playerInit(v) {
			return out, false
		}
		out.Type, out.Domain = rules.PlayerType, num.Run(0, len(vs.sys.Players))
		if t.OrNone {
			out.Domain = append([]int{rules.None}, out.Domain...)
		}
	case named != nil:
		return vs.pitVar(named, t.Lo, sv, out)
	case len(t.Enum) > 0:
		sv.typ = typ{kind: kEnum, enum: sv.name}
		var names []string
		for _, n := range t.Enum {
			names = append(names, n.Name)
		}
		vs.enums[sv.name] = names
		return vs.named(v, sv, out, names, "")
	case t.Lo != nil && t.Hi != nil:
		sv.typ = typ{kind: kInt}
		lo, hi := vs.fixed.constInt(t.Lo), vs.fixed.constInt(t.Hi)
		if hi < lo || hi-lo >= maxDomain {
			vs.diags.Errorf(diag.EmptyRange, t.Range, "`%d..%d` is no range for a state variable", lo, hi).
				WithHelp("the lower end comes first, and at most %d values are supported", maxDomain)
			return out, false
		}
		out.Domain = num.Run(lo, hi-lo+1)
	}
	out.Init = out.Domain[0]
	return out, true
}

// named completes a variable whose values have these names. If there are none it reports that, with
// fault as the reason.
func (vs *variables) named(v *ast.StateVar, sv *stateVar, out rules.Var, names []string, fault string) (rules.Var, bool) {
	if len(names) == 0 {
		vs.diags.Errorf(diag.Missing, v.Type.Range, "`%s` has no values: %s", sv.name, fault)
		return out, false
	}
	out.Type, out.Domain = vs.enumType(names), num.Run(0, len(names))
	return out, true
}

// playerInit reports a variable for a player without an initial value. It returns false if there
// are no players at all.
func (vs *variables) playerInit(v *ast.StateVar) bool {
	switch {
	case !vs.twoPlayers():
		vs.diags.Errorf(diag.Misplaced, v.Type.Range, "a solitaire has no players")
		return false
	case v.Init == nil && !v.Type.OrNone:
		vs.diags.Errorf(diag.Missing, v.Name.Range, "`%s` needs a value: no player is the first one to think of", v.Name.Name).
			WithHelp("say which one: `= %s`, or that it may be nobody: `player or none`", vs.sys.Players[0])
	}
	return true
}

// lapInit reports a variable for a lap without an initial value. It returns false if nothing more
// is to be said.
func (vs *variables) lapInit(v *ast.StateVar) bool {
	names := append(vs.lapNames(), namesOf(vs.spareLaps)...)
	if v.Init != nil || len(names) == 0 {
		return true
	}
	vs.diags.Errorf(diag.Missing, v.Name.Range, "`%s` needs a value: no lap is the first one to think of", v.Name.Name).
		WithHelp("say along which lap: `= %s`", names[0])
	return false
}

// pitVar resolves a type that is a name: a group of pits, or an enumeration declared by another
// variable.
func (vs *variables) pitVar(name *ast.Ident, at ast.Node, sv *stateVar, out rules.Var) (rules.Var, bool) {
	sv.typ = typ{kind: kPit}
	out.Type, out.Domain, out.Init = rules.PitType, []int{rules.None}, rules.None
	ent, ok := vs.made[vs.bound.Ref(at, false).Symbol]
	if ok && ent.kind == entVar && vs.vars[ent.index].typ.kind == kEnum {
		like := vs.vars[ent.index]
		sv.typ = like.typ
		names := vs.enums[like.typ.enum]
		out.Type, out.Domain, out.Init = vs.enumType(names), num.Run(0, len(names)), 0
		return out, true
	}
	if !ok || ent.kind != entGroup {
		var names []string
		for _, g := range vs.sys.Groups {
			names = append(names, g.Name)
		}
		d := vs.diags.Errorf(diag.Unknown, name.Range, "`%s` is no type", name.Name)
		d.WithHelp("a type is a group of pits, `bool`, `player`, `lap`, a range `0..3`, names in braces, or a variable that has some")
		bind.Suggest(d, name.Name, append(names, "bool", "player", "lap"))
		return out, false
	}
	pits := append([]int{}, vs.sys.Groups[ent.index].Pits...)
	sort.Ints(pits)
	out.Domain = append(out.Domain, pits...)
	return out, true
}

// initial sets the initial value that the declaration gives.
func (vs *variables) initial(v *ast.StateVar, t typ, proto *rules.Var) {
	val, ok := constOf(vs.fixed.asType(t, vs.fixed.expr(v.Init), v.Init.Span()))
	switch {
	case !ok:
		vs.diags.Errorf(diag.NotConstant, v.Init.Span(), "the initial value of `%s` must be known before play", v.Name.Name)
	case !proto.Contains(val):
		vs.diags.Errorf(diag.OutOfRange, v.Init.Span(), "`%s` cannot begin with this value: it is not of its type", v.Name.Name)
	default:
		proto.Init = val
	}
}

// makeVars adds the variables of a declaration to the System: one, or one for each player or pit.
func (vs *variables) makeVars(v *ast.StateVar, sv *stateVar, proto rules.Var) {
	add := func(name string) int {
		proto.Name = name
		vs.sys.Vars = append(vs.sys.Vars, proto)
		return len(vs.sys.Vars) - 1
	}
	if v.Each == nil {
		sv.table = []int{add(sv.name)}
		return
	}
	sv.eachName = v.Each.Name
	if v.Each.Name == "player" {
		sv.each = eachPlayer
		for _, p := range vs.sys.Players {
			sv.table = append(sv.table, add(fmt.Sprintf("%s(%s)", sv.name, p)))
		}
		return
	}
	sv.each = eachPit
	sv.table = make([]int, len(vs.sys.Pits))
	for i := range sv.table {
		sv.table[i] = -1
	}
	for _, p := range vs.fixed.pitsOf(vs.fixed.name(v.Each, v.Each.Range), v.Each.Range) {
		sv.table[p] = add(fmt.Sprintf("%s(%s)", sv.name, vs.sys.Pits[p].Name))
	}
}

// defaults records the initial values given by declarations, before the start of games changes
// them.
func (vs *variables) defaults() {
	for i := range vs.sys.Vars {
		vs.sys.Vars[i].Default = vs.sys.Vars[i].Init
	}
}

// beginSetting sets the initial value of a variable from a setup or position.
func (vs *variables) beginSetting(s ast.Setting, v stateVar) {
	e := vs.fixed
	n := len(*vs.diags)
	index, one := 0, true
	if x := e.varIndex(v, s.Index, s.Range); x != nil {
		index, one = constOf(x)
	}
	if name, is := s.Value.(*ast.Name); is && v.typ.kind == kLap && slices.Contains(namesOf(vs.spareLaps), name.Name) {
		vs.diags.Errorf(diag.OutOfRange, s.Value.Span(), "`%s` cannot begin with this value: the rules do not name this lap", v.name).
			WithHelp("the laps that it may be are %s", bind.List(vs.lapNames()))
		return
	}
	val, ok := constOf(e.asType(v.typ, e.expr(s.Value), s.Value.Span()))
	switch {
	case len(*vs.diags) > n:
	case !one || !ok:
		vs.diags.Errorf(diag.NotConstant, s.Range, "the value of `%s` at the start must be known before play", v.name)
	case index < 0 || v.table[index] < 0:
		vs.diags.Errorf(diag.Misplaced, s.Range, "there is no `%s` for this pit", v.name)
	default:
		vs.beginVar(v.table[index], val, s.Range)
	}
}

// beginVar sets the initial value of one variable, which may happen once.
func (vs *variables) beginVar(v, val int, at diag.Range) {
	x := &vs.sys.Vars[v]
	if before, twice := vs.begun[v]; twice {
		vs.diags.Errorf(diag.Duplicate, at, "`%s` is set already", x.Name).Notes = []diag.Note{{Range: before, Message: "here"}}
		return
	}
	vs.begun[v] = at
	if !x.Contains(val) {
		vs.diags.Errorf(diag.OutOfRange, at, "`%s` cannot begin with this value: it is not of its type", x.Name)
		return
	}
	x.Init = val
}

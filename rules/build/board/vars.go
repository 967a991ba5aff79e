package board

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// maxDomain bounds the values of one state variable.
const maxDomain = 1 << 16

// Variables declares the state variables and sets their initial values.
type Variables struct {
	g     *term.Scope
	fixed term.Env           // reads what is known before play
	begun map[int]diag.Range // the variables that the start of games sets, and where it does
}

// StateVars declares the state variables.
func StateVars(s *term.Scope) *Variables {
	vs := &Variables{g: s, fixed: term.NewEnv(s, term.InDeclaration), begun: map[int]diag.Range{}}
	for _, v := range ast.Items[*ast.StateVar](s.Variant) {
		vs.stateVar(v)
	}
	return vs
}

// stateVar declares one line of state variables.
func (vs *Variables) stateVar(v *ast.StateVar) {
	sv := term.StateVar{Name: v.Name.Name}
	proto, ok := vs.varType(v, &sv)
	vs.g.Make(vs.g.Bound.Symbol(v.Name.Name), bind.VariableName, len(vs.g.Vars))
	if ok && v.Init != nil && v.Var == nil {
		vs.initial(vs.fixed, v, sv.Type, &proto)
	}
	vs.makeVars(v, &sv, proto, ok && v.Init != nil && v.Var != nil)
	vs.g.Vars = append(vs.g.Vars, sv)
}

// varType resolves the type of a variable. The result has no name yet. ok is false after a mistake.
func (vs *Variables) varType(v *ast.StateVar, sv *term.StateVar) (rules.Var, bool) {
	out := rules.Var{At: v.Range, Domain: []int{0}}
	t := v.Type
	named := t.Name()
	switch {
	case named != nil && named.Name == "bool":
		sv.Type = term.Type{Kind: term.BoolKind}
		out.Type, out.Domain = rules.TruthType, []int{0, 1}
	case named != nil && named.Name == "lap":
		sv.Type = term.Type{Kind: term.LapKind}
		if known := append(vs.g.LapNames(), term.NamesOf(vs.g.SpareLaps)...); v.Init == nil && len(known) > 0 {
			vs.needsValue(v, "no lap is the first one to think of").WithHelp("say along which lap: `= %s`", known[0])
			return out, false
		}
		return vs.named(v, sv, out, vs.g.LapNames(), "the board has no laps")
	case named != nil && named.Name == "player":
		sv.Type = term.Type{Kind: term.PlayerKind, Nobody: t.OrNone}
		if !vs.g.TwoPlayers() {
			vs.g.Run.Diags.Errorf(diag.Misplaced, v.Type.Range, "a solitaire has no players")
			return out, false
		}
		if v.Init == nil && !t.OrNone {
			vs.needsValue(v, "no player is the first one to think of").
				WithHelp("say which one: `= %s`, or that it may be nobody: `player or none`", vs.g.Sys.Players[0])
		}
		out.Type, out.Domain = rules.PlayerType, num.Run(0, len(vs.g.Sys.Players))
		if t.OrNone {
			out.Domain = append([]int{rules.None}, out.Domain...)
		}
	case named != nil:
		return vs.pitVar(named, t.Lo, sv, out)
	case len(t.Enum) > 0:
		sv.Type = term.Type{Kind: term.EnumKind, Enum: sv.Name}
		names := lists.Map(t.Enum, func(n ast.Ident) string { return n.Name })
		vs.g.Enums[sv.Name] = names
		return vs.named(v, sv, out, names, "")
	case t.Lo != nil && t.Hi != nil:
		sv.Type = term.Type{Kind: term.IntKind}
		lo, hi := vs.fixed.ConstInt(t.Lo), vs.fixed.ConstInt(t.Hi)
		if hi < lo || hi-lo >= maxDomain {
			vs.g.Run.Diags.Errorf(diag.EmptyRange, t.Range, "`%d..%d` is no range for a state variable", lo, hi).
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
func (vs *Variables) named(v *ast.StateVar, sv *term.StateVar, out rules.Var, names []string, fault string) (rules.Var, bool) {
	if len(names) == 0 {
		vs.g.Run.Diags.Errorf(diag.Missing, v.Type.Range, "`%s` has no values: %s", sv.Name, fault)
		return out, false
	}
	out.Type, out.Domain = vs.g.EnumType(names), num.Run(0, len(names))
	return out, true
}

// needsValue reports a variable without an initial value.
func (vs *Variables) needsValue(v *ast.StateVar, why string) *diag.Diagnostic {
	return vs.g.Run.Diags.Errorf(diag.Missing, v.Name.Range, "`%s` needs a value: %s", v.Name.Name, why)
}

// pitVar resolves a type that is a name: a group of pits, or an enumeration declared by another
// variable.
func (vs *Variables) pitVar(name *ast.Ident, at ast.Node, sv *term.StateVar, out rules.Var) (rules.Var, bool) {
	sv.Type = term.Type{Kind: term.PitKind}
	out.Type, out.Domain, out.Init = rules.PitType, []int{rules.None}, rules.None
	of := vs.g.Bound.Ref(at, false).Symbol
	if like := vs.g.Variable(of); like != nil && like.Type.Kind == term.EnumKind {
		sv.Type = like.Type
		names := vs.g.Enums[like.Type.Enum]
		out.Type, out.Domain, out.Init = vs.g.EnumType(names), num.Run(0, len(names)), 0
		return out, true
	}
	group, made := vs.g.Made[of]
	if !made || of.Kind != bind.PitsName && of.Kind != bind.GroupName {
		names := lists.Map(vs.g.Sys.Groups, func(g rules.Group) string { return g.Name })
		d := vs.g.Run.Diags.Errorf(diag.Unknown, name.Range, "`%s` is no type", name.Name)
		d.WithHelp("a number has a range, as `state k : 0..9 = 0`; other types are a group of pits, `bool`, `player`, `lap`, names in braces, or a variable that has some")
		bind.Suggest(d, name.Name, append(names, "bool", "player", "lap"))
		return out, false
	}
	out.Domain = append(out.Domain, slices.Sorted(slices.Values(vs.g.Sys.Groups[group].Pits))...)
	return out, true
}

// initial sets the initial value that the declaration gives.
func (vs *Variables) initial(e term.Env, v *ast.StateVar, t term.Type, proto *rules.Var) {
	val, ok := term.ConstOf(term.AsType(e, t, e.Expr(v.Init), v.Init.Span()))
	switch {
	case !ok:
		vs.g.Run.Diags.Errorf(diag.NotConstant, v.Init.Span(), "the initial value of `%s` must be known before play", v.Name.Name)
	case !proto.Contains(val):
		vs.g.Run.Diags.Errorf(diag.OutOfRange, v.Init.Span(), "`%s` cannot begin with this value: it is not of its type", v.Name.Name)
	default:
		proto.Init = val
	}
}

// makeVars adds the variables of a declaration to the System: one, or one for each player or pit,
// whose initial value may be its own.
func (vs *Variables) makeVars(v *ast.StateVar, sv *term.StateVar, proto rules.Var, own bool) {
	add := func(name string, of term.Value) int {
		if proto.Name = name; own {
			vs.initial(vs.fixed.With(vs.fixed.Symbol(v.Var), of), v, sv.Type, &proto)
		}
		vs.g.Sys.Vars = append(vs.g.Sys.Vars, proto)
		return len(vs.g.Sys.Vars) - 1
	}
	if v.Each == nil {
		sv.Table = []int{add(sv.Name, term.Bad)}
		return
	}
	sv.EachName = v.Each.Name
	if v.Each.Name == "player" {
		for i, p := range vs.g.Sys.Players {
			of := term.Value{Type: term.Type{Kind: term.PlayerKind}, X: rules.FixedPlayer(i)}
			sv.Table = append(sv.Table, add(fmt.Sprintf("%s(%s)", sv.Name, p), of))
		}
		return
	}
	sv.Table = slices.Repeat([]int{-1}, len(vs.g.Sys.Pits))
	for _, p := range vs.fixed.PitsOf(vs.fixed.Name(v.Each, v.Each.Range), v.Each.Range) {
		sv.Table[p] = add(fmt.Sprintf("%s(%s)", sv.Name, vs.g.Sys.Pits[p].Name), term.PitValue(rules.FixedPit(p)))
	}
}

// Defaults records the initial values given by declarations, before the start of games changes
// them.
func (vs *Variables) Defaults() {
	for i := range vs.g.Sys.Vars {
		vs.g.Sys.Vars[i].Default = vs.g.Sys.Vars[i].Init
	}
}

// BeginSetting sets the initial value of a variable from a setup or position.
func (vs *Variables) BeginSetting(s ast.Setting, v term.StateVar) {
	e := vs.fixed
	n := len(*vs.g.Run.Diags)
	index, one := 0, true
	if x := e.VarIndex(v, s.Index, s.Range); x != nil {
		index, one = term.ConstOf(x)
	}
	if name, is := s.Value.(*ast.Name); is && v.Type.Kind == term.LapKind && slices.Contains(term.NamesOf(vs.g.SpareLaps), name.Name) {
		vs.g.Run.Diags.Errorf(diag.OutOfRange, s.Value.Span(), "`%s` cannot begin with this value: the rules do not name this lap", v.Name).
			WithHelp("the laps that it may be are %s", bind.List(vs.g.LapNames()))
		return
	}
	val, ok := term.ConstOf(term.AsType(e, v.Type, e.Expr(s.Value), s.Value.Span()))
	switch {
	case len(*vs.g.Run.Diags) > n:
	case !one || !ok:
		vs.g.Run.Diags.Errorf(diag.NotConstant, s.Range, "the value of `%s` at the start must be known before play", v.Name)
	case index < 0 || v.Table[index] < 0:
		vs.g.Run.Diags.Errorf(diag.Misplaced, s.Range, "there is no `%s` for this pit", v.Name)
	default:
		vs.BeginVar(v.Table[index], val, s.Range)
	}
}

// BeginVar sets the initial value of one variable, which may happen once.
func (vs *Variables) BeginVar(v, val int, at diag.Range) {
	x := &vs.g.Sys.Vars[v]
	if before, twice := vs.begun[v]; twice {
		vs.g.Run.Diags.Errorf(diag.Duplicate, at, "`%s` is set already", x.Name).WithNote(before, "here")
		return
	}
	vs.begun[v] = at
	if !x.Contains(val) {
		vs.g.Run.Diags.Errorf(diag.OutOfRange, at, "`%s` cannot begin with this value: it is not of its type", x.Name)
		return
	}
	x.Init = val
}

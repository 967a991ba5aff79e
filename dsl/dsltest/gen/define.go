package gen

import (
	"fmt"
	"strings"
)

// definition is a name for an expression.
type definition struct {
	name    string
	kind    kind // of its value
	formals []formal
	play    bool // it depends on the state, so that setups cannot use it
	outside bool // it stands outside of variants
	text    string
}

type formal struct {
	kind kind
	of   stateVar // whose enumeration it is
}

var sorts = map[kind]string{
	number: "number", truth: "bool", pitKind: "pit", playerKind: "player", lapKind: "lap", setKind: "set",
}

// definable are the kinds of what is defined, formals those of its arguments.
var (
	definable = []share[kind]{{35, number}, {30, truth}, {20, setKind}, {10, pitKind}, {3, playerKind}, {2, enumKind}}
	formals   = []share[kind]{{25, number}, {8, truth}, {35, pitKind}, {12, playerKind}, {8, lapKind}, {10, setKind}, {4, enumKind}}
)

// define draws definitions of a variant.
func (w *writer) define(v *variant) {
	v.defs = append(v.defs, w.common...)
	for i := range w.weighted(55, 25, 15, 5) {
		v.defs = append(v.defs, w.definition(v, i))
	}
}

func (w *writer) definition(v *variant, i int) definition {
	d := definition{name: fmt.Sprintf("d%d", i), kind: pick(w.chance, definable...), play: w.percent(60)}
	s := scope{v: v, place: inSetup}
	if d.play {
		s.place, s.plain = inClaim, true
	}
	head := ""
	d.formals, head = w.formals(v, "f", func(l local) {
		l.fixed = true
		s = s.with(l)
	})
	value := ""
	switch d.kind {
	case truth:
		value = w.cond(s, 1)
	case setKind:
		value = w.set(s, 1)
	case pitKind:
		value = w.pit(s, 1)
	case playerKind:
		if v.solitaire() {
			d.kind, value = number, w.num(s, 1)
			break
		}
		value = w.player(s)
	case enumKind:
		x, ok := v.enum()
		if !ok {
			d.kind, value = number, w.num(s, 1)
			break
		}
		value = of(w.chance, x.names)
	default:
		value = w.num(s, 1)
		if isPit(s, value) {
			value = "seeds(" + value + ")"
		}
	}
	d.text = "define " + d.name + head + " = " + value
	return d
}

// formals draws the parameters of a definition or procedure, tells of each as a local, and writes
// them in brackets.
func (w *writer) formals(v *variant, letter string, bind func(local)) (list []formal, text string) {
	var params []string
	for k := range w.weighted(45, 35, 20) {
		f := formal{kind: pick(w.chance, formals...)}
		sort := sorts[f.kind]
		if f.kind == playerKind && v.solitaire() {
			continue
		}
		if f.kind == enumKind {
			x, ok := v.enum()
			if !ok {
				continue
			}
			f.of, sort = x, x.name
		}
		name := fmt.Sprint(letter, k)
		list = append(list, f)
		params = append(params, name+" : "+sort)
		bind(local{name: name, kind: f.kind, names: f.of.names})
	}
	if len(params) == 0 {
		return nil, ""
	}
	return list, "(" + strings.Join(params, ", ") + ")"
}

// enum is a variable with an enumeration.
func (v *variant) enum() (stateVar, bool) {
	for _, x := range v.vars {
		if x.kind == enumKind {
			return x, true
		}
	}
	return stateVar{}, false
}

// outside draws definitions that all variants have.
func (w *writer) outside() {
	for _, d := range []definition{
		{name: "f0", kind: number, formals: []formal{{kind: pitKind}, {kind: number}}, text: "define f0(x : pit, k : number) = seeds(x) + k"},
		{name: "f1", kind: truth, formals: []formal{{kind: setKind}}, text: "define f1(s : set) = total(s) > 1"},
		{name: "f2", kind: number, text: "define f2 = total(pit) div 2"},
		{name: "f3", kind: truth, formals: []formal{{kind: pitKind}, {kind: truth}}, text: "define f3(x : pit, b : bool) = b or x in 1..2"},
	} {
		if w.percent(8) {
			d.outside = true
			w.common = append(w.common, d)
		}
	}
}

// defined writes a use of a definition of a kind, if there is one.
func (w *writer) defined(s scope, k kind) (string, bool) {
	var list []definition
	for _, d := range s.v.defs {
		if d.kind == k && (!d.play || s.place != inSetup) {
			list = append(list, d)
		}
	}
	if len(list) == 0 || s.deep > 1 {
		return "", false
	}
	s.deep++
	d := of(w.chance, list)
	var args []string
	for _, f := range d.formals {
		args = append(args, w.argument(s, f))
	}
	if len(args) == 0 {
		return d.name, true
	}
	return d.name + "(" + strings.Join(args, ", ") + ")", true
}

func (w *writer) argument(s scope, f formal) string {
	switch f.kind {
	case truth:
		return w.cond(s, 0)
	case pitKind:
		return w.heldPit(s)
	case playerKind:
		return w.player(s)
	case lapKind:
		return w.lapName(s)
	case setKind:
		return w.set(s, 1)
	case enumKind:
		return of(w.chance, f.of.names)
	}
	return w.num(s, 1)
}

package gen

import (
	"fmt"
	"regexp"
	"strings"
)

// procedure is a name for statements.
type procedure struct {
	name    string
	formals []formal
	sown    bool // it is called after a sowing
	goes    bool // it goes on, so that only moves that choose a pit call it
	outside bool // it stands outside of variants
	text    string
}

// drawProcedures draws those of a variant. Each may call the ones before it.
func (w *writer) drawProcedures(v *variant) {
	v.procs = append(v.procs, w.steps...)
	for i := range w.weighted(64, 26, 10) {
		v.procs = append(v.procs, w.procedure(v, i))
	}
}

func (w *writer) procedure(v *variant, i int) procedure {
	p := procedure{name: fmt.Sprintf("step%d", i), sown: !v.fixed && w.percent(50)}
	s := scope{v: v, place: inBody, sown: p.sown}
	head := ""
	p.formals, head = w.formals(v, "q", func(l local) {
		l.fixed = l.kind == lapKind || l.kind == setKind
		s = s.with(l)
	})
	var out []string
	if len(s.locals) > 0 && w.percent(30) { // what is set in it is nothing to the argument
		out = append(out, w.assignLocal(s))
	}
	for range w.some() {
		out = append(out, w.statement(&s, 1))
	}
	if p.goes = p.sown && w.percent(20); p.goes {
		out = append(out, "if "+w.one("last /= origin and last > 1", "last > 1", w.cond(s, 1))+" { go on from last }")
	}
	if !v.free && w.percent(10) {
		out = append(out, "prefer "+w.num(s, 1))
	}
	p.text = "procedure " + p.name + head + " {\n  " + strings.Join(out, "\n  ") + "\n}"
	return p
}

// stepsOutside draws procedures that all variants have.
func (w *writer) stepsOutside() {
	for _, p := range []procedure{
		{name: "g0", formals: []formal{{kind: setKind}, {kind: pitKind}}, text: "procedure g0(s : set, x : pit) { capture s into x }"},
		{name: "g1", formals: []formal{{kind: pitKind}, {kind: number}}, text: "procedure g1(x : pit, k : number) { k = min(k, seeds(x)) if k > 0 { take k from x into x } }"},
		{name: "g2", text: "procedure g2 { again }"},
		{name: "g3", formals: []formal{{kind: truth}}, text: "procedure g3(b : bool) { let l = not b if l { end E } }"},
	} {
		if w.percent(6) {
			p.outside = true
			w.steps = append(w.steps, p)
		}
	}
}

// call writes a call of a procedure that can be called here.
func (w *writer) call(s scope) string {
	var list []procedure
	chose := len(s.locals) > 0 && s.locals[0].kind == pitKind && s.locals[0].fixed && !strings.HasPrefix(s.locals[0].name, "q")
	for _, p := range s.v.procs {
		if p.sown && !s.sown || p.goes && (s.ends || !chose) {
			continue
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return ""
	}
	p := of(w.chance, list)
	s.v.goes = s.v.goes || p.goes
	if strings.Contains(p.text, "end E") {
		s.v.result("E")
	}
	var args []string
	for _, f := range p.formals {
		args = append(args, w.argument(s, f))
	}
	return p.name + "(" + strings.Join(args, ", ") + ")"
}

var callOf = regexp.MustCompile(`\b(step|g)[0-9]\(`)

// carried is a text with those of the procedures that it calls.
func (v *variant) carried(text string) string {
	called := map[string]bool{}
	for _, c := range callOf.FindAllString(text, -1) {
		called[strings.TrimSuffix(c, "(")] = true
	}
	for i := len(v.procs) - 1; i >= 0; i-- {
		p := v.procs[i]
		if called[p.name] {
			text += "\n" + p.text
			for _, c := range callOf.FindAllString(p.text, -1) {
				called[strings.TrimSuffix(c, "(")] = true
			}
		}
	}
	return text
}

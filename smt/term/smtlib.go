package term

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Nodes gives every term reachable from ts once, in order of ID: arguments come before the terms that use them. It does not descend
// below terms that known holds for, nor give them; a nil known holds for none.
func Nodes(known func(*Term) bool, ts ...*Term) []*Term {
	seen := map[*Term]bool{}
	var all, todo []*Term
	visit := func(t *Term) {
		if !seen[t] && (known == nil || !known(t)) {
			seen[t] = true
			todo = append(todo, t)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		all = append(all, t)
		for _, a := range t.Args {
			visit(a)
		}
	}
	slices.SortFunc(all, func(x, y *Term) int { return cmp.Compare(x.ID, y.ID) })
	return all
}

// Vars gives the variables of ts, in the order they were made.
func Vars(ts ...*Term) []*Term {
	return slices.DeleteFunc(Nodes(nil, ts...), func(t *Term) bool { return t.Op != Var })
}

// Declarations declares variables in SMT-LIB, a line each.
func Declarations(vars []*Term) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "(declare-const %s %s)\n", Symbol(v.Name), v.Sort)
	}
	return b.String()
}

// WriteTerm writes t as one SMT-LIB expression; shared and deep sub-terms are bound by let. Scripts with several
// assertions are better written by a Printer, which defines each sub-term once.
func WriteTerm(w io.Writer, t *Term) error {
	p := NewPrinter()
	lets := 0
	p.name([]*Term{t}, func(name string, sub *Term) {
		fmt.Fprintf(&p.text, "(let ((%s ", name)
		p.body(sub)
		p.text.WriteString(")) ")
		lets++
	})
	p.expr(t)
	p.text.WriteString(strings.Repeat(")", lets))
	_, err := w.Write(p.Take())
	return err
}

// Script is a complete SMT-LIB script: it asks any solver whether all of ts can hold together.
func Script(ts ...*Term) string {
	p := NewPrinter()
	p.Line("(set-logic QF_LIA)")
	p.text.WriteString(Declarations(p.undeclared(ts)))
	for _, t := range ts {
		p.Assert(t)
	}
	p.Line("(check-sat)")
	return string(p.Take())
}

// maxHeight is how deep an expression may be nested before its parts are named: solvers' parsers are recursive, and people read it.
const maxHeight = 12

// Printer writes the commands of a session with a solver. What an assertion needs is declared and defined just
// before it, once for as long as its scope lasts. Definitions are named ?1, ?2 and so on, which no variable is.
type Printer struct {
	text   bytes.Buffer
	names  map[*Term]string // of sub-terms that are defined
	vars   map[string]Sort  // by symbol, those that are declared
	count  int              // of names given
	scopes [][]func()       // what to forget on Pop
}

// NewPrinter makes a Printer with nothing declared.
func NewPrinter() *Printer {
	return &Printer{names: map[*Term]string{}, vars: map[string]Sort{}, scopes: [][]func(){nil}}
}

// Take gives the text written since the last Take.
func (p *Printer) Take() []byte {
	text := bytes.Clone(p.text.Bytes())
	p.text.Reset()
	return text
}

// Line writes a command as it stands.
func (p *Printer) Line(command string) {
	p.text.WriteString(command)
	p.text.WriteByte('\n')
}

// Push opens a scope.
func (p *Printer) Push() {
	p.scopes = append(p.scopes, nil)
	p.Line("(push 1)")
}

// Pop closes the last scope, with the declarations and definitions made in it. There must be one.
func (p *Printer) Pop() {
	last := len(p.scopes) - 1
	for _, forget := range p.scopes[last] {
		forget()
	}
	p.scopes = p.scopes[:last]
	p.Line("(pop 1)")
}

// Assert writes an assertion after the declarations and definitions it needs.
func (p *Printer) Assert(t *Term) {
	p.text.WriteString(Declarations(p.undeclared([]*Term{t})))
	p.name([]*Term{t}, p.define)
	p.text.WriteString("(assert ")
	p.expr(t)
	p.Line(")")
}

// Variables gives the variables that are declared where the Printer stands, as symbols, sorted.
func (p *Printer) Variables() []string {
	return slices.Sorted(maps.Keys(p.vars))
}

// undeclared gives the variables of ts that are not declared, and takes them as declared from now on. A name used
// with two sorts is given twice, so that the solver complains.
func (p *Printer) undeclared(ts []*Term) []*Term {
	var missing []*Term
	for _, t := range Nodes(p.known, ts...) {
		name := Symbol(t.Name)
		if sort, ok := p.vars[name]; t.Op != Var || ok && sort == t.Sort {
			continue
		}
		p.vars[name] = t.Sort
		p.forget(func() { delete(p.vars, name) })
		missing = append(missing, t)
	}
	return missing
}

func (p *Printer) known(t *Term) bool { return p.names[t] != "" }

// forget has f called when the scope ends.
func (p *Printer) forget(f func()) {
	last := len(p.scopes) - 1
	p.scopes[last] = append(p.scopes[last], f)
}

// name calls define, with a new name, for the sub-terms of ts that are used twice or nested too deeply, arguments first.
func (p *Printer) name(ts []*Term, define func(name string, t *Term)) {
	nodes := Nodes(p.known, ts...)
	uses := map[*Term]int{}
	for _, t := range nodes {
		for _, a := range t.Args {
			uses[a]++
		}
	}
	height := map[*Term]int{}
	for _, t := range nodes {
		for _, a := range t.Args {
			height[t] = max(height[t], height[a]+1)
		}
		if len(t.Args) == 0 || uses[t] == 0 || uses[t] == 1 && height[t] < maxHeight {
			continue
		}
		height[t] = 0
		p.count++
		name := "?" + strconv.Itoa(p.count)
		define(name, t)
		p.names[t] = name
		p.forget(func() { delete(p.names, t) })
	}
}

func (p *Printer) define(name string, t *Term) {
	fmt.Fprintf(&p.text, "(define-fun %s () %s ", name, t.Sort)
	p.body(t)
	p.Line(")")
}

// expr writes t, by its name if it has one. It recurses no deeper than maxHeight, after name.
func (p *Printer) expr(t *Term) {
	if name := p.names[t]; name != "" {
		p.text.WriteString(name)
		return
	}
	p.body(t)
}

func (p *Printer) body(t *Term) {
	switch t.Op {
	case Const:
		p.text.WriteString(constant(t))
		return
	case Var:
		p.text.WriteString(Symbol(t.Name))
		return
	case Mul:
		p.text.WriteString("(* " + number(t.Value))
	default:
		p.text.WriteString("(" + operators[t.Op])
	}
	for _, a := range t.Args {
		p.text.WriteByte(' ')
		p.expr(a)
	}
	p.text.WriteByte(')')
}

var operators = map[Op]string{
	Not: "not", And: "and", Or: "or", Eq: "=", Le: "<=", Lt: "<", Add: "+", Ite: "ite",
}

func constant(t *Term) string {
	if t.Sort == Bool {
		return strconv.FormatBool(t.Value != 0)
	}
	return number(t.Value)
}

// number is n in SMT-LIB, which has no negative numerals.
func number(n int) string {
	if n < 0 {
		return "(- " + strconv.FormatUint(-uint64(n), 10) + ")"
	}
	return strconv.Itoa(n)
}

// Symbol is a variable's name as an SMT-LIB symbol: quoted if it begins like a number.
func Symbol(name string) string {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "|" + name + "|"
	}
	return name
}

// String is the sort's name in SMT-LIB.
func (s Sort) String() string {
	if s == Bool {
		return "Bool"
	}
	return "Int"
}

// String is t in SMT-LIB.
func (t *Term) String() string {
	var b strings.Builder
	_ = WriteTerm(&b, t) // a Builder does not fail
	return b.String()
}

package term

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Nodes returns every term reachable from ts once, in order of ID: arguments come before the terms
// that use them. It skips terms that known holds for, and their arguments; a nil known holds for
// none.
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

// Vars returns the variables of ts, in the order they were made.
func Vars(ts ...*Term) []*Term {
	return slices.DeleteFunc(Nodes(nil, ts...), func(t *Term) bool { return t.Op != Var })
}

// Script is a complete SMT-LIB script: it asks any solver whether all of ts can hold together.
func Script(ts ...*Term) string {
	p := NewPrinter()
	p.Line("(set-logic QF_LIA)")
	p.declare(ts)
	for _, t := range ts {
		p.Assert(t)
	}
	p.Line("(check-sat)")
	return string(p.Take())
}

// Printer writes the commands of a session with a solver. Variables are declared when an assertion
// first needs them, for as long as its scope lasts.
type Printer struct {
	text   bytes.Buffer
	vars   map[string]Sort // by symbol, those that are declared
	scopes [][]string      // the symbols declared in each
}

// NewPrinter makes a Printer with nothing declared.
func NewPrinter() *Printer {
	return &Printer{vars: map[string]Sort{}, scopes: [][]string{nil}}
}

// Take returns the text written since the last Take.
func (p *Printer) Take() []byte {
	text := bytes.Clone(p.text.Bytes())
	p.text.Reset()
	return text
}

// Line writes a command unchanged.
func (p *Printer) Line(command string) {
	p.text.WriteString(command)
	p.text.WriteByte('\n')
}

// Push opens a scope.
func (p *Printer) Push() {
	p.scopes = append(p.scopes, nil)
	p.Line("(push 1)")
}

// Pop closes the last scope, with the declarations made in it. There must be one.
func (p *Printer) Pop() {
	last := len(p.scopes) - 1
	for _, name := range p.scopes[last] {
		delete(p.vars, name)
	}
	p.scopes = p.scopes[:last]
	p.Line("(pop 1)")
}

// Assert writes an assertion after the declarations it needs.
func (p *Printer) Assert(t *Term) {
	p.declare([]*Term{t})
	p.text.WriteString("(assert ")
	write(&p.text, t)
	p.Line(")")
}

// Variables returns the currently declared variables, as sorted symbols.
func (p *Printer) Variables() []string {
	return slices.Sorted(maps.Keys(p.vars))
}

// declare writes declarations for undeclared variables of ts. A name used with two sorts is
// declared twice, so that the solver reports it.
func (p *Printer) declare(ts []*Term) {
	last := len(p.scopes) - 1
	for _, v := range Vars(ts...) {
		name := Symbol(v.Name)
		if sort, ok := p.vars[name]; ok && sort == v.Sort {
			continue
		}
		p.vars[name] = v.Sort
		p.scopes[last] = append(p.scopes[last], name)
		fmt.Fprintf(&p.text, "(declare-const %s %s)\n", name, v.Sort)
	}
}

// maxHeight is how deep an expression may be nested before parts of it are named.
const maxHeight = 12

// writer writes one expression. Sub-terms that are used twice or too deep are named ?1, ?2 and so
// on, which no variable is, and bound by let: Z3 takes exponential time to read nested define-funs.
// The bindings of one let use only names of the enclosing lets; so lets are nested no deeper than
// they must be, for parsers that recurse.
type writer struct {
	text  *bytes.Buffer
	names map[*Term]string
}

func write(text *bytes.Buffer, t *Term) {
	w := writer{text: text, names: map[*Term]string{}}
	levels := named(t)
	for _, level := range levels {
		w.bind(level)
	}
	w.expr(t)
	text.WriteString(strings.Repeat(")", len(levels)))
}

// named returns the sub-terms of t to name, in levels: those that contain no other of them, those
// that contain only the first, and so on.
func named(t *Term) [][]*Term {
	nodes := Nodes(nil, t)
	uses := map[*Term]int{}
	for _, t := range nodes {
		for _, a := range t.Args {
			uses[a]++
		}
	}
	var levels [][]*Term
	height, level := map[*Term]int{}, map[*Term]int{}
	for _, t := range nodes {
		for _, a := range t.Args {
			height[t] = max(height[t], height[a]+1)
			level[t] = max(level[t], level[a])
		}
		if len(t.Args) == 0 || uses[t] == 0 || uses[t] == 1 && height[t] < maxHeight {
			continue
		}
		if level[t] == len(levels) {
			levels = append(levels, nil)
		}
		levels[level[t]] = append(levels[level[t]], t)
		height[t] = 0
		level[t]++
	}
	return levels
}

// bind opens a let that names ts.
func (w writer) bind(ts []*Term) {
	w.text.WriteString("(let (")
	for i, t := range ts {
		if i > 0 {
			w.text.WriteByte(' ')
		}
		name := "?" + strconv.Itoa(len(w.names)+1)
		w.text.WriteString("(" + name + " ")
		w.body(t)
		w.text.WriteByte(')')
		w.names[t] = name
	}
	w.text.WriteString(") ")
}

// expr writes t, by its name if it has one. It recurses no deeper than maxHeight.
func (w writer) expr(t *Term) {
	if name := w.names[t]; name != "" {
		w.text.WriteString(name)
		return
	}
	w.body(t)
}

func (w writer) body(t *Term) {
	switch t.Op {
	case Const:
		w.text.WriteString(constant(t))
		return
	case Var:
		w.text.WriteString(Symbol(t.Name))
		return
	case Mul:
		w.text.WriteString("(* " + number(t.Value))
	default:
		w.text.WriteString("(" + operators[t.Op])
	}
	for _, a := range t.Args {
		w.text.WriteByte(' ')
		w.expr(a)
	}
	w.text.WriteByte(')')
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

// Symbol returns a variable's name as an SMT-LIB symbol: quoted if it begins like a number.
func Symbol(name string) string {
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "|" + name + "|"
	}
	return name
}

// String returns the sort's name in SMT-LIB.
func (s Sort) String() string {
	if s == Bool {
		return "Bool"
	}
	return "Int"
}

// String returns t as one expression of SMT-LIB; shared and deep parts of it are bound by let.
func (t *Term) String() string {
	var b bytes.Buffer
	write(&b, t)
	return b.String()
}

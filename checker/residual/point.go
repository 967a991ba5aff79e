package residual

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// unknown is the value of a part that a program does not know. nonEmpty is that of a pit with a
// field that is only known not to be empty.
const (
	unknown  = math.MinInt
	nonEmpty = unknown + 1
)

// unset is the value of `last`, `last was` and `origin` before a sowing. `last was` is derived
// while it is one less than the seeds in the last pit. It is lost if nothing reads it, or if those
// seeds are lost.
const (
	unset = rules.None - 1 - iota
	derived
	lost
)

// point is a place in the play of an action, with everything that is known there. Points that agree
// in all of it share a program.
type point struct {
	action int  // if its guard has not been evaluated yet; otherwise 0
	actor  int  // the mover of the action, in its body; otherwise 0
	claim  bool // there is no action: a claim's condition is evaluated
	alone  bool // only whether the body can be executed matters
	stage  int  // guarded, inBody, 2i before reaction i, or 2i+1 in its body
	todo   *frame
	env
}

const (
	guarded = -2 // before the guard of the action
	inBody  = -1 // in the body of the action
)

// frame is a list of statements, of which those from next on remain.
type frame struct {
	*block
	next int
	hand *hand // the statements follow a drop of this sowing; may be nil
	up   *frame
}

// after returns what remains after the next statement.
func (f frame) after() *frame {
	f.next++
	return &f
}

// hand is a sowing between two drops.
type hand struct {
	sow    *rules.Sow
	id     int // identifies the statements after a drop
	source int
	next   int // the pit tried for the next seed
	seeds  int // seeds left to sow
	skip   []bool
}

// env is what is known. A cell that is unknown has its value in its field. If it has no field the
// value is lost, and nothing that depends on it can be computed. Unknown locals and registers are
// in registers of the running program.
type env struct {
	pits    int   // the number of cells that are pits
	cells   []int // pits, then variables
	locals  []int
	last    int
	lastWas int
	origin  int
	next    int // the player to move after the action
	rank    int
	mover   int  // the player that the status field names
	turnEnd bool // reactions at the end of a turn are evaluated
}

// part is a part of a point that may be unknown: the number of a cell, after the cells that of a
// local, or one of the constants.
type part int

const (
	nothing     part = -1
	lastWasPart part = -2
	beginning   part = -3 // not a part: the stub is the beginning of an action
	lastPart    part = -4 // the pit of the latest seed, which that seed is in already
)

// know sets the value of a part.
func (p *point) know(x part, v int) {
	switch {
	case x == lastWasPart:
		p.lastWas = v
	case x == lastPart:
		p.last, p.lastWas = v, derived
	case int(x) < len(p.cells):
		p.cells[x] = v
	default:
		p.locals[int(x)-len(p.cells)] = v
	}
}

func (p point) clone() point {
	p.cells, p.locals = slices.Clone(p.cells), slices.Clone(p.locals)
	return p
}

// key returns a string that identifies a point.
func (p *point) key() string {
	b := make([]byte, 0, 64)
	num := func(ns ...int) {
		for _, n := range ns {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	num(p.action, p.actor, truth(p.alone), p.stage)
	for f := p.todo; f != nil; f = f.up {
		num(f.id, f.next)
		if h := f.hand; h != nil {
			num(h.id, h.source, h.next, h.seeds)
			for _, skip := range h.skip {
				num(truth(skip))
			}
		}
	}
	num(-1)
	for _, v := range p.cells {
		if v <= nonEmpty {
			b = append(b, byte(v-unknown))
			continue
		}
		b = binary.AppendVarint(append(b, 2), int64(v))
	}
	num(p.locals...)
	num(p.last, p.lastWas, p.origin, p.next, p.rank, p.mover, truth(p.turnEnd))
	return string(b)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// forget clears what the rest of the program does not read, so that more points are equal.
func (p *point) forget() {
	for p.todo != nil && p.todo.next == len(p.todo.stmts) && p.todo.hand == nil {
		p.todo = p.todo.up
	}
	reads := p.reads()
	if !reads.lastWas {
		p.lastWas = unset
	}
	if !reads.last && p.lastWas != derived {
		p.last = unset
	}
	if !reads.origin {
		p.origin = unset
	}
	for i := range p.locals {
		if !reads.local(i) {
			p.locals[i] = 0
		}
	}
}

// reads returns what the rest of the program reads.
func (p *point) reads() (u uses) {
	for f := p.todo; f != nil; f = f.up {
		u.add(f.reads[f.next])
		if f.hand != nil {
			u.add(f.reads[0])
		}
	}
	return u
}

// uses says which registers and locals some statements may read.
type uses struct {
	last, lastWas, origin bool
	locals                []bool
}

func (u *uses) local(i int) bool { return i < len(u.locals) && u.locals[i] }

func (u *uses) add(v uses) {
	u.last, u.lastWas, u.origin = u.last || v.last, u.lastWas || v.lastWas, u.origin || v.origin
	for i, used := range v.locals {
		if used {
			u.addLocal(i)
		}
	}
}

func (u *uses) addLocal(i int) {
	for len(u.locals) <= i {
		u.locals = append(u.locals, false)
	}
	u.locals[i] = true
}

// expr adds what an expression reads.
func (u *uses) expr(x rules.Expr) {
	rules.Walk(x, func(x rules.Expr) bool {
		if c, is := x.(rules.Cell); is {
			switch {
			case c.IsRegister(rules.LastReg):
				u.last = true
			case c.IsRegister(rules.LastWasReg):
				u.lastWas = true
			case c.IsRegister(rules.OriginReg):
				u.origin = true
			case c.Sort == rules.LocalCell:
				u.addLocal(c.Slot)
			}
		}
		return true
	})
}

// usesOf returns what a statement reads, including its blocks. Registers that a sowing sets before
// they are read do not count.
func usesOf(s rules.Stmt) (u uses) {
	for _, x := range rules.Exprs(s) {
		u.expr(x)
	}
	if sow, is := s.(rules.Sow); is {
		u = uses{}
		u.expr(sow.Source)
		var inside uses
		for _, x := range append([]rules.Expr{sow.Count, sow.StartAt}, sow.SkipIf...) {
			inside.expr(x)
		}
		for _, b := range rules.Blocks(s) {
			for _, t := range b {
				inside.add(usesOf(t))
			}
		}
		inside.origin = false
		u.add(inside)
		return u
	}
	for _, b := range rules.Blocks(s) {
		for _, t := range b {
			u.add(usesOf(t))
		}
	}
	return u
}

// list says where statements of the System are.
type list struct {
	first *rules.Stmt
	n     int
}

// block is a list of statements of the System.
type block struct {
	id    int
	stmts []rules.Stmt
	reads []uses // by statement: what it and those after it read
}

// blockOf returns the block of a list. Lists with the same statements have one block, so actions
// share programs for the laps that they have in common.
func (c *compiler) blockOf(stmts []rules.Stmt) *block {
	if len(stmts) == 0 {
		return c.void
	}
	at := list{&stmts[0], len(stmts)}
	if b := c.lists[at]; b != nil {
		return b
	}
	text := structure(stmts)
	b := c.blocks[text]
	if b == nil {
		b = &block{id: len(c.blocks) + 1, stmts: stmts, reads: make([]uses, len(stmts)+1)}
		for i := len(stmts) - 1; i >= 0; i-- {
			b.reads[i].add(usesOf(stmts[i]))
			b.reads[i].add(b.reads[i+1])
		}
		c.blocks[text] = b
	}
	c.lists[at] = b
	return b
}

// structure returns a key for a list of statements. Lists with the same key are equal in everything
// but their places in the text, so they do the same in every state.
func structure(stmts []rules.Stmt) string {
	return string(appendValue(nil, reflect.ValueOf(stmts)))
}

// appendValue appends a value with its length, so that different values cannot have the same bytes.
func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return binary.AppendVarint(b, int64(truth(v.Bool())))
	case reflect.Int:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint8:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Slice:
		b = binary.AppendVarint(b, int64(v.Len())+int64(truth(!v.IsNil())))
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
		return b
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return append(b, 0)
		}
		name := v.Elem().Type().Name()
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
		return appendValue(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.Type() != reflect.TypeFor[diag.Range]() {
				b = appendValue(b, f)
			}
		}
		return b
	}
	panic("residual: a statement with a part of kind " + v.Kind().String())
}

package step

import (
	"encoding/binary"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// A `while` that comes to the same configuration (cells, locals, last seed, origin) at its head
// again never ends, and the game is over in that configuration. To detect this at little cost, the
// loop keeps one earlier configuration, which it replaces after 1, 2, 4, … rounds (Brent's method).
// A loop that repeats will meet it. Only then is the loop executed again from its beginning, with
// all configurations stored, to stop at the first one that recurs.

// maxRounds bounds a loop in which a local grows for ever, so that no configuration recurs. It is
// four times the bound of the reference interpreter, because Brent's method may need up to three
// times as many rounds to detect a cycle.
const maxRounds = 1 << 22

// loopMemory is what one `while` of the program stores while it runs.
type loopMemory struct {
	entry snapshot // at the first round
	mark  snapshot // the earlier configuration that it compares with
}

// snapshot is a copy of everything that a loop may change.
type snapshot struct {
	registers
	locals []int
	cells  []int
}

func (m *Machine) save(s *snapshot) {
	s.registers = m.registers
	s.cells = append(s.cells[:0], m.cells...)
	s.locals = append(s.locals[:0], m.locals...)
}

// restore restores a snapshot, which must be of the same body.
func (m *Machine) restore(s *snapshot) {
	cells, locals := m.cells, m.locals
	m.registers = s.registers
	m.cells, m.locals = cells, locals
	copy(cells, s.cells)
	copy(locals, s.locals)
}

// recurs reports whether the configuration is that of s.
func (m *Machine) recurs(s *snapshot) bool {
	return m.last == s.last && m.lastWas == s.lastWas && m.origin == s.origin &&
		slices.Equal(m.cells, s.cells) && slices.Equal(m.locals, s.locals)
}

// loop is a compiled `while`. site is its index in Machine.loops.
type loop struct {
	cond    condition
	body    statement
	site    int
	endless int
	work    int // of a round, for tick
	where   diag.Range
}

func (c *compiler) while(s rules.While) statement {
	c.current = s.At
	l := &loop{cond: c.cond(s.Cond), site: c.prog.loops, endless: c.prog.sys.Endless(), where: s.At}
	l.work = 1 + len(c.prog.sys.Pits)/16 // two configurations are compared
	rules.WalkStmts(s.Body, func(rules.Stmt) { l.work++ })
	c.prog.loops++
	l.body = c.block(s.Body)
	return l.run
}

// run executes the loop.
func (l *loop) run(m *Machine) flow {
	if !l.cond(m) {
		return onward
	}
	memory := &m.loops[l.site]
	m.save(&memory.entry)
	m.save(&memory.mark)
	for round, renew := 1, 1; round < maxRounds; round++ {
		m.tick(l.work)
		if how := l.body(m); how != onward {
			return how
		}
		if !l.cond(m) {
			return onward
		}
		if m.recurs(&memory.mark) {
			return l.circle(m, &memory.entry)
		}
		if round == renew {
			renew *= 2
			m.save(&memory.mark)
		}
	}
	panic(rules.ManyRounds(l.where, maxRounds))
}

// circle executes a loop that never ends, up to the first configuration that recurs, and ends the
// game there.
func (l *loop) circle(m *Machine, entry *snapshot) flow {
	m.restore(entry)
	seen := map[string]bool{}
	for key := m.configuration(); !seen[key]; key = m.configuration() {
		m.tick(often / 8) // check the context often, because the memory grows
		seen[key] = true
		l.body(m)
		l.cond(m)
	}
	m.end(l.endless)
	return finished
}

// configuration returns a key for the current configuration.
func (m *Machine) configuration() string {
	var key []byte
	for _, v := range m.cells {
		key = binary.AppendVarint(key, int64(v))
	}
	for _, v := range m.locals {
		key = binary.AppendVarint(key, int64(v))
	}
	for _, v := range []int{m.last, m.lastWas, m.origin} {
		key = binary.AppendVarint(key, int64(v))
	}
	return string(key)
}

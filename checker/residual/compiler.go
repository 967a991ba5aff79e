package residual

import (
	"math"
	"sort"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Registers of a running program, before those of the locals.
const (
	rankSlot = iota
	lastWasSlot
	idleSlot // never read
	firstLocal
)

// maxBytes bounds the estimated memory of a Stepper's programs. What would need more is left to the
// interpreter.
const maxBytes = 48 << 20

// Estimated bytes of a stub, and of a point without its cells.
const (
	stubBytes  = 64
	entryBytes = 4   // of a table
	pointBytes = 512 // with about four operations
)

// maxBranches bounds the values of a field that a program branches on by a table.
const maxBranches = 1 << 8

const (
	yesEdge uint8 = iota
	noEdge
)

// compiler makes residual programs, and has those made so far.
type compiler struct {
	*Stepper
	places   []place           // by cell: pits, then variables
	course   *rules.Parts      // the parts that play depends on; nil: not computed yet
	blocks   map[string]*block // by the structure of their statements
	lists    map[list]*block
	void     *block               // has no statements
	refusals map[int][]rules.Stmt // by action
	stubs    []stub
	known    map[string]int32 // numbers of stubs, by the keys of their points
	splits   []split          // in the order of their tables
	ranks    []bool           // by player: some action has a rank
	slots    int              // number of registers that the programs need
	bytes    int              // estimated memory of the programs
	most     uint64           // fields with such a mask have too many values for a program for each number of seeds sown
}

// place is where the value of a cell is in a packed state. Cells without a field have has false;
// their values are not in the state.
type place struct {
	pack.Field
	has    bool
	domain []int // values by index, if the field holds an index; nil: it holds the value
}

// stub is a program that may not have been made yet.
type stub struct {
	pc    int32 // its first operation; -1: not made yet
	refs  []ref // edges that lead to it, to be set when it is made
	point *point
	part  part // the part of the point that has the value; nothing if the point is complete; beginning if value encodes an action
	value int
}

// split is a branch on the value of a part by a table. An entry whose program was not made yet is
// unmade plus its index in tables: most values never occur, so no stubs are made for them.
type split struct {
	point *point
	part  part
	first int32 // the table
	place place // of the field with the value; without one, the value is the index in the table
}

// unmade plus an index in tables is the target of a branch that was not taken yet. It is less than
// the complement of any stub's number.
const unmade = math.MinInt32

// pick is a branch on the value of a part, with an entry for each value that has occurred.
type pick struct {
	point *point
	part  part
	to    map[int]int32
}

// ref is an edge of an operation.
type ref struct {
	op   int32
	edge uint8
}

func newCompiler(s *Stepper) *compiler {
	c := &compiler{
		Stepper: s, known: map[string]int32{}, blocks: map[string]*block{}, lists: map[list]*block{}, refusals: map[int][]rules.Stmt{},
		void: &block{reads: make([]uses, 1)}, slots: firstLocal, most: maxBranches, ranks: s.sys.Ranked(),
	}
	c.tables = make([]int32, 1) // so that no table begins at 0
	c.moves = make([]guardedMoves, 1)
	c.ops = make([]op, doneOp+1) // there are no operations in the places of ends
	for cell := range len(s.sys.Pits) + len(s.sys.Vars) {
		var p place
		p.Field, p.domain, p.has = s.codec.Place(cell)
		c.places = append(c.places, p)
	}
	for i := range s.sys.Actions {
		a := &s.sys.Actions[i]
		c.slots = max(c.slots, firstLocal+len(a.Locals))
	}
	for _, by := range s.sys.EachReaction() {
		c.slots = max(c.slots, firstLocal+len(by.Locals))
	}
	return c
}

// begin returns the stub for the beginning of an action or, if alone is set, of its guard and body
// only. It returns the complement of its number.
func (c *compiler) begin(action int, alone bool, known env) int32 {
	c.stubs = append(c.stubs, stub{pc: -1, part: beginning, value: 2*action + truth(alone), point: &point{env: known}})
	return ^int32(len(c.stubs) - 1)
}

// beginning returns the point at which an action begins.
func (c *compiler) beginning(action int, alone bool, known env) point {
	a := &c.sys.Actions[action]
	p := point{alone: alone, stage: guarded, actor: a.Mover, action: action, env: known}
	p.locals, p.next, p.mover = make([]int, len(a.Locals)), (a.Mover+1)%len(c.sys.Players), a.Mover
	return p
}

// start returns what is known about every packed state: the values of cells without a field, and
// notes.
func (c *compiler) start() env {
	e := env{pits: len(c.sys.Pits), last: unset, lastWas: unset, origin: unset}
	for cell := range c.places {
		e.cells = append(e.cells, unknown)
		if !c.places[cell].has || c.isNote(cell) {
			e.cells[cell] = c.codec.Rest(cell)
		}
	}
	return e
}

// isNote reports whether a cell is a note. What a program has noted is known at each of its points,
// and written down at its end.
func (c *compiler) isNote(cell int) bool { return cell >= len(c.sys.Pits)+c.notes }

// stub returns the program of a point: its first operation, or the complement of a stub's number.
// If there is no memory left it is bailOp.
func (c *compiler) stub(p point) int32 {
	p = p.clone()
	p.forget()
	key := p.key()
	i, ok := c.known[key]
	if !ok {
		if c.bytes > maxBytes {
			return bailOp
		}
		c.bytes += stubBytes + pointBytes + len(key) + 8*len(p.cells)
		i = int32(len(c.stubs))
		c.known[key] = i
		c.stubs = append(c.stubs, stub{pc: -1, point: &p, part: nothing})
	}
	if pc := c.stubs[i].pc; pc >= 0 {
		return pc
	}
	return ^i
}

// made is stub for a program that is needed at once, so it is made.
func (c *compiler) made(p point) int32 {
	to := c.stub(p)
	if to < 0 {
		to = c.force(to)
	}
	return to
}

// table makes a table of entries that were not taken yet, or fail where none may be.
func (c *compiler) table(entries int, may func(int) bool) (first int32) {
	c.bytes += entryBytes * entries
	first = int32(len(c.tables))
	for i := range entries {
		to := bailOp
		if may(i) {
			to = unmade + first + int32(i)
		}
		c.tables = append(c.tables, to)
	}
	return first
}

// take makes the program that an entry of a table leads to.
func (c *compiler) take(entry int32) int32 {
	if to := c.tables[entry]; to >= 0 {
		return to
	}
	at := c.splits[sort.Search(len(c.splits), func(i int) bool { return c.splits[i].first > entry })-1]
	p, v := at.point.clone(), at.value(int(entry-at.first))
	p.know(at.part, v)
	if at.part == lastPart && !c.places[v].has {
		p.lastWas = lost
	}
	to := c.made(p)
	c.tables[entry] = to
	return to
}

// value returns the value that an entry of the table is for.
func (s *split) value(entry int) int {
	switch domain := s.place.domain; {
	case domain == nil:
		return entry + s.place.Low
	case entry < len(domain):
		return domain[entry]
	}
	return unknown
}

// set sets an edge, without noting it for the stub that it may lead to.
func (c *compiler) set(r ref, pc int32) {
	switch r.edge {
	case yesEdge:
		c.ops[r.op].yes = pc
	case noEdge:
		c.ops[r.op].no = pc
	}
}

// link sets an edge. If it leads to a stub, it will be set again when the program is made.
func (c *compiler) link(r ref, pc int32) {
	c.set(r, pc)
	if pc < 0 {
		st := &c.stubs[^pc]
		st.refs = append(st.refs, r)
	}
}

// op adds an operation and returns its index.
func (c *compiler) op(o op) int32 {
	c.ops = append(c.ops, o)
	return int32(len(c.ops) - 1)
}

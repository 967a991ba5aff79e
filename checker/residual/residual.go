// Package residual plays a System on packed states, by partial evaluation.
//
// Once it is known which pit is sown from and how many seeds it holds, most of what an action does
// is known: which pits get a seed, where the last one falls, which pit is opposite, and whose it
// is. What remains is the residual program of the action for these values. It is a few operations
// on the words of the packed state: an addition that sows, tests of some bits, a move from one
// field to another, a change of the player to move.
//
// Residual programs are made from the kernel, and only those that a search reaches. A program point
// is a place in a body, together with all values known there. When it is first reached, the
// statements from there on are evaluated as far as the known values allow, and operations are
// emitted for the rest. Conditional transfers of seeds, such as a capture, become one operation
// without a branch. If an unknown value decides how to continue, such as the seeds in the pit sown
// from, the program branches on the field that holds it, and each branch is a point of its own,
// where the value is known. Equal points share their program: the laps of a relay are jumps to the
// point at the head of the loop for this last pit.
//
// Operations on unknown values are closures over the packed state. What cannot be played in this
// way is left to the reference interpreter (package interp), for the whole state: faults of the
// rules, loops with very many rounds, and programs that grow too large. So the two agree in
// everything, including faults. Otherwise they share no code.
//
//	residual.go  the Stepper
//	menu.go      which actions to try in a state
//	op.go        operations, and their execution
//	point.go     program points: what remains to be done, and what is known
//	compiler.go  the programs that exist
//	emit.go      sequences of operations
//	value.go     values of expressions, closures for those that are not known, and what these read
//	test.go      conditions, as comparisons of sums
//	change.go    transfers and assignments
//	compile.go   statements
//	sow.go       sowing
//	inplay.go    sowings and transfers that depend on values not known before they are made
//	any.go       single actions of any states
//	moves.go     transfers under a condition
//	predicate.go conditions of claims: they may ask for the mover, the outcome, the state before
//	special.go   what is left of an action when more is known
//	world.go     what is known then, what tests have told about the rest, fields of which the
//	             values are told apart, and for which other values of stores that is the same
//	script.go    what that does
package residual

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Stepper plays one System on the keys of one Codec. It makes programs while it plays, so each
// goroutine needs its own.
type Stepper struct {
	sys      *rules.System
	codec    *pack.Codec
	in       *interp.Interp // plays the states that programs cannot
	player   *interp.Player
	flat     *pack.Flat
	words    int
	status   pack.Field
	menus    menus
	compiler *compiler
	code
	registers
	watch
	probe    *Stepper // answers questions about moves; has its own programs
	plays    []play   // with ranks: the best plays so far
	fellBack int      // number of states left to the interpreter
	notes    int      // variables from this one on are notes
}

// play is an action whose body was executed, kept until it is known whether a better one exists.
type play struct {
	action int32
	pc     int32 // where it continues
	words  []uint64
}

// New returns a Stepper for the states of a System that codec packs, which plays until ctx ends.
func New(ctx context.Context, sys *rules.System, codec *pack.Codec) *Stepper {
	s := &Stepper{sys: sys, codec: codec, flat: pack.NewFlat(sys), words: codec.Words(), status: codec.Status(), notes: len(sys.Vars)}
	s.in = interp.New(sys)
	s.Within(ctx)
	s.compiler = newCompiler(s)
	s.menus = newMenus(sys, codec)
	s.w = make([]uint64, s.words)
	s.regs = make([]int, s.compiler.slots)
	return s
}

// Notes says that variables from number v on are notes: they are 0 in all states that are expanded,
// are set to constants, and nothing reads them. It is called before a state is expanded.
func (s *Stepper) Notes(v int) { s.notes = v }

// Within makes the Stepper play only until ctx ends, because a single move may take very long.
// Methods then return the error of ctx.
func (s *Stepper) Within(ctx context.Context) {
	s.in = s.in.Within(ctx)
	s.player = s.in.Player()
}

// Expand appends the successors of the state with this key to out, with the actions that lead to
// them, in the order of the System's Actions. A finished state has none. An error is one of
// out.Check, that of the context, a *rules.LimitError, or an *interp.RuleError, of any action that
// was tried; what was appended is then meaningless.
func (s *Stepper) Expand(key []uint64, out *pack.Batch) error {
	keys, actions := len(out.Keys), len(out.Actions)
	menu := s.menu(key)
	var err error
	switch {
	case menu.ranks:
		err = s.expandPreferred(key, menu, out)
	case s.words == 1:
		err = s.expandWord(key[0], menu, out)
	default:
		err = s.expandWords(key, menu, out)
	}
	if err == errBail {
		out.Keys, out.Actions = out.Keys[:keys], out.Actions[:actions]
		return s.fallBack(key, out)
	}
	return err
}

// errBail means that a state has to be played by the interpreter.
var errBail = errors.New("not played by residual programs")

// check calls the Check of a batch once for every pack.CheckEvery successors.
func check(out *pack.Batch) error {
	if out.Check != nil && len(out.Actions)%pack.CheckEvery == 0 {
		return out.Check()
	}
	return nil
}

// expandWord is Expand for states of one word. It runs the lines of all programs first, which is
// often all there is to run.
func (s *Stepper) expandWord(key uint64, menu *menu, out *pack.Batch) error {
	begins := s.begin([]uint64{key}, menu)
	n := len(out.Keys)
	out.Keys = slices.Grow(out.Keys, len(begins))[:n+len(begins)]
	to := out.Keys[n:]
	if s.lines(key, begins, to) {
		for _, g := range begins {
			out.Actions = append(out.Actions, g.action)
		}
		return nil
	}
	out.Keys = out.Keys[:n]
	for i, g := range begins {
		w, end := s.runWord(g.pc, to[i])
		switch end {
		case done:
			out.Keys = append(out.Keys, w)
			out.Actions = append(out.Actions, g.action)
			if err := check(out); err != nil {
				return err
			}
		case bail:
			return errBail
		}
	}
	return nil
}

// begin finds the programs that may be legal, by taking the first branch of each. It does not use
// conditional branches on the number of seeds, because these are hard to predict: an illegal entry
// is overwritten by the next one.
func (s *Stepper) begin(key []uint64, menu *menu) []begin {
	if menu.begins == nil {
		menu.begins = make([]begin, len(menu.actions))
		for i := range menu.actions {
			if e := &menu.actions[i]; e.pc < 0 {
				s.ready(e)
			}
		}
	}
	actions, tables := menu.actions, s.tables
	begins, n := menu.begins[:len(actions)], 0
	for i := range actions {
		e := &actions[i]
		pc := tables[uint64(e.first)+key[e.word]>>(e.shift&63)&e.mask]
		begins[n] = begin{pc, e.action}
		if pc != illegalOp {
			n++
		}
	}
	return begins[:n]
}

// ready makes the program and copies its first branch.
func (s *Stepper) ready(e *entry) {
	e.pc = s.compiler.force(e.pc)
	if o := &s.ops[e.pc]; o.kind == opSwitch && o.clear == 0 && o.add == 0 {
		e.word, e.shift, e.mask, e.first = o.word, o.shift, o.mask, o.x
		return
	}
	e.first = int32(len(s.tables))
	s.tables = append(s.tables, e.pc)
}

// expandWords is Expand for states of several words. Programs are executed where the successors
// will be.
func (s *Stepper) expandWords(key []uint64, menu *menu, out *pack.Batch) error {
	begins, n := s.begin(key, menu), len(out.Keys)
	key = key[:s.words]
	keys := slices.Grow(out.Keys, len(begins)*len(key))
	for _, g := range begins {
		switch s.run(g.pc, keys[n:n+len(key)], key) {
		case done:
			n += len(key)
			out.Keys, out.Actions = keys[:n], append(out.Actions, g.action)
			if err := check(out); err != nil {
				return err
			}
		case bail:
			return errBail
		}
	}
	return nil
}

// expandPreferred executes all bodies first, and then continues those with the greatest rank.
func (s *Stepper) expandPreferred(key []uint64, menu *menu, out *pack.Batch) error {
	n, best := 0, 0
	for _, e := range menu.actions {
		switch s.run(e.pc, s.w, key) {
		case illegal:
			continue
		case bail:
			return errBail
		}
		rank := s.regs[rankSlot]
		if n == 0 || rank > best {
			n, best = 0, rank
		}
		if rank == best {
			s.remember(n, e.action)
			n++
		}
	}
	for i := range n {
		p := &s.plays[i]
		if s.run(p.pc, s.w, p.words) != done {
			return errBail
		}
		out.Keys = append(out.Keys, s.w...)
		out.Actions = append(out.Actions, p.action)
		if err := check(out); err != nil {
			return err
		}
	}
	return nil
}

// remember stores the play just executed as number n.
func (s *Stepper) remember(n int, action int32) {
	if n == len(s.plays) {
		s.plays = append(s.plays, play{words: make([]uint64, s.words)})
	}
	p := &s.plays[n]
	p.action, p.pc = action, s.resume
	copy(p.words, s.w)
}

// fallBack is Expand by the interpreter.
func (s *Stepper) fallBack(key []uint64, out *pack.Batch) error {
	s.fellBack++
	steps, err := s.player.Steps(s.state(key))
	if err != nil {
		return err
	}
	for _, st := range steps {
		s.flat.Set(st.To)
		at := len(out.Keys)
		out.Keys = append(out.Keys, s.w...) // any words: Pack overwrites them
		out.Actions = append(out.Actions, int32(st.Action))
		if err := cmp.Or(s.codec.Pack(s.flat, out.Keys[at:]), check(out)); err != nil {
			return err
		}
	}
	return nil
}

// state unpacks a state, into s.flat.
func (s *Stepper) state(key []uint64) rules.State {
	s.codec.Unpack(key, s.flat)
	return s.flat.View(s.sys)
}

// CanMove reports whether the state with this key is live and has a legal move. An action with a
// fault is not legal. An error is as that of Expand, and one of an action before the legal one.
func (s *Stepper) CanMove(key []uint64) (bool, error) {
	can, ok := s.canMove(key, s.menu(key).bodies)
	if ok {
		return can, nil
	}
	return s.player.CanMove(s.state(key))
}

// canMove reports whether the body of one of the actions can be executed. ok is false if that is
// not known here.
func (s *Stepper) canMove(key []uint64, actions []entry) (can, ok bool) {
	for i := range actions {
		e := &actions[i]
		switch s.play(e, key) {
		case bail:
			return false, false
		case done:
			return true, true
		}
	}
	return false, true
}

// play executes an action in the state with this key.
func (s *Stepper) play(e *entry, key []uint64) (how end) {
	if e.pc < 0 {
		s.ready(e)
	}
	if s.words > 1 {
		return s.run(e.pc, s.w, key)
	}
	s.w[0], how = s.runWord(s.tables[uint64(e.first)+key[0]>>(e.shift&63)&e.mask], key[0])
	return how
}

// Package partial plays a System in partly unknown states. It is the certificate checker's domain
// of rules/exec, and shares no code with the searches.
//
// A value is a number or an interval; an ignored part of a state is an unbounded interval. Sowing
// is done seed by seed. Each decision that play depends on (a guard, a branch, the pit that is sown
// from, …) must have the same result for all numbers in the intervals. If it may not, strict play
// ends with an *Unknown error that names the part in question. So what strict play says of a partly
// unknown state is true of every state that agrees with it on the known parts.
//
// Ways plays an action from a state of which nothing is known, and both ways at each undecided
// decision. Every step that the action makes from any state goes one of the ways.
//
//	value.go    numbers and intervals
//	machine.go  steps, turns and endings
//	domain.go   the domain of partly known values, for package exec
//	start.go    what a start is
//	ways.go     all ways of an action; plan.go one sowing and what can be undone of it
package partial

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// State is a position of which parts may be unknown. The mover and the outcome are always known.
type State struct {
	Seeds, Vars []Value
	Mover       int
	Outcome     int
}

// Clone returns a state that shares nothing with s.
func (s State) Clone() State {
	s.Seeds = append([]Value(nil), s.Seeds...)
	s.Vars = append([]Value(nil), s.Vars...)
	return s
}

// Live reports whether the game goes on.
func (s State) Live() bool { return s.Outcome == rules.Live }

// Unknown is the error for a decision that depends on something unknown.
type Unknown struct{ Part string }

func (e *Unknown) Error() string { return "depends on " + e.Part }

// Fault is a fault of the rules in play: they demand something impossible, such as the use of
// `none` as a pit.
type Fault struct{ text func() (message, help string) }

func (e *Fault) Error() string {
	message, _ := e.text()
	return "the rules break: " + message
}

func fault(format string, args ...any) error {
	return &Fault{func() (string, string) { return fmt.Sprintf(format, args...), "" }}
}

// Machine plays one System.
type Machine struct {
	ctx     context.Context
	sys     *rules.System
	program *exec.Program
	prefers bool  // some action has a rank
	blank   State // of which nothing is known
	seeds   int   // no pit has more; num.Inf: not known
}

// New makes a Machine for sys, which plays until ctx ends. If that ends before a long sowing or
// loop does, the error is that of ctx.
func New(ctx context.Context, sys *rules.System) *Machine {
	m := &Machine{ctx: ctx, sys: sys, program: exec.Read(sys), prefers: slices.Contains(sys.Ranked(), true)}
	m.Bound(num.Inf)
	m.blank.Vars = lists.Map(sys.Vars, unread)
	return m
}

// Bound says that no state has more seeds.
func (m *Machine) Bound(seeds int) {
	m.seeds = seeds
	m.blank.Seeds = lists.Map(m.sys.Pits, func(p rules.Pit) Value { return Between(0, seeds, PartName(p.Name)) })
}

// System returns the System that is played.
func (m *Machine) System() *rules.System { return m.sys }

// Blank returns the state of which only the mover is known.
func (m *Machine) Blank(mover int) State {
	s := m.blank.Clone()
	s.Mover, s.Outcome = mover, rules.Live
	return s
}

// unread returns a variable with nothing known of it.
func unread(x rules.Var) Value {
	return Between(slices.Min(x.Domain), slices.Max(x.Domain), PartName(x.Name))
}

// Step is a legal move: the index of its Action and the state it leads to.
type Step struct {
	Action int
	To     State
	Blame  []string // of Open: names of what is not kept and decided, as in Unknown
}

// Player plays all actions from many states. It is for one goroutine.
type Player struct {
	m     *Machine
	runs  []*knowledge
	plays []*knowledge // runs of legal actions
	steps []Step
	key   []byte                      // memory of Leads
	reads [][rules.OriginReg + 1]bool // by action; nil before Open

	Ways int // that Open has played
}

// Player makes a Player.
func (m *Machine) Player() *Player { return &Player{m: m} }

// run is the memory of the run of the nth legal action.
func (p *Player) run(n int) *knowledge {
	if n == len(p.runs) {
		p.runs = append(p.runs, &knowledge{})
	}
	return p.runs[n]
}

// Steps lists the legal moves of s; the list is overwritten by the next call. It fails with an
// *Unknown, also where an action may meet a fault, or with a *Fault if one of the mover's actions
// does meet one. A fault of an action that is only tried by an ending does not count: that action
// is not legal, and the ending's question is answered.
func (p *Player) Steps(s State) ([]Step, error) {
	p.plays, p.steps = p.plays[:0], p.steps[:0]
	if !s.Live() {
		return nil, nil
	}
	var r *knowledge // begun, and not used for a body
	for i := range p.m.sys.Actions {
		if p.m.sys.Actions[i].Mover != s.Mover {
			continue
		}
		if r == nil {
			r = p.run(len(p.plays))
			r.begin(p.m, s, 0)
		}
		legal, err := r.act(i)
		if err = cmp.Or(err, r.doubted); err != nil {
			return nil, err
		}
		if legal {
			p.plays = append(p.plays, r)
		}
		if legal || r.acted {
			r = nil
		}
	}
	for _, r := range p.plays {
		if p.m.prefers {
			if ok, err := best(r, p.plays); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		to, err := r.conclude()
		if err = cmp.Or(err, r.doubted); err != nil {
			return nil, err
		}
		p.steps = append(p.steps, Step{Action: r.action, To: to})
	}
	return p.steps, nil
}

// Do executes one action. A fault of the rules is no step, neither by this action nor by those that
// it is compared with. The state is overwritten by the next call.
func (p *Player) Do(s State, action int) (to State, legal bool, err error) {
	return p.m.do(p.run(0), s, action)
}

// Sure is Do, but returns an *Unknown for a step that may meet a fault.
func (p *Player) Sure(s State, action int) (to State, legal bool, err error) {
	k := p.run(0)
	to, legal, err = p.m.do(k, s, action)
	if err == nil && legal && k.doubted != nil {
		return State{}, false, k.doubted
	}
	return to, legal, err
}

func (m *Machine) do(k *knowledge, s State, action int) (to State, legal bool, err error) {
	legal, err = m.attempt(k, s, action)
	if err != nil || !legal {
		return State{}, false, err
	}
	if m.prefers {
		if legal, err = m.isBest(s, k); err != nil || !legal {
			return State{}, false, err
		}
	}
	to, err = k.conclude()
	if _, broken := err.(*Fault); broken {
		return State{}, false, nil
	}
	return to, err == nil, err
}

// certainly is attempt for an action that others are compared with: if it may meet a fault, but
// need not, its legality is an *Unknown.
func (m *Machine) certainly(r *knowledge, s State, action int) (bool, error) {
	legal, err := m.attempt(r, s, action)
	if err == nil && legal && r.doubted != nil {
		return false, r.doubted
	}
	return legal, err
}

// attempt executes the guard and the body of an action on a copy of s. It makes r its run, if the
// action is one of the mover's. A fault is no step.
func (m *Machine) attempt(r *knowledge, s State, action int) (bool, error) {
	if m.sys.Actions[action].Mover != s.Mover || !s.Live() {
		return false, nil
	}
	r.begin(m, s, 0)
	legal, err := r.act(action)
	if _, broken := err.(*Fault); broken {
		return false, nil
	}
	return legal, err
}

func (m *Machine) isBest(s State, r *knowledge) (bool, error) {
	var plays []*knowledge
	for i := range m.sys.Actions {
		other := &knowledge{}
		legal, err := m.certainly(other, s, i)
		if err != nil {
			return false, err
		}
		if legal {
			plays = append(plays, other)
		}
	}
	return best(r, plays)
}

// best reports whether no play has a greater rank than r.
func best(r *knowledge, plays []*knowledge) (bool, error) {
	for _, p := range plays {
		greater, err := r.Decide(compare(rules.Gt, p.run.Rank, r.run.Rank))
		if err != nil || greater {
			return false, err
		}
	}
	return true, nil
}

// act executes the guard and the body of an action, on a copy of the state in which k begins. If
// the guard does not hold, k is as good as new.
func (k *knowledge) act(action int) (legal bool, err error) {
	a := k.m.program.Action(action)
	k.action, k.doubted = action, nil
	if legal, err = k.run.Guard(a); err != nil || !legal {
		return false, err
	}
	k.acted = true
	k.own()
	k.run.Room(len(a.Locals))
	return k.run.Body(a)
}

// conclude passes the turn and evaluates the endings.
func (k *knowledge) conclude() (State, error) {
	err := k.run.Conclude(k.m.sys.Actions[k.action].Mover)
	return stateOf(&k.run.S), err
}

// canMove reports whether the mover has a legal move, preferred or not, and possibly a fallback. An
// action that meets a fault is not legal. The runs are made of r.
func (m *Machine) canMove(r *knowledge, s State, fallbacks bool) (bool, error) {
	var unknown error
	for i := range m.sys.Actions {
		if m.sys.Actions[i].Fallback && !fallbacks {
			continue
		}
		legal, err := m.certainly(r, s, i)
		if err == nil && legal {
			return true, nil
		}
		if _, open := err.(*Unknown); err != nil && !open {
			return false, err
		}
		unknown = cmp.Or(unknown, err)
	}
	return false, unknown
}

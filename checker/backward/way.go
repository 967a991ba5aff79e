package backward

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// way is one way in which a body may move seeds and end. Runs that agree in this share a way.
type way struct {
	route
	assigned []bool        // by variable: may be set on the way
	env      *abstract.Env // at the end of the way
}

// route is what distinguishes ways.
type route struct {
	sowing int    // index in tracer.sowings, or none: seeds stay where they are
	hard   string // why predecessors cannot be constructed; "" if they can
	over   bool   // the body ends the game
	result int    // its outcome, if over
}

const noSowing = -1

// sowing is a sowing on a way, with what is known when it starts.
type sowing struct {
	rules.Sow
	env      *abstract.Env
	assigned []bool // by variable: may have been set by then
	rest     *rest
}

// rest is what remains of a body: statements, and then those behind the block that they are in.
type rest struct {
	body   []rules.Stmt
	behind *rest
}

// tracer finds the ways of one body.
type tracer struct {
	sys     *rules.System
	sowings []sowing
}

// trace lists the ways of a body that starts in env.
func (t *tracer) trace(body []rules.Stmt, env *abstract.Env) []way {
	w := way{route: route{sowing: noSowing}, assigned: make([]bool, len(t.sys.Vars)), env: env}
	return t.block(body, merge(nil, w), nil)
}

// block follows a block of statements.
func (t *tracer) block(body []rules.Stmt, ways []way, behind *rest) []way {
	for i, s := range body {
		var next []way
		for _, w := range ways {
			if w.over {
				next = merge(next, w)
			} else {
				next = merge(next, t.stmt(s, w, &rest{body[i+1:], behind})...)
			}
		}
		ways = next
	}
	return ways
}

// afterLast lists the ways after sowing n if its last seed has fallen into this pit, and reports
// whether one may meet a fault of the rules.
func (t *tracer) afterLast(n, pit int) (ways []way, fails bool) {
	s := &t.sowings[n]
	env := s.env.Run([]rules.Stmt{s.Sow}, unseen).Assume(rules.Binary{Op: rules.Eq, L: rules.Last, R: rules.Const{Value: pit}}, true)
	ways = merge(nil, way{route: route{sowing: n}, assigned: s.assigned, env: env})
	for r := s.rest; r != nil; r = r.behind {
		fails = fails || env.MayFail(r.body)
		env = env.Run(r.body, unseen)
		ways = t.block(r.body, ways, nil)
	}
	return ways, fails
}

func unseen(rules.Stmt, *abstract.Env) {}

// isEmpty reports whether nothing remains.
func (r *rest) isEmpty() bool { return r == nil || len(r.body) == 0 && r.behind.isEmpty() }

// merge adds ways; those that cannot be distinguished any more become one.
func merge(list []way, ways ...way) []way {
	for _, w := range ways {
		if w.env == nil {
			continue // no run reaches this
		}
		i := slices.IndexFunc(list, func(x way) bool { return x.route == w.route })
		if i < 0 {
			list = append(list, w)
			continue
		}
		list[i].env = abstract.Join(list[i].env, w.env)
		list[i].assigned = either(list[i].assigned, w.assigned)
	}
	return list
}

func either(a, b []bool) []bool {
	out := slices.Clone(a)
	for i, x := range b {
		out[i] = out[i] || x
	}
	return out
}

func (t *tracer) stmt(s rules.Stmt, w way, behind *rest) []way {
	switch s := s.(type) {
	case rules.If:
		then, els := w, w
		then.env, els.env = w.env.Assume(s.Cond, true), w.env.Assume(s.Cond, false)
		return append(t.block(s.Then, merge(nil, then), behind), t.block(s.Else, merge(nil, els), behind)...)
	case rules.Stop:
		if s.Outcome == rules.Illegal {
			return nil
		}
		w.over, w.result = true, s.Outcome
		return []way{w}
	case rules.Sow:
		w = t.sow(s, w, behind)
		return append(t.ends(s.Drop, w), t.after(s, w))
	case rules.Transfer:
		if s.Count == nil {
			w = w.block("captures")
		} else {
			w = w.block("takes single seeds")
		}
	case rules.While:
		return t.loop(s, w)
	case rules.Set:
		if s.To.Sort == rules.VarCell {
			w.assigned = slices.Clone(w.assigned)
			for _, v := range w.env.Slots(s.To) {
				w.assigned[v] = true
			}
		}
	default:
		panic(fmt.Sprintf("backward: unknown %T", s))
	}
	return []way{t.after(s, w)}
}

// block makes a way hard. The first reason stays.
func (w way) block(reason string) way {
	w.hard = cmp.Or(w.hard, reason)
	return w
}

// sow makes s the sowing of the way, unless it has one or s is too complex.
func (t *tracer) sow(s rules.Sow, w way, behind *rest) way {
	switch {
	case w.hard != "":
	case w.sowing != noSowing:
		return w.block("sows more than once")
	case s.Count != nil:
		return w.block("sows a counted number of seeds")
	case len(s.Drop) > 0:
		return w.block("does something after each drop")
	default:
		w.sowing = len(t.sowings)
		t.sowings = append(t.sowings, sowing{Sow: s, env: w.env, assigned: w.assigned, rest: behind})
	}
	return w
}

// loop follows the ways after the loop, out of the game inside it, or into an endless loop. A loop
// that moves seeds is hard.
func (t *tracer) loop(s rules.While, w way) []way {
	if rules.EffectsOf(s.Body).MovesSeeds {
		w = w.block("moves seeds in a loop")
	}
	w.assigned = either(w.assigned, assignedIn(t.sys, s.Body))
	return append(t.ends([]rules.Stmt{s}, w), t.after(s, w))
}

// ends lists the ways in which the game may end inside a body that is not followed statement by
// statement.
func (t *tracer) ends(body []rules.Stmt, w way) []way {
	var ways []way
	w.over, w.env = true, w.env.Forget()
	effects := rules.EffectsOf(body)
	for w.result = range t.sys.Outcomes {
		if effects.MayEnd(t.sys, w.result) {
			ways = append(ways, w)
		}
	}
	return ways
}

// after is w after s is executed.
func (t *tracer) after(s rules.Stmt, w way) way {
	w.env = w.env.Run([]rules.Stmt{s}, unseen)
	return w
}

// assignedIn marks the variables that a body may set.
func assignedIn(sys *rules.System, body []rules.Stmt) []bool {
	set := make([]bool, len(sys.Vars))
	rules.WalkStmts(body, func(s rules.Stmt) {
		if a, is := s.(rules.Set); is && a.To.Sort == rules.VarCell {
			for _, v := range a.To.Slots(len(set)) {
				set[v] = true
			}
		}
	})
	return set
}

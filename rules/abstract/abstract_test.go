package abstract

import (
	"slices"
	"testing"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"pgregory.net/rapid"
)

// TestSolitaireRound: in the solitaire with rows of 3, pits 6 and 7 are the stores. The round uses
// `last was` only when the last pit is not a store, and always sets the variable to a hole.
func TestSolitaireRound(t *testing.T) {
	sys := rulestest.Solitaire(3)
	for _, a := range sys.Actions[6:] {
		asked := false
		after := Before(sys, &a).Run(a.Body, func(s rules.Stmt, e *Env) {
			e.Walk(condition(s), func(x rules.Expr, at *Env) {
				if rules.IsFixed(x, rules.RegisterCell, rules.LastWasReg) {
					asked = true
					if pits := at.Values(rules.Last); !pits.Equal(Of(0, 1, 2, 3, 4, 5)) {
						t.Errorf("`last was` is asked of %v", pits)
					}
				}
			})
		})
		if !asked || !after.Var(0).Equal(Of(0, 1, 2, 3, 4, 5)) {
			t.Errorf("asked %v, selected is one of %v", asked, after.Var(0))
		}
	}
}

func condition(s rules.Stmt) rules.Expr {
	if s, ok := s.(rules.If); ok {
		return s.Cond
	}
	return nil
}

func TestAssume(t *testing.T) {
	sys := rulestest.Solitaire(1) // the variable is none or pit 0 or 1; pits 2 and 3 are the stores
	v := rules.VarAt(0)
	is := func(p int) rules.Expr { return rules.Binary{Op: rules.Eq, L: v, R: rules.Const{Value: p}} }
	any := rules.Binary{Op: rules.Gt, L: rules.Seeds(rules.Const{}), R: rules.Const{}}
	for _, c := range []struct {
		cond      rules.Expr
		yes, no   []int
		neverElse bool
	}{
		{is(1), []int{1}, []int{-1, 0}, false},
		{rules.Not{X: is(1)}, []int{-1, 0}, []int{1}, false},
		{rules.Binary{Op: rules.Or, L: is(0), R: is(1)}, []int{0, 1}, []int{-1}, false},
		{rules.Binary{Op: rules.And, L: any, R: is(0)}, []int{0}, []int{-1, 0, 1}, false},
		{rules.In(v, []bool{true, true, false, false}), []int{0, 1}, []int{-1}, false},
		{rules.Binary{Op: rules.Ne, L: v, R: rules.Const{Value: 3}}, []int{-1, 0, 1}, nil, true},
		{rules.Cond{If: any, Then: is(0), Else: is(1)}, []int{0, 1}, []int{-1, 0, 1}, false},
	} {
		e := Everywhere(sys, 0)
		if got := e.Assume(c.cond, true).Var(0); !got.Equal(Of(c.yes...)) {
			t.Errorf("%s: %v, want %v", rules.ExprString(sys, c.cond), got, c.yes)
		}
		no := e.Assume(c.cond, false)
		if (no == nil) != c.neverElse || no != nil && !no.Var(0).Equal(Of(c.no...)) {
			t.Errorf("not %s: %v, want %v", rules.ExprString(sys, c.cond), no, c.no)
		}
	}
}

// sentinel is the value of the probe where nothing was assigned to it.
const sentinel = 61

// probe adds a variable and, to one place of each body, an assignment of some value to it.
func probe(t *rapid.T, sys *rules.System) {
	v := rules.Var{Name: "probe", Init: sentinel, Default: sentinel}
	for n := -60; n <= sentinel; n++ {
		v.Domain = append(v.Domain, n)
	}
	sys.Vars = append(sys.Vars, v)
	for i := range sys.Actions {
		a := &sys.Actions[i]
		cell := func() rules.Expr {
			list := []rules.Expr{rules.Last, rules.LastWas, rules.Origin, rules.Mover, rules.Sum{Pits: []int{0, 1}}}
			for local := range a.Locals {
				list = append(list, rules.LocalAt(local), rules.LocalAt(local))
			}
			for v := range sys.Vars[:len(sys.Vars)-1] {
				list = append(list, rules.VarAt(v))
			}
			return rapid.SampledFrom(list).Draw(t, "cell")
		}
		x := cell()
		if rapid.Bool().Draw(t, "compound") {
			x = rules.Binary{Op: rules.Op(rapid.IntRange(int(rules.Or), int(rules.Max)).Draw(t, "operator")), L: x, R: cell()}
		}
		n := 0
		rules.WalkStmts(a.Body, func(s rules.Stmt) { n += 1 + len(rules.Blocks(s)) })
		n = rapid.IntRange(0, n).Draw(t, "place")
		a.Body = insert(a.Body, &n, rules.SetVar(len(sys.Vars)-1, x))
	}
}

// insert puts s at the nth place of a body.
func insert(body []rules.Stmt, n *int, s rules.Stmt) (out []rules.Stmt) {
	place := func() {
		if *n == 0 {
			out = append(out, s)
		}
		*n--
	}
	for _, x := range body {
		place()
		if blocks := rules.Blocks(x); len(blocks) > 0 {
			for i := range blocks {
				blocks[i] = insert(blocks[i], n, s)
			}
			x = rules.WithBlocks(x, blocks)
		}
		out = append(out, x)
	}
	place()
	return out
}

// saw is what a body may do: the outcomes that may end it, and what the probe may be set to.
type saw struct {
	over  map[int]bool
	probe Set
	after *Env
}

func look(sys *rules.System, a *rules.Action) saw {
	out := saw{over: map[int]bool{}, probe: Of()}
	out.after = Before(sys, a).Run(a.Body, func(s rules.Stmt, e *Env) {
		switch s := s.(type) {
		case rules.Stop:
			out.over[s.Outcome] = true
		case rules.While:
			out.over[sys.Endless()] = true
		case rules.Set:
			if rules.IsFixed(s.To, rules.VarCell, len(sys.Vars)-1) {
				out.probe = out.probe.Union(e.Values(s.X))
			}
		}
	})
	return out
}

// admits reports whether a step may lead to a state.
func (o saw) admits(to rules.State) bool {
	if !to.Live() {
		return o.over[to.Outcome]
	}
	for v, n := range to.Vars {
		if o.after == nil || !o.after.Var(v).Has(n) {
			return false
		}
	}
	return true
}

// TestSound: whatever random rules do is what the sets say may happen. In half of them a probe
// looks at values in the middle of a body; it may be at fault itself.
func TestSound(t *testing.T) {
	steps, probed, faults := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		sys.Reactions = nil // what they do is no part of a body
		probes := rapid.Bool().Draw(t, "probes")
		if probes {
			probe(t, sys)
		}
		in := interp.New(sys)
		for range 5 {
			s := rulestest.State(sys, 12).Draw(t, "state")
			if probes {
				s.Vars[len(s.Vars)-1] = sentinel
			}
			list, fault, err := in.Legal(s)
			if err != nil {
				continue // a limit
			}
			for _, st := range list {
				saw := look(sys, &sys.Actions[st.Action])
				if !saw.admits(st.To) {
					t.Fatalf("action %d from %v to %v: %v\n%s", st.Action, s, st.To, saw, sys.Canonical())
				}
				if probes && st.To.Vars[len(s.Vars)-1] != sentinel {
					probed++
					if n := st.To.Vars[len(s.Vars)-1]; !saw.probe.Has(n) {
						t.Fatalf("action %d from %v: the probe is %d, one of %v\n%s", st.Action, s, n, saw.probe, sys.Canonical())
					}
				}
				steps++
			}
			if fault == nil {
				continue
			}
			faults++
			may := false
			for i := range sys.Actions {
				a := &sys.Actions[i]
				may = may || a.Mover == s.Mover && (Before(sys, a).MayFail(a.Body) || a.Guard != nil && Everywhere(sys, len(a.Locals)).fails(a.Guard))
			}
			if !may {
				t.Fatalf("from %v: %v, and no action may fail\n%s", s, fault, sys.Canonical())
			}
		}
	})
	t.Logf("%d steps, %d with a probe, %d faults", steps, probed, faults)
}

// numbers draws a set, and the numbers from -8 to 8 that are its members.
func numbers(t *rapid.T, label string) (Set, []bool) {
	s := Between(num.Range(rapid.IntRange(-8, 8).Draw(t, label), rapid.IntRange(-8, 8).Draw(t, label)))
	if list := rapid.SliceOf(rapid.IntRange(-8, 8)).Draw(t, label); rapid.Bool().Draw(t, label) {
		s = Of(list...)
	}
	var has []bool
	for n := -8; n <= 8; n++ {
		has = append(has, s.Has(n))
	}
	return s, has
}

// TestSets: operations on sets of small numbers are exact.
func TestSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, inA := numbers(t, "a")
		b, inB := numbers(t, "b")
		out := rapid.IntRange(-8, 8).Draw(t, "without")
		union, both, without := a.Union(b), a.Intersect(b), a.Without(out)
		var among []int
		for i := range inA {
			n := i - 8
			if union.Has(n) != (inA[i] || inB[i]) || both.Has(n) != (inA[i] && inB[i]) || without.Has(n) != (inA[i] && n != out) {
				t.Fatalf("%v, %v: %v, %v, without %d %v", a, b, union, both, out, without)
			}
			if inA[i] {
				among = append(among, n)
			}
		}
		if !Of(among...).Equal(a) || a.Empty() != (among == nil) || !a.Within(among) || !slices.Equal(a.From(-8, 8), among) {
			t.Fatalf("%v has %v", a, among)
		}
	})
}

// TestApply: the bounds of a result hold it, whatever the operands are.
func TestApply(t *testing.T) {
	p := rulestest.Solitaire(1)
	rapid.Check(t, func(t *rapid.T) {
		l, r := rapid.IntRange(-9, 9).Draw(t, "left"), rapid.IntRange(-9, 9).Draw(t, "right")
		op := rules.Op(rapid.IntRange(int(rules.Or), int(rules.Max)).Draw(t, "operator"))
		around := func(n int) num.Interval {
			return num.Interval{Lo: n - rapid.IntRange(0, 3).Draw(t, "below"), Hi: n + rapid.IntRange(0, 3).Draw(t, "above")}
		}
		value, err := interp.New(p).Eval(rules.Binary{Op: op, L: rules.Number(l), R: rules.Number(r)}, p.EmptyStart(), nil)
		if in := Apply(op, around(l), around(r)); err == nil && !in.Has(value) {
			t.Fatalf("%d %v %d is %d, in %v", l, op, r, value, in)
		}
	})
}

// TestWork: conditions inside conditions, each twice, end soon and leave possible what is.
func TestWork(t *testing.T) {
	sys := rulestest.Solitaire(1)
	v := rules.VarAt(0) // none, or pit 0 or 1
	x := rules.Expr(v)
	for range 200 {
		x = rules.Cond{If: rules.Binary{Op: rules.Eq, L: x, R: v}, Then: x, Else: rules.Const{Value: 1}}
	}
	e := Everywhere(sys, 0)
	if s := e.Values(x); !s.Has(rules.None) || !s.Has(0) || !s.Has(1) {
		t.Errorf("the value is one of %v", s)
	}
	is := e.Assume(rules.Binary{Op: rules.Eq, L: x, R: rules.Const{Value: 1}}, true)
	if is == nil || !is.Var(0).Has(1) {
		t.Error("the value cannot be 1")
	}
	loop := []rules.Stmt{rules.Set{To: v, X: x}}
	for range 50 {
		loop = []rules.Stmt{rules.While{Cond: rules.Binary{Op: rules.Ne, L: x, R: v}, Body: loop}}
	}
	if after := Everywhere(sys, 0).Run(loop[:1], func(rules.Stmt, *Env) {}); after == nil {
		t.Error("no run ends")
	}
}

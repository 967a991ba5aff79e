package term

import (
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Evaluator computes the values of some terms repeatedly, in machine words.
type Evaluator struct {
	nodes  []node
	vars   map[string]int // the nodes of variables
	roots  []int
	values []int
}

// node is a term whose arguments are nodes before it.
type node struct {
	op    Op
	value int
	args  []int
}

// NewEvaluator makes an Evaluator of roots. quotient returns, for a variable that is one, its
// dividend and its positive divisor.
func NewEvaluator(roots []*Term, quotient func(*Term) (of *Term, by int, is bool)) *Evaluator {
	e := &Evaluator{vars: map[string]int{}}
	seen := map[*Term]int{}
	var visit func(t *Term) int
	visit = func(t *Term) int {
		if i, ok := seen[t]; ok {
			return i
		}
		n := node{op: t.Op, value: t.Value}
		if of, by, is := quotient(t); is {
			n = node{op: div, value: by, args: []int{visit(of)}}
		}
		n.args = append(n.args, lists.Map(t.Args, visit)...)
		i := len(e.nodes)
		e.nodes = append(e.nodes, n)
		seen[t] = i
		if n.op == Var {
			e.vars[t.Name] = i
		}
		return i
	}
	e.roots = lists.Map(roots, visit)
	e.values = make([]int, len(e.nodes))
	return e
}

// div is the operator of quotients, which are variables elsewhere.
const div = Ite + 1

// Size returns the number of terms that a Run computes.
func (e *Evaluator) Size() int { return len(e.nodes) }

// Set gives a variable a value; one that does not occur is ignored.
func (e *Evaluator) Set(name string, v int) {
	if i, ok := e.vars[name]; ok {
		e.values[i] = v
	}
}

// wordLimit keeps sums and products of values within a word.
const wordLimit = 1 << 30

// Run computes the values of the roots, truth values as 0 or 1. They are valid until the next Run.
// ok is false if some number is too large.
func (e *Evaluator) Run() (values func(root int) int, ok bool) {
	for i := range e.nodes {
		if n := &e.nodes[i]; n.op != Var {
			e.values[i] = e.apply(n)
		}
		if v := e.values[i]; v > wordLimit || v < -wordLimit {
			return nil, false
		}
	}
	return func(root int) int { return e.values[e.roots[root]] }, true
}

func (e *Evaluator) apply(n *node) int {
	arg := func(i int) int { return e.values[n.args[i]] }
	switch n.op {
	case Const:
		return n.value
	case Not:
		return 1 - arg(0)
	case And:
		return num.Truth(!slices.ContainsFunc(n.args, func(a int) bool { return e.values[a] == 0 }))
	case Or:
		return num.Truth(slices.ContainsFunc(n.args, func(a int) bool { return e.values[a] != 0 }))
	case Eq:
		return num.Truth(arg(0) == arg(1))
	case Le:
		return num.Truth(arg(0) <= arg(1))
	case Lt:
		return num.Truth(arg(0) < arg(1))
	case Add:
		sum := 0
		for _, a := range n.args {
			sum += e.values[a]
		}
		return sum
	case Mul:
		return max(-wordLimit-1, min(n.value, wordLimit+1)) * arg(0)
	case Ite:
		if arg(0) != 0 {
			return arg(1)
		}
		return arg(2)
	case div:
		q := arg(0) / n.value
		if arg(0)%n.value < 0 {
			q--
		}
		return q
	}
	panic("term: unknown operator")
}

// Eval computes t, with value giving the variables (a Bool as 0 or 1). The result may be of any
// size.
func Eval(t *Term, value func(name string) *big.Int) *big.Int {
	memo := map[*Term]*big.Int{}
	var eval func(*Term) *big.Int
	eval = func(t *Term) *big.Int {
		if v, ok := memo[t]; ok {
			return v
		}
		v := apply(t, value, eval)
		memo[t] = v
		return v
	}
	return eval(t)
}

func apply(t *Term, value func(string) *big.Int, eval func(*Term) *big.Int) *big.Int {
	switch t.Op {
	case Const:
		return big.NewInt(int64(t.Value))
	case Var:
		return value(t.Name)
	case Not:
		return truth(eval(t.Args[0]).Sign() == 0)
	case Mul:
		k := big.NewInt(int64(t.Value))
		return k.Mul(k, eval(t.Args[0]))
	case Ite:
		if eval(t.Args[0]).Sign() != 0 {
			return eval(t.Args[1])
		}
		return eval(t.Args[2])
	case Add:
		n := new(big.Int)
		for _, a := range t.Args {
			n.Add(n, eval(a))
		}
		return n
	case And, Or:
		for _, a := range t.Args {
			if (eval(a).Sign() != 0) == (t.Op == Or) {
				return truth(t.Op == Or)
			}
		}
		return truth(t.Op == And)
	}
	order := eval(t.Args[0]).Cmp(eval(t.Args[1]))
	return truth(t.Op == Eq && order == 0 || t.Op == Le && order <= 0 || t.Op == Lt && order < 0)
}

func truth(b bool) *big.Int { return big.NewInt(int64(num.Truth(b))) }

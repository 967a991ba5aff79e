// Package termtest draws random terms, and knows their meaning without the folding of their
// constructors.
package termtest

import (
	"maps"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/smt/term"
)

// Env gives values to the variables of drawn terms.
type Env map[string]int

// Drawn is a term as a Builder made it, and its value computed from its parts.
type Drawn struct {
	Term  *term.Term
	Value func(Env) int
}

// Ints and Bools are the variables of drawn terms.
var (
	Ints  = []string{"x", "y", "z"}
	Bools = []string{"p", "q"}
)

// Lowest and Highest bound the integer variables in Envs and Bounds.
const (
	Lowest  = -2
	Highest = 2
)

// Envs gives every assignment within the bounds.
func Envs() []Env {
	envs := []Env{{}}
	for _, name := range Ints {
		envs = extend(envs, name, Lowest, Highest)
	}
	for _, name := range Bools {
		envs = extend(envs, name, 0, 1)
	}
	return envs
}

func extend(envs []Env, name string, from, to int) []Env {
	var all []Env
	for _, env := range envs {
		for n := from; n <= to; n++ {
			larger := Env{name: n}
			maps.Copy(larger, env)
			all = append(all, larger)
		}
	}
	return all
}

// Bounds says that the integer variables are within the bounds.
func Bounds(b *term.Builder) *term.Term {
	var all []*term.Term
	for _, name := range Ints {
		v := b.Var(name, term.Int)
		all = append(all, b.Le(b.Int(Lowest), v), b.Le(v, b.Int(Highest)))
	}
	return b.And(all...)
}

// Satisfiable reports whether one of the assignments within the bounds makes all of ds true.
func Satisfiable(ds []Drawn) bool {
	for _, env := range Envs() {
		if holds(ds, env) {
			return true
		}
	}
	return false
}

func holds(ds []Drawn, env Env) bool {
	for _, d := range ds {
		if d.Value(env) == 0 {
			return false
		}
	}
	return true
}

// Bool draws a truth value of at most this depth.
func Bool(t *rapid.T, b *term.Builder, depth int) Drawn {
	if depth == 0 {
		return boolLeaf(t, b)
	}
	switch rapid.SampledFrom([]string{"leaf", "not", "and", "or", "implies", "eq", "ne", "lt", "le", "same", "ite"}).Draw(t, "bool") {
	case "not":
		x := Bool(t, b, depth-1)
		return Drawn{b.Not(x.Term), func(e Env) int { return 1 - x.Value(e) }}
	case "and", "or", "implies", "same":
		return connective(t, b, depth-1)
	case "eq", "ne", "lt", "le":
		return comparison(t, b, depth-1)
	case "ite":
		return ite(b, Bool(t, b, depth-1), Bool(t, b, depth-1), Bool(t, b, depth-1))
	}
	return boolLeaf(t, b)
}

func boolLeaf(t *rapid.T, b *term.Builder) Drawn {
	if rapid.IntRange(0, 5).Draw(t, "constant") == 0 {
		n := rapid.IntRange(0, 1).Draw(t, "truth")
		return Drawn{b.Bool(n != 0), func(Env) int { return n }}
	}
	name := rapid.SampledFrom(Bools).Draw(t, "name")
	return Drawn{b.Var(name, term.Bool), func(e Env) int { return e[name] }}
}

func connective(t *rapid.T, b *term.Builder, depth int) Drawn {
	x, y, z := Bool(t, b, depth), Bool(t, b, depth), Bool(t, b, depth)
	switch rapid.SampledFrom([]string{"and", "or", "implies", "same"}).Draw(t, "connective") {
	case "and":
		return Drawn{b.And(x.Term, y.Term, z.Term), func(e Env) int { return x.Value(e) * y.Value(e) * z.Value(e) }}
	case "or":
		return Drawn{b.Or(x.Term, y.Term, z.Term), func(e Env) int { return max(x.Value(e), y.Value(e), z.Value(e)) }}
	case "implies":
		return Drawn{b.Implies(x.Term, y.Term), func(e Env) int { return max(1-x.Value(e), y.Value(e)) }}
	}
	return Drawn{b.Eq(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) == y.Value(e)) }}
}

func comparison(t *rapid.T, b *term.Builder, depth int) Drawn {
	x, y := Int(t, b, depth), Int(t, b, depth)
	switch rapid.SampledFrom([]string{"eq", "ne", "lt", "le", "gt", "ge"}).Draw(t, "comparison") {
	case "eq":
		return Drawn{b.Eq(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) == y.Value(e)) }}
	case "ne":
		return Drawn{b.Ne(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) != y.Value(e)) }}
	case "lt":
		return Drawn{b.Lt(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) < y.Value(e)) }}
	case "le":
		return Drawn{b.Le(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) <= y.Value(e)) }}
	case "gt":
		return Drawn{b.Gt(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) > y.Value(e)) }}
	}
	return Drawn{b.Ge(x.Term, y.Term), func(e Env) int { return num.Truth(x.Value(e) >= y.Value(e)) }}
}

// Int draws an integer of at most this depth.
func Int(t *rapid.T, b *term.Builder, depth int) Drawn {
	if depth == 0 {
		return intLeaf(t, b)
	}
	switch rapid.SampledFrom([]string{"leaf", "add", "sub", "mul", "ite"}).Draw(t, "int") {
	case "add":
		x, y, z := Int(t, b, depth-1), Int(t, b, depth-1), Int(t, b, depth-1)
		return Drawn{b.Add(x.Term, y.Term, z.Term), func(e Env) int { return x.Value(e) + y.Value(e) + z.Value(e) }}
	case "sub":
		x, y := Int(t, b, depth-1), Int(t, b, depth-1)
		return Drawn{b.Sub(x.Term, y.Term), func(e Env) int { return x.Value(e) - y.Value(e) }}
	case "mul":
		k, x := rapid.IntRange(-3, 3).Draw(t, "factor"), Int(t, b, depth-1)
		return Drawn{b.Mul(k, x.Term), func(e Env) int { return k * x.Value(e) }}
	case "ite":
		return ite(b, Bool(t, b, depth-1), Int(t, b, depth-1), Int(t, b, depth-1))
	}
	return intLeaf(t, b)
}

func intLeaf(t *rapid.T, b *term.Builder) Drawn {
	if rapid.Bool().Draw(t, "constant") {
		n := rapid.IntRange(-4, 4).Draw(t, "number")
		return Drawn{b.Int(n), func(Env) int { return n }}
	}
	name := rapid.SampledFrom(Ints).Draw(t, "name")
	return Drawn{b.Var(name, term.Int), func(e Env) int { return e[name] }}
}

func ite(b *term.Builder, c, x, y Drawn) Drawn {
	return Drawn{b.Ite(c.Term, x.Term, y.Term), func(e Env) int {
		if c.Value(e) != 0 {
			return x.Value(e)
		}
		return y.Value(e)
	}}
}

package build

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Reach asserts that no reachable state satisfies Target, or, with Reachable, that one does. If
// Within is not negative, only states after at most that many moves count. An invariant is the
// claim that its negation is unreachable; Invariant remembers the word.
type Reach struct {
	Target    rules.Expr
	Reachable bool
	Invariant bool
	Within    int
	At        diag.Range // of the target
}

// Kind implements Property. It is the word of the claim.
func (r *Reach) Kind() string {
	switch {
	case r.Invariant:
		return "invariant"
	case r.Reachable:
		return "reachable"
	}
	return "unreachable"
}

// Asserts implements Property.
func (r *Reach) Asserts(sys *rules.System) string {
	x := r.Target
	if r.Invariant {
		x = term.Simple(rules.Not{X: x})
	}
	text := r.Kind() + " " + rules.ExactString(sys, x)
	if r.Within >= 0 {
		text += fmt.Sprintf(" within %d", r.Within)
	}
	return text
}

// Safety implements Safe. It holds for all values of the open parameters, so the quantifier of the
// claim does not matter. A state in which the target has no value counts as one that satisfies it,
// so that a proof also shows that there is no such fault.
func (r *Reach) Safety(*rules.System) Safety {
	return Safety{Never: rules.OrValueless(r.Target), Refutes: r.Reachable}
}

func (e *assertion) reachProperty(p *ast.Reach) Property {
	r := &Reach{Target: e.env.Cond(p.Target), Within: e.optional(p.Within), At: p.Target.Span()}
	switch p.Kind {
	case "reachable":
		r.Reachable = true
	case "invariant":
		r.Invariant = true
		r.Target = term.Simple(rules.Not{X: r.Target})
	}
	return r
}

// NeverStuck asserts that in no reachable state play is stuck or a turn goes on for ever.
type NeverStuck struct{}

// Kind implements Property.
func (*NeverStuck) Kind() string { return "never stuck" }

// Asserts implements Property. The text is the same for every System.
func (*NeverStuck) Asserts(*rules.System) string { return "never stuck" }

// Safety implements Safe: no reachable state is stuck or endless.
func (*NeverStuck) Safety(sys *rules.System) Safety {
	return Safety{Never: rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}}
}

// Terminates asserts that no play is infinite and, if Within is not negative, that none has more
// than Within moves.
type Terminates struct {
	Within int
	// ByRepetition says that a rule ends every play that comes back to a position. Then none is
	// infinite: there are as many seeds in all positions of a play, and so finitely many of them.
	ByRepetition bool
}

// Kind implements Property.
func (*Terminates) Kind() string { return "terminates" }

// Asserts implements Property.
func (t *Terminates) Asserts(*rules.System) string {
	if t.ByRepetition {
		return "terminates by repetition"
	}
	if t.Within >= 0 {
		return fmt.Sprintf("terminates within %d", t.Within)
	}
	return "terminates"
}

// optional resolves a number of moves that may be missing. It returns -1 if x is nil.
func (e *assertion) optional(x ast.Expr) int {
	if x == nil {
		return -1
	}
	return e.moves(x)
}

// moves resolves a number of moves. A negative one is reported, with the parameters that it may
// come from.
func (e *assertion) moves(x ast.Expr) int {
	n := e.env.ConstInt(x)
	if n >= 0 {
		return n
	}
	d := e.env.Game.Run.Diags.Errorf(diag.OutOfRange, x.Span(), "%d is no number of moves", n)
	d.WithHelp("write a number that is 0 or more")
	numbers := lists.Filter(e.env.Game.Sys.Params, func(p rules.Param) bool { return !p.Open && !p.Bool })
	given := lists.Map(numbers, func(p rules.Param) string { return fmt.Sprintf("%s = %d", p.Name, p.Value) })
	if len(given) > 0 {
		d.WithHelp("it must be 0 or more, also with %s", strings.Join(given, ", "))
	}
	return 0
}

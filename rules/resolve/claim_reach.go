package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Reach asserts that no state satisfies Target, or (Reachable) that one does, within Within moves
// if that is not negative. An invariant is the unreachability of its negation; Invariant keeps the
// word.
type Reach struct {
	Target    rules.Expr
	Reachable bool
	Invariant bool
	Within    int
	At        diag.Range // of the target
}

func (*Reach) others() []*rules.System { return nil }

// Kind is the word of the claim.
func (r *Reach) Kind() string {
	switch {
	case r.Invariant:
		return "invariant"
	case r.Reachable:
		return "reachable"
	}
	return "unreachable"
}

// Asserts takes an invariant as what is unreachable.
func (r *Reach) Asserts(sys *rules.System) string {
	text := "unreachable "
	if r.Reachable {
		text = "reachable "
	}
	text += rules.ExactString(sys, r.Target)
	if r.Within >= 0 {
		text += fmt.Sprintf(" within %d", r.Within)
	}
	return text
}

// Safety holds for all values of the open parameters, so it does not matter how the claim
// quantifies them. A state in which the target has no value counts as one that satisfies it.
func (r *Reach) Safety(*rules.System) Safety {
	return Safety{Never: rules.OrValueless(r.Target), Refutes: r.Reachable}
}

func (e *assertion) reachProperty(p *ast.Reach) Property {
	r := &Reach{Target: e.cond(p.Target), Within: e.optional(p.Within), At: p.Target.Span()}
	switch p.Kind {
	case "reachable":
		r.Reachable = true
	case "invariant":
		r.Invariant = true
		r.Target = simple(rules.Not{X: r.Target})
	}
	return r
}

package resolve

import (
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

func (e env) reachProperty(p *ast.Reach) Property {
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

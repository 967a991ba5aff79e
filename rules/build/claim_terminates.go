package build

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

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

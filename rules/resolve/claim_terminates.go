package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
)

// Terminates asserts that no play is infinite, or none has more than Within moves if that is not
// negative.
type Terminates struct{ Within int }

// Kind implements Certifiable.
func (*Terminates) Kind() string { return "terminates" }

// Asserts implements Certifiable.
func (t *Terminates) Asserts(*rules.System) string {
	if t.Within >= 0 {
		return fmt.Sprintf("terminates within %d", t.Within)
	}
	return "terminates"
}

func (*Terminates) others() []*rules.System { return nil }

func (e *assertion) terminates(p *ast.Terminates) Property {
	return &Terminates{Within: e.optional(p.Within)}
}

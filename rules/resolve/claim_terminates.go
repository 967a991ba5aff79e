package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
)

// Terminates asserts that no play is infinite, or none has more than Within moves if that is not
// negative.
type Terminates struct{ Within int }

func (*Terminates) others() []*rules.System { return nil }

func (e env) terminates(p *ast.Terminates) Property { return &Terminates{Within: e.optional(p.Within)} }

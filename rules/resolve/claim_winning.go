package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
)

// WinningStarts asserts which starts can be won.
type WinningStarts struct{ List []Listed }

func (*WinningStarts) others() []*rules.System { return nil }

func (e env) winningStarts(p *ast.WinningStarts) Property {
	return &WinningStarts{List: e.listed(p.List)}
}

package build

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
)

// WinningStarts asserts that some play wins from the listed starts and from no others.
type WinningStarts struct{ List []Listed }

// Kind implements Certifiable.
func (*WinningStarts) Kind() string { return "winning starts" }

// Asserts implements Certifiable.
func (w *WinningStarts) Asserts(sys *rules.System) string {
	var list []string
	for _, l := range w.List {
		list = append(list, rules.ExactString(sys, l.Cond))
	}
	return "winning starts = { " + strings.Join(list, ", ") + " }"
}

func (*WinningStarts) others() []*rules.System { return nil }

func (e *assertion) winningStarts(p *ast.WinningStarts) Property {
	return &WinningStarts{List: e.listed(p.List)}
}

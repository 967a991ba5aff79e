package build

import (
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// WinningStarts asserts that some play wins from the listed starts and from no others.
type WinningStarts struct{ List []Listed }

// Kind implements Property.
func (*WinningStarts) Kind() string { return "winning starts" }

// Asserts implements Property.
func (w *WinningStarts) Asserts(sys *rules.System) string {
	list := bind.Map(w.List, func(l Listed) string { return rules.ExactString(sys, l.Cond) })
	return "winning starts = { " + strings.Join(list, ", ") + " }"
}

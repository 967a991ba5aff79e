package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// ScopeFrom is Scope with the position that games begin at, if it is not empty.
func ScopeFrom(s verdict.Scope, position, eq string) string {
	text := Scope(s, eq)
	switch {
	case position == "":
		return text
	case text == "":
		return "from " + position
	}
	return text + ", from " + position
}

// Scope lists the parameters that a verdict holds for, with eq between name and value, and what it
// holds for any number of.
func Scope(s verdict.Scope, eq string) string {
	var items []string
	for _, p := range s.Params {
		if p.All {
			items = append(items, "every "+p.Name+" in "+Value(p))
		} else {
			items = append(items, p.Name+eq+Value(p))
		}
	}
	items = append(items, lists.Map(s.Unbounded, func(name string) string { return "any number of " + name })...)
	return strings.Join(items, ", ")
}

// Value returns the value of a parameter, or the range of values that it stands for.
func Value(p verdict.Param) string {
	switch {
	case p.Up:
		return fmt.Sprintf("%d..", p.N)
	case p.All:
		return fmt.Sprintf("%d..%d", p.N, p.Hi)
	case p.Bool:
		return fmt.Sprint(p.N != 0)
	}
	return fmt.Sprint(p.N)
}

package resolve

import (
	"github.com/mancheck/mancheck/rules"
)

// NeverStuck asserts that no reachable state is stuck or endless.
type NeverStuck struct{}

func (*NeverStuck) others() []*rules.System { return nil }

// Kind is the words of the claim.
func (*NeverStuck) Kind() string { return "never stuck" }

// Asserts is the same for every System.
func (*NeverStuck) Asserts(*rules.System) string { return "never stuck" }

// Safety is that no state is stuck or endless.
func (*NeverStuck) Safety(sys *rules.System) Safety {
	return Safety{Never: rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}}
}

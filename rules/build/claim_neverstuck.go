package build

import (
	"github.com/mancheck/mancheck/rules"
)

// NeverStuck asserts that in no reachable state play is stuck or a turn goes on for ever.
type NeverStuck struct{}

// Kind implements Property.
func (*NeverStuck) Kind() string { return "never stuck" }

// Asserts implements Property. The text is the same for every System.
func (*NeverStuck) Asserts(*rules.System) string { return "never stuck" }

// Safety implements Safe: no reachable state is stuck or endless.
func (*NeverStuck) Safety(sys *rules.System) Safety {
	return Safety{Never: rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}}
}

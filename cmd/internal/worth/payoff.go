package worth

import (
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Endless returns what plays without end are worth: what the rules say of positions that come back,
// or else what is asked for.
func Endless(sys *rules.System, asked value.Endless) value.Endless {
	if sys.Repetition == nil {
		return asked
	}
	switch build.EndlessUnder(sys) {
	case build.EndlessDraw:
		return value.Even
	case build.EndlessScored:
		return value.AsScored
	}
	return value.NoValue
}

// Usual is what a play is worth if nothing else is asked for.
func Usual(sys *rules.System) value.Payoff {
	return value.Payoff{Kind: value.KindOf(sys), Endless: Endless(sys, value.NoValue)}
}

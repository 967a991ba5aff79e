package main

import (
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// endlessKinds has the values of --endless.
var endlessKinds = map[string]value.Endless{"open": value.NoValue, "even": value.Even, "scored": value.AsScored}

// endlessOf is what a play is worth that never ends: what a rule of repetition makes of it or,
// where the game has none, what the flag says.
func endlessOf(sys *rules.System, flag string) value.Endless {
	if sys.Repetition == nil {
		return endlessKinds[flag]
	}
	switch resolve.EndlessUnder(sys) {
	case resolve.EndlessDraw:
		return value.Even
	case resolve.EndlessScored:
		return value.AsScored
	}
	return value.NoValue
}

package rulestest

import (
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Written draws Systems that somebody could have written down: those of generated rules files, with
// all words of the language.
func Written() *rapid.Generator[*rules.System] {
	return rapid.Custom(func(t *rapid.T) *rules.System {
		seed := rapid.Uint64().Draw(t, "file")
		for {
			if sys := read(gen.Game(seed).Text); sys != nil {
				return sys
			}
			seed++
		}
	})
}

// read resolves the variant of a text; nil if it has mistakes, or no moves or laps, or one pit.
func read(text string) *rules.System {
	program, diags := dsl.Load("written.sow", func(string) ([]byte, error) { return []byte(text), nil })
	unit, more := build.Collect(program.Files)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil
	}
	sys, diags := unit.System(unit.Variants[0], nil)
	if diags.HasErrors() || len(sys.Actions) == 0 || len(sys.Laps) == 0 || len(sys.Pits) < 2 {
		return nil
	}
	return sys
}

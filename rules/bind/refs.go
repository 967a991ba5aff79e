package bind

import (
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
)

// mistake makes the diagnostic of a name that stands for nothing.
func mistake(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	var list diag.List
	return list.Errorf(code, at, format, args...)
}

// unknownName says that a name stands for nothing. In a claim in which no similar name can be
// suggested, it lists the outcomes.
func (r reader) unknownName(name string, at diag.Range) *diag.Diagnostic {
	d := mistake(diag.Unknown, at, "unknown name `%s`", name)
	if help := spell.Foreign("name", name); help != "" {
		return d.WithHelp("%s", help)
	}
	if whose, group, is := strings.Cut(name, "_"); is && (whose == "my" || whose == "their") {
		return d.WithHelp("write `%s %s`", whose, group)
	}
	Suggest(d, name, r.reach())
	if d.Help == "" && r.claim && r.v != nil {
		d.WithHelp("the outcomes of `%s` are %s", r.v.Name.Name, List(r.v.outcomes()))
	}
	return d
}

// unknownFunction says that nothing can be called by a name.
func (r reader) unknownFunction(name string, at diag.Range) *diag.Diagnostic {
	d := mistake(diag.Unknown, at, "unknown function `%s`", name)
	if help := spell.Foreign("function", name); help != "" {
		return d.WithHelp("%s", help)
	}
	if slices.Contains(r.reach(), name) {
		return d.WithHelp("one pit of several is `%s[1]`", name)
	}
	Suggest(d, name, slices.Concat(r.reach(), Functions()))
	return d
}

// reach lists every name that may have been meant, for suggestions.
func (r reader) reach() []string {
	var names []string
	for l := r.locals; l != nil; l = l.outer {
		names = append(names, l.symbol.Name)
	}
	names = append(names, r.in.all(byValues, byEnums, byImplied)...)
	names = append(names, lists.Map(r.program.Defines, func(d ast.Decl) string { return definitionOf(d).Name.Name })...)
	if r.claim {
		names = append(names, r.in.all(byOutcomes)...)
		names = append(names, lists.Map(r.program.Positions, func(p *ast.Position) string { return p.Name.Name })...)
		names = append(names, claimWords...)
	}
	return names
}

// outcomes lists the labels of the outcomes of a variant.
func (v *Variant) outcomes() []string {
	names := append(slices.Collect(maps.Keys(v.own.names[byOutcomes])), "endless")
	slices.Sort(names)
	return slices.Compact(names)
}

// Reach lists the names of laps and relations that a message may suggest.
func (v *Variant) Reach(kind Kind) []string {
	var names []string
	for s := v.own; s != nil; s = s.board {
		for _, space := range []space{byValues, byImplied} {
			for name, x := range s.names[space] {
				if x.Kind == kind {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

package bind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
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
	if help := foreignNames[name]; help != "" {
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
	if help := foreignFunctions[name]; help != "" {
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

// foreignNames has names of other languages, with what to write instead.
var foreignNames = map[string]string{
	"all": allHelp, "every": allHelp, "seeds": seedsHelp, "total": seedsHelp, "everything": "`capture p into Q` takes all seeds of p",
	"null": "write `none`", "nil": "write `none`", "nothing": "write `none` for no pit, 0 for no seeds", "zero": "write 0", "one": "write 1", "two": "write 2", "three": "write 3", "four": "write 4", "five": "write 5", "ten": "write 10",
	"me": "write `mover`", "player": "write `mover`, or `P in player` for each player", "self": "write `mover`", "current": "write `mover`", "other": "write `opponent`",
	"yes": "write `true`", "no": "write `false`", "True": "write `true`", "False": "write `false`", "None": "write `none`", "board": "all pits are `pit`",
	"house": lapHelp, "cw": lapHelp, "ccw": lapHelp, "cw_with_stores": lapHelp, "ccw_with_stores": lapHelp,
}

// foreignFunctions says what to write in the place of a relation that no board like this one
// implies, or of a function of other languages.
var foreignFunctions = map[string]string{
	"opposite": faceHelp("opposite"), "behind": faceHelp("behind"),
	"count": seedsHelp, "size": seedsHelp, "length": seedsHelp, "stones": seedsHelp, "beads": seedsHelp,
	"sum": seedsHelp, "len": seedsHelp, "range": "a range is `1..3`, and both ends belong to it", "print": "rules print nothing: `mancheck trace` and `mancheck play` show what happens",
	"all": "`each SET = 0` says it of every pit: `each south = 0`", "any": "`some SET = 0` says it of one pit: `some south = 0`",
	"abs": "write `max(x, -x)`", "previous": "write `before(p)`", "prev": "write `before(p)`",
}

const (
	allHelp   = "`each house = 2` says it of each pit, and `total(pit)` counts the seeds of all; `capture p into Q` takes all seeds of p"
	lapHelp   = "`house`, `cw` and `ccw` are those of two rows with brackets, each a line: `north[3..1]` above `south[1..3]`; other laps are declared: `ring way = a[1..4]`"
	seedsHelp = "`seeds(p)` is the number of seeds in a pit, `total(pit)` that of all; `number p in SET : E` counts pits"
)

func faceHelp(name string) string {
	return fmt.Sprintf("no pits face each other on this board: declare `facing %s a[i] = b[…]` there", name)
}

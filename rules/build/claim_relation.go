package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
)

// RelationKind is the way in which a Relation compares two variants.
type RelationKind int

const (
	Refines    RelationKind = iota // every play of the claim's variant is one of the other
	Equivalent                     // both refine each other
	Reverses                       // every step of the claim's variant, backwards, is a step of the other
)

// String returns the word for the relation in the language.
func (k RelationKind) String() string { return [...]string{"refines", "equivalent", "reverses"}[k] }

// Relation compares the plays of the claim's System with those of another. Boards are compared by
// pairs of pits, moves by their notation, and players in the order in which they are declared.
type Relation struct {
	Relates RelationKind
	Other   *rules.System
	In      rules.Agreement
	Pairs   [][2]int   // pits of the claim's System and of the other, as rules.PairPits pairs them
	Ignored []string   // groups and pits that the claim leaves out
	At      diag.Range // of the other variant's name
}

// Kind implements Property.
func (r *Relation) Kind() string { return r.Relates.String() }

// Asserts implements Property. The other System is named by its hash, so a certificate is about
// its rules and not just its name.
func (r *Relation) Asserts(sys *rules.System) string {
	pairs := lists.Map(r.Pairs, func(p [2]int) string {
		return rules.ExactName(sys.Pits[p[0]].Name) + " = " + rules.ExactName(r.Other.Pits[p[1]].Name)
	})
	out := fmt.Sprintf("%s %q", r.Relates, r.Other.Hash())
	if r.In != rules.InPlay {
		out += " in " + r.In.String()
	}
	if len(pairs) > 0 {
		out += " comparing " + strings.Join(pairs, ", ")
	}
	return out
}

var relations = map[string]RelationKind{"refines": Refines, "equivalent": Equivalent, "reverses": Reverses}

// relation resolves the other variant. If the claim says where games begin, games of both variants
// begin there.
func (e *assertion) relation(r *ast.Relation) Property {
	other := e.of.Claim.others.Variant(r.Other.Name, r.Other.Range, e.env.Game.Run.Diags)
	if e.game.here != nil {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, r.Other.Range, "a claim that compares variants is about their setups, and cannot be asked from a state of one of them")
	}
	if e.env.Game.Run.Diags.HasErrors() {
		return nil
	}
	there := e.otherGame(r, other)
	if e.env.Game.Run.Diags.HasErrors() {
		return nil
	}
	out := &Relation{Relates: relations[r.Kind], Other: e.of.Claim.others.common(other, there, e.env.Game.Run.Diags).Sys, In: agreement(r, e.env.Game.Run.Diags), At: r.Other.Range}
	switch a, b := e.env.Game.Sys, out.Other; {
	case e.env.Game.Run.Diags.HasErrors():
	case len(a.Players) != len(b.Players):
		e.env.Game.Run.Diags.Errorf(diag.BadClause, out.At, "`%s` is a game for %s, `%s` for %s", a.Name, players(a), b.Name, players(b))
	default:
		out.pair(a, r, e.env.Game.Run.Diags)
	}
	return out
}

// agreement returns what is compared.
func agreement(r *ast.Relation, diags *diag.List) rules.Agreement {
	switch {
	case r.In == nil:
		return rules.InPlay
	case r.Kind == "reverses":
		diags.Errorf(diag.BadClause, r.In.Range, "`reverses` compares boards, and nothing else").WithHelp("leave `in %s` out", strings.Join(r.In.Words, " "))
	}
	return rules.AgreementNamed(strings.Join(r.In.Words, " "))
}

// otherGame returns how the other variant is played. Settings after its name come first, then those
// of the instance for parameters that it shares, then those of the command line.
func (e *assertion) otherGame(r *ast.Relation, other *ast.Variant) game {
	out := game{settings: board.Settings{}, begin: e.game.begin}
	for _, set := range r.Settings {
		e.of.Claim.otherSetting(set, other, e.game, out.settings, e.env.Game.Run.Diags)
	}
	for _, name := range ParamNames(other) {
		if _, own := out.settings[name]; own {
			continue
		}
		if v, ok := e.game.settings[name]; ok {
			out.settings[name] = v
		} else if slices.Contains(e.game.open, name) {
			out.open = append(out.open, name)
		} else if v, ok := e.of.given[name]; ok {
			out.settings[name] = v
		}
	}
	return out
}

// otherSetting reads one setting after the name of the other variant. It may use the parameters of
// the claim's own variant.
func (c *Claim) otherSetting(set ast.Setting, v *ast.Variant, g game, into board.Settings, diags *diag.List) {
	if !hasParam(v, ast.Ident(set.Name), diags) {
		return
	}
	if old, twice := into[set.Name.Name]; twice {
		diags.Errorf(diag.BadClause, set.Range, "`%s` is set already", set.Name.Name).WithNote(old.At, "here")
		return
	}
	into[set.Name.Name] = c.value(set, g.settings, g.open, diags)
}

// pair pairs the pits of both boards. If these are compared in play, it reports pits that are
// neither paired nor left out; otherwise only the starts are known by them.
func (r *Relation) pair(sys *rules.System, from *ast.Relation, diags *diag.List) {
	out := [2][]bool{make([]bool, len(sys.Pits)), make([]bool, len(r.Other.Pits))}
	for _, name := range from.Ignoring {
		known := leaveOut(sys, name.Name, out[0])
		if !leaveOut(r.Other, name.Name, out[1]) && !known {
			bind.Suggest(diags.Errorf(diag.Unknown, name.Range, "neither `%s` nor `%s` has a group or pit `%s`", sys.Name, r.Other.Name, name.Name),
				name.Name, append(pitSets(sys), pitSets(r.Other)...))
		}
		r.Ignored = append(r.Ignored, name.Name)
	}
	var unpaired [2][]int
	if r.Pairs, unpaired = rules.PairPits(sys, r.Other, out); !r.In.Boards() {
		return
	}
	for side, s := range [2]*rules.System{sys, r.Other} {
		if len(unpaired[side]) == 0 {
			continue
		}
		names := slices.Compact(lists.Map(unpaired[side], func(p int) string { return nameFor(s, p, unpaired[side]) }))
		other := [2]*rules.System{r.Other, sys}[side]
		diags.Errorf(diag.BadClause, r.At, "`%s` has no pit to compare with `%s` of `%s`: none of its name, and none in its place is left",
			other.Name, s.Pits[unpaired[side][0]].Name, s.Name).
			WithHelp("to leave it out, add `ignoring %s`", strings.Join(append(slices.Clone(r.Ignored), names...), ", "))
	}
	if len(r.Pairs) == 0 && !diags.HasErrors() {
		diags.Errorf(diag.BadClause, r.At, "this leaves out all pits: no board is compared")
	}
}

// nameFor returns the name of the group of a pit if all its pits are listed, and otherwise that of
// the pit.
func nameFor(s *rules.System, pit int, list []int) string {
	group := lists.Where(s.Pits, func(p rules.Pit) bool { return p.Group == s.Pits[pit].Group })
	if slices.ContainsFunc(group, func(p int) bool { return !slices.Contains(list, p) }) {
		return s.Pits[pit].Name
	}
	return s.Pits[pit].Group
}

// leaveOut marks the pits of the group or pit called name, and reports whether there is one.
func leaveOut(sys *rules.System, name string, out []bool) bool {
	if p := sys.PitNamed(name); p != rules.None {
		out[p] = true
		return true
	}
	group := lists.Find(sys.Groups, func(g rules.Group) bool { return g.Name == name })
	for _, p := range group.Pits {
		out[p] = true
	}
	return group.Name == name
}

// pitSets lists the names of groups and pits, for suggestions.
func pitSets(sys *rules.System) []string {
	return append(lists.Map(sys.Groups, func(g rules.Group) string { return g.Name }), lists.Map(sys.Pits, func(p rules.Pit) string { return p.Name })...)
}

// players says how many players a System has, for messages.
func players(s *rules.System) string {
	if len(s.Players) == 1 {
		return "one player"
	}
	return fmt.Sprintf("%d players", len(s.Players))
}

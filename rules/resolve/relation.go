package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

var relations = map[string]RelationKind{"refines": Refines, "equivalent": Equivalent, "reverses": Reverses}

// relation resolves the other variant. If the claim says where games begin, both begin there.
func (i *Instance) relation(r *ast.Relation, g game, sys *rules.System, diags *diag.List) Property {
	other := i.Claim.unit.Variant(r.Other.Name, r.Other.Range, diags)
	if other == nil {
		return nil
	}
	there := i.otherGame(r, other, g, diags)
	if diags.HasErrors() {
		return nil
	}
	out := &Relation{Kind: relations[r.Kind], Other: i.Claim.unit.build(other, there, diags).sys, At: r.Other.Range}
	if !diags.HasErrors() {
		comparable(sys, out, diags)
	}
	return out
}

// otherGame is how the other variant is played: with what is set behind its name, or else with the settings of the instance for parameters
// that it has too.
func (i *Instance) otherGame(r *ast.Relation, other *ast.Variant, g game, diags *diag.List) game {
	out := game{settings: Settings{}, begin: g.begin}
	for _, set := range r.Settings {
		i.Claim.otherSetting(set, other, g, out.settings, diags)
	}
	open := map[string]bool{}
	for _, name := range g.open {
		open[name] = true
	}
	for _, name := range ParamNames(other) {
		if _, own := out.settings[name]; own {
			continue
		}
		if v, ok := g.settings[name]; ok {
			out.settings[name] = v
		} else if open[name] {
			out.open = append(out.open, name)
		} else if v, ok := i.given[name]; ok {
			out.settings[name] = v
		}
	}
	return out
}

// otherSetting reads one setting behind the other variant's name; it may use the parameters of the claim's own.
func (c *Claim) otherSetting(set ast.Setting, v *ast.Variant, g game, into Settings, diags *diag.List) {
	if !hasParam(v, set.Name, diags) {
		return
	}
	if old, twice := into[set.Name.Name]; twice {
		diags.Errorf(diag.BadClause, set.Range, "`%s` is set already", set.Name.Name).Notes = []diag.Note{{Range: old.At, Message: "here"}}
		return
	}
	into[set.Name.Name] = c.value(set, g.settings, g.open, diags)
}

// comparable reports variants whose boards or players no relation can match.
func comparable(sys *rules.System, r *Relation, diags *diag.List) {
	a, b := sys, r.Other
	switch {
	case len(a.Players) != len(b.Players):
		diags.Errorf(diag.BadClause, r.At, "`%s` is a game for %s, `%s` for %s", a.Name, players(a), b.Name, players(b))
	case len(a.Laps) == 0 || len(b.Laps) == 0:
		diags.Errorf(diag.BadClause, r.At, "boards are compared along the first lap, and one of these has none")
	case len(a.Laps[0].Pits) != len(b.Laps[0].Pits):
		diags.Errorf(diag.BadClause, r.At, "the first lap of `%s` has %d pits, that of `%s` has %d", a.Name, len(a.Laps[0].Pits), b.Name, len(b.Laps[0].Pits)).
			WithHelp("boards are compared along the first lap")
	}
}

func players(s *rules.System) string {
	if len(s.Players) == 1 {
		return "one player"
	}
	return fmt.Sprintf("%d players", len(s.Players))
}

package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

var relations = map[string]RelationKind{"refines": Refines, "equivalent": Equivalent, "reverses": Reverses}

// relation resolves the other variant: with the settings of the instance for parameters that it has, over which its own stand.
func (c *Claim) relation(r *ast.Relation, g game, sys *rules.System, diags *diag.List) Property {
	other := c.unit.Variant(r.Other.Name, r.Other.Range, diags)
	if other == nil {
		return nil
	}
	out := &Relation{Kind: relations[r.Kind], At: r.Other.Range}
	has := map[string]bool{}
	for _, name := range ParamNames(other) {
		has[name] = true
	}
	own := map[string]bool{}
	there := game{settings: Settings{}, begin: g.begin}
	for _, set := range r.Settings {
		v, ok := c.setting(set, other, g, own, diags)
		if ok {
			there.settings[set.Name.Name] = v
		}
	}
	for name, v := range g.settings {
		if has[name] && !own[name] {
			there.settings[name] = v
		}
	}
	for _, name := range g.open {
		if has[name] && !own[name] {
			there.open = append(there.open, name)
		}
	}
	if diags.HasErrors() {
		return nil
	}
	out.Other = c.unit.build(other, there, diags).sys
	if !diags.HasErrors() {
		comparable(sys, out, diags)
	}
	return out
}

// setting reads one setting in the brackets behind the other variant's name; it may use the parameters of the claim's own.
func (c *Claim) setting(s ast.Setting, v *ast.Variant, g game, seen map[string]bool, diags *diag.List) (Value, bool) {
	if !hasParam(v, s.Name, diags) {
		return Value{}, false
	}
	if seen[s.Name.Name] {
		diags.Errorf(diag.BadClause, s.Range, "`%s` is set already", s.Name.Name)
	}
	seen[s.Name.Name] = true
	return c.value(s, g.settings, g.open, diags), true
}

// comparable reports variants whose boards or players no relation can match.
func comparable(sys *rules.System, r *Relation, diags *diag.List) {
	a, b := sys, r.Other
	switch {
	case len(a.Players) != len(b.Players):
		diags.Errorf(diag.BadClause, r.At, "`%s` is played by %d, `%s` by %d", a.Name, len(a.Players), b.Name, len(b.Players))
	case len(a.Laps) == 0 || len(b.Laps) == 0:
		diags.Errorf(diag.BadClause, r.At, "boards are compared along the first lap, and one of these has none")
	case len(a.Laps[0].Pits) != len(b.Laps[0].Pits):
		diags.Errorf(diag.BadClause, r.At, "the first lap of `%s` has %d pits, that of `%s` has %d", a.Name, len(a.Laps[0].Pits), b.Name, len(b.Laps[0].Pits)).
			WithHelp("boards are compared along the first lap")
	}
}

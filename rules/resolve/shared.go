package resolve

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Many claims are about the same game, with the same parameters. It is resolved once: that takes
// time, and the Systems of all claims of a run are in memory together.

// shared are the games of a Unit that claims have in common. They are never changed.
type shared struct {
	mu    sync.Mutex
	games map[string][]*resolved // by what they are made of, apart from the claim
}

// building makes a game: common for one that stays in memory, build for one of many that are tried.
type building func(v *ast.Variant, g game, diags *diag.List) *resolved

// common is build for a game that other claims may be about, too. The result is for one claim,
// which may add to it.
func (u *Unit) common(v *ast.Variant, g game, diags *diag.List) *resolved {
	if u.Remarks != nil || g.here != nil || g.board != nil { // each resolution makes some; no other claim begins there
		return u.build(v, g, diags)
	}
	key := g.key(v)
	u.shared.mu.Lock()
	defer u.shared.mu.Unlock()
	for _, b := range u.shared.games[key] {
		if b.suits(g.claim) {
			return b.of(g.claim, diags)
		}
	}
	var own diag.List
	b := u.build(v, g, &own)
	*diags = append(*diags, own...)
	b.diags = diags
	if len(own) > 0 || b.goesOn {
		return b
	}
	if u.shared.games == nil {
		u.shared.games = map[string][]*resolved{}
	}
	u.shared.games[key] = append(u.shared.games[key], b)
	return b.of(g.claim, diags)
}

// key tells games apart that are made of different things. Where a setting stands matters only for
// mistakes, and a game with a mistake is not shared.
func (g game) key(v *ast.Variant) string {
	var key strings.Builder
	fmt.Fprintf(&key, "%p %p %p %t %q", v, g.following, g.begin, g.whole, g.open)
	for _, name := range slices.Sorted(maps.Keys(g.settings)) {
		fmt.Fprintf(&key, " %q %d %t", name, g.settings[name].N, g.settings[name].Bool)
	}
	return key.String()
}

// suits reports whether the game would be the same if it were made for this claim, which may use
// other laps and relations that follow from the picture.
func (b *resolved) suits(claim *ast.Claim) bool {
	names := map[string]bool{}
	if claim != nil {
		noteNames(names, claim)
	}
	for name, f := range b.derived {
		if (f.anyway || names[name]) != f.made {
			return false
		}
	}
	return true
}

// of is the game for one claim, which may add to it. It shares with b what does not change.
func (b *resolved) of(claim *ast.Claim, diags *diag.List) *resolved {
	s, sys, used := *b.scope, *b.sys, *b.used
	s.sys, s.used, s.claim, s.diags = &sys, &used, claim, diags
	sys.Vars = slices.Clip(sys.Vars) // ghosts come behind them
	s.names, s.declared, s.enums, s.groups = maps.Clone(b.names), maps.Clone(b.declared), maps.Clone(b.enums), maps.Clone(b.groups)
	s.defs, s.vars = slices.Clip(b.defs), slices.Clip(b.vars)
	return &resolved{scope: &s, derived: b.derived, goesOn: b.goesOn}
}

package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Many claims are about the same game with the same parameters. Such a game is resolved once:
// resolving takes time, and the Systems of all claims of a run are in memory together.

// shared has the games of a Unit that claims have in common. These are never changed.
type shared struct {
	mu    sync.Mutex
	games map[string]*resolved // by their key
}

// building is a function that resolves a game: common for games that stay in memory, build for
// those that are tried once.
type building func(v *ast.Variant, g game, diags *diag.List) *resolved

// common returns the game that build would, perhaps shared with other claims. The caller may add to
// the result.
func (u *Unit) common(v *ast.Variant, g game, diags *diag.List) *resolved {
	if u.Remarks != nil || g.here != nil || g.board != nil { // each resolution makes remarks of its own; no other claim begins at that state or board
		return u.build(v, g, diags)
	}
	key := g.key(v)
	u.shared.mu.Lock()
	defer u.shared.mu.Unlock()
	if b := u.shared.games[key]; b != nil {
		return b.of(g.claim, diags)
	}
	var own diag.List
	b := u.build(v, g, &own)
	*diags = append(*diags, own...)
	b.g.Run.Diags = diags
	if len(own) > 0 || b.goesOn {
		return b
	}
	if u.shared.games == nil {
		u.shared.games = map[string]*resolved{}
	}
	u.shared.games[key] = b
	return b.of(g.claim, diags)
}

// Forget is that of the unit of the claim.
func (c *Claim) Forget() { c.unit.Forget() }

// Forget drops the games that claims have in common. One that is asked for again is made again.
func (u *Unit) Forget() {
	u.shared.mu.Lock()
	defer u.shared.mu.Unlock()
	u.shared.games = nil
}

// key identifies what a game is made of. The places of settings are left out: they matter only for
// mistakes, and a game with mistakes is not shared.
func (g game) key(v *ast.Variant) string {
	var key strings.Builder
	fmt.Fprintf(&key, "%p %p %p %t %q", v, g.following, g.begin, g.whole, g.open)
	for _, name := range slices.Sorted(maps.Keys(g.settings)) {
		fmt.Fprintf(&key, " %q %d %t", name, g.settings[name].N, g.settings[name].Bool)
	}
	return key.String()
}

// of returns the game for one claim, which may add to it. What does not change is shared with b.
func (b *resolved) of(claim *ast.Claim, diags *diag.List) *resolved {
	s, sys, used := *b.g, *b.g.Sys, *b.g.Run.Used
	s.Sys, s.Run.Used, s.Claim, s.Run.Diags = &sys, &used, claim, diags
	sys.Vars = slices.Clip(sys.Vars)  // ghosts are appended to them
	s.Groups = maps.Clone(b.g.Groups) // filled as they are used
	return &resolved{g: &s, goesOn: b.goesOn}
}

package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Many claims are about the same game with the same parameters. Such a game is resolved once:
// resolving takes time, and the Systems of all claims of a run are in memory together.

// shared has the games of a Unit that claims have in common. These are never changed.
type shared struct {
	mu    sync.Mutex
	games map[string]*term.Scope // by their key
}

// building is a function that resolves a game: common for games that stay in memory, build for
// those that are tried once.
type building func(v *ast.Variant, g game, diags *diag.List) *term.Scope

// common returns the game that build would, perhaps shared with other claims. The caller may add to
// the result.
func (u *Unit) common(v *ast.Variant, g game, diags *diag.List) *term.Scope {
	if u.Remarks != nil || g.here != nil || g.board != nil { // each resolution makes remarks of its own; no other claim begins at that state or board
		return u.build(v, g, diags)
	}
	key := g.key(v)
	u.shared.mu.Lock()
	defer u.shared.mu.Unlock()
	if b := u.shared.games[key]; b != nil {
		return b.For(g.claim, diags)
	}
	var own diag.List
	b := u.build(v, g, &own)
	*diags = append(*diags, own...)
	b.Run.Diags = diags
	if len(own) > 0 {
		return b
	}
	if u.shared.games == nil {
		u.shared.games = map[string]*term.Scope{}
	}
	u.shared.games[key] = b
	return b.For(g.claim, diags)
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

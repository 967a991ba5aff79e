package vet

import (
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
)

// noPits reports players of a variant who own no pit, and pits without an owner whose name is
// almost that of a player. A game in which nobody owns anything is all right if it does not speak
// of owners.
func noPits(l *look) {
	if len(l.sys.Players) < 2 {
		return
	}
	p := owning{look: l, owns: make([]bool, len(l.sys.Players))}
	for i := range l.sys.Pits {
		if o := l.sys.Pits[i].Owner; o != rules.None {
			p.owns[o] = true
		}
	}
	speaks := slices.Contains(p.owns, true) || len(ast.All[*ast.Of](l.variant.Variant)) > 0
	for _, d := range l.variant.Defines {
		speaks = speaks || len(ast.All[*ast.Of](d.Node)) > 0
	}
	for _, players := range ast.Items[*ast.Players](l.variant.Variant) {
		for _, name := range players.Names {
			if p.player(name, speaks); !slices.Contains(p.owns, true) {
				break // nobody owns anything, for one reason
			}
		}
	}
	p.drawn(l.variant.Board)
}

// owning is what noPits knows.
type owning struct {
	*look
	owns []bool // by player
}

// player reports a player without pits. speaks says that the rules speak of owners.
func (p *owning) player(name ast.Ident, speaks bool) {
	i, own := slices.Index(p.sys.Players, name.Name), strings.ToLower(name.Name)
	near := lists.Find(p.free(), func(group string) bool { return misspelt(base(group), own) })
	if p.owns[i] || !speaks && near == "" {
		return
	}
	d := p.warn(diag.NoPits, name.Range, "the player `%s` owns no pit", name.Name)
	switch {
	case near != "":
		d.WithHelp("are the pits `%s` meant? then call them `%s`, or write `owner %s = %s` below the picture", near, strings.Replace(near, base(near), own, 1), name.Name, near)
	case len(p.free()) > 0:
		d.WithHelp("write `owner %s = …` below the picture, with some of %s, or call pits `%s`", name.Name, bind.List(p.free()), own)
	default:
		d.WithHelp("write `owner %s = …` below the picture, or call pits `%s`", name.Name, own)
	}
}

// drawn reports pits without an owner whose name is almost that of a player who has others.
func (p *owning) drawn(b *ast.Board) {
	seen := map[string]bool{}
	for _, r := range ast.All[*ast.PitRange](b) {
		group := r.Group.Name
		if seen[group] || !slices.Contains(p.free(), group) {
			continue
		}
		seen[group] = true
		for i, player := range p.sys.Players {
			if own := strings.ToLower(player); p.owns[i] && misspelt(base(group), own) {
				p.warn(diag.NoPits, r.Group.Range, "nobody owns the pits `%s`", group).
					WithHelp("are they those of `%s`? then call them `%s`, or write `owner %s = …` below the picture", player, strings.Replace(group, base(group), own, 1), player)
			}
		}
	}
}

// free lists the names before the brackets of pits without an owner, in the order of the pits.
func (p *owning) free() []string {
	free := lists.Filter(p.sys.Pits, func(x rules.Pit) bool { return x.Owner == rules.None })
	return lists.Distinct(lists.Map(free, func(x rules.Pit) string { return x.Group }))
}

// misspelt reports whether a name is almost another one.
func misspelt(name, other string) bool {
	return name != other && spell.Nearest(name, []string{other}) != ""
}

// base is what the name of a pit begins with before a `_`.
func base(group string) string {
	b, _, _ := strings.Cut(group, "_")
	return b
}

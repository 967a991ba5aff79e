package play

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
)

// chooser is how a person chooses among the legal moves of a game, by a cursor: arrow keys move it
// over the board, what is typed moves it to the first move that it may be the beginning of, and
// clicks to moves about the pits that were clicked.
type chooser struct {
	game   *game
	cursor int   // index in the legal moves, of which there is one if a person chooses
	picked []int // pits that were clicked
}

// reset puts the cursor on the first move.
func (c *chooser) reset() { c.cursor, c.picked = 0, nil }

// where is where a move is on the board: at the first pit that it is about.
func (c *chooser) where(o option) (x, row int) {
	if len(o.pits) == 0 {
		return 1 << 20, 1 << 20 // behind all others
	}
	at := c.game.grid.places[o.pits[0]]
	return at.x, at.row
}

// across moves the cursor to the nearest column with a move, to the left or right, and round the
// ends: to the row that it is in, if there is a move, and to the same choice beside the pit.
func (c *chooser) across(by int) {
	legal := c.game.legal
	here := legal[c.cursor]
	x, row := c.where(here)
	rank := func(i int) []int {
		col, r := c.where(legal[i])
		ahead := by * (col - x)
		if ahead <= 0 {
			ahead += 1 << 21
		}
		other := 0
		if beside(legal[i]) != beside(here) {
			other = 1
		}
		return []int{ahead, max(r-row, row-r), other}
	}
	elsewhere := lists.Where(legal, func(o option) bool {
		col, _ := c.where(o)
		return col != x
	})
	if len(elsewhere) == 0 { // all moves are in one column
		c.along(by)
		return
	}
	c.cursor = slices.MinFunc(elsewhere, func(a, b int) int { return slices.Compare(rank(a), rank(b)) })
}

// beside returns what a move chooses beside its first pit, such as a direction.
func beside(o option) string {
	_, rest, _ := strings.Cut(o.short, " ")
	return rest
}

// along moves the cursor through the moves of its column, from the top of the board, and then
// through those of the next.
func (c *chooser) along(by int) {
	n := len(c.game.legal)
	order := num.Run(0, n)
	slices.SortStableFunc(order, func(a, b int) int {
		ax, ar := c.where(c.game.legal[a])
		bx, br := c.where(c.game.legal[b])
		return cmp.Or(ax-bx, ar-br)
	})
	c.cursor = order[(slices.Index(order, c.cursor)+by+n)%n]
}

// matching returns the legal moves that a text stands for: those whose notation, long or short, it
// is, or else those whose notation it is the beginning of. A first word that all moves have in
// common may be left out.
func (c *chooser) matching(text string) []int {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	common := c.game.common()
	var begun []int
	for _, exact := range []bool{true, false} {
		for i, o := range c.game.legal {
			short, long := strings.Fields(o.short), strings.Fields(o.notation)
			if begins(short, words, exact) || begins(long, words, exact) || common && begins(short[1:], words, exact) {
				begun = append(begun, i)
			}
		}
		if len(begun) > 0 {
			return begun
		}
	}
	return nil
}

// common reports whether all legal moves have their first word in common, and another one.
func (g *game) common() bool {
	first := ""
	for i, o := range g.legal {
		word, rest, _ := strings.Cut(o.short, " ")
		if rest == "" || i > 0 && word != first {
			return false
		}
		first = word
	}
	return first != ""
}

// begins reports whether a notation begins with these words or, unless exact, with the beginnings
// of these, which must not end inside a number.
func begins(notation, words []string, exact bool) bool {
	if len(words) > len(notation) {
		return false
	}
	for i, w := range words {
		rest, is := strings.CutPrefix(notation[i], w)
		if !is || rest != "" && (exact || digit(rest[0]) && digit(w[len(w)-1])) {
			return false
		}
	}
	return true
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// follow moves the cursor to the first move that a text stands for.
func (c *chooser) follow(text string) {
	c.picked = nil
	if list := c.matching(text); len(list) > 0 {
		c.cursor = list[0]
	}
}

// meant returns the only legal move that a text stands for. Without one, several are the ways to go
// on, if there are any.
func (c *chooser) meant(text string) (o option, several []string, ok bool) {
	list := c.matching(text)
	if len(list) == 1 {
		return c.game.legal[list[0]], nil, true
	}
	return option{}, lists.Map(list, func(i int) string { return plain.Line(c.game.legal[i].short) }), false
}

// pick chooses among the moves about a pit, and the pits that were picked before it. It returns the
// only move there is, or none; if there are several, the cursor goes from one to the next.
func (c *chooser) pick(pit int) (only option, n int) {
	picked := c.picked
	if !slices.Contains(picked, pit) {
		picked = append(slices.Clone(picked), pit)
	}
	list := c.about(picked)
	if len(list) == 0 {
		picked = []int{pit}
		list = c.about(picked)
	}
	switch len(list) {
	case 0:
		c.picked = nil
		return only, 0
	case 1:
		return c.game.legal[list[0]], 1
	}
	again := slices.Equal(picked, c.picked)
	c.picked = picked
	at := slices.Index(list, c.cursor)
	if again {
		at++
	}
	c.cursor = list[max(at, 0)%len(list)]
	return only, len(list)
}

// about returns the legal moves that are about all of these pits.
func (c *chooser) about(pits []int) []int {
	return lists.Where(c.game.legal, func(o option) bool {
		return !slices.ContainsFunc(pits, func(p int) bool { return !slices.Contains(o.pits, p) })
	})
}

package board

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// drawing makes the board: its pits, groups, owners, laps and relations.
type drawing struct {
	g     *term.Scope
	fixed term.Env // reads what is known before play
	whole bool     // make all that follows from the picture, used or not
}

// Draw makes all parts of the board. What follows from the picture comes before the lines of the
// board, which may use it, except for laps that depend on the owners those lines declare.
func Draw(s *term.Scope, whole bool) {
	b := &drawing{g: s, fixed: term.NewEnv(s, term.InDeclaration), whole: whole}
	board := b.g.Bound.Board
	if board == nil {
		if len(ast.Items[*ast.Board](b.g.Variant)) == 0 {
			b.g.Run.Diags.Errorf(diag.Missing, b.g.Variant.Name.Range, "variant `%s` has no board", b.g.Variant.Name.Name).
				WithHelp("draw it row by row: `board { north[6..1] south[1..6] }`, with a line for each row")
		}
		*b.g.Run.Diags = term.WithMistakes(*b.g.Run.Diags, b.g.Bound.Mistakes)
		return
	}
	b.picture(board)
	b.pitGroups()
	follows := b.follow(board)
	follows.groups()
	follows.owners()
	if !follows.late() {
		follows.laps()
	}
	for _, line := range board.Lines {
		switch l := line.(type) {
		case *ast.Lap:
			b.lap(l)
		case *ast.Group:
			b.g.AddGroup(b.g.Bound.Symbol(l.Name.Name), l.Name.Name, b.fixed.StaticPits(l.Sets))
		case *ast.Owner:
			b.owner(l)
		case *ast.Facing:
			b.relation(l)
		}
	}
	if follows.late() {
		follows.laps()
	}
}

// picture makes the pits in the order in which they are drawn. If a stretch is written with leading
// zeros, as hole[01..12], the names of all pits of its group have as many digits.
func (b *drawing) picture(board *ast.Board) {
	width := map[string]int{}
	for _, c := range board.Picture {
		if c.Pit != nil && width[c.Pit.Group.Name] == 0 {
			width[c.Pit.Group.Name] = c.Pit.Width()
		}
	}
	for _, row := range board.Rows() {
		var parts [][]int
		for _, part := range row.Parts {
			pits := []int{}
			for _, pr := range part {
				pits = append(pits, b.draw(pr, width[pr.Group.Name])...)
			}
			parts = append(parts, pits)
		}
		b.g.Sys.Picture = append(b.g.Sys.Picture, parts)
		b.g.RowsAt = append(b.g.RowsAt, row.Range)
	}
	if len(b.g.Sys.Pits) == 0 && !b.g.Run.Diags.HasErrors() {
		b.g.Run.Diags.Errorf(diag.Missing, board.Range, "the board has no pits").
			WithHelp("draw it row by row, `|` between its parts: `store | hole[1..6] |`")
	}
}

// draw makes the pits of one stretch of the picture.
func (b *drawing) draw(pr ast.PitRange, width int) []int {
	if pr.From == nil {
		return b.newPit(pr, pr.Group.Name, 0)
	}
	if b.empty(pr) {
		return nil
	}
	var pits []int
	for _, i := range b.indices(pr) {
		name := fmt.Sprintf("%s%0*d", pr.Group.Name, width, i)
		pits = append(pits, b.newPit(pr, name, i)...)
	}
	return pits
}

// empty reports a stretch without pits. If only one end depends on a parameter, the stretch counts
// in the direction from the fixed end, so that a parameter that is too small makes it empty rather
// than reversed.
func (b *drawing) empty(pr ast.PitRange) bool {
	if pr.To == nil {
		return false
	}
	n := len(*b.g.Run.Diags)
	from, to := b.fixed.ConstInt(pr.From), b.fixed.ConstInt(pr.To)
	size := 1
	switch down, up := len(bind.NamesIn(pr.From)) > 0, len(bind.NamesIn(pr.To)) > 0; {
	case len(*b.g.Run.Diags) > n:
		return true
	case up && !down:
		size = to - from + 1
	case down && !up:
		size = from - to + 1
	}
	if size < 1 {
		b.g.Run.Diags.Errorf(diag.EmptyStretch, pr.Range, "this stretch goes from %d to %d and has no pits", from, to).
			WithHelp("a range of the parameter keeps it from getting so small: `param n = 6 in 1..`")
	}
	return size < 1
}

// newPit adds a pit and returns its index in a list, which is empty after a mistake.
func (b *drawing) newPit(pr ast.PitRange, name string, index int) []int {
	if b.g.Sys.PitNamed(name) != rules.None {
		b.g.Run.Diags.Errorf(diag.Duplicate, pr.Range, "pit `%s` is drawn twice", name)
		return nil
	}
	if len(b.g.Sys.Pits) == term.MaxPits {
		b.g.Run.Diags.Errorf(diag.TooBig, pr.Range, "more than %d pits on one board", term.MaxPits)
		panic(term.Exceeded{})
	}
	b.g.Sys.Pits = append(b.g.Sys.Pits, rules.Pit{Name: name, Group: pr.Group.Name, Index: index, Owner: rules.None})
	b.g.Bracketed[pr.Group.Name] = b.g.Bracketed[pr.Group.Name] || pr.From != nil
	return []int{len(b.g.Sys.Pits) - 1}
}

// indices lists the numbers in the brackets, from left to right.
func (b *drawing) indices(pr ast.PitRange) []int {
	from := b.fixed.ConstInt(pr.From)
	if pr.To == nil {
		return []int{from}
	}
	return b.g.Between(pr, from, b.fixed.ConstInt(pr.To))
}

// pitGroups declares one group for each name in the picture, ordered by number, and `pit` for all
// pits.
func (b *drawing) pitGroups() {
	by := map[string][]int{}
	var order []string
	for i, p := range b.g.Sys.Pits {
		if by[p.Group] == nil {
			order = append(order, p.Group)
		}
		by[p.Group] = append(by[p.Group], i)
	}
	for _, name := range order {
		slices.SortStableFunc(by[name], func(p, q int) int { return cmp.Compare(b.g.Sys.Pits[p].Index, b.g.Sys.Pits[q].Index) })
		b.g.AddGroup(b.g.Bound.Symbol(name), name, by[name])
	}
	b.g.AddGroup(b.g.Bound.Implied("pit"), "pit", num.Run(0, len(b.g.Sys.Pits)))
}

// owner declares who owns some pits. A second owner is a mistake.
func (b *drawing) owner(o *ast.Owner) {
	player := b.g.PlayerNamed(o.Player)
	for _, pit := range b.fixed.StaticPits(o.Sets) {
		p := &b.g.Sys.Pits[pit]
		if p.Owner != rules.None && p.Owner != player {
			b.g.Run.Diags.Errorf(diag.Duplicate, o.Range, "pit `%s` has two owners", p.Name)
		}
		p.Owner = player
	}
}

// lap declares a lap.
func (b *drawing) lap(l *ast.Lap) {
	lap := rules.Lap{Name: l.Name.Name, Ring: l.Ring, Owner: rules.None}
	if l.Of != nil {
		lap.Owner = b.g.PlayerNamed(*l.Of)
	}
	if l.Reverse != nil {
		lap.Pits = b.reversed(*l.Reverse, lap.Owner)
	} else {
		for i := range l.Pits {
			if pr := &l.Pits[i]; pr.From == nil { // a pit or a group
				lap.Pits = append(lap.Pits, b.fixed.PitsOf(b.fixed.Name(&pr.Group, pr.At.Range), pr.At.Range)...)
			} else {
				lap.Pits = append(lap.Pits, b.g.PitsAt(*pr, b.indices(*pr))...)
			}
		}
	}
	b.checkLap(l, lap)
	lap.Link(len(b.g.Sys.Pits))
	if !b.sameLap(l, lap.Owner) {
		b.g.Sys.Laps = append(b.g.Sys.Laps, lap)
	}
}

// sameLap declares the lap's name, which laps of several players may share. It reports whether the
// lap duplicates another.
func (b *drawing) sameLap(l *ast.Lap, owner int) (duplicate bool) {
	for _, other := range b.g.Sys.Laps {
		if other.Name == l.Name.Name && (other.Owner == owner || other.Owner == rules.None || owner == rules.None) {
			b.g.Run.Diags.Errorf(diag.Duplicate, l.Name.Range, "lap `%s` is declared twice", l.Name.Name)
			return true
		}
	}
	b.g.Make(b.g.Bound.Symbol(l.Name.Name), bind.LapName, len(b.g.Sys.Laps))
	return false
}

// reversed returns the pits of another lap in reverse order: that of the same owner, or one without
// owner.
func (b *drawing) reversed(name ast.Ident, owner int) []int {
	var names []string
	for _, lap := range b.g.Sys.Laps {
		if lap.Name == name.Name && (lap.Owner == owner || lap.Owner == rules.None) {
			return backwards(lap.Pits)
		}
		names = append(names, lap.Name)
	}
	bind.Suggest(b.g.Run.Diags.Errorf(diag.Unknown, name.Range, "unknown lap `%s`", name.Name), name.Name, names)
	return nil
}

// checkLap reports a lap without pits, or one that visits a pit twice: then the next pit would not
// be unique.
func (b *drawing) checkLap(l *ast.Lap, lap rules.Lap) {
	if len(lap.Pits) == 0 && !b.g.Run.Diags.HasErrors() {
		b.g.Run.Diags.Errorf(diag.BadLap, l.Range, "lap `%s` has no pits", lap.Name)
	}
	seen := map[int]bool{}
	for _, p := range lap.Pits {
		if seen[p] {
			b.g.Run.Diags.Errorf(diag.BadLap, l.Range, "lap `%s` visits `%s` twice", lap.Name, b.g.Sys.Pits[p].Name)
		}
		seen[p] = true
	}
}

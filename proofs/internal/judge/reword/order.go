package reword

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// reorder changes the order of what may be declared in any order. Definitions and procedures,
// parameters, moves, endings and reactions keep their order among each other, since it has a
// meaning.
func (e *edit) reorder() {
	for _, v := range e.variants() {
		var states []*ast.StateVar
		rank := func(item ast.Item) int {
			switch item.(type) {
			case *ast.Score:
				return 0
			case *ast.Ending, *ast.Offer, *ast.Reaction:
				return 1
			case *ast.Move, *ast.Pass:
				return 2
			case *ast.Setup:
				return 3
			case *ast.Define, *ast.Procedure:
				return 4
			case *ast.StateVar:
				return 5
			case *ast.Board:
				return 6
			case *ast.Players:
				return 7
			}
			return 8
		}
		items := slices.Clone(v.Items)
		slices.SortStableFunc(items, func(a, b ast.Item) int { return rank(a) - rank(b) })
		for _, item := range items {
			if s, ok := item.(*ast.StateVar); ok {
				states = append(states, s)
			}
		}
		// A variable whose type is another's must come after that one.
		alike := slices.ContainsFunc(states, func(s *ast.StateVar) bool {
			name := s.Type.Name()
			return name != nil && slices.ContainsFunc(states, func(o *ast.StateVar) bool { return o.Name.Name == name.Name })
		})
		if !alike {
			i := slices.IndexFunc(items, func(x ast.Item) bool { _, is := x.(*ast.StateVar); return is })
			for k, s := range slices.Backward(states) {
				items[i+len(states)-1-k] = s
			}
		}
		eachIn(v, e.lines)
		e.place(nodes(v.Items), nodes(items))
	}
	var defines, rest []ast.Decl
	for _, d := range e.file.Decls {
		switch d.(type) {
		case *ast.Define, *ast.Procedure:
			defines = append(defines, d)
		default:
			rest = append(rest, d)
		}
	}
	slices.Reverse(rest)
	e.place(nodes(e.file.Decls), nodes(append(defines, rest...)))
}

// nodes converts a list to one of ast.Node.
func nodes[N ast.Node](list []N) []ast.Node {
	var out []ast.Node
	for _, n := range list {
		out = append(out, n)
	}
	return out
}

// place replaces nodes by other nodes, one by one, with the changes inside these.
func (e *edit) place(places, list []ast.Node) {
	var texts []string
	for _, n := range list {
		texts = append(texts, e.in(n))
	}
	for i, n := range places {
		e.replace(n, texts[i])
	}
}

// lines reverses the order of the lines that relate pits. Each adds pairs, so their order has no
// meaning.
func (e *edit) lines(b *ast.Board) {
	var facing []ast.BoardLine
	for _, l := range b.Lines {
		if _, is := l.(*ast.Facing); is {
			facing = append(facing, l)
		}
	}
	for i, l := range facing {
		e.replace(l, e.of(facing[len(facing)-1-i]))
	}
}

// turn rotates boards by half a turn: the last row comes first, and in each row the last pit. The
// laps and facing pits that follow from the picture stay the same, except for the pit at which a
// lap begins.
func (e *edit) turn() {
	if len(ast.All[*ast.For](e.file)) > 0 || len(ast.All[*ast.Import](e.file)) > 0 {
		e.refused = true // a loop goes through pits in the order in which they are drawn
		return
	}
	most := 0 // the number of parts of a row; empty ones at its end may be missing
	each(e, func(b *ast.Board) {
		parts := 0
		for _, r := range b.Rows() {
			parts = max(parts, len(r.Parts))
		}
		if e.refused = e.refused || most > 0 && parts > 0 && parts != most; parts > 0 {
			most = parts
		}
	})
	each(e, func(b *ast.Board) {
		if len(b.Picture) > 0 {
			e.turnBoard(b, most)
		}
	})
	each(e, func(p *ast.Picture) {
		rows := p.Rows()
		var out []string
		for _, row := range slices.Backward(rows) {
			var parts []string
			for len(row) < most {
				row = append(row, nil)
			}
			for _, part := range slices.Backward(row) {
				var cells []string
				for _, c := range slices.Backward(part) {
					text := c.Text
					if c.Marked {
						text = "[" + text + "]"
					}
					cells = append(cells, text)
				}
				parts = append(parts, strings.Join(cells, " "))
			}
			out = append(out, strings.Join(parts, " | "))
		}
		e.replace(p, "\n"+strings.Join(out, "\n")+"\n")
	})
	compares := func(c *ast.Claim) bool { _, is := c.Property.(*ast.Relation); return is }
	e.out.Leaves = compares // boards are compared from where a lap begins
}

// turnBoard rotates a drawn board whose rows have up to most parts.
func (e *edit) turnBoard(b *ast.Board, most int) {
	rows := b.Rows()
	var out []string
	for _, row := range slices.Backward(rows) {
		var parts []string
		for len(row.Parts) < most {
			row.Parts = append(row.Parts, nil)
		}
		for k, part := range slices.Backward(row.Parts) {
			bare := 0
			var pits []string
			for _, p := range slices.Backward(part) {
				if p.From == nil {
					bare++
				}
				switch {
				case p.Width() > 0 || len(rows) == 1:
					e.refused = true // the first number drawn decides how many digits names have
				case p.To == nil:
					pits = append(pits, e.of(&p))
				default:
					pits = append(pits, fmt.Sprintf("%s[%s..%s]", p.Group.Name, e.of(p.To), e.of(p.From)))
				}
			}
			if bare > 1 && (k == 0 || k == len(row.Parts)-1) {
				e.refused = true // several stores at one end come after each other from left to right
			}
			parts = append(parts, strings.Join(pits, " "))
		}
		out = append(out, strings.Join(parts, " | "))
	}
	first, last := b.Picture[0].Range.Start.Offset, b.Picture[len(b.Picture)-1].Range.End.Offset
	e.changes = append(e.changes, change{first, last, "\n" + strings.Join(out, "\n") + "\n"})
}

// rotate declares the first player last and lets the same one begin. Play goes round, so the order
// of play is the same. Some words depend on the order of the players: files with such words
// are not changed, and results of claims about positions that do not say who is to move may change.
func (e *edit) rotate() {
	byOrder := false
	each(e, func(n *ast.Name) { byOrder = byOrder || n.Name == "player" })
	each(e, func(p *ast.Picture) {
		each(e, func(s *ast.Setup) { byOrder = byOrder || within(p, s) && s.Picture != nil })
	})
	follows := strings.Contains(e.text, "cw") // laps that follow come in the order of players
	if byOrder {
		e.refused = true
		return
	}
	for _, v := range e.variants() {
		names := e.players(v)
		if len(names) < 2 {
			continue
		}
		if b := e.lender(v); b != nil && (b.Players != nil || b.Setup != nil) {
			e.refused = true
			return
		}
		for _, item := range v.Items {
			switch x := item.(type) {
			case *ast.Players:
				e.replace(x, "player "+strings.Join(slices.Concat(names[1:], names[:1]), ", "))
			case *ast.Setup:
				if beginner(x) != nil {
					continue
				}
				if len(x.Conds) == 0 {
					e.refused = true
					return
				}
				e.insert(x.Conds[len(x.Conds)-1].Span().End.Offset, ", mover = "+names[0])
			}
		}
	}
	silent := map[string]bool{} // positions that do not say who is to move
	each(e, func(p *ast.Position) {
		silent[p.Name.Name] = !slices.ContainsFunc(p.With, func(s ast.Setting) bool { return s.Name.Name == "mover" })
	})
	e.out.Leaves = func(c *ast.Claim) bool {
		leaves := false
		ast.Inspect(c, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Place:
				leaves = leaves || silent[n.Name.Name]
			case *ast.StartingAt:
				leaves = leaves || silent[n.Position.Name]
			case *ast.Value: // of what is over, the value is to the first player
				leaves = leaves || n.Player == nil
			case *ast.Relation:
				leaves = leaves || follows
			}
			return true
		})
		return leaves
	}
}

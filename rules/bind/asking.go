package bind

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// playing reads a node that names players.
func (r reader) playing(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.Who:
		if x.Name != "mover" && x.Name != "opponent" {
			r.player(x, x.Name, x.Range)
		}
	case *ast.Owner:
		r.playerIdent(&x.Player)
	case *ast.Lap:
		r.playerIdent(x.Of)
		if x.Reverse != nil {
			r.name(x.Reverse, x.Reverse.Name, x.Reverse.Range)
		}
	case *ast.ScorePart:
		r.playerIdent(&x.Player)
	case *ast.Wins:
		r.playerIdent(&x.Player)
	case *ast.Force:
		r.playerIdent(&x.Player)
	case *ast.Value:
		r.playerIdent(x.Player)
	case *ast.Winner:
		r.playerIdent(x.Player)
	default:
		return false
	}
	r.inner(n)
	return true
}

func (r reader) playerIdent(p *ast.Ident) {
	if p != nil {
		r.player(p, p.Name, p.Range)
	}
}

// player reads the name of a player. Package build reports one that there is not.
func (r reader) player(n ast.Node, name string, at diag.Range) {
	if s := r.in.value(r.program, name); s != nil && s.Kind == PlayerName {
		r.use(n, s, at)
	}
}

// asking reads a node of a claim that names something by a label, or something of the files.
func (r reader) asking(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.ForAll:
		r.param(&x.Name)
		r.node(x.From)
	case *ast.ForSome:
		r.param(&x.Name)
	case *ast.ParamRange:
		r.param(&x.Name)
		r.node(x.Lo)
		r.node(x.Hi)
	case *ast.Following:
		r.one(StrategyName, &x.Strategy)
	case *ast.StartingAt:
		r.one(PositionName, &x.Position)
	case *ast.StrategyWins:
		r.one(StrategyName, &x.Strategy)
	case *ast.Place:
		r.one(PositionName, &x.Name)
	case *ast.StepTo:
		r.label(x.By, x.By, byMoves)
		r.inner(n)
	case *ast.EveryStep:
		r.label(x.By, x.By, byMoves)
		r.inner(n)
	case *ast.Relation:
		r.relation(x)
	default:
		return false
	}
	return true
}

// param reads the name of a parameter that a claim gives values.
func (r reader) param(name *ast.Ident) {
	r.program.table.given[name.Range] = true
	if s := r.in.find(byValues, name.Name); s != nil && s.Kind == ParamName {
		r.use(name, s, name.Range)
	}
}

// one reads the name of something of the files.
func (r reader) one(kind Kind, name *ast.Ident) {
	if s := r.program.symbol(kind, name.Name); s != nil {
		r.use(name, s, name.Range)
	}
}

// label reads the use of a label. n is the node of the name; it may be a label or a text.
func (r reader) label(n ast.Node, l *ast.Label, in space) {
	if l == nil {
		return
	}
	if s := r.in.find(in, l.Text); s != nil {
		r.use(n, s, inside(l))
	}
}

// inside is the text of a quoted label without its quotes.
func inside(l *ast.Label) diag.Range {
	r := l.Range
	if l.Quoted && r.End.Offset-r.Start.Offset >= 2 {
		r.Start.Offset, r.Start.Column = r.Start.Offset+1, r.Start.Column+1
		r.End.Offset, r.End.Column = r.End.Offset-1, r.End.Column-1
	}
	return r
}

// relation reads a claim about another variant. What the two have in common is matched by name, so
// it is one symbol.
func (r reader) relation(x *ast.Relation) {
	r.one(VariantName, &x.Other)
	var other *scope
	for _, v := range r.program.Variants {
		if v.Name.Name == x.Other.Name {
			other = v.own
		}
	}
	if other == nil {
		return
	}
	for _, space := range []space{byValues, byEnums, byOutcomes, byMoves} {
		for at := r.in; at != nil; at = at.board {
			for name, s := range at.names[space] {
				if t := other.find(space, name); t != nil {
					s.join(t)
				}
			}
		}
	}
	for i := range x.Settings {
		s := &x.Settings[i]
		r.program.table.given[s.Name.Range] = true
		if p := other.find(byValues, s.Name.Name); p != nil {
			r.use(&s.Name, p, s.Name.Range)
		}
		r.node(s.Value)
	}
	for i := range x.Ignoring {
		name := &x.Ignoring[i]
		for _, in := range []*scope{other, r.in} {
			if s := in.value(r.program, name.Name); s != nil {
				r.use(name, s, name.Range)
			}
		}
	}
}

package cover

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Features are what the variant of a claim and the claim itself have.
type Features map[string]bool

// feature is what a claim may have, and how that is seen.
type feature struct {
	name    string
	has     func(x *subject) bool
	ofRules bool // it is the same for all claims about a variant
}

// part is a part of what a claim is about.
type part int

const (
	inRules    part = iota // the variant, with its board
	inProperty             // of the claim
	inClauses              // of the claim
	parts
)

var anywhere = []part{inRules, inProperty}

// subject is a claim with all that it is about. Nodes are found by their types.
type subject struct {
	file    *ast.File
	claim   *ast.Claim
	variant *ast.Variant
	board   *ast.Board
	vars    map[string]bool // names of variables
	rules   Features        // of the variant
	nodes   [parts]map[reflect.Type][]ast.Node
}

// index lists the nodes below some by their types.
func index(roots ...ast.Node) map[reflect.Type][]ast.Node {
	out := map[reflect.Type][]ast.Node{}
	for _, r := range roots {
		ast.Inspect(r, func(n ast.Node) bool {
			t := reflect.TypeOf(n)
			out[t] = append(out[t], n)
			return true
		})
	}
	return out
}

// exists reports whether a node of a type in some parts satisfies a condition.
func exists[T ast.Node](x *subject, in []part, is func(T) bool) bool {
	for _, p := range in {
		for _, n := range x.nodes[p][reflect.TypeFor[T]()] {
			if is(n.(T)) {
				return true
			}
		}
	}
	return false
}

// node is a feature of nodes of a type.
func node[T ast.Node](name string, in []part, is func(n T) bool) feature {
	has := func(x *subject) bool { return exists(x, in, is) }
	return feature{name, has, len(in) == 1 && in[0] == inRules}
}

// kind is the feature that there is a node of a type.
func kind[T ast.Node](name string, in ...part) feature {
	return node(name, in, func(T) bool { return true })
}

// rule is a feature of nodes of a variant.
func rule[T ast.Node](name string, is func(n T) bool) feature { return node(name, anywhere[:1], is) }

// asserts is a feature of what a claim asserts.
func asserts[T ast.Property](name string, is func(p T) bool) feature {
	has := func(x *subject) bool {
		p, ok := x.claim.Property.(T)
		return ok && is(p)
	}
	return feature{name: name, has: has}
}

// either is a feature that is seen in one of several ways.
func either(list ...feature) feature {
	has := func(x *subject) bool { return slices.ContainsFunc(list, func(f feature) bool { return f.has(x) }) }
	return feature{list[0].name, has, !slices.ContainsFunc(list, func(f feature) bool { return !f.ofRules })}
}

func yes[T ast.Property](T) bool { return true }

// players is a feature of variants with so many.
func players(name string, least, most int) feature {
	has := func(x *subject) bool {
		n := 1
		exists(x, anywhere[:1], func(p *ast.Players) bool { n = len(p.Names); return true })
		return least <= n && n <= most
	}
	return feature{name, has, true}
}

// reads is a feature of what reads a word.
func reads(name string, in []part, words ...string) feature {
	return node(name, in, func(n *ast.Name) bool { return slices.Contains(words, n.Name) })
}

// relation, reach, neighbours and count are features of such claims.
func relation(name, kind string) feature {
	return asserts(name, func(p *ast.Relation) bool { return p.Kind == kind })
}

func agreement(words string) feature {
	return asserts("in "+words, func(p *ast.Relation) bool { return p.In != nil && strings.Join(p.In.Words, " ") == words })
}

func reach(name string) feature {
	return asserts(name, func(p *ast.Reach) bool { return p.Kind == name })
}

func neighbours(name string, pre bool) feature {
	return asserts(name, func(p *ast.Neighbours) bool { return p.Pre == pre })
}

func count(name string, sets ...string) feature {
	return asserts(name, func(p *ast.Count) bool { return slices.Contains(sets, p.Set) })
}

// stored is a feature of variables whose type has a name, or has none.
func stored(name string, is func(x *subject, v *ast.StateVar, typ string) bool) feature {
	has := func(x *subject) bool {
		return exists(x, anywhere[:1], func(v *ast.StateVar) bool {
			typ := ""
			if n := v.Type.Name(); n != nil {
				typ = n.Name
			}
			return is(x, v, typ)
		})
	}
	return feature{name, has, true}
}

// typed is a feature of variables of a type with this name.
func typed(name, typ string) feature {
	return stored(name, func(_ *subject, _ *ast.StateVar, t string) bool { return t == typ })
}

// within reports whether there is a node of a type below another.
func within[T ast.Node](n ast.Node) bool { return len(ast.All[T](n)) > 0 }

// asksForOthers reports whether a guard asks for other moves.
func asksForOthers(when ast.Expr) bool { return when != nil && within[*ast.NoMove](when) }

// chosen is a feature of choices of moves by what is chosen from.
func chosen(name string, is func(c *ast.Choice) bool) feature { return rule(name, is) }

func choosesLap(c *ast.Choice) bool {
	return c.Name.Name == "dir" && !slices.ContainsFunc(c.Options(), func(o ast.Option) bool { _, number := o.Value.(*ast.Int); return number })
}

// features are all that there are.
var features []feature

func init() {
	features = []feature{
		players("solitaire", 0, 1), players("two players", 2, 2), players("three players", 3, 99),
		{"setup mover", func(x *subject) bool { first, begins := beginner(x.variant); return begins != first }, true},
		{"position mover", positionMover, false},
		{"other mover", otherMover, false},
		either(
			node("order of players", anywhere, func(n *ast.Quant) bool { return isName(n.Set, "player") }),
			node("", anywhere, func(n *ast.Choice) bool { return isName(n.Set, "player") }),
			node("", anywhere, func(n *ast.For) bool { return isName(n.Set, "player") })),

		rule("ring", func(l *ast.Lap) bool { return l.Ring }), rule("line", func(l *ast.Lap) bool { return !l.Ring }),
		rule("lap of a player", func(l *ast.Lap) bool { return l.Of != nil }),
		node("lap of another", anywhere, func(n *ast.Of) bool {
			return strings.Contains("lap back ccw cw", n.Group.Name) && (n.Their || n.Player != nil)
		}),
		rule("reverse", func(l *ast.Lap) bool { return l.Reverse != nil }),
		{"off-lap pit", offLap, true},
		{"many rows", manyRows, true},
		kind[*ast.Owner]("owner", inRules),
		rule("opposite", func(l *ast.Facing) bool { return !l.OneWay }), rule("one-way relation", func(l *ast.Facing) bool { return l.OneWay }),
		kind[*ast.Group]("named group", inRules), rule("shared board", func(b *ast.Board) bool { return b.Name != nil && !b.Drawn }),
		rule("lent parameter", func(b *ast.Board) bool { return len(b.Params) > 0 }), rule("lent parameter with another value", func(b *ast.Board) bool { return len(b.With) > 0 }),
		rule("lent players", func(b *ast.Board) bool { return b.Players != nil }), rule("lent setup", func(b *ast.Board) bool { return b.Setup != nil }),
		node("lap that follows", anywhere, func(n *ast.Name) bool {
			return strings.HasPrefix(n.Name, "ccw") || strings.HasPrefix(n.Name, "cw")
		}),
		kind[*ast.Define]("definition", inRules), rule("arguments", func(d *ast.Define) bool { return len(d.Params) > 0 }),
		kind[*ast.CallStmt]("procedure", inRules), rule("parameter of a procedure", func(p *ast.Procedure) bool { return len(p.Params) > 0 }),

		{"param of rules", paramOfRules, true},
		rule("switch", func(p *ast.Param) bool { return !p.HasRange && isName(p.Default, "true", "false") }),
		rule("open range", func(p *ast.Param) bool { return p.HasRange && p.Hi == nil }),

		stored("int variable", func(_ *subject, v *ast.StateVar, typ string) bool { return typ == "" && len(v.Type.Enum) == 0 }),
		typed("bool variable", "bool"),
		stored("pit variable", func(x *subject, _ *ast.StateVar, typ string) bool {
			return !slices.Contains([]string{"", "bool", "player", "lap"}, typ) && !x.vars[typ]
		}),
		typed("player variable", "player"), typed("lap variable", "lap"),
		stored("enumeration", func(_ *subject, v *ast.StateVar, typ string) bool { return typ == "" && len(v.Type.Enum) > 0 }),
		stored("like another", func(x *subject, _ *ast.StateVar, typ string) bool { return x.vars[typ] }),
		rule("each player", func(v *ast.StateVar) bool { return v.Each != nil && v.Each.Name == "player" }),
		rule("each pit", func(v *ast.StateVar) bool { return v.Each != nil && v.Each.Name != "player" }),

		rule("first value of each", func(v *ast.StateVar) bool { return v.Var != nil }),
		rule("fixed setup", func(s *ast.Setup) bool { return s.Picture == nil && !s.Any }),
		rule("any where", func(s *ast.Setup) bool { return s.Picture == nil && s.Any }),
		rule("drawn setup", func(s *ast.Setup) bool { return s.Picture != nil }),
		rule("product in setup", func(s *ast.Setup) bool {
			return slices.ContainsFunc(ast.All[*ast.Binary](s), func(b *ast.Binary) bool { return b.Op == "*" })
		}),
		{"state in setup", stateInSetup, true},

		rule("guard", func(m *ast.Move) bool { return m.When != nil }),
		chosen("choose pit", func(c *ast.Choice) bool {
			b, binary := c.Set.(*ast.Binary)
			_, list := c.Set.(*ast.SetLit)
			return !list && !(binary && b.Op == "..")
		}),
		chosen("choose number", func(c *ast.Choice) bool { b, ok := c.Set.(*ast.Binary); return ok && b.Op == ".." }),
		chosen("choose lap", func(c *ast.Choice) bool { _, list := c.Set.(*ast.SetLit); return list && choosesLap(c) }),
		chosen("choose value", func(c *ast.Choice) bool { _, list := c.Set.(*ast.SetLit); return list && !choosesLap(c) }),
		chosen("choice each lap", func(c *ast.Choice) bool { return c.EachLap }),
		chosen("choice for the first lap", func(c *ast.Choice) bool { return c.Later != nil }),
		{"stored choice", func(x *subject) bool {
			return exists(x, anywhere[:1], func(c *ast.Choice) bool { return x.vars[c.Name.Name] })
		}, true},
		rule("written", func(m *ast.Move) bool { return m.Written != nil }),

		kind[*ast.Sow]("sow", inRules), rule("sow count", func(s *ast.Sow) bool { return s.Count != nil }),
		rule("skip", func(s *ast.Sow) bool { return s.Skip != nil }), rule("only last", func(s *ast.Sow) bool { return s.OnlyLast != nil }),
		rule("several in each", func(s *ast.Sow) bool { return s.InEach != nil }), rule("origin first", func(s *ast.Sow) bool { return s.OriginFirst }), rule("starting at pit", func(s *ast.Sow) bool { return s.StartAt != nil }),
		rule("each drop", func(s *ast.Sow) bool { return s.HasDrop }), rule("relay", func(w *ast.While) bool { return within[*ast.Sow](w) }),
		rule("relay clause", func(s *ast.Sow) bool { return s.RelayWhile != nil }),
		kind[*ast.Chain]("chain", inRules), kind[*ast.GoOn]("go on", inRules),
		kind[*ast.Capture]("capture", inRules), kind[*ast.Take]("take", inRules), kind[*ast.Assign]("assign", inRules), kind[*ast.Let]("let", inRules), kind[*ast.If]("if", inRules),
		kind[*ast.While]("while", inRules), kind[*ast.For]("for", inRules), rule("for values", func(f *ast.For) bool { return ofValues(f.Set) }),
		kind[*ast.Again]("again", inRules), kind[*ast.MovesNext]("moves next", inRules), kind[*ast.Finish]("finish", inRules),
		either(rule("winner", func(f *ast.Finish) bool { return f.Player != nil }), rule("", func(e *ast.Ending) bool { return e.Player != nil })),
		kind[*ast.Require]("require", inRules), kind[*ast.Prefer]("prefer", inRules), kind[*ast.Pass]("pass", inRules),
		either(
			rule("fallback", func(m *ast.Move) bool { return asksForOthers(m.When) }),
			rule("", func(p *ast.Pass) bool { return asksForOthers(p.When) })),
		rule("fallback's body", func(m *ast.Move) bool { return asksForOthers(m.When) && len(m.Body) > 0 }),
		kind[*ast.Reaction]("reaction", inRules), node("group of a player", anywhere, func(n *ast.Of) bool { return n.Player != nil }),
		reads("opponent", anywhere, "opponent"),
		node("first pit", anywhere, func(n *ast.Quant) bool { return n.Kind == "first" }),

		{"ending over pits", func(x *subject) bool { return endingOver(x, false) }, true},
		{"ending over variables", func(x *subject) bool { return endingOver(x, true) }, true},
		rule("no move", func(e *ast.Ending) bool { _, ok := e.When.(*ast.NoMove); return ok }),
		either(
			rule("at end of turn", func(e *ast.Ending) bool { return e.AtTurnEnd }),
			rule("", func(r *ast.Reaction) bool { return r.AtTurnEnd })),
		rule("repeated", func(e *ast.Ending) bool { return isName(e.When, "repeated") }),
		rule("repeated where a switch is on", func(b *ast.Binary) bool { return isName(b.L, "repeated") }), kind[*ast.Offer]("offer", inRules),
		rule("ending's body", func(e *ast.Ending) bool { return e.Body != nil }), kind[*ast.Score]("score", inRules),

		kind[*ast.Cond]("conditional", anywhere...), rule("range of play", func(c *ast.Choice) bool {
			r, is := c.Set.(*ast.Binary)
			return is && r.Op == ".." && within[*ast.Call](r)
		}), rule("player or none", func(t *ast.VarType) bool { return t.OrNone }), node("huge number", anywhere, func(n *ast.Int) bool { return n.Value > 60_000 }),
		node("negative number", anywhere, func(n *ast.Unary) bool { return n.Op == "-" }),
		node("division", anywhere, func(n *ast.Binary) bool { return n.Op == "div" || n.Op == "mod" }),
		{"language", func(x *subject) bool { return x.file.Language != nil }, false},
		{"import", func(x *subject) bool { return len(x.file.Imports) > 0 }, false},
		{"import of an import", func(x *subject) bool { return len(x.file.Imports) > 1 }, false},

		reach("unreachable"), reach("invariant"), reach("reachable"),
		either(
			asserts("within", func(p *ast.Reach) bool { return p.Within != nil }),
			asserts("", func(p *ast.Terminates) bool { return p.Within != nil }),
			asserts("", func(p *ast.Force) bool { return p.Within != nil })),
		asserts("never stuck", yes[*ast.NeverStuck]), asserts("terminates", yes[*ast.Terminates]),
		{"denied", func(x *subject) bool { return x.claim.Negated }, false},
		neighbours("predecessors", true), neighbours("successors", false), asserts("step", yes[*ast.StepTo]),
		asserts("every step", yes[*ast.EveryStep]), asserts("over all states", func(p *ast.EveryStep) bool { return p.All }),
		either(
			asserts("by label", func(p *ast.EveryStep) bool { return p.By != nil }),
			asserts("", func(p *ast.StepTo) bool { return p.By != nil })),
		count("count", "starts", "states", "finished", "winning"), count("count plays", "plays"), count("count ancestors", "ancestors"),
		either(count("winning starts", "winning"), asserts("", yes[*ast.UniqueWinnable]), asserts("", yes[*ast.WinningStarts])),
		asserts("strategy wins", yes[*ast.StrategyWins]),
		relation("refines", "refines"), relation("equivalent", "equivalent"), relation("reverses", "reverses"),
		agreement("play"), agreement("play and notation"), agreement("score"), agreement("result"),
		asserts("value", yes[*ast.Value]), asserts("winner of", yes[*ast.Winner]), asserts("best moves", yes[*ast.Best]),
		asserts("force", yes[*ast.Force]), node("after moves", anywhere[1:], func(p *ast.Place) bool { return len(p.After) > 0 }),
		kind[*ast.Endless]("endless play", inClauses), kind[*ast.Long]("takes long", inClauses), kind[*ast.ForBoards]("for board", inClauses),
		node("board of a list", []part{inClauses}, func(f *ast.ForBoards) bool {
			head, _, _ := strings.Cut(string(f.Text), "\n")
			return strings.Count(head, ",") > 1
		}),
		kind[*ast.With]("with", inClauses), kind[*ast.ForIn]("for in", inClauses), kind[*ast.ForAll]("for all", inClauses),
		node("for all sizes", []part{inClauses}, func(f *ast.ForAll) bool { return f.From != nil }),
		kind[*ast.ForSome]("for some", inClauses), kind[*ast.Following]("following", inClauses), kind[*ast.StartingAt]("starting at", inClauses),
		{"position", func(x *subject) bool { return len(positions(x, inProperty)) > 0 }, false},
		node("old", anywhere, func(n *ast.Unary) bool { return n.Op == "old" }), reads("last in a claim", anywhere[1:], "last", "origin"),
		kind[*ast.Wins]("player wins", inRules, inProperty), kind[*ast.NoMove]("no move in a claim", inProperty),
	}
	for _, f := range features {
		Names = append(Names, f.name)
	}
}

// Names lists all features.
var Names []string

// Of lists the features of each claim of a file, with those of the variant it is about.
func Of(f *ast.File) map[*ast.Claim]Features {
	boards, variants, rules := map[string]*ast.Board{}, map[string]*ast.Variant{}, map[*ast.Variant]*subject{}
	for _, d := range f.Decls {
		if b, ok := d.(*ast.Board); ok {
			boards[b.Name.Name] = b
		}
	}
	for _, d := range f.Decls {
		if v, ok := d.(*ast.Variant); ok {
			variants[v.Name.Name] = v
			if variants[""] == nil {
				variants[""] = v
			}
			rules[v] = ofVariant(f, v, boards)
		}
	}
	out := map[*ast.Claim]Features{}
	for _, d := range f.Decls {
		c, ok := d.(*ast.Claim)
		if !ok {
			continue
		}
		of := ""
		if c.Of != nil {
			of = c.Of.Name
		}
		x := subject{file: f, variant: &ast.Variant{}, rules: Features{}}
		if known := rules[variants[of]]; known != nil {
			x = *known
		}
		x.claim = c
		if c.Property != nil {
			x.nodes[inProperty] = index(c.Property)
		}
		var clauses []ast.Node
		for _, cl := range c.Clauses {
			clauses = append(clauses, cl)
		}
		x.nodes[inClauses] = index(clauses...)
		fs := maps.Clone(x.rules)
		for _, feature := range features {
			if !feature.ofRules {
				fs[feature.name] = feature.has(&x)
			}
		}
		out[c] = fs
	}
	return out
}

// ofVariant is what all claims about a variant have in common.
func ofVariant(f *ast.File, v *ast.Variant, boards map[string]*ast.Board) *subject {
	x := &subject{file: f, variant: v, vars: map[string]bool{}, rules: Features{}}
	roots := []ast.Node{v}
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.StateVar:
			x.vars[item.Name.Name] = true
		case *ast.Board:
			if x.board = item; item.Name != nil {
				if x.board = boards[item.Name.Name]; x.board != nil {
					roots = append(roots, x.board)
				}
			}
		}
	}
	x.nodes[inRules] = index(roots...)
	for _, feature := range features {
		if feature.ofRules {
			x.rules[feature.name] = feature.has(x)
		}
	}
	return x
}

// positions are those that a part of a claim names.
func positions(x *subject, in ...part) []*ast.Position {
	named := map[string]bool{}
	exists(x, in, func(n *ast.Name) bool { named[n.Name] = true; return false })
	exists(x, in, func(n *ast.Place) bool { named[n.Name.Name] = true; return false })
	exists(x, in, func(n *ast.StartingAt) bool { named[n.Position.Name] = true; return false })
	var out []*ast.Position
	for _, d := range x.file.Decls {
		if p, ok := d.(*ast.Position); ok && named[p.Name.Name] {
			out = append(out, p)
		}
	}
	return out
}

// positionMover: in a position that the claim speaks of another player than the first begins.
func positionMover(x *subject) bool {
	first, _ := beginner(x.variant)
	return slices.ContainsFunc(positions(x, inProperty, inClauses), func(p *ast.Position) bool {
		return slices.ContainsFunc(p.With, func(set ast.Setting) bool { return set.Name.Name == "mover" && !isName(set.Value, first) })
	})
}

// otherMover: not in both of two variants that are compared the same player begins, who was
// declared first.
func otherMover(x *subject) bool {
	r, ok := x.claim.Property.(*ast.Relation)
	if !ok {
		return false
	}
	for _, d := range x.file.Decls {
		if v, ok := d.(*ast.Variant); ok && v.Name.Name == r.Other.Name {
			first, begins := beginner(x.variant)
			there, other := beginner(v)
			return first != "" && there != "" && (begins != other || first != there)
		}
	}
	return false
}

// beginner is the player who is declared first, and the one who begins; nothing in a solitaire.
func beginner(v *ast.Variant) (first, begins string) {
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Players:
			first = item.Names[0].Name
			if begins == "" {
				begins = first
			}
		case *ast.Setup:
			for _, x := range item.Conds {
				b, ok := x.(*ast.Binary)
				if !ok || b.Op != "=" || !isName(b.L, "mover") {
					continue
				}
				if name, ok := b.R.(*ast.Name); ok {
					begins = name.Name
				}
			}
		}
	}
	return first, begins
}

// paramOfRules: a parameter is read outside of the setup.
func paramOfRules(x *subject) bool {
	params := map[string]bool{}
	exists(x, anywhere[:1], func(p *ast.Param) bool { params[p.Name.Name] = true; return false })
	for _, item := range x.variant.Items {
		switch item.(type) {
		case *ast.Move, *ast.Ending, *ast.StateVar, *ast.Board:
			if slices.ContainsFunc(ast.All[*ast.Name](item), func(n *ast.Name) bool { return params[n.Name] }) {
				return true
			}
		}
	}
	return false
}

func isName(x ast.Expr, names ...string) bool {
	n, ok := x.(*ast.Name)
	return ok && slices.Contains(names, n.Name)
}

// manyRows: laps follow from a picture in which a player has three rows or more, or not as many as
// the other.
func manyRows(x *subject) bool {
	if x.board == nil || !exists(x, anywhere[:1], func(n *ast.Name) bool { return n.Name == "ccw" || n.Name == "cw" }) {
		return false
	}
	rows := 0
	for _, r := range x.board.Rows() {
		if slices.ContainsFunc(r.Parts, func(part []ast.PitRange) bool {
			return slices.ContainsFunc(part, func(p ast.PitRange) bool { return p.From != nil })
		}) {
			rows++
		}
	}
	return rows > 2 && rows != 4
}

// offLap: some group of pits is on no lap that is declared.
func offLap(x *subject) bool {
	if x.board == nil {
		return false
	}
	onLap := map[string]bool{}
	exists(x, anywhere[:1], func(l *ast.Lap) bool {
		for _, p := range l.Pits {
			onLap[p.Group.Name] = true
		}
		return false
	})
	for _, r := range x.board.Rows() {
		for _, part := range r.Parts {
			for _, p := range part {
				if !onLap[p.Group.Name] {
					return true
				}
			}
		}
	}
	return false
}

// stateInSetup: a setup gives a value to a variable, or says who begins.
func stateInSetup(x *subject) bool {
	return exists(x, anywhere[:1], func(s *ast.Setup) bool {
		return slices.ContainsFunc(ast.All[*ast.Binary](s), func(b *ast.Binary) bool {
			set, _ := (&ast.Assign{Target: b.L}).Variable()
			return x.vars[set.Name] || set.Name == "mover"
		})
	})
}

// endingOver: the condition of an ending reads a variable, or none.
func endingOver(x *subject, variables bool) bool {
	return exists(x, anywhere[:1], func(e *ast.Ending) bool {
		if _, noMove := e.When.(*ast.NoMove); noMove {
			return false
		}
		reads := slices.ContainsFunc(ast.All[*ast.Name](e.When), func(n *ast.Name) bool { return x.vars[n.Name] }) ||
			slices.ContainsFunc(ast.All[*ast.Call](e.When), func(n *ast.Call) bool { return x.vars[n.Func.Name] })
		return reads == variables
	})
}

// ofValues reports whether a name goes through what are no pits.
func ofValues(x ast.Expr) bool {
	b, ok := x.(*ast.Binary)
	_, list := x.(*ast.SetLit)
	return ok && b.Op == ".." || list || isName(x, "player")
}

// Pairs counts claims by pairs of features. A feature paired with itself counts its claims.
type Pairs map[[2]string]int

// Count adds the features of one claim.
func (p Pairs) Count(fs Features) {
	for i, a := range Names {
		if !fs[a] {
			continue
		}
		for _, b := range Names[i:] {
			if fs[b] {
				p[[2]string{a, b}]++
			}
		}
	}
}

// Missing lists the possible pairs that no claim had.
func (p Pairs) Missing() [][2]string {
	var out [][2]string
	for i, a := range Names {
		for _, b := range Names[i:] {
			if p[[2]string{a, b}] == 0 && !Excluded(a, b) {
				out = append(out, [2]string{a, b})
			}
		}
	}
	return out
}

// exclusive are lists of features of which a claim has one at most, or that contradict each other.
var exclusive = [][]string{
	{
		"unreachable", "invariant", "reachable", "never stuck", "terminates", "predecessors", "successors", "step", "every step",
		"count", "count plays", "count ancestors", "strategy wins", "refines", "equivalent", "reverses", "value", "winner of", "best moves", "force",
	},
	{
		"winning starts", "unreachable", "invariant", "reachable", "never stuck", "terminates", "predecessors", "successors", "step", "every step",
		"count plays", "count ancestors", "strategy wins", "refines", "equivalent", "reverses", "value", "winner of", "best moves", "force",
	},
	{
		"within", "invariant", "unreachable", "never stuck", "predecessors", "successors", "step", "every step", "count", "count plays", "count ancestors", "winning starts",
		"strategy wins", "refines", "equivalent", "reverses", "value", "winner of", "best moves", "endless play", "old", "last in a claim", "by label", "over all states",
	},
	{"solitaire", "two players", "three players"},
	{"denied", "step"},
	{"fixed setup", "any where", "drawn setup"},
	{"drawn setup", "setup mover"},
	{"drawn setup", "state in setup"},
	{"drawn setup", "product in setup"},
	{"prefer", "strategy wins"},
	{"prefer", "following"},
	{"starting at", "for all"},
	{"starting at", "for some"},
}

// onlyWith are features that stand with some others alone.
var onlyWith = map[string][]string{
	"over all states": {"every step"}, "by label": {"step", "every step"}, "old": {"every step"}, "last in a claim": {"every step"},
	"position":           {"unreachable", "invariant", "reachable", "predecessors", "successors", "step", "every step", "count", "count ancestors", "winning starts", "value", "winner of", "best moves", "force"},
	"player wins":        {"unreachable", "invariant", "reachable", "predecessors", "successors", "step", "every step", "count", "count ancestors", "winning starts", "force"},
	"no move in a claim": {"unreachable", "invariant", "reachable", "predecessors", "successors", "step", "every step", "count", "count ancestors", "winning starts", "force"},
	"solitaire":          {},
	"after moves":        {"value", "winner of", "best moves", "force"}, "endless play": {"value", "winner of", "best moves"},
	"for board": {"value", "winner of", "best moves", "force"}, "board of a list": {"value", "winner of", "best moves", "force"},
	"other mover": {"refines", "equivalent", "reverses"}, "position mover": {},
}

var properties = exclusive[0]

// Excluded reports whether two features cannot stand together.
func Excluded(a, b string) bool {
	for _, list := range exclusive {
		if a != b && slices.Contains(list, a) && slices.Contains(list, b) {
			if slices.Contains([]string{"winning starts", "within"}, list[0]) && a != list[0] && b != list[0] {
				continue
			}
			return true
		}
	}
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		with, ok := onlyWith[pair[0]]
		if ok && len(with) > 0 && (slices.Contains(properties, pair[1]) || pair[1] == "winning starts" || pair[1] == "within") && !slices.Contains(with, pair[1]) {
			return true
		}
	}
	if three := "three players"; (a == three || b == three) && slices.ContainsFunc([]string{"value", "winner of", "best moves", "endless play"}, func(f string) bool { return f == a || f == b }) {
		return true
	}
	players := []string{"setup mover", "position mover", "other mover", "order of players", "lap of another", "winner of", "force", "lap of a player", "owner", "player variable", "player or none", "each player", "score", "moves next", "winner", "opponent", "group of a player", "player wins"}
	return a == "solitaire" && slices.Contains(players, b) || b == "solitaire" && slices.Contains(players, a)
}

// Print writes how many claims have each feature, alone and with the feature that it is rarest
// with, and the pairs that are missing.
func (p Pairs) Print(w io.Writer) {
	for _, a := range Names {
		least, with := -1, ""
		for _, b := range Names {
			n := p[[2]string{a, b}] + p[[2]string{b, a}]
			if a != b && !Excluded(a, b) && (least < 0 || n < least) {
				least, with = n, b
			}
		}
		fmt.Fprintf(w, "%-24s %8d   least, %d, with %s\n", a, p[[2]string{a, a}], least, with)
	}
	missing := p.Missing()
	all := 0
	for i, a := range Names {
		for _, b := range Names[i:] {
			if !Excluded(a, b) {
				all++
			}
		}
	}
	fmt.Fprintf(w, "%d of %d pairs of features occurred; missing:\n", all-len(missing), all)
	var list []string
	for _, m := range missing {
		list = append(list, m[0]+" + "+m[1])
	}
	fmt.Fprintf(w, "  %s\n", strings.Join(list, "\n  "))
}

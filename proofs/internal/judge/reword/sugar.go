package reword

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// solitaire reports whether a node belongs to a variant with no players.
func (e *edit) owner(n ast.Node) *ast.Variant {
	for _, v := range e.variants() {
		if within(n, v) {
			return v
		}
	}
	return nil
}

// playersAt returns the players that a node can name. Outside of variants these are the players of
// all variants, if they have the same ones.
func (e *edit) playersAt(n ast.Node) []string {
	if v := e.owner(n); v != nil {
		return e.players(v)
	}
	list := e.variants()
	if len(list) == 0 {
		return nil
	}
	first := e.players(list[0])
	for _, v := range list {
		if !slices.Equal(e.players(v), first) {
			return nil
		}
	}
	return first
}

func (e *edit) again() {
	each(e, func(a *ast.Again) {
		if len(e.playersAt(a)) > 1 {
			e.replace(a, "mover moves next")
		}
	})
}

func (e *edit) pass() {
	each(e, func(p *ast.Pass) { e.replace(p, "move pass when "+e.of(p.When)+" { }") })
}

func list[N ast.Node](e *edit, nodes []N) string {
	var out []string
	for _, n := range nodes {
		out = append(out, e.in(n))
	}
	return strings.Join(out, "\n")
}

// firstLaps writes a choice for the first lap as one for each lap, of which the value after the
// first one is all there is where somebody has to go on. It is done where that value is one of
// those that are written out.
func (e *edit) firstLaps() {
	each(e, func(c *ast.Choice) {
		if c.Later == nil {
			return
		}
		later, among := e.of(c.Later), false
		if _, plain := c.Later.(*ast.Name); !plain {
			if _, plain := c.Later.(*ast.Int); !plain {
				return
			}
		}
		for _, o := range c.Options() {
			among = among || e.of(o.Value) == later
		}
		if r, ok := c.Set.(*ast.Binary); ok && r.Op == ".." {
			lo, is := r.L.(*ast.Int)
			hi, are := r.R.(*ast.Int)
			n, one := c.Later.(*ast.Int)
			among = is && are && one && lo.Value <= n.Value && n.Value <= hi.Value
		}
		if !among {
			return
		}
		first := "true"
		if c.Where != nil {
			first = "(" + e.of(c.Where) + ")"
		}
		e.replace(c, fmt.Sprintf("choose %s in %s each lap where going = none and %s or going /= none and %s = %s", c.Name.Name, e.of(c.Set), first, c.Name.Name, later))
	})
}

// inline writes definitions out where they are used: a definition stands for its expression. It is
// not done where a bound name, which the definition does not know, would be read in it.
func (e *edit) inline() {
	defs := map[string]*ast.Define{}
	twice := map[string]bool{}
	each(e, func(d *ast.Define) {
		twice[d.Name.Name] = twice[d.Name.Name] || defs[d.Name.Name] != nil
		defs[d.Name.Name] = d
	})
	bound := bound(e.file)
	plain := func(name string, args int) *ast.Define {
		d := defs[name]
		if d == nil || twice[name] || len(d.Params) != args || bound[name] {
			return nil
		}
		for _, n := range ast.All[*ast.Name](d.Value) {
			if bound[n.Name] || defs[n.Name] != nil {
				return nil
			}
		}
		for _, n := range ast.All[*ast.Call](d.Value) {
			if defs[n.Func.Name] != nil {
				return nil
			}
		}
		switch d.Value.(type) {
		case *ast.SetLit: // braces are read by what stands around them
			return nil
		}
		return d
	}
	each(e, func(n *ast.Name) {
		if d := plain(n.Name, 0); d != nil && !e.apart(n) {
			e.replace(n, "("+e.of(d.Value)+")")
		}
	})
	each(e, func(c *ast.Call) {
		d := plain(c.Func.Name, len(c.Args))
		if d == nil || len(c.Args) == 0 || e.apart(c) {
			return
		}
		args := map[string]string{}
		for i, p := range d.Params {
			arg := "(" + e.in(c.Args[i]) + ")"
			switch p.Sort.Name {
			case "number":
				arg = "(" + arg + " + 0)" // a pit is its seeds
			case "pit", "bool", "player":
			default:
				return
			}
			args[p.Name.Name] = arg
		}
		if len(ast.All[*ast.Quant](d.Value))+len(ast.All[*ast.Filter](d.Value)) > 0 {
			return // what is bound there could be read in an argument
		}
		inner := &edit{file: e.file, text: e.text}
		ast.Inspect(d.Value, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok && args[x.Name] != "" {
				inner.replace(x, args[x.Name])
			}
			return true
		})
		e.replace(c, "("+inner.in(d.Value)+")")
	})
}

// writeOut writes the statements of procedures where they are called, with locals for the
// parameters. It is not done where a bound name, which the procedure does not know, would be read.
func (e *edit) writeOut() {
	procs := map[string]*ast.Procedure{}
	twice, inside := map[string]bool{}, map[*ast.CallStmt]bool{}
	each(e, func(p *ast.Procedure) {
		twice[p.Name.Name] = twice[p.Name.Name] || procs[p.Name.Name] != nil
		procs[p.Name.Name] = p
		eachIn(p, func(c *ast.CallStmt) { inside[c] = true })
	})
	elsewhere := map[string]bool{} // names that are bound outside of procedures
	for _, v := range e.variants() {
		for _, item := range v.Items {
			if _, is := item.(*ast.Procedure); !is {
				for name := range bound(item) {
					elsewhere[name] = true
				}
			}
		}
	}
	each(e, func(c *ast.CallStmt) {
		call := c.Call.(*ast.Call)
		p := procs[call.Func.Name]
		if p == nil || twice[call.Func.Name] || inside[c] || call.Along != nil || len(call.Args) != len(p.Params) {
			return
		}
		own := bound(p)
		for _, n := range ast.All[*ast.Name](p) {
			if elsewhere[n.Name] && !own[n.Name] {
				return
			}
		}
		out, earlier := "", map[string]bool{}
		for i, f := range p.Params {
			for _, n := range ast.All[*ast.Name](call.Args[i]) {
				if earlier[n.Name] {
					return
				}
			}
			earlier[f.Name.Name] = true
			arg := "(" + e.in(call.Args[i]) + ")"
			switch f.Sort.Name {
			case "number":
				arg += " + 0" // a pit is its seeds
			case "bool", "pit", "player", "lap", "set":
			default:
				return // of two enumerations a name may be one of both
			}
			out += "let " + f.Name.Name + " = " + arg + " "
		}
		e.replace(c, "if true { "+out+list(e, p.Body)+" }")
	})
}

// bound are the names that are bound anywhere in a node.
func bound(n ast.Node) map[string]bool {
	out := map[string]bool{}
	eachIn(n, func(q *ast.Quant) { out[q.Var.Name] = true })
	eachIn(n, func(q *ast.Filter) { out[q.Var.Name] = true })
	eachIn(n, func(q *ast.For) { out[q.Name.Name] = true })
	eachIn(n, func(q *ast.StateVar) {
		if q.Var != nil {
			out[q.Var.Name] = true
		}
	})
	eachIn(n, func(q *ast.Let) { out[q.Name.Name] = true })
	eachIn(n, func(q *ast.Choice) { out[q.Name.Name] = true })
	eachIn(n, func(q *ast.Chain) { out[q.Name.Name] = true })
	eachIn(n, func(p *ast.Procedure) {
		for _, f := range p.Params {
			out[f.Name.Name] = true
		}
	})
	if d, is := n.(*ast.Define); is {
		for _, f := range d.Params {
			out[f.Name.Name] = true
		}
	}
	return out
}

// apart tells of places where a name is more than an expression, or its form matters.
func (e *edit) apart(n ast.Node) bool {
	in := false
	ast.Inspect(e.file, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.Define, *ast.Setup, *ast.Board, *ast.Param, *ast.StateVar:
			in = in || within(n, m)
		case *ast.Move:
			for _, w := range m.Written {
				in = in || within(n, w)
			}
			for _, c := range m.Choices {
				in = in || within(n, c)
			}
			in = in || m.When != nil && within(n, m.When)
		case *ast.Assign:
			in = in || within(n, m.Target)
		case *ast.Let:
			in = in || within(n, m.Value)
		case *ast.Binary: // pits beside pits are compared by how they are written
			in = in || (m.Op == "=" || m.Op == "/=" || m.Op == "!=") && (ast.Node(m.L) == n || ast.Node(m.R) == n)
		}
		return !in
	})
	return in
}

// owners writes `my` and `their` by whose they are.
func (e *edit) owners() {
	each(e, func(o *ast.Of) {
		switch n := len(e.playersAt(o)); {
		case o.Player != nil || n < 2:
		case !o.Their:
			e.replace(o, o.Group.Name+" of mover")
		case n == 2:
			e.replace(o, o.Group.Name+" of opponent")
		}
	})
}

// theirs writes `their G` of more than two players as what somebody owns less what is mine. In
// claims nobody may be to move.
func (e *edit) theirs() {
	laps := map[string]bool{}
	each(e, func(l *ast.Lap) { laps[l.Name.Name] = true })
	each(e, func(o *ast.Of) {
		names := e.playersAt(o)
		if !o.Their || len(names) < 3 || laps[o.Group.Name] || e.owner(o) == nil {
			return
		}
		var all []string
		for _, p := range names {
			all = append(all, o.Group.Name+" of "+p)
		}
		e.replace(o, "(("+strings.Join(all, " + ")+") without my "+o.Group.Name+")")
	})
}

// listPlayers writes `in player` as a list of them.
func (e *edit) listPlayers() {
	put := func(x ast.Expr) {
		n, ok := x.(*ast.Name)
		if names := e.playersAt(x); ok && n.Name == "player" && len(names) > 1 {
			e.replace(n, "{"+strings.Join(names, ", ")+"}")
		}
	}
	each(e, func(f *ast.For) { put(f.Set) })
	each(e, func(q *ast.Quant) { put(q.Set) })
	each(e, func(c *ast.Choice) { put(c.Set) })
}

// losers writes `P loses` as a win of the other one of two.
func (e *edit) losers() {
	put := func(at ast.Node, v *ast.Verdict) {
		names := e.playersAt(at)
		if v.Player == nil || v.Kind != ast.Lose || len(names) != 2 {
			return
		}
		other := map[string]string{"mover": "opponent", "opponent": "mover", names[0]: names[1], names[1]: names[0]}[v.Player.Name]
		from := v.Player.Range.End.Offset
		word := strings.Index(e.text[from:], "loses")
		e.replace(v.Player, other)
		e.changes = append(e.changes, change{from + word, from + word + len("loses"), "wins"})
	}
	each(e, func(x *ast.Ending) { put(x, &x.Verdict) })
	each(e, func(x *ast.Offer) { put(x, &x.Verdict) })
	each(e, func(x *ast.Finish) { put(x, &x.Verdict) })
}

// quantifiers writes out `each SET < n`, but not in setups: `each SET = n` may stand in a fixed
// setup, and a quantifier may not.
func (e *edit) quantifiers() {
	each(e, func(x *ast.EachCmp) {
		in := false
		each(e, func(s *ast.Setup) { in = in || within(x, s) })
		if !in {
			e.replace(x, fmt.Sprintf("(%s zz in %s : seeds(zz) %s %s)", x.Kind, e.of(x.Set), x.Op, e.of(x.R)))
		}
	})
}

// elses encloses the `if` of an `else if` in braces.
func (e *edit) elses() {
	each(e, func(x *ast.If) {
		if len(x.Else) != 1 {
			return
		}
		in, ok := x.Else[0].(*ast.If)
		between := e.text[:x.Else[0].Span().Start.Offset]
		if ok && strings.HasSuffix(strings.TrimRight(between, " \n\t"), "else") {
			e.replace(in, "{ "+e.in(in)+" }")
		}
	})
}

// conditionals writes a conditional expression as a statement where it is all of what a statement
// needs, and by connectives where it is all of a condition.
func (e *edit) conditionals() {
	both := func(at ast.Node, x ast.Expr, with func(branch ast.Expr) string) {
		if c, ok := bare(x).(*ast.Cond); ok {
			e.replace(at, fmt.Sprintf("if %s { %s } else { %s }", e.of(c.If), with(c.Then), with(c.Else)))
		}
	}
	condition := func(x ast.Expr) {
		if c, ok := bare(x).(*ast.Cond); ok {
			e.replace(x, fmt.Sprintf("((%s) and (%s) or not (%[1]s) and (%[3]s))", e.of(c.If), e.of(c.Then), e.of(c.Else)))
		}
	}
	each(e, func(s *ast.Assign) {
		both(s, s.Value, func(x ast.Expr) string { return e.of(s.Target) + " = " + e.of(x) })
	})
	each(e, func(s *ast.Require) {
		both(s, s.Cond, func(x ast.Expr) string { return "require " + e.of(x) })
	})
	each(e, func(s *ast.Prefer) {
		both(s, s.Value, func(x ast.Expr) string { return "prefer " + e.of(x) })
	})
	each(e, func(s *ast.If) { condition(s.Cond) })
	each(e, func(s *ast.While) { condition(s.Cond) })
	each(e, func(s *ast.Ending) { condition(s.When) })
	each(e, func(s *ast.Reaction) { condition(s.When) })
}

// firsts looks for the first pit of a group, which a local is, in a loop.
func (e *edit) firsts() {
	each(e, func(l *ast.Let) {
		q, is := bare(l.Value).(*ast.Quant)
		if !is || q.Kind != "first" || q.Var.Name == l.Name.Name {
			return
		}
		if _, group := q.Set.(*ast.Name); group {
			e.replace(l, fmt.Sprintf("let %s = none for %s in %s { if %[1]s = none and (%[4]s) { %[1]s = %[2]s } }", l.Name.Name, q.Var.Name, e.of(q.Set), e.of(q.Body)))
		}
	})
}

// ranges writes `choose k in a..min(n, E)` as `choose k in a..n where k <= E`. Where moves can go
// on, only the second form is allowed.
func (e *edit) ranges() {
	going := false
	each(e, func(*ast.GoOn) { going = true })
	if going {
		return
	}
	each(e, func(c *ast.Choice) {
		r, is := c.Set.(*ast.Binary)
		if !is || r.Op != ".." {
			return
		}
		end, is := r.R.(*ast.Call)
		if !is || end.Func.Name != "min" || len(end.Args) != 2 {
			return
		}
		if _, is := end.Args[0].(*ast.Int); !is {
			return
		}
		where := fmt.Sprintf(" where %s <= (%s)", c.Name.Name, e.of(end.Args[1]))
		if c.Where == nil {
			e.insert(c.Range.End.Offset, where)
		} else {
			e.replace(c.Where, strings.TrimPrefix(where, " where ")+" and ("+e.of(c.Where)+")")
		}
		e.replace(end, e.of(end.Args[0]))
	})
}

// bare is an expression without the parentheses around it.
func bare(x ast.Expr) ast.Expr {
	for {
		p, ok := x.(*ast.Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

// invariants writes `invariant E` as `unreachable not (E)`. A bounded one cannot be denied in this
// way.
func (e *edit) invariants() {
	each(e, func(r *ast.Reach) {
		if r.Kind == "invariant" && r.Within == nil {
			e.replace(r, "unreachable not ("+e.of(r.Target)+")")
		}
	})
}

// begins makes explicit that the first player begins.
func (e *edit) begins() {
	for _, v := range e.variants() {
		names := e.players(v)
		for _, s := range ast.Items[*ast.Setup](v) {
			if len(names) > 1 && len(s.Conds) > 0 && beginner(s) == nil {
				e.insert(s.Conds[len(s.Conds)-1].Span().End.Offset, ", mover = "+names[0])
			}
		}
	}
}

// beginner is where a setup says who begins.
func beginner(s *ast.Setup) *ast.Binary {
	for _, x := range s.Conds {
		if b, ok := x.(*ast.Binary); ok && b.Op == "=" {
			if n, ok := b.L.(*ast.Name); ok && n.Name == "mover" {
				return b
			}
		}
	}
	return nil
}

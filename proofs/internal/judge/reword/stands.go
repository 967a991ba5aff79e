package reword

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// modifiers returns the modifiers of a sowing, except for `starting at` and the relay.
func (e *edit) modifiers(s *ast.Sow) string {
	out := ""
	for _, x := range s.Skip {
		out += ", skip " + e.of(x)
	}
	for _, x := range s.OnlyLast {
		out += ", " + e.of(x) + " takes only the last"
	}
	if s.OriginFirst {
		out += ", origin first"
	}
	if s.InEach != nil {
		out += ", " + e.of(s.InEach) + " in each"
	}
	if s.HasDrop {
		out += ", each drop { " + list(e, s.Drop) + " }"
	}
	return out
}

// sowing writes a sowing without its relay: of which pit, along which lap.
func (e *edit) sowing(s *ast.Sow, along string) string {
	out := "sow "
	if s.Count != nil {
		out += e.of(s.Count) + " from "
	}
	out += e.of(s.Pit) + " along " + along
	if s.StartAt != nil {
		out += ", starting at " + e.of(s.StartAt)
	}
	return out
}

// relays spells out relays as loops along a lap that is found once.
func (e *edit) relays() {
	each(e, func(s *ast.Sow) {
		if s.RelayWhile == nil {
			return
		}
		from, mods := "last", e.modifiers(s)
		if s.RelayFrom != nil {
			from = e.of(s.RelayFrom)
		}
		lap := fmt.Sprint("zlap", s.Range.Start.Offset)
		e.replace(s, fmt.Sprintf("let %s = %s %s%s while (%s) { sow %s along %[1]s%[4]s }",
			lap, e.of(s.Along), e.sowing(s, lap), mods, e.of(s.RelayWhile), from))
	})
}

// chains spells out chains whose first pit is certainly a pit.
func (e *edit) chains() {
	each(e, func(c *ast.Chain) {
		switch from := c.From.(type) {
		case *ast.Call, *ast.IndexExpr:
		case *ast.Name:
			if from.Name != "last" && from.Name != "origin" {
				return
			}
		default:
			return
		}
		step, lap, along := "before", "", ""
		if c.Forward {
			step = "next"
		}
		if c.Along != nil {
			lap, along = "let zlap = "+e.of(c.Along)+" ", " along zlap"
		}
		p := c.Name.Name
		e.replace(c, fmt.Sprintf("if true { %slet %s = %s while %s /= none and (%s) { capture %s into %s %s = %s(%s%s) } }",
			lap, p, e.of(c.From), p, e.of(c.While), p, e.of(c.Into), p, step, p, along))
	})
}

// numbers writes how many seeds a sowing takes, where the pit has a name.
func (e *edit) numbers() {
	defs := e.defined()
	each(e, func(s *ast.Sow) {
		if n, is := s.Pit.(*ast.Name); is && s.Count == nil && s.InEach == nil && !defs[n.Name] {
			e.insert(s.Pit.Span().Start.Offset, "seeds("+e.of(s.Pit)+") from ")
		}
	})
}

// defined are the names of definitions.
func (e *edit) defined() map[string]bool {
	out := map[string]bool{}
	each(e, func(d *ast.Define) { out[d.Name.Name] = true })
	return out
}

// starts writes `origin first` as `starting at` the pit, where that has a name.
func (e *edit) starts() {
	defs := e.defined()
	each(e, func(s *ast.Sow) {
		n, is := s.Pit.(*ast.Name)
		if !is || defs[n.Name] || !s.OriginFirst || s.StartAt != nil || s.RelayWhile != nil {
			return
		}
		first := *s
		first.OriginFirst = false
		e.replace(s, e.sowing(s, e.of(s.Along))+", starting at "+n.Name+e.modifiers(&first))
	})
}

// empties writes `empty` as 0.
func (e *edit) empties() {
	each(e, func(n *ast.Name) {
		if n.Name == "empty" {
			e.replace(n, "0")
		}
	})
}

// joins captures several sets as one.
func (e *edit) joins() {
	each(e, func(c *ast.Capture) {
		if len(c.From) > 1 {
			var sets []string
			for _, x := range c.From {
				sets = append(sets, "("+e.of(x)+")")
			}
			from := c.From[0].Span()
			from.End = c.From[len(c.From)-1].Span().End
			e.put(from, strings.Join(sets, " + "))
		}
	})
}

// settles finds the pits of a loop before it.
func (e *edit) settles() {
	each(e, func(f *ast.For) {
		if computed(f.Set) {
			e.replace(f, "if true { let zset = "+e.of(f.Set)+" for "+f.Name.Name+" in zset { "+list(e, f.Body)+" } }")
		}
	})
}

// computed reports whether an expression is a set whose pits play decides.
func computed(x ast.Expr) bool {
	switch x := bare(x).(type) {
	case *ast.Filter:
		return true
	case *ast.Binary:
		return x.Op == "+" || x.Op == "without"
	}
	return false
}

// filters writes `A without B` and `p not in A` by what satisfies a condition.
func (e *edit) filters() {
	each(e, func(b *ast.Binary) {
		in := false
		ast.Inspect(e.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Setup, *ast.Board:
				in = in || within(b, n)
			}
			return !in
		})
		switch {
		case in:
		case b.Op == "without" && computed(b.L):
			e.replace(b, "{zz in "+e.in(b.L)+" where not zz in ("+e.of(b.R)+")}")
		case b.Op == "not in":
			e.replace(b, "(not ("+e.in(b.L)+" in "+e.in(b.R)+"))")
		}
	})
}

// choices writes a choice from some pits of a group as one from the group, where the pit is one of
// those.
func (e *edit) choices() {
	if len(ast.All[*ast.GoOn](e.file)) > 0 {
		return // later laps do not ask for conditions
	}
	each(e, func(c *ast.Choice) {
		f, is := c.Set.(*ast.Filter)
		if !is {
			return
		}
		group, is := f.Set.(*ast.Name)
		if !is || e.defined()[group.Name] {
			return
		}
		e.replace(c.Set, group.Name)
		where := c.Name.Name + " in " + e.of(c.Set)
		if c.Where == nil {
			e.insert(c.Range.End.Offset, " where "+where)
		} else {
			e.replace(c.Where, where+" and ("+e.of(c.Where)+")")
		}
	})
}

// stores writes a choice that is stored in a variable as one that the body stores.
func (e *edit) stores() {
	if len(ast.All[*ast.GoOn](e.file))+len(ast.All[*ast.Strategy](e.file)) > 0 {
		return
	}
	for _, v := range e.variants() {
		vars := map[string]bool{}
		for _, s := range ast.Items[*ast.StateVar](v) {
			vars[s.Name.Name] = s.Type.Name() != nil // a pit: the names of values are known by the variable
		}
		for _, m := range ast.Items[*ast.Move](v) {
			e.storesIn(m, vars)
		}
	}
}

func (e *edit) storesIn(m *ast.Move, vars map[string]bool) {
	var set []string
	for _, c := range m.Choices {
		if !vars[c.Name.Name] || c.Options() != nil {
			continue
		}
		set = append(set, c.Name.Name+" = z"+c.Name.Name)
		e.replace(&c.Name, "z"+c.Name.Name)
	}
	if len(set) == 0 {
		return
	}
	chosen := func(n ast.Node) {
		for _, n := range ast.All[*ast.Name](n) {
			if slices.Contains(set, n.Name+" = z"+n.Name) {
				e.replace(n, "z"+n.Name)
			}
		}
	}
	end := m.Choices[len(m.Choices)-1].Range.End.Offset
	for i, c := range m.Choices {
		if i > 0 {
			chosen(c.Set)
		}
		if c.Where != nil {
			chosen(c.Where)
		}
	}
	for _, w := range m.Written {
		chosen(w)
		end = w.Span().End.Offset
	}
	e.insert(end, " "+strings.Join(set, " ")+" ")
}

// setLocals writes a local of some pits of a group, whose numbers the picture has, as one truth
// value for each of them.
func (e *edit) setLocals() {
	pits := map[string][]string{}
	each(e, func(r *ast.BoardCell) {
		if r.Pit == nil {
			return
		}
		from, is := r.Pit.From.(*ast.Int)
		to, are := r.Pit.To.(*ast.Int)
		name := r.Pit.Group.Name
		if !is || !are || pits[name] != nil {
			pits[name] = []string{}
			return
		}
		for i := min(from.Value, to.Value); i <= max(from.Value, to.Value); i++ {
			pits[name] = append(pits[name], fmt.Sprintf("%s[%d]", name, i))
		}
	})
	times := map[string]int{}
	each(e, func(n *ast.Ident) { times[n.Name]++ })
	each(e, func(l *ast.Let) {
		f, is := l.Value.(*ast.Filter)
		if !is || times[l.Name.Name] != 1 {
			return
		}
		group, is := f.Set.(*ast.Name)
		if !is || len(pits[group.Name]) < 2 {
			return
		}
		lets, cases := "", []string{}
		for i, p := range pits[group.Name] {
			own := fmt.Sprintf("z%d%s", i, l.Name.Name)
			lets += "let " + own + " = " + p + " in " + e.of(f) + " "
			cases = append(cases, "zz = "+p+" and "+own)
		}
		e.replace(l, lets)
		each(e, func(n *ast.Name) {
			if n.Name == l.Name.Name {
				e.replace(n, "{zz in "+group.Name+" where "+strings.Join(cases, " or ")+"}")
			}
		})
	})
}

package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Flow reports what the text of a variant shows about its values: variables that are only set or
// only read, locals that nothing reads, names that hide others, statements that are never carried
// out, and variants without an ending. v is a variant of file. All diagnostics are warnings.
func Flow(v *ast.Variant, file *ast.File, imports []*ast.File) diag.List {
	f := &flow{declared: map[string]string{}}
	speaking := shared(file, imports)
	f.variables(v, speaking)
	f.declare(v)
	ends := false
	for _, d := range speaking {
		if p, ok := d.(*ast.Procedure); ok {
			ends = ends || len(ast.All[*ast.Finish](p)) > 0
		}
	}
	for _, item := range v.Items {
		f.item(item)
		_, ending := item.(*ast.Ending)
		if _, offer := item.(*ast.Offer); offer {
			ending = true
		}
		ends = ends || ending || len(ast.All[*ast.Finish](item)) > 0
	}
	if !ends {
		f.diags.Warnf(diag.NoEnding, v.Name.Range, "nothing ends a game of `%s`", v.Name.Name).
			WithHelp("write `end when …`, or a statement such as `end` or `draw`")
	}
	return f.diags
}

// flow walks over one variant and collects what it finds.
type flow struct {
	diags    diag.List
	declared map[string]string // names of the variant, with the kind of each
}

// variables reports state variables that are not both set and read. speaking has the declarations
// that may use them.
func (f *flow) variables(v *ast.Variant, speaking []ast.Decl) {
	read, set := map[string]bool{}, map[string]bool{}
	for _, d := range speaking {
		access(d, read, set)
	}
	for _, item := range v.Items {
		s, ok := item.(*ast.StateVar)
		if !ok {
			continue
		}
		name := s.Name.Name
		switch {
		case !read[name] && !set[name]:
			f.diags.Warnf(diag.Unused, s.Name.Range, "nothing uses the state variable `%s`", name).
				WithHelp("use it, or leave it out")
		case !set[name]:
			f.diags.Warnf(diag.NeverSet, s.Name.Range, "the state variable `%s` is read and never set", name).
				WithHelp("what is the same in all states is a parameter or a definition")
		case !read[name]:
			f.diags.Warnf(diag.NeverRead, s.Name.Range, "the state variable `%s` is set and never read", name).
				WithHelp("states that differ in it alone are different states all the same")
		}
	}
}

// access adds the names that a declaration reads and sets. A choice sets the variable of its name,
// and a condition of a setup may set one.
func access(d ast.Decl, read, set map[string]bool) {
	// targets has the identifiers that are set or declared, which is no reading.
	targets := map[ast.Node]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StateVar:
			targets[&n.Name] = true
		case *ast.Assign:
			name, _ := n.Variable()
			set[name.Name] = true
			targets[n.Target] = true
			if c, ok := n.Target.(*ast.Call); ok {
				targets[&c.Func] = true
			}
		case *ast.Choice:
			set[n.Name.Name] = true
			targets[&n.Name] = true
		case *ast.Setup:
			for _, c := range n.Conds {
				settings(c, set, targets)
			}
		case *ast.Name:
			read[n.Name] = read[n.Name] || !targets[n]
		case *ast.Ident:
			read[n.Name] = read[n.Name] || !targets[n]
		case *ast.Subject:
			read[n.Name] = true
		case *ast.Sort:
			read[n.Name] = true
		}
		return true
	})
}

// settings notes the variable that a condition of a setup sets, as in `phase = opening`.
func settings(c ast.Expr, set map[string]bool, targets map[ast.Node]bool) {
	b, ok := c.(*ast.Binary)
	if !ok || b.Op != "=" {
		return
	}
	switch l := b.L.(type) {
	case *ast.Name:
		set[l.Name], targets[l] = true, true
	case *ast.Call:
		set[l.Func.Name], targets[&l.Func] = true, true
	}
}

// declare collects the names of the variant, except those of choices: a choice may have the name of
// a variable on purpose.
func (f *flow) declare(v *ast.Variant) {
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Param:
			f.declared[item.Name.Name] = "the parameter"
		case *ast.StateVar:
			f.declared[item.Name.Name] = "the state variable"
		case *ast.Define:
			f.declared[item.Name.Name] = "the definition"
		case *ast.Procedure:
			f.declared[item.Name.Name] = "the procedure"
		case *ast.Players:
			for _, p := range item.Names {
				f.declared[p.Name] = "the player"
			}
		case *ast.Board:
			for _, c := range ast.All[*ast.PitRange](item) {
				f.declared[c.Group.Name] = "the pits"
			}
			for _, line := range item.Lines {
				switch line := line.(type) {
				case *ast.Lap:
					f.declared[line.Name.Name] = "the lap"
				case *ast.Group:
					f.declared[line.Name.Name] = "the group"
				case *ast.Facing:
					f.declared[line.Name.Name] = "the relation"
				}
			}
		}
	}
}

// item checks the bodies and conditions of an item.
func (f *flow) item(item ast.Item) {
	switch item := item.(type) {
	case *ast.Move:
		var scope []string
		f.constant(item.When, "this guard")
		for _, c := range item.Choices {
			f.expr(c.Set, scope)
			if c.Where != nil {
				f.constant(c.Where, "this condition")
				f.expr(c.Where, append(scope, c.Name.Name))
			}
			scope = append(scope, c.Name.Name)
		}
		f.block(item.Body, scope)
		f.locals(item)
	case *ast.Ending:
		f.conditional(item, item.When, item.Body)
	case *ast.Reaction:
		f.conditional(item, item.When, item.Body)
	case *ast.Define:
		f.expr(item.Value, f.formals(item.Params))
	case *ast.Procedure:
		f.block(item.Body, f.formals(item.Params))
		f.locals(item)
	case *ast.Setup, *ast.Score:
		f.expr(item, nil)
	}
}

// formals checks the names of parameters and returns them.
func (f *flow) formals(list []ast.Formal) []string {
	var scope []string
	for _, p := range list {
		f.hides(p.Name, scope)
		scope = append(scope, p.Name.Name)
	}
	return scope
}

// conditional checks an item that is carried out when a condition holds.
func (f *flow) conditional(item ast.Item, when ast.Expr, body []ast.Stmt) {
	f.constant(when, "this condition")
	f.expr(when, nil)
	f.block(body, nil)
	f.locals(item)
}

// locals reports locals of an item that nothing in it reads. It goes by names, so a local is read
// if any of that name is.
func (f *flow) locals(item ast.Node) {
	read, targets := map[string]bool{}, map[ast.Node]bool{}
	ast.Inspect(item, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Let:
			targets[&n.Name] = true
		case *ast.Assign:
			targets[n.Target] = true
		case *ast.Name:
			read[n.Name] = read[n.Name] || !targets[n]
		case *ast.Ident:
			read[n.Name] = read[n.Name] || !targets[n]
		}
		return true
	})
	for _, let := range ast.All[*ast.Let](item) {
		if !read[let.Name.Name] {
			f.diags.Warnf(diag.Unused, let.Name.Range, "nothing uses the local `%s`", let.Name.Name).
				WithHelp("use it, or leave it out")
		}
	}
}

// block checks statements. scope has the names that are bound around them.
func (f *flow) block(list []ast.Stmt, scope []string) {
	scope = slices.Clip(scope)
	for i, s := range list {
		f.stmt(s, scope)
		if let, ok := s.(*ast.Let); ok {
			f.hides(let.Name, scope)
			scope = append(scope, let.Name.Name)
		}
		if finishes(s) && i+1 < len(list) {
			f.diags.Warnf(diag.Unreached, list[i+1].Span(), "this is never carried out: the game is over before it")
			return
		}
	}
}

// stmt checks one statement. A while loop whose condition is always true is no mistake: it may be
// left by an ending.
func (f *flow) stmt(s ast.Stmt, scope []string) {
	switch s := s.(type) {
	case *ast.If:
		f.constant(s.Cond, "this condition")
		f.expr(s.Cond, scope)
		f.block(s.Then, scope)
		f.block(s.Else, scope)
	case *ast.While:
		if value, known := literal(s.Cond); known && value == 0 {
			f.constant(s.Cond, "this condition")
		}
		f.expr(s.Cond, scope)
		f.block(s.Body, scope)
	case *ast.For:
		f.expr(s.Set, scope)
		f.hides(s.Name, scope)
		f.block(s.Body, append(slices.Clip(scope), s.Name.Name))
	case *ast.Sow:
		f.block(s.Drop, scope)
	case *ast.Chain:
		f.hides(s.Name, scope)
	case *ast.Require:
		f.constant(s.Cond, "this condition")
		f.expr(s.Cond, scope)
	default:
		f.expr(s, scope)
	}
}

// expr checks the names that quantifiers bind. n may be nil.
func (f *flow) expr(n ast.Node, scope []string) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Quant:
			f.hides(n.Var, scope)
			f.expr(n.Set, scope)
			f.expr(n.Body, append(slices.Clip(scope), n.Var.Name))
			return false
		case *ast.Filter:
			f.hides(n.Var, scope)
			f.expr(n.Set, scope)
			f.expr(n.Where, append(slices.Clip(scope), n.Var.Name))
			return false
		}
		return true
	})
}

// hides reports a name that is bound although it already stands for something else.
func (f *flow) hides(name ast.Ident, scope []string) {
	what := f.declared[name.Name]
	if slices.Contains(scope, name.Name) {
		what = "another one"
	}
	if what != "" {
		f.diags.Warnf(diag.Shadowed, name.Range, "this `%s` hides %s of that name", name.Name, what)
	}
}

// finishes reports whether a statement always ends the game.
func finishes(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.Finish:
		return true
	case *ast.If:
		return s.HasElse && slices.ContainsFunc(s.Then, finishes) && slices.ContainsFunc(s.Else, finishes)
	}
	return false
}

// constant reports a condition whose value is evident from its text. x may be nil.
func (f *flow) constant(x ast.Expr, what string) {
	if x == nil {
		return
	}
	if value, known := literal(x); known {
		f.diags.Warnf(diag.Unreached, x.Span(), "%s is always %t", what, value != 0)
	}
}

// literal returns the value of an expression made of literals only, with 0 and 1 for truth values.
// Parameters are not evaluated, since a condition on a parameter is meant to be constant in one
// game.
func literal(x ast.Expr) (value int, known bool) {
	switch x := x.(type) {
	case *ast.Int:
		return x.Value, true
	case *ast.Paren:
		return literal(x.X)
	case *ast.Name:
		return btoi(x.Name == "true"), x.Name == "true" || x.Name == "false"
	case *ast.Unary:
		v, ok := literal(x.X)
		return btoi(v == 0), ok && x.Op == "not"
	case *ast.Binary:
		return binary(x)
	}
	return 0, false
}

// binary is literal for two operands, of which one may be enough to know the value.
func binary(x *ast.Binary) (value int, known bool) {
	l, lok := literal(x.L)
	r, rok := literal(x.R)
	switch x.Op {
	case "and":
		return btoi(lok && rok && l*r != 0), lok && rok || lok && l == 0 || rok && r == 0
	case "or":
		return btoi(lok && l != 0 || rok && r != 0), lok && rok || lok && l != 0 || rok && r != 0
	case "=":
		return btoi(l == r), lok && rok
	case "/=":
		return btoi(l != r), lok && rok
	case "<":
		return btoi(l < r), lok && rok
	case "<=":
		return btoi(l <= r), lok && rok
	case ">":
		return btoi(l > r), lok && rok
	case ">=":
		return btoi(l >= r), lok && rok
	}
	return 0, false
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

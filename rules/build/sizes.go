package build

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
)

// everySize reads `for all n >= k`. The instance is resolved for k, and AtSize makes those of the
// other sizes.
func (c *Claim) everySize(cl *ast.ForAll, inst *Instance, diags *diag.List) {
	size := cl.Name.Name
	wrong := func(at diag.Range, format string, args ...any) *diag.Diagnostic {
		return diags.Errorf(diag.BadClause, at, format, args...)
	}
	if !hasParam(c.variant, cl.Name, diags) {
		return
	}
	for _, p := range ast.All[*ast.Param](c.variant) {
		switch {
		case p.Name.Name != size:
		case !c.unit.bound[c.variant].IsSize(size):
			wrong(cl.Name.Range, "`%s` does not decide how many pits there are", size).WithHelp("write `for all %s`", size)
			return
		case p.Hi != nil:
			wrong(cl.Range, "`%s` has an upper end", size).WithHelp("write `param %s = … in …..`, or `for %s in a..b`", size, size).
				WithNote(p.Range, "declared here")
			return
		}
	}
	switch old, set := inst.Settings[size]; {
	case set:
		wrong(cl.Range, "`%s` is set already", size).WithNote(old.At, "here")
		return
	case !forEverySize(c.ast.Property) || c.ast.Negated:
		wrong(cl.Range, "only `unreachable E`, `invariant E`, `terminates` and `from E every step gives F` can be claimed for every size")
		return
	case c.following != nil || c.begin != nil || c.list != nil:
		wrong(cl.Range, "a claim about every size has no strategy, position or file of boards")
		return
	}
	for _, other := range c.ast.Clauses {
		switch other.(type) {
		case *ast.With, *ast.ForIn, *ast.Bound:
			if slices.Contains(bind.NamesIn(other), size) {
				wrong(other.Span(), "this depends on `%s`, which stands for every size", size)
				return
			}
		case *ast.ForSome:
			wrong(other.Span(), "a claim about every size takes no `for some`")
			return
		}
	}
	least := c.eval(cl.From, inst.Settings, nil, diags)
	inst.Size = size
	inst.Settings[size] = board.Value{N: least, At: cl.From.Span()}
}

// upward marks the size in a System of the instance.
func (i *Instance) upward(sys *rules.System) *rules.System {
	if i.Size == "" {
		return sys
	}
	marked := *sys
	marked.Params = slices.Clone(sys.Params)
	for k := range marked.Params {
		marked.Params[k].Upward = marked.Params[k].Name == i.Size
	}
	return &marked
}

package resolve

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
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
		case !c.decidesPits(size):
			wrong(cl.Name.Range, "`%s` does not decide how many pits there are", size).WithHelp("write `for all %s`", size)
			return
		case p.Hi != nil:
			wrong(cl.Range, "`%s` has an upper end", size).WithHelp("write `param %s = … in …..`, or `for %s in a..b`", size, size).
				Notes = []diag.Note{{Range: p.Range, Message: "declared here"}}
			return
		}
	}
	switch old, set := inst.Settings[size]; {
	case set:
		wrong(cl.Range, "`%s` is set already", size).Notes = []diag.Note{{Range: old.At, Message: "here"}}
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
			if slices.Contains(namesIn(other), size) {
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
	inst.Settings[size] = Value{N: least, At: cl.From.Span()}
}

// decidesPits reports whether a parameter decides how many pits there are.
func (c *Claim) decidesPits(param string) bool {
	var scratch diag.List
	in := newScope(c.unit, c.variant, &rules.System{}, &scratch)
	decides := false
	in.bounded(func() {
		in.defines()
		decides = newParameters(in, nil, nil).sizes()[param]
	})
	return decides
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

// Least returns the least size that the instance is about.
func (i *Instance) Least() int { return i.Settings[i.Size].N }

// AtSize returns the instance of one size of a claim about every size.
func (i *Instance) AtSize(n int) (*Instance, error) {
	at := *i
	at.Size, at.Settings = "", copyOf(i.Settings)
	at.Settings[i.Size] = Value{N: n, At: i.Settings[i.Size].At}
	var diags diag.List
	at.fill(&diags)
	return &at, diags.Err()
}

// furtherSizes is how many sizes after the first are compared at least.
const furtherSizes = 8

// Family returns the family of the instance's rules from a size on, that grows behind the pits xs.
// The text of the rules is such that the size decides nothing but where stretches of pits end, and
// so many sizes are compared with what the resolver makes that all greater ones are as well. The
// error is a *SizeError if the rules are not so.
func (i *Instance) Family(at int, xs []int) (*family.Family, error) {
	reach, err := i.uniform()
	if err != nil {
		return nil, err
	}
	base, err := i.AtSize(at)
	if err != nil {
		return nil, err
	}
	next, err := i.AtSize(at + 1)
	if err != nil {
		return nil, err
	}
	f, err := family.New(base.System, next.System, i.Size, at, xs)
	if err != nil {
		return nil, &SizeError{Message: err.Error()}
	}
	// Where stretches end is c + d·n for each of their ends, and the pits of a seam are some of the
	// first `at` of theirs or of the last. Two of these meet or cross only at sizes up to the sum of
	// the absolute values of their c.
	for n := at; n <= at+2*reach+furtherSizes; n++ {
		if i.Claim.unit.ended() {
			return nil, i.Claim.unit.Context.Err()
		}
		real, err := i.AtSize(n)
		if err != nil {
			return nil, err
		}
		made, err := f.System(n)
		if err != nil {
			return nil, &SizeError{Message: err.Error()}
		}
		if was, is := string(made.Canonical()), string(real.System.Canonical()); was != is {
			return nil, &SizeError{Message: fmt.Sprintf("the rules for %s = %d are not those for %s = %d with more pits in between: %s",
				i.Size, n, i.Size, at, firstDifference(was, is))}
		}
	}
	return f, nil
}

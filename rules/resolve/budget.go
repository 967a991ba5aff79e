package resolve

import (
	"context"
	"sort"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/limit"
)

// A short text may stand for very much: loops are unrolled, quantifiers expanded, sweeps
// multiplied. These bound what a System may become, so that no file takes minutes or gigabytes to
// resolve.
const (
	maxStatements = 1_000_000 // of all actions and endings, with loops unrolled
	maxWork       = 2_000_000 // expressions resolved, with the members of the sets that they speak of
	workUnit      = 1024      // work between two looks at the context
	maxRepeated   = 10_000    // mistakes, repeated ones included
)

// budget is what is left for one System.
type budget struct {
	ctx        context.Context // nil: none
	statements int
	work       int
	looked     int      // work when the context was last looked at
	mistakes   int      // how many there are when they are counted again
	node       ast.Node // what is being resolved
}

// run is one resolution: where its mistakes go, and what it may still take.
type run struct {
	diags *diag.List
	used  *budget
}

// exceeded ends the resolution of a System from within. build and property recover it.
type exceeded struct{}

// bounded runs f, which may spend the budget.
func (r *run) bounded(f func()) {
	defer func() {
		if fault := recover(); fault != nil {
			if _, ok := fault.(exceeded); !ok {
				panic(fault)
			}
		}
	}()
	f()
}

// spend accounts for work on what is being resolved.
func (r *run) spend(work int) {
	r.used.work += work
	if r.used.work > maxWork {
		r.tooMuch("this takes more than %d expressions, with all quantifiers expanded", maxWork)
	}
	if len(*r.diags) >= max(r.used.mistakes, diag.MaxMistakes) {
		r.mistakes()
	}
	if r.used.work-r.used.looked < workUnit {
		return
	}
	r.used.looked = r.used.work
	if r.used.ctx != nil && limit.Look(r.used.ctx) != nil {
		interrupted(r.diags, r.span(), r.used.ctx)
		panic(exceeded{})
	}
}

// mistakes ends the resolution if there are too many. One that is met over and over, as for each
// choice of a move, counts once; but when it has been met often enough, there is no use in meeting
// it again.
func (r *run) mistakes() {
	n := len(*r.diags)
	switch {
	case r.diags.Distinct() >= diag.MaxMistakes:
		r.tooMuch("more than %d mistakes: the rest is not looked at", diag.MaxMistakes-1)
	case n >= maxRepeated:
		panic(exceeded{})
	}
	r.used.mistakes = 2 * n
}

// interrupted reports that the context ended the resolution: what there is of the result is not
// all.
func interrupted(diags *diag.List, at diag.Range, ctx context.Context) {
	diags.Errorf(diag.Interrupted, at, "not resolved: %v", context.Cause(ctx))
}

// statement accounts for a statement, which a loop may make one of many.
func (r *run) statement(s ast.Stmt) {
	r.used.node = s
	if r.used.statements++; r.used.statements > maxStatements {
		r.tooMuch("this takes more than %d statements, with all loops unrolled", maxStatements)
	}
	r.spend(1)
}

// span is where that stands.
func (r *run) span() diag.Range {
	return r.used.node.Span()
}

func (r *run) tooMuch(format string, args ...any) {
	r.diags.Errorf(diag.TooBig, r.span(), format, args...).
		WithHelp("nested loops and quantifiers multiply: make the board, the sets or the choices smaller")
	panic(exceeded{})
}

func (r *run) mismatch(at diag.Range, want string, v value) {
	if v.typ.kind != kBad {
		r.diags.Errorf(diag.Type, at, "%s is wanted here, this is %s", want, v.typ)
	}
}

// suggest adds "did you mean" if one of names is near to name.
func suggest(d *diag.Diagnostic, name string, names []string) {
	sort.Strings(names)
	if near := spell.Nearest(name, names); near != "" {
		d.WithHelp("did you mean `%s`?", near)
	}
}

func list(names []string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += "`" + n + "`"
	}
	return s
}

package resolve

import (
	"context"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
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

// exceeded ends the resolution of a System from within. build and property recover it.
type exceeded struct{}

// bounded runs f, which may spend the budget.
func (b *builder) bounded(f func()) {
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
func (b *builder) spend(work int) {
	b.used.work += work
	if b.used.work > maxWork {
		b.tooMuch("this takes more than %d expressions, with all quantifiers expanded", maxWork)
	}
	if len(*b.diags) >= max(b.used.mistakes, diag.MaxMistakes) {
		b.mistakes()
	}
	if b.used.work-b.used.looked < workUnit {
		return
	}
	b.used.looked = b.used.work
	if b.used.ctx != nil && limit.Look(b.used.ctx) != nil {
		interrupted(b.diags, b.place(), b.used.ctx)
		panic(exceeded{})
	}
}

// mistakes ends the resolution if there are too many. One that is met over and over, as for each
// choice of a move, counts once; but when it has been met often enough, there is no use in meeting
// it again.
func (b *builder) mistakes() {
	n := len(*b.diags)
	switch {
	case b.diags.Distinct() >= diag.MaxMistakes:
		b.tooMuch("more than %d mistakes: the rest is not looked at", diag.MaxMistakes-1)
	case n >= maxRepeated:
		panic(exceeded{})
	}
	b.used.mistakes = 2 * n
}

// interrupted reports that the context ended the resolution: what there is of the result is not
// all.
func interrupted(diags *diag.List, at diag.Range, ctx context.Context) {
	diags.Errorf(diag.Interrupted, at, "not resolved: %v", context.Cause(ctx))
}

// statement accounts for a statement, which a loop may make one of many.
func (b *builder) statement(s ast.Stmt) {
	b.used.node = s
	if b.used.statements++; b.used.statements > maxStatements {
		b.tooMuch("this takes more than %d statements, with all loops unrolled", maxStatements)
	}
	b.spend(1)
}

// place is where that stands.
func (b *builder) place() diag.Range {
	if b.used.node == nil {
		return b.variant.Name.Range
	}
	return b.used.node.Span()
}

func (b *builder) tooMuch(format string, args ...any) {
	b.diags.Errorf(diag.TooBig, b.place(), format, args...).
		WithHelp("nested loops and quantifiers multiply: make the board, the sets or the choices smaller")
	panic(exceeded{})
}

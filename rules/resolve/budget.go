package resolve

import (
	"context"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
)

// A short text may stand for a very large System, because loops are unrolled, quantifiers expanded
// and sweeps multiplied. These limits keep any file from taking minutes or gigabytes to resolve.
const (
	maxStatements = 1_000_000 // of all actions and endings, with loops unrolled
	maxWork       = 2_000_000 // expressions resolved, counting the members of their sets
	workUnit      = 1024      // work between two checks of the context
	maxRepeated   = 10_000    // mistakes, counting repeated ones
)

// budget is what has been spent on one System, with where the last checks were made.
type budget struct { // nil: resolution cannot be interrupted
	ctx        context.Context // nil: none
	statements int
	work       int
	looked     int      // work when the context was last looked at
	mistakes   int      // the number of mistakes at which they are counted again
	node       ast.Node // what is being resolved, for the place of messages
}

// run is one resolution: where its mistakes go, and what it has spent.
type run struct {
	diags *diag.List
	used  *budget
}

// exceeded is the panic value that ends the resolution of a System from within. run.bounded
// recovers it.
type exceeded struct{}

// bounded runs f and returns early if f exceeds the budget. The diagnostics then say why.
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

// spend adds work to what was spent. It panics with exceeded if that is too much, if there are too
// many mistakes, or if the context has ended.
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

// mistakes ends the resolution if there are too many mistakes. A mistake that is repeated, say for
// each choice of a move, counts once, but the number of repetitions is limited.
func (r *run) mistakes() {
	n := len(*r.diags)
	switch {
	case r.diags.Distinct() >= diag.MaxMistakes:
		r.tooMuch("more than %d mistakes: the rest is not looked at", diag.MaxMistakes-1)
	case n >= maxRepeated:
		panic(exceeded{})
	}
	// Counting distinct mistakes takes time, so the next count comes at twice as many.
	r.used.mistakes = 2 * n
}

// interrupted reports that the context ended the resolution, so the result is incomplete.
func interrupted(diags *diag.List, at diag.Range, ctx context.Context) {
	diags.Errorf(diag.Interrupted, at, "not resolved: %v", context.Cause(ctx))
}

// statement counts a statement as resolved. An unrolled loop counts its body once for each turn.
func (r *run) statement(s ast.Stmt) {
	r.used.node = s
	if r.used.statements++; r.used.statements > maxStatements {
		r.tooMuch("this takes more than %d statements, with all loops unrolled", maxStatements)
	}
	r.spend(1)
}

// span returns the place of what is being resolved.
func (r *run) span() diag.Range {
	return r.used.node.Span()
}

// tooMuch reports that a limit is exceeded, and ends the resolution.
func (r *run) tooMuch(format string, args ...any) {
	r.diags.Errorf(diag.TooBig, r.span(), format, args...).
		WithHelp("nested loops and quantifiers multiply: make the board, the sets or the choices smaller")
	panic(exceeded{})
}

// mismatch reports a value of the wrong type, unless a mistake was already reported for it.
func (r *run) mismatch(at diag.Range, want string, v value) {
	if v.typ.kind != kBad {
		r.diags.Errorf(diag.Type, at, "%s is wanted here, this is %s", want, v.typ)
	}
}

// lastHelp adds a help to the mistake that was reported last.
func (r *run) lastHelp(help string) { (*r.diags)[len(*r.diags)-1].Help = help }

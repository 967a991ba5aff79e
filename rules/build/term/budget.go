package term

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
	WorkUnit      = 1024      // work between two checks of the context
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

// Run is one resolution: where its mistakes go, and what it has spent.
type Run struct {
	Diags *diag.List
	Used  *budget
}

// Exceeded is the panic value that ends the resolution of a System from within. run.bounded
// recovers it.
type Exceeded struct{}

// Bounded runs f and returns early if f exceeds the budget. The diagnostics then say why.
func (r *Run) Bounded(f func()) {
	defer func() {
		if fault := recover(); fault != nil {
			if _, ok := fault.(Exceeded); !ok {
				panic(fault)
			}
		}
	}()
	f()
}

// Spend adds work to what was spent. It panics with exceeded if that is too much, if there are too
// many mistakes, or if the context has ended.
func (r *Run) Spend(work int) {
	r.Used.work += work
	if r.Used.work > maxWork {
		r.tooMuch("this takes more than %d expressions, with all quantifiers expanded", maxWork)
	}
	if len(*r.Diags) >= max(r.Used.mistakes, diag.MaxMistakes) {
		r.mistakes()
	}
	if r.Used.work-r.Used.looked < WorkUnit {
		return
	}
	r.Used.looked = r.Used.work
	if r.Used.ctx != nil && limit.Look(r.Used.ctx) != nil {
		Interrupted(r.Diags, r.Used.node.Span(), r.Used.ctx)
		panic(Exceeded{})
	}
}

// mistakes ends the resolution if there are too many mistakes. A mistake that is repeated, say for
// each choice of a move, counts once, but the number of repetitions is limited.
func (r *Run) mistakes() {
	n := len(*r.Diags)
	switch {
	case r.Diags.Distinct() >= diag.MaxMistakes:
		r.tooMuch("more than %d mistakes: the rest is not looked at", diag.MaxMistakes-1)
	case n >= maxRepeated:
		panic(Exceeded{})
	}
	// Counting distinct mistakes takes time, so the next count comes at twice as many.
	r.Used.mistakes = 2 * n
}

// Interrupted reports that the context ended the resolution, so the result is incomplete.
func Interrupted(diags *diag.List, at diag.Range, ctx context.Context) {
	diags.Errorf(diag.Interrupted, at, "not resolved: %v", context.Cause(ctx))
}

// Statement counts a statement as resolved. An unrolled loop counts its body once for each turn.
func (r *Run) Statement(s ast.Stmt) {
	r.Used.node = s
	if r.Used.statements++; r.Used.statements > maxStatements {
		r.tooMuch("this takes more than %d statements, with all loops unrolled", maxStatements)
	}
	r.Spend(1)
}

// tooMuch reports that a limit is exceeded, and ends the resolution.
func (r *Run) tooMuch(format string, args ...any) {
	r.Diags.Errorf(diag.TooBig, r.Used.node.Span(), format, args...).
		WithHelp("nested loops and quantifiers multiply: make the board, the sets or the choices smaller")
	panic(Exceeded{})
}

// Mismatch reports a value of the wrong type, unless a mistake was already reported for it.
func (r *Run) Mismatch(at diag.Range, want string, v Value) {
	if v.Type.Kind == BadKind {
		return
	}
	d := r.Diags.Errorf(diag.Type, at, "%s is wanted here, this is %s", want, v.Type)
	switch {
	case want == "a condition" && v.Type.Kind == IntKind:
		d.WithHelp("a number is compared: `last = 2 or last = 3`, or `last in {2, 3}`")
	case want == "a number" && v.Type.Kind == RangeKind:
		d.WithHelp("a range stands behind `in`: `last in 2..3`, `param n = 4 in 1..9`")
	case want == "a pit" && v.Type.Kind == RangeKind:
		d.WithHelp("a range stands without braces: `last in 2..3`")
	case want == "a player" && v.Type.Kind == PitKind:
		d.WithHelp("`of` stands before a player, as in `store of South`; what leads from a pit has brackets, as `opposite(last)`")
	case v.Type.Kind == SetKind:
		d.WithHelp("`total(SET)` is the number of seeds in a set, and `each SET = n` asks it of each pit")
	}
}

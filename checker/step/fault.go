package step

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Fault is an error in the rules in play, such as a variable that leaves its domain. Its message is
// short: callers replay the play with the reference interpreter to get the full one.
type Fault struct{ Diag diag.Diagnostic }

func (f *Fault) Error() string { return f.Diag.Error() }

// Unwrap returns the diagnostic.
func (f *Fault) Unwrap() error { return f.Diag }

// fault returns a Fault, for a closure to panic with.
func fault(code diag.Code, at diag.Range, format string, args ...any) *Fault {
	return &Fault{diag.Diagnostic{Code: code, Range: at, Message: fmt.Sprintf(format, args...)}}
}

// ended is the panic value of a closure after the end of the context.
type ended struct{ err error }

// recoverFault converts the panic of a closure into an error. Other panics continue.
func recoverFault(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Fault:
		*err = r
	case *rules.LimitError:
		*err = r
	case *ended:
		*err = r.err
	default:
		panic(r)
	}
}

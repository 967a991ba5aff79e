//go:build !z3 || !cgo

package solver

import "context"

// builtIn tells whether Z3 is linked into this program.
const builtIn = false

func startInProcess(context.Context) (session, error) { return nil, errNotBuiltIn }

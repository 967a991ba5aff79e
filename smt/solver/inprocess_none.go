//go:build !z3 || !cgo

package solver

import "errors"

// builtIn reports whether Z3 is linked into this program.
const builtIn = false

func startInProcess(uint32) (session, error) {
	return nil, errors.New("this build has no Z3 in process")
}

func inProcessName() string { return "" }

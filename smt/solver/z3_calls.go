//go:build z3 && cgo

package solver

// Parts of Z3's C interface that go-z3 lacks, on the contexts and solvers that it makes.

// #cgo LDFLAGS: -lz3
// #include <stdlib.h>
// #include <z3.h>
import "C"

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/mitchellh/go-z3"
)

// handle is what the C interface needs to access a solver.
type handle struct {
	context C.Z3_context
	solver  C.Z3_solver
}

// handleOf takes the C pointers from go-z3's objects. The solver's is not exported, but can be
// read.
func handleOf(ctx *z3.Context, s *z3.Solver) handle {
	raw := reflect.ValueOf(s).Elem().FieldByName("rawSolver").UnsafePointer()
	return handle{C.Z3_context(unsafe.Pointer(ctx.Z3Value())), C.Z3_solver(raw)}
}

func (h handle) push() { C.Z3_solver_push(h.context, h.solver) }
func (h handle) pop()  { C.Z3_solver_pop(h.context, h.solver, 1) }

// leaveSignals keeps Z3 from replacing Go's handler for SIGINT while it checks. Z3's handler runs
// on the stack of the interrupted goroutine, which crashes the program.
func (h handle) leaveSignals() {
	name := C.CString("ctrl_c")
	defer C.free(unsafe.Pointer(name))
	p := C.Z3_mk_params(h.context)
	C.Z3_params_inc_ref(h.context, p)
	defer C.Z3_params_dec_ref(h.context, p)
	C.Z3_params_set_bool(h.context, p, C.Z3_mk_string_symbol(h.context, name), false)
	C.Z3_solver_set_params(h.context, h.solver, p)
}

// interrupt asks a running check to stop. It is the only call allowed while another goroutine uses
// the context. It has no effect if the check has not started yet.
func (h handle) interrupt() { C.Z3_interrupt(h.context) }

func (h handle) reasonUnknown() string {
	return C.GoString(C.Z3_solver_get_reason_unknown(h.context, h.solver))
}

// z3Version returns the version of the linked library.
func z3Version() string {
	var major, minor, build, revision C.uint
	C.Z3_get_version(&major, &minor, &build, &revision)
	return fmt.Sprintf("%d.%d.%d", major, minor, build)
}

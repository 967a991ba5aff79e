//go:build 386 || arm || mips || mipsle

package num

// The numbers of the language have 63 bits and are ints everywhere. Systems whose ints are smaller
// are not supported; the compiler stops here, with a name that says so.
var _ = mancheckNeedsASystemWith64BitInts

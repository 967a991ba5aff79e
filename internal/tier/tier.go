// Package tier divides the tests in two: all of them, for `make test`, and with -short a sample of
// the long ones, for `make check` and `make race`.
package tier

import "testing"

// Every is the step with which a test goes through its cases: n with -short, and otherwise 1.
func Every(n int) int {
	if testing.Short() {
		return n
	}
	return 1
}

// Long leaves a test out with -short, and says what makes it long.
func Long(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip(why)
	}
}

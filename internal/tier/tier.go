// Package tier says how much of the tests runs. With -short it is a sample, for `make check` and
// `make race`. Without, it is every kind of test, and a larger sample of those with many cases, for
// `make test`. With MANCHECK_FULL=1 in the environment it is everything, for `make full` and `make
// fuzz`, with -short, too.
package tier

import (
	"os"
	"testing"
)

// FullVariable is set in the environment if everything is tested.
const FullVariable = "MANCHECK_FULL"

// Full reports whether everything is tested.
func Full() bool { return os.Getenv(FullVariable) != "" }

// Short reports whether only a sample is tested.
func Short() bool { return testing.Short() && !Full() }

// Every is the step with which a test goes through its cases: the first one with -short, the second
// one without, and 1 if everything is tested. Without a second one it is 1, too.
func Every(short int, test ...int) int {
	switch {
	case Short():
		return short
	case len(test) == 0 || Full():
		return 1
	}
	return test[0]
}

// Long leaves a test out with -short, and says what makes it long.
func Long(t testing.TB, why string) {
	t.Helper()
	if Short() {
		t.Skip(why)
	}
}

// Whole leaves a test out unless everything is tested, and says what it is that takes long.
func Whole(t testing.TB, why string) {
	t.Helper()
	if !Full() {
		t.Skipf("%s: set %s=1", why, FullVariable)
	}
}

// First returns the beginning of a list: as many cases as the first number says with -short, as the
// second says without, and all of them if everything is tested.
func First[T any](list []T, short, test int) []T {
	switch {
	case Full():
		return list
	case Short():
		return list[:short]
	}
	return list[:test]
}

package encode_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
)

// TestForeign checks that New rejects types that are not the kernel's.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error { _, err := newBench(sys, encode.Options{}); return err }) {
			t.Errorf("%s: New returns no error", place)
		}
	}
}

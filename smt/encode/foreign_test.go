package encode_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
)

// TestForeign: what is no type of the kernel is not put into formulas.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error { _, err := newBench(sys, encode.Options{}); return err }) {
			t.Errorf("%s: New says nothing", place)
		}
	}
}

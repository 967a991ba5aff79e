package rules_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules"
)

// TestMirror: a mirrored comparison says the same of its sides exchanged.
func TestMirror(t *testing.T) {
	for _, op := range []rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge} {
		for l := range 3 {
			for r := range 3 {
				plain, err := rules.Apply(op, l, r)
				mirrored, err2 := rules.Apply(op.Mirror(), r, l)
				if err != nil || err2 != nil || plain != mirrored {
					t.Errorf("%d %v %d is %d, %d %v %d is %d", l, op, r, plain, r, op.Mirror(), l, mirrored)
				}
			}
		}
	}
	if rules.Sub.Mirror() != rules.Sub {
		t.Error("what is no comparison was changed")
	}
}

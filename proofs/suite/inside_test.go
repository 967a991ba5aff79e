package suite

import (
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/resolve"
)

// TestShort: more memory is only tried where it may help.
func TestShort(t *testing.T) {
	reach, relation := &resolve.Reach{}, &resolve.Relation{}
	for _, test := range []struct {
		p    resolve.Property
		r    proofs.Result
		want bool
	}{
		{reach, proofs.Result{Status: proofs.Unknown, Stats: proofs.Stats{Bytes: 900}}, true},
		{reach, proofs.Result{Status: proofs.Unknown, Stats: proofs.Stats{Bytes: 10}}, false},
		{reach, proofs.Result{Status: proofs.Proved, Stats: proofs.Stats{Bytes: 900}}, false},
		{reach, proofs.Result{Status: proofs.Proved, Limited: true}, true},
		{relation, proofs.Result{Status: proofs.Unknown}, false},
		{relation, proofs.Result{Status: proofs.Unknown, Limited: true}, true},
		{relation, proofs.Result{Status: proofs.Proved}, false},
	} {
		test.r.Instance = &resolve.Instance{Property: test.p}
		if got := short(&test.r, 1000); got != test.want {
			t.Errorf("%T %v: %t", test.p, test.r.Status, got)
		}
	}
}

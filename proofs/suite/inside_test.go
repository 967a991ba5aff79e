package suite

import (
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// TestShort: more memory is only tried where it may help.
func TestShort(t *testing.T) {
	reach, relation := &build.Reach{}, &build.Relation{}
	for _, test := range []struct {
		p    build.Property
		r    verdict.Verdict
		want bool
	}{
		{reach, verdict.Verdict{Status: proofs.Unknown, Stats: verdict.Stats{Bytes: 900}}, true},
		{reach, verdict.Verdict{Status: proofs.Unknown, Stats: verdict.Stats{Bytes: 10}}, false},
		{reach, verdict.Verdict{Status: proofs.Proved, Stats: verdict.Stats{Bytes: 900}}, false},
		{reach, verdict.Verdict{Status: proofs.Proved, Limited: true}, true},
		{relation, verdict.Verdict{Status: proofs.Unknown}, false},
		{relation, verdict.Verdict{Status: proofs.Unknown, Limited: true}, true},
		{relation, verdict.Verdict{Status: proofs.Proved}, false},
	} {
		r := proofs.Result{Verdict: test.r, Instance: &build.Instance{Property: test.p}}
		if got := short(&r, 1000); got != test.want {
			t.Errorf("%T %v: %t", test.p, test.r.Status, got)
		}
	}
}

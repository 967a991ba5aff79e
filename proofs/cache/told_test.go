package cache

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// again tells a verdict and reads what was told.
func again(t *testing.T, r *proofs.Result) *proofs.Result {
	t.Helper()
	text, err := Tell(r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Told(r.Instance, text)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return got
}

// TestTold: all that is said of a verdict is as before once it was told, and so is what it rests
// on but for evidence for certificates.
func TestTold(t *testing.T) {
	results := decided(t)
	open := *results[0]
	open.Status, open.Found, open.Checked, open.Evidence = verdict.Unknown, nil, verdict.NotYet, nil
	open.Open = verdict.At{Param: "n", Value: 2, Rest: verdict.Because(verdict.Ended{Work: verdict.ForwardSearch, Limit: limit.Hit{Kind: limit.States, Most: 3}, States: 4, Depth: -1})}
	open.Limited, open.Strict, open.Missing = true, true, &verdict.MissingSolver{Program: "z3", Help: verdict.Words("install it")}
	bounded := open
	bounded.Status, bounded.Bound, bounded.Open = verdict.Bounded, 7, verdict.NotInductive.Of(2)
	begun := proofs.Undecided(results[0].Instance, "auto", verdict.Ended{Work: verdict.Waiting, Limit: limit.Hit{Kind: limit.Time, After: time.Minute}})
	for _, r := range append(results, &open, &bounded, begun) {
		r := new(*r)
		r.Stats.Elapsed = 1234567 * time.Nanosecond
		got := again(t, r)
		if !reflect.DeepEqual(got.Verdict, r.Verdict) {
			t.Errorf("%s: %+v\nwant\n%+v", r.Instance.Claim.Name, got.Verdict, r.Verdict)
		}
		if got.Strict != r.Strict || got.Sentence() != r.Sentence() || got.AsExpected() != r.AsExpected() || got.System.Hash() != r.System.Hash() {
			t.Errorf("%s: %q, want %q", r.Instance.Claim.Name, got.Sentence(), r.Sentence())
		}
		if (got.Trace == nil) != (r.Trace == nil) || got.Trace != nil && !cmp.Equal(got.Trace.Moves(), r.Trace.Moves()) {
			t.Errorf("%s has another play", r.Instance.Claim.Name)
		}
		if got.Sets != nil && !cmp.Equal(got.Sets.Found, r.Sets.Found, cmpopts.EquateEmpty()) || !cmp.Equal(got.Lengths, r.Lengths) || got.Evidence != nil {
			t.Errorf("%s has other evidence", r.Instance.Claim.Name)
		}
	}
}

// TestToldIsNoEntry: what is told may be inconclusive, and an entry may not; neither is read as the
// other.
func TestToldIsNoEntry(t *testing.T) {
	r := decided(t)[0]
	told, err := Tell(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(r.Instance, told, Strictly); err == nil {
		t.Error("what was told is an entry")
	}
	entry, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Told(r.Instance, entry); err == nil {
		t.Error("an entry is what was told")
	}
	open := new(*r)
	open.Status = verdict.Unknown
	if entry, err = Encode(open); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(r.Instance, entry, Strictly); err == nil {
		t.Error("an entry is inconclusive")
	}
}

package cache

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
)

// TestResealed changes a value in an entry and seals it again, as somebody does who may write into
// the folder. Without the key the entry is not the user's own. So its verdict is the true one, is
// said to be unchecked, which a run does not take, or is refused.
func TestResealed(t *testing.T) {
	ends := map[string]int{}
	results := decided(t)
	folder := t.TempDir()
	own, forger := &Store{Dir: folder, Secret: []byte("own")}, &Store{Dir: folder, Secret: []byte("another")}
	for seed := range phasetest.Runs(60) * uint64(len(results)) {
		truth, k := results[seed%uint64(len(results))], Key{byte(seed)}
		text, err := Encode(truth)
		if err != nil {
			t.Fatal(err)
		}
		what, text := phasetest.Change(rand.New(rand.NewPCG(seed, 5)), text)
		if err := forger.Put(k, text); err != nil {
			t.Fatal(err)
		}
		if seed%2 == 0 { // with the mark of an entry that is the user's own
			entry := forger.seal(k, compressor.Compress(text))
			copy(entry[len(Format)+1+64+1:], own.mark(digest(k, []byte("other"))))
			if err := os.WriteFile(own.Path(k), entry, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		text, trusted, ok := own.Get(k)
		if trusted || !ok {
			t.Fatalf("%s: trusted %v, read %v", what, trusted, ok)
		}
		claimed, err := Decode(truth.Instance, text, Strictly)
		if err != nil {
			ends["not read"]++
			continue
		}
		_, _, _ = claimed.Sentence(), say.Notes(&claimed.Verdict), say.Gap(claimed.Gap)
		got, err := proofs.Confirm(t.Context(), truth.Instance, claimed, proofs.Options{Engine: "auto", Bounds: limit.Bounds{Threads: 1}, Certify: true})
		switch {
		case err != nil:
			ends["refused"]++
		case got.Checked == proofs.Unchecked || got.Checked == proofs.NotYet:
			ends["unchecked"]++
		case got.Status == truth.Status:
			ends["right"]++
		default:
			t.Errorf("`%s` is %v, but with %s the entry makes it %v", truth.Instance.Claim.Name, truth.Status, what, got.Status)
		}
	}
	t.Log(ends)
	if ends["not read"] == 0 || ends["refused"] == 0 || ends["right"] == 0 {
		t.Errorf("entries were read as %v", ends)
	}
}

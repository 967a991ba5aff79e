package store_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/disk"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// stores are all kinds of stores of boards with the given number of seeds.
func stores(t *testing.T, codec *pack.Codec, seeds int) map[string]store.Store {
	t.Helper()
	onDisk, err := disk.Open(t.Context(), t.TempDir()+"/levels", disk.Options{Words: codec.Words(), Identity: "test", Memory: 1 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := onDisk.Close(); err != nil {
			t.Error(err)
		}
	})
	list := map[string]store.Store{"disk": onDisk}
	for name, kind := range map[string]store.Kind{"fitting": store.Fitting, "bits": store.InBits, "hash": store.InHash, "keys": store.InKeys} {
		list[name] = store.New(codec, seeds, false, store.Options{Workers: 1, MaxMemory: 1 << 24, Kind: kind, Tiny: true})
	}
	return list
}

// TestLevels: whatever the kind, a level is the keys that were added and are in no level before it,
// each once; and its blocks and its pieces have the same keys.
func TestLevels(t *testing.T) {
	const seeds = 6
	sys := rulestest.Kalah(2, 1, false)
	codec, err := pack.NewCodec(sys, seeds, rules.Parts{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		all := stores(t, codec, seeds)
		seen := map[uint64]bool{}
		for depth := range rapid.IntRange(1, 4).Draw(r, "levels") {
			var keys, want []uint64
			for range rapid.IntRange(1, 40).Draw(r, "keys") {
				flat, key := pack.NewFlat(sys), []uint64{0}
				flat.Set(rulestest.State(sys, seeds).Draw(r, "state"))
				if err := codec.Pack(flat, key); err != nil {
					r.Fatal(err)
				}
				keys = append(keys, key[0])
				if !seen[key[0]] {
					want = append(want, key[0])
				}
				seen[key[0]] = true
			}
			slices.Sort(want)
			for name, s := range all {
				s.Add(0, keys, false)
				total, err := s.Settle(int64(len(seen)))
				if err != nil || total != int64(len(seen)) {
					r.Fatalf("%s: %d states, %v, want %d", name, total, err, len(seen))
				}
				var blocks, pieces []uint64
				for i := range s.Level() {
					block := s.Current(0, i)
					blocks = append(blocks, block...)
					s.Release(0, block)
				}
				for _, p := range s.Pieces(depth) {
					pieces = append(pieces, s.Read(0, p, nil)...)
				}
				slices.Sort(blocks)
				slices.Sort(pieces)
				if s.Err() != nil || !slices.Equal(blocks, want) || !slices.Equal(pieces, want) {
					r.Fatalf("%s: level %d has the blocks %x and the pieces %x, want %x; %v", name, depth, blocks, pieces, want, s.Err())
				}
			}
		}
	})
}

package cache

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules/build"
)

// shapes of verdicts, and what entries hold of them: evidence, plays, values of parameters,
// elements of sets.
const shapes = `
variant Pair {
  param n = 3 in 1..9
  board {
    p[1..2] | q[1..2]
    line way = p, q
  }
  setup { p1 = n }
  move "M" { choose k in 1..2 require p1 >= k take k from p1 into q1 }
  move "N" { require p1 = 0 take 1 from q1 into q2 }
  end when q2 = 1
}
claim a { unreachable q2 = 2 }
claim b { reachable q1 = 2 }
claim c { reachable q1 = 5 for some n }
claim d { invariant total(p) = 3 }
claim e { successors(q2 = 0) = { q1 = 3, q1 = 1 } }
claim g { terminates within 9 }
`

// decided are the instances of the shapes, and their verdicts.
func decided(t testing.TB) []*proofs.Result {
	t.Helper()
	program, diags := dsl.Load("t.sow", func(string) ([]byte, error) { return []byte(shapes), nil })
	unit, more := build.Collect(program.Files)
	diags = append(diags, more...)
	var list []*proofs.Result
	for _, decl := range unit.Claims {
		c, more := unit.Claim(decl)
		for _, inst := range c.Instances(nil, &more) {
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: "auto", Bounds: limit.Bounds{Threads: 1}, Certify: true})
			if err != nil {
				t.Fatal(decl.Name.Name, err)
			}
			list = append(list, r)
		}
		diags = append(diags, more...)
	}
	if diags.HasErrors() || len(list) != len(unit.Claims) {
		t.Fatal(diags)
	}
	return list
}

// FuzzDecode reads entries for several claims, and confirms what they say as a run does before it
// believes it.
func FuzzDecode(f *testing.F) {
	results := decided(f)
	for n, r := range results {
		text, err := Encode(r)
		if err != nil {
			f.Fatal(r.Instance.Claim.Name, err)
		}
		f.Add(uint8(n), text)
	}
	f.Add(uint8(0), []byte("{}"))
	f.Fuzz(func(t *testing.T, n uint8, text []byte) {
		truth := results[int(n)%len(results)]
		cost.Limited(t, 1<<30+64*uint64(len(text)), func() {
			claimed, err := Decode(truth.Instance, text, Strictly)
			if err != nil {
				return
			}
			_, _, _ = claimed.Sentence(), say.Notes(&claimed.Verdict), say.Gap(claimed.Gap) // of anything that can be read
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			got, err := proofs.Confirm(ctx, truth.Instance, claimed, proofs.Options{Engine: "auto", Bounds: limit.Bounds{Threads: 1}, Certify: true, SolverSteps: 1000})
			if err == nil && got.Checked != proofs.Unchecked && got.Checked != proofs.NotYet && got.Status != truth.Status {
				t.Fatalf("`%s` is %v, and the entry makes it %v", truth.Instance.Claim.Name, truth.Status, got.Status)
			}
			if err == nil {
				if _, err := Encode(got); err != nil {
					t.Fatalf("what was read cannot be written: %v", err)
				}
			}
		})
	})
}

// FuzzEntry reads entries whose digest is right, whatever they hold.
func FuzzEntry(f *testing.F) {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(z.EncodeAll([]byte("{}"), nil))
	f.Add(z.EncodeAll(make([]byte, 64<<20), nil))
	f.Add([]byte("\x28\xb5\x2f\xfd\x00"))
	s := &Store{Dir: f.TempDir()}
	k := Key{1}
	if err := s.Put(k, []byte("x")); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		entry := s.seal(k, packed)
		if err := os.WriteFile(s.Path(k), entry, 0o666); err != nil {
			t.Fatal(err)
		}
		cost.Limited(t, 64<<20+4*uint64(cert.Expanded(len(packed))), func() {
			if text, _, ok := s.Get(k); ok && len(text) > cert.Expanded(len(packed)) {
				t.Errorf("%d bytes became %d", len(packed), len(text))
			}
		})
	})
}

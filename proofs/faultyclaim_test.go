package proofs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/resolve/resolvetest"
)

// TestFaultyClaim: a claim that has no value in a reachable state is a mistake in the claim,
// neither a verdict nor a fault of the engine.
func TestFaultyClaim(t *testing.T) {
	const text = `variant V {
  board {
    a | b | c
    line way = a, b, c
  }
  setup { a = 2 }
  move {
    sow a along way
  }
  end when no move
}
claim start { unreachable total(pit) = 2 and 1 div seeds(b) = 7 }
claim later { unreachable total(pit) = 2 and 1 div seeds(a) = 7 }
`
	path := filepath.Join(t.TempDir(), "v.sow")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []proofs.Engine{proofs.Auto, proofs.Forward, proofs.Backward} {
		for _, inst := range resolvetest.Instances(t, resolvetest.File(t, path), "", nil) {
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: engine})
			var d diag.Diagnostic
			if !errors.As(err, &d) || d.Code != diag.DivZero {
				t.Errorf("%s by %s: %v, %v", inst.Name(), engine, r, err)
			}
		}
	}
}

package cert_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/proofs/cert"
)

// TestInterruptedCheck: a check that is interrupted at any point, even while the rules are read,
// does not reject the certificate.
func TestInterruptedCheck(t *testing.T) {
	for _, c := range []*cert.Certificate{dose(t, 5), kalah(t, 1, 2)} {
		interrupted := 0
		for n := 0; ; n = n*3/2 + 1 {
			_, err := cert.Check(cost.Looks(t.Context(), n), c)
			if err == nil {
				break
			}
			interrupted++
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, after %d checks of the context: %v", c.Claim.Name, n, err)
			}
		}
		if interrupted < 2 {
			t.Errorf("%s: the context is checked only %d times", c.Claim.Name, interrupted)
		}
	}
}

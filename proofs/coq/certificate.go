package coq

import (
	"context"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert"
)

// Theorem writes a file for Coq with the System, the claim and the evidence of a certificate, and a
// theorem that says what is certified. Its proof is a computation on the evidence. The error is a
// *NoCounterpart where the theory has no theorem for it, one of cert.Certificate.Content, or the
// context's.
func Theorem(ctx context.Context, c *cert.Certificate) ([]byte, error) {
	content, err := c.Content(ctx)
	if err != nil {
		return nil, err
	}
	t := newTheorem(content, Identifier(c.Claim.Name), c.Verdict)
	text := t.file(c)
	return []byte(text), t.err
}

func (t *theorem) file(c *cert.Certificate) string {
	if t.Sizes != nil {
		return t.everySize(c)
	}
	var b strings.Builder
	statement := t.proved(&b)
	fmt.Fprintf(&b, "\nPrint Assumptions %s.\n", statement)
	return comment(heading(c)) + "\n" + Preamble("Kernel", "Claims", "Evidence", t.module) + "\n" + b.String()
}

package vet

import (
	"context"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Foreign reports the drawn positions of claims about plays that have the seeds of no start, so
// that no play comes to them. Each place is reported once, also if a sweep makes many claims of it.
func Foreign(ctx context.Context, claims []*suite.Item) diag.List {
	var diags diag.List
	seen := map[diag.Range]bool{}
	for _, c := range claims {
		if c.Instance == nil {
			continue
		}
		for _, p := range proofs.Foreign(ctx, c.Instance) {
			if seen[p.At] {
				continue
			}
			seen[p.At] = true
			diags.Warnf(diag.NoSuchTotal, p.At, "no start of `%s` has as many seeds as the position `%s`", c.Instance.System.Name, p.Position).
				WithHelp("no play comes to it, so the claim says nothing; draw it with the seeds of a start, or set the parameters that it is meant for")
		}
	}
	return diags
}

package vet

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
)

// foreign reports the drawn positions of claims about plays that have the seeds of no start, so
// that no play comes to them. Each place is reported once, also if a sweep makes many claims of it.
func foreign(l *look) {
	seen := map[diag.Range]bool{}
	for _, c := range l.found.Items {
		if c.Instance == nil {
			continue
		}
		for _, p := range proofs.Foreign(l.ctx, c.Instance) {
			if seen[p.At] {
				continue
			}
			seen[p.At] = true
			l.warn(diag.NoSuchTotal, p.At, "no start of `%s` has as many seeds as the position `%s`", c.Instance.System.Name, p.Position).
				WithHelp("no play comes to it, so the claim says nothing; draw it with the seeds of a start, or set the parameters that it is meant for")
		}
	}
}

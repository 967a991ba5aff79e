package proofs

import (
	"context"

	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// foreignLooks bounds the search for a start with the seeds of one position: it is a few hundred
// thousand boards, after which nothing is said of the position.
const foreignLooks = 256

// Foreign lists the drawn positions that a claim about plays names although no start has as many
// seeds, each once. No move makes or loses seeds, so no play comes to them, and the claim says
// nothing of them. With open parameters nothing is known.
func Foreign(ctx context.Context, inst *build.Instance) (list []build.Fitted) {
	if len(inst.System.OpenParams()) > 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, p := range inst.Fitted {
		if seen[p.Position] {
			continue
		}
		seen[p.Position] = true
		if e, err := space.StartWith(ctx, inst.System, p.Seeds, foreignLooks); err == nil && e == space.None {
			list = append(list, p)
		}
	}
	return list
}

package main

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// earlier has the claims of files at an earlier revision, by file and name: what their verdicts
// depend on, and what was expected.
type earlier map[string]claimed

// claimed is one of these claims. Two revisions have the same claim if both fields agree.
type claimed struct {
	key     cache.Key
	refuted bool
}

// has reports whether an item is the same as at the earlier revision.
func (e earlier) has(i *suite.Item, key cache.Key) bool {
	was, ok := e[i.File+"\n"+i.Name()]
	return ok && was == claimed{key, i.Instance.Claim.Refuted}
}

// before reads the files at the revision of --since. Claims with mistakes there count as new, and
// those of a repository without the revision, if another one has it.
func (f *suiteFlags) before(s *session, items []*suite.Item, opt suite.Options) (earlier, error) {
	given, _ := input.Settings(f.Param)
	old := input.NewRevision(f.Since)
	out := earlier{}
	known := false
	var missing []error
	for n, i := range items {
		if n > 0 && items[n-1].File == i.File {
			continue
		}
		unit, err := old.Unit(i.File)
		if err != nil {
			missing = append(missing, fmt.Errorf("--since %s: %w", f.Since, err))
			continue
		}
		if known = true; unit == nil {
			continue
		}
		was, _ := (&input.File{Path: i.File, Unit: unit}).Items(nil, given)
		for _, i := range was {
			if i.Err == nil {
				out[i.File+"\n"+i.Name()] = claimed{cache.KeyOf(opt.Build, i.Instance, opt.Decide), i.Instance.Claim.Refuted}
			}
		}
	}
	if !known && len(missing) > 0 {
		return nil, missing[0]
	}
	for _, text := range lists.Distinct(lists.Map(missing, error.Error)) {
		s.note("%s; its claims count as new", text)
	}
	return out, nil
}

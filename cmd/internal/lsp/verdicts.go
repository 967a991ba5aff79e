package lsp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Decider decides claims as the command line does.
type Decider interface {
	Decide(ctx context.Context, job Job) ([]*suite.Item, error)
}

// Job is what is to be decided, and how.
type Job struct {
	Path     string
	Claims   []string // empty: all but those that take long
	Reader   *input.Reader
	Settings Settings // those that count
	Watch    func(suite.Progress)
}

// verdict is what came of a claim, with what it depends on.
type verdict struct {
	items   []*suite.Item
	keys    []cache.Key
	refuted bool // the text expects it to be
	print   [sha256.Size]byte

	mu     sync.Mutex
	stands map[*editor.Text]bool // whether it stands in a text
}

// verdicts are the last ones on the claims of texts.
type verdicts struct {
	slot chan struct{} // holds a value while something is decided: one at a time

	mu      sync.Mutex
	of      map[claimName]*verdict
	running map[claimName]int
}

// claimName is a claim of a file.
type claimName struct{ path, claim string }

// put keeps the verdicts on the claims of a file. An item that has failed is no verdict, nor is
// that of any other instance of its claim. What verdicts depend on is taken from the items: a file
// that is imported may have changed meanwhile.
func (v *verdicts) put(path string, items []*suite.Item) {
	by, no := map[string][]*suite.Item{}, map[string]bool{}
	for _, i := range items {
		by[i.Claim] = append(by[i.Claim], i)
		no[i.Claim] = no[i.Claim] || i.Skipped || i.Instance == nil || i.Result == nil || i.Err != nil
	}
	made := map[string]*verdict{}
	for claim, list := range by {
		if no[claim] {
			continue
		}
		one := &verdict{items: list, print: editor.Print(list[0].Program), refuted: list[0].Instance.Claim.Refuted, stands: map[*editor.Text]bool{}}
		one.keys = lists.Map(list, keyOf)
		made[claim] = one
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for claim, one := range made {
		v.of[claimName{path, claim}] = one
	}
}

// keyOf identifies what an item is about, as the cache does.
func keyOf(i *suite.Item) cache.Key {
	if i.Instance.Restore() != nil {
		return cache.Key{} // it had a System when it was decided; it never fits another
	}
	return cache.KeyOf(cache.Build{}, i.Instance, proofs.Options{})
}

// current is the verdict on a claim of a text, or nil: there is none, the claim has mistakes, or it
// or the rules are no longer those that were decided.
func (v *verdicts) current(text *editor.Text, c editor.Claim) *verdict {
	v.mu.Lock()
	one := v.of[claimName{text.Path, c.Name.Name}]
	v.mu.Unlock()
	if one == nil || !c.Sound {
		return nil
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	stands, known := one.stands[text]
	if !known {
		stands = one.print == editor.Print(text.Program) || one.same(text, c.Name.Name)
		one.stands = map[*editor.Text]bool{text: stands} // of earlier texts nobody asks again
	}
	if !stands {
		return nil
	}
	return one
}

// same reports whether a claim of a text is the one that was decided.
func (one *verdict) same(text *editor.Text, claim string) bool {
	items := text.Items(claim)
	if len(items) != len(one.items) {
		return false
	}
	for n, i := range items {
		if i.Instance == nil || i.Instance.Claim.Refuted != one.refuted || i.Name() != one.items[n].Name() || keyOf(i) != one.keys[n] || one.keys[n] == (cache.Key{}) {
			return false
		}
	}
	return len(items) > 0
}

// line is the verdict in one line, in the words of `check`.
func (one *verdict) line() string {
	if len(one.items) == 1 {
		row := report.RowOf(one.items[0])
		text := row.Mark + " " + row.Verdict
		switch {
		case row.Found == "":
		case one.items[0].Result != nil && one.items[0].Result.Inconclusive():
			text += ": " + row.Found
		default:
			text += " · " + row.Found
		}
		return text
	}
	counts := map[string]int{}
	for _, i := range one.items {
		row := report.RowOf(i)
		counts[row.Mark+" "+row.Verdict]++
	}
	var parts []string
	for text, n := range counts {
		if n == len(one.items) {
			return fmt.Sprintf("%s · %d instances", text, n)
		}
		parts = append(parts, fmt.Sprintf("%s: %d", text, n))
	}
	slices.Sort(parts)
	return fmt.Sprintf("%s of %d instances", strings.Join(parts, ", "), len(one.items))
}

// hasPlay reports whether a play is evidence for the verdict.
func (one *verdict) hasPlay() bool {
	return slices.ContainsFunc(one.items, func(i *suite.Item) bool { return i.Result != nil && i.Result.Trace != nil })
}

// begin notes that claims of a text are being decided, until end is called.
func (v *verdicts) begin(path string, claims []string) (end func()) {
	add := func(n int) {
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, c := range claims {
			v.running[claimName{path, c}] += n
		}
	}
	add(1)
	return func() { add(-1) }
}

// underWay reports whether a claim is being decided.
func (v *verdicts) underWay(path, claim string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.running[claimName{path, claim}] > 0
}

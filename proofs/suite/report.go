// Package suite decides many claims in one run: it schedules them, keeps their verdicts in a cache,
// and says of each what came of it.
//
//	report.go  what came of a run
//	run.go     the run: claims side by side, results in order, each with its part of the memory
//	cached.go  verdicts from the cache, and into it; what is not kept in memory
//	shard.go   the part of a run that one machine decides
package suite

import (
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/rules/build"
)

// Report is a whole run: the items in the order of the files and of the claims in them, whatever
// the order in which they were decided.
type Report struct {
	Items []*Item
	Part  *Part // what the items are a part of; nil if they are all
}

// Item is one instance of a claim in a run. Just one of Result, Err and Skipped says what came of
// it. A claim that does not resolve, and a file that could not be read, have an item with an error
// and without an instance.
type Item struct {
	File     string // as named on the command line, or found in a folder
	Program  *dsl.Program
	Claim    string // its name; empty for a file
	Instance *build.Instance
	Result   *proofs.Result
	Err      error // a fault of the rules in play, or of the tool
	Skipped  bool  // left out, since nothing that it depends on has changed, or as Long
	Long     bool  // left out, since it takes long and was not asked for
	Cached   bool  // Result comes from the cache: it was decided, and perhaps checked, by an earlier run

	key  *cache.Key     // once it was asked for
	open *proofs.Result // after Shed: that nothing is known
}

// Outcome is an item's place in all summaries.
type Outcome int

const (
	AsExpected Outcome = iota
	NotAsExpected
	Inconclusive
	Failed
	NotRun
)

// Outcome classifies the item.
func (i *Item) Outcome() Outcome {
	switch {
	case i.Skipped:
		return NotRun
	case i.Result == nil:
		return Failed
	case i.Result.AsExpected():
		return AsExpected
	case i.Result.Inconclusive():
		return Inconclusive
	}
	return NotAsExpected
}

// Name identifies the item among those of its file.
func (i *Item) Name() string {
	switch {
	case i.Instance != nil:
		return i.Instance.Name()
	case i.Claim != "":
		return i.Claim
	}
	return "(file)"
}

// Count is how many items have the outcome.
func (r *Report) Count(o Outcome) int {
	return lists.Count(r.Items, func(i *Item) bool { return i.Outcome() == o })
}

// LeftOut lists the claims that were left out since they take long, each once, by file and name.
func (r *Report) LeftOut() []string {
	long := lists.Filter(r.Items, func(i *Item) bool { return i.Long })
	return slices.Compact(lists.Map(long, func(i *Item) string { return i.File + ": " + i.Claim }))
}

// Unchanged is how many claims were left out since nothing has changed.
func (r *Report) Unchanged() int {
	return r.Count(NotRun) - lists.Count(r.Items, func(i *Item) bool { return i.Long })
}

// Checked is how many conclusive verdicts have been checked, and how many have not.
func (r *Report) Checked() (checked, unchecked int) {
	for _, i := range r.Items {
		switch {
		case i.Result == nil || i.Result.Checked == proofs.NotYet:
		case i.Result.Checked == proofs.Unchecked:
			unchecked++
		default:
			checked++
		}
	}
	return checked, unchecked
}

// ExitCode is the exit status for a run: 2 if something failed, otherwise 1 if a verdict
// contradicts its expectation, otherwise 3 if one is inconclusive, otherwise 0.
func (r *Report) ExitCode() int {
	switch {
	case r.Count(Failed) > 0:
		return 2
	case r.Count(NotAsExpected) > 0:
		return 1
	case r.Count(Inconclusive) > 0:
		return 3
	}
	return 0
}

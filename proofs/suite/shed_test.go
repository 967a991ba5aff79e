package suite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// listed is what a table shows of a run, without the time.
func listed(rep *suite.Report) []string {
	var out []string
	for _, i := range rep.Items {
		line := fmt.Sprintf("%s %d %v", i.Name(), i.Outcome(), i.Err)
		if r := i.Result; r != nil {
			moves := -1
			if r.Trace != nil {
				moves = len(r.Trace.Steps)
			}
			line += fmt.Sprintf(" %s %s %s %v %d %t %q %+v", r.Status, r.Engine, r.Checked, r.Scope, moves, r.OfNothing(), r.Sentence(), r.Claim)
		}
		out = append(out, line)
	}
	return out
}

// missed is the race with a claim that is not as expected.
func missed() string {
	return strings.Replace(race, "claim ends of Race {", "claim ends of Race { expect refuted", 1)
}

// TestBrief: a run that keeps only what a table shows has the same in its table, whether its
// verdicts are decided, recalled early or recalled in their turn. What is not as expected is whole.
func TestBrief(t *testing.T) {
	t.Parallel()
	opt := store(t)
	opt.Store.Secret = []byte("mine")
	want := listed(run(t, suite.Options{}, text(t, missed())...))
	opt.Brief = true
	for turn := range 3 {
		items := text(t, missed())
		if turn < 2 {
			suite.Recall(items, opt)
		}
		suite.Shed(items, opt)
		for _, i := range items {
			if early := i.Result != nil; early != (turn == 1) || early != i.Cached {
				t.Errorf("turn %d: %s was recalled early: %t", turn, i.Name(), early)
			}
		}
		rep := run(t, opt, items...)
		if d := cmp.Diff(want, listed(rep)); d != "" {
			t.Errorf("turn %d: %s", turn, d)
		}
		for _, i := range rep.Items {
			if i.Cached != (turn > 0) {
				t.Errorf("turn %d: %s is cached: %t", turn, i.Name(), i.Cached)
			}
			if i.Outcome() == suite.AsExpected != (i.Result.System == nil) {
				t.Errorf("turn %d: %s has a System: %t", turn, i.Name(), i.Result.System != nil)
			}
		}
	}
}

// TestRecallLeaves: what Run would not believe, or may leave out, is not recalled early.
func TestRecallLeaves(t *testing.T) {
	t.Parallel()
	opt := store(t)
	opt.Store.Secret = []byte("mine")
	run(t, opt, text(t, race)...)
	changed, checked, others := opt, opt, opt
	changed.Changed = true
	checked.Decide.CheckAll = true
	foreign := *opt.Store
	foreign.Secret = []byte("another's")
	others.Store = &foreign
	for name, opt := range map[string]suite.Options{"changed": changed, "checked": checked, "others": others, "off": {}} {
		items := text(t, race)
		suite.Recall(items, opt)
		for _, i := range items {
			if i.Result != nil || i.Err != nil {
				t.Errorf("%s: %s: %+v, %v", name, i.Name(), i.Result, i.Err)
			}
		}
	}
}

// TestBriefInterrupt: what was forgotten and is not decided is unknown, and named.
func TestBriefInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	interrupted := func(opt suite.Options) []string {
		items := text(t, race)
		suite.Shed(items, opt)
		return listed(suite.Run(ctx, items, opt))
	}
	cancel()
	got := interrupted(suite.Options{Brief: true, Decide: proofs.Options{Engine: proofs.Auto}})
	if d := cmp.Diff(interrupted(suite.Options{Decide: proofs.Options{Engine: proofs.Auto}}), got); d != "" {
		t.Error(d)
	}
}

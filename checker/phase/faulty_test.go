package phase_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/file/faulty"
	"github.com/mancheck/mancheck/internal/tier"
)

// tiny is work with few calls to the file system.
var tiny = phasetest.Reach{Numbers: 30, Degree: 2, Stride: 20, Seed: 1, Shards: 2}

// TestFaulty: if a call to the file system fails, or the disk is full from that call on, the work
// ends with an error or has the right result. When the fault is over, the work continues.
func TestFaulty(t *testing.T) {
	count := quick(faulty.Fails, 0)
	restore := file.Replace(count)
	d, _ := begin(t, tiny)
	before := count.Calls()
	_, err := complete(t.Context(), d, nil)
	restore()
	calls := count.Calls() - before
	if err != nil || calls < 500 {
		t.Fatal(calls, err)
	}
	for _, kind := range faulty.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			for at := 1 + int(kind); at < calls; at += 101 * tier.Every(12, 5) {
				fault(t, kind, at)
			}
		})
	}
}

// quick is a faulty file system that does not wait for the disk.
func quick(kind faulty.Kind, at int) *faulty.System {
	s := faulty.New(kind, at)
	s.System = phasetest.Files()
	return s
}

func fault(t *testing.T, kind faulty.Kind, at int) {
	d, _ := begin(t, tiny)
	disk := quick(kind, at)
	restore := file.Replace(disk)
	p, err := complete(t.Context(), d, nil)
	restore()
	where := fmt.Sprintf("call %d, %s", at, disk.Struck())
	full := kind == faulty.Full && disk.Struck() != ""
	switch {
	case full && !errors.Is(err, syscall.ENOSPC):
		t.Errorf("%s: error %v", where, err)
	case err == nil:
		right(t, d, tiny, p)
		return
	}
	// After a failed call the cache of the job may be out of date.
	again := &phase.Driver{Job: d.Job, Work: d.Work}
	if p, err = complete(t.Context(), again, nil); err != nil {
		t.Errorf("%s: the work does not continue: %v", where, err)
		return
	}
	right(t, again, tiny, p)
}

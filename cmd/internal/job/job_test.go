package job_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
)

const race = `variant Race {
  param n = 3 in 1..
  board {
    a | b | c
    line way = a, b, c
  }
  setup { a = n }
  move step {
    choose k in 1..2
    require a >= k
    take k from a into b
  }
  end when no move
}
claim never of Race { unreachable b > n }
claim soon of Race { reachable b = 3 within 2 }
claim ends of Race { terminates }
claim sweep of Race { for n in 1..3: unreachable b > n }
claim all of Race { unreachable b > 4 for all n }
`

func question(kind, claim, text string, params ...string) job.Question {
	return job.Question{Kind: kind, File: "race.sow", Sources: map[string]string{"race.sow": text}, Claim: claim, Param: params}
}

var resources = job.Resources{Shards: 2, Memory: 128 << 20, Tries: 3}

// begun begins a job in a new folder.
func begun(t *testing.T, q job.Question) depot.Depot {
	t.Helper()
	p, err := job.New(t.Context(), q, resources, "tool")
	if err != nil {
		t.Fatal(err)
	}
	d, err := depot.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := phase.Begin(t.Context(), d, p); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAnswers: three stones are taken one or two at a time. So there are four states, with five
// moves between them, and the last one is two moves away.
func TestAnswers(t *testing.T) {
	j, err := job.Open(t.Context(), begun(t, question(job.Count, "", race)), "tool")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Counted(t.Context(), nil); !errors.Is(err, sharded.ErrUnfinished) {
		t.Errorf("error %v", err)
	}
	last, err := j.Alone(t.Context(), j.Work, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := j.Counted(t.Context(), last)
	if err != nil || r.Stats.States != 4 || r.Stats.Transitions != 5 || r.Stats.Depth != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	j, err = job.Open(t.Context(), begun(t, question(job.Check, "never", race)), "tool")
	if err != nil {
		t.Fatal(err)
	}
	if last, err = j.Alone(t.Context(), j.Work, 1, nil); err != nil {
		t.Fatal(err)
	}
	item, err := j.Decided(t.Context(), last)
	if err != nil || item.Result.Status != proofs.Proved || item.Result.Checked != proofs.ByEnumeration || item.Result.Stats.States != 4 {
		t.Errorf("%+v, %v", item, err)
	}
}

// TestCounts: of the four states one is over, and in two at least two stones are in b.
func TestCounts(t *testing.T) {
	text := race + "claim over of Race { count(finished) = 1 }\nclaim most of Race { count(states where b >= 2) >= 3 }\n"
	for claim, want := range map[string]int{"over": 1, "most": 2} {
		j, err := job.Open(t.Context(), begun(t, question(job.Check, claim, text)), "tool")
		if err != nil {
			t.Fatal(err)
		}
		last, err := j.Alone(t.Context(), j.Work, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		status := map[bool]proofs.Status{true: proofs.Proved, false: proofs.Refuted}[claim == "over"]
		item, err := j.Decided(t.Context(), last)
		if err != nil || item.Result.Status != status || item.Result.Found != verdict.Number.Of(want) {
			t.Errorf("%s: %+v, %v", claim, item, err)
		}
	}
}

// TestRefused: there is no plan for a question that a job cannot answer.
func TestRefused(t *testing.T) {
	for claim, words := range map[string]string{
		"soon": "single reachable states", "ends": "single reachable states", "all": "single reachable states", "sweep": "3 instances", "none": "no claim is called",
	} {
		if _, err := job.New(t.Context(), question(job.Check, claim, race), resources, "tool"); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: error %v", claim, err)
		}
	}
	if _, err := job.New(t.Context(), question(job.Check, "sweep", race, "n=2"), resources, "tool"); err != nil {
		t.Error(err)
	}
}

// TestOther: a job is refused by another build, and if its rules are not those of the plan.
func TestOther(t *testing.T) {
	d := begun(t, question(job.Count, "", race))
	if _, err := job.Open(t.Context(), d, "another tool"); err == nil || !strings.Contains(err.Error(), "another tool") {
		t.Errorf("error %v", err)
	}
	q := question(job.Count, "", race)
	p, err := job.New(t.Context(), q, resources, "tool")
	if err != nil {
		t.Fatal(err)
	}
	p.Work = []byte(strings.Replace(string(p.Work), "choose k in 1..2", "choose k in 1..3", 1))
	other, err := depot.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := phase.Begin(t.Context(), other, p); err != nil {
		t.Fatal(err)
	}
	if _, err := job.Open(t.Context(), other, "tool"); err == nil || !strings.Contains(err.Error(), "hash") {
		t.Errorf("error %v", err)
	}
}

package job

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/proofs/cert"
)

// Levels is the kind of evidence that consists of the levels of a search in phases.
const Levels = "levels"

// Certified is the statement of a certified job. It is a certificate, except that the states of its
// evidence are in the depot.
type Certified struct {
	*cert.Certificate
	States int64
	Tasks  int // that reproduced their results
}

// Certify checks a finished job, as phase.Job.Certify does, and returns its statement.
func (j *Job) Certify(ctx context.Context, last *phase.Phase, workers int, told func(done, all int)) (*Certified, error) {
	prover, is := j.Work.(phase.Prover)
	if !is {
		return nil, fmt.Errorf("%s: a job of this kind cannot be certified", j.Depot)
	}
	tasks := 0
	if err := j.Job.Certify(ctx, prover, last, workers, func(done, all int) {
		tasks = all
		if told != nil {
			told(done, all)
		}
	}); err != nil {
		return nil, err
	}
	if j.Kind == Check {
		item, err := j.Decided(ctx, last)
		if err != nil {
			return nil, err
		}
		r := item.Result
		c, err := cert.New(j.Plan.Tool, item.Program, item.Instance, r.Status.String(), r.Vacuous, cert.Evidence{Kind: Levels})
		return &Certified{c, r.Stats.States, tasks}, err
	}
	said, states, err := j.says(ctx, last)
	if err != nil {
		return nil, err
	}
	c := &cert.Certificate{
		Claim: said, Scope: cert.ScopeOf(j.System),
		Verdict: cert.Proved, SystemHash: j.System.Hash(), Evidence: cert.Evidence{Kind: Levels},
		SourcesDigest: cert.Digest(j.Sources), Sources: j.Sources, Root: j.File,
	}
	return &Certified{c, states, tasks}, nil
}

// says returns the statement of a count or a table, and the number of states that were checked.
func (j *Job) says(ctx context.Context, last *phase.Phase) (cert.Claim, int64, error) {
	c := cert.Claim{Name: j.System.Name}
	if j.Kind == Table {
		t, err := j.Tabled(last)
		if err != nil {
			return c, 0, err
		}
		c.Kind, c.Asserts = "endgame table", fmt.Sprintf("the table %s has the futures of all positions with up to %d seeds in play", t.Table.Hash, j.Seeds)
		return c, int64(t.Positions), nil
	}
	r, err := j.Counted(ctx, last)
	if err != nil {
		return c, 0, err
	}
	c.Kind, c.Asserts = "count of states", fmt.Sprintf("count(states) = %d", r.Stats.States)
	return c, r.Stats.States, nil
}

// Trusted lists what the check of a job relies on.
func Trusted() []string {
	return []string{
		"the parser and the resolver, which read the text of the rules and the claim: they are the ones that the search used",
		"the reference interpreter, and the packing of states into keys, which the search also uses",
		"the argument in docs/phases.md that these checks are sufficient",
		"the Go compiler and its libraries, SHA-256, and the machines",
	}
}

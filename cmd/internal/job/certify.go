package job

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/proofs/cert"
)

// Levels is the kind of the evidence that the levels of a search in phases are.
const Levels = "levels"

// Certified is what a job that was certified says: the same as a certificate, but for the states of
// its evidence, which are in the depot.
type Certified struct {
	*cert.Certificate
	States int64
	Tasks  int // that came to the same again
}

// Certify checks a job that is done, as phase.Job.Certify does, and returns what it says.
func (j *Job) Certify(ctx context.Context, last *phase.Phase, workers int, told func(done, all int)) (*Certified, error) {
	prover, is := j.Work.(phase.Prover)
	if !is {
		return nil, fmt.Errorf("%s: nothing checks what a job of this kind finds", j.Depot)
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

// says is what a count or a table comes to, and the number of states that were looked at.
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
		"the reference interpreter, and the packing of states into keys, which the search uses, too",
		"the argument in docs/phases.md that what is checked is enough",
		"the Go compiler and its libraries, SHA-256, and the machines",
	}
}

package job

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/proofs/cert"
)

// Levels is the kind of evidence that consists of the levels of a search in phases. The states are
// in the depot.
const Levels = "levels"

// Certify checks a finished job, as phase.Job.Certify does, and reports what is certified.
func (j *Job) Certify(ctx context.Context, last *phase.Phase, workers int, told func(done, all int)) (*cert.Report, error) {
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
	r, err := j.says(ctx, last)
	if err != nil {
		return nil, err
	}
	r.SourcesDigest, r.Evidence, r.Trusted = cert.Digest(j.Sources), Levels, Trusted()
	r.Checked = []cert.Checked{{What: "tasks that derived the levels again", N: tasks}}
	return r, nil
}

// says returns what the job says, with the number of states that were checked.
func (j *Job) says(ctx context.Context, last *phase.Phase) (*cert.Report, error) {
	if j.Kind == Check {
		item, err := j.Decided(ctx, last)
		if err != nil {
			return nil, err
		}
		status := item.Result.Status.String()
		if !cert.Certifiable(item.Instance, status) {
			return nil, fmt.Errorf("there are no certificates for a verdict like this")
		}
		r := cert.About(item.Instance)
		r.Verdict, r.States = status, int(item.Result.Stats.States)
		if item.Result.Vacuous {
			r.Subject = cert.NoSubject
		}
		return r, nil
	}
	out := &cert.Report{
		Claim: cert.Claim{Name: j.System.Name, Kind: "count of states"}, Params: j.System.Params,
		Verdict: cert.Proved, SystemHash: j.System.Hash(),
	}
	if j.Kind == Table {
		t, err := j.Tabled(last)
		if err != nil {
			return nil, err
		}
		out.Claim.Kind, out.States = "endgame table", int(t.Positions)
		out.Claim.Asserts = fmt.Sprintf("the table %s has the futures of all positions with up to %d seeds in play", t.Table.Hash, j.Seeds)
		return out, nil
	}
	r, err := j.Counted(ctx, last)
	if err != nil {
		return nil, err
	}
	out.Claim.Asserts, out.States = fmt.Sprintf("count(states) = %d", r.Stats.States), int(r.Stats.States)
	return out, nil
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

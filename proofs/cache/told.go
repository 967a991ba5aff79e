package cache

import (
	"encoding/json"
	"time"

	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// told is any verdict with all that is printed of it, also one that is not kept.
type told struct {
	Verdict record                      `json:"verdict"`
	Open    verdict.Box[verdict.Reason] `json:"open"`
	Bound   int                         `json:"bound,omitempty"`
	Scope   verdict.Scope               `json:"scope"`
	Elapsed time.Duration               `json:"elapsed"`
	Missing *verdict.MissingSolver      `json:"missing,omitempty"`
	Limited bool                        `json:"limited,omitempty"`
	Strict  bool                        `json:"strict,omitempty"`
}

// Tell writes a verdict for another process that goes on with it: unlike an entry it may be
// inconclusive, and it has no evidence but what is printed. The error says why that is not
// possible.
func Tell(r *proofs.Result) ([]byte, error) {
	brief := *r
	brief.Evidence, brief.Each = r.Printed(), nil
	rec, err := recordOf(&brief)
	if err != nil {
		return nil, err
	}
	return json.Marshal(told{
		Verdict: rec, Open: verdict.Box[verdict.Reason]{Is: r.Open}, Bound: r.Bound, Scope: r.Scope, Elapsed: r.Stats.Elapsed,
		Missing: r.Missing, Limited: r.Limited, Strict: r.Strict,
	})
}

// Told reads the verdict on inst that Tell wrote. Whether to believe it is up to the caller. The
// error says what in it cannot be.
func Told(inst *build.Instance, text []byte) (*proofs.Result, error) {
	var in told
	if err := strictjson.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	r, err := in.Verdict.result(inst)
	if err != nil {
		return nil, err
	}
	r.Open, r.Bound, r.Scope, r.Stats.Elapsed = in.Open.Is, in.Bound, in.Scope, in.Elapsed
	r.Missing, r.Limited, r.Strict = in.Missing, in.Limited, in.Strict
	return r, nil
}

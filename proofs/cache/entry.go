package cache

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// record is a verdict as an entry holds it: all that is printed of it, but nothing that follows
// from the rules' text.
type record struct {
	Status   verdict.Status               `json:"status"`
	Engine   verdict.Engine               `json:"engine"`
	System   place                        `json:"system"`
	Least    *verdict.Least               `json:"least,omitempty"`
	Found    verdict.Box[verdict.Finding] `json:"found"`
	Notes    []verdict.Box[verdict.Note]  `json:"notes,omitempty"`
	Stats    verdict.Stats                `json:"stats"`
	K        int                          `json:"k,omitempty"`
	Vacuous  bool                         `json:"vacuous,omitempty"`
	Trace    *play                        `json:"trace,omitempty"`
	Other    *play                        `json:"other,omitempty"`
	Step     *play                        `json:"stepCounterexample,omitempty"`
	Sets     *sets                        `json:"sets,omitempty"`
	Lengths  []uint64                     `json:"lengths,omitempty"`
	Value    *verdict.Worth               `json:"value,omitempty"`
	Trusted  []verdict.Table              `json:"trusted,omitempty"`
	Each     []record                     `json:"each,omitempty"`
	Evidence *cert.Box                    `json:"evidence,omitempty"`
	Checked  verdict.Checked              `json:"checked"`
	Gap      verdict.Box[verdict.Gap]     `json:"gap"`
}

type play struct {
	On    place             `json:"on"`
	Start rules.State       `json:"start"`
	Steps []rules.TraceStep `json:"steps"`
}

// sets has the missing elements by their places in the claim's list.
type sets struct {
	Kept    keptOf        `json:"kept"`
	Found   []rules.State `json:"found"`
	Extra   []rules.State `json:"extra"`
	Missing []int         `json:"missing"`
}

// keptOf says which parts of states are known; null means all.
type keptOf struct {
	Pits []bool `json:"pits"`
	Vars []bool `json:"vars"`
	Over []bool `json:"over"`
}

// Keeps reports whether a verdict may be kept: none that a limit, a bound or an interrupt had a
// part in, since another run may come further. That a bounded verdict names its bound does not make
// it one to rely on: a time-out may have set the bound.
//
// A verdict that nobody has checked is only kept in an entry that is the user's own: in
// any other it could have been made up by somebody.
func (s *Store) Keeps(r *proofs.Result) bool {
	bounds := r.Value != nil && r.Value.Lo < r.Value.Hi && len(r.Notes) > 0 // which decide the claim, and why no more is known
	return r.Conclusive() && !r.Limited && !bounds && r.Checked != proofs.NotYet && (r.Checked != proofs.Unchecked || s.Secret != nil)
}

// Encode writes a verdict as the text of an entry. The error says why that is not possible.
func Encode(r *proofs.Result) ([]byte, error) {
	out, err := recordOf(r)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

func recordOf(r *proofs.Result) (out record, err error) {
	at, err := placeOf(r.Instance, r.System)
	if err != nil {
		return out, err
	}
	out = record{
		Status: r.Status, Engine: r.Engine, System: at, Least: r.Least, Found: verdict.Box[verdict.Finding]{Is: r.Found},
		Notes: verdict.Boxes(r.Notes), Stats: r.Stats, K: r.K, Vacuous: r.Vacuous, Lengths: r.Lengths, Checked: r.Checked,
		Gap: verdict.Box[verdict.Gap]{Is: r.Gap}, Value: r.Value, Trusted: r.Trusted,
	}
	out.Stats.Elapsed = 0
	if r.Evidence != nil {
		out.Evidence = &cert.Box{Is: r.Evidence}
	}
	for _, one := range r.Each {
		each, err := recordOf(one)
		if err != nil {
			return out, err
		}
		out.Each = append(out.Each, each)
	}
	if out.Trace, err = playOf(r.Instance, r.Trace); err != nil {
		return out, err
	}
	if out.Other, err = playOf(r.Instance, r.Other); err != nil {
		return out, err
	}
	if out.Step, err = playOf(r.Instance, r.StepCounterexample); err != nil {
		return out, err
	}
	out.Sets, err = setsOf(r)
	return out, err
}

func playOf(inst *build.Instance, t *rules.Trace) (*play, error) {
	if t == nil {
		return nil, nil
	}
	on, err := placeOf(inst, t.System)
	return &play{On: on, Start: t.Start, Steps: t.Steps}, err
}

func setsOf(r *proofs.Result) (*sets, error) {
	if r.Sets == nil {
		return nil, nil
	}
	k := r.Sets.Kept
	out := &sets{Kept: keptOf{k.Pits, k.Vars, k.Over}, Found: r.Sets.Found, Extra: r.Sets.Extra}
	list := claim.KindOf(r.System, r.Instance.Property).Listed()
	for _, m := range r.Sets.Missing {
		i := slices.IndexFunc(list, func(l build.Listed) bool { return l.At == m.At })
		if i < 0 {
			return nil, fmt.Errorf("what is missing at %s stands in no list of the claim", m.At)
		}
		out.Missing = append(out.Missing, i)
	}
	return out, nil
}

// Reading says how an entry is read.
type Reading int

// The ways to read an entry.
const (
	Strictly Reading = iota // one that anybody may have written
	AsOwn                   // one that Encode wrote: to read it strictly takes three times as long
	InBrief                 // the same without the evidence, which is most of it
)

// Decode reads the verdict on inst from the text of an entry, with how it was checked before it was
// kept. Whether to believe that is up to the caller. The error says what in it cannot be.
func Decode(inst *build.Instance, text []byte, how Reading) (*proofs.Result, error) {
	var in record
	var err error
	switch how {
	case Strictly:
		err = strictjson.Unmarshal(text, &in)
	case AsOwn:
		err = json.Unmarshal(text, &in)
	case InBrief:
		err = json.Unmarshal(text, &struct {
			*record
			Evidence struct{} `json:"evidence"` // instead of that of the record
		}{record: &in})
	}
	if err != nil {
		return nil, err
	}
	r, err := in.result(inst)
	if err == nil && !r.Conclusive() {
		err = fmt.Errorf("`%s` is no verdict that is kept", r.Status)
	}
	return r, err
}

// result is the verdict on inst.
func (in record) result(inst *build.Instance) (*proofs.Result, error) {
	systems := &located{inst, map[string][]*rules.System{}}
	sys, err := systems.systemAt(in.System)
	if err != nil {
		return nil, err
	}
	r := &proofs.Result{
		Verdict: verdict.Verdict{
			Claim: claim.About(inst, sys), Status: in.Status, Engine: in.Engine, Scope: verdict.ScopeOf(sys), Least: in.Least,
			Found: in.Found.Is, Stats: in.Stats, K: in.K, Value: in.Value, Vacuous: in.Vacuous, Checked: in.Checked, Gap: in.Gap.Is,
			Trusted: in.Trusted,
		},
		Instance: inst, System: sys, Lengths: in.Lengths,
	}
	if in.Evidence != nil {
		r.Evidence = in.Evidence.Is
	}
	if v := in.Value; v != nil && (v.Player < build.ToMove || v.Player >= len(sys.Players)) {
		return nil, fmt.Errorf("`%s` has no player %d", sys.Name, v.Player)
	}
	if r.Notes, err = verdict.Unbox(in.Notes); err != nil {
		return nil, err
	}
	if r.Trace, err = in.Trace.trace(systems); err != nil {
		return nil, err
	}
	if r.Other, err = in.Other.trace(systems); err != nil {
		return nil, err
	}
	if r.StepCounterexample, err = in.Step.trace(systems); err != nil {
		return nil, err
	}
	if r.Sets, err = in.Sets.diff(inst, sys); err != nil {
		return nil, err
	}
	for _, one := range in.Each {
		each, err := one.result(inst)
		if err != nil {
			return nil, err
		}
		r.Each = append(r.Each, each)
	}
	return r, nil
}

func (p *play) trace(systems *located) (*rules.Trace, error) {
	if p == nil {
		return nil, nil
	}
	sys, err := systems.systemAt(p.On)
	if err != nil {
		return nil, err
	}
	states := []rules.State{p.Start}
	states = append(states, lists.Map(p.Steps, func(s rules.TraceStep) rules.State { return s.State })...)
	return &rules.Trace{System: sys, Claim: systems.inst.Claim.Name, Start: p.Start, Steps: p.Steps}, fit(sys, states)
}

func (s *sets) diff(inst *build.Instance, sys *rules.System) (*proofs.SetDiff, error) {
	if s == nil {
		return nil, nil
	}
	k := s.Kept
	out := &proofs.SetDiff{Found: s.Found, Extra: s.Extra}
	list := claim.KindOf(sys, inst.Property).Listed()
	for _, i := range s.Missing {
		if i < 0 || i >= len(list) {
			return nil, fmt.Errorf("the claim lists no element %d", i)
		}
		out.Missing = append(out.Missing, list[i])
	}
	out.Kept = rules.Kept{Parts: rules.Parts{Pits: k.Pits, Vars: k.Vars}, Over: k.Over}
	fits := func(list []bool, n int) bool { return list == nil || len(list) == n }
	if !fits(k.Pits, len(sys.Pits)) || !fits(k.Vars, len(sys.Vars)) || !fits(k.Over, len(sys.Vars)) {
		return nil, errElsewhere
	}
	return out, fit(sys, slices.Concat(s.Found, s.Extra))
}

// fit fails if a state cannot be one of sys: printing it could break.
func fit(sys *rules.System, states []rules.State) error {
	for _, s := range states {
		live := s.Outcome == rules.Live && s.Mover >= 0 && s.Mover < len(sys.Players)
		over := s.Outcome >= 0 && s.Outcome < len(sys.Outcomes) && s.Mover == rules.None
		if !live && !over || len(s.Seeds) != len(sys.Pits) || len(s.Vars) != len(sys.Vars) {
			return fmt.Errorf("%v is no state of `%s`", s, sys.Name)
		}
	}
	return nil
}

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

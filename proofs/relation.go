package proofs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/relate"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// relationKinds are the searches for the kinds of claims, and what their verdict says if no difference is found.
var relationKinds = map[resolve.RelationKind]struct {
	kind  relate.Kind
	holds string
}{
	resolve.Refines:    {relate.Refines, "every play is one of %s"},
	resolve.Equivalent: {relate.Equivalent, "the plays are those of %s"},
	resolve.Reverses:   {relate.Reverses, "every step is taken back by a move of %s"},
}

// relation compares the plays of the System with those of another one.
func (d *decision) relation(p *resolve.Relation) (*Result, error) {
	if !d.wants(Forward) {
		return d.none("relations between variants"), nil
	}
	names := [2]string{OtherName(p.Other, d.sys), OtherName(d.sys, p.Other)}
	if s := d.inst.Claim.Following; s != "" {
		names[0] += " by `" + s + "`"
	}
	opt := relate.Options{MaxStates: d.opt.MaxStates, MaxMemory: d.forwardOptions().Memory(), Names: names, Pairs: p.Pairs}
	if d.opt.Observer != nil {
		opt.Observer = func(q relate.Progress) {
			d.opt.Observer(Progress{Claim: d.inst.Claim.Name, Engine: Forward, Depth: q.Depth, States: q.States, Frontier: q.Open})
		}
	}
	how := relationKinds[p.Kind]
	res, err := relate.Search(d.ctx, d.sys, p.Other, how.kind, opt)
	if err != nil {
		return nil, err
	}
	var r *Result
	switch res.Stop {
	case relate.Holds:
		r = d.result(Proved, Forward, fmt.Sprintf(how.holds+": %s", names[1], count(int(res.Steps), "step")))
		r.Vacuous = res.Steps == 0
	case relate.Differs:
		r = d.result(Refuted, Forward, res.Reason)
		err = d.showDifference(r, p.Other, res.Difference)
	default:
		r = d.unknown(Forward, "%s", res.Reason)
	}
	r.Stats = Stats{States: res.States, Transitions: res.Steps, Depth: res.Depth}
	r.Notes = append(r.Notes, comparedPits(d.sys, p)...)
	return r, err
}

// comparedPits says which pits were compared, and which the claim leaves out.
func comparedPits(sys *rules.System, p *resolve.Relation) []string {
	onLap, byName := 0, []string{}
	for _, pair := range p.Pairs {
		if slices.Contains(sys.Laps[0].Pits, pair[0]) {
			onLap++
		} else {
			byName = append(byName, sys.Pits[pair[0]].Name)
		}
	}
	what := fmt.Sprintf("compared: %s of the first laps, in their order", count(onLap, "pit"))
	if len(byName) > 0 {
		what += "; by name " + strings.Join(byName, ", ")
	}
	notes := []string{what}
	if len(p.Ignored) > 0 {
		notes = append(notes, "left out by the claim: "+strings.Join(p.Ignored, ", "))
	}
	return notes
}

// showDifference replays the plays of both sides.
func (d *decision) showDifference(r *Result, other *rules.System, diff *relate.Difference) error {
	for side, in := range []*interp.Interp{d.in, interp.New(other)} {
		if diff.Starts[side] == nil {
			continue
		}
		t, err := replay(in, d.inst.Claim.Name, *diff.Starts[side], diff.Actions[side])
		if err != nil {
			return err
		}
		if side == 0 {
			r.Trace = t
		} else {
			r.Other = t
		}
	}
	return nil
}

// OtherName is what sys is called beside another System: its name, and if that is the same, the parameters that tell them apart.
func OtherName(from, sys *rules.System) string {
	if from.Name != sys.Name {
		return sys.Name
	}
	var differ []string
	for i, p := range sys.Params {
		if i >= len(from.Params) || p != from.Params[i] {
			differ = append(differ, p.Name+"="+text(p))
		}
	}
	if len(differ) == 0 {
		return sys.Name
	}
	return sys.Name + "(" + strings.Join(differ, ", ") + ")"
}

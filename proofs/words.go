package proofs

import (
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// ClaimOf is what a verdict on an instance is about, whose property holds or not in sys: its own
// System, or that with values of the open parameters.
func ClaimOf(inst *resolve.Instance, sys *rules.System) verdict.Claim {
	c := KindOf(sys, inst.Property).about()
	c.Some = inst.Some
	return c
}

// Words describes the verdict.
func (r *Result) Words() say.Words {
	p := say.Plays{System: r.System, Trace: r.Trace, Other: r.Other}
	if k, ok := r.Instance.Property.(*resolve.Relation); ok {
		p.Variant, p.Compared = k.Other, k.Pairs
	}
	return say.Describe(&r.Verdict, p)
}

// Sentence says in one line what the verdict rests on.
func (r *Result) Sentence() string { return say.Sentence(r.System, &r.Verdict) }

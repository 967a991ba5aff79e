package result

import (
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules/build"
)

// Words describes the verdict.
func (r *Result) Words() say.Words {
	p := say.Plays{System: r.System, Trace: r.Trace, Other: r.Other}
	if k, ok := r.Instance.Property.(*build.Relation); ok {
		p.Variant, p.Compared = k.Other, k.Pairs
	}
	return say.Describe(&r.Verdict, p)
}

// Sentence says in one line what the verdict rests on.
func (r *Result) Sentence() string {
	if r.System == nil {
		return r.sentence
	}
	return say.Sentence(r.System, &r.Verdict)
}

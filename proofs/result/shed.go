package result

import "github.com/mancheck/mancheck/rules"

// Shed forgets the System, plays and evidence of a verdict, which neither a table shows if it is as
// expected nor a summary of any verdicts. Of the play it keeps the start and the number of moves.
func (r *Result) Shed() {
	r.sentence = r.Sentence()
	if r.Trace != nil {
		r.Trace = &rules.Trace{Start: r.Trace.Start, Steps: make([]rules.TraceStep, len(r.Trace.Steps))}
	}
	r.System, r.Other, r.Others, r.Sets, r.Lengths, r.Each, r.Evidence, r.StepCounterexample = nil, nil, nil, nil, nil, nil, nil, nil
}

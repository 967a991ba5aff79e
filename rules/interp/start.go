package interp

import (
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Start settles a start: it evaluates the Reactions, except those at the end of a turn. A fault
// on the way is the error, including one of an action that a Reaction tries.
func (in *Interp) Start(s rules.State) (rules.State, error) {
	if s.Total() == num.Inf {
		return s, in.sys.ManySeeds()
	}
	seen := noFaults()
	settled, err := in.settle(s.Clone(), &seen)
	if err == nil && seen.first != nil {
		err = in.atStart(s, seen.first)
	}
	return settled, err
}

// atStart returns a fault met as a start is settled, with a note of the first move that has it, if
// a Reaction asks whether there is a move.
func (in *Interp) atStart(s rules.State, fault *RuleError) error {
	tried := noFaults()
	if _, err := in.Player().legal(s, &tried); err != nil {
		return fault
	}
	for _, action := range slices.Sorted(maps.Keys(tried.actions)) {
		if tried.actions[action].Diag.Range == fault.Diag.Range {
			d := fault.Diag
			d.Notes = append(slices.Clip(d.Notes), diag.Note{Message: "it occurs at the start, where an ending asks for moves, in the move " + in.Notation(action, s)})
			return &RuleError{d}
		}
	}
	return fault
}

// IsStart reports whether s is a settled start; with open parameters, whether it is one for some
// values in their ranges. See OpenValues for the error.
func (in *Interp) IsStart(s rules.State) (bool, error) {
	_, is, err := in.OpenValues(s)
	return is, err
}

// OpenValues returns the values of the open parameters, in the order of the System's OpenParams,
// for which s is a start, and whether there are any. It fails if the setup does not define an open
// parameter by a condition `parameter = E`.
func (in *Interp) OpenValues(s rules.State) ([]int, bool, error) {
	if s.Live() && len(in.sys.GoingOn()) == 0 {
		return in.startsAs(s, s)
	}
	return in.changedStart(s)
}

// startsAs reports whether raw is a start before it is settled, and settles to s.
func (in *Interp) startsAs(raw, s rules.State) ([]int, bool, error) {
	params, is, err := in.setupHolds(raw)
	if err != nil || !is {
		return nil, false, err
	}
	settled, err := in.Start(raw)
	if err != nil || !settled.Equal(s) {
		return nil, false, err
	}
	return append([]int{}, lists.Map(in.sys.OpenParams(), func(i int) int { return params[i] })...), true, nil
}

// startShape reports whether everything but the seeds of free pits is as at the start.
func (in *Interp) startShape(s rules.State) bool {
	if s.Mover != in.sys.Start.Mover {
		return false
	}
	for v, x := range in.sys.Vars {
		if s.Vars[v] != x.Init {
			return false
		}
	}
	for p, free := range in.sys.Start.Free {
		if !free && s.Seeds[p] != 0 {
			return false
		}
	}
	return true
}

// SetupHolds reports whether s is laid out as the setup says, for some values of the open
// parameters. That says nothing of the reactions that settle it.
func (in *Interp) SetupHolds(s rules.State) (bool, error) {
	_, is, err := in.setupHolds(s)
	return is, err
}

// setupHolds also returns those values, by parameter.
func (in *Interp) setupHolds(s rules.State) ([]int, bool, error) {
	if !in.startShape(s) {
		return nil, false, nil
	}
	params := make([]int, len(in.sys.Params))
	d := in.begin(s, &in.sys.Start.At)
	for _, i := range in.sys.OpenParams() {
		def, ok := in.sys.Definition(i)
		if !ok {
			return nil, false, undefined("the setup of `%s` does not say what `%s` is: a condition `%[2]s = …` is missing",
				in.sys.Name, in.sys.Params[i].Name)
		}
		var err error
		if params[i], err = d.run.Eval(exec.ReadExpr(def)); err != nil {
			return nil, false, err
		}
		if !in.sys.Params[i].Range().Has(params[i]) {
			return nil, false, nil
		}
	}
	d.open = params
	is, err := d.run.Holds(in.program.Setup())
	return params, is, err
}

// changedStart looks for a start that reactions turn into s, which may be over. Usually the seeds
// of s are what the setup laid out; only if a reaction moves seeds, all layouts of them must be
// tried.
func (in *Interp) changedStart(s rules.State) ([]int, bool, error) {
	raw := in.sys.EmptyStart()
	copy(raw.Seeds, s.Seeds)
	if open, is, err := in.startsAs(raw, s); err != nil || is || !in.reactionsMoveSeeds() {
		return open, is, err
	}
	l := layout{in: in, goal: s, raw: in.sys.EmptyStart()}
	total := s.Total()
	if total == num.Inf {
		return nil, false, in.sys.ManySeeds()
	}
	err := l.search(total)
	return l.open, l.found, err
}

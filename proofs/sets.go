package proofs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// maxShapes bounds how many states of the right shape are looked at for one claim.
const maxShapes = 1 << 20

var errManyShapes = fmt.Errorf("more than %d states of the right shape fit", maxShapes)

// matching lists the states of the right shape that satisfy cond, on the parts that are kept.
func (d *decision) matching(cond rules.Expr, keep space.Kept) ([]rules.State, error) {
	var list []rules.State
	sh := shape.Of(d.ctx, d.in).Exactly()
	err := space.Matching(d.ctx, d.in, rules.OrValueless(cond), keep, func(s rules.State) error {
		if ok, err := sh.Allows(s, keep); err != nil || !ok {
			return err
		}
		if _, err := d.in.HoldsOn(cond, s, keep.PartsOf(s)); err != nil {
			return err // it has no value
		}
		if len(list) == maxShapes {
			return errManyShapes
		}
		list = append(list, s.Clone())
		return nil
	})
	return list, err
}

// beyond turns the ways in which an enumeration or a pre-image fails into an Unknown verdict; other errors are failures.
func (d *decision) beyond(engine Engine, err error) (*Result, error) {
	var infinite *space.InfiniteError
	var hard *backward.HardError
	var fault *interp.RuleError
	var hidden *interp.HiddenError
	switch {
	case errors.As(err, &fault) && engine != Forward: // perhaps in a state that no play comes to
		return d.unknown(engine, "the rules have a fault in some state of the right shape: %s", fault.Diag.Message), nil
	case errors.As(err, &infinite), errors.As(err, &hard), errors.As(err, &hidden), errors.Is(err, errManyShapes),
		errors.As(err, new(*shape.VagueError)),
		errors.As(err, new(*interp.UndefinedError)):
		return d.unknown(engine, "%s", err), nil
	case limit.Ended(err):
		return d.unknown(engine, "%s", limit.Why(d.ctx)), nil
	}
	return nil, err
}

// neighbours compares the computed predecessors or successors with the listed ones.
func (d *decision) neighbours(p *resolve.Neighbours) (*Result, error) {
	engine := Forward
	if p.Pre {
		engine = Backward
	}
	goals := []rules.Expr{p.Of}
	for _, l := range p.List {
		goals = append(goals, l.Cond)
	}
	keep := slice.Keep(d.ctx, d.sys, goals...).Kept
	if d.opt.Engine == SMT {
		return d.neighboursSMT(p, keep)
	}
	if !d.wants(engine) {
		return d.none("claims about predecessors and successors"), nil
	}
	of, err := d.matching(p.Of, keep)
	if err != nil {
		return d.beyond(engine, err)
	}
	found, err := d.oneStepFrom(of, p.Pre, keep)
	if err != nil {
		return d.beyond(engine, err)
	}
	return d.compareSets(found, p.List, engine, len(of), keep)
}

// oneStepFrom collects the predecessors or successors of states, each once.
func (d *decision) oneStepFrom(states []rules.State, pre bool, keep space.Kept) ([]rules.State, error) {
	var found []rules.State
	for _, s := range states {
		next, err := d.oneStep(s, pre, keep)
		if err != nil {
			return nil, err
		}
		found = append(found, next...)
	}
	return distinct(found), nil
}

func (d *decision) oneStep(s rules.State, pre bool, keep space.Kept) ([]rules.State, error) {
	var out []rules.State
	if pre {
		preds, err := backward.Predecessors(d.ctx, d.in, keep, s)
		for _, p := range preds {
			out = append(out, p.State)
		}
		return out, err
	}
	steps, err := d.legal(s)
	for _, st := range steps {
		out = append(out, keep.Project(d.sys, st.To))
	}
	return out, err
}

// legal lists the steps of a state that need not be in play. An action that meets a fault of the rules has none; the verdict notes it.
func (d *decision) legal(s rules.State) ([]interp.Step, error) {
	steps, fault, err := d.in.Legal(s)
	if fault != nil {
		d.met(fault)
	}
	return steps, err
}

func distinct(list []rules.State) []rules.State {
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// compareSets says whether each found state is listed and each listed condition is met by a found state. Of the states only what is
// kept is known.
func (d *decision) compareSets(found []rules.State, listed []resolve.Listed, engine Engine, of int, keep space.Kept) (*Result, error) {
	diff := &SetDiff{Found: found}
	met := make([]bool, len(listed))
	for _, s := range found {
		any := false
		for i, l := range listed {
			ok, err := d.in.HoldsOn(l.Cond, s, keep.PartsOf(s))
			if err != nil {
				return d.beyond(engine, err)
			}
			met[i] = met[i] || ok
			any = any || ok
		}
		if !any {
			diff.Extra = append(diff.Extra, s)
		}
	}
	for i, ok := range met {
		if !ok {
			diff.Missing = append(diff.Missing, listed[i])
		}
	}
	r := d.result(Proved, engine, count(len(found), "state"))
	r.Sets = diff
	r.Vacuous = of == 0
	r.Stats.States = int64(len(found))
	if len(diff.Extra)+len(diff.Missing) > 0 {
		r.Status = Refuted
		r.Reason = fmt.Sprintf("%d not listed, %d listed but not found", len(diff.Extra), len(diff.Missing))
	}
	return r, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// limit is the verdict of a forward search that ended early.
func (d *decision) limit(reason string, stats forward.Stats) *Result {
	r := d.unknown(Forward, "%s: %s, complete to depth %d", reason, count(int(stats.States), "state"), stats.Examined)
	if stats.Examined < 0 {
		r.Reason = fmt.Sprintf("%s, before all starts were seen", reason)
	}
	r.Stats = forwardStats(stats)
	return r
}

func forwardStats(s forward.Stats) Stats {
	return Stats{States: s.States, Transitions: s.Transitions, Depth: s.Depth, Bytes: s.Bytes}
}

package backward

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// class is what the targets with the same status and variables have in common: all ways to them
// that do not depend on seeds.
type class struct {
	jobs []job
	err  error // why there are no more jobs; nil if they are complete
}

// job is one kind of candidates: those from which an action may lead to the target by one way, by
// one plan if it is a sowing.
type job struct {
	action *action
	plan   *plan    // nil: no seed is moved
	ends   *outlook // of the plan's sowing; nil: the last seed may fall into any pit
	fixed  []setting
	free   []choice
}

// setting is a variable and the only value that it may have had before the action.
type setting struct{ variable, value int }

// choice is a variable with several such values.
type choice struct {
	variable int
	values   []int
}

// outlook says into which pits the last seed of a sowing may fall on the way to the targets of a
// class.
type outlook struct {
	*inverse
	action *action
	sowing int
	target rules.State // any of the class
	set    []bool      // as in inverse.fits
	may    []answer    // by pit
}

// answer is yes, no, or not yet known.
type answer int8

const (
	unknown answer = iota
	yes
	no
)

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// allows reports whether the last seed may have fallen into pit.
func (o *outlook) allows(pit int) bool {
	if o == nil {
		return true
	}
	if o.may[pit] == unknown {
		ways, fails := o.action.afterLast(o.sowing, pit)
		o.may[pit] = answerOf(fails || slices.ContainsFunc(ways, func(w way) bool {
			return o.leadsTo(w, o.target.Outcome) && o.fits(w, o.target, o.set)
		}))
	}
	return o.may[pit] == yes
}

// class lists the ways to a target. It does not depend on its seeds.
func (v *inverse) class(target rules.State) *class {
	c := &class{}
	var set []bool
	if set, c.err = v.reactionsTo(target); c.err != nil {
		return c
	}
	for i := range v.actions {
		a := &v.actions[i]
		for _, w := range a.ways {
			if !v.leadsTo(w, target.Outcome) || !v.fits(w, target, set) {
				continue
			}
			if w.hard != "" {
				c.err = a.hard(w.hard)
				return c
			}
			if target.Live() && !a.next[target.Mover] && !a.fails {
				continue
			}
			if c.err = v.jobs(c, a, w, target, set); c.err != nil {
				return c
			}
		}
	}
	return c
}

// fits reports whether the variables of the target may have their values at the end of w, except
// those that a reaction may set on the way to the target.
func (v *inverse) fits(w way, target rules.State, set []bool) bool {
	for x := range v.sys.Vars {
		if v.keep.HasVar(x) && !set[x] && !w.env.Var(x).Has(target.Vars[x]) {
			return false
		}
	}
	return true
}

// jobs adds the jobs of one way.
func (v *inverse) jobs(c *class, a *action, w way, target rules.State, set []bool) error {
	options := v.options(a, either(w.assigned, set), target)
	if w.sowing == noSowing {
		return c.add(job{action: a}, options, nil)
	}
	var ends *outlook
	if !a.sowings[w.sowing].rest.isEmpty() {
		ends = &outlook{inverse: v, action: a, sowing: w.sowing, target: target.Clone(), set: set, may: make([]answer, len(v.sys.Pits))}
	}
	for _, p := range a.plans[w.sowing] {
		if err := c.add(job{action: a, plan: p, ends: ends}, options, p.ties); err != nil {
			return err
		}
	}
	return nil
}

// options lists by variable the values that it may have had before the action. Those marked may
// have had another value than in the target.
func (v *inverse) options(a *action, assigned []bool, target rules.State) [][]int {
	options := make([][]int, len(assigned))
	for x := range options {
		before := a.before.Var(x)
		switch {
		case !v.keep.HasVar(x):
			options[x] = []int{v.sys.Vars[x].Init}
		case !assigned[x]:
			options[x] = before.Among([]int{target.Vars[x]})
		default:
			options[x] = before.Among(v.sys.Vars[x].Domain)
		}
	}
	return options
}

// add adds a job with these options for the variables, unless one has none.
func (c *class) add(j job, options [][]int, ties []tie) error {
	options = slices.Clone(options)
	for _, t := range ties {
		if !slices.Contains(options[t.variable], t.value) {
			return nil
		}
		options[t.variable] = []int{t.value}
	}
	if slices.ContainsFunc(options, func(values []int) bool { return len(values) == 0 }) {
		return nil
	}
	if many(options) {
		return j.action.hard("sets more variables than can be tried out")
	}
	for x, values := range options {
		if len(values) == 1 {
			j.fixed = append(j.fixed, setting{x, values[0]})
		} else {
			j.free = append(j.free, choice{x, values})
		}
	}
	c.jobs = append(c.jobs, j)
	return nil
}

package cert

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// New returns the certificate for a verdict on an instance of a claim of program. It does not check
// the evidence.
func New(tool string, program *dsl.Program, inst *build.Instance, verdict string, vacuous bool, evidence Evidence) (*Certificate, error) {
	c := about(inst)
	c.Format, c.Version, c.Tool, c.Root = Format, Version, tool, program.Files[len(program.Files)-1].Path
	c.Sources, c.Verdict, c.Vacuous, c.Evidence = map[string]string{}, verdict, vacuous, Box{evidence}
	for path, text := range program.Sources {
		if !utf8.Valid(text) || !utf8.ValidString(path) {
			return nil, fmt.Errorf("%q is not text, and cannot be put into a certificate", path)
		}
		c.Sources[path] = string(text)
	}
	c.SourcesDigest = Digest(c.Sources)
	if _, err := stated(inst, verdict); err != nil {
		return nil, errors.New(err.(*Rejected).Reason)
	}
	return c, nil
}

// Certifiable reports whether there can be a certificate for such a verdict on claims like this
// one.
func Certifiable(inst *build.Instance, verdict string) bool {
	_, err := stated(&build.Instance{System: &rules.System{}, Property: inst.Property, Negated: inst.Negated, Lost: inst.Lost, Size: inst.Size}, verdict)
	return err == nil
}

// NewBackward returns the evidence of a set closed under predecessors that contains no start.
func NewBackward(sys *rules.System, parts rules.Kept, lemmas []rules.StartOnly, states []rules.State) *Backward {
	c := coder{sys, parts.SpelledOut(sys)}
	e := &Backward{newSet(c, lemmas)}
	e.States = lists.Map(c.sorted(states), c.encode)
	return e
}

// newSet returns a set without states.
func newSet(c coder, lemmas []rules.StartOnly) Set {
	set := Set{Kept: namesOf(c.sys, c.kept)}
	for _, l := range lemmas {
		x := &c.sys.Vars[l.Var]
		set.StartOnly = append(set.StartOnly, StartOnly{Var: x.Name, Value: c.sys.ValueName(x.Type, l.Value)})
	}
	return set
}

// NewForward returns the evidence of a set closed under steps that contains all starts.
func NewForward(sys *rules.System, parts rules.Kept, states []rules.State) *Forward {
	c := coder{sys, parts.SpelledOut(sys)}
	return &Forward{namesOf(sys, c.kept), c.pack(c.sorted(states), nil)}
}

// ShownByPlay reports whether a single play can show such a verdict on an instance.
func ShownByPlay(inst *build.Instance, verdict string) bool {
	st, err := stated(inst, verdict)
	if err != nil {
		return false
	}
	_, is := st.says.(*witness)
	return is
}

// NewPlay returns the evidence of a play from a start, with the state after each move.
func NewPlay(sys *rules.System, t *rules.Trace) *Play {
	return &Play{States: lists.Map(t.States(), whole(sys).encode), Moves: t.Moves()}
}

// Followed is a strategy to be certified: live states that differ in their kept parts, each with
// its number.
type Followed struct {
	Shows   string
	Bound   int // for AtLeast and AtMost
	States  []rules.State
	Numbers []int
}

// NewStrategies returns the evidence of strategies.
func NewStrategies(sys *rules.System, parts rules.Kept, list ...Followed) *Strategies {
	c := coder{sys, parts.SpelledOut(sys)}
	e := &Strategies{Kept: namesOf(sys, c.kept)}
	for _, f := range list {
		p := c.pack(c.ordered(f.States, f.Numbers))
		by := Strategy{Shows: f.Shows, Count: p.Count, Packed: p.Text}
		if f.Shows == AtLeast || f.Shows == AtMost {
			by.Bound = &f.Bound
		}
		e.By = append(e.By, by)
	}
	return e
}

// ordered returns the kept parts of states in order, and the numbers in the same order.
func (c coder) ordered(states []rules.State, numbers []int) ([]rules.State, []int) {
	list, order := c.projected(states), num.Run(0, len(states))
	slices.SortFunc(order, func(i, j int) int { return list[i].Compare(list[j]) })
	return lists.Map(order, func(i int) rules.State { return list[i] }), lists.Map(order, func(i int) int { return numbers[i] })
}

// whole is the coder that keeps all parts of states.
func whole(sys *rules.System) coder { return coder{sys, rules.Kept{}.SpelledOut(sys)} }

// sorted returns the kept parts of states in order and without duplicates.
func (c coder) sorted(states []rules.State) []rules.State {
	list := c.projected(states)
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// projected returns the kept parts of states.
func (c coder) projected(states []rules.State) []rules.State {
	return lists.Map(states, func(s rules.State) rules.State { return c.kept.Project(c.sys, s) })
}

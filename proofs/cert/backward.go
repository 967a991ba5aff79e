package cert

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/preimage"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
)

// maxListed bounds the possibilities that are tried when states are listed.
const maxListed = 50_000_000

// backwardSet checks a set closed under predecessors. No reachable state is in such a set or
// satisfies the target. For a play begins with a start, which is not in the set, and a step into
// the set would have to begin in the set, or in a state that is excluded because a lemma says that
// only starts are like it.
type backwardSet struct {
	*closedSet
	*preimage.Steps
	target   rules.Expr
	report   *Report
	tries    int
	spared   func(s partial.State, action int) // told of excluded states that may lead into the set; may be nil
	maxSeeds int                               // states with more seeds occur in no play; -1: no bound
	// members is how many states of the set satisfy the target.
	members int
}

// Set is a set of states, on the parts that are kept, and what is known of states in plays besides.
type Set struct {
	Kept      Kept        `json:"kept"`
	StartOnly []StartOnly `json:"startOnly,omitempty"`
	States    []State     `json:"states,omitempty"`
}

// StartOnly is a lemma: a live state in which the variable has the value must be a start.
type StartOnly struct {
	Var   string `json:"var"`
	Value string `json:"value"`
}

func (e *Set) size() int { return len(e.States) }

// Backward is the evidence of a set closed under predecessors that contains no start.
type Backward struct{ Set }

// check checks the evidence in the order in which the steps depend on each other.
func (e *Backward) check(ctx context.Context, st *statement, r *Report) error {
	b, err := e.read(ctx, st)
	if err != nil {
		return err
	}
	b.report = r
	for _, obligation := range []func(context.Context) error{b.waysIntoSet, b.checkLemmas, b.noStarts, b.allTargets, b.allPredecessors} {
		if err := obligation(ctx); err != nil {
			return err
		}
	}
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// read reads the set for a statement that something is unreachable.
func (e *Backward) read(ctx context.Context, st *statement) (*backwardSet, error) {
	claim, is := st.says.(never)
	if !is {
		return nil, st.unfit(e)
	}
	return e.readFor(ctx, st, claim.target)
}

func (e *Set) readFor(ctx context.Context, st *statement, target rules.Expr) (*backwardSet, error) {
	c, err := st.coder(&e.Kept)
	if err != nil {
		return nil, err
	}
	states, err := c.decodeAll(e.States)
	if err != nil {
		return nil, err
	}
	set, err := newClosedSet(ctx, c, states)
	if err != nil {
		return nil, err
	}
	lemmas, err := lemmasOf(st.sys, e.StartOnly)
	steps := &preimage.Steps{Machine: set.m, Kept: c.kept, Lemmas: lemmas}
	return &backwardSet{closedSet: set, Steps: steps, target: target, tries: st.tries, maxSeeds: -1}, err
}

// Closed reads the set: which parts are kept, and the states in order. It does not check that the
// set is closed; Verify does.
func (e *Set) Closed(sys *rules.System) (rules.Kept, []rules.State, error) {
	kept, err := keptOf(sys, &e.Kept)
	if err != nil {
		return rules.Kept{}, nil, err
	}
	states, err := coder{sys, kept}.decodeAll(e.States)
	if err != nil {
		return rules.Kept{}, nil, err
	}
	return kept, states, increasing(states)
}

// lemmasOf reads the lemmas of the evidence.
func lemmasOf(sys *rules.System, list []StartOnly) ([]rules.StartOnly, error) {
	var lemmas []rules.StartOnly
	for _, l := range list {
		v := slices.IndexFunc(sys.Vars, func(x rules.Var) bool { return x.Name == l.Var })
		if v < 0 {
			return nil, reject("a lemma about the unknown variable `%s`", l.Var)
		}
		n, err := valueNamed(sys, v, l.Value)
		if err != nil {
			return nil, err
		}
		lemmas = append(lemmas, rules.StartOnly{Var: v, Value: n})
	}
	return lemmas, nil
}

// waysIntoSet is FindWays, unless there is nothing that an action could lead to.
func (b *backwardSet) waysIntoSet(ctx context.Context) error {
	if len(b.states)+len(b.Lemmas) == 0 {
		return nil
	}
	return b.FindWays(ctx)
}

// checkLemmas shows that only starts are as the lemmas say.
func (b *backwardSet) checkLemmas(context.Context) error {
	b.report.checked("lemmas about values that only starts have", len(b.Lemmas))
	return b.CheckLemmas()
}

// excluded reports whether s occurs in no play: a lemma says that it would have to be a start, and
// it certainly is none; or it has more seeds than any start.
func (b *backwardSet) excluded(s partial.State) bool {
	if b.tooFull(s) {
		return true
	}
	if !s.Live() {
		return false
	}
	for _, l := range b.Lemmas {
		if n, known := s.Vars[l.Var].Is(); known && n == l.Value && b.kept.Vars[l.Var] {
			return b.isNoStart(s)
		}
	}
	return false
}

// tooFull reports whether the kept pits of a state already hold more seeds than any start.
func (b *backwardSet) tooFull(s partial.State) bool {
	if b.maxSeeds < 0 {
		return false
	}
	n := 0
	// Parts that are not known count with the fewest seeds that they may have.
	for p := range lists.Marked(b.kept.Pits) {
		n += max(0, s.Seeds[p].Lo)
	}
	return n > b.maxSeeds
}

// isNoStart reports whether s certainly is no start.
func (b *backwardSet) isNoStart(s partial.State) bool {
	is, err := b.m.IsStart(s)
	return err == nil && is == partial.Known(0)
}

// noStarts shows that no start agrees with a state of the set.
func (b *backwardSet) noStarts(ctx context.Context) error {
	err := b.each(ctx, func(i int, at partial.State) error {
		is, err := b.m.IsStart(at)
		switch {
		case err != nil:
			return refuse.LeftOut(err, "whether state %d of the set %s is a start", i+1, b.m.Text(at))
		case is == partial.Known(1):
			return reject("state %d of the set %s is a start", i+1, b.m.Text(at))
		case is != partial.Known(0):
			return refuse.Open("state %d of the set %s may be a start", i+1, b.m.Text(at))
		}
		return nil
	})
	b.report.checked("states of the set that are no starts", len(b.states))
	return err
}

// allTargets shows that every state that satisfies the target, reachable or not, is in the set or
// excluded.
func (b *backwardSet) allTargets(ctx context.Context) error {
	found := map[string]bool{}
	if err := b.eachTarget(ctx, func(s partial.State) error { return b.isIn(s, found) }); err != nil {
		return err
	}
	b.report.checked("states that the claim is about, all in the set", len(found))
	b.report.Subject = subject(b.members > 0)
	return nil
}

// isIn fails unless a state that may satisfy the target is in the set or excluded.
func (b *backwardSet) isIn(s partial.State, found map[string]bool) error {
	at, err := b.place(s)
	if err != nil {
		return refuse.LeftOut(err, "whether a state is in the set")
	}
	in := at >= 0
	if !in && !b.excluded(s) {
		// The listing includes states for which the target is undecided.
		v, err := b.m.Eval(b.target, s, nil)
		if holds, decided := v.Holds(); err == nil && decided && holds {
			return reject("the state %s is as the claim says, and not in the set", b.m.Text(s))
		}
		return refuse.Open("the state %s may be as the claim says, and is not in the set", b.m.Text(s))
	}
	if in {
		b.members++
	}
	key, err := b.m.Key(s, b.kept)
	found[key] = true
	return err
}

// eachTarget calls yield for the states that may satisfy the target and do not have too many seeds.
func (b *backwardSet) eachTarget(ctx context.Context, yield func(partial.State) error) error {
	kept := rules.Sum{Pits: lists.Set(b.kept.Pits)}
	bound := rules.Binary{Op: rules.Le, L: kept, R: rules.Const{Value: b.maxSeeds}}
	for _, l := range listing.Targets(b.m, b.kept, b.target, b.tries) {
		if b.maxSeeds >= 0 {
			l.Conditions = append(l.Conditions, listing.Condition{X: bound, Mover: l.Base.Mover, Outcome: l.Base.Outcome})
		}
		if err := l.Each(ctx, yield); err != nil {
			return refuse.Unlisted(err, "states that the claim is about")
		}
	}
	return nil
}

// allPredecessors shows that every step into the set begins in the set or in an excluded state: the
// other states in which it might begin are played forward, and must not lead into the set.
func (b *backwardSet) allPredecessors(ctx context.Context) error {
	back := b.Search()
	back.Each = func(s partial.State, key []byte) error {
		if err := b.isClosed(back, s, key); err != nil {
			return err
		}
		return ctx.Err()
	}
	if err := b.intoAll(back); err != nil {
		return err
	}
	b.report.checked("states from which a step into the set might begin, all in the set or without such a step", back.Tried)
	return nil
}

// intoAll goes back from all states of the set.
func (b *backwardSet) intoAll(back *preimage.Search) error {
	for i, t := range b.states {
		back.Number = i + 1
		if err := back.Into(t); err != nil {
			return err
		}
	}
	return nil
}

// isClosed fails if s is not in the set, not excluded, and has a step to the state.
func (b *backwardSet) isClosed(back *preimage.Search, s partial.State, key []byte) error {
	if b.member[string(key)] > 0 {
		return nil
	}
	if b.excluded(s) {
		if b.spared != nil {
			b.spared(s, back.Action)
		}
		return nil
	}
	to, may, err := back.Leads(s)
	if err != nil || !may {
		return err
	}
	if _, err := b.m.Key(to, b.kept); err != nil {
		return refuse.LeftOut(err, "the move `%s` from %s", b.sys.ActionName(back.Action), b.m.Text(s))
	}
	return reject("the set is not closed: the move `%s` leads from %s, which is not in it, to its state %d %s",
		b.sys.ActionName(back.Action), b.m.Text(s), back.Number, b.m.Text(to))
}

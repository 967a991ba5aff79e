package cert

// numbering is the local rule of a set closed under steps whose states have numbers. States are
// given by their places in the set.
type numbering interface {
	// start looks at a start.
	start(i int) error
	// state looks at a state with those that its steps lead to, one for each step.
	state(i int, next []int) error
	// concludes compares the claim with what the numbers show, after all starts and states.
	concludes() error
}

// falling is the rule by which a number is that of the moves of the longest play from the state: 0
// without a step, and otherwise one more than the greatest to which a step leads. So numbers fall
// with each move, and no play has more moves than the number of its start; and some play has as
// many.
type falling struct {
	*forwardSet
	longest int
}

func (r *falling) start(i int) error {
	r.longest = max(r.longest, r.numbers[i])
	return nil
}

func (r *falling) state(i int, next []int) error {
	n := 0
	for _, j := range next {
		n = max(n, r.numbers[j]+1)
	}
	if r.numbers[i] != n {
		return reject("the number of the state %s is %d, and by the states that it leads to %d",
			r.m.Text(r.m.Exactly(r.states[i])), r.numbers[i], n)
	}
	return nil
}

func (r *falling) concludes() error {
	if most := r.ends.Within; most >= 0 && r.longest > most {
		return reject("some play has %d moves", r.longest)
	}
	r.report.checked("states whose number is greater than those that they lead to", len(r.states))
	r.report.Longest = r.longest
	return nil
}

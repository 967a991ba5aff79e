package verdict

// Most of what is said of a verdict belongs to one of four families, in each of which one sentence
// differs from another by its words alone: it has no number, one number, the words of others, or
// names. The same Fact may be a finding of one verdict and the reason of another.

// Fact is what is said without numbers and names.
type Fact int

const (
	_ Fact = iota

	StartIsTarget   // a start is a target itself
	NoStartIsTarget // and none is
	Conserved       // each state has as many seeds as a start, which decides the claim
	OneWay          // the ways that seeds may go leave no step that breaks the claim
	RankFalls       // each move lowers a rank, of which a play has finitely many values
	NoDeadEnd       // where a player has no move the game ends or he passes, and each loop of a move ends
	OverAtOnce      // the rules end the game in each state that is a target, before anybody moves
	NoneComesBack   // the rules end a play in which a position comes back, so that every play ends
	StepsOfShape    // every step is as claimed from every state of the right shape
	BadStep         // a step breaks a claim about all states of the right shape
	StepThere       // there is a step as claimed
	StepNotThere    // there is none
	StepElsewhere   // there is none, and the trace is one that leads elsewhere
	NoneToWin       // no start can be won, so a strategy wins from all that can

	HoldsStart       // the states that lead to a target include a start
	ComesBack        // the claim depends on which positions come back, where the rules end such a play
	NotEverywhere    // a strategy does not win from every state that leads to a win
	MixedQuantifiers // a claim is for all values of one parameter and some of another
	NoMoveBound      // induction and abstraction cannot use a bound on the moves

	CountedOnce     // states that differ only in what is left out count once
	MayFault        // an action may meet a fault of the rules, as far as is seen without playing
	StartUnknown    // whether the setup has a start is not known, so the verdict may be vacuous
	AnyStartUnknown // the same for any value of the parameters
	MatchUnknown    // whether a state matches the claim is not known
	ReachedUnknown  // whether a play comes to a step that the claim is about is not known

	NoCertificate // there is no certificate for this kind of verdict
)

// Figure is what is said with one number.
type Figure struct {
	Is Measure
	N  int
}

// Measure is what the number of a Figure means.
type Measure int

// Of returns the figure with this measure.
func (m Measure) Of(n int) Figure { return Figure{Is: m, N: n} }

const (
	_ Measure = iota

	NotWithin        // no play of at most N moves leads to a target
	NoPlay           // a solver finds no play of at most N moves
	ClosedSet        // N states, closed under predecessors, hold no start
	PartlyKnown      // N partly known states, closed under steps, hold all starts and no target
	SolverSet        // the same, as a solver lists the predecessors
	Inductive        // an induction over N states
	StepsOfReachable // every step is as claimed from the N reachable states concerned
	Number           // the set that a claim counts has N members
	Repeats          // the last N moves of a play repeat forever
	Longest          // the longest play has N moves
	TooLong          // and that is more than the claim allows
	WinsWherever     // a strategy wins from all N states that lead to a win
	WinsFrom         // it wins from all N starts that can be won
	EachValue        // all N values of a parameter were tried one by one

	NotInductive  // the claim is not inductive up to an induction over N states
	NoneOfLeast   // it holds for none of the N least values of a parameter
	ManyPositions // there are more than N positions
	ManyStarts    // there are more than N starts
	ManyMoves     // a play has more than N moves
	ManyShapes    // there are more than N states of the right shape
	ManyAncestors // more than N states lead to a target

	OverBudget // a check would take more than N states
)

// Quote is what is said in words that are not the tool's own.
type Quote struct {
	Is    Subject
	Words Detail
}

// Subject is what the words of a Quote are about.
type Subject int

// Says returns a quote about the subject.
func (s Subject) Says(words string) Quote { return Quote{Is: s, Words: Words(words)} }

const (
	_ Subject = iota

	Unfit          // what in the rules or the claim an engine cannot deal with
	RulesFault     // a fault of the rules in some state of the right shape, which is such an obstacle
	InfiniteStarts // why nothing bounds the starts

	LeftOut  // a part of states that was left out
	FaultMet // a fault of the rules in an action from some state of the right shape

	Uncertified // why nothing but a certificate, which was not asked for, would show the verdict
	NotChecked  // what kept the check from an answer
)

// Mention is what is said of things with names.
type Mention struct {
	Is    Topic
	Names []string
}

// Topic is what is said of the things that a Mention names.
type Topic int

// Of returns the mention of names.
func (t Topic) Of(names ...string) Mention { return Mention{Is: t, Names: names} }

const (
	_ Topic = iota

	NoStart     // the setup has no start for any value of the parameters
	NoneDecides // no value of the parameters that was tried refutes a claim for all
	NeverLegal  // no reachable state allows the move with this label
	KnownParts  // states were known in part: these variables and pits
	Ignored     // the claim leaves the pits out of the comparison
	NoSuchTotal // no start has as many seeds as this drawn position, so no play comes to it
)

func (Fact) finding()    {}
func (Fact) reason()     {}
func (Fact) note()       {}
func (Fact) gap()        {}
func (Figure) finding()  {}
func (Figure) reason()   {}
func (Figure) gap()      {}
func (Quote) reason()    {}
func (Quote) note()      {}
func (Quote) gap()       {}
func (Mention) finding() {}
func (Mention) reason()  {}
func (Mention) note()    {}

// Package cert writes verdicts as certificates, and checks certificates independently of the search
// that found the verdicts.
//
// A certificate is a file: the claim, the text of the rules, the resolved System and its hash, the
// scope of the verdict, and the evidence. docs/certificates.md describes the format, what is
// checked of each kind of evidence, and what is trusted.
//
//	cert.go        the format; new.go makes certificates, file.go writes and reads them
//	state.go       states as text; pack.go large sets of states as bytes
//	statement.go   from the text of the rules to the certified statement
//	check.go       the independent check; report.go its result
//	closedset.go   sets of states, and what is done where parts of them are unknown
//	backward.go    sets closed under predecessors
//	predecessors.go  how predecessors are found
//	forward.go     sets closed under steps
//	numbers.go     such sets with a number for each state: moves to the end, or from a start
//	play.go        a single play
//	law.go         the number of seeds, which is always the same, and which way seeds go
//	bounds.go      what laws tell of conditions
//	sizes.go       sets for every size of the board, by package internal/insertion
//	sizelaws.go    laws for every size of the board, by package internal/everysize
//	product.go     sets of pairs of states closed under steps of both, and steps taken back
//	winning.go     the states from which a win can be reached, and by which strategy
//	strategy.go    strategies: what positions are worth, and what a player can force
//	aim.go         what a strategy has to bring about: value.go, force.go; worth.go what plays
//	               are worth
//	near.go        single steps of states that may be unreachable, which have no certificate
//	obligation.go  the same as questions for a solver
//
// The checker plays states that are partly unknown with package internal/partial, a domain of
// rules/exec. It shares no code with the engines; the reference interpreter and the formulas use
// rules/exec as well.
package cert

// Format and Version identify the format of the file. A program reads only its own version.
const (
	Format  = "mancheck-certificate"
	Version = 4
)

// Certificate is a verdict with everything that is needed to check it.
type Certificate struct {
	Format        string            `json:"format"`
	Version       int               `json:"version"`
	Tool          string            `json:"tool"` // the program that made it; for information only
	Root          string            `json:"root"` // path of the file with the claim
	Sources       map[string]string `json:"sources"`
	SourcesDigest string            `json:"sourcesDigest"`
	Claim         Claim             `json:"claim"`
	Settings      map[string]any    `json:"settings,omitempty"` // the parameters that have a value: numbers and truth values
	Line          int               `json:"line,omitempty"`     // line in the file of boards, if the claim has one
	Open          []string          `json:"open,omitempty"`     // parameters of `for all`
	Some          string            `json:"some,omitempty"`     // the parameter of `for some`
	Size          string            `json:"size,omitempty"`     // the parameter of a claim about every size
	Scope         []Scope           `json:"scope,omitempty"`
	Verdict       string            `json:"verdict"`
	Vacuous       bool              `json:"vacuous,omitempty"` // nothing matches the claim
	System        string            `json:"system"`            // canonical text
	SystemHash    string            `json:"systemHash"`
	Other         string            `json:"other,omitempty"` // of another System that the claim is about: canonical text
	Evidence      Evidence          `json:"evidence"`
}

// Claim identifies the claim that is certified.
type Claim struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	Kind  string `json:"kind"`
	// Asserts is what the claim says about the resolved System. Its grammar is docs/claim.ebnf.
	Asserts string `json:"asserts"`
}

// Scope is one parameter with its value, or the range of values that the verdict holds for.
type Scope struct {
	Param string `json:"param"`
	Is    string `json:"is"`            // 6, true, 12.., 1..4
	All   bool   `json:"all,omitempty"` // every value of the range
}

// Verdicts that a certificate can have.
const (
	Proved  = "proved"
	Refuted = "refuted"
)

// Kinds of evidence.
const (
	Backward   = "backward-closed"
	Forward    = "forward-closed"
	Product    = "closed-product"
	Winning    = "winning-states"
	Plan       = "winning-plan"
	Falling    = "falling-numbers"
	Depths     = "depths"
	Shown      = "play"
	Seeds      = "conserved-seeds"
	Groups     = "seed-groups"
	Moved      = "seed-moves"
	Ranked     = "falling-rank"
	Finite     = "finite-positions"
	Inductive  = "inductive"
	Strategies = "strategies"
	Sizes      = "all-sizes"
	SizesRank  = "all-sizes-rank"
	SizesMoves = "all-sizes-moves"
	SizesSeeds = "all-sizes-seeds"
)

// Evidence shows that a verdict is right. Kind determines which of the other fields are used.
type Evidence struct {
	Kind      string      `json:"kind"`
	Kept      *Kept       `json:"kept,omitempty"`      // for closed sets and strategies
	StartOnly []StartOnly `json:"startOnly,omitempty"` // for Backward, Winning and Plan
	States    []State     `json:"states,omitempty"`    // for Backward, Winning, Plan and Shown
	Moves     []int       `json:"moves,omitempty"`     // for Winning and Plan: by state, the number of moves in which a win is reached
	MostSeeds *int        `json:"mostSeeds,omitempty"` // for Winning and Plan: no start has more seeds
	Count     int         `json:"count,omitempty"`     // for Forward, Falling, Depths and Product: the number of states or pairs packed
	Packed    string      `json:"packed,omitempty"`    // for Forward, Falling, Depths and Product
	K         int         `json:"k,omitempty"`         // for Inductive
	Lemmas    []string    `json:"lemmas,omitempty"`    // for Inductive
	Play      []string    `json:"play,omitempty"`      // for Shown: the moves that lead from each of States to the next
	By        []Strategy  `json:"by,omitempty"`        // for Strategies
	Groups    []Group     `json:"groups,omitempty"`    // for Groups
	At        int         `json:"at,omitempty"`        // for Sizes and the laws of sizes: the size of the board of States
	Seams     [][2]string `json:"seams,omitempty"`     // for Sizes: the pits between which larger boards have more
	Below     []Evidence  `json:"below,omitempty"`     // for Sizes: for each smaller size
	Family    string      `json:"family,omitempty"`    // for Sizes: the rules for this size and all larger ones
	Sinks     []string    `json:"sinks,omitempty"`     // for SizesRank: the pits outside which seeds become fewer
	Heights   []int       `json:"heights,omitempty"`   // for SizesRank: by pit, in order of declaration
	Weights   [][]int     `json:"weights,omitempty"`   // for Ranked: for each level the weights of the pits, in order of declaration
}

// Group is a group of pits of which more is known than that they have some of the seeds. Seeds only
// come to them and never leave them; or if Every is not 0, come and leave in multiples of it only.
type Group struct {
	Pits  []string `json:"pits"`
	Every int      `json:"every,omitempty"`
}

// Size returns the number of states in the evidence.
func (e *Evidence) Size() int {
	n := len(e.States) + e.Count
	for i := range e.By {
		n += e.By[i].Count
	}
	for i := range e.Below {
		n += e.Below[i].Size()
	}
	return n
}

// Asks reports whether a solver can check evidence of this kind. For large sets there would be too
// many questions.
func (e *Evidence) Asks() bool { return e.Kind == Backward || e.Kind == Inductive }

// Strategy has the live states that play by a strategy can reach, each with a number. From each of
// them the strategy's moves lead to its own states, or to finished ones that keep what it shows.
// docs/certificates.md has the conditions on the numbers.
type Strategy struct {
	Shows  string `json:"shows"`
	Bound  *int   `json:"bound,omitempty"` // for AtLeast and AtMost
	Count  int    `json:"count"`           // the number of states packed
	Packed string `json:"packed"`
}

// The things that a strategy can show.
const (
	AtLeast  = "at least" // its states are worth at least Bound to the first player
	AtMost   = "at most"
	Forces   = "forces" // the player of the claim forces its goal
	Prevents = "prevents"
)

// Kept names the parts of states that are kept, in order of declaration. In finished states the
// kept variables are those of VarsWhenOver.
type Kept struct {
	Pits         []string `json:"pits"`
	Vars         []string `json:"vars"`
	VarsWhenOver []string `json:"varsWhenOver"`
}

// StartOnly is a lemma: a live state in which the variable has the value must be a start.
type StartOnly struct {
	Var   string `json:"var"`
	Value string `json:"value"`
}

// State has the seeds of the kept pits and the values of the kept variables. Outcome is empty while
// the game goes on, and then Mover is the player to move, who has no name in a solitaire.
type State struct {
	Seeds   []int    `json:"seeds"`
	Vars    []string `json:"vars,omitempty"`
	Mover   string   `json:"mover,omitempty"`
	Outcome string   `json:"outcome,omitempty"`
}

// Rejected is the error for a certificate that is wrong, or that does not show what it claims.
type Rejected struct{ Reason string }

func (e *Rejected) Error() string { return "rejected: " + e.Reason }

// NeedsSolver is the error for a certificate that may be right but cannot be checked completely
// without a solver.
type NeedsSolver struct{ Reason string }

func (e *NeedsSolver) Error() string { return "cannot be checked without a solver: " + e.Reason }

// Package cert writes verdicts as certificates, and checks them without the search.
//
// A certificate is a file: the claim, the text of the rules, the resolved System and its hash, the
// scope of the verdict, and the evidence. docs/certificates.md describes the format, what is
// checked of each kind of evidence, and what is trusted.
//
//	cert.go        the format; new.go makes certificates, file.go writes and reads them
//	state.go       states as text; pack.go large sets of states as bytes
//	statement.go   from the text of the rules to the certified statement
//	check.go       the independent check; report.go what it tells
//	closedset.go   sets of states, and what becomes of what is not known
//	backward.go    of a set closed under predecessors
//	predecessors.go  how predecessors are found
//	forward.go     of a set closed under steps
//	numbers.go     of such a set with a number for each state: moves to the end, or from a start
//	play.go        of one play
//	law.go         that the number of seeds is always the same
//	product.go     of a set of pairs of states closed under steps of both, and of steps taken back
//	winning.go     of the states from which a win can be reached, and by which strategy
//	strategy.go    of strategies: what positions are worth, and what a player can force
//	aim.go         what a strategy is to bring about: value.go, force.go; worth.go what plays are
//	               worth
//	near.go        single steps of states that may be unreachable, which have no certificate
//	obligation.go  the same as questions for a solver
//
// The check plays partly unknown states with package internal/partial, a domain of rules/exec. It
// uses no code of the engines; the reference interpreter and the formulas use rules/exec as well.
package cert

// Format and Version name the format of the file.
const (
	Format  = "mancheck-certificate"
	Version = 3
)

// Certificate is a verdict with everything needed to check it.
type Certificate struct {
	Format        string            `json:"format"`
	Version       int               `json:"version"`
	Tool          string            `json:"tool"` // that made it; for information only
	Root          string            `json:"root"` // path of the file that makes the claim
	Sources       map[string]string `json:"sources"`
	SourcesDigest string            `json:"sourcesDigest"`
	Claim         Claim             `json:"claim"`
	Settings      map[string]any    `json:"settings,omitempty"` // every parameter that has a value: numbers and truth values
	Line          int               `json:"line,omitempty"`     // in the file of boards, of a claim that has one
	Open          []string          `json:"open,omitempty"`     // parameters of `for all`
	Some          string            `json:"some,omitempty"`     // the parameter of `for some`
	Scope         []Scope           `json:"scope,omitempty"`
	Verdict       string            `json:"verdict"`
	Vacuous       bool              `json:"vacuous,omitempty"` // nothing matches the claim
	System        string            `json:"system"`            // canonical text
	SystemHash    string            `json:"systemHash"`
	Evidence      Evidence          `json:"evidence"`
}

// Claim names what is certified.
type Claim struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	Kind  string `json:"kind"`
	// Asserts is the claim about the resolved System, in canonical form.
	Asserts string `json:"asserts"`
}

// Scope is one parameter with its value, or with the range of values that the verdict holds for.
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
	Inductive  = "inductive"
	Strategies = "strategies"
)

// Evidence shows that the verdict is right. Which fields are used depends on Kind.
type Evidence struct {
	Kind      string      `json:"kind"`
	Kept      *Kept       `json:"kept,omitempty"`      // of the closed sets and the strategies
	StartOnly []StartOnly `json:"startOnly,omitempty"` // of Backward, Winning and Plan
	States    []State     `json:"states,omitempty"`    // of Backward, Winning, Plan and Shown
	Moves     []int       `json:"moves,omitempty"`     // of Winning and Plan: by state, a win takes no more
	MostSeeds *int        `json:"mostSeeds,omitempty"` // of Winning and Plan: no start has more
	Count     int         `json:"count,omitempty"`     // of Forward, Falling, Depths and Product: how many states or pairs are packed
	Packed    string      `json:"packed,omitempty"`    // of Forward, Falling, Depths and Product
	K         int         `json:"k,omitempty"`         // of Inductive
	Lemmas    []string    `json:"lemmas,omitempty"`    // of Inductive
	Play      []string    `json:"play,omitempty"`      // of Shown: the moves that lead from each of States to the next
	By        []Strategy  `json:"by,omitempty"`        // of Strategies
}

// Size returns the number of states.
func (e *Evidence) Size() int {
	n := len(e.States) + e.Count
	for i := range e.By {
		n += e.By[i].Count
	}
	return n
}

// Asks reports whether there are questions for a solver that show the verdict. Large sets have
// none.
func (e *Evidence) Asks() bool { return e.Kind == Backward || e.Kind == Inductive }

// Strategy is the live states that play comes to by a strategy, each with a number. Its moves lead
// to states of the strategy, or to finished ones, that keep what it shows; docs/certificates.md has
// what that asks of the numbers.
type Strategy struct {
	Shows  string `json:"shows"`
	Bound  *int   `json:"bound,omitempty"` // of AtLeast and AtMost
	Count  int    `json:"count"`           // how many states are packed
	Packed string `json:"packed"`
}

// What a strategy shows.
const (
	AtLeast  = "at least" // its states are worth at least Bound to the first player
	AtMost   = "at most"
	Forces   = "forces" // the player of the claim forces its goal
	Prevents = "prevents"
)

// Kept names the kept parts of states, in order of declaration. In finished states the variables
// are those of VarsWhenOver.
type Kept struct {
	Pits         []string `json:"pits"`
	Vars         []string `json:"vars"`
	VarsWhenOver []string `json:"varsWhenOver"`
}

// StartOnly is a lemma: a live state in which the variable has the value is a start.
type StartOnly struct {
	Var   string `json:"var"`
	Value string `json:"value"`
}

// State lists the seeds of the kept pits and the values of the kept variables. Outcome is empty
// while the game goes on, and then Mover is to move; in a solitaire that is the player without a
// name.
type State struct {
	Seeds   []int    `json:"seeds"`
	Vars    []string `json:"vars,omitempty"`
	Mover   string   `json:"mover,omitempty"`
	Outcome string   `json:"outcome,omitempty"`
}

// Rejected is the error for a certificate that is wrong, or that does not show what it claims.
type Rejected struct{ Reason string }

func (e *Rejected) Error() string { return "rejected: " + e.Reason }

// NeedsSolver is the error for a certificate that may be right, but cannot be checked completely
// without a solver.
type NeedsSolver struct{ Reason string }

func (e *NeedsSolver) Error() string { return "cannot be checked without a solver: " + e.Reason }

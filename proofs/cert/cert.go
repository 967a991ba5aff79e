// Package cert writes verdicts as certificates, and checks certificates independently of the search
// that found the verdicts.
//
// A certificate is a file: the claim, the text of the rules, the resolved System and its hash, the
// scope of the verdict, and the evidence. docs/certificates.md describes the format, what is
// checked of each kind of evidence, and what is trusted.
//
//	cert.go        the format; file.go writes and reads it, new.go makes certificates
//	evidence.go    the kinds of evidence
//	state.go       states as text; pack.go large sets of states as bytes
//	statement.go   from the text of the rules to the certified statement
//	check.go       the independent check; report.go its result
//	closedset.go   sets of states, and what is done where parts of them are unknown
//	backward.go    sets closed under predecessors
//	predecessors.go  how predecessors are found
//	forward.go     sets closed under steps
//	numbers.go     such sets with a number for each state: moves to the end, or from a start
//	play.go        a single play
//	conserved.go   the number of seeds, which is always the same, and groups of pits
//	moved.go       which way seeds go in a step
//	ranked.go      a rank that each step lowers
//	bounds.go      what laws tell of conditions
//	finite.go      plays that end because no position comes back
//	inductive.go   invariants that are k-inductive
//	sizes.go       sets for every size of the board, by package internal/insertion
//	sizelaws.go    laws for every size of the board, by package internal/everysize
//	product.go     sets of pairs of states closed under steps of both, and steps taken back
//	winning.go     the states from which a win can be reached, and by which strategy
//	strategy.go    strategies: what positions are worth, and what a player can force
//	aim.go         what a strategy has to bring about: value.go, force.go; worth.go what plays
//	               are worth
//	obligation.go  the same as questions for a solver
//
// The checker plays states that are partly unknown with package internal/partial, a domain of
// rules/exec. It shares no code with the engines; the reference interpreter and the formulas use
// rules/exec as well.
package cert

import "github.com/mancheck/mancheck/proofs/cert/internal/refuse"

// Format and Version identify the format of the file. A program reads only its own version.
const (
	Format  = "mancheck-certificate"
	Version = 4
)

// Certificate is a verdict with everything that is needed to check it. The tags are the schema of
// the file: Read applies them, and docs/certificate.schema.json is compared with them.
type Certificate struct {
	Format        string            `json:"format" is:"mancheck-certificate"`
	Version       int               `json:"version" is:"4..4"`
	Tool          string            `json:"tool"` // the program that made it; for information only
	Root          string            `json:"root"` // path of the file with the claim
	Sources       map[string]string `json:"sources" len:"1.."`
	SourcesDigest string            `json:"sourcesDigest" is:"/^[0-9a-f]{64}$/"`
	Claim         Claim             `json:"claim"`
	Settings      map[string]any    `json:"settings,omitempty" is:"-1048576..1048576"` // the parameters that have a value: numbers and truth values
	Line          int               `json:"line,omitempty" is:"1..268435456"`          // line in the file of boards, if the claim has one
	Open          []string          `json:"open,omitempty"`                            // parameters of `for all`
	Some          string            `json:"some,omitempty"`                            // the parameter of `for some`
	Size          string            `json:"size,omitempty"`                            // the parameter of a claim about every size
	Scope         []Scope           `json:"scope,omitempty"`
	Verdict       string            `json:"verdict" is:"proved|refuted"`
	Vacuous       bool              `json:"vacuous,omitempty"` // nothing matches the claim
	System        string            `json:"system"`            // canonical text
	SystemHash    string            `json:"systemHash" is:"/^[0-9a-f]{64}$/"`
	Other         string            `json:"other,omitempty"` // of another System that the claim is about: canonical text
	Evidence      Box               `json:"evidence"`
}

// Claim identifies the claim that is certified.
type Claim struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	Kind  string `json:"kind" is:"unreachable|invariant|reachable|never stuck|every step|every step over all states|terminates|count of states|count of finished|count of winning starts|winning starts|strategy wins|value|winner|best|can force|refines|equivalent|reverses"`
	// Asserts is what the claim says about the resolved System, in one line. Its grammar is
	// docs/claim.ebnf.
	Asserts string `json:"asserts" is:"/^[^\\n]+$/"`
}

// Scope is one parameter with its value, or the range of values that the verdict holds for.
type Scope struct {
	Param string `json:"param"`
	Is    string `json:"is" is:"/^(-?[0-9]+|true|false|-?[0-9]+\\.\\.(-?[0-9]+)?)$/"` // 6, true, 12.., 1..4
	All   bool   `json:"all,omitempty"`                                               // every value of the range
}

// Verdicts that a certificate can have.
const (
	Proved  = "proved"
	Refuted = "refuted"
)

// Kept names the parts of states that are kept, in order of declaration. In finished states the
// kept variables are those of VarsWhenOver.
type Kept struct {
	Pits         []string `json:"pits" len:"0.."`
	Vars         []string `json:"vars" len:"0.."`
	VarsWhenOver []string `json:"varsWhenOver" len:"0.."`
}

// State has the seeds of the kept pits and the values of the kept variables. Outcome is empty while
// the game goes on, and then Mover is the player to move, who has no name in a solitaire.
type State struct {
	Seeds   []int    `json:"seeds" is:"0..1048576"`
	Vars    []string `json:"vars,omitempty"`
	Mover   string   `json:"mover,omitempty"`
	Outcome string   `json:"outcome,omitempty"`
}

// Packed is a list of many states as bytes; see pack.
type Packed struct {
	Count int    `json:"count,omitempty" is:"1..268435456"` // the number of states or pairs packed
	Text  string `json:"packed,omitempty" is:"/^[A-Za-z0-9+/]+={0,2}$/"`
}

func (p *Packed) size() int { return p.Count }

// Rejected is the error for a certificate that is wrong, or that does not show what it claims.
type Rejected = refuse.Rejected

// NeedsSolver is the error for a certificate that may be right but cannot be checked completely
// without a solver.
type NeedsSolver = refuse.NeedsSolver

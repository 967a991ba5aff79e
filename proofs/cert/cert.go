// Package cert writes verdicts as certificates, and checks certificates independently of the search
// that found the verdicts.
//
// A certificate is a file: the claim, the text of the rules, the resolved System and its hash, the
// scope of the verdict, and the evidence. docs/certificates.md describes the format, what is
// checked of each kind of evidence, and what is trusted.
//
//	cert.go        the format, and the kinds of evidence
//	file.go        makes certificates, writes and reads them
//	state.go       states as text; large sets of states as bytes
//	statement.go   from the text of the rules to the certified statement
//	check.go       the independent check, its result, and whether that is about the rules in hand
//	closedset.go   sets of states, and what is done where parts of them are unknown
//	backward.go    sets closed under predecessors, and how predecessors are found
//	forward.go     sets closed under steps
//	numbers.go     such sets with a number for each state: moves to the end, or from a start
//	play.go        a single play
//	conserved.go   the number of seeds, which is always the same, groups of pits, and which way
//	               seeds go in a step
//	ranked.go      plays that end: a rank that each step lowers, or no position that comes back
//	bounds.go      what laws tell of conditions
//	sizes.go       sets for every size of the board, by package internal/insertion
//	sizelaws.go    laws for every size of the board, by package internal/everysize
//	product.go     sets of pairs of states closed under steps of both, and steps taken back
//	winning.go     the states from which a win can be reached, and by which strategy
//	strategy.go    strategies: what positions are worth, and what a player can force
//	aim.go         what a strategy has to bring about: to force something, or a value
//	value.go       what plays are worth
//	obligation.go  invariants that are k-inductive, and these as questions for a solver
//
// The checker plays states that are partly unknown with package internal/partial, a domain of
// rules/exec. It shares no code with the engines; the reference interpreter and the formulas use
// rules/exec as well.
package cert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
)

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

// Evidence shows that a verdict is right. Each kind is a type, and has an entry in kinds.
type Evidence interface {
	// check fails unless it shows what st says. What is checked is added to r. The error is a
	// *NeedsSolver if only a solver may show it.
	check(ctx context.Context, st *statement, r *Report) error
}

// kinds has the names of the kinds in certificates.
var kinds = map[string]Evidence{
	"backward-closed":  &Backward{},
	"forward-closed":   &Forward{},
	"closed-product":   &Product{},
	"winning-states":   &Winning{},
	"winning-plan":     &Plan{},
	"falling-numbers":  &Falling{},
	"depths":           &Depths{},
	"play":             &Play{},
	"conserved-seeds":  &Conserved{},
	"seed-groups":      &Grouped{},
	"seed-moves":       &Moved{},
	"falling-rank":     &Ranked{},
	"finite-positions": &Finite{},
	"no-dead-end":      &NoDeadEnd{},
	"over-at-once":     &OverAtOnce{},
	"inductive":        &Inductive{},
	"strategies":       &Strategies{},
	"all-sizes":        &Sizes{},
	"all-sizes-rank":   &SizesRank{},
	"all-sizes-moves":  &SizesMoves{},
	"all-sizes-seeds":  &SizesSeeds{},
}

// Kind returns the name of the kind of evidence.
func Kind(e Evidence) string {
	for name, of := range kinds {
		if reflect.TypeOf(of) == reflect.TypeOf(e) {
			return name
		}
	}
	panic(fmt.Sprintf("cert: unknown %T", e))
}

// Box holds evidence. In JSON it is an object with the kind, and the fields of its type.
type Box struct{ Is Evidence }

// MarshalJSON writes the kind and the fields.
func (b Box) MarshalJSON() ([]byte, error) {
	var fields bytes.Buffer
	enc := json.NewEncoder(&fields)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b.Is); err != nil {
		return nil, err
	}
	kind := fmt.Sprintf(`{"kind":%q`, Kind(b.Is))
	rest := bytes.TrimPrefix(fields.Bytes(), []byte("{"))
	if rest[0] != '}' {
		kind += ","
	}
	return append([]byte(kind), rest...), nil
}

// UnmarshalJSON reads them strictly.
func (b *Box) UnmarshalJSON(data []byte) error {
	var of struct{ Kind string }
	if err := json.Unmarshal(data, &of); err != nil {
		return err
	}
	kind, known := kinds[of.Kind]
	if !known {
		return fmt.Errorf("there is no kind of evidence %.40q", of.Kind)
	}
	b.Is = reflect.New(reflect.TypeOf(kind).Elem()).Interface().(Evidence)
	return strictjson.UnmarshalWith("kind", data, b.Is)
}

// Size returns the number of states in evidence.
func Size(e Evidence) int {
	if of, is := e.(interface{ size() int }); is {
		return of.size()
	}
	return 0
}

// asked is evidence that a solver can check. Of large sets there would be too many questions.
type asked interface {
	obligations(ctx context.Context, st *statement) ([]Obligation, error)
}

// Asks reports whether a solver can check evidence of this kind.
func Asks(e Evidence) bool {
	_, is := e.(asked)
	return is
}

// unfit returns the rejection of evidence of a kind that cannot show the statement.
func (st *statement) unfit(e Evidence) error {
	return reject("evidence of the kind `%s` shows nothing about such a claim", Kind(e))
}

package cert

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Report says what was checked of a certificate that is right. All of it follows from the rules,
// was compared with what follows from them, or was counted in the check.
type Report struct {
	Claim         Claim
	Line          int // in the file of boards, or 0
	Verdict       string
	Params        []rules.Param // what the verdict holds for
	Size          string        // the parameter of a claim about every size
	SystemHash    string
	SourcesDigest string        // of a certificate
	Evidence      string        // its kind
	States        int           // in the evidence
	K             int           // for Inductive
	Checked       []Checked     // in order of execution
	Subject       Subject       // whether anything matches the claim
	Found         []rules.State // for Winning: the starts that can be won and satisfy the condition of the claim
	Longest       int           // for Falling: moves of the longest play
	Number        int           // for Depths: the number of states that the claim counts
	Positions     []Position
	Notes         []string
	Trusted       []string // what the check relies on, in words
}

// Checked counts the obligations of one kind.
type Checked struct {
	What string `json:"what"`
	N    int    `json:"n"`
}

func (r *Report) checked(what string, n int) { r.Checked = append(r.Checked, Checked{what, n}) }

// trusted has what every check relies on.
var trusted = []string{
	"the parser and the resolver, which read the text of the rules and the claim: they are the ones that the search used",
	"the argument in docs/certificates.md that what is checked is enough",
	"the Go compiler and its libraries, SHA-256, and this machine",
}

// executor is what every check relies on that plays moves.
const executor = "the executor of the resolved rules (the certificate checker shares it with the reference interpreter and the formulas, and not with the stepper of the searches)"

// reportOn returns a Report for which nothing was checked yet, without the verdict.
func (st *statement) reportOn(e Evidence) *Report {
	r := About(st.inst)
	r.Evidence, r.States = Kind(e), Size(e)
	if of, is := e.(*Inductive); is {
		r.K = of.K
	}
	return r
}

// About returns a Report that says only what is claimed.
func About(inst *build.Instance) *Report {
	return &Report{Claim: claimOf(inst), Line: inst.Line(), Params: inst.System.Params, Size: inst.Size, SystemHash: inst.System.Hash()}
}

package verdict

import "github.com/mancheck/mancheck/rules"

// Note is something else to be said of a verdict: a Fact, a Quote, a Mention or one of the types of
// this file.
//
//sumtype:decl
type Note interface{ note() }

type (
	// Asked is the solver that was asked for the verdict, and the one that showed its evidence.
	// Either may be empty.
	Asked struct {
		Solver string
		Second string `json:",omitempty"`
	}
	// Compared is which pits of two variants were compared: some by their names, others by their
	// places in the picture.
	Compared struct {
		In      rules.Agreement `json:",omitempty"`
		ByName  int
		ByPlace []string // as `a1 with b1`
	}
	// SmallerUnknown is that a smaller value of a parameter may do as well.
	SmallerUnknown struct {
		Param string
		Value int
		Rest  Cause
	}
	// EngineOpen is why one of several engines leaves the question open.
	EngineOpen struct {
		Engine Engine
		Why    Cause
	}
)

func (Asked) note()          {}
func (Compared) note()       {}
func (SmallerUnknown) note() {}
func (EngineOpen) note()     {}

// Gap is why nobody has checked a verdict: a Fact, a Figure or a Quote.
//
//sumtype:decl
type Gap interface{ gap() }

// Detail is words that are not the tool's own: of a solver, or of a mistake in the rules; or an
// engine's description of what it cannot do. They are shown to people. They decide nothing, so they
// cannot be compared, and only package say reads them.
type Detail struct {
	_    [0]func() // so that == is an error of the compiler
	text string
}

// Words makes a Detail.
func Words(text string) Detail { return Detail{text: text} }

// ForSentence is the words, for package say alone.
func (d Detail) ForSentence() string { return d.text }

// MarshalText returns the words.
func (d Detail) MarshalText() ([]byte, error) { return []byte(d.text), nil }

// UnmarshalText reads them.
func (d *Detail) UnmarshalText(text []byte) error {
	d.text = string(text)
	return nil
}

// Package verdict is what is said of a claim, as data: what was claimed, the status, the numbers
// that were found, what they hold for, how they were checked, which limits were hit, what was
// believed, and why something is not known. It is compared, confirmed, kept and written to JSON as
// it is. Nothing here is a sentence: package say makes those.
//
//	verdict.go  a verdict; claim.go the kinds of claims, and what they hold for
//	said.go     what findings, reasons, notes and gaps have in common
//	finding.go  what was found, with its numbers, and values of positions
//	reason.go   why a verdict is unknown or bounded
//	note.go     what else is said of it, and why nobody has checked it; words of solvers, rules
//	            and engines, which are shown and never compared
//	box.go      findings, reasons, notes and gaps in JSON
package verdict

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Verdict is what is said of a claim.
type Verdict struct {
	Claim   Claim
	Status  Status
	Engine  Engine
	Scope   Scope
	Least   *Least  // with `for some`: the value for which the claim holds; nil if there is none
	Found   Finding // of a conclusive verdict; nil otherwise
	Open    Reason  // why it is not conclusive; nil if it is
	Bound   int     // of a bounded verdict: moves
	Notes   []Note
	Stats   Stats
	K       int    // length of the induction that proves it
	Value   *Worth // of a claim about values: what is known of them; may be nil
	Vacuous bool   // true only because nothing matches it
	Limited bool   // a limit of memory ended it, or prevented a better result: a Note says which
	Missing *MissingSolver
	Checked Checked
	Gap     Gap     // why it is unchecked; nil if it is not
	Trusted []Table // tables that it rests on, which nobody has checked
}

// Status is the answer.
type Status int

const (
	Unknown Status = iota // Open says why
	Proved                // for everything in the scope
	Refuted               // with a trace, where a trace can show it
	Bounded               // no counterexample within Bound moves: not a proof
)

var statusNames = [...]string{"unknown", "proved", "refuted", "bounded"}

// String returns the word in all output.
func (s Status) String() string { return statusNames[s] }

// Is returns the conclusive status of a claim that is true or false.
func Is(holds bool) Status {
	if holds {
		return Proved
	}
	return Refuted
}

// Denied is the status of the denial of a claim.
func (s Status) Denied() Status {
	if s == Proved || s == Refuted {
		return Is(s == Refuted)
	}
	return s
}

// MarshalText returns the word.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word.
func (s *Status) UnmarshalText(text []byte) error {
	return read(s, statusNames[:], text, "status")
}

// Checked says how the evidence of a conclusive verdict was checked before it was reported.
type Checked int

const (
	NotYet        Checked = iota // not a state of verdicts that are reported
	Unchecked                    // Verdict.Gap says why
	ByCertificate                // by the independent checker
	ByReplay                     // a play, by the reference interpreter
	ByEnumeration                // found again by playing all plays
)

var checkedNames = [...]string{"not yet", "unchecked", "certificate", "replay", "enumeration"}

// String returns the word in all output.
func (c Checked) String() string { return checkedNames[c] }

// MarshalText returns the word.
func (c Checked) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the word.
func (c *Checked) UnmarshalText(text []byte) error {
	return read(c, checkedNames[:], text, "way to check a verdict")
}

// read reads the name of a constant.
func read[T ~int](to *T, names []string, text []byte, what string) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("`%s` is no %s", text, what)
	}
	*to = T(i)
	return nil
}

// Conclusive reports whether the verdict says that the claim is true, or that it is false.
func (v *Verdict) Conclusive() bool { return v.Status == Proved || v.Status == Refuted }

// SameFigures reports whether two verdicts have found the same.
func SameFigures(a, b *Verdict) bool {
	return Same(a.Found, b.Found) && reflect.DeepEqual(a.Open, b.Open) && reflect.DeepEqual(a.Least, b.Least) && a.Vacuous == b.Vacuous
}

// OfNothing reports whether the verdict says nothing about plays: nothing matches the claim, or it
// is about a position to which no play can come.
func (v *Verdict) OfNothing() bool {
	return v.Vacuous || slices.ContainsFunc(v.Notes, func(n Note) bool {
		m, is := n.(Mention)
		return is && m.Is == NoSuchTotal
	})
}

// Stats is the work done. Fields that an engine does not count are 0.
type Stats struct {
	States      int64
	Transitions int64
	Depth       int
	Closed      int // size of the closed set of a backward search, without targets
	Bytes       int64
	Elapsed     time.Duration
}

// Table is an endgame table that is believed.
type Table struct {
	File   string `json:"file"`
	Seeds  int    `json:"seeds"`
	SHA256 string `json:"sha256"` // of the file, in hexadecimal
}

// Package refuse has the errors with which the certificate checker refuses what it is given: it is
// wrong, or only a solver may decide.
package refuse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
)

// Rejected is the error for a certificate that is wrong, or that does not show what it claims.
type Rejected struct{ Reason string }

func (e *Rejected) Error() string { return "rejected: " + e.Reason }

// NeedsSolver is the error for a certificate that may be right but cannot be checked completely
// without a solver.
type NeedsSolver struct{ Reason string }

func (e *NeedsSolver) Error() string { return "cannot be checked without a solver: " + e.Reason }

// Open returns the error for a question that only a solver may decide.
func Open(format string, args ...any) error { return &NeedsSolver{fmt.Sprintf(format, args...)} }

// mostQuoted bounds, in bytes, what a reason quotes of a certificate at one place.
const mostQuoted = 1000

// Because returns the rejection for a reason. It is short, however long a text it quotes is.
func Because(format string, args ...any) error {
	for i, x := range args {
		switch x.(type) {
		case string, error, fmt.Stringer:
			if text := fmt.Sprint(x); len(text) > mostQuoted {
				args[i] = strings.ToValidUTF8(text[:mostQuoted], "") + "…"
			}
		}
	}
	return &Rejected{fmt.Sprintf(format, args...)}
}

// LeftOut returns the error for a decision that depends on something unknown, in the step that
// where describes. It needs a solver and is no rejection, because the unknown parts are treated one
// by one, and together they may be restricted more. A fault of the rules is a rejection.
func LeftOut(err error, where string, args ...any) error {
	var open *partial.Unknown
	if errors.As(err, &open) {
		why := " depends on %s, which the certificate leaves out"
		if open.Part == partial.SweptStart {
			why = " depends on %s"
		}
		return Open(where+why, append(args, open.Part)...)
	}
	var hard *partial.Intricate
	if errors.As(err, &hard) {
		return Open(where+" "+hard.Reason, args...)
	}
	var broken *partial.Fault
	if errors.As(err, &broken) {
		return Because(where+": %v", append(args, broken)...)
	}
	return err
}

// Unlisted returns the error for states that cannot be listed. what says which.
func Unlisted(err error, what string) error {
	var infinite *listing.Unbounded
	var many *listing.TooMany
	if errors.As(err, &infinite) || errors.As(err, &many) {
		return Open("the %s cannot be listed: %v", what, err)
	}
	return err
}

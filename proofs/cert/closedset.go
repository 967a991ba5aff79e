package cert

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// coder reads which parts of states are kept in the evidence.
func (st *statement) coder(e *Evidence) (coder, error) {
	kept, err := keptOf(st.sys, e.Kept)
	return coder{st.sys, kept}, err
}

// closedSet is a set of states, given by their kept parts.
type closedSet struct {
	coder
	m      *partial.Machine
	states []rules.State
	member map[string]int // by key: the place among the states, from 1 on
	key    []byte         // the last one
}

// lookEvery is after how many states the context is looked at.
const lookEvery = 256

func newClosedSet(ctx context.Context, c coder, states []rules.State) (*closedSet, error) {
	if err := increasing(states); err != nil {
		return nil, err
	}
	set := &closedSet{coder: c, m: partial.New(ctx, c.sys), states: states, member: make(map[string]int, len(states))}
	var key []byte
	for i, s := range states {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		key = c.kept.AppendState(key[:0], s)
		set.member[string(key)] = i + 1
	}
	return set, nil
}

// has reports whether the kept parts of s are in the set.
func (set *closedSet) has(s partial.State) (bool, error) {
	key, err := set.keyOf(s)
	return set.member[string(key)] > 0, err
}

// keyOf gives what tells the states of the set apart. The next one takes its place.
func (set *closedSet) keyOf(s partial.State) ([]byte, error) {
	key, err := set.m.AppendKey(set.key[:0], s, set.kept)
	if err == nil {
		set.key = key
	}
	return key, err
}

// leftOut is the error for a decision that depends on something unknown; where says what was done.
// The certificate may still be right: separately each unknown part is less restricted than all of
// them together.
func leftOut(err error, where string, args ...any) error {
	var open *partial.Unknown
	if errors.As(err, &open) {
		why := " depends on %s, which the certificate leaves out"
		if open.Part == partial.SweptStart {
			why = " depends on %s"
		}
		return &NeedsSolver{Reason: fmt.Sprintf(where+why, append(args, open.Part)...)}
	}
	var broken *partial.Fault
	if errors.As(err, &broken) {
		return reject(where+": %v", append(args, broken)...)
	}
	return err
}

// unlisted turns the error of a listing into a verdict on the certificate.
func unlisted(err error, what string) error {
	var infinite *listing.Unbounded
	var many *listing.TooMany
	if errors.As(err, &infinite) || errors.As(err, &many) {
		return &NeedsSolver{"the " + what + " cannot be listed: " + err.Error()}
	}
	return err
}

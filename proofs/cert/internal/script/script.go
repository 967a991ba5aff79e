// Package script tries all ways in which something may go: a run asks it at each decision which
// option to take, and is repeated until all combinations have had their turn.
package script

import (
	"errors"
	"slices"
)

// ErrNoWay ends a run whose choices turn out to be impossible together.
var ErrNoWay = errors.New("impossible")

// ErrLong ends a run that makes too many choices.
var ErrLong = errors.New("depends on too much")

// Script is a list of choices. A run follows it, and takes the first option where it ends.
type Script struct {
	Broad bool // those with few choices first
	Most  int  // choices of one run

	choices  []choice
	position int
	later    [][]choice // those to come, if Broad
}

type choice struct{ pick, of int }

// Choose returns the option to take, from 0 on.
func (s *Script) Choose(options int) int {
	if s.position == len(s.choices) {
		for n := options - 1; n > 0 && s.Broad; n-- {
			s.later = append(s.later, append(slices.Clone(s.choices), choice{n, options}))
		}
		s.choices = append(s.choices, choice{of: options})
	}
	s.position++
	return s.choices[s.position-1].pick
}

// Chosen reports whether the run has made a choice.
func (s *Script) Chosen() bool { return s.position > 0 }

// Follows reports whether the run is where an earlier one has been.
func (s *Script) Follows() bool { return s.position < len(s.choices) }

// Err is ErrLong if the run makes too many choices.
func (s *Script) Err() error {
	if len(s.choices) > s.Most {
		return ErrLong
	}
	return nil
}

// Next changes the script to the next one, and reports whether there is one.
func (s *Script) Next() bool {
	s.position = 0
	if s.Broad {
		if len(s.later) == 0 {
			return false
		}
		s.choices, s.later = s.later[0], s.later[1:]
		return true
	}
	for len(s.choices) > 0 {
		last := &s.choices[len(s.choices)-1]
		if last.pick++; last.pick < last.of {
			return true
		}
		s.choices = s.choices[:len(s.choices)-1]
	}
	return false
}

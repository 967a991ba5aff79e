package cache

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// place says which System something is about, in relation to the instance: its own with these
// values of the open parameters, or with Which > 0 one that its property then holds.
type place struct {
	Values []int `json:"values,omitempty"`
	Which  int   `json:"which,omitempty"`
}

var errElsewhere = errors.New("a System that the claim is not about")

// placeOf finds a System.
func placeOf(inst *build.Instance, sys *rules.System) (place, error) {
	if which := slices.Index(inst.Systems(), sys); which >= 0 {
		return place{Which: which}, nil
	}
	if sys == nil {
		return place{}, errElsewhere
	}
	values := inst.ValuesIn(sys)
	on, p, err := inst.WithValues(values)
	if err != nil {
		return place{}, err
	}
	for which, s := range build.Systems(on, p) {
		if s != nil && s.Hash() == sys.Hash() {
			return place{Values: values, Which: which}, nil
		}
	}
	return place{}, errElsewhere
}

// located are the Systems of an instance by the text of their places, so that each is made once:
// plays and verdicts are about the same ones.
type located struct {
	inst    *build.Instance
	systems map[string][]*rules.System
}

// systemAt is the System at a place.
func (l *located) systemAt(on place) (*rules.System, error) {
	key := fmt.Sprint(on.Values)
	list, ok := l.systems[key]
	if !ok {
		sys, p, err := l.inst.WithValues(on.Values)
		if err != nil {
			return nil, err
		}
		list = build.Systems(sys, p)
		l.systems[key] = list
	}
	if on.Which < 0 || on.Which >= len(list) || list[on.Which] == nil {
		return nil, errElsewhere
	}
	return list[on.Which], nil
}

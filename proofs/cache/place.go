package cache

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// place says which System something is about, in relation to the instance: its own with these values of the open parameters, or with
// Which > 0 one that its property then holds.
type place struct {
	Values []int `json:"values,omitempty"`
	Which  int   `json:"which,omitempty"`
}

var errElsewhere = errors.New("a System that the claim does not speak of")

// placeOf finds a System.
func placeOf(inst *resolve.Instance, sys *rules.System) (place, error) {
	for which, s := range inst.Systems() {
		if s == sys {
			return place{Which: which}, nil
		}
	}
	values, err := valuesIn(inst, sys)
	if err != nil {
		return place{}, err
	}
	on, p, err := with(inst, values)
	if err != nil {
		return place{}, err
	}
	for which, s := range resolve.Systems(on, p) {
		if s != nil && s.Hash() == sys.Hash() {
			return place{Values: values, Which: which}, nil
		}
	}
	return place{}, errElsewhere
}

// valuesIn lists the values that sys has for the instance's open parameters.
func valuesIn(inst *resolve.Instance, sys *rules.System) ([]int, error) {
	if sys == nil {
		return nil, errElsewhere
	}
	var values []int
	for _, i := range inst.System.OpenParams() {
		for _, p := range sys.Params {
			if p.Name == inst.System.Params[i].Name && !p.Open {
				values = append(values, p.Value)
			}
		}
	}
	return values, nil
}

// with is the instance with values of its open parameters; without values it is as it is.
func with(inst *resolve.Instance, values []int) (*rules.System, resolve.Property, error) {
	if len(values) == 0 {
		return inst.System, inst.Property, nil
	}
	open := inst.System.OpenParams()
	if len(open) != len(values) {
		return nil, nil, errElsewhere
	}
	given := resolve.Settings{}
	for i, p := range open {
		given[inst.System.Params[p].Name] = resolve.Value{N: values[i], At: inst.Claim.At}
	}
	sys, p, diags := inst.With(given)
	return sys, p, diags.Err()
}

// located are the Systems of an instance by the text of their places, so that each is made once: plays and verdicts are about the same ones.
type located struct {
	inst *resolve.Instance
	by   map[string][]*rules.System
}

// at is the System at a place.
func (l *located) at(on place) (*rules.System, error) {
	key := fmt.Sprint(on.Values)
	list, ok := l.by[key]
	if !ok {
		sys, p, err := with(l.inst, on.Values)
		if err != nil {
			return nil, err
		}
		list = resolve.Systems(sys, p)
		l.by[key] = list
	}
	if on.Which < 0 || on.Which >= len(list) || list[on.Which] == nil {
		return nil, errElsewhere
	}
	return list[on.Which], nil
}

package proofs

import (
	"errors"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

var errOtherSystem = errors.New("it is none that values of the open parameters give")

// PropertyIn is the instance's property as it reads in sys: its own System, or that with values of the open parameters.
func PropertyIn(inst *resolve.Instance, sys *rules.System) (resolve.Property, error) {
	if sys == inst.System {
		return inst.Property, nil
	}
	if sys == nil {
		return nil, errOtherSystem
	}
	given := resolve.Settings{}
	for _, i := range inst.System.OpenParams() {
		for _, p := range sys.Params {
			if p.Name == inst.System.Params[i].Name && !p.Open {
				given[p.Name] = resolve.Value{N: p.Value, At: inst.Claim.At}
			}
		}
	}
	on, p, diags := inst.With(given)
	switch {
	case diags.HasErrors():
		return nil, diags
	case !sameSystem(on, sys):
		return nil, errOtherSystem
	}
	return p, nil
}

// sameSystem reports whether two Systems are played alike.
func sameSystem(l, r *rules.System) bool {
	return l == r || l != nil && r != nil && l.Hash() == r.Hash()
}

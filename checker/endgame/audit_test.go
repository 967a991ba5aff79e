package endgame

import (
	"context"
	"testing"
)

// audit verifies a table in parts of one unit each, as package verified does in phases.
func audit(t *testing.T, tab *Table) (v Verification, err error) {
	t.Helper()
	a := NewAuditor(context.Background(), tab)
	for seeds := range tab.Seeds() + 1 {
		units := a.Units(seeds)
		for _, follow := range []bool{false, true} {
			before, backward := v, false
			parts := make([]*Audit, units)
			for unit := range units {
				if parts[unit], err = a.Derive(seeds, unit, unit+1, follow); err != nil {
					return v, err
				}
				backward = backward || parts[unit].Backward
				v.Positions += parts[unit].Positions
				v.NoFuture += parts[unit].NoFuture
			}
			switch {
			case !backward:
			case !follow:
				v = before
				continue
			default:
				l := tab.layer(seeds)
				v.Followed += l.size * l.controls * l.images
				if err := settle(t, a, seeds, parts); err != nil {
					return v, err
				}
			}
			break
		}
	}
	return v, nil
}

func settle(t *testing.T, a *Auditor, seeds int, parts []*Audit) error {
	t.Helper()
	var ends []int
	for i := range parts {
		ends = append(ends, i+1)
	}
	for {
		fresh, left := false, -1
		var sound [][]byte
		for _, p := range parts {
			sound = append(sound, p.Sound)
		}
		next := make([]*Audit, len(parts))
		for i, p := range parts {
			var err error
			if next[i], err = a.Settle(seeds, i, i+1, p.Claims, sound, ends); err != nil {
				return err
			}
			fresh = fresh || next[i].Fresh
			if next[i].Left > 0 && left < 0 {
				left = i
			}
		}
		parts = next
		switch {
		case left < 0:
			return nil
		case !fresh:
			return parts[left].Circle
		}
	}
}

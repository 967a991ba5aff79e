package endgame

import "testing"

// audit verifies a table in parts of one unit each, as package verified does in phases.
func audit(t *testing.T, tab *Table) (v Verification, err error) {
	t.Helper()
	for seeds := range tab.Seeds() + 1 {
		units := Units(tab.positions, seeds)
		for _, follow := range []bool{false, true} {
			counts := Counts{}
			parts := make([]*Audit, units)
			for unit := range units {
				if parts[unit], err = tab.Derive(t.Context(), seeds, unit, unit+1, follow); err != nil {
					return v, err
				}
				if wrong := parts[unit].Wrong; wrong != nil {
					return v, wrong
				}
				counts.Backward = counts.Backward || parts[unit].Backward
				counts.Positions += parts[unit].Positions
				counts.NoFuture += parts[unit].NoFuture
			}
			if counts.Backward && !follow {
				continue
			}
			if v.Add(counts, counts.Backward); counts.Backward {
				if err := settle(t, tab, seeds, parts); err != nil {
					return v, err
				}
			}
			break
		}
	}
	return v, nil
}

func settle(t *testing.T, tab *Table, seeds int, parts []*Audit) error {
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
			if next[i], err = tab.Settle(t.Context(), seeds, i, i+1, p.Claims, sound, ends); err != nil {
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
			return parts[left].Wrong
		}
	}
}

package endgame

import (
	"context"
	"errors"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
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

// TestAudit: verification in parts has the same result as Verify.
func TestAudit(t *testing.T) {
	tier.Long(t, "a layer has several units only from 12 seeds on")
	for _, tab := range []*Table{
		built(t, awari(t, 3), 13, scored, Options{}),
		built(t, lopsidedAwari(t, 3), 12, scored, Options{}),
	} {
		want, err := Verify(context.Background(), tab, VerifyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if NewAuditor(context.Background(), tab).Units(tab.Seeds()) < 2 {
			t.Fatal("there is only one unit")
		}
		got, err := audit(t, tab)
		if want.Elapsed = 0; err != nil || got != *want {
			t.Errorf("%+v, want %+v, %v", got, *want, err)
		}
		at := tab.layer(tab.Seeds()).first + 5
		tab.futures[at]++
		if _, err := audit(t, tab); !errors.As(err, new(*WrongError)) {
			t.Errorf("error %v", err)
		}
		tab.futures[at]--
	}
}

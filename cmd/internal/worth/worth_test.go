package worth

import (
	"testing"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

func TestBounds(t *testing.T) {
	two := &rules.System{Players: []string{"South", "North"}}
	one := &rules.System{Players: []string{""}}
	for _, c := range []struct {
		sys    *rules.System
		kind   value.Kind
		lo, hi int
		want   string
	}{
		{two, value.Margin, 4, 4, "+4 (South by 4)"},
		{two, value.Margin, -3, -3, "-3 (North by 3)"},
		{two, value.Margin, 0, 0, "0 (even)"},
		{two, value.Margin, -2, 6, "from -2 (North by 2) to +6 (South by 6)"},
		{two, value.Margin, value.NoLower, 6, "at most +6 (South by 6)"},
		{two, value.Margin, 2, value.NoUpper, "at least +2 (South by 2)"},
		{two, value.Margin, value.NoLower, value.NoUpper, "unknown"},
		{two, value.Result, 1, 1, "+1 (South wins)"},
		{two, value.Result, -1, 0, "from -1 (North wins) to 0 (draw)"},
		{one, value.Result, -1, -1, "-1 (lost)"},
		{one, value.Result, 1, 1, "+1 (won)"},
		{one, value.Result, 0, 0, "0 (neither won nor lost)"},
		{one, value.Margin, 7, 7, "+7 (score)"},
	} {
		if got := (Scale{c.sys, c.kind}).Bounds(c.lo, c.hi); got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

// TestSigned: nothing is as good as minus zero.
func TestSigned(t *testing.T) {
	for x, want := range map[float64]string{-0.001: "+0.00", 0: "+0.00", 0.004: "+0.00", 0.006: "+0.01", -0.006: "-0.01", 12: "+12.00"} {
		if got := Signed(x, 2); got != want {
			t.Errorf("%g is written %s", x, got)
		}
	}
	if got := (Scale{Kind: value.Result}).About(-0.001); got != "about +0.00" {
		t.Error(got)
	}
}

package numeral

import "testing"

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1001: "-1,001"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

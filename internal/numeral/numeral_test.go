package numeral

import "testing"

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1001: "-1,001"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1.00k", 9994: "9.99k", 9996: "10.0k", 99960: "100k", 999499: "999k", 999500: "1.00M",
		2484948: "2.48M", 12_000_000_000: "12.0G", 5_000_000_000_000: "5000G",
	} {
		if got := Short(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

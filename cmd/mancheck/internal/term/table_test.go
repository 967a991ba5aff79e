package term

import (
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1001: "-1,001"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestTable(t *testing.T) {
	table := Table{Right: []bool{false, true}}
	table.Row("é", "1", "a")
	table.Row("long", "1000")
	var out strings.Builder
	table.Write(&out, "| ")
	if want := "| é        1  a\n| long  1000\n"; out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

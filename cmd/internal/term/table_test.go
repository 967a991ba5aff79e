package term

import (
	"strings"
	"testing"
)

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

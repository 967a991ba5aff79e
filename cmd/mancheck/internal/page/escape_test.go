package page

import "testing"

// TestBars has bars in the cells of a table, in code and outside.
func TestBars(t *testing.T) {
	m := &markdown{}
	m.row(cell("a|b"), cell("`c|d`"), "`||e`")
	if got, want := m.out.String(), "| a\\|b | `c\\|d` | `\\|\\|e` |\n"; got != want {
		t.Errorf("the row is %q, not %q", got, want)
	}
}

package page

import "testing"

// TestBars has bars in the cells of a table, in code and outside.
func TestBars(t *testing.T) {
	if got, want := row(cell("a|b"), cell("`c|d`"), "`||e`"), "| a\\|b | `c\\|d` | `\\|\\|e` |\n"; got != want {
		t.Errorf("the row is %q, not %q", got, want)
	}
}

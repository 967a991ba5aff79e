package spell

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"hole", "hold", "store01", "store02", "anticlockwise", "when", "where"}
	for name, want := range map[string]string{
		"hol": "hold", "hloe": "hole", "wher": "where", "store1": "store01", "antclokwise": "anticlockwise",
		"x": "", "HOLE": "hole", "Store01": "store01", "": "", "zzzz": "", "hole": "hole", "wehn": "when", "clockwise": "",
	} {
		if got := Nearest(name, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestNearestIgnoresCapitals(t *testing.T) {
	for name, want := range map[string]string{"M": "m", "m": "m", "Mm": "mM"} {
		if got := Nearest(name, []string{"M" + "x", "m", "mM"}); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestNearestDoesNotDependOnOrder(t *testing.T) {
	for _, words := range [][]string{{"aab", "aac"}, {"aac", "aab"}} {
		if got := Nearest("aad", words); got != "aab" {
			t.Errorf("Nearest in %v = %q", words, got)
		}
	}
}

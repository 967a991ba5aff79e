package input

import (
	"fmt"
	"strings"
	"testing"
)

// TestRanges reads ranges, lists and both, and refuses what is neither.
func TestRanges(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", ""},
		{"m=3", "m=[3]"},
		{"m=2..4 n=1", "m=[2 3 4] n=[1]"},
		{"m=1..2,5,2..3", "m=[1 2 5 3]"},
		{"m=-1..1", "m=[-1 0 1]"},
		{"m=1_000", "m=[1000]"},
		{"b=both", "b=[false true]"},
		{"b=true,false,true", "b=[true false]"},
		{"m", "`m` gives no parameter a value"},
		{"=3", "`=3` gives no parameter a value"},
		{"m=", "neither a whole number"},
		{"m=1,,2", "neither a whole number"},
		{"m=1...3", "no range of at most 1000"},
		{"m=3..1", "no range of at most 1000"},
		{"m=1..", "no range of at most 1000"},
		{"m=..3", "neither a whole number"},
		{"m=1..1000", ""},
		{"m=1..1001", "no range of at most 1000"},
		{"m=-9000000000000000..9000000000000000", "no range of at most 1000"},
		{"m=1..99999999999999999999", "no range of at most 1000"},
		{"b=false..true", "no range of at most 1000"},
		{"m=1 n=2 m=3", "given twice"},
	} {
		names, values, diags := Ranges(strings.Fields(test.args))
		var got []string
		for _, name := range names {
			got = append(got, fmt.Sprintf("%s=%v", name, values[name]))
		}
		text := strings.Join(got, " ")
		if diags.HasErrors() {
			text = diags.Error()
		}
		if test.want != "" && text != test.want && !(diags.HasErrors() && strings.Contains(text, test.want)) || test.want == "" && diags.HasErrors() {
			t.Errorf("%s: %s, want %s", test.args, text, test.want)
		}
	}
}

package solver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"z3 -in":                 {"z3", "-in"},
		"  a\tb \n":              {"a", "b"},
		`"my solver" --x='a b'c`: {"my solver", "--x=a bc"},
		`a\ b "c\"d" 'e\f' ""`:   {"a b", `c"d`, `e\f`, ""},
		"":                       nil,
		" ":                      nil,
		"'a":                     nil,
		`a\`:                     nil,
	} {
		got, err := split(line)
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%q: %v %s", line, err, diff)
		}
	}
}

func TestReader(t *testing.T) {
	r := newReader(strings.NewReader("sat ; no\n((x (- 3))\t(|a b| \"c\"\"d\"))unsat\n(("))
	for _, want := range []string{"sat", `((x (- 3)) (a b "c"d"))`, "unsat"} {
		if got, err := r.read(); err != nil || got.String() != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if got, err := r.read(); err == nil {
		t.Errorf("got %s from half an expression", got)
	}
}

// FuzzReader: the reader reaches the end of any input.
func FuzzReader(f *testing.F) {
	f.Add("(a \"b\" |c| ; d\n)")
	f.Add("((((")
	f.Add(`"a""`)
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader(strings.NewReader(text))
		for range len(text) + 1 {
			if _, err := r.read(); err != nil {
				return
			}
		}
		t.Error("more expressions than bytes")
	})
}

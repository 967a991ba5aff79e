package enumerate

import (
	"math/rand/v2"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestTable: states have the numbers in whose order they came, whatever their parts, and those that
// were read stay as they are.
func TestTable(t *testing.T) {
	sys := rulestest.Solitaire(3)
	r := rand.New(rand.NewPCG(1, 1))
	table, known := newTable(sys), map[string]int{}
	var read []rules.State
	for range 20 * chunk {
		s := rules.State{Outcome: r.IntN(3) - 1, Mover: r.IntN(2) - 1, Seeds: make([]int, len(sys.Pits)), Vars: make([]int, len(sys.Vars))}
		for _, list := range [][]int{s.Seeds, s.Vars} {
			for i := range list {
				list[i] = r.IntN(8) - 1
			}
		}
		want, old := known[key(s)]
		if !old {
			want = len(known)
			known[key(s)] = want
		}
		n, isNew := table.add(s)
		if n != want || isNew == old {
			t.Fatalf("%v is number %d, new: %t; want %d", s, n, isNew, want)
		}
		if isNew {
			read = append(read, table.state(n))
		}
		for _, list := range [][]int{s.Seeds, s.Vars} { // it was copied
			for i := range list {
				list[i] = 99
			}
		}
	}
	if table.number != len(known) || len(known) < 2*chunk {
		t.Fatalf("%d states, %d in the table", len(known), table.number)
	}
	for text, n := range known {
		if key(table.state(n)) != text || key(read[n]) != text {
			t.Fatalf("state %d is %v, and was %v", n, table.state(n), read[n])
		}
	}
}

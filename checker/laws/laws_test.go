package laws_test

import (
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestKalah: nothing leaves a store. A house weighs more than a store, and at the second level more
// than the house after it in its row.
func TestKalah(t *testing.T) {
	sys := rulestest.Kalah(3, 2, false) // pits 3 and 7 are stores
	want := []bool{false, false, false, true, false, false, false, true}
	if got := laws.Growing(sys); !slices.Equal(got, want) {
		t.Errorf("%v grow", got)
	}
	rank := laws.Rank(sys)
	if len(rank) != 2 {
		t.Fatalf("the rank %v", rank)
	}
	for p := range sys.Pits {
		if want[p] {
			continue
		}
		if rank[0][p] <= rank[0][3] || rank[0][p] <= rank[0][7] {
			t.Errorf("%s weighs no more than a store: %v", sys.Pits[p].Name, rank[0])
		}
		if p%4 < 2 && rank[1][p] <= rank[1][p+1] {
			t.Errorf("%s weighs no more than the house after it: %v", sys.Pits[p].Name, rank[1])
		}
	}
}

// TestNoRank: with a pass, or on a ring without stores, no rank is proposed.
func TestNoRank(t *testing.T) {
	passing := rulestest.Kalah(2, 2, false)
	passing.Actions = append(passing.Actions, rules.Action{Mover: 0, Fallback: true, Guard: rules.NoMove})
	ring := rulestest.Kalah(2, 2, false)
	ring.Actions = nil
	for p := range ring.Pits { // stores are sown from as well
		ring.Actions = append(ring.Actions, rules.Action{Body: []rules.Stmt{rules.Sow{Source: rules.FixedPit(p), Lap: 0}}})
	}
	for name, sys := range map[string]*rules.System{"passing": passing, "ring": ring} {
		if rank := laws.Rank(sys); rank != nil {
			t.Errorf("%s: %v", name, rank)
		}
	}
}

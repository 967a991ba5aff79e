package lists

import (
	"slices"
	"strconv"
	"testing"
)

func even(n int) bool { return n%2 == 0 }

func TestLists(t *testing.T) {
	list := []int{1, 2, 4, 5, 7}
	if got := Map(list, strconv.Itoa); !slices.Equal(got, []string{"1", "2", "4", "5", "7"}) {
		t.Errorf("Map: %v", got)
	}
	if got := Filter(list, even); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("Filter: %v", got)
	}
	if got := Distinct([]int{2, 1, 2, 3, 1}); !slices.Equal(got, []int{2, 1, 3}) {
		t.Errorf("Distinct: %v", got)
	}
	if got := Find(list, even); got != 2 {
		t.Errorf("Find: %d", got)
	}
	if got := Set([]bool{true, false, true}); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("Set: %v", got)
	}
	if got := Where(list, even); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("Where: %v", got)
	}
	if got := Count(list, even); got != 2 {
		t.Errorf("Count: %d", got)
	}
	if got := Sum(list, func(n int) int64 { return int64(2 * n) }); got != 38 {
		t.Errorf("Sum: %d", got)
	}
	runs := Runs(list, func(a, b int) bool { return even(a) == even(b) })
	if !slices.EqualFunc(runs, [][]int{{1}, {2, 4}, {5, 7}}, slices.Equal) {
		t.Errorf("Runs: %v", runs)
	}
}

func TestNothing(t *testing.T) {
	var none []int
	if Map(none, strconv.Itoa) != nil || Filter([]int{1}, even) != nil || Where(none, even) != nil || Distinct(none) != nil || Runs(none, func(int, int) bool { return true }) != nil {
		t.Error("an empty result is not nil")
	}
	if got := Find([]int{1}, even); got != 0 {
		t.Errorf("Find: %d", got)
	}
}

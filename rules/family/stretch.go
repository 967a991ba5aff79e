package family

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Stretch is pits of one group that lie side by side, from First to Last, in the order in which
// they are declared. Grows is how many more there are in the next size.
type Stretch struct{ First, Last, Grows int }

// Stretches lists the stretches of a board that grow with its size, given the System of the next
// size.
func Stretches(base, next *rules.System) ([]Stretch, error) {
	less, more := runs(base), runs(next)
	if len(less) != len(more) {
		return nil, fmt.Errorf("the boards of two sizes have %d and %d stretches of pits", len(less), len(more))
	}
	var list []Stretch
	for i, r := range less {
		s := more[i]
		switch {
		case r.group != s.group || r.row != s.row || r.part != s.part:
			return nil, fmt.Errorf("the boards of two sizes are not alike: `%s` is in the place of `%s`", s.group, r.group)
		case len(s.pits) < len(r.pits):
			return nil, fmt.Errorf("a stretch of `%s` does not grow with the size, but shrinks", r.group)
		case len(s.pits) == len(r.pits):
			continue
		}
		for k, p := range r.pits[1:] {
			if p != r.pits[k]+1 {
				return nil, fmt.Errorf("the pits of `%s` do not lie as they are declared", r.group)
			}
		}
		list = append(list, Stretch{r.pits[0], r.pits[len(r.pits)-1], len(s.pits) - len(r.pits)})
	}
	slices.SortFunc(list, func(a, b Stretch) int { return a.First - b.First })
	return list, nil
}

// run is the pits of one group that lie side by side in a part of a row.
type run struct {
	group     string
	row, part int
	pits      []int
}

func runs(sys *rules.System) []run {
	var list []run
	for i, row := range sys.Picture {
		for k, part := range row {
			for n, p := range part {
				group := sys.Pits[p].Group
				if n == 0 || group != list[len(list)-1].group {
					list = append(list, run{group: group, row: i, part: k})
				}
				last := &list[len(list)-1]
				last.pits = append(last.pits, p)
			}
		}
	}
	return list
}

package play

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// longestLabel is the number of columns that a label may take.
const longestLabel = 6

// labels returns for each pit what one types to choose it: the number that moves are written with,
// or the number in its name, with as much of the name as tells the pits of a player apart. It is
// empty for pits that no move chooses.
func labels(in *interp.Interp) []string {
	sys := in.System()
	list := make([]string, len(sys.Pits))
	empty := sys.EmptyBoard()
	named, mixed := make([]bool, len(sys.Pits)), make([]bool, len(sys.Pits))
	for i := range sys.Actions {
		a := &sys.Actions[i]
		pits := chosenBy(a)
		if byName(a, pits) {
			for _, p := range pits {
				named[p] = true
			}
			continue
		}
		if len(pits) != 1 || len(a.Written) == 0 {
			continue
		}
		number, _, _ := strings.Cut(in.Notation(i, empty), " ")
		if _, err := strconv.Atoi(number); err == nil {
			p := pits[0]
			mixed[p] = mixed[p] || list[p] != "" && list[p] != number
			list[p] = number
		}
	}
	for p := range list {
		switch {
		case named[p]:
			list[p] = shortName(sys, p, named)
		case mixed[p]:
			list[p] = ""
		}
		if len(list[p]) > longestLabel {
			list[p] = list[p][:longestLabel]
		}
	}
	return list
}

// chosenBy returns the pits that an action chooses.
func chosenBy(a *rules.Action) []int {
	pits := lists.Filter(a.Choices, func(c rules.Choice) bool { return c.Type == rules.PitType && c.Value != rules.None })
	return lists.Map(pits, func(c rules.Choice) int { return c.Value })
}

// byName reports whether the notation of an action has the name of one of these pits.
func byName(a *rules.Action, pits []int) bool {
	return slices.ContainsFunc(a.Written, func(w rules.Written) bool {
		c, is := w.X.(rules.Const)
		return w.Pit && is && slices.Contains(pits, c.Value)
	})
}

// shortName returns the number of a pit, if no other of those named has the same number and owner,
// and otherwise with the first letter of the last word before it, or the whole name.
func shortName(sys *rules.System, p int, named []bool) string {
	pit := sys.Pits[p]
	if pit.Name == pit.Group {
		return pit.Name
	}
	number := strconv.Itoa(pit.Index)
	word := pit.Group[strings.LastIndex(pit.Group, "_")+1:]
	best := number
	for q, other := range sys.Pits {
		if q == p || !named[q] || other.Owner != pit.Owner || other.Index != pit.Index || other.Name == other.Group {
			continue
		}
		if other.Group[strings.LastIndex(other.Group, "_")+1] == word[0] {
			return pit.Name
		}
		best = word[:1] + number
	}
	return best
}

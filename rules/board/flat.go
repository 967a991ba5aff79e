package board

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Order lists the pits in the order of flat boards: those of the first lap, then the others in
// order of declaration.
func Order(sys *rules.System) []int {
	var order []int
	done := make([]bool, len(sys.Pits))
	if len(sys.Laps) > 0 {
		for _, p := range sys.Laps[0].Pits {
			order = append(order, p)
			done[p] = true
		}
	}
	return append(order, lists.Where(done, func(is bool) bool { return !is })...)
}

// Flat writes the seeds of s in the order of flat boards, separated by blanks. ParseFlat reads it.
func Flat(sys *rules.System, s rules.State) string {
	return strings.Join(lists.Map(Order(sys), func(p int) string { return strconv.Itoa(s.Seeds[p]) }), " ")
}

// ParseFlat reads a flat board, with a count for each pit in the order of Order. Commas and white
// space separate counts and mean nothing else. The result is by pit.
func ParseFlat(sys *rules.System, text string) ([]int, error) {
	fields := strings.FieldsFunc(text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) })
	order := Order(sys)
	seeds := make([]int, len(sys.Pits))
	for i, f := range fields {
		name := "beyond the last pit"
		if i < len(order) {
			name = sys.Pits[order[i]].Name
		}
		n, err := count(f)
		if err != nil {
			return nil, fmt.Errorf("board: `%s`, count %d (%s), %w", f, i+1, name, err)
		}
		if i < len(order) {
			seeds[order[i]] = n
		}
	}
	if len(fields) != len(order) {
		return nil, wrongNumber(sys, len(fields), order)
	}
	if _, ok := num.Sum(seeds); !ok {
		return nil, fmt.Errorf("board: %w", errMany)
	}
	return seeds, nil
}

// errMany is the error for counts whose sum is out of range.
var errMany = fmt.Errorf("there are more than %d seeds", num.Most)

// count parses a number of seeds. An error is the end of a sentence that names the count.
func count(text string) (int, error) {
	n, err := num.Parse(text)
	switch {
	case err == num.ErrRange && !strings.HasPrefix(text, "-"):
		return 0, errors.New("is too large")
	case err == num.ErrRange || err == nil && n < 0:
		return 0, errors.New("is negative")
	case err != nil:
		return 0, errors.New("is not a number")
	}
	return n, nil
}

// wrongNumber returns the error for a flat board with too few or too many counts.
func wrongNumber(sys *rules.System, got int, order []int) error {
	few := "few"
	if got > len(order) {
		few = "many"
	}
	return fmt.Errorf("board: too %s counts: %d for the %d pits of `%s` (%s)",
		few, got, len(order), sys.Name, names(sys, order))
}

// names lists the names of pits, with blanks between them.
func names(sys *rules.System, pits []int) string {
	return strings.Join(lists.Map(pits, func(p int) string { return sys.Pits[p].Name }), " ")
}

// SetVar sets a variable or `mover` in s, as the setting `name=value` says.
func SetVar(sys *rules.System, s *rules.State, setting string) error {
	name, value, ok := strings.Cut(setting, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok {
		return fmt.Errorf("state: `%s` is not a setting; write `NAME=VALUE`", setting)
	}
	if i := slices.IndexFunc(sys.Vars, func(v rules.Var) bool { return v.Name == name && !v.Ghost }); i >= 0 {
		v, err := ParseVar(sys, i, value)
		if err == nil {
			s.Vars[i] = v
		}
		return err
	}
	if name == "mover" && len(sys.Players) > 1 {
		return setMover(sys, s, value)
	}
	return fmt.Errorf("state: unknown variable `%s`; %s", name, mend(name, varNames(sys), "the variables are"))
}

func setMover(sys *rules.System, s *rules.State, value string) error {
	if i := slices.Index(sys.Players, value); i >= 0 {
		s.Mover = i
		return nil
	}
	return fmt.Errorf("state: unknown player `%s`; %s", value, mend(value, sys.Players, "the players are"))
}

// varNames lists the names that SetVar accepts. Ghosts are not among them, since only moves set
// them.
func varNames(sys *rules.System) []string {
	own := lists.Filter(sys.Vars, func(v rules.Var) bool { return !v.Ghost })
	names := lists.Map(own, func(v rules.Var) string { return v.Name })
	if len(sys.Players) > 1 {
		names = append(names, "mover")
	}
	return names
}

// mend suggests a name that is similar, or else lists all names.
func mend(name string, names []string, are string) string {
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean `%s`?", near)
	}
	if len(names) == 0 {
		return "there are none"
	}
	return are + " " + strings.Join(names, ", ")
}

// VarValue writes a value of a variable as in the language: none, south3, true, North, placing, 7.
func VarValue(sys *rules.System, v, value int) string {
	return sys.ValueName(sys.Vars[v].Type, value)
}

// ParseVar parses a value of a variable, which must be in its domain.
func ParseVar(sys *rules.System, v int, text string) (int, error) {
	x := &sys.Vars[v]
	var names []string
	for _, d := range x.Domain {
		name := VarValue(sys, v, d)
		if name == text {
			return d, nil
		}
		names = append(names, name)
	}
	if x.Type == rules.NumberType {
		return parseInt(x, text)
	}
	return 0, fmt.Errorf("state: `%s` is not a value of `%s`; %s", text, x.Name, mend(text, names, "its values are"))
}

// parseInt parses a number that is not written as VarValue does, such as +3 or 007.
func parseInt(x *rules.Var, text string) (int, error) {
	n, err := num.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("state: `%s` is not a value of `%s`, which is a number", text, x.Name)
	}
	if !x.Contains(n) {
		return 0, fmt.Errorf("state: `%s` is %d..%d, not %d", x.Name, x.Domain[0], x.Domain[len(x.Domain)-1], n)
	}
	return n, nil
}

package partial

import (
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/rules"
)

// Notation is how an action is written when it is played in s: as the reference interpreter writes
// it, where all that it depends on is known. An item that has no value is a question mark.
func (m *Machine) Notation(action int, s State) (string, error) {
	a := &m.sys.Actions[action]
	if len(a.Written) == 0 {
		return a.Label, nil
	}
	var items []string
	for _, w := range a.Written {
		item, err := m.written(w, s)
		if err != nil {
			return "", err
		}
		items = append(items, item)
	}
	return strings.Join(items, " "), nil
}

func (m *Machine) written(w rules.Written, s State) (string, error) {
	if w.X == nil {
		return w.Text, nil
	}
	v, err := Value{}, error(nil)
	if c, fixed := w.X.(rules.Const); fixed { // as for most moves
		v = Known(c.Value)
	} else {
		v, err = m.Eval(w.X, s, nil)
	}
	if _, broken := err.(*Fault); broken {
		return "?", nil
	}
	n, known := v.Is()
	switch {
	case err != nil:
		return "", err
	case !known:
		return "", &Unknown{v.Of}
	case w.Pit:
		return m.sys.ValueName(rules.PitType, n), nil
	}
	return strconv.Itoa(n), nil
}

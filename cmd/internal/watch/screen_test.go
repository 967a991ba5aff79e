package watch

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestEnd: what does not fit is seen from its end on, where the last play ends, until the person
// scrolls.
func TestEnd(t *testing.T) {
	var text strings.Builder
	for n := range 100 {
		fmt.Fprintf(&text, "line %d.\n", n)
	}
	m := &model{Screen: &Screen{}, width: 80, height: 24, shown: Shown{Text: text.String(), Foot: "foot"}}
	sees := func(line string) {
		t.Helper()
		if got := m.View().Content; !strings.Contains(got, line) {
			t.Errorf("there is no %s in\n%s", line, got)
		}
	}
	sees("line 99.")
	m.Update(tea.KeyPressMsg{Code: tea.KeyHome})
	sees("line 0.")
	m.Update(shownMsg{0, m.shown})
	sees("line 0.")
}

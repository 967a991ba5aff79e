package gen

import (
	"regexp"
	"strings"
)

var tokens = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\s+|"[^"]*"|.`)

// spoiled puts a few mistakes into a text: tokens lost, doubled, swapped or replaced.
func (w *writer) spoiled(text string) string {
	list := tokens.FindAllString(text, -1)
	for range 1 + w.n(3) {
		i := w.n(len(list))
		switch w.weighted(35, 20, 20, 25) {
		case 0:
			list[i] = ""
		case 1:
			list[i] += " " + list[i]
		case 2:
			j := w.n(len(list))
			list[i], list[j] = list[j], list[i]
		case 3:
			list[i] = w.one("{", "}", "(", ")", "in", "4 in 1..", "each", "=", "none", "move", "claim", "99999999999999999999", "\"", "..", "\x01", "last")
		}
	}
	return strings.Join(list, "")
}

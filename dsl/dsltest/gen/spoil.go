package gen

import (
	"regexp"
	"strings"
)

// tokens splits a text into parts that join to the same text again.
var tokens = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\s+|"[^"]*"|.`)

// spoiled puts a few mistakes into a text: tokens lost, doubled, swapped or replaced.
func (w *writer) spoiled(text string) string {
	list := tokens.FindAllString(text, -1)
	for range 1 + w.n(3) {
		i := w.n(len(list))
		spoil := pick(w.chance, share[func([]string, int)]{35, lose}, share[func([]string, int)]{20, double},
			share[func([]string, int)]{20, w.swap}, share[func([]string, int)]{25, w.replace})
		spoil(list, i)
	}
	return strings.Join(list, "")
}

// lose, double, swap and replace change the i-th token.
func lose(list []string, i int)   { list[i] = "" }
func double(list []string, i int) { list[i] += " " + list[i] }

func (w *writer) swap(list []string, i int) {
	j := w.n(len(list))
	list[i], list[j] = list[j], list[i]
}

func (w *writer) replace(list []string, i int) {
	list[i] = w.one("{", "}", "(", ")", "in", "4 in 1..", "each", "=", "none", "move", "claim", "99999999999999999999", "\"", "..", "\x01", "last")
}

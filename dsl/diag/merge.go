package diag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

// merge keeps the first of several diagnostics that are about the same stretch of the text, have
// the same code, and differ only in names and numbers. A move is resolved once for each player and
// each way to make its choices, and a claim once for each instance, so that one mistake is found
// many times. A note tells of the others. Unknown names for which the same is to be done are one
// mistake wherever they stand, and what follows one at once, as `houses` in `all houses`, is its
// consequence.
func merge(l List) List {
	type spot struct {
		at    Range
		code  Code
		shape string
	}
	first := map[spot]int{}
	groups := make([][]message, 0, len(l))
	out := l[:0]
	for _, d := range l {
		m := parseMessage(d.Message)
		s := spot{d.Range, d.Code, m.shape}
		if d.Range.IsZero() {
			s.shape = d.Message // the place does not say that it is one mistake
		}
		if d.Code == Unknown && d.Help != "" && !strings.Contains(d.Help, " are `") { // a list tells no cause
			s = spot{Range{File: d.Range.File}, d.Code, d.Help}
		}
		if n := len(out) - 1; n >= 0 && out[n].Code == Unknown && d.Range.Start.Offset == out[n].Range.End.Offset+1 && d.Range.File == out[n].Range.File {
			continue
		}
		i, again := first[s]
		if !again {
			first[s] = len(out)
			out, groups = append(out, d), append(groups, []message{m})
			continue
		}
		if !slices.ContainsFunc(groups[i], func(o message) bool { return slices.Equal(m.values, o.values) }) {
			groups[i] = append(groups[i], m)
		}
	}
	for i, g := range groups {
		if len(g) > 1 {
			out[i].Notes = append(slices.Clip(out[i].Notes), Note{Message: others(g)})
		}
	}
	return out
}

// Distinct is how many diagnostics Sort would keep.
func (l List) Distinct() int { return len(merge(slices.Clone(l))) }

// message is a message taken apart: its names in backquotes and its numbers, and what is left of
// it without them.
type message struct {
	shape  string
	values []string
}

// value is a name in backquotes, or a number.
var value = regexp.MustCompile("`[^`]*`|[0-9]+")

func parseMessage(s string) message {
	return message{value.ReplaceAllString(s, "\x00"), value.FindAllString(s, -1)}
}

// maxNamed is how many of the other values a note names.
const maxNamed = 3

// others is the note about all messages of a group but the first.
func others(g []message) string {
	rest := g[1:]
	at, one := varies(g)
	if !one || g[0].values[at][0] != '`' {
		return fmt.Sprintf("%d more like this at the same place", len(rest))
	}
	names := lists.Map(rest[:min(len(rest), maxNamed)], func(m message) string { return m.values[at] })
	if more := len(rest) - len(names); more > 0 {
		return fmt.Sprintf("the same for %s and %d more", strings.Join(names, ", "), more)
	}
	return "the same for " + strings.Join(names, ", ")
}

// varies finds the value in which the messages differ, if there is only one.
func varies(g []message) (at int, one bool) {
	at = -1
	for i, v := range g[0].values {
		if slices.ContainsFunc(g, func(m message) bool { return m.values[i] != v }) {
			if at >= 0 {
				return at, false
			}
			at = i
		}
	}
	return at, true
}

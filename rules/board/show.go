package board

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Show writes the board of a System as a rules file would, with everything that follows from the
// picture spelled out.
func Show(sys *rules.System) string {
	var b strings.Builder
	b.WriteString("board {\n")
	for _, row := range rows(sys) {
		b.WriteString("  " + row + "\n")
	}
	for _, l := range Lines(sys) {
		b.WriteString("  " + l.Text + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// rows writes the picture, with its bars below each other.
func rows(sys *rules.System) []string {
	texts := lists.Map(sys.Picture, func(row [][]int) []string {
		return lists.Map(row, func(part []int) string { return stretches(sys, part, " ") })
	})
	columns := widths(texts, func(text string) int { return len(text) })
	return lists.Map(texts, func(parts []string) string {
		for i := range parts {
			parts[i] = fmt.Sprintf("%-*s", columns[i], parts[i])
		}
		return strings.TrimRight(strings.Join(parts, " | "), " ")
	})
}

// Line is a line below the picture, with the name that it is about.
type Line struct{ Name, Text string }

// Lines returns the lines below the picture that Show writes: groups that the picture does not
// name, owners, laps and relations.
func Lines(sys *rules.System) []Line {
	var lines []Line
	add := func(name, format string, args ...any) {
		lines = append(lines, Line{name, fmt.Sprintf(format, args...)})
	}
	drawn := map[string]bool{"pit": true}
	for _, p := range sys.Pits {
		drawn[p.Group] = true
	}
	for _, g := range sys.Groups {
		if !drawn[g.Name] {
			add(g.Name, "group %s = %s", g.Name, stretches(sys, g.Pits, ", "))
		}
	}
	for player, name := range sys.Players {
		pits := lists.Where(sys.Pits, func(p rules.Pit) bool { return p.Owner == player })
		if len(pits) > 0 {
			add(name, "owner %s = %s", name, stretches(sys, pits, ", "))
		}
	}
	for _, l := range sys.Laps {
		word, of := "line", ""
		if l.Ring {
			word = "ring"
		}
		if l.Owner != rules.None {
			of = " of " + sys.Players[l.Owner]
		}
		add(l.Name, "%s %s%s = %s", word, l.Name, of, stretches(sys, l.Pits, ", "))
	}
	for _, r := range sys.Relations {
		for _, pair := range pairs(sys, r) {
			add(r.Name, "%s", pair)
		}
	}
	return lines
}

// pairs writes a relation. Pits that it leads between in both directions are written once.
func pairs(sys *rules.System, r rules.Relation) []string {
	var lines []string
	for p, q := range r.To {
		if q == rules.None || q < p && r.To[q] == p {
			continue
		}
		word := "map"
		if r.To[q] == p {
			word = "facing"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s = %s", word, r.Name, stretches(sys, []int{p}, ""), stretches(sys, []int{q}, "")))
	}
	return lines
}

// stretches writes pits in stretches such as south[1..6], as long as possible.
func stretches(sys *rules.System, pits []int, between string) string {
	var out []string
	for i := 0; i < len(pits); {
		j := i + 1
		for j < len(pits) && inLine(sys, pits[i:j+1]) {
			j++
		}
		first, last := sys.Pits[pits[i]], sys.Pits[pits[j-1]]
		number := func(p rules.Pit) string { return strings.TrimPrefix(p.Name, p.Group) }
		switch {
		case first.Name == first.Group:
			out = append(out, first.Name)
		case j == i+1:
			out = append(out, fmt.Sprintf("%s[%s]", first.Group, number(first)))
		default:
			out = append(out, fmt.Sprintf("%s[%s..%s]", first.Group, number(first), number(last)))
		}
		i = j
	}
	return strings.Join(out, between)
}

// inLine reports whether pits have the same group and numbers that go up or down by one.
func inLine(sys *rules.System, pits []int) bool {
	n := len(pits)
	first, before, last := sys.Pits[pits[0]], sys.Pits[pits[n-2]], sys.Pits[pits[n-1]]
	step := last.Index - before.Index
	return last.Group == first.Group && first.Name != first.Group && (step == 1 || step == -1) &&
		last.Index-first.Index == step*(n-1)
}

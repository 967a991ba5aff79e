package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

// The marks around the tables in the page.
const (
	beginRows        = "<!-- go run ./scripts/trust -->\n"
	beginDefinitions = "<!-- go run ./scripts/trust: definitions -->\n"
	end              = "<!-- end -->\n"
)

// show writes the page with its tables.
func show(w io.Writer) error {
	out, err := made(".")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, out)
	return err
}

// made returns the page of a checkout with the table of the rows and that of the definitions in
// Coq.
func made(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		return "", err
	}
	rows, err := read(kept)
	if err != nil {
		return "", err
	}
	out, err := put(string(text), beginRows, table(rows))
	if err != nil {
		return "", err
	}
	defined, err := definitions(filepath.Join(root, theoryFolder))
	if err != nil {
		return "", err
	}
	return put(out, beginDefinitions, defined)
}

// put replaces what is between begin and the next end.
func put(text, begin, table string) (string, error) {
	before, rest, opened := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return "", fmt.Errorf("%s has no %s", page, strings.TrimSpace(begin))
	}
	return before + begin + "\n" + table + "\n" + end + after, nil
}

// ways are the ways in which a verdict is checked, in the order of the columns.
var ways = []string{"replay", "certificate", "enumeration", "unchecked"}

// table counts verdicts by their evidence, and says why some are unchecked and some have none.
func table(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The %d verdicts of `make prove`, by the kind of the certificate that `--certify` makes of them:\n\n", len(rows))
	fmt.Fprintf(&b, "| certificate | verdicts | played again | certificate checked | all plays | unchecked | unchecked with `--certify` |\n")
	fmt.Fprintf(&b, "|---|---|---|---|---|---|---|\n")
	kinds := grouped(rows, func(r row) string { return r.evidence })
	for _, k := range sizes(kinds) {
		fmt.Fprintf(&b, "| %s |", kindName(k))
		line(&b, kinds[k])
	}
	fmt.Fprintf(&b, "| **all** |")
	line(&b, rows)
	reasons(&b, "Unchecked by default:", rows, func(r row) string {
		why, _, _ := strings.Cut(r.gap, ": nothing bounds the seeds of ") // and of which pits
		return why
	})
	reasons(&b, "Without a certificate, by the kind of the claim:", rows, func(r row) string {
		if r.none == "" {
			return ""
		}
		return fmt.Sprintf("%s %s: %s", r.kind, r.verdict, r.none)
	})
	reasons(&b, "Unchecked with `--certify`, by the kind of the claim and the engine:", rows, func(r row) string {
		switch r.certified {
		case "unchecked":
			return r.kind + ", " + r.engine
		case other:
			return r.kind + ", " + r.engine + ", unless there is another solver"
		}
		return ""
	})
	return b.String()
}

func kindName(kind string) string {
	if kind == "" {
		return "none"
	}
	return "`" + kind + "`"
}

// line writes the figures of some rows.
func line(b *strings.Builder, rows []row) {
	figures := []int{len(rows)}
	for _, way := range ways {
		figures = append(figures, lists.Count(rows, func(r row) bool { return r.checked == way }))
	}
	figures = append(figures, lists.Count(rows, func(r row) bool { return r.certified == "unchecked" || r.certified == other }))
	for _, n := range figures {
		if n == 0 {
			b.WriteString(" |")
		} else {
			fmt.Fprintf(b, " %d |", n)
		}
	}
	b.WriteString("\n")
}

// reasons lists what is said of rows, with the number of each.
func reasons(b *strings.Builder, title string, rows []row, why func(row) string) {
	said := grouped(rows, why)
	delete(said, "")
	fmt.Fprintf(b, "\n%s\n\n", title)
	for _, reason := range sizes(said) {
		fmt.Fprintln(b, folded(fmt.Sprintf("- %d: %s", len(said[reason]), reason)))
	}
}

// folded breaks a line of a list that is longer than those of documents.
func folded(line string) string {
	const most = 100
	if len(line) <= most {
		return line
	}
	at := strings.LastIndex(line[:most], " ")
	return line[:at] + "\n  " + line[at+1:]
}

func grouped(rows []row, by func(row) string) map[string][]row {
	out := map[string][]row{}
	for _, r := range rows {
		out[by(r)] = append(out[by(r)], r)
	}
	return out
}

// sizes are the names of groups, the greatest group first.
func sizes(groups map[string][]row) []string {
	return slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(len(groups[b])-len(groups[a]), strings.Compare(a, b))
	})
}

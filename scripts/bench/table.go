package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// report is all that one run of the driver found.
type report struct {
	machine  machine
	rounds   int
	versions []string
	absent   []string
	tables   []table
}

// table is one case.
type table struct {
	name, title, command string
	unit                 string // what is counted, if it is not states
	rows                 []*contestant
}

// columns are the headings of tables. A speed is a ratio of CPU times, round by round, and the
// median of these: 2 is twice as fast.
var columns = []string{"program", "CPU s", "speed, hand loop = 1", "speed, mancheck = 1", "wall s", "", "peak MiB", "B/state", "runs"}

func (t table) cells() [][]string {
	head := slices.Clone(columns)
	head[5] = cmp.Or(t.unit, "states") + "/s"
	rows := [][]string{head}
	for _, r := range t.rows {
		if len(r.runs) == 0 {
			continue
		}
		cpu := seconds(r.runs, cpuTime)
		row := []string{
			r.name, fmt.Sprintf("%.2f", cpu), t.speed(r, handLoopName), t.speed(r, mancheckName),
			fmt.Sprintf("%.2f", seconds(r.runs, wallTime)), "", "", "", strconv.Itoa(len(r.runs)),
		}
		if n := r.outcome.states; n > 0 {
			row[5] = rate(float64(n) / cpu)
		}
		if peak := memory(r.runs); peak > 0 {
			row[6] = fmt.Sprintf("%.0f", peak/(1<<20))
			if r.outcome.states >= countable && t.unit == "" {
				row[7] = fmt.Sprintf("%.1f", peak/float64(r.outcome.states))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// countable is the number of states from which on the memory of the program itself is of little
// weight.
const countable = 100_000

// find returns the runs of a program, or none.
func (t table) find(name string) []sample {
	for _, r := range t.rows {
		if r.name == name {
			return r.runs
		}
	}
	return nil
}

// speed is how many times as fast r is as the program of that name, or empty if that did not run.
func (t table) speed(r *contestant, name string) string {
	of := t.find(name)
	if len(of) == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", paired(of, r.runs, cpuTime))
}

// faults are what is wrong: programs that failed, or did not agree. A peer may be too slow.
func (t table) faults() []string {
	var faults []string
	agreed := ""
	for _, r := range t.rows {
		if r.failed != nil && !(r.late && r.peer) {
			faults = append(faults, r.name+" failed: "+r.failed.Error())
		}
		if len(r.runs) == 0 {
			continue
		}
		if agreed == "" {
			agreed = r.outcome.agreed
		}
		if r.outcome.agreed != agreed {
			faults = append(faults, fmt.Sprintf("%s: %s, but %s: %s", t.rows[0].name, agreed, r.name, r.outcome.agreed))
		}
	}
	return faults
}

// notes are sentences about the table.
func (t table) notes() []string {
	notes := t.faults()
	if len(notes) == 0 {
		notes = append(notes, "Result: "+t.rows[0].outcome.agreed+".")
	}
	for _, r := range t.rows {
		if r.late {
			notes = append(notes, r.name+" was "+r.failed.Error()+".")
		}
	}
	one, two := t.find(mancheckName), t.find(twoThreads)
	if len(one) > 0 && len(two) > 0 {
		notes = append(notes, fmt.Sprintf("Two threads took %.2f times the CPU time of one, and %.2f times the wall time.",
			paired(two, one, cpuTime), paired(two, one, wallTime)))
	}
	return notes
}

func cpuTime(s sample) time.Duration  { return s.cpu }
func wallTime(s sample) time.Duration { return s.wall }

// paired is the median of a's times over b's in the rounds in which both ran.
func paired(a, b []sample, of func(sample) time.Duration) float64 {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		// A time below the resolution is no zero.
		ratios = append(ratios, max(of(a[i]).Seconds(), 1e-3)/max(of(b[i]).Seconds(), 1e-3))
	}
	return median(ratios)
}

// seconds is the median of times.
func seconds(runs []sample, of func(sample) time.Duration) float64 {
	var times []float64
	for _, r := range runs {
		times = append(times, of(r).Seconds())
	}
	return median(times)
}

// memory is the median of the peaks, in bytes.
func memory(runs []sample) float64 {
	var peaks []float64
	for _, r := range runs {
		peaks = append(peaks, float64(r.peak))
	}
	return median(peaks)
}

// median sorts the values; there must be one.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// rate is a number of states a second, in words.
func rate(perSecond float64) string {
	switch {
	case perSecond >= 1e6:
		return fmt.Sprintf("%.2f M", perSecond/1e6)
	case perSecond >= 1e3:
		return fmt.Sprintf("%.0f k", perSecond/1e3)
	}
	return fmt.Sprintf("%.0f", perSecond)
}

// grouped is a number with commas between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (t table) text() string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s (%s)\n%s\n", t.title, t.name, t.command)
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range t.cells() {
		fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
	}
	w.Flush()
	for _, n := range t.notes() {
		fmt.Fprintln(&out, n)
	}
	return out.String() + "\n"
}

func (t table) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "### %s\n\n`%s`\n\n", t.title, t.command)
	for i, row := range t.cells() {
		fmt.Fprintln(&out, "| "+strings.Join(row, " | ")+" |")
		if i == 0 {
			fmt.Fprintln(&out, "|---|"+strings.Repeat("---:|", len(row)-1))
		}
	}
	return out.String() + "\n" + strings.Join(t.notes(), " ") + "\n\n"
}

// about is what the figures depend on.
func (r report) about() []string {
	m := r.machine
	lines := []string{
		fmt.Sprintf("%s, %d cores, %s; load average %s before and %s after", m.cpu, m.cores, m.system, m.before, m.after),
		fmt.Sprintf("%s, at most %d rounds", m.date, r.rounds),
	}
	lines = append(lines, r.versions...)
	if len(r.absent) > 0 {
		lines = append(lines, "not installed, and left out: "+strings.Join(r.absent, ", "))
	}
	return lines
}

func (r report) faults() []string {
	var faults []string
	for _, t := range r.tables {
		for _, f := range t.faults() {
			faults = append(faults, t.name+": "+f)
		}
	}
	return faults
}

func (r report) text() string {
	var out strings.Builder
	for _, t := range r.tables {
		out.WriteString(t.text())
	}
	for _, line := range r.about() {
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

func (r report) markdown() string {
	var out strings.Builder
	for _, line := range r.about() {
		fmt.Fprintln(&out, "- "+strings.ReplaceAll(ansi.Wordwrap(line, 98, ""), "\n", "\n  "))
	}
	out.WriteString("\n")
	for _, t := range r.tables {
		out.WriteString(t.markdown())
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// The figures of a document stand between these lines.
const (
	beginFigures = "<!-- The figures are written by go run ./scripts/bench -update. -->\n"
	endFigures   = "<!-- End of the figures. -->\n"
)

// update puts figures into a document.
func update(path, figures string) error {
	doc, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	replaced, err := replace(string(doc), figures)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(replaced), 0o666)
}

func replace(doc, figures string) (string, error) {
	before, rest, begins := strings.Cut(doc, beginFigures)
	_, after, ends := strings.Cut(rest, endFigures)
	if !begins || !ends {
		return "", fmt.Errorf("no lines %q and %q", beginFigures, endFigures)
	}
	return before + beginFigures + "\n" + figures + "\n" + endFigures + after, nil
}

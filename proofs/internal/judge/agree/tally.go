package agree

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/dsl/dsltest/gen/cover"
	"github.com/mancheck/mancheck/proofs/internal/judge"
)

// Tally counts what was met. It is not safe for several goroutines: each has its own, and they are
// added. Its fields are exported for JSON.
type Tally struct {
	Files    map[string]int           // with and without mistakes
	Claims   map[string]int           // resolved, rejected
	Rejected map[string]int           // by code, where the judge has an answer
	Answers  map[string]int           // by kind, engine, verdict and truth
	Features map[string]int           // verdicts compared with a truth, by feature
	Pairs    map[string]int           // claims by pairs of features
	Begun    map[string]int           // verdicts compared with a truth, by feature of begun and kind
	Time     map[string]time.Duration // by engine
}

// NewTally makes an empty one.
func NewTally() *Tally {
	return &Tally{
		Files: map[string]int{}, Claims: map[string]int{}, Rejected: map[string]int{}, Answers: map[string]int{},
		Features: map[string]int{}, Pairs: map[string]int{}, Begun: map[string]int{}, Time: map[string]time.Duration{},
	}
}

// row is a kind of claim, an engine, its verdict and the truth.
type row struct{ kind, engine, verdict, truth string }

func (r row) key() string { return strings.Join([]string{r.kind, r.engine, r.verdict, r.truth}, "|") }

func rowOf(key string) row {
	p := strings.Split(key, "|")
	return row{p[0], p[1], p[2], p[3]}
}

// begun are features of who begins and of the order of players, which are to meet every kind of
// claim.
var begun = []string{"setup mover", "position mover", "other mover", "order of players"}

// add counts an answer.
func (t *Tally) add(kind string, a answer, truth judge.Instance, fs cover.Features) {
	verdict := "error"
	if a.result != nil {
		verdict = a.result.Status.String()
	}
	r := row{kind, a.engine, verdict, truth.Truth.String()}
	t.Answers[r.key()]++
	if compared(r) {
		for f, has := range fs {
			if has {
				t.Features[f]++
			}
		}
		for _, f := range begun {
			if fs[f] {
				t.Begun[f+"|"+kind]++
			}
		}
	}
}

// pairs counts a claim by its pairs of features.
func (t *Tally) pairs(fs cover.Features) {
	p := cover.Pairs{}
	p.Count(fs)
	for pair, n := range p {
		t.Pairs[pair[0]+"|"+pair[1]] += n
	}
}

// Plus adds another tally.
func (t *Tally) Plus(o *Tally) {
	plus(t.Files, o.Files)
	plus(t.Claims, o.Claims)
	plus(t.Rejected, o.Rejected)
	plus(t.Answers, o.Answers)
	plus(t.Features, o.Features)
	plus(t.Pairs, o.Pairs)
	plus(t.Begun, o.Begun)
	plus(t.Time, o.Time)
}

func plus[N int | time.Duration](a, b map[string]N) {
	for k, n := range b {
		a[k] += n
	}
}

func (t *Tally) sum(is func(row) bool) int {
	n := 0
	for k, c := range t.Answers {
		if is(rowOf(k)) {
			n += c
		}
	}
	return n
}

func conclusive(r row) bool { return r.verdict == "proved" || r.verdict == "refuted" }

func compared(r row) bool { return conclusive(r) && (r.truth == "true" || r.truth == "false") }

// Verdicts counts the verdicts proved and refuted.
func (t *Tally) Verdicts() int { return t.sum(conclusive) }

// Compared counts those of them which the judge knows the truth of.
func (t *Tally) Compared() int { return t.sum(compared) }

// Print writes the tables.
func (t *Tally) Print(w io.Writer) {
	fmt.Fprintf(w, "files: %s\nclaims: %s\n", counts(t.Files), counts(t.Claims))
	fmt.Fprintf(w, "%d answers, %d verdicts, %d compared with a truth\n", t.sum(func(row) bool { return true }), t.Verdicts(), t.Compared())
	if len(t.Rejected) > 0 {
		fmt.Fprintf(w, "rejected, but not by the judge: %s\n", counts(t.Rejected))
	}
	for _, e := range slices.Sorted(maps.Keys(t.Time)) {
		fmt.Fprintf(w, "  %-14s %8.1f s\n", e, t.Time[e].Seconds())
	}
	t.table(w)
}

func counts(m map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(out, ", ")
}

var (
	verdicts = []string{"proved", "refuted", "bounded", "unknown", "error"}
	truths   = []string{"true", "false", "open", "fault", "invalid", "undecided"}
)

// table has a line for each kind of claim and engine.
func (t *Tally) table(w io.Writer) {
	lines := map[string]map[string]int{}
	for k, n := range t.Answers {
		r := rowOf(k)
		l := fmt.Sprintf("%-24s %-14s", r.kind, r.engine)
		if lines[l] == nil {
			lines[l] = map[string]int{}
		}
		lines[l][r.verdict] += n
		lines[l][r.truth+"?"] += n
	}
	fmt.Fprintf(w, "%-24s %-14s", "kind", "engine")
	for _, c := range slices.Concat(verdicts, truths) {
		fmt.Fprintf(w, " %8s", c)
	}
	fmt.Fprintln(w, "  unknown")
	for _, l := range slices.Sorted(maps.Keys(lines)) {
		io.WriteString(w, l)
		all := 0
		for _, c := range verdicts {
			fmt.Fprintf(w, " %8d", lines[l][c])
			all += lines[l][c]
		}
		for _, c := range truths {
			fmt.Fprintf(w, " %8d", lines[l][c+"?"])
		}
		fmt.Fprintf(w, "  %3d %%\n", 100*lines[l]["unknown"]/max(all, 1))
	}
}

// PrintFeatures writes how many verdicts were compared by feature, and which pairs of features no
// claim has.
func (t *Tally) PrintFeatures(w io.Writer) {
	pairs := cover.Pairs{}
	for k, n := range t.Pairs {
		a, b, _ := strings.Cut(k, "|")
		pairs[[2]string{a, b}] = n
	}
	fmt.Fprintln(w, "verdicts compared with a truth, by feature:")
	for _, f := range cover.Names {
		fmt.Fprintf(w, "  %-24s %8d\n", f, t.Features[f])
	}
	t.printBegun(w)
	fmt.Fprintln(w, "claims by feature:")
	pairs.Print(w)
}

// printBegun writes how many verdicts of each kind were compared where another player than the
// first begins, or where the order of players matters.
func (t *Tally) printBegun(w io.Writer) {
	kinds := map[string]bool{}
	for k := range t.Answers {
		kinds[rowOf(k).kind] = true
	}
	fmt.Fprintf(w, "verdicts compared with a truth, by kind:\n%-24s", "")
	for _, f := range begun {
		fmt.Fprintf(w, " %18s", f)
	}
	fmt.Fprintln(w)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(w, "  %-22s", kind)
		for _, f := range begun {
			fmt.Fprintf(w, " %18d", t.Begun[f+"|"+kind])
		}
		fmt.Fprintln(w)
	}
}

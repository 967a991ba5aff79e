package proofs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/numeral"
)

// Words describes a verdict, as far as that depends on the kind of the claim.
type Words struct {
	How      string // the engine, and what it does
	Work     string // how much was examined, in a sentence; may be empty
	Play     string // what the trace is
	Loop     int    // the number of moves before the part that the trace repeats forever, or -1
	Shown    bool   // the trace is all the evidence that the verdict needs
	Least    bool   // the verdict says that no shorter play exists
	Shortest bool   // the trace is a shortest play
	Bounded  string // what a bounded verdict means
	Pair     Pair   // the trace and the other play beside each other
}

// Pair describes two plays shown beside each other.
type Pair struct {
	Title, Left, Right string
	Other              string   // what the other play is, above it
	Compared           [][2]int // the pits that are compared at the end, as resolve.Relation pairs them
}

// Words describes the verdict.
func (r *Result) Words() Words { return KindOf(r.System, r.Instance.Property).Words(r) }

// words describes a verdict unless its kind does.
func words(r *Result) Words {
	return Words{
		How: cmp.Or(engineWords[r.Engine], string(r.Engine)), Work: workWords(r),
		Play: "The play", Loop: -1, Shown: r.Trace != nil, Least: r.Instance.Some != "",
		Bounded: "no counterexample within " + r.boundWords() + "; not a proof",
		Pair:    otherWords(r),
	}
}

// otherWords describes any two plays.
func otherWords(r *Result) Pair {
	p := Pair{Title: "Two plays", Left: "One", Right: "The other"}
	if r.Other != nil {
		p.Right = OtherName(r.System, r.Other.System)
		p.Other = "the same moves in " + p.Right
	}
	return p
}

// engineWords describe the engines.
var engineWords = map[Engine]string{
	Forward:   "forward: breadth first from the starts, or from the states that the claim is about, with an exact set of the states seen",
	Backward:  "backward: from the states that the claim is about to all that lead there, until nothing is added or a start is found",
	BMC:       "bmc: a solver was asked for a play of 0, 1, 2, … moves",
	Induction: "induction: a solver showed that every step from a state in which the claim holds leads to one in which it holds",
	SMT:       "smt: a solver answered for all states of the right shape",
}

func (r *Result) boundWords() string { return numeral.Count(int64(r.Bound), "move") }

func workWords(r *Result) string {
	var items []string
	add := func(n int64, what string) {
		if n > 0 {
			items = append(items, numeral.Count(n, what))
		}
	}
	add(r.Stats.States, "state")
	add(r.Stats.Transitions, "transition")
	if r.Stats.Depth > 0 && r.Engine == Forward {
		items = append(items, fmt.Sprintf("depth %d", r.Stats.Depth))
	}
	if r.K > 0 {
		items = append(items, "an induction over "+numeral.Count(int64(r.K), "state"))
	}
	if len(items) == 0 {
		return ""
	}
	return "Looked at: " + strings.Join(items, ", ") + "."
}

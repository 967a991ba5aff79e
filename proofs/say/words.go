package say

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

// Words describes how a verdict was reached, where that depends on the kind of the claim.
type Words struct {
	How      string // the engine, and what it does
	Work     string // how much was examined, as a sentence; may be empty
	Play     string // what the trace is
	Loop     int    // the number of moves before those that the trace repeats forever, or -1
	Shown    bool   // the trace alone shows the verdict
	Least    bool   // the verdict implies that no shorter play exists
	Shortest bool   // the trace is a shortest play
	Bounded  string // what a bounded verdict means
	Pair     Pair   // how to show the trace and the other play side by side
}

// Pair describes two plays shown beside each other.
type Pair struct {
	Title, Left, Right string
	Other              string   // heading of the other play
	Compared           [][2]int // the pits that are compared at the end, as build.Relation pairs them
}

// Plays has what comes with a verdict besides its data.
type Plays struct {
	System   *rules.System
	Trace    *rules.Trace  // may be nil, as may all fields below
	Other    *rules.Trace  // a play to show beside the trace
	Variant  *rules.System // the variant that a relation compares the System with
	Compared [][2]int      // the pairs of pits that are compared
}

// Describe describes a verdict. p has the plays that it comes with.
func Describe(v *verdict.Verdict, p Plays) Words {
	if v.Claim.Negated {
		return denied(*v, p)
	}
	w := words(v, p)
	switch k := v.Claim.Kind; k {
	case verdict.Reachable, verdict.Unreachable, verdict.NeverStuck:
		w.Least, w.Shortest = true, k != verdict.NeverStuck && v.Engine != verdict.SMT && v.Engine != verdict.Induction && v.Engine != verdict.Hunt
		if k == verdict.Reachable {
			w.Bounded = "no such play within " + bound(v) + "; not a refutation"
		}
	case verdict.Terminates:
		w.repeats(p.Trace)
		if w.Loop >= 0 {
			w.Play = "A play without end"
		}
	case verdict.Neighbours:
		w.constructed(v)
	case verdict.Step, verdict.NoStep:
		w.step(v)
	case verdict.EveryStep:
		w.Least, w.Play = true, "A play whose last step breaks the claim"
	case verdict.EveryShapeStep:
		w.Least, w.Play = false, "A step that breaks the claim, from a state that need not be reachable"
	case verdict.CountPlays:
		w.How = string(v.Engine) + ": all plays are played, and nothing is remembered"
		w.Work = "" // the numbers of plays by length say more
	case verdict.StrategyWins:
		w.strategy(v, p)
	case verdict.Refines, verdict.Equivalent, verdict.Reverses:
		w.relation(v, p)
	case verdict.Value, verdict.Winner, verdict.BestMoves:
		w.values(v, p)
	case verdict.Force:
		w.force(v, p)
	case verdict.Count, verdict.WinningStarts:
	default: // a trace shows what the kind says it does
		w.Shown = false
	}
	return w
}

// denied describes a verdict on the denial of a claim: it is the opposite verdict on the claim
// itself. A bounded search proves nothing about either.
func denied(v verdict.Verdict, p Plays) Words {
	v.Claim.Negated, v.Status = false, v.Status.Denied()
	w := Describe(&v, p)
	w.Bounded = "no such play within " + bound(&v) + "; not a refutation"
	if v.Claim.Kind == verdict.Reachable {
		w.Bounded = "no such play within " + bound(&v) + "; not a proof"
	}
	return w
}

// words describes a verdict without what depends on the kind of the claim.
func words(v *verdict.Verdict, p Plays) Words {
	return Words{
		How: cmp.Or(engines[v.Engine], string(v.Engine)), Work: work(v),
		Play: "The play", Loop: -1, Shown: p.Trace != nil, Least: v.Claim.Some != "",
		Bounded: "no counterexample within " + bound(v) + "; not a proof",
		Pair:    pair(p),
	}
}

// pair describes two plays for which the kind of the claim has no better words.
func pair(p Plays) Pair {
	out := Pair{Title: "Two plays", Left: "One", Right: "The other"}
	if p.Other != nil {
		out.Right = Variant(p.System, p.Other.System)
		out.Other = "the same moves in " + out.Right
	}
	return out
}

// engines says what each engine does.
var engines = map[verdict.Engine]string{
	verdict.Forward:     "forward: breadth first from the starts, or from the states that the claim is about, with an exact set of the states seen",
	verdict.Backward:    "backward: from the states that the claim is about to all that lead there, until nothing is added or a start is found",
	verdict.BMC:         "bmc: a solver was asked for a play of 0, 1, 2, … moves",
	verdict.Induction:   "induction: a solver showed that every step from a state in which the claim holds leads to one in which it holds",
	verdict.Hunt:        "hunt: games were played and late positions of them searched; the play need not be a shortest one",
	verdict.Abstraction: "abstraction: states known in part, from the starts; where the rest decides, both ways were gone",
	verdict.Cases:       "cases: in each way in which a step may go, with unknowns for numbers, it leads where the claim holds",
	verdict.Laws:        "laws: what the text of the rules shows for all states, without a search",
	verdict.SMT:         "smt: a solver answered for all states of the right shape",
}

// bound returns the number of moves that a bounded search covered.
func bound(v *verdict.Verdict) string { return numeral.Count(int64(v.Bound), "move") }

// work says how much was examined. It is empty if nothing was counted.
func work(v *verdict.Verdict) string {
	var items []string
	add := func(n int64, what string) {
		if n > 0 {
			items = append(items, numeral.Count(n, what))
		}
	}
	add(v.Stats.States, "state")
	add(v.Stats.Transitions, "transition")
	if v.Stats.Depth > 0 && v.Engine == verdict.Forward {
		items = append(items, fmt.Sprintf("depth %d", v.Stats.Depth))
	}
	if v.K > 0 {
		items = append(items, "an induction over "+numeral.Count(int64(v.K), "state"))
	}
	if len(items) == 0 {
		return ""
	}
	return "Looked at: " + strings.Join(items, ", ") + "."
}

// repeats notes where the part of a trace begins that repeats forever.
func (w *Words) repeats(t *rules.Trace) {
	if t != nil {
		w.Loop = t.Loop()
	}
}

// constructed replaces the description of the backward engine for claims about single steps, for
// which it does not search.
func (w *Words) constructed(v *verdict.Verdict) {
	if v.Engine == verdict.Backward {
		w.How = "backward: the predecessors are constructed, and each is played forward by the compiled stepper"
	}
}

// step describes a verdict on a single step. A trace that shows such a step is evidence; one that
// leads elsewhere is only an example.
func (w *Words) step(v *verdict.Verdict) {
	exists := (v.Status == verdict.Proved) == (v.Claim.Kind == verdict.Step)
	w.Play, w.Shown = "The step", w.Shown && exists
	if !exists {
		w.Play = "Where the step leads instead"
	}
	w.constructed(v)
}

// strategy describes a verdict on whether a strategy wins.
func (w *Words) strategy(v *verdict.Verdict, p Plays) {
	w.How = string(v.Engine) + ": the starts that can be won are found, then all plays by the strategy from these are explored"
	w.Play = "By " + v.Claim.Strategy
	w.repeats(p.Trace)
	w.Pair = Pair{
		Title: fmt.Sprintf("A play by %s that does not win, and one that does", v.Claim.Strategy), Left: w.Play,
		Right: "A play that wins", Other: "a play that wins from there",
	}
}

// relation describes a verdict on two variants, with their plays side by side.
func (w *Words) relation(v *verdict.Verdict, p Plays) {
	left, right := Variant(p.Variant, p.System), Variant(p.System, p.Variant)
	w.Least = true
	w.How = string(v.Engine) + ": pairs of states, one of each variant, that the same moves lead to, breadth first"
	w.Pair = Pair{Title: "The same moves in both", Left: left, Right: right, Other: "the same moves in " + right, Compared: p.Compared}
	if v.Claim.Kind == verdict.Reverses {
		w.How = string(v.Engine) + ": each reachable step is looked for in the other variant, from the board after it to the board before"
		w.Pair.Title, w.Pair.Compared = "The step, and the board from which it would have to be taken back", nil
	}
}

// values describes a verdict on the value of positions. The play shown is only one line of best
// play, so it proves nothing alone.
func (w *Words) values(v *verdict.Verdict, p Plays) {
	w.How = string(v.Engine) + ": positions are valued by alpha-beta, or where play can come back from the ends of play backward"
	w.Shown, w.Least = false, false
	if p.Trace != nil {
		w.Play = "A play in which both play as well as they can"
	}
	w.repeats(p.Trace)
	if v.Status == verdict.Unknown {
		w.Play = "The play"
	}
}

// force describes a verdict on what a player can force. The play shown is only one of the plays
// that the strategy allows.
func (w *Words) force(v *verdict.Verdict, p Plays) {
	w.How = string(v.Engine) + ": the states from which it can be forced are found backward from those where it is so"
	w.Shown, w.Least = false, false
	if p.Trace == nil {
		return
	}
	w.repeats(p.Trace)
	switch player := p.System.Players[v.Claim.Player]; v.Status {
	case verdict.Proved:
		w.Play = fmt.Sprintf("A play in which %s forces it, and is held up as long as that is possible", player)
	case verdict.Refuted:
		w.Play = fmt.Sprintf("A play in which %s does not get there", player)
	}
}

// Variant returns the name for sys where it is mentioned with the System from: its name or, if that
// is the same, the name with the parameters that differ.
func Variant(from, sys *rules.System) string {
	if from.Name != sys.Name {
		return sys.Name
	}
	var differ []string
	for i, p := range sys.Params {
		if i >= len(from.Params) || p != from.Params[i] {
			differ = append(differ, p.Name+"="+Value(verdict.ParamOf(p)))
		}
	}
	if len(differ) == 0 {
		return sys.Name
	}
	return sys.Name + "(" + strings.Join(differ, ", ") + ")"
}

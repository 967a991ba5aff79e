package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// Reason is a sentence about the last state of a play. At is the rule that it speaks of, or empty.
type Reason struct {
	Text string
	At   diag.Range
}

// ending is the last state of a play.
type ending struct {
	*builder
	in *interp.Interp
	s  rules.State
}

func (b *builder) ending(t *rules.Trace) ending { return ending{b, b.world(t.System).in, t.End()} }

// why says why a play ends there: by which ending, or why nothing can be played.
func (e ending) why() []Reason {
	if !e.s.Live() {
		return []Reason{e.over()}
	}
	if can, err := e.in.CanMove(e.s); err != nil || can {
		return nil
	}
	return e.stuck()
}

// over names the rule by which the game is over.
func (e ending) over() Reason {
	sys := e.in.System()
	if e.s.Outcome == sys.Endless() {
		return Reason{Text: "The move never ends: the rules do not say what happens then."}
	}
	o := sys.Outcomes[e.s.Outcome]
	at := o.At
	if v := e.variant(sys.Name); v != nil {
		for _, l := range labelsOf(v) {
			if l.label.Text == o.Label && l.names.Holds(at) {
				at = l.names
			}
		}
	}
	text := "The game is over"
	if name := strings.TrimSuffix(Outcome(sys, e.s.Outcome), ", over"); name != "over" {
		text += ": " + name
	}
	return Reason{fmt.Sprintf("%s. The rule: `%s`", text, e.oneLine(at)), at}
}

// maxRule is how many characters of a rule stand in a sentence.
const maxRule = 160

// oneLine is a stretch of source in a line, or the beginning of one that is long.
func (e ending) oneLine(r diag.Range) string { return Short(e.text(r), maxRule) }

// Short is a text in a line, or the beginning of one of more characters than most.
func Short(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + " …"
	}
	return text
}

// maxNeeds is how many conditions are named that keep a move from being legal.
const maxNeeds = 4

// stuck says what keeps each move of the player to move from being legal.
func (e ending) stuck() []Reason {
	sys := e.in.System()
	list := []Reason{{Text: "No move is legal, and no rule says that the game is over."}}
	for m, move := range sys.Moves {
		mine, needs := e.needs(m)
		if !mine {
			continue
		}
		text := fmt.Sprintf("`%s` is not legal", move.Label)
		if n := len(needs); n > maxNeeds {
			needs = append(needs[:maxNeeds-1], fmt.Sprintf("%d more", n-maxNeeds+1))
		}
		if len(needs) > 0 {
			text += ": it would take " + strings.Join(needs, " or ")
		}
		list = append(list, Reason{text + ".", move.At})
	}
	return list
}

// needs lists what the actions of a move lack. mine is whether the player to move has any.
func (e ending) needs(move int) (mine bool, needs []string) {
	sys := e.in.System()
	for i := range sys.Actions {
		if a := &sys.Actions[i]; a.Move == move && a.Mover == e.s.Mover {
			mine = true
			if need := lacks(e.in, a, e.s); need != "" && !slices.Contains(needs, need) {
				needs = append(needs, need)
			}
		}
	}
	return mine, needs
}

// lacks is the first condition of an action that does not hold, or empty if that cannot be said.
func lacks(in *interp.Interp, a *rules.Action, s rules.State) string {
	for _, x := range rules.Conjuncts(a.Guard) {
		if holds, err := in.Holds(x, s, nil); err == nil && !holds {
			return quoted(in.System(), x)
		}
	}
	for _, st := range a.Body {
		sow, ok := st.(rules.Sow)
		if !ok {
			continue
		}
		if pit, err := in.Eval(sow.Source, s, nil); err == nil && pit != rules.None && s.Seeds[pit] == 0 {
			return "seeds in `" + in.System().Pits[pit].Name + "`"
		}
	}
	return ""
}

// quoted is a condition as the rules may write it, as code; empty if it is long.
func quoted(sys *rules.System, x rules.Expr) string {
	const long = 100
	if text := rules.Wording(sys, x); text != "" && len(text) <= long {
		return "`" + text + "`"
	}
	return ""
}

// claimed says what the conditions of the claim come to at the end of the play that shows the
// verdict.
func (e ending) claimed(r *proofs.Result) []Reason {
	p, err := confirm.PropertyIn(r.Instance, r.Trace.System)
	if err != nil {
		return nil // the play is of another variant
	}
	switch p := any(p).(type) { // most have no condition of a state or a step
	case *build.Reach:
		if holds, err := e.in.Holds(p.Target, e.s, nil); err == nil && holds {
			return []Reason{{Text: e.reached(p)}}
		}
	case *build.EveryStep:
		n := len(r.Trace.Steps)
		if n == 0 {
			return nil
		}
		before := r.Trace.States()[n-1]
		from, err := e.in.Holds(p.From, before, nil)
		gives, other := e.in.Holds(p.Gives, e.s, &before)
		if err == nil && other == nil && from && !gives {
			return []Reason{{Text: fmt.Sprintf("`%s` holds before the last move, and `%s` does not hold after it.", e.oneLine(p.FromAt), e.oneLine(p.GivesAt))}}
		}
	}
	return nil
}

// reached says that the state is one that the claim speaks of, and by which part of its condition.
func (e ending) reached(p *build.Reach) string {
	verb := "holds"
	if p.Invariant {
		verb = "does not hold"
	}
	text := fmt.Sprintf("The claim's condition `%s` %s here", e.oneLine(p.At), verb)
	if part := decides(e.in, p.Target, e.s); part != nil {
		text += figures(e.in, part, e.s)
	}
	return text + "."
}

// decides finds the part of a condition that holds which suffices for it.
func decides(in *interp.Interp, x rules.Expr, s rules.State) rules.Expr {
	for {
		left, right, ok := alternatives(x)
		if !ok {
			return x
		}
		holds, err := in.Holds(left, s, nil)
		if err != nil {
			return nil
		}
		if x = right; holds {
			x = left
		}
	}
}

// alternatives splits a condition into two of which one suffices.
func alternatives(x rules.Expr) (left, right rules.Expr, ok bool) {
	if not, is := x.(rules.Not); is {
		b, is := not.X.(rules.Binary)
		return rules.Not{X: b.L}, rules.Not{X: b.R}, is && b.Op == rules.And
	}
	b, is := x.(rules.Binary)
	return b.L, b.R, is && b.Op == rules.Or
}

// figures says what the sides of a comparison are, unless they are written as numbers.
func figures(in *interp.Interp, x rules.Expr, s rules.State) string {
	if not, is := x.(rules.Not); is {
		x = not.X
	}
	b, ok := x.(rules.Binary)
	if !ok || b.Op < rules.Eq || b.Op > rules.Ge {
		return ""
	}
	sys := in.System()
	var items []string
	for _, side := range []rules.Expr{b.L, b.R} {
		text, kind := quoted(sys, side), sys.TypeOf(side, nil)
		if _, plain := side.(rules.Const); plain || text == "" || kind == rules.OutcomeType {
			continue
		}
		if n, err := in.Eval(side, s, nil); err == nil {
			items = append(items, fmt.Sprintf("%s is %s", text, sys.ValueName(kind, n)))
		}
	}
	if len(items) == 0 {
		return ""
	}
	return ": " + strings.Join(items, ", ")
}

// Told is what a move does.
type Told struct {
	Rule  diag.Range     // the declaration of the move
	Moved []interp.Moved // the seeds, in the order in which they move
}

// maxTold is how many times seeds move in the part of a play that is told.
const maxTold = 3000

// account tells what the moves of a play do. Of a long play it tells the first ones.
func account(in *interp.Interp, t *rules.Trace) []Told {
	var list []Told
	s, seeds := t.Start, 0
	for _, st := range t.Steps {
		action, ok := actionOf(in, s, st)
		if !ok {
			break
		}
		told := Told{Rule: t.System.Moves[t.System.Actions[action].Move].At}
		var err error
		if told.Moved, err = in.Account(s, action); err != nil {
			break // an interrupt: the states alone have to do
		}
		if seeds += len(told.Moved); seeds > maxTold {
			break
		}
		list = append(list, told)
		s = st.State
	}
	return list
}

// actionOf finds the action of a step. Of several with one notation and one result, any will do.
func actionOf(in *interp.Interp, s rules.State, st rules.TraceStep) (action int, ok bool) {
	steps, _, err := in.Legal(s)
	if err != nil {
		return 0, false
	}
	for _, step := range steps {
		to := step.To
		to.Mover, to.Outcome = st.State.Mover, st.State.Outcome // a rule of repetition may have changed them
		if in.Notation(step.Action, s) == st.Move && to.Equal(st.State) {
			return step.Action, true
		}
	}
	return 0, false
}

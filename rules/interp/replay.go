package interp

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/rules"
)

// Notation returns the notation of the action when it is played in s.
func (in *Interp) Notation(action int, s rules.State) string {
	text, _ := in.Written(action, s)
	return text
}

// Written is Notation with the error of an item that has no value, or whose value a limit hides.
// Such an item is written as `?`.
func (in *Interp) Written(action int, s rules.State) (text string, err error) {
	if action == Offer {
		return in.Label(action, s), nil
	}
	a := &in.sys.Actions[action]
	if len(a.Written) == 0 {
		return a.Label, nil
	}
	var items []string
	for _, w := range a.Written {
		item, none := in.written(w, s)
		err = cmp.Or(err, none)
		items = append(items, item)
	}
	return strings.Join(items, " "), err
}

func (in *Interp) written(w rules.Written, s rules.State) (string, error) {
	if w.X == nil {
		return w.Text, nil
	}
	v, err := in.Eval(w.X, s, nil)
	switch {
	case err != nil:
		return "?", err
	case w.Pit:
		return in.sys.ValueName(rules.PitType, v), nil
	}
	return strconv.Itoa(v), nil
}

// MoveError says why a list of moves cannot be replayed.
type MoveError struct {
	Number int      // of the move, counted from 1
	Move   string   // as given
	Legal  []string // the notations of the legal moves
	Near   string   // a legal move with similar notation, or ""
	Many   bool     // several moves with this notation lead to different states
}

func (e *MoveError) Error() string {
	if e.Many {
		return fmt.Sprintf("move %d: `%s` stands for several moves that lead to different states", e.Number, e.Move)
	}
	text := fmt.Sprintf("move %d: `%s` is not legal", e.Number, e.Move)
	switch {
	case e.Near != "":
		text += fmt.Sprintf("; did you mean `%s`?", e.Near)
	case len(e.Legal) == 0:
		return text + ": there is no legal move"
	}
	return text + " (legal: " + strings.Join(e.Legal, ", ") + ")"
}

// Replay plays moves, given in their notation, from a settled state, where a play begins. White
// space in them is ignored. An error is a *MoveError, a *RuleError or a *rules.LimitError from
// play.
func (in *Interp) Replay(start rules.State, moves []string) (*rules.Trace, error) {
	return in.ReplayOn([]rules.State{start}, moves)
}

// ReplayOn is Replay for a play that has come to the last of these states through the others.
func (in *Interp) ReplayOn(play []rules.State, moves []string) (*rules.Trace, error) {
	play = slices.Clip(play)
	s := play[len(play)-1]
	t := &rules.Trace{System: in.sys, Start: s.Clone()}
	for i, move := range moves {
		step, err := in.Follow(play, i+1, move)
		if err != nil {
			return nil, err
		}
		t.Steps = append(t.Steps, in.TraceStep(s, step))
		s = step.To
		play = append(play, s)
	}
	return t, nil
}

// TraceStep is a step from s as a trace has it.
func (in *Interp) TraceStep(s rules.State, st Step) rules.TraceStep {
	return rules.TraceStep{Move: in.Notation(st.Action, s), Label: in.Label(st.Action, s), State: st.To}
}

// Follow finds the one step of a play with the notation move, which is the move with this number.
// Errors are those of Replay.
func (in *Interp) Follow(play []rules.State, number int, move string) (Step, error) {
	s := play[len(play)-1]
	steps, fault, err := in.Legal(s)
	if err != nil {
		return Step{}, err
	}
	steps = in.InPlay(play, steps)
	var found []Step
	var legal []string
	for _, st := range steps {
		name := in.Notation(st.Action, s)
		legal = append(legal, name)
		if squeeze(name) == squeeze(move) {
			found = append(found, st)
		}
	}
	if len(found) == 0 && fault != nil {
		return Step{}, fault
	}
	if len(found) == 0 {
		return Step{}, &MoveError{Number: number, Move: move, Legal: legal, Near: spell.Nearest(move, legal)}
	}
	for _, st := range found[1:] {
		if !st.To.Equal(found[0].To) {
			return Step{}, &MoveError{Number: number, Move: move, Legal: legal, Many: true}
		}
	}
	return found[0], nil
}

// squeeze removes all white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// Offer is the Action of a Step by which the player to move ends the game, because the position has
// come back and the rules offer that.
const Offer = -1

// InPlay returns the steps of a play that has come to its last state through the others. Steps are
// those that this state has by itself. Where the System has a rule of repetition, a step to a state
// that the play was in before ends the game or, if that is offered, there is a step more from such
// a state.
func (in *Interp) InPlay(play []rules.State, steps []Step) []Step {
	rule, last := in.sys.Repetition, len(play)-1
	switch {
	case rule == nil:
		return steps
	case rule.Offered:
		if s := play[last]; s.Live() && Repeats(play[:last], s) {
			return append(slices.Clone(steps), Step{Action: Offer, To: rule.Ends(s)})
		}
		return steps
	}
	steps = slices.Clone(steps)
	for i, st := range steps {
		if st.To.Live() && Repeats(play, st.To) {
			steps[i].To = rule.Ends(st.To)
		}
	}
	return steps
}

// Repeats reports whether a state is one of those before.
func Repeats(before []rules.State, s rules.State) bool {
	return slices.ContainsFunc(before, s.Equal)
}

// Label returns the label of an action that is played in s.
func (in *Interp) Label(action int, s rules.State) string {
	if action == Offer {
		return in.sys.Outcomes[in.sys.Repetition.Outcome[s.Mover]].Label
	}
	return in.sys.Actions[action].Label
}

// Account tells what a legal action of s does, and the reactions after it, in order: a sowing as
// the seeds taken up and then one by one as they fall, a capture as one. Applied to the seeds of s
// one after another, they give those of the state that the action leads to.
func (in *Interp) Account(s rules.State, action int) ([]Moved, error) {
	var list []Moved
	d := &numbers{memory: memory{tell: func(m Moved) { list = append(list, m) }}}
	seen := noFaults()
	legal, err := in.try(d, s, action, &seen)
	if err == nil && !legal {
		err = fmt.Errorf("interp: action %d is not legal", action)
	}
	if err != nil {
		return nil, err
	}
	_, err = play{action, d}.conclude()
	return list, err
}

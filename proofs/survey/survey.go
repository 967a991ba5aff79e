// Package survey asks what people ask of any game: whether seeds are lost, whether a player can be
// without a move, how a game can go on and end, and who can win. The questions are claims, which
// are made from the board and the players, and decided as any claim of a file.
//
//	survey.go  questions about a game, and their answers
//	sweep.go   questions about many games, which are asked side by side
package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Question is a question about a game.
type Question struct {
	About Aspect
	Of    string // the pit or the player that it is about; may be empty
	Claim string // the property of the language that is true if the answer is yes
}

// Aspect is what a question is about.
type Aspect int

const (
	Conserved  Aspect = iota // the seeds in all pits are always as many
	Grows                    // a pit never loses seeds
	NeverStuck               // no play comes to a state without a move, and no move goes on for ever
	ForEver                  // some play is infinite
	Starved                  // Of is to move with no seeds in the houses of his side
	CanWin                   // some play is won by Of

	Value     // what the start is worth to the first player; this and the others only in a sweep
	Length    // how many moves the longest play has
	States    // how many states can be reached
	FirstWins // the first player wins if both play as well as they can
)

var words = map[Aspect]string{
	Conserved: "conserved", Grows: "grows", NeverStuck: "never stuck", ForEver: "for ever", Starved: "starved", CanWin: "can win",
	Value: "value", Length: "length", States: "states", FirstWins: "first wins",
}

// String names the aspect.
func (a Aspect) String() string { return words[a] }

// String names the question.
func (q Question) String() string { return strings.TrimSpace(q.Of + " " + q.About.String()) }

// Questions lists what is to be asked of a System. The error is one of listing its starts.
func Questions(ctx context.Context, sys *rules.System) ([]Question, error) {
	all, err := sameTotal(ctx, sys)
	if err != nil {
		return nil, err
	}
	list := []Question{{About: Conserved, Claim: all}}
	houses := map[int]bool{} // by owner
	for _, p := range sys.Pits {
		if p.Name != p.Group { // a pit of a row
			houses[p.Owner] = true
		} else {
			list = append(list, Question{Grows, p.Name, fmt.Sprintf("from not finished every step gives seeds(%s) >= old seeds(%s)", p.Name, p.Name)})
		}
	}
	list = append(list, Question{About: NeverStuck, Claim: "never stuck"}, Question{About: ForEver, Claim: "can go on for ever"})
	if len(sys.Players) == 1 {
		return list, nil
	}
	for i, p := range sys.Players {
		if houses[i] {
			list = append(list, Question{Starved, p, fmt.Sprintf("reachable mover = %s and total(house of %s) = 0", p, p)})
		}
		list = append(list, Question{CanWin, p, fmt.Sprintf("reachable %s wins", p)})
	}
	return list, nil
}

// mostStarts is how many starts are listed to see whether all have as many seeds.
const mostStarts = 10_000

// sameTotal is the claim of conservation: with the number of seeds if all starts have as many.
func sameTotal(ctx context.Context, sys *rules.System) (string, error) {
	const kept = "from not finished every step gives total(pit) = old total(pit)"
	if len(sys.OpenParams()) > 0 {
		return kept, nil
	}
	total, starts := 0, 0
	err := space.Starts(ctx, interp.New(sys).Within(ctx), func(s rules.State) error {
		if starts++; starts == mostStarts || starts > 1 && s.Total() != total {
			starts = 0
			return space.ErrStop
		}
		total = s.Total()
		return nil
	})
	switch infinite := (*space.InfiniteError)(nil); {
	case err != nil && !errors.As(err, &infinite):
		return "", err
	case err != nil || starts == 0: // none, too many, or they differ
		return kept, nil
	}
	return fmt.Sprintf("invariant total(pit) = %d", total), nil
}

// Engines are asked in turn until there is an answer. Where the tool's own choice and a hunt take
// too long, a search forward says how many moves of all plays were looked at.
var Engines = []verdict.Engine{verdict.Auto, verdict.Hunt, verdict.Forward}

// of is the question about a game as a claim without a name.
func (q Question) of(sys *rules.System) string { return fmt.Sprintf("of %s { %s }", sys.Name, q.Claim) }

// load reads a file with claims at its end.
func load(path string, open func(path string) ([]byte, error), claims []string) (*proofs.File, error) {
	return proofs.Load(path, func(at string) ([]byte, error) {
		text, err := open(at)
		if at == path {
			text = slices.Clip(text) // it is not ours
			for i, c := range claims {
				text = fmt.Appendf(text, "\nclaim %s %s\n", claimOf(i), c)
			}
		}
		return text, err
	})
}

// claimOf is the name of the claim that asks a question.
func claimOf(question int) string { return fmt.Sprintf("asked_by_the_survey_%d", question) }

// Answer is what was found out about a question. Item is nil if it cannot be asked of the game, and
// Err says why.
type Answer struct {
	Question
	Item *suite.Item
	Err  error
}

// Bounds are what is known of a number that was asked for: nil is nothing. Where both are the same
// the number is known.
func (a *Answer) Bounds() (least, most *int64) {
	if a.Item == nil || a.Item.Result == nil {
		return nil, nil
	}
	r := a.Item.Result
	switch open, _ := r.Open.(verdict.Ended); a.About {
	case Value:
		if w := r.Value; w != nil && w.Lo != value.NoLower {
			least = new(int64(w.Lo))
		}
		if w := r.Value; w != nil && w.Hi != value.NoUpper {
			most = new(int64(w.Hi))
		}
	case Length, States:
		if n, is := r.Found.(verdict.Figure); is && (n.Is == verdict.Longest || n.Is == verdict.Number) {
			least = new(int64(n.N))
			return least, least
		}
		if d := a.Depth(); d >= 0 && a.About == Length { // there are states so far away, and more
			least = new(int64(d))
		} else if open.Work == verdict.ForwardSearch && a.About == States {
			least = &open.States
		}
	default:
	}
	return least, most
}

// Known reports whether the question has an answer.
func (a *Answer) Known() bool {
	if a.Item == nil || a.Item.Result == nil || !a.Item.Result.Conclusive() {
		return false
	}
	least, most := a.Bounds()
	return a.About < Value || a.About == FirstWins || a.endless() || least != nil && most != nil && *least == *most
}

// endless reports whether there is no longest play, since one goes on for ever.
func (a *Answer) endless() bool { return a.About == Length && a.Item.Result.Status == proofs.Refuted }

// Is is the answer as a word: yes, no, open, a number, or, of a length, endless.
func (a *Answer) Is() string {
	least, _ := a.Bounds()
	switch {
	case !a.Known():
		return "open"
	case a.endless():
		return "endless"
	case least != nil:
		return strconv.FormatInt(*least, 10)
	case a.Item.Result.Status == proofs.Proved:
		return "yes"
	}
	return "no"
}

// Checked reports whether the answer is known and independent code has checked its evidence.
func (a *Answer) Checked() bool { return a.Known() && a.Item.Result.Checked > verdict.Unchecked }

// Depth is how many moves of all plays were searched for an answer that was not found. It is -1 if
// none were.
func (a *Answer) Depth() int {
	if a.Item != nil && a.Item.Result != nil {
		if open, is := a.Item.Result.Open.(verdict.Ended); is && open.Work == verdict.ForwardSearch {
			return open.Depth
		}
	}
	return -1
}

// Why says what the answer is based on, or why there is none.
func (a *Answer) Why() string {
	if a.Err != nil {
		return a.Err.Error()
	}
	for _, n := range a.Item.Result.Notes {
		if bounds, is := n.(verdict.EngineOpen); is && a.About == Value {
			return say.Reason(bounds.Why.Is)
		}
	}
	return a.Item.Result.Sentence()
}

// Looks is how many positions a hunt looks at for a question, if no limit is given.
const Looks = 4_000_000

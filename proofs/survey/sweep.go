package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Game is one of the games of a sweep.
type Game struct {
	System  *rules.System
	Given   build.Settings // what it was made with
	Several bool           // it has several starts
	Err     error          // why nothing can be asked of it; nil if it can
	Cells   []*Answer      // in the order of the questions of the sweep
}

// Figures are the questions that only a sweep asks.
var Figures = []string{"value", "length", "states", "first-wins"}

// figures asks them of a game. endless is a clause of a claim about a value; it may be empty.
func figures(sys *rules.System, endless string) []Question {
	if sys.Repetition != nil {
		endless = "" // the rules say it
	}
	list := []Question{{Length, "", "terminates"}, {States, "", "count(states) = 0"}}
	if len(sys.Players) == 1 {
		return append(list, Question{Value, "", "value(start) = 0" + endless})
	}
	first := sys.Players[value.First]
	return append(list, Question{Value, "", "value(start) for " + first + " = 0" + endless},
		Question{FirstWins, "", "winner(start) = " + first + endless})
}

// word is the name of a question as it stands on a command line.
func word(name string) string { return strings.ReplaceAll(name, " ", "-") }

// Prepare makes the cells of the games, undecided: one for each name of a question; nil stands for
// all that is asked of any game. open reads the file of the games and its imports. The error is one
// of the names, of the file, or of listing starts.
func Prepare(ctx context.Context, path string, open func(path string) ([]byte, error), games []*Game, names []string, endless string) error {
	asked, known, claims := make([][]Question, len(games)), Figures, []string(nil)
	for i, g := range games {
		if g.Err != nil {
			continue
		}
		list, err := Questions(ctx, g.System)
		if err != nil {
			return err
		}
		if names == nil {
			names = lists.Map(list, Question.String)
		}
		asked[i] = append(list, figures(g.System, endless)...)
		for _, q := range asked[i] {
			known, claims = append(known, word(q.String())), append(claims, q.of(g.System))
		}
	}
	known, claims = lists.Distinct(known), lists.Distinct(claims)
	for _, name := range names {
		if !slices.Contains(known, word(name)) {
			near := spell.Nearest(word(name), known)
			if near != "" {
				near = "did you mean " + near + "? "
			}
			return fmt.Errorf("there is no question %q: %sthe questions are %s", name, near, strings.Join(known, ", "))
		}
	}
	file, err := load(path, open, claims)
	if err != nil {
		return err
	}
	for i, g := range games {
		for _, name := range names {
			a := &Answer{Err: g.Err}
			if a.Err == nil {
				a.Question = lists.Find(asked[i], func(q Question) bool { return word(q.String()) == word(name) })
			}
			switch {
			case a.Err != nil:
			case a.Claim == "":
				a.Err = errors.New("this is not asked of the game")
			case g.Several && a.About == Value:
				a.Err = errors.New("there are several starts")
			default:
				claim := claimOf(slices.Index(claims, a.of(g.System)))
				var instances []*build.Instance
				if instances, a.Err = file.Instances(g.Given, claim); a.Err == nil {
					a.Item = &suite.Item{File: path, Program: file.Program, Claim: claim, Instance: instances[0]}
				}
			}
			g.Cells = append(g.Cells, a)
		}
	}
	return nil
}

// takes reports whether an engine is asked for an answer that is not known.
func (a *Answer) takes(engine verdict.Engine) bool {
	switch a.About {
	case Value, FirstWins:
		return engine == verdict.Auto
	case Length, States:
		return engine == verdict.Forward
	default:
		return true
	}
}

// Run looks for the answers of all cells, several at the same time. The end of the context leaves
// those open that are not found by then.
func Run(ctx context.Context, games []*Game, opt suite.Options) {
	all := lists.Filter(lists.Flat(games, func(g *Game) []*Answer { return g.Cells }), func(a *Answer) bool { return a.Item != nil })
	opt.Decided = func(_ int, i *suite.Item) {
		if i.Result != nil {
			i.Result.Shed() // the evidence of many cells would fill the memory
		}
	}
	most := opt.Decide.MaxStates
	for _, engine := range Engines {
		asked := lists.Filter(all, func(a *Answer) bool { return a.Err == nil && !a.Known() && a.takes(engine) })
		if opt.Decide.Engine, opt.Decide.MaxStates = engine, most; engine == verdict.Hunt && most == 0 {
			opt.Decide.MaxStates = Looks
		}
		found := suite.Run(ctx, lists.Map(asked, func(a *Answer) *suite.Item {
			return &suite.Item{File: a.Item.File, Program: a.Item.Program, Claim: a.Item.Claim, Instance: a.Item.Instance}
		}), opt)
		for i, a := range asked {
			switch b := (&Answer{a.Question, found.Items[i], found.Items[i].Err}); {
			case b.Err != nil: // a fault of the rules
				a.Err = b.Err
			case a.Item.Result == nil || b.Known() || a.Depth() < 0 && b.Depth() >= 0:
				a.Item = b.Item
			}
		}
	}
	for _, a := range all {
		if a.Item.Result == nil {
			a.Item.Result = proofs.Undecided(a.Item.Instance, verdict.Auto, verdict.Ended{Work: verdict.Waiting, Limit: limit.Ending(ctx)})
		}
	}
}

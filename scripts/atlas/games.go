package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/scripts/internal/shipped"
)

// game is a game of the repository. Its ID is also the name of the file of claims, and of the page.
type game struct {
	*shipped.Game
	name     string
	sets     []ruleSet
	compared string // for the page: with what
}

// ruleSet are the rules with one of the switches set the other way, or with none.
type ruleSet struct {
	given  build.Settings
	words  string // as in a claim: `recorded = true`; empty for the rules by default
	sys    *rules.System
	boards []scope
}

// scope is a board that is small enough for all its states to be listed.
type scope struct {
	given  build.Settings // with those of the rule set
	words  string         // `m = 2, n = 3`
	states int64
}

// What is listed of small boards.
const (
	mostSets   = 4
	mostBoards = 4 // of a rule set
	mostStates = 30_000
	sizes      = 4 // values of a parameter that are tried
)

// games lists the games of the repository, without their boards.
func games(root string) ([]*game, error) {
	shipped, err := shipped.Games(root)
	if err != nil {
		return nil, err
	}
	var list []*game
	for _, of := range shipped {
		g := &game{Game: of, name: of.Variant.Name.Name}
		if err := g.choose(); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Path, err)
		}
		list = append(list, g)
	}
	return list, nil
}

// choose makes the rule sets.
func (g *game) choose() error {
	plain, diags := g.Unit.System(g.Variant, nil)
	if err := diags.Err(); err != nil {
		return err
	}
	g.sets = []ruleSet{{sys: plain}}
	for _, p := range plain.Params {
		if !p.Bool || len(g.sets) == mostSets {
			continue
		}
		given := build.Settings{p.Name: {N: 1 - p.Value, Bool: true}}
		if sys, diags := g.Unit.System(g.Variant, given); !diags.HasErrors() {
			g.sets = append(g.sets, ruleSet{given: given, sys: sys, words: fmt.Sprintf("%s = %t", p.Name, p.Value == 0)})
		}
	}
	return nil
}

// small finds the boards of a rule set of which all states can be listed: the largest of them, by
// the first two numbers that the rules have for a parameter.
func (g *game) small(ctx context.Context, r *ruleSet) error {
	numbers := lists.Filter(r.sys.Params, func(p rules.Param) bool { return !p.Bool })
	numbers = numbers[:min(2, len(numbers))]
	tried := []scope{{given: r.given}}
	for _, p := range numbers {
		var more []scope
		for _, s := range tried {
			for k := range sizes {
				v := max(p.Lo, 1) + k
				if p.HasHi && v > p.Hi {
					break
				}
				given := build.Settings{p.Name: {N: v}}
				for name, value := range s.given {
					given[name] = value
				}
				words := strings.TrimPrefix(s.words+fmt.Sprintf(", %s = %d", p.Name, v), ", ")
				more = append(more, scope{given: given, words: words})
			}
		}
		tried = more
	}
	for _, s := range tried {
		sys, diags := g.Unit.System(g.Variant, s.given)
		if diags.HasErrors() {
			continue
		}
		starts := func(ctx context.Context, yield func(rules.State) error) error {
			return space.Starts(ctx, interp.New(sys).Within(ctx), yield)
		}
		res, err := forward.Search(ctx, sys, starts, forward.Query{}, forward.Options{Bounds: limit.Bounds{MaxStates: mostStates}})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && res.Stop == limit.Complete && res.Stats.States > 1 {
			s.states = res.Stats.States
			r.boards = append(r.boards, s)
		}
	}
	slices.SortStableFunc(r.boards, func(a, b scope) int { return cmp.Compare(b.states, a.states) })
	r.boards = r.boards[:min(mostBoards, len(r.boards))]
	slices.Reverse(r.boards)
	return nil
}

var claims = regexp.MustCompile(`(?m)^claim `)

// rules is the text of the file up to its claims.
func (g *game) rules() string {
	text := g.Text
	if at := claims.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	return strings.TrimSpace(text)
}

package main

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/simulate"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
)

// strategies is how each player of simulated games chooses: by player, all of one length.
type strategies struct {
	names    []string        // as given; empty: at random
	followed []*rules.System // the System of a strategy of the file; nil: none
	choosers []func() (simulate.Chooser, error)
}

// usualOpening is how many moves make games differ enough whose players look ahead.
const usualOpening = 4

// opening is how many moves are made at random first, if so many are asked for.
func (s *strategies) opening(asked optional) int {
	switch {
	case asked >= 0:
		return int(asked)
	case slices.ContainsFunc(s.choosers, func(c func() (simulate.Chooser, error)) bool { return c != nil }): // a player looks ahead
		return usualOpening
	}
	return 0
}

// strategies reads --with, for games that begin at a place.
func (c *simulateCmd) strategies(s *session, at *placement) (*strategies, error) {
	sys := at.in.System()
	n := len(sys.Players)
	out := &strategies{make([]string, n), make([]*rules.System, n), make([]func() (simulate.Chooser, error), n)}
	if len(c.With) == 0 {
		return out, nil
	}
	f, diags := s.reader.File(c.File)
	given, more := input.Settings(c.Param)
	if err := append(diags, more...).Err(); err != nil {
		return nil, err
	}
	for _, arg := range c.With {
		player, strategy, err := follower(sys, arg)
		if err != nil {
			return nil, err
		}
		var followed *rules.System
		chooser, err := c.searcher(s, at, strategy)
		if err == nil && chooser == nil {
			followed, diags = f.Followed(c.Variant, given, strategy, "--with")
			err = diags.Err()
		}
		if err != nil {
			return nil, err
		}
		for i := range sys.Players {
			switch {
			case player != rules.None && i != player:
			case out.names[i] != "":
				return nil, withError("`%s`: a strategy of this player is given already", arg)
			default:
				out.names[i], out.followed[i], out.choosers[i] = strategy, followed, chooser
			}
		}
	}
	return out, nil
}

// searching begins the strategy of a player who looks ahead.
const searching = "search:"

// searcher makes players who look ahead, if a strategy says so, and else nil.
func (c *simulateCmd) searcher(s *session, at *placement, strategy string) (func() (simulate.Chooser, error), error) {
	sys := at.in.System()
	much, is := strings.CutPrefix(strategy, searching)
	if !is {
		return nil, nil
	}
	study, err := readStudy(much)
	switch {
	case err != nil:
		return nil, withError("`%s`: %v; write search:SECONDS, as search:0.5, or search:nodes=N", strategy, err)
	case len(sys.Players) != 2:
		return nil, withError("`%s`: `%s` has %s, and only players of a game of two look ahead", strategy, sys.Name, numeral.Count(int64(len(sys.Players)), "player"))
	}
	threads := limit.Bounds{Threads: int(c.Threads)}.Workers()
	opts := value.Options{Bounds: limit.Bounds{MaxMemory: limit.Bounds{MaxMemory: int64(c.MaxMemory.size)}.Memory() / int64(2*max(threads, runtime.NumCPU()))}}
	if at.dealer != nil {
		opts.Seeds = at.dealer.MostSeeds()
	}
	return func() (simulate.Chooser, error) {
		one, err := choose.NewSearcher(s.ctx, sys, at.st, worth.Usual(sys), study, opts)
		if err != nil {
			return nil, err
		}
		return one, nil
	}, nil
}

// longestSearch is the longest time for a move, in seconds.
const longestSearch = 1e6

// readStudy reads how far a player looks ahead: a number of seconds, or nodes=N.
func readStudy(text string) (value.Study, error) {
	if text, is := strings.CutPrefix(text, "nodes="); is {
		var n count
		if err := n.UnmarshalText([]byte(text)); err != nil {
			return value.Study{}, err
		}
		if n < 1 {
			return value.Study{}, fmt.Errorf("at least one position has to be looked at")
		}
		return value.Study{Nodes: int64(n)}, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > 0 && seconds <= longestSearch) {
		return value.Study{}, fmt.Errorf("%q is no number of seconds", text)
	}
	return value.Study{Time: time.Duration(seconds * float64(time.Second))}, nil
}

// follower reads PLAYER=STRATEGY, or STRATEGY for all players, for which player is rules.None.
func follower(sys *rules.System, arg string) (player int, strategy string, err error) {
	name, strategy, one := strings.Cut(arg, "=")
	if !one || strings.HasPrefix(name, searching) {
		return rules.None, arg, nil
	}
	if player = slices.Index(sys.Players, name); player >= 0 && name != "" {
		return player, strategy, nil
	}
	if len(sys.Players) == 1 {
		return 0, "", withError("`%s`: a solitaire has no players to name; write the strategy alone", arg)
	}
	help := "the players are " + strings.Join(sys.Players, ", ")
	if near := spell.Nearest(name, sys.Players); near != "" {
		help = "did you mean `" + near + "`?"
	}
	return 0, "", withError("unknown player `%s`; %s", name, help)
}

// withError returns a diagnostic about --with.
func withError(format string, args ...any) error {
	return diag.Errorf(diag.Unknown, diag.Range{File: "--with"}, format, args...)
}

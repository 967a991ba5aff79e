package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/simulate"
	"github.com/mancheck/mancheck/cmd/internal/chart"
	"github.com/mancheck/mancheck/cmd/internal/cover"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
)

type simulateCmd struct {
	File     string   `arg:"" help:"Rules file; - is standard input."`
	Games    count    `default:"10000" placeholder:"N" help:"How many games are played; 10,000 by default."`
	Seed     uint64   `default:"1" placeholder:"N" help:"Seed of the random numbers: the same one gives the same games, and deals the same starts if the setup leaves several. 1 by default."`
	MaxMoves count    `default:"1000" placeholder:"N" help:"Give up a game after this many moves, and count it as such; 1,000 by default."`
	With     []string `sep:"none" placeholder:"PLAYER=STRATEGY" help:"A strategy of the file that a player follows, or STRATEGY alone for all players. search:SECONDS looks ahead so long for each move, and search:nodes=N through so many positions, which gives the same games on every machine. May be repeated. The others choose at random among all moves."`
	Opening  optional `default:"auto" placeholder:"N" help:"How many moves at the beginning of a game are chosen at random, whoever makes them: 4 if a player looks ahead, or else none, unless this says otherwise."`
	Coverage bool     `help:"Also count in how many moves of the games each statement is carried out, and each condition is true and false, and write that beside the rules."`
	positionFlags
	Threads     threads `placeholder:"N" help:"Threads; the default is one for each processor. Results do not depend on it."`
	budgetFlags `group:"limits"`
	formatFlag
}

// maxGameMoves bounds the length of games, because games are counted by length in a list.
const maxGameMoves = 1_000_000

// Run plays the games and writes what was counted.
func (c *simulateCmd) Run(s *session) error {
	if c.MaxMoves > maxGameMoves {
		return usageError{fmt.Errorf("--max-moves=%d: at most %d", c.MaxMoves, maxGameMoves)}
	}
	at, err := place(s, c.File, c.gameFlags, c.Board, c.State, c.Seed)
	if err != nil {
		return err
	}
	sys := at.in.System()
	how, err := c.strategies(s, at)
	if err != nil {
		return err
	}
	opts := simulate.Options{
		Games: int64(c.Games), MaxMoves: int(c.MaxMoves), Seed: c.Seed, Bounds: limit.Bounds{Threads: int(c.Threads)},
		Followed: how.followed, Choosers: how.choosers, Opening: how.opening(c.Opening),
	}
	if at.dealer != nil {
		opts.Seeds = at.dealer.MostSeeds()
		opts.Deal = func(game int64) (rules.State, error) { return at.deal(s.ctx, c.State, uint64(game)) }
	}
	counting, marked, err := c.ofGames(s, sys)
	if err != nil {
		return fault.Explain(sys, err)
	}
	opts.Coverage = counting
	opts.Observer = s.progress.Observer(func(p limit.Progress) string {
		return share(p.States, int64(c.Games)) + pace(p, "of "+numeral.Short(int64(c.Games))+" games")
	})
	res, err := simulate.Run(s.ctx, sys, at.st, opts)
	s.done()
	if err != nil {
		return fault.Explain(sys, err)
	}
	out := simulated{s, c, at, sys, how.names, opts.Opening, nil, res}
	if counting != nil {
		out.coverage = &coverage.Report{}
		out.coverage.Add(coverage.Run{Sys: sys, Games: res.Games, Complete: res.Complete}, marked, counting.Counts())
	}
	s.result(out.json(), out.write)
	return inconclusiveUnless(res.Complete)
}

// simulated has the results of the games for output.
type simulated struct {
	s        *session
	c        *simulateCmd
	at       *placement
	sys      *rules.System
	strategy []string         // by player
	opening  int              // moves at random first
	coverage *coverage.Report // nil: it was not asked for
	*simulate.Result
}

// random is the word for a player without a strategy.
const random = "random"

// plays returns how a player plays: the name of a strategy, or random.
func (r simulated) plays(player int) string { return cmp.Or(r.strategy[player], random) }

// reason says why not all games were played.
func (r simulated) reason() string {
	return fmt.Sprintf("%s after %s of %s games", limit.Why(r.s.ctx), numeral.Number(r.Games), numeral.Number(int64(r.c.Games)))
}

// byOutcome returns the number of games for each outcome, of games that were stuck, and of those
// given up.
func (r simulated) byOutcome() []chart.Bar {
	var list []chart.Bar
	for o, n := range r.Outcomes {
		list = append(list, chart.Bar{Label: r.sys.OutcomeName(o), Count: n})
	}
	return occurred(append(list, chart.Bar{Label: rules.StuckLabel, Count: r.Stuck}, chart.Bar{Label: "not ended", Count: r.Unended}))
}

// occurred leaves out what was never counted.
func occurred(list []chart.Bar) []chart.Bar {
	return lists.Filter(list, func(b chart.Bar) bool { return b.Count > 0 })
}

// byWinner returns the number of games for each result.
func (r simulated) byWinner() []chart.Bar {
	var list []chart.Bar
	for i, name := range r.sys.Players {
		label := name + " wins"
		if len(r.sys.Players) == 1 {
			label = "won"
		}
		list = append(list, chart.Bar{Label: label, Count: r.Wins[i]})
	}
	return occurred(append(list, chart.Bar{Label: "lost", Count: r.Lost}, chart.Bar{Label: "draw", Count: r.Drawn},
		chart.Bar{Label: "no result", Count: r.Open + r.Stuck + r.Unended}))
}

// numbered turns counts in a list into a map from the index, without zeros.
func numbered(list []int64) map[int]int64 {
	counts := map[int]int64{}
	for i, n := range list {
		if n > 0 {
			counts[i] = n
		}
	}
	return counts
}

// maxBars bounds the bars of a histogram.
const maxBars = 20

// charts returns all counts as charts.
func (r simulated) charts() []chart.Chart {
	list := []chart.Chart{
		{Title: "results", Bars: r.byWinner()},
		{Title: "ends", Bars: r.byOutcome()},
		chart.Histogram("moves of a game that ended", numbered(r.Lengths), maxBars),
		chart.Histogram("legal moves of a position", numbered(r.Choices), maxBars),
	}
	if len(r.Margins) > 0 {
		list = append(list, chart.Histogram(r.marginTitle(), r.Margins, maxBars))
	}
	return list
}

// marginTitle returns the title of the chart of scores.
func (r simulated) marginTitle() string {
	if len(r.sys.Players) == 1 {
		return "score at the end"
	}
	return fmt.Sprintf("score of %s less that of %s at the end", r.sys.Players[0], r.sys.Players[1])
}

// facts describes the games: how many, with which seed, and how each player plays.
func (r simulated) facts() string {
	text := fmt.Sprintf("%s, seed %d", numeral.Count(r.Games, "game"), r.c.Seed)
	for i, name := range r.sys.Players {
		if name != "" {
			name += ": "
		}
		text += ", " + name + r.plays(i)
	}
	if r.opening > 0 {
		text += fmt.Sprintf(", after %s at random", numeral.Count(int64(r.opening), "move"))
	}
	if r.at.dealer != nil {
		text += ", each from a start dealt at random"
	}
	return text
}

// write writes the counts for people.
func (r simulated) write() {
	fmt.Fprintf(r.s.out, "%s\n  %s\n", r.at.heading(r.s.color), r.facts())
	for _, m := range []struct {
		name string
		sum  summary
	}{{"moves of a game", summarize(numbered(r.Lengths))}, {"legal moves", summarize(numbered(r.Choices))}, {"margin", summarize(r.Margins)}} {
		if m.sum.n > 0 {
			fmt.Fprintf(r.s.out, "  %s: %.2f on average, from %d to %d\n", m.name, m.sum.mean(), m.sum.least, m.sum.most)
		}
	}
	if r.Unended > 0 {
		fmt.Fprintf(r.s.out, "  %s not ended after %s\n", numeral.Count(r.Unended, "game"), numeral.Count(int64(r.c.MaxMoves), "move"))
	}
	for _, one := range r.charts() {
		if len(one.Bars) > 0 {
			fmt.Fprintln(r.s.out)
			one.Write(r.s.out, r.s.color, r.s.width)
		}
	}
	fmt.Fprintf(r.s.out, "\n  seconds %.2f\n", r.Seconds)
	if !r.Complete {
		fmt.Fprintln(r.s.out, r.s.color.Paint(term.Open, "  incomplete: "+r.reason()))
	}
	if r.coverage != nil {
		cover.Writer{W: r.s.out, Sources: r.s.reader.Sources, Color: r.s.color}.Write(r.coverage)
	}
}

// summary summarizes numbers and how often each occurred.
type summary struct{ n, sum, least, most int64 }

// summarize adds up a histogram: numbers, and how often each occurred.
func summarize(counts map[int]int64) summary {
	var s summary
	for k, n := range counts {
		if v := int64(k); s.n == 0 {
			s.least, s.most = v, v
		} else {
			s.least, s.most = min(s.least, v), max(s.most, v)
		}
		s.n += n
		s.sum += int64(k) * n
	}
	return s
}

func (s summary) mean() float64 { return float64(s.sum) / float64(s.n) }

// json returns the summary with all counts, in increasing order of the numbers; null if nothing was
// counted.
func (s summary) json(counts map[int]int64) any {
	if s.n == 0 {
		return nil
	}
	list := [][2]int64{}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, [2]int64{int64(k), counts[k]})
	}
	return report.Object{{Name: "mean", Value: s.mean()}, {Name: "least", Value: s.least}, {Name: "most", Value: s.most}, {Name: "histogram", Value: list}}
}

func (r simulated) json() report.Object {
	players := []report.Object{}
	for i, name := range r.sys.Players {
		p := report.Object{{Name: "plays", Value: r.plays(i)}, {Name: "wins", Value: r.Wins[i]}}
		if name != "" {
			p = append(report.Object{{Name: "name", Value: name}}, p...)
		}
		players = append(players, p)
	}
	outcomes := report.Object{}
	for o, n := range r.Outcomes {
		if n > 0 {
			outcomes = outcomes.With(r.sys.OutcomeName(o), n)
		}
	}
	lengths, choices := numbered(r.Lengths), numbered(r.Choices)
	out := report.Object{
		{Name: "variant", Value: r.sys.Name},
		{Name: "seed", Value: r.c.Seed},
		{Name: "games", Value: r.Games},
		{Name: "players", Value: players},
		{Name: "lost", Value: r.Lost},
		{Name: "drawn", Value: r.Drawn},
		{Name: "noResult", Value: r.Open},
		{Name: "outcomes", Value: outcomes},
		{Name: "stuck", Value: r.Stuck},
		{Name: "notEnded", Value: r.Unended},
		{Name: "maxMoves", Value: int64(r.c.MaxMoves)},
		{Name: "moves", Value: summarize(lengths).json(lengths)},
		{Name: "legalMoves", Value: summarize(choices).json(choices)},
		{Name: "margin", Value: summarize(r.Margins).json(r.Margins)},
		{Name: "seconds", Value: r.Seconds},
	}
	if r.coverage != nil {
		out = out.With("coverage", cover.JSON(r.coverage))
	}
	return out.If(r.opening > 0, "opening", r.opening).If(r.at.dealer != nil, "dealt", true).If(!r.Complete, "reason", r.reason())
}

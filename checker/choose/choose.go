// Package choose says which moves of a position are best, if values are known, and
// chooses one.
package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mancheck/mancheck/checker/simulate"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Standing says whether a move is one of the best.
type Standing int

const (
	// Unsure says that the bounds do not tell.
	Unsure Standing = iota
	// Best moves are at least as good as any other.
	Best
	// Worse moves are not as good as some other.
	Worse
)

// Standings says which moves of a state are best for the player to move, by what is known of their
// values: in the order of the moves.
func Standings(moves []value.MoveValue, mover int) []Standing {
	list := make([]Standing, len(moves))
	for i, m := range moves {
		lo, hi := forMover(m, mover)
		list[i] = Best
		for j, other := range moves {
			least, most := forMover(other, mover)
			if least > hi {
				list[i] = Worse
				break
			}
			if j != i && most > lo {
				list[i] = Unsure
			}
		}
	}
	return list
}

// forMover returns bounds of what a move is worth to the player who makes it.
func forMover(m value.MoveValue, mover int) (lo, hi int) {
	if mover == value.First {
		return m.Lo, m.Hi
	}
	return -m.Hi, -m.Lo
}

// Options say how much work a choice may take.
type Options struct {
	limit.Bounds
	Payoff value.Payoff
	Time   time.Duration // to find values and estimates in; 0: no limit
	Games  int64         // random games for each move, where there are not even estimates
	Seed   uint64
	Tables value.Tables // what is known beforehand; nil: nothing
	Memory *Memory      // what earlier choices of the same game have found out; nil: nothing
}

// exactShare is the part of the time in which the value of a game of two is looked for first: what
// is not found by then is seldom found later, and the rest goes into an estimate. In other games it
// is the part that is left for guesses.
const exactShare = 4

// How says what a choice rests on.
type How int

const (
	// Only is the only legal move.
	Only How = iota
	// Exact is a best move of a position whose value is known.
	Exact
	// Bounded is a best move by bounds of values. The value of the position is not known.
	Bounded
	// Estimated is the best move by an estimate of the positions some moves ahead.
	Estimated
	// Guessed is the move that did best in random games. It may be a bad one.
	Guessed
)

// Choice is a move, and what is known of it and of the others.
type Choice struct {
	Step   interp.Step
	How    How
	Reason string       // unless Only or Exact: why the value is not known
	Depth  int          // Estimated: moves that were looked ahead
	Found  *value.Found // nil if the rules do not say what plays are worth, or nothing was looked for
	Moves  []Move       // of all legal moves, in the order of the System's Actions
}

// Move is a legal move with what is known of it.
type Move struct {
	interp.Step
	Value    value.MoveValue // with infinite bounds if nothing is known
	Standing Standing
	Estimate float64 // Estimated: what it is worth to the first player
	Games    int64   // random games that ended with a known result
	Average  float64 // of what those games were worth to the first player
}

// errNoMove is returned for a state without a legal move.
var errNoMove = errors.New("there is no legal move")

// Choose chooses a move of a live state. It looks for values first. If they do not tell which move
// is best, it looks some moves ahead and estimates what comes then. Where the rules do not say what
// plays are worth, or there are not two players, it plays random games. An error is a fault of the
// rules, or the context's.
func Choose(ctx context.Context, sys *rules.System, st rules.State, opts Options) (*Choice, error) {
	steps, err := interp.New(sys).Within(ctx).Steps(st)
	switch {
	case err != nil:
		return nil, err
	case len(steps) == 0:
		return nil, errNoMove
	case len(steps) == 1:
		return &Choice{Step: steps[0], How: Only, Moves: moves(steps, nil, st.Mover)}, nil
	}
	c, began := &Choice{}, time.Now()
	if err := c.find(ctx, sys, st, steps, opts); err != nil {
		return nil, err
	}
	if best := c.best(); best >= 0 {
		c.Step = c.Moves[best].Step
		return c, nil
	}
	if len(sys.Players) == 2 && opts.Time > 0 {
		done, err := c.estimate(ctx, sys, st, opts, opts.Time-time.Since(began))
		if done || err != nil {
			return c, err
		}
	}
	if opts.Time > 0 {
		opts.Time = max(opts.Time-time.Since(began), opts.Time/exactShare)
	}
	return c, c.guess(ctx, sys, st.Mover, opts)
}

// estimate looks some moves ahead. It reports whether that tells which move to choose.
func (c *Choice) estimate(ctx context.Context, sys *rules.System, st rules.State, opts Options, within time.Duration) (bool, error) {
	m := opts.Memory
	if m == nil {
		m = &Memory{}
		defer m.Close()
	}
	found, err := m.analyse(ctx, sys, st, opts, value.Study{Time: max(within, time.Millisecond), Moves: true})
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		return false, nil // guesses meet the fault, if there is one
	}
	for i := range c.Moves {
		m := &c.Moves[i]
		for _, p := range found.Moves {
			if p.Action == m.Action {
				m.Value.Lo, m.Value.Hi, m.Estimate = max(m.Value.Lo, p.Lo), min(m.Value.Hi, p.Hi), p.Score
			}
		}
		if m.Action == found.Line[0] {
			c.Step = m.Step
		}
	}
	stand(c.Moves, st.Mover)
	c.How, c.Depth = Estimated, found.Depth
	if c.Found == nil {
		c.Found = &value.Found{Lo: value.NoLower, Hi: value.NoUpper}
	}
	c.Found.Lo, c.Found.Hi = max(c.Found.Lo, found.Lo), min(c.Found.Hi, found.Hi)
	if c.Found.Known() {
		c.How, c.Reason = Exact, ""
	}
	if best := c.best(); best >= 0 {
		c.Step = c.Moves[best].Step
	}
	return true, nil
}

// find looks for values within the time.
func (c *Choice) find(ctx context.Context, sys *rules.System, st rules.State, steps []interp.Step, opts Options) error {
	within, stop := ctx, context.CancelFunc(func() {})
	if opts.Time > 0 {
		most := opts.Time / exactShare
		if len(sys.Players) != 2 { // there are no estimates
			most = opts.Time - most
		}
		within, stop = context.WithTimeout(ctx, most)
	}
	defer stop()
	found, err := value.Find(within, sys, st, opts.Payoff, value.Options{Bounds: opts.Bounds, Tables: opts.Tables, Moves: true})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		c.Reason, found = err.Error(), nil
	case found.Known():
		c.How = Exact
	case within.Err() != nil:
		c.Reason = fmt.Sprintf("not found within %v", opts.Time)
	default:
		c.Reason = found.Reason
	}
	c.Found = found
	c.Moves = moves(steps, found, st.Mover)
	return nil
}

// moves puts legal moves and values together.
func moves(steps []interp.Step, found *value.Found, mover int) []Move {
	list := make([]Move, len(steps))
	for i, s := range steps {
		list[i] = Move{Step: s, Value: value.MoveValue{Action: s.Action, To: s.To, Lo: value.NoLower, Hi: value.NoUpper}}
		if found == nil {
			continue
		}
		for _, v := range found.Moves {
			if v.Action == s.Action {
				list[i].Value = v
			}
		}
	}
	stand(list, mover)
	return list
}

// stand finds the standings of moves from their values.
func stand(list []Move, mover int) {
	values := lists.Map(list, func(m Move) value.MoveValue { return m.Value })
	for i, s := range Standings(values, mover) {
		list[i].Standing = s
	}
}

// best returns a move that is surely best, or -1. The first of the line is taken if there is one:
// a line comes to its end, where other best moves may only keep what can be had.
func (c *Choice) best() int {
	first := -1
	for i, m := range c.Moves {
		if m.Standing != Best {
			continue
		}
		if first < 0 {
			first = i
		}
		if c.How == Exact && c.Found.Line != nil && len(c.Found.Line.Actions) > 0 && c.Found.Line.Actions[0] == m.Action {
			return i
		}
	}
	if first >= 0 && c.How != Exact {
		c.How = Bounded
	}
	return first
}

// guess plays random games after each move that may be best, fewer if the time is short.
func (c *Choice) guess(ctx context.Context, sys *rules.System, mover int, opts Options) error {
	c.How = Guessed
	opts.Time /= time.Duration(len(c.Moves))
	var best *Move
	for i := range c.Moves {
		m := &c.Moves[i]
		if m.Standing == Worse {
			continue
		}
		if err := m.simulate(ctx, sys, opts); err != nil {
			return err
		}
		if best == nil || m.compare(best, mover) > 0 {
			best = m
		}
	}
	c.Step = best.Step
	return nil
}

// maxMoves is how long a random game may become that helps to choose a move.
const maxMoves = 500

// simulate finds out what random games after a move are worth.
func (m *Move) simulate(ctx context.Context, sys *rules.System, opts Options) error {
	within, stop := ctx, context.CancelFunc(func() {})
	if opts.Time > 0 {
		within, stop = context.WithTimeout(ctx, opts.Time)
	}
	defer stop()
	res, err := simulate.Run(within, sys, m.To, simulate.Options{Games: opts.Games, MaxMoves: maxMoves, Seed: opts.Seed, Bounds: limit.Bounds{Threads: opts.Threads}})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(*rules.LimitError)), limit.Ended(err): // a move of a game was too long
		return nil
	case err != nil:
		return err
	}
	sum := int64(0)
	if opts.Payoff.Kind == value.Margin {
		for v, n := range res.Margins {
			sum += int64(v) * n
			m.Games += n
		}
	} else {
		lost := res.Lost
		if len(res.Wins) > value.Second {
			lost = res.Wins[value.Second]
		}
		sum = res.Wins[value.First] - lost
		m.Games = res.Wins[value.First] + lost + res.Drawn
	}
	m.Average = float64(sum) / float64(max(m.Games, 1))
	return nil
}

// compare says which move did better for the player to move.
func (m *Move) compare(other *Move, mover int) int {
	if mover == value.Second {
		m, other = other, m
	}
	return cmp.Compare(m.Average, other.Average)
}

// Memory keeps what choices have found out, for the next ones of the same game. The zero value
// knows nothing. Several goroutines may use it, one after another. It is closed at the end.
type Memory struct {
	mu      sync.Mutex
	analyst *value.Analyst
	game    string
	seeds   int
	payoff  value.Payoff
}

// Close gives memory back.
func (m *Memory) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.close()
}

func (m *Memory) close() {
	if m.analyst != nil {
		m.analyst.Close()
		m.analyst = nil
	}
}

// Analyst returns the analyst of a game. It is the one that it returned before, if that is for the
// same game with as many seeds, and otherwise a new one, which has learnt nothing. One goroutine
// may use it at a time.
func (m *Memory) Analyst(ctx context.Context, sys *rules.System, st rules.State, p value.Payoff, seed uint64, opts value.Options) (*value.Analyst, error) {
	game := sys.PlayHash()
	if m.game != game || m.seeds < st.Total() || m.payoff != p {
		m.close()
	}
	if m.analyst == nil {
		a, err := value.NewAnalyst(ctx, sys, st, p, seed, opts)
		if err != nil {
			return nil, err
		}
		m.analyst, m.game, m.seeds, m.payoff = a, game, st.Total(), p
	}
	return m.analyst, nil
}

// analyse analyses a state. The analyst may learn in half of the time.
func (m *Memory) analyse(ctx context.Context, sys *rules.System, st rules.State, opts Options, s value.Study) (*value.Analysis, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	began := time.Now()
	learning, stop := context.WithTimeout(ctx, s.Time/2)
	defer stop()
	a, err := m.Analyst(ctx, sys, st, opts.Payoff, opts.Seed, value.Options{Bounds: opts.Bounds, Tables: opts.Tables})
	if err != nil {
		return nil, err
	}
	if err := a.Learn(learning); err != nil {
		return nil, err
	}
	s.Time = max(s.Time-time.Since(began), s.Time/4)
	return a.Analyse(ctx, st, s)
}

// Searcher chooses moves by looking ahead, as estimates and bounds tell. It serves one game after
// another, and one goroutine.
type Searcher struct {
	analyst *value.Analyst
	study   value.Study
}

// NewSearcher makes a Searcher for games with at most as many seeds as a start has. It learns to
// estimate first. Each move takes as much work as study says; with a limit on nodes alone, what it
// chooses depends on nothing else.
func NewSearcher(ctx context.Context, sys *rules.System, start rules.State, p value.Payoff, study value.Study, opts value.Options) (*Searcher, error) {
	a, err := value.NewAnalyst(ctx, sys, start, p, 0, opts)
	if err != nil {
		return nil, err
	}
	if err := a.Learn(ctx); err != nil {
		a.Close()
		return nil, err
	}
	return &Searcher{a, study}, nil
}

// Begin forgets what was found in the game before.
func (s *Searcher) Begin() { s.analyst.Forget() }

// Choose returns the action that is best by what it finds.
func (s *Searcher) Choose(ctx context.Context, st rules.State) (action int, err error) {
	found, err := s.analyst.Analyse(ctx, st, s.study)
	if err != nil {
		return 0, fmt.Errorf("looking ahead: %w", err)
	}
	return found.Line[0], ctx.Err()
}

// Close gives memory back.
func (s *Searcher) Close() { s.analyst.Close() }

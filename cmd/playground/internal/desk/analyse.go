package desk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
)

// How much is known of what a position or a move is worth.
const (
	exact    = "exact"    // the value is proved
	bounded  = "bounded"  // bounds are proved
	tabled   = "table"    // an endgame table has the value
	estimate = "estimate" // what was learnt, or what random games come to
)

// Analysis is what is known of the moves of a position.
type Analysis struct {
	Kind   string    `json:"kind"`
	Value  string    `json:"value"` // in words
	Score  *float64  `json:"score"` // for the first player; null: unknown
	Depth  int       `json:"depth"` // moves looked ahead; 0: it does not apply
	Nodes  int64     `json:"nodes"`
	Line   []string  `json:"line"` // how play may go on
	Moves  []Outlook `json:"moves"`
	Reason string    `json:"reason,omitempty"` // why nothing better is known, or what the table is
	Done   bool      `json:"done"`             // more time would tell nothing new
}

// Outlook is what is known of a move.
type Outlook struct {
	Move  string   `json:"move"`
	Kind  string   `json:"kind"`
	Value string   `json:"value"`
	Score *float64 `json:"score"`
	Best  bool     `json:"best,omitempty"` // nothing is better, as far as is known
}

// Work between two looks at what was found.
const (
	firstNodes  = 4_000
	learnFirst  = 300 * time.Millisecond
	tableMemory = 64 << 20 // bytes
	guessStates = 200_000
	guessGames  = 200
)

var tableBounds = limit.Bounds{MaxMemory: tableMemory, Threads: 1}

// analyse says what the moves at the end of a play are worth, better and better until the time is
// over, and tells what it has so far.
func (d *Desk) analyse(ctx context.Context, s Source, g Game, most time.Duration, tell Tell) (*Analysis, error) {
	p, err := d.whole(ctx, s, g)
	if err != nil {
		return nil, err
	}
	if !p.last().Live() {
		return nil, errors.New("the game is over")
	}
	within := limit.WithClock(ctx, most)
	if len(p.sys.Players) == 2 {
		if a := d.lookUp(within, p, most*3/4); a != nil {
			return a, nil
		}
		a, err := d.memory.Analyst(within, p.sys, p.last(), worth.Usual(p.sys), 1, value.Options{Bounds: tableBounds})
		if err == nil && a.Learn(limit.WithClock(within, learnFirst)) == nil {
			return p.deepen(within, a, tell)
		}
	}
	return p.guess(within)
}

// endgames has the endgame table of a game in which play can come back to a position: there a
// search proves little.
type endgames struct {
	game  string
	sinks []value.Sink
	table *endgame.Table
	most  int // seeds in play for which there may be one
}

// lookUp has a table say what the moves are worth. It returns nil if it does not know each of them.
func (d *Desk) lookUp(ctx context.Context, p *play, most time.Duration) *Analysis {
	payoff, e := value.Payoff{Kind: value.KindOf(p.sys), Endless: worth.Endless(p.sys, value.AsScored)}, &d.endgames
	if hash := p.sys.PlayHash(); e.game != hash {
		*e = endgames{game: hash, most: -1}
		if all, err := value.NewPositions(ctx, p.sys, 1, payoff); err == nil && !all.Descends() {
			e.sinks, e.most = all.Sinks(), math.MaxInt
		}
	}
	seeds := p.last().Total()
	for _, s := range e.sinks {
		seeds -= p.last().Seeds[s.Pit]
	}
	if seeds > e.most {
		return nil
	}
	if e.table == nil || e.table.Seeds() < seeds {
		t, err := endgame.Build(limit.WithClock(ctx, most), p.sys, seeds, payoff, endgame.Options{Bounds: tableBounds})
		if err != nil {
			e.most = seeds - 1
			return nil
		}
		e.table = t
	}
	found, err := value.Find(ctx, p.sys, p.last(), payoff, value.Options{Bounds: tableBounds, Tables: e.table, Moves: true})
	if err != nil || !found.Known() || slices.ContainsFunc(found.Moves, func(m value.MoveValue) bool { return m.Lo < m.Hi }) {
		return nil
	}
	out := &Analysis{Kind: tabled, Line: p.line(found.Line.Actions), Done: true}
	out.Value, out.Score = p.worth(found.Lo)
	for _, m := range found.Moves {
		text, score := p.worth(m.Lo)
		out.Moves = append(out.Moves, Outlook{p.in.Notation(m.Action, p.last()), tabled, text, score, m.Action == found.Line.Actions[0]})
	}
	out.Reason = fmt.Sprintf("table of all positions with at most %d seeds in play (%s)", e.table.Seeds(), numeral.Count(int64(e.table.Positions()), "position"))
	if payoff != worth.Usual(p.sys) {
		out.Reason += "; play that never ends counts as the score stands, which the rules do not say"
	}
	return out
}

// deepen searches in parts, each with more work than the last one.
func (p *play) deepen(ctx context.Context, a *value.Analyst, tell Tell) (*Analysis, error) {
	for nodes := int64(firstNodes); ; nodes *= 2 {
		found, err := a.Analyse(ctx, p.last(), value.Study{Nodes: nodes, Moves: true})
		if err != nil {
			return nil, err
		}
		out := p.analysis(found)
		open := slices.ContainsFunc(out.Moves, func(m Outlook) bool { return m.Kind != exact })
		out.Done = !open || found.Nodes < nodes && ctx.Err() == nil
		if out.Done || ctx.Err() != nil {
			return out, nil
		}
		tell(out)
		time.Sleep(time.Millisecond) // the page may have something to say
	}
}

func (p *play) analysis(found *value.Analysis) *Analysis {
	sc := scale(p.sys)
	out := &Analysis{Depth: found.Depth, Nodes: found.Nodes, Line: p.line(found.Line), Moves: []Outlook{}}
	out.Kind, out.Value = describe(sc, found.Lo, found.Hi, &found.Score)
	out.Score = &found.Score
	for _, m := range found.Moves {
		one := Outlook{Move: p.in.Notation(m.Action, p.last()), Score: &m.Score, Best: m.Action == found.Line[0]}
		if one.Kind, one.Value = describe(sc, m.Lo, m.Hi, &m.Score); one.Kind == estimate {
			one.Value = sc.About(m.Score) // the bounds of the position say enough
		}
		out.Moves = append(out.Moves, one)
	}
	return out
}

// worth writes a value.
func (p *play) worth(v int) (text string, score *float64) {
	f := float64(v)
	return scale(p.sys).Exact(v), &f
}

// describe says what is known of a value, and how well. An estimate is never written as a value is.
func describe(sc worth.Scale, lo, hi int, score *float64) (kind, text string) {
	known := lo > value.NoLower || hi < value.NoUpper
	switch {
	case lo == hi:
		return exact, sc.Exact(lo)
	case score == nil && known:
		return bounded, sc.Bounds(lo, hi)
	case score == nil:
		return estimate, "unknown"
	}
	if text = sc.About(*score); known {
		text += ", " + sc.Bounds(lo, hi)
	}
	return estimate, text
}

// line writes actions as moves, as far as they can be played.
func (p *play) line(actions []int) []string {
	moves, _, _ := fault.Follow(p.in, forward.Trace{Start: p.last(), Actions: actions})
	return append([]string{}, moves...)
}

// guess looks for values with little memory, and goes by random games where there are none.
func (p *play) guess(ctx context.Context) (*Analysis, error) {
	opts := choose.Options{
		Bounds: limit.Bounds{MaxStates: guessStates, MaxMemory: tableMemory, Threads: 1}, Payoff: worth.Usual(p.sys), Games: guessGames, Seed: 1,
	}
	c, err := choose.Choose(ctx, p.sys, p.last(), opts)
	if err != nil {
		return nil, err
	}
	out := &Analysis{Kind: estimate, Value: "unknown", Line: []string{p.in.Notation(c.Step.Action, p.last())}, Moves: []Outlook{}, Reason: c.Reason, Done: true}
	if c.Found != nil {
		out.Nodes = c.Found.Nodes
		out.Kind, out.Value = describe(scale(p.sys), c.Found.Lo, c.Found.Hi, nil)
		if c.Found.Known() {
			_, out.Score = p.worth(c.Found.Lo)
			if c.Found.Line != nil {
				out.Line = p.line(c.Found.Line.Actions)
			}
		}
	}
	for i := range c.Moves {
		out.Moves = append(out.Moves, p.outlook(c, &c.Moves[i]))
	}
	return out, nil
}

// outlook is what a choice knows of a move.
func (p *play) outlook(c *choose.Choice, m *choose.Move) Outlook {
	one := Outlook{Move: p.in.Notation(m.Action, p.last()), Best: m.Standing == choose.Best || c.How >= choose.Estimated && m.Action == c.Step.Action}
	one.Kind, one.Value = describe(scale(p.sys), m.Value.Lo, m.Value.Hi, nil)
	switch {
	case c.How == choose.Only:
		one.Value = "the only move"
	case one.Kind == exact:
		_, one.Score = p.worth(m.Value.Lo)
	case m.Games > 0:
		one.Score = &m.Average
		text := fmt.Sprintf("%s come to %s on average", numeral.Count(m.Games, "random game"), worth.Signed(m.Average, 1))
		if one.Kind == bounded {
			text = one.Value + ", " + text
		}
		one.Kind, one.Value = estimate, text
	}
	return one
}

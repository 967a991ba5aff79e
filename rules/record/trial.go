package record

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// trialHead is how a trial begins.
const trialHead = "game="

// Bounds of a trial: its boards are kept, and a short line can make a large one.
const (
	maxSites = 1 << 8
	maxMoves = 1 << 16
)

// trial is a trial of the Ludii general game system, as far as it has been read. Its boards are
// what the actions of its moves make of the empty board.
type trial struct {
	game     Game
	boards   [][]int // by move, after it
	sites    []int   // the seeds now, by site; the hands are sites, too
	legal    []int   // numbers of legal moves, of the first moves that are no placements
	listed   int     // legal moves in the list that is being read, or unknown
	options  bool    // whether options are being read
	placings int     // moves that place the seeds before the game
	result   bool    // whether the trial has a result
	cut      bool    // whether the result is that the game was cut off
}

// readTrial reads the text that Ludii writes for a trial: lines such as
//
//	game=/lud/board/sow/two_rows/Wari.lud
//	START GAME OPTIONS
//	END GAME OPTIONS
//	RNG internal state=97,24,59,-90,-113,80,37,-74
//	Move=[Move:mover=0,from=1,to=1,actions=[SetCount:type=Vertex,to=1,what=1,count=4]]
//	Move=[Move:mover=1,from=6,to=6,actions=[Select:typeFrom=Vertex,from=6,decision=true],[Move:…]]
//	LEGAL MOVES LIST SIZE = 6
//	numInitialPlacementMoves=12
//	winner=1
//	endtype=NaturalEnd
//	rankings=0.0,1.0,2.0
//
// Other lines are of no use here.
func readTrial(r io.Reader) (Game, error) {
	t := &trial{game: Game{trial: true}, listed: unknown, placings: unknown}
	if err := eachLine(r, func(text string) error { return t.line(strings.TrimSpace(text)) }); err != nil {
		return Game{}, err
	}
	return t.finish()
}

// line reads one line.
func (t *trial) line(text string) (err error) {
	key, value, _ := strings.Cut(text, "=")
	switch {
	case text == "START GAME OPTIONS", text == "END GAME OPTIONS":
		t.options = strings.HasPrefix(text, "START")
	case t.options:
		t.game.Options = append(t.game.Options, text)
	case text == "NEW LEGAL MOVES LIST":
		t.listed = 0
	case text == "END LEGAL MOVES LIST":
		t.legal, t.listed = append(t.legal, t.listed), unknown
	case t.listed != unknown:
		t.listed++
	case key == "game":
		t.game.Name = value
	case key == "Move":
		return t.move(value)
	case strings.HasPrefix(key, "LEGAL MOVES LIST SIZE"):
		n, err := number(strings.TrimSpace(value))
		t.legal = append(t.legal, n)
		return err
	case key == "numInitialPlacementMoves":
		t.placings, err = number(value)
		return err
	case key == "winner":
		t.result = true
	case key == "endtype":
		t.cut = value != "NaturalEnd"
	case key == "rankings":
		return t.game.rank(value)
	}
	return nil
}

// number reads a number that is not negative.
func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("`%s` is no number", text)
	}
	return n, nil
}

// move reads a move, and carries out its actions.
func (t *trial) move(text string) error {
	inner, ok := strings.CutPrefix(text, "[Move:")
	head, actions, found := strings.Cut(inner, "actions=[")
	if !ok || !found {
		return fmt.Errorf("a move begins with [Move: and has actions=[")
	}
	fields := fieldsOf(head)
	p := Ply{Legal: unknown, Next: unknown, From: unknown, To: unknown}
	for _, f := range []struct {
		name string
		to   *int
	}{{"mover", &p.Mover}, {"from", &p.From}, {"to", &p.To}} {
		if value, ok := fields[f.name]; ok {
			n, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("%s: `%s` is no number", f.name, value)
			}
			*f.to = n
		}
	}
	for _, a := range strings.Split(strings.TrimRight(actions, "]"), "],[") {
		kind, rest, _ := strings.Cut(a, ":")
		if err := t.action(strings.TrimPrefix(kind, "["), fieldsOf(rest)); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	if len(t.boards) == maxMoves {
		return fmt.Errorf("more than %d moves", maxMoves)
	}
	t.game.Plies = append(t.game.Plies, p)
	t.boards = append(t.boards, slices.Clone(t.sites))
	return nil
}

// fieldsOf reads a list such as `from=6,to=12`.
func fieldsOf(text string) map[string]string {
	fields := map[string]string{}
	for _, f := range strings.Split(text, ",") {
		if name, value, ok := strings.Cut(f, "="); ok {
			fields[name] = value
		}
	}
	return fields
}

// quiet are the actions that move no seeds.
var quiet = []string{"Select", "Pass", "Remember", "Forget", "Note", "Set", "NextInstance", "Propose", "Vote", "Bet"}

// action carries out an action.
func (t *trial) action(kind string, fields map[string]string) error {
	moves := []string{"Move", "Add", "Remove", "SetCount"}
	if !slices.Contains(moves, kind) {
		if !slices.ContainsFunc(quiet, func(q string) bool { return strings.HasPrefix(kind, q) }) {
			return errors.New("this action is unknown")
		}
		return nil
	}
	count := 1
	if text, ok := fields["count"]; ok {
		var err error
		if count, err = number(text); err != nil {
			return err
		}
	}
	to, err := t.site(fields["to"])
	if err != nil {
		return err
	}
	switch kind {
	case "Move":
		from, err := t.site(fields["from"])
		if err != nil {
			return err
		}
		if t.sites[from] < count {
			return fmt.Errorf("%d seeds cannot leave a site with %d", count, t.sites[from])
		}
		t.sites[from] -= count
		t.sites[to] += count
	case "Add":
		t.sites[to] += count
	case "Remove": // all that is there, or one of a stack
		if _, ok := fields["level"]; ok {
			t.sites[to] = max(0, t.sites[to]-1)
		} else {
			t.sites[to] = 0
		}
	case "SetCount":
		t.sites[to] = count
	}
	return nil
}

// site reads the number of a site.
func (t *trial) site(text string) (int, error) {
	i, err := number(text)
	if err != nil {
		return 0, fmt.Errorf("the site: %w", err)
	}
	if i >= maxSites {
		return 0, fmt.Errorf("the site %d: there are at most %d", i, maxSites)
	}
	for len(t.sites) <= i {
		t.sites = append(t.sites, 0)
	}
	return i, nil
}

// finish makes a game of what has been read.
func (t *trial) finish() (Game, error) {
	g := t.game
	if t.placings == unknown {
		for t.placings = 0; t.placings < len(g.Plies) && g.Plies[t.placings].Mover == 0; {
			t.placings++
		}
	}
	if t.placings > len(g.Plies) {
		return Game{}, &ParseError{Line: 1, Text: fmt.Sprintf("%d placements, of %d moves", t.placings, len(g.Plies))}
	}
	before := []int{}
	if t.placings > 0 {
		before = t.boards[t.placings-1]
	}
	all := func(counts []int) []int {
		return append(slices.Clone(counts), make([]int, len(t.sites)-len(counts))...)
	}
	g.Start = Ply{Counts: all(before), Next: unknown}
	g.Plies = g.Plies[t.placings:]
	for i := range g.Plies {
		p := &g.Plies[i]
		p.Number, p.Counts = i+1, all(t.boards[t.placings+i])
		if i < len(t.legal) {
			p.Legal = t.legal[i]
		}
		if i == 0 {
			g.Start.Next = p.Mover
		} else {
			g.Plies[i-1].Next = p.Mover
		}
	}
	g.Over = t.result && !t.cut
	return g, nil
}

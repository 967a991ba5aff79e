// Package record replays games that were recorded elsewhere. For each ply, a record has who moved,
// how many legal moves there were, and the board afterwards. The rules of a System must agree with
// all of it.
//
//	record.go   games, and tables of them
//	trial.go    trials of the Ludii general game system
//	moves.go    games written as their moves, and playthroughs of OpenSpiel; reading any record
//	mapping.go  the pits that the sites of a record stand for
//	names.go    what moves and boards are called in records of moves
//	replay.go   a record replayed with a System
package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/plain"
)

// Game is one recorded game.
type Game struct {
	Name    string
	Trial   int
	Options []string  // what was chosen of the options of the game
	Start   Ply       // the board before the first move, with Number 0
	Plies   []Ply     // in order
	Over    bool      // the game was over after the last ply, and not cut off there
	Ranks   []float64 // by player from 1; index 0 is nobody
	trial   bool      // the counts of hands are those of the last sites

	Moves  bool // the plies have moves by name; Ranks without Over may be of a game that was given up
	Placed bool // the game begins at the position of Start, which need not be one of the setup
}

// Ply is one recorded move with the position that it leads to. Players and plies are numbered from
// 1.
type Ply struct {
	Number   int
	Mover    int
	Legal    int   // the number of legal moves before the move, or unknown
	From, To int   // sites; negative for a pass
	Counts   []int // by site
	Hands    []int // by player
	Next     int   // the player to move afterwards, or unknown

	Move     string // its name, in a record of moves
	Position string // the board as text, in a record of moves; may be empty

	named named     // the move, as the map of a record of moves understands it
	seen  *position // the board, likewise; nil: there is none
}

// unknown is what a record does not have.
const unknown = -1

// ParseError is the error for a line that does not belong in a record.
type ParseError struct {
	Line int
	Text string
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// maxLine bounds the length of a line of a record, in bytes.
const maxLine = 1 << 16

// eachLine calls f with each line. An error of f becomes a *ParseError.
func eachLine(r io.Reader, f func(text string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if _, what := plain.Fault("\n" + lines.Text()); what != "" {
			return &ParseError{Line: n, Text: "this is not plain text: " + what}
		}
		if err := f(lines.Text()); err != nil {
			return &ParseError{Line: n, Text: err.Error()}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return &ParseError{Line: n, Text: fmt.Sprintf("the line has more than %d bytes", maxLine)}
	}
	return lines.Err()
}

// readTable reads a table of games. Each line has fields separated by tabs: game, trial, ply,
// mover, number of legal moves, from, to, counts and next mover. The counts are those of the sites,
// separated by commas, followed by those of each hand after a `|`. Ply 0 is the board at the start.
// The last line of a game has the fields game, trial, the word END, whether it was over, and the
// ranks of the players in brackets, beginning with player 0, who is nobody. Lines that begin with #
// are ignored.
func readTable(r io.Reader) ([]Game, error) {
	var games []Game
	open := false
	err := eachLine(r, func(text string) error {
		if text == "" || strings.HasPrefix(text, "#") {
			return nil
		}
		return line(&games, &open, strings.Split(text, "\t"))
	})
	if err != nil {
		return nil, err
	}
	return games, nil
}

// line adds one line to games. open says whether the last game has not ended yet.
func line(games *[]Game, open *bool, fields []string) error {
	if len(fields) != 5 && len(fields) != 9 {
		return fmt.Errorf("%d fields, where a ply has 9 and the end of a game 5", len(fields))
	}
	trial, err := strconv.Atoi(fields[1])
	if err != nil {
		return fmt.Errorf("the trial `%s` is no number", fields[1])
	}
	if len(fields) == 9 && fields[2] == "0" {
		if *open {
			return fmt.Errorf("a game begins, and the one before has no line with END")
		}
		*open = true
		p, err := readPly(fields)
		*games = append(*games, Game{Name: fields[0], Trial: trial, Start: p})
		return err
	}
	if !*open {
		return fmt.Errorf("this line belongs to no game: ply 0 comes first")
	}
	g := &(*games)[len(*games)-1]
	switch {
	case g.Name != fields[0] || g.Trial != trial:
		return fmt.Errorf("a line of `%s`, trial %d, in the game `%s`, trial %d", fields[0], trial, g.Name, g.Trial)
	case len(fields) == 5:
		*open = false
		return g.end(fields)
	}
	p, err := readPly(fields)
	if err == nil && p.Number != len(g.Plies)+1 {
		err = fmt.Errorf("ply %d follows ply %d", p.Number, len(g.Plies))
	}
	g.Plies = append(g.Plies, p)
	return err
}

// end reads the last line of a game.
func (g *Game) end(fields []string) (err error) {
	if fields[2] != "END" {
		return fmt.Errorf("`%s` stands where END should", fields[2])
	}
	if g.Over, err = strconv.ParseBool(fields[3]); err != nil {
		return fmt.Errorf("`%s` is neither true nor false", fields[3])
	}
	if fields[4] == "-" {
		return nil
	}
	return g.rank(strings.Trim(fields[4], "[]"))
}

// rank reads the ranks of the players, beginning with nobody's.
func (g *Game) rank(list string) error {
	for _, text := range strings.Split(list, ",") {
		rank, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return fmt.Errorf("the rank `%s` is no number", strings.TrimSpace(text))
		}
		g.Ranks = append(g.Ranks, rank)
	}
	return nil
}

// readPly reads the line of a ply. At ply 0 some fields may be missing, written as `-`, and the
// number of legal moves anywhere.
func readPly(fields []string) (Ply, error) {
	var p Ply
	for _, f := range []struct {
		to   *int
		name string
		text string
	}{
		{&p.Number, "ply", fields[2]},
		{&p.Mover, "mover", fields[3]},
		{&p.Legal, "number of legal moves", fields[4]},
		{&p.From, "from", fields[5]},
		{&p.To, "to", fields[6]},
		{&p.Next, "next mover", fields[8]},
	} {
		n, err := strconv.Atoi(f.text)
		if err != nil && (f.text != "-" || fields[2] != "0" && f.to != &p.Legal) {
			return p, fmt.Errorf("%s: `%s` is no number", f.name, f.text)
		}
		*f.to = n
	}
	if fields[4] == "-" {
		p.Legal = unknown
	}
	for i, part := range strings.Split(fields[7], "|") {
		counts, err := readCounts(part)
		if err != nil {
			return p, err
		}
		if i == 0 {
			p.Counts = counts
		} else {
			p.Hands = append(p.Hands, counts...)
		}
	}
	return p, nil
}

func readCounts(text string) ([]int, error) {
	var counts []int
	for _, item := range strings.Split(text, ",") {
		n, err := strconv.Atoi(item)
		if err != nil {
			return nil, fmt.Errorf("the count `%s` is no number", item)
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// Winner returns the player with the best rank, numbered from 1, or 0 if several share it. It is
// meaningful only if the game is over.
func (g *Game) Winner() int {
	best, winner := 0.0, 0
	for player := 1; player < len(g.Ranks); player++ {
		switch rank := g.Ranks[player]; {
		case best == 0 || rank < best:
			best, winner = rank, player
		case rank == best:
			winner = 0
		}
	}
	return winner
}

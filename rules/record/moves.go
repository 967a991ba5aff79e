package record

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
)

// reader reads games that are written as their moves.
type reader struct {
	games   []Game
	g       *Game // being read; nil between games
	tagged  bool  // the file has tags: a game goes on from line to line
	comment bool  // inside braces
	depth   int   // of the variations that are open
}

// game returns the game that is being read, or a new one.
func (r *reader) game() *Game {
	r.g = cmp.Or(r.g, &Game{Trial: len(r.games), Moves: true, Start: Ply{Next: unknown}})
	return r.g
}

// close ends the game that is being read.
func (r *reader) close() {
	if r.g != nil {
		r.games = append(r.games, *r.g)
	}
	r.g = nil
}

// move adds a move to the game.
func (r *reader) move(text string) {
	g := r.game()
	g.Plies = append(g.Plies, Ply{Number: len(g.Plies) + 1, Move: text, Mover: unknown, Legal: unknown, From: unknown, To: unknown, Next: unknown})
}

// readMoves reads games as Portable Game Notation has them: tags such as [Game "oware"] or
// [Result "1-0"], and moves, separated by white space or commas. Numbers of moves such as `12.`,
// comments in braces, after a semicolon or a `#`, variations in parentheses and the marks `!`, `?`
// and `$3` are left out. In a file without tags each line is a game.
func readMoves(in io.Reader) ([]Game, error) {
	r := &reader{}
	if err := eachLine(in, r.line); err != nil {
		return nil, err
	}
	r.close()
	return r.games, nil
}

var (
	tagLine    = regexp.MustCompile(`^\[(\w+)\s+"(.*)"\]$`)
	moveNumber = regexp.MustCompile(`^\d+\.+`)
	scoreText  = regexp.MustCompile(`^(\d+)\s*[-:]\s*(\d+)$`)
)

// line reads one line.
func (r *reader) line(text string) error {
	text = strings.TrimSpace(text)
	if tag := tagLine.FindStringSubmatch(text); tag != nil && !r.comment {
		if r.g != nil && len(r.g.Plies) > 0 {
			r.close()
		}
		r.tagged = true
		r.tag(strings.ToLower(tag[1]), strings.ReplaceAll(tag[2], `\"`, `"`))
		return nil
	}
	if r.comment {
		_, rest, closed := strings.Cut(text, "}")
		if !closed {
			return nil
		}
		r.comment, text = false, rest
	}
	for {
		before, rest, opened := strings.Cut(text, "{")
		outside, _, cut := strings.Cut(before, ";")
		if at := strings.IndexByte(outside, '#'); at == 0 || at > 0 && outside[at-1] == ' ' {
			outside, cut = outside[:at], true
		}
		if r.words(outside); cut || !opened {
			break
		}
		_, after, closed := strings.Cut(rest, "}")
		if !closed {
			r.comment = true
			break
		}
		text = after
	}
	if !r.tagged && !r.comment {
		r.close()
	}
	return nil
}

// tag reads a tag.
func (r *reader) tag(name, value string) {
	g := r.game()
	switch name {
	case "game", "variant", "gametype":
		g.Name = value
	case "fen", "position":
		g.Start.Position, g.Placed = value, true
	case "result":
		g.score(value)
	}
}

// score reads who has won, as 1-0 or as the numbers of seeds.
func (g *Game) score(text string) {
	if text == "1/2-1/2" || text == "½-½" {
		g.Ranks = []float64{0, 1, 1}
		return
	}
	m := scoreText.FindStringSubmatch(text)
	if m == nil {
		return
	}
	first, err := strconv.Atoi(m[1])
	second, err2 := strconv.Atoi(m[2])
	if err != nil || err2 != nil {
		return
	}
	g.Ranks = []float64{0, 1, 1}
	switch {
	case first > second:
		g.Ranks[2] = 2
	case first < second:
		g.Ranks[1] = 2
	}
}

// words reads moves and what stands between them.
func (r *reader) words(text string) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' || c == ',' }) {
		w = moveNumber.ReplaceAllString(w, "")
		switch {
		case strings.HasPrefix(w, "(") || r.depth > 0:
			r.depth += strings.Count(w, "(") - strings.Count(w, ")")
		case w == "" || strings.HasPrefix(w, "$"):
		case slices.Contains([]string{"1-0", "0-1", "1/2-1/2", "½-½", "*"}, w):
			r.game().score(w)
			r.close()
		default:
			r.move(strings.TrimRight(w, "!?"))
		}
	}
}

// playthroughHead is how a playthrough begins.
const playthroughHead = "game: "

// readPlaythrough reads the text that OpenSpiel writes for a game. Of its lines these are read:
//
//	game: oware
//	ObservationString(0) = "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4"
//	LegalActions() = [0, 1, 2, 3, 4, 5]
//	# Apply action "C"
//	IsTerminal() = True
//	Returns() = [1, -1]
//
// The board may be missing after some moves.
func readPlaythrough(in io.Reader) (Game, error) {
	r := &reader{}
	g := r.game()
	legal := unknown
	err := eachLine(in, func(text string) (err error) {
		last := &g.Start
		if n := len(g.Plies); n > 0 {
			last = &g.Plies[n-1]
		}
		key, value, _ := strings.Cut(text, " = ")
		switch {
		case strings.HasPrefix(text, playthroughHead):
			g.Name = strings.TrimPrefix(text, playthroughHead)
		case strings.HasPrefix(text, "# Apply joint action"):
			return fmt.Errorf("players move at the same time")
		case strings.HasPrefix(text, "# Apply action "):
			move, err := strconv.Unquote(strings.TrimPrefix(text, "# Apply action "))
			r.move(move)
			g.Plies[len(g.Plies)-1].Legal = legal
			legal = unknown
			return err
		case key == "ObservationString(0)":
			last.Position, err = strconv.Unquote(value)
		case key == "LegalActions()":
			legal = strings.Count(value, ",") + 1
		case key == "IsTerminal()":
			g.Over = value == "True"
		case key == "Returns()" && g.Over:
			return g.returns(value)
		}
		return err
	})
	return *g, err
}

// returns reads what the players get at the end, and ranks them by it.
func (g *Game) returns(list string) error {
	g.Ranks = nil
	err := g.rank(strings.Trim(list, "[]"))
	got := g.Ranks
	g.Ranks = append([]float64{0}, lists.Map(got, func(x float64) float64 {
		return float64(1 + lists.Count(got, func(y float64) bool { return y > x }))
	})...)
	return err
}

// Read reads recorded games: a trial, if the file begins with "game=", or a playthrough, if it
// begins with "game: ". A file with a tab in its first line is a table, and any other has the moves
// of games. An error is a *ParseError, or comes from r.
func Read(r io.Reader) ([]Game, error) {
	text := bufio.NewReaderSize(r, maxLine)
	if mark, _ := text.Peek(len(plain.ByteOrder)); string(mark) == plain.ByteOrder {
		_, _ = text.Discard(len(mark)) // it was peeked at
	}
	head, _ := text.Peek(maxLine)
	var g Game
	var err error
	switch {
	case bytes.HasPrefix(head, []byte(trialHead)):
		g, err = readTrial(text)
	case bytes.HasPrefix(head, []byte(playthroughHead)):
		g, err = readPlaythrough(text)
	case tabbed.Match(head):
		return readTable(text)
	default:
		return readMoves(text)
	}
	if err != nil {
		return nil, err
	}
	return []Game{g}, nil
}

// tabbed matches text whose first line that is no remark has a tab.
var tabbed = regexp.MustCompile(`^(\r?\n|#.*\n)*[^\n]*\t`)

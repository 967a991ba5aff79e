package simulate

import "github.com/mancheck/mancheck/rules"

// Counts are the figures of games. Every game has ended by an outcome, or is stuck, or has not
// ended.
type Counts struct {
	Games    int64
	Outcomes []int64 // by outcome
	Stuck    int64   // the player to move has no move, and the rules do not end the game
	Unended  int64   // given up after Options.MaxMoves
	Moves    int64   // of all games
	Lengths  []int64 // by number of moves: games that ended after that many
	Choices  []int64 // by number of legal moves: positions

	// The games that ended by an outcome are won by a player, lost (a solitaire), drawn, or of no
	// known winner. Who wins is what the outcome says, or else who has the greatest score.
	Wins  []int64 // by player
	Lost  int64
	Drawn int64
	Open  int64
	// Margins are the games that ended by an outcome, by the score of the first of two players less
	// that of the second, or the score in a solitaire. It is empty if there is no score, or more
	// players.
	Margins map[int]int64
}

func newCounts(sys *rules.System) Counts {
	return Counts{Outcomes: make([]int64, len(sys.Outcomes)), Wins: make([]int64, len(sys.Players)), Margins: map[int]int64{}}
}

// add adds the figures of other games.
func (c *Counts) add(d *Counts) {
	c.Games += d.Games
	c.Stuck += d.Stuck
	c.Unended += d.Unended
	c.Moves += d.Moves
	c.Lost += d.Lost
	c.Drawn += d.Drawn
	c.Open += d.Open
	addAll(&c.Outcomes, d.Outcomes)
	addAll(&c.Lengths, d.Lengths)
	addAll(&c.Choices, d.Choices)
	addAll(&c.Wins, d.Wins)
	for m, n := range d.Margins {
		c.Margins[m] += n
	}
}

func addAll(to *[]int64, list []int64) {
	for i, n := range list {
		count(to, i, n)
	}
}

// count adds n at place i of a list that grows as needed.
func count(list *[]int64, i int, n int64) {
	if more := i + 1 - len(*list); more > 0 {
		*list = append(*list, make([]int64, more)...)
	}
	(*list)[i] += n
}

// ended counts a game that has ended after a number of moves.
func (c *Counts) ended(moves int) {
	count(&c.Lengths, moves, 1)
	c.Games++
}

// chose counts a move.
func (c *Counts) chose(among int) {
	c.Moves++
	count(&c.Choices, among, 1)
}

// scored counts who has won, and by how much.
func (c *Counts) scored(o *rules.Outcome, scores []int) {
	switch len(scores) {
	case 1:
		c.Margins[scores[0]]++
	case 2:
		c.Margins[scores[0]-scores[1]]++
	}
	switch {
	case o.Kind == rules.WinOutcome:
		c.Wins[o.Winner]++
	case o.Kind == rules.LoseOutcome:
		c.Lost++
	case o.Kind == rules.DrawOutcome:
		c.Drawn++
	case o.Kind == rules.EndlessOutcome || len(scores) < 2:
		c.Open++
	default:
		if first := rules.Leader(scores); first == rules.None {
			c.Drawn++
		} else {
			c.Wins[first]++
		}
	}
}

package play

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// name returns the name of a player, or alone in a game of one player, who has no name.
func (g *game) name(player int, alone string) string {
	return cmp.Or(g.sys.Players[player], alone)
}

// status says what a player needs to know of the state: who is to move, or how the game ended, and
// the score.
func (g *game) status() string {
	st := g.state()
	switch {
	case !st.Live():
		return "over: " + g.result()
	case g.over():
		return "stuck: there is no legal move, and the rules do not say how the game ends" + g.tally("   ")
	case len(g.sys.Players) > 1:
		return g.sys.Players[st.Mover] + " to move" + g.tally("   ")
	}
	return strings.TrimSpace(g.tally(""))
}

// tally returns the score as it stands, after a separator. It is empty without a score.
func (g *game) tally(before string) string {
	var list []string
	for i, n := range g.scores() {
		list = append(list, fmt.Sprintf("%s %d", g.name(i, "score"), n))
	}
	if len(list) == 0 {
		return ""
	}
	return before + strings.Join(list, ", ")
}

// scores returns the scores of all players, or nil if there is none, or one that has no value now.
func (g *game) scores() []int {
	list, _ := g.in.Scores(g.state())
	return list
}

// result says who has won a game that is over, by how much, and why it ended.
func (g *game) result() string {
	o := &g.sys.Outcomes[g.state().Outcome]
	text := g.verdict(o)
	if o.Kind == rules.EndlessOutcome {
		return text
	}
	if kind := [...]string{"win", "lose", "draw"}; int(o.Kind) >= len(kind) || o.Label != kind[o.Kind] {
		text += " (" + o.Label + ")"
	}
	return text
}

// verdict says who has won.
func (g *game) verdict(o *rules.Outcome) string {
	scores := g.scores()
	alone := len(g.sys.Players) == 1
	switch {
	case o.Kind == rules.EndlessOutcome:
		return "the last move never ends, and nobody wins"
	case o.Kind == rules.LoseOutcome:
		return "lost" + g.tally(", ")
	case o.Kind == rules.WinOutcome && alone:
		return "won" + g.tally(", ")
	case o.Kind == rules.WinOutcome:
		return g.winner(o.Winner, scores)
	case o.Kind == rules.DrawOutcome:
		return draw(scores)
	case alone || len(scores) < 2:
		return "ended" + g.tally(", ")
	}
	for player := range g.sys.Players {
		if won, err := g.in.Holds(g.sys.HasWon(player), g.state(), nil); err == nil && won {
			return g.winner(player, scores)
		}
	}
	return draw(scores)
}

// winner says that a player wins and by how much, where the score says so too.
func (g *game) winner(player int, scores []int) string {
	text := g.sys.Players[player] + " wins"
	if len(scores) != 2 {
		return text + g.tally(", ")
	}
	own, other := scores[player], scores[1-player]
	if own > other {
		text += fmt.Sprintf(" by %d", own-other)
	}
	return fmt.Sprintf("%s, %d to %d", text, own, other)
}

// draw says that nobody wins.
func draw(scores []int) string {
	switch {
	case len(scores) == 0:
		return "a draw"
	case slices.Max(scores) == slices.Min(scores):
		return fmt.Sprintf("a draw, %d all", scores[0])
	}
	return "a draw, " + strings.Join(lists.Map(scores, strconv.Itoa), " to ")
}

// Played is a game that was played, as far as it went.
type Played struct {
	Trace  *rules.Trace
	Status string // how it stands or ended
}

// played returns the game as it stands.
func (g *game) played() *Played { return &Played{g.trace(), g.status()} }

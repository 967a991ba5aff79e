package page

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/drawing"
)

// playerData is what the player knows: the boards of the page, and its plays.
type playerData struct {
	Boards []boardData `json:"boards"`
	Plays  []playData  `json:"plays"`
	Dots   [][][2]int  `json:"dots"` // by number of seeds
	Live   *liveData   `json:"live,omitempty"`
	told   int         // how many times seeds move in the plays
}

// boardData is a board on which traces can be played: those of the System with this hash, or else
// with the same pits.
type boardData struct {
	Hash string `json:"hash"`
	*drawing.Layout
}

// playData is a play.
type playData struct {
	Trace  json.RawMessage `json:"trace"`
	Differ []string        `json:"differ,omitempty"` // the pits in which its last board differs from the one beside
	Ending string          `json:"ending,omitempty"` // why it ends, if the board does not say so
	Source string          `json:"source,omitempty"` // id of the text of the rules
	Rules  [][2]int        `json:"rules,omitempty"`  // stretches of that text
	Last   []int           `json:"last,omitempty"`   // those that the last state is due to
	Moves  []toldData      `json:"moves,omitempty"`  // by move, of the first ones
}

// toldData is what a move does: the number of its rule, and the seeds that move, one after another:
// from which pit, into which, how many, and by which rule. Pits are numbers, by declaration, and
// none is the hand that sows.
type toldData struct {
	Rule  int   `json:"rule"`
	Moved []int `json:"moved"`
}

// maxTold is how many times seeds move in all plays of a page together, as far as it tells of them.
const maxTold = 40_000

// add gives a play its number. differ says by pit where its last board is marked.
func (h *page) add(p *explain.Play, differ []bool) int {
	sys, no := p.Trace.System, len(h.player.Plays)
	h.board(sys)
	t := *p.Trace
	data := playData{Ending: report.Ending(p.Trace)}
	rules := h.excerpt(sys.Name)
	if len(t.Steps) > played(p) {
		t.Steps, differ, data.Ending = t.Steps[:played(p)], nil, ""
	} else {
		for _, w := range p.Why {
			if n := rules.number(w.At); n >= 0 {
				data.Last = append(data.Last, n)
			}
		}
	}
	for _, m := range p.Told {
		if h.player.told += len(m.Moved); h.player.told > maxTold {
			break
		}
		told := toldData{rules.number(m.Rule), []int{}}
		for _, x := range m.Moved {
			told.Moved = append(told.Moved, x.From, x.Into, x.Seeds, rules.number(x.At))
		}
		data.Moves = append(data.Moves, told)
	}
	data.Trace, data.Source, data.Rules = board.TraceJSON(sys, &t), rules.id, rules.stretches
	data.Differ = lists.Map(lists.Set(differ), func(pit int) string { return sys.Pits[pit].Name })
	h.player.Plays = append(h.player.Plays, data)
	return no
}

func (h *page) board(sys *rules.System) {
	hash := sys.Hash()
	if !slices.ContainsFunc(h.player.Boards, func(b boardData) bool { return b.Hash == hash }) {
		h.player.Boards = append(h.player.Boards, boardData{hash, h.boards.layout(sys)})
	}
}

// playID is the id of the next play of the instance in hand.
func (h *page) playID() string {
	h.playCount[h.in]++
	return fmt.Sprintf("%s-play-%d", h.in, h.playCount[h.in])
}

// playedView is a play with its number among those of the page.
type playedView struct {
	plays
	ID  string
	No  int
	Has int // moves that the player has
}

func (h *page) play(p *explain.Play) playedView {
	return playedView{playView(p), h.playID(), h.add(p, nil), has(p)}
}

// pairedView is two plays with their numbers.
type pairedView struct {
	pairs
	ID  string
	No  [2]int
	Has int
}

func (h *page) pair(p *explain.Pair) pairedView {
	numbers := [2]int{h.add(p.Left, p.Differ[0]), h.add(p.Right, p.Differ[1])}
	return pairedView{pairView(p), h.playID(), numbers, min(has(p.Left), has(p.Right))}
}

// has is how many moves of a play the player has.
func has(p *explain.Play) int { return min(played(p), len(p.Trace.Steps)) }

package page

import (
	"encoding/json"

	"github.com/mancheck/mancheck/cmd/internal/drawing"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// playerData is what the player knows: the boards of the page, and its plays.
type playerData struct {
	Boards []boardData       `json:"boards"`
	Plays  []json.RawMessage `json:"plays"`
	Differ map[int][]string  `json:"differ"` // by play: the pits in which its last board differs from the one beside
	Ending []string          `json:"ending"` // by play: why it ends
	Dots   [][][2]int        `json:"dots"`   // by number of seeds
}

// boardData is a board on which traces can be played: those of the System with this hash, or else
// with the same pits.
type boardData struct {
	Hash string `json:"hash"`
	*drawing.Layout
}

// add gives a play its number. differ says by pit where its last board is marked.
func (h *page) add(p *explain.Play, differ []bool) int {
	sys, no := p.Trace.System, len(h.player.Plays)
	h.board(sys)
	t, ending := *p.Trace, report.Ending(p.Trace)
	if len(t.Steps) > played(p) {
		t.Steps, differ, ending = t.Steps[:played(p)], nil, ""
	}
	h.player.Plays = append(h.player.Plays, board.TraceJSON(sys, &t))
	h.player.Ending = append(h.player.Ending, ending)
	for pit, marked := range differ {
		if marked {
			h.player.Differ[no] = append(h.player.Differ[no], sys.Pits[pit].Name)
		}
	}
	return no
}

func (h *page) board(sys *rules.System) {
	hash := sys.Hash()
	for _, b := range h.player.Boards {
		if b.Hash == hash {
			return
		}
	}
	h.player.Boards = append(h.player.Boards, boardData{hash, h.boards.layout(sys)})
}

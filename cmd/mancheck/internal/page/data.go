package page

import (
	"encoding/json"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// playerData is what the player knows: the boards of the page, and its plays.
type playerData struct {
	Boards []boardData       `json:"boards"`
	Plays  []json.RawMessage `json:"plays"`
	Dots   [maxDots][2]int   `json:"dots"`
}

// boardData is a board on which traces can be played: those of the System with this hash, or else with the same pits.
type boardData struct {
	Hash   string     `json:"hash"`
	PitVar string     `json:"pitVar"`
	W      int        `json:"w"`
	H      int        `json:"h"`
	Spots  []spotData `json:"spots"`
}

type spotData struct {
	Pit   string `json:"pit"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	H     int    `json:"h"`
	Store bool   `json:"store"`
}

// add gives a play its number.
func (d *playerData) add(p *explain.Play) int {
	d.board(p.Trace.System)
	d.Plays = append(d.Plays, board.TraceJSON(p.Trace.System, p.Trace))
	return len(d.Plays) - 1
}

func (d *playerData) board(sys *rules.System) {
	hash := sys.Hash()
	for _, b := range d.Boards {
		if b.Hash == hash {
			return
		}
	}
	l := layoutOf(sys)
	data := boardData{Hash: hash, W: l.w, H: l.h}
	if v := explain.PitVar(sys); v >= 0 {
		data.PitVar = sys.Vars[v].Name
	}
	for _, s := range l.spots {
		data.Spots = append(data.Spots, spotData{sys.Pits[s.pit].Name, s.x, s.y, s.h, s.store})
	}
	d.Boards = append(d.Boards, data)
}

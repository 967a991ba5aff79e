package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/drawing"
	"github.com/mancheck/mancheck/rules/interp"
)

// playerData is what the player knows: the boards of the page, its plays, and the strategies to be
// played against.
type playerData struct {
	Boards []boardData `json:"boards"`
	Plays  []playData  `json:"plays"`
	Games  []object    `json:"games"`
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
		moved := h.moved(m.Moved, rules)
		if moved == nil {
			break
		}
		data.Moves = append(data.Moves, toldData{rules.number(m.Rule), moved})
	}
	data.Trace, data.Source, data.Rules = board.TraceJSON(sys, &t), rules.id, rules.stretches
	data.Differ = lists.Map(lists.Set(differ), func(pit int) string { return sys.Pits[pit].Name })
	h.player.Plays = append(h.player.Plays, data)
	return no
}

// moved lists the seeds that a move moves, unless the page has told of too many.
func (h *page) moved(all []interp.Moved, rules *excerpt) (list []int) {
	if h.player.told += len(all); h.player.told > maxTold {
		return nil
	}
	list = []int{}
	for _, x := range all {
		list = append(list, x.From, x.Into, x.Seeds, rules.number(x.At))
	}
	return list
}

// board gives the board of a System its number.
func (h *page) board(sys *rules.System) int {
	hash := sys.Hash()
	no := slices.IndexFunc(h.player.Boards, func(b boardData) bool { return b.Hash == hash })
	if no < 0 {
		no = len(h.player.Boards)
		h.player.Boards = append(h.player.Boards, boardData{hash, h.boards.layout(sys)})
	}
	return no
}

// object is data for the script. What it has in a game is in against.js.
type object map[string]any

// game gives a strategy its number.
func (h *page) game(g *explain.Game) int {
	var nodes []object
	for i, n := range g.Nodes {
		next := []object{}
		for _, st := range n.Next {
			pit := ""
			if len(st.Moved) > 0 && st.Moved[0].From != rules.None {
				pit = g.System.Pits[st.Moved[0].From].Name
			}
			next = append(next, object{"move": st.Move, "pit": pit, "to": st.To, "moved": h.moved(st.Moved, &excerpt{})})
		}
		nodes = append(nodes, object{"state": board.StateJSON(g.System, n.State), "says": g.Says[i], "own": n.Own, "next": next})
	}
	h.player.Games = append(h.player.Games, object{
		"board": h.board(g.System), "reader": g.Reader, "roots": g.Roots, "within": g.Claim.Within, "nodes": nodes,
	})
	return len(h.player.Games) - 1
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

// boards draws the boards of a page. What all states on a board have in common is on the page once.
type boards struct {
	layouts map[*rules.System]*drawing.Layout
	ids     map[string]string // of empty boards, by what they look like
	Empty   []template.HTML
}

func (b *boards) layout(sys *rules.System) *drawing.Layout {
	if b.layouts[sys] == nil {
		b.layouts[sys] = drawing.LayoutOf(sys)
	}
	return b.layouts[sys]
}

func (b *boards) draw(x *explain.Board) template.HTML {
	l := b.layout(x.System)
	looks := fmt.Sprint(l.Spots, l.Players)
	for pit := range x.System.Pits {
		looks += fmt.Sprint(" ", x.Open(pit))
	}
	if b.ids[looks] == "" {
		b.ids[looks] = fmt.Sprintf("board%d", len(b.Empty)+1)
		b.Empty = append(b.Empty, l.Empty(b.ids[looks], x.Open))
	}
	return l.Draw(b.ids[looks], x.State, x)
}

// excerpt is the text of the rules that a play follows, with the stretches of it that the play
// refers to, by number. Without a text there are none.
type excerpt struct {
	id        string // of the element that has the text
	stretches [][2]int
	variant   *explain.Variant
	text      string
	numbers   map[diag.Range]int
}

// sourceID is the id of the text of a variant.
func sourceID(variant string) string { return "rules-" + variant }

// excerpt returns the text of a variant, if it is on the page.
func (h *page) excerpt(variant string) *excerpt {
	v := lists.Find(h.Variants, func(v *explain.Variant) bool { return v.Name == variant })
	if v == nil {
		return &excerpt{}
	}
	return &excerpt{id: sourceID(variant), variant: v, text: sourceText(v), numbers: map[diag.Range]int{}}
}

// number is that of a stretch of the rules, or -1 if it is not in the text.
func (e *excerpt) number(r diag.Range) int {
	if e.variant == nil || r.File != e.variant.At.File {
		return -1
	}
	from, to := r.Start.Offset-e.variant.At.Start.Offset, r.End.Offset-e.variant.At.Start.Offset
	if from < 0 || from >= to || to > len(e.text) {
		return -1
	}
	n, known := e.numbers[r]
	if !known {
		n = len(e.stretches)
		e.numbers[r] = n
		e.stretches = append(e.stretches, [2]int{units(e.text[:from]), units(e.text[:to])})
	}
	return n
}

// units is how long a text is for a browser, which counts in UTF-16 and reads a line end as one
// character.
func units(text string) int {
	return len(utf16.Encode([]rune(strings.ReplaceAll(text, "\r\n", "\n"))))
}

// sourceText is the text of a variant.
func sourceText(v *explain.Variant) string {
	return strings.Join(lists.Map(v.Source, func(p explain.Piece) string { return p.Text }), "")
}

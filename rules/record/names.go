package record

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// vocabulary is what an entry says of the moves and boards of records of moves.
type vocabulary struct {
	sys   *rules.System
	entry *Entry
	shape *regexp.Regexp // of a move; nil: any
	score int            // its group with the score after the move, or -1
	pits  map[string][]int
	words map[string]string
	views []view
}

// view is a View with its pits.
type view struct {
	*View
	player int // the view is for positions in which this player is to move; rules.None: any
	sites  []site
}

// vocabulary resolves the names of an entry.
func (e *Entry) vocabulary(sys *rules.System, sites []site) (v *vocabulary, err error) {
	v = &vocabulary{sys: sys, entry: e, score: -1, pits: map[string][]int{}, words: map[string]string{}}
	if e.Move != "" {
		if v.shape, err = regexp.Compile("^(?:" + e.Move + ")"); err != nil {
			return nil, fmt.Errorf("%s: move: %w", e.Pos, err)
		}
		v.score = v.shape.SubexpIndex("score")
		if v.score >= 0 && sys.Scores == nil {
			return nil, fmt.Errorf("%s: moves have a score, and the rules say none", e.Pos)
		}
	}
	next := 0
	for _, n := range e.Names {
		if n.Means != nil {
			v.words[n.From] = *n.Means
			continue
		}
		list, err := n.list()
		if err != nil {
			return nil, err
		}
		for _, name := range list {
			if next == len(sites) {
				return nil, fmt.Errorf("%s: there are more names than sites", n.Pos)
			}
			v.pits[name] = append(v.pits[name], sites[next].pits...)
			next++
		}
	}
	if n := len(e.Players); n > 0 && n != len(sys.Players) {
		return nil, fmt.Errorf("%s: %d names of players, and `%s` has %d", e.Pos, n, sys.Name, len(sys.Players))
	}
	for _, w := range e.Views {
		bound := view{View: w, player: rules.None}
		if w.For != "" {
			if bound.player = slices.Index(sys.Players, w.For); bound.player < 0 {
				return nil, fmt.Errorf("%s: there is no player `%s`", w.Pos, w.For)
			}
		}
		for _, s := range w.Sites {
			mover := !s.Skip && s.Pits[0].Name == "mover" && sys.PitNamed("mover") == rules.None
			if s.Skip || mover {
				bound.sites = append(bound.sites, site{mover: mover, other: s.Skip})
				continue
			}
			row, err := bind(sys, []*Site{s})
			if err != nil {
				return nil, err
			}
			bound.sites = append(bound.sites, row...)
		}
		v.views = append(v.views, bound)
	}
	return v, nil
}

// list returns the names of a stretch: numbers or letters.
func (n *Name) list() ([]string, error) {
	if n.To == nil {
		return []string{n.From}, nil
	}
	from, err1 := strconv.Atoi(n.From)
	to, err2 := strconv.Atoi(*n.To)
	name := strconv.Itoa
	if err1 != nil && err2 != nil && len(n.From) == 1 && len(*n.To) == 1 {
		from, to, err1, err2 = int(n.From[0]), int((*n.To)[0]), nil, nil
		name = func(c int) string { return string(rune(c)) }
	}
	if err1 != nil || err2 != nil || max(from-to, to-from) >= maxSites {
		return nil, fmt.Errorf("%s: `%s..%s` are neither numbers nor letters of at most %d sites", n.Pos, n.From, *n.To, maxSites)
	}
	list := []string{}
	for i := min(from, to); i <= max(from, to); i++ {
		list = append(list, name(i))
	}
	if to < from {
		slices.Reverse(list)
	}
	return list, nil
}

// named is a move as a record of moves has it.
type named struct {
	parts []string // what is chosen
	score int      // of the player after the move, or unknown
}

// read divides the text of a ply into moves. There may be several, as in `36`.
func (v *vocabulary) read(text string) ([]named, error) {
	if v.shape == nil {
		return []named{{[]string{text}, unknown}}, nil
	}
	var list []named
	for rest := text; rest != ""; {
		m := v.shape.FindStringSubmatch(rest)
		if m == nil || m[0] == "" {
			if len(list) == 0 && v.words[text] != "" {
				return []named{{[]string{text}, unknown}}, nil
			}
			return nil, fmt.Errorf("`%s` is no move such as the map has at %s", text, v.entry.Pos)
		}
		rest = rest[len(m[0]):]
		one := named{score: unknown}
		for i, part := range m[1:] {
			switch n, err := strconv.Atoi(part); {
			case part == "":
			case i+1 != v.score:
				one.parts = append(one.parts, part)
			case err != nil:
				return nil, fmt.Errorf("`%s`: the score `%s` is no number", text, part)
			default:
				one.score = n
			}
		}
		if len(m) == 1 {
			one.parts = []string{m[0]}
		}
		list = append(list, one)
	}
	return list, nil
}

// means reports whether a move of a record is an action with this notation.
func (v *vocabulary) means(n named, a *rules.Action, notation string) bool {
	squeeze := func(text string) string { return strings.Join(strings.Fields(text), "") }
	whole := strings.Join(n.parts, "")
	if word, ok := v.words[whole]; ok && squeeze(word) == squeeze(notation) || len(v.pits) == 0 && whole == squeeze(notation) {
		return true
	}
	if a == nil || len(n.parts) == 0 || len(n.parts) > len(a.Choices) {
		return false
	}
	for i, part := range n.parts {
		c := a.Choices[i]
		word, ok := v.words[part]
		if !(ok && word == c.Text) && part != c.Text && !(c.Type == rules.PitType && slices.Contains(v.pits[part], c.Value)) {
			return false
		}
	}
	return true
}

// A position is a board as text: the counts of sites, and the player to move.
type position struct {
	sites  []site
	counts []int // by site
	mover  int   // or unknown
}

var (
	positionToken = regexp.MustCompile(`[0-9]+|\p{L}+`)
	runItem       = regexp.MustCompile(`^([0-9]+)(\p{L}?)$`)
)

// position reads a board. It is an error if its numbers are not those of exactly one view.
func (v *vocabulary) position(text string) (position, error) {
	text = strings.Join(strings.Fields(text), " ")
	if len(v.views) == 0 {
		return position{}, fmt.Errorf("%s: the record has boards, and nothing says what their numbers are (`position`)", v.entry.Pos)
	}
	var found []position
	var first error
	for _, w := range v.views {
		p, err := v.seen(w, text)
		if err == nil {
			found = append(found, p)
		} else if first == nil {
			first = fmt.Errorf("the board `%s`: %w", text, err)
		}
	}
	switch {
	case len(found) == 0:
		return position{}, first
	case len(found) > 1:
		return position{}, fmt.Errorf("the board `%s` can be read in %d ways", text, len(found))
	}
	return found[0], nil
}

// seen reads a board in one view.
func (v *vocabulary) seen(w view, text string) (position, error) {
	p := position{mover: unknown, sites: w.sites}
	if w.Runs {
		board, rest, _ := strings.Cut(text, " ")
		var items []string
		for _, item := range strings.FieldsFunc(board, func(c rune) bool { return c == ',' || c == '/' }) {
			m := runItem.FindStringSubmatch(item)
			if m == nil {
				return p, fmt.Errorf("`%s` is neither a count with a letter nor a number of empty pits", item)
			}
			if n, err := strconv.Atoi(m[1]); m[2] == "" && (err != nil || n > maxSites) {
				return p, fmt.Errorf("`%s` are too many pits", item)
			} else if m[2] == "" {
				items = append(items, slices.Repeat([]string{"0"}, n)...)
			} else {
				items = append(items, m[1])
			}
		}
		text = strings.Join(items, " ") + " " + rest
	}
	asks := slices.ContainsFunc(w.sites, func(s site) bool { return s.mover })
	tokens := lists.Filter(positionToken.FindAllString(text, -1), func(t string) bool {
		return t[0] >= '0' && t[0] <= '9' || asks && v.player(t) >= 0
	})
	if len(tokens) != len(w.sites) {
		return p, fmt.Errorf("it has %d numbers and players, where the map has %d at %s", len(tokens), len(w.sites), w.Pos)
	}
	for i, s := range w.sites {
		n, err := strconv.Atoi(tokens[i])
		switch {
		case s.mover:
			if p.mover = v.player(tokens[i]); p.mover < 0 {
				return p, fmt.Errorf("`%s` is no player", tokens[i])
			}
		case err != nil:
			return p, fmt.Errorf("`%s` is no count", tokens[i])
		}
		p.counts = append(p.counts, n)
	}
	if w.player != rules.None && p.mover != w.player {
		return p, fmt.Errorf("%s is not to move", w.For)
	}
	return p, nil
}

// player returns the player with a name, or the first letter of the name if the map has no others,
// or rules.None.
func (v *vocabulary) player(name string) int {
	if len(v.entry.Players) > 0 {
		return slices.Index(v.entry.Players, name)
	}
	return slices.IndexFunc(v.sys.Players, func(p string) bool {
		return strings.EqualFold(p, name) || strings.EqualFold(string([]rune(p)[:1]), name)
	})
}

// state returns the state with a board, whose variables are as at the start.
func (v *vocabulary) state(p position) (rules.State, error) {
	s := v.sys.EmptyBoard()
	for i, at := range p.sites {
		switch {
		case at.mover || at.other:
		case len(at.pits) != 1 || at.onlyWhether:
			return s, fmt.Errorf("%s: a game cannot begin with a board that does not tell every count", v.entry.Pos)
		default:
			s.Seeds[at.pits[0]] = p.counts[i]
		}
	}
	s.Mover = max(p.mover, 0)
	return s, nil
}

// agrees reports whether a state is the position, of which the player to move counts only while the
// game goes on.
func (p *position) agrees(s rules.State) bool {
	for i, at := range p.sites {
		if !at.mover && !at.agrees(s.Seeds, p.counts[i]) {
			return false
		}
	}
	return !s.Live() || p.mover == unknown || p.mover == s.Mover
}

// total returns how many seeds the position has.
func (p *position) total() int {
	n := 0
	for i, at := range p.sites {
		if !at.mover && !at.other {
			n += p.counts[i]
		}
	}
	return n
}

package hunt

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// line is a play: a start, the actions, and the keys of the states, that of the start first.
type line struct {
	start   rules.State
	actions []int32
	keys    []uint64
}

// begin makes p the play without moves.
func (h *hunter) begin(p *line, start rules.State) error {
	p.start, p.actions = start, p.actions[:0]
	p.keys = append(p.keys[:0], make([]uint64, h.words)...)
	h.flat.Set(start)
	return h.codec.Pack(h.flat, p.keys)
}

func (p *line) add(action int32, key []uint64) {
	p.actions, p.keys = append(p.actions, action), append(p.keys, key...)
}

// at returns the key after so many moves.
func (p *line) at(move, words int) []uint64 { return p.keys[move*words : (move+1)*words] }

func (p *line) last(words int) []uint64 { return p.at(len(p.actions), words) }

func (p *line) clone() line { return line{p.start, slices.Clone(p.actions), slices.Clone(p.keys)} }

// cut returns the play up to a move. It shares memory with p, but not what is added.
func (p *line) cut(moves, words int) line {
	return line{p.start, slices.Clip(p.actions[:moves]), slices.Clip(p.keys[:(moves+1)*words])}
}

// way is a way to choose moves: mostly those to states of the greatest worth. nil: evenly.
type way func(f *pack.Flat) int

// allWays lists the ways. A house is a pit that belongs to a row; a player's stores are other pits.
func (h *hunter) allWays() []way {
	pits := h.sys.Pits
	count := func(weight func(p *rules.Pit) int) way {
		weights := make([]int, len(pits))
		for i := range pits {
			weights[i] = weight(&pits[i])
		}
		return func(f *pack.Flat) (w int) {
			for i, k := range weights {
				w += k * f.Cells[i]
			}
			return w
		}
	}
	houses := func(k, owner int) way { // None: of all players
		return count(func(p *rules.Pit) int {
			if p.Name != p.Group && (owner == rules.None || owner == p.Owner) {
				return k
			}
			return 0
		})
	}
	var list []way
	nearer := func() {
		if h.near != nil {
			list = append(list, func(f *pack.Flat) int { return -h.near(f) })
		}
	}
	list = append(list, nil)
	nearer()
	h.inHouses = houses(1, rules.None)
	list = append(list, houses(-1, rules.None), h.inHouses)
	for i := range h.sys.Players {
		list = append(list, houses(-1, i), count(func(p *rules.Pit) int { // starve or enrich the player
			switch p.Owner {
			case i:
				return 1
			case rules.None:
				return 0
			}
			return -1
		}))
		nearer()
	}
	if h.aim.Returns {
		list = append(list, h.steady)
	}
	return list
}

// steady prefers moves that capture little and change little: what is left of a game then tends to
// go round.
func (h *hunter) steady(f *pack.Flat) (w int) {
	w = 1000 * h.inHouses(f)
	for i, seeds := range f.Cells {
		w -= max(seeds-h.from[i], h.from[i]-seeds)
	}
	return w
}

// longest is how many moves a game may have, and mostPosts how many states each way keeps.
const (
	longest   = 4_000
	mostPosts = 128
)

// post is the best state for a way of those with as many seeds in houses, with the play that leads
// there. Games begin at posts, so that they get through games of many rounds.
type post struct {
	line
	houses, worth int
}

// game plays a game in a way, from a start or from a state on the shelf of that way.
func (h *hunter) game(number, strays int) error {
	w := h.ways[number]
	if err := h.opening(number); err != nil {
		return err
	}
	seen := map[string]int{}
	if h.aim.Returns {
		for i := range len(h.play.actions) {
			seen[pack.Text(h.play.at(i, h.words))] = i
		}
	}
	for {
		over, err := h.expand(&h.play)
		if err != nil {
			return err
		}
		if h.aim.Returns && !over {
			text := pack.Text(h.play.last(h.words))
			if before, again := seen[text]; again {
				return h.finish(&h.play, len(h.play.actions)-before)
			}
			seen[text] = len(h.play.actions)
		}
		if over || len(h.play.actions) == longest {
			return nil
		}
		i := h.choose(w, strays)
		h.play.add(h.steps.Actions[i], h.step(i))
		if w != nil {
			h.keep(number, w)
		}
	}
}

// opening begins a game: three of four at a state on the shelf, if there is one.
func (h *hunter) opening(number int) error {
	shelf := h.shelves[number]
	if len(shelf) == 0 || h.random.IntN(4) == 0 {
		return h.begin(&h.play, h.starts[h.random.IntN(len(h.starts))])
	}
	p := shelf[h.random.IntN(len(shelf))]
	h.play.start = p.start
	h.play.actions, h.play.keys = append(h.play.actions[:0], p.actions...), append(h.play.keys[:0], p.keys...)
	return nil
}

// choose returns which of the steps is taken.
func (h *hunter) choose(w way, strays int) int {
	h.codec.Unpack(h.play.last(h.words), h.flat)
	h.from = append(h.from[:0], h.flat.Cells...)
	n := len(h.steps.Actions)
	if w == nil || n == 1 || h.random.IntN(strays) == 0 {
		return h.random.IntN(n)
	}
	best, ties, at := 0, 0, 0
	for i := range n {
		h.codec.Unpack(h.step(i), h.flat)
		switch v := w(h.flat); {
		case ties == 0 || v > best:
			best, ties, at = v, 1, i
		case v == best:
			if ties++; h.random.IntN(ties) == 0 {
				at = i
			}
		}
	}
	return at
}

// keep puts the state of the game on the shelf of its way, if no other with as many seeds in houses
// is as good.
func (h *hunter) keep(number int, w way) {
	h.codec.Unpack(h.play.last(h.words), h.flat)
	if h.flat.Outcome != rules.Live || len(h.play.actions) >= longest/2 {
		return
	}
	houses := h.inHouses(h.flat)
	worth, shelf := w(h.flat), h.shelves[number]
	switch i := slices.IndexFunc(shelf, func(p *post) bool { return p.houses == houses }); {
	case i >= 0 && shelf[i].worth < worth:
		shelf[i] = &post{h.play.clone(), houses, worth}
	case i < 0 && len(shelf) < mostPosts:
		h.shelves[number] = append(shelf, &post{h.play.clone(), houses, worth})
	}
}

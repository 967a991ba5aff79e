package hunt

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// deep is how many states are looked at below one position of a game.
const deep = 2_000

// searchBelow searches below late positions of the game, some of them chosen at random: 1, 2, 4, …,
// 64 moves before its end, about as many. level keeps them to steps after which there are as many
// seeds in houses, as there mostly are in plays that come back.
func (h *hunter) searchBelow(level bool) error {
	if h.aim.Beyond >= 0 && !h.aim.Returns {
		return nil
	}
	game := h.play.clone()
	for back := 1; back <= 64 && back < len(game.actions); back *= 2 {
		root := max(0, len(game.actions)-back-h.random.IntN(back))
		if err := h.below(game.cut(root, h.words), level); err != nil {
			return err
		}
	}
	return nil
}

// frame is a state on the path of a depth-first search, with the steps that were not taken yet.
type frame struct {
	text    string
	keys    []uint64
	actions []int32
}

// below searches the states below the end of a play, depth first. A step to a state of the path, or
// of the play that has led to the root, closes a cycle.
func (h *hunter) below(p line, level bool) error {
	onPath := map[string]int{} // by text of a key: moves to it
	root := len(p.actions)
	for i := range root {
		onPath[pack.Text(p.at(i, h.words))] = i
	}
	seen := map[string]bool{}
	inHouses := func(key []uint64) int {
		h.codec.Unpack(key, h.flat)
		return h.inHouses(h.flat)
	}
	seeds := inHouses(p.last(h.words))
	var stack []frame
	enter := func() error {
		text := pack.Text(p.last(h.words))
		seen[text] = true
		f := frame{text: text}
		over, err := h.expand(&p)
		if err != nil {
			return err
		}
		if !over {
			f.keys, f.actions = append(f.keys, h.steps.Keys...), append(f.actions, h.steps.Actions...)
			onPath[text] = len(p.actions)
		}
		stack = append(stack, f)
		return nil
	}
	if err := enter(); err != nil {
		return err
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.actions) == 0 {
			delete(onPath, top.text)
			if stack = stack[:len(stack)-1]; len(stack) > 0 {
				p.actions, p.keys = p.actions[:len(p.actions)-1], p.keys[:len(p.keys)-h.words]
			}
			continue
		}
		key, action := top.keys[:h.words], top.actions[0]
		top.keys, top.actions = top.keys[h.words:], top.actions[1:]
		text := pack.Text(key)
		if before, is := onPath[text]; is && h.aim.Returns {
			p.add(action, key)
			return h.finish(&p, len(p.actions)-before)
		}
		if seen[text] || level && inHouses(key) != seeds {
			continue
		}
		if len(seen) >= deep {
			return nil
		}
		p.add(action, key)
		if err := enter(); err != nil {
			return err
		}
	}
	return nil
}

// node is a state of a beam.
type node struct {
	key    []uint64
	before *node // nil: a start
	action int32
	moves  int
	far    int
	chance uint64 // orders those that are equally far
}

// beam searches by levels, and keeps so many states of each, those that are nearest to the goal.
func (h *hunter) beam(width int) error {
	var p line
	start := h.starts[h.random.IntN(len(h.starts))]
	if err := h.begin(&p, start); err != nil {
		return err
	}
	level := []*node{{key: slices.Clone(p.keys)}}
	seen := map[string]bool{pack.Text(p.keys): true}
	most := 64 * width // states
	for len(level) > 0 && len(seen) < most {
		var next []*node
		for _, n := range level {
			p := h.lineTo(start, n)
			over, err := h.expand(&p)
			if err != nil {
				return err
			}
			if over {
				continue
			}
			for i, a := range h.steps.Actions {
				text := pack.Text(h.step(i))
				if seen[text] {
					continue
				}
				seen[text] = true
				h.codec.Unpack(h.step(i), h.flat)
				next = append(next, &node{slices.Clone(h.step(i)), n, a, n.moves + 1, h.near(h.flat), h.random.Uint64()})
			}
		}
		slices.SortFunc(next, func(a, b *node) int { return cmp.Or(a.far-b.far, cmp.Compare(a.chance, b.chance)) })
		level = next[:min(width, len(next))]
	}
	return nil
}

// lineTo is the play to a state of a beam.
func (h *hunter) lineTo(start rules.State, n *node) line {
	p := line{start: start, actions: make([]int32, n.moves), keys: make([]uint64, (n.moves+1)*h.words)}
	for ; ; n = n.before {
		copy(p.at(n.moves, h.words), n.key)
		if n.before == nil {
			return p
		}
		p.actions[n.moves-1] = n.action
	}
}

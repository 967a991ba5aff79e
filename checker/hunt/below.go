package hunt

import "github.com/mancheck/mancheck/checker/pack"

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

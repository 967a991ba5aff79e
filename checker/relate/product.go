package relate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// pairs searches the game of both sides from all pairs of starts that look alike.
func (s *search) pairs() error {
	for _, side := range s.sides {
		if err := side.listStarts(s.ctx, s.opt.MaxStates); err != nil {
			return err
		}
	}
	p := newProduct(s)
	starts, err := s.pairStarts(p)
	if err != nil {
		return err
	}
	return s.play(p, starts, p.split)
}

// pairStarts pairs the starts of both sides that look alike, and returns the live pairs. A start
// without a counterpart ends the search; one of the right may have none, except for equivalence.
func (s *search) pairStarts(p *product) ([]rules.State, error) {
	left, err := s.sides[0].byLook()
	if err != nil {
		return nil, err
	}
	right, err := s.sides[1].byLook()
	if err != nil {
		return nil, err
	}
	var list []rules.State
	for i, st := range s.sides[0].starts {
		j, paired := right[s.sides[0].looks[i]]
		if !paired {
			return nil, s.lonely(0, i)
		}
		if st.Live() {
			list = append(list, p.join(st, s.sides[1].starts[j]))
		}
	}
	for j, look := range s.sides[1].looks {
		if _, paired := left[look]; !paired && s.kind == Equivalent {
			return nil, s.lonely(1, j)
		}
	}
	return list, nil
}

// lonely ends the search with a start of one side that looks like no start of the other.
func (s *search) lonely(side, start int) error {
	s.Difference = &Difference{Kind: rules.StartDiffers, Side: side}
	s.Difference.Starts[side] = &s.sides[side].starts[start]
	return &limit.Early{End: limit.End{Stop: limit.Found}}
}

// product is the game of both Systems played side by side, by moves with the same notation. A state
// has the compared pits once, then the other pits of each side, then the variables of each. States
// in which the game is over are compared but are not states of the product.
type product struct {
	*search
	shape *rules.System // of its states
	cells [2][]int      // by side and cell of its states: the cell in shape
}

func newProduct(s *search) *product {
	left, right := s.sides[0], s.sides[1]
	p := &product{search: s, shape: &rules.System{
		Name: left.title + " and " + right.title, Players: left.sys.Players, Outcomes: left.sys.Outcomes,
		Actions: make([]rules.Action, len(left.sys.Actions)),
	}}
	for i, side := range s.sides {
		p.cells[i] = make([]int, len(side.sys.Pits)+len(side.sys.Vars))
		for c := range p.cells[i] {
			p.cells[i][c] = rules.None
		}
	}
	add := func(pit rules.Pit) int {
		p.shape.Pits = append(p.shape.Pits, pit)
		return len(p.shape.Pits) - 1
	}
	for k, a := range left.shown {
		c := add(left.sys.Pits[a])
		p.cells[0][a], p.cells[1][right.shown[k]] = c, c
	}
	for i, side := range s.sides {
		for a, c := range p.cells[i][:len(side.sys.Pits)] {
			if c == rules.None {
				p.cells[i][a] = add(side.sys.Pits[a])
			}
		}
	}
	for i, side := range s.sides {
		for v := range side.sys.Vars {
			p.cells[i][len(side.sys.Pits)+v] = len(p.shape.Pits) + len(p.shape.Vars)
			p.shape.Vars = append(p.shape.Vars, side.sys.Vars[v])
		}
	}
	// Nothing plays the shape. It needs actions for their number and their movers.
	for a := range p.shape.Actions {
		p.shape.Actions[a] = rules.Action{Mover: left.sys.Actions[a].Mover, Guard: rules.False}
	}
	return p
}

// join returns the pair of two states that look alike.
func (p *product) join(l, r rules.State) rules.State {
	st := rules.State{Seeds: make([]int, len(p.shape.Pits)), Vars: make([]int, len(p.shape.Vars)), Mover: l.Mover, Outcome: l.Outcome}
	for i, of := range []rules.State{l, r} {
		for c, v := range slices.Concat(of.Seeds, of.Vars) {
			if k := p.cells[i][c]; k < len(st.Seeds) {
				st.Seeds[k] = v
			} else {
				st.Vars[k-len(st.Seeds)] = v
			}
		}
	}
	return st
}

// split returns the two states of a pair.
func (p *product) split(st rules.State) []rules.State {
	var parts []rules.State
	all := slices.Concat(st.Seeds, st.Vars)
	for i, side := range p.sides {
		cells := make([]int, len(p.cells[i]))
		for c, k := range p.cells[i] {
			cells[c] = all[k]
		}
		pits := len(side.sys.Pits)
		parts = append(parts, rules.State{Seeds: cells[:pits:pits], Vars: cells[pits:], Mover: st.Mover, Outcome: st.Outcome})
	}
	return parts
}

// Shape implements game.Rules.
func (p *product) Shape() *rules.System { return p.shape }

// Identity implements game.Rules.
func (p *product) Identity() []byte {
	return fmt.Appendf(nil, "%d\n%v\n%s\n%s", p.kind, p.cells, p.sides[0].sys.Canonical(), p.sides[1].sys.Canonical())
}

// Seeds implements game.Rules. No side makes or loses seeds, but they may move between compared and
// hidden pits on one side only.
func (p *product) Seeds(start rules.State) (pit, all int, fixed bool) {
	parts := p.split(start)
	l, r := parts[0].Total(), parts[1].Total()
	switch pits := len(p.shape.Pits); {
	case len(p.sides[0].sys.Pits) == pits:
		return l, l, true // all pits of the right are compared
	case len(p.sides[1].sys.Pits) == pits:
		return r, r, true
	}
	if all, ok := num.Add(l, r); ok {
		return all, all, false
	}
	return max(l, r), num.Inf, false
}

// Keeps implements game.Rules. All parts are kept: a hidden pit may matter on its side.
func (p *product) Keeps() rules.Parts { return rules.Parts{} }

// On implements game.Rules.
func (p *product) On(codec *pack.Codec) (game.Game, error) {
	t := &tandem{product: p, codec: codec, names: map[string]int32{}}
	maps.Copy(t.names, p.sides[0].ids)
	for i, side := range p.sides {
		c, err := pack.NewCodec(side.sys, codec.Seeds(), rules.Parts{})
		if err != nil {
			return nil, err
		}
		at, own := p.cells[i], *side
		own.in = interp.New(side.sys).Within(p.ctx)
		t.hands[i] = &hand{
			side: &own, codec: c, game: residual.New(p.ctx, side.sys, c), key: make([]uint64, c.Words()),
			out:  pack.NewRoute(c, codec, func(cell int) int { return at[cell] }, true),
			in:   pack.NewRoute(codec, c, func(cell int) int { return slices.Index(at, cell) }, true),
			pair: make([]uint64, codec.Words()), flat: pack.NewFlat(side.sys), names: make([]int32, 0, len(side.sys.Actions)),
		}
	}
	t.boards, t.status = make([]uint64, codec.Words()), make([]uint64, codec.Words())
	// boards carries only the compared pits, to find their bits.
	boards := pack.NewRoute(t.hands[0].codec, codec, func(cell int) int {
		if c := p.cells[0][cell]; c < len(p.sides[0].shown) {
			return c
		}
		return rules.None
	}, false)
	boards.Mask(t.boards)
	st := codec.Status()
	t.status[st.Word] = st.Mask << st.Shift
	return t, nil
}

// tandem is a product that plays packed pairs. It needs an own copy for each goroutine.
type tandem struct {
	*product
	codec  *pack.Codec
	hands  [2]*hand
	boards []uint64         // the bits of a key with the compared pits
	status []uint64         // the bits of a key with the player to move
	names  map[string]int32 // numbers of notations; those that do not depend on the state come first
	now    uint32           // the number of the current expansion
}

// hand plays one side.
type hand struct {
	*side
	codec   *pack.Codec
	game    *residual.Stepper
	in, out pack.Route // between pairs and states of this side
	key     []uint64
	pair    []uint64 // the part of a pair that a state of this side determines
	flat    *pack.Flat
	steps   pack.Batch
	names   []int32 // by step: the number of its notation, or dropped
	marks   []mark  // by number of a notation
}

// mark is the expansion in which a notation last occurred, and the step that has it.
type mark struct {
	when uint32
	step int32
}

// dropped marks a step with the same notation and result as an earlier one.
const dropped = -1

// CanMove implements game.Game. The other side is stuck in the same states, or Expand refuses them.
func (t *tandem) CanMove(key []uint64) (bool, error) {
	h := t.hands[0]
	h.load(key)
	return h.game.CanMove(h.key)
}

// Expand implements game.Game. It refuses a pair from which the sides differ.
func (t *tandem) Expand(key []uint64, out *pack.Batch) error {
	if t.now++; t.now == 0 { // the counter has wrapped around, so old marks would look current
		for _, h := range t.hands {
			clear(h.marks)
		}
		t.now = 1
	}
	for i, h := range t.hands {
		if err := t.moves(h, key, out); err != nil {
			return blame(i, err)
		}
	}
	l, r := t.hands[0], t.hands[1]
	moves := 0
	for k, name := range l.names {
		if name == dropped {
			continue
		}
		moves++
		other := r.find(name, t.now)
		if other < 0 {
			return refuse(&unlike{is: rules.MoveDiffers, actions: [2]int{int(l.steps.Actions[k]), rules.None}})
		}
		if err := t.compare(k, other, out); err != nil {
			return err
		}
	}
	// Any missing move of the right would have been found above.
	if t.kind != Equivalent && moves > 0 {
		return nil // the right may have more moves, but a player is stuck in both or in none
	}
	for k, name := range r.names {
		if name != dropped && l.find(name, t.now) < 0 {
			return refuse(&unlike{is: rules.MoveDiffers, actions: [2]int{rules.None, int(r.steps.Actions[k])}})
		}
	}
	return nil
}

// blame turns an error of the right side, or one that ends the search, into a refusal of the pair.
// Other errors of the left side are those of the game.
func blame(side int, err error) error {
	if side == 0 && !errors.As(err, new(*limit.Early)) || errors.Is(err, pack.ErrWide) {
		return err
	}
	return refuse(err)
}

func refuse(why error) error {
	r := &game.Refusal{Action: rules.None, Why: why}
	if u, is := why.(*unlike); is {
		r.Action = u.actions[0]
	}
	return r
}

// load unpacks the state of this side from a pair.
func (h *hand) load(pair []uint64) {
	clear(h.key)
	h.in.Carry(pair, h.key)
}

// find returns the step of the current expansion with a notation, or -1.
func (h *hand) find(name int32, now uint32) int {
	if int(name) < len(h.marks) && h.marks[name].when == now {
		return int(h.marks[name].step)
	}
	return -1
}

// moves computes the steps of one side and their notations. Steps with the same notation must lead
// to the same state.
func (t *tandem) moves(h *hand, pair []uint64, out *pack.Batch) error {
	h.load(pair)
	h.steps.Reset()
	h.steps.Check = out.Check
	if err := h.game.Expand(h.key, &h.steps); err != nil {
		return err
	}
	h.names = h.names[:0]
	unpacked := false
	for k, a := range h.steps.Actions {
		id := h.numbers[a]
		if id < 0 {
			if !unpacked {
				unpacked = true
				h.codec.Unpack(h.key, h.flat)
			}
			name, err := h.name(int(a), h.flat.View(h.sys))
			if err != nil {
				return err
			}
			id = numberOf(t.names, name)
		}
		for int(id) >= len(h.marks) {
			h.marks = append(h.marks, mark{})
		}
		if m := &h.marks[id]; m.when != t.now {
			*m = mark{t.now, int32(k)}
		} else if w := len(h.key); slices.Equal(h.steps.Keys[k*w:(k+1)*w], h.steps.Keys[int(m.step)*w:int(m.step+1)*w]) {
			id = dropped
		} else {
			h.codec.Unpack(h.key, h.flat)
			name, _ := h.name(int(a), h.flat.View(h.sys))
			return undecided("in %s, `%s` stands for several moves of one state", h.side.title, name)
		}
		h.names = append(h.names, id)
	}
	return nil
}

// compare compares what is visible after a step of each side. If the game goes on, it appends the
// new pair to out.
func (t *tandem) compare(k, other int, out *pack.Batch) error {
	l, r := t.hands[0], t.hands[1]
	from, to := l.look(k), r.look(other)
	differs, moves := uint64(0), uint64(0)
	for i, b := range t.boards {
		d := l.pair[i] ^ r.pair[i]
		differs |= d & b
		moves |= d & t.status[i]
	}
	if differs == 0 && from >= 0 && to >= 0 && moves == 0 {
		n := len(out.Keys)
		out.Keys = append(out.Keys, l.pair...)
		for i, w := range r.pair {
			out.Keys[n+i] |= w
		}
		out.Actions = append(out.Actions, l.steps.Actions[k])
		return nil
	}
	u := unlike{is: rules.LooksDiffer, actions: [2]int{int(l.steps.Actions[k]), int(r.steps.Actions[other])}}
	switch {
	case differs != 0:
		u.is = rules.BoardsDiffer
	case from >= 0 && to >= 0:
		u.looks = [2]Look{{rules.ToMove, from}, {rules.ToMove, to}}
	default:
		a, err := l.end(k, from)
		if err != nil {
			return blame(0, err)
		}
		b, err := r.end(other, to)
		if err != nil {
			return blame(1, err)
		}
		if slices.Equal(a, b) {
			out.Ends++
			return nil
		}
		u.looks = [2]Look{look(a), look(b)}
	}
	return refuse(&u)
}

// look computes the part of the new pair that step k determines, and returns the player to move, or
// -1 if the game is over.
func (h *hand) look(k int) int {
	w := len(h.key)
	key := h.steps.Keys[k*w : (k+1)*w]
	clear(h.pair)
	h.out.Carry(key, h.pair)
	st := h.codec.Status()
	if p := key[st.Word] >> (st.Shift & 63) & st.Mask; p < uint64(len(h.sys.Players)) {
		return int(p)
	}
	return -1
}

// end returns how the game ended for each player by step k, or nil if it goes on.
func (h *hand) end(k, mover int) ([]standing, error) {
	if mover >= 0 {
		return nil, nil
	}
	w := len(h.key)
	h.codec.Unpack(h.steps.Keys[k*w:(k+1)*w], h.flat)
	if fixed := h.ends[h.flat.Outcome]; fixed != nil {
		return fixed, nil
	}
	return h.standing(h.flat.View(h.sys))
}

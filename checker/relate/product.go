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

// product is the game of both Systems played side by side, by the same moves. A state has the pits
// once whose seeds are always the same, then the other pits of each side, then the variables of
// each. States in which the game is over are compared but are not states of the product.
type product struct {
	*search
	shape *rules.System // of its states
	cells [2][]int      // by side and cell of its states: the cell in shape
	once  int           // the number of pits that a state has once
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
	if s.opt.In.Boards() {
		for k, a := range left.shown {
			c := add(left.sys.Pits[a])
			p.cells[0][a], p.cells[1][right.shown[k]] = c, c
		}
		p.once = len(left.shown)
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
	return fmt.Appendf(nil, "%d %d\n%v\n%s\n%s", p.kind, p.opt.In, p.cells, p.sides[0].sys.Canonical(), p.sides[1].sys.Canonical())
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
	t := &tandem{product: p, names: map[string]int32{}}
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
			out:   pack.NewRoute(c, codec, func(cell int) int { return at[cell] }, true),
			in:    pack.NewRoute(codec, c, func(cell int) int { return slices.Index(at, cell) }, true),
			blank: make([]uint64, codec.Words()), flat: pack.NewFlat(side.sys), names: make([]int32, 0, len(side.sys.Actions)),
		}
	}
	t.boards = make([]uint64, codec.Words())
	// boards carries only the compared pits, to find their bits.
	boards := pack.NewRoute(t.hands[0].codec, codec, func(cell int) int {
		if c := p.cells[0][cell]; c < p.once {
			return c
		}
		return rules.None
	}, false)
	boards.Mask(t.boards)
	return t, nil
}

// tandem is a product that plays packed pairs. It needs an own copy for each goroutine.
type tandem struct {
	*product
	hands  [2]*hand
	boards []uint64         // the bits of a key with the compared pits
	names  map[string]int32 // numbers of notations; those that do not depend on the state come first
	joined []int32          // by step of the left: the counterpart
	now    uint32           // the number of the current expansion
}

// hand plays one side.
type hand struct {
	*side
	codec   *pack.Codec
	game    *residual.Stepper
	in, out pack.Route // between pairs and states of this side
	key     []uint64
	blank   []uint64 // a pair without anything
	flat    *pack.Flat
	steps   pack.Batch
	pairs   []uint64 // by step: the part of the new pair that it determines
	after   []after  // by step
	names   []int32  // by step: the number of its notation, dropped or unnamed
	marks   []mark   // by number of a notation
}

// after is what is visible after a step besides the board: the player to move, or how the game
// ended for each player and, if scores are compared, theirs.
type after struct {
	mover  int // -1 if the game is over
	ended  []standing
	points []int
}

// mark is the expansion in which a notation last occurred, and the step that has it.
type mark struct {
	when uint32
	step int32
}

// dropped marks a step with the same notation and result as an earlier one, and unnamed one whose
// notation has no value.
const dropped, unnamed = -1, -2

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
	t.joined = slices.Grow(t.joined[:0], len(l.names))[:len(l.names)]
	moves := 0
	for k, name := range l.names {
		if name == dropped {
			continue
		}
		moves++
		other, u := t.counterpart(0, k)
		if u != nil {
			return refuse(u)
		}
		t.join(k, other, out)
		t.joined[k] = int32(other)
	}
	// Any missing move of the right would have been found above.
	if t.kind != Equivalent && moves > 0 {
		return nil // the right may have more moves, but a player is stuck in both or in none
	}
	for k, name := range r.names {
		if name == dropped || t.opt.In != rules.InPlay && l.find(name, t.now) >= 0 {
			continue
		}
		other, u := t.counterpart(1, k)
		if u != nil {
			return refuse(u)
		}
		if t.joined[other] != int32(k) {
			t.join(other, k, out)
		}
	}
	return nil
}

// counterpart returns the step of the other side which is the same move as step k of a side. If
// there is none, it says how the sides differ.
func (t *tandem) counterpart(side, k int) (int, *unlike) {
	own, other := t.hands[side], t.hands[1-side]
	u := &unlike{is: rules.MoveDiffers, actions: [2]int{rules.None, rules.None}}
	u.actions[side] = int(own.steps.Actions[k])
	at := other.find(own.names[k], t.now)
	if at >= 0 {
		u = t.unlike(side, k, at)
	}
	if u == nil || !t.opt.In.Boards() || at >= 0 && t.opt.In == rules.InNotation {
		return at, u
	}
	for j := range other.after {
		switch {
		case t.unlike(side, k, j) != nil:
		case t.opt.In == rules.InPlay:
			return j, nil
		default:
			u.is = rules.WrittenDiffers
			u.other, _ = other.name(int(other.steps.Actions[j]), other.state())
			return at, u
		}
	}
	if at < 0 && t.opt.In == rules.InPlay {
		u.is = rules.NoneAlike
	}
	return at, u
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
	if name >= 0 && int(name) < len(h.marks) && h.marks[name].when == now {
		return int(h.marks[name].step)
	}
	return -1
}

// state returns the state of this side.
func (h *hand) state() rules.State {
	h.codec.Unpack(h.key, h.flat)
	return h.flat.View(h.sys)
}

// moves computes the steps of one side, their notations and what is visible after them. If moves
// are known by notation, steps with the same one must lead to the same state.
func (t *tandem) moves(h *hand, pair []uint64, out *pack.Batch) error {
	h.load(pair)
	h.steps.Reset()
	h.steps.Check = out.Check
	if err := h.game.Expand(h.key, &h.steps); err != nil {
		return err
	}
	h.names = h.names[:0]
	var at rules.State
	for k, a := range h.steps.Actions {
		id := h.numbers[a]
		if id < 0 {
			if at.Seeds == nil { // it is unpacked once, and only if some notation depends on it
				at = h.state()
			}
			switch name, err := h.name(int(a), at); {
			case err == nil:
				id = numberOf(t.names, name)
			case t.opt.In != rules.InPlay:
				return err
			default:
				id = unnamed
			}
		}
		for int(id) >= len(h.marks) {
			h.marks = append(h.marks, mark{})
		}
		switch w := len(h.key); {
		case id < 0:
		case h.marks[id].when != t.now:
			h.marks[id] = mark{t.now, int32(k)}
		case slices.Equal(h.steps.Keys[k*w:(k+1)*w], h.steps.Keys[int(h.marks[id].step)*w:int(h.marks[id].step+1)*w]):
			id = dropped
		case t.opt.In != rules.InPlay:
			name, _ := h.name(int(a), h.state())
			return undecided("in %s, `%s` stands for several moves of one state", h.side.title, name)
		}
		h.names = append(h.names, id)
	}
	return h.see()
}

// see finds what is visible after each step.
func (h *hand) see() error {
	w := len(h.key)
	h.after, h.pairs = h.after[:0], h.pairs[:0]
	for k := range h.steps.Actions {
		to, from := h.steps.Keys[k*w:(k+1)*w], len(h.pairs)
		h.pairs = append(h.pairs, h.blank...)
		h.out.Carry(to, h.pairs[from:])
		var a after
		var err error
		if a.mover = h.mover(to); a.mover < 0 {
			h.codec.Unpack(to, h.flat)
			a.ended, a.points, err = h.end(h.flat.View(h.sys))
		}
		if err != nil {
			return err
		}
		h.after = append(h.after, a)
	}
	return nil
}

// mover returns the player to move in a state of this side, or -1 if the game is over.
func (h *hand) mover(key []uint64) int {
	st := h.codec.Status()
	if p := key[st.Word] >> (st.Shift & 63) & st.Mask; p < uint64(len(h.sys.Players)) {
		return int(p)
	}
	return -1
}

// pair returns the part of the new pair that step k determines.
func (h *hand) pair(k int) []uint64 { return h.pairs[k*len(h.blank):][:len(h.blank)] }

// unlike says how what is visible after step k of a side differs from what is visible after step
// other of the other side; nil if it does not.
func (t *tandem) unlike(side, k, other int) *unlike {
	steps := [2]int{k, k}
	steps[1-side] = other
	l, r := t.hands[0], t.hands[1]
	from, to := l.pair(steps[0]), r.pair(steps[1])
	differs := uint64(0)
	for i, b := range t.boards {
		differs |= (from[i] ^ to[i]) & b
	}
	a, b := &l.after[steps[0]], &r.after[steps[1]]
	u := unlike{actions: [2]int{int(l.steps.Actions[steps[0]]), int(r.steps.Actions[steps[1]])}}
	switch {
	case differs != 0:
		u.is = rules.BoardsDiffer
	case a.mover != b.mover || !slices.Equal(a.ended, b.ended):
		u.is, u.looks = rules.LooksDiffer, [2]Look{a.look(b), b.look(a)}
	case !slices.Equal(a.points, b.points):
		u.is, u.looks = rules.ScoresDiffer, [2]Look{{Points: a.points}, {Points: b.points}}
	default:
		return nil
	}
	return &u
}

// join appends the pair that two steps lead to, if the game goes on.
func (t *tandem) join(left, right int, out *pack.Batch) {
	l, r := t.hands[0], t.hands[1]
	if l.after[left].mover < 0 {
		out.Ends++
		return
	}
	n := len(out.Keys)
	out.Keys = append(out.Keys, l.pair(left)...)
	for i, w := range r.pair(right) {
		out.Keys[n+i] |= w
	}
	out.Actions = append(out.Actions, l.steps.Actions[left])
}

// look describes what is visible beside the board and the scores, for a message that says it of the
// other side, too.
func (a *after) look(other *after) Look {
	switch {
	case a.mover >= 0 && other.mover >= 0:
		return Look{Is: rules.ToMove, Player: a.mover}
	case a.mover >= 0:
		return Look{Is: rules.GoesOn}
	case a.ended[0] == endless:
		return Look{Is: rules.NeverEnds}
	case len(a.ended) == 1:
		return Look{Is: [...]rules.Standing{rules.Over, rules.Won, rules.Lost, rules.Drawn}[a.ended[0]]}
	}
	if p := slices.Index(a.ended, wins); p >= 0 {
		return Look{Is: rules.WonBy, Player: p}
	}
	if slices.Contains(a.ended, draws) {
		return Look{Is: rules.Drawn}
	}
	return Look{Is: rules.NobodyWon}
}

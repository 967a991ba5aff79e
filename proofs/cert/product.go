package cert

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// Product is the evidence of a set of pairs of live states, one of each System, which is closed
// under the same moves.
type Product struct{ Packed }

// NewProduct returns the evidence of a set of pairs of live states, one of each System. The set is
// closed under the same moves.
func NewProduct(left, right *rules.System, pairs [][2]rules.State) *Product {
	l, r := whole(left), whole(right)
	list := slices.SortedFunc(slices.Values(pairs), comparePairs)
	var out []byte
	for _, p := range list {
		out = partial.AppendState(partial.AppendState(out, p[0], l.kept), p[1], r.kept)
	}
	return &Product{packed(len(list), out)}
}

// comparePairs orders pairs by their left states, then by their right ones.
func comparePairs(p, q [2]rules.State) int {
	if c := p[0].Compare(q[0]); c != 0 {
		return c
	}
	return p[1].Compare(q[1])
}

// pairs reverses the packing of NewProduct. Both sides decode from the same bytes in turn.
func (e *Product) pairs(ctx context.Context, l, r coder) ([][2]rules.State, error) {
	data, err := e.bytes()
	if err != nil {
		return nil, err
	}
	left, right := unpacking{coder: l, rest: data}, unpacking{coder: r}
	var pairs [][2]rules.State
	for len(left.rest) > 0 && !left.bad && !right.bad {
		if len(pairs)%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var p [2]rules.State
		p[0] = left.state()
		right.rest = left.rest
		p[1] = right.state()
		left.rest = right.rest
		if n := len(pairs); n > 0 && comparePairs(pairs[n-1], p) >= 0 {
			return nil, reject("pair %d of the set is out of order", n+1)
		}
		pairs = append(pairs, p)
	}
	if left.bad || right.bad || len(pairs) != e.Count {
		return nil, reject("the packed states are not %d pairs of states of these Systems", e.Count)
	}
	return pairs, nil
}

// product checks a set of pairs. It must contain every pair of live starts that look alike and,
// with a pair, for each step of the left a pair that it leads to with a step of the right that is
// the same move; and all these must look alike. Then every play of the left System looks like one
// of the right. The converse holds if every start and step of the right has a counterpart, too.
type product struct {
	*build.Relation
	sides  [2]*partner
	member map[string]bool // keys of both states, one after the other
	steps  int             // of the left
}

// partner is one of the two Systems with what is needed to play it.
type partner struct {
	coder
	m      *partial.Machine
	player *partial.Player
	reader *partial.Reader
	scores []*exec.Expr
	shown  []int // pits that are compared, in the order of the claim's pairs
	as     rules.Agreement
	name   string
}

// check checks the starts, then each pair of the set.
func (e *Product) check(ctx context.Context, st *statement, r *Report) error {
	claim, is := st.says.(relation)
	if !is || claim.Relates == build.Reverses {
		return st.unfit(e)
	}
	p := &product{Relation: claim.Relation, member: map[string]bool{}}
	if len(st.sys.OpenParams())+len(p.Other.OpenParams()) > 0 || len(st.sys.Players) != len(p.Other.Players) {
		return reject("pairs of states are no evidence about these Systems")
	}
	for i, sys := range []*rules.System{st.sys, p.Other} {
		m := partial.New(ctx, sys)
		p.sides[i] = &partner{coder: whole(sys), m: m, player: m.Player(), reader: m.Reader(), scores: lists.Map(sys.Scores, exec.ReadExpr), as: p.In, name: [...]string{"left", "right"}[i]}
		p.sides[i].shown = lists.Map(p.Pairs, func(pair [2]int) int { return pair[i] })
	}
	pairs, err := e.pairs(ctx, p.sides[0].coder, p.sides[1].coder)
	if err != nil {
		return err
	}
	for _, q := range pairs {
		p.member[p.sides[0].exactly(q[0])+p.sides[1].exactly(q[1])] = true
	}
	starts, err := p.starts(ctx, st.tries)
	if err != nil {
		return err
	}
	r.checked("starts, each with one that looks like it, and in the set", starts)
	for i, q := range pairs {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.closed(q); err != nil {
			return err
		}
	}
	r.checked("pairs of the set", len(pairs))
	r.checked("steps from them, each with one that is the same move, into the set", p.steps)
	r.Subject = subject(p.steps > 0)
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// exactly returns a key for a whole state.
func (s *partner) exactly(st rules.State) string { return string(partial.AppendState(nil, st, s.kept)) }

// keyOf is exactly for a state of package partial, all of whose parts must be known.
func (s *partner) keyOf(st partial.State) (string, error) {
	key, err := s.m.AppendKey(nil, st, s.kept)
	return string(key), err
}

// start is a start; starts are grouped by what can be seen of them.
type start struct {
	key  string
	live bool
}

// starts checks the starts, and returns how many different looks those of the left have.
func (p *product) starts(ctx context.Context, tries int) (int, error) {
	var by [2]map[string]start
	for i, s := range p.sides {
		var err error
		if by[i], err = s.starts(ctx, tries); err != nil {
			return 0, err
		}
	}
	for look, l := range by[0] {
		r, paired := by[1][look]
		if !paired {
			return 0, reject("a start of the left looks like none of the right")
		}
		if l.live && !p.member[l.key+r.key] {
			return 0, reject("a pair of starts is not in the set")
		}
	}
	if p.Relates == build.Equivalent && len(by[0]) != len(by[1]) {
		return 0, reject("a start of the right looks like none of the left")
	}
	return len(by[0]), nil
}

// starts returns the starts of one side by their looks. Live starts that look alike must be equal,
// or it would be unclear which is meant.
func (s *partner) starts(ctx context.Context, tries int) (map[string]start, error) {
	by := map[string]start{}
	return by, eachStart(ctx, s.m, tries, func(st partial.State) error {
		look, key, err := s.seen(st)
		if err != nil {
			return refuse.LeftOut(err, "the start %s", s.m.Text(st))
		}
		if !s.as.Boards() { // starts are known by their boards, whatever is compared
			board, err := s.board(st)
			if err != nil {
				return refuse.LeftOut(err, "the start %s", s.m.Text(st))
			}
			look += string(board)
		}
		if other, twice := by[look]; twice && (st.Live() || other.live) && other.key != key {
			return reject("two starts of the %s look alike: %s is one", s.name, s.m.Text(st))
		}
		by[look] = start{key, st.Live()}
		return nil
	})
}

// seen returns what can be seen of a state, and its key.
func (s *partner) seen(st partial.State) (look, key string, err error) {
	if look, err = s.look(st); err == nil {
		key, err = s.keyOf(st)
	}
	return look, key, err
}

// board returns the seeds of the compared pits.
func (s *partner) board(st partial.State) ([]byte, error) {
	var key []byte
	for _, pit := range s.shown {
		n, known := st.Seeds[pit].Is()
		if !known {
			return nil, &partial.Unknown{Part: st.Seeds[pit].Of}
		}
		key = binary.AppendVarint(key, int64(n))
	}
	return key, nil
}

// look returns everything that has to be the same in a state: the compared pits, who is to move
// and, if the game is over, how it ended for each player, and the scores.
func (s *partner) look(st partial.State) (string, error) {
	var key []byte
	if s.as.Boards() {
		var err error
		if key, err = s.board(st); err != nil {
			return "", err
		}
	}
	key = binary.AppendVarint(key, int64(st.Mover))
	if st.Live() {
		return string(key), nil
	}
	ended, err := s.ended(st)
	for _, how := range ended {
		key = binary.AppendVarint(key, int64(how))
	}
	if err != nil || s.as != rules.InScore {
		return string(key), err
	}
	points, err := s.points(st)
	for _, n := range points {
		key = binary.AppendVarint(key, int64(n))
	}
	return string(key), err
}

// fate is how a game ended for one player.
type fate int

const (
	over fate = iota // it ended, but nobody has won
	won
	wasLost
	drawn
	endless // a turn that goes on for ever
)

// ended returns how a finished game ended for each player. If the outcome leaves that to the scores
// and there are several players, the scores decide.
func (s *partner) ended(st partial.State) ([]fate, error) {
	o := &s.sys.Outcomes[st.Outcome]
	out := make([]fate, len(s.sys.Players))
	if o.Kind == rules.EndOutcome && len(out) > 1 && s.sys.Scores != nil {
		return out, s.byScores(st, out)
	}
	for p := range out {
		switch o.Kind {
		case rules.WinOutcome:
			if out[p] = wasLost; p == o.Winner {
				out[p] = won
			}
		case rules.LoseOutcome:
			out[p] = wasLost
		case rules.DrawOutcome:
			out[p] = drawn
		case rules.EndlessOutcome:
			out[p] = endless
		case rules.EndOutcome:
		}
	}
	return out, nil
}

// byScores fills in out: the player with the most points has won, and if there are several they
// have drawn.
func (s *partner) byScores(st partial.State, out []fate) error {
	points, err := s.points(st)
	if err != nil {
		return err
	}
	most := slices.Max(points)
	best := lists.Count(points, func(n int) bool { return n == most })
	for p, n := range points {
		switch {
		case n < most:
			out[p] = wasLost
		case best > 1:
			out[p] = drawn
		default:
			out[p] = won
		}
	}
	return nil
}

// points returns the scores of the players; none if the rules have no score.
func (s *partner) points(st partial.State) ([]int, error) {
	points := make([]int, len(s.sys.Scores))
	for p, x := range s.scores {
		v, err := s.reader.Eval(x, st, nil)
		if err != nil {
			return nil, err
		}
		n, known := v.Is()
		if !known {
			return nil, &partial.Unknown{Part: v.Of}
		}
		points[p] = n
	}
	return points, nil
}

// arrival is a state that a step leads to, with what can be seen of it, and its key.
type arrival struct {
	to        partial.State
	look, key string
}

// moves has the arrivals of the steps from a state, by what a move is known by: its notation, or
// what can be seen of the state after it.
type moves map[string][]arrival

// steps returns the steps of a state. Two with the same notation must lead to the same state, if
// moves are known by it.
func (s *partner) steps(st partial.State) (moves, error) {
	steps, err := s.player.Steps(st)
	if err != nil {
		return nil, refuse.LeftOut(err, "a move from %s", s.m.Text(st))
	}
	by := make(moves, len(steps))
	for _, step := range steps {
		a := arrival{to: step.To}
		if a.look, a.key, err = s.seen(step.To); err != nil {
			return nil, refuse.LeftOut(err, "a move from %s", s.m.Text(st))
		}
		if s.as == rules.InPlay {
			by[a.look] = append(by[a.look], a)
			continue
		}
		text, err := s.m.Notation(step.Action, st)
		if err != nil {
			return nil, refuse.LeftOut(err, "what is written for the move `%s` from %s", s.sys.ActionName(step.Action), s.m.Text(st))
		}
		text = strings.Join(strings.Fields(text), " ")
		if other, twice := by[text]; twice && other[0].key != a.key {
			return nil, reject("`%s` stands for several moves from %s", text, s.m.Text(st))
		}
		by[text] = []arrival{a}
	}
	return by, nil
}

// closed checks one pair of the set.
func (p *product) closed(q [2]rules.State) error {
	var from [2]partial.State
	var by [2]moves
	for i, s := range p.sides {
		if !q[i].Live() {
			return reject("a state of the set is over: %s", s.m.Text(s.m.Exactly(q[i])))
		}
		s.m.BlurInto(&from[i], q[i], s.kept)
		var err error
		if by[i], err = s.steps(from[i]); err != nil {
			return err
		}
	}
	if err := p.follows(0, from, by); err != nil {
		return err
	}
	p.steps += len(by[0])
	switch {
	case p.Relates == build.Equivalent:
		return p.follows(1, from, by)
	case len(by[0]) == 0 && len(by[1]) > 0: // otherwise the right may have more moves
		return reject("a move is legal in %s of the right, and none in %s", p.text(1, from[1]), p.text(0, from[0]))
	}
	return nil
}

// text describes a state of a side.
func (p *product) text(side int, st partial.State) string { return p.sides[side].m.Text(st) }

// follows checks that each move of a side is one of the other, too, and leads into the set.
func (p *product) follows(side int, from [2]partial.State, by [2]moves) error {
	for known, steps := range by[side] {
		for _, a := range steps {
			err := reject("a move is legal in %s of the %s, and not in %s", p.text(side, from[side]), p.sides[side].name, p.text(1-side, from[1-side]))
			for _, b := range by[1-side][known] {
				pair := [2]arrival{a, b}
				if side == 1 {
					pair = [2]arrival{b, a}
				}
				if err = p.into(from, pair); err == nil {
					break
				}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// into checks the states that the same move leads to.
func (p *product) into(from [2]partial.State, pair [2]arrival) error {
	l, r := pair[0], pair[1]
	switch {
	case l.look != r.look:
		return reject("after the same move from %s the states do not look alike: %s, and %s of the right", p.text(0, from[0]), p.text(0, l.to), p.text(1, r.to))
	case l.to.Live() && !p.member[l.key+r.key]:
		return reject("the set is not closed: the same move leads from %s to a pair that is not in it, %s and %s", p.text(0, from[0]), p.text(0, l.to), p.text(1, r.to))
	}
	return nil
}

// undoes checks that a move of the other System leads from the board after a step to the board
// before it. Only boards are compared, so the other System must have no other parts of states that
// matter.
type undoes struct {
	*build.Relation
	m      *partial.Machine
	player *partial.Player
}

func newUndoes(ctx context.Context, r *build.Relation) (*undoes, error) {
	if len(r.Other.Players) > 1 || len(r.Other.OpenParams()) > 0 {
		return nil, reject("the board does not show who takes a step back")
	}
	for i := range r.Other.Vars {
		if len(r.Other.Vars[i].Domain) > 1 {
			return nil, refuse.Open("the board does not show the value of `%s`", r.Other.Vars[i].Name)
		}
	}
	if len(r.Pairs) < len(r.Other.Pits) {
		return nil, refuse.Open("some pit is not compared")
	}
	m := partial.New(ctx, r.Other)
	return &undoes{r, m, m.Player()}, nil
}

// is reports whether a step from s to t is taken back.
func (u *undoes) is(s, t partial.State) (bool, error) {
	at := u.m.Empty()
	for _, pair := range u.Pairs {
		at.Seeds[pair[1]] = t.Seeds[pair[0]]
	}
	steps, err := u.player.Steps(at)
	if err != nil {
		return false, refuse.LeftOut(err, "a move of the other rules from %s", u.m.Text(at))
	}
	for _, step := range steps {
		back := true
		for _, pair := range u.Pairs {
			n, known := step.To.Seeds[pair[1]].Is()
			m, known2 := s.Seeds[pair[0]].Is()
			back = back && known && known2 && n == m
		}
		if back {
			return true, nil
		}
	}
	return false, nil
}

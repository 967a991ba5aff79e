package cert

import (
	"cmp"
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
// under steps with the same notation.
type Product struct{ Packed }

// NewProduct returns the evidence of a set of pairs of live states, one of each System. The set is
// closed under steps with the same notation.
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
// with a pair, every pair of live states that steps with the same notation lead to; and all these
// must look alike. Then every play of the left System looks like one of the right.
// The converse holds if every start and step of the right has a counterpart, too.
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
		p.sides[i] = &partner{coder: whole(sys), m: m, player: m.Player(), reader: m.Reader(), scores: lists.Map(sys.Scores, exec.ReadExpr), name: [...]string{"left", "right"}[i]}
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
	r.checked("steps from them, each with one that is written and looks like it, into the set", p.steps)
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

// look returns everything that can be seen of a state: the compared pits, who is to move and, if
// the game is over, how it ended for each player.
func (s *partner) look(st partial.State) (string, error) {
	var key []byte
	for _, pit := range s.shown {
		n, known := st.Seeds[pit].Is()
		if !known {
			return "", &partial.Unknown{Part: st.Seeds[pit].Of}
		}
		key = binary.AppendVarint(key, int64(n))
	}
	key = binary.AppendVarint(key, int64(st.Mover))
	if st.Live() {
		return string(key), nil
	}
	ended, err := s.ended(st)
	for _, how := range ended {
		key = binary.AppendVarint(key, int64(how))
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
	points := make([]int, len(out))
	for p, x := range s.scores {
		v, err := s.reader.Eval(x, st, nil)
		if err != nil {
			return err
		}
		n, known := v.Is()
		if !known {
			return &partial.Unknown{Part: v.Of}
		}
		points[p] = n
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

// written has the steps of a state by their notation.
type written map[string]partial.Step

// steps returns the steps of a state. Two with the same notation must lead to the same state.
func (s *partner) steps(st partial.State) (written, error) {
	steps, err := s.player.Steps(st)
	if err != nil {
		return nil, refuse.LeftOut(err, "a move from %s", s.m.Text(st))
	}
	by := make(written, len(steps))
	for _, step := range steps {
		text, err := s.m.Notation(step.Action, st)
		if err != nil {
			return nil, refuse.LeftOut(err, "what is written for the move `%s` from %s", s.sys.ActionName(step.Action), s.m.Text(st))
		}
		text = strings.Join(strings.Fields(text), " ")
		if other, twice := by[text]; twice {
			a, err := s.keyOf(other.To)
			b, also := s.keyOf(step.To)
			switch err = cmp.Or(err, also); {
			case err != nil:
				return nil, refuse.LeftOut(err, "a move from %s", s.m.Text(st))
			case a != b:
				return nil, reject("`%s` stands for several moves from %s", text, s.m.Text(st))
			}
			continue
		}
		by[text] = step
	}
	return by, nil
}

// closed checks one pair of the set.
func (p *product) closed(q [2]rules.State) error {
	l, r := p.sides[0], p.sides[1]
	var from [2]partial.State
	for i, s := range p.sides {
		if !q[i].Live() {
			return reject("a state of the set is over: %s", s.m.Text(s.m.Exactly(q[i])))
		}
		s.m.BlurInto(&from[i], q[i], s.kept)
	}
	left, err := l.steps(from[0])
	if err != nil {
		return err
	}
	right, err := r.steps(from[1])
	if err != nil {
		return err
	}
	for text, step := range left {
		other, has := right[text]
		if !has {
			return reject("`%s` is legal in %s, and not in %s of the right", text, l.m.Text(from[0]), r.m.Text(from[1]))
		}
		if err := p.into(text, from, step.To, other.To); err != nil {
			return err
		}
	}
	p.steps += len(left)
	// For refinement, the right side may have more moves, except where the left has none.
	if p.Relates == build.Equivalent || len(left) == 0 {
		for text := range right {
			if _, has := left[text]; !has {
				return reject("`%s` is legal in %s of the right, and not in %s", text, r.m.Text(from[1]), l.m.Text(from[0]))
			}
		}
	}
	return nil
}

// into checks the states that two steps with the same notation lead to.
func (p *product) into(text string, from [2]partial.State, to, other partial.State) error {
	l, r := p.sides[0], p.sides[1]
	a, key, err := l.seen(to)
	if err != nil {
		return refuse.LeftOut(err, "the move `%s` from %s", text, l.m.Text(from[0]))
	}
	b, more, err := r.seen(other)
	switch {
	case err != nil:
		return refuse.LeftOut(err, "the move `%s` from %s of the right", text, r.m.Text(from[1]))
	case a != b:
		return reject("after `%s` from %s the states do not look alike: %s, and %s of the right", text, l.m.Text(from[0]), l.m.Text(to), r.m.Text(other))
	case to.Live() && !p.member[key+more]:
		return reject("the set is not closed: `%s` leads from %s to a pair that is not in it, %s and %s", text, l.m.Text(from[0]), l.m.Text(to), r.m.Text(other))
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

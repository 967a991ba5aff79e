package main

import (
	"context"
	"math"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// textbook is alpha-beta to a fixed depth, with the score as its estimate, moves in the order of
// the rules, and no memory.
type textbook struct {
	sys     *rules.System
	in      *interp.Interp
	codec   *pack.Codec
	stepper *residual.Stepper
	flat    *pack.Flat
	status  pack.Field
	levels  []pack.Batch // by moves left
	terms   []term
}

// term is a part of the score of the first player less that of the second.
type term struct {
	pack.Field
	factor int
}

// won is above all scores.
const won = 1 << 20

func newTextbook(sys *rules.System, seeds, depth int) (*textbook, error) {
	t := &textbook{sys: sys, in: interp.New(sys), flat: pack.NewFlat(sys), levels: make([]pack.Batch, depth)}
	var err error
	if t.codec, err = pack.NewCodec(sys, seeds, rules.Parts{}); err != nil {
		return nil, err
	}
	t.stepper, t.status = residual.New(context.Background(), sys, t.codec), t.codec.Status()
	return t, t.addTerms()
}

// addTerms takes the scores apart, if they are sums. Otherwise the estimate asks the interpreter.
func (t *textbook) addTerms() error {
	var sum rules.Linear
	for p, x := range t.sys.Scores {
		if !sum.Add(x, 1-2*p) {
			return nil
		}
	}
	for _, x := range sum.Terms {
		pit, fixed := rules.SeedsOf(x.X)
		f, has := t.codec.Cell(pit)
		if !fixed || !has {
			t.terms = nil
			return nil
		}
		t.terms = append(t.terms, term{f, x.Factor})
	}
	return nil
}

// choose returns the step that it thinks best for the player to move, the first of several.
func (t *textbook) choose(steps []interp.Step, mover int) (interp.Step, error) {
	best, at := math.MinInt, 0
	for i, s := range steps {
		key := make([]uint64, t.codec.Words())
		t.flat.Set(s.To)
		if err := t.codec.Pack(t.flat, key); err != nil {
			return s, err
		}
		alpha, beta := best, math.MaxInt
		if mover == 1 {
			alpha, beta = -math.MaxInt, -best
			if best == math.MinInt {
				beta = math.MaxInt
			}
		}
		v, err := t.search(key, len(t.levels)-1, alpha, beta)
		if err != nil {
			return s, err
		}
		if v *= 1 - 2*mover; v > best {
			best, at = v, i
		}
	}
	return steps[at], nil
}

// search returns what a state is worth to the first player.
func (t *textbook) search(key []uint64, left, alpha, beta int) (int, error) {
	mover := int(key[t.status.Word] >> t.status.Shift & t.status.Mask)
	if mover >= len(t.sys.Players) {
		return t.result(key)
	}
	if left == 0 {
		return t.estimate(key)
	}
	b := &t.levels[left]
	b.Reset()
	if err := t.stepper.Expand(key, b); err != nil || len(b.Actions) == 0 {
		return 0, err
	}
	for words := len(key); len(b.Keys) > 0; b.Keys = b.Keys[words:] {
		v, err := t.search(b.Keys[:words:words], left-1, alpha, beta)
		if err != nil {
			return 0, err
		}
		if mover == 0 {
			alpha = max(alpha, v)
		} else {
			beta = min(beta, v)
		}
		if alpha >= beta {
			break
		}
	}
	if mover == 0 {
		return alpha, nil
	}
	return beta, nil
}

// estimate is the score of the first player less that of the second.
func (t *textbook) estimate(key []uint64) (int, error) {
	if t.terms == nil {
		return t.score(key)
	}
	sum := 0
	for i := range t.terms {
		x := &t.terms[i]
		sum += x.factor * int(key[x.Word]>>x.Shift&x.Mask)
	}
	return sum, nil
}

func (t *textbook) score(key []uint64) (int, error) {
	t.codec.Unpack(key, t.flat)
	return margin(t.in, t.flat.View(t.sys))
}

// margin is the score of the first player less that of the second; 0 if there is none.
func margin(in *interp.Interp, st rules.State) (sum int, err error) {
	scores, err := in.Scores(st)
	for p, v := range scores {
		sum += (1 - 2*p) * v
	}
	return sum, err
}

// result is what a finished state is worth: a win is more than any score.
func (t *textbook) result(key []uint64) (int, error) {
	t.codec.Unpack(key, t.flat)
	v, err := t.score(key)
	return v + won*winner(t.sys, t.flat.View(t.sys), v), err
}

// winner is 1 if the first player has won a finished game, -1 if the second has, and else 0.
func winner(sys *rules.System, st rules.State, margin int) int {
	switch o := &sys.Outcomes[st.Outcome]; o.Kind {
	case rules.WinOutcome:
		return 1 - 2*o.Winner
	case rules.EndOutcome:
		return max(-1, min(margin, 1))
	}
	return 0
}

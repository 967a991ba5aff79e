package term

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// sum is a partial sum: a constant, multiples of terms in order of appearance, and products that
// cannot be merged because a factor would be out of range.
type sum struct {
	b      *Builder
	small  int
	big    *big.Int // instead of small, once that overflows
	factor map[*Term]int
	order  []*Term
	apart  []*Term
}

// add adds k times x.
func (s *sum) add(k int, x *Term) {
	if x.Op == Mul {
		if kk, ok := num.Mul(k, x.Value); ok {
			k, x = kk, x.Args[0]
		}
	}
	if x.Op == Const {
		s.constant(k, x.Value)
		return
	}
	old, seen := s.factor[x]
	sum, ok := num.Add(old, k)
	if !ok {
		s.apart = append(s.apart, s.b.times(k, x))
		return
	}
	if !seen {
		s.order = append(s.order, x)
	}
	s.factor[x] = sum
}

// constant adds k times v.
func (s *sum) constant(k, v int) {
	if s.big == nil {
		p, ok := num.Mul(k, v)
		if ok {
			p, ok = num.Add(s.small, p)
		}
		if ok {
			s.small = p
			return
		}
		s.big = big.NewInt(int64(s.small))
	}
	s.big.Add(s.big, product(k, v))
}

func product(k, v int) *big.Int {
	return new(big.Int).Mul(big.NewInt(int64(k)), big.NewInt(int64(v)))
}

func (s *sum) term() *Term {
	byID := func(x, y *Term) int { return cmp.Compare(x.ID, y.ID) }
	slices.SortFunc(s.order, byID)
	var args []*Term
	for _, x := range s.order {
		if k := s.factor[x]; k != 0 {
			args = append(args, s.b.times(k, x))
		}
	}
	slices.SortFunc(s.apart, byID)
	args = append(args, s.apart...)
	switch {
	case s.big != nil && (s.big.Sign() != 0 || len(args) == 0):
		args = append(args, s.b.constants(s.big)...)
	case s.big == nil && (s.small != 0 || len(args) == 0):
		args = append(args, s.b.Int(s.small))
	}
	if len(args) == 1 {
		return args[0]
	}
	return s.b.make(Term{Op: Add, Sort: Int, Args: args})
}

// part is the factor by which a constant out of range is split.
const part = 1 << 60

// constants returns terms whose sum is v: one constant if it is in range, otherwise several terms
// of one sign.
func (b *Builder) constants(v *big.Int) []*Term {
	if v.IsInt64() && num.In(int(v.Int64())) {
		return []*Term{b.Int(int(v.Int64()))}
	}
	q, r := new(big.Int).QuoRem(v, big.NewInt(part), new(big.Int))
	list := lists.Map(b.constants(q), func(x *Term) *Term { return b.make(Term{Op: Mul, Sort: Int, Value: part, Args: []*Term{x}}) })
	if r.Sign() != 0 {
		list = append(list, b.Int(int(r.Int64())))
	}
	return list
}

package term

import (
	"math/big"

	"github.com/mancheck/mancheck/dsl/num"
)

// Eval computes t, with value giving the variables (a Bool as 0 or 1). The result may be of any
// size.
func Eval(t *Term, value func(name string) *big.Int) *big.Int {
	memo := map[*Term]*big.Int{}
	var eval func(*Term) *big.Int
	eval = func(t *Term) *big.Int {
		if v, ok := memo[t]; ok {
			return v
		}
		v := apply(t, value, eval)
		memo[t] = v
		return v
	}
	return eval(t)
}

func apply(t *Term, value func(string) *big.Int, eval func(*Term) *big.Int) *big.Int {
	switch t.Op {
	case Const:
		return big.NewInt(int64(t.Value))
	case Var:
		return value(t.Name)
	case Not:
		return truth(eval(t.Args[0]).Sign() == 0)
	case Mul:
		k := big.NewInt(int64(t.Value))
		return k.Mul(k, eval(t.Args[0]))
	case Ite:
		if eval(t.Args[0]).Sign() != 0 {
			return eval(t.Args[1])
		}
		return eval(t.Args[2])
	case Add:
		n := new(big.Int)
		for _, a := range t.Args {
			n.Add(n, eval(a))
		}
		return n
	case And, Or:
		for _, a := range t.Args {
			if (eval(a).Sign() != 0) == (t.Op == Or) {
				return truth(t.Op == Or)
			}
		}
		return truth(t.Op == And)
	}
	order := eval(t.Args[0]).Cmp(eval(t.Args[1]))
	return truth(t.Op == Eq && order == 0 || t.Op == Le && order <= 0 || t.Op == Lt && order < 0)
}

func truth(b bool) *big.Int { return big.NewInt(int64(num.Truth(b))) }

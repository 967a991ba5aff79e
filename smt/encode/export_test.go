package encode

import (
	"math/big"

	"github.com/mancheck/mancheck/smt/term"
)

// Value evaluates t, with value giving the variables of states; quotients are computed.
func (e *arithmetic) Value(t *term.Term, value func(name string) int) *big.Int {
	own := map[string]*big.Int{}
	lookup := func(name string) *big.Int {
		if v, ok := own[name]; ok {
			return v
		}
		return big.NewInt(int64(value(name)))
	}
	for _, q := range e.quotientsIn(t) {
		d := e.defined[q]
		by := big.NewInt(int64(d.divisor)) // positive, so that Div rounds down
		own[q.Name] = by.Div(term.Eval(d.dividend, lookup), by)
	}
	return term.Eval(t, lookup)
}

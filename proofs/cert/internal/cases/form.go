package cases

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/num"
)

// form is a number: a constant, and some unknowns times factors.
type form struct {
	c     int
	terms []term // by unknown; no factor is 0
}

type term struct{ unknown, times int }

func constant(n int) form { return form{c: n} }

// is returns the number, if it has no unknowns.
func (f form) is() (n int, known bool) { return f.c, len(f.terms) == 0 }

// plus returns f and k times g.
func (f form) plus(g form, k int) (form, error) {
	out := form{terms: make([]term, 0, len(f.terms)+len(g.terms))}
	times := func(n int) int {
		p, ok := num.Mul(n, k)
		if !ok {
			p = num.Inf
		}
		return p
	}
	sound := true
	sum := func(a, b int) int {
		s := a + b // neither is beyond num.Inf
		sound = sound && num.In(b) && num.In(s)
		return s
	}
	out.c = sum(f.c, times(g.c))
	for i, j := 0, 0; i < len(f.terms) || j < len(g.terms); {
		t := term{}
		switch {
		case j == len(g.terms) || i < len(f.terms) && f.terms[i].unknown < g.terms[j].unknown:
			t = f.terms[i]
			i++
		case i == len(f.terms) || g.terms[j].unknown < f.terms[i].unknown:
			t = term{g.terms[j].unknown, sum(0, times(g.terms[j].times))}
			j++
		default:
			t = term{f.terms[i].unknown, sum(f.terms[i].times, times(g.terms[j].times))}
			i, j = i+1, j+1
		}
		if t.times != 0 {
			out.terms = append(out.terms, t)
		}
	}
	if !sound {
		return form{}, open("a number is too large")
	}
	return out, nil
}

// OpenError says why something is not shown. It may be true or false.
type OpenError struct{ Reason string }

func (e *OpenError) Error() string { return e.Reason }

func open(format string, args ...any) error { return &OpenError{fmt.Sprintf(format, args...)} }

package cases

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/script"
)

// path is one case: the choices made so far, and what they say of the unknowns. What it does not
// know of them, such as that several facts together contradict each other, only makes more cases.
type path struct {
	script.Script
	bounds []num.Interval // of each unknown
	equals []*form        // what an unknown is equal to; nil: nothing is known
	facts  []form         // each is at least 0
	asked  int            // questions that were not answered without looking
}

// mostFacts bounds the facts that are kept.
const mostFacts = 32

// begin forgets what is known, and follows the script from its beginning.
func (p *path) begin() { p.bounds, p.equals, p.facts = p.bounds[:0], p.equals[:0], p.facts[:0] }

// unknown makes an unknown that lies in an interval.
func (p *path) unknown(in num.Interval) form {
	p.bounds, p.equals = append(p.bounds, in), append(p.equals, nil)
	return form{terms: []term{{len(p.bounds) - 1, 1}}}
}

// now is f with what is known of its unknowns put in.
func (p *path) now(f form) (form, error) {
	for {
		i := 0
		for i < len(f.terms) && p.equals[f.terms[i].unknown] == nil {
			i++
		}
		if i == len(f.terms) {
			return f, nil
		}
		t := f.terms[i]
		less, err := f.plus(form{terms: []term{t}}, -1)
		if err == nil {
			f, err = less.plus(*p.equals[t.unknown], t.times)
		}
		if err != nil {
			return form{}, err
		}
	}
}

// interval holds the values of f that the bounds of its unknowns allow.
func (p *path) interval(f form) num.Interval {
	sum := num.Point(f.c)
	for _, t := range f.terms {
		sum = sum.Plus(p.bounds[t.unknown].Times(num.Point(t.times)))
	}
	return sum
}

// between is what is known of the value of f, in which everything known is put in.
func (p *path) between(f form) (num.Interval, error) {
	lo, err := p.least(f)
	if err != nil {
		return num.Interval{}, err
	}
	negative, err := form{}.plus(f, -1)
	if err != nil {
		return num.Interval{}, err
	}
	hi, err := p.least(negative)
	return num.Interval{Lo: lo, Hi: -hi}, err
}

// least is a number that f is not less than, by the bounds of its unknowns or by one fact and them.
func (p *path) least(f form) (int, error) {
	least := p.interval(f).Lo
	for i := range p.facts {
		fact, err := p.now(p.facts[i])
		if err != nil {
			return 0, err
		}
		p.facts[i] = fact
		rest, err := f.plus(fact, -1)
		if err != nil {
			return 0, err
		}
		least = max(least, p.interval(rest).Lo)
	}
	return least, nil
}

// split chooses one of some intervals in which f may lie, and returns its index. Together they hold
// all values that f may have.
func (p *path) split(f form, parts ...num.Interval) (which int, err error) {
	if f, err = p.now(f); err != nil {
		return 0, err
	}
	in := num.Point(f.c)
	if _, known := f.is(); !known {
		p.asked++
		if in, err = p.between(f); err != nil {
			return 0, err
		}
	}
	var open []int
	for i, part := range parts {
		if part.Meets(in) {
			open = append(open, i)
		}
	}
	switch len(open) {
	case 0:
		return 0, script.ErrNoWay
	case 1:
		return open[0], nil
	}
	which = open[p.Choose(len(open))]
	return which, cmp.Or(p.Err(), p.within(f, parts[which]))
}

// within takes down that f lies in an interval.
func (p *path) within(f form, in num.Interval) error {
	if in.Lo > -num.Inf {
		if err := p.assume(f, 1, -in.Lo); err != nil {
			return err
		}
	}
	if in.Hi < num.Inf {
		if err := p.assume(f, -1, in.Hi); err != nil {
			return err
		}
	}
	if in.IsPoint() {
		return p.equate(f, in.Lo)
	}
	return nil
}

// assume takes down that times·f + more is at least 0.
func (p *path) assume(f form, times, more int) error {
	f, err := constant(more).plus(f, times)
	if err != nil || p.interval(f).Lo >= 0 {
		return err
	}
	if p.interval(f).Hi < 0 {
		return script.ErrNoWay
	}
	for i, t := range f.terms {
		rest := form{f.c, slices.Concat(f.terms[:i], f.terms[i+1:])}
		if most := p.interval(rest).Hi; most < num.Inf {
			if err := p.narrow(t.unknown, num.AtLeast(-most).Factor(t.times)); err != nil {
				return err
			}
		}
	}
	if len(f.terms) > 1 && len(p.facts) < mostFacts {
		p.facts = append(p.facts, f)
	}
	return nil
}

// narrow takes down that an unknown lies in an interval.
func (p *path) narrow(unknown int, in num.Interval) error {
	b := &p.bounds[unknown]
	if b.Lo, b.Hi = max(b.Lo, in.Lo), min(b.Hi, in.Hi); b.Lo > b.Hi {
		return script.ErrNoWay
	}
	if b.IsPoint() && p.equals[unknown] == nil {
		n := constant(b.Lo)
		p.equals[unknown] = &n
	}
	return nil
}

// equate puts in what an unknown of f is, if f has the value n.
func (p *path) equate(f form, n int) error {
	f, err := p.now(f)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(f.terms, func(t term) bool { return t.times == 1 || t.times == -1 })
	if i < 0 {
		return nil // the bounds are known, or the facts
	}
	t := f.terms[i]
	value, err := constant(t.times*n).plus(form{f.c, slices.Concat(f.terms[:i], f.terms[i+1:])}, -t.times)
	if err != nil {
		return err
	}
	p.equals[t.unknown] = &value
	return p.within(value, p.bounds[t.unknown])
}

package gen

import "slices"

// production is one way to write something. A describes the place in which it stands.
type production[A any] struct {
	name   string
	weight int                          // how often it is drawn, in proportion to the others of its table
	write  func(w *writer, at A) string // the text, or nothing where it cannot stand
	themes map[theme]int                // its weight in files of some themes
	vary   func(w *writer, at A) int    // its weight, where that depends on the place
}

// weightAt returns the weight at a place: vary goes before themes, and these before weight.
func (p *production[A]) weightAt(w *writer, at A) int {
	if p.vary != nil {
		return p.vary(w, at)
	}
	if n, ok := p.themes[w.theme]; ok {
		return n
	}
	return p.weight
}

// table is all ways to write something. Its productions call one another, so tables are filled by
// init functions.
type table[A any] struct{ list []production[A] }

// names lists all productions with the names of their tables, for tests that every one is drawn.
var names []string

// newTable makes a table and registers its productions.
func newTable[A any](name string, list ...production[A]) *table[A] {
	for i := range list {
		list[i].name = name + ": " + list[i].name
		names = append(names, list[i].name)
	}
	return &table[A]{list}
}

// Productions lists the names of all productions. Used of a file counts those that wrote it.
func Productions() []string { return slices.Sorted(slices.Values(names)) }

// draw draws a production and lets it write. The text is empty if the production cannot stand
// there; the caller then draws again or leaves the thing out.
func (t *table[A]) draw(w *writer, at A) string {
	weights := make([]int, 0, 16)
	for i := range t.list {
		weights = append(weights, t.list[i].weightAt(w, at))
	}
	p := &t.list[w.weighted(weights...)]
	text := p.write(w, at)
	if text != "" {
		w.used[p.name]++
	}
	return text
}

// insist draws until a production can stand. Its table must have one that always can.
func (t *table[A]) insist(w *writer, at A) string {
	for {
		if x := t.draw(w, at); x != "" {
			return x
		}
	}
}

// where gives a production its weight only where a condition holds.
func where[A any](weight int, holds func(w *writer, at A) bool) func(*writer, A) int {
	return func(w *writer, at A) int {
		if holds(w, at) {
			return weight
		}
		return 0
	}
}

// fixed returns a write function for texts that do not depend on the place.
func fixed[A any](texts ...string) func(*writer, A) string {
	return func(w *writer, _ A) string {
		if len(texts) == 1 {
			return texts[0]
		}
		return w.one(texts...)
	}
}

// share is a value with its weight.
type share[T any] struct {
	weight int
	value  T
}

// pick picks a value, in proportion to the weights.
func pick[T any](c chance, shares ...share[T]) T {
	weights := make([]int, len(shares))
	for i, s := range shares {
		weights[i] = s.weight
	}
	return shares[c.weighted(weights...)].value
}

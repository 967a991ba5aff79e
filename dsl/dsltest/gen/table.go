package gen

import "slices"

// production is one way to write something. A is what it is told of the place it stands in.
type production[A any] struct {
	name   string
	weight int                          // how often it is drawn, in proportion to the others of its table
	write  func(w *writer, at A) string // the text, or nothing where it cannot stand
	themes map[theme]int                // its weight in files of some themes
	vary   func(w *writer, at A) int    // its weight, where that depends on the place
}

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

// names are those of all productions, with the names of their tables.
var names []string

func newTable[A any](name string, list ...production[A]) *table[A] {
	for i := range list {
		list[i].name = name + ": " + list[i].name
		names = append(names, list[i].name)
	}
	return &table[A]{list}
}

// Productions lists the names of all productions. Each file tells in Used which of them wrote it.
func Productions() []string { return slices.Sorted(slices.Values(names)) }

// draw writes by a production that is drawn. It is nothing where that cannot stand.
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

// insist draws until something can stand.
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

// fixed writes one of some texts, wherever it stands.
func fixed[A any](texts ...string) func(*writer, A) string {
	return func(w *writer, _ A) string {
		if len(texts) == 1 {
			return texts[0]
		}
		return w.one(texts...)
	}
}

// share is a value with how often it is picked.
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

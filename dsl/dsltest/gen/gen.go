// Package gen writes random rules files, as text. They use every production of the grammar and
// every clause of a claim, in all combinations, and are small enough to be played naively.
//
//	gen.go     a file and its declarations
//	chance.go  where the choices come from
//	table.go   productions with their weights, and which were drawn
//	variant.go what is known of a variant while it is written
//	board.go   parameters, players, pits, laps, groups
//	state.go   state variables
//	define.go  definitions; procedure.go procedures
//	setup.go   setups
//	move.go    moves and their choices
//	stmt.go    statements
//	ending.go  endings and scores
//	expr.go    numbers and conditions; pits.go pits and sets
//	number.go  constants, of any size
//	decl.go    positions, strategies
//	claim.go   claims and their clauses; value.go those about values
//	change.go  a variant that differs from another in one place
//	spoil.go   files with mistakes
//
// Package cover counts what the files use.
package gen

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// File is a rules file.
type File struct {
	Text  string            // the root file
	Parts map[string]string // the files that it imports, by path
	Used  map[string]int    // how often each production was written, also in what was then changed
}

// Whole is all text of a file, imports first.
func (f *File) Whole() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.Parts)) {
		text := f.Parts[name]
		if strings.HasSuffix(name, ".csv") {
			text = "// " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n// ")
		}
		fmt.Fprintf(&b, "// file %s\n%s\n", name, text)
	}
	b.WriteString(f.Text)
	return b.String()
}

// New writes the file of a seed.
func New(seed uint64) *File { return With(seed, 0) }

// With writes the file of a seed with so many more claims.
func With(seed uint64, more int) *File {
	w := newWriter(rand.NewPCG(0x736f77, seed))
	w.more = more
	w.temper()
	return w.file()
}

// Slow writes the file of a seed with a setup that takes long to be seen to have no start for some
// value. Runs over it are interrupted at telling moments.
func Slow(seed uint64) *File {
	w := newWriter(rand.NewPCG(0x736c6f77, seed))
	w.slow = true
	w.temper()
	return w.file()
}

// Contested writes the file of a seed in which two players contest small games, and all claims are
// about what positions are worth and what a player can force.
func Contested(seed uint64) *File {
	w := newWriter(rand.NewPCG(0x776f727468, seed))
	w.only, w.theme = true, contested
	return w.file()
}

// Game writes the file of a seed that has one variant and no claims. Mostly it can be resolved. Its
// starts are the ways to put a few seeds into two pits.
func Game(seed uint64) *File {
	w := newWriter(rand.NewPCG(0x67616d65, seed))
	w.temper()
	w.slips, w.huge = 0, 0
	if w.theme == vast {
		w.theme = anything
	}
	w.outside()
	w.stepsOutside()
	v := w.variant("A")
	var held []string
	for _, i := range w.Perm(len(v.pits))[:min(2, len(v.pits))] {
		held = append(held, "seeds("+v.pits[i].name+")")
	}
	v.setup = fmt.Sprintf("setup { any where %s = %d }", strings.Join(held, " + "), w.between(1, 6))
	w.variants = []*variant{v}
	var b strings.Builder
	w.shared(&b)
	b.WriteString(w.variants[0].text(w.chance))
	return &File{Text: b.String(), Used: w.used}
}

// From writes a file with choices made by a source.
func From(src rand.Source) *File {
	w := newWriter(src)
	w.temper()
	return w.file()
}

func newWriter(src rand.Source) *writer {
	return &writer{chance: chance{rand.New(src)}, used: map[string]int{}}
}

// writer writes one file.
type writer struct {
	chance
	used     map[string]int // productions
	risk     int            // percent of places where the rules may break in play
	slips    int            // percent of places that may not even resolve
	huge     int            // percent of constants that are huge
	tangled  bool           // bodies are long and deep
	slow     bool           // setups take long
	only     bool           // claims are all about values
	theme    theme
	variants []*variant
	places   []position
	plans    []strategy
	labels   int               // claims written
	more     int               // claims beyond the usual number
	common   []definition      // outside of variants
	steps    []procedure       // likewise
	lists    map[string]string // files that claims name
}

// theme is a corner of the language that a file keeps to, so that what is rare by itself meets
// itself.
type theme int

const (
	anything  theme = iota
	faulty          // a move that meets a fault in some states
	startless       // setups without starts for any value, and claims for all values
	curving         // setups with products, and claims for all values
	likened         // variants that differ in how they end or in what the first lap does not show, and are compared
	vast            // numbers of any size
	contested       // two players with scores, who seldom get stuck, and claims about what they can get
	ordered         // several players of whom not the first begins, with laps of their own and words that go by their order
	themes
)

// temper draws what kind of file it becomes.
func (w *writer) temper() {
	if w.percent(60) {
		w.theme = 1 + theme(w.n(int(themes)-1))
	}
	w.risk = pick(w.chance, share[int]{60, 0}, share[int]{25, 6}, share[int]{15, 25})
	if w.percent(10) {
		w.slips = 4
	}
	w.huge = pick(w.chance, share[int]{80, 0}, share[int]{14, 6}, share[int]{6, 30})
	w.tangled = w.percent(25)
	switch w.theme {
	case faulty:
		w.risk = max(w.risk, 6)
	case vast:
		w.huge = 40
	}
}

// file writes all declarations. Some stand in another file.
func (w *writer) file() *File {
	w.declare()
	out := &File{Used: w.used}
	var base, root, bottom strings.Builder
	if w.percent(10) {
		root.WriteString("language 2\n")
	}
	apart := w.percent(12)
	into, first := &root, &root
	if apart {
		into, first = &base, &base
		root.WriteString("import \"base.sow\"\n")
	}
	nested := apart && w.percent(40)
	if nested { // what is shared stands in a third file, which the root may import once more
		first = &bottom
		base.WriteString("import \"shared.sow\"\n")
		root.WriteString(w.one("", "import \"shared.sow\"\n"))
	}
	w.shared(first)
	for _, v := range w.variants {
		into.WriteString(v.text(w.chance))
	}
	for i := range 1 + w.n(3) {
		into.WriteString(w.position(i))
	}
	for i := range w.n(3) {
		into.WriteString(w.strategy(i))
	}
	for range 8 + w.n(6) + w.more {
		root.WriteString(w.claim())
	}
	out.Text = root.String()
	if out.Parts = w.lists; apart {
		if out.Parts == nil {
			out.Parts = map[string]string{}
		}
		out.Parts["base.sow"] = base.String()
		if nested {
			out.Parts["shared.sow"] = bottom.String()
		}
	}
	if w.percent(4) {
		out.Text = w.spoiled(out.Text)
	}
	return out
}

// shared writes the definitions and boards that stand outside of variants.
func (w *writer) shared(into *strings.Builder) {
	for _, d := range w.common {
		into.WriteString(w.doc() + d.text + "\n")
	}
	for _, p := range w.steps {
		into.WriteString(w.doc() + p.text + "\n")
	}
	lenders := map[string]*variant{}
	for _, v := range w.variants {
		if v.shared == "" {
			continue
		}
		if lenders[v.shared] == nil {
			lenders[v.shared] = v
			into.WriteString(w.doc() + v.outside() + "\n")
		}
		v.lender = lenders[v.shared]
	}
}

// declare draws the variants: often one, and another that is much like it.
func (w *writer) declare() {
	w.outside()
	w.stepsOutside()
	first := w.variant("A")
	w.variants = []*variant{first}
	if w.theme == likened || w.theme == ordered || w.percent(45) {
		w.variants = append(w.variants, w.changed(first, "B"))
	}
	if w.percent(8) {
		w.variants = append(w.variants, w.variant("C"))
	}
	for _, v := range w.variants {
		v.prune()
	}
}

// prune forgets the outcomes of what a change has taken away.
func (v *variant) prune() {
	text := strings.Join(v.endings, "\n")
	for _, m := range v.moves {
		text += "\n" + strings.Join(m.body, "\n")
	}
	text = v.carried(text)
	v.results = slices.DeleteFunc(v.results, func(r string) bool { return !strings.Contains(text, strings.Trim(r, `"`)) })
}

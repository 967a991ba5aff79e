package agree

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// A game is its variant: what a file declares beside it, and the variant does not use, changes
// nothing. Spare compares a file with itself and such declarations, which name all that the boards
// have: pits, groups, laps and relations, also those that follow from the picture and that no
// variant uses, variables, players and outcomes.

// source is the text of a root file, those of files that it imports, by name, and where it reads
// others.
type source struct {
	path, text string
	parts      map[string]string
	read       func(path string) ([]byte, error)
	first      bool // only the first instance of each claim is looked at
}

// open reads the file or another.
func (s *source) open(path string) ([]byte, error) {
	if path == s.path {
		return []byte(s.text), nil
	}
	if text, is := s.parts[filepath.Base(path)]; is {
		return []byte(text), nil
	}
	return s.read(path)
}

// instances makes those of a claim that are looked at.
func (s *source) instances(unit *build.Unit, cl *ast.Claim) ([]*build.Instance, diag.List) {
	read, diags := unit.Claim(cl)
	if s.first {
		return read.First(nil, &diags), diags
	}
	return read.Instances(nil, &diags), diags
}

// place is where unused declarations stand.
type place struct {
	name string
	add  func(f *source, vs []*ast.Variant, list []*rules.System) *source
	// group says that boards get a group, which they show.
	group bool
}

var places = []place{
	{name: "behind all, in variants and in an import", add: func(f *source, vs []*ast.Variant, list []*rules.System) *source {
		out := inVariants(f, vs, list, func(v *ast.Variant, sys *rules.System) (int, string) {
			return v.Span().End.Offset - 1, "\n" + newWords(sys).definitions("inner") + "\n"
		})
		out.parts = maps.Clone(f.parts)
		if out.parts == nil {
			out.parts = map[string]string{}
		}
		out.parts["zz_spare.sow"] = spares("lent", vs, list, false)
		out.text = behindHead(out.text, "import \"zz_spare.sow\"\n") + "\n" + spares("own", vs, list, true)
		return out
	}},
	{name: "before all, and groups of boards", group: true, add: func(f *source, vs []*ast.Variant, list []*rules.System) *source {
		out := inVariants(f, vs, list, func(v *ast.Variant, sys *rules.System) (int, string) {
			for _, b := range ast.Items[*ast.Board](v) {
				if len(b.Picture) > 0 {
					return b.Span().End.Offset - 1, "\n  group zz_group = pit\n"
				}
			}
			return -1, ""
		})
		out.text = behindHead(out.text, spares("own", vs, list, true))
		return out
	}},
}

// behindHead puts a text behind the line of a file that says its language.
func behindHead(text, add string) string {
	if head, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(head, "language") {
		return head + "\n" + add + rest
	}
	return add + text
}

// inVariants inserts a text into each variant.
func inVariants(f *source, vs []*ast.Variant, list []*rules.System, text func(*ast.Variant, *rules.System) (int, string)) *source {
	out := &source{path: f.path, read: f.read, first: f.first, text: f.text, parts: f.parts}
	for i, v := range slices.Backward(vs) {
		if list[i] == nil || v.Span().File != f.path {
			continue
		}
		if at, add := text(v, list[i]); at >= 0 {
			out.text = out.text[:at] + add + out.text[at:]
		}
	}
	return out
}

// spares are unused declarations for each variant. Those of a file that is imported do not name
// the variants.
func spares(tag string, vs []*ast.Variant, list []*rules.System, named bool) string {
	var b strings.Builder
	for i, v := range vs {
		if list[i] == nil {
			continue
		}
		of := ""
		if named {
			of = " of " + v.Name.Name
		}
		w := newWords(list[i])
		name := tag + "_" + v.Name.Name
		cond := strings.Join(w.tautologies(false), " and ")
		b.WriteString(w.definitions(name))
		fmt.Fprintf(&b, "position zz_where_%s%s where %s\n", name, of, cond)
		fmt.Fprintf(&b, "position zz_drawn_%s%s {\n%s}\n", name, of, w.drawn())
		fmt.Fprintf(&b, "strategy zz_plan_%s%s = greatest %s\n", name, of, w.sum())
		if named {
			fmt.Fprintf(&b, "claim zz_claim_%s%s { unreachable %s }\n", name, of, cond)
		}
	}
	return b.String()
}

// words are what a board has names for.
type words struct {
	sys       *rules.System
	laps      []step // in a lap
	relations []step
}

// step is a lap or a relation, and a pit to go on from.
type step struct {
	name string
	from string
	ends bool // it may lead nowhere from there
}

// newWords finds the names of a System, and those that follow from its picture.
func newWords(sys *rules.System) *words {
	w := &words{sys: sys}
	taken := map[string]bool{}
	for _, l := range sys.Laps {
		name := l.Name
		taken[name] = true
		if l.Owner != rules.None {
			name += " of " + sys.Players[l.Owner]
		}
		w.laps = append(w.laps, step{name, sys.Pits[l.Pits[0]].Name, !l.Ring})
	}
	for _, r := range sys.Relations {
		taken[r.Name] = true
		from := slices.IndexFunc(r.To, func(q int) bool { return q != rules.None })
		if from >= 0 {
			w.relations = append(w.relations, step{r.Name, sys.Pits[from].Name, false})
		}
	}
	w.follow(taken)
	return w
}

// follow adds laps and relations that follow from a picture of two rows, or of more rows of two
// players, unless the variant has others of that name.
func (w *words) follow(taken map[string]bool) {
	var rows [][]int // without stores
	ends := false    // a store stands at an end of a row
	for _, row := range w.sys.Picture {
		var pits []int
		stores := false
		for k, part := range row {
			for _, p := range part {
				if pit := w.sys.Pits[p]; pit.Name != pit.Group {
					pits = append(pits, p)
				} else if len(row) > 1 && (k == 0 || k == len(row)-1) {
					stores = true
				}
			}
		}
		if len(pits) > 0 {
			rows = append(rows, pits)
			ends = ends || stores
		}
	}
	lap := func(name, of string, pits []int) {
		if !taken[name] {
			w.laps = append(w.laps, step{name + of, w.sys.Pits[pits[0]].Name, false})
		}
	}
	relation := func(name string, pits []int) {
		if !taken[name] {
			w.relations = append(w.relations, step{name, w.sys.Pits[pits[0]].Name, false})
		}
	}
	alike := !slices.ContainsFunc(rows, func(r []int) bool { return len(r) != len(rows[0]) })
	if len(rows) == 2 {
		lap("ccw", "", rows[0])
		lap("cw", "", rows[1])
		if ends {
			lap("ccw_with_stores", "", rows[1])
			lap("cw_with_stores", "", rows[0])
		}
		if alike {
			relation("opposite", rows[1])
		}
		return
	}
	var changes []int // rows whose owner is not that of the row before
	for i, r := range rows {
		owner := w.sys.Pits[r[0]].Owner
		for _, p := range r {
			if o := w.sys.Pits[p].Owner; o != owner || o == rules.None {
				return
			}
		}
		if i > 0 && owner != w.sys.Pits[rows[i-1][0]].Owner {
			changes = append(changes, i)
		}
	}
	if len(rows) < 3 || len(changes) != 1 {
		return
	}
	for _, r := range [][]int{rows[0], rows[len(rows)-1]} {
		of := " of " + w.sys.Players[w.sys.Pits[r[0]].Owner]
		lap("ccw", of, r)
		lap("cw", of, r)
	}
	if alike {
		relation("opposite", rows[changes[0]])
		if changes[0] > 1 {
			relation("behind", rows[0])
		} else {
			relation("behind", rows[len(rows)-1])
		}
	}
}

// definitions name everything in definitions and a procedure, which take it from tag that they are
// called otherwise than those of other variants.
func (w *words) definitions(tag string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "define zz_holds_%s = %s\n", tag, strings.Join(w.tautologies(false), " and "))
	fmt.Fprintf(&b, "define zz_sum_%s(zz_p : pit) = seeds(zz_p) + %s\n", tag, w.sum())
	fmt.Fprintf(&b, "procedure zz_does_%s(zz_p : pit) {\n", tag)
	for _, l := range w.laps {
		fmt.Fprintf(&b, "  sow zz_p along %s\n", l.name)
	}
	for _, r := range w.relations {
		fmt.Fprintf(&b, "  take all from %s(zz_p) into zz_p\n", r.name)
	}
	for i, x := range w.sys.Vars {
		if x.Ghost || x.Name == "going_as" || x.Name == "going" {
			continue
		}
		fmt.Fprintf(&b, "  %s = %s\n", x.Name, board.VarValue(w.sys, i, x.Default))
	}
	fmt.Fprintf(&b, "  require zz_holds_%s\n}\n", tag)
	return b.String()
}

// sum is a number that depends on all laps and relations.
func (w *words) sum() string {
	list := []string{"total(pit)"}
	for _, l := range w.laps {
		list = append(list, fmt.Sprintf("(1 if next(%s along %s) = none else 0)", l.from, l.name))
	}
	for _, r := range w.relations {
		list = append(list, fmt.Sprintf("seeds(%s(%s))", r.name, r.from))
	}
	return strings.Join(list, " + ")
}

// drawn is a picture of any seeds.
func (w *words) drawn() string {
	var b strings.Builder
	for _, row := range w.sys.Picture {
		var parts []string
		for _, part := range row {
			parts = append(parts, strings.TrimSpace(strings.Repeat("_ ", len(part))))
		}
		b.WriteString("  " + strings.Join(parts, " | ") + "\n")
	}
	return b.String()
}

// tautologies are conditions that are true in every state of the right shape, where a step is asked
// for also after it.
func (w *words) tautologies(given bool) []string {
	list := []string{"1 = 1", "not false", "total(pit) = total(pit)", "each zz in pit : zz >= 0", "(finished or not finished)"}
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, p := range w.sys.Pits {
		add("seeds(%s) = seeds(%[1]s)", p.Name)
	}
	for _, g := range w.sys.Groups {
		add("total(%s) >= 0", g.Name)
	}
	for _, l := range w.laps {
		to := fmt.Sprintf("next(%s along %s)", l.from, l.name)
		if l.ends {
			add("(%s = none or seeds(%[1]s) >= 0)", to)
		} else {
			add("seeds(%s) = seeds(%[1]s)", to)
		}
	}
	for _, r := range w.relations {
		add("seeds(%s(%s)) = seeds(%[1]s(%[2]s))", r.name, r.from)
	}
	for i, x := range w.sys.Vars {
		if x.Ghost || x.Name == "going_as" { // some values of that are reserved words
			continue
		}
		add("%s = %[1]s", x.Name)
		for _, v := range x.Domain[:min(len(x.Domain), 3)] {
			add("not (%s = %s and not (%[1]s = %[2]s))", x.Name, board.VarValue(w.sys, i, v))
		}
	}
	for _, o := range w.sys.Outcomes {
		if o.Kind != rules.EndlessOutcome && o.Label != rules.WinLabel && o.Label != "" {
			add("(%q or not %[1]q)", o.Label)
		}
	}
	if len(w.sys.Players) > 1 {
		for _, p := range w.sys.Players {
			add("(%s wins or not (%[1]s wins))", p)
		}
		add("(finished or mover = mover)")
	}
	if given {
		add("last = last")
		add("(origin = none or seeds(origin) >= 0)")
		add("old total(pit) >= 0")
		for _, p := range w.sys.Pits {
			add("old seeds(%s) = old seeds(%[1]s)", p.Name)
		}
		for _, l := range w.laps {
			if !l.ends {
				add("old seeds(next(%s along %s)) >= 0", l.from, l.name)
			}
		}
	}
	return list
}

// game says all about a System that the text of claims and boards of the command line depend on.
func (p place) game(sys *rules.System) string {
	var order []string
	for _, q := range board.Order(sys) {
		order = append(order, sys.Pits[q].Name)
	}
	shown := board.Show(sys)
	if p.group {
		shown = ""
	}
	return strings.Join(order, " ") + "\n" + shown + string(sys.Canonical())
}

// about says all about an instance of a claim.
func (p place) about(inst *build.Instance) string {
	text := fmt.Sprintf("%s\n%T", inst.Name(), inst.Property)
	for _, sys := range inst.Systems() {
		text += "\n" + p.game(sys)
	}
	if inst.Size == "" || !p.group { // the board is a part of the digest
		text += "\n" + inst.Asserts() + "\n" + inst.Digest()
	}
	return text
}

// reading is what is said of the variants and claims of a file, by name, and the instances.
type reading struct {
	said  map[string]string
	insts map[string]*build.Instance
	unit  *build.Unit
}

func (p place) reading(f *source) (reading, error) {
	program, diags := dsl.Load(f.path, f.open)
	unit, more := build.Collect(program.Files)
	r := reading{said: map[string]string{}, insts: map[string]*build.Instance{}, unit: unit}
	if diags = append(diags, more...); diags.HasErrors() {
		return r, diags.Err()
	}
	for _, v := range unit.Variants {
		sys, diags := unit.System(v, nil)
		if diags.HasErrors() {
			r.said["variant "+v.Name.Name] = "rejected"
		} else {
			r.said["variant "+v.Name.Name] = p.game(sys)
		}
	}
	for _, cl := range unit.Claims {
		insts, diags := f.instances(unit, cl)
		switch name := cl.Name.Name; {
		case strings.HasPrefix(name, "zz_claim"): // was added
		case diags.HasErrors():
			r.said[name] = "rejected"
		default:
			for _, inst := range insts {
				r.said[inst.Name()], r.insts[inst.Name()] = p.about(inst), inst
			}
		}
	}
	return r, nil
}

// compare reads the file with unused declarations and tells what is said otherwise, by name.
func (p place) compare(f *source, was reading) (now reading, list map[string]string) {
	list = map[string]string{}
	var systems []*rules.System
	for _, v := range was.unit.Variants {
		sys, diags := was.unit.System(v, nil)
		if diags.HasErrors() {
			sys = nil
		}
		systems = append(systems, sys)
	}
	with := p.add(f, was.unit.Variants, systems)
	now, err := p.reading(with)
	if err != nil {
		list[""] = err.Error() + "\n" + with.text
		return now, list
	}
	for name, text := range was.said {
		if now.said[name] != text {
			list[name] = differing(now.said[name], text) + "\n" + with.text
		}
	}
	return now, list
}

// Spare compares what is said of a file with unused declarations and without. Forward search
// decides the claims of some files, though the same is asked.
func (o Options) Spare(seed uint64, f *gen.File, tally *Tally) (found []Finding) {
	src := &source{path: "root.sow", text: f.Text, parts: f.Parts, read: opener(f)}
	p := places[0]
	if seed%4 == 3 {
		p = places[1]
	}
	was, err := p.reading(src)
	if err != nil {
		tally.Files["with mistakes"]++
		return nil
	}
	tally.Files["good"]++
	tally.Files["variants"] += len(was.unit.Variants)
	add := func(name, class, what string) {
		found = append(found, Finding{seed, f, name, name, "resolver", class + " by declarations " + p.name, what})
	}
	now, list := p.compare(src, was)
	for name, what := range list {
		add(name, "another game", what)
	}
	tally.Claims["with declarations "+p.name] += len(was.said)
	if seed%8 > 0 {
		return found
	}
	for name, inst := range was.insts {
		if other := now.insts[name]; other != nil {
			if what := o.otherwise(inst, other, tally); what != "" {
				add(name, "another verdict", what)
			}
		}
	}
	return found
}

// otherwise decides an instance and what should be the same one, both by forward search, and tells
// what differs.
func (o Options) otherwise(was, now *build.Instance, tally *Tally) string {
	c := &checker{opt: o, tally: tally}
	tally.Claims["decided with and without"]++
	what := differing(all(c.ask(now, proofs.Forward)), all(c.ask(was, proofs.Forward)))
	if what != "" {
		what = differing(all(c.patient().ask(now, proofs.Forward)), all(c.patient().ask(was, proofs.Forward)))
	}
	return what
}

// differing shows the first line in which texts differ. It is empty if they do not.
func differing(now, was string) string {
	if now == was {
		return ""
	}
	x, y := strings.Split(now, "\n"), strings.Split(was, "\n")
	for i, line := range x {
		if i == len(y) || line != y[i] {
			return fmt.Sprintf("%s\nand not\n%s", line, strings.Join(y[i:min(i+1, len(y))], ""))
		}
	}
	return "nothing\nand not\n" + y[len(x)] // was goes on
}

// at matches a place in the file, which declarations may move.
var at = regexp.MustCompile(`root\.sow:\d+:\d+`)

// all is all that an answer says, but how long it took.
func all(a answer) string {
	if a.result == nil {
		return a.broken + at.ReplaceAllString(describe(a), "")
	}
	r := a.result
	text := fmt.Sprintf("%s, %v, %d states, %d steps, depth %d", at.ReplaceAllString(describe(a), ""), verdict.Figures(r.Found), r.Stats.States, r.Stats.Transitions, r.Stats.Depth)
	for _, t := range []*rules.Trace{r.Trace, r.Other} {
		if t != nil {
			text += "\n" + strings.Join(t.Moves(), " ")
		}
	}
	return text
}

// Shipped compares a file on disk with itself and unused declarations, and with itself and
// tautologies in its claims. Without all it decides nothing, and looks only at the first instance
// of each claim and at one place of declarations.
func (o Options) Shipped(path string, all bool, tally *Tally) (found []Finding) {
	text, err := os.ReadFile(path)
	if err != nil {
		return []Finding{{Class: "no file", Detail: err.Error()}}
	}
	file := &gen.File{Text: string(text)}
	f := &source{path: path, text: file.Text, read: os.ReadFile, first: !all}
	for i, p := range places {
		if !all && i != len(text)%len(places) {
			continue
		}
		was, err := p.reading(f)
		if err != nil {
			return nil // it is there for its mistakes
		}
		_, list := p.compare(f, was)
		for name, what := range list {
			found = append(found, Finding{0, file, name, name, "resolver", "another game by declarations " + p.name, what})
		}
		tally.Claims["with declarations "+p.name] += len(was.said)
	}
	tally.Files["good"]++
	return append(found, o.conjoined(1, f, file, tally)...)
}

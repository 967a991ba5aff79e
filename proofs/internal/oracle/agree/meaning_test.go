package agree_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/oracle/gen"
	"github.com/mancheck/mancheck/proofs/internal/oracle/gen/cover"
	"github.com/mancheck/mancheck/rules/resolve"
)

// rewriting writes a file in another way that means the same. All engines and checks share the
// resolver, so what it misreads they all misread; but it seldom misreads two ways alike.
type rewriting struct {
	name    string
	rewrite func(r *rewriter) string             // the same text where there is nothing to rewrite
	exempt  func(r *rewriter, c *ast.Claim) bool // claims whose results it may change
	loose   bool                                 // which play is found first, and which fault, may differ
	partial bool                                 // it may write what is refused
	rare    bool                                 // few files have what it rewrites: it gets more of them
	least   int                                  // so many of the files of a full run it should change
}

var rewritings = []rewriting{
	{name: "other names", rewrite: (*rewriter).renamed, least: 25},
	{name: "another order", rewrite: (*rewriter).reordered, loose: true, least: 25},
	{name: "a relay as a loop", rewrite: (*rewriter).relays, rare: true, least: 8},
	{name: "a chain of captures as a loop", rewrite: (*rewriter).chains, rare: true, least: 15},
	{name: "again and pass in full", rewrite: (*rewriter).inFull, least: 3},
	{name: "definitions in full", rewrite: (*rewriter).inlined, partial: true, rare: true, least: 10},
	{name: "the first player named as mover", rewrite: (*rewriter).moverNamed, least: 5},
	{name: "the players from another one on", rewrite: (*rewriter).rotated, exempt: (*rewriter).asksForOrder, loose: true, least: 10},
}

// TestMeaning: what is written in another way gets the same verdicts, counts, lengths of plays and
// values to players with a name. With MANCHECK_AGREE set there are thousands of files.
func TestMeaning(t *testing.T) {
	n := 30
	switch {
	case os.Getenv("MANCHECK_AGREE") != "":
		n = 3000
	case testing.Short():
		n = 3
	}
	changed, compared := map[string]int{}, map[string]int{}
	for seed := range 5 * n {
		f := gen.New(uint64(seed) + 100_000)
		if r := newRewriter(joinedText(f), f.Parts, uint64(seed)); r != nil {
			each(t, r, seed >= n, changed, compared)
		}
	}
	for _, w := range rewritings {
		t.Logf("%-34s %4d files changed, %6d results compared", w.name, changed[w.name], compared[w.name])
		if !testing.Short() && (changed[w.name] < w.least || compared[w.name] < 3*changed[w.name]) {
			t.Errorf("%s: %d files changed, %d results compared", w.name, changed[w.name], compared[w.name])
		}
	}
}

// TestMeaningOfExamples: the same of games that people play.
func TestMeaningOfExamples(t *testing.T) {
	list, err := filepath.Glob("../../../../examples/*.sow")
	if err != nil || len(list) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	if testing.Short() {
		list = list[:1]
	}
	changed, compared := map[string]int{}, map[string]int{}
	for seed, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := newRewriter(string(text), nil, uint64(seed))
		if r == nil {
			t.Fatalf("%s has mistakes", path)
		}
		each(t, r, false, changed, compared)
	}
	t.Log(changed, compared)
	if len(compared) < 3 {
		t.Errorf("results are compared of %v", compared)
	}
}

// each compares a file with all that can be written in its place, or with what only few files have.
func each(t *testing.T, r *rewriter, rare bool, changed, compared map[string]int) {
	t.Helper()
	var told [][]string
	for _, w := range rewritings {
		text := w.rewrite(r)
		if text == r.text || rare && !w.rare {
			continue
		}
		if told == nil {
			told, _ = r.told(t, r.text)
		}
		changed[w.name]++
		other, diags := r.told(t, text)
		if diags.HasErrors() {
			if !w.partial {
				t.Errorf("%s: it is refused: %v\n%s\n---\n%s", w.name, diags, r.text, text)
			}
			continue
		}
		for i, c := range r.claims() {
			if w.exempt != nil && w.exempt(r, c) {
				continue
			}
			for k, a := range told[i] {
				b := "refused"
				if k < len(other[i]) {
					b = other[i][k]
				}
				if w.partial && (b == "refused" || a == "refused") {
					continue
				}
				if w.loose {
					a, b = loosely(c, a), loosely(c, b)
				}
				if a == "" || b == "" {
					continue
				}
				if compared[w.name]++; a != b {
					t.Errorf("%s: claim %s: %s; but %s\n%s\n---\n%s", w.name, c.Name.Name, a, b, r.text, text)
					return
				}
			}
		}
	}
}

// loosely is what is told of a claim without what depends on the order of a search.
func loosely(c *ast.Claim, told string) string {
	if told == "an error" {
		return ""
	}
	switch c.Property.(type) {
	case *ast.Reach, *ast.NeverStuck:
		return told
	}
	return lengths.ReplaceAllString(told, "")
}

var lengths = regexp.MustCompile(`, a play of \d+ moves`)

// joinedText is the text of a file with those that it imports.
func joinedText(f *gen.File) string {
	base, ok := f.Parts["base.sow"]
	if !ok {
		return f.Text
	}
	return base + strings.Replace(f.Text, "import \"base.sow\"\n", "", 1)
}

// rewriter writes a text in other ways.
type rewriter struct {
	text   string
	file   *ast.File
	lists  map[string]string
	random *rand.Rand
}

// newRewriter parses a text; nil if it has mistakes.
func newRewriter(text string, lists map[string]string, seed uint64) *rewriter {
	r := &rewriter{text: text, lists: lists, random: rand.New(rand.NewPCG(seed, 3))}
	var ok bool
	if r.file, ok = parsed(text); !ok {
		return nil
	}
	if _, diags := r.unit(text); diags.HasErrors() {
		return nil
	}
	return r
}

func parsed(text string) (*ast.File, bool) {
	f, diags := dsl.Parse("root.sow", []byte(text))
	return f, !diags.HasErrors()
}

func (r *rewriter) claims() []*ast.Claim { return declared[*ast.Claim](r.file) }

func declared[D ast.Decl](f *ast.File) []D {
	var out []D
	for _, d := range f.Decls {
		if d, ok := d.(D); ok {
			out = append(out, d)
		}
	}
	return out
}

func items[T ast.Item](v *ast.Variant) []T {
	var out []T
	for _, item := range v.Items {
		if x, ok := item.(T); ok {
			out = append(out, x)
		}
	}
	return out
}

func playersOf(v *ast.Variant) *ast.Players {
	for _, p := range items[*ast.Players](v) {
		if len(p.Names) > 1 {
			return p
		}
	}
	return nil
}

// unit reads what a text declares.
func (r *rewriter) unit(text string) (*resolve.Unit, diag.List) {
	program, diags := dsl.Load("root.sow", func(path string) ([]byte, error) {
		if path == "root.sow" {
			return []byte(text), nil
		}
		if list, ok := r.lists[path]; ok {
			return []byte(list), nil
		}
		return nil, fs.ErrNotExist
	})
	u, more := resolve.Collect(program.Files)
	return u, append(diags, more...)
}

// told is what two engines say of each claim and instance. What is not known is empty.
func (r *rewriter) told(t *testing.T, text string) (out [][]string, diags diag.List) {
	t.Helper()
	u, diags := r.unit(text)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, decl := range u.Claims {
		claim, diags := u.Claim(decl)
		list := claim.Instances(nil, &diags)
		var said []string
		if diags.HasErrors() {
			said = []string{"refused"}
		}
		for i, inst := range list {
			for _, engine := range []proofs.Engine{proofs.Forward, proofs.Backward} {
				if !diags.HasErrors() && i < 3 {
					said = append(said, tell(t, decl, inst, engine))
				}
			}
		}
		out = append(out, said)
	}
	return out, nil
}

// tell is what an engine says of an instance that does not depend on names and their order.
func tell(t *testing.T, c *ast.Claim, inst *resolve.Instance, engine proofs.Engine) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	res, err := proofs.Decide(ctx, inst, proofs.Options{Engine: engine, MaxStates: 1000, Threads: 1, Solver: "no-solver-here"})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return ""
	case err != nil:
		return "an error"
	case res.Status == proofs.Unknown || res.Status == proofs.Bounded:
		return ""
	}
	text := res.Status.String()
	if _, counts := c.Property.(*ast.Count); counts {
		text += fmt.Sprint(" ", numbers.FindAllString(res.Reason, -1))
	}
	if res.Trace != nil {
		text += fmt.Sprintf(", a play of %d moves", len(res.Trace.Steps))
	}
	if w := res.Value; w != nil && w.Player >= 0 && w.Known() {
		// The names of the players end as they did, whatever they are.
		worth := w.Lo
		if name := inst.System.Players[w.Player]; strings.HasSuffix(name, "North") {
			worth = -worth
		}
		text += fmt.Sprintf(", worth %d to South", worth)
	}
	return text
}

var numbers = regexp.MustCompile(`\d+`)

// edit puts a text in the place of a stretch.
type edit struct {
	from, to int
	by       string
}

// edited is a stretch of a text after edits that do not overlap.
func edited(text string, from, to int, list []edit) string {
	slices.SortFunc(list, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	for _, e := range list {
		b.WriteString(text[from:e.from] + e.by)
		from = e.to
	}
	return b.String() + text[from:to]
}

func replaced(n ast.Node, by string) edit {
	at := n.Span()
	return edit{at.Start.Offset, at.End.Offset, by}
}

func (r *rewriter) edited(list []edit) string { return edited(r.text, 0, len(r.text), list) }

// of is the text of a node.
func (r *rewriter) of(n ast.Node) string {
	at := n.Span()
	return r.text[at.Start.Offset:at.End.Offset]
}

// from is the text from one node to another.
func (r *rewriter) from(a, b ast.Node) string {
	return r.text[a.Span().Start.Offset:b.Span().End.Offset]
}

// renamed gives players, pits, groups, laps, relations, variables and all that is bound other
// names. Pits that begin with the name of a player still do.
func (r *rewriter) renamed() string {
	names, groups := map[string]bool{}, map[string]bool{}
	ast.Inspect(r.file, func(n ast.Node) bool {
		for _, name := range namesOf(n) {
			names[name] = true
		}
		if c, ok := n.(*ast.BoardCell); ok && c.Pit != nil {
			groups[c.Pit.Group.Name] = true
		}
		return true
	})
	// What follows from the picture has its name in variants that do not declare it.
	for _, w := range append(cover.Words(dsl.Grammar()), "house", "store", "opposite", "behind", "lap") {
		delete(names, w)
	}
	prefixes := map[string]string{}
	other := func(name string) string {
		stem, _, _ := strings.Cut(strings.ToLower(name), "_")
		if prefixes[stem] == "" {
			prefixes[stem] = string(rune('b'+r.random.IntN(24))) + "z"
		}
		p := prefixes[stem]
		if name[0] < 'a' {
			p = strings.ToUpper(p[:1]) + p[1:]
		}
		return p + name
	}
	text := words.ReplaceAllStringFunc(r.text, func(w string) string {
		base := strings.TrimRight(w, "0123456789")
		switch {
		case groups[base] && base != w: // what is bound may have the name of a pit
			return other(base) + w[len(base):]
		case names[w] || groups[w]:
			return other(w)
		}
		return w
	})
	return isADraw.ReplaceAllString(text, "is a draw")
}

var isADraw = regexp.MustCompile(`is \w+ draw`) // the word is no name there

var words = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// namesOf lists the names that a node gives to something.
func namesOf(n ast.Node) []string {
	var list []ast.Ident
	switch n := n.(type) {
	case *ast.Players:
		list = n.Names
	case *ast.Lap:
		list = []ast.Ident{n.Name}
	case *ast.Group:
		list = []ast.Ident{n.Name}
	case *ast.Facing:
		list = []ast.Ident{n.Name}
	case *ast.StateVar:
		list = append([]ast.Ident{n.Name}, n.Type.Enum...)
	case *ast.Define:
		list = []ast.Ident{n.Name}
	case *ast.Formal:
		list = []ast.Ident{n.Name}
	case *ast.Let:
		list = []ast.Ident{n.Name}
	case *ast.For:
		list = []ast.Ident{n.Name}
	case *ast.Quant:
		list = []ast.Ident{n.Var}
	case *ast.Filter:
		list = []ast.Ident{n.Var}
	case *ast.Choice:
		list = []ast.Ident{n.Name}
	case *ast.Chain:
		list = []ast.Ident{n.Name}
	}
	var out []string
	for _, x := range list {
		out = append(out, x.Name)
	}
	return out
}

// reordered shuffles declarations and items. Those of a kind that build on each other stay in
// their order: parameters, definitions, variables, endings and reactions; and the claims, so that
// they can be found again.
func (r *rewriter) reordered() string {
	var b strings.Builder
	for _, d := range shuffled(r.random, r.file.Decls, func(d ast.Decl) string {
		switch d.(type) {
		case *ast.Define, *ast.Claim:
			return fmt.Sprintf("%T", d)
		}
		return ""
	}) {
		v, ok := d.(*ast.Variant)
		if !ok {
			b.WriteString(r.of(d) + "\n")
			continue
		}
		fmt.Fprintf(&b, "variant %s {\n", v.Name.Name)
		goesOn := len(ast.All[*ast.GoOn](v)) > 0 // moves are numbered then
		for _, item := range shuffled(r.random, v.Items, func(x ast.Item) string {
			switch x.(type) {
			case *ast.Param, *ast.Define, *ast.StateVar:
				return fmt.Sprintf("%T", x)
			case *ast.Ending, *ast.Reaction:
				return "after the move"
			case *ast.Move, *ast.Pass:
				if goesOn {
					return "moves"
				}
			}
			return ""
		}) {
			b.WriteString("  " + r.of(item) + "\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// shuffled is a list in another order, in which things of a kind stay in theirs. A kind without a
// name has no order.
func shuffled[T any](random *rand.Rand, list []T, kind func(T) string) []T {
	out := slices.Clone(list)
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	kinds := map[string][]T{}
	for _, x := range list {
		kinds[kind(x)] = append(kinds[kind(x)], x)
	}
	for i, x := range out {
		if k := kind(x); k != "" {
			out[i], kinds[k] = kinds[k][0], kinds[k][1:]
		}
	}
	return out
}

// writtenOut puts what a statement stands for in its place, the first such statement first, until
// there is none.
func writtenOut[S ast.Node](r *rewriter, stands func(r *rewriter, s S) (string, bool)) string {
	at := *r
	for {
		i := slices.IndexFunc(ast.All[S](at.file), func(s S) bool { _, ok := stands(&at, s); return ok })
		if i < 0 {
			return at.text
		}
		s := ast.All[S](at.file)[i]
		by, _ := stands(&at, s)
		at.text = at.edited([]edit{replaced(s, by)})
		var ok bool
		if at.file, ok = parsed(at.text); !ok {
			return at.text
		}
	}
}

func (r *rewriter) relays() string {
	return writtenOut(r, func(r *rewriter, s *ast.Sow) (string, bool) {
		if s.RelayWhile == nil {
			return "", false
		}
		mods := ""
		if s.OriginFirst {
			mods += ", origin first"
		}
		for _, x := range s.OnlyLast {
			mods += ", " + r.of(x) + " takes only the last"
		}
		if s.HasDrop {
			mods += ", each drop {"
			if n := len(s.Drop); n > 0 {
				mods += r.from(s.Drop[0], s.Drop[n-1])
			}
			mods += "}"
		}
		if n := len(s.Skip); n > 0 {
			mods += ", skip " + r.from(s.Skip[0], s.Skip[n-1])
		}
		count, start, on := "", "", "last"
		if s.Count != nil {
			count = r.of(s.Count) + " from "
		}
		if s.StartAt != nil {
			start = ", starting at " + r.of(s.StartAt)
		}
		if s.RelayFrom != nil {
			on = r.of(s.RelayFrom)
		}
		along := " along " + r.of(s.Along)
		return "sow " + count + r.of(s.Pit) + along + start + mods + "\nwhile " + r.of(s.RelayWhile) + " { sow " + on + along + mods + " }\n", true
	})
}

func (r *rewriter) chains() string {
	return writtenOut(r, func(r *rewriter, s *ast.Chain) (string, bool) {
		name, along, next := s.Name.Name, "", "before"
		if s.Along != nil {
			along = " along " + r.of(s.Along)
		}
		if s.Forward {
			next = "next"
		}
		return fmt.Sprintf("if true { let %[1]s = %[2]s\nwhile %[1]s /= none and (%[3]s) { capture %[1]s into %[4]s\n%[1]s = %[5]s(%[1]s%[6]s) } }\n",
			name, r.of(s.From), r.of(s.While), r.of(s.Into), next, along), true
	})
}

func (r *rewriter) inFull() string {
	var list []edit
	for _, v := range declared[*ast.Variant](r.file) {
		for _, p := range items[*ast.Pass](v) {
			list = append(list, replaced(p, "move pass when "+r.of(p.When)+" { }"))
		}
		if playersOf(v) != nil {
			for _, a := range ast.All[*ast.Again](v) {
				list = append(list, replaced(a, "mover moves next"))
			}
		}
	}
	return r.edited(list)
}

// inlined puts the expressions of definitions in the place of their names in the rules of variants.
func (r *rewriter) inlined() string {
	var list []edit
	for _, v := range declared[*ast.Variant](r.file) {
		defs := map[string]*ast.Define{}
		for _, d := range append(declared[*ast.Define](r.file), items[*ast.Define](v)...) {
			defs[d.Name.Name] = d
		}
		for _, item := range v.Items {
			switch item.(type) {
			case *ast.Move, *ast.Pass, *ast.Setup, *ast.Ending, *ast.Reaction:
				in := &inliner{rewriter: r, defs: defs, bound: map[string]bool{}}
				ast.Inspect(item, func(n ast.Node) bool {
					for _, name := range namesOf(n) {
						in.bound[name] = true
					}
					return true
				})
				if text := in.expanded(item, nil); !in.failed && text != r.of(item) {
					list = append(list, replaced(item, text))
				}
			}
		}
	}
	return r.edited(list)
}

type inliner struct {
	*rewriter
	defs   map[string]*ast.Define
	bound  map[string]bool // names of the item: a definition does not mean them
	fresh  int
	failed bool
}

// expanded is the text of a node with names that stand for something else, and with definitions
// written out.
func (in *inliner) expanded(n ast.Node, names map[string]string) string {
	var list []edit
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.Name:
			if by, ok := names[m.Name]; ok {
				list = append(list, replaced(m, by))
			} else if d := in.defs[m.Name]; d != nil {
				list = append(list, replaced(m, in.value(d, nil)))
			} else if names != nil && in.bound[m.Name] {
				in.failed = true
			}
		case *ast.Call:
			d := in.defs[m.Func.Name]
			if d == nil || len(d.Params) != len(m.Args) {
				in.failed = in.failed || names != nil && in.bound[m.Func.Name]
				return true
			}
			var args []string
			for i, a := range m.Args {
				x := bracketed(a, in.expanded(a, names))
				if d.Params[i].Sort.Name == "number" {
					x = "(" + x + " + 0)" // of a pit it is the seeds that are meant
				}
				args = append(args, x)
			}
			list = append(list, replaced(m, in.value(d, args)))
			return false
		case *ast.Of:
			in.failed = in.failed || in.defs[m.Group.Name] != nil || names[m.Group.Name] != ""
		case *ast.IndexExpr:
			in.failed = in.failed || names[m.Group.Name] != ""
		case *ast.Quant:
			if by, ok := names[m.Var.Name]; ok {
				list = append(list, replaced(&m.Var, by))
			}
		case *ast.Filter:
			if by, ok := names[m.Var.Name]; ok {
				list = append(list, replaced(&m.Var, by))
			}
		}
		return true
	})
	at := n.Span()
	return edited(in.text, at.Start.Offset, at.End.Offset, list)
}

// value is what a definition stands for. What it binds itself gets new names, lest it catch those
// in the arguments.
func (in *inliner) value(d *ast.Define, args []string) string {
	names := map[string]string{}
	ast.Inspect(d.Value, func(n ast.Node) bool {
		for _, name := range namesOf(n) {
			in.fresh++
			names[name] = fmt.Sprintf("fresh%d", in.fresh)
		}
		return true
	})
	for i, a := range args {
		names[d.Params[i].Name.Name] = a
	}
	return bracketed(d.Value, in.expanded(d.Value, names))
}

func bracketed(x ast.Node, text string) string {
	switch x.(type) {
	case *ast.Name, *ast.Int, *ast.IndexExpr, *ast.Paren:
		return text
	}
	return "(" + text + ")"
}

// moverNamed says who begins where the setup does not.
func (r *rewriter) moverNamed() string {
	var list []edit
	for _, v := range declared[*ast.Variant](r.file) {
		if p := playersOf(v); p != nil {
			list = append(list, r.says(v, p.Names[0].Name)...)
		}
	}
	return r.edited(list)
}

// says makes a player begin where the setup does not say who does and is not drawn.
func (r *rewriter) says(v *ast.Variant, player string) []edit {
	list := items[*ast.Setup](v)
	if len(list) != 1 {
		return nil
	}
	s, comma := list[0], ", "
	if s.Picture != nil || saysMover.MatchString(r.of(s)) || s.Any && len(s.Conds) == 0 {
		return nil
	}
	if len(s.Conds) == 0 {
		comma = ""
	}
	end := s.Span().End.Offset - 1
	return []edit{{end, end, comma + "mover = " + player + " "}}
}

var saysMover = regexp.MustCompile(`\bmover\s*=`)

// rotated declares the players from another one on. The order of play is the same; who begins is
// said.
func (r *rewriter) rotated() string {
	var list []edit
	for _, v := range declared[*ast.Variant](r.file) {
		p := playersOf(v)
		if p == nil {
			continue
		}
		said := r.says(v, p.Names[0].Name)
		for _, s := range items[*ast.Setup](v) {
			if said == nil && !saysMover.MatchString(r.of(s)) {
				return r.text
			}
		}
		var names []string
		for i := range p.Names {
			names = append(names, p.Names[(i+1)%len(p.Names)].Name)
		}
		list = append(append(list, said...), replaced(p, "player "+strings.Join(names, ", ")))
	}
	if forPlayers.MatchString(r.text) {
		return r.text
	}
	return r.edited(list)
}

var forPlayers = regexp.MustCompile(`\bfor \w+ in player\b`)

// asksForOrder tells whether a claim asks who is declared first: where games begin at a position
// that does not say who begins, of a value to nobody named, and of boards that are compared along a
// player's lap.
func (r *rewriter) asksForOrder(c *ast.Claim) bool {
	var at []string
	for _, cl := range c.Clauses {
		if s, ok := cl.(*ast.StartingAt); ok {
			at = append(at, s.Position.Name)
		}
	}
	if c.Property == nil {
		return false
	}
	for _, p := range ast.All[*ast.Place](c.Property) {
		at = append(at, p.Name.Name)
	}
	for _, p := range declared[*ast.Position](r.file) {
		if slices.Contains(at, p.Name.Name) && !saysMover.MatchString(r.of(p)) {
			return true
		}
	}
	switch p := c.Property.(type) {
	case *ast.Value:
		return p.Player == nil
	case *ast.Relation:
		return strings.Contains(r.text, "north_b") || len(r.sizes()) > 1
	}
	return false
}

// sizes are the numbers of players of the variants, and the players who come first.
func (r *rewriter) sizes() map[string]bool {
	out := map[string]bool{}
	for _, v := range declared[*ast.Variant](r.file) {
		if p := playersOf(v); p != nil {
			out[r.of(p)] = true
		}
	}
	return out
}

package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Decide decides each instance of a claim of f, in the order of its sweeps. A mistake that concerns
// the claim as a whole gives one instance that is Invalid.
func Decide(f *ast.File, claim *ast.Claim, lim Limits) []Instance {
	return DecideIn([]*ast.File{f}, claim, lim)
}

// DecideIn decides a claim of the last of files, which imports the others.
func DecideIn(files []*ast.File, claim *ast.Claim, lim Limits) []Instance {
	return New(files, lim).Decide(claim)
}

// A Judge decides claims of the last of some files, which imports the others. It explores each game
// once, for all claims.
type Judge struct {
	files []*ast.File
	lim   Limits
	games map[string]*played
}

// New makes a judge.
func New(files []*ast.File, lim Limits) *Judge {
	return &Judge{files, lim.orDefault(), map[string]*played{}}
}

// Decide decides each instance of a claim. Every instance may spend the same number of steps.
func (o *Judge) Decide(claim *ast.Claim) []Instance {
	d := &decision{claim: claim, lim: o.lim, games: o.games}
	var list []settings
	if v := d.guard(func() verdict { list = d.prepare(o.files); return verdict{} }); v.truth != Open || v.why != "" {
		return []Instance{{Name: claim.Name.Name, Truth: v.truth, Why: v.why}}
	}
	var out []Instance
	for _, s := range list {
		d.budget = &budget{steps: d.lim.Steps}
		d.faults = false
		v := d.guard(func() verdict { return d.instance(s) })
		out = append(out, Instance{Name: s.name, Truth: v.truth, Vacuous: v.vacuous, Hollow: v.hollow, Startless: v.barren, Faults: d.faults, Why: v.why})
	}
	return out
}

// file has the declarations of some files together.
type file struct {
	variants   map[string]*ast.Variant
	positions  map[string]*ast.Position
	strategies map[string]*ast.Strategy
	boards     map[string]*ast.Board
	defines    []ast.Node // definitions and procedures outside of variants, in order
	claim      *ast.Claim // that is being decided, or nil
}

// collect gathers the declarations of files. A name that is declared twice is a mistake, wherever
// it is declared, since imports share one scope.
func collect(files []*ast.File) *file {
	f := &file{
		variants: map[string]*ast.Variant{}, positions: map[string]*ast.Position{}, strategies: map[string]*ast.Strategy{},
		boards: map[string]*ast.Board{},
	}
	for _, src := range files {
		for _, decl := range src.Decls {
			twice := false
			switch d := decl.(type) {
			case *ast.Variant:
				_, twice = f.variants[d.Name.Name]
				f.variants[d.Name.Name] = d
			case *ast.Position:
				_, twice = f.positions[d.Name.Name]
				f.positions[d.Name.Name] = d
			case *ast.Strategy:
				_, twice = f.strategies[d.Name.Name]
				f.strategies[d.Name.Name] = d
			case *ast.Board:
				if _, twice = f.boards[d.Name.Name]; len(d.With) > 0 {
					wrongf("a board that is drawn sets no parameters")
				}
				f.boards[d.Name.Name] = d
			case *ast.Define, *ast.Procedure:
				f.defines = append(f.defines, d)
			}
			if twice {
				wrongf("a name is declared twice")
			}
		}
	}
	for name, v := range f.variants {
		f.variants[name] = f.whole(v)
	}
	return f
}

// board returns the board of a variant: its own, or one that it names.
func (f *file) board(v *ast.Variant) *ast.Board {
	list := ast.Items[*ast.Board](v)
	if len(list) != 1 {
		wrongf("a variant has one board")
	}
	b := list[0]
	if b.Name == nil {
		return b
	}
	if shared := f.boards[b.Name.Name]; shared != nil && !b.Drawn {
		return shared
	}
	wrongf("unknown board %s", b.Name.Name)
	return nil
}

// variant returns the variant with a name, or the only one without a name.
func (f *file) variant(name *ast.Ident) *ast.Variant {
	if name != nil {
		if v := f.variants[name.Name]; v != nil {
			return v
		}
		wrongf("unknown variant %s", name.Name)
	}
	if len(f.variants) != 1 {
		wrongf("which of %d variants is not said", len(f.variants))
	}
	for _, v := range f.variants {
		return v
	}
	return nil
}

// position returns a position that may be used for a variant.
func (f *file) position(name string, v *ast.Variant) *ast.Position {
	p := f.positions[name]
	if p == nil || p.Of != nil && p.Of.Name != v.Name.Name {
		wrongf("unknown name %s", name)
	}
	return p
}

// strategy finds a strategy for a variant. There are none where the rules prefer moves themselves.
func (f *file) strategy(name string, v *ast.Variant) *ast.Strategy {
	s := f.strategies[name]
	if s == nil || s.Of != nil && s.Of.Name != v.Name.Name {
		wrongf("unknown strategy %s", name)
	}
	defs := slices.Clone(f.defines)
	for _, item := range v.Items {
		defs = append(defs, item)
	}
	labelled := s.By == nil || s.By.Text == "pass" && len(ast.Items[*ast.Pass](v)) > 0
	for _, m := range ast.Items[*ast.Move](v) {
		labelled = labelled || m.Label != nil && m.Label.Text == s.By.Text
		if len(carries[*ast.Prefer](defs, m)) > 0 {
			wrongf("no strategy can be joined with prefer")
		}
	}
	if !labelled {
		wrongf("strategy %s is for moves that are not there", name)
	}
	return s
}

// settings are what an instance, or a case of it, fixes.
type settings struct {
	name      string // of the instance
	values    map[string]value
	open      map[string]bool
	following *ast.Strategy
	begin     *ast.Position
	forgets   bool           // the rule of repetition is left out
	cells     map[string]num // columns of a list of boards that are no parameters
}

// and returns the settings with one more value. The map is copied, because cases share settings.
func (s settings) and(param string, v value) settings {
	s.values = maps.Clone(s.values)
	s.values[param] = v
	return s
}

// decision is a claim that is being decided.
type decision struct {
	*budget
	lim     Limits
	claim   *ast.Claim
	file    *file
	variant *ast.Variant
	faults  bool
	games   map[string]*played // nil: none is kept
}

// verdict is what was found about an instance or a case.
type verdict struct {
	truth   Truth
	vacuous bool
	hollow  bool
	why     string
	idle    bool // the case has no start, so it does not count
	barren  bool // no start was found, but this does not matter
}

// found makes a verdict. The reason is only for people.
func found(t Truth, format string, args ...any) verdict {
	return verdict{truth: t, why: fmt.Sprintf(format, args...)}
}

// guard turns a panic of f with a fault, a mistake or a limit into a verdict. Other panics are bugs
// of the judge and pass.
func (d *decision) guard(f func() verdict) (v verdict) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault:
			v = found(Fault, "%s", r)
		case mistake:
			v = found(Invalid, "%s", r)
		case spent:
			v = found(Open, "%s", r)
		case unknown:
			v = found(Open, "something that is not known was asked for")
		default:
			panic(r)
		}
	}()
	return f()
}

// prepare reads the clauses that all instances share, and lists the instances.
func (d *decision) prepare(files []*ast.File) []settings {
	d.budget = &budget{steps: d.lim.Steps}
	d.file = collect(files)
	d.file.claim = d.claim
	d.variant = d.file.variant(d.claim.Of)
	if d.claim.Property == nil {
		wrongf("the claim asserts nothing")
	}
	first := settings{values: map[string]value{}, open: map[string]bool{}}
	for _, c := range d.claim.Clauses {
		switch c := c.(type) {
		case *ast.Following:
			first.following = d.file.strategy(c.Strategy.Name, d.variant)
		case *ast.StartingAt:
			first.begin = d.file.position(c.Position.Name, d.variant)
		}
	}
	list := d.boards(first)
	for _, f := range d.claim.Ranges() {
		list = d.sweep(list, f)
	}
	for i := range list {
		list[i].name = d.claim.Name.Name + bracketed(list[i].name)
	}
	return list
}

// boards splits the claim by the lines of a list of boards: a case for each line. A column named
// like a parameter sets it; others are kept as cells, which readCells checks against the pits.
func (d *decision) boards(s settings) []settings {
	list := []settings{s}
	for _, c := range d.claim.Clauses {
		f, ok := c.(*ast.ForBoards)
		if !ok {
			continue
		}
		_, forced := d.claim.Property.(*ast.Force)
		if !forced && !valued(d.claim.Property) || s.begin != nil || len(list) > 1 || list[0].name != "" {
			wrongf("a list of boards is no part of this claim")
		}
		lines := strings.Split(strings.TrimSpace(string(f.Text)), "\n")
		head := strings.Split(lines[0], ",")
		list = nil
		for i, line := range lines[1:] {
			fields := strings.Split(line, ",")
			if len(fields) != len(head) {
				wrongf("a line with %d fields, and not %d", len(fields), len(head))
			}
			t := s
			t.cells = map[string]num{}
			for k, text := range fields {
				name, n := strings.TrimSpace(head[k]), readNum(strings.TrimSpace(text))
				if d.isParam(name) {
					t = t.and(name, number(n))
				} else {
					t.cells[name] = n
				}
			}
			t.name = fmt.Sprintf("line=%d", i+2) // as editors count, with the head as line 1
			list = append(list, t)
		}
	}
	return list
}

// bracketed returns the part of an instance's name that says which instance it is.
func bracketed(s string) string {
	if s == "" {
		return ""
	}
	return "[" + s + "]"
}

// sweep splits each instance by the values of one more parameter. The range may depend on the
// values chosen before.
func (d *decision) sweep(list []settings, f *ast.ParamRange) []settings {
	d.param(f.Name.Name)
	var out []settings
	for _, s := range list {
		e := d.params(d.variant, s.values)
		lo, hi := e.int(f.Lo), e.int(f.Hi)
		if _, set := s.values[f.Name.Name]; set {
			wrongf("%s is set already", f.Name.Name)
		}
		if lo.cmp(hi) > 0 || hi.sub(lo).cmp(whole(100_000)) >= 0 {
			wrongf("a sweep from %v to %v", lo, hi)
		}
		for n := lo; n.cmp(hi) <= 0; n = n.add(whole(1)) {
			t := s.and(f.Name.Name, number(n))
			if t.name != "" {
				t.name += ","
			}
			t.name += f.Name.Name + "=" + n.String()
			out = append(out, t)
		}
	}
	return out
}

// param returns a parameter of the claim's variant.
func (d *decision) param(name string) *ast.Param {
	for _, p := range ast.Items[*ast.Param](d.variant) {
		if p.Name.Name == name {
			return p
		}
	}
	wrongf("unknown parameter %s", name)
	return nil
}

func (d *decision) isParam(name string) bool {
	return slices.ContainsFunc(ast.Items[*ast.Param](d.variant), func(p *ast.Param) bool { return p.Name.Name == name })
}

// isSwitch reports whether a parameter is true or false, and not a number.
func isSwitch(p *ast.Param) bool {
	n, ok := p.Default.(*ast.Name)
	return ok && (n.Name == "true" || n.Name == "false")
}

// params returns a scope in which the parameters of v have values, in range or not, and nothing
// else is known: ranges and settings may read nothing but parameters.
func (d *decision) params(v *ast.Variant, values map[string]value) *scope {
	g := &game{budget: d.budget, lim: d.lim, file: d.file, variant: v, params: map[string]value{}, defs: d.file.defines}
	for _, p := range ast.Items[*ast.Param](v) {
		if w, ok := values[p.Name.Name]; ok {
			g.params[p.Name.Name] = w
		} else {
			g.params[p.Name.Name] = g.scope(inDeclaration).expr(p.Default)
		}
	}
	return g.scope(inDeclaration)
}

// value returns the value that a setting gives a parameter.
func (d *decision) value(e *scope, s ast.Setting) value {
	if n, ok := s.Value.(*ast.Name); ok && (n.Name == "true" || n.Name == "false") {
		return truth(n.Name == "true")
	}
	if s.Index != nil {
		wrongf("a parameter takes no argument")
	}
	return number(e.int(s.Value))
}

// instance reads the remaining clauses, and decides all cases that the quantifiers leave.
func (d *decision) instance(s settings) verdict {
	s.values, s.open = maps.Clone(s.values), map[string]bool{}
	for _, c := range d.claim.Clauses {
		w, ok := c.(*ast.With)
		if !ok {
			continue
		}
		for _, set := range w.Settings {
			d.param(set.Name.Name)
			if _, twice := s.values[set.Name.Name]; twice {
				wrongf("%s is set already", set.Name.Name)
			}
			s.values[set.Name.Name] = d.value(d.params(d.variant, s.values), set)
		}
	}
	var all []string
	some := ""
	for _, c := range d.claim.Clauses {
		name := ""
		switch c := c.(type) {
		case *ast.ForAll:
			if c.From != nil {
				return found(Open, "a claim about every size")
			}
			name = c.Name.Name
			all = append(all, name)
		case *ast.ForSome:
			if some != "" {
				wrongf("a second `for some`")
			}
			name, some = c.Name.Name, c.Name.Name
		default:
			continue
		}
		if isSwitch(d.param(name)) || s.begin != nil || s.open[name] {
			wrongf("%s cannot be left open", name)
		}
		if _, set := s.values[name]; set {
			wrongf("%s is both set and left open", name)
		}
		s.open[name] = true
	}
	switch {
	case some != "" && len(all) > 0:
		return found(Open, "both `for all` and `for some`")
	case some != "":
		return d.forSome(s, some)
	}
	v := d.forAll(s, all)
	if v.idle && len(all) == 0 {
		return found(Invalid, "no board satisfies the setup")
	}
	v.vacuous = v.vacuous || v.idle
	return v
}

// tries lists the values to try of a parameter that is left open. all is false if there are more.
func (d *decision) tries(s settings, name string) (list []value, all bool) {
	p := d.param(name)
	e := d.params(d.variant, s.values)
	for open := range s.open {
		delete(e.g.params, open) // its range cannot depend on what is open, too
	}
	lo := e.lowest(p)
	most := 64
	var hi num
	if p.Hi == nil {
		most = d.lim.Values
	} else {
		hi = e.int(p.Hi)
	}
	for n := lo; p.Hi == nil || n.cmp(hi) <= 0; n = n.add(whole(1)) {
		if len(list) == most {
			return list, false
		}
		list = append(list, number(n))
	}
	return list, true
}

// forAll decides the cases for all values of the named parameters. One false case makes the claim
// false; cases without a start do not count.
func (d *decision) forAll(s settings, names []string) verdict {
	if len(names) == 0 {
		return d.guard(func() verdict { return d.single(s) })
	}
	return d.quantified(s, names[0], False, func(s settings) verdict { return d.forAll(s, names[1:]) })
}

// forSome decides whether the claim is true in one of the cases.
func (d *decision) forSome(s settings, name string) verdict {
	v := d.quantified(s, name, True, func(s settings) verdict { return d.forAll(s, nil) })
	if v.truth != True {
		v.vacuous, v.hollow = v.idle, false
	}
	return v
}

// quantified decides the cases of all values of a parameter until one has the decisive truth: False
// for `for all`, True for `for some`. Otherwise the claim has the other truth, unless some case is
// a mistake, a fault, open or undecided. Each value may spend an equal share of the steps, so that
// one large case does not leave nothing for the others.
func (d *decision) quantified(s settings, name string, decisive Truth, decide func(settings) verdict) verdict {
	values, all := d.tries(s, name)
	share := d.steps / max(1, len(values))
	other := True + False - decisive
	out := verdict{truth: other, idle: true, vacuous: true, why: "no value settles it"}
	if !all {
		out.truth, out.why, out.idle, out.vacuous = Open, "not all values were tried", false, false
	}
	open, why := false, ""
	for _, v := range values {
		d.steps = share
		w := decide(s.and(name, v))
		if w.idle {
			continue
		}
		w.why = fmt.Sprintf("%s = %v: %s", name, v.n, w.why)
		switch {
		case w.truth == decisive:
			// a smaller value may be the one that an engine finds
			w.hollow = w.hollow || decisive == True && out.truth != other
			return w
		case w.truth == Invalid || out.truth != Invalid && w.truth == Fault || out.truth == other, out.truth == Undecided && w.truth == Open:
			out.truth, out.why = w.truth, w.why
		}
		if w.truth == Open {
			open, why = true, w.why
		}
		out.idle, out.vacuous, out.hollow = false, out.vacuous && w.vacuous, out.hollow || w.hollow
		out.barren = out.barren || w.barren
	}
	if open { // the case of that value may be decisive, whatever is wrong with others
		out.truth, out.why = Open, why
	}
	return out
}

// single decides the claim where every parameter has a value. A claim about states of the right
// shape needs no start; others say nothing without one.
func (d *decision) single(s settings) verdict {
	c := d.play(d.variant, s)
	defer func() { d.faults = d.faults || c.game.faults }()
	barren := len(c.starts) == 0 && !c.game.startFaults
	if ofShapes(d.claim.Property) {
		v := c.claimed(d.claim)
		v.barren = barren
		return v
	}
	switch {
	case barren && c.allStarts:
		return verdict{truth: True, idle: true}
	case barren:
		return found(Open, "no start was found")
	}
	v := c.claimed(d.claim)
	v.hollow = v.hollow || len(c.starts) == 0 // every start has a fault, so it may be called vacuous
	return v
}

// claimed decides what a claim says: its property, or the negation of it.
func (c *oneCase) claimed(cl *ast.Claim) verdict {
	v := c.decide(cl.Property)
	if cl.Negated {
		return v.negated()
	}
	return v
}

// ofShapes reports whether a property is about all states of the right shape, and so asks for no
// starts.
func ofShapes(p ast.Property) bool {
	switch p := p.(type) {
	case *ast.Neighbours, *ast.StepTo, everywhere:
		return true
	case *ast.EveryStep:
		return p.All
	case *ast.Count:
		return p.Set == "ancestors"
	case *ast.Value:
		return p.Of.Name.Name != "start"
	case *ast.Winner:
		return p.Of.Name.Name != "start"
	case *ast.Best:
		return p.Of.Name.Name != "start"
	case *ast.Force:
		return p.From != nil && p.From.Name.Name != "start"
	case *ast.Reach, *ast.NeverStuck, *ast.Terminates, *ast.CanGoOn, *ast.UniqueWinnable, *ast.WinningStarts, *ast.StrategyWins, *ast.Relation:
	}
	return false
}

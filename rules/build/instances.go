package build

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/body"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Instance is a claim about one System. A claim with sweeps has one instance for each combination
// of their values.
type Instance struct {
	Claim    *Claim
	Settings board.Settings // parameters set by the sweep, by `with` and by the command line
	Open     []string       // parameters of `for all`
	Some     string         // the parameter of `for some`, or empty
	Size     string         // the parameter of `for all n >= k`, or empty; the System is that of k
	Negated  bool           // the claim denies the property
	Lost     Lost           // the verdicts on the property that say nothing under the rule of repetition
	System   *rules.System
	Property Property
	Fitted   []term.Fitted  // the drawn positions that the claim uses as states of plays
	borrows  bool           // the claim names a lap or relation that the System does not have
	given    board.Settings // all settings of the command line, also for other variants
	board    *body.BoardLine
}

// Name identifies the instance within its file: "thesis", or "narrow[n=3]" if there are sweeps.
func (i *Instance) Name() string {
	values := lists.Map(i.Swept(), func(p string) string { return fmt.Sprintf("%s=%s", p, i.Settings[p]) })
	if i.board != nil {
		values = append(values, fmt.Sprintf("line=%d", i.board.Number))
	}
	if len(values) == 0 {
		return i.Claim.Name
	}
	return i.Claim.Name + "[" + strings.Join(values, ",") + "]"
}

// Line returns the number of the line in the file of boards that the instance is about, or 0.
func (i *Instance) Line() int {
	if i.board == nil {
		return 0
	}
	return i.board.Number
}

// Asserts returns what the claim asserts of its System, in the words of certificates; one about
// every size has its digest. It is empty if no certificate can be about such a claim.
func (i *Instance) Asserts() string {
	p := i.Property
	if p == nil || p.Kind() == "" {
		return ""
	}
	text := p.Asserts(i.System)
	if i.Negated {
		text = "not (" + text + ")"
	}
	if own := rules.OwnTables(i.System, p.conditions()...); len(own) > 0 {
		text = "given " + strings.Join(own, " ") + ": " + text
	}
	if i.Size != "" {
		text = fmt.Sprintf("for every %s >= %d of %q: %s", rules.ExactName(i.Size), i.Least(), i.Digest(), text)
	}
	return text
}

// Borrows reports whether the claim asks for a lap or relation that its System does not have. Where
// the pit is known, only the answer stands in the property.
func (i *Instance) Borrows() bool { return i.borrows }

// Plain returns the instance of the property itself if the claim denies it, and i otherwise. The
// denial is proved where that is refuted. Denying something for all values of a parameter asks for
// it for some, and the other way round.
func (i *Instance) Plain() *Instance {
	if !i.Negated {
		return i
	}
	plain := *i
	plain.Negated, plain.Open, plain.Some = false, nil, ""
	if len(i.Open) > 0 {
		plain.Some = i.Open[0]
	}
	if i.Some != "" {
		plain.Open = []string{i.Some}
	}
	return &plain
}

// Shed forgets all of the System but its name and its parameters, and the property. The instance
// can be named after that, and decided only after Restore.
func (i *Instance) Shed() {
	i.System = &rules.System{Name: i.System.Name, File: i.System.File, Params: i.System.Params}
	i.Property = nil
}

// Restore resolves the instance again if Shed made it forget that.
func (i *Instance) Restore() error {
	if i.Property != nil {
		return nil
	}
	var diags diag.List
	i.fill(&diags)
	return diags.Err()
}

// Systems lists the Systems whose plays the claim is about, its own first.
func (i *Instance) Systems() []*rules.System { return Systems(i.System, i.Property) }

// Systems lists the Systems whose plays a property of sys is about, sys first. Some are nil if the
// claim has mistakes.
func Systems(sys *rules.System, p Property) []*rules.System {
	switch p := any(p).(type) { // most are about one
	case *Relation:
		return []*rules.System{sys, p.Other}
	case *StrategyWins:
		return []*rules.System{sys, p.Followed}
	}
	return []*rules.System{sys}
}

// Instances makes the instances of c, in the order of its sweeps. Settings in given, those of the
// command line, have precedence over all others.
func (c *Claim) Instances(given board.Settings, diags *diag.List) []*Instance {
	return c.some(maxInstances, given, diags)
}

// First makes the first of the instances, if there are any. It is for looking at a claim without
// deciding it.
func (c *Claim) First(given board.Settings, diags *diag.List) []*Instance {
	return c.some(1, given, diags)
}

// some is Instances for no more than a number of them.
func (c *Claim) some(most int, given board.Settings, diags *diag.List) []*Instance {
	if c.variant == nil || c.ast.Property == nil {
		return nil
	}
	var own diag.List
	defer func() { own.Sort(); *diags = append(*diags, own...) }()
	all := given
	given = c.unit.For(c.variant, given, &own)
	var out []*Instance
	for _, p := range c.points(most, given, &own) {
		if c.unit.ended() {
			term.Interrupted(&own, c.ast.Name.Range, c.unit.Context)
			break
		}
		if p.given = all; !p.complete(given, &own) {
			continue
		}
		if len(out) > 0 {
			p.share(out[len(out)-1])
		}
		out = append(out, p)
		if len(own) >= diag.MaxMistakes || len(out) >= most {
			break
		}
	}
	return out
}

// share replaces the parts of the instance's System that equal those of another by the same memory,
// so that a long sweep takes memory only for what differs. This is safe because Systems are never
// changed.
func (i *Instance) share(with *Instance) {
	if i.System == nil || with.System == nil {
		return
	}
	a, b := reflect.ValueOf(i.System).Elem(), reflect.ValueOf(with.System).Elem()
	for k := range a.NumField() {
		if f := a.Field(k); f.CanSet() && reflect.DeepEqual(f.Interface(), b.Field(k).Interface()) {
			f.Set(b.Field(k))
		}
	}
	if reflect.DeepEqual(i.Property, with.Property) {
		i.Property = with.Property
	}
}

// points lists the instances, or at least most of them, of which only what distinguishes them is
// known. For each board there are those of the sweeps.
func (c *Claim) points(most int, given board.Settings, diags *diag.List) []*Instance {
	if c.list == nil {
		return c.pointsOn(nil, c.sweep(most, given, given, diags))
	}
	var all []*Instance
	for _, line := range c.boards(diags) {
		if c.line > 0 && line.Number != c.line {
			continue
		}
		all = append(all, c.pointsOn(line, c.sweep(most, setsOf(line, c.variant, given, given), given, diags))...)
		if len(all) > maxInstances {
			diags.Errorf(diag.TooBig, c.list.Range, "the boards and sweeps of this claim have more than %d values in all", maxInstances)
		}
		if diags.HasErrors() {
			return nil
		}
	}
	return all
}

// pointsOn returns an instance on the board, which may be nil, for each of these settings.
func (c *Claim) pointsOn(line *body.BoardLine, list []board.Settings) []*Instance {
	return lists.Map(list, func(s board.Settings) *Instance {
		return &Instance{Claim: c, Settings: s, board: line, Negated: c.ast.Negated}
	})
}

// sweep lists the settings of each instance, or at least most of them. Each begins with those in
// begin; a parameter in given is not swept.
func (c *Claim) sweep(most int, begin, given board.Settings, diags *diag.List) []board.Settings {
	list := []board.Settings{maps.Collect(maps.All(begin))}
	ranges := c.ast.Ranges()
	if len(ranges) > 1 {
		most = maxInstances // how many there are in all is known only from their list
	}
	for _, f := range ranges {
		if !hasParam(c.variant, f.Name, diags) {
			return nil
		}
		if _, set := given[f.Name.Name]; set {
			continue
		}
		if v, set := begin[f.Name.Name]; set {
			diags.Errorf(diag.BadClause, f.Range, "`%s` is set already", f.Name.Name).WithNote(v.At, "here")
			return nil
		}
		var next []board.Settings
		for _, s := range list {
			if c.unit.ended() {
				term.Interrupted(diags, f.Range, c.unit.Context)
				return nil
			}
			if next = append(next, c.values(most, f, s, diags)...); len(next) > maxInstances {
				diags.Errorf(diag.TooBig, f.Range, "the sweeps of this claim have more than %d values in all", maxInstances).
					WithHelp("the values of one sweep multiply with those of the others")
				return nil
			}
		}
		list = next
	}
	return list
}

// maxInstances bounds the instances of one claim.
const maxInstances = 100_000

// values returns s once for each value of a sweep, but for no more than most. The ends of the sweep
// may use parameters set in s.
func (c *Claim) values(most int, f *ast.ParamRange, s board.Settings, diags *diag.List) []board.Settings {
	lo, hi := c.eval(f.Lo, s, nil, diags), c.eval(f.Hi, s, nil, diags)
	if diags.HasErrors() {
		return nil
	}
	if lo > hi || hi-lo >= maxInstances || hi-lo < 0 {
		diags.Errorf(diag.EmptyRange, f.Lo.Span().To(f.Hi.Span()), "a sweep from %d to %d", lo, hi).
			WithHelp("the lower end comes first, and a sweep has at most %d values", maxInstances)
		return nil
	}
	var out []board.Settings
	for n := lo; n <= hi && len(out) < most; n++ {
		t := maps.Collect(maps.All(s))
		t[f.Name.Name] = board.Value{N: n, At: f.Name.Range}
		out = append(out, t)
	}
	return out
}

// hasRange is hasParam for a quantified parameter, which also needs a range, and a setup to range
// over.
func (c *Claim) hasRange(name ast.Ident, diags *diag.List) bool {
	if !hasParam(c.variant, name, diags) {
		return false
	}
	if c.begin != nil {
		diags.Errorf(diag.BadClause, name.Range, "`%s` cannot be left open: games begin at the position `%s`", name.Name, c.begin.Name.Name)
		return false
	}
	for _, p := range ast.Items[*ast.Param](c.variant) {
		if p.Name.Name == name.Name && !p.HasRange && board.IsBool(p.Default) {
			diags.Errorf(diag.BadClause, name.Range, "parameter `%s` has no range to quantify over", name.Name)
			return false
		}
	}
	return true
}

// complete reads the clauses of the claim that the instance depends on, and resolves it. given is
// the part of the settings of the command line that concerns the variant.
func (i *Instance) complete(given board.Settings, diags *diag.List) bool {
	c, s := i.Claim, i.Settings
	for _, cl := range c.ast.Clauses {
		switch cl := cl.(type) {
		case *ast.With:
			c.with(cl, s, given, diags)
		case *ast.ForAll:
			if _, set := given[cl.Name.Name]; !set && cl.From != nil {
				c.everySize(cl, i, diags)
			} else if !set && c.hasRange(cl.Name, diags) {
				i.Open = append(i.Open, cl.Name.Name)
			}
		case *ast.ForSome:
			if _, set := given[cl.Name.Name]; !set && c.hasRange(cl.Name, diags) {
				i.Some = cl.Name.Name
			}
		}
	}
	for _, name := range append(slices.Clone(i.Open), i.Some) {
		if v, set := s[name]; set {
			diags.Errorf(diag.BadClause, v.At, "`%s` is both set and quantified over", name)
		}
	}
	i.oneDenied(diags)
	if diags.HasErrors() {
		return false
	}
	i.fill(diags)
	return true
}

// fill resolves the System and the property.
func (i *Instance) fill(diags *diag.List) {
	open := i.Open
	if i.Some != "" {
		open = append(slices.Clone(open), i.Some)
	}
	i.resolve(i.Claim.unit.common, open, diags)
	i.System = i.upward(i.System)
	if i.Negated != i.Claim.ast.Negated {
		i.oneDenied(diags)
	}
}

// Elsewhere returns the settings of the claim's own parameters, as `m = 3, n = 2`, if it is about
// no game with those of sys, and otherwise an empty text. It reads no property.
func (c *Claim) Elsewhere(sys *rules.System) string {
	if c.variant == nil {
		return ""
	}
	first := ""
	var diags diag.List
	for i, p := range c.points(maxInstances, nil, &diags) {
		for _, cl := range c.ast.Clauses {
			if w, ok := cl.(*ast.With); ok {
				c.with(w, p.Settings, nil, &diags)
			}
		}
		if diags.HasErrors() {
			return ""
		}
		var own []string
		same := true
		for _, param := range sys.Params {
			if v, set := p.Settings[param.Name]; set {
				own = append(own, param.Name+" = "+v.String())
				same = same && v.N == param.Value
			}
		}
		if same {
			return ""
		}
		if i == 0 {
			first = strings.Join(own, ", ")
		} else if i == 1 {
			first += " and others"
		}
	}
	return first
}

// Unnamed returns the usual values, as `m = 3, n = 2`, of the parameters that have others in sys
// and that the claim does not name: numbers in it may be for the usual ones.
func (c *Claim) Unnamed(sys *rules.System) string {
	if c.variant == nil {
		return ""
	}
	usual, diags := c.unit.System(c.variant, nil)
	if diags.HasErrors() {
		return ""
	}
	named := map[string]bool{}
	for _, n := range ast.All[*ast.Name](c.ast) {
		named[n.Name] = true
	}
	for _, n := range ast.All[*ast.Ident](c.ast) {
		named[n.Name] = true
	}
	for _, n := range ast.All[*ast.Subject](c.ast) {
		named[n.Name] = true
	}
	var list []string
	for i, p := range usual.Params {
		if q := sys.Params[i]; !named[p.Name] && q.Name == p.Name && q.Value != p.Value {
			list = append(list, p.Name+" = "+(board.Value{N: p.Value, Bool: p.Bool}).String())
		}
	}
	return strings.Join(list, ", ")
}

// oneDenied reports a claim that denies something for all values of several parameters.
func (i *Instance) oneDenied(diags *diag.List) {
	if i.Negated && len(i.Open) > 1 {
		diags.Errorf(diag.BadClause, i.Claim.ast.Property.Span(), "a claim that denies something quantifies over one parameter `for all`").
			WithHelp("what is denied `for all` values would have to hold `for some`, and that takes one parameter")
	}
}

// with reads the settings of a `with` clause into s.
func (c *Claim) with(w *ast.With, s, given board.Settings, diags *diag.List) {
	for _, set := range w.Settings {
		if _, cli := given[set.Name.Name]; cli || !hasParam(c.variant, ast.Ident(set.Name), diags) {
			continue
		}
		v := c.value(set, s, nil, diags)
		if old, dup := s[set.Name.Name]; dup {
			diags.Errorf(diag.BadClause, set.Range, "`%s` is set already", set.Name.Name).WithNote(old.At, "here")
			continue
		}
		s[set.Name.Name] = v
	}
}

// ofAnyState reports whether a property is about states with any number of seeds: of all states of
// the right shape, or of plays from a position of its own.
func ofAnyState(p Property) bool {
	switch p := p.(type) {
	case *Neighbours:
		return true
	case *EveryStep:
		return p.All
	case *Force:
		return !p.From.Starts()
	case *Count:
		return p.Set == CountAncestors
	case *Reach, *NeverStuck, *Terminates, *StepTo, *WinningStarts, *StrategyWins, *Relation, *ValueOf, *WinnerOf, *BestMoves:
	}
	return false
}

// resolve makes the System and the property of the instance.
func (i *Instance) resolve(build building, open []string, diags *diag.List) {
	var own diag.List
	c := i.Claim
	g := game{settings: i.Settings, open: open, following: c.following, begin: c.begin, here: c.here, board: i.board, claim: c.ast}
	b := build(c.variant, g, &own)
	i.System, i.Property, i.Fitted, i.Lost, i.borrows, i.Negated = b.Sys, nil, nil, Lost{}, false, c.ast.Negated
	if !own.HasErrors() {
		b.Run.Bounded(func() { i.Property = i.property(b, g) })
		i.borrows = b.Borrowed
	}
	if ofAnyState(i.Property) {
		i.Fitted = nil
	}
	if !own.HasErrors() && i.Property != nil {
		i.under(b.Sys)
	}
	own.Sort()
	*diags = append(*diags, own...)
}

// With resolves the instance with further parameters set, among those that it leaves open or
// quantifies over.
func (i *Instance) With(given board.Settings) (*rules.System, Property, diag.List) {
	at := *i
	at.Settings = maps.Collect(maps.All(i.Settings))
	maps.Copy(at.Settings, given)
	var diags diag.List
	at.resolve(i.Claim.unit.build, i.Open, &diags)
	return at.System, at.Property, diags
}

// free lists the parameters that the claim has no value for: the size, and those that are open.
func (i *Instance) free() []string {
	free := lists.Filter(i.System.Params, func(p rules.Param) bool { return p.Open || p.Upward })
	return lists.Map(free, func(p rules.Param) string { return p.Name })
}

// WithValues resolves the instance with values for all open parameters, in their order; the size of
// a claim about every size is one of them. Without values it returns the instance's own System and
// property.
func (i *Instance) WithValues(values []int) (*rules.System, Property, error) {
	free := i.free()
	switch len(values) {
	case 0:
		return i.System, i.Property, nil
	case len(free):
	default:
		return nil, nil, fmt.Errorf("%d values for %d open parameters", len(values), len(free))
	}
	given := board.Settings{}
	for n, p := range free {
		given[p] = board.Value{N: values[n], At: i.Claim.At}
	}
	sys, p, diags := i.With(given)
	return sys, p, diags.Err()
}

// ValuesIn lists the values that sys has for the open parameters of the instance.
func (i *Instance) ValuesIn(sys *rules.System) []int {
	var values []int
	for _, name := range i.free() {
		for _, p := range sys.Params {
			if p.Name == name && !p.Open && !p.Upward {
				values = append(values, p.Value)
			}
		}
	}
	return values
}

// Swept lists the parameters that distinguish the instance from others of its claim, in the order
// of the sweeps.
func (i *Instance) Swept() []string {
	return lists.Map(i.Claim.ast.Ranges(), func(f *ast.ParamRange) string { return f.Name.Name })
}

// hasParam reports whether v has a parameter of this name. If not, it adds a diagnostic.
func hasParam(v *ast.Variant, name ast.Ident, diags *diag.List) bool {
	names := ParamNames(v)
	if slices.Contains(names, name.Name) {
		return true
	}
	bind.Suggest(diags.Errorf(diag.UnknownParam, name.Range, "`%s` has no parameter `%s`", v.Name.Name, name.Name), name.Name, names)
	return false
}

// ParamNames lists the parameters that v declares.
func ParamNames(v *ast.Variant) []string {
	return lists.Map(ast.Items[*ast.Param](v), func(p *ast.Param) string { return p.Name.Name })
}

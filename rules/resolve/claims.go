package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Claim is a claim with its clauses read. Instances are made from it.
type Claim struct {
	Name    string
	Label   string // its source's label; may be empty
	Doc     string
	File    string
	At      diag.Range
	Refuted bool   // expected to be refuted
	Engine  string // hint; may be empty
	Bound   int    // hint; 0 if there is none
	ast     *ast.Claim
	variant *ast.Variant
	unit    *Unit
}

// Instance is a claim about one System: a claim with a sweep has one for each value.
type Instance struct {
	Claim    *Claim
	Settings Settings // parameters set by the sweep, by `with` and by the command line
	Open     []string // parameters of `for all`
	Some     string   // the parameter of `for some`, or empty
	System   *rules.System
	Property Property
}

// Claim reads the clauses of c.
func (u *Unit) Claim(c *ast.Claim) (*Claim, diag.List) {
	var diags diag.List
	out := &Claim{Name: c.Name.Name, Label: c.Label, Doc: c.Doc, File: u.files[c], At: c.Name.Range, ast: c, unit: u}
	of, at := "", c.Name.Range
	if c.Of != nil {
		of, at = c.Of.Name, c.Of.Range
	}
	out.variant = u.Variant(of, at, &diags)
	seen := map[string]bool{}
	for _, cl := range c.Clauses {
		out.clause(cl, seen, &diags)
	}
	if c.Property == nil && !diags.HasErrors() {
		diags.Errorf(diag.Missing, c.Range, "claim `%s` asserts nothing", out.Name)
	}
	return out, diags
}

func (c *Claim) clause(cl ast.Clause, seen map[string]bool, diags *diag.List) {
	once := func(what string) {
		if seen[what] {
			diags.Errorf(diag.BadClause, cl.Span(), "a second `%s`", what)
		}
		seen[what] = true
	}
	switch cl := cl.(type) {
	case *ast.Expect:
		once("expect")
		c.Refuted = cl.Refuted
	case *ast.Using:
		once("using")
		c.Engine = cl.Engine.Name
	case *ast.Bound:
		once("bound")
		if n, ok := cl.K.(*ast.Int); ok {
			c.Bound = n.Value
		} else {
			diags.Errorf(diag.NotConstant, cl.K.Span(), "a bound is a number")
		}
	case *ast.ForSome:
		once("for some")
	}
}

// Instances makes the instances of c, in the order of its sweeps. Values of given (the command line) stand above all others.
func (c *Claim) Instances(given Settings, diags *diag.List) []*Instance {
	if c.variant == nil || c.ast.Property == nil {
		return nil
	}
	var own diag.List
	defer func() { own.Sort(); *diags = append(*diags, own...) }()
	given = c.unit.For(c.variant, given, &own)
	var out []*Instance
	for _, s := range c.sweep(given, &own) {
		if inst := c.instance(s, given, &own); inst != nil {
			out = append(out, inst)
		}
	}
	return out
}

// sweep lists the settings of each instance.
func (c *Claim) sweep(given Settings, diags *diag.List) []Settings {
	list := []Settings{copyOf(given)}
	for _, cl := range c.ast.Clauses {
		f, ok := cl.(*ast.ForIn)
		if !ok {
			continue
		}
		if !c.hasParam(f.Name, diags) {
			return nil
		}
		if _, set := given[f.Name.Name]; set {
			continue
		}
		var next []Settings
		for _, s := range list {
			next = append(next, c.values(f, s, diags)...)
		}
		list = next
	}
	return list
}

const maxSweep = 100_000

func (c *Claim) values(f *ast.ForIn, s Settings, diags *diag.List) []Settings {
	lo, hi := c.eval(f.Lo, s, diags), c.eval(f.Hi, s, diags)
	if diags.HasErrors() {
		return nil
	}
	if lo > hi || hi-lo >= maxSweep {
		diags.Errorf(diag.EmptyRange, f.Lo.Span().To(f.Hi.Span()), "a sweep from %d to %d", lo, hi).
			WithHelp("the lower end comes first, and a sweep has at most %d values", maxSweep)
		return nil
	}
	var out []Settings
	for n := lo; n <= hi; n++ {
		t := copyOf(s)
		t[f.Name.Name] = Value{N: n, At: f.Name.Range}
		out = append(out, t)
	}
	return out
}

// eval computes a number in a clause; it may use parameters set before.
func (c *Claim) eval(x ast.Expr, s Settings, diags *diag.List) int {
	scratch := diag.List{}
	b := &builder{
		unit: c.unit, variant: c.variant, diags: &scratch, sys: &rules.System{},
		names: map[string]entity{}, declared: map[string]diag.Range{}, bracketed: map[string]bool{}, enums: map[string][]string{},
	}
	b.params(s, nil)
	scratch = nil // faults of the parameters are reported with the instance
	n := b.constInt(x)
	*diags = append(*diags, scratch...)
	return n
}

func copyOf(s Settings) Settings {
	t := Settings{}
	for k, v := range s {
		t[k] = v
	}
	return t
}

func (c *Claim) hasParam(name ast.Ident, diags *diag.List) bool {
	names := ParamNames(c.variant)
	for _, n := range names {
		if n == name.Name {
			return true
		}
	}
	suggest(diags.Errorf(diag.UnknownParam, name.Range, "`%s` has no parameter `%s`", c.variant.Name.Name, name.Name), name.Name, names)
	return false
}

// hasRange is hasParam for a parameter that is quantified over.
func (c *Claim) hasRange(name ast.Ident, diags *diag.List) bool {
	if !c.hasParam(name, diags) {
		return false
	}
	for _, item := range c.variant.Items {
		if p, ok := item.(*ast.Param); ok && p.Name.Name == name.Name && !p.HasRange {
			diags.Errorf(diag.BadClause, name.Range, "parameter `%s` has no range to quantify over", name.Name)
			return false
		}
	}
	return true
}

func (c *Claim) instance(s Settings, given Settings, diags *diag.List) *Instance {
	inst := &Instance{Claim: c, Settings: s}
	for _, cl := range c.ast.Clauses {
		switch cl := cl.(type) {
		case *ast.With:
			c.with(cl, s, given, diags)
		case *ast.ForAll:
			if _, set := given[cl.Name.Name]; !set && c.hasRange(cl.Name, diags) {
				inst.Open = append(inst.Open, cl.Name.Name)
			}
		case *ast.ForSome:
			if _, set := given[cl.Name.Name]; !set && c.hasRange(cl.Name, diags) {
				inst.Some = cl.Name.Name
			}
		}
	}
	for _, name := range append(append([]string{}, inst.Open...), inst.Some) {
		if v, set := s[name]; set {
			diags.Errorf(diag.BadClause, v.At, "`%s` is both set and quantified over", name)
		}
	}
	if diags.HasErrors() {
		return nil
	}
	open := inst.Open
	if inst.Some != "" {
		open = append(append([]string{}, open...), inst.Some)
	}
	inst.System, inst.Property = c.resolve(s, open, diags)
	return inst
}

func (c *Claim) with(w *ast.With, s, given Settings, diags *diag.List) {
	for _, set := range w.Settings {
		if _, cli := given[set.Name.Name]; cli || !c.hasParam(set.Name, diags) {
			continue
		}
		v := Value{At: set.Value.Span(), Bool: isBool(set.Value)}
		if v.Bool {
			v.N = btoi(set.Value.(*ast.Name).Name == "true")
		} else {
			v.N = c.eval(set.Value, s, diags)
		}
		if old, dup := s[set.Name.Name]; dup {
			diags.Errorf(diag.BadClause, set.Range, "`%s` is set already", set.Name.Name).Notes = []diag.Note{{Range: old.At, Message: "here"}}
			continue
		}
		s[set.Name.Name] = v
	}
}

func (c *Claim) resolve(s Settings, open []string, diags *diag.List) (*rules.System, Property) {
	var own diag.List
	b := c.unit.build(c.variant, s, open, &own)
	var p Property
	if !own.HasErrors() {
		p = b.property(c.ast.Property)
	}
	own.Sort()
	*diags = append(*diags, own...)
	return b.sys, p
}

// With resolves the instance with further parameters set: those it leaves open, or quantifies over.
func (i *Instance) With(given Settings) (*rules.System, Property, diag.List) {
	s := copyOf(i.Settings)
	for name, v := range given {
		s[name] = v
	}
	var diags diag.List
	sys, p := i.Claim.resolve(s, i.Open, &diags)
	return sys, p, diags
}

// Swept lists the parameters that tell this instance from the claim's others, in the order of the sweeps.
func (i *Instance) Swept() []string {
	var names []string
	for _, cl := range i.Claim.ast.Clauses {
		if f, ok := cl.(*ast.ForIn); ok {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

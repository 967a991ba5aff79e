package cert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// statement is what is certified, as the text of the rules says it. Exactly one of the fields from
// target to sizes is set.
type statement struct {
	sys      *rules.System
	target   rules.Expr        // no reachable state may satisfy it
	step     *build.EveryStep  // every step must satisfy it
	best     bestPlay          // what is claimed about best play
	winners  build.Property    // what is claimed about the starts that can be won
	plan     *rules.System     // a strategy that is to win, as the System that follows it
	relation *build.Relation   // a relation to other rules
	ends     *build.Terminates // every play ends
	counts   *build.Count      // the number of reachable states
	witness  *witness          // what a single play has to show
	sizes    *build.Instance   // the claim is about every size
	proves   bool              // the verdict is that the claim is true, for kinds whose evidence can show either
	tries    int               // bounds the possibilities tried when states are listed
}

// Digest returns the SHA-256 of the paths and texts of all sources. Lengths come first, so
// different sources give different input.
func Digest(sources map[string]string) string {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(h, "%d %s\n%d %s\n", len(path), path, len(sources[path]), sources[path])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// statement reads the sources again and checks everything that the certificate says about them.
func (c *Certificate) statement(ctx context.Context) (*statement, error) {
	switch {
	case c.Format != Format:
		return nil, reject("this is %q, and not %q", c.Format, Format)
	case c.Version != Version:
		return nil, reject("it has version %d of the format, and this program reads version %d", c.Version, Version)
	}
	if c.SourcesDigest != Digest(c.Sources) {
		return nil, reject("the text of the rules has changed: its digest is another one")
	}
	given, err := settings(c.Settings)
	if err != nil {
		return nil, err
	}
	inst, err := c.instance(ctx, given)
	if err != nil {
		return nil, err
	}
	err = c.describes(inst)
	if err != nil && c.Other != "" {
		inst, err = c.byDefault(ctx, inst, given)
	}
	if err != nil {
		return nil, err
	}
	return stated(inst, c.Verdict)
}

// byDefault resolves a claim about two variants again. What is set for the first one is set for the
// other one, too, but defaults are not: so what the first one has by default is not set.
func (c *Certificate) byDefault(ctx context.Context, inst *build.Instance, given build.Settings) (*build.Instance, error) {
	set := maps.Clone(given)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		delete(set, name)
		less, err := c.instance(ctx, set)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || !slices.Equal(ScopeOf(less.System), ScopeOf(inst.System)) {
			set[name] = given[name]
		}
	}
	inst, err := c.instance(ctx, set)
	if err != nil {
		return nil, err
	}
	return inst, c.describes(inst)
}

// instance resolves the claim from the sources with some settings.
func (c *Certificate) instance(ctx context.Context, given build.Settings) (*build.Instance, error) {
	unit, err := c.unit()
	if err != nil {
		return nil, err
	}
	unit.Context = ctx
	found := slices.IndexFunc(unit.Claims, func(a *ast.Claim) bool { return a.Name.Name == c.Claim.Name })
	if found < 0 {
		return nil, reject("the rules make no claim `%s`", c.Claim.Name)
	}
	claim, diags := unit.Claim(unit.Claims[found])
	if diags.HasErrors() {
		return nil, faulty(diags)
	}
	list := claim.OnLine(c.Line).Instances(given, &diags)
	if ctx.Err() != nil {
		return nil, ctx.Err() // an interruption says nothing about the certificate
	}
	if diags.HasErrors() {
		return nil, faulty(diags)
	}
	if len(list) != 1 {
		return nil, reject("with these settings the claim `%s` has %d instances", c.Claim.Name, len(list))
	}
	return list[0], nil
}

// unit parses the sources. None of them may be missing, or superfluous.
func (c *Certificate) unit() (*build.Unit, error) {
	program, diags := dsl.Load(c.Root, func(path string) ([]byte, error) {
		text, ok := c.Sources[path]
		if !ok {
			return nil, errors.New("it is not in the certificate")
		}
		return []byte(text), nil
	})
	if diags.HasErrors() {
		return nil, faulty(diags)
	}
	if len(program.Sources) != len(c.Sources) {
		return nil, reject("there are sources in it that the rules do not import")
	}
	unit, diags := build.Collect(program.Files)
	if diags.HasErrors() {
		return nil, faulty(diags)
	}
	return unit, nil
}

// faulty returns the rejection for rules with mistakes, or nil.
func faulty(diags diag.List) error {
	if !diags.HasErrors() {
		return nil
	}
	return reject("the rules have faults: %v", diags)
}

// settings converts values of parameters, which are numbers or truth values.
func settings(given map[string]any) (build.Settings, error) {
	out := build.Settings{}
	at := diag.Range{File: "certificate"}
	for name, v := range given {
		switch v := v.(type) {
		case bool:
			out[name] = build.Value{N: map[bool]int{true: 1}[v], Bool: true, At: at}
		case int:
			out[name] = build.Value{N: v, At: at}
		case json.Number:
			n, err := num.Parse(v.String())
			if err != nil {
				return nil, reject("the setting of `%s` is no whole number in the range", name)
			}
			out[name] = build.Value{N: n, At: at}
		default:
			return nil, reject("the setting of `%s` is neither a number nor a truth value", name)
		}
	}
	return out, nil
}

// describes fails unless what the certificate says about the instance is what the rules give.
func (c *Certificate) describes(inst *build.Instance) error {
	claim := claimOf(inst)
	same := []struct {
		what string
		is   bool
	}{
		{"label of the claim", c.Claim.Label == claim.Label},
		{"kind of the claim", c.Claim.Kind == claim.Kind},
		{"assertion of the claim", c.Claim.Asserts == claim.Asserts},
		{"line of the file of boards", c.Line == inst.Line()},
		{"list of open parameters", slices.Equal(c.Open, inst.Open)},
		{"parameter of `for some`", c.Some == inst.Some},
		{"parameter of a claim about every size", c.Size == inst.Size},
		{"list of settings", len(c.Settings) == settled(inst.System)},
		{"scope", slices.Equal(c.Scope, ScopeOf(inst.System))},
		{"resolved System", c.System == string(inst.System.Canonical())},
		{"hash of the System", c.SystemHash == inst.System.Hash()},
		{"other System", c.Other == otherText(inst)},
	}
	for _, s := range same {
		if !s.is {
			return reject("the %s is not the one that the rules give", s.what)
		}
	}
	return nil
}

// otherText returns the canonical text of the other System that a claim is about, or nothing.
func otherText(inst *build.Instance) string {
	if list := inst.Systems(); len(list) > 1 {
		return string(list[1].Canonical())
	}
	return ""
}

// agreesOn fails if certificate and check disagree about whether the claim is vacuous.
func (c *Certificate) agreesOn(r *Report) error {
	switch {
	case r.Subject == SomeSubject && c.Vacuous:
		return reject("the certificate calls the claim vacuous, but there are states that it is about")
	case r.Subject == NoSubject && !c.Vacuous:
		return reject("the claim is about nothing that exists, but the certificate does not call it vacuous")
	case c.Vacuous:
		r.Notes = append(r.Notes, "vacuous: the claim is about nothing that exists")
	}
	return nil
}

// settled returns how many parameters have a value.
func settled(sys *rules.System) int {
	n := 0
	for _, p := range sys.Params {
		if !p.Open && !p.Upward {
			n++
		}
	}
	return n
}

// ScopeOf lists the parameters with their values or ranges.
func ScopeOf(sys *rules.System) []Scope {
	var list []Scope
	for _, p := range sys.Params {
		s := Scope{Param: p.Name, All: p.Open || p.Upward}
		switch {
		case p.Upward:
			s.Is = fmt.Sprintf("%d..", p.Value)
		case p.Open && p.HasHi:
			s.Is = fmt.Sprintf("%d..%d", p.Lo, p.Hi)
		case p.Open:
			s.Is = fmt.Sprintf("%d..", p.Lo)
		case p.Bool:
			s.Is = strconv.FormatBool(p.Value != 0)
		default:
			s.Is = strconv.Itoa(p.Value)
		}
		list = append(list, s)
	}
	return list
}

// certifiable returns the property of a claim, or nil if there are no certificates for such claims.
func certifiable(p build.Property) build.Property {
	if p == nil || p.Kind() == "" {
		return nil
	}
	return p
}

// claimOf describes the claim of an instance. Kind and assertion are empty if there are no
// certificates for such claims.
func claimOf(inst *build.Instance) Claim {
	c := Claim{Name: inst.Claim.Name, Label: inst.Claim.Label}
	if p := certifiable(inst.Property); p != nil {
		c.Kind, c.Asserts = p.Kind(), inst.Asserts()
	}
	return c
}

// witness is what a single play has to show. It refutes a claim about all plays, or proves a claim
// that there is one. One of target, step and ends is set.
type witness struct {
	target rules.Expr        // the last state satisfies it
	step   *build.EveryStep  // the last step breaks it
	ends   *build.Terminates // the play goes on for ever, or for more moves than this allows
	most   int               // moves allowed; negative: no limit
}

// witnessOf returns what a play has to show for a verdict on such a claim, or nil if no single play
// can show it.
func witnessOf(sys *rules.System, p build.Property, verdict string) *witness {
	switch p := p.(type) {
	case *build.Reach:
		if (verdict == Proved) == p.Reachable {
			return &witness{target: p.Target, most: p.Within}
		}
	case *build.NeverStuck:
		if verdict == Refuted {
			return &witness{target: p.Safety(sys).Never, most: -1}
		}
	case *build.EveryStep:
		if verdict == Refuted && !p.All {
			return &witness{step: p, most: -1}
		}
	case *build.Terminates:
		if verdict == Refuted && !p.ByRepetition {
			return &witness{ends: p, most: -1}
		}
	}
	return nil
}

// evidence returns the only kind of evidence that can show the statement. It is empty for a
// statement about all reachable states, for which there are several.
func (st *statement) evidence() string {
	switch {
	case st.sizes != nil:
		return Sizes
	case st.witness != nil:
		return Shown
	case st.best != nil:
		return Strategies
	case st.winners != nil:
		return Winning
	case st.plan != nil:
		return Plan
	case st.ends != nil && st.ends.ByRepetition:
		return Finite
	case st.ends != nil:
		return Falling
	case st.counts != nil:
		return Depths
	case st.relation != nil && st.relation.Relates != build.Reverses:
		return Product
	case st.relation != nil:
		return Forward
	}
	return ""
}

// onlyProves returns the rejection for a refutation of a claim that the evidence can only prove.
func onlyProves(verdict string) error {
	return reject("the evidence can only show that the claim is proved, and the verdict is `%s`", verdict)
}

// stated returns what a verdict on an instance says about reachable states, plays or best play. A
// verdict on a denied claim is the opposite verdict on the claim itself.
func stated(inst *build.Instance, verdict string) (*statement, error) {
	if inst.Negated {
		denied := map[string]string{Proved: Refuted, Refuted: Proved}[verdict]
		return stated(inst.Plain(), denied)
	}
	p := certifiable(inst.Property)
	if p == nil {
		return nil, reject("there are no certificates for claims of this kind")
	}
	if verdict == Proved && inst.Lost.Proved || verdict == Refuted && inst.Lost.Refuted {
		return nil, reject("the rules end a play that comes back to a position, and such a verdict says nothing of the states in which that happens")
	}
	if inst.Size != "" {
		if verdict != Proved {
			return nil, onlyProves(verdict)
		}
		return &statement{sys: inst.System, sizes: inst, tries: maxListed}, nil
	}
	if best := bestPlayOf(p); best != nil {
		if verdict != Proved && verdict != Refuted {
			return nil, reject("`%s` is no verdict", verdict)
		}
		return &statement{sys: inst.System, best: best, proves: verdict == Proved, tries: maxListed}, nil
	}
	if w := witnessOf(inst.System, p, verdict); w != nil {
		return &statement{sys: inst.System, witness: w, tries: maxListed}, nil
	}
	switch p := p.(type) {
	case *build.WinningStarts, *build.Count:
		if verdict != Proved && verdict != Refuted {
			return nil, reject("`%s` is no verdict", verdict)
		}
		st := &statement{sys: inst.System, proves: verdict == Proved, tries: maxListed}
		if c, is := p.(*build.Count); is && c.Set != build.CountWinning {
			st.counts = c
		} else {
			st.winners = p
		}
		return st, nil
	case *build.StrategyWins:
		if verdict != Proved {
			return nil, onlyProves(verdict)
		}
		return &statement{sys: inst.System, plan: p.Followed, tries: maxListed}, nil
	case *build.Terminates:
		if verdict != Proved {
			return nil, onlyProves(verdict)
		}
		return &statement{sys: inst.System, ends: p, tries: maxListed}, nil
	case *build.Relation:
		if verdict != Proved {
			return nil, onlyProves(verdict)
		}
		return &statement{sys: inst.System, relation: p, tries: maxListed}, nil
	}
	safe, want := p.(build.Safe).Safety(inst.System), Proved
	if safe.Refutes {
		want = Refuted
	}
	if verdict != want {
		return nil, reject("the evidence can only show that the claim is %s, and the verdict is `%s`", want, verdict)
	}
	return &statement{sys: inst.System, target: safe.Never, step: safe.Step, tries: maxListed}, nil
}

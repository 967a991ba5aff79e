package cert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// statement is what is certified, as the text of the rules says it.
type statement struct {
	inst   *build.Instance // that the verdict is on
	sys    *rules.System
	says   says
	plain  build.Property // that is claimed, or denied
	proves bool           // the verdict is that the claim is true, for kinds whose evidence can show either
	tries  int            // bounds the possibilities tried when states are listed
}

// says is what a statement says about reachable states, plays or best play.
type says interface{ says() }

type (
	never    struct{ target rules.Expr }      // no reachable state satisfies it
	always   struct{ *build.EveryStep }       // every step satisfies it
	ends     struct{ *build.Terminates }      // every play ends
	counts   struct{ *build.Count }           // so many states are reachable
	winners  struct{ claim build.Property }   // these starts, or so many, can be won
	plan     struct{ followed *rules.System } // a strategy wins, as the System that follows it
	relation struct{ *build.Relation }        // to plays by other rules
	sizes    struct{ *build.Instance }        // the claim holds for every size
)

func (never) says()    {}
func (always) says()   {}
func (ends) says()     {}
func (counts) says()   {}
func (winners) says()  {}
func (plan) says()     {}
func (relation) says() {}
func (best) says()     {}
func (sizes) says()    {}
func (*witness) says() {}

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
	if diags.Outside().HasErrors() {
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

// faulty returns the rejection for rules with mistakes.
func faulty(diags diag.List) error { return reject("the rules have faults: %v", diags) }

// settings converts values of parameters, which are numbers or truth values: of type json.Number in
// a certificate that was read.
func settings(given map[string]any) (build.Settings, error) {
	out := build.Settings{}
	for name, v := range given {
		text := fmt.Sprint(v)
		is, truth := v.(bool)
		n, err := strconv.Atoi(text)
		switch {
		case truth && is:
			n = 1
		case !truth && err != nil:
			return nil, reject("the setting of `%s` is neither a number nor a truth value", name)
		}
		out[name] = build.Value{N: n, Bool: truth, At: diag.Range{File: "certificate"}}
	}
	return out, nil
}

// describes fails unless what the certificate says about the instance is what the rules give.
func (c *Certificate) describes(inst *build.Instance) error {
	want := about(inst)
	for _, s := range []struct {
		what string
		is   bool
	}{
		{"label of the claim", c.Claim.Label == want.Claim.Label},
		{"kind of the claim", c.Claim.Kind == want.Claim.Kind},
		{"assertion of the claim", c.Claim.Asserts == want.Claim.Asserts},
		{"line of the file of boards", c.Line == want.Line},
		{"list of open parameters", slices.Equal(c.Open, want.Open)},
		{"parameter of `for some`", c.Some == want.Some},
		{"parameter of a claim about every size", c.Size == want.Size},
		{"list of settings", len(c.Settings) == len(want.Settings)},
		{"scope", slices.Equal(c.Scope, want.Scope)},
		{"resolved System", c.System == want.System},
		{"hash of the System", c.SystemHash == want.SystemHash},
		{"other System", c.Other == want.Other},
	} {
		if !s.is {
			return reject("the %s is not the one that the rules give", s.what)
		}
	}
	return nil
}

// about returns a certificate with what the rules give of a claim.
func about(inst *build.Instance) *Certificate {
	c := &Certificate{
		Claim: claimOf(inst), Settings: map[string]any{}, Line: inst.Line(), Open: inst.Open, Some: inst.Some, Size: inst.Size,
		Scope: ScopeOf(inst.System), System: string(inst.System.Canonical()), SystemHash: inst.System.Hash(), Other: otherText(inst),
	}
	for _, p := range inst.System.Params {
		switch {
		case p.Open, p.Upward:
		case p.Bool:
			c.Settings[p.Name] = p.Value != 0
		default:
			c.Settings[p.Name] = p.Value
		}
	}
	return c
}

// otherText returns the canonical text of the other System that a claim is about, or nothing.
func otherText(inst *build.Instance) string {
	if list := inst.Systems(); len(list) > 1 {
		return string(list[1].Canonical())
	}
	return ""
}

// agreesOn fails if certificate and check disagree about whether the claim is vacuous. Where the
// check cannot say, nothing rests on what the certificate says.
func (c *Certificate) agreesOn(r *Report) error {
	switch {
	case r.Subject == SomeSubject && c.Vacuous:
		return reject("the certificate calls the claim vacuous, but there are states that it is about")
	case r.Subject == NoSubject && !c.Vacuous:
		return reject("the claim is about nothing that exists, but the certificate does not call it vacuous")
	case r.Subject == NoSubject:
		r.Notes = append(r.Notes, "vacuous: the claim is about nothing that exists")
	}
	return nil
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

// certifiable reports whether there are certificates for claims with such a property.
func certifiable(p build.Property) bool { return p != nil && p.Kind() != "" }

// claimOf describes the claim of an instance. Kind and assertion are empty if there are no
// certificates for such claims.
func claimOf(inst *build.Instance) Claim {
	c := Claim{Name: inst.Claim.Name, Label: inst.Claim.Label}
	if certifiable(inst.Property) {
		c.Kind, c.Asserts = inst.Property.Kind(), inst.Asserts()
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
	case *build.Neighbours, *build.StepTo, *build.Count, *build.WinningStarts, *build.StrategyWins, *build.Relation,
		*build.ValueOf, *build.WinnerOf, *build.BestMoves, *build.Force:
	}
	return nil
}

// stated returns what a verdict on an instance says.
func stated(inst *build.Instance, verdict string) (*statement, error) {
	plain := inst.Plain()
	if inst.Negated { // the opposite verdict on the claim itself
		verdict = map[string]string{Proved: Refuted, Refuted: Proved}[verdict]
	}
	p := plain.Property
	switch {
	case !certifiable(p):
		return nil, reject("there are no certificates for claims of this kind")
	case verdict != Proved && verdict != Refuted:
		return nil, reject("`%s` is no verdict", verdict)
	case verdict == Proved && inst.Lost.Proved || verdict == Refuted && inst.Lost.Refuted:
		return nil, reject("the rules end a play that comes back to a position, and such a verdict says nothing of the states in which that happens")
	}
	st := &statement{inst: inst, sys: plain.System, plain: p, proves: verdict == Proved, tries: maxListed}
	var either bool
	if st.says, either = saidBy(plain, p, verdict); !either && !st.proves {
		return nil, reject("the evidence can only show that the claim is proved, and the verdict is `%s`", verdict)
	}
	if st.says != nil {
		return st, nil
	}
	safe, want := p.(build.Safe).Safety(plain.System), Proved
	if safe.Refutes {
		want = Refuted
	}
	if verdict != want {
		return nil, reject("the evidence can only show that the claim is %s, and the verdict is `%s`", want, verdict)
	}
	st.says = never{safe.Never}
	if safe.Step != nil {
		st.says = always{safe.Step}
	}
	return st, nil
}

// saidBy returns what a verdict on a property says, and whether evidence can show either verdict.
// It is nil if a Safety says it.
func saidBy(inst *build.Instance, p build.Property, verdict string) (said says, either bool) {
	if inst.Size != "" {
		return sizes{inst}, false
	}
	if play, is := bestOf(p); is {
		return play, true
	}
	if w := witnessOf(inst.System, p, verdict); w != nil {
		return w, true
	}
	switch p := p.(type) {
	case *build.WinningStarts:
		return winners{p}, true
	case *build.Count:
		if p.Set == build.CountWinning {
			return winners{p}, true
		}
		return counts{p}, true
	case *build.StrategyWins:
		return plan{p.Followed}, false
	case *build.Terminates:
		return ends{p}, false
	case *build.Relation:
		return relation{p}, false
	case *build.Reach, *build.NeverStuck, *build.EveryStep, // a Safety
		*build.Neighbours, *build.StepTo, // without certificates
		*build.ValueOf, *build.WinnerOf, *build.BestMoves, *build.Force: // best play
	}
	return nil, true
}

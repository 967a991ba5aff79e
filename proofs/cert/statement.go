package cert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// statement is what is certified, as the text of the rules says it.
type statement struct {
	sys    *rules.System
	target rules.Expr         // no reachable state may satisfy it; nil if step is asked
	step   *resolve.EveryStep // every step must satisfy it; nil if target is asked
	tries  int                // possibilities that may be tried when states are listed
}

// digest is the SHA-256 of paths and texts of all sources.
func digest(sources map[string]string) string {
	h := sha256.New()
	for _, path := range sortedKeys(sources) {
		fmt.Fprintf(h, "%d %s\n%d %s\n", len(path), path, len(sources[path]), sources[path])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// statement reads the sources again and compares all that the certificate says of them.
func (c *Certificate) statement(ctx context.Context) (*statement, error) {
	if c.Format != Format || c.Version != Version {
		return nil, reject("this is %q, version %d, and not %q, version %d", c.Format, c.Version, Format, Version)
	}
	if c.SourcesDigest != digest(c.Sources) {
		return nil, reject("the text of the rules has changed: its digest is another one")
	}
	inst, err := c.instance(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.describes(inst); err != nil {
		return nil, err
	}
	return stated(inst, c.Verdict)
}

// instance resolves the claim from the sources.
func (c *Certificate) instance(ctx context.Context) (*resolve.Instance, error) {
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
	given, err := settings(c.Settings)
	if err != nil || diags.HasErrors() {
		return nil, errors.Join(err, faulty(diags))
	}
	list := claim.Instances(given, &diags)
	if ctx.Err() != nil {
		return nil, ctx.Err() // which says nothing of the certificate
	}
	if diags.HasErrors() {
		return nil, faulty(diags)
	}
	if len(list) != 1 {
		return nil, reject("with these settings the claim `%s` has %d instances", c.Claim.Name, len(list))
	}
	return list[0], nil
}

// unit parses the sources, of which none may be missing or superfluous.
func (c *Certificate) unit() (*resolve.Unit, error) {
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
	unit, diags := resolve.Collect(program.Files)
	if diags.HasErrors() {
		return nil, faulty(diags)
	}
	return unit, nil
}

func faulty(diags diag.List) error {
	if !diags.HasErrors() {
		return nil
	}
	return reject("the rules have faults: %v", diags)
}

// settings reads parameter values, which are numbers or truth values.
func settings(given map[string]any) (resolve.Settings, error) {
	out := resolve.Settings{}
	at := diag.Range{File: "certificate"}
	for name, v := range given {
		switch v := v.(type) {
		case bool:
			out[name] = resolve.Value{N: map[bool]int{true: 1}[v], Bool: true, At: at}
		case int:
			out[name] = resolve.Value{N: v, At: at}
		case json.Number:
			n, err := num.Parse(v.String())
			if err != nil {
				return nil, reject("the setting of `%s` is no whole number in the range", name)
			}
			out[name] = resolve.Value{N: n, At: at}
		default:
			return nil, reject("the setting of `%s` is neither a number nor a truth value", name)
		}
	}
	return out, nil
}

// describes fails if the certificate says something else of the instance than is so.
func (c *Certificate) describes(inst *resolve.Instance) error {
	same := []struct {
		what string
		is   bool
	}{
		{"label of the claim", c.Claim.Label == inst.Claim.Label},
		{"kind of the claim", c.Claim.Kind == kindOf(inst.Property)},
		{"assertion of the claim", c.Claim.Asserts == asserts(inst)},
		{"list of open parameters", slices.Equal(c.Open, inst.Open)},
		{"parameter of `for some`", c.Some == inst.Some},
		{"list of settings", len(c.Settings) == len(inst.System.Params)-len(inst.System.OpenParams())},
		{"scope", slices.Equal(c.Scope, scopeOf(inst.System))},
		{"resolved System", c.System == string(inst.System.Canonical())},
		{"hash of the System", c.SystemHash == inst.System.Hash()},
	}
	for _, s := range same {
		if !s.is {
			return reject("the %s is not the one that the rules give", s.what)
		}
	}
	return nil
}

// agreesOn fails if the certificate says otherwise than the check whether the claim speaks of
// anything.
func (c *Certificate) agreesOn(r *Report) error {
	switch {
	case r.Subject == SomeSubject && c.Vacuous:
		return reject("the certificate calls the claim vacuous, and there are states that it speaks of")
	case r.Subject == NoSubject && !c.Vacuous:
		return reject("there is nothing that the claim speaks of, and the certificate does not call it vacuous")
	case c.Vacuous:
		r.Notes = append(r.Notes, "vacuous: there is nothing that the claim speaks of")
	}
	return nil
}

// scopeOf lists the parameters with their values or ranges.
func scopeOf(sys *rules.System) []Scope {
	var list []Scope
	for _, p := range sys.Params {
		s := Scope{Param: p.Name, All: p.Open}
		switch {
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

// kindOf is the word for a kind of claim; empty if there are no certificates for it.
func kindOf(p resolve.Property) string {
	switch p := p.(type) {
	case *resolve.Reach:
		switch {
		case p.Invariant:
			return "invariant"
		case p.Reachable:
			return "reachable"
		}
		return "unreachable"
	case *resolve.NeverStuck:
		return "never stuck"
	case *resolve.EveryStep:
		if !p.All {
			return "every step"
		}
	}
	return ""
}

// stated is what a verdict on a property says of reachable states. That no state satisfies a
// target, for any value of the open parameters, proves that it is unreachable and refutes that it
// is reachable, however these parameters are quantified.
func stated(inst *resolve.Instance, verdict string) (*statement, error) {
	st := &statement{sys: inst.System, tries: maxListed}
	want := Proved
	switch p := inst.Property.(type) {
	case *resolve.Reach:
		st.target = rules.OrValueless(p.Target) // a state in which the claim has no value is as bad
		if p.Reachable {
			want = Refuted
		}
	case *resolve.NeverStuck:
		st.target = rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(inst.System.Endless())}
	case *resolve.EveryStep:
		st.step = p
	}
	if kindOf(inst.Property) == "" {
		return nil, reject("there are no certificates for claims of this kind")
	}
	if verdict != want {
		return nil, reject("the evidence can only show that the claim is %s, and the verdict is `%s`", want, verdict)
	}
	return st, nil
}

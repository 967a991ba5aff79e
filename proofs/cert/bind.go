package cert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/build"
)

// Binds fails with a *Rejected unless the certificate is about one of the instances: the same
// resolved rules, parameters and claim, with its label and line in the file of boards. Comments,
// layout and file names may differ.
func (c *Certificate) Binds(instances []*build.Instance) error {
	// why is the reason for the last instance of the claim, as only one of them can be shown.
	why := fmt.Sprintf("the rules in hand make no claim `%s`", c.Claim.Name)
	for _, inst := range instances {
		if inst.Claim.Name != c.Claim.Name {
			continue
		}
		switch scope, claim := ScopeOf(inst.System), claimOf(inst); {
		case !slices.Equal(c.Scope, scope):
			why = fmt.Sprintf("the certificate is about %s, the claim in hand about %s", scopeText(c.Scope), scopeText(scope))
		case c.System != string(inst.System.Canonical()):
			why = "the rules in hand are others: " + firstDifference(c.System, string(inst.System.Canonical()))
		case claim.Kind == "":
			why = "there are no certificates for claims of the kind in hand"
		case c.Claim.Asserts != claim.Asserts && c.Size != "" && c.Size == inst.Size:
			why = fmt.Sprintf("the rules or the claim in hand are others for some `%s`: the certificate is about `%s`, the claim in hand is `%s`", c.Size, c.Claim.Asserts, claim.Asserts)
		case c.Claim.Asserts != claim.Asserts:
			why = fmt.Sprintf("the certificate is about `%s`, the claim in hand is `%s`", c.Claim.Asserts, claim.Asserts)
		case c.Line != inst.Line():
			why = fmt.Sprintf("the certificate is about line %d of the file of boards, the claim in hand about line %d", c.Line, inst.Line())
		case c.Claim.Label != claim.Label:
			why = fmt.Sprintf("the certificate calls the claim %q, the rules in hand call it %q", c.Claim.Label, claim.Label)
		case c.Some != inst.Some || c.Size != inst.Size || !slices.Equal(c.Open, inst.Open):
			why = "the claim in hand quantifies over other parameters"
		default:
			return nil
		}
	}
	return reject("%s", why)
}

// scopeText lists parameters with their values.
func scopeText(list []Scope) string {
	return strings.Join(lists.Map(list, func(s Scope) string { return s.Param + " = " + s.Is }), ", ")
}

// firstDifference describes the first line in which two canonical texts differ.
func firstDifference(theirs, ours string) string {
	l, r := strings.Split(theirs, "\n"), strings.Split(ours, "\n")
	for i := range max(len(l), len(r)) {
		line := func(list []string) string {
			if i < len(list) {
				return strings.TrimSpace(list[i])
			}
			return ""
		}
		if line(l) != line(r) {
			return fmt.Sprintf("`%s` in the certificate is `%s` there", line(l), line(r))
		}
	}
	return "they differ in their layout"
}

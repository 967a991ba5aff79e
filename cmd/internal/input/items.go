package input

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
)

// Items returns the items for the claims of the file: all claims, or those with one of the
// names. A claim with mistakes has one item without an instance.
func (f *File) Items(names []string, given build.Settings) (items []*suite.Item, diags diag.List) {
	return f.ItemsOf(names, func(c *build.Claim, diags *diag.List) []*build.Instance { return c.Instances(given, diags) })
}

// ItemsOf is Items for some of the instances of each claim.
func (f *File) ItemsOf(names []string, instances func(*build.Claim, *diag.List) []*build.Instance) (items []*suite.Item, diags diag.List) {
	for _, decl := range f.Unit.Claims {
		if len(names) > 0 && !slices.Contains(names, decl.Name.Name) {
			continue
		}
		var list []*build.Instance
		c, wrong := f.Unit.Claim(decl)
		if !wrong.HasErrors() {
			list = instances(c, &wrong)
		}
		item := suite.Item{File: f.Path, Program: f.Program, Claim: decl.Name.Name}
		if item.Err = wrong.Err(); item.Err != nil {
			list = []*build.Instance{nil}
		}
		for _, inst := range list {
			one := item
			one.Instance = inst
			items = append(items, &one)
		}
		diags = append(diags, wrong...)
	}
	return items, diags
}

package main

import (
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs/suite"
)

// items reads files and returns an item for each instance of their claims, or of the claims with
// the given names. A mistake in a claim or a file is the error of an item, so that it does not hide
// the others. An error means that nothing can be decided.
func (s *session) items(files []input.Found, names, params []string) ([]*suite.Item, diag.List, error) {
	return s.itemsWith(files, names, params, func([]*suite.Item) {})
}

// itemsWith is items with a function that is called with those of each file before the next one is
// read.
func (s *session) itemsWith(files []input.Found, names, params []string, each func([]*suite.Item)) ([]*suite.Item, diag.List, error) {
	given, diags := input.Settings(params)
	if err := diags.Err(); err != nil {
		return nil, nil, err
	}
	var items []*suite.Item
	var read []*input.File
	for _, found := range files {
		if !plain.Is(found.Path) {
			name := strconv.Quote(found.Path)
			wrong := diag.Errorf(diag.Unreadable, diag.Range{File: name}, "the name of this file holds characters that cannot be shown")
			items, diags = append(items, &suite.Item{File: name, Err: wrong}), append(diags, wrong...)
			continue
		}
		f, more := s.reader.File(found.Path)
		if !more.Outside().HasErrors() {
			list, wrong := f.Items(names, given)
			if more.HasErrors() && !slices.ContainsFunc(list, func(i *suite.Item) bool { return i.Err != nil }) {
				// The claim was not asked for, is imported or has no name.
				list = append(list, &suite.Item{File: f.Path, Err: more.Err()})
			}
			each(list)
			f.Unit.Forget()
			items, read, more = append(items, list...), append(read, f), append(more, wrong...)
			switch {
			case !found.Named || len(f.Unit.Claims) > 0:
			case len(files) > 1:
				s.note("%s: no claim is declared in this file", f.Path)
			default:
				wrong := diag.Errorf(diag.Missing, diag.Range{File: f.Path}, "no claim is declared in this file").
					WithHelp("`mancheck vet FILE` looks for mistakes in rules without claims")
				items, more = append(items, &suite.Item{File: f.Path, Err: wrong}), append(more, wrong...)
			}
		} else {
			items = append(items, &suite.Item{File: found.Path, Err: more.Err()})
		}
		diags = append(diags, more...)
	}
	switch unknown := unknownClaims(read, names); {
	case s.ctx.Err() != nil && unresolved(diags):
		return nil, nil, diags // the interruption, not the files, is to blame
	// An unknown name is an error only if all files could be read: it may be in one that could not.
	case len(read) == len(files) && unknown.HasErrors():
		return nil, nil, append(diags, unknown...)
	case len(items) == 0:
		return nil, nil, errors.New("no claim is declared in any of the files")
	}
	diags.Sort()
	return items, diags, nil
}

// unknownClaims reports names for which no file has a claim.
func unknownClaims(files []*input.File, names []string) diag.List {
	var diags diag.List
	declared := lists.Flat(files, func(f *input.File) []string {
		return lists.Map(f.Unit.Claims, func(c *ast.Claim) string { return c.Name.Name })
	})
	sort.Strings(declared)
	for _, name := range names {
		if slices.Contains(declared, name) {
			continue
		}
		d := diags.Errorf(diag.Unknown, diag.Range{File: "--claim"}, "no claim is called `%s`", name)
		if near := spell.Nearest(name, declared); near != "" {
			d.WithHelp("did you mean `%s`? %s", near, listed(declared))
		} else if len(declared) > 0 {
			d.WithHelp("%s", listed(declared))
		}
	}
	return diags
}

// maxListed is how many names of claims a message lists.
const maxListed = 20

// listed says which claims there are. The names are sorted; some may occur in several files.
func listed(names []string) string {
	names = slices.Compact(slices.Clone(names))
	more := ""
	if left := len(names) - maxListed; left > 0 {
		names, more = names[:maxListed], " and "+numeral.Number(int64(left))+" more"
	}
	return "the claims are `" + strings.Join(names, "`, `") + "`" + more
}

package proofs

import (
	"os"
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/build"
)

// File is a rules file with all its imports.
type File struct {
	Program *dsl.Program
	Unit    *build.Unit
}

// Open reads a rules file and its imports. The error is a diag.List.
func Open(path string) (*File, error) { return Load(path, os.ReadFile) }

// Load is Open with open to read each file: it may restrict imports to a folder, or read from
// memory.
func Load(path string, open func(path string) ([]byte, error)) (*File, error) {
	program, diags := dsl.Load(path, open)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	unit, diags := build.Collect(program.Files)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	return &File{Program: program, Unit: unit}, nil
}

// Instances makes the instances of the claims with these names, or without names of all claims of
// the file. The given values of parameters override those in the file; nil is none. A claim with a
// sweep has an instance for each of its values.
func (f *File) Instances(given build.Settings, names ...string) ([]*build.Instance, error) {
	var list []*build.Instance
	var diags diag.List
	found := map[string]bool{}
	for _, decl := range f.Unit.Claims {
		if len(names) > 0 && !slices.Contains(names, decl.Name.Name) {
			continue
		}
		found[decl.Name.Name] = true
		claim, more := f.Unit.Claim(decl)
		if !more.HasErrors() {
			list = append(list, claim.Instances(given, &more)...)
		}
		diags = append(diags, more...)
	}
	for _, name := range names {
		if !found[name] {
			diags.Errorf(diag.Unknown, diag.Range{File: f.Program.Files[len(f.Program.Files)-1].Path}, "no claim is called `%s`", name)
		}
	}
	return list, diags.Err()
}

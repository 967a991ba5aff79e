// Package proofs decides claims. This is the way of a verdict, with the package of each part:
//
//	Load            rules files to the instances of their claims
//	Decide          a claim's instance to its verdict, by what follows
//	claim           the kinds of claims, one file each: what decides them, and what confirms them
//	engines         runs of engines, for any claim: their order, limits, results and plays
//	result          a verdict (package verdict) with its evidence
//	confirm         the check of the evidence, without which there is no verdict: replay,
//	                certificates (cert) and a second opinion (internal/enumerate)
//	say             sentences about verdicts
//	suite, cache, explain  many claims, kept verdicts, documents
//
// closed.go lays out closed sets for those that show them. The folder also contains proof files
// (*.sow): documents about sowing games, claim by claim.
package proofs

import (
	"os"
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// What Decide takes and returns.
type (
	Options       = engines.Options
	Common        = engines.Common
	Progress      = engines.Progress
	Result        = result.Result
	SetDiff       = result.SetDiff
	RejectedError = confirm.RejectedError
	Engine        = verdict.Engine
	Status        = verdict.Status
	Checked       = verdict.Checked
)

// Values of engines, statuses and checks, which package verdict describes. Auto leaves the choice
// of the engine to the tool.
const (
	Auto        = verdict.Auto
	Forward     = verdict.Forward
	Backward    = verdict.Backward
	BMC         = verdict.BMC
	Induction   = verdict.Induction
	SMT         = verdict.SMT
	Laws        = verdict.Laws
	Hunt        = verdict.Hunt
	Abstraction = verdict.Abstraction
	Cases       = verdict.Cases

	Unknown = verdict.Unknown
	Proved  = verdict.Proved
	Refuted = verdict.Refuted
	Bounded = verdict.Bounded

	NotYet        = verdict.NotYet
	Unchecked     = verdict.Unchecked
	ByCertificate = verdict.ByCertificate
	ByReplay      = verdict.ByReplay
	ByEnumeration = verdict.ByEnumeration
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

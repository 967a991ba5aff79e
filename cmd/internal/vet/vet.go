// Package vet looks for what is allowed but probably not meant.
//
//	vet.go      the table of checks, and what they read
//	unused.go   declarations that nothing uses
//	flow.go     values that are only set or only read, names that hide others, statements that are
//	            never carried out
//	meaning.go  endings whose `mover` is not the one who moved, `going` in bodies, positions of
//	            claims that no play comes to
//	and_or.go   conditions that mix `and` and `or`
//	alike.go    words that look like other words
//	players.go  players without pits
//	loops.go    loops that cannot end, relays out of stores
//	idle.go     moves and outcomes that occur in no play, by a search
//	covered.go  statements and conditions that no play carries out, by the same search
//	gap.go      laps that go on from an empty pit, by play
//	meant.go    comments that say what is meant
package vet

import (
	"context"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build"
)

// check looks for one thing and adds a warning of its code wherever it finds it.
type check struct {
	code  diag.Code
	reads kind
	run   func(*look)
}

// kind says what a check reads, and so how often it runs. Those that read more come later.
type kind int

// The kinds of checks.
const (
	aFile    kind = iota // once for the file
	aText                // for each variant, and each definition or procedure outside of variants
	aVariant             // for each variant, with its System, of which nothing is played
	claims               // once for all claims of the file
	plays                // for each variant, with searches that may take long
)

var checks = []check{
	{diag.Unused, aFile, unused},
	{diag.AndOr, aFile, andOr},
	{diag.Alike, aFile, alike},
	{diag.Unused, aText, unusedValue},
	{diag.Shadowed, aText, shadowed},
	{diag.Unreached, aText, unreached},
	{diag.NeverSet, aVariant, neverSet},
	{diag.NeverRead, aVariant, neverRead},
	{diag.NoEnding, aVariant, noEnding},
	{diag.NextMover, aVariant, nextMover},
	{diag.GoingInBody, aVariant, goingInBody},
	{diag.Seeming, aVariant, seeming},
	{diag.NoPits, aVariant, noPits},
	{diag.Forever, aVariant, forever},
	{diag.OutOfStore, aVariant, outOfStore},
	{diag.NoSuchTotal, claims, foreign},
	{diag.EmptyLap, plays, emptyLap},
	{diag.NeverFires, plays, neverFires},
	{diag.NotCovered, plays, nil}, // found by neverFires, whose searches it shares
}

// look is what the checks of a file read, as far as their kinds say that it is there.
type look struct {
	*input.File
	ctx     context.Context
	checks  []check
	text    ast.Node      // of a check of a text
	variant *bind.Variant // nil: the text is outside of variants
	sys     *rules.System // with the default parameters
	found   Found
	err     error // a failure of the tool
}

// Found is what All finds.
type Found struct {
	Diags   diag.List
	Systems []*rules.System // of the variants, also of those of imported files; nil: it has a mistake
	Items   []*suite.Item   // the claims
	Open    []string        // the variants with too many states to be searched
}

// searchTime bounds the checks of one variant that play.
const searchTime = 10 * time.Second

// All finds what is wrong with a file, whose reading had some diagnostics, and with its variants
// and claims. A thorough look has the checks that play, too, and resolves all instances of the
// claims instead of the first ones. An error is a failure of the tool.
func All(ctx context.Context, f *input.File, diags diag.List, thorough bool) (Found, error) {
	most, instances := claims, First
	if thorough {
		most = plays
		instances = func(c *build.Claim, diags *diag.List) []*build.Instance { return c.Instances(nil, diags) }
	}
	l := &look{File: f, ctx: ctx, checks: checks, found: Found{Diags: diags}}
	l.variants(most)
	items, more := f.ItemsOf(nil, instances)
	l.found.Items, l.found.Diags = items, append(l.found.Diags, more...)
	l.run(aFile, claims)
	l.found.Diags = meant(l.found.Diags, f.Program.Files, f.Path, most)
	return l.found, l.err
}

// First looks at the first instance of a claim.
func First(c *build.Claim, diags *diag.List) []*build.Instance { return c.First(nil, diags) }

// variants resolves the variants with their default parameters, and runs the checks of their kinds
// up to most. Variants of imported files are left to the check of those files.
func (l *look) variants(most kind) {
	u := l.Unit
	for _, v := range u.Bound.Variants {
		u.Remarks = &diag.List{}
		sys, wrong := u.System(v.Variant, nil)
		l.found.Diags = append(append(l.found.Diags, wrong...), *u.Remarks...)
		u.Remarks = nil
		if wrong.HasErrors() {
			sys = nil
		}
		l.found.Systems = append(l.found.Systems, sys)
		if sys == nil || v.File != l.Path {
			continue
		}
		l.text, l.variant, l.sys = v.Variant, v, sys
		l.run(aText, aVariant)
		if most == plays {
			l.play()
		}
	}
	l.variant, l.sys = nil, nil
	for _, d := range u.Defines {
		if l.text = d; d.Span().File == l.Path {
			l.run(aText)
		}
	}
}

// play runs the checks of a variant that play.
func (l *look) play() {
	whole := l.ctx
	ctx, done := context.WithTimeout(whole, searchTime)
	defer done()
	l.ctx = ctx
	open := l.found.Open
	l.run(plays)
	if l.ctx = whole; whole.Err() != nil {
		l.found.Open = open // an interrupt says nothing about the variant
	}
}

// run carries out the checks of some kinds.
func (l *look) run(kinds ...kind) {
	for _, k := range kinds {
		for _, c := range l.checks {
			if c.reads == k && c.run != nil && l.err == nil {
				c.run(l)
			}
		}
	}
}

// warn adds a warning.
func (l *look) warn(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	return l.found.Diags.Warnf(code, at, format, args...)
}

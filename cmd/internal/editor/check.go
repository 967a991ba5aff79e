package editor

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/vet"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
)

// Checked is what a text is about, and what is wrong with it: all that shows without a decision.
type Checked struct {
	Diags    diag.List
	Variants []Variant
	Claims   []Claim
}

// Variant is a game of the text. It has a System if it has no mistakes.
type Variant struct {
	*ast.Variant
	System *rules.System
}

// Claim is a claim of the text. Only one that is sound can be decided.
type Claim struct {
	*ast.Claim
	Sound bool
	Long  bool // it says of itself that it takes long
}

// Check resolves the variants, and the first instance of each claim.
func (t *Text) Check() *Checked {
	out := &Checked{Diags: append(diag.List(nil), t.Diags...)}
	if t.File != nil {
		for _, v := range t.File.Unit.Variants {
			sys, wrong := t.File.Unit.System(v, nil)
			if wrong.HasErrors() {
				sys = nil
			}
			out.Variants = append(out.Variants, Variant{v, sys})
			out.Diags = append(out.Diags, wrong...)
		}
		items, wrong := t.File.ItemsOf(nil, vet.First)
		out.claims(t.File.Unit.Claims, items)
		out.Diags = append(out.Diags, wrong...)
	}
	out.Diags.Sort()
	return out
}

// mostVet and mostBoards bound what is resolved of a text to show its mistakes, and to draw its
// boards.
const mostVet, mostBoards = 10 * time.Second, 5 * time.Second

// Vet is Check, with what is probably not meant, as the command line says it. The context ends it;
// then something may be missing. What is complete is kept, and what takes longer than mostVet.
func (t *Text) Vet(ctx context.Context) *Checked {
	t.checking.Lock()
	defer t.checking.Unlock()
	if t.checked != nil {
		return t.checked
	}
	out := &Checked{Diags: append(diag.List(nil), t.Diags...)}
	if t.File != nil && !t.Diags.Outside().HasErrors() {
		within := limit.WithClock(ctx, mostVet)
		t.Within(within)
		defer t.Within(t.base)
		found, _ := vet.All(within, t.File, out.Diags, false) // nothing is played, which could fail
		out.Diags = found.Diags
		for i, v := range t.File.Unit.Variants {
			out.Variants = append(out.Variants, Variant{v, found.Systems[i]})
		}
		out.claims(t.File.Unit.Claims, found.Items)
		t.File.Unit.Forget()
	}
	out.Diags.Sort()
	if ctx.Err() == nil {
		t.checked = out
	}
	return out
}

// claims notes which claims can be decided: the items of the others have an error.
func (c *Checked) claims(decls []*ast.Claim, items []*suite.Item) {
	for _, decl := range decls {
		one := Claim{Claim: decl, Sound: true}
		for _, i := range items {
			if i.Claim == decl.Name.Name {
				one.Sound = one.Sound && i.Err == nil
				one.Long = i.Instance != nil && i.Instance.Claim.Long
			}
		}
		c.Claims = append(c.Claims, one)
	}
}

// Items are the instances of a claim, to be compared with those that were decided. There are none
// if it has mistakes.
func (t *Text) Items(claim string) []*suite.Item {
	t.checking.Lock()
	defer t.checking.Unlock()
	if t.File == nil || t.Diags.Outside().HasErrors() {
		return nil
	}
	defer t.File.Unit.Forget()
	items, wrong := t.File.Items([]string{claim}, nil)
	if wrong.HasErrors() {
		return nil
	}
	return items
}

// Print identifies what a program says, without comments and layout.
func Print(p *dsl.Program) [sha256.Size]byte {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(p.Sources)) {
		src := p.Sources[path]
		fmt.Fprintf(h, "%q\n", path)
		if strings.HasSuffix(path, ".csv") {
			fmt.Fprintf(h, "%q\n", src)
			continue
		}
		line := 0
		for _, k := range dsl.Tokens(path, src) {
			if k.Kind != dsl.CommentToken {
				// In a picture a line is a row.
				fmt.Fprintf(h, "%q %v\n", k.Text, k.Range.Start.Line > line)
				line = k.Range.Start.Line
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

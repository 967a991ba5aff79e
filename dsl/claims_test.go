package dsl

import (
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/internal/tier"
)

// sameTree compares trees without places.
var sameTree = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().Type() == reflect.TypeFor[ast.At]() || strings.HasSuffix(p.Last().String(), "PathAt")
}, cmp.Ignore())

// foreignWords are inserted into claims. None of them begins a declaration.
var foreignWords = []string{" } ", " { ", " ( ", " ) ", " foo ", " of ", " not ", " # ", " \"x ", "\n}\n  ", " ; ", " 3 ", " <= ", " -> ", "\n  where ", " for ", " : "}

// TestBrokenClaim deletes a token of a claim, or inserts one. All other declarations stay what they
// are, and no mistake is outside of the claim.
func TestBrokenClaim(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	paths := slices.Concat(glob(t, "../examples/*.sow"), glob(t, "../examples/family/*.sow"), glob(t, "../proofs/*.sow"), glob(t, "testdata/ok/*.sow"))
	tried, broken, cascades := 0, 0, 0
	for n, path := range paths {
		if n%tier.Every(12, 3) != 0 {
			continue
		}
		src := string(read(t, path))
		whole, diags := Parse(path, []byte(src))
		if diags.HasErrors() {
			continue
		}
		for k, decl := range whole.Decls {
			c, is := decl.(*ast.Claim)
			if !is {
				continue
			}
			own := slices.DeleteFunc(scan.File(path, []byte(src)).Tokens, func(k lexer.Token) bool {
				return k.EOF() || !c.Range.Holds(ast.TokenRange(k))
			})
			for range 6 {
				at := ast.TokenRange(own[1+r.Intn(len(own)-1)])
				start, end, text := at.Start.Offset, at.End.Offset, ""
				if r.Intn(2) == 0 {
					end, text = start, foreignWords[r.Intn(len(foreignWords))]
				}
				changed := src[:start] + text + src[end:]
				file, diags := Parse(path, []byte(changed))
				tried++
				if !diags.HasErrors() {
					continue // the claim means something else now
				}
				broken++
				if len(diags) > 1 {
					cascades++
					t.Logf("CASCADE %v %v\n%s", diags[0], diags[1:], changed[c.Range.Start.Offset:min(c.Range.End.Offset+20, len(changed))])
				}
				if k+1 < len(whole.Decls) {
					end = whole.Decls[k+1].Span().End.Offset + len(text)
				} else {
					end = len(changed)
				}
				complain := func(what string) {
					t.Errorf("%s: %s\n%v\n%s", path, what, diags, changed[c.Range.Start.Offset:min(c.Range.End.Offset+200, len(changed))])
				}
				if out := diags.Outside(); len(out) > 0 {
					complain("a mistake is outside of the claim: " + out[0].Message)
					continue
				}
				if first := diags[0].Range.Start.Offset; first < c.Range.Start.Offset || first > end {
					complain("the mistake is elsewhere")
				}
				if len(file.Decls) != len(whole.Decls) {
					complain("there are other declarations")
					continue
				}
				for i, d := range file.Decls {
					if one, is := d.(*ast.Claim); i == k && (!is || one.Mistakes == nil) {
						complain("the claim has no mistake")
					} else if i != k && cmp.Diff(whole.Decls[i], d, sameTree) != "" {
						complain("another declaration has changed: " + cmp.Diff(whole.Decls[i], d, sameTree))
					}
				}
			}
		}
	}
	if broken < tried/2 {
		t.Errorf("only %d of %d claims were broken", broken, tried)
	}
	if 20*cascades > broken {
		t.Errorf("%d of %d mistakes give several messages", cascades, broken)
	}
	t.Logf("%d tried, %d broken, %d cascades", tried, broken, cascades)
}

// TestOutside: what a mistake in a claim may hide is no longer taken to be right.
func TestOutside(t *testing.T) {
	t.Parallel()
	const whole = "claim w { never stuck }\n"
	for _, c := range []struct {
		src     string
		outside bool
	}{
		{"claim a { foo }\n" + whole, false},
		{"claim a never stuck }\n" + whole, false},
		{"claim a { never stuck\n" + whole, false},
		{"claim a { never stuck } }\n" + whole, false},
		{"claim a {\n}\n  never stuck\n}\n" + whole, false},
		{"claim a { never; stuck }\n" + whole, false},
		{"claim a { never # stuck }\n" + whole, false},
		{"claim { never stuck }\n" + whole, false},
		{"claim a { never stuck\ndefine d = 3\n" + whole, false},

		{"claim a { never stuck }\nclaims b { never stuck }\n" + whole, true},
		{"claim a { foo claim b { never stuck } }\n" + whole, true},
		{"claim a { foo define d = 3 }\n" + whole, true},
		{"claim a { foo\n  define d = 3 }\n" + whole, true},
		{"claim a { foo } definee d = 3\n" + whole, false},
		{"claim a { never stuck }\nposition p { 1 } }\n" + whole, true},
		{"claim a { foo }\nposition p { 1 } }\n" + whole, true},
		{"define d =\n#" + whole, true},
		{"define d =\nclaim # { never stuck }\n" + whole, true},
		{"variant V { score South =\nclaim a { never stuck # }\n" + whole, true},
		{"variant V { move {\nclaim a { never stuck # }\n" + whole, true},
		{"claim a { never; stuck }\nvariant V { pass; when true }\n" + whole, true},
		{"claim a { foo # } claim b { foo }\n" + whole, false},
		{"claim a { never stuck # }\n}\nclaim b { foo }\n" + whole, false},
		{strings.Repeat("claim a { foo }\n", diag.MaxMistakes) + whole, true},
	} {
		file, diags := Parse("t.sow", []byte(c.src))
		if !diags.HasErrors() || diags.Outside().HasErrors() != c.outside {
			t.Errorf("%s%v: outside of claims is %v", c.src, diags, diags.Outside())
		}
		if c.outside {
			continue
		}
		if last, is := file.Decls[len(file.Decls)-1].(*ast.Claim); !is || (last.Name.Name != "w" || last.Mistakes != nil || last.Property == nil) {
			t.Errorf("%s%v: the last claim is not whole", c.src, diags)
		}
	}
}

package dsl

import (
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
)

// TestLanguages: a file says at its head which version of the language it is in, and of one in
// another version nothing is read.
func TestLanguages(t *testing.T) {
	t.Parallel()
	const rest = "\nvariant V { board { a | b } move { capture a into b } }\nbroken"
	for _, c := range []struct {
		head string
		want []diag.Code
	}{
		{"", []diag.Code{diag.Syntax}},
		{"// Rules.\nlanguage 2", []diag.Code{diag.Syntax}},
		{"language 1", []diag.Code{diag.OtherLanguage}},
		{"language 3", []diag.Code{diag.OtherLanguage}},
		{"language 99999999999999999999", []diag.Code{diag.OtherLanguage}},
		{"language 02", []diag.Code{diag.OtherLanguage}},
		{"language 2 language 2", []diag.Code{diag.Syntax, diag.Syntax}},
		{"import \"a.sow\" language 2", []diag.Code{diag.Syntax, diag.Syntax}},
		{"language two", []diag.Code{diag.Syntax, diag.Syntax}},
		{"language", []diag.Code{diag.Syntax, diag.Syntax}},
	} {
		_, diags := Parse("t.sow", []byte(c.head+rest))
		var got []diag.Code
		for _, d := range diags {
			got = append(got, d.Code)
			if d.Code == diag.OtherLanguage && !strings.Contains(d.Help, "`language 2`") {
				t.Errorf("%q: the help is %q", c.head, d.Help)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v", c.head, diags)
		}
	}
}

// TestHabits: the change of each diagnostic makes what is meant, and nothing else is reported.
func TestHabits(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"variant V { board { a,b | c, } move { a into b;c into b; } }": "variant V { board { a b | c } move { capture a into b capture c into b } }",
		"board B { a[1..max(1, 2)], b\n ring r = a, b }":               "board B { a[1..max(1, 2)] b\n ring r = a, b }",
		"procedure q { win; x = 1 }":                                   "procedure q { win \"win\" x = 1 }",
		"procedure q { if y { South loses;x = 1 } lose; }":             "procedure q { if y { South loses \"win\" x = 1 } lose }",
		"claim c { with n = m; (a = 1) -> L; }":                        "claim c { with n = m, (a = 1) -> L }",
		"claim c { reachable South wins; expect refuted }":             "claim c { reachable South wins expect refuted }",
	} {
		_, diags := Parse("t.sow", []byte(src))
		var edits []diag.Edit
		said := map[string]bool{}
		for _, d := range diags {
			edits = append(edits, d.Fix...)
			if d.Code != diag.Syntax || d.Help == "" || len(d.Fix) == 0 || said[d.Message+d.Help] {
				t.Errorf("%s: %v", src, d)
			}
			said[d.Message+d.Help] = true
		}
		if got := string(diag.Apply([]byte(src), edits)); got != want {
			t.Errorf("%s becomes %s", src, got)
		}
		if _, diags := Parse("t.sow", []byte(want)); len(diags) > 0 {
			t.Errorf("%s: %v", want, diags)
		}
	}
}

// TestManyHabits: they are counted as other mistakes are.
func TestManyHabits(t *testing.T) {
	t.Parallel()
	src := "variant V { move { " + strings.Repeat("a into b; ", 2*diag.MaxMistakes) + "} }"
	if _, diags := Parse("t.sow", []byte(src)); len(diags) != diag.MaxMistakes {
		t.Errorf("%d diagnostics", len(diags))
	}
}

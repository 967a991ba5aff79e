package dsl

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
)

// TestLanguages: the version at the head of a file decides whether it is read, and removed forms of
// a file that says that it is older are not reported one by one.
func TestLanguages(t *testing.T) {
	t.Parallel()
	const rest = "\nvariant V { board { a | b } move { a into b; } }\nbroken"
	for _, c := range []struct {
		head string
		want []diag.Code
	}{
		{"", []diag.Code{diag.Removed, diag.Removed, diag.Syntax}},
		{"// Rules.\nlanguage 2", []diag.Code{diag.Removed, diag.Removed, diag.Syntax}},
		{"language 1", []diag.Code{diag.OtherLanguage, diag.Syntax}},
		{"language 3", []diag.Code{diag.OtherLanguage}},
		{"language 99999999999999999999", []diag.Code{diag.OtherLanguage}},
		{"language 02", []diag.Code{diag.OtherLanguage}},
		{"language 2 language 2", []diag.Code{diag.Syntax, diag.Removed, diag.Removed, diag.Syntax}},
		{"import \"a.sow\" language 2", []diag.Code{diag.Syntax, diag.Removed, diag.Removed, diag.Syntax}},
		{"language two", []diag.Code{diag.Syntax, diag.Removed, diag.Removed, diag.Syntax}},
		{"language", []diag.Code{diag.Syntax, diag.Removed, diag.Removed, diag.Syntax}},
	} {
		_, diags := Parse("t.sow", []byte(c.head+rest))
		var got []diag.Code
		for _, d := range diags {
			got = append(got, d.Code)
		}
		if strings.Join(texts(got), " ") != strings.Join(texts(c.want), " ") {
			t.Errorf("%q: %v", c.head, diags)
		}
	}
}

func texts(codes []diag.Code) []string {
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = string(c)
	}
	return out
}

// TestFixes: the edits of the diagnostics are those that Upgrade makes.
func TestFixes(t *testing.T) {
	t.Parallel()
	src := "language 1\nvariant V { board { a,b | c } move { a into b;c into b } end when a = 0 { draw;c = 1 } }\n"
	const want = "language 2\nvariant V { board { a b | c } move { capture a into b capture c into b } end when a = 0 { draw \"draw\" c = 1 } }\n"
	got, diags := Upgrade("t.sow", []byte(src))
	if string(got) != want || len(diags) > 0 {
		t.Errorf("%s%v", got, diags)
	}
	_, diags = Parse("t.sow", []byte(strings.Replace(src, "1", "2", 1)))
	out := src
	for i := len(diags) - 1; i >= 0; i-- {
		for _, e := range diags[i].Fix {
			out = out[:e.Range.Start.Offset] + e.Text + out[e.Range.End.Offset:]
		}
	}
	if out = strings.Replace(out, "1", "2", 1); out != want {
		t.Errorf("the fixes give %s", out)
	}
}

// TestUpgradeOfBrackets: a capture that begins with a bracket gets its word, since the bracket
// would begin arguments behind a name. Between clauses a comma does the same.
func TestUpgradeOfBrackets(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"procedure q { x = a; (b + c) into d }":                    "procedure q { x = a capture (b + c) into d }",
		"variant V { move { sow a along l, skip b; (c) into d } }": "variant V { move { sow a along l, skip b capture (c) into d } }",
		"procedure q { win; x = 1 }":                               "procedure q { win \"win\" x = 1 }",
		"claim c { with n = m; (a = 1) -> L }":                     "claim c { with n = m, (a = 1) -> L }",
	} {
		if got, diags := Upgrade("t.sow", []byte(src)); string(got) != want || len(diags) > 0 {
			t.Errorf("%s becomes %s%v", src, got, diags)
		}
	}
}

// TestUpgradeRefuses: a file with other mistakes is not rewritten, and neither is one of a language
// that is not known.
func TestUpgradeRefuses(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"variant V { move { a into b; next player } }", "language 3", "variant V {;", "\x00"} {
		if got, diags := Upgrade("t.sow", []byte(src)); got != nil || !diags.HasErrors() {
			t.Errorf("%q becomes %q", src, got)
		}
	}
}

// TestUpgradeOfMany: files with more removed forms than mistakes are reported of are rewritten.
func TestUpgradeOfMany(t *testing.T) {
	t.Parallel()
	src := "variant V { move { " + strings.Repeat("a into b; ", 2*diag.MaxMistakes) + "} }"
	got, diags := Upgrade("t.sow", []byte(src))
	if len(diags) > 0 || string(got) != strings.ReplaceAll(src, "a into b;", "capture a into b") {
		t.Errorf("%v: %s", diags, got)
	}
	if _, diags := Parse("t.sow", []byte(src)); len(diags) > diag.MaxMistakes {
		t.Errorf("%d diagnostics", len(diags))
	}
}

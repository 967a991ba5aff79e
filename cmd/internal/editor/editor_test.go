package editor

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules/bind"
)

// files lists rules files of the repository: all of them, or some.
func files(t testing.TB) (list []string) {
	for _, pattern := range []string{"../../../examples/*.sow", "../../../examples/family/*.sow", "../../../proofs/*.sow"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, err)
		}
		list = append(list, some...)
	}
	var some []string
	for i := 0; i < len(list); i += tier.Every(17, 5) {
		some = append(some, list[i])
	}
	return some
}

func read(path string) *Text { return Read(context.Background(), path, os.ReadFile) }

// texts reads the files, each alone.
func texts(t testing.TB) (list []*Text) {
	for _, p := range files(t) {
		list = append(list, read(p))
	}
	return list
}

func of(src string) *Text {
	return Read(context.Background(), "game.sow", func(path string) ([]byte, error) {
		if path == "game.sow" {
			return []byte(src), nil
		}
		return nil, os.ErrNotExist
	})
}

// TestEveryName: whatever is asked at the names of the files is answered, and the places of a name
// are the same from each of them.
func TestEveryName(t *testing.T) {
	for _, x := range texts(t) {
		for _, k := range dsl.Tokens(x.Path, x.Source) {
			if k.Kind != dsl.NameToken && k.Kind != dsl.KeywordToken {
				continue
			}
			at := k.Range.Start.Offset
			if h := x.Hover(at); h == nil && k.Kind == dsl.KeywordToken {
				t.Errorf("%s: nothing is said of `%s`", k.Range, k.Text)
			}
			n := x.Name(at, nil)
			if n == nil {
				continue
			}
			places := n.Places()
			if !slices.ContainsFunc(places, func(r diag.Range) bool { return r.File == x.Path && r.Start.Offset == at }) {
				t.Errorf("%s: `%s` is not among its places", k.Range, k.Text)
			}
			for _, r := range places {
				if r.File != x.Path {
					continue
				}
				if other := x.Name(r.Start.Offset, nil); other == nil || !slices.Equal(other.Places(), places) {
					t.Errorf("%s: `%s` has other places than at %s", k.Range, k.Text, r)
				}
			}
		}
		x.Colours()
		x.Folds()
		x.Hints()
		if x.File != nil && len(x.Parts()) != len(x.Root.Decls) {
			t.Errorf("%s: %d parts", x.Path, len(x.Parts()))
		}
	}
}

// TestProposed: each name and word of the files is proposed where it stands, if what is written of
// it so far is left out.
func TestProposed(t *testing.T) {
	for _, path := range files(t) {
		x := read(path)
		tokens := dsl.Tokens(x.Path, x.Source)
		for i, k := range tokens {
			s, _ := x.Symbols().At(x.Path, k.Range.Start.Offset)
			declares := s != nil && slices.Contains(s.Decls, k.Range)
			pit := s != nil && s.Name != k.Text                                                                                               // hole01, by its group
			notation := s == nil && !dsl.IsWord(k.Text) && meanings()[k.Text] == "" || s != nil && s.Implied() && x.implied(k.Text, "") == "" // as a column of a list of boards
			if k.Kind != dsl.NameToken && k.Kind != dsl.KeywordToken || declares || pit || notation || i%5 != 0 || s != nil && s.Kind == bind.LocalName {
				continue
			}
			c := x.Complete(k.Range.Start.Offset, func(string) []string { return nil })
			if c == nil || !slices.ContainsFunc(c.Proposals, func(p Proposal) bool { return p.Text == k.Text }) {
				t.Errorf("%s: `%s` is not proposed", k.Range, k.Text)
			}
		}
	}
}

// TestCompleteAnywhere: a text that ends anywhere can be completed.
func TestCompleteAnywhere(t *testing.T) {
	src, err := os.ReadFile("../../../examples/kalah.sow")
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(src); at += 3 * tier.Every(32, 7) {
		x := of(string(src[:at]))
		x.Complete(at, func(string) []string { return nil })
		x.Vet(t.Context())
	}
}

// TestRenameOfEverySize: names in rules of every size can be changed, though the digest of a claim
// about them is another one then.
func TestRenameOfEverySize(t *testing.T) {
	src := []byte(`variant Rows {
  param m = 2 in 1..
  board {
    a[1..m] | store
    line way = a[1..m], store
  }
  setup { each a = 1 }
  move {
    choose p in a where p > 0
    take 1 from p into store
  }
}
claim grows { for all m >= 1: from not finished every step gives seeds(store) >= old seeds(store) }
`)
	open := func(string) ([]byte, error) { return src, nil }
	x := Read(t.Context(), "test.sow", open)
	at := strings.Index(string(src), "p in a where")
	if edits, err := x.Rename(t.Context(), at, "hole", nil, open); err != nil || len(edits) != 3 {
		t.Errorf("%d edits: %v", len(edits), err)
	}
	if _, err := x.Rename(t.Context(), at, "a2", nil, open); err == nil {
		t.Error("a choice has the name of a pit of greater boards")
	}
}

// TestRenameKeeps: after a name was changed the games and claims are what they were, but for the
// name, and changing it back gives the text that was there.
func TestRenameKeeps(t *testing.T) {
	list, n := texts(t), 0
	rapid.Check(t, func(t *rapid.T) {
		if n++; n > 12/tier.Every(4) && tier.Every(2, 2) > 1 {
			return
		}
		x := list[rapid.IntRange(0, len(list)-1).Draw(t, "file")]
		var names []dsl.Token
		for _, k := range dsl.Tokens(x.Path, x.Source) {
			if k.Kind == dsl.NameToken {
				names = append(names, k)
			}
		}
		at := rapid.SampledFrom(names).Draw(t, "name").Range.Start.Offset
		n, err := x.CanRename(at, nil)
		if err != nil {
			return
		}
		name := rapid.SampledFrom([]string{"another_name", "p", "hole", "South", "ccw", "x1", "stuck", n.Name + "_", "ä"}).Draw(t, "new name")
		edits, err := x.Rename(t.Context(), at, name, nil, os.ReadFile)
		if err != nil || len(edits) == 0 {
			return
		}
		by := map[string][]diag.Edit{}
		for _, e := range edits {
			if got := x.text(e.Range); got != n.Name {
				t.Fatalf("%s: %q is changed", e.Range, got)
			}
			by[e.Range.File] = append(by[e.Range.File], e)
		}
		open := func(path string) ([]byte, error) {
			if src := x.Program.Sources[path]; src != nil {
				return diag.Apply(src, by[path]), nil
			}
			return os.ReadFile(path)
		}
		y := Read(t.Context(), x.Path, open)
		was, _, _ := x.meaning(t.Context())
		is, _, wrong := y.meaning(t.Context())
		if wrong.HasErrors() || len(was) != len(is) {
			t.Fatalf("%s -> %s: %v", n.Name, name, wrong)
		}
		for i := range was {
			// The canonical text with the new name in the place of the old one, as words.
			old, now := identifier.FindAllString(was[i], -1), identifier.FindAllString(is[i], -1)
			for k := range old {
				if k >= len(now) || old[k] != now[k] && strings.Replace(old[k], n.Name, name, 1) != now[k] {
					t.Fatalf("%s: `%s` as `%s` changes what the rules mean: %s is %s", x.Path, n.Name, name, old[k], now[min(k, len(now)-1)])
				}
			}
		}
		delta, place := 0, 0
		for _, e := range edits {
			if e.Range.File == x.Path && e.Range.Start.Offset < at {
				delta += len(e.Text) - len(n.Name)
			}
		}
		if place = at + delta; y.Path == x.Path {
			back, err := y.Rename(t.Context(), place, n.Name, nil, open)
			if err != nil {
				t.Fatalf("%s: `%s` cannot become `%s` again: %v", x.Path, name, n.Name, err)
			}
			var own []diag.Edit
			for _, e := range back {
				if e.Range.File == x.Path {
					own = append(own, e)
				}
			}
			if !bytes.Equal(diag.Apply(y.Source, own), x.Source) {
				t.Fatalf("%s: `%s` and back gives another text", x.Path, name)
			}
		}
	})
}

// TestRenameBesideMistakes: a mistake in a claim stays as it is, and does not stop the rename.
func TestRenameBesideMistakes(t *testing.T) {
	const src = `variant V {
  board { a | b }
  setup { a = 1 }
  move { require a > 0 take 1 from a into b }
  end when a = 0
}
claim good { invariant total(pit) = 1 }
claim bad { invariant a = nobody }
`
	at := strings.Index(src, "a | b")
	if edits, err := of(src).Rename(t.Context(), at, "hole", nil, os.ReadFile); err != nil || len(edits) != 6 {
		t.Errorf("%d edits: %v", len(edits), err)
	}
	// The new name must not be what the mistake names.
	if edits, err := of(src).Rename(t.Context(), at, "nobody", nil, os.ReadFile); err == nil {
		t.Error(edits)
	}
	const rules = `variant V { board { a | b } setup { a = nobody } move { take 1 from a into b } end when a = 0 }`
	if _, err := of(rules).Rename(t.Context(), strings.Index(rules, "a |"), "hole", nil, os.ReadFile); err == nil {
		t.Error("a name is changed in rules with mistakes")
	}
}

// TestBrokenClaims: a mistake of syntax in a claim leaves the variants and all other claims of a
// file as they were.
func TestBrokenClaims(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, path := range files(t) {
		whole := read(path)
		if whole.File == nil || len(whole.File.Unit.Claims) == 0 {
			continue
		}
		was := whole.Check()
		hashes := func(c *Checked) (list []string) {
			for _, v := range c.Variants {
				list = append(list, v.System.Hash())
			}
			return list
		}
		claims := ast.All[*ast.Claim](whole.Root)
		broken := claims[r.IntN(len(claims))]
		body := bytes.IndexByte(whole.Source[broken.Range.Start.Offset:], '{') + broken.Range.Start.Offset
		for _, insert := range []string{" foo ", " } ", " { ", " ( ", " # "} {
			src := slices.Concat(whole.Source[:body+1], []byte(insert), whole.Source[body+1:])
			x := Read(context.Background(), path, func(p string) ([]byte, error) {
				if p == path {
					return src, nil
				}
				return os.ReadFile(p)
			})
			is := x.Check()
			if x.File == nil || !is.Diags.HasErrors() || len(is.Claims) != len(was.Claims) || !slices.Equal(hashes(is), hashes(was)) {
				t.Errorf("%s, %s in %s: %d claims, and %v", path, insert, broken.Name.Name, len(is.Claims), is.Diags)
				continue
			}
			for i, c := range is.Claims {
				if name := c.Name.Name; name != was.Claims[i].Name.Name || c.Sound != (was.Claims[i].Sound && name != broken.Name.Name) {
					t.Errorf("%s, %s in %s: %s is sound: %v", path, insert, broken.Name.Name, name, c.Sound)
				}
			}
		}
	}
}

// TestRenameBesideSyntax: a name is changed beside a claim with a mistake of syntax, unless that
// claim may mean it.
func TestRenameBesideSyntax(t *testing.T) {
	const src = `variant V {
  board { a[1..2] | b | c }
  setup { a1 = 1 }
  move { require a1 > 0 take 1 from a1 into b }
  end when a1 = 0
}
claim good { invariant total(pit) = 1 }
claim bad { invariant a1 + b ( "c" }
claim { foo }
`
	const why = "whether it means this"
	for at, want := range map[string]string{"a[1": why, "b |": why, "c }": why, "V {": "", "good": "", "bad": why} {
		edits, err := of(src).Rename(t.Context(), strings.Index(src, at), "other", nil, os.ReadFile)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d edits, and %v", at, len(edits), err)
		}
	}
	if n := of(src).Name(strings.Index(src, "+ b")+2, nil); n == nil || n.Name != "b" {
		t.Errorf("in the claim with the mistake the name is %v", n)
	}
}

func TestCannotRename(t *testing.T) {
	const src = `variant V {
  player South, North
  board {
    north[3..1]
    south[1..3]
  }
  setup { each house = 1 }
  move { choose p in my house where p > 0 sow p along ccw }
  end "too long" when total(south) = 0
}
claim c { reachable "too long" }
`
	for _, c := range []struct{ at, name, why string }{
		{"each ^house", "home", "follows from the picture"},
		{"player ^South", "Anna", "would not mean the same"},
		{"\"^too long\" when", "short", "is a text"},
		{"choose ^p", "house", "cannot be the name"},
		{"^move", "other", "no name here"},
	} {
		before, after, _ := strings.Cut(c.at, "^")
		at := strings.Index(src, before+after) + len(before)
		_, err := of(src).Rename(t.Context(), at, c.name, nil, os.ReadFile)
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s as %s: %v", c.at, c.name, err)
		}
	}
	// Nothing resolves a board that no variant has.
	const shared = "board rows {\n  north[3..1]\n  south[1..3]\n  player South, North\n}\n"
	if _, err := of(shared).Rename(t.Context(), strings.Index(shared, "North"), "South", nil, os.ReadFile); err == nil || !strings.Contains(err.Error(), "is taken") {
		t.Errorf("two players have one name: %v", err)
	}
	if _, err := of(shared).Rename(t.Context(), strings.Index(shared, "North"), "Anna", nil, os.ReadFile); err != nil {
		t.Error(err)
	}
	if _, err := of("variant V {").CanRename(9, nil); err == nil {
		t.Error("a name is changed in a text with mistakes")
	}
}

// TestWords: every word that is reserved is explained, and nothing but words and functions of the
// language.
func TestWords(t *testing.T) {
	for word, text := range meanings() {
		if text == "" || !dsl.IsWord(word) && !bind.IsFunction(word) && !slices.Contains([]string{"pit", "lap", "set", "bool", "stuck", "finished", "endless", "start", "repeated"}, word) {
			t.Errorf("`%s` is no word of the language, or not explained", word)
		}
	}
	for _, f := range bind.Functions() {
		if meanings()[f] == "" {
			t.Errorf("the function `%s` is not explained", f)
		}
	}
	for word := range strings.FieldsSeq(strings.Map(func(r rune) rune {
		if r == '"' || r >= 'a' && r <= 'z' {
			return r
		}
		return ' '
	}, dsl.Grammar())) {
		if word = strings.Trim(word, `"`); dsl.IsReserved(word) && meanings()[word] == "" {
			t.Errorf("`%s` is not explained", word)
		}
	}
}

func TestChanges(t *testing.T) {
	lines := rapid.SliceOf(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d"}))
	rapid.Check(t, func(t *rapid.T) {
		split := func(list []string) [][]byte { return bytes.SplitAfter([]byte(strings.Join(list, "")), []byte("\n")) }
		old, laid := split(lines.Draw(t, "old")), split(lines.Draw(t, "new"))
		src := bytes.Join(old, nil)
		var edits []diag.Edit
		for _, c := range Changes(old, laid) {
			edits = append(edits, diag.Edit{Range: stretch("", c.From, c.To), Text: c.Text})
		}
		if got := diag.Apply(src, edits); !bytes.Equal(got, bytes.Join(laid, nil)) {
			t.Fatalf("got %q", got)
		}
	})
}

func TestFormat(t *testing.T) {
	x := of("variant V {\r\n board { a | b }\r\n setup { a = 1 }\r\n move { require a > 0 take 1 from a into b }\r\n}\r\n")
	got, err := x.Format()
	if err != nil || !bytes.Contains(got, []byte("    a | b\r\n")) || bytes.Contains(got, []byte("\r\r")) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := of("variant V {").Format(); err == nil {
		t.Error("a text with mistakes is laid out")
	}
}

func TestFixAll(t *testing.T) {
	x := of("variant V { board { a | b } setup { a = 1 } move { require a > 0; take 1 from a into b } }\n")
	edits := FixAll(x.Fixes(x.Vet(t.Context()).Diags))
	if got := of(string(diag.Apply(x.Source, edits))); len(edits) != 1 || got.Vet(t.Context()).Diags.HasErrors() {
		t.Errorf("got %v: %v", edits, got.Diags)
	}
}

func TestHints(t *testing.T) {
	x := of("variant V {\n  player South, North\n  board {\n    north[2..1]\n    south[1..2]\n  }\n}\n")
	var got []string
	for _, h := range x.Hints() {
		got = append(got, h.Text)
	}
	if want := []string{"North", "South", "house, ccw, cw, opposite"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// BenchmarkChange is what follows a change in a file of 500 lines: it is read and looked at again.
func BenchmarkChange(b *testing.B) {
	x := read("../../../proofs/dose2015.sow")
	text := string(x.Source)
	for _, d := range x.Root.Decls { // once more, under other names
		if c, is := d.(*ast.Claim); is && strings.Count(text, "\n") < 500 {
			text += "\n" + strings.Replace(x.text(c.Range), c.Name.Name, c.Name.Name+"_again", 1) + "\n"
		}
	}
	n := 0
	open := func(path string) ([]byte, error) {
		if path == x.Path {
			n++
			return []byte(text + strings.Repeat("/", 2+n%3)), nil
		}
		return os.ReadFile(path)
	}
	for b.Loop() {
		if got := Read(context.Background(), x.Path, open).Vet(context.Background()); got.Diags.HasErrors() {
			b.Fatal(got.Diags)
		}
	}
	b.ReportMetric(float64(strings.Count(text, "\n")), "lines")
}

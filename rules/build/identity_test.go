package build_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	sow "github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// sized is a game of every size with a claim.
const sized = `variant K {
  param m = 2 in 1..
  param n = 2 in 0..
  player South, North
  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
  }
  define own = 1
  setup { each house = n }
  procedure moved(p : pit, q : pit) { take 1 from p into q }
  move sowing {
    choose from in my house where from > 0
    sow from along ccw_with_stores, skip their store
    if many(south_store) { moved(south_store, south[1]) }
  }
  end when total(south) = 0 or total(north) = 0 {
    capture south into south_store
    capture north into north_store
  }
}
define few = 9
define many(p : pit) = seeds(p) > few
position late of K where total(house) < few
claim c { for all m >= 1: from not late every step gives seeds(south_store) >= old seeds(south_store) }
`

func digest(t *testing.T, text, claim string, given build.Settings) string {
	t.Helper()
	d := buildtest.Instances(t, buildtest.Text(t, text), claim, given)[0].Digest()
	if len(d) != 64 {
		t.Fatalf("the digest is %q", d)
	}
	return d
}

// TestDigestIgnores: what a claim does not use, and how its text is laid out, does not change the
// digest.
func TestDigestIgnores(t *testing.T) {
	want := digest(t, sized, "c", nil)
	for what, text := range map[string]string{
		"a comment and a line":  strings.Replace(sized, "  define own", "  // A comment.\n\n  define own", 1),
		"documentation":         strings.Replace(sized, "variant K", "// A game.\nvariant K", 1),
		"a line in a picture":   strings.Replace(sized, "north[m..1] |\n", "north[m..1] |\n\n    // A comment.\n", 1),
		"the width of a cell":   strings.Replace(sized, "| north[m..1] |", "|   north[m..1]   |", 1),
		"lines before":          "\n\n\n" + sized,
		"an expectation":        strings.Replace(sized, "claim c {", "claim c { expect refuted", 1),
		"an engine":             strings.Replace(sized, "claim c {", "claim c { using laws", 1),
		"a label":               strings.Replace(sized, "claim c {", "claim c \"C\" {", 1),
		"a claim":               sized + "claim other { never stuck }",
		"an unused definition":  sized + "define far = 3",
		"its own, unused":       strings.Replace(sized, "own = 1", "own = total(south[2..m])", 1),
		"an unused procedure":   sized + "procedure nothing(p : pit) { take 1 from p into north_store }",
		"an unused position":    sized + "position early of K where total(house) > next(south[1] along cw)",
		"an unused strategy":    sized + "strategy first of K = least index(from)",
		"a variant":             strings.Replace(sized, "claim c {", "claim c of K {", 1) + "variant Other { player A board { a | b line way = a, b } move { sow a along way } }",
		"no optional colon":     strings.Replace(sized, "m >= 1:", "m >= 1", 1),
		"the value of n, given": strings.Replace(sized, "claim c {", "claim c { with n = 2", 1),
		"a sweep":               strings.Replace(sized, "claim c {", "claim c { for n in 2..2:", 1),
	} {
		if got := digest(t, text, "c", nil); got != want {
			t.Errorf("%s changes the digest", what)
		}
	}
	if digest(t, strings.Replace(sized, "claim c {", "claim d {", 1), "d", nil) != want {
		t.Error("the name of the claim changes the digest")
	}
	if digest(t, sized, "c", build.Settings{"n": {N: 2}}) != want {
		t.Error("a value that is the usual one changes the digest")
	}
}

// TestDigestCounts: a change of what a claim uses, directly or not, changes its digest, also where
// the System of the least size stays.
func TestDigestCounts(t *testing.T) {
	seen := map[string]string{}
	add := func(what, d string) {
		t.Helper()
		if other, dup := seen[d]; dup {
			t.Errorf("%s has the digest of %s", what, other)
		}
		seen[d] = what
	}
	add("the text", digest(t, sized, "c", nil))
	add("a value", digest(t, sized, "c", build.Settings{"n": {N: 3}}))
	for what, change := range map[string][2]string{
		"a statement":             {"skip their store\n", "skip their store\n    if total(south[2..m]) > 0 { take 1 from south_store into south[1] }\n"},
		"a stretch":               {"many(south_store)", "total(south[2..m]) > 0"},
		"a set":                   {"skip their store", "skip (their store + south[2..m])"},
		"a guard":                 {"where from > 0", "where from > 0 and total(south[2..m]) >= 0"},
		"an ending":               {"total(north) = 0 {", "total(north) = 0 or total(south[2..m]) > 9 {"},
		"a definition of another": {"few = 9", "few = 8"},
		"a definition":            {"> few", "> few and total(south[2..m]) > 0"},
		"a procedure":             {"{ take 1 from p into q }", "{ if total(south[2..m]) > 0 { take 1 from p into q } }"},
		"parameters of it":        {"moved(p : pit, q : pit)", "moved(q : pit, p : pit)"},
		"a position":              {"total(house) < few", "total(south[2..m]) < few"},
		"a property":              {"not late", "not late and total(south[2..m]) = 0"},
		"another":                 {">= old seeds(south_store)", "> old seeds(south_store)"},
		"the least size":          {"m >= 1", "m >= 2"},
		"an open parameter":       {"old seeds(south_store)", "old seeds(south_store) for all n"},
		"a pit":                   {"moved(south_store, south[1])", "moved(south_store, south[m])"},
		"the order on the board":  {"north[m..1]", "north[1..m]"},
		"a parameter":             {"param n = 2", "param n = 3"},
	} {
		text := strings.Replace(sized, change[0], change[1], 1)
		if text == sized {
			t.Fatalf("%s: nothing is changed", what)
		}
		add(what, digest(t, text, "c", nil))
	}
	follows := strings.Replace(sized, "param n = 2", "param n = m", 1)
	add("a value that follows the size", digest(t, follows, "c", nil))
	add("the value at the least size", digest(t, follows, "c", build.Settings{"n": {N: 1}}))
}

// TestDigestOfOneSize: only claims about every size have a digest, and say it.
func TestDigestOfOneSize(t *testing.T) {
	u := buildtest.Text(t, sized+"claim one { terminates }")
	every, one := buildtest.Instances(t, u, "c", nil)[0], buildtest.Instances(t, u, "one", nil)[0]
	if d := one.Digest(); d != "" || one.Asserts() != "terminates" {
		t.Errorf("a claim about one size has the digest %q, and says %s", d, one.Asserts())
	}
	if begin := `for every m >= 1 of "` + every.Digest() + `": from `; !strings.HasPrefix(every.Asserts(), begin) {
		t.Errorf("a claim about every size says %s", every.Asserts())
	}
	at, err := every.AtSize(1)
	if err != nil || at.Digest() != "" || strings.HasPrefix(at.Asserts(), "for") {
		t.Errorf("its first size has the digest %q: %v", at.Digest(), err)
	}
}

// TestDigestShared: a board that variants share belongs to the text, with what it has for them.
func TestDigestShared(t *testing.T) {
	head, board, _ := strings.Cut(sized, "  board {")
	board, rest, _ := strings.Cut(board, "  }\n")
	text := "board Two {" + board + "  param spare = 2 in 1..\n}\n" + head + "  board Two\n" + rest
	was := digest(t, text, "c", nil)
	for what, change := range [][2]string{{"south[1..m]", "south[m..1]"}, {"spare = 2", "spare = 3"}} {
		if digest(t, strings.Replace(text, change[0], change[1], 1), "c", nil) == was {
			t.Errorf("change %d of the shared board keeps the digest", what)
		}
	}
}

// corpus lists files that have all kinds of nodes.
func corpus(t *testing.T) (list []*build.Unit) {
	for _, pattern := range []string{"../../examples/*.sow", "../../examples/family/*.sow", "../../proofs/*.sow", "../../proofs/testdata/*/*.sow"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			list = append(list, buildtest.File(t, f))
		}
	}
	return append(list, buildtest.Text(t, sized))
}

// TestDigestHasAllThatIsWalked: the digest of each claim about every size is of all text that the
// gate walks.
func TestDigestHasAllThatIsWalked(t *testing.T) {
	claims, nodes := 0, 0
	for _, u := range corpus(t) {
		for _, c := range u.Claims {
			for _, clause := range c.Clauses {
				if all, is := clause.(*sow.ForAll); !is || all.From == nil {
					continue
				}
				claims++
				inst := buildtest.Instances(t, u, c.Name.Name, nil)[0]
				written := map[sow.Node]bool{}
				for _, root := range inst.Written() {
					sow.Inspect(root, func(n sow.Node) bool { written[n] = true; return true })
				}
				for _, n := range inst.Walked() {
					switch n.(type) {
					case *sow.Variant, sow.Clause: // its parts are written, or give values to parameters
						continue
					}
					if nodes++; !written[n] {
						t.Errorf("%s: %s is walked and not in the digest", n.Span(), u.Bound.Text(n.Span()))
					}
				}
			}
		}
	}
	if claims < 5 || nodes < 10 {
		t.Errorf("only %d claims and %d nodes", claims, nodes)
	}
}

// TestDigestOfEveryField: each field of each kind of node makes a difference, but for places and
// documentation.
func TestDigestOfEveryField(t *testing.T) {
	seen := map[string]bool{}
	inst := buildtest.Instances(t, buildtest.Text(t, sized), "c", nil)[0]
	rare := strings.Replace(sized, "  end when", "  offer draw when south_store > 3\n  end when", 1) + "claim more { takes long using bmc bound 3 terminates }\nclaim noted { refines K in play and notation }"
	for _, u := range append(corpus(t), buildtest.Text(t, rare)) {
		for _, n := range declarations(u) {
			alterAll(t, inst, n, reflect.ValueOf(n), seen)
		}
	}
	for _, name := range structs(t) {
		if !seen[name] {
			t.Errorf("no file has a %s", name)
		}
	}
}

// declarations lists the texts of a file, with what it imports.
func declarations(u *build.Unit) (list []sow.Node) {
	for _, v := range u.Bound.Variants {
		list = append(list, v.Source)
	}
	for _, d := range u.Bound.Defines {
		list = append(list, d)
	}
	for _, d := range u.Bound.Boards {
		list = append(list, d)
	}
	for _, d := range u.Bound.Positions {
		list = append(list, d)
	}
	for _, d := range u.Bound.Strategies {
		list = append(list, d)
	}
	for _, d := range u.Bound.Claims {
		list = append(list, d)
	}
	return list
}

// structs lists the types of nodes, but for those that only the parser has.
func structs(t *testing.T) (names []string) {
	dir, err := parser.ParseFile(token.NewFileSet(), "../../dsl/ast/ast.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	apart := map[string]bool{"At": true, "Documented": true, "File": true, "Comment": true, "Language": true, "Import": true, "Denial": true, "CanGoOn": true}
	ast.Inspect(dir, func(n ast.Node) bool {
		if x, is := n.(*ast.TypeSpec); is {
			if _, is := x.Type.(*ast.StructType); is && !apart[x.Name.Name] {
				names = append(names, x.Name.Name)
			}
		}
		return true
	})
	return names
}

// alterAll alters each field in a text, once for each type of node.
func alterAll(t *testing.T, inst *build.Instance, root sow.Node, v reflect.Value, seen map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			alterAll(t, inst, root, v.Elem(), seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			alterAll(t, inst, root, v.Index(i), seen)
		}
	case reflect.Struct:
		name := v.Type().Name()
		if name == "At" || name == "Documented" {
			return
		}
		first := !seen[name]
		seen[name] = true
		for i := range v.NumField() {
			f := v.Field(i)
			if k := v.Type().Field(i); first && !k.Anonymous {
				was := inst.DigestOf(root)
				restore := alter(f)
				if inst.DigestOf(root) == was {
					t.Errorf("%s.%s does not matter", name, k.Name)
				}
				restore()
				if inst.DigestOf(root) != was {
					t.Fatalf("%s.%s is not as it was", name, k.Name)
				}
			}
			alterAll(t, inst, root, f, seen)
		}
	}
}

// alter gives a field another value, and returns what restores it.
func alter(f reflect.Value) (restore func()) {
	was := reflect.New(f.Type()).Elem()
	was.Set(f)
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Int:
		f.SetInt(f.Int() + 1)
	case reflect.String:
		f.SetString(f.String() + "x")
	case reflect.Slice:
		f.Set(reflect.Append(f.Slice3(0, f.Len(), f.Len()), reflect.Zero(f.Type().Elem())))
	case reflect.Pointer:
		if f.Set(reflect.New(f.Type().Elem())); !was.IsNil() {
			f.SetZero()
		}
	case reflect.Interface:
		if !was.IsNil() {
			f.SetZero()
		} else if text := reflect.ValueOf(&sow.Text{}); text.Type().AssignableTo(f.Type()) {
			f.Set(text)
		} else {
			panic("no value for a " + f.Type().String())
		}
	case reflect.Struct:
		return alter(f.Field(f.NumField() - 1))
	}
	return func() { f.Set(was) }
}

// TestDigestOfRows: two boards whose rows are the same at the least size, and differ at greater
// ones by a line break alone, have different digests.
func TestDigestOfRows(t *testing.T) {
	const text = `variant R {
  param m = 2 in 1..
  player North, South
  board {
    north_out[1..m] BREAK north_in[1..m]
    south_in[1..m]
    south_out[1..m]
  }
  setup { north_in[1] = 1 }
  move {
    choose from in north_in where from > 0
    sow from along ccw of North
  }
  end bad when total(north_in[2..m]) > 0
}
claim c { for all m >= 1: unreachable bad }
`
	var digests, least, later []string
	for _, by := range []string{" ", "\n"} {
		inst := buildtest.Instances(t, buildtest.Text(t, strings.Replace(text, " BREAK ", by, 1)), "c", nil)[0]
		next, err := inst.AtSize(2)
		if err != nil {
			t.Fatal(err)
		}
		digests, least, later = append(digests, inst.Digest()), append(least, inst.System.Hash()), append(later, next.System.Hash())
	}
	if least[0] != least[1] || later[0] == later[1] {
		t.Fatalf("the Systems are %q and %q", least, later)
	}
	if digests[0] == digests[1] {
		t.Error("the digests are the same")
	}
}

package bind_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules/bind"
)

func load(t *testing.T, path string) *dsl.Program {
	t.Helper()
	p, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return p
}

// TestSymbolsOfFiles: every name of the rules files stands where the index says, and no name is
// left out that the tree has as a value.
func TestSymbolsOfFiles(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../examples/*.sow", "../../examples/family/*.sow", "../../proofs/*.sow"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, some...)
	}
	for _, path := range files {
		p := load(t, path)
		symbols := bind.Bind(p.Files).Symbols
		for _, f := range p.Files {
			for s, at := range symbols.In(f.Path) {
				if got := string(f.Source[at.Start.Offset:at.End.Offset]); got != s.Name {
					t.Errorf("%s: %q is no place of %s `%s`", at, got, s.Kind, s.Name)
				}
			}
			if f.Path != path {
				continue
			}
			for _, n := range ast.All[*ast.Name](f) {
				s, _ := symbols.At(f.Path, n.Range.Start.Offset)
				if s == nil && !slices.Contains(strings.Fields("true false none empty last origin mover opponent player stuck finished endless start pit bool lap set"), n.Name) {
					t.Errorf("%s: nothing is known of `%s`", n.Range, n.Name)
				}
			}
		}
	}
}

func TestSymbols(t *testing.T) {
	src := `define many(k : number) = total(hole) > k
variant A {
  param n = 2
  board { hole[01..n] }
  state side : {left, right}
  setup { each hole = 1 }
  move big {
    choose p in hole where p > 0
    let q = p
    capture q into hole02
    if many(1) { side = left }
    let p = 1
    if p = 1 { win done }
  }
}
variant B {
  board { hole[1..3] }
  setup { each hole = 1 }
  move { choose p in hole where p > 0 capture p into hole1 if many(2) { win } }
}
claim c of A {
  with n = 3
  from some p in hole : p > n by big every step gives done
}
`
	f, diags := dsl.Parse("x.sow", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	symbols := bind.Bind([]*ast.File{f}).Symbols
	// Words of claims may be names in a variant.
	g, diags := dsl.Parse("y.sow", []byte("variant V { board { stuck[1..3] } setup { each stuck = 1 } move { choose p in stuck where p > 0 capture p into stuck1 } }\nclaim c { unreachable stuck }\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if s, _ := bind.Bind([]*ast.File{g}).Symbols.At("y.sow", 20); s == nil || s.Name != "stuck" || len(s.Places()) != 4 {
		t.Errorf("got %+v", s)
	}
	for _, c := range []struct {
		at     string // in the text; the name begins at the mark
		name   string
		kind   bind.Kind
		places int
	}{
		{"total(^hole", "hole", bind.PitsName, 10}, // the definition makes the pits of A and B one
		{"> ^k", "k", bind.LocalName, 2},
		{"with ^n", "n", bind.ParamName, 4},
		{"choose ^p in hole where p > 0\n", "p", bind.LocalName, 3},
		{"let ^p = 1", "p", bind.LocalName, 2},
		{"some ^p in", "p", bind.LocalName, 2},
		{"side = ^left", "left", bind.ValueName, 2},
		{"gives ^done", "done", bind.OutcomeName, 2},
		{"by ^big", "big", bind.MoveName, 2},
		{"of ^A", "A", bind.VariantName, 2},
		{"if ^many(2)", "many", bind.DefinitionName, 3},
	} {
		before, after, _ := strings.Cut(c.at, "^")
		i := strings.Index(src, before+after)
		if i < 0 {
			t.Fatal(c.at)
		}
		s, _ := symbols.At("x.sow", i+len(before))
		if s == nil || s.Name != c.name || s.Kind != c.kind || len(s.Places()) != c.places {
			t.Errorf("%s: got %+v", c.at, s)
		}
	}
}

// TestOffer: what ends the game if a player wants it is an outcome, which claims may name.
func TestOffer(t *testing.T) {
	const src = `variant V {
  player South, North
  board { a | b }
  setup { a = 1 }
  move { require a > 0 take 1 from a into b }
  offer South wins "by agreement" when repeated
}
claim c { reachable "by agreement" }
`
	f, diags := dsl.Parse("x.sow", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	symbols := bind.Bind([]*ast.File{f}).Symbols
	label, _ := symbols.At("x.sow", strings.Index(src, "by agreement"))
	if label == nil || label.Name != "by agreement" || label.Kind != bind.OutcomeName || len(label.Places()) != 2 {
		t.Errorf("the outcome is %+v", label)
	}
	if player, _ := symbols.At("x.sow", strings.Index(src, "South wins")); player == nil || player.Kind != bind.PlayerName {
		t.Errorf("the player is %+v", player)
	}
}

// TestEndsInProcedures: what a procedure of the file ends the game with is an outcome of the
// variants that call it, also through another one, and is the same name in all of them.
func TestEndsInProcedures(t *testing.T) {
	const src = `procedure halt { end E }
procedure stop(b : bool) { if b { halt() } }
procedure other { end F }
variant V {
  board { a | z }
  setup { a = 2 }
  move { choose p in a where p > 0  take 1 from a into z  stop(a = 0) }
}
variant W {
  board { a | z }
  setup { a = 3 }
  move { choose p in a where p > 0  take 1 from a into z  if a = 0 { halt() } }
}
claim v of V { reachable E }
claim w of W { reachable E }
claim not_called of V { reachable F }
`
	f, diags := dsl.Parse("x.sow", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	symbols := bind.Bind([]*ast.File{f}).Symbols
	for _, at := range []int{strings.Index(src, "end E") + 4, strings.Index(src, "reachable E") + 10, strings.LastIndex(src, "reachable E") + 10} {
		if label, _ := symbols.At("x.sow", at); label == nil || label.Kind != bind.OutcomeName || len(label.Places()) != 3 {
			t.Errorf("the outcome is %+v", label)
		}
	}
	if label, _ := symbols.At("x.sow", strings.Index(src, "reachable F")+10); label != nil && label.Kind == bind.OutcomeName {
		t.Errorf("an outcome of a procedure that is not called is %+v", label)
	}
}

// TestSymbolsElsewhere: a board that variants share uses their parameters, and a variable may be
// called like a function.
func TestSymbolsElsewhere(t *testing.T) {
	f, diags := dsl.Parse("x.sow", []byte(`board shared { north[m..1] | south[1..m] }
variant A {
  param m = 2
  param seeds = 3
  player South, North
  board shared
  state before each player : bool
  state kept : bool
  setup { each house = seeds, kept = true }
  move {
    choose p in my house where seeds(p) > 0 and not before(mover)
    before(mover) = true
    kept = false
  }
}
`))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	symbols := bind.Bind([]*ast.File{f}).Symbols
	for _, c := range []struct {
		name      string
		uses      int
		read, set bool
	}{{"m", 2, true, false}, {"seeds", 1, true, false}, {"before", 2, true, true}, {"kept", 2, false, true}} {
		list := symbols.Declared(c.name)
		if len(list) != 1 {
			t.Fatalf("`%s` is declared as %v", c.name, list)
		}
		if s := list[0]; len(s.Decls) != 1 || len(s.Uses) != c.uses || s.Read() != c.read || s.Set() != c.set {
			t.Errorf("`%s`: %+v", c.name, s)
		}
	}
}

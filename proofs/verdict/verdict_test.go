package verdict

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/limit"
)

// TestBoxed: every type of finding, reason, note and gap can be kept in a cache.
func TestBoxed(t *testing.T) {
	kinds := []string{"finding", "reason", "note", "gap"}
	for _, path := range []string{"said.go", "finding.go", "reason.go", "note.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !slices.Contains(kinds, f.Name.Name) {
				continue
			}
			if name := f.Recv.List[0].Type.(*ast.Ident).Name; boxed[name] == nil {
				t.Errorf("%s: %s is not in the list of what a Box may hold", path, name)
			}
		}
	}
}

// TestBoxes: random values of every type are read as they were written, and only in a box that they
// fit.
func TestBoxes(t *testing.T) {
	for name, typ := range boxed {
		rapid.Check(t, func(t *rapid.T) {
			v := reflect.New(typ).Elem()
			fill(t, v, 2)
			switch x := v.Interface().(type) {
			case Finding:
				roundTrip(t, name, Box[Finding]{x})
			case Reason:
				roundTrip(t, name, Box[Reason]{x})
			case Note:
				roundTrip(t, name, Box[Note]{x})
			case Gap:
				roundTrip(t, name, Box[Gap]{x})
			default:
				t.Fatalf("%s fits no box", name)
			}
		})
	}
}

func roundTrip[T any](t *rapid.T, name string, in Box[T]) {
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out Box[T]
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !reflect.DeepEqual(in, out) {
		t.Fatalf("%s: %+v became %+v", text, in, out)
	}
	var wrong Box[interface{ fits() }]
	if json.Unmarshal(text, &wrong) == nil {
		t.Fatalf("%s was read in the place of something else", name)
	}
}

// fill draws a value.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch x := v.Addr().Interface().(type) {
	case *Detail:
		*x = Words(rapid.String().Draw(t, "words"))
		return
	case *Cause:
		if depth > 0 && rapid.Bool().Draw(t, "cause") {
			*x = Because(At{Param: "n", Value: rapid.Int().Draw(t, "value"), Rest: Because(Ended{Limit: limit.Hit{Kind: limit.States, Most: 7}})})
		}
		return
	case *Box[Gap]:
		if rapid.Bool().Draw(t, "gap") {
			x.Is = NotChecked.Says(rapid.String().Draw(t, "words"))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth-1)
		}
	case reflect.Slice:
		if n := rapid.IntRange(-1, 3).Draw(t, "length"); n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(t, v.Index(i), depth-1)
			}
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "number"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "text"))
	default:
		t.Fatalf("a %s in a verdict", v.Type())
	}
}

// TestBadBoxes: what is not just one known type with its fields is refused.
func TestBadBoxes(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"Figure":{"Is":1,"N":1},"Fact":1}`, `{"Figure":{"Is":1,"n":1}}`, `{"Figure":{}}`, `{"Figure":{"Is":1,"N":1,"N":2}}`, `{"Verdict":{}}`,
		`{"Asked":{"Solver":"z3"}}`, `{"Figure":{"Is":1,"N":1,"M":2}}`, `7`, `{"At":{"Param":"n","Value":1,"Rest":{"Play":{"Moves":1,"Shortest":true}}}}`,
	} {
		var b Box[Finding]
		if err := json.Unmarshal([]byte(text), &b); err == nil {
			t.Errorf("%s was read: %+v", text, b)
		}
	}
	var list []Box[Note]
	if err := json.Unmarshal([]byte(`[null]`), &list); err != nil {
		t.Fatal(err)
	}
	if _, err := Unbox(list); err == nil {
		t.Error("a note that is none was taken")
	}
}

// TestWords: the names of statuses and checks are read as they are written, and no others.
func TestWords(t *testing.T) {
	for s := Unknown; s <= Bounded; s++ {
		var got Status
		if text, _ := s.MarshalText(); got.UnmarshalText(text) != nil || got != s {
			t.Errorf("%s became %s", s, got)
		}
	}
	for c := NotYet; c <= ByEnumeration; c++ {
		var got Checked
		if text, _ := c.MarshalText(); got.UnmarshalText(text) != nil || got != c {
			t.Errorf("%s became %s", c, got)
		}
	}
	if new(Status).UnmarshalText([]byte("Proved")) == nil || new(Checked).UnmarshalText(nil) == nil {
		t.Error("a word that is none was taken")
	}
}

// TestFigures: players and enumerations are no figures.
func TestFigures(t *testing.T) {
	for _, test := range []struct {
		f    Finding
		want []int64
	}{
		{nil, nil},
		{Number.Of(7), []int64{7}},
		{RankFalls, nil},
		{Forced{Player: 1, Moves: 3, Positions: 2}, []int64{3, 2}},
		{StrategyFails{Strategy: "s9", End: EndsNever, Moves: 4, Win: []string{"1"}}, []int64{4}},
		{Valued{Worth: Worth{Player: 1, Lo: -2, Hi: 5, Positions: 1}}, []int64{-2, 5, 1}},
		{SetFound{States: 1, Missing: 2}, []int64{1, 0, 2}},
	} {
		if got := Figures(test.f); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v", test.f, got)
		}
	}
}

// TestLacksSolver looks through the values of a parameter.
func TestLacksSolver(t *testing.T) {
	missing := MissingSolver{Program: "z3"}
	for _, test := range []struct {
		r    Reason
		want bool
	}{
		{nil, false}, {missing, true}, {At{Rest: Because(missing)}, true}, {At{Rest: Because(NotEverywhere)}, false}, {NotInductive.Of(2), false},
	} {
		if got := LacksSolver(test.r); got != test.want {
			t.Errorf("%+v: %t", test.r, got)
		}
	}
}

// TestWorth: what a value is to the other player, with unknown ends.
func TestWorth(t *testing.T) {
	w := Worth{Lo: NoLower, Hi: 3}
	if got := w.Negated(); got.Lo != -3 || got.Hi != NoUpper || got.Negated() != w {
		t.Errorf("%+v", got)
	}
	if _, known := w.AtLeast(); known || w.Known() {
		t.Error("an unknown end is known")
	}
	if !(Worth{Lo: 1, Hi: 2}).Within(w) || w.Within(Worth{Lo: 1, Hi: 3}) {
		t.Error("bounds within others")
	}
}

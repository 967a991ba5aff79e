package coq_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/coq"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestNoCounterpart: what Coq's kernel does not have is an error, wherever it is.
func TestNoCounterpart(t *testing.T) {
	with := func(change func(*rules.System)) *rules.System {
		sys := rulestest.Solitaire(2)
		change(sys)
		return sys
	}
	guard := func(x rules.Expr) *rules.System {
		return with(func(sys *rules.System) { sys.Actions[0].Guard = x })
	}
	body := func(s ...rules.Stmt) *rules.System {
		return with(func(sys *rules.System) { sys.Actions[0].Body = s })
	}
	list := map[string]*rules.System{
		"repetition":                 with(func(sys *rules.System) { sys.Repetition = &rules.Repetition{} }),
		"no endless outcome":         with(func(sys *rules.System) { sys.Outcomes = sys.Outcomes[:2] }),
		"outcome":                    with(func(sys *rules.System) { sys.Outcomes[0].Kind = 77 }),
		"reaction for other players": with(func(sys *rules.System) { sys.Reactions[0].By = nil }),
		"fixed parameter":            guard(rules.OpenParam{}),
		"operator":                   guard(rules.Binary{Op: 77, L: rules.True, R: rules.True}),
		"question":                   guard(rules.Question(77)),
		"register to read":           guard(rules.Register(rules.NextReg)),
		"pit that is not there":      guard(rules.PitAt(6)),
		"pits that are not there":    guard(rules.Sum{Pits: []int{0, 6}}),
		"variable":                   guard(rules.VarAt(1)),
		"chosen variable":            guard(rules.Cell{Sort: rules.VarCell, Table: []int{1}, Index: rules.Number(0)}),
		"local":                      guard(rules.LocalAt(0)),
		"other neighbours":           guard(rules.Lookup{Table: &rules.Table{Kind: rules.NextOn, Of: make([]int, 6)}, X: rules.FixedPit(0)}),
		"kind of table":              guard(rules.Lookup{Table: &rules.Table{Kind: 77, Of: make([]int, 6)}, X: rules.FixedPit(0)}),
		"pit that is set":            body(rules.Set{To: rules.PitAt(0), X: rules.Number(0)}),
		"register to set":            body(rules.Set{To: rules.Register(rules.LastReg), X: rules.FixedPit(0)}),
		"local to set":               body(rules.SetLocal(0, rules.Number(0))),
		"live outcome":               body(rules.Stop{Outcome: rules.Live}),
		"lap":                        body(rules.Sow{Source: rules.FixedPit(0), Lap: 2}),
		"skips of another board":     body(rules.Sow{Source: rules.FixedPit(0), SkipIf: []rules.Expr{nil}}),
	}
	for name, sys := range rulestest.Foreign() {
		list["foreign "+name] = sys
	}
	for name, sys := range list {
		var none *coq.NoCounterpart
		if err := silent(sys); !errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, own := range map[string]rules.Lookup{
		"lap":      rules.NextAlong(rules.FixedPit(0), &rules.Lap{Next: make([]int, 6)}),
		"relation": rules.RelatedBy(rules.FixedPit(0), &rules.Relation{To: make([]int, 6)}),
	} {
		if err := silent(guard(own)); err != nil {
			t.Errorf("a %s that the System does not have: %v", name, err)
		}
	}
	if err := silent(rulestest.Solitaire(2)); err != nil {
		t.Errorf("the Solitaire itself: %v", err)
	}
}

// silent writes a System to nowhere. A foreign part may already stop the canonical text.
func silent(sys *rules.System) (err error) {
	defer func() {
		if what := recover(); what != nil {
			err = &coq.NoCounterpart{What: "reading of a foreign part"}
		}
	}()
	return coq.System(io.Discard, "sys", sys)
}

// TestOpenParameters: the starts of a System with an open parameter are those for its values.
func TestOpenParameters(t *testing.T) {
	w := openWhole(t)
	sys := buildtest.System(t, buildtest.File(t, "../../examples/dose2015.sow"), nil, "stones")
	var b strings.Builder
	b.WriteString(coq.Preamble("Kernel"))
	if err := coq.System(&b, "sys", sys); err != nil {
		t.Fatal(err)
	}
	b.WriteString(`
Definition with_stones (n : Z) (s : list Z) : res :=
  eval sys (claim_env sys 0 [n] None) (enter (St (map Kn s) [Kn (-1)] 0 (-1)) 0 0) (setup sys).
Example range : ranges sys = [(12, None)]. Proof. reflexivity. Qed.
Example thirteen : with_stones 13 [0; 2;1;1;1;1;1; 0; 1;1;1;1;1;1] = V 1. Proof. vm_compute. reflexivity. Qed.
Example twelve : with_stones 12 [0; 2;1;1;1;1;1; 0; 1;1;1;1;1;1] = V 0. Proof. vm_compute. reflexivity. Qed.
Example a_hole_is_empty : with_stones 12 [0; 2;0;1;1;1;1; 0; 1;1;1;1;1;1] = V 0. Proof. vm_compute. reflexivity. Qed.
`)
	if out, _, err := w.compile(b.String()); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestComments: no name of a game ends a comment, or begins another one or a text.
func TestComments(t *testing.T) {
	w := openWhole(t)
	sys := rulestest.Solitaire(1)
	sys.Name, sys.Pits[0].Name, sys.Outcomes[0].Label = `*) "(*`, "(**)", "\x01\n\"*)"
	sys.Actions[0].Label = `"`
	var b strings.Builder
	b.WriteString(coq.Preamble("Kernel"))
	if err := coq.System(&b, "sys", sys); err != nil {
		t.Fatal(err)
	}
	b.WriteString("Example whole : length (acts sys) = 4%nat. Proof. reflexivity. Qed.\n")
	if out, _, err := w.compile(b.String()); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

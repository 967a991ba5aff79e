package claim

import (
	"testing"

	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestDiffer: two plays show a difference only if they are the same up to it, and if each move
// before it has no other counterpart.
func TestDiffer(t *testing.T) {
	const rest = `
  board { w | x | y | z }
  state way : 0..2 = 0
  setup { w = 1, x = 0, y = 0, z = 0 }
  move c { require x > 0 and way = 1  capture x into y }
  move d { require x > 0 and way = 2  capture x into z }
  end when total(y) + total(z) > 0
`
	const text = "variant Both {" + rest + `
  move a { require w > 0  capture w into x  way = 1 }
  move b { require w > 0  capture w into x  way = 2 }
}
variant Swapped {` + rest + `
  move b { require w > 0  capture w into x  way = 1 }
  move a { require w > 0  capture w into x  way = 2 }
}
variant Half {` + rest + `
  move a { require w > 0  capture w into x  way = 1 }
}
`
	for _, c := range []struct {
		claim       string
		left, right []string
		shown       bool
	}{
		{"of Both { refines Half }", []string{"b", "d"}, []string{"a"}, true},
		{"of Both { refines Half }", []string{"a", "c"}, []string{"a"}, false},
		{"of Both { refines Swapped }", []string{"a", "c"}, []string{"a"}, false},
		{"of Both { refines Swapped in play and notation }", []string{"a", "c"}, []string{"a"}, true},
		{"of Both { refines Swapped in play and notation }", []string{"a", "c"}, []string{"b"}, false},
		{"of Both { equivalent to Half }", []string{"b"}, []string{"a", "c"}, false},
		{"of Half { equivalent to Both }", []string{"a"}, []string{"b", "d"}, false},
		{"of Half { equivalent to Both }", []string{"a"}, []string{"a", "c"}, false},
		{"of Half { equivalent to Both in result }", nil, []string{"b"}, true},
		{"of Half { equivalent to Both in result }", nil, []string{"a"}, false},
	} {
		inst := buildtest.Instances(t, buildtest.Text(t, text+"claim c "+c.claim), "c", nil)[0]
		k := relation{Relation: inst.Property.(*build.Relation)}
		r := &result.Result{Trace: played(t, inst.System, c.left), Other: played(t, k.Other, c.right)}
		r.System = inst.System
		if err := k.differ(t.Context(), r); (err == nil) != c.shown {
			t.Errorf("%s: %v and %v: %v", c.claim, c.left, c.right, err)
		}
	}
}

// played is the play with these moves.
func played(t *testing.T, sys *rules.System, moves []string) *rules.Trace {
	t.Helper()
	in := interp.New(sys)
	at := sys.EmptyStart()
	at.Seeds[0] = 1
	out := &rules.Trace{System: sys, Start: at.Clone()}
	for _, m := range moves {
		steps, err := in.Steps(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if in.Notation(s.Action, at) == m {
				out.Steps = append(out.Steps, rules.TraceStep{Move: m, Label: sys.Actions[s.Action].Label, State: s.To})
			}
		}
		at = out.End()
	}
	return out
}

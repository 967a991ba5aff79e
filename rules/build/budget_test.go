package build_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules/build"
)

// bomb is a game with what is put into its move, and a claim.
func bomb(body, property string) string {
	return fmt.Sprintf(`variant v {
		param a = 1 in 1..
		param b = 1 in 1..
		param c = 1 in 1..
		board { hole[1..4]
			ring l = hole[1..4] }
		setup { each hole = 1 }
		move { choose from in hole
			sow from along l
			%s }
	}
	claim c { %s }`, body, property)
}

// nested is a text nested n times in itself, with N for the depth.
func nested(n int, before, inner, after string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(strings.ReplaceAll(before, "N", fmt.Sprint(i)))
	}
	return s.String() + inner + strings.Repeat(after, n)
}

// instances resolves all that a text declares.
func instances(ctx context.Context, text string) ([]*build.Instance, diag.List) {
	file, diags := dsl.Parse("t.sow", []byte(text))
	if diags.HasErrors() {
		return nil, diags
	}
	unit, diags := build.Collect([]*ast.File{file})
	unit.Context = ctx
	var all []*build.Instance
	for _, decl := range unit.Claims {
		c, more := unit.Claim(decl)
		if !more.HasErrors() {
			all = append(all, c.Instances(nil, &more)...)
		}
		diags = append(diags, more...)
	}
	return all, diags
}

func TestBudget(t *testing.T) {
	short := []string{"quantifiers", "filters", "claim", "choices"} // "loops" stays in all tiers
	long := short[2:]
	if tier.Short() {
		long = short
	}
	for name, text := range map[string]string{
		"sweeps":      bomb("", "invariant a > 0 for a in 1..1000 for b in 1..1000 for c in 1..1000"),
		"sweep":       bomb("", "invariant a > 0 for a in 1..100001"),
		"loops":       bomb(nested(12, "for xN in hole { ", "capture x1 into x2", "} "), "never stuck"),
		"quantifiers": bomb("require "+nested(12, "each xN in hole : ", "seeds(x1) > 0", ""), "never stuck"),
		"claim":       bomb("", "invariant "+nested(12, "some xN in hole : ", "seeds(x1) > 0", "")),
		"filters":     bomb("", "invariant "+nested(12, "some xN in {y in hole where ", "seeds(y) > 0", "} : true ")),
		"pits":        strings.ReplaceAll(bomb("", "never stuck"), "1..4", "1..1000000000"),
		"rows":        "variant v { board {" + "a[1..4000] b[1..4000] " + " } setup { each pit = 1 } move { } } claim c { never stuck }",
		"choices": strings.ReplaceAll(bomb("", "never stuck"), "choose from in hole",
			"choose from in hole "+nested(12, "choose xN in hole ", "", "")),
		"numbers": strings.ReplaceAll(bomb("", "never stuck"), "choose from in hole", "choose from in hole choose n in 1..2000000000"),
		"domain":  strings.ReplaceAll(bomb("", "never stuck"), "setup", "state x : 0..2000000000 setup"),
	} {
		if !tier.Full() && slices.Contains(long, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			cost.Limited(t, 1<<30, func() {
				list, diags := instances(t.Context(), text)
				if !diags.HasErrors() {
					t.Fatalf("it is accepted, with %d instances", len(list))
				}
				if code := diags[0].Code; code != diag.TooBig && code != diag.EmptyRange {
					t.Errorf("the first mistake is %v", diags[0])
				}
				for _, d := range diags {
					if d.Range.IsZero() {
						t.Errorf("%v has no place", d)
					}
				}
			})
		})
	}
}

// TestLongSweep has instances whose Systems differ in a parameter alone.
func TestLongSweep(t *testing.T) {
	list, diags := instances(t.Context(), bomb("", "invariant total(hole) = 4 for a in 1..1000"))
	if len(list) != 1000 || diags.HasErrors() {
		t.Fatalf("%d instances, %v", len(list), diags)
	}
	for i, inst := range list {
		if v := inst.System.Params[0].Value; v != i+1 {
			t.Fatalf("instance %d has a = %d", i, v)
		}
		if &inst.System.Actions[0] != &list[0].System.Actions[0] {
			t.Fatalf("instance %d has actions of its own", i)
		}
	}
	list, diags = instances(t.Context(), strings.ReplaceAll(bomb("", "invariant total(hole) = 4*a for a in 1..3"), "each hole = 1", "each hole = a"))
	if len(list) != 3 || diags.HasErrors() {
		t.Fatalf("%d instances, %v", len(list), diags)
	}
	seen := map[string]bool{}
	for _, inst := range list {
		seen[fmt.Sprintf("%#v", inst.System.Start.Cond)] = true
	}
	if len(seen) != 3 {
		t.Errorf("three sizes of starts have %d setups: %v", len(seen), seen)
	}
}

// TestInterrupted resolves with a context that is done.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, diags := instances(ctx, bomb(nested(8, "for xN in hole { ", "capture x1 into x2", "} "), "never stuck"))
	if len(diags) == 0 || diags[0].Code != diag.Interrupted {
		t.Errorf("%v", diags)
	}
}

// TestInterruptedSweep: wherever resolution ends early, the instances that it gives are not taken
// for all.
func TestInterruptedSweep(t *testing.T) {
	text := bomb("", "invariant total(hole) = 4 for a in 1..20")
	all := 0
	for n := 0; ; n++ {
		list, diags := instances(cost.Looks(t.Context(), n), text)
		if len(diags) == 0 {
			all = len(list)
			break
		}
		if diags[0].Code != diag.Interrupted {
			t.Fatalf("after %d looks: %v", n, diags)
		}
	}
	if all != 20 {
		t.Errorf("%d instances", all)
	}
}

// TestInterruptedWays: wherever resolution ends early, it gives no game whose moves do not go
// on.
func TestInterruptedWays(t *testing.T) {
	text := `variant v {
		board { hole[1..12]
			ring l = hole }
		setup { each hole = 1 }
		move { choose from in hole where true choose k in 1..30
			go on from from }
	}
	claim c { never stuck }`
	for n := 0; ; n++ {
		list, diags := instances(cost.Looks(t.Context(), n), text)
		if len(diags) == 0 {
			if n < 3 || len(list) != 1 {
				t.Errorf("%d instances after %d looks", len(list), n)
			}
			return
		}
		if diags[0].Code != diag.Interrupted {
			t.Fatalf("after %d looks: %v", n, diags)
		}
	}
}

// TestWideLoops: loops in loops do not lay out the numbers that they go through.
func TestWideLoops(t *testing.T) {
	cost.Limited(t, 512<<20, func() {
		_, diags := instances(t.Context(), bomb(nested(6, "for xN in 1..900000 { ", "take 1 from hole[1] into hole[2]", "} "), "never stuck"))
		if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.TooBig }) {
			t.Errorf("many loops give %v", diags)
		}
	})
}

// TestManyColumns: a file of boards takes time and memory by its size.
func TestManyColumns(t *testing.T) {
	columns := 300_000 / tier.Every(10, 1)
	var head, line strings.Builder // the names, and a number for each
	for i := range columns {
		fmt.Fprintf(&head, "c%d,", i)
		line.WriteString("1,")
	}
	files := map[string]string{
		"t.sow": strings.Replace(bomb("", "value(start) = expected"), "claim c {", `claim c { for board in file "t.csv":`, 1),
		"t.csv": head.String() + "x\n" + line.String() + "1\n",
	}
	cost.Limited(t, 1<<30, func() {
		program, diags := dsl.Load("t.sow", func(path string) ([]byte, error) { return []byte(files[path]), nil })
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		unit, diags := build.Collect(program.Files)
		claim, more := unit.Claim(unit.Claims[0])
		claim.Instances(nil, &more)
		if diags = append(diags, more...); !diags.HasErrors() {
			t.Error("no fault is found in columns that stand for nothing")
		}
	})
}

package build_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// duel is a game of two in which every move takes one seed of the mover.
const duel = `variant Duel {
  player South, North
  board { a b c
    line way = a, b
    group mine = a, b
    owner South = a
    owner North = b
  }
  state turns : player = North
  setup { a = 2, b = 1 }
  move one when total(my mine) > 0 { take 1 from my mine into c }
  pass when no other move
  ITEMS
  score South = a, North = b
}
claim c { unreachable CLAIM }
`

// TestWhoWins plays to the end, by the first legal move in each state: South, North and South take,
// and then North has nothing left.
func TestWhoWins(t *testing.T) {
	for _, c := range []struct{ items, moves, over, claim string }{
		{"mover wins when b = 0", "one one", "South wins", "South wins and not North wins"},
		{"mover wins done when total(my mine) = 0", "one one one", "North wins done", "done and North wins"},
		{"opponent wins done when b = 0", "one one", "North wins done", "done and not South wins"},
		{"opponent wins when no move", "one one one", "South wins", "\"win\" and South wins"},
		{"mover loses when b = 0", "one one", "North wins", "North wins"},
		{"North wins when b = 0", "one one", "North wins", "North wins and \"win\""},
		{"draw when b = 0", "one one", "draw", "not South wins and not North wins"},
		{"end when b = 0", "one one", "end", "South wins and not North wins"},
		{"end when a = 0", "one one one", "end", "not South wins and not North wins"},
		{"when b = 0 { turns moves next }\n draw when b = 0 and mover = South\n mover wins when b = 0", "one one", "North wins", "North wins"},
		{"when b = 0 and mover = South { opponent moves next }\n mover wins when b = 0", "one one", "North wins", "North wins"},
		{"when c = 2 { capture c into b }\n South wins when a = 0", "one one one", "South wins", "b = 2"},
		{"when a = 0 { draw early }\n North wins when a = 0", "one one one", "early", "early"},
		{"South wins when c = 3 and mover = South", "one one one pass", "South wins", "turns = North"},
	} {
		sys, claim := duelOf(t, strings.NewReplacer("ITEMS", c.items, "CLAIM", c.claim).Replace(duel))
		in := interp.New(sys)
		s := sys.EmptyStart()
		s.Seeds[0], s.Seeds[1] = 2, 1
		var moves []string
		for s.Live() && len(moves) < 9 {
			st := steps(t, in, s)[0]
			moves = append(moves, sys.Actions[st.Action].Label)
			s = st.To
		}
		if got := strings.Join(moves, " "); s.Live() || got != c.moves || sys.OutcomeName(s.Outcome) != c.over {
			t.Errorf("%s: the moves are %s, and then %+v; want %s and `%s`", c.items, got, s, c.moves, c.over)
		}
		if holds, err := in.Holds(claim, s, nil); err != nil || !holds {
			t.Errorf("%s: `%s` is %v, %v in %+v", c.items, c.claim, holds, err, s)
		}
	}
}

// TestVerdictOfVariable: who wins is not a variable, and the help says what to write.
func TestVerdictOfVariable(t *testing.T) {
	file, diags := dsl.Parse("duel.sow", []byte(`
		variant Duel {
		  player South, North
		  board { a | b  ring round = a, b }
		  state ahead : player = South
		  setup { a = 2 }
		  move { sow a along round }
		  ahead wins when b = 2
		}`))
	unit, more := build.Collect([]*ast.File{file})
	_, most := unit.System(unit.Variants[0], nil)
	diags = slices.Concat(diags, more, most)
	if len(diags) != 1 || !strings.Contains(diags[0].Help, "`South … when … and ahead = South`") {
		t.Errorf("%v", diags)
	}
}

// duelOf resolves a text with one variant and its claim.
func duelOf(t *testing.T, text string) (*rules.System, rules.Expr) {
	t.Helper()
	file, diags := dsl.Parse("duel.sow", []byte(text))
	unit, more := build.Collect([]*ast.File{file})
	claim, most := unit.Claim(unit.Claims[0])
	diags = slices.Concat(diags, more, most)
	list := claim.Instances(nil, &diags)
	if diags.HasErrors() || len(list) != 1 {
		t.Fatalf("%d instances: %v", len(list), diags)
	}
	return list[0].System, list[0].Property.(*build.Reach).Target
}

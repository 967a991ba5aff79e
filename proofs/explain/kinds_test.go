package explain_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs"
	. "github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules/build"
)

// TestPair: after five moves from two seeds a pit South's side is empty. The page's game is over
// and North sweeps the 10 that lie there; in the other one North has a move.
func TestPair(t *testing.T) {
	p := find[*Pair](t, document(t, "../fairkalah.sow", os.ReadFile, "starvation").Claims[0].Instances[0])
	if len(p.Left.Trace.Steps) != len(p.Right.Trace.Steps) || len(p.Left.Trace.Steps) == 0 {
		t.Fatalf("%d and %d moves", len(p.Left.Trace.Steps), len(p.Right.Trace.Steps))
	}
	left, right := p.Left.Trace.Steps, p.Right.Trace.Steps
	for i := range left {
		if left[i].Move != right[i].Move {
			t.Errorf("move %d: %s and %s", i+1, left[i].Move, right[i].Move)
		}
	}
	a, b := left[len(left)-1].State, right[len(right)-1].State
	for pit := range a.Seeds {
		if p.Differ[0][pit] != (a.Seeds[pit] != b.Seeds[pit]) || p.Differ[1][pit] != p.Differ[0][pit] {
			t.Errorf("pit %d: %d and %d, marked %v", pit, a.Seeds[pit], b.Seeds[pit], p.Differ[0][pit])
		}
	}
	if a.Live() || !b.Live() || !strings.Contains(p.Words, "`score_north`") || p.Left.Title == p.Right.Title {
		t.Errorf("%q and %q: %s", p.Left.Title, p.Right.Title, p.Words)
	}
}

// TestStrategyFails: the play by the strategy does not win, the one beside it does, from the same
// start.
func TestStrategyFails(t *testing.T) {
	c := document(t, "../rice.sow", os.ReadFile, "longest_move_fails").Claims[0]
	p := find[*Pair](t, c.Instances[0])
	end := func(p *Play) string {
		return Outcome(p.Trace.System, p.Trace.Steps[len(p.Trace.Steps)-1].State.Outcome)
	}
	if last := p.Left.Trace.Steps[len(p.Left.Trace.Steps)-1].State; !last.Live() && end(p.Left) == "won" {
		t.Error("the strategy wins")
	}
	if end(p.Right) != "won" || !p.Left.Trace.Start.Equal(p.Right.Trace.Start) || p.Left.First != "start" {
		t.Errorf("the other play: %s", end(p.Right))
	}
	if len(c.Setting) != 1 || c.Setting[0].Name != "longest_move" || !strings.Contains(c.Setting[0].Meaning, "`index(c)` is greatest") {
		t.Errorf("settings: %+v", c.Setting)
	}
}

// TestSettings: what a claim refers to stands with it.
func TestSettings(t *testing.T) {
	c := document(t, "../rice.sow", os.ReadFile, "top_is_winnable").Claims[0]
	var names []string
	for _, s := range c.Setting {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"choose_move", "top"}) || !strings.Contains(c.Setting[1].Text, "0 0 0 3 1 1 | 0") {
		t.Errorf("settings: %v", names)
	}
}

// TestAncestors: one seed is to reach the last of three pits; the two boards before are its
// ancestors.
func TestAncestors(t *testing.T) {
	doc := document(t, "-", fromText(line+`claim before { count(ancestors of done) = 2 for all n }
claim one { count(ancestors of done where p1 = 1) = 1 for all n }
position done { 0 0 1 }`))
	for i, uncounted := range []int{0, 1} {
		tree := find[*Tree](t, doc.Claims[i].Instances[0])
		if i > 0 && tree.SameAs != "" {
			continue
		}
		left := 0
		walk(tree.Roots, func(n *Node) {
			if n.Uncounted {
				left++
			}
			if n.NotStart != "" {
				t.Errorf("whether No. %d is a start is not the question: %s", n.No, n.NotStart)
			}
		})
		if tree.States != 3 || left != uncounted || !strings.Contains(tree.Closing[len(tree.Closing)-1], "ancestors") {
			t.Errorf("claim %d: %d states, %d not counted", i, tree.States, left)
		}
	}
}

// line is a game in which one seed walks from pit to pit.
const line = `variant Line {
  param n = 1 in 1..1
  board { p[1..3] line l = p[1..3] }
  setup { p1 = n }
  move { choose q in p where q = 1 and total(p) = 1 sow q along l }
}
`

// TestLengths: from four seeds a pit all six pits can be sown first, and after six moves there are
// as many plays as the document says.
func TestLengths(t *testing.T) {
	l := find[*Lengths](t, document(t, "../fairkalah.sow", os.ReadFile, "perft_standard").Claims[0].Instances[0])
	if len(l.Counts) != 6 || l.Counts[0] != 6 || l.Counts[5] != 23169 {
		t.Errorf("%v", l.Counts)
	}
}

// TestCondition: a position that is said and not drawn has its condition. Three boards of two pits
// hold at most one seed.
func TestCondition(t *testing.T) {
	doc := document(t, "-", fromText(`variant Row {
  board { p[1..2] line l = p[1..2] }
  setup { p1 = 1, p2 = 1 }
  move { choose q in p where q > 0 sow q along l }
}
position few where total(p) <= 1
position many where p1 > 3
claim ends { terminates }`))
	few, many := doc.Positions.List[0], doc.Positions.List[1]
	if few.Condition != "total(p) <= 1" || few.Board == nil || !strings.HasPrefix(few.Reason, "3 states fit") {
		t.Errorf("few: %+v", few)
	}
	if !strings.Contains(many.Reason, "infinitely many states fit") {
		t.Errorf("many: %+v", many)
	}
}

// TestGhosts: the pit that a claim remembers of a step is no mark of the board's.
func TestGhosts(t *testing.T) {
	doc := document(t, "-", fromText(line+`claim stays { expect refuted  from true every step gives last = p2 }`))
	p := find[*Play](t, doc.Claims[0].Instances[0])
	last := p.Trace.Steps[len(p.Trace.Steps)-1].State
	if b := (&Board{System: p.Trace.System, State: last}); b.Marked() >= 0 || !strings.Contains(b.Status(), "last = p3") {
		t.Errorf("marked %d, status %q", b.Marked(), b.Status())
	}
}

// TestSameState: two branches of this game come together again: whichever of two pits is emptied
// first, both are in the end.
func TestSameState(t *testing.T) {
	doc := document(t, "-", fromText(`variant Two {
  board { p[1..3] | s  line l1 = p1, s  line l2 = p2, s }
  setup { p3 = 1 }
  move one { choose q in {p1} where q = 1 sow q along l1 }
  move two { choose q in {p2} where q = 1 sow q along l2 }
}
position done { 0 0 0 | 2 }
claim c { using backward unreachable done }`))
	again := 0
	tree := find[*Tree](t, doc.Claims[0].Instances[0])
	walk(tree.Roots, func(n *Node) {
		if n.Same > 0 {
			again++
			if n.Board == nil || n.No != 0 || len(n.Preds) > 0 {
				t.Errorf("%+v", n)
			}
		}
	})
	if tree.States != 4 || again != 1 {
		t.Errorf("%d states, %d of them again", tree.States, again)
	}
}

// TestLargeTree: of a deep tree and of a broad one a part is drawn, and it is said how much is
// left. One seed walks over fifty pits; eleven go home in any order, which makes 2 to the 11
// boards.
func TestLargeTree(t *testing.T) {
	for _, c := range []struct {
		name, text  string
		states, max int
	}{
		{"deep", `variant Deep {
  board { p[1..50] line l = p[1..50] }
  setup { p1 = 2 }
  move { choose q in p where q = 1 and total(p) = 1 sow q along l }
}
claim c { using backward  unreachable p50 = 1 and total(p) = 1 }`, 50, 40},
		{"broad", `variant Broad {
  board { p[1..11] | b  line l = p[1..11], b }
  setup { p1 = 2 }
  move { choose q in p where q = 1 sow q along l, skip p }
}
claim c { using backward  unreachable total(p) = 0 and b = 11 }`, 2048, 500},
	} {
		tree := find[*Tree](t, document(t, "-", fromText(c.text)).Claims[0].Instances[0])
		nodes, hidden := 0, 0
		walk(tree.Roots, func(n *Node) {
			if hidden += n.Hidden; n.No > 0 {
				nodes++
			}
		})
		if tree.States != c.states || nodes != c.max || tree.More != c.states-c.max || hidden == 0 {
			t.Errorf("%s: %d states, %d drawn, %d more, %d predecessors hidden", c.name, tree.States, nodes, tree.More, hidden)
		}
	}
}

// TestFinishedBoard: games on a large board that an ending sweeps are over in too many ways to lay
// them out again. They are not looked through.
func TestFinishedBoard(t *testing.T) {
	doc := document(t, "../fairkalah.sow", os.ReadFile, "perft_fair_1")
	if len(doc.Positions.List) != 3 {
		t.Errorf("%d positions", len(doc.Positions.List))
	}
}

// TestInterrupt: a document is made in spite of an interrupt, and says what is missing.
func TestInterrupt(t *testing.T) {
	for _, file := range []string{"dose2015", "fairkalah", "rice"} {
		program, diags := dsl.Load("../"+file+".sow", os.ReadFile)
		unit, more := build.Collect(program.Files)
		if err := append(diags, more...).Err(); err != nil {
			t.Fatal(err)
		}
		var items []*Item
		for _, decl := range unit.Claims {
			c, diags := unit.Claim(decl)
			for _, inst := range c.Instances(nil, &diags) {
				if slices.Contains([]string{"thesis_any", "p_s10_as_listed", "perft_standard", "starvation"}, c.Name) {
					r, err := proofs.Decide(context.Background(), inst, proofs.Options{})
					items = append(items, &Item{Instance: inst, Result: r, Err: err})
				}
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		doc, err := Build(ctx, Source{Path: file, Program: program}, items, items)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range doc.Claims {
			if text := fmt.Sprint(c.Instances[0].Evidence); !strings.Contains(text, "interrupt") && c.Name != "starvation" && c.Name != "perft_standard" {
				t.Errorf("%s: %s", c.Name, text)
			}
		}
		if p := doc.Positions; p != nil && !strings.Contains(p.List[0].Reason, "interrupt") {
			t.Errorf("%s: %s", file, p.List[0].Reason)
		}
	}
}

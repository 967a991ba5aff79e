package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/mancheck/mancheck/proofs/explain"
)

const nim = `variant Nim {
  param n = 3 in 1..8
  param most = 2 in 1..3
  player South, North
  board { heap | gone }
  setup { heap = n }
  move { choose k in 1..most where k <= heap  take k from heap into gone }
  opponent wins when heap = 0
}
position one { 1 | 2 } with mover = North
`

// outline writes the tree of a strategy: a line for each node.
func outline(nodes []*Node, indent string) (lines []string) {
	for _, n := range nodes {
		line := fmt.Sprintf("%s%d %s %v %s", indent, n.No, strings.Join(n.Moves, "/"), n.Names, n.Target)
		if n.Same > 0 {
			line += fmt.Sprint(" same ", n.Same)
		} else {
			line += " " + n.Says
		}
		lines = append(append(lines, line), outline(n.Preds, indent+" ")...)
	}
	return lines
}

// TestGame: who takes the last of three seeds, one or two at a time, wins. South begins, so North
// can always take the last. A strategy against South has the same moves, and ends where North has
// won; within one move nothing but South's moves is asked.
func TestGame(t *testing.T) {
	doc := document(t, "-", fromText(nim+`
claim wins { North can force North wins }
claim loses { expect refuted  South can force South wins }
claim slow { not North can force finished within 1 }
claim once { South can force heap > 1 }
claim swept { for n in 3..4: South can force gone > 0 }
claim any { South can force gone > 0 for all n }`))
	for i, want := range []struct {
		title, reader, intro string
		lines                []string
	}{
		{"How North forces `North wins`", "South", "Each leaves fewer moves to go", []string{
			"1  []  At most 2 moves to go.",
			" 2 South: 1 []  At most 1 move to go.",
			"  3 North: 2 [] goal Here `North wins` holds.",
			" 4 South: 2 [one]  At most 1 move to go.",
			"  0 North: 1 [] goal same 3",
		}},
		{"How South is kept from `South wins`", "South", "In none of the positions", []string{
			"1  []  Here `South wins` does not hold.",
			" 2 South: 1 []  Here `South wins` does not hold.",
			"  3 North: 2 []  Here `South wins` does not hold, and the game is over.",
			" 4 South: 2 [one]  Here `South wins` does not hold.",
			"  0 North: 1 []  same 3",
		}},
		{"How North is kept from `finished`", "North", "In none of the positions", []string{
			"1  []  Here `finished` does not hold, nor for 1 move more.",
			" 2 South: 1 []  Here `finished` does not hold, and the moves of the claim are over.",
		}},
		{"How South forces `heap > 1`", "North", "Each leaves fewer", []string{"1  [] goal Here `heap > 1` holds."}},
	} {
		tree := find[*Tree](t, doc.Claims[i].Instances[0])
		if tree.Title != want.title || tree.Game.Reader != want.reader || !strings.Contains(tree.Intro, want.intro) || tree.More != 0 {
			t.Errorf("%q against %q, %d more: %q", tree.Title, tree.Game.Reader, tree.More, tree.Intro)
		}
		if got := outline(tree.Roots, ""); !slices.Equal(got, want.lines) {
			t.Errorf("%s:\n%s\nwant\n%s", tree.Title, strings.Join(got, "\n"), strings.Join(want.lines, "\n"))
		}
	}
	each := doc.Claims[4]
	find[*Tree](t, each.Instances[0])
	if text := said(each.Instances[1]); !strings.Contains(text, "explain this instance alone") {
		t.Error(text)
	}
	if text := said(doc.Claims[5].Instances[0]); !strings.Contains(text, "each value has its own") {
		t.Error(text)
	}
}

// said has all paragraphs of the evidence.
func said(inst *Instance) (text string) {
	for _, b := range inst.Evidence {
		if p, is := b.(Para); is {
			text += string(p) + "\n"
		}
	}
	return text
}

// TestLongGame: a long line of play is cut into trees that refer to each other, and nothing of it
// is left out.
func TestLongGame(t *testing.T) {
	doc := document(t, "-", fromText(strings.Replace(nim, "1..8", "1..200", 1)+`claim long { South can force heap = 0  with n = 100, most = 1 }`))
	tree := find[*Tree](t, doc.Claims[0].Instances[0])
	nodes, same := 0, 0
	walk(tree.Roots, func(n *Node) {
		if n.Same > 0 {
			same++
		} else {
			nodes++
		}
	})
	if nodes != 101 || same != 2 || len(tree.Roots) != 3 || tree.More != 0 {
		t.Errorf("%d nodes, %d references, %d trees, %d more", nodes, same, len(tree.Roots), tree.More)
	}
}

// TestLargeGame: of a large strategy 500 positions are drawn, and each move that is not drawn is
// named where it is made.
func TestLargeGame(t *testing.T) {
	doc := document(t, "-", fromText(`variant Heaps {
  player South, North
  board { h[1..6] | gone }
  setup { each h = 3 }
  move { choose p in h
    choose k in 1..2 where k <= seeds(p)
    take k from p into gone }
}
claim large { South can force total(h) = 0 }`))
	tree := find[*Tree](t, doc.Claims[0].Instances[0])
	g := tree.Game
	left, named := 0, 0
	for i, n := range g.Nodes {
		for _, st := range n.Next {
			if st.To < 0 {
				left++
				if strings.Contains(g.Says[i], "`"+st.Move+"`") {
					named++
				}
			}
		}
	}
	drawn := 0
	walk(tree.Roots, func(n *Node) {
		if n.Same == 0 {
			drawn++
		}
	})
	if len(g.Nodes) != 500 || drawn != 500 || tree.More == 0 || left == 0 || named != left {
		t.Errorf("%d nodes, %d drawn, %d more, %d of %d moves named", len(g.Nodes), drawn, tree.More, named, left)
	}
}

package explain_test

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	. "github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules/build"
)

// document explains claims of a file, or of a text if path ends in no .sow; without names it
// explains all.
func document(t *testing.T, path string, open func(string) ([]byte, error), names ...string) *Document {
	t.Helper()
	program, diags := dsl.Load(path, open)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	unit, diags := build.Collect(program.Files)
	var items []*Item
	for _, decl := range unit.Claims {
		c, more := unit.Claim(decl)
		list := c.Instances(nil, &more)
		if err := append(diags, more...).Err(); err != nil {
			t.Fatal(err)
		}
		if len(names) > 0 && !slices.Contains(names, c.Name) {
			continue
		}
		for _, inst := range list {
			r, err := proofs.Decide(context.Background(), inst, proofs.Options{})
			items = append(items, &Item{Instance: inst, Result: r, Err: err})
		}
	}
	doc, err := Build(context.Background(), Source{Path: path, Program: program}, items, nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func fromText(text string) func(string) ([]byte, error) {
	return func(string) ([]byte, error) { return []byte(text), nil }
}

func find[T Block](t *testing.T, inst *Instance) T {
	t.Helper()
	for _, b := range inst.Evidence {
		if x, ok := b.(T); ok {
			return x
		}
	}
	t.Fatalf("%s has no such evidence: %v", inst.Name, inst.Evidence)
	panic("unreachable")
}

// below maps each named position of a tree to those that stand directly below it.
func below(nodes []*Node, into map[string][]string) map[string][]string {
	for _, n := range nodes {
		for _, name := range n.Names {
			for _, p := range n.Preds {
				into[name] = append(into[name], strings.Join(p.Names, " "))
			}
			slices.Sort(into[name])
		}
		below(n.Preds, into)
	}
	return into
}

func walk(nodes []*Node, f func(*Node)) {
	for _, n := range nodes {
		f(n)
		walk(n.Preds, f)
	}
}

// TestThesis compares the tree with the paper's section D5, without its two slips (s15 and s18).
func TestThesis(t *testing.T) {
	doc := document(t, "../dose2015.sow", os.ReadFile, "thesis_any")
	tree := find[*Tree](t, doc.Claims[0].Instances[0])
	if tree.States != 29 || tree.Targets != 1 || len(tree.Roots) != 1 || tree.More != 0 {
		t.Fatalf("%d states, %d targets, %d roots", tree.States, tree.Targets, len(tree.Roots))
	}
	names := below(tree.Roots, map[string][]string{})
	for name, want := range map[string][]string{
		"s9": {"s10", "s11", "s12", "s13"}, "s10": {"s14"}, "s14": {"s16", "s17"}, "s16": {"s19"}, "s19": {"s22", "s23"},
		"s17": nil, "s22": nil, "s23": nil,
	} {
		if !slices.Equal(names[name], want) {
			t.Errorf("below %s: %v, want %v", name, names[name], want)
		}
	}
	nodes, mirrored := 0, 0
	walk(tree.Roots, func(n *Node) {
		nodes++
		if !strings.Contains(n.NotStart, "`each hole >= 1` fails at hole") {
			t.Errorf("No. %d: %s", n.No, n.NotStart)
		}
		if n.Mirror > 0 {
			mirrored++
		}
	})
	if nodes != 29 || mirrored != 3 {
		t.Errorf("%d nodes, %d mirrored branches", nodes, mirrored)
	}
}

// TestMoves checks the labels of the paper's steps.
func TestMoves(t *testing.T) {
	doc := document(t, "../dose2015.sow", os.ReadFile, "thesis_any")
	want := map[string]string{
		"s10": "SR004(B) s9", "s11": "SR004(A) s9", "s12": "SR004(A) s9", "s13": "SR004(B) s9", "s14": "SR004(B) s10", "s16": "SR004(A) s14",
		"s17": "SR004(B) s14", "s19": "SR004(B) s16", "s22": "SR004(A) s19", "s23": "SR004(B) s19",
		"s14_at_06": "SR004(A) s11", "s14_at_07": "SR004(A) s12", "s14_at_12": "SR004(B) s13", // turned over once or twice
	}
	walk(find[*Tree](t, doc.Claims[0].Instances[0]).Roots, func(n *Node) {
		for _, name := range n.Names {
			if got := strings.Join(append(n.Moves, n.To), " "); name != "s9" && got != want[name] {
				t.Errorf("%s: %s, want %s", name, got, want[name])
			}
		}
	})
}

// TestPositions compares the verdicts on the paper's configurations: s15 and s18 lose by SR005, so
// s20 and s21 lead nowhere; D1 kills s17, s22 and s23.
func TestPositions(t *testing.T) {
	doc := document(t, "../dose2015.sow", os.ReadFile, "thesis_any")
	want := map[string]string{
		"s9": StatusTarget, "s10": StatusValid, "s11": StatusValid, "s12": StatusValid, "s13": StatusValid, "s14": StatusValid,
		"s15": StatusInvalid, "s16": StatusValid, "s17": StatusDead, "s18": StatusInvalid, "s19": StatusValid, "s20": StatusInvalid,
		"s21": StatusInvalid, "s22": StatusDead, "s23": StatusDead,
		"s14_at_06": StatusValid, "s14_at_07": StatusValid, "s14_at_12": StatusValid,
	}
	reasons := map[string]string{
		"s15": "SR004(B): SR005, lost", "s18": "SR004(B): SR005, lost", "s20": "SR004(A): s18", "s21": "SR004(B): s18",
		"s14": "2 predecessors: s16, s17", "s19": "2 predecessors: s22, s23", "s17": "no state has a step to it",
	}
	got := map[string]string{}
	for _, p := range doc.Positions.List {
		got[p.Name] = p.Status
		if !strings.Contains(p.Reason, reasons[p.Name]) {
			t.Errorf("%s: %s", p.Name, p.Reason)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestLabels marks all labels that the proof of the thesis mentions.
func TestLabels(t *testing.T) {
	doc := document(t, "../dose2015.sow", os.ReadFile, "thesis_any")
	used := map[string]bool{}
	for _, l := range doc.Variants[0].Labels {
		used[l.Name] = l.Used
	}
	want := map[string]bool{"SR002": true, "SR003": false, "SR004": true, "SR004(A)": true, "SR004(B)": true, "SR005": true, "SR006": true}
	if !reflect.DeepEqual(used, want) {
		t.Errorf("got %v", used)
	}
}

// TestSame: the tree of a claim with the same set is drawn once.
func TestSame(t *testing.T) {
	doc := document(t, "../dose2015.sow", os.ReadFile, "thesis_48", "thesis_any")
	if tree := find[*Tree](t, doc.Claims[1].Instances[0]); tree.SameAs != "thesis_48" || tree.Roots != nil {
		t.Errorf("same as %q", tree.SameAs)
	}
}

// TestSlips: what the paper lists wrongly is shown with where it leads.
func TestSlips(t *testing.T) {
	doc := document(t, "../dose2015.sow", os.ReadFile, "p_s10_as_listed", "s18_to_s16", "d1_stated")
	d1, s10, s18 := doc.Claims[0].Instances[0], doc.Claims[1].Instances[0], doc.Claims[2].Instances[0]
	var missing *States
	for _, b := range s10.Evidence {
		if s, ok := b.(*States); ok && s.Title == "Listed, but not found" {
			missing = s
		}
	}
	if missing == nil || missing.States[0].Name != "s15" || !strings.Contains(missing.States[0].Text, "SR004(B): SR005, lost") {
		t.Errorf("missing: %+v", missing)
	}
	if p := find[*Play](t, s18); p.First == "start" || !strings.Contains(p.Title, "instead") {
		t.Errorf("s18: %q from %q", p.Title, p.First)
	}
	if p := find[*Play](t, d1); p.First != "start" || len(p.Trace.Steps) != 2 {
		t.Errorf("d1: %q from %q", p.Title, p.First)
	}
}

// TestMap has the least numbers of stones for 1 to 4 holes in a row, and the lengths of the plays:
// 4, 8, 14 and 19 moves, as a search by brute force over all distributions has found them.
func TestMap(t *testing.T) {
	tier.Long(t, "eight seconds of deciding")
	m := document(t, "../dose2015.sow", os.ReadFile, "thesis_narrow").Claims[0].Map
	if m == nil || !slices.Equal(m.Header, []string{"2", "3", "4", "5", "6", "7", "8", "9"}) ||
		!slices.Equal(m.RowNames, []string{"1", "2", "3", "4"}) || m.Shows != "moves of a shortest play" {
		t.Fatalf("map: %+v", m)
	}
	var rows []string
	for _, line := range m.Cells {
		text := ""
		for _, c := range line {
			text += c.Text + "|"
		}
		rows = append(rows, text)
	}
	if want := []string{"○|4|||||||", "||8||||||", "||||○|○|14||", "||||||○|19|"}; !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
}

// TestMapOfTwo is a sweep over two parameters.
func TestMapOfTwo(t *testing.T) {
	doc := document(t, "-", fromText(`variant Row {
  param a = 1 in 1..9
  param b = 1 in 1..9
  board { p[1..2] line l = p[1..2] }
  setup { p1 = a, p2 = b }
  move { choose q in p where q = 1 sow q along l }
  win when p1 = 0
}
claim wins { for a in 1..3 for b in 1..2: reachable "win" }`))
	m := doc.Claims[0].Map
	if m == nil || m.Rows != "a" || m.Cols != "b" || len(m.Cells) != 3 || len(m.Header) != 2 {
		t.Fatalf("map: %+v", m)
	}
	if m.Cells[0][0].Text != "● 1" || m.Cells[1][0].Kind != "no" {
		t.Errorf("cells: %v", m.Cells)
	}
}

// TestLoop: a play without end comes back to where it was.
func TestLoop(t *testing.T) {
	p := find[*Play](t, document(t, "../../examples/oware.sow", os.ReadFile, "goes_on").Claims[0].Instances[0])
	states := []any{p.Trace.Start}
	for _, st := range p.Trace.Steps {
		states = append(states, st.State)
	}
	if p.Loop < 0 || !reflect.DeepEqual(states[p.Loop], states[len(states)-1]) {
		t.Errorf("loop from %d of %d", p.Loop, len(states))
	}
}

// TestSameTwice: two documents of one input are the same.
func TestSameTwice(t *testing.T) {
	a := document(t, "../dose2015.sow", os.ReadFile, "thesis_any", "p_s9")
	b := document(t, "../dose2015.sow", os.ReadFile, "thesis_any", "p_s9")
	if !reflect.DeepEqual(a.Positions, b.Positions) || !reflect.DeepEqual(a.Variants, b.Variants) {
		t.Error("they differ")
	}
}

package coq_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/proofs/coq"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/family"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// sizes is what a file with families and the answers of the interpreter begins with. A case is a
// state, whether the setup lays its board out for some value of the open parameter, and the states
// after all moves.
const sizes = `From Coq Require Import Bool.
Definition board : Type := list Z * list Z * Z * Z.
Definition known (l : list cell) : list Z := map (fun c => match c with Kn z => z | _ => -9 end) l.
Definition told (s : state) : board := (known (seeds s), known (vars s), mover s, outcome s).
Definition untold (b : board) : state := let '(s, v, m, o) := b in St (map Kn s) (map Kn v) m o.
Fixpoint alike (l m : list Z) : bool :=
  match l, m with [], [] => true | x :: l, y :: m => (x =? y) && alike l m | _, _ => false end.
Definition same (a b : board) : bool :=
  let '(s, v, m, o) := a in let '(t, w, n, p) := b in alike s t && alike v w && (m =? n) && (o =? p).
Definition after (sys : system) (b : board) : list board :=
  flat_map (fun a => match result (act sys 4000 a (untold b)) with Some u => [told u] | None => [] end) (acts sys).
Definition within (l m : list board) : bool := forallb (fun a => existsb (same a) m) l.
Definition lays_out (sys : system) (b : board) : bool :=
  let s := untold b in
  forallb (fun i => nth i (free sys) false || (nth i (known (seeds s)) 1 =? 0)) (seq 0 (npits sys)) &&
  existsb (fun z => (1 <=? z) && match eval sys (claim_env sys 4000 [z] None) (enter s (mover s) 0) (setup sys) with
    | V y => nz y | _ => false end) (fold_right Z.add 0 (known (seeds s)) :: known (seeds s)).
Definition right (sys : system) (c : board * bool * list board) : bool :=
  let '(b, laid, l) := c in
  let m := after sys b in Nat.eqb (length l) (length m) && within l m && within m l && eqb laid (lays_out sys b).
`

// TestInstancesAgree: the Systems of the greater sizes, as Coq makes them of a family, have the
// steps and starts that the interpreter gives for what the resolver makes of the rules. The pits
// that are put in have the last numbers there.
func TestInstancesAgree(t *testing.T) {
	w := openWhole(t)
	for _, g := range []struct {
		file, size string
		at         int
		open       []string
	}{
		{"dose2015.sow", "n", 4, []string{"stones"}},
		{"dose2015.sow", "n", 10, []string{"stones"}},
		{"kalah.sow", "m", 2, []string{"n"}},
		{"kalah.sow", "m", 5, []string{"n"}},
	} {
		text, err := os.ReadFile("../../examples/" + g.file)
		if err != nil {
			t.Fatal(err)
		}
		u := buildtest.Text(t, string(regexp.MustCompile(`(param `+g.size+`\s*= \d+ in \d+\.\.)\d*`).ReplaceAll(text, []byte("$1"))))
		of := func(n int) *rules.System {
			return buildtest.System(t, u, build.Settings{g.size: build.Value{N: n}}, g.open...)
		}
		stretches, err := family.Stretches(of(g.at), of(g.at+1))
		if err != nil {
			t.Fatal(err)
		}
		var xs []int
		for _, s := range stretches {
			xs = append(xs, (s.First+s.Last)/2)
		}
		f, err := family.New(of(g.at), of(g.at+1), g.size, g.at, xs)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		b.WriteString(coq.Preamble("Kernel", "Insert", "Cutoff") + sizes)
		if err := coq.Family(&b, "games", f); err != nil {
			t.Fatal(err)
		}
		cases := 0
		for _, k := range []int{0, 1, 2, 5} {
			list := instanceCases(t, f, k, of(g.at+k))
			cases += len(list)
			fmt.Fprintf(&b, "Example agrees_%d : forallb (right (instance games %[1]d)) [\n%[2]s] = true.\nProof. vm_compute. reflexivity. Qed.\n", k, strings.Join(list, ";\n"))
		}
		if out, _, err := w.compile(b.String()); err != nil {
			t.Errorf("%s from %s = %d on: %s", g.file, g.size, g.at, out)
		}
		t.Logf("%s from %s = %d on: %d states", g.file, g.size, g.at, cases)
	}
}

// instanceCases asks the interpreter about random states of a size, and of its starts.
func instanceCases(t *testing.T, f *family.Family, k int, sys *rules.System) []string {
	number := numbering(f, k)
	board := func(s rules.State) string {
		seeds, vars := make([]string, len(s.Seeds)), make([]string, len(s.Vars))
		for p, n := range s.Seeds {
			seeds[number[p]] = fmt.Sprint(n)
		}
		for v, x := range s.Vars {
			if sys.Vars[v].Type == rules.PitType && x != rules.None {
				x = number[x]
			}
			vars[v] = fmt.Sprintf("(%d)", x)
		}
		return fmt.Sprintf("([%s], [%s], (%d), (%d))", strings.Join(seeds, ";"), strings.Join(vars, ";"), s.Mover, s.Outcome)
	}
	in := interp.New(sys)
	var list []string
	add := func(s rules.State) {
		laid, err := in.SetupHolds(s)
		if err != nil {
			t.Fatal(err)
		}
		steps, fault, err := in.Legal(s)
		if err != nil || fault != nil {
			t.Fatal(err, fault)
		}
		var to []string
		for _, st := range steps {
			to = append(to, board(st.To))
		}
		list = append(list, fmt.Sprintf("(%s, %t, [%s])", board(s), laid, strings.Join(to, "; ")))
	}
	for i := range 25 {
		s := rulestest.State(sys, 1+i%20).Example(i)
		add(s)
		start := sys.EmptyStart()
		for p, free := range sys.Start.Free {
			if free {
				start.Seeds[p] = 1 + i%2
			}
		}
		if start.Seeds[i%len(start.Seeds)] += i % 3; i%5 == 0 {
			add(start)
		}
	}
	return list
}

// numbering returns for each pit of the kth size after the family's first its number in Coq: pits
// are put in behind the first pit of each seam, those of one round after those of the one before.
func numbering(f *family.Family, k int) []int {
	to, pits := f.Images(f.At + k)
	number := make([]int, pits)
	for p, q := range to {
		number[q] = p
	}
	for i, s := range f.Seams {
		for round := range k {
			number[to[s.Y]-1-round] = len(f.Base.Pits) + round*len(f.Seams) + i
		}
	}
	return number
}

package coq_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules/build"
)

// thorough reports whether tests are run that take minutes.
func thorough() bool { return os.Getenv("MANCHECK_COQ") != "" }

// dose is the certificate of the thesis for a board of n holes in a row and any number of stones.
func dose(t testing.TB, n int) string {
	t.Helper()
	return theorem(t, certificate(t, "../../examples/dose2015.sow", "", "thesis", build.Settings{"n": {N: n}}))
}

// TestDose: the thesis for any number of stones, on boards with n holes in a row. With MANCHECK_COQ
// set, on wider ones.
func TestDose(t *testing.T) {
	sizes := []int{5}
	if thorough() {
		sizes = []int{5, 6, 7, 8, 12}
	}
	w := openWhole(t)
	for _, n := range sizes {
		w.accepted(fmt.Sprintf("n = %d", n), dose(t, n))
	}
}

// without removes and changes elements of lists.
const without = `
Open Scope bool_scope.
Fixpoint without {A} (i : nat) (l : list A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: l, O => l
  | x :: l, S i => x :: without i l
  end.
Fixpoint changed {A} (f : A -> A) (i : nat) (l : list A) : list A :=
  match l, i with
  | [], _ => []
  | x :: l, O => f x :: l
  | x :: l, S i => x :: changed f i l
  end.
Definition one_more (k : packed) : packed :=
  P (p_outcome k) (p_mover k) (p_vars k) (match p_seeds k with z :: l => z + 1 :: l | [] => [] end).
`

// every demands that a check fails for each i below n for which a condition holds.
func every(check, n, condition string) string {
	return fmt.Sprintf("forallb (fun i => if %s then negb (%s) else true) (seq 0 %s) = true", condition, check, n)
}

// TestEachStateIsNeeded: no check accepts a set from which a live state was removed, or in which
// one was changed. (The finished state is the target itself, which the check knows.) With
// MANCHECK_COQ set, this is tried with every state and on a wider board.
func TestEachStateIsNeeded(t *testing.T) {
	w := openWhole(t)
	sizes, step := []int{5}, 9
	if thorough() {
		sizes, step = []int{5, 6}, 1
	}
	for _, n := range sizes {
		var b strings.Builder
		b.WriteString(dose(t, n) + without)
		const check = "check_backward SolitaireMancala_rules (Backward 1 (b_parts thesis_evidence) (%s i (b_states thesis_evidence))) thesis_target"
		const live = "Nat.eqb (Nat.modulo i %d) 0 && (p_outcome (nth i (b_states thesis_evidence) (P 0 0 [] [])) =? -1)"
		for name, change := range map[string]string{"removed": "without", "changed": "changed one_more"} {
			said := every(fmt.Sprintf(check, change), "(length (b_states thesis_evidence))", fmt.Sprintf(live, step))
			fmt.Fprintf(&b, "Example %s_one : %s.\nProof. vm_compute. reflexivity. Qed.\n", name, said)
		}
		w.accepted(fmt.Sprintf("n = %d", n), b.String())
	}
}

// TestForwardIsNeeded: the same for sets closed under steps, and numbers that do not fall.
func TestForwardIsNeeded(t *testing.T) {
	w := openWhole(t)
	var b strings.Builder
	b.WriteString(theorem(t, certificate(t, "row.sow", row, "no_more", nil)) + without)
	states := "(length (f_states no_more_evidence))"
	for name, check := range map[string]string{
		"removed": "check_forward Row_rules (Forward 1 (f_parts no_more_evidence) (without i (f_states no_more_evidence))) no_more_target",
		"changed": "check_forward Row_rules (Forward 1 (f_parts no_more_evidence) (changed one_more i (f_states no_more_evidence))) no_more_target",
		"reached": "check_forward Row_rules no_more_evidence (Bin Ge (Pit 2) (Const (Z.of_nat i mod 3)))",
	} {
		fmt.Fprintf(&b, "Example %s_one : %s.\nProof. vm_compute. reflexivity. Qed.\n", name, every(check, states, "true"))
	}
	w.accepted("states", b.String())
	b.Reset()
	b.WriteString(theorem(t, certificate(t, "row.sow", row, "ends", nil)) + without)
	states = "(length (n_states ends_evidence))"
	for name, check := range map[string]string{
		"removed":  "check_falls Row_rules (Numbered 1 (without i (n_states ends_evidence))) (fun _ => true)",
		"negative": "check_falls Row_rules (Numbered 1 (changed (fun x => (fst x, -1)) i (n_states ends_evidence))) (fun _ => true)",
		"level":    "check_falls Row_rules (Numbered 1 (map (fun x => (fst x, Z.of_nat i)) (n_states ends_evidence))) (fun _ => true)",
		"late":     "check_falls Row_rules ends_evidence (fun m => m <=? Z.of_nat i mod 4)",
	} {
		fmt.Fprintf(&b, "Example %s_one : %s.\nProof. vm_compute. reflexivity. Qed.\n", name, every(check, states, "true"))
	}
	w.accepted("states", b.String())
}

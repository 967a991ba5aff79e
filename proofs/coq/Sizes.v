(** What an emitted certificate for all sizes applies. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Order Claims Evidence Backward Insert Cutoff.
Import ListNotations.
Open Scope Z_scope.

(** The outcome g. *)
Definition ended (g : Z) : expr := Bin Eq Outcome (Const g).

Definition check_sizes (F : family) (ev : backward) (g : Z) : bool :=
  cutoff F (listed ev) g && check_backward (base F) ev (ended g).

(** On no board of the family, whatever the open parameters are, a game ends with the outcome g. *)
Theorem check_sizes_unreachable F ev g : check_sizes F ev g = true ->
  forall k ranges, unreachable (with_ranges ranges (instance F k)) (ended g).
Proof.
  unfold check_sizes. rewrite andb_true_iff. intros [C B] k r u R.
  assert (CL : closed (base F) (listed ev)).
  { intros s a v W I S (t & J & L). apply (set_backward_closed (base F) ev (ended g) B s a v W I S). exists t. auto. }
  pose proof (unreachable_in_all F (listed ev) g (cutoff_ok _ _ _ C) CL k r u R) as H.
  exists O. unfold value, ended, eval. cbn [Kernel.ev over enter bind apply]. destruct (Z.eqb_spec (outcome u) g); tauto.
Qed.
Print Assumptions check_sizes_unreachable.

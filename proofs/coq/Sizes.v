(** What an emitted certificate for all sizes applies. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Order Claims Evidence Backward Insert Cutoff.
From Mancheck Require Shape.
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

(** ** The number of seeds *)

(** Every reachable state has as many seeds as a board that the setup lays out. *)
Definition keeps_seeds (sys : system) : Prop :=
  forall u, reach sys u -> exists s, laid_out sys s /\ Shape.total (seeds u) = Shape.total (seeds s).

Theorem sound_keeps_seeds sys : Shape.sound sys = true -> keeps_seeds sys.
Proof. intros S u. apply Shape.seeds_stay_reach. exact S. Qed.

Definition board_ok (F : family) : Prop :=
  Forall (lap_ok (base F)) (laps (base F)) /\
  forall s, In s (seams F) -> (sx s < npits (base F))%nat /\ (sy s < npits (base F))%nat.
Definition check_board (F : family) : bool :=
  forallb (lap_b (npits (base F))) (laps (base F)) &&
  forallb (fun s => Nat.ltb (sx s) (npits (base F)) && Nat.ltb (sy s) (npits (base F))) (seams F).

Lemma board_larger F s before after rel : board_ok F -> In s (seams F) -> seams F = before ++ s :: after ->
  board_ok (widen before s after rel (base F)).
Proof.
  intros [L SE] J SA. destruct (SE s J) as [X Y]. split; cbn [base widen].
  - cbn [laps insert]. apply Forall_map. eapply Forall_impl; [|exact L]. intros l (L1 & L2 & L3 & L4).
    destruct (table_ok (base F) (sx s) (sy s) X Y _ L1 L3), (table_ok (base F) (sx s) (sy s) X Y _ L2 L4).
    split; [|split; [|split]]; auto.
  - intros t Q. apply (seams_larger F s rel before after SA) in Q. destruct Q as (w & Q & -> & EY & _).
    destruct (SE w Q). cbn [npits insert]. split; [lia|]. destruct EY as [->| ->]; lia.
Qed.
Lemma board_widen_from k : forall i F, board_ok F -> board_ok (widen_from i k F).
Proof.
  induction k as [|k IH]; intros i F H; cbn [widen_from]; auto. apply IH. destruct (nth_error (seams F) i) as [s|] eqn:E; auto.
  pose proof (split_nth _ _ _ E) as SP. apply board_larger; auto. eapply nth_error_In; eauto.
Qed.
Lemma board_widened k : forall F, board_ok F -> board_ok (widened k F).
Proof. induction k; intros F H; cbn [widened]; auto using board_widen_from. Qed.

(** On every board of the family no play makes or loses seeds. *)
Theorem check_board_keeps_seeds F : check_board F = true ->
  forall k ranges, keeps_seeds (with_ranges ranges (instance F k)).
Proof.
  unfold check_board. rewrite andb_true_iff, !forallb_forall. intros [C1 C2] k r. apply sound_keeps_seeds.
  assert (B : board_ok (widened k F)).
  { apply board_widened. split.
    - apply Forall_forall. intros l J. apply C1 in J. unfold lap_b in J. rewrite !andb_true_iff, !Nat.eqb_eq in J.
      destruct J as (((I1 & I2) & I3) & I4). split; [|split; [|split]]; auto; apply ranges_sound; auto.
    - intros s J. apply C2 in J. rewrite andb_true_iff, !Nat.ltb_lt in J. auto. }
  destruct B as [L _]. unfold Shape.sound. apply forallb_forall. intros l J. rewrite Forall_forall in L.
  destruct (L l J) as (_ & _ & R & _). rewrite Forall_forall in R. apply forallb_forall. intros z Q. apply R in Q.
  unfold in_range_or_none in Q. apply Z.ltb_lt. exact (proj2 Q).
Qed.
Print Assumptions check_sizes_unreachable.
Print Assumptions check_board_keeps_seeds.

(** The certificates [falling-numbers]: every play ends. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Evidence Closed.
Import ListNotations.
Open Scope Z_scope.

Section Falling.
Variable sys : system.
Variable ev : numbered.

(** Numbers are 0 or more and fall with each move; the bound of a start is looked at by [start_ok].
    *)
Definition check_falls (start_ok : Z -> bool) : bool :=
  check_closed sys (n_rounds ev) (all_parts sys) (n_states ev)
    (fun m => (0 <=? m) && start_ok m) (fun m k => (0 <=? k) && (k <? m)).

Section Check.
Variable start_ok : Z -> bool.
Hypothesis Check : check_falls start_ok = true.
Notation number_of := (labelled (all_parts sys) (n_states ev)).

Lemma falls s u m : wf sys s -> number_of s m -> moves sys s u ->
  wf sys u /\ exists k, number_of u k /\ 0 <= k < m.
Proof.
  intros W N M. assert (Sound := closed_sound _ _ _ _ _ _ Check). split.
  eapply moves_wf; eauto.
  destruct M as (a & I & S).
  destruct (closed_step _ _ _ _ _ _ Check s a u m W N I S) as (k & K & B).
  exists k. split; auto. lia.
Qed.

Lemma path_falls n s u : path sys n s u -> forall m, wf sys s -> number_of s m -> 0 <= m ->
  Z.of_nat n <= m.
Proof.
  induction 1 as [s|n s u v M _ IH]; intros m W N B; [lia|].
  destruct (falls s u m W N M) as (W' & k & K & L). specialize (IH k W' K). lia.
Qed.

Lemma start_number s : start sys s ->
  wf sys s /\ exists m, number_of s m /\ 0 <= m /\ start_ok m = true.
Proof.
  intros S. split. apply reach_wf. apply (closed_sound _ _ _ _ _ _ Check). apply reach_start; auto.
  destruct (closed_start _ _ _ _ _ _ Check s S) as (m & N & B). exists m.
  apply andb_true_iff in B. destruct B. repeat split; auto; lia.
Qed.
End Check.

Lemma infinite_path f : infinite_play sys f -> forall n i, path sys n (f i) (f (i + n)%nat).
Proof.
  intros P. induction n; intros i. rewrite Nat.add_0_r. constructor.
  rewrite <- Nat.add_succ_comm. econstructor; eauto.
Qed.

(** No play from a start is infinite. *)
Theorem falling_terminates : check_falls (fun _ => true) = true -> terminates sys.
Proof.
  intros C f B0 P. destruct (start_number _ C _ B0) as (W & m & N & B & _).
  pose proof (path_falls _ C _ _ _ (infinite_path f P (S (Z.to_nat m)) O) m W N B). lia.
Qed.

(** No play from a start has more than k moves. *)
Theorem falling_within k : check_falls (fun m => m <=? Z.of_nat k) = true ->
  terminates_within sys k.
Proof.
  intros C n s u B0 P. destruct (start_number _ C _ B0) as (W & m & N & B & K).
  pose proof (path_falls _ C _ _ _ P m W N B). lia.
Qed.
End Falling.

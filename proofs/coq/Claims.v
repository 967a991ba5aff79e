(** What claims say, in terms of the plays of Kernel.v; and how a run of a partly known state
    speaks of the steps of the states that it stands for.

    Nobody needs to trust a checker of certificates, but its theorem is stated with the definitions
    of this file and of Kernel.v. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order.
Import ListNotations.
Open Scope Z_scope.

(** ** Definitions *)

Section Claims.
Variable sys : system.

(** The value of a condition in a state, and, for claims about a step, in the state after it. *)
Definition value (n : nat) (e : expr) (s : state) : res :=
  eval sys (claim_env sys n [] None) (enter s (mover s) 0) e.
Definition value_after (n : nat) (e : expr) (s u : state) : res :=
  eval sys (claim_env sys n [] (Some (enter s (mover s) 0))) (enter u (mover u) 0) e.

Definition is (e : expr) (s : state) (z : Z) : Prop := exists n, value n e s = V z.

(** A state in which e meets a fault neither satisfies nor fails it. *)
Definition satisfies (e : expr) (s : state) : Prop := exists z, is e s z /\ nz z = true.
Definition fails (e : expr) (s : state) : Prop := is e s 0.

(** The step from s to u is as f says. *)
Definition step_satisfies (f : expr) (s u : state) : Prop :=
  exists n z, value_after n f s u = V z /\ nz z = true.

Definition moves (s u : state) : Prop := exists a, In a (acts sys) /\ step sys a s u.

(** [path n s u]: a play of n moves from s to u. *)
Inductive path : nat -> state -> state -> Prop :=
| path_nil s : path 0 s s
| path_cons n s u v : moves s u -> path n u v -> path (S n) s v.

(** A play from s can come to a state that satisfies e. *)
Definition can_reach (e : expr) (s : state) : Prop := exists n u, path n s u /\ satisfies e u.

Definition infinite_play (f : nat -> state) : Prop := forall i, moves (f i) (f (S i)).

(** [unreachable e]; a state in which e has no value counts as one that satisfies it. *)
Definition unreachable (e : expr) : Prop := forall s, reach sys s -> fails e s.
Definition reachable (e : expr) : Prop := exists s, reach sys s /\ satisfies e s.

(** [reachable e within k]. *)
Definition reachable_within (k : nat) (e : expr) : Prop :=
  exists n s u, (n <= k)%nat /\ start sys s /\ path n s u /\ satisfies e u.

(** [from e every step gives f], of the actions of which [meant] holds. *)
Definition every_step (meant : action -> Prop) (e f : expr) : Prop :=
  forall s a u, reach sys s -> satisfies e s -> In a (acts sys) -> meant a -> step sys a s u ->
  step_satisfies f s u.

(** Actions by their indices. *)
Definition among (l : list nat) (a : action) : Prop :=
  exists i, In i l /\ nth_error (acts sys) i = Some a.

(** [terminates], and [terminates within k]. *)
Definition terminates : Prop := forall f, start sys (f O) -> ~ infinite_play f.
Definition terminates_within (k : nat) : Prop :=
  forall n s u, start sys s -> path n s u -> (n <= k)%nat.

(** There are n states of which P holds. *)
Definition counts (P : state -> Prop) (n : nat) : Prop :=
  exists l, NoDup l /\ length l = n /\ forall s, In s l <-> P s.

Lemma counts_unique P m n : counts P m -> counts P n -> m = n.
Proof.
  intros (l & L & <- & A) (k & K & <- & B). apply Nat.le_antisymm.
  - apply NoDup_incl_length; auto. intros s I. apply B, A; auto.
  - apply NoDup_incl_length; auto. intros s I. apply A, B; auto.
Qed.

Definition is_zero (r : res) : bool := match r with V 0 => true | _ => false end.
Lemma is_zero_ok r : is_zero r = true -> r = V 0.
Proof. destruct r as [[| |]| |]; simpl; congruence. Qed.

(** ** Partly known states *)

Lemma known_le s u : wf sys s -> sle s u -> s = u.
Proof.
  intros (_ & B & V) (C & D & M & O).
  assert (E : forall l m, Forall (fun c => c <> Un) l -> lle l m -> l = m).
  { intros l m F H. induction H as [|c d l m [->| ->] H IH]; inversion F; subst; auto; try tauto.
    f_equal; auto. }
  destruct s as [s1 s2 s3 s4], u as [u1 u2 u3 u4]. simpl in *. subst.
  rewrite (E s1 u1), (E s2 u2); auto.
  - clear - V. induction V as [|d c ds cs (z & -> & _) _ IH]; constructor; auto. discriminate.
  - eapply Forall_impl; [|exact B]. intros c (z & -> & _). discriminate.
Qed.

Lemma result_le o p u : ole o p -> o <> Ukn -> result p = Some u ->
  exists v, result o = Some v /\ sle v u.
Proof.
  destruct o, p; simpl; try tauto; try discriminate; intros H N [= <-]; eauto using leave_le.
Qed.

Lemma result_up o p v : ole o p -> result o = Some v -> exists u, result p = Some u /\ sle v u.
Proof.
  destruct o, p; simpl; try tauto; try discriminate; intros H [= <-]; eauto using leave_le.
Qed.

Lemma result_not_ukn o u : result o = Some u -> o <> Ukn.
Proof. destruct o; discriminate. Qed.

(** What is found in t, which is known in part, is so in each state s that t stands for. *)
Lemma step_below n a t s v : sle t s -> result (act sys n a t) = Some v ->
  exists u, step sys a s u /\ sle v u.
Proof.
  intros S H. destruct (result_up _ _ _ (act_le sys n n (le_n n) a _ _ S) H) as (u & U & L).
  exists u. split; auto. exists n; auto.
Qed.

Lemma value_le n m e t s z : (n <= m)%nat -> sle t s -> value n e t = V z -> value m e s = V z.
Proof.
  intros N S H. assert (R : rle (value n e t) (value m e s)).
  { unfold value. replace (mover t) with (mover s) by (symmetry; apply S).
    apply ev_le; [apply claim_le; simpl; auto|apply enter_le; auto]. }
  rewrite H in R. destruct R; congruence.
Qed.

Lemma is_below n e t s z : sle t s -> value n e t = V z -> is e s z.
Proof. intros S H. exists n. eapply value_le; eauto. Qed.

Lemma is_unique e s y z : is e s y -> is e s z -> y = z.
Proof.
  intros (n & N) (m & M). apply (value_le _ (Nat.max n m) _ s s) in N; auto with le; [|lia].
  apply (value_le _ (Nat.max n m) _ s s) in M; auto with le; [|lia]. congruence.
Qed.

Lemma fails_not_satisfies e s : fails e s -> ~ satisfies e s.
Proof. intros A (z & B & C). rewrite (is_unique e s z 0) in C; auto. discriminate. Qed.

Lemma value_after_le n e t v s u z : sle t s -> sle v u -> value_after n e t v = V z ->
  value_after n e s u = V z.
Proof.
  intros S U H. assert (R : rle (value_after n e t v) (value_after n e s u)).
  { unfold value_after. replace (mover t) with (mover s) by (symmetry; apply S).
    replace (mover v) with (mover u) by (symmetry; apply U).
    apply ev_le; [apply claim_le; simpl; auto|]; apply enter_le; auto. }
  rewrite H in R. destruct R; congruence.
Qed.

(** With more rounds the value is the same where there was one. *)
Lemma value_after_up n m e s u : (n <= m)%nat -> rle (value_after n e s u) (value_after m e s u).
Proof.
  intros N. unfold value_after. apply ev_le; auto with le. apply claim_le; simpl; auto with le.
Qed.

(** Only the mover of a live state makes a step. *)
Lemma step_live a s u : step sys a s u -> outcome s = -1 /\ who a = mover s.
Proof.
  intros (n & H). unfold act, pass, live in H. destruct (outcome s =? -1) eqn:O;
    destruct (who a =? mover s) eqn:M; simpl in H; try (destruct (ranked sys); discriminate).
  lia.
Qed.

Section Sound.
Hypothesis Sound : sound sys = true.

Lemma step_above n a t s u : wf sys s -> sle t s -> act sys n a t <> Ukn -> step sys a s u ->
  exists v, result (act sys n a t) = Some v /\ sle v u.
Proof.
  intros W S N (m & H). set (k := Nat.max n m).
  assert (E : result (act sys k a s) = Some u).
  { destruct (result_up _ _ _ (act_le sys m k (Nat.le_max_r n m) a s s (sle_refl s)) H)
      as (w & K & L).
    rewrite K. f_equal. symmetry. apply known_le; auto.
    apply (shape_stays sys Sound a s); auto. exists m; auto. }
  exact (result_le _ _ _ (act_le sys n k (Nat.le_max_l n m) a t s S) N E).
Qed.

Lemma start_above n t s m u : wf sys s -> sle t s -> starting sys n t <> Ukn ->
  result (starting sys m s) = Some u -> exists v, result (starting sys n t) = Some v /\ sle v u.
Proof.
  intros W S N H. set (k := Nat.max n m).
  pose proof (fun n m L s u => settle_le sys n m L false (rxs sys) s u) as SL.
  assert (E : result (starting sys k s) = Some u).
  { destruct (result_up _ _ _ (SL m k (Nat.le_max_r n m) s s (sle_refl s)) H) as (w & K & L).
    unfold starting. rewrite K. f_equal. symmetry. apply known_le; auto.
    apply shape_wf. apply (result_keeps sys s (starting sys m s)); auto.
    apply settle_keeps; auto. apply shape_wf; auto. }
  exact (result_le _ _ _ (SL n k (Nat.le_max_l n m) t s S) N E).
Qed.

Lemma step_unique a s u v : wf sys s -> step sys a s u -> step sys a s v -> u = v.
Proof.
  intros W (n & U) V. assert (N := result_not_ukn _ _ U).
  destruct (step_above n a s s v W (sle_refl s) N V) as (w & R & L).
  rewrite R in U. injection U as <-. apply known_le; auto.
  apply (shape_stays sys Sound a s); auto. exists n; auto.
Qed.

Lemma moves_wf s u : wf sys s -> moves s u -> wf sys u.
Proof. intros W (a & _ & S). eapply shape_stays; eauto. Qed.
End Sound.

Lemma reach_moves s u : reach sys s -> moves s u -> reach sys u.
Proof. intros R (a & A & S). eapply reach_step; eauto. Qed.
End Claims.

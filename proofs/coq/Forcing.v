(** The certificates [strategies] for [P can force E]: it can be forced from all starts, or it can
    be prevented. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence Closed Boards Games
  Strategies.
Import ListNotations.
Open Scope Z_scope.

Section Forcing.
Variable sys : system.
Variable mine : Z -> bool.
Variable ev : strategy.
Variable e : expr.
Notation n := (s_rounds ev).
Notation p := (s_parts ev).
Notation entries := (s_states ev).
Notation tbl := (tabulate entries).
Notation number_of := (labelled p entries).

(** *** Forced *)

Definition forced_in (m : Z) (t : table Z) (s : state) : bool :=
  if true_in sys ev e s then true else number_so ev t (fun k => (0 <=? k) && (k <=? m)) s.

Lemma forced_in_ok m v s : check_forces sys mine ev e = true -> wf sys s -> sle v s -> 0 <= m ->
  forced_in m tbl v = true -> forces sys mine e (Z.to_nat m) s.
Proof.
  intros C W L M H. unfold forced_in in H. destruct (true_in sys ev e v) eqn:T.
  - apply forces_now. eapply true_in_ok; eauto.
  - destruct (number_so_ok ev _ v s L H) as (k & K & B).
    apply forces_more with (n := Z.to_nat k); [|lia]. apply (strategy_forces sys mine ev e); auto.
    lia.
Qed.

(** From a position that is given with all its parts. *)
Definition check_forces_from (m : Z) (s : state) : bool :=
  (0 <=? m) && shape_ok sys s && check_forces sys mine ev e && forced_in m tbl s.

Theorem position_forces m s : check_forces_from m s = true -> forces sys mine e (Z.to_nat m) s.
Proof.
  unfold check_forces_from. rewrite !andb_true_iff. intros [[[M W] C] H]. apply shape_ok_wf in W.
  apply (forced_in_ok m s); auto with le. lia.
Qed.

(** From every start. *)
Definition check_forces_starts (m : Z) : bool :=
  let t := tbl in (0 <=? m) && check_forces sys mine ev e && check_positions sys ev (forced_in m t).

Theorem starts_force m : check_forces_starts m = true ->
  forall s, start sys s -> forces sys mine e (Z.to_nat m) s.
Proof.
  unfold check_forces_starts. rewrite !andb_true_iff. intros [[M C] H] s S.
  assert (Sound : sound sys = true) by (unfold check_forces in C; apply andb_true_iff in C; tauto).
  destruct (positions_good sys ev _ s Sound H S) as (v & L & G).
  apply (forced_in_ok m v); auto; [|lia]. apply reach_wf; auto. apply reach_start; auto.
Qed.

(** *** Prevented: for ever, or for as many moves as the number of a state *)

Variable always : bool.

Definition avoids (t : table Z) (m : Z) (u : state) : bool :=
  is_zero (value sys n e u) &&
  if outcome u =? -1 then
    if negb always && (m <=? 1) then true else number_so ev t (fun k => always || (m - 1 <=? k)) u
  else true.
Definition prevents_entry (t : table Z) (x : packed * Z) : bool :=
  let s := unpack p (fst x) in
  is_zero (value sys n e s) &&
  if mine (mover s) then every_move sys ev (avoids t (snd x)) s
  else some_move sys ev (avoids t (snd x)) s || every_move sys ev (fun _ => false) s.
Definition check_prevents : bool := let t := tbl in sound sys && forallb (prevents_entry t) entries.

(** Not to be forced in c moves from s. *)
Definition safe_for (c : nat) (s : state) : Prop := ~ forces sys mine e c s.
Definition lasts (m : Z) (c : nat) : Prop := always = true \/ Z.of_nat c <= m.

Lemma over_safe c s : fails sys e s -> outcome s <> -1 -> safe_for c s.
Proof.
  intros Z0 O H. destruct H as [c s H|c s u _ (a & _ & M) _|c s _ (u & a & _ & M) _].
  - apply fails_not_satisfies in Z0. auto.
  - apply step_live in M. tauto.
  - apply step_live in M. tauto.
Qed.

Lemma forces_none s : fails sys e s -> safe_for O s.
Proof. intros Z0 H. inversion H; subst. apply fails_not_satisfies in Z0. auto. Qed.

Theorem strategy_prevents s m c : check_prevents = true -> wf sys s -> number_of s m -> lasts m c ->
  safe_for c s.
Proof.
  unfold check_prevents. rewrite andb_true_iff, forallb_forall. intros [Sound C].
  revert s m. induction c as [|c IH]; intros s m W N B.
  all: destruct (labelled_in _ _ _ _ N) as (k & I & L); pose proof (C _ I) as E;
    unfold prevents_entry in E; cbv zeta in E; cbn [fst snd] in E;
    apply andb_true_iff in E; destruct E as [Z0 E];
    assert (Fs : fails sys e s) by (apply (is_below sys n e _ s 0 L); apply is_zero_ok; auto).
  - apply forces_none; auto.
  - assert (A : forall v u, sle v u -> wf sys u -> avoids tbl m v = true -> safe_for c u).
    { intros v u Q W' H. unfold avoids in H. apply andb_true_iff in H. destruct H as [Z1 H].
      assert (Fu : fails sys e u) by (apply (is_below sys n e _ u 0 Q); apply is_zero_ok; auto).
      replace (outcome v) with (outcome u) in H by (symmetry; apply Q).
      destruct (outcome u =? -1) eqn:O; [|apply over_safe; auto; lia].
      destruct (negb always && (m <=? 1)) eqn:X.
      - apply andb_true_iff in X. destruct X as [X Y]. apply negb_true_iff in X.
        destruct B as [B|B]; [congruence|]. replace c with 0%nat by lia. apply forces_none; auto.
      - destruct (number_so_ok ev _ v u Q H) as (j & J & K). apply (IH u j); auto.
        destruct B as [B|B]; [left; auto|]. apply orb_true_iff in K.
        destruct K as [K|K]; [left; auto|right; lia]. }
    replace (mover (unpack p k)) with (mover s) in E by (symmetry; apply L).
    intros H. inversion H as [c' s' X|c' s' u P M Q|c' s' P (u0 & M0) Q]; subst.
    + apply fails_not_satisfies in Fs. auto.
    + rewrite P in E. destruct (every_move_ok sys ev _ _ s u Sound W L E M) as (v & V & T).
      apply (A v u V); auto. eapply moves_wf; eauto.
    + rewrite P in E. apply orb_true_iff in E. destruct E as [E|E].
      * destruct (some_move_ok sys ev _ _ s L E) as (a & v & u & A1 & U & V & T).
        apply (A v u V); auto. apply (shape_stays sys Sound a s); auto. apply Q. exists a; auto.
      * destruct (every_move_ok sys ev _ _ s u0 Sound W L E M0) as (v & _ & T). discriminate.
Qed.

(** The position is listed, or over, and the target does not hold. *)
Definition prevented_in (within : option Z) (t : table Z) (s : state) : bool :=
  is_zero (value sys n e s) &&
  if outcome s =? -1 then
    number_so ev t (fun k => match within with Some c => c <=? k | None => always end) s
  else true.

Lemma prevented_in_ok within v s : check_prevents = true -> wf sys s -> sle v s ->
  prevented_in within tbl v = true ->
  forall c, match within with Some m => Z.of_nat c <= m | None => True end -> safe_for c s.
Proof.
  intros C W L H c B. unfold prevented_in in H. apply andb_true_iff in H. destruct H as [Z0 H].
  replace (outcome v) with (outcome s) in H by (symmetry; apply L).
  destruct (outcome s =? -1) eqn:O.
  - destruct (number_so_ok ev _ v s L H) as (m & M & K). apply (strategy_prevents s m); auto.
    destruct within; [right; lia|left; auto].
  - apply over_safe; [|lia]. apply (is_below sys n e _ s 0 L), is_zero_ok; auto.
Qed.

Theorem position_prevents s : shape_ok sys s && check_prevents && prevented_in None tbl s = true ->
  ~ can_force sys mine e s.
Proof.
  rewrite !andb_true_iff. intros [[W C] H] (c & Q). apply shape_ok_wf in W.
  apply (prevented_in_ok None s s C W (sle_refl s) H c); auto.
Qed.

Theorem position_prevents_within m s :
  (0 <=? m) && shape_ok sys s && check_prevents && prevented_in (Some m) tbl s = true ->
  ~ forces sys mine e (Z.to_nat m) s.
Proof.
  rewrite !andb_true_iff. intros [[[M W] C] H]. apply shape_ok_wf in W.
  apply (prevented_in_ok (Some m) s s C W (sle_refl s) H). lia.
Qed.

Theorem starts_prevent : check_prevents && check_positions sys ev (prevented_in None tbl) = true ->
  forall s, start sys s -> ~ can_force sys mine e s.
Proof.
  rewrite andb_true_iff. intros [C H] s S (c & Q).
  assert (Sound : sound sys = true) by (unfold check_prevents in C; apply andb_true_iff in C;
    tauto).
  destruct (positions_good sys ev _ s Sound H S) as (v & L & G).
  apply (prevented_in_ok None v s C) with (c := c); auto. apply reach_wf; auto.
  apply reach_start; auto.
Qed.
End Forcing.

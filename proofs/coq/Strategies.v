(** The certificates [strategies]: states with numbers, from each of which a good move leads to one
    that is as good. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence Closed Games.
Import ListNotations.
Open Scope Z_scope.

Section Strategies.
Variable sys : system.
Variable mine : Z -> bool.
Variable ev : strategy.
Variable e : expr.
Notation n := (s_rounds ev).
Notation p := (s_parts ev).
Notation entries := (s_states ev).

Definition true_in (s : state) : bool := match value sys n e s with V z => nz z | _ => false end.

Lemma true_in_ok t s : sle t s -> true_in t = true -> satisfies sys e s.
Proof.
  intros S. unfold true_in. destruct (value sys n e t) as [z| |] eqn:E; try discriminate.
  intros N. exists z. split; auto. eapply is_below; eauto.
Qed.

(** Some move leads to a state of which [test] holds; all moves do, and there is one. *)
Definition reaches (test : state -> bool) (o : out) : bool :=
  match o with On r | Fin r => test (leave r) | _ => false end.
Definition some_move (test : state -> bool) (s : state) : bool :=
  existsb (fun a => reaches test (act sys n a s)) (acts sys).
Definition every_move (test : state -> bool) (s : state) : bool :=
  forallb (fun a => leads test (act sys n a s)) (acts sys).
Definition has_move (s : state) : bool := some_move (fun _ => true) s.

Lemma some_move_ok test t s : sle t s -> some_move test t = true ->
  exists a v u, In a (acts sys) /\ step sys a s u /\ sle v u /\ test v = true.
Proof.
  intros S H. unfold some_move in H. apply existsb_exists in H. destruct H as (a & A & H).
  assert (R : exists v, result (act sys n a t) = Some v /\ test v = true).
  { destruct (act sys n a t); simpl in *; try discriminate; eauto. }
  destruct R as (v & R & T). destruct (step_below sys n a t s v S R) as (u & U & L). eauto 8.
Qed.

Lemma every_move_ok test t s u : sound sys = true -> wf sys s -> sle t s ->
  every_move test t = true ->
  moves sys s u -> exists v, sle v u /\ test v = true.
Proof.
  intros Sound W S H (a & A & U). unfold every_move in H. rewrite forallb_forall in H.
  specialize (H a A). destruct (step_above sys Sound n a t s u W S) as (v & V & L); auto.
  { intros N. rewrite N in H. discriminate. }
  exists v. split; auto. destruct (act sys n a t); simpl in V, H; try discriminate; congruence.
Qed.

Notation tbl := (tabulate entries).
Notation number_of := (labelled p entries).

Definition number_so (t : table Z) (ok : Z -> bool) (s : state) : bool :=
  match lookup_state p t s with Some m => ok m | None => false end.

Lemma number_so_ok ok v u : sle v u -> number_so tbl ok v = true ->
  exists m, number_of u m /\ ok m = true.
Proof. intros S H. eapply labelled_so_ok; eauto. Qed.

(** What is shown of the states that are listed is shown of all starts, or of those positions that
    a claim names. *)
Definition check_positions (good : state -> bool) : bool := check_starts sys n (limits sys n) good.

Lemma positions_good good u : sound sys = true -> check_positions good = true -> start sys u ->
  exists v, sle v u /\ good v = true.
Proof.
  intros Sound C (s & m & L & R). destruct (laid_out_laid sys s L) as (par & K).
  exact (start_good sys n (limits sys n) good Sound s m u L (limits_ok sys n par s K) C R).
Qed.

(** *** [forces]: numbers fall until e holds *)

Definition forced (t : table Z) (m : Z) (u : state) : bool :=
  if true_in u then 1 <=? m else number_so t (fun k => (0 <=? k) && (k <? m)) u.
Definition forces_entry (t : table Z) (x : packed * Z) : bool :=
  let s := unpack p (fst x) in
  if true_in s then true else
  if mine (mover s) then some_move (forced t (snd x)) s
  else every_move (forced t (snd x)) s && has_move s.
Definition check_forces : bool := let t := tbl in sound sys && forallb (forces_entry t) entries.

Lemma forced_ok m v u : sle v u -> forced tbl m v = true -> 0 < m ->
  satisfies sys e u \/ exists k, number_of u k /\ 0 <= k < m.
Proof.
  intros S H M. unfold forced in H. destruct (true_in v) eqn:T.
  - left. eapply true_in_ok; eauto.
  - right. destruct (number_so_ok _ v u S H) as (k & K & B). exists k. split; auto. lia.
Qed.

Lemma forced_pos m v : forced tbl m v = true -> 0 < m.
Proof.
  unfold forced, number_so. destruct (true_in v); [lia|].
  destruct (lookup_state _ _ _) as [k|]; lia || discriminate.
Qed.

Theorem strategy_forces s m : check_forces = true -> wf sys s -> number_of s m -> 0 <= m ->
  forces sys mine e (Z.to_nat m) s.
Proof.
  unfold check_forces. rewrite andb_true_iff, forallb_forall. intros [Sound C] W N M.
  assert (H : forall c, (forall s m, wf sys s -> number_of s m -> 0 <= m -> (Z.to_nat m <= c)%nat ->
    forces sys mine e (Z.to_nat m) s)).
  2: { apply (H (Z.to_nat m)); auto. }
  clear s m W N M. induction c as [|c IH]; intros s m W N M B.
  all: destruct (labelled_in _ _ _ _ N) as (k & I & S); pose proof (C _ I) as E;
    unfold forces_entry in E; cbv zeta in E; cbn [fst snd] in E;
    destruct (true_in (unpack p k)) eqn:T; [apply forces_now; eapply true_in_ok; eauto|];
    replace (mover (unpack p k)) with (mover s) in E by (symmetry; apply S);
    destruct (mine (mover s)) eqn:P;
    [destruct (some_move_ok _ _ s S E) as (a & v & u & A & U & L & F)
    |apply andb_true_iff in E; destruct E as [E H];
      destruct (some_move_ok _ _ s S H) as (a & v & u & A & U & L & _)].
  - pose proof (forced_pos _ _ F). lia.
  - destruct (every_move_ok _ _ s u Sound W S E) as (v' & L' & F); [exists a; auto|].
    pose proof (forced_pos _ _ F). lia.
  - pose proof (forced_pos _ _ F) as M0.
    replace (Z.to_nat m) with (Datatypes.S (Z.to_nat (m - 1))) by lia.
    apply forces_mine with u; auto. exists a; auto.
    destruct (forced_ok m v u L F M0) as [X|(k' & K & B')]; [apply forces_now; auto|].
    apply forces_more with (n := Z.to_nat k'); [|lia]. apply IH; auto; [|lia|lia].
    apply (shape_stays sys Sound a s); auto.
  - assert (M0 : 0 < m).
    { destruct (every_move_ok _ _ s u Sound W S E) as (v' & L' & F); [exists a; auto|].
      apply (forced_pos _ _ F). }
    replace (Z.to_nat m) with (Datatypes.S (Z.to_nat (m - 1))) by lia.
    apply forces_others; auto. exists u, a; auto. intros w Q.
    destruct (every_move_ok _ _ s w Sound W S E Q) as (v' & L' & F).
    destruct (forced_ok m v' w L' F M0) as [X|(k' & K & B')]; [apply forces_now; auto|].
    apply forces_more with (n := Z.to_nat k'); [|lia]. apply IH; auto; [|lia|lia].
    eapply moves_wf; eauto.
Qed.
End Strategies.

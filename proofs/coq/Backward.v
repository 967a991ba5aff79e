(** The certificates [backward-closed]: a set of partly known states that no start is in, and that
    every step into it comes from, so that no play enters it. It need not be known how many seeds
    there are, or what the values of open parameters are.

    The states before one of the set are found by cases on the kept parts ([Search]): the kept pits
    hold no more than in a state of the set, and what a step takes from them. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence Closed Losses
  Endings Passed.
Import ListNotations.
Open Scope Z_scope.

(** ** What is shown of a set *)

Section Sets.
Variable sys : system.
Variable inT : state -> Prop.

(** A step into the set comes from the set. *)
Definition backward_closed : Prop :=
  forall s a u, wf sys s -> In a (acts sys) -> step sys a s u -> inT u -> inT s.
Definition starts_avoid : Prop := forall u, start sys u -> ~ inT u.

(** Outside of the set the target e is never brought about: neither by a start nor by a step. *)
Definition covers_target (e : expr) : Prop :=
  (forall u, start sys u -> fails sys e u) /\
  (forall s a u, wf sys s -> In a (acts sys) -> step sys a s u -> ~ inT s -> fails sys e u).

Theorem reach_avoids u : sound sys = true -> backward_closed -> starts_avoid -> reach sys u ->
  ~ inT u.
Proof.
  intros Sound C S R. induction R as [u U|s u a R IH I U]; auto.
  intros T. apply IH. apply (C s a u); auto. apply reach_wf; auto.
Qed.

Theorem backward_unreachable e : sound sys = true -> backward_closed -> starts_avoid ->
  covers_target e -> unreachable sys e.
Proof.
  intros Sound C S [A B] u R. destruct R as [u U|s u a R I U]; auto.
  apply (B s a u); auto. apply reach_wf; auto. apply reach_avoids; auto.
Qed.
End Sets.

(** ** States that may agree, and states that surely do *)

Definition may_cell (c d : cell) : bool :=
  match c, d with Kn x, Kn y => x =? y | _, _ => true end.
Definition le_cell (c d : cell) : bool :=
  match c, d with Kn x, Kn y => x =? y | Un, _ => true | _, _ => false end.
(** Here [if] is used where [andb] would compute both sides. *)
Fixpoint all2 (f : cell -> cell -> bool) (l m : list cell) : bool :=
  match l, m with
  | [], [] => true
  | c :: l, d :: m => if f c d then all2 f l m else false
  | _, _ => false
  end.
Definition both (f : cell -> cell -> bool) (s t : state) : bool :=
  if outcome s =? outcome t then
    if mover s =? mover t then
      if all2 f (vars s) (vars t) then all2 f (seeds s) (seeds t) else false
    else false
  else false.
Fixpoint any {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => false | x :: l => if f x then true else any f l end.

Lemma any_exists {A} (f : A -> bool) l : any f l = true <-> exists x, In x l /\ f x = true.
Proof.
  rewrite <- existsb_exists. induction l as [|x l IH]; simpl; [tauto|].
  destruct (f x); simpl; tauto.
Qed.

Definition may : state -> state -> bool := both may_cell.
Definition below : state -> state -> bool := both le_cell.

Lemma all2_may n : forall l m, lle l n -> lle m n -> all2 may_cell l m = true.
Proof.
  induction n as [|z n IH]; intros l m L M; inversion L as [|x l1 l2 l3 A L1];
    inversion M as [|y m1 m2 m3 B M1];
    subst; simpl; auto.
  rewrite IH by auto.
  destruct A as [->| ->], B as [->| ->]; destruct z; simpl; auto. rewrite Z.eqb_refl. auto.
Qed.

Lemma may_le s t u : sle s u -> sle t u -> may s t = true.
Proof.
  intros (A & B & C & D) (E & F & G & H). unfold may, both.
  rewrite (all2_may (vars u)), (all2_may (seeds u)) by auto.
  rewrite C, D, G, H, !Z.eqb_refl. auto.
Qed.

Lemma all2_le l : forall m, all2 le_cell l m = true -> lle l m.
Proof.
  induction l as [|c l IH]; intros [|d m] H; simpl in H; try discriminate; constructor;
    destruct (le_cell c d) eqn:K; try discriminate; [|apply IH; auto].
  destruct c, d; try discriminate; try (left; reflexivity).
  apply Z.eqb_eq in K. subst. auto with le.
Qed.

Lemma below_le s t : below s t = true -> sle s t.
Proof.
  unfold below, both. destruct (outcome s =? outcome t) eqn:A; try discriminate.
  destruct (mover s =? mover t) eqn:B; try discriminate.
  destruct (all2 _ (vars s) (vars t)) eqn:C; try discriminate. intros D.
  apply Z.eqb_eq in A. apply Z.eqb_eq in B. repeat split; auto using all2_le.
Qed.

(** ** The check *)

Section Backward.
Variable sys : system.
Variable ev : backward.
Variable e : expr.                             (** the target *)
Notation n := (b_rounds ev).

Definition is_kept (i : nat) : bool := nth i (kept_pits (b_parts ev)) false.
Notation held := (held is_kept).
Definition listed : list state := map (unpack (b_parts ev)) (b_states ev).
Definition inT (s : state) : Prop := exists t, In t listed /\ sle t s.

(** The most seeds in the kept pits of a state of the set, or of one that satisfies the target. *)
Definition most_listed : Z :=
  fold_right Z.max (target_bound sys is_kept e) (map (fun t => held (seeds t)) listed).
Definition kept_known (t : state) : bool :=
  forallb (fun i => negb (is_kept i) || match nth i (seeds t) No with Kn _ => true | _ => false end)
    (seq 0 (length (kept_pits (b_parts ev)))).

Section Cases.
Variable T : list state.                       (** what is listed *)
Variable b : Z.                                (** the most seeds before a step into it *)

(** Surely not in the set, and the target false. *)
Definition out_of (v : state) : bool :=
  if any (fun t => may t v) T then false else false_in sys n e v.
(** Either no step leads into the set or to the target, or the state is in the set itself. *)
Definition case_done (a : action) (t : state) : bool :=
  if leads out_of (act_on sys n a t) then true else any (fun x => below x t) T.

Definition most_kept (t : state) (i : nat) : option Z :=
  if is_kept i then Some (b - held (seeds t)) else None.

(** Next after the variables is the pit that is sown from, or taken from, and the pits behind it on
    the lap: if seeds fall there few states of the set agree with that. *)
Fixpoint sources (s : stmt) : list (expr * option nat) :=
  match s with
  | Sow p _ l _ _ _ d => (p, Some l) :: sources d
  | Transfer _ f _ => [(f, None)]
  | Seq s t | If _ s t => sources s ++ sources t
  | While _ s => sources s
  | _ => []
  end.
Fixpoint along (fuel : nat) (l : list Z) (p : Z) : list nat :=
  match fuel with
  | O => []
  | S f => if p <? 0 then [] else Z.to_nat p :: along f l (get (-1) l p)
  end.
Definition source_pits (a : action) (t : state) : list nat :=
  flat_map (fun x => match eval sys (rules_env sys n) (enter t 0 (alocals a)) (fst x) with
    | V p =>
      let l := match snd x with Some i => nth i (laps sys) (Lap [] []) | None => Lap [] [] end in
      along (npits sys) (nxt l) p
    | _ => []
    end) (sources (body a)).
Definition next_cell (a : action) (t : state) : option slot :=
  match first_unknown (vars t) (seq 0 (length (doms sys))) with
  | Some i => Some (VarSlot i)
  | None =>
    option_map PitSlot (first_unknown (seeds t) (filter is_kept (source_pits a t ++ pits sys)))
  end.

Definition unknown (m : Z) : state :=
  St (repeat Un (npits sys)) (repeat Un (length (doms sys))) m (-1).
Definition check_before (a : action) : bool :=
  search sys most_kept (next_cell a) (case_done a) (npits sys + length (doms sys))
    (unknown (who a)).
End Cases.

(** Each step into the set, or to the target, comes from the set. *)
Definition check_into : bool :=
  match step_loss sys is_kept with
  | None => false
  | Some d =>
    let T := listed in
    sound sys && forallb kept_known T && excludes sys is_kept most_listed e &&
    forallb (check_before T (most_listed + d)) (acts sys)
  end.

(** And each start is out of both. *)
Definition check_backward : bool :=
  check_into &&
  match step_loss sys is_kept with
  | None => false
  | Some d => check_starts sys n (most_kept (most_listed + d)) (out_of listed)
  end.

(** ** Why that is enough *)

Lemma most_listed_ok t : In t listed -> held (seeds t) <= most_listed.
Proof.
  unfold most_listed. induction listed as [|x l IH]; simpl; [tauto|]. intros [->|I]; [lia|].
  specialize (IH I). lia.
Qed.

Lemma held_same k l : forall m, lle l m ->
  (forall i, k i = true -> (i < length l)%nat -> nth i l No <> Un) ->
    Shape.held k l = Shape.held k m.
Proof.
  revert k; induction l as [|c l IH]; intros k m L K; inversion L as [|? d ? m' C L']; subst;
    simpl; auto.
  rewrite (IH (fun i => k (S i)) m'); auto.
  - destruct (k O) eqn:K0; auto. destruct C as [->| ->]; auto. destruct (K O K0); simpl; auto. lia.
  - intros i I J. apply (K (S i)); auto. simpl. lia.
Qed.

Lemma held_unknown k l : forall m i z, lle l m -> (forall j, 0 <= number (nth j m No)) ->
  nth i l No = Un -> nth i m No = Kn z -> k i = true -> Shape.held k l + z <= Shape.held k m.
Proof.
  revert k; induction l as [|c l IH]; intros k m i z L P N M K; inversion L as [|? d ? m' C L'];
    subst.
  - destruct i; discriminate.
  - assert (P' : forall j, 0 <= number (nth j m' No)) by (intros j; apply (P (S j))).
    assert (H : Shape.held (fun i => k (S i)) l <= Shape.held (fun i => k (S i)) m').
    { clear - L' P'. generalize (fun i => k (S i)).
      induction L' as [|c d l m C L IH]; simpl; intros h; [lia|].
      specialize (IH (fun j => P' (S j)) (fun i => h (S i))). pose proof (P' O) as Q. simpl in Q.
      destruct (h O); [|lia]. destruct C as [->| ->]; simpl; lia. }
    pose proof (P O) as Q. simpl in Q. destruct i as [|i]; simpl in *.
    + rewrite K. subst. simpl. lia.
    + specialize (IH (fun i => k (S i)) m' i z L' P' N M K).
      destruct (k O); [|lia]. destruct C as [->| ->]; simpl; lia.
Qed.

Lemma most_kept_ok b s : wf sys s -> held (seeds s) <= b -> at_most (most_kept b) s.
Proof.
  intros W B t i h z S N H M. unfold most_kept in H. destruct (is_kept i) eqn:K; try discriminate.
  injection H as <-. pose proof (held_unknown is_kept (seeds t) (seeds s) i z (proj1 S)
    (fun p => wf_number sys s p W) N M K). lia.
Qed.

Lemma unknown_le s : wf sys s -> outcome s = -1 -> sle (unknown (mover s)) s.
Proof.
  intros (L & _ & V) O.
  assert (U : forall l k, length l = k -> lle (repeat Un k) l).
  { clear. induction l; intros k <-; simpl; constructor. left; auto. apply IHl; auto. }
  repeat split; simpl; auto; apply U; auto.
  clear - V. induction V; simpl; auto.
Qed.

Section Into.
Hypothesis Into : check_into = true.

Lemma check_parts : exists d, step_loss sys is_kept = Some d /\ 0 <= d /\ sound sys = true /\
  forallb kept_known listed = true /\ excludes sys is_kept most_listed e = true /\
  forallb (check_before listed (most_listed + d)) (acts sys) = true.
Proof.
  pose proof Into as C. unfold check_into in C.
  destruct (step_loss sys is_kept) as [d|] eqn:D; try discriminate. rewrite !andb_true_iff in C.
  exists d. repeat split; try tauto. unfold step_loss in D. destruct (forallb _ _).
  - injection D as <-. lia.
  - destruct (most_of _) as [x|] eqn:X; try discriminate. apply most_of_pos in X.
    destruct (reactions_loss _ _ _) as [y|] eqn:Y; try discriminate.
    apply reactions_loss_pos in Y. injection D as <-. lia.
Qed.

Lemma into_sound : sound sys = true.
Proof. destruct check_parts as (d & H). tauto. Qed.

Lemma inT_held u : inT u -> held (seeds u) <= most_listed.
Proof.
  intros (t & I & S). destruct check_parts as (d & _ & _ & _ & K & _). rewrite forallb_forall in K.
  specialize (K t I). rewrite <- (held_same is_kept (seeds t) (seeds u) (proj1 S)).
  apply most_listed_ok; auto. intros i Q L N. unfold kept_known in K. rewrite forallb_forall in K.
  specialize (K i). rewrite Q, N in K. discriminate K. apply in_seq. split; [lia|]. simpl.
  destruct (Nat.lt_ge_cases i (length (kept_pits (b_parts ev)))); auto.
  unfold is_kept in Q. rewrite nth_overflow in Q by auto. discriminate.
Qed.

(** A state whose kept pits hold too much is not in the set, and the target is false of it. *)
Lemma held_out u : wf sys u -> (forall o, caps sys is_kept most_listed o = true ->
    capped is_kept most_listed o (enter u (mover u) 0)) ->
  most_listed < held (seeds u) -> ~ inT u /\ fails sys e u.
Proof.
  intros W C H. split. intros I. apply inT_held in I. lia.
  exists O. unfold value, eval. destruct check_parts as (d & _ & _ & _ & _ & X & _).
  eapply excludes_ok; eauto. apply shape_wf in W. exact W.
Qed.

Lemma out_of_ok v u : wf sys u -> sle v u -> out_of listed v = true -> ~ inT u /\ fails sys e u.
Proof.
  intros W S Z0. unfold out_of in Z0. destruct (any _ _) eqn:H; try discriminate. split.
  - intros (t & I & L). rewrite <- not_true_iff_false in H. apply H.
    apply any_exists. exists t. split; auto. eapply may_le; eauto.
  - exists n. eapply false_in_ok; eauto.
Qed.

(** A step either starts in the set, or leads to a state that is not in it and fails the target. *)
Theorem step_in_or_out s a u : wf sys s -> In a (acts sys) -> step sys a s u ->
  inT s \/ ~ inT u /\ fails sys e u.
Proof.
  intros W I S. destruct check_parts as (d & D & D0 & Sound & _ & X & B).
  pose proof (shape_stays sys Sound a s u W S) as W'.
  destruct (Z.lt_ge_cases most_listed (held (seeds u))) as [H|H].
  - right. apply held_out; auto. intros o C. destruct S as (m & S).
    pose proof (act_caps sys is_kept most_listed Sound m o a s C I (proj2 (shape_wf sys s) W)) as P.
    destruct (act sys m a s) as [r|r| | |]; simpl in S, P; try discriminate; injection S as <-;
      exact P.
  - pose proof (step_loses sys is_kept Sound d a s u D I W S) as L.
    rewrite forallb_forall in B. specialize (B a I). unfold check_before in B.
    destruct (step_live sys a s u S) as [O M].
    destruct (search_sound sys _ _ _ s W (most_kept_ok (most_listed + d) s W ltac:(lia)) _ _ B)
      as (t & T & C).
    { rewrite M. apply unknown_le; auto. }
    unfold case_done in C. destruct (leads _ _) eqn:K.
    + clear C. rename K into C. right.
      destruct (step_on_above sys n a t s u Sound W T) as (v & V & Q); auto.
      { intros N. rewrite N in C. discriminate. }
      apply (out_of_ok v); auto.
      destruct (act_on sys n a t); simpl in C, V; try discriminate; injection V as <-; auto.
    + left. apply any_exists in C. destruct C as (x & X1 & C). exists x. split; auto.
      apply (sle_trans x t); auto. apply below_le; auto.
Qed.

(** A state from which the target can be reached is in the set, or satisfies it already. *)
Theorem reaches_target k s u : wf sys s -> path sys k s u -> satisfies sys e u ->
  satisfies sys e s \/ inT s.
Proof.
  intros W P Q. induction P as [s|k s v u (a & A & S) P IH]; auto. right.
  destruct (step_in_or_out s a v W A S) as [|[N F]]; auto. exfalso.
  destruct IH as [H|H]; auto. apply (shape_stays sys into_sound a s); auto.
  apply (fails_not_satisfies sys e v); auto.
Qed.
End Into.

Hypothesis Check : check_backward = true.

Lemma check_both : check_into = true /\ exists d, step_loss sys is_kept = Some d /\
  check_starts sys n (most_kept (most_listed + d)) (out_of listed) = true.
Proof.
  pose proof Check as C. unfold check_backward in C. apply andb_true_iff in C. destruct C as [A B].
  split; auto. destruct (step_loss sys is_kept) as [d|]; try discriminate. eauto.
Qed.

Theorem backward_sound : sound sys = true.
Proof. apply into_sound, check_both. Qed.

Lemma start_out u : start sys u -> ~ inT u /\ fails sys e u.
Proof.
  intros (s & m & L & R). destruct check_both as [Into (d & D & C)].
  assert (Sound := backward_sound).
  pose proof L as (W & _ & _ & O & _).
  assert (W' : wf sys u).
  { apply reach_wf; auto. apply reach_start. exists s, m; auto. }
  destruct (Z.lt_ge_cases most_listed (held (seeds u))) as [H|H].
  - apply held_out; auto. intros o K.
    pose proof (start_caps sys is_kept most_listed Sound m o s K (proj2 (shape_wf sys s) W) O) as P.
    destruct (starting sys m s) as [r|r| | |]; simpl in R, P; try discriminate; injection R as <-;
      exact P.
  - pose proof (start_loses sys is_kept Sound d m s u D W R) as Q.
    pose proof (most_kept_ok (most_listed + d) s W ltac:(lia)) as M.
    destruct (start_good sys n _ _ Sound s m u L M C R)
      as (v & V & G).
    apply (out_of_ok v); auto.
Qed.

Theorem set_backward_closed : backward_closed sys inT.
Proof.
  intros s a u W I S T. destruct check_both as [Into _].
  destruct (step_in_or_out Into s a u W I S) as [|[N _]]; tauto.
Qed.

Theorem set_starts_avoid : starts_avoid sys inT.
Proof. intros u S. apply start_out; auto. Qed.

Theorem set_covers_target : covers_target sys inT e.
Proof.
  split. intros u S. apply start_out; auto.
  intros s a u W I S N. destruct check_both as [Into _].
  destruct (step_in_or_out Into s a u W I S) as [|[_ F]]; tauto.
Qed.
End Backward.

(** In every reachable state the target has the value 0, whatever the open parameters are. *)
Theorem check_backward_unreachable sys ev e : check_backward sys ev e = true -> unreachable sys e.
Proof.
  intros C. apply (backward_unreachable sys (inT ev)).
  - apply (backward_sound sys ev e); auto.
  - apply (set_backward_closed sys ev e); auto.
  - apply (set_starts_avoid sys ev e); auto.
  - apply set_covers_target; auto.
Qed.

(** The laws of Laws.v for all sizes: pits that are put into a stretch get heights between those of
    their neighbours, and the rank still falls. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Insert Cutoff Laws.
From Mancheck Require Shape Claims.
Import ListNotations.
Open Scope Z_scope.

(** The sowings of a body are from pits of the board, and neither skip q nor drop only a last seed
    there. *)
Fixpoint clear_of (N q : nat) (b : stmt) : Prop :=
  match b with
  | Seq a b | If _ a b => clear_of N q a /\ clear_of N q b
  | Sow s _ _ skip only _ d =>
    match s with Const p => p < Z.of_nat N | _ => True end /\
    (length skip <= N)%nat /\ forallb (fun c => match c with Some (Param _) => false | _ => true end) skip = true /\
    nth q skip None = None /\ within only q = false /\
    forallb (fun p => Nat.ltb p N) only = true /\ clear_of N q d
  | _ => True
  end.

Lemma forallb_map {A B} (f : B -> bool) (g : A -> B) l : forallb f (map g l) = forallb (fun a => f (g a)) l.
Proof. induction l; simpl; congruence. Qed.

(** The pit of a seam that is nearer to a sink. *)
Definition near (hs : list Z) (s : seam) : nat := if height hs (sx s) <? height hs (sy s) then sx s else sy s.

Record lawful (F : family) (zs : list nat) (hs : list Z) : Prop := Lawful {
  l_laps : Forall (lap_ok (base F)) (laps (base F));
  l_outcomes : outcomes (base F) <> [];
  l_heights : length hs = npits (base F);
  l_sinks : forallb (fun z => Nat.ltb z (npits (base F))) zs = true;
  l_acts : forall a, In a (acts (base F)) -> falls zs hs (laps (base F)) (body a);
  l_rules : forall u, In u (rules_of (base F)) -> calm zs (does u) \/ stops (does u);
  l_seams : forall s, In s (seams F) -> (sx s < npits (base F))%nat /\ (sy s < npits (base F))%nat /\
    sink zs (sx s) = false /\ sink zs (sy s) = false /\ height hs (sx s) <> height hs (sy s) /\
    (forall l, In l (laps (base F)) ->
      ~ (nth (sx s) (nxt l) (-1) = Z.of_nat (sy s) /\ nth (sy s) (nxt l) (-1) = Z.of_nat (sx s))) /\
    (forall a, In a (templates s) -> falls zs hs (laps (base F)) (put_stmt (near hs s) (body a)));
  l_clear : forall s a, In s (seams F) -> In a (all F) ->
    clear_of (npits (base F)) (sx s) (body a) /\ clear_of (npits (base F)) (sy s) (body a)
}.

Definition up (w h : Z) : Z := if w <? h then h + 1 else h.
Definition raise (w : Z) (hs : list Z) : list Z := map (fun h => up w (Z.max 0 h)) hs ++ [w + 1].

Section Step.
Variable F : family.
Variable zs : list nat.
Variable hs : list Z.
Hypothesis K : lawful F zs hs.
Variable s0 : seam.
Hypothesis s0_in : In s0 (seams F).
Variable rel : list Z -> Z.
Notation S := (base F).
Notation N := (npits S).
Notation e := (npits S).
Notation x := (sx s0).
Notation y := (sy s0).
Notation w := (near hs s0).
Notation hw := (height hs (near hs s0)).
Notation hs' := (raise hw hs).
Notation ls := (laps S).
Notation ls' := (map (ins_lap x y e) (laps S)).
Notation ib := (ins_stmt x e rel).
Notation S' := (insert x y rel (templates s0) S).

Lemma seam0 : (x < N)%nat /\ (y < N)%nat /\ sink zs x = false /\ sink zs y = false /\ height hs x <> height hs y /\
  (forall l, In l ls -> ~ (nth x (nxt l) (-1) = Z.of_nat y /\ nth y (nxt l) (-1) = Z.of_nat x)) /\
  (forall a, In a (templates s0) -> falls zs hs ls (put_stmt w (body a))).
Proof. apply (l_seams F zs hs K s0 s0_in). Qed.

Lemma near_is : (w = x /\ hw < height hs y) \/ (w = y /\ hw < height hs x).
Proof.
  unfold near. destruct (Z.ltb_spec (height hs x) (height hs y)); auto. right. split; auto.
  pose proof seam0. destruct H0 as (_ & _ & _ & _ & D & _). lia.
Qed.

Lemma height_pos l q : 0 <= height l q.
Proof. unfold height. lia. Qed.
Lemma height_old q : (q < N)%nat -> height hs' q = up hw (height hs q).
Proof.
  intros Q. unfold height at 1. unfold raise. pose proof (l_heights F zs hs K) as L.
  rewrite app_nth1 by (rewrite map_length; lia).
  rewrite nth_indep with (d' := (fun h => up hw (Z.max 0 h)) 0) by (rewrite map_length; lia).
  rewrite (map_nth (fun h => up hw (Z.max 0 h))). fold (height hs q). pose proof (height_pos hs q).
  unfold up. destruct (hw <? height hs q); lia.
Qed.
Lemma height_new : height hs' e = hw + 1.
Proof.
  unfold height at 1. unfold raise. pose proof (l_heights F zs hs K) as L. rewrite app_nth2 by (rewrite map_length; lia).
  rewrite map_length, L, Nat.sub_diag. simpl. pose proof (height_pos hs w). lia.
Qed.
Lemma up_lt a b v : a < b -> up v a < up v b.
Proof. unfold up. destruct (Z.ltb_spec v a), (Z.ltb_spec v b); lia. Qed.
Lemma up_ltb a b v : (up v a <? up v b) = (a <? b).
Proof.
  unfold up. destruct (Z.ltb_spec v a), (Z.ltb_spec v b);
    repeat match goal with |- context [?p <? ?q] => destruct (Z.ltb_spec p q) end; auto; lia.
Qed.
Lemma up_near : up hw hw = hw.
Proof. unfold up. rewrite Z.ltb_irrefl; auto. Qed.
Lemma e_no_sink : sink zs e = false.
Proof.
  unfold sink, within. apply not_true_iff_false. rewrite existsb_set. intros I. pose proof (l_sinks F zs hs K) as L.
  rewrite forallb_forall in L. apply L, Nat.ltb_lt in I. lia.
Qed.

Lemma walk_mono nx skip only h h' p : h <= h' -> walk zs hs' nx skip only h p -> walk zs hs' nx skip only h' p.
Proof.
  intros L. induction 1 as [q Q|q A B C|q A B IH].
  - apply walk_end; auto.
  - apply walk_sink; auto.
  - apply walk_on; auto. destruct A as [A|[A|A]]; auto. right; right. lia.
Qed.

Section Walks.
Variable l : lap.
Hypothesis l_in : In l ls.
Notation nx := (nxt l).
Notation nx' := (ins_table x y e (nxt l)).
Lemma the_lap : lap_ok S l.
Proof. pose proof (l_laps F zs hs K) as L. rewrite Forall_forall in L. auto. Qed.

(** Where a lap comes to the new pit, it came to a pit of the seam, and goes on there. *)
Lemma to_new q : (q < N)%nat -> nth q nx' (-1) = nth q nx (-1) \/
  nth q nx' (-1) = Z.of_nat e /\ exists o, (q = x /\ o = y \/ q = y /\ o = x) /\ nth q nx (-1) = Z.of_nat o /\ nth e nx' (-1) = Z.of_nat o.
Proof.
  intros Q. destruct the_lap as (L & _ & R & _). pose proof seam0 as (X & Y & _ & _ & D & NB & _).
  assert (XY: x <> y) by congruence. specialize (NB l l_in).
  assert (NE: nth e nx' (-1) = if nth x nx (-1) =? Z.of_nat y then Z.of_nat y else if nth y nx (-1) =? Z.of_nat x then Z.of_nat x else -1).
  { unfold ins_table. rewrite app_nth2 by (rewrite !upd_length; lia). rewrite !upd_length, L, Nat.sub_diag. reflexivity. }
  destruct (Nat.eq_dec q x) as [->|QX]; [|destruct (Nat.eq_dec q y) as [->|QY]].
  - assert (E: nth x nx' (-1) = if nth x nx (-1) =? Z.of_nat y then Z.of_nat e else nth x nx (-1)).
    { unfold ins_table. rewrite app_nth1 by (rewrite !upd_length; lia). rewrite !nth_upd by (rewrite ?upd_length; lia).
      destruct (Nat.eqb_spec x y); [congruence|]. rewrite Nat.eqb_refl. auto. }
    rewrite E, NE. destruct (Z.eqb_spec (nth x nx (-1)) (Z.of_nat y)) as [EQ|]; auto. right. split; auto. exists y. auto.
  - assert (E: nth y nx' (-1) = if nth y nx (-1) =? Z.of_nat x then Z.of_nat e else nth y nx (-1)).
    { unfold ins_table. rewrite app_nth1 by (rewrite !upd_length; lia). rewrite !nth_upd by (rewrite ?upd_length; lia).
      rewrite Nat.eqb_refl. auto. }
    rewrite E, NE. destruct (Z.eqb_spec (nth y nx (-1)) (Z.of_nat x)) as [EQ|]; auto. right. split; auto. exists x.
    destruct (Z.eqb_spec (nth x nx (-1)) (Z.of_nat y)); auto. exfalso. apply NB; auto.
  - left. apply (nth_table S x y X Y); auto.
Qed.
Lemma get_nat (t : list Z) q : get (-1) t (Z.of_nat q) = nth q t (-1).
Proof. unfold get. destruct (Z.ltb_spec (Z.of_nat q) 0); [lia|]. rewrite Nat2Z.id; auto. Qed.

Lemma in_range_step q : in_range_or_none S (nth q nx (-1)).
Proof. destruct the_lap as (_ & _ & R & _). pose proof seam0 as (X & Y & _). apply (table_range S x y X Y); auto. Qed.

Lemma new_goes : let v := nth e nx' (-1) in
  v = -1 \/ v = Z.of_nat y /\ nth x nx (-1) = Z.of_nat y \/ v = Z.of_nat x /\ nth y nx (-1) = Z.of_nat x.
Proof.
  destruct the_lap as (L & _). cbn zeta. unfold ins_table. rewrite app_nth2 by (rewrite !upd_length; lia).
  rewrite !upd_length, L, Nat.sub_diag. cbn [nth].
  destruct (Z.eqb_spec (nth x nx (-1)) (Z.of_nat y)); auto. destruct (Z.eqb_spec (nth y nx (-1)) (Z.of_nat x)); auto.
Qed.

Variables (skip : list (option expr)) (only : list nat).
Hypothesis skip_len : (length skip <= N)%nat.
Hypothesis skip_x : nth x skip None = None.
Hypothesis skip_y : nth y skip None = None.
Hypothesis only_x : within only x = false.
Hypothesis only_y : within only y = false.
Hypothesis only_below : forallb (fun p => Nat.ltb p N) only = true.
Notation skip' := (map (option_map (ins_expr x e rel)) skip).
Notation W := (walk zs hs nx skip only).
Notation W' := (walk zs hs' nx' skip' only).

Lemma skip_nth q : nth q skip' None = option_map (ins_expr x e rel) (nth q skip None).
Proof. apply (map_nth (option_map (ins_expr x e rel)) skip None q). Qed.
Lemma skip_new : nth e skip' None = None.
Proof. rewrite skip_nth, nth_overflow; auto. Qed.

(** A pit of the seam on a walk is lower than where the seeds come from. *)
Lemma seam_low h q : q = x \/ q = y -> W h (Z.of_nat q) -> height hs q < h.
Proof.
  intros Q H. pose proof seam0 as (_ & _ & SX & SY & _). inversion H as [p P|p A B C EP|p A B EP]; subst.
  - lia.
  - apply Nat2Z.inj in EP. subst p. destruct Q as [-> | ->]; congruence.
  - apply Nat2Z.inj in EP. subst p. destruct A as [A|[A|A]]; auto; destruct Q as [-> | ->]; congruence.
Qed.

Lemma seam_above h : W h (Z.of_nat x) -> W h (Z.of_nat y) -> hw + 1 < up hw h.
Proof.
  intros A B. apply seam_low in A; auto. apply seam_low in B; auto. unfold up.
  destruct near_is as [[-> H]|[-> H]]; destruct (Z.ltb_spec (height hs x) h), (Z.ltb_spec (height hs y) h); lia.
Qed.
Lemma step_new h o : hw + 1 < h -> nth e nx' (-1) = Z.of_nat o -> W' h (Z.of_nat o) -> W' h (Z.of_nat e).
Proof. intros L E H. apply walk_on. right; right. rewrite height_new; auto. rewrite get_nat, E; auto. Qed.

Lemma walk_larger h p : W h p -> in_range_or_none S p -> W' (up hw h) p.
Proof.
  induction 1 as [q Q|q A B C|q A B IH]; intros R.
  - apply walk_end; auto.
  - apply walk_sink; auto. rewrite skip_nth, B; auto.
  - unfold in_range_or_none in R. assert (Q: (q < N)%nat) by lia.
    assert (A': sink zs q = true \/ nth q skip' None = Some (Const 1) \/ height hs' q < up hw h).
    { destruct A as [A|[A|A]]; auto; right; [left|right].
      - rewrite skip_nth, A; auto.
      - rewrite height_old by auto. apply up_lt; auto. }
    apply walk_on; auto. rewrite get_nat in *. specialize (IH (in_range_step q)).
    destruct (to_new q Q) as [E|(E & o & P & E1 & E2)]; rewrite E; auto.
    rewrite E1 in B, IH. apply (step_new _ o); auto.
    assert (WQ: W h (Z.of_nat q)) by (apply walk_on; auto; rewrite get_nat, E1; auto).
    destruct P as [[-> ->]|[-> ->]]; apply seam_above; auto.
Qed.

(** The walk of a pit of the board, *)
Lemma walk_from p : (p < N)%nat -> W (height hs p) (nth p nx (-1)) -> W' (height hs' p) (nth p nx' (-1)).
Proof.
  intros P H. rewrite height_old by auto. destruct (to_new p P) as [E|(E & o & Q & E1 & E2)]; rewrite E.
  - apply walk_larger; auto. apply in_range_step.
  - rewrite E1 in H. apply (step_new _ o); auto; [|apply walk_larger; auto; rewrite <- E1; apply in_range_step].
    assert (O: o = x \/ o = y) by tauto. pose proof (seam_low _ _ O H) as L. unfold up.
    destruct near_is as [[W0 NL]|[W0 NL]]; rewrite W0 in *; destruct Q as [[-> ->]|[-> ->]]; destruct (Z.ltb_spec (height hs x) (height hs y)), (Z.ltb_spec (height hs y) (height hs x)); lia.
Qed.
(** and of the new one. *)
Lemma walk_near o : w = o -> o = x \/ o = y -> nth o nx' (-1) = nth o nx (-1) -> W hw (nth o nx (-1)) -> W' (hw + 1) (Z.of_nat o).
Proof.
  intros WO O E H. pose proof seam0 as (X & Y & _). apply walk_on; rewrite ?get_nat, ?E.
  - right; right. rewrite height_old by (destruct O as [-> | ->]; auto). rewrite <- WO, up_near. lia.
  - pose proof (walk_larger hw _ H (in_range_step o)) as WL. rewrite up_near in WL. eapply walk_mono; [|exact WL]. lia.
Qed.
Lemma walk_from_new : W hw (nth w nx (-1)) -> W' (height hs' e) (nth e nx' (-1)).
Proof.
  intros H. rewrite height_new. pose proof seam0 as (X & Y & SX & SY & D & NB & _). specialize (NB l l_in).
  destruct new_goes as [T|[[T E]|[T E]]]; rewrite T.
  - apply walk_end; lia.
  - destruct near_is as [[WX NL]|[WY NL]].
    + rewrite WX, E in H. apply seam_low in H; auto. rewrite WX in NL. lia.
    + rewrite WY in H. apply walk_near; auto; [|rewrite WY; exact H].
      destruct (to_new y Y) as [Q|(Q & o & P & E1 & _)]; auto. exfalso.
      destruct P as [[P1 _]|[_ ->]]; [apply D; rewrite P1; auto|apply NB; auto].
  - destruct near_is as [[WX NL]|[WY NL]].
    + rewrite WX in H. apply walk_near; auto; [|rewrite WX; exact H].
      destruct (to_new x X) as [Q|(Q & o & P & E1 & _)]; auto. exfalso.
      destruct P as [[_ ->]|[P1 _]]; [apply NB; auto|apply D; rewrite <- P1; auto].
    + rewrite WY, E in H. apply seam_low in H; auto. rewrite WY in NL. lia.
Qed.
End Walks.

(** *** Statements *)

(** A walk depends on which pits are not skipped, and which surely are. *)
Lemma walk_skips hs1 nx s1 s2 only h p : (forall q, nth q s1 None = None -> nth q s2 None = None) ->
  (forall q, nth q s1 None = Some (Const 1) -> nth q s2 None = Some (Const 1)) ->
  walk zs hs1 nx s1 only h p -> walk zs hs1 nx s2 only h p.
Proof.
  intros A B. induction 1 as [q Q|q P1 P2 P3|q P1 P2 IH].
  - apply walk_end; auto.
  - apply walk_sink; auto.
  - apply walk_on; auto. destruct P1 as [P1|[P1|P1]]; auto.
Qed.
Lemma put_nth p (skip : list (option expr)) q : nth q (map (option_map (put_expr p)) skip) None = option_map (put_expr p) (nth q skip None).
Proof. apply (map_nth (option_map (put_expr p)) skip None q). Qed.
Lemma put_const p skip q : forallb (fun c => match c with Some (Param _) => false | _ => true end) skip = true ->
  option_map (put_expr p) (nth q skip None) = Some (Const 1) -> nth q skip None = Some (Const 1).
Proof.
  intros H Q. destruct (nth q skip None) as [c|] eqn:E; try discriminate. cbn [option_map] in Q.
  assert (I: In (Some c) skip).
  { rewrite <- E. apply nth_In. destruct (Nat.lt_ge_cases q (length skip)); auto. rewrite nth_overflow in E by auto; discriminate. }
  rewrite forallb_forall in H. apply H in I. destruct c; try discriminate; auto.
Qed.

Lemma lap_of i : match nth_error ls i with
  | Some l => nth_error ls' i = Some (ins_lap x y e l) /\ In l ls
  | None => nth_error ls' i = None end.
Proof. rewrite nth_error_map. destruct (nth_error ls i) eqn:E; simpl; auto. split; auto. eapply nth_error_In; eauto. Qed.
Lemma only_same only : within only x = false -> ins_set x e only = only.
Proof. unfold within, ins_set. intros ->; auto. Qed.

Lemma calm_larger b : calm zs b -> calm zs (ib b).
Proof. induction b; cbn [calm ins_stmt ins_expr]; intros H; try contradiction; auto; try tauto. destruct into; try contradiction; auto. Qed.
Lemma stops_larger b : stops b -> stops (ib b).
Proof. induction b; cbn [stops ins_stmt]; intros H; try contradiction; auto; tauto. Qed.

Definition clear (b : stmt) : Prop := clear_of N x b /\ clear_of N y b.
Lemma falls_larger b : clear b -> falls zs hs ls b -> falls zs hs' ls' (ib b).
Proof.
  induction b; intros [CX CY] H; cbn [falls clear_of ins_stmt] in *; try contradiction; auto.
  - destruct CX as [CX1 CX2], CY as [CY1 CY2]. destruct H as [[H1 H2]|[H1 H2]]; [left|right]; split; auto using calm_larger.
    + apply IHb1; auto. split; auto.
    + apply IHb2; auto. split; auto.
  - destruct source as [p| | | | | | | | | | | | | | | | | | | |]; try contradiction. destruct from; try contradiction. destruct b; try contradiction.
    cbn [ins_expr ins_begin ins_stmt]. destruct CX as (P & SL & _ & SX & OX & OB & _), CY as (_ & _ & _ & SY & OY & _).
    destruct H as (P0 & SP & H). rewrite only_same by auto. split; auto. split; auto.
    pose proof (lap_of lap) as LO. destruct (nth_error ls lap) as [lp|] eqn:EL; [|rewrite LO; auto]. destruct LO as [-> LI].
    assert (G: forall t : list Z, get (-1) t p = nth (Z.to_nat p) t (-1)).
    { intros t. unfold get. destruct (Z.ltb_spec p 0); auto; lia. }
    rewrite G in *. cbn [nxt ins_lap]. apply walk_from; auto. lia.
  - destruct CX as [CX1 CX2], CY as [CY1 CY2]. destruct H as [H1 H2]. split; [apply IHb1|apply IHb2]; auto; split; auto.
Qed.

(** The action of the new pit is like that of the pit of the seam that is nearer to a sink. *)
Lemma calm_new b : calm zs (put_stmt w b) -> calm zs (put_stmt e (ib b)).
Proof.
  induction b; cbn [calm put_stmt ins_stmt ins_expr put_expr]; intros H; try contradiction; auto; try tauto.
  destruct into; try contradiction; auto. cbn [put_expr ins_expr] in *. destruct H as [_ H]. rewrite Nat2Z.id in H.
  pose proof seam0 as (_ & _ & SX & SY & _). destruct near_is as [[WX _]|[WY _]]; rewrite ?WX, ?WY in H; congruence.
Qed.
Lemma falls_new b : clear b -> falls zs hs ls (put_stmt w b) -> falls zs hs' ls' (put_stmt e (ib b)).
Proof.
  pose proof seam0 as (X & Y & _).
  induction b; intros [CX CY] H; cbn [falls clear_of ins_stmt put_stmt] in *; try contradiction; auto.
  - destruct CX as [CX1 CX2], CY as [CY1 CY2]. destruct H as [[H1 H2]|[H1 H2]]; [left|right]; split; auto using calm_new.
    + apply IHb1; auto. split; auto.
    + apply IHb2; auto. split; auto.
  - destruct CX as (P & SL & NP & SX & OX & OB & _), CY as (_ & _ & _ & SY & OY & _).
    destruct (put_expr w source) as [p| | | | | | | | | | | | | | | | | | | |] eqn:ES; try contradiction.
    destruct (put_begin w from) eqn:EB; try contradiction. destruct (put_stmt w b) eqn:EP; try contradiction.
    assert (from = AfterSource) by (destruct from; try discriminate; auto). subst from.
    assert (b = Skip) by (destruct b; try discriminate; auto). subst b. cbn [ins_begin put_begin ins_stmt put_stmt].
    destruct H as (P0 & SP & H). rewrite only_same by auto.
    pose proof (lap_of lap) as LO. destruct (nth_error ls lap) as [lp|] eqn:EL.
    2:{ rewrite LO. destruct source; try discriminate ES; cbn [ins_expr put_expr] in ES |- *.
        - injection ES as ->. auto.
        - split; [lia|]. split; [rewrite Nat2Z.id; apply e_no_sink|auto]. }
    destruct LO as [LO LI]. rewrite LO. cbn [nxt ins_lap].
    assert (WS: walk zs hs (nxt lp) skip only (height hs (Z.to_nat p)) (get (-1) (nxt lp) p)).
    { eapply walk_skips; [| |exact H]; intros q Q; rewrite put_nth in Q.
      - destruct (nth q skip None); auto; discriminate.
      - apply (put_const w skip q NP Q). }
    assert (BACK: forall h q, walk zs hs' (ins_table x y e (nxt lp)) (map (option_map (ins_expr x e rel)) skip) only h q ->
      walk zs hs' (ins_table x y e (nxt lp)) (map (option_map (put_expr e)) (map (option_map (ins_expr x e rel)) skip)) only h q).
    { intros h q. apply walk_skips; intros r Q; rewrite put_nth, Q; auto. }
    assert (G: forall (t : list Z) z, 0 <= z -> get (-1) t z = nth (Z.to_nat z) t (-1)).
    { intros t z Z0. unfold get. destruct (Z.ltb_spec z 0); auto; lia. }
    rewrite G in WS by auto. destruct source; try discriminate ES; cbn [ins_expr put_expr] in ES |- *.
    + injection ES as ->. split; auto. split; auto. apply BACK. rewrite G by auto. apply walk_from; auto. lia.
    + injection ES as <-. rewrite Nat2Z.id in WS |- *. split; [lia|]. split; [apply e_no_sink|]. apply BACK.
      rewrite G by lia. rewrite Nat2Z.id. apply walk_from_new; auto.
  - destruct CX as [CX1 CX2], CY as [CY1 CY2]. destruct H as [H1 H2]. split; [apply IHb1|apply IHb2]; auto; split; auto.
Qed.

(** *** What is demanded stays true *)

Variables before after : list seam.
Hypothesis seams_are : seams F = before ++ s0 :: after.
Notation F' := (widen before s0 after rel S).

Lemma seam_cases s' : In s' (seams F') -> s' = Seam x e (map (ins_action x e rel) (templates s0)) \/
  exists s, In s (seams F) /\ s' = widen_seam x e rel s.
Proof.
  cbn [seams widen]. intros I. apply in_app_or in I. rewrite seams_are.
  destruct I as [I|[I|I]]; auto; right; apply in_map_iff in I; destruct I as (s & <- & I); exists s; split; auto; apply in_or_app; simpl; auto.
Qed.

Lemma clear_larger q b : (q < N)%nat -> clear b -> clear_of N q b -> clear_of (Datatypes.S N) q (ib b).
Proof.
  intros Q. induction b; intros [CX CY] H; cbn [clear_of ins_stmt] in *; auto.
  - destruct CX, CY, H. split; [apply IHb1|apply IHb2]; auto; split; auto.
  - destruct CX as (_ & _ & _ & _ & OX & _ & CX), CY as (_ & _ & _ & _ & _ & _ & CY), H as (P & SL & NP & SQ & OQ & OB & H).
    rewrite only_same by auto. rewrite map_length. split; [destruct source; cbn [ins_expr]; auto; lia|]. split; [lia|].
    split; [rewrite forallb_map; rewrite forallb_forall in *; intros c I; apply NP in I; destruct c as [c|]; auto; destruct c; auto|].
    split; [rewrite skip_nth, SQ; auto|]. split; auto. split; [|apply IHb; auto; split; auto].
    rewrite forallb_forall in *. intros p I. apply OB, Nat.ltb_lt in I. apply Nat.ltb_lt. lia.
  - destruct CX, CY, H. split; [apply IHb1|apply IHb2]; auto; split; auto.
Qed.
Lemma clear_new b : clear b -> clear_of (Datatypes.S N) e (ib b).
Proof.
  induction b; intros [CX CY]; cbn [clear_of ins_stmt] in *; auto.
  - destruct CX, CY. split; [apply IHb1|apply IHb2]; split; auto.
  - destruct CX as (P & SL & NP & SX & OX & OB & CX), CY as (_ & _ & _ & _ & _ & _ & CY).
    rewrite only_same by auto. rewrite map_length. split; [destruct source; cbn [ins_expr]; auto; lia|]. split; [lia|].
    split; [rewrite forallb_map; rewrite forallb_forall in *; intros c I; apply NP in I; destruct c as [c|]; auto; destruct c; auto|].
    split; [rewrite skip_nth, nth_overflow; auto|].
    split; [apply not_true_iff_false; unfold within; rewrite existsb_set; intros I; rewrite forallb_forall in OB; apply OB, Nat.ltb_lt in I; lia|].
    split; [|apply IHb; split; auto].
    rewrite forallb_forall in *. intros p I. apply OB, Nat.ltb_lt in I. apply Nat.ltb_lt. lia.
  - destruct CX, CY. split; [apply IHb1|apply IHb2]; split; auto.
Qed.
Lemma clear_put M q p b : (p < M)%nat -> clear_of M q b -> clear_of M q (put_stmt p b).
Proof.
  intros L. induction b; intros H; cbn [clear_of put_stmt] in *; auto; try tauto.
  destruct H as (P & SL & NP & SQ & OQ & OB & H). rewrite map_length. split; [destruct source; cbn [put_expr]; auto; lia|]. split; auto.
  split; [rewrite forallb_map; rewrite forallb_forall in *; intros c I; apply NP in I; destruct c as [c|]; auto; destruct c; auto; discriminate|].
  split; [rewrite put_nth, SQ; auto|]. auto.
Qed.
Lemma put_ins_expr p a : put_expr p (ins_expr x e rel a) = ins_expr x e rel (put_expr p a).
Proof. induction a; cbn [put_expr ins_expr]; auto; congruence. Qed.
Lemma put_ins p b : put_stmt p (ib b) = ib (put_stmt p b).
Proof.
  assert (O: forall c, option_map (put_expr p) (option_map (ins_expr x e rel) c) = option_map (ins_expr x e rel) (option_map (put_expr p) c)).
  { intros [c|]; simpl; auto. rewrite put_ins_expr; auto. }
  induction b; cbn [put_stmt ins_stmt]; rewrite ?put_ins_expr, ?O, ?IHb1, ?IHb2, ?IHb; auto.
  - f_equal. rewrite !map_map. apply map_ext. auto. destruct from; cbn [ins_begin put_begin]; auto. rewrite put_ins_expr; auto.
  - destruct to; cbn [put_target ins_target]; auto. rewrite put_ins_expr; auto.
Qed.

Lemma seam_clear a : In a (all F) -> clear (body a).
Proof. intros I. split; apply (l_clear F zs hs K s0 a s0_in I). Qed.

Lemma lawful_larger : lawful F' zs hs'.
Proof.
  pose proof seam0 as (X & Y & SX & SY & D & NB & TP). constructor; cbn [base widen].
  - cbn [laps insert]. apply Forall_map. eapply Forall_impl; [|apply (l_laps F zs hs K)]. intros l (L1 & L2 & L3 & L4).
    destruct (table_ok S x y X Y _ L1 L3), (table_ok S x y X Y _ L2 L4). split; [|split; [|split]]; auto.
  - apply (l_outcomes F zs hs K).
  - cbn [npits insert]. unfold raise. rewrite app_length, map_length, (l_heights F zs hs K). simpl. lia.
  - cbn [npits insert]. pose proof (l_sinks F zs hs K) as L. rewrite forallb_forall in *. intros z I. apply L, Nat.ltb_lt in I. apply Nat.ltb_lt. lia.
  - intros a' I. apply acts_larger in I. destruct I as [(a & I & ->)|(a & I & ->)]; cbn [body ins_action put_action laps insert].
    + apply falls_larger; [apply seam_clear; unfold all; apply in_or_app; auto|apply (l_acts F zs hs K); auto].
    + apply falls_new; [apply seam_clear; unfold all; apply in_or_app; right; apply in_flat_map; eauto|apply TP; auto].
  - unfold rules_of. cbn [rxs insert]. rewrite ins_rules. intros u U. apply in_map_iff in U. destruct U as (v & <- & U).
    apply (l_rules F zs hs K) in U. cbn [does ins_rule]. destruct U as [U|U]; [left; apply calm_larger in U|right; apply stops_larger in U];
      revert U; generalize (ib (does v)); intros b; clear; induction b; cbn [twice calm stops of_pit]; intros U; try contradiction; auto.
    + destruct (of_pit x b1) eqn:OP; cbn [calm]; try tauto. destruct U as [U1 U2]. split; auto. split; auto.
      destruct b1; try discriminate OP. destruct from; try discriminate OP. exact U1.
    + destruct from; auto. match goal with |- context [if ?b then _ else _] => destruct b end; cbn [calm again]; auto.
    + destruct (of_pit x b1) eqn:OP; cbn [stops]; tauto.
  - intros s' I. apply seam_cases in I. cbn [npits insert laps]. destruct I as [->|(s & I & ->)]; cbn [sx sy templates widen_seam].
    + assert (HX: height hs' x = up hw (height hs x)) by (apply height_old; auto). pose proof height_new as HE.
      split; [lia|]. split; [lia|]. split; auto. split; [apply e_no_sink|].
      assert (HD: height hs' x <> height hs' e).
      { rewrite HX, HE. unfold up. destruct near_is as [[-> N0]|[-> N0]]; [rewrite Z.ltb_irrefl; lia|destruct (Z.ltb_spec (height hs y) (height hs x)); lia]. }
      split; auto. split.
      * intros l' IL. apply in_map_iff in IL. destruct IL as (l & <- & IL). cbn [nxt ins_lap]. intros [A B].
        pose proof (l_laps F zs hs K) as LL. rewrite Forall_forall in LL. destruct (LL l IL) as (L & _ & R & _).
        destruct (to_new l IL x X) as [Q|(Q & o & P & E1 & E2)].
        -- rewrite Q in A. pose proof (table_range S x y X Y _ x R) as TR. unfold in_range_or_none in TR. lia.
        -- rewrite E2 in B. apply Nat2Z.inj in B. subst o. assert (XY: x = y) by (destruct P as [[_ P]|[P _]]; auto). apply D. congruence.
      * intros a' IA. apply in_map_iff in IA. destruct IA as (a & <- & IA). cbn [body ins_action].
        assert (CA: clear (body a)) by (apply seam_clear; unfold all; apply in_or_app; right; apply in_flat_map; eauto).
        match goal with |- context [near hs' ?s] => change (near hs' s) with (if height hs' x <? height hs' e then x else e) end.
        destruct (Z.ltb_spec (height hs' x) (height hs' e)) as [LT|LT].
        -- assert (WX: w = x).
           { destruct near_is as [[WX _]|[_ N0]]; auto. exfalso. rewrite HX, HE in LT. unfold up in LT.
             revert LT. destruct (Z.ltb_spec hw (height hs x)) as [H|H]; intros LT; clear - N0 H LT; lia. }
           rewrite put_ins. apply falls_larger.
           ++ destruct CA as [CA CB]. split; apply clear_put; auto.
           ++ rewrite <- WX at 1. apply TP; auto.
        -- apply falls_new; auto.
    + destruct (l_seams F zs hs K s I) as (X2 & Y2 & SX2 & SY2 & D2 & NB2 & TP2). split; [lia|]. split; [lia|]. split; auto. split; auto.
      rewrite !height_old by auto. split.
      { unfold up. destruct (Z.ltb_spec hw (height hs (sx s))), (Z.ltb_spec hw (height hs (sy s))); lia. }
      split.
      * intros l' IL. apply in_map_iff in IL. destruct IL as (l & <- & IL). cbn [nxt ins_lap]. intros [A B]. apply (NB2 l IL).
        destruct (to_new l IL (sx s) X2) as [Q|(Q & _)]; [|rewrite Q in A; lia]. destruct (to_new l IL (sy s) Y2) as [Q2|(Q2 & _)]; [|rewrite Q2 in B; lia].
        rewrite Q in A. rewrite Q2 in B. auto.
      * intros a' IA. apply in_map_iff in IA. destruct IA as (a & <- & IA). cbn [body ins_action].
        assert (IN: In a (all F)) by (unfold all; apply in_or_app; right; apply in_flat_map; eauto).
        assert (NE: near hs' (widen_seam x e rel s) = near hs s).
        { change (near hs' (widen_seam x e rel s)) with (if height hs' (sx s) <? height hs' (sy s) then sx s else sy s).
          rewrite !height_old, up_ltb by auto. reflexivity. }
        rewrite NE, put_ins. assert (NW: (near hs s < N)%nat) by (unfold near; destruct (height hs (sx s) <? height hs (sy s)); auto).
        apply falls_larger; auto. destruct (seam_clear a IN). split; apply clear_put; auto.
  - intros s' a' I IA. cbn [npits insert]. apply (all_larger F s0 s0_in rel before after seams_are) in IA. destruct IA as (a & IA & EA).
    pose proof (seam_clear a IA) as CA.
    assert (CB: forall q, q = e \/ (q < N)%nat /\ clear_of N q (body a) -> clear_of (Datatypes.S N) q (body a')).
    { intros q Q. assert (C1: clear_of (Datatypes.S N) q (ib (body a))).
      { destruct Q as [->|[Q1 Q2]]; [apply clear_new; auto|apply clear_larger; auto]. }
      destruct EA as [->| ->]; cbn [body ins_action put_action]; auto. apply clear_put; auto; lia. }
    apply seam_cases in I. destruct I as [->|(s & I & ->)]; cbn [sx sy widen_seam].
    + split; apply CB; auto. right. split; auto. apply CA.
    + destruct (l_seams F zs hs K s I) as (X2 & Y2 & _). destruct (l_clear F zs hs K s a I IA). split; apply CB; auto.
Qed.
End Step.

(** ** All sizes *)

Lemma lawful_widen_from zs k : forall i F hs, lawful F zs hs -> exists hs', lawful (widen_from i k F) zs hs'.
Proof.
  induction k as [|k IH]; intros i F hs H; cbn [widen_from]; eauto. destruct (nth_error (seams F) i) as [s|] eqn:E; eauto.
  pose proof (split_nth _ _ _ E) as SP. assert (IN: In s (seams F)) by (eapply nth_error_In; eauto).
  eapply IH. eapply lawful_larger; eauto.
Qed.
Lemma lawful_widened zs k : forall F hs, lawful F zs hs -> exists hs', lawful (widened k F) zs hs'.
Proof.
  induction k as [|k IH]; intros F hs H; cbn [widened]; eauto.
  destruct (lawful_widen_from zs (length (seams F)) 0 F hs H) as (hs' & H'). eauto.
Qed.
Lemma lawful_terminates F zs hs r : lawful F zs hs -> Claims.terminates (with_ranges r (base F)).
Proof.
  intros K. apply (falling_terminates zs hs).
  - unfold Shape.sound. apply forallb_forall. intros l I. pose proof (l_laps F zs hs K) as L. rewrite Forall_forall in L.
    destruct (L l I) as (_ & _ & R & _). rewrite Forall_forall in R. apply forallb_forall. intros z J. apply R in J.
    unfold in_range_or_none in J. apply Z.ltb_lt. exact (proj2 J).
  - unfold endless. cbn [outcomes with_ranges]. pose proof (l_outcomes F zs hs K). destruct (outcomes (base F)); [congruence|]. cbn [length]. lia.
  - split; [apply (l_acts F zs hs K)|apply (l_rules F zs hs K)].
Qed.

(** Every play of every instance of the family ends, whatever the ranges of the open parameters. *)
Theorem terminates_in_all F zs hs : lawful F zs hs -> forall k ranges, Claims.terminates (with_ranges ranges (instance F k)).
Proof. intros K k r. destruct (lawful_widened zs k F hs K) as (hs' & H). eapply lawful_terminates; eauto. Qed.

(** ** The check *)

Fixpoint clear_b (N q : nat) (b : stmt) : bool :=
  match b with
  | Seq a b | If _ a b => clear_b N q a && clear_b N q b
  | Sow s _ _ skip only _ d =>
    match s with Const p => p <? Z.of_nat N | _ => true end &&
    (Nat.leb (length skip) N && forallb (fun c => match c with Some (Param _) => false | _ => true end) skip &&
    match nth q skip None with None => true | _ => false end && negb (within only q) &&
    forallb (fun p => Nat.ltb p N) only && clear_b N q d)
  | _ => true
  end.
Lemma clear_b_ok N q b : clear_b N q b = true -> clear_of N q b.
Proof.
  induction b; cbn [clear_b clear_of]; intros H; auto.
  - apply andb_true_iff in H. tauto.
  - rewrite !andb_true_iff, Nat.leb_le, negb_true_iff in H. destruct H as (P & ((((L & NP) & S) & O) & OB) & D).
    split; [destruct source; auto; apply Z.ltb_lt; auto|]. split; auto. split; auto.
    split; [destruct (nth q skip None); auto; discriminate|]. auto.
  - apply andb_true_iff in H. tauto.
Qed.

Definition check_lawful (F : family) (zs : list nat) (hs : list Z) : bool :=
  let S := base F in
  let N := npits S in
  forallb (lap_b N) (laps S) && negb (Nat.eqb (length (outcomes S)) 0) && Nat.eqb (length hs) N &&
  forallb (fun z => Nat.ltb z N) zs && forallb (fun a => falls_b zs hs (laps S) (body a)) (acts S) &&
  forallb (fun u => calm_b zs (does u) || stops_b (does u)) (rules_of S) &&
  forallb (fun s => Nat.ltb (sx s) N && Nat.ltb (sy s) N && negb (sink zs (sx s)) && negb (sink zs (sy s)) &&
    negb (height hs (sx s) =? height hs (sy s)) &&
    forallb (fun l => negb ((nth (sx s) (nxt l) (-1) =? Z.of_nat (sy s)) && (nth (sy s) (nxt l) (-1) =? Z.of_nat (sx s)))) (laps S) &&
    forallb (fun a => falls_b zs hs (laps S) (put_stmt (near hs s) (body a))) (templates s)) (seams F) &&
  forallb (fun s => forallb (fun a => clear_b N (sx s) (body a) && clear_b N (sy s) (body a)) (all F)) (seams F).

Theorem check_lawful_ok F zs hs : check_lawful F zs hs = true -> lawful F zs hs.
Proof.
  unfold check_lawful. rewrite !andb_true_iff, !forallb_forall. intros (((((((C1 & C2) & C3) & C4) & C5) & C6) & C7) & C8). constructor.
  - apply Forall_forall. intros l I. apply C1 in I. unfold lap_b in I. rewrite !andb_true_iff, !Nat.eqb_eq in I.
    destruct I as (((I1 & I2) & I3) & I4). split; [|split; [|split]]; auto; apply ranges_sound; auto.
  - intros E. rewrite E in C2. discriminate.
  - apply Nat.eqb_eq; auto.
  - apply forallb_forall; auto.
  - intros a I. apply falls_b_ok, C5, I.
  - intros u I. apply C6, orb_true_iff in I. destruct I; [left; apply calm_b_ok|right; apply stops_b_ok]; auto.
  - intros s I. apply C7 in I. rewrite !andb_true_iff, !Nat.ltb_lt, !negb_true_iff, Z.eqb_neq, !forallb_forall in I.
    destruct I as ((((((I1 & I2) & I3) & I4) & I5) & I6) & I7). split; auto. split; auto. split; auto. split; auto. split; auto. split.
    + intros l J [A B]. apply I6 in J. rewrite A, B, !Z.eqb_refl in J. discriminate.
    + intros a J. apply falls_b_ok, I7, J.
  - intros s a I J. apply C8 in I. rewrite forallb_forall in I. apply I, andb_true_iff in J. destruct J. split; apply clear_b_ok; auto.
Qed.

Theorem lawful_terminates_in_all F zs hs : check_lawful F zs hs = true -> forall k ranges, Claims.terminates (with_ranges ranges (instance F k)).
Proof. intros C. apply (terminates_in_all F zs hs). apply check_lawful_ok; auto. Qed.
Print Assumptions lawful_terminates_in_all.

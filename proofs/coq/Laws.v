(** Laws of the rules: every play ends, because each move brings seeds into a sink or nearer to one.

    The rank of a state is the number of seeds that lie in no sink, and then the sum of the heights
    of the pits in which they lie. If each action lowers it ([falling]), no play is infinite
    ([falling_terminates]), whatever the number of seeds. [falling] looks at the text of the rules
    only. It stays true when pits are put in, so it is a law for all sizes (LawsSizes.v). *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Insert.
From Mancheck Require Shape Claims.
Import ListNotations.
Open Scope Z_scope.

(** ** Sums over boards *)

Definition amount_of (c : cell) : Z := match c with Kn z => z | _ => 0 end.
Fixpoint weigh (f : nat -> Z) (l : list cell) : Z :=
  match l with [] => 0 | c :: l => f O * amount_of c + weigh (fun i => f (S i)) l end.

Lemma weigh_bump l : forall f i k a, nth i l No = Kn a -> weigh f (bump l i k) = weigh f l + f i * k.
Proof.
  unfold bump. induction l as [|c l IH]; intros f [|i] k a H; simpl in *; try discriminate.
  - subst c. simpl. lia.
  - rewrite H. specialize (IH (fun i => f (S i)) i k a H). rewrite H in IH. rewrite IH. lia.
Qed.
Lemma weigh_pos l : forall f, (forall i, 0 <= f i) -> Forall counts l -> 0 <= weigh f l.
Proof.
  induction l as [|c l IH]; intros f F C; simpl; [lia|]. inversion C as [|c' l' (z & -> & Z0) C']; subst.
  specialize (IH (fun i => f (S i)) (fun i => F (S i)) C'). pose proof (F O). simpl. nia.
Qed.

(** ** What lowers the rank *)

Section Rank.
Variable sinks : list nat.
Variable heights : list Z.
Definition sink (q : nat) : bool := within sinks q.
Definition height (q : nat) : Z := Z.max 0 (nth q heights 0).
Definition outside (l : list cell) : Z := weigh (fun q => if sink q then 0 else 1) l.
Definition above (l : list cell) : Z := weigh (fun q => if sink q then 0 else height q) l.
Definition lower (l m : list cell) : Prop := outside l < outside m \/ outside l = outside m /\ above l < above m.
Definition no_higher (l m : list cell) : Prop := lower l m \/ outside l = outside m /\ above l = above m.

Lemma lower_trans l m k : lower l m -> no_higher m k -> lower l k.
Proof. unfold no_higher, lower. lia. Qed.
Lemma no_higher_trans l m k : no_higher l m -> no_higher m k -> no_higher l k.
Proof. unfold no_higher, lower. lia. Qed.
Lemma no_higher_lower l m k : no_higher l m -> lower m k -> lower l k.
Proof. unfold no_higher, lower. lia. Qed.
Lemma no_higher_refl l : no_higher l l.
Proof. unfold no_higher. lia. Qed.

(** From q on, along a lap, seeds of a pit of height h come to lower pits only, or into a sink. *)
Inductive walk (nx : list Z) (skip : list (option expr)) (only : list nat) (h : Z) : Z -> Prop :=
| walk_end q : q < 0 -> walk nx skip only h q
| walk_sink q : sink q = true -> nth q skip None = None -> within only q = false -> walk nx skip only h (Z.of_nat q)
| walk_on q : sink q = true \/ nth q skip None = Some (Const 1) \/ height q < h ->
    walk nx skip only h (get (-1) nx (Z.of_nat q)) -> walk nx skip only h (Z.of_nat q).

Section Statements.
Variable ls : list lap.

(** Statements after which the rank is no higher, *)
Fixpoint calm (b : stmt) : Prop :=
  match b with
  | Skip | Set_ _ _ | Stop _ => True
  | Seq a b | If _ a b => calm a /\ calm b
  | Transfer _ _ (Const z) => 0 <= z /\ sink (Z.to_nat z) = true
  | _ => False
  end.
(** and those after which it is lower, if the game goes on. *)
Fixpoint falls (b : stmt) : Prop :=
  match b with
  | Stop _ => True
  | Seq a b => falls a /\ calm b \/ calm a /\ falls b
  | If _ a b => falls a /\ falls b
  | Sow (Const p) _ l skip only AfterSource Skip =>
    0 <= p /\ sink (Z.to_nat p) = false /\
    match nth_error ls l with
    | Some lp => walk (nxt lp) skip only (height (Z.to_nat p)) (get (-1) (nxt lp) p)
    | None => True
    end
  | _ => False
  end.
(** Statements after which no play goes on. *)
Fixpoint stops (b : stmt) : Prop :=
  match b with
  | Stop _ => True
  | Seq a b => stops a \/ stops b
  | If _ a b => stops a /\ stops b
  | _ => False
  end.
End Statements.

Definition falling (S : system) : Prop :=
  (forall a, In a (acts S) -> falls (laps S) (body a)) /\
  (forall u, In u (flat_map per (rxs S)) -> calm (does u) \/ stops (does u)).

(** ** Why *)

Lemma weights_pos q : 0 <= (if sink q then 0 else height q).
Proof. unfold height. destruct (sink q); lia. Qed.
Lemma ones_pos q : 0 <= (if sink q then 0 else 1).
Proof. destruct (sink q); lia. Qed.

Lemma bump_outside l i k a : nth i l No = Kn a -> outside (bump l i k) = outside l + (if sink i then 0 else k).
Proof. intros H. unfold outside. rewrite (weigh_bump l _ i k a H). destruct (sink i); lia. Qed.
Lemma bump_above l i k a : nth i l No = Kn a -> above (bump l i k) = above l + (if sink i then 0 else height i * k).
Proof. intros H. unfold above. rewrite (weigh_bump l _ i k a H). destruct (sink i); lia. Qed.

Lemma counts_nth l i : Forall counts l -> (i < length l)%nat -> exists a, nth i l No = Kn a /\ 0 <= a.
Proof. intros C L. rewrite Forall_forall in C. apply C, nth_In, L. Qed.

(** Where a seed falls, on a walk. *)
Lemma place_walk nx skip only h (no : nat -> bool) fuel : 
  (forall q, nth q skip None = None -> within only q = false -> no q = false) ->
  (forall q, nth q skip None = Some (Const 1) -> no q = true) ->
  forall p j, walk nx skip only h p -> place fuel nx no p = Some j ->
  sink j = true \/ height j < h /\ walk nx skip only h (get (-1) nx (Z.of_nat j)).
Proof.
  intros FREE SURE. induction fuel as [|f IH]; intros p j W H; simpl in H.
  - destruct (p <? 0); discriminate.
  - inversion W as [q Q|q S1 K1 O1|q Q W']; subst.
    + destruct (Z.ltb_spec p 0); [discriminate|lia].
    + destruct (Z.ltb_spec (Z.of_nat q) 0); [discriminate|]. rewrite Nat2Z.id, FREE in H by auto. injection H as <-. auto.
    + destruct (Z.ltb_spec (Z.of_nat q) 0); [discriminate|]. rewrite Nat2Z.id in H. destruct (no q) eqn:NQ.
      * eapply IH; eauto.
      * injection H as <-. destruct Q as [Q|[Q|Q]]; auto. rewrite SURE in NQ by auto. discriminate.
Qed.

Section Drops.
Variables (d : run -> out) (sp : nat) (nx : list Z) (sk on : nat -> bool).
Hypothesis D : forall r, d r = On r.

(** Seeds that are dropped add to the rank by no more than their number. *)
Lemma drops_outside c : forall p r r', Forall counts (cells r) -> drops d sp c nx sk on p r = On r' -> 
  Forall counts (cells r') /\ outside (cells r') <= outside (cells r) + Z.of_nat c.
Proof.
  induction c as [|c IH]; intros p r r' C H; cbn [drops] in H.
  - injection H as <-. split; auto. lia.
  - destruct (place _ _ _ p) as [j|]; try discriminate. rewrite D in H. 
    destruct (Nat.lt_ge_cases j (length (cells r))) as [L|L].
    + destruct (counts_nth _ _ C L) as (a & A & A0). apply IH in H; [|simpl; eapply counts_bump; eauto; lia].
      simpl in H. rewrite (bump_outside _ _ _ _ A) in H. destruct (sink j); lia || (split; [tauto|lia]).
    + pose proof (bump_beyond _ _ 1 L) as E.
      apply IH in H; [|simpl; rewrite E; auto]. simpl in H. rewrite E in H. split; [tauto|lia].
Qed.

Variables (skip : list (option expr)) (only : list nat) (h : Z).
Hypothesis FREE : forall q, nth q skip None = None -> sk q = false.
Hypothesis SURE : forall q, nth q skip None = Some (Const 1) -> sk q = true.
Hypothesis ON : forall q, on q = within only q.

Lemma drops_walk c : forall p r r', Forall counts (cells r) -> walk nx skip only h p -> drops d sp c nx sk on p r = On r' ->
  outside (cells r') < outside (cells r) + Z.of_nat c \/
  outside (cells r') = outside (cells r) + Z.of_nat c /\ above (cells r') <= above (cells r) + Z.of_nat c * (h - 1).
Proof.
  induction c as [|c IH]; intros p r r' C W H; cbn [drops] in H.
  - injection H as <-. right. lia.
  - destruct (place _ _ _ p) as [j|] eqn:P; try discriminate. rewrite D in H.
    assert (PW: sink j = true \/ height j < h /\ walk nx skip only h (get (-1) nx (Z.of_nat j))).
    { eapply place_walk; [| |exact W|exact P].
      - intros q K O. cbn beta. rewrite FREE, ON, O by auto. reflexivity.
      - intros q K. cbn beta. rewrite SURE by auto. reflexivity. }
    destruct (Nat.lt_ge_cases j (length (cells r))) as [L|L].
    + destruct (counts_nth _ _ C L) as (a & A & A0).
      assert (C1: Forall counts (bump (cells r) j 1)) by (eapply counts_bump; eauto; lia).
      pose proof (bump_outside _ _ 1 _ A) as BO. pose proof (bump_above _ _ 1 _ A) as BA.
      destruct (sink j) eqn:SJ.
      * left. apply drops_outside in H; [|exact C1]. destruct H as [_ H]. simpl in H. lia.
      * destruct PW as [PW|[PW1 PW2]]; [discriminate|]. apply IH in H; auto. simpl in H. lia.
    + pose proof (bump_beyond _ _ 1 L) as E.
      left. apply drops_outside in H; [|simpl; rewrite E; auto]. simpl in H. rewrite E in H. lia.
Qed.
End Drops.

(** The pits that are skipped: those whose condition holds. *)
Lemma skips_list ls n r l : forall i k r', skips ls n r i l k = On r' -> exists m, k m = On r' /\
  (forall q, within m q = true -> (i <= q)%nat /\ nth (q - i) l None <> None) /\
  (forall q, nth q l None = Some (Const 1) -> within m (i + q)%nat = true).
Proof.
  induction l as [|[e|] l IH]; intros i k r' H; simpl in H.
  - exists []. split; auto. split; [discriminate|]. intros [|q]; discriminate.
  - destruct (ev ls n r e) as [z| |] eqn:E; simpl in H; try discriminate. apply IH in H. destruct H as (m & H & A & B).
    exists (if nz z then i :: m else m). split; auto. split.
    + intros q Q. assert (C: q = i \/ within m q = true).
      { destruct (nz z); auto. unfold within in *. simpl in Q. destruct (Nat.eqb_spec q i); auto. }
      destruct C as [->|C]; [split; [lia|]; rewrite Nat.sub_diag; discriminate|].
      apply A in C. destruct C as [C1 C2]. split; [lia|]. replace (q - i)%nat with (S (q - S i)) by lia. exact C2.
    + intros [|q] Q; simpl in Q.
      * injection Q as ->. simpl in E. injection E as <-. rewrite Nat.add_0_r. unfold within. simpl. rewrite Nat.eqb_refl; auto.
      * apply B in Q. replace (i + S q)%nat with (S i + q)%nat by lia. destruct (nz z); auto.
        change (within (i :: m) (S i + q)%nat) with (Nat.eqb (S i + q)%nat i || within m (S i + q)%nat). rewrite Q. apply orb_true_r.
  - apply IH in H. destruct H as (m & H & A & B). exists m. split; auto. split.
    + intros q Q. apply A in Q. destruct Q as [C1 C2]. split; [lia|]. replace (q - i)%nat with (S (q - S i)) by lia. exact C2.
    + intros [|q] Q; simpl in Q; [discriminate|]. apply B in Q. replace (i + S q)%nat with (S i + q)%nat by lia. auto.
Qed.

Section Runs.
Variable S : system.
Hypothesis sound : Shape.sound S = true.
Variable rounds : nat.
Variable n : env.
Notation exS := (ex (laps S) (doms S) (players S) (endless S) rounds n).

Lemma shaped_counts r : Shape.shaped S r -> Forall counts (cells r).
Proof. intros [[_ H] _]. exact H. Qed.
Lemma pit_index r p : is_pit r p = true -> 0 <= p /\ (Z.to_nat p < length (cells r))%nat.
Proof. unfold is_pit. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. lia. Qed.
Lemma get_index l p : 0 <= p -> get No l p = nth (Z.to_nat p) l No.
Proof. unfold get. destruct (Z.ltb_spec p 0); auto; lia. Qed.

Lemma move_no_higher r c f i h : Forall counts (cells r) -> 0 <= f -> 0 <= i -> sink (Z.to_nat i) = true ->
  nth (Z.to_nat f) (cells r) No = Kn h -> 0 <= c <= h -> (Z.to_nat i < length (cells r))%nat ->
  no_higher (bump (bump (cells r) (Z.to_nat f) (- c)) (Z.to_nat i) c) (cells r).
Proof.
  intros C F0 I0 SI E CH L. assert (C1: Forall counts (bump (cells r) (Z.to_nat f) (- c))) by (eapply counts_bump; eauto; lia).
  destruct (counts_nth _ (Z.to_nat i) C1) as (a & A & _); [rewrite bump_length; auto|].
  pose proof (bump_outside _ _ c _ A) as O2. pose proof (bump_above _ _ c _ A) as A2. rewrite SI in O2, A2.
  pose proof (bump_outside _ _ (- c) _ E) as O1. pose proof (bump_above _ _ (- c) _ E) as A1.
  unfold no_higher, lower. destruct (sink (Z.to_nat f)); [lia|].
  destruct (Z.eq_dec c 0) as [->|]; [|left; left; lia]. right. lia.
Qed.

Lemma calm_ok b : forall r r', calm b -> Shape.shaped S r -> exS b r = On r' -> no_higher (cells r') (cells r).
Proof.
  induction b; cbn [calm]; intros r r' H W E; try contradiction; cbn [ex] in E.
  - injection E as <-. apply no_higher_refl.
  - destruct H as [H1 H2]. pose proof (Shape.ex_keeps S sound (endless S) rounds n b1 r W) as K.
    destruct (exS b1 r) as [m|m| | |] eqn:E1; simpl in E; try discriminate.
    eapply no_higher_trans; [eapply IHb2; [exact H2|exact (proj1 K)|exact E]|]. apply (IHb1 r m); auto.
  - destruct into as [z| | | | | | | | | | | | | | | | | | | |]; try contradiction. destruct H as [Z0 SI].
    pose proof (shaped_counts r W) as C. destruct count as [k|]; cbn [ev bindo] in E.
    + destruct (ev _ _ r k) as [c| |]; cbn [bindo] in E; try discriminate.
      destruct (ev _ _ r from) as [f| |]; cbn [bindo] in E; try discriminate.
      destruct (is_pit r f) eqn:PF; cbn [andb negb] in E; try discriminate. destruct (is_pit r z) eqn:PZ; cbn [negb] in E; try discriminate.
      apply pit_index in PF, PZ. rewrite get_index in E by lia.
      destruct (nth (Z.to_nat f) (cells r) No) as [h| |] eqn:EH; cbn [rd bindo] in E; try discriminate.
      destruct ((c <? 0) || (h <? c)) eqn:B; try discriminate. apply orb_false_iff in B. rewrite !Z.ltb_ge in B.
      injection E as <-. simpl. eapply move_no_higher; eauto; lia.
    + destruct (is_pit r z) eqn:PZ; cbn [negb] in E; try discriminate.
      destruct (ev _ _ r from) as [f| |]; cbn [bindo] in E; try discriminate.
      destruct ((f <? 0) || (f =? z)); [injection E as <-; apply no_higher_refl|].
      destruct (is_pit r f) eqn:PF; cbn [negb] in E; try discriminate. apply pit_index in PF, PZ. rewrite get_index in E by lia.
      destruct (nth (Z.to_nat f) (cells r) No) as [h| |] eqn:EH; cbn [rd bindo] in E; try discriminate. injection E as <-. simpl.
      destruct (counts_nth _ (Z.to_nat f) C) as (h' & EH' & H0); [lia|]. rewrite EH in EH'. injection EH' as <-.
      eapply move_no_higher; eauto; lia.
  - assert (CE: cells r' = cells r); [|rewrite CE; apply no_higher_refl].
    destruct to; cbn [ex] in E;
      repeat match type of E with
      | bindo ?v _ = _ => destruct v; cbn [bindo] in E; try discriminate
      | (if ?v then _ else _) = _ => destruct v; try discriminate
      end; try (injection E as <-; reflexivity);
      unfold set_var in E; match type of E with (if ?v then _ else _) = _ => destruct v; try discriminate end; injection E as <-; reflexivity.
  - destruct H as [H1 H2]. destruct (ev _ _ r c); cbn [bindo] in E; try discriminate. destruct (nz z); eauto.
  - destruct (outcome <? 0); discriminate.
Qed.

Lemma falls_ok b : forall r r', falls (laps S) b -> Shape.shaped S r -> exS b r = On r' -> lower (cells r') (cells r).
Proof.
  induction b; cbn [falls]; intros r r' H W E; try contradiction.
  - cbn [ex] in E. pose proof (Shape.ex_keeps S sound (endless S) rounds n b1 r W) as K.
    destruct (exS b1 r) as [m|m| | |] eqn:E1; simpl in E; try discriminate. destruct H as [[H1 H2]|[H1 H2]].
    + eapply no_higher_lower; [eapply calm_ok; [exact H2|exact (proj1 K)|exact E]|]. apply (IHb1 r m); auto.
    + eapply lower_trans; [eapply IHb2; [exact H2|exact (proj1 K)|exact E]|]. eapply calm_ok; eauto.
  - destruct source as [p| | | | | | | | | | | | | | | | | | | |]; try contradiction. destruct from; try contradiction. destruct b; try contradiction.
    destruct H as (P0 & SP & H). cbn [ex ev bindo] in E. destruct (is_pit r p) eqn:PP; cbn [negb] in E; try discriminate.
    apply pit_index in PP. destruct (nth_error (laps S) lap) as [lp|]; try discriminate. cbn [beginning] in E.
    pose proof (shaped_counts r W) as C. set (r1 := set_origin r (Kn p)) in *. change (cells r1) with (cells r) in *.
    assert (K: exists k, skips (laps S) n r1 0 skip (fun m => bindo (rd (get No (cells r) p)) (fun all =>
        if (amount k all <? 1) || (all <? amount k all) then Ill else
        drops (fun r => On r) (Z.to_nat p) (Z.to_nat (amount k all)) (nxt lp) (within m) (within only) (get (-1) (nxt lp) p)
          (set_cells r1 (bump (cells r) (Z.to_nat p) (- amount k all))))) = On r').
    { unfold counted in E. destruct count as [k|]; [|exists None; exact E].
      destruct (ev _ _ r1 k) as [c| |]; cbn [bindo] in E; try discriminate. exists (Some c); exact E. }
    clear E. destruct K as (k & E). apply skips_list in E. destruct E as (m & E & A & B).
    rewrite get_index in E by lia. destruct (counts_nth _ (Z.to_nat p) C) as (all & EA & A0); [lia|]. rewrite EA in E. cbn [rd bindo] in E.
    destruct ((amount k all <? 1) || (all <? amount k all)) eqn:G; try discriminate. apply orb_false_iff in G. rewrite !Z.ltb_ge in G.
    set (c := amount k all) in *.
    assert (C1: Forall counts (bump (cells r) (Z.to_nat p) (- c))) by (eapply counts_bump; eauto; lia).
    pose proof (bump_outside _ _ (- c) _ EA) as O1. pose proof (bump_above _ _ (- c) _ EA) as A1. rewrite SP in O1, A1.
    eapply (drops_walk (fun r => On r) (Z.to_nat p) (nxt lp) (within m) (within only)) in E; [|auto| | | |exact C1|exact H].
    + simpl in E. unfold lower. rewrite O1, A1 in E. rewrite Z2Nat.id in E by lia. nia.
    + intros q Q. apply not_true_iff_false. intros M. apply A in M. rewrite Nat.sub_0_r in M. tauto.
    + intros q Q. apply (B q Q).
    + auto.
  - destruct H as [H1 H2]. cbn [ex] in E. destruct (ev _ _ r c); cbn [bindo] in E; try discriminate. destruct (nz z); eauto.
  - cbn [ex] in E. destruct (outcome <? 0); discriminate.
Qed.

Lemma stops_ok b : forall r r', stops b -> exS b r <> On r'.
Proof.
  induction b; cbn [stops]; intros r r' H E; try contradiction; cbn [ex] in E.
  - destruct (exS b1 r) as [m|m| | |] eqn:E1; simpl in E; try discriminate. destruct H as [H|H]; [eapply IHb1|eapply IHb2]; eauto.
  - destruct H as [H1 H2]. destruct (ev _ _ r c); cbn [bindo] in E; try discriminate. destruct (nz z); [eapply IHb1|eapply IHb2]; eauto.
  - destruct (outcome <? 0); discriminate.
Qed.
End Runs.

(** *** Turns *)

(** A body that ends the game gives it an outcome. *)
Lemma fin_over S rounds n (endless_pos : 0 <= endless S) b : forall r q,
  ex (laps S) (doms S) (players S) (endless S) rounds n b r = Fin q -> 0 <= over q.
Proof.
  induction b; intros r q E; cbn [ex] in E; try discriminate.
  - destruct (ex _ _ _ _ _ _ b1 r) as [m|m| | |] eqn:E1; simpl in E; try discriminate; eauto. injection E as <-. eauto.
  - destruct (ev _ _ r source) as [p| |]; cbn [bindo] in E; try discriminate. destruct (negb (is_pit r p)); try discriminate.
    destruct (nth_error (laps S) lap) as [lp|]; try discriminate.
    assert (SK: forall r1 l i k, (forall m, k m = Fin q -> 0 <= over q) -> skips (laps S) n r1 i l k = Fin q -> 0 <= over q).
    { clear. intros r1 l. induction l as [|[e|] l IH]; intros i k H E; simpl in E; eauto.
      destruct (ev _ _ r1 e); cbn [bindo] in E; try discriminate. eapply IH; [|exact E]. intros m. apply H. }
    set (r1 := set_origin r (Kn p)) in *.
    assert (BG: forall k, counted (laps S) n r1 count k = Fin q -> exists c, k c = Fin q).
    { intros k H. unfold counted in H. destruct count as [c|]; eauto. destruct (ev _ _ r1 c); cbn [bindo] in H; try discriminate. eauto. }
    apply BG in E. destruct E as (c & E).
    assert (BE: exists q0, skips (laps S) n r1 0 skip (fun m => bindo (rd (get No (cells r1) p)) (fun all =>
        if (amount c all <? 1) || (all <? amount c all) then Ill else
        drops (ex (laps S) (doms S) (players S) (endless S) rounds n b) (Z.to_nat p) (Z.to_nat (amount c all)) (nxt lp) (within m) (within only) q0
          (set_cells r1 (bump (cells r1) (Z.to_nat p) (- amount c all))))) = Fin q).
    { unfold beginning in E. destruct from; eauto. destruct (ev _ _ r1 e); cbn [bindo] in E; try discriminate. destruct (is_pit r1 z); try discriminate. eauto. }
    destruct BE as (q0 & BE). eapply SK; [|exact BE]. intros m H. destruct (rd _); cbn [bindo] in H; try discriminate.
    destruct ((amount c z <? 1) || (z <? amount c z)); try discriminate.
    clear - IHb H. revert H. generalize (set_cells r1 (bump (cells r1) (Z.to_nat p) (- amount c z))). generalize (Z.to_nat (amount c z)). revert q0.
    intros q0 k. revert q0. induction k as [|k IH]; intros t r2 H; cbn [drops] in H; try discriminate.
    destruct (place _ _ _ t); try discriminate. match type of H with match ?v with _ => _ end = _ => destruct v as [w|w| | |] eqn:E end; try discriminate.
    + eapply IH; eauto.
    + injection H as <-. apply IHb in E. exact E.
  - destruct count; repeat match type of E with
      | bindo ?v _ = _ => destruct v; cbn [bindo] in E; try discriminate
      | (if ?v then _ else _) = _ => destruct v; try discriminate
      end.
  - destruct to; repeat match type of E with
      | bindo ?v _ = _ => destruct v; cbn [bindo] in E; try discriminate
      | (if ?v then _ else _) = _ => destruct v; try discriminate
      | set_var _ _ _ _ = _ => unfold set_var in E
      end.
  - destruct (ev _ _ r c); cbn [bindo] in E; try discriminate. destruct (nz z); eauto.
  - assert (L: forall fuel seen_before r q, loop fuel (fun r => ev (laps S) n r c) (ex (laps S) (doms S) (players S) (endless S) rounds n b) (endless S) seen_before r = Fin q -> 0 <= over q).
    { clear - IHb endless_pos. induction fuel as [|f IH]; intros sb r q E; cbn [loop] in E; try discriminate.
      destruct (ev _ _ r c); cbn [bindo] in E; try discriminate. destruct (nz z); try discriminate.
      destruct (seen _ sb) as [[|]|]; try discriminate. injection E as <-. exact endless_pos.
      destruct (ex _ _ _ _ _ _ b r) as [m|m| | |] eqn:EB; simpl in E; try discriminate; eauto. injection E as <-. eauto. }
    eauto.
  - destruct (outcome <? 0) eqn:O; try discriminate. injection E as <-. simpl. apply Z.ltb_ge in O. exact O.
Qed.

Section Turns.
Variable S : system.
Hypothesis sound : Shape.sound S = true.
Hypothesis endless_pos : 0 <= endless S.
Hypothesis F : falling S.

Lemma settle_falls rounds ended rs : (forall u, In u (flat_map per rs) -> calm (does u) \/ stops (does u)) ->
  forall s, wf S s -> match settle S rounds ended rs s with
  | On q => no_higher (cells q) (seeds s)
  | Fin q => 0 <= over q
  | _ => True end.
Proof.
  intros Q. induction rs as [|x rs IH]; intros s W; cbn [settle]. { apply no_higher_refl. }
  assert (Q': forall u, In u (flat_map per rs) -> calm (does u) \/ stops (does u)).
  { intros u I. apply Q. simpl. apply in_or_app; auto. }
  specialize (IH Q'). destruct (turn x && negb ended); [apply IH; auto|].
  destruct (nth_error (per x) (Z.to_nat (mover s))) as [u|] eqn:E; [|apply IH; auto].
  destruct (eval S _ _ (when u)); simpl; auto. destruct (nz z); [|apply IH; auto].
  assert (SH: Shape.shaped S (enter s (mover s) (rlocals u))) by (apply Shape.shape_wf in W; exact W).
  pose proof (Shape.ex_keeps S sound (endless S) rounds (rules_env S rounds) (does u) _ SH) as K.
  unfold exec. destruct (ex _ _ _ _ _ _ (does u) _) as [v|v| | |] eqn:EX; auto.
  - assert (WV: wf S (moved (leave v) (next v))) by (apply Shape.shape_wf; exact (proj1 K)).
    specialize (IH _ WV). destruct (Q u) as [CU|SU]. { simpl. apply in_or_app. left. eapply nth_error_In; eauto. }
    + pose proof (calm_ok S sound rounds _ _ _ _ CU SH EX) as NH. destruct (settle S rounds ended rs _); auto.
      eapply no_higher_trans; [exact IH|exact NH].
    + exfalso. eapply (stops_ok S); eauto.
  - eapply fin_over; eauto.
Qed.

(** A step ends the game, or lowers the rank. *)
Theorem step_falls a s u : wf S s -> In a (acts S) -> step S a s u -> live u = false \/ lower (seeds u) (seeds s).
Proof.
  intros W I (rounds & R). destruct F as [FA FR].
  assert (R1: result (conclude S rounds s (pass S rounds (rules_env S rounds) a s)) = Some u).
  { unfold act in R. destruct (ranked S); auto. destruct (pass S rounds (rules_env S rounds) a s) as [r|r| | |]; try discriminate;
      repeat match type of R with
      | result (bindo ?v _) = _ => destruct v; cbn [bindo result] in R; try discriminate
      | result (if ?v then _ else _) = _ => destruct v; cbn [result] in R; try discriminate
      end; exact R. }
  assert (C: exists q, (conclude S rounds s (pass S rounds (rules_env S rounds) a s) = On q \/ conclude S rounds s (pass S rounds (rules_env S rounds) a s) = Fin q) /\ leave q = u).
  { destruct (conclude S rounds s _) as [q|q| | |]; simpl in R1; try discriminate; injection R1 as <-; eauto. }
  destruct C as (q & C & <-). unfold pass in C.
  destruct (live s && (who a =? mover s)); [|destruct C; discriminate].
  destruct (eval S _ _ (guard a)); cbn [bindo] in C; try (destruct C; discriminate).
  destruct (nz z); [|destruct C; discriminate].
  match type of C with context [exec S _ _ _ ?r0] => assert (SH: Shape.shaped S r0) by (apply Shape.shape_wf in W; exact W);
    pose proof (Shape.ex_keeps S sound (endless S) rounds (rules_env S rounds) (body a) r0 SH) as K;
    unfold exec in C; destruct (ex (laps S) (doms S) (players S) (endless S) rounds (rules_env S rounds) (body a) r0) as [m|m| | |] eqn:EX end;
    cbn [conclude] in C; try (destruct C; discriminate).
  - assert (WM: wf S (moved (leave m) (next m))) by (apply Shape.shape_wf; exact (proj1 K)).
    pose proof (falls_ok S sound rounds _ _ _ _ (FA a I) SH EX) as L.
    pose proof (fun e => settle_falls rounds e (rxs S) FR _ WM) as ST.
    destruct C as [C|C]; match type of C with settle _ _ ?e _ _ = _ => specialize (ST e) end; rewrite C in ST.
    + right. eapply no_higher_lower; [exact ST|exact L].
    + left. unfold live. simpl. apply Z.eqb_neq. lia.
  - destruct C as [C|C]; try discriminate. injection C as <-. left. unfold live. simpl. apply Z.eqb_neq.
    apply fin_over in EX; auto. lia.
Qed.

Lemma no_descent (f : nat -> state) : (forall i, Forall counts (seeds (f i))) -> ~ (forall i, lower (seeds (f (Datatypes.S i))) (seeds (f i))).
Proof.
  intros C L.
  assert (P: forall i, 0 <= outside (seeds (f i)) /\ 0 <= above (seeds (f i))).
  { intros i. split; apply weigh_pos; auto; [apply ones_pos|apply weights_pos]. }
  assert (D: forall n i, outside (seeds (f i)) < Z.of_nat n -> False).
  { induction n as [|n IH]; intros i H. destruct (P i); lia.
    assert (E: forall k j, outside (seeds (f j)) < Z.of_nat (Datatypes.S n) -> above (seeds (f j)) < Z.of_nat k -> False).
    { induction k as [|k IK]; intros j H1 H2. destruct (P j); lia.
      destruct (L j) as [LJ|[LJ1 LJ2]]; [apply (IH (Datatypes.S j)); lia|]. apply (IK (Datatypes.S j)); lia. }
    apply (E (Z.to_nat (above (seeds (f i)) + 1)) i); auto. destruct (P i). lia. }
  apply (D (Z.to_nat (outside (seeds (f O)) + 1)) O). destruct (P O). lia.
Qed.

(** No play is infinite. *)
Theorem falling_terminates : Claims.terminates S.
Proof.
  intros f B P. assert (R: forall i, reach S (f i)).
  { induction i as [|i IH]; [apply reach_start; auto|]. destruct (P i) as (a & I & ST). eapply reach_step; eauto. }
  apply (no_descent f).
  - intros i. pose proof (Shape.reach_wf S sound _ (R i)) as (_ & W & _). exact W.
  - intros i. destruct (P i) as (a & I & ST). destruct (step_falls a _ _ (Shape.reach_wf S sound _ (R i)) I ST) as [L|L]; auto.
    exfalso. destruct (P (Datatypes.S i)) as (b & _ & (rounds & H)). unfold act, pass in H. rewrite L in H.
    cbn [andb] in H. destruct (ranked S); discriminate.
Qed.
End Turns.

(** ** The check *)

Fixpoint walk_b (fuel : nat) (nx : list Z) (skip : list (option expr)) (only : list nat) (h p : Z) : bool :=
  if p <? 0 then true else
  match fuel with
  | O => false
  | S f =>
    let q := Z.to_nat p in
    match nth q skip None with
    | None => sink q && negb (within only q) || (sink q || (height q <? h)) && walk_b f nx skip only h (get (-1) nx p)
    | Some c => (sink q || match c with Const 1 => true | _ => height q <? h end) && walk_b f nx skip only h (get (-1) nx p)
    end
  end.
Fixpoint calm_b (b : stmt) : bool :=
  match b with
  | Skip | Set_ _ _ | Stop _ => true
  | Seq a b | If _ a b => calm_b a && calm_b b
  | Transfer _ _ (Const z) => (0 <=? z) && sink (Z.to_nat z)
  | _ => false
  end.
Fixpoint falls_b (ls : list lap) (b : stmt) : bool :=
  match b with
  | Stop _ => true
  | Seq a b => falls_b ls a && calm_b b || calm_b a && falls_b ls b
  | If _ a b => falls_b ls a && falls_b ls b
  | Sow (Const p) _ l skip only AfterSource Skip =>
    (0 <=? p) && negb (sink (Z.to_nat p)) &&
    match nth_error ls l with
    | Some lp => walk_b (S (2 * length (nxt lp))) (nxt lp) skip only (height (Z.to_nat p)) (get (-1) (nxt lp) p)
    | None => true
    end
  | _ => false
  end.
Fixpoint stops_b (b : stmt) : bool :=
  match b with
  | Stop _ => true
  | Seq a b => stops_b a || stops_b b
  | If _ a b => stops_b a && stops_b b
  | _ => false
  end.

Lemma walk_b_ok nx skip only h fuel : forall p, walk_b fuel nx skip only h p = true -> walk nx skip only h p.
Proof.
  induction fuel as [|f IH]; intros p H; cbn [walk_b] in H; destruct (Z.ltb_spec p 0); try discriminate; try (apply walk_end; auto; fail).
  rewrite <- (Z2Nat.id p) by lia. set (q := Z.to_nat p) in *. cbn zeta in H.
  assert (G: get (-1) nx p = get (-1) nx (Z.of_nat q)) by (unfold q; rewrite Z2Nat.id; auto). rewrite G in H.
  destruct (nth q skip None) as [c|] eqn:E.
  - apply andb_true_iff in H. destruct H as [H W]. apply walk_on; auto. apply orb_true_iff in H. destruct H as [H|H]; auto. right.
    destruct c as [[|[| |]|]| | | | | | | | | | | | | | | | | | | |]; try (right; apply Z.ltb_lt; exact H); auto.
  - apply orb_true_iff in H. destruct H as [H|H].
    + apply andb_true_iff in H. destruct H as [H W]. apply negb_true_iff in W. apply walk_sink; auto.
    + apply andb_true_iff in H. destruct H as [H W]. apply walk_on; auto. apply orb_true_iff in H. destruct H as [H|H]; auto.
      right; right. apply Z.ltb_lt; auto.
Qed.
Lemma calm_b_ok b : calm_b b = true -> calm b.
Proof.
  induction b; cbn [calm_b calm]; intros H; try discriminate; auto.
  - apply andb_true_iff in H. tauto.
  - destruct into; try discriminate. apply andb_true_iff in H. rewrite Z.leb_le in H. tauto.
  - apply andb_true_iff in H. tauto.
Qed.
Lemma falls_b_ok ls b : falls_b ls b = true -> falls ls b.
Proof.
  induction b; cbn [falls_b falls]; intros H; try discriminate; auto.
  - apply orb_true_iff in H. destruct H as [H|H]; apply andb_true_iff in H; destruct H; [left|right]; auto using calm_b_ok.
  - destruct source; try discriminate. destruct from; try discriminate. destruct b; try discriminate.
    rewrite !andb_true_iff, Z.leb_le, negb_true_iff in H. destruct H as ((P & SP) & H). split; auto. split; auto.
    destruct (nth_error ls lap); auto. eapply walk_b_ok; eauto.
  - apply andb_true_iff in H. tauto.
Qed.
Lemma stops_b_ok b : stops_b b = true -> stops b.
Proof.
  induction b; cbn [stops_b stops]; intros H; try discriminate; auto.
  - apply orb_true_iff in H. tauto.
  - apply andb_true_iff in H. tauto.
Qed.

Definition check_falling (S : system) : bool :=
  Shape.sound S && (0 <=? endless S) && forallb (fun a => falls_b (laps S) (body a)) (acts S) &&
  forallb (fun u => calm_b (does u) || stops_b (does u)) (flat_map per (rxs S)).

(** No play of a System that passes the check is infinite, whatever the number of seeds. *)
Theorem check_falling_terminates S : check_falling S = true -> Claims.terminates S.
Proof.
  unfold check_falling. rewrite !andb_true_iff, Z.leb_le, !forallb_forall. intros (((SD & EP) & A) & R).
  apply falling_terminates; auto. split.
  - intros a I. apply falls_b_ok, A, I.
  - intros u I. apply R, orb_true_iff in I. destruct I; [left; apply calm_b_ok|right; apply stops_b_ok]; auto.
Qed.
End Rank.

(** Another law of the rules: no step takes a seed from certain pits, such as the stores.

    [check_growing] follows bodies with what is known of [last] from the conditions around it. It
    looks at the text of the rules only, and stays true when pits are put in ([growing_in_all]). *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Insert Cutoff.
From Mancheck Require Shape Claims Laws LawsSizes.
Import ListNotations.
Open Scope Z_scope.

Section Growing.
Variable zs : list nat.                        (** the pits that lose nothing *)
Definition keeper (q : nat) : bool := within zs q.
Definition loser (z : Z) : bool := (z <? 0) || negb (keeper (Z.to_nat z)).

(** What is known of [last]: it is one of these pits, or nothing. *)
Definition knowledge := option (list nat).
Fixpoint learn (k : knowledge) (c : expr) : knowledge :=
  match c with
  | And a b => learn (learn k a) b
  | Look (Member ps) Last => Some (match k with Some l => filter (within ps) l | None => ps end)
  | _ => k
  end.
Fixpoint sows (b : stmt) : bool :=
  match b with
  | Seq a b | If _ a b => sows a || sows b
  | Sow _ _ _ _ _ _ _ => true
  | While _ b => sows b
  | _ => false
  end.

Section Check.
Variable ds : list (list Z).
Fixpoint allowed (k : knowledge) (a : expr) : bool :=
  match a with
  | Const z => loser z
  | Last => match k with Some l => forallb (fun q => negb (keeper q)) l | None => false end
  | Look (Table t _) Last => match k with Some l => forallb (fun q => loser (nth q t (-1))) l | None => false end
  | Var i => forallb loser (nth i ds [])
  | Cond _ a b => allowed k a && allowed k b
  | _ => false
  end.
Fixpoint grows (k : knowledge) (b : stmt) : bool :=
  match b with
  | Skip | Set_ _ _ | Stop _ => true
  | Seq a b => grows k a && grows (if sows a then None else k) b
  | Sow s _ _ _ _ _ d => allowed k s && grows None d
  | Transfer _ f _ => allowed k f
  | If c a b => grows (learn k c) a && grows k b
  | While _ b => grows None b
  end.
End Check.

Definition no_less (l m : list cell) : Prop := forall z a, keeper z = true -> nth z l No = Kn a -> exists b, nth z m No = Kn b /\ a <= b.
Definition holds (k : knowledge) (r : run) : Prop :=
  match k with None => True | Some l => forall z, last r = Kn z -> 0 <= z /\ In (Z.to_nat z) l end.

Lemma no_less_refl l : no_less l l.
Proof. intros z a _ H. exists a. split; auto. lia. Qed.
Lemma no_less_trans l m n : no_less l m -> no_less m n -> no_less l n.
Proof. intros A B z a K H. destruct (A z a K H) as (b & H1 & L1). destruct (B z b K H1) as (c & H2 & L2). exists c. split; auto. lia. Qed.
Lemma no_less_bump l i c : keeper i = false \/ 0 <= c -> no_less l (bump l i c).
Proof.
  intros C z a K H. assert (L: (z < length l)%nat).
  { destruct (Nat.lt_ge_cases z (length l)); auto. rewrite nth_overflow in H by auto; discriminate. }
  destruct (Nat.lt_ge_cases i (length l)) as [I|I].
  - rewrite nth_bump by auto. destruct (Nat.eqb_spec z i) as [->|].
    + rewrite H. simpl. exists (a + c). split; auto. destruct C; [congruence|lia].
    + exists a. split; auto. lia.
  - rewrite bump_beyond by auto. exists a. split; auto. lia.
Qed.

Section Runs.
Variable S : system.
Hypothesis sound : Shape.sound S = true.
Variable rounds : nat.
Variable n : env.
Notation exS := (ex (laps S) (doms S) (players S) (endless S) rounds n).

Lemma learn_ok r c : forall k z, ev (laps S) n r c = V z -> nz z = true -> holds k r -> holds (learn k c) r.
Proof.
  induction c; cbn [learn ev]; intros k v E Z0 H; auto.
  - destruct l; auto. destruct c; auto. simpl in E. destruct (last r) as [p| |] eqn:L; simpl in E; try discriminate. injection E as <-.
    unfold nz in Z0. destruct ((0 <=? p) && existsb (Nat.eqb (Z.to_nat p)) ps) eqn:B; try discriminate.
    apply andb_true_iff in B. destruct B as [B1 B2]. apply Z.leb_le in B1. intros q Q. rewrite L in Q. injection Q as <-. split; auto.
    destruct k as [l|]; [apply filter_In; split; [apply (H p L)|exact B2]|apply existsb_set; auto].
  - apply bind_V in E. destruct E as (u & E1 & E2). destruct (nz u) eqn:U; [|injection E2 as <-; discriminate].
    apply bind_V in E2. destruct E2 as (w & E2 & E3). injection E3 as <-.
    eapply IHc2; [exact E2|destruct (nz w); auto|]. eapply IHc1; eauto.
Qed.

Lemma allowed_ok r a : forall k p, holds k r -> Shape.shaped S r -> allowed (doms S) k a = true -> ev (laps S) n r a = V p -> loser p = true.
Proof.
  induction a; cbn [allowed ev]; intros k p H W A E; try discriminate.
  - injection E as <-; auto.
  - destruct W as [_ W]. destruct (Nat.lt_ge_cases i (length (doms S))) as [L|L].
    + pose proof (forall2_nth _ _ _ [] No W i L) as V. cbn beta in V. destruct V as (z & V1 & V2). rewrite V1 in E. injection E as <-.
      rewrite forallb_forall in A. auto.
    + rewrite nth_overflow in E; [discriminate|]. rewrite <- (forall2_length _ _ _ W). auto.
  - destruct k as [l|]; try discriminate. destruct (last r) as [q| |] eqn:L; simpl in E; try discriminate. injection E as <-.
    destruct (H q L) as [Q I]. rewrite forallb_forall in A. unfold loser. rewrite (A _ I). apply orb_true_r.
  - destruct l as [i|i|ps|t none]; try discriminate. destruct a; try discriminate. destruct k as [l|]; try discriminate.
    simpl in E. destruct (last r) as [q| |] eqn:L; simpl in E; try discriminate. destruct (H q L) as [Q I].
    destruct (Z.ltb_spec q 0); [lia|]. destruct (nth_error t (Z.to_nat q)) as [v|] eqn:T; try discriminate. injection E as <-.
    rewrite forallb_forall in A. apply A in I. erewrite nth_error_nth in I; eauto.
  - apply andb_true_iff in A. destruct A as [A1 A2]. apply bind_V in E. destruct E as (u & _ & E). destruct (nz u); eauto.
Qed.

Definition good_end (r : run) (b : stmt) (o : out) : Prop :=
  match o with
  | On q => no_less (cells r) (cells q) /\ (sows b = false -> last q = last r)
  | Fin q => no_less (cells r) (cells q)
  | _ => True
  end.

Lemma shaped_bump r i c a l w : Shape.shaped S r -> nth i (cells r) No = Kn a -> 0 <= a + c ->
  Shape.shaped S (set_last (set_cells r (bump (cells r) i c)) l w).
Proof.
  intros [[L C] V] E P. split; auto. split; simpl; [rewrite bump_length; auto|]. eapply counts_bump; eauto.
Qed.

Lemma drops_good d sp nx sk on : (forall r, Shape.shaped S r -> match d r with On q => Shape.shaped S q /\ no_less (cells r) (cells q) | Fin q => no_less (cells r) (cells q) | _ => True end) ->
  forall c p r, Shape.shaped S r -> match drops d sp c nx sk on p r with On q | Fin q => no_less (cells r) (cells q) | _ => True end.
Proof.
  intros D. induction c as [|c IH]; intros p r W; cbn [drops].
  - apply no_less_refl.
  - destruct (place _ _ _ p) as [j|]; auto.
    set (r1 := set_last (set_cells r (bump (cells r) j 1)) (Kn (Z.of_nat j)) (nth j (cells r) No)).
    assert (N1: no_less (cells r) (cells r1)) by (apply no_less_bump; right; lia).
    assert (W1: Shape.shaped S r1).
    { destruct (Nat.lt_ge_cases j (length (cells r))) as [L|L].
      - destruct W as [[W1 W2] W3]. rewrite Forall_forall in W2. destruct (W2 (nth j (cells r) No)) as (a & A & A0). apply nth_In; auto.
        eapply shaped_bump; [split; [split|]|exact A|lia]; auto. apply Forall_forall; auto.
      - destruct W as [[W1 W2] W3]. split; auto. unfold r1. simpl.
        rewrite bump_beyond by auto. split; auto. }
    specialize (D r1 W1). destruct (d r1) as [m|m| | |]; auto.
    + destruct D as [D1 D2]. specialize (IH (get (-1) nx (Z.of_nat j)) m D1).
      destruct (drops d sp c nx sk on (get (-1) nx (Z.of_nat j)) m); auto; eapply no_less_trans; [|exact IH| |exact IH]; eapply no_less_trans; eauto.
    + simpl. eapply no_less_trans; [eapply no_less_trans; [exact N1|exact D]|]. apply no_less_bump. right. lia.
Qed.

Lemma loop_good c b e : (forall r, Shape.shaped S r -> match b r with On q => Shape.shaped S q /\ no_less (cells r) (cells q) | Fin q => no_less (cells r) (cells q) | _ => True end) ->
  forall fuel sb r, Shape.shaped S r -> match loop fuel c b e sb r with On q | Fin q => no_less (cells r) (cells q) | _ => True end.
Proof.
  intros B. induction fuel as [|f IH]; intros sb r W; cbn [loop]; auto. destruct (c r) as [z| |]; simpl; auto.
  destruct (nz z); [|apply no_less_refl]. destruct (seen _ sb) as [[|]|]; auto; [apply no_less_refl|].
  specialize (B r W). destruct (b r) as [m|m| | |]; simpl; auto. destruct B as [B1 B2]. specialize (IH (config r :: sb) m B1).
  destruct (loop f c b e _ m); auto; eapply no_less_trans; eauto.
Qed.

Lemma grows_ok b : forall k r, holds k r -> Shape.shaped S r -> grows (doms S) k b = true -> good_end r b (exS b r).
Proof.
  induction b; cbn [grows]; intros k r H W G; cbn [ex].
  - split; auto. apply no_less_refl.
  - apply andb_true_iff in G. destruct G as [G1 G2]. specialize (IHb1 k r H W G1).
    pose proof (Shape.ex_keeps S sound (endless S) rounds n b1 r W) as SK.
    destruct (exS b1 r) as [m|m| | |]; simpl in *; auto. destruct IHb1 as [N1 L1].
    assert (H2: holds (if sows b1 then None else k) m).
    { destruct (sows b1); simpl; auto. destruct k; simpl in *; auto. rewrite L1; auto. }
    specialize (IHb2 _ m H2 (proj1 SK) G2). destruct (exS b2 m); simpl in *; auto.
    + destruct IHb2 as [N2 L2]. split; [eapply no_less_trans; eauto|]. intros Q. apply orb_false_iff in Q. destruct Q. rewrite L2, L1; auto.
    + eapply no_less_trans; eauto.
  - apply andb_true_iff in G. destruct G as [GA GD]. destruct (ev (laps S) n r source) as [p| |] eqn:ES; simpl; auto.
    pose proof (allowed_ok r source k p H W GA ES) as LO. destruct (is_pit r p) eqn:IP; simpl; auto.
    apply (Laws.pit_index r) in IP. destruct (nth_error (laps S) lap) as [lp|]; simpl; auto.
    set (r1 := set_origin r (Kn p)). assert (KP: keeper (Z.to_nat p) = false).
    { unfold loser in LO. destruct (Z.ltb_spec p 0); [lia|]. simpl in LO. apply negb_true_iff in LO; auto. }
    assert (DONE: forall (c : option Z) m q0, good_end r (Sow source count lap skip only from b) (bindo (rd (get No (cells r1) p)) (fun all =>
        if (amount c all <? 1) || (all <? amount c all) then Ill else
        drops (exS b) (Z.to_nat p) (Z.to_nat (amount c all)) (nxt lp) (within m) (within only) q0
          (set_cells r1 (bump (cells r1) (Z.to_nat p) (- amount c all)))))).
    { intros c m q0. change (cells r1) with (cells r). rewrite (Laws.get_index (cells r)) by lia.
      destruct (nth (Z.to_nat p) (cells r) No) as [all| |] eqn:EA; simpl; auto.
      destruct ((amount c all <? 1) || (all <? amount c all)) eqn:B; simpl; auto. apply orb_false_iff in B. rewrite !Z.ltb_ge in B.
      set (r2 := set_cells r1 (bump (cells r) (Z.to_nat p) (- amount c all))).
      assert (W2: Shape.shaped S r2).
      { pose proof (shaped_bump r (Z.to_nat p) (- amount c all) all (last r) (was r) W EA ltac:(lia)) as [Q1 Q2]. split; auto. }
      assert (N2: no_less (cells r) (cells r2)) by (apply no_less_bump; auto).
      pose proof (drops_good (exS b) (Z.to_nat p) (nxt lp) (within m) (within only)) as DG.
      assert (DB: forall r, Shape.shaped S r -> match exS b r with On q => Shape.shaped S q /\ no_less (cells r) (cells q) | Fin q => no_less (cells r) (cells q) | _ => True end).
      { intros r3 W3. specialize (IHb None r3 I W3 GD). pose proof (Shape.ex_keeps S sound (endless S) rounds n b r3 W3) as SK.
        destruct (exS b r3); simpl in *; auto; try tauto. split; [exact (proj1 SK)|tauto]. }
      specialize (DG DB (Z.to_nat (amount c all)) q0 r2 W2). destruct (drops _ _ _ _ _ _ _ _); simpl; auto.
      - split; [eapply no_less_trans; eauto|discriminate].
      - eapply no_less_trans; eauto. }
    assert (SK: forall l i k0, (forall m, good_end r (Sow source count lap skip only from b) (k0 m)) ->
      good_end r (Sow source count lap skip only from b) (skips (laps S) n r1 i l k0)).
    { intros l. induction l as [|[w|] l IHl]; intros i k0 K0; simpl; auto.
      destruct (ev (laps S) n r1 w); simpl; auto. }
    assert (BG: forall c, good_end r (Sow source count lap skip only from b) (beginning (laps S) n r1 from (nxt lp) p (fun q => skips (laps S) n r1 0 skip (fun m =>
        bindo (rd (get No (cells r1) p)) (fun all =>
        if (amount c all <? 1) || (all <? amount c all) then Ill else
        drops (exS b) (Z.to_nat p) (Z.to_nat (amount c all)) (nxt lp) (within m) (within only) q
          (set_cells r1 (bump (cells r1) (Z.to_nat p) (- amount c all)))))))).
    { intros c. unfold beginning. destruct from; try (apply SK; intros; apply DONE).
      destruct (ev (laps S) n r1 e); simpl; auto. destruct (is_pit r1 z); simpl; auto. }
    unfold counted. destruct count as [c|]; [|apply (BG None)]. destruct (ev (laps S) n r1 c); simpl; auto. apply (BG (Some z)).
  - assert (MV: forall c f i h, loser f = true -> is_pit r f = true -> nth (Z.to_nat f) (cells r) No = Kn h -> 0 <= c <= h ->
      good_end r (Transfer count from into) (move r c f i)).
    { intros c f i h LF PF EH CH. simpl. split; auto. apply Laws.pit_index in PF.
      eapply no_less_trans; [apply (no_less_bump _ (Z.to_nat f) (- c))|apply no_less_bump; right; lia].
      left. unfold loser in LF. destruct (Z.ltb_spec f 0); [lia|]. simpl in LF. apply negb_true_iff in LF; auto. }
    destruct count as [c|].
    + destruct (ev (laps S) n r c) as [c0| |]; simpl; auto. destruct (ev (laps S) n r from) as [f| |] eqn:EF; simpl; auto.
      pose proof (allowed_ok r from k f H W G EF) as LF. destruct (ev (laps S) n r into) as [i| |]; simpl; auto.
      destruct (is_pit r f) eqn:PF, (is_pit r i); simpl; auto. pose proof (Laws.pit_index r f PF). rewrite (Laws.get_index (cells r)) by lia.
      destruct (nth (Z.to_nat f) (cells r) No) as [h| |] eqn:EH; simpl; auto. destruct ((c0 <? 0) || (h <? c0)) eqn:B; simpl; auto.
      apply orb_false_iff in B. rewrite !Z.ltb_ge in B. apply (MV c0 f i h); auto; lia.
    + destruct (ev (laps S) n r into) as [i| |]; simpl; auto. destruct (is_pit r i); simpl; auto.
      destruct (ev (laps S) n r from) as [f| |] eqn:EF; simpl; auto. pose proof (allowed_ok r from k f H W G EF) as LF.
      destruct ((f <? 0) || (f =? i)); [split; auto; apply no_less_refl|]. destruct (is_pit r f) eqn:PF; simpl; auto.
      pose proof (Laws.pit_index r f PF) as [F0 F1]. rewrite (Laws.get_index (cells r)) by lia.
      destruct (nth (Z.to_nat f) (cells r) No) as [h| |] eqn:EH; simpl; auto. destruct W as [[_ C] _]. rewrite Forall_forall in C.
      destruct (C (nth (Z.to_nat f) (cells r) No)) as (h' & E' & H0). { apply nth_In; auto. } rewrite EH in E'. injection E' as <-.
      apply (MV h f i h); auto; lia.
  - assert (SAME: forall o, (match o with On q | Fin q => cells q = cells r /\ last q = last r | _ => True end) -> good_end r (Set_ to x) o).
    { intros [q|q| | |]; simpl; auto; intros [-> E]; [split; auto|]; apply no_less_refl. }
    apply SAME. destruct to; repeat match goal with
      | |- context [bindo ?v _] => destruct v; simpl; auto
      | |- context [if ?v then _ else _] => destruct v; simpl; auto
      end; unfold set_var; match goal with |- context [if ?v then _ else _] => destruct v; simpl; auto end.
  - apply andb_true_iff in G. destruct G as [G1 G2]. destruct (ev (laps S) n r c) as [z| |] eqn:EC; simpl; auto. destruct (nz z) eqn:NZ.
    + specialize (IHb1 _ r (learn_ok r c k z EC NZ H) W G1). destruct (exS b1 r); simpl in *; auto. destruct IHb1 as [A B]. split; auto.
      intros Q. apply orb_false_iff in Q. tauto.
    + specialize (IHb2 _ r H W G2). destruct (exS b2 r); simpl in *; auto. destruct IHb2 as [A B]. split; auto.
      intros Q. apply orb_false_iff in Q. tauto.
  - assert (LB: forall r, Shape.shaped S r -> match exS b r with On q => Shape.shaped S q /\ no_less (cells r) (cells q) | Fin q => no_less (cells r) (cells q) | _ => True end).
    { intros r3 W3. specialize (IHb None r3 I W3 G). pose proof (Shape.ex_keeps S sound (endless S) rounds n b r3 W3) as SK.
      destruct (exS b r3); simpl in *; auto; try tauto. split; [exact (proj1 SK)|tauto]. }
    pose proof (loop_good (fun r => ev (laps S) n r c) (exS b) (endless S) LB rounds [] r W) as LG.
    destruct (loop rounds _ _ _ [] r) eqn:EL; simpl; auto. split; auto. intros SB.
    (* no round sows, so last stays *)
    assert (LL: forall fuel sb r q, Shape.shaped S r -> loop fuel (fun r => ev (laps S) n r c) (exS b) (endless S) sb r = On q -> last q = last r).
    { clear EL LG r r0 W H. induction fuel as [|f IHf]; intros sb r q W E; cbn [loop] in E; try discriminate.
      destruct (ev (laps S) n r c) as [z| |]; simpl in E; try discriminate. destruct (nz z); [|injection E as <-; auto].
      destruct (seen _ sb) as [[|]|]; try discriminate. pose proof (IHb None r I W G) as GB.
      pose proof (Shape.ex_keeps S sound (endless S) rounds n b r W) as SK. destruct (exS b r) as [m|m| | |]; simpl in E; try discriminate.
      apply IHf in E; [|exact (proj1 SK)]. rewrite E. apply GB. exact SB. }
    eapply LL; eauto.
  - destruct (outcome <? 0); simpl; auto. apply no_less_refl.
Qed.
End Runs.

(** *** Turns *)

Section Turns.
Variable S : system.
Hypothesis sound : Shape.sound S = true.
Hypothesis G : forall b, In b (map body (acts S) ++ map does (rules_of S)) -> grows (doms S) None b = true.

Lemma settle_no_less rounds ended rs : (forall u, In u (flat_map per rs) -> grows (doms S) None (does u) = true) ->
  forall s, wf S s -> match settle S rounds ended rs s with On q | Fin q => no_less (seeds s) (cells q) | _ => True end.
Proof.
  intros Q. induction rs as [|x rs IH]; intros s W; cbn [settle]. { apply no_less_refl. }
  assert (Q': forall u, In u (flat_map per rs) -> grows (doms S) None (does u) = true).
  { intros u J. apply Q. simpl. apply in_or_app; auto. }
  specialize (IH Q'). destruct (turn x && negb ended); [apply IH; auto|].
  destruct (nth_error (per x) (Z.to_nat (mover s))) as [u|] eqn:E; [|apply IH; auto].
  destruct (eval S _ _ (when u)); simpl; auto. destruct (nz z); [|apply IH; auto].
  assert (SH: Shape.shaped S (enter s (mover s) (rlocals u))) by (apply Shape.shape_wf in W; exact W).
  assert (GU: grows (doms S) None (does u) = true). { apply Q. simpl. apply in_or_app. left. eapply nth_error_In; eauto. }
  pose proof (Shape.ex_keeps S sound (endless S) rounds (rules_env S rounds) (does u) _ SH) as K.
  pose proof (grows_ok S sound rounds (rules_env S rounds) (does u) None _ I SH GU) as GO.
  unfold exec. destruct (ex _ _ _ _ _ _ (does u) _) as [v|v| | |]; auto. cbn [good_end] in GO.
  assert (WV: wf S (moved (leave v) (next v))) by (apply Shape.shape_wf; exact (proj1 K)).
  specialize (IH _ WV). destruct (settle S rounds ended rs _); auto; eapply no_less_trans; [apply GO|exact IH|apply GO|exact IH].
Qed.

(** No step takes a seed from one of the pits. *)
Theorem step_no_less a s u : wf S s -> In a (acts S) -> step S a s u -> no_less (seeds s) (seeds u).
Proof.
  intros W J (rounds & R).
  assert (R1: result (conclude S rounds s (pass S rounds (rules_env S rounds) a s)) = Some u).
  { unfold act in R. destruct (ranked S); auto. destruct (pass S rounds (rules_env S rounds) a s) as [r|r| | |]; try discriminate;
      repeat match type of R with
      | result (bindo ?v _) = _ => destruct v; cbn [bindo result] in R; try discriminate
      | result (if ?v then _ else _) = _ => destruct v; cbn [result] in R; try discriminate
      end; exact R. }
  clear R. unfold pass in R1. destruct (live s && (who a =? mover s)); [|discriminate].
  destruct (eval S _ _ (guard a)); cbn [bindo conclude result] in R1; try discriminate. destruct (nz z); [|discriminate].
  set (r0 := enter s _ (alocals a)) in *. assert (SH: Shape.shaped S r0) by (apply Shape.shape_wf in W; exact W).
  assert (GA: grows (doms S) None (body a) = true). { apply G. apply in_or_app. left. apply in_map; auto. }
  pose proof (Shape.ex_keeps S sound (endless S) rounds (rules_env S rounds) (body a) r0 SH) as K.
  pose proof (grows_ok S sound rounds (rules_env S rounds) (body a) None r0 I SH GA) as GO.
  unfold exec in R1. destruct (ex _ _ _ _ _ _ (body a) r0) as [m|m| | |]; cbn [conclude result] in R1; try discriminate; cbn [good_end] in GO.
  - assert (WM: wf S (moved (leave m) (next m))) by (apply Shape.shape_wf; exact (proj1 K)).
    pose proof (fun e => settle_no_less rounds e (rxs S)) as ST.
    match type of R1 with result (settle _ _ ?e _ _) = _ => specialize (ST e) end.
    specialize (ST (fun u J => G (does u) (in_or_app _ _ _ (or_intror (in_map does _ u J)))) _ WM).
    destruct (settle S rounds _ (rxs S) _) as [q|q| | |]; simpl in R1; try discriminate; injection R1 as <-;
      (eapply no_less_trans; [apply GO|exact ST]).
  - injection R1 as <-. exact GO.
Qed.
End Turns.

(** *** A claim that says so *)

Fixpoint says (f : expr) : bool :=
  match f with
  | And a b => says a && says b
  | Bin Ge (Pit z) (Old (Pit w)) => Nat.eqb z w && keeper z
  | _ => false
  end.

Lemma says_ok ls n r old f : before n = Some old -> (forall z, keeper z = true -> exists a, nth z (cells old) No = Kn a) ->
  no_less (cells old) (cells r) -> says f = true -> exists v, ev ls n r f = V v /\ nz v = true.
Proof.
  intros B KN NL. induction f; cbn [says]; intros H; try discriminate.
  - apply andb_true_iff in H. destruct H as [H1 H2]. destruct (IHf1 H1) as (v & E & Z0), (IHf2 H2) as (w & E2 & Z2).
    exists 1. cbn [ev]. rewrite E. cbn [bind]. rewrite Z0, E2. cbn [bind]. rewrite Z2. auto.
  - destruct o; try discriminate. destruct f1; try discriminate. destruct f2; try discriminate. destruct f2; try discriminate.
    apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. subst i0. destruct (KN i H2) as (a & A).
    destruct (NL i a H2 A) as (b & E & L). exists 1. cbn [ev]. rewrite B, E. cbn [ev]. rewrite A. cbn [rd bind apply].
    rewrite Z.geb_leb. destruct (Z.leb_spec a b); auto; lia.
Qed.

(** *** What is demanded stays true when pits are put in *)

Fixpoint tidy_expr (N : nat) (a : expr) : bool :=
  match a with
  | Look (Member ps) a => forallb (fun p => Nat.ltb p N) ps && tidy_expr N a
  | Look (Table t _) a => Nat.eqb (length t) N && tidy_expr N a
  | And a b => tidy_expr N a && tidy_expr N b
  | Cond _ a b => tidy_expr N a && tidy_expr N b
  | _ => true
  end.
Fixpoint tidy (N : nat) (b : stmt) : bool :=
  match b with
  | Seq a b => tidy N a && tidy N b
  | If c a b => tidy_expr N c && tidy N a && tidy N b
  | Sow s _ _ _ _ _ d => tidy_expr N s && tidy N d
  | Transfer _ f _ => tidy_expr N f
  | While _ b => tidy N b
  | _ => true
  end.

Section Insertion.
Variables N x e : nat.
Hypothesis eN : e = N.
Hypothesis xN : (x < N)%nat.
Hypothesis zsN : forallb (fun z => Nat.ltb z N) zs = true.
Variable rel : list Z -> Z.
Hypothesis rel_ok : forall t, loser (nth x t (-1)) = true -> loser (rel t) = true.
Variable pv : list bool.
Variable ds : list (list Z).
Notation ds' := (ins_doms x e pv ds).
Notation ie := (ins_expr x e rel).
Notation ib := (ins_stmt x e rel).
Notation grown := (option_map (ins_set x e)).
Definition known_below (k : knowledge) : Prop := match k with Some l => forall q, In q l -> (q < N)%nat | None => True end.

Lemma new_loser : loser (Z.of_nat e) = true.
Proof.
  unfold loser. rewrite Nat2Z.id. apply orb_true_iff. right. apply negb_true_iff, not_true_iff_false. unfold keeper, within. rewrite existsb_set.
  intros J. rewrite forallb_forall in zsN. apply zsN, Nat.ltb_lt in J. lia.
Qed.
Lemma new_no_keeper : negb (keeper e) = true.
Proof. pose proof new_loser as L. unfold loser in L. rewrite Nat2Z.id in L. destruct (Z.ltb_spec (Z.of_nat e) 0); [lia|exact L]. Qed.

Lemma set_in q ps : In q (ins_set x e ps) <-> In q ps \/ q = e /\ In x ps.
Proof.
  unfold ins_set. destruct (existsb (Nat.eqb x) ps) eqn:E.
  - apply existsb_set in E. simpl. intuition.
  - split; auto. intros [H|[_ H]]; auto. apply existsb_set in H. congruence.
Qed.
Lemma grows_set (f : nat -> bool) l : f e = true -> forallb f l = true -> forallb f (ins_set x e l) = true.
Proof. intros E H. unfold ins_set. destruct (existsb (Nat.eqb x) l); simpl; auto. rewrite E; auto. Qed.

Lemma dom_loser i : forallb loser (nth i ds []) = true -> forallb loser (nth i ds' []) = true.
Proof.
  assert (H: forall l vs j, forallb loser (nth j l []) = true -> forallb loser (nth j (ins_doms x e vs l) []) = true).
  { induction l as [|d l IH]; intros vs [|j] Q; simpl in *; auto. unfold ins_dom.
    destruct (hd false vs && existsb (Z.eqb (Z.of_nat x)) d); auto. simpl. rewrite new_loser; auto. }
  apply H.
Qed.
Lemma allowed_larger a k : known_below k -> tidy_expr N a = true -> allowed ds k a = true -> allowed ds' (grown k) (ie a) = true.
Proof.
  intros KB. induction a; cbn [allowed ins_expr tidy_expr]; intros T H; try discriminate; auto.
  - apply dom_loser; auto.
  - destruct k as [l|]; simpl in *; try discriminate. apply grows_set; auto. apply new_no_keeper.
  - destruct l as [i|i|ps|t none]; try discriminate. destruct a; try discriminate. destruct k as [l|]; simpl in *; try discriminate.
    apply andb_true_iff in T. destruct T as [T _]. apply Nat.eqb_eq in T. rewrite forallb_forall in H |- *. intros q Q. apply set_in in Q.
    destruct Q as [Q|[-> Q]].
    + rewrite app_nth1 by (rewrite T; auto). auto.
    + rewrite app_nth2, T, eN, Nat.sub_diag by lia. simpl. apply rel_ok. auto.
  - apply andb_true_iff in T, H. destruct T as [T1 T2], H as [H1 H2]. rewrite IHa2, IHa3; auto.
Qed.
Lemma learn_below c : forall k, known_below k -> tidy_expr N c = true -> known_below (learn k c).
Proof.
  induction c; cbn [learn tidy_expr]; intros k KB T; auto.
  - destruct l as [i|i|ps|t none]; auto. destruct c; auto. apply andb_true_iff in T. destruct T as [T _]. rewrite forallb_forall in T.
    intros q Q. destruct k as [l|].
    + apply filter_In in Q. apply KB. tauto.
    + apply T, Nat.ltb_lt in Q. auto.
  - apply andb_true_iff in T. destruct T. auto.
Qed.
Lemma filter_set ps l : (forall q, In q l -> (q < N)%nat) -> forallb (fun p => Nat.ltb p N) ps = true ->
  filter (within (ins_set x e ps)) (ins_set x e l) = ins_set x e (filter (within ps) l).
Proof.
  intros L P. rewrite forallb_forall in P.
  assert (FL: filter (within (ins_set x e ps)) l = filter (within ps) l).
  { apply filter_ext_in. intros q Q. apply L in Q. unfold within. apply eq_true_iff_eq. rewrite !existsb_set, set_in.
    split; [intros [J|[J _]]; auto; lia|auto]. }
  assert (XF: existsb (Nat.eqb x) (filter (within ps) l) = existsb (Nat.eqb x) l && existsb (Nat.eqb x) ps).
  { apply eq_true_iff_eq. rewrite andb_true_iff, !existsb_set, filter_In. unfold within. rewrite existsb_set. tauto. }
  unfold ins_set at 2 3. rewrite XF. destruct (existsb (Nat.eqb x) l); cbn [andb]; auto.
  cbn [filter]. assert (WE: within (ins_set x e ps) e = existsb (Nat.eqb x) ps).
  { apply eq_true_iff_eq. unfold within. rewrite !existsb_set, set_in. split; [intros [J|J]; [apply P, Nat.ltb_lt in J; lia|tauto]|auto]. }
  rewrite WE, FL. destruct (existsb (Nat.eqb x) ps); auto.
Qed.
Lemma learn_larger c : forall k, known_below k -> tidy_expr N c = true -> learn (grown k) (ie c) = grown (learn k c).
Proof.
  induction c; cbn [learn ins_expr ins_look tidy_expr]; intros k KB T; auto.
  - destruct l as [i|i|ps|t none]; auto. destruct c; cbn [ins_expr]; auto. apply andb_true_iff in T. destruct T as [T _].
    destruct k as [l|]; cbn [option_map ins_look]; [f_equal; apply filter_set|]; auto.
  - apply andb_true_iff in T. destruct T as [T1 T2]. rewrite IHc1 by auto. rewrite IHc2; auto. apply learn_below; auto.
Qed.
Lemma sows_ins b : sows (ib b) = sows b.
Proof. induction b; cbn [sows ins_stmt]; auto; congruence. Qed.
Lemma grows_larger b : forall k, known_below k -> tidy N b = true -> grows ds k b = true -> grows ds' (grown k) (ib b) = true.
Proof.
  induction b; cbn [grows ins_stmt tidy]; intros k KB T H; auto.
  - apply andb_true_iff in T, H. destruct T as [T1 T2], H as [H1 H2]. rewrite IHb1, sows_ins by auto. simpl.
    assert (KS: known_below (if sows b1 then None else k)) by (destruct (sows b1); simpl; auto).
    specialize (IHb2 _ KS T2 H2). destruct (sows b1); auto.
  - apply andb_true_iff in T, H. destruct T as [T1 T2], H as [H1 H2]. rewrite allowed_larger by auto. apply (IHb None); simpl; auto.
  - apply allowed_larger; auto.
  - apply andb_true_iff in H. destruct H as [H1 H2]. apply andb_true_iff in T. destruct T as [T T2]. apply andb_true_iff in T. destruct T as [TC T1].
    rewrite learn_larger by auto. rewrite IHb1, IHb2; auto. apply learn_below; auto.
  - apply (IHb None); simpl; auto.
Qed.

(** The action of the new pit is like that of x. *)
Lemma allowed_new a k : known_below k -> tidy_expr N a = true -> allowed ds k (put_expr x a) = true -> allowed ds' (grown k) (put_expr e (ie a)) = true.
Proof.
  intros KB. induction a; cbn [put_expr ins_expr]; intros T H; try discriminate H; try (apply (allowed_larger _ k KB) in H; auto; fail).
  - cbn [allowed]. apply new_loser.
  - destruct l as [i|i|ps|t none]; try discriminate H. destruct a; try discriminate H. apply (allowed_larger (Look (Table t none) Last) k KB T H).
  - cbn [allowed tidy_expr] in *. apply andb_true_iff in T, H. destruct T as [T1 T2], H as [H1 H2]. rewrite IHa2, IHa3; auto.
Qed.
Lemma learn_put p c : forall k, learn k (put_expr p c) = learn k c.
Proof.
  induction c; cbn [learn put_expr]; intros k; auto. destruct l; auto. destruct c; auto. rewrite IHc1, IHc2; auto.
Qed.
Lemma sows_put p b : sows (put_stmt p b) = sows b.
Proof. induction b; cbn [sows put_stmt]; auto; congruence. Qed.
Lemma grows_new b : forall k, known_below k -> tidy N b = true -> grows ds k (put_stmt x b) = true -> grows ds' (grown k) (put_stmt e (ib b)) = true.
Proof.
  induction b; cbn [grows ins_stmt put_stmt tidy]; intros k KB T H; auto.
  - apply andb_true_iff in T, H. destruct T as [T1 T2], H as [H1 H2]. rewrite IHb1 by auto. rewrite sows_put in *. rewrite sows_ins. simpl.
    assert (KS: known_below (if sows b1 then None else k)) by (destruct (sows b1); simpl; auto).
    specialize (IHb2 _ KS T2 H2). destruct (sows b1); auto.
  - apply andb_true_iff in T, H. destruct T as [T1 T2], H as [H1 H2]. rewrite allowed_new by auto. apply (IHb None); simpl; auto.
  - apply allowed_new; auto.
  - apply andb_true_iff in H. destruct H as [H1 H2]. apply andb_true_iff in T. destruct T as [T T2]. apply andb_true_iff in T. destruct T as [TC T1].
    rewrite learn_put in *. rewrite learn_larger by auto. rewrite IHb1, IHb2; auto. apply learn_below; auto.
  - apply (IHb None); simpl; auto.
Qed.
Lemma grows_twice b : forall k, grows ds' k b = true -> grows ds' k (twice x e b) = true.
Proof.
  induction b; cbn [twice of_pit]; intros k H; auto.
  - cbn [grows] in H. apply andb_true_iff in H. destruct H as [H1 H2]. destruct (of_pit x b1) eqn:OP; cbn [grows].
    + destruct b1; try discriminate OP. destruct from; try discriminate OP. cbn [again grows allowed sows] in *. rewrite H1, new_loser, IHb2; auto.
    + rewrite H1, IHb2; auto.
  - destruct from; auto. match goal with |- context [if ?b then _ else _] => destruct b end; auto. cbn [grows again allowed sows] in *. rewrite H, new_loser; auto.
Qed.
End Insertion.

(** ** All sizes *)

(** [i] pits have been put in since the beginning of the round. *)
Record growing (i : nat) (F : family) : Prop := Grow {
  gr_laps : Forall (lap_ok (base F)) (laps (base F));
  gr_keepers : forall z, In z zs -> (z + i < npits (base F))%nat;
  gr_tidy : forall b, In b (map body (all F) ++ map does (rules_of (base F))) -> tidy (npits (base F)) b = true;
  gr_bodies : forall b, In b (map body (acts (base F)) ++ map does (rules_of (base F))) -> grows (doms (base F)) None b = true;
  gr_seams : forall s, In s (seams F) -> (sx s < npits (base F))%nat /\ (sy s < npits (base F))%nat;
  gr_templates : forall s a, In s (seams F) -> In a (templates s) -> grows (doms (base F)) None (put_stmt (sx s) (body a)) = true
}.

Lemma tidy_expr_ins N x e rel a : e = N -> tidy_expr N a = true -> tidy_expr (Datatypes.S N) (ins_expr x e rel a) = true.
Proof.
  intros E. induction a; cbn [tidy_expr ins_expr]; intros H; auto.
  - destruct l as [i|i|ps|t none]; cbn [ins_look]; auto; apply andb_true_iff in H; destruct H as [H1 H2]; rewrite IHa by auto; rewrite andb_true_r.
    + rewrite forallb_forall in *. intros q Q. unfold ins_set in Q. destruct (existsb (Nat.eqb x) ps); [destruct Q as [<-|Q]|].
      * apply Nat.ltb_lt. lia.
      * apply H1, Nat.ltb_lt in Q. apply Nat.ltb_lt. lia.
      * apply H1, Nat.ltb_lt in Q. apply Nat.ltb_lt. lia.
    + rewrite app_length. simpl. apply Nat.eqb_eq in H1. apply Nat.eqb_eq. lia.
  - apply andb_true_iff in H. destruct H. rewrite IHa1, IHa2; auto.
  - apply andb_true_iff in H. destruct H. rewrite IHa2, IHa3; auto.
Qed.
Lemma tidy_ins N x e rel b : e = N -> tidy N b = true -> tidy (Datatypes.S N) (ins_stmt x e rel b) = true.
Proof.
  intros E. induction b; cbn [tidy ins_stmt]; intros H; auto using tidy_expr_ins.
  - apply andb_true_iff in H. destruct H. rewrite IHb1, IHb2; auto.
  - apply andb_true_iff in H. destruct H. rewrite IHb, tidy_expr_ins; auto.
  - apply andb_true_iff in H. destruct H as [H ?]. apply andb_true_iff in H. destruct H. rewrite IHb1, IHb2, tidy_expr_ins; auto.
Qed.
Lemma tidy_expr_put N p a : tidy_expr N a = true -> tidy_expr N (put_expr p a) = true.
Proof.
  induction a; cbn [tidy_expr put_expr]; intros H; auto.
  - destruct l; auto; apply andb_true_iff in H; destruct H as [H1 H2]; rewrite H1, IHa; auto.
  - apply andb_true_iff in H. destruct H. rewrite IHa1, IHa2; auto.
  - apply andb_true_iff in H. destruct H. rewrite IHa2, IHa3; auto.
Qed.
Lemma tidy_put N p b : tidy N b = true -> tidy N (put_stmt p b) = true.
Proof.
  induction b; cbn [tidy put_stmt]; intros H; auto using tidy_expr_put.
  - apply andb_true_iff in H. destruct H. rewrite IHb1, IHb2; auto.
  - apply andb_true_iff in H. destruct H. rewrite IHb, tidy_expr_put; auto.
  - apply andb_true_iff in H. destruct H as [H ?]. apply andb_true_iff in H. destruct H. rewrite IHb1, IHb2, tidy_expr_put; auto.
Qed.
Lemma tidy_twice N x e b : tidy N b = true -> tidy N (twice x e b) = true.
Proof.
  induction b; cbn [tidy twice of_pit]; intros H; auto.
  - apply andb_true_iff in H. destruct H as [H1 H2]. destruct (of_pit x b1) eqn:OP; cbn [tidy]; rewrite ?H1, ?IHb2; auto.
    destruct b1; try discriminate OP. auto.
  - destruct from; auto. match goal with |- context [if ?b then _ else _] => destruct b end; auto.
Qed.

Lemma growing_larger i F s0 before after rel : growing i F -> In s0 (seams F) -> seams F = before ++ s0 :: after ->
  (forall t, loser (nth (sx s0) t (-1)) = true -> loser (rel t) = true) -> growing (Datatypes.S i) (widen before s0 after rel (base F)).
Proof.
  intros K IN SA RO. destruct (gr_seams i F K s0 IN) as [X Y]. set (S := base F) in *.
  assert (ZN: forallb (fun z => Nat.ltb z (npits S)) zs = true).
  { apply forallb_forall. intros z Q. apply (gr_keepers i F K) in Q. apply Nat.ltb_lt. unfold S. lia. }
  assert (LG: forall b k, known_below (npits S) k -> tidy (npits S) b = true -> grows (doms S) k b = true ->
    grows (ins_doms (sx s0) (npits S) (pitvar S) (doms S)) (option_map (ins_set (sx s0) (npits S)) k) (ins_stmt (sx s0) (npits S) rel b) = true).
  { intros b k. apply (grows_larger (npits S) (sx s0) (npits S) eq_refl X ZN rel RO). }
  assert (TD: forall b, In b (map body (all F) ++ map does (rules_of S)) -> tidy (npits S) b = true) by apply (gr_tidy i F K).
  constructor; cbn [base widen].
  - cbn [laps insert]. apply Forall_map. eapply Forall_impl; [|apply (gr_laps i F K)]. intros l (L1 & L2 & L3 & L4).
    destruct (table_ok S (sx s0) (sy s0) X Y _ L1 L3), (table_ok S (sx s0) (sy s0) X Y _ L2 L4). split; [|split; [|split]]; auto.
  - cbn [npits insert]. intros z Q. apply (gr_keepers i F K) in Q. unfold S. lia.
  - cbn [npits insert]. intros b Q. apply in_app_or in Q. destruct Q as [Q|Q]; apply in_map_iff in Q; destruct Q as (c & <- & Q).
    + apply (all_larger F s0 IN rel before after SA) in Q. destruct Q as (a & Q & E).
      assert (TA: tidy (npits S) (body a) = true) by (apply TD, in_or_app; left; apply in_map; auto).
      destruct E as [->| ->]; cbn [body ins_action put_action]; try apply tidy_put; apply tidy_ins; auto.
    + unfold rules_of in Q. cbn [rxs insert] in Q. rewrite (ins_rules F s0 rel) in Q. apply in_map_iff in Q. destruct Q as (v & <- & Q).
      cbn [does ins_rule]. apply tidy_twice, tidy_ins; auto. apply TD, in_or_app. right. apply in_map; auto.
  - intros b Q. apply in_app_or in Q. destruct Q as [Q|Q]; apply in_map_iff in Q; destruct Q as (c & <- & Q).
    + apply acts_larger in Q. destruct Q as [(a & Q & ->)|(a & Q & ->)]; cbn [body ins_action put_action doms insert].
      * apply (LG (body a) None); simpl; auto; [apply TD|apply (gr_bodies i F K)]; apply in_or_app; left; apply in_map; auto.
        unfold all. apply in_or_app; auto.
      * apply (grows_new (npits S) (sx s0) (npits S) eq_refl X ZN rel RO (pitvar S) (doms S) (body a) None); simpl; auto.
        -- apply TD, in_or_app. left. apply in_map. unfold all. apply in_or_app. right. apply in_flat_map. eauto.
        -- apply (gr_templates i F K s0 a IN Q).
    + unfold rules_of in Q. cbn [rxs insert] in Q. rewrite (ins_rules F s0 rel) in Q. apply in_map_iff in Q. destruct Q as (v & <- & Q).
      cbn [does ins_rule doms insert]. apply (grows_twice (npits S) (sx s0) (npits S) eq_refl X ZN). apply (LG (does v) None); simpl; auto;
        [apply TD|apply (gr_bodies i F K)]; apply in_or_app; right; apply in_map; auto.
  - intros s' Q. apply (seams_larger F s0 rel before after SA) in Q. destruct Q as (s & Q & -> & EY & _). destruct (gr_seams i F K s Q).
    cbn [npits insert]. fold S in H, H0. split; [lia|]. destruct EY as [->| ->]; fold S; lia.
  - intros s' a' Q IA. apply (seams_larger F s0 rel before after SA) in Q. destruct Q as (s & Q & -> & _ & ET). rewrite ET in IA.
    apply in_map_iff in IA. destruct IA as (a & <- & IA). cbn [body ins_action doms insert]. fold S.
    replace (put_stmt (sx s) (ins_stmt (sx s0) (npits S) rel (body a))) with (ins_stmt (sx s0) (npits S) rel (put_stmt (sx s) (body a))).
    + apply (LG (put_stmt (sx s) (body a)) None); simpl; auto; [apply tidy_put, TD, in_or_app; left; apply in_map|apply (gr_templates i F K s a Q IA)].
      unfold all. apply in_or_app. right. apply in_flat_map. eauto.
    + symmetry. apply (LawsSizes.put_ins F s0 rel).
Qed.

(** Relations lead from new pits to other new ones, or where they lead from x. *)
Lemma related_ok i F s : growing i F -> forall l t, loser (nth (sx s) t (-1)) = true -> loser (related (npits (base F)) i s l t) = true.
Proof.
  intros K l t H. unfold related. destruct (partner _ _ _ l) as [p|] eqn:P; auto.
  assert (B: Z.of_nat (npits (base F)) - Z.of_nat i <= p).
  { revert P. generalize (Z.of_nat (npits (base F)) - Z.of_nat i). induction l as [|w l IH]; intros n P; simpl in P; try discriminate.
    destruct ((nth (sx s) t (-1) =? Z.of_nat (sx w)) || (nth (sy s) t (-1) =? Z.of_nat (sx w))); [injection P as <-; lia|]. apply IH in P. lia. }
  unfold loser. destruct (Z.ltb_spec p 0); auto. simpl. apply negb_true_iff, not_true_iff_false. unfold keeper, within. rewrite existsb_set.
  intros Q. apply (gr_keepers i F K) in Q. lia.
Qed.
Lemma growing_from k : forall i F, growing i F -> exists j, growing j (widen_from i k F).
Proof.
  induction k as [|k IH]; intros i F K; cbn [widen_from]; eauto. destruct (nth_error (seams F) i) as [s|] eqn:E.
  - apply IH. pose proof (split_nth _ _ _ E) as SP. assert (IN: In s (seams F)) by (eapply nth_error_In; eauto).
    apply growing_larger; auto. apply related_ok; auto.
  - exists i. replace (widen_from (Datatypes.S i) k F) with F; auto. symmetry. apply nth_error_None in E. clear - E. revert i E.
    induction k as [|k IH]; intros i E; cbn [widen_from]; auto.
    destruct (nth_error (seams F) (Datatypes.S i)) eqn:N.
    + assert (nth_error (seams F) (Datatypes.S i) <> None) by congruence. apply nth_error_Some in H. lia.
    + apply IH. lia.
Qed.
Lemma growing_again i F : growing i F -> growing 0 F.
Proof. intros []. constructor; auto. intros z Q. apply gr_keepers0 in Q. lia. Qed.
Lemma growing_widened k : forall F, growing 0 F -> growing 0 (widened k F).
Proof.
  induction k as [|k IH]; intros F K; cbn [widened]; auto.
  destruct (growing_from (length (seams F)) 0 F K) as (j & H). apply IH. eapply growing_again; eauto.
Qed.

Lemma growing_sound F r : growing 0 F -> Shape.sound (with_ranges r (base F)) = true.
Proof.
  intros K. unfold Shape.sound. apply forallb_forall. intros l J. pose proof (gr_laps 0 F K) as L. rewrite Forall_forall in L.
  destruct (L l J) as (_ & _ & R & _). rewrite Forall_forall in R. apply forallb_forall. intros z Q. apply R in Q.
  unfold in_range_or_none in Q. apply Z.ltb_lt. exact (proj2 Q).
Qed.

(** On every board of the family the pits lose nothing by any step. *)
Theorem growing_in_all F : growing 0 F -> forall k ranges meant e f, says f = true ->
  Claims.every_step (with_ranges ranges (instance F k)) meant e f.
Proof.
  intros K k r meant e f SF s a u R _ IA _ ST. pose proof (growing_widened k F K) as KK.
  pose proof (growing_sound _ r KK) as SD. assert (W: wf (with_ranges r (instance F k)) s) by (apply Shape.reach_wf; auto).
  assert (NL: no_less (seeds s) (seeds u)).
  { apply (step_no_less (with_ranges r (instance F k)) SD) with (a := a); auto. intros b Q. apply (gr_bodies 0 _ KK). exact Q. }
  destruct W as (W1 & W2 & _). destruct (says_ok (laps (instance F k)) (claim_env (with_ranges r (instance F k)) 0 [] (Some (enter s (mover s) 0)))
    (enter u (mover u) 0) (enter s (mover s) 0) f) as (v & V & Z0); auto.
  - cbn [cells enter]. intros z Q. assert (L: (z < length (seeds s))%nat).
    { rewrite W1. cbn [npits with_ranges]. unfold keeper, within in Q. apply existsb_set in Q. apply (gr_keepers 0 _ KK) in Q. fold (instance F k) in Q. lia. }
    rewrite Forall_forall in W2. destruct (W2 (nth z (seeds s) No)) as (b & B & _). apply nth_In; auto. eauto.
  - exists O, v. split; auto.
Qed.

(** ** The check *)

Definition check_growing (F : family) : bool :=
  let S := base F in
  forallb (lap_b (npits S)) (laps S) && forallb (fun z => Nat.ltb z (npits S)) zs &&
  forallb (tidy (npits S)) (map body (all F) ++ map does (rules_of S)) &&
  forallb (grows (doms S) None) (map body (acts S) ++ map does (rules_of S)) &&
  forallb (fun s => Nat.ltb (sx s) (npits S) && Nat.ltb (sy s) (npits S) &&
    forallb (fun a => grows (doms S) None (put_stmt (sx s) (body a))) (templates s)) (seams F).

Theorem check_growing_ok F : check_growing F = true -> growing 0 F.
Proof.
  unfold check_growing. rewrite !andb_true_iff, !forallb_forall. intros ((((C1 & C2) & C3) & C4) & C5). constructor; auto.
  - apply Forall_forall. intros l J. apply C1 in J. unfold lap_b in J. rewrite !andb_true_iff, !Nat.eqb_eq in J.
    destruct J as (((I1 & I2) & I3) & I4). split; [|split; [|split]]; auto; apply ranges_sound; auto.
  - intros z Q. apply C2, Nat.ltb_lt in Q. lia.
  - intros s Q. apply C5 in Q. rewrite !andb_true_iff, !Nat.ltb_lt in Q. tauto.
  - intros s a Q IA. apply C5 in Q. rewrite !andb_true_iff, forallb_forall in Q. apply Q; auto.
Qed.
End Growing.

Theorem check_growing_every_step zs F f : check_growing zs F && says zs f = true ->
  forall k ranges meant e, Claims.every_step (with_ranges ranges (instance F k)) meant e f.
Proof. rewrite andb_true_iff. intros [C SF] k r meant e. apply (growing_in_all zs); auto. apply check_growing_ok; auto. Qed.

(** The same of a single System. *)
Theorem check_growing_alone zs S f : check_growing zs (Fam S []) && says zs f = true -> forall meant e, Claims.every_step S meant e f.
Proof.
  intros C meant e. pose proof (check_growing_every_step zs (Fam S []) f C 0 (ranges S) meant e) as H.
  destruct S. exact H.
Qed.
Print Assumptions check_growing_every_step.

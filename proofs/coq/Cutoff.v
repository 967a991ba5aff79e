(** One theorem for all sizes.

    A family is a System and some seams: neighbouring pits x, y of a stretch of the board, between
    which pits can be put, with templates of the actions that each such pit brings. [instance F k] is
    the System with k pits more at each seam. If a set T of states with empty seams is closed under
    predecessors in the System of the family, and the rules say nothing that depends on how long a
    stretch is ([ok]), then the same set, with empty pits put in, is closed in each instance; and so
    no instance reaches what T contains ([unreachable_in_all]). *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Insert.
From Mancheck Require Shape Order.
Import Order(cle).
Import ListNotations.
Open Scope Z_scope.

(** ** States known in part *)

Definition covers (t s : state) : Prop :=
  Forall2 cle (seeds t) (seeds s) /\ Forall2 cle (vars t) (vars s) /\ mover t = mover s /\ outcome t = outcome s.
Definition covered (T : list state) (s : state) : Prop := exists t, In t T /\ covers t s.

(** No step leads into T from outside. *)
Definition closed (S : system) (T : list state) : Prop :=
  forall s a u, wf S s -> In a (acts S) -> step S a s u -> covered T u -> covered T s.

(** ** Families *)

Record seam := Seam { sx : nat; sy : nat; templates : list action }.
Record family := Fam { base : system; seams : list seam }.

Definition widen_seam (x e : nat) (rel : list Z -> Z) (s : seam) : seam :=
  Seam (sx s) (sy s) (map (ins_action x e rel) (templates s)).
Definition widen (before : list seam) (s : seam) (after : list seam) (rel : list Z -> Z) (S : system) : family :=
  let e := npits S in
  Fam (insert (sx s) (sy s) rel (templates s) S)
    (map (widen_seam (sx s) e rel) before ++
     Seam (sx s) e (map (ins_action (sx s) e rel) (templates s)) :: map (widen_seam (sx s) e rel) after).

(** What a relation with the table t leads to from the pit that is put in at the i-th seam, when the
    board has n pits: where it leads from x or y to the first pit of a seam, to the pit that is put
    in there in the same round. Otherwise where it leads to from x. *)
Fixpoint partner (n : Z) (x y : Z) (seams : list seam) : option Z :=
  match seams with
  | [] => None
  | s :: l => if (x =? Z.of_nat (sx s)) || (y =? Z.of_nat (sx s)) then Some n else partner (n + 1) x y l
  end.
Definition related (n i : nat) (s : seam) (l : list seam) (t : list Z) : Z :=
  match partner (Z.of_nat n - Z.of_nat i) (nth (sx s) t (-1)) (nth (sy s) t (-1)) l with
  | Some p => p
  | None => nth (sx s) t (-1)
  end.

(** One pit more at each of the seams from the i-th one on. *)
Fixpoint widen_from (i k : nat) (F : family) : family :=
  match k with
  | O => F
  | S k => widen_from (S i) k
      (match nth_error (seams F) i with
       | Some s => widen (firstn i (seams F)) s (skipn (S i) (seams F)) (related (npits (base F)) i s (seams F)) (base F)
       | None => F
       end)
  end.
Fixpoint widened (k : nat) (F : family) : family :=
  match k with O => F | S k => widened k (widen_from 0 (length (seams F)) F) end.

(** The ranges of open parameters may depend on the size: they have no part in the proof. *)
Definition with_ranges (r : list (Z * option Z)) (S : system) : system :=
  Sys (players S) (npits S) (laps S) (doms S) (inits S) (pitvar S) (free S) r (setup S) (first S)
    (acts S) (rxs S) (outcomes S) (scores S).
Definition instance (F : family) (k : nat) : system := base (widened k F).

(** ** What is demanded of the rules *)

(** A conjunct that says that variable v is a certain pit, or none. *)
Fixpoint fixes (v N : nat) (a : expr) : bool :=
  match a with
  | And a b => fixes v N a || fixes v N b
  | Bin Eq (Var i) (Const c) => Nat.eqb i v && (c <? Z.of_nat N)
  | _ => false
  end.
(** The body begins with a sowing from variable v. *)
Fixpoint sows_from (v : nat) (b : stmt) : bool :=
  match b with
  | Seq a _ => sows_from v a
  | Sow (Var i) _ _ [] _ AfterSource _ => Nat.eqb i v
  | _ => false
  end.
Definition pinned (v N : nat) (a : action) : bool := fixes v N (guard a) || sows_from v (body a).

(** The body of a template begins with a sowing from its pit, *)
Fixpoint sows_pit (b : stmt) : bool :=
  match b with
  | Seq a _ => sows_pit a
  | Sow (Param _) _ _ [] _ AfterSource _ => true
  | _ => false
  end.
(** or does nothing but name it in a variable. *)
Definition names_pit (b : stmt) : option nat :=
  match b with Set_ (ToVar v) (Param _) => Some v | _ => None end.

Fixpoint unset (v : nat) (b : stmt) : bool :=
  match b with
  | Seq a b | If _ a b => unset v a && unset v b
  | Set_ (ToVar i) _ => negb (Nat.eqb i v)
  | Skip | Stop _ | Set_ ToNext _ | Set_ (ToLocal _) _ => true
  | _ => false
  end.
Fixpoint at_least_one (x : nat) (a : expr) : bool :=
  match a with
  | And a b => at_least_one x a || at_least_one x b
  | Bin Ge (Pit i) (Const c) => Nat.eqb i x && (1 <=? c)
  | _ => false
  end.
Fixpoint no_stop (g : Z) (b : stmt) : bool :=
  match b with
  | Seq a b | If _ a b => no_stop g a && no_stop g b
  | Stop o => negb (o =? g)
  | _ => true
  end.

(** The first state of a System that was won: the pits that are known are empty, and nothing else is
    known. *)
Definition blank (g : Z) (t : state) : bool :=
  forallb (fun c => match c with Un => true | Kn z => z =? 0 | No => false end) (seeds t) &&
  forallb (fun c => match c with Un => true | _ => false end) (vars t) &&
  (mover t =? -1) && (outcome t =? g).
Definition known_in (l : list cell) (ps : list nat) : bool :=
  forallb (fun i => match nth i l No with Kn _ => existsb (Nat.eqb i) ps | _ => true end) (seq 0 (length l)).
Definition ends_blank (g : Z) (t : state) (u : rule) : bool :=
  no_stop g (does u) ||
  match when u, does u with
  | Bin Eq (Sum ps) (Const 0), Stop _ => known_in (seeds t) ps
  | _, _ => false
  end.

Definition all (F : family) : list action := acts (base F) ++ flat_map templates (seams F).
Definition rules_of (S : system) : list rule := flat_map per (rxs S).

Record ok (F : family) (T : list state) (g : Z) : Prop := Ok {
  o_laps : Forall (lap_ok (base F)) (laps (base F));
  o_doms : forall i, nth i (pitvar (base F)) false = true -> Forall (in_range_or_none (base F)) (nth i (doms (base F)) []);
  o_rules : forall u, In u (rules_of (base F)) ->
    plainly (npits (base F)) (pitvar (base F)) (when u) = true /\ quiet (npits (base F)) (pitvar (base F)) (does u) = true;
  o_seams : forall s, In s (seams F) -> (sx s < npits (base F))%nat /\ (sy s < npits (base F))%nat;
  o_acts : forall a, In a (all F) ->
    plainly (npits (base F)) (pitvar (base F)) (guard a) = true /\
    one (npits (base F)) (laps (base F)) (pitvar (base F)) (body a) = true /\
    forall s, In s (seams F) -> takes (sx s) (body a) = true /\ takes (sy s) (body a) = true;
  o_pinned : forall s i a, In s (seams F) -> nth i (pitvar (base F)) false = true ->
    In (Z.of_nat (sx s)) (nth i (doms (base F)) []) -> In a (all F) -> pinned i (npits (base F)) a = true;
  o_templates : forall s a, In s (seams F) -> In a (templates s) -> sows_pit (body a) = true \/
    exists v, names_pit (body a) = Some v /\ (v < length (doms (base F)))%nat /\
      (forall u, In u (rules_of (base F)) -> unset v (does u) = true) /\
      forall t, In t T -> (exists z, nth v (vars t) No = Kn z /\ z < Z.of_nat (npits (base F))) \/
        exists t0, In t0 T /\ Forall2 cle (seeds t0) (seeds t) /\ Forall (eq Un) (vars t0) /\
          length (vars t0) = length (vars t) /\ mover t0 = who a /\ outcome t0 = -1;
  o_states : forall t, In t T -> length (seeds t) = npits (base F) /\
    forall s, In s (seams F) -> nth (sx s) (seeds t) No = Kn 0 /\ nth (sy s) (seeds t) No = Kn 0;
  o_starts : exists s, In s (seams F) /\ at_least_one (sx s) (setup (base F)) = true;
  o_goal : g <> -1 /\ (forall a, In a (all F) -> no_stop g (body a) = true) /\
    exists t, In t T /\ blank g t = true /\ length (vars t) = length (doms (base F)) /\
      forall u, In u (rules_of (base F)) -> ends_blank g t u = true
}.

(** The states of T with an empty pit more. *)
Definition wider (t : state) : state := St (seeds t ++ [Kn 0]) (vars t) (mover t) (outcome t).

(** ** Turns *)

Section Turn.
Variable F : family.
Variable T : list state.
Variable g : Z.
Hypothesis K : ok F T g.
Notation S := (base F).
Notation N := (npits S).
Notation pv := (pitvar S).

(** The board stays as it is while the reactions are evaluated. *)
Lemma settle_keeps M p rounds rs : (forall u, In u (flat_map per rs) -> quiet M p (does u) = true) ->
  forall S' ended s, match settle S' rounds ended rs s with On q | Fin q => cells q = seeds s | _ => True end.
Proof.
  intros Q S' ended. induction rs as [|r rs IH]; intros s; cbn [settle]; auto.
  assert (Q': forall u, In u (flat_map per rs) -> quiet M p (does u) = true).
  { intros u I. apply Q. simpl. apply in_or_app; auto. }
  specialize (IH Q'). destruct (turn r && negb ended); [apply IH|].
  destruct (nth_error (per r) (Z.to_nat (mover s))) as [u|] eqn:E; [|apply IH].
  destruct (eval S' _ _ (when u)); simpl; auto. destruct (nz z); [|apply IH].
  assert (QU: quiet M p (does u) = true). { apply Q. simpl. apply in_or_app. left. eapply nth_error_In; eauto. }
  pose proof (quiet_keeps rounds M p (laps S') (doms S') (rules_env S' rounds) (players S') (endless S') (does u)
    (enter s (mover s) (rlocals u)) QU) as KC. fold (exec S' rounds) in KC. unfold exec.
  destruct (ex _ _ _ _ _ _ (does u) _); auto. specialize (IH (moved (leave r0) (next r0))).
  destruct (settle S' rounds ended rs _); auto; simpl in *; congruence.
Qed.

Variable s0 : seam.
Hypothesis s0_in : In s0 (seams F).
Variable rel : list Z -> Z.
Notation x := (sx s0).
Notation y := (sy s0).
Notation e := (npits S).
Notation S' := (insert (sx s0) (sy s0) rel (templates s0) S).

Definition xN : (x < N)%nat := proj1 (o_seams F T g K s0 s0_in).
Definition yN : (y < N)%nat := proj2 (o_seams F T g K s0 s0_in).
Notation good := (good S x y).
Notation grows := (grows).

Definition sgood (s : state) : Prop :=
  length (seeds s) = N /\ forall i, nth i pv false = true -> pit_or_none S (nth i (vars s) No).
Lemma good_enter s k l : sgood s -> good (enter s k l).
Proof. intros [L V]. constructor; simpl; auto. left; auto. Qed.
Lemma good_leave r m : good r -> sgood (moved (leave r) m).
Proof. intros [L _ _ V]. split; auto. Qed.
Lemma grow_enter s k l : enter (wider s) k l = grow (enter s k l).
Proof. reflexivity. Qed.
Lemma grow_leave r m : moved (leave (grow r)) m = wider (moved (leave r) m).
Proof. reflexivity. Qed.

Lemma no_params rounds rounds' : params (rules_env S rounds) = [] /\ params (rules_env S' rounds') = [].
Proof. split; reflexivity. Qed.

Lemma twice_same b : quiet N pv b = true -> twice x e (ins_stmt x e rel b) = ins_stmt x e rel b.
Proof. intros Q. apply (twice_quiet S x (Datatypes.S N) pv). apply (quiet_ins S x y xN yN rel); auto. Qed.

Lemma settle_grow rounds ended rs : (forall u, In u (flat_map per rs) -> plainly N pv (when u) = true /\ quiet N pv (does u) = true) ->
  forall s, sgood s -> settle S' rounds ended (map (ins_reaction x e rel) rs) (wider s) = grows (settle S rounds ended rs s) /\
    ogood S x y (settle S rounds ended rs s).
Proof.
  intros Q. induction rs as [|r rs IH]; intros s G; cbn [map settle].
  - split; auto. apply good_enter; auto.
  - assert (Q': forall u, In u (flat_map per rs) -> plainly N pv (when u) = true /\ quiet N pv (does u) = true).
    { intros u I. apply Q. simpl. apply in_or_app; auto. }
    specialize (IH Q'). cbn [turn per ins_reaction]. destruct (turn r && negb ended); [apply IH; auto|].
    change (mover (wider s)) with (mover s). rewrite nth_error_map.
    destruct (nth_error (per r) (Z.to_nat (mover s))) as [u|] eqn:E; cbn [option_map]; [|apply IH; auto].
    assert (QU: plainly N pv (when u) = true /\ quiet N pv (does u) = true).
    { apply Q. simpl. apply in_or_app. left. eapply nth_error_In; eauto. }
    destruct QU as [QW QD]. cbn [when does rlocals ins_rule]. rewrite !grow_enter.
    unfold eval. change (laps S') with (map (ins_lap x y e) (laps S)).
    rewrite (ev_grow S x y xN yN (o_laps F T g K) rel (rules_env S rounds) (rules_env S' rounds) (no_params _ _)) by (auto; apply good_enter; auto).
    destruct (ev (laps S) (rules_env S rounds) _ (when u)); simpl; auto. destruct (nz z); [|apply IH; auto].
    unfold exec. change (laps S') with (map (ins_lap x y e) (laps S)).
    change (doms S') with (ins_doms x e pv (doms S)). change (players S') with (players S). change (endless S') with (endless S).
    destruct (quiet_grow S x y xN yN (o_laps F T g K) rel (rules_env S rounds) (rules_env S' rounds) (no_params _ _) rounds (does u)
      (enter s (mover s) (rlocals u))) as [E1 G1]; auto. apply good_enter; auto.
    rewrite twice_same by auto.
    rewrite E1. destruct (ex _ _ _ _ _ _ (does u) _) as [r0|r0| | |]; simpl in G1 |- *; auto.
    rewrite grow_leave. apply IH. apply good_leave; auto.
Qed.

Definition all_rules : forall u, In u (flat_map per (rxs S)) -> plainly N pv (when u) = true /\ quiet N pv (does u) = true := o_rules F T g K.

(** Ranks are not set by what is allowed. *)
Lemma quiet_unranked M p b : quiet M p b = true -> sets_rank b = false.
Proof.
  induction b; cbn [quiet sets_rank]; intros H; try discriminate; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
  - destruct to; try discriminate; auto.
  - apply andb_true_iff in H; destruct H as [H ?]. apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
Qed.
Lemma one_unranked M l p b : one M l p b = true -> sets_rank b = false.
Proof.
  induction b; cbn [one]; intros H; apply orb_true_iff in H; (destruct H as [H|H]; [eapply quiet_unranked; eauto|]); try discriminate; cbn [sets_rank].
  - apply orb_true_iff in H. destruct H as [H|H]; apply andb_true_iff in H; destruct H as [H1 H2];
      [rewrite (quiet_unranked _ _ _ H1), IHb2|rewrite IHb1, (quiet_unranked _ _ _ H2)]; auto.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate. auto.
  - apply andb_true_iff in H; destruct H as [H ?]. apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
Qed.
Lemma unranked S1 : (forall a, In a (acts S1) -> sets_rank (body a) = false) -> ranked S1 = false.
Proof.
  intros H. unfold ranked. apply not_true_iff_false. rewrite existsb_exists. intros (a & I & E). rewrite H in E by auto. discriminate.
Qed.

Lemma in_all_acts a : In a (acts S) -> In a (all F).
Proof. intros; unfold all; apply in_or_app; auto. Qed.
Lemma in_all_templates a : In a (templates s0) -> In a (all F).
Proof. intros; unfold all; apply in_or_app; right. apply in_flat_map. exists s0; auto. Qed.

Lemma larger_allowed a : In a (all F) ->
  plainly (Datatypes.S N) pv (ins_expr x e rel (guard a)) = true /\
  one (Datatypes.S N) (map (ins_lap x y e) (laps S)) pv (ins_stmt x e rel (body a)) = true /\
  takes x (ins_stmt x e rel (body a)) = true /\ takes y (ins_stmt x e rel (body a)) = true /\ takes e (ins_stmt x e rel (body a)) = true.
Proof.
  intros I. destruct (o_acts F T g K a I) as (P & O & Q). destruct (Q s0 s0_in) as [TX TY].
  pose proof xN as X. pose proof yN as Y. split; [|split; [|split; [|split]]].
  - eapply plainly_ins; eauto.
  - apply one_ins; auto. apply (o_laps F T g K).
  - apply takes_ins; auto. lia.
  - apply takes_ins; auto. lia.
  - eapply takes_new; eauto.
Qed.
Lemma acts_larger a' : In a' (acts S') ->
  (exists a, In a (acts S) /\ a' = ins_action x e rel a) \/
  (exists a, In a (templates s0) /\ a' = put_action e (ins_action x e rel a)).
Proof.
  cbn [acts insert]. intros I. apply in_app_or in I. destruct I as [I|I]; apply in_map_iff in I; destruct I as (a & E & J); eauto.
Qed.
Lemma acts_allowed a' : In a' (acts S') ->
  one (Datatypes.S N) (map (ins_lap x y e) (laps S)) pv (body a') = true /\
  takes x (body a') = true /\ takes y (body a') = true /\ takes e (body a') = true.
Proof.
  intros I. apply acts_larger in I. destruct I as [(a & J & ->)|(a & J & ->)]; cbn [body ins_action put_action].
  - apply in_all_acts, larger_allowed in J. tauto.
  - apply in_all_templates, larger_allowed in J. destruct J as (_ & O & X & Y & E). rewrite !takes_put.
    split; auto. apply one_put; auto; lia.
Qed.
Lemma base_unranked : ranked S = false.
Proof. apply unranked. intros a I. destruct (o_acts F T g K a (in_all_acts a I)) as (_ & O & _). eapply one_unranked; eauto. Qed.
Lemma larger_unranked : ranked S' = false.
Proof. apply unranked. intros a I. apply acts_allowed in I. eapply one_unranked; apply I. Qed.

Lemma ins_rules rs : flat_map per (map (ins_reaction x e rel) rs) = map (ins_rule x e rel) (flat_map per rs).
Proof. induction rs as [|r rs IH]; simpl; auto. rewrite IH, map_app; auto. Qed.
Lemma larger_quiet : forall u, In u (flat_map per (rxs S')) -> quiet (Datatypes.S N) pv (does u) = true.
Proof.
  cbn [rxs insert]. rewrite ins_rules. intros u I. apply in_map_iff in I. destruct I as (v & <- & J).
  cbn [does ins_rule]. apply all_rules in J. rewrite twice_same by apply J. apply (quiet_ins S x y xN yN rel). apply J.
Qed.

(** The boards after an action are those after its body. *)
Lemma conclude_cells M p S1 rounds s o q : (forall u, In u (flat_map per (rxs S1)) -> quiet M p (does u) = true) ->
  at_end (conclude S1 rounds s o) q -> exists m, at_end o m /\ cells m = cells q.
Proof.
  intros Q A. destruct o as [m|m| | |]; cbn [conclude] in A; try (destruct A; discriminate).
  - exists m. split; [left; auto|].
    pose proof (settle_keeps M p rounds (rxs S1) Q S1 (negb (next m =? mover s) || Nat.eqb (players S1) 1) (moved (leave m) (next m))) as KC.
    destruct A as [A|A]; rewrite A in KC; rewrite KC; auto.
  - exists m. split; [right; auto|]. destruct A as [A|A]; try discriminate. injection A as ->; auto.
Qed.
Lemma act_conclude S1 rounds a s : ranked S1 = false -> act S1 rounds a s = conclude S1 rounds s (pass S1 rounds (rules_env S1 rounds) a s).
Proof. intros R. unfold act. rewrite R. auto. Qed.
Lemma base_quiet : forall u, In u (flat_map per (rxs S)) -> quiet N pv (does u) = true.
Proof. intros u I. apply all_rules in I. tauto. Qed.

Notation empty := (empty S x y).

(** A step of the larger System that leaves x, y and e empty, from a state in which e is empty and no
    variable names it, is one of the smaller System. *)
Lemma act_shrinks rounds a s out q : In a (acts S) -> sgood s -> Forall counts (seeds s) ->
  act S' rounds (ins_action x e rel a) (wider s) = out -> at_end out q -> empty q ->
  out = grows (act S rounds a s) /\ ogood S x y (act S rounds a s).
Proof.
  intros I G C H A Q. rewrite act_conclude in H by apply larger_unranked. rewrite act_conclude by apply base_unranked.
  subst out. destruct (conclude_cells _ _ _ _ _ _ _ larger_quiet A) as (m & AM & CM).
  assert (EM: empty m). { unfold Insert.empty in *. rewrite CM. exact Q. }
  destruct (o_acts F T g K a (in_all_acts a I)) as (PG & OB & TK). destruct (TK s0 s0_in) as [TX TY].
  assert (E: pass S' rounds (rules_env S' rounds) (ins_action x e rel a) (wider s) = grows (pass S rounds (rules_env S rounds) a s) /\
    ogood S x y (pass S rounds (rules_env S rounds) a s)).
  { unfold pass in AM |- *. change (live (wider s)) with (live s) in AM |- *. change (mover (wider s)) with (mover s) in AM |- *.
    cbn [who ins_action alocals guard body] in AM |- *. destruct (live s && (who a =? mover s)); [|simpl; auto].
    change (players S') with (players S) in AM |- *. rewrite grow_enter in AM |- *.
    unfold eval, exec in AM |- *. change (laps S') with (map (ins_lap x y e) (laps S)) in AM |- *.
    change (doms S') with (ins_doms x e pv (doms S)) in AM |- *. change (endless S') with (endless S) in AM |- *.
    assert (GE: good (enter s ((mover s + 1) mod Z.of_nat (players S)) (alocals a))) by (apply good_enter; auto).
    rewrite (ev_grow S x y xN yN (o_laps F T g K) rel (rules_env S rounds) (rules_env S' rounds) (no_params _ _)) in AM |- * by auto.
    destruct (ev (laps S) (rules_env S rounds) _ (guard a)); cbn [bindo] in AM |- *; [|simpl; auto|simpl; auto].
    destruct (nz z); [|simpl; auto].
    eapply (one_grow S x y xN yN (o_laps F T g K) rel (rules_env S rounds) (rules_env S' rounds) (no_params _ _) rounds (body a)); eauto. }
  destruct E as [E GP]. rewrite E. destruct (pass S rounds (rules_env S rounds) a s) as [r|r| | |]; cbn [grows conclude ogood] in GP |- *; auto.
  change (next (grow r)) with (next r). rewrite grow_leave. change (players S') with (players S). change (mover (wider s)) with (mover s).
  apply settle_grow. apply all_rules. apply good_leave; auto.
Qed.

(** The new pit was empty before, if it, x and y are afterwards. *)
Lemma was_empty rounds a s q : In a (acts S') -> Forall counts (seeds s) -> length (seeds s) = Datatypes.S N ->
  at_end (act S' rounds a s) q -> empty q -> nth e (seeds s) No = Kn 0.
Proof.
  intros I C L A Q. rewrite act_conclude in A by apply larger_unranked.
  destruct (conclude_cells _ _ _ _ _ _ _ larger_quiet A) as (m & AM & CM).
  assert (EM: empty m). { unfold Insert.empty in *. rewrite CM. exact Q. }
  destruct (acts_allowed a I) as (OB & TX & TY & TE).
  unfold pass in AM. destruct (live s && (who a =? mover s)); [|destruct AM; discriminate].
  destruct (eval S' _ _ (guard a)); cbn [bindo] in AM; try (destruct AM; discriminate).
  destruct (nz z); [|destruct AM; discriminate].
  change (seeds s) with (cells (enter s ((mover s + 1) mod Z.of_nat (players S')) (alocals a))).
  eapply (new_pit_empty S x y xN yN (o_laps F T g K) (rules_env S' rounds) rounds (body a)); eauto.
Qed.

(** Who sows from an empty pit makes no step. *)
Lemma sow_empty S1 n1 rounds src c l o d p r q :
  eval S1 n1 r src = V p -> get No (cells r) p = Kn 0 ->
  ~ at_end (ex (laps S1) (doms S1) (players S1) (endless S1) rounds n1 (Sow src c l [] o AfterSource d) r) q.
Proof.
  unfold eval. intros E Z0 A. cbn [ex] in A. rewrite E in A. cbn [bindo] in A.
  destruct (negb (is_pit r p)); [destruct A; discriminate|]. destruct (nth_error (laps S1) l); [|destruct A; discriminate].
  cbn [beginning skips] in A. change (cells (set_origin r (Kn p))) with (cells r) in A. rewrite Z0 in A. cbn [rd bindo] in A.
  unfold counted in A. destruct c as [c|]; cbn [amount] in A.
  - destruct (ev _ _ _ c); cbn [bindo] in A; try (destruct A; discriminate).
    destruct ((z <? 1) || (0 <? z)) eqn:B; [destruct A; discriminate|]. apply orb_false_iff in B. destruct B as [B1 B2].
    apply Z.ltb_ge in B1, B2. lia.
  - destruct A; discriminate.
Qed.
Lemma seq_end S1 n1 rounds a b r q : at_end (ex (laps S1) (doms S1) (players S1) (endless S1) rounds n1 (Seq a b) r) q ->
  exists m, at_end (ex (laps S1) (doms S1) (players S1) (endless S1) rounds n1 a r) m.
Proof.
  cbn [ex]. intros A. destruct (ex _ _ _ _ _ _ a r) as [m|m| | |]; simpl in A; try (destruct A; discriminate).
  - exists m; left; auto.
  - exists m; right; auto.
Qed.
Lemma sows_from_empty S1 n1 rounds v b : sows_from v b = true -> forall r p q,
  nth v (values r) No = Kn p -> get No (cells r) p = Kn 0 ->
  ~ at_end (ex (laps S1) (doms S1) (players S1) (endless S1) rounds n1 b r) q.
Proof.
  induction b; cbn [sows_from]; intros H r p q V Z0 A; try discriminate.
  - apply seq_end in A. destruct A as (m & A). eapply IHb1; eauto.
  - destruct source; try discriminate. destruct skip; try discriminate. destruct from; try discriminate.
    apply Nat.eqb_eq in H. subst i. eapply sow_empty; [|exact Z0|exact A]. unfold eval. simpl. rewrite V; auto.
Qed.
Lemma sows_put_empty S1 n1 rounds p b : sows_pit b = true -> forall r q,
  nth p (cells r) No = Kn 0 ->
  ~ at_end (ex (laps S1) (doms S1) (players S1) (endless S1) rounds n1 (put_stmt p b) r) q.
Proof.
  induction b; cbn [sows_pit]; intros H r q Z0 A; try discriminate.
  - cbn [put_stmt] in A. apply seq_end in A. destruct A as (m & A). eapply IHb1; eauto.
  - destruct source; try discriminate. destruct skip; try discriminate. destruct from; try discriminate.
    cbn [put_stmt put_expr map put_begin] in A. eapply (sow_empty S1 n1 rounds (Const (Z.of_nat p))); [reflexivity| |exact A].
    unfold get. destruct (Z.ltb_spec (Z.of_nat p) 0); [lia|]. rewrite Nat2Z.id. auto.
Qed.

(** A guard that fixes a variable does not hold of another value. *)
Lemma fixes_false S1 n1 v M a r z : fixes v M a = true -> nth v (values r) No = Kn z -> Z.of_nat M <= z ->
  forall w, eval S1 n1 r a = V w -> nz w = false.
Proof.
  unfold eval. induction a; cbn [fixes]; intros H V Z0 w E; try discriminate.
  - apply orb_true_iff in H. cbn [ev] in E. apply bind_V in E. destruct E as (u & E1 & E2). destruct H as [H|H].
    + rewrite (IHa1 H V Z0 u E1) in E2. injection E2 as <-; auto.
    + destruct (nz u); [|injection E2 as <-; auto]. apply bind_V in E2. destruct E2 as (t & E2 & E3).
      rewrite (IHa2 H V Z0 t E2) in E3. injection E3 as <-; auto.
  - destruct o; try discriminate. destruct a1; try discriminate. destruct a2; try discriminate.
    apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. subst i. apply Z.ltb_lt in H2.
    cbn [ev] in E. rewrite V in E. cbn [rd bind apply] in E. injection E as <-.
    destruct (Z.eqb_spec z z0); auto. lia.
Qed.

(** An action that pins a variable makes no step where the variable names a pit that is empty and not
    of the smaller System. *)
Lemma pinned_stops S1 rounds v M a s z q : ranked S1 = false -> fixes v M (guard a) || sows_from v (body a) = true ->
  (forall u, In u (flat_map per (rxs S1)) -> quiet (Datatypes.S N) pv (does u) = true) ->
  nth v (vars s) No = Kn z -> Z.of_nat M <= z -> get No (seeds s) z = Kn 0 -> ~ at_end (act S1 rounds a s) q.
Proof.
  intros R P Q V Z0 Z1 A. rewrite act_conclude in A by auto.
  destruct (conclude_cells _ _ _ _ _ _ _ Q A) as (m & AM & _). clear A.
  unfold pass in AM. destruct (live s && (who a =? mover s)); [|destruct AM; discriminate].
  destruct (eval S1 _ _ (guard a)) as [w| |] eqn:E; cbn [bindo] in AM; try (destruct AM; discriminate).
  destruct (nz w) eqn:W; [|destruct AM; discriminate].
  apply orb_true_iff in P. destruct P as [P|P].
  - assert (W2: nz w = false) by (eapply fixes_false; [exact P| |exact Z0|exact E]; exact V).
    rewrite W2 in W. discriminate.
  - eapply (sows_from_empty S1 _ rounds v (body a) P _ z); [| |exact AM]; [exact V|exact Z1].
Qed.
Lemma fixes_ins v M a : fixes v M (ins_expr x e rel a) = fixes v M a.
Proof.
  induction a; cbn [fixes ins_expr]; auto; try congruence.
  destruct o; auto. destruct a1; auto. destruct a2; auto.
Qed.
Lemma fixes_put p v M a : fixes v M a = true -> fixes v M (put_expr p a) = true.
Proof.
  induction a; cbn [fixes put_expr]; auto; intros H; try discriminate.
  - apply orb_true_iff in H. apply orb_true_iff. tauto.
  - destruct o; try discriminate. destruct a1; try discriminate. destruct a2; try discriminate. auto.
Qed.
Lemma sows_from_ins v b : sows_from v (ins_stmt x e rel b) = sows_from v b.
Proof.
  induction b; cbn [sows_from ins_stmt]; auto. destruct source; auto. destruct skip; auto. destruct from; auto.
Qed.
Lemma sows_from_put p v b : sows_from v b = true -> sows_from v (put_stmt p b) = true.
Proof.
  induction b; cbn [sows_from put_stmt]; auto. intros H. destruct source; try discriminate. destruct skip; try discriminate.
  destruct from; try discriminate. auto.
Qed.
Lemma sows_pit_ins b : sows_pit (ins_stmt x e rel b) = sows_pit b.
Proof.
  induction b; cbn [sows_pit ins_stmt]; auto. destruct source; auto. destruct skip; auto. destruct from; auto.
Qed.

(** In the larger System the same actions are pinned. *)
Lemma pinned_larger a' i : In a' (acts S') -> nth i pv false = true -> In (Z.of_nat x) (nth i (doms S) []) -> pinned i N a' = true.
Proof.
  intros I P D. apply acts_larger in I. destruct I as [(a & J & ->)|(a & J & ->)].
  - apply in_all_acts in J. pose proof (o_pinned F T g K s0 i a s0_in P D J) as H.
    unfold pinned in *. cbn [guard body ins_action]. rewrite fixes_ins, sows_from_ins; auto.
  - apply in_all_templates in J. pose proof (o_pinned F T g K s0 i a s0_in P D J) as H.
    unfold pinned in *. cbn [guard body ins_action put_action].
    apply orb_true_iff in H. apply orb_true_iff. destruct H as [H|H].
    + left. apply fixes_put. rewrite fixes_ins; auto.
    + right. apply sows_from_put. rewrite sows_from_ins; auto.
Qed.

(** A variable that no reaction sets is as it was. *)
Lemma unset_keeps S1 n1 rounds v b : unset v b = true -> forall r,
  match ex (laps S1) (doms S1) (players S1) (endless S1) rounds n1 b r with
  | On q | Fin q => nth v (values q) No = nth v (values r) No /\ length (values q) = length (values r)
  | _ => True end.
Proof.
  induction b; cbn [unset]; intros H r; try discriminate; cbn [ex]; auto.
  - apply andb_true_iff in H; destruct H as [H1 H2]. specialize (IHb1 H1 r). destruct (ex _ _ _ _ _ _ b1 r) as [m|m| | |]; simpl; auto.
    specialize (IHb2 H2 m). destruct (ex _ _ _ _ _ _ b2 m); auto; destruct IHb1, IHb2; split; congruence.
  - destruct to as [i| |i| |]; try discriminate.
    + destruct (has_var r (Z.of_nat i)) eqn:HV; auto. match goal with |- context [ev (laps S1) n1 r ?w] => destruct (ev (laps S1) n1 r w) end; simpl; auto. unfold set_var.
      destruct ((0 <=? Z.of_nat i) && _); simpl; auto. rewrite Nat2Z.id, upd_length. split; auto.
      unfold has_var in HV. apply andb_true_iff in HV. destruct HV as [_ HV]. apply Z.ltb_lt in HV. rewrite nth_upd by lia.
      apply negb_true_iff, Nat.eqb_neq in H. destruct (Nat.eqb_spec v i); congruence.
    + match goal with |- context [ev (laps S1) n1 r ?w] => destruct (ev (laps S1) n1 r w) end; simpl; auto.
    + match goal with |- context [ev (laps S1) n1 r ?w] => destruct (ev (laps S1) n1 r w) end; simpl; auto. destruct ((0 <=? z) && _); simpl; auto.
  - apply andb_true_iff in H; destruct H as [H1 H2]. destruct (ev _ n1 r c); simpl; auto. destruct (nz z); [apply IHb1|apply IHb2]; auto.
  - destruct (outcome <? 0); simpl; auto.
Qed.
Lemma settle_unset S1 rounds v ended rs : (forall u, In u (flat_map per rs) -> unset v (does u) = true) ->
  forall s, match settle S1 rounds ended rs s with
  | On q | Fin q => nth v (values q) No = nth v (vars s) No /\ length (values q) = length (vars s)
  | _ => True end.
Proof.
  intros Q. induction rs as [|r rs IH]; intros s; cbn [settle]; auto.
  assert (Q': forall u, In u (flat_map per rs) -> unset v (does u) = true).
  { intros u I. apply Q. simpl. apply in_or_app; auto. }
  specialize (IH Q'). destruct (turn r && negb ended); [apply IH|].
  destruct (nth_error (per r) (Z.to_nat (mover s))) as [u|] eqn:E; [|apply IH].
  destruct (eval S1 _ _ (when u)); simpl; auto. destruct (nz z); [|apply IH].
  assert (QU: unset v (does u) = true). { apply Q. simpl. apply in_or_app. left. eapply nth_error_In; eauto. }
  pose proof (unset_keeps S1 (rules_env S1 rounds) rounds v (does u) QU (enter s (mover s) (rlocals u))) as KC.
  unfold exec. destruct (ex _ _ _ _ _ _ (does u) _) as [m|m| | |]; auto. specialize (IH (moved (leave m) (next m))).
  destruct (settle S1 rounds ended rs _); auto; simpl in *; destruct IH, KC; split; congruence.
Qed.
Lemma unset_ins v b : unset v (ins_stmt x e rel b) = unset v b.
Proof. induction b; cbn [unset ins_stmt]; auto; try congruence. destruct to; auto. Qed.

(** *** The set of states stays closed *)

Lemma forall2_nth {A B} (P : A -> B -> Prop) l m d d' : Forall2 P l m -> forall i, (i < length l)%nat -> P (nth i l d) (nth i m d').
Proof. induction 1; intros [|i] L; simpl in *; try lia; auto. apply IHForall2; lia. Qed.
Lemma forall2_intro {A B} (P : A -> B -> Prop) d d' : forall l m, length l = length m ->
  (forall i, (i < length l)%nat -> P (nth i l d) (nth i m d')) -> Forall2 P l m.
Proof.
  induction l as [|a l IH]; intros [|b m] L H; simpl in *; try discriminate; constructor.
  - apply (H O); lia.
  - apply IH; auto. intros i I. apply (H (Datatypes.S i)); lia.
Qed.
Lemma forall2_length {A B} (P : A -> B -> Prop) l m : Forall2 P l m -> length l = length m.
Proof. induction 1; simpl; auto. Qed.
Lemma cle_refl l : Forall2 cle l l.
Proof. induction l; constructor; auto. right; auto. Qed.
Lemma cle_trans l m k : Forall2 cle l m -> Forall2 cle m k -> Forall2 cle l k.
Proof.
  intros H. revert k. induction H as [|a b l m A H IH]; intros k J; inversion J as [|b' c m' k' B J']; subst; constructor; auto.
  destruct A as [->| ->]; auto. left; auto.
Qed.
Lemma cle_known l m i z : Forall2 cle l m -> nth i l No = Kn z -> nth i m No = Kn z.
Proof.
  intros H E. assert (L: (i < length l)%nat).
  { destruct (Nat.lt_ge_cases i (length l)); auto. rewrite nth_overflow in E by auto; discriminate. }
  pose proof (forall2_nth cle l m No No H i L) as [C|C]; congruence.
Qed.

Lemma result_end o u : result o = Some u -> exists q, at_end o q /\ leave q = u.
Proof. destruct o as [q|q| | |]; simpl; intros H; try discriminate; injection H as <-; exists q; split; auto; [left|right]; auto. Qed.
Lemma end_result o q : at_end o q -> result o = Some (leave q).
Proof. intros [->| ->]; auto. Qed.

Lemma covers_wider t u : covers (wider t) u -> In t T -> exists l, seeds u = l ++ [Kn 0] /\ Forall2 cle (seeds t) l /\ length l = N /\
  nth x (seeds u) No = Kn 0 /\ nth y (seeds u) No = Kn 0 /\ nth e (seeds u) No = Kn 0.
Proof.
  intros (C & _) I. cbn [seeds wider] in C. apply Forall2_app_inv_l in C. destruct C as (l & m & C1 & C2 & E).
  inversion C2 as [|? c ? m' D D']; subst. inversion D'; subst. destruct D as [D|D]; [discriminate|]. subst c.
  destruct (o_states F T g K t I) as (L & Q). destruct (Q s0 s0_in) as [QX QY].
  pose proof (forall2_length _ _ _ C1) as LL. pose proof xN. pose proof yN.
  exists l. rewrite E. split; auto. split; auto. split; [lia|]. rewrite !app_nth1 by lia. rewrite app_nth2 by lia.
  replace (e - length l)%nat with O by lia. split; [|split]; auto; eapply cle_known; eauto.
Qed.

Lemma in_doms_larger i z : In z (nth i (doms S') []) -> In z (nth i (doms S) []) \/
  (z = Z.of_nat e /\ nth i pv false = true /\ In (Z.of_nat x) (nth i (doms S) [])).
Proof.
  cbn [doms insert]. rewrite nth_doms. destruct (Nat.ltb_spec i (length (doms S))); [|intros []].
  unfold ins_dom. destruct (nth i pv false); simpl; auto. destruct (existsb (Z.eqb (Z.of_nat x)) (nth i (doms S) [])) eqn:E; auto.
  intros [<-|I]; auto. right. split; auto. split; auto. apply existsb_exists in E. destruct E as (w & I & E). apply Z.eqb_eq in E. subst w; auto.
Qed.
Lemma doms_length vs ds : length (ins_doms x e vs ds) = length ds.
Proof. revert vs; induction ds; simpl; auto. Qed.

Lemma closed_larger : closed S T -> closed S' (map wider T).
Proof.
  intros CL s' a' u' (W1 & W2 & W3) IA (rounds & R) (t' & IT & CV).
  apply in_map_iff in IT. destruct IT as (t & <- & IT).
  destruct (result_end _ _ R) as (q & AQ & <-). destruct (covers_wider t _ CV IT) as (lu & EU & CU & LU & QX & QY & QE).
  cbn [seeds leave] in EU, QX, QY, QE. assert (EQ: empty q) by (split; auto).
  assert (CS: Forall counts (seeds s')).
  { eapply Forall_impl; [|exact W2]. intros c (z & -> & P). exists z; auto. }
  cbn [npits insert] in W1. assert (SE: nth e (seeds s') No = Kn 0) by (eapply was_empty; eauto).
  (* the state without the new pit *)
  set (s := St (firstn N (seeds s')) (vars s') (mover s') (outcome s')).
  assert (ES: s' = wider s).
  { destruct s' as [sd vs mv oc]. cbn [seeds] in *. unfold s, wider; cbn [seeds vars mover outcome]. f_equal.
    rewrite <- (firstn_skipn N sd) at 1. f_equal. assert (LK: length (skipn N sd) = 1%nat) by (rewrite skipn_length; lia).
    destruct (skipn N sd) as [|c [|]] eqn:SK; simpl in LK; try discriminate. f_equal.
    rewrite <- (firstn_skipn N sd), SK, app_nth2, firstn_length_le, Nat.sub_diag in SE by (rewrite ?firstn_length; lia). exact SE. }
  assert (VN: forall i, (i < length (vars s'))%nat -> exists z, nth i (vars s') No = Kn z /\ In z (nth i (doms S) [])).
  { intros i I. pose proof (forall2_length _ _ _ W3) as L3. cbn [doms insert] in L3. rewrite doms_length in L3.
    pose proof (forall2_nth _ _ _ [] No W3 i) as H. cbn beta in H. destruct H as (z & Z1 & Z2).
    { cbn [doms insert]. rewrite doms_length. lia. }
    apply in_doms_larger in Z2. destruct Z2 as [Z2|(-> & P & D)]; eauto. exfalso.
    eapply (pinned_stops S' rounds i N a' s' (Z.of_nat e)); [apply larger_unranked|apply pinned_larger; auto|apply larger_quiet|exact Z1|lia| |exact AQ].
    unfold get. destruct (Z.ltb_spec (Z.of_nat e) 0); [lia|]. rewrite Nat2Z.id. exact SE. }
  assert (LV: length (vars s') = length (doms S)).
  { pose proof (forall2_length _ _ _ W3) as L3. cbn [doms insert] in L3. rewrite doms_length in L3. auto. }
  assert (WF: wf S s).
  { unfold wf, s; cbn [seeds vars]. split; [rewrite firstn_length; lia|]. split.
    - apply Forall_forall. intros c I. rewrite Forall_forall in W2. apply W2. rewrite <- (firstn_skipn N (seeds s')). apply in_or_app; auto.
    - apply (forall2_intro _ [] No); auto. intros i I. destruct (VN i) as (z & Z1 & Z2); [lia|]. rewrite Z1. eauto. }
  assert (G: sgood s).
  { split; [apply WF|]. intros i P. cbn [vars s]. destruct (Nat.lt_ge_cases i (length (vars s'))) as [L|L].
    - destruct (VN i L) as (z & Z1 & Z2). right. exists z. split; auto. pose proof (o_doms F T g K i P) as D. rewrite Forall_forall in D. auto.
    - left. apply nth_overflow; auto. }
  assert (CSs: Forall counts (seeds s)).
  { eapply Forall_impl; [|apply WF]. intros c (z & -> & P). exists z; auto. }
  pose proof IA as IA0. apply acts_larger in IA. destruct IA as [(a & J & ->)|(a & J & ->)].
  - (* an action of the smaller System *)
    rewrite ES in AQ. destruct (act_shrinks rounds a s _ q J G CSs eq_refl AQ EQ) as [E GA].
    assert (Q0: exists q0, at_end (act S rounds a s) q0 /\ q = grow q0).
    { rewrite E in AQ. destruct (act S rounds a s) as [q0|q0| | |]; destruct AQ as [AQ|AQ]; try discriminate;
        injection AQ as <-; exists q0; split; auto; [left|right]; auto. }
    destruct Q0 as (q0 & A0 & ->). assert (C0: covers t (leave q0)).
    { destruct CV as (_ & V1 & V2 & V3). split; auto. cbn [seeds leave grow set_cells cells] in EU |- *.
      apply app_inj_tail in EU. destruct EU as [-> _]. exact CU. }
    destruct (CL s a (leave q0) WF J) as (t1 & I1 & D1 & D2 & D3 & D4).
    + exists rounds. apply end_result; auto.
    + exists t; auto.
    + exists (wider t1). split; [apply in_map; auto|]. rewrite ES. split; auto. cbn [seeds wider]. apply Forall2_app; auto. apply cle_refl.
  - (* a new action *)
    rewrite act_conclude in AQ by apply larger_unranked.
    set (o := pass S' rounds (rules_env S' rounds) (put_action e (ins_action x e rel a)) s') in *.
    assert (P: live s' = true /\ who a = mover s' /\
      (at_end o q \/ exists m, o = On m) /\
      exists k z, eval S' (rules_env S' rounds) (enter s' k (alocals a)) (guard (put_action e (ins_action x e rel a))) = V z /\
      o = ex (laps S') (doms S') (players S') (endless S') rounds (rules_env S' rounds) (put_stmt e (ins_stmt x e rel (body a))) (enter s' k (alocals a))).
    { unfold o, pass in *. cbn [who put_action ins_action alocals body] in *. destruct (live s') eqn:LI; cbn [andb] in *; [|destruct AQ; discriminate].
      destruct (Z.eqb_spec (who a) (mover s')) as [WM|]; [|destruct AQ; discriminate]. split; auto. split; auto. split.
      - match goal with |- at_end ?o _ \/ _ => destruct o as [m|m| | |] end; cbn [conclude] in AQ; try (destruct AQ; discriminate); eauto.
      - destruct (eval S' _ _ _) as [w| |] eqn:E; cbn [bindo] in AQ |- *; try (destruct AQ; discriminate). destruct (nz w); [|destruct AQ; discriminate].
        eexists _, w. split; [exact E|]. reflexivity. }
    destruct P as (LI & WM & PO & k & z & _ & PE).
    destruct (o_templates F T g K s0 a s0_in J) as [SP|(v & NP & VL & UN & KN)].
    + exfalso. assert (exists m, at_end o m) as (m & AM).
      { destruct PO as [A|(m & ->)]; eauto. exists m; left; auto. }
      rewrite PE in AM. eapply (sows_put_empty S' _ rounds e (ins_stmt x e rel (body a))); [| |exact AM]; [|exact SE].
      rewrite sows_pit_ins; auto.
    + destruct (body a) as [| | | |to w| | |] eqn:BA; try discriminate NP. destruct to as [v'| | | |]; try discriminate NP.
      destruct w; try discriminate NP. injection NP as ->. cbn [ins_stmt ins_expr ins_target put_stmt put_expr put_target ex] in PE.
      assert (HV: has_var (enter s' k (alocals a)) (Z.of_nat v) = true).
      { unfold has_var. cbn [values enter]. rewrite LV. apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. lia. }
      rewrite HV in PE. cbn [ev bindo] in PE. unfold set_var in PE. destruct ((0 <=? Z.of_nat v) && _).
      2:{ destruct PO as [[A|A]|(m & A)]; congruence. }
      set (m := set_values (enter s' k (alocals a)) (upd (values (enter s' k (alocals a))) (Z.to_nat (Z.of_nat v)) (Kn (Z.of_nat e)))) in *.
      rewrite PE in AQ. cbn [conclude] in AQ.
      pose proof (settle_unset S' rounds v (negb (next m =? mover s') || Nat.eqb (players S') 1) (rxs S')) as US.
      assert (UR: forall u, In u (flat_map per (rxs S')) -> unset v (does u) = true).
      { cbn [rxs insert]. rewrite ins_rules. intros u I. apply in_map_iff in I. destruct I as (w & <- & I).
        cbn [does ins_rule]. rewrite twice_same by (apply all_rules; auto). rewrite unset_ins. apply UN; auto. }
      specialize (US UR (moved (leave m) (next m))).
      pose proof (settle_keeps (Datatypes.S N) pv rounds (rxs S') larger_quiet S' (negb (next m =? mover s') || Nat.eqb (players S') 1) (moved (leave m) (next m))) as KS.
      assert (RQ: nth v (values q) No = Kn (Z.of_nat e) /\ length (values q) = length (vars s') /\ cells q = seeds s').
      { destruct AQ as [AQ|AQ]; rewrite AQ in US, KS; cbn [moved leave vars seeds] in US, KS; destruct US as [U1 U2]; rewrite U1, U2, KS;
          unfold m; cbn [set_values values cells enter]; rewrite upd_length, Nat2Z.id, nth_upd, Nat.eqb_refl by lia; auto. }
      destruct RQ as (R1 & R2 & R3). destruct CV as (_ & V1 & V2 & V3). cbn [vars wider leave] in V1.
      destruct (KN t IT) as [(w & K1 & K2)|(t0 & I0 & S1 & U1 & U2 & M1 & O1)].
      * exfalso. pose proof (cle_known _ _ _ _ V1 K1) as E. rewrite R1 in E. injection E as E. lia.
      * exists (wider t0). split; [apply in_map; auto|]. split; [|split; [|split]].
        -- cbn [seeds wider]. rewrite <- R3, EU. apply Forall2_app; [|apply cle_refl]. eapply cle_trans; eauto.
        -- cbn [vars wider]. apply (forall2_intro _ No No).
           ++ rewrite U2, (forall2_length _ _ _ V1), R2; auto.
           ++ intros j I. left. rewrite Forall_forall in U1. symmetry. apply U1, nth_In; auto.
        -- cbn [mover wider]. congruence.
        -- cbn [outcome wider]. unfold live in LI. apply Z.eqb_eq in LI. congruence.
Qed.

(** *** What is demanded stays true *)

Variables before after : list seam.
Hypothesis seams_are : seams F = before ++ s0 :: after.
Notation F' := (widen before s0 after rel S).

Lemma seams_larger s' : In s' (seams F') -> exists s, In s (seams F) /\ sx s' = sx s /\ (sy s' = sy s \/ sy s' = e) /\
  templates s' = map (ins_action x e rel) (templates s).
Proof.
  cbn [seams widen]. intros I. apply in_app_or in I. rewrite seams_are.
  destruct I as [I|[I|I]]; [|subst s'; exists s0; split; [apply in_or_app; right; left|]; auto|];
    apply in_map_iff in I; destruct I as (s & <- & I); exists s; (split; [apply in_or_app; simpl; auto|]); auto.
Qed.
Lemma seams_wider s : In s (seams F) -> exists s', In s' (seams F') /\ sx s' = sx s.
Proof.
  rewrite seams_are. cbn [seams widen]. intros I. apply in_app_or in I. destruct I as [I|[<-|I]].
  - exists (widen_seam x e rel s). split; auto. apply in_or_app. left. apply in_map; auto.
  - eexists. split; [apply in_or_app; right; left; reflexivity|]. auto.
  - exists (widen_seam x e rel s). split; auto. apply in_or_app. right; right. apply in_map; auto.
Qed.
Lemma all_larger a' : In a' (all F') -> exists a, In a (all F) /\ (a' = ins_action x e rel a \/ a' = put_action e (ins_action x e rel a)).
Proof.
  unfold all at 1. intros I. apply in_app_or in I. destruct I as [I|I].
  - apply acts_larger in I. destruct I as [(a & J & ->)|(a & J & ->)]; exists a; split; auto; [apply in_all_acts|apply in_all_templates]; auto.
  - apply in_flat_map in I. destruct I as (s' & I & J). apply seams_larger in I. destruct I as (s & I & _ & _ & ET).
    rewrite ET in J. apply in_map_iff in J. destruct J as (a & <- & J). exists a. split; auto.
    unfold all. apply in_or_app. right. apply in_flat_map. eauto.
Qed.

Lemma fixes_mono v M M' a : (M <= M')%nat -> fixes v M a = true -> fixes v M' a = true.
Proof.
  intros L. induction a; cbn [fixes]; intros H; try discriminate.
  - apply orb_true_iff in H. apply orb_true_iff. tauto.
  - destruct o; try discriminate. destruct a1; try discriminate. destruct a2; try discriminate.
    apply andb_true_iff in H. destruct H as [-> H]. apply Z.ltb_lt in H. apply Z.ltb_lt. lia.
Qed.
Lemma at_least_ins q a : at_least_one q (ins_expr x e rel a) = at_least_one q a.
Proof. induction a; cbn [at_least_one ins_expr]; auto; try congruence. destruct o; auto. destruct a1; auto. destruct a2; auto. Qed.
Lemma at_least_setup q a : at_least_one q a = true -> at_least_one q (ins_setup x e rel a) = true.
Proof.
  intros H. unfold ins_setup. induction (filter (about x) (conjuncts a)) as [|c l IH]; cbn [fold_right].
  - rewrite at_least_ins; auto.
  - cbn [at_least_one]. apply orb_true_iff. auto.
Qed.
Lemma no_stop_ins b : no_stop g (ins_stmt x e rel b) = no_stop g b.
Proof. induction b; cbn [no_stop ins_stmt]; auto; congruence. Qed.
Lemma no_stop_put p b : no_stop g (put_stmt p b) = no_stop g b.
Proof. induction b; cbn [no_stop put_stmt]; auto; congruence. Qed.
Lemma ends_blank_larger t u : quiet N pv (does u) = true -> length (seeds t) = N -> nth x (seeds t) No = Kn 0 -> ends_blank g t u = true -> ends_blank g (wider t) (ins_rule x e rel u) = true.
Proof.
  unfold ends_blank. cbn [when does ins_rule seeds wider]. intros QD L X H. rewrite twice_same by auto. rewrite no_stop_ins. apply orb_true_iff in H. apply orb_true_iff.
  destruct H as [H|H]; auto. right. pose proof xN.
  destruct (when u) as [| | | | | | | | | | | | | | | | |o a b| | |]; try discriminate. destruct o; try discriminate.
  destruct a as [| | | | | | | | | | | | |ps| | | | | | |]; try discriminate.
  destruct b as [[| |]| | | | | | | | | | | | | | | | | | | |]; try discriminate. destruct (does u); try discriminate. cbn [ins_expr ins_stmt].
  unfold known_in in *. rewrite forallb_forall in *. rewrite app_length, L. intros i I. apply in_seq in I. simpl in I.
  assert (XP: existsb (Nat.eqb x) ps = true).
  { specialize (H x). rewrite X in H. apply H. apply in_seq. lia. }
  unfold ins_set. rewrite XP. cbn [existsb]. destruct (Nat.eqb_spec i e) as [->|NE].
  - destruct (nth e (seeds t ++ [Kn 0]) No); auto.
  - cbn [orb]. rewrite app_nth1 by lia. apply H. apply in_seq. lia.
Qed.
Lemma blank_wider t : blank g t = true -> blank g (wider t) = true.
Proof.
  unfold blank. cbn [seeds vars mover outcome wider]. rewrite forallb_app. cbn [forallb Z.eqb]. rewrite !andb_true_iff. tauto.
Qed.

Lemma ok_larger : ok F' (map wider T) g.
Proof.
  pose proof xN as X. pose proof yN as Y. constructor; cbn [base widen].
  - cbn [laps insert]. apply Forall_map. eapply Forall_impl; [|apply (o_laps F T g K)]. intros l (L1 & L2 & L3 & L4).
    destruct (table_ok S x y X Y _ L1 L3), (table_ok S x y X Y _ L2 L4). split; [|split; [|split]]; auto.
  - intros i P. apply Forall_forall. intros z I. apply in_doms_larger in I. unfold in_range_or_none. cbn [npits insert].
    destruct I as [I|(-> & _)]; [|lia]. pose proof (o_doms F T g K i P) as D. rewrite Forall_forall in D. apply D in I.
    unfold in_range_or_none in I. lia.
  - unfold rules_of. cbn [rxs insert npits]. rewrite ins_rules. intros u I. apply in_map_iff in I. destruct I as (v & <- & I).
    apply (o_rules F T g K) in I. destruct I as [I1 I2]. cbn [when does ins_rule npits pitvar insert]. split.
    + apply (plainly_ins S x y xN yN rel); auto.
    + rewrite twice_same by auto. apply (quiet_ins S x y xN yN rel); auto.
  - intros s' I. apply seams_larger in I. destruct I as (s & I & -> & EY & _). destruct (o_seams F T g K s I). cbn [npits insert].
    split; [lia|]. destruct EY as [->| ->]; lia.
  - intros a' I. apply all_larger in I. destruct I as (a & I & E). destruct (larger_allowed a I) as (PG & OB & _ & _ & TE).
    destruct (o_acts F T g K a I) as (_ & _ & TK). cbn [npits insert laps pitvar].
    assert (TS: forall s', In s' (seams F') -> takes (sx s') (ins_stmt x e rel (body a)) = true /\ takes (sy s') (ins_stmt x e rel (body a)) = true).
    { intros s' J. apply seams_larger in J. destruct J as (s & J & -> & EY & _). destruct (o_seams F T g K s J). destruct (TK s J) as [T1 T2].
      split; [apply takes_ins; auto; lia|]. destruct EY as [->| ->]; auto. apply takes_ins; auto; lia. }
    destruct E as [->| ->]; cbn [guard body ins_action put_action]; auto.
    split; [apply plainly_put; auto; lia|]. split; [apply one_put; auto; lia|]. intros s' J. rewrite !takes_put. auto.
  - intros s' i a' J P D I. cbn [pitvar npits insert] in *. apply seams_larger in J. destruct J as (s & J & E & _). rewrite E in D.
    destruct (o_seams F T g K s J) as [SX SY]. apply in_doms_larger in D. destruct D as [D|(D & _)]; [|lia].
    apply all_larger in I. destruct I as (a & I & EA). pose proof (o_pinned F T g K s i a J P D I) as H. unfold pinned in *.
    apply orb_true_iff in H. apply orb_true_iff. destruct EA as [->| ->]; cbn [guard body ins_action put_action]; rewrite ?fixes_ins, ?sows_from_ins;
      destruct H as [H|H]; auto; [left|left|right].
    + eapply fixes_mono; [|exact H]; lia.
    + apply fixes_put. rewrite fixes_ins. eapply fixes_mono; [|exact H]; lia.
    + apply sows_from_put. rewrite sows_from_ins; auto.
  - intros s' a' J I. apply seams_larger in J. destruct J as (s & J & _ & _ & ET). rewrite ET in I. apply in_map_iff in I. destruct I as (a & <- & I).
    cbn [body ins_action who]. destruct (o_templates F T g K s a J I) as [H|(v & NP & VL & UN & KN)].
    + left. rewrite sows_pit_ins; auto.
    + right. exists v. split; [|split; [|split]].
      * destruct (body a) as [| | | |to w| | |]; try discriminate NP. destruct to; try discriminate NP. destruct w; try discriminate NP. auto.
      * cbn [doms insert]. rewrite doms_length; auto.
      * unfold rules_of. cbn [rxs insert]. rewrite ins_rules. intros u U. apply in_map_iff in U. destruct U as (w & <- & U).
        cbn [does ins_rule]. rewrite twice_same by (apply all_rules; auto). rewrite unset_ins. apply UN; auto.
      * intros t' IT. apply in_map_iff in IT. destruct IT as (t & <- & IT). cbn [vars wider npits insert].
        destruct (KN t IT) as [(z & Z1 & Z2)|(t0 & I0 & S1 & U1 & U2 & M1 & O1)].
        -- left. exists z. split; auto. lia.
        -- right. exists (wider t0). split; [apply in_map; auto|]. cbn [seeds vars mover outcome wider].
           split; [apply Forall2_app; auto; apply cle_refl|]. auto.
  - intros t' IT. apply in_map_iff in IT. destruct IT as (t & <- & IT). destruct (o_states F T g K t IT) as [L Q]. cbn [seeds wider npits insert].
    split; [rewrite app_length; simpl; lia|]. intros s' J. apply seams_larger in J. destruct J as (s & J & -> & EY & _).
    destruct (o_seams F T g K s J). destruct (Q s J) as [Q1 Q2]. split; [rewrite app_nth1 by lia; auto|].
    destruct EY as [->| ->]; [rewrite app_nth1 by lia; auto|]. rewrite app_nth2, L, Nat.sub_diag by lia. auto.
  - destruct (o_starts F T g K) as (s & J & H). destruct (seams_wider s J) as (s' & J' & E). exists s'. split; auto. rewrite E.
    apply at_least_setup; auto.
  - destruct (o_goal F T g K) as (G1 & G2 & t & IT & BT & LT & EB). split; auto. split.
    + intros a' I. apply all_larger in I. destruct I as (a & I & E). destruct E as [->| ->]; cbn [body ins_action put_action];
        rewrite ?no_stop_put, no_stop_ins; auto.
    + exists (wider t). split; [apply in_map; auto|]. split; [apply blank_wider; auto|]. split; [cbn [vars wider doms insert]; rewrite doms_length; auto|].
      unfold rules_of. cbn [rxs insert]. rewrite ins_rules. intros u U. apply in_map_iff in U. destruct U as (w & <- & U).
      destruct (o_states F T g K t IT) as [L Q]. apply ends_blank_larger; auto; [apply all_rules; auto|apply Q; auto].
Qed.
End Turn.

(** ** What is not reached *)

Section Unreachable.
Variable F : family.
Variable T : list state.
Variable g : Z.
Hypothesis K : ok F T g.
Notation S := (base F).
Notation N := (npits S).
Notation pv := (pitvar S).

Lemma is_sound : Shape.sound S = true.
Proof.
  unfold Shape.sound. apply forallb_forall. intros l I. pose proof (o_laps F T g K) as L. rewrite Forall_forall in L.
  destruct (L l I) as (_ & _ & R & _). rewrite Forall_forall in R. apply forallb_forall. intros z J. apply R in J.
  unfold in_range_or_none in J. apply Z.ltb_lt. lia.
Qed.

Lemma at_least_ev ls n r x a : at_least_one x a = true -> forall z, ev ls n r a = V z -> nz z = true ->
  exists b, nth x (cells r) No = Kn b /\ 1 <= b.
Proof.
  induction a; cbn [at_least_one ev]; intros H v E Z0; try discriminate.
  - apply bind_V in E. destruct E as (u & E1 & E2). destruct (nz u) eqn:U; [|injection E2 as <-; discriminate].
    apply bind_V in E2. destruct E2 as (w & E2 & E3). apply orb_true_iff in H. destruct H as [H|H]; [eapply IHa1; eauto|].
    eapply IHa2; eauto. injection E3 as <-. destruct (nz w); auto.
  - destruct o; try discriminate. destruct a1; try discriminate. destruct a2; try discriminate.
    apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.eqb_eq in H1. subst i. apply Z.leb_le in H2.
    cbn [ev] in E. apply bind_V in E. destruct E as (u & E1 & E2). apply rd_V in E1. exists u. split; auto.
    cbn [ev bind apply] in E2. injection E2 as <-. rewrite Z.geb_leb in Z0. destruct (Z.leb_spec z u); [lia|discriminate].
Qed.

Lemma rules_quiet : forall u, In u (flat_map per (rxs S)) -> quiet N pv (does u) = true.
Proof. intros u I. apply (o_rules F T g K) in I. tauto. Qed.

(** No start is in T: it has a seed in a pit that is empty in T. *)
Lemma starts_avoid r u : start (with_ranges r S) u -> ~ covered T u.
Proof.
  intros (s & rounds & (_ & _ & _ & _ & _ & par & z & _ & E & NZ) & R) (t & I & C & _).
  destruct (o_starts F T g K) as (s0 & J & AL). destruct (o_states F T g K t I) as [_ Q]. destruct (Q s0 J) as [QX _].
  destruct (at_least_ev _ _ _ _ _ AL _ E NZ) as (b & B1 & B2). cbn [cells enter] in B1.
  destruct (result_end _ _ R) as (q & AQ & <-). cbn [seeds leave] in C.
  pose proof (settle_keeps N pv rounds (rxs S) rules_quiet (with_ranges r S) false s) as KS.
  change (settle (with_ranges r S) rounds false (rxs S) s) with (starting (with_ranges r S) rounds s) in KS.
  pose proof (cle_known _ _ _ _ C QX) as E0. destruct AQ as [AQ|AQ]; rewrite AQ in KS; rewrite KS, B1 in E0; injection E0 as E0; lia.
Qed.

(** *** The outcome *)

Lemma drops_over d sp nx sk on : (forall r, d r = On r) -> forall c p r q, drops d sp c nx sk on p r = On q -> over q = over r.
Proof.
  intros D. induction c as [|c IH]; intros p r q H; cbn [drops] in H. injection H as <-; auto.
  destruct (place _ _ _ p) as [j|]; try discriminate. rewrite D in H. apply IH in H. exact H.
Qed.
Lemma quiet_over ls ds k0 e0 rounds n M p b : quiet M p b = true -> no_stop g b = true -> forall r, over r <> g ->
  match ex ls ds k0 e0 rounds n b r with On q => over q = over r | Fin q => over q <> g | _ => True end.
Proof.
  induction b; cbn [quiet no_stop]; intros H NS r O; try discriminate; cbn [ex]; auto.
  - apply andb_true_iff in H, NS; destruct H as [H1 H2], NS as [N1 N2]. specialize (IHb1 H1 N1 r O).
    destruct (ex ls ds k0 e0 rounds n b1 r) as [m|m| | |]; simpl; auto. rewrite <- IHb1. apply IHb2; auto. congruence.
  - destruct to as [i| |i| |]; try discriminate.
    + destruct (has_var r (Z.of_nat i)); simpl; auto. match goal with |- context [ev ls n r ?w] => destruct (ev ls n r w) end; simpl; auto.
      unfold set_var. destruct ((0 <=? Z.of_nat i) && _); simpl; auto.
    + match goal with |- context [ev ls n r ?w] => destruct (ev ls n r w) end; simpl; auto.
    + match goal with |- context [ev ls n r ?w] => destruct (ev ls n r w) end; simpl; auto. destruct ((0 <=? z) && _); simpl; auto.
  - apply andb_true_iff in NS; destruct NS as [N1 N2]. apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    destruct (ev ls n r c); simpl; auto. destruct (nz z); [apply IHb1|apply IHb2]; auto.
  - destruct (outcome <? 0); simpl; auto. apply negb_true_iff, Z.eqb_neq in NS. auto.
Qed.
Lemma one_over ls ds k0 e0 rounds n M l p b : one M l p b = true -> no_stop g b = true -> forall r, over r <> g ->
  match ex ls ds k0 e0 rounds n b r with On q => over q = over r | Fin q => over q <> g | _ => True end.
Proof.
  induction b; cbn [one no_stop]; intros H NS r O; apply orb_true_iff in H;
    (destruct H as [H|H]; [apply (quiet_over ls ds k0 e0 rounds n M p); auto|]); try discriminate; cbn [ex].
  - apply andb_true_iff in NS; destruct NS as [N1 N2]. apply orb_true_iff in H.
    assert (B1: match ex ls ds k0 e0 rounds n b1 r with On q => over q = over r | Fin q => over q <> g | _ => True end).
    { destruct H as [H|H]; apply andb_true_iff in H; destruct H as [H1 H2]; [apply (quiet_over ls ds k0 e0 rounds n M p); auto|apply IHb1; auto]. }
    destruct (ex ls ds k0 e0 rounds n b1 r) as [m|m| | |]; simpl; auto.
    assert (OM: over m <> g) by congruence.
    assert (B2: match ex ls ds k0 e0 rounds n b2 m with On q => over q = over m | Fin q => over q <> g | _ => True end).
    { destruct H as [H|H]; apply andb_true_iff in H; destruct H as [H1 H2]; [apply IHb2; auto|apply (quiet_over ls ds k0 e0 rounds n M p); auto]. }
    destruct (ex ls ds k0 e0 rounds n b2 m); auto. congruence.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate.
    destruct (ev ls n r source); simpl; auto. destruct (is_pit r z); simpl; auto. destruct (nth_error ls lap); simpl; auto.
    unfold counted. assert (D: forall k, match bindo (rd (get No (cells r) z)) (fun all => if (amount k all <? 1) || (all <? amount k all) then Ill else
      drops (fun r => On r) (Z.to_nat z) (Z.to_nat (amount k all)) (nxt l0) (within []) (within only) (get (-1) (nxt l0) z)
        (set_cells (set_origin r (Kn z)) (bump (cells r) (Z.to_nat z) (- amount k all)))) with On q => over q = over r | Fin q => over q <> g | _ => True end).
    { intros k. destruct (rd (get No (cells r) z)); simpl; auto. destruct ((amount k z0 <? 1) || (z0 <? amount k z0)); simpl; auto.
      destruct (drops _ _ _ _ _ _ _ _) as [q|q| | |] eqn:E; auto.
      - apply drops_over in E; auto.
      - apply drops_onward in E; auto; contradiction. }
    destruct count as [c|]; [|apply (D None)]. destruct (ev ls n (set_origin r (Kn z)) c); simpl; auto. apply (D (Some z0)).
  - apply andb_true_iff in NS; destruct NS as [N1 N2]. apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    destruct (ev ls n r c); simpl; auto. destruct (nz z); [apply IHb1|apply IHb2]; auto.
Qed.

Lemma sum_zero l ps : Forall Shape.seed l -> forall z, sum l ps = V z -> 0 <= z /\ (z = 0 -> forall i, In i ps -> nth i l No = Kn 0).
Proof.
  intros C. induction ps as [|p ps IH]; simpl; intros z H.
  - injection H as <-. split; [lia|tauto].
  - apply bind_V in H. destruct H as (a & A & H). apply bind_V in H. destruct H as (b & B & H). injection H as <-.
    apply rd_V in A. destruct (IH b B) as [B0 B1]. assert (0 <= a).
    { rewrite Forall_forall in C. destruct (C (nth p l No)) as (w & W & W0).
      - apply nth_In. destruct (Nat.lt_ge_cases p (length l)); auto. rewrite nth_overflow in A by auto; discriminate.
      - rewrite W in A. injection A as <-. auto. }
    split; [lia|]. intros Z0 i I. assert (a = 0) by lia. assert (b = 0) by lia. subst a b.
    destruct I as [<-|I]; auto.
Qed.

Lemma settle_goal r t rounds ended rs : blank g t = true -> length (seeds t) = N -> length (vars t) = length (doms S) -> g <> -1 ->
  (forall u, In u (flat_map per rs) -> ends_blank g t u = true /\ quiet N pv (does u) = true) ->
  forall s, wf S s -> outcome s <> g ->
  match settle (with_ranges r S) rounds ended rs s with On q => over q = outcome s | Fin q => over q = g -> covers t (leave q) | _ => True end.
Proof.
  intros BT LS LV G1 Q. induction rs as [|x rs IH]; intros s W O; cbn [settle]; auto.
  assert (Q': forall u, In u (flat_map per rs) -> ends_blank g t u = true /\ quiet N pv (does u) = true).
  { intros u I. apply Q. simpl. apply in_or_app; auto. }
  specialize (IH Q'). destruct (turn x && negb ended); [apply IH; auto|].
  destruct (nth_error (per x) (Z.to_nat (mover s))) as [u|] eqn:E; [|apply IH; auto].
  destruct (eval (with_ranges r S) _ _ (when u)) as [c| |] eqn:EW; simpl; auto. destruct (nz c) eqn:NZ; [|apply IH; auto].
  destruct (Q u) as [EB QD]. { simpl. apply in_or_app. left. eapply nth_error_In; eauto. }
  pose proof (Shape.ex_keeps S is_sound (endless S) rounds (rules_env (with_ranges r S) rounds) (does u) (enter s (mover s) (rlocals u))) as SK.
  assert (SH: Shape.shaped S (enter s (mover s) (rlocals u))). { apply Shape.shape_wf in W. exact W. }
  specialize (SK SH). unfold exec. change (laps (with_ranges r S)) with (laps S). change (doms (with_ranges r S)) with (doms S).
  change (players (with_ranges r S)) with (players S). change (endless (with_ranges r S)) with (endless S).
  destruct (no_stop g (does u)) eqn:NS.
  - pose proof (quiet_over (laps S) (doms S) (players S) (endless S) rounds (rules_env (with_ranges r S) rounds) N pv (does u) QD NS (enter s (mover s) (rlocals u)) O) as OV.
    destruct (ex _ _ _ _ _ _ (does u) _) as [v|v| | |]; auto.
    + cbn [Shape.post Shape.keeps] in SK. specialize (IH (moved (leave v) (next v))). cbn [outcome moved leave] in IH. cbn [over enter] in OV. rewrite OV in IH.
      apply IH; auto. apply Shape.shape_wf. exact (proj1 SK).
    + intros H. contradiction.
  - unfold ends_blank in EB. rewrite NS in EB. cbn [orb] in EB.
    destruct (when u) as [| | | | | | | | | | | | | | | | |o a b| | |]; try discriminate. destruct o; try discriminate.
    destruct a as [| | | | | | | | | | | | |ps| | | | | | |]; try discriminate.
    destruct b as [[| |]| | | | | | | | | | | | | | | | | | | |]; try discriminate. destruct (does u) as [|? ?|? ? ? ? ? ? ?|? ? ?|? ?|? ? ?|? ?|so]; try discriminate. clear SK.
    cbn [ex]. destruct (so <? 0); auto. intros GO. cbn [over finish] in GO. subst so.
    unfold eval in EW. cbn [ev cells enter] in EW. apply bind_V in EW. destruct EW as (z & S1 & S2). cbn [bind apply] in S2. injection S2 as <-.
    destruct (Z.eqb_spec z 0) as [->|]; [|discriminate]. destruct W as (W1 & W2 & W3).
    destruct (sum_zero (seeds s) ps W2 0 S1) as [_ SZ]. specialize (SZ eq_refl).
    unfold blank in BT. rewrite !andb_true_iff in BT. destruct BT as (((B1 & B2) & B3) & B4). rewrite forallb_forall in B1, B2.
    apply Z.eqb_eq in B3, B4. unfold known_in in EB. rewrite forallb_forall in EB.
    split; [|split; [|split]]; cbn [seeds vars mover outcome leave finish enter cells values to_move over]; auto.
    + apply (forall2_intro cle No No); [congruence|]. intros i I. specialize (B1 (nth i (seeds t) No) (nth_In _ _ I)).
      specialize (EB i). destruct (nth i (seeds t) No) as [w| |] eqn:EN; [|left; auto|discriminate]. right.
      apply Z.eqb_eq in B1. subst w. symmetry. apply SZ. apply existsb_set. apply EB. apply in_seq. lia.
    + apply (forall2_intro cle No No). { rewrite LV. apply (forall2_length _ _ _ W3). }
      intros i I. specialize (B2 (nth i (vars t) No) (nth_In _ _ I)). left. destruct (nth i (vars t) No); try discriminate; auto.
Qed.

Lemma goal_lands r u : (start (with_ranges r S) u \/ exists s a, wf S s /\ In a (acts S) /\ step (with_ranges r S) a s u) -> outcome u = g -> covered T u.
Proof.
  destruct (o_goal F T g K) as (G1 & G2 & t & I & BT & LV & EB). destruct (o_states F T g K t I) as [LS _].
  assert (Q: forall u, In u (flat_map per (rxs S)) -> ends_blank g t u = true /\ quiet N pv (does u) = true).
  { intros w J. split; [apply EB; exact J|apply rules_quiet; exact J]. }
  intros [(s & rounds & (W & _ & _ & O & _) & R)|(s & a & W & IA & rounds & R)] G.
  - destruct (result_end _ _ R) as (q & AQ & <-).
    pose proof (settle_goal r t rounds false (rxs S) BT LS LV G1 Q s W) as SG. specialize (SG ltac:(congruence)).
    change (settle (with_ranges r S) rounds false (rxs S) s) with (starting (with_ranges r S) rounds s) in SG.
    exists t. split; auto. destruct AQ as [AQ|AQ]; rewrite AQ in SG; auto. cbn [outcome leave] in G. congruence.
  - destruct (result_end _ _ R) as (q & AQ & <-).
    assert (UR: ranked (with_ranges r S) = false).
    { apply unranked. intros b J. destruct (o_acts F T g K b) as (_ & OB & _); [unfold all; apply in_or_app; auto|]. eapply one_unranked; eauto. }
    rewrite act_conclude in AQ by exact UR.
    destruct (o_acts F T g K a) as (_ & OB & _); [unfold all; apply in_or_app; auto|].
    assert (NS: no_stop g (body a) = true) by (apply G2; unfold all; apply in_or_app; auto).
    unfold pass in AQ. destruct (live s) eqn:LI; cbn [andb] in AQ; [|destruct AQ; discriminate]. unfold live in LI. apply Z.eqb_eq in LI.
    destruct (who a =? mover s); [|destruct AQ; discriminate].
    destruct (eval (with_ranges r S) _ _ (guard a)) as [w| |]; cbn [bindo] in AQ; try (destruct AQ; discriminate).
    destruct (nz w); [|destruct AQ; discriminate]. set (r0 := enter s _ (alocals a)) in *.
    assert (O0: over r0 <> g) by (unfold r0; cbn [over enter]; congruence).
    pose proof (one_over (laps S) (doms S) (players S) (endless S) rounds (rules_env (with_ranges r S) rounds) N (laps S) pv (body a) OB NS r0 O0) as OV.
    pose proof (Shape.ex_keeps S is_sound (endless S) rounds (rules_env (with_ranges r S) rounds) (body a) r0) as SK.
    assert (SH: Shape.shaped S r0). { apply Shape.shape_wf in W. exact W. }
    specialize (SK SH). unfold exec in AQ. change (laps (with_ranges r S)) with (laps S) in AQ. change (doms (with_ranges r S)) with (doms S) in AQ.
    change (players (with_ranges r S)) with (players S) in AQ. change (endless (with_ranges r S)) with (endless S) in AQ.
    destruct (ex _ _ _ _ _ _ (body a) r0) as [m|m| | |]; cbn [conclude] in AQ; try (destruct AQ; discriminate).
    + assert (WM: wf S (moved (leave m) (next m))). { apply Shape.shape_wf. exact (proj1 SK). }
      assert (OM: outcome (moved (leave m) (next m)) <> g). { cbn [outcome moved leave]. congruence. }
      pose proof (fun ended => settle_goal r t rounds ended (rxs S) BT LS LV G1 Q _ WM OM) as SG.
      exists t. split; auto. destruct AQ as [AQ|AQ];
        match type of AQ with settle _ _ ?ended _ _ = _ => specialize (SG ended) end; change (rxs (with_ranges r S)) with (rxs S) in AQ; rewrite AQ in SG; auto.
      exfalso. apply OM. rewrite <- SG. exact G.
    + exfalso. destruct AQ as [AQ|AQ]; try discriminate. injection AQ as ->. apply OV. exact G.
Qed.

Lemma step_ranges r a s u : step (with_ranges r S) a s u <-> step S a s u.
Proof. split; intros (rounds & R); exists rounds; exact R. Qed.

Theorem unreachable_in r : closed S T -> forall u, reach (with_ranges r S) u -> outcome u <> g.
Proof.
  intros CL. assert (INV: forall u, reach (with_ranges r S) u -> wf S u /\ ~ covered T u /\ outcome u <> g).
  { assert (SR: Shape.sound (with_ranges r S) = true) by exact is_sound.
    intros u R. assert (W: wf S u) by (apply (Shape.reach_wf (with_ranges r S) SR u R)).
    assert (NC: ~ covered T u).
    { clear W. induction R as [u ST|s u a R IH IA ST].
      - eapply starts_avoid; eauto.
      - intros C. apply IH. eapply CL; [apply (Shape.reach_wf (with_ranges r S) SR s R)|exact IA|exact (proj1 (step_ranges r a s u) ST)|exact C]. }
    split; auto. split; auto. intros G. apply NC. eapply (goal_lands r); eauto.
    destruct R as [u ST|s u a R IA ST]; auto. right. exists s, a. split; [apply (Shape.reach_wf (with_ranges r S) SR s R)|]. auto. }
  intros u R. apply INV; auto.
Qed.
End Unreachable.

(** ** The check *)

Definition range_b (N : nat) (z : Z) : bool := (-1 <=? z) && (z <? Z.of_nat N).
Definition lap_b (N : nat) (l : lap) : bool :=
  Nat.eqb (length (nxt l)) N && Nat.eqb (length (prv l)) N && forallb (range_b N) (nxt l) && forallb (range_b N) (prv l).
Definition cle_b (c d : cell) : bool :=
  match c, d with Un, _ => true | Kn x, Kn y => x =? y | No, No => true | _, _ => false end.
Fixpoint lle_b (l m : list cell) : bool :=
  match l, m with [], [] => true | c :: l, d :: m => cle_b c d && lle_b l m | _, _ => false end.
Definition zero_b (l : list cell) (i : nat) : bool := match nth i l No with Kn z => z =? 0 | _ => false end.
Definition unknown_b (c : cell) : bool := match c with Un => true | _ => false end.

Definition template_b (F : family) (T : list state) (a : action) : bool :=
  sows_pit (body a) ||
  match names_pit (body a) with
  | None => false
  | Some v =>
    Nat.ltb v (length (doms (base F))) && forallb (fun u => unset v (does u)) (rules_of (base F)) &&
    forallb (fun t =>
      match nth v (vars t) No with Kn z => z <? Z.of_nat (npits (base F)) | _ => false end ||
      existsb (fun t0 => lle_b (seeds t0) (seeds t) && forallb unknown_b (vars t0) &&
        Nat.eqb (length (vars t0)) (length (vars t)) && (mover t0 =? who a) && (outcome t0 =? -1)) T) T
  end.

Definition cutoff (F : family) (T : list state) (g : Z) : bool :=
  let S := base F in
  let N := npits S in
  forallb (lap_b N) (laps S) &&
  forallb (fun i => negb (nth i (pitvar S) false) || forallb (range_b N) (nth i (doms S) [])) (seq 0 (length (doms S))) &&
  forallb (fun u => plainly N (pitvar S) (when u) && quiet N (pitvar S) (does u)) (rules_of S) &&
  forallb (fun s => Nat.ltb (sx s) N && Nat.ltb (sy s) N) (seams F) &&
  forallb (fun a => plainly N (pitvar S) (guard a) && one N (laps S) (pitvar S) (body a) &&
    forallb (fun s => takes (sx s) (body a) && takes (sy s) (body a)) (seams F)) (all F) &&
  forallb (fun s => forallb (fun i =>
    negb (nth i (pitvar S) false) || negb (existsb (Z.eqb (Z.of_nat (sx s))) (nth i (doms S) [])) ||
    forallb (pinned i N) (all F)) (seq 0 (length (doms S)))) (seams F) &&
  forallb (fun s => forallb (template_b F T) (templates s)) (seams F) &&
  forallb (fun t => Nat.eqb (length (seeds t)) N &&
    forallb (fun s => zero_b (seeds t) (sx s) && zero_b (seeds t) (sy s)) (seams F)) T &&
  existsb (fun s => at_least_one (sx s) (setup S)) (seams F) &&
  negb (g =? -1) && forallb (fun a => no_stop g (body a)) (all F) &&
  existsb (fun t => blank g t && Nat.eqb (length (vars t)) (length (doms S)) &&
    forallb (ends_blank g t) (rules_of S)) T.

Lemma range_sound S z : range_b (npits S) z = true -> in_range_or_none S z.
Proof. unfold range_b, in_range_or_none. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. auto. Qed.
Lemma ranges_sound S l : forallb (range_b (npits S)) l = true -> Forall (in_range_or_none S) l.
Proof. intros H. apply Forall_forall. rewrite forallb_forall in H. intros z I. apply range_sound; auto. Qed.
Lemma lle_sound l : forall m, lle_b l m = true -> Forall2 cle l m.
Proof.
  induction l as [|c l IH]; intros [|d m] H; simpl in H; try discriminate; constructor; apply andb_true_iff in H; destruct H as [H1 H2]; auto.
  unfold cle. destruct c, d; simpl in H1; try discriminate; auto. apply Z.eqb_eq in H1. subst; auto.
Qed.
Lemma zero_sound l i : zero_b l i = true -> nth i l No = Kn 0.
Proof. unfold zero_b. destruct (nth i l No); try discriminate. intros H. apply Z.eqb_eq in H. subst; auto. Qed.

Theorem cutoff_ok F T g : cutoff F T g = true -> ok F T g.
Proof.
  unfold cutoff. rewrite !andb_true_iff. intros (((((((((((C1 & C2) & C3) & C4) & C5) & C6) & C7) & C8) & C9) & C10) & C11) & C12).
  rewrite forallb_forall in C1, C2, C3, C4, C5, C6, C7, C8, C11. rewrite existsb_exists in C9, C12. constructor.
  - apply Forall_forall. intros l I. apply C1 in I. unfold lap_b in I. rewrite !andb_true_iff, !Nat.eqb_eq in I.
    destruct I as (((I1 & I2) & I3) & I4). split; [|split; [|split]]; auto; apply ranges_sound; auto.
  - intros i P. destruct (Nat.lt_ge_cases i (length (doms (base F)))) as [L|L].
    + assert (I: In i (seq 0 (length (doms (base F))))) by (apply in_seq; lia). apply C2 in I. rewrite P in I. apply ranges_sound; auto.
    + rewrite nth_overflow by auto. constructor.
  - intros u I. apply C3, andb_true_iff in I. auto.
  - intros s I. apply C4 in I. rewrite andb_true_iff, !Nat.ltb_lt in I. auto.
  - intros a I. apply C5 in I. rewrite !andb_true_iff in I. destruct I as ((I1 & I2) & I3). split; auto. split; auto.
    rewrite forallb_forall in I3. intros s J. apply I3, andb_true_iff in J. auto.
  - intros s i a J P D I. apply C6 in J. rewrite forallb_forall in J. destruct (Nat.lt_ge_cases i (length (doms (base F)))) as [L|L].
    + assert (Q: In i (seq 0 (length (doms (base F))))) by (apply in_seq; lia). apply J in Q. rewrite P in Q. cbn [negb orb] in Q.
      apply orb_true_iff in Q. destruct Q as [Q|Q].
      * exfalso. apply negb_true_iff in Q. apply not_true_iff_false in Q. apply Q. apply existsb_exists. exists (Z.of_nat (sx s)).
        split; auto. apply Z.eqb_refl.
      * rewrite forallb_forall in Q. auto.
    + rewrite nth_overflow in D by auto. contradiction.
  - intros s a J I. apply C7 in J. rewrite forallb_forall in J. apply J in I. unfold template_b in I. apply orb_true_iff in I.
    destruct I as [I|I]; auto. right. destruct (names_pit (body a)) as [v|] eqn:NP; try discriminate. exists v. split; auto.
    rewrite !andb_true_iff, Nat.ltb_lt in I. destruct I as ((I1 & I2) & I3). split; auto. rewrite forallb_forall in I2, I3. split; auto.
    intros t K. apply I3, orb_true_iff in K. destruct K as [K|K].
    + left. destruct (nth v (vars t) No) as [z| |]; try discriminate. apply Z.ltb_lt in K. eauto.
    + right. apply existsb_exists in K. destruct K as (t0 & K0 & K). rewrite !andb_true_iff, Nat.eqb_eq, !Z.eqb_eq in K.
      destruct K as ((((K1 & K2) & K3) & K4) & K5). exists t0. split; auto. split; [apply lle_sound; auto|]. split; auto.
      apply Forall_forall. rewrite forallb_forall in K2. intros c Q. apply K2 in Q. destruct c; try discriminate; auto.
  - intros t I. apply C8 in I. rewrite andb_true_iff, Nat.eqb_eq in I. destruct I as [I1 I2]. split; auto. rewrite forallb_forall in I2.
    intros s J. apply I2, andb_true_iff in J. destruct J. split; apply zero_sound; auto.
  - destruct C9 as (s & I & H). exists s; auto.
  - apply negb_true_iff, Z.eqb_neq in C10. split; auto. split; auto. destruct C12 as (t & I & H). exists t. split; auto.
    rewrite !andb_true_iff, Nat.eqb_eq in H. destruct H as ((H1 & H2) & H3). split; auto. split; auto. rewrite forallb_forall in H3. auto.
Qed.

(** ** All sizes *)

Lemma split_nth {A} i (l : list A) a : nth_error l i = Some a -> l = firstn i l ++ a :: skipn (S i) l.
Proof. revert i; induction l as [|b l IH]; intros [|i] H; simpl in *; try discriminate. injection H as ->; auto. f_equal. auto. Qed.

Definition sound_family (F : family) (T : list state) (g : Z) : Prop := ok F T g /\ closed (base F) T.

Lemma sound_widen_from g k : forall i F T, sound_family F T g -> exists T', sound_family (widen_from i k F) T' g.
Proof.
  induction k as [|k IH]; intros i F T H; cbn [widen_from]; eauto. apply (IH (Datatypes.S i)) with (T := match nth_error (seams F) i with Some _ => map wider T | None => T end).
  destruct (nth_error (seams F) i) as [s|] eqn:E; auto. destruct H as [K CL].
  pose proof (split_nth _ _ _ E) as SP. assert (IN: In s (seams F)) by (eapply nth_error_In; eauto).
  split; [apply (ok_larger F T g K s IN); auto|]. apply (closed_larger F T g K s IN); auto.
Qed.
Lemma sound_widened g k : forall F T, sound_family F T g -> exists T', sound_family (widened k F) T' g.
Proof.
  induction k as [|k IH]; intros F T H; cbn [widened]; eauto.
  destruct (sound_widen_from g (length (seams F)) 0 F T H) as (T' & H'). eauto.
Qed.

(** No instance of the family, with any ranges of its open parameters, reaches the outcome g. *)
Theorem unreachable_in_all F T g : ok F T g -> closed (base F) T ->
  forall k ranges u, reach (with_ranges ranges (instance F k)) u -> outcome u <> g.
Proof.
  intros K CL k r. destruct (sound_widened g k F T (conj K CL)) as (T' & K' & CL').
  apply (unreachable_in (widened k F) T' g K' r CL').
Qed.
Print Assumptions unreachable_in_all.

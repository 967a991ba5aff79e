(** How many seeds the kept pits hold at most in a state that satisfies a target.

    A target may bound them itself ([Sum ps <= 3]), or by an outcome: a game is over with it only
    because of a reaction whose condition bounds them. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Losses.
Import ListNotations.
Open Scope Z_scope.

Section Endings.
Variable sys : system.
Variable kept : nat -> bool.
Notation size := (npits sys).
Notation pits := (pits sys).

(** ** Sums of pits *)

Definition contains (ps : list nat) : bool := forallb (fun i => negb (kept i) || within ps i) pits.

Lemma held_remove l : forall k p, (forall i, 0 <= number (nth i l No)) ->
  held k l <= held (fun i => k i && negb (Nat.eqb i p)) l + number (nth p l No).
Proof.
  induction l as [|c l IH]; simpl; intros k p H. destruct p; simpl; lia.
  pose proof (H O) as H0. simpl in H0. specialize (fun i => H (S i)) as H1. simpl in H1.
  destruct p as [|p]; simpl.
  - rewrite (held_ext l (fun i => k (S i) && true) (fun i => k (S i))).
    destruct (k O); simpl; lia. intros; apply andb_true_r.
  - specialize (IH (fun i => k (S i)) p H1). cbv beta in IH. destruct (k O); simpl; lia.
Qed.

Lemma held_none l : forall k, (forall i, (i < length l)%nat -> k i = false) -> held k l = 0.
Proof.
  induction l as [|c l IH]; simpl; intros k H; auto. rewrite (H O) by lia.
  rewrite IH; auto. intros i I. apply H. lia.
Qed.

Lemma held_known l ps : (forall i, 0 <= number (nth i l No)) ->
  forall k, (forall i, (i < length l)%nat -> k i = true -> In i ps) -> held k l <= known_in l ps.
Proof.
  intros H. induction ps as [|p ps IH]; simpl; intros k K.
  - rewrite held_none; [lia|]. intros i I. destruct (k i) eqn:E; auto. destruct (K i I E).
  - pose proof (held_remove l k p H). specialize (IH (fun i => k i && negb (Nat.eqb i p))).
    enough (held (fun i => k i && negb (Nat.eqb i p)) l <= known_in l ps) by lia.
    apply IH. intros i I E. apply andb_true_iff in E. destruct E as [E N].
    apply negb_true_iff, Nat.eqb_neq in N. destruct (K i I E); congruence.
Qed.

Lemma contains_ok l ps : board size l -> contains ps = true -> held kept l <= known_in l ps.
Proof.
  intros [L B] C. apply held_known.
  - intros i. destruct (nth_in_or_default i l No) as [I| ->]; simpl; [|lia].
    rewrite Forall_forall in B. destruct (B _ I) as (z & -> & Z0). auto.
  - intros i I K. unfold contains in C. rewrite forallb_forall in C. specialize (C i).
    rewrite K in C. assert (J : In i pits) by (apply in_seq; lia). specialize (C J). simpl in C.
    apply existsb_exists in C. destruct C as (j & J1 & E). apply Nat.eqb_eq in E. subst; auto.
Qed.

(** ** Bounds of single pits, which bound the kept ones together *)

Definition pit_bound (i : nat) (c : expr) : option Z :=
  match c with
  | Bin (Eq | Le | Lt) a (Const z) =>
    match pits_of a with Some ps => if within ps i then Some z else None | None => None end
  | _ => None
  end.
Definition least_bound (i : nat) (cs : list expr) : option Z :=
  fold_right (fun c m => least (pit_bound i c) m) None cs.
Definition sum_bounds (cs : list expr) (ps : list nat) : option Z :=
  fold_right (fun i m => match least_bound i cs, m with
    | Some z, Some m => Some (z + m)
    | _, _ => None
    end) (Some 0) ps.
Definition joint_bound (e : expr) : option Z := sum_bounds (conjuncts e) (filter kept pits).

Lemma member_known l ps i : (forall j, 0 <= number (nth j l No)) -> In i ps ->
  number (nth i l No) <= known_in l ps.
Proof.
  intros H. induction ps as [|p ps IH]; simpl; intros I; [tauto|]. pose proof (H p).
  assert (0 <= known_in l ps) by (clear - H; induction ps as [|q ps IH]; simpl; [lia|];
    pose proof (H q); lia).
  destruct I as [->|I]; [lia|]. specialize (IH I). lia.
Qed.

Lemma pit_bound_ok ls n r c y i z : (forall j, 0 <= number (nth j (cells r) No)) ->
  ev ls n r c = V y -> nz y = true -> pit_bound i c = Some z -> number (nth i (cells r) No) <= z.
Proof.
  intros H E N B. destruct c as [| | | | | | | | | | | | | | | | |o a x| | |]; try discriminate.
  destruct x as [t| | | | | | | | | | | | | | | | | | | |]; simpl in B;
    try (destruct o; discriminate).
  simpl in E. destruct (ev ls n r a) as [v| |] eqn:A; try discriminate. simpl in E.
  destruct (pits_of a) as [ps|] eqn:Q; [|destruct o; discriminate].
  apply (pits_of_ev _ _ _ _ ps) in A; auto.
  destruct (within ps i) eqn:W; [|destruct o; discriminate].
  assert (I : In i ps).
  { apply existsb_exists in W. destruct W as (j & J & W). apply Nat.eqb_eq in W. subst; auto. }
  pose proof (member_known (cells r) ps i H I).
  destruct o; try discriminate; injection B as <-; simpl in E; injection E as <-.
  - destruct (v =? t) eqn:D; [lia|discriminate].
  - destruct (v <? t) eqn:D; [lia|discriminate].
  - destruct (v <=? t) eqn:D; [lia|discriminate].
Qed.

Lemma joint_bound_ok ls n r e y t : board size (cells r) -> ev ls n r e = V y -> nz y = true ->
  joint_bound e = Some t -> held kept (cells r) <= t.
Proof.
  intros [L B] E N J.
  assert (H : forall j, 0 <= number (nth j (cells r) No)).
  { intros j. destruct (nth_in_or_default j (cells r) No) as [I| ->]; simpl; [|lia].
    rewrite Forall_forall in B. destruct (B _ I) as (z & -> & Z0). auto. }
  assert (C : forall i z, least_bound i (conjuncts e) = Some z -> number (nth i (cells r) No) <= z).
  { intros i. pose proof (conjuncts_hold _ _ _ _ _ E N) as Q. unfold least_bound.
    induction (conjuncts e) as [|c cs IH]; simpl; intros z K; [discriminate|].
    specialize (IH (fun c I => Q c (or_intror I))).
    destruct (Q c (or_introl eq_refl)) as (v & V0 & V1).
    pose proof (fun z => pit_bound_ok ls n r c v i z H V0 V1) as P.
    destruct (pit_bound i c) as [x|]; simpl in K; auto.
    destruct (fold_right _ _ cs) as [m|]; injection K as <-; auto.
    specialize (P x eq_refl). specialize (IH m eq_refl). lia. }
  apply Z.le_trans with (known_in (cells r) (filter kept pits)).
  - apply held_known; auto. intros i I K. apply filter_In. split; auto. apply in_seq. lia.
  - revert t J. unfold joint_bound, sum_bounds.
    induction (filter kept pits) as [|i ps IH]; simpl; intros t J; [injection J as <-; lia|].
    destruct (least_bound i (conjuncts e)) as [z|] eqn:Z0; try discriminate.
    destruct (fold_right _ _ ps) as [m|]; try discriminate. injection J as <-.
    specialize (IH m eq_refl). specialize (C i z Z0). lia.
Qed.

(** A bound to look for: any number will do. *)
Fixpoint target_bound (e : expr) : Z :=
  match joint_bound e with
  | Some t => t
  | None => match e with And e f | Or e f => Z.max (target_bound e) (target_bound f) | _ => 0 end
  end.

(** ** Conditions that bound the kept pits *)

Variable b : Z.

(** A comparison that holds only if the kept pits have at most b seeds. *)
Definition bound (c : expr) : bool :=
  match c with
  | Bin (Eq | Le | Lt) a (Const z) =>
    match pits_of a with Some ps => contains ps && (z <=? b) | None => false end
  | _ => false
  end.
Definition bounded (c : expr) : bool := existsb bound (conjuncts c).

Lemma bound_ok ls n r c z : board size (cells r) -> bound c = true -> ev ls n r c = V z ->
  b < held kept (cells r) -> z = 0.
Proof.
  intros B C E H. destruct c as [| | | | | | | | | | | | | | | | |o a x| | |]; try discriminate.
  destruct x as [y| | | | | | | | | | | | | | | | | | | |]; simpl in C;
    try (destruct o; discriminate).
  simpl in E. destruct (ev ls n r a) as [v| |] eqn:A; try discriminate. simpl in E.
  destruct (pits_of a) as [ps|] eqn:Q; [|destruct o; discriminate].
  apply (pits_of_ev _ _ _ _ ps) in A; auto.
  destruct o; try discriminate; apply andb_true_iff in C; destruct C as [C Y];
    pose proof (contains_ok _ _ B C); simpl in E; injection E as <-.
  - destruct (v =? y) eqn:D; auto. lia.
  - destruct (v <? y) eqn:D; auto. lia.
  - destruct (v <=? y) eqn:D; auto. lia.
Qed.

Lemma bounded_ok ls n r c z : board size (cells r) -> bounded c = true -> ev ls n r c = V z ->
  nz z = true -> held kept (cells r) <= b.
Proof.
  intros B C E N. unfold bounded in C. apply existsb_exists in C. destruct C as (d & I & D).
  destruct (conjuncts_hold _ _ _ _ _ E N d I) as (y & Y & Y0).
  destruct (Z.le_gt_cases (held kept (cells r)) b); auto.
  rewrite (bound_ok ls n r d y) in Y0; auto; discriminate || lia.
Qed.

(** ** Outcomes *)

(** No run of the statement ends with the outcome o. *)
Fixpoint never (o : Z) (s : stmt) : bool :=
  match s with
  | Stop x => negb (x =? o)
  | Seq s t | If _ s t => never o s && never o t
  | While _ s => negb (endless sys =? o) && never o s
  | Sow _ _ _ _ _ _ s => never o s
  | _ => true
  end.

(** Where a run with the outcome z may end: with another outcome than o, or going on with z. *)
Definition ends (o z : Z) (x : out) : Prop :=
  match x with On u => over u = z | Fin u => over u <> o | _ => True end.

Lemma ends_bindo o z r k : (forall y, ends o z (k y)) -> ends o z (bindo r k).
Proof. destruct r; simpl; auto. Qed.

Lemma ends_skips o z ls n r l : forall i k, (forall m, ends o z (k m)) ->
  ends o z (skips ls n r i l k).
Proof. induction l as [|[e|] l IH]; simpl; intros; auto. apply ends_bindo; auto. Qed.

Lemma ends_counted o z ls n r c k : (forall x, ends o z (k x)) -> ends o z (counted ls n r c k).
Proof. destruct c; simpl; auto. intros. apply ends_bindo; auto. Qed.

Lemma ends_beginning o z ls n r from nx p k : (forall q, ends o z (k q)) ->
  ends o z (beginning ls n r from nx p k).
Proof.
  destruct from; simpl; auto. intros. apply ends_bindo; intros q.
  destruct (is_pit _ _); simpl; auto.
Qed.

Lemma ends_drops o d source nx sk only : (forall r, ends o (over r) (d r)) ->
  forall c p r, ends o (over r) (drops d source c nx sk only p r).
Proof.
  intros D. induction c; intros p r; cbn [drops]; [reflexivity|].
  destruct (place _ _ _ p) as [q|]; [|exact I].
  match goal with |- ends _ _ (match d ?x with _ => _ end) =>
    pose proof (D x) as E; destruct (d x) as [u|u| | |]
  end;
    simpl in E; auto.
  rewrite <- E. apply IHc.
Qed.

Lemma ends_loop o f c s e : e <> o -> (forall r, ends o (over r) (s r)) ->
  forall l r, ends o (over r) (loop f c s e l r).
Proof.
  intros E S. induction f; simpl; intros l r; auto. apply ends_bindo; intros y.
  destruct (nz y); [|reflexivity]. destruct (seen _ _) as [[|]|]; simpl; auto.
  pose proof (S r) as K. destruct (s r) as [u|u| | |]; simpl in *; auto. rewrite <- K. apply IHf.
Qed.

(** Of a statement that does not end the game. *)
Ltac ends_cases := repeat first
  [ exact I | reflexivity | apply ends_bindo; intros ?
  | match goal with |- ends _ _ (if ?x then _ else _) => destruct x end ].

Lemma ex_ends o n rounds s : never o s = true ->
  forall r, ends o (over r) (exec sys rounds n s r).
Proof.
  unfold exec. induction s; cbn [never ex]; intros N r.
  - reflexivity.
  - apply andb_true_iff in N. destruct N as [N1 N2]. pose proof (IHs1 N1 r) as K.
    destruct (ex _ _ _ _ _ _ s1 r); simpl in *; auto. rewrite <- K. auto.
  - apply ends_bindo; intros p. destruct (negb _); [exact I|].
    destruct (nth_error _ _); [|exact I].
    apply ends_counted; intros k. apply ends_beginning; intros q. apply ends_skips; intros m.
    apply ends_bindo; intros all. cbv zeta. destruct (_ || _); [exact I|].
    match goal with |- ends _ _ (drops _ _ _ _ _ _ _ ?u) => change (over r) with (over u) end.
    apply ends_drops; auto.
  - destruct count; ends_cases.
  - destruct to; unfold set_var; ends_cases.
  - apply andb_true_iff in N. destruct N. apply ends_bindo; intros y. destruct (nz y); auto.
  - apply andb_true_iff in N. destruct N as [E N]. apply ends_loop; auto.
    apply negb_true_iff, Z.eqb_neq in E. auto.
  - destruct (outcome <? 0); [exact I|]. simpl. apply negb_true_iff, Z.eqb_neq in N. auto.
Qed.

(** A reaction ends the game with o only if its condition bounds the kept pits. *)
Definition rule_caps (o : Z) (u : rule) : bool :=
  never o (does u) || match does u with Stop _ => bounded (when u) | _ => false end.
Definition caps (o : Z) : bool :=
  negb (o =? -1) && forallb (fun a => never o (body a)) (acts sys) &&
  forallb (fun x => forallb (rule_caps o) (per x)) (rxs sys).

Hypothesis Sound : sound sys = true.

(** If a run is over with o, it has at most b seeds in the kept pits. *)
Definition capped (o : Z) (r : run) : Prop := over r = o -> held kept (cells r) <= b.

Lemma settle_caps rounds ended o rs : o <> -1 ->
  forallb (fun x => forallb (rule_caps o) (per x)) rs = true ->
  forall s, shape sys s -> Kernel.outcome s = -1 -> post (capped o) (settle sys rounds ended rs s).
Proof.
  intros O. induction rs as [|x q IH]; simpl; intros C s S L. intros E. simpl in E. congruence.
  apply andb_true_iff in C. destruct C as [C Q].
  destruct (turn x && negb ended); auto. destruct (nth_error _ _) as [u|] eqn:N; auto.
  apply post_bindo; intros c E. destruct (nz c) eqn:Z0; auto.
  rewrite forallb_forall in C. specialize (C u (nth_error_In _ _ N)). unfold rule_caps in C.
  pose proof (ex_keeps sys Sound (endless sys) rounds (rules_env sys rounds) (does u)
    (enter s (mover s) (rlocals u)) S) as K.
  fold (exec sys rounds (rules_env sys rounds)) in K. apply orb_true_iff in C. destruct C as [C|C].
  - pose proof (ex_ends o (rules_env sys rounds) rounds (does u) C 
      (enter s (mover s) (rlocals u))) as M.
    destruct (exec _ _ _ _ _) as [v|v| | |]; simpl in *; auto.
    + apply IH; auto. apply K. simpl. congruence.
    + intros X. tauto.
  - destruct (does u) eqn:D; try discriminate. simpl in *. destruct (outcome <? 0); simpl; auto.
    intros _. simpl. apply (bounded_ok (laps sys) (rules_env sys rounds) (enter s (mover s) 0)
      (when u) c); auto.
    apply S.
Qed.

Theorem act_caps rounds o a s : caps o = true -> In a (acts sys) -> shape sys s ->
  post (capped o) (act sys rounds a s).
Proof.
  unfold caps. rewrite !andb_true_iff, !forallb_forall. intros [[O A] R] I S.
  apply negb_true_iff, Z.eqb_neq in O.
  assert (R' : forallb (fun x => forallb (rule_caps o) (per x)) (rxs sys) = true)
    by (apply forallb_forall; auto).
  unfold act, pass, live. destruct (Kernel.outcome s =? -1) eqn:L.
  2: { simpl. destruct (ranked sys); simpl; auto. }
  apply Z.eqb_eq in L.
  assert (C : forall n r, post (keep sys s) (exec sys rounds n (body a) (enter s r (alocals a))) /\
    post (capped o) (conclude sys rounds s (exec sys rounds n (body a) (enter s r (alocals a))))).
  { intros n r.
    pose proof (ex_keeps sys Sound (endless sys) rounds n (body a) (enter s r (alocals a)) S) as K.
    fold (exec sys rounds n) in K. split; [exact K|].
    pose proof (ex_ends o n rounds (body a) (A a I) (enter s r (alocals a))) as M.
    destruct (exec _ _ _ _ _) as [v|v| | |]; simpl in *; auto.
    - apply settle_caps; auto. apply K. simpl. congruence.
    - intros X. tauto. }
  destruct (who a =? mover s); simpl.
  2: { destruct (ranked sys); simpl; auto. }
  destruct (eval _ _ _ _) as [g| |]; simpl; try (destruct (ranked sys); simpl; auto; fail).
  destruct (nz g); [|destruct (ranked sys); simpl; auto].
  destruct (C (rules_env sys rounds) ((mover s + 1) mod Z.of_nat (players sys))) as [_ P].
  destruct (ranked sys); auto.
  destruct (exec _ _ _ _ _) eqn:E; simpl in P |- *; auto;
    (apply post_bindo; intros k _; apply post_bindo; intros x _; destruct (nz x); simpl; auto).
Qed.

Theorem start_caps rounds o s : caps o = true -> shape sys s -> Kernel.outcome s = -1 ->
  post (capped o) (starting sys rounds s).
Proof.
  unfold caps. rewrite !andb_true_iff. intros [[O _] R] S L. apply settle_caps; auto.
  apply negb_true_iff, Z.eqb_neq in O. auto.
Qed.

(** ** Targets *)

(** Conditions that have a value in each state of the right shape. *)
Fixpoint safe (e : expr) : bool :=
  match e with
  | Const _ | Mover | Outcome => true
  | Pit i => (i <? size)%nat
  | Sum ps => forallb (fun i => (i <? size)%nat) ps
  | Var i => (i <? length (doms sys))%nat
  | Not e => safe e
  | And e f | Or e f => safe e && safe f
  | Bin (Div | Mod) e (Const z) => safe e && negb (z =? 0)
  | Bin (Div | Mod) _ _ => false
  | Bin _ e f => safe e && safe f
  | Cond c e f => safe c && safe e && safe f
  | _ => false
  end.

Lemma safe_ok ls n r e : shaped sys r -> safe e = true -> exists z, ev ls n r e = V z.
Proof.
  intros R. induction e; simpl; intros H; try discriminate; eauto;
    repeat match goal with H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H end.
  - destruct R as [B _]. apply Nat.ltb_lt in H. destruct (seed_nth _ _ _ B H) as (z & -> & _).
    simpl; eauto.
  - destruct R as [_ W]. apply Nat.ltb_lt in H. revert i H.
    induction W as [|d c ds cs (z & -> & _) _ IH]; simpl; intros [|i] I; try lia; simpl; eauto.
    apply IH. lia.
  - destruct R as [B _]. induction ps as [|p ps IH]; simpl; eauto. simpl in H.
    apply andb_true_iff in H. destruct H as [H K]. apply Nat.ltb_lt in H.
    destruct (seed_nth _ _ _ B H) as (z & -> & _). destruct (IH K) as (y & ->). simpl. eauto.
  - destruct (IHe H) as (z & ->). simpl. eauto.
  - destruct (IHe1 H) as (x & ->). destruct (IHe2 H0) as (y & ->). simpl. destruct (nz x); eauto.
  - destruct (IHe1 H) as (x & ->). destruct (IHe2 H0) as (y & ->). simpl. destruct (nz x); eauto.
  - assert (D : safe e1 = true /\ exists y, ev ls n r e2 = V y /\
      match o with Div | Mod => (y =? 0) = false | _ => True end).
    { destruct o; try (apply andb_true_iff in H; destruct H as [H K];
        destruct (IHe2 K) as (y & Y); eauto; fail);
        destruct e2; try discriminate; apply andb_true_iff in H; destruct H as [H K];
        apply negb_true_iff in K; simpl; eauto. }
    destruct D as (S1 & y & -> & D). destruct (IHe1 S1) as (x & ->). simpl.
    destruct o; simpl; eauto; rewrite D; eauto.
  - destruct (IHe1 H) as (x & ->). destruct (IHe2 H1) as (y & ->). destruct (IHe3 H0) as (z & ->).
    simpl. destruct (nz x); eauto.
Qed.

(** The target is false of every state after a step whose kept pits hold more than b seeds. *)
Definition jointly (e : expr) : bool :=
  match joint_bound e with Some t => t <=? b | None => false end.
Fixpoint excludes (e : expr) : bool :=
  match e with
  | And e f => excludes e || (safe e && excludes f) || (safe (And e f) && jointly (And e f))
  | Or e f => excludes e && excludes f
  | Const z => z =? 0
  | Bin Eq Outcome (Const o) => caps o
  | e => safe e && (bound e || jointly e)
  end.

Lemma excludes_ok ls n r e : shaped sys r -> (forall o, caps o = true -> capped o r) ->
  b < held kept (cells r) -> excludes e = true -> ev ls n r e = V 0.
Proof.
  intros R C H.
  assert (Joint : forall e, safe e && jointly e = true -> ev ls n r e = V 0).
  { intros e0 E. apply andb_true_iff in E. destruct E as [S0 E].
    destruct (safe_ok ls n r e0 R S0) as (z & X). rewrite X.
    destruct (Z.eq_dec z 0) as [->|N]; auto. exfalso. unfold jointly in E.
    destruct (joint_bound e0) as [t|] eqn:J; try discriminate.
    pose proof (joint_bound_ok ls n r e0 z t (proj1 R) X) as Q. rewrite J in Q.
    unfold nz in Q. destruct (z =? 0) eqn:Z0; [lia|]. specialize (Q eq_refl eq_refl). lia. }
  assert (Bound : forall e, safe e && (bound e || jointly e) = true -> ev ls n r e = V 0).
  { intros e0 E. apply andb_true_iff in E. destruct E as [S0 E]. apply orb_true_iff in E.
    destruct E as [E|E]; [|apply Joint; rewrite S0; auto].
    destruct (safe_ok ls n r e0 R S0) as (z & X). rewrite X.
    rewrite (bound_ok ls n r e0 z); auto. apply R. }
  induction e; intros E; try (apply Bound; exact E).
  - simpl in E. apply Z.eqb_eq in E. subst. auto.
  - cbn [excludes] in E. apply orb_true_iff in E. destruct E as [E|E]; [|apply Joint; auto].
    simpl. apply orb_true_iff in E. destruct E as [E|E].
    + rewrite IHe1; auto.
    + apply andb_true_iff in E. destruct E as [E1 E2].
      destruct (safe_ok ls n r e1 R E1) as (x & ->).
      rewrite IHe2 by auto. simpl. destruct (nz x); auto.
  - simpl in E. simpl. apply andb_true_iff in E. destruct E as [E1 E2]. rewrite IHe1, IHe2; auto.
  - destruct o; try (apply Bound; exact E). destruct e1; try (apply Bound; exact E).
    destruct e2; try (apply Bound; exact E). simpl in E |- *. specialize (C z E).
    unfold capped in C.
    destruct (over r =? z) eqn:O; auto. apply Z.eqb_eq in O. specialize (C O). lia.
Qed.
End Endings.

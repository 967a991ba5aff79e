(** What holds of all starts, by cases on the boards that the setup may lay out.

    A case is closed if a condition that the setup joins by [and] is false in it, whatever the open
    parameters are, or if the start is known to be as wanted. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search.
Import ListNotations.
Open Scope Z_scope.

(** ** Conditions of the setup *)

Fixpoint conjuncts (e : expr) : list expr :=
  match e with And a b => conjuncts a ++ conjuncts b | e => [e] end.

Fixpoint no_param (e : expr) : bool :=
  match e with
  | Param _ => false
  | PitAt e | Pick _ e | Look _ e | Not e | Old e => no_param e
  | And a b | Or a b | Bin _ a b => no_param a && no_param b
  | Cond a b c => no_param a && no_param b && no_param c
  | _ => true
  end.

(** The pits whose seeds a sum adds up. *)
Fixpoint pits_of (e : expr) : option (list nat) :=
  match e with
  | Pit i => Some [i]
  | Sum ps => Some ps
  | Bin Add a b =>
    match pits_of a, pits_of b with Some p, Some q => Some (p ++ q) | _, _ => None end
  | _ => None
  end.

Lemma conjuncts_hold ls n r e : forall z, ev ls n r e = V z -> nz z = true ->
  forall c, In c (conjuncts e) -> exists y, ev ls n r c = V y /\ nz y = true.
Proof.
  induction e; simpl; intros v H N k I; try (destruct I as [<-|[]]; exists v; auto; fail).
  destruct (ev ls n r e1) as [x| |]; simpl in H; try discriminate.
  destruct (nz x) eqn:X; [|injection H as <-; discriminate].
  destruct (ev ls n r e2) as [y| |]; simpl in H; try discriminate.
  injection H as <-. apply in_app_or in I. destruct I as [I|I].
  - apply (IHe1 x); auto.
  - apply (IHe2 y); auto. destruct (nz y); auto.
Qed.

Lemma no_param_ev ls e : no_param e = true -> forall k par par' old r,
  ev ls (Env k par old) r e = ev ls (Env k par' old) r e.
Proof.
  induction e; simpl; intros N k par par' old r; auto; try discriminate;
    repeat match goal with H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H end;
    try (rewrite (IHe N k par par' old r); auto; fail);
    try (rewrite (IHe1 H k par par' old r), (IHe2 H0 k par par' old r); auto; fail).
  - rewrite (IHe1 H k par par' old r), (IHe2 H1 k par par' old r), (IHe3 H0 k par par' old r); auto.
  - destruct old; auto.
Qed.

Lemma known_app l p q : known_in l (p ++ q) = known_in l p + known_in l q.
Proof. induction p; simpl; auto. lia. Qed.

Lemma sum_known l ps : forall z, sum l ps = V z -> z = known_in l ps.
Proof.
  induction ps as [|p ps IH]; simpl; intros z H; [congruence|].
  destruct (nth p l No) eqn:N; simpl in H; try discriminate.
  destruct (sum l ps) as [y| |]; simpl in H; try discriminate.
  injection H as <-. rewrite (IH y) by auto. auto.
Qed.

Lemma pits_of_ev ls n r e : forall ps' v, pits_of e = Some ps' -> ev ls n r e = V v ->
  v = known_in (cells r) ps'.
Proof.
  induction e; simpl; intros ps' v D H; try discriminate.
  - injection D as <-. simpl. destruct (nth i (cells r) No); simpl in *; try discriminate.
    injection H as <-. lia.
  - injection D as <-. apply sum_known; auto.
  - destruct o; try discriminate.
    destruct (pits_of e1) as [p|], (pits_of e2) as [q|]; try discriminate. injection D as <-.
    destruct (ev ls n r e1) as [x| |], (ev ls n r e2) as [y| |]; simpl in H; try discriminate.
    injection H as <-. rewrite known_app, (IHe1 p x), (IHe2 q y); auto.
Qed.

Lemma known_le_le l m ps : lle l m -> (forall p, 0 <= number (nth p m No)) ->
  known_in l ps <= known_in m ps.
Proof.
  intros H P. induction ps as [|p ps IH]; simpl; [lia|]. specialize (P p).
  destruct (nth_le _ _ H p) as [E|E]; rewrite E; simpl; lia.
Qed.

Lemma known_with l m ps i z : lle l m -> (forall p, 0 <= number (nth p m No)) ->
  In i ps -> nth i l No = Un -> nth i m No = Kn z -> known_in l ps + z <= known_in m ps.
Proof.
  intros H P I N M. induction ps as [|p ps IH]; simpl in *; [tauto|].
  pose proof (known_le_le l m ps H P). pose proof (P p). destruct I as [-> |I].
  - rewrite N, M in *. simpl in *. lia.
  - specialize (IH I). destruct (nth_le _ _ H p) as [E|E]; rewrite E; simpl; lia.
Qed.

Lemma wf_number sys s p : wf sys s -> 0 <= number (nth p (seeds s) No).
Proof.
  intros (_ & B & _). destruct (nth_in_or_default p (seeds s) No) as [H| ->]; simpl; [|lia].
  rewrite Forall_forall in B. apply B in H. destruct H as (z & -> & Z0). auto.
Qed.

(** ** Boards *)

Section Starts.
Variable sys : system.
Variable n : nat.

Definition setup_value (par : list Z) (e : expr) (t : state) : res :=
  eval sys (claim_env sys n par None) (enter t (first sys) 0) e.

(** The condition c is false, whatever the open parameters are. *)
Definition refutes (t : state) (c : expr) : bool :=
  if no_param c then match setup_value [] c t with V 0 => true | _ => false end else
  match c with
  | Bin Eq e (Param i) =>
    match no_param e, setup_value [] e t, nth_error (ranges sys) i with
    | true, V z, Some (low, high) =>
      (z <? low) || match high with Some h => h <? z | None => false end
    | _, _, _ => false
    end
  | _ => false
  end.

(** Some boards are known to satisfy the setup. *)
Definition laid (par : list Z) (s : state) : Prop :=
  wf sys s /\ Forall2 in_range (ranges sys) par /\
  exists z, eval sys (claim_env sys 0 par None) (enter s (first sys) 0) (setup sys) = V z /\
    nz z = true.

Lemma conjunct_value par t s c x : laid par s -> sle t s -> In c (conjuncts (setup sys)) ->
  setup_value par c t = V x -> nz x = true.
Proof.
  intros (_ & _ & z & E & Z0) S I H.
  destruct (conjuncts_hold _ _ _ _ _ E Z0 _ I) as (y & Y & Y0).
  assert (A : rle (V y) (setup_value par c s)).
  { rewrite <- Y. unfold setup_value, eval. apply ev_le; auto with le. apply claim_le; simpl; auto.
    lia. }
  assert (B : rle (V x) (setup_value par c s)).
  { rewrite <- H. unfold setup_value, eval.
    apply ev_le; [apply claim_le; simpl; auto|apply enter_le; auto]. }
  destruct A, B; congruence.
Qed.

Lemma setup_no_param par e t : no_param e = true -> setup_value par e t = setup_value [] e t.
Proof. intros N. unfold setup_value, eval, claim_env. apply no_param_ev; auto. Qed.

(** What a comparison in the setup says of the values of its sides. *)
Lemma compare_value par t s c o a e x : laid par s -> sle t s -> In c (conjuncts (setup sys)) ->
  c = Bin o a e -> setup_value par e t = V x -> exists y, setup_value par a s = V y /\
  exists z, apply o y x = V z /\ nz z = true.
Proof.
  intros L S I -> H. pose proof L as (_ & _ & z & E & Z0).
  destruct (conjuncts_hold _ _ _ _ _ E Z0 _ I) as (v & Y & Y0).
  assert (X : setup_value par (Bin o a e) s = V v).
  { assert (A : rle (V v) (setup_value par (Bin o a e) s)).
    { rewrite <- Y. unfold setup_value, eval. apply ev_le; auto with le.
      apply claim_le; simpl; auto. lia. }
    destruct A; congruence. }
  assert (K : setup_value par e s = V x).
  { assert (B : rle (V x) (setup_value par e s)).
    { rewrite <- H. unfold setup_value, eval.
      apply ev_le; [apply claim_le; simpl; auto|apply enter_le; auto]. }
    destruct B; congruence. }
  unfold setup_value, eval in *. simpl in X. rewrite K in X.
  destruct (ev _ _ _ a) as [y| |]; simpl in X; try discriminate. eauto.
Qed.

Lemma refutes_ok par t s c : laid par s -> sle t s -> In c (conjuncts (setup sys)) ->
  refutes t c = false.
Proof.
  intros L S I. unfold refutes. destruct (no_param c) eqn:N.
  - destruct (setup_value [] c t) as [[| |]| |] eqn:E; auto.
    rewrite <- (setup_no_param par) in E by auto.
    apply (conjunct_value par t s) in E; auto; discriminate.
  - destruct c as [| | | | | | | | | | | | | | | | |o a b| | |]; auto. destruct o; auto.
    destruct b; auto. destruct (no_param a) eqn:NA; auto.
    destruct (setup_value [] a t) as [z| |] eqn:E; auto.
    destruct (nth_error (ranges sys) i) as [[low high]|] eqn:R; auto.
    pose proof L as (_ & F & _).
    assert (P : exists x, nth_error par i = Some x /\ in_range (low, high) x).
    { clear - F R. revert i R. induction F; intros [|i] R; simpl in *; try discriminate; eauto.
      injection R as ->. eauto. }
    destruct P as (x & P & Q1 & Q2). simpl in Q1, Q2.
    rewrite <- (setup_no_param par) in E by auto.
    destruct (compare_value par t s _ Eq a (Param i) x L S I eq_refl) as (y & Y & w & W & W0).
    { unfold setup_value, eval. simpl. rewrite P. auto. }
    assert (y = z).
    { assert (B : rle (V z) (setup_value par a s)).
      { rewrite <- E. unfold setup_value, eval.
        apply ev_le; [apply claim_le; simpl; auto|apply enter_le; auto]. }
      destruct B; congruence. }
    subst z. simpl in W. injection W as <-. destruct (y =? x) eqn:D; [|discriminate].
    destruct high; lia.
Qed.

(** The greatest number of seeds that a condition leaves for pit i. *)
Definition limit (t : state) (i : nat) (c : expr) : option Z :=
  match c with
  | Bin o a e =>
    match o, pits_of a, no_param e, setup_value [] e t with
    | (Eq | Le | Lt), Some ps, true, V z =>
      if existsb (Nat.eqb i) ps then Some (z - known_in (seeds t) ps) else None
    | _, _, _, _ => None
    end
  | _ => None
  end.
Definition least (a b : option Z) : option Z :=
  match a, b with Some x, Some y => Some (Z.min x y) | None, b => b | a, None => a end.
Definition limits (t : state) (i : nat) : option Z :=
  fold_right (fun c m => least (limit t i c) m) None (conjuncts (setup sys)).

Lemma limits_ok par s : laid par s -> at_most limits s.
Proof.
  intros L t i h z S N H M. unfold limits in H.
  assert (Q : forall c x, In c (conjuncts (setup sys)) -> limit t i c = Some x -> z <= x).
  { intros c x I K. unfold limit in K.
    destruct c as [| | | | | | | | | | | | | | | | |o a e| | |]; try discriminate.
    destruct (pits_of a) as [ps|] eqn:D; [|destruct o; discriminate].
    destruct (no_param e) eqn:NP; [|destruct o; discriminate].
    destruct (setup_value [] e t) as [b| |] eqn:E; try (destruct o; discriminate).
    rewrite <- (setup_no_param par) in E by auto.
    destruct (compare_value par t s _ o a e b L S I eq_refl E) as (y & Y & w & W & W0).
    apply (pits_of_ev _ _ _ _ ps) in Y; auto. simpl in Y.
    destruct (existsb (Nat.eqb i) ps) eqn:X; [|destruct o; discriminate].
    assert (J : In i ps).
    { apply existsb_exists in X. destruct X as (j & J & F). apply Nat.eqb_eq in F. subst; auto. }
    pose proof L as (WF & _).
    pose proof (known_with (seeds t) (seeds s) ps i z (proj1 S)
      (fun p => wf_number sys s p WF) J N M) as T.
    destruct o; try discriminate; injection K as <-; simpl in W; injection W as <-.
    - destruct (y =? b) eqn:G; [|discriminate]. lia.
    - destruct (y <? b) eqn:G; [|discriminate]. lia.
    - destruct (y <=? b) eqn:G; [|discriminate]. lia. }
  revert h H. induction (conjuncts (setup sys)) as [|c l IH]; simpl; intros h H; [discriminate|].
  specialize (IH (fun c x I => Q c x (or_intror I))). specialize (Q c).
  destruct (limit t i c) as [x|]; simpl in H.
  - specialize (Q x (or_introl eq_refl) eq_refl).
    destruct (fold_right _ _ l) as [y|]; injection H as <-; auto.
    specialize (IH y eq_refl). lia.
  - auto.
Qed.

(** ** Starts *)

Variable most : state -> nat -> option Z.
Variable good : state -> bool.

(** What the setup lays out, before its condition is looked at. *)
Definition blank : state :=
  St (map (fun i => if nth i (free sys) false then Un else Kn 0) (seq 0 (npits sys)))
    (map Kn (inits sys)) (first sys) (-1).

Definition settled (t : state) : bool :=
  match starting sys n t with
  | On r | Fin r => good (leave r)
  | Ill | Flt => true
  | Ukn => false
  end.
Definition start_done (t : state) : bool :=
  existsb (refutes t) (conjuncts (setup sys)) || settled t.
Definition next_pit (t : state) : option slot :=
  option_map PitSlot (first_unknown (seeds t) (seq 0 (npits sys))).

(** All starts are good. *)
Definition check_starts : bool := search sys most next_pit start_done (npits sys) blank.

Lemma map_seq_le (f : nat -> cell) l : forall k,
  (forall i, (i < length l)%nat -> cle (f (k + i)%nat) (nth i l No)) ->
    lle (map f (seq k (length l))) l.
Proof.
  induction l as [|c l IH]; simpl; intros k H; constructor.
  - rewrite <- (Nat.add_0_r k). apply (H O). lia.
  - apply IH. intros i I. rewrite Nat.add_succ_comm. apply (H (S i)). lia.
Qed.

Lemma blank_le s : laid_out sys s -> sle blank s.
Proof.
  intros ((L & _) & E & M & O & Z0 & _). repeat split; simpl; auto.
  - rewrite <- L. apply map_seq_le. simpl. rewrite L. intros i I.
    destruct (nth i (free sys) false) eqn:F; [left; auto|right]. rewrite Z0; auto.
  - rewrite E. auto with le.
Qed.

Lemma laid_out_laid s : laid_out sys s -> exists par, laid par s.
Proof. intros (W & _ & _ & _ & _ & par & z & R & E). exists par. split; eauto. Qed.

Hypothesis Sound : sound sys = true.

(** A start of whose board [most] is right is good. *)
Theorem start_good s m u : laid_out sys s -> at_most most s -> check_starts = true ->
  result (starting sys m s) = Some u -> exists v, sle v u /\ good v = true.
Proof.
  intros L M H R. pose proof L as (W & _).
  destruct (search_sound sys most next_pit start_done s W M _ _ H (blank_le s L)) as (t & S & D).
  unfold start_done in D. apply orb_true_iff in D. destruct D as [D|D].
  - exfalso. apply existsb_exists in D. destruct D as (c & I & D).
    destruct (laid_out_laid s L) as (par & K). rewrite (refutes_ok par t s c) in D; auto.
    discriminate.
  - unfold settled in D.
    destruct (start_above sys Sound n t s m u) as (v & V & Q); auto.
    { intros E. rewrite E in D. discriminate. }
    exists v. split; auto. destruct (starting sys n t); simpl in V; try discriminate; congruence.
Qed.
End Starts.

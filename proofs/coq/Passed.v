(** Steps of partly known states, where a reaction is passed over if its condition is surely false.

    The kernel's sum of pits is unknown as soon as one of them is. Here a sum is at least what is
    known of it, so [Sum ps = 0] is false once one pit is known to hold a seed. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Endings.
Import ListNotations.
Open Scope Z_scope.

Section Passed.
Variable sys : system.

(** A comparison that the known seeds are too many for. *)
Definition exceeded (l : list cell) (c : expr) : bool :=
  match c with
  | Bin (Eq | Le | Lt) a (Const z) =>
    match pits_of a with Some ps => z <? known_in l ps | None => false end
  | _ => false
  end.
Definition surely_false (l : list cell) (c : expr) : bool :=
  if existsb (exceeded l) (conjuncts c) then safe sys c else false.

Lemma exceeded_ok ls n r l c z : lle l (cells r) -> (forall p, 0 <= number (nth p (cells r) No)) ->
  exceeded l c = true -> ev ls n r c = V z -> nz z = false.
Proof.
  intros L P C E. destruct c as [| | | | | | | | | | | | | | | | |o a x| | |]; try discriminate.
  destruct x as [y| | | | | | | | | | | | | | | | | | | |]; simpl in C;
    try (destruct o; discriminate).
  simpl in E. destruct (ev ls n r a) as [v| |] eqn:A; try discriminate. simpl in E.
  destruct (pits_of a) as [ps|] eqn:Q; [|destruct o; discriminate].
  apply (pits_of_ev _ _ _ _ ps) in A; auto. pose proof (known_le_le l (cells r) ps L P).
  destruct o; try discriminate; simpl in E; injection E as <-.
  - destruct (v =? y) eqn:D; auto. lia.
  - destruct (v <? y) eqn:D; auto. lia.
  - destruct (v <=? y) eqn:D; auto. lia.
Qed.

Lemma surely_false_ok ls n r l c : shaped sys r -> lle l (cells r) -> surely_false l c = true ->
  ev ls n r c = V 0.
Proof.
  intros R L H. unfold surely_false in H. destruct (existsb _ _) eqn:X; try discriminate.
  destruct (safe_ok sys ls n r c R H) as (z & E). rewrite E.
  destruct (nz z) eqn:N.
  2: { unfold nz in N. destruct (z =? 0) eqn:Z0; [f_equal; lia|discriminate]. }
  apply existsb_exists in X. destruct X as (d & I & X).
  destruct (conjuncts_hold _ _ _ _ _ E N d I) as (y & Y & Y0).
  rewrite (exceeded_ok ls n r l d y) in Y0; auto; [discriminate|].
  destruct R as [[_ B] _]. intros p.
  destruct (nth_in_or_default p (cells r) No) as [J| ->]; simpl; [|lia].
  rewrite Forall_forall in B. destruct (B _ J) as (x & -> & X0). auto.
Qed.

Variable rounds : nat.

(** As [settle], [conclude] and [act] of the kernel. *)
Fixpoint settle_on (ended : bool) (rs : list reaction) (s : state) : out :=
  match rs with
  | [] => On (enter s (mover s) 0)
  | x :: q =>
    if turn x && negb ended then settle_on ended q s else
    match nth_error (per x) (Z.to_nat (mover s)) with
    | None => settle_on ended q s
    | Some u =>
      if surely_false (seeds s) (when u) then settle_on ended q s else
      bindo (eval sys (rules_env sys rounds) (enter s (mover s) 0) (when u)) (fun c =>
        if nz c then
          match exec sys rounds (rules_env sys rounds) (does u) (enter s (mover s) (rlocals u)) with
          | On r => settle_on ended q (moved (leave r) (next r))
          | Ill => Flt
          | o => o
          end
        else settle_on ended q s)
    end
  end.
Definition conclude_on (s : state) (o : out) : out :=
  match o with
  | On r => settle_on (negb (next r =? mover s) || Nat.eqb (players sys) 1) 
      (rxs sys) (moved (leave r) (next r))
  | o => o
  end.
Definition act_on (a : action) (s : state) : out :=
  let o := pass sys rounds (rules_env sys rounds) a s in
  if ranked sys then
    match o with
    | On _ | Fin _ => bindo (rank_of o) (fun k =>
      bindo (outranked sys rounds k (acts sys) s) (fun x =>
        if nz x then Ill else conclude_on s o))
    | o => o
    end
  else conclude_on s o.

Hypothesis Sound : sound sys = true.
Variable g : nat.
Hypothesis G : (rounds <= g)%nat.

Lemma settle_on_le ended rs : forall t s, shape sys s -> sle t s ->
  ole (settle_on ended rs t) (settle sys g ended rs s).
Proof.
  induction rs as [|x q IH]; intros t s W S; pose proof S as (A & B & C & D); simpl.
  - rewrite C. apply enter_le; auto.
  - destruct (turn x && negb ended); auto. rewrite C.
    destruct (nth_error _ _) as [w|]; auto. destruct (surely_false _ _) eqn:F.
    + unfold eval. rewrite (surely_false_ok _ _ (enter s (mover s) 0) (seeds t)); auto.
      simpl. auto.
    + apply bindo_le.
      * apply ev_le; auto using enter_le, rules_le.
      * intros z. destruct (nz z); auto.
        pose proof (ex_le (laps sys) (doms sys) (players sys) (endless sys) rounds g _ _ (does w) G
          (rules_le sys rounds g G) _ _ (enter_le t s (mover s) (rlocals w) S)) as E.
        pose proof (ex_keeps sys Sound (endless sys) g (rules_env sys g) (does w)
          (enter s (mover s) (rlocals w)) W) as K.
        unfold exec. destruct (ex _ _ _ _ rounds _ _ _), (ex _ _ _ _ g _ _ _); simpl in E, K;
          try tauto; auto.
        rewrite (le_next _ _ E). apply IH. apply K. apply moved_le, leave_le; auto.
Qed.

Lemma act_on_le a t s : shape sys s -> sle t s -> ole (act_on a t) (act sys g a s).
Proof.
  intros W S. pose proof (pass_le sys rounds g G _ _ a t s (rules_le sys rounds g G) S) as P.
  pose proof (pass_keeps sys Sound g (rules_env sys g) a s W) as K.
  assert (C : forall o p, ole o p -> post (keep sys s) p ->
    ole (conclude_on t o) (conclude sys g s p)).
  { intros o p H Q. destruct o, p; simpl in H; try tauto; simpl; auto.
    replace (mover t) with (mover s) by (symmetry; apply S). rewrite (le_next _ _ H).
    apply settle_on_le. apply Q. apply moved_le, leave_le; auto. }
  unfold act_on, act. destruct (ranked sys); [|apply C; auto].
  destruct (pass sys rounds _ a t), (pass sys g _ a s); simpl in P; try tauto; auto;
    (apply bindo_le; [simpl; apply rd_le, P|]); intros k;
    (apply bindo_le; [apply outranked_le; auto|]); intros z; destruct (nz z); try exact I;
    apply C; auto.
Qed.
End Passed.

(** What is found so in t is so in each state that t stands for. *)
Lemma step_on_above sys n a t s u : sound sys = true -> wf sys s -> sle t s ->
  act_on sys n a t <> Ukn ->
  step sys a s u -> exists v, result (act_on sys n a t) = Some v /\ sle v u.
Proof.
  intros Sound W S N (m & H). set (k := Nat.max n m).
  assert (E : result (act sys k a s) = Some u).
  { destruct (result_up _ _ _ (act_le sys m k (Nat.le_max_r n m) a s s (sle_refl s)) H)
      as (w & K & L).
    rewrite K. f_equal. symmetry. apply (known_le sys); auto.
    apply (shape_stays sys Sound a s); auto. exists m; auto. }
  apply shape_wf in W.
  exact (result_le _ _ _ (act_on_le sys n Sound k (Nat.le_max_l n m) a t s W S) N E).
Qed.

(** ** Conditions that are false whatever the unknown cells are *)

(** The conditions that [And] joins are looked at one by one, if those before have a value. *)
Fixpoint false_in (sys : system) (n : nat) (e : expr) (t : state) : bool :=
  match e with
  | And a b =>
    if false_in sys n a t then true else if safe sys a then false_in sys n b t else false
  | Or a b => if false_in sys n a t then false_in sys n b t else false
  | e =>
    if is_zero (value sys n e t) then true else if exceeded (seeds t) e then safe sys e else false
  end.

Lemma false_in_ok sys n e t s : wf sys s -> sle t s -> false_in sys n e t = true ->
  value sys n e s = V 0.
Proof.
  intros W L. apply shape_wf in W.
  assert (Leaf : forall e, (if is_zero (value sys n e t) then true
    else if exceeded (seeds t) e then safe sys e else false) = true -> value sys n e s = V 0).
  { intros c H. destruct (is_zero (value sys n c t)) eqn:Z0.
    - apply (value_le sys n n c t s 0); auto. apply is_zero_ok; auto.
    - destruct (exceeded (seeds t) c) eqn:X; try discriminate. unfold value, eval.
      destruct (safe_ok sys (laps sys) (claim_env sys n [] None) (enter s (mover s) 0) c W H)
        as (z & E).
      rewrite E. f_equal.
      assert (N : nz z = false).
      { eapply exceeded_ok; [|intros p|exact X|exact E]. apply L.
        apply (wf_number sys s p), shape_wf, W. }
      unfold nz in N. destruct (z =? 0) eqn:Y; [lia|discriminate]. }
  induction e; intros H; try (apply Leaf; exact H).
  - cbn [false_in] in H. unfold value, eval in *. simpl. destruct (false_in sys n e1 t).
    + rewrite IHe1 by auto. auto.
    + destruct (safe sys e1) eqn:S; try discriminate.
      destruct (safe_ok sys (laps sys) (claim_env sys n [] None) (enter s (mover s) 0) e1 W S)
        as (x & ->).
      rewrite IHe2 by auto. simpl. destruct (nz x); auto.
  - cbn [false_in] in H. unfold value, eval in *. simpl.
    destruct (false_in sys n e1 t); try discriminate. rewrite IHe1, IHe2; auto.
Qed.

(** The certificates [closed-product]: pairs of states of two Systems, from which each move of the
    one is also a move of the other, to a pair again. *)
From Coq Require Import ZArith List Bool Lia FMapPositive.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence Closed Boards Traces.
Import ListNotations.
Open Scope Z_scope.

(** Pairs of live states, and those of starts; all parts are kept. *)
Record product := Product {
  pr_rounds : nat;
  pr_starts : list (packed * packed);
  pr_states : list (packed * packed)
}.

Definition pair_code (x : packed * packed) : positive := put (code (fst x)) (code (snd x)).

Lemma pair_code_inj x y : pair_code x = pair_code y -> x = y.
Proof.
  destruct x, y. unfold pair_code. simpl. intros H. apply put_inj in H. destruct H as [A B].
  apply code_inj in A. apply code_inj in B. subst; auto.
Qed.

Definition pair_set (l : list (packed * packed)) : PositiveMap.t unit :=
  fold_right (fun x t => PositiveMap.add (pair_code x) tt t) (PositiveMap.empty unit) l.
Definition in_set (x : packed * packed) (t : PositiveMap.t unit) : bool :=
  match PositiveMap.find (pair_code x) t with Some _ => true | None => false end.

Lemma in_set_in x l : in_set x (pair_set l) = true -> In x l.
Proof.
  unfold in_set. induction l as [|y l IH]; simpl. rewrite PositiveMap.gempty. discriminate.
  destruct (Pos.eq_dec (pair_code x) (pair_code y)) as [E|E].
  - intros _. left. symmetry. apply pair_code_inj; auto.
  - rewrite PositiveMap.gso by auto. auto.
Qed.

Definition same_list (l m : list Z) : bool := if list_eq_dec Z.eq_dec l m then true else false.
Lemma same_list_eq l m : same_list l m = true -> l = m.
Proof. unfold same_list. destruct (list_eq_dec _ _ _); auto. discriminate. Qed.

Definition same_values (a b : option (list Z)) : bool :=
  match a, b with Some l, Some m => same_list l m | _, _ => false end.

Section Product.
Variables l r : visible.
Variable ev : product.
Notation n := (pr_rounds ev).
Notation left := (rules_of l).
Notation right := (rules_of r).
Notation all_left := (all_parts left).
Notation all_right := (all_parts right).

(** The states after a move: a pair again, or both over. They look alike. *)
Definition looks_alike (u v : state) : bool :=
  same_values (values_of left n (seen_as l) u) (values_of right n (seen_as r) v).
Definition paired (t : PositiveMap.t unit) (u v : state) : bool :=
  match pack all_left u, pack all_right v with
  | Some k, Some h => in_set (k, h) t || (negb (outcome u =? -1) && negb (outcome v =? -1))
  | _, _ => false
  end.
Definition indices (sys : system) : list nat := seq 0 (length (acts sys)).
Definition after (sys : system) (i : nat) (s : state) : out :=
  match nth_error (acts sys) i with Some a => act sys n a s | None => Ill end.

(** The move i from s to u is a move from q, too. *)
Definition matched (t : PositiveMap.t unit) (s q : state) (i : nat) (u : state) : bool :=
  existsb (fun j =>
    match after right j q with
    | On x | Fin x =>
      same_values (writing left n (written_as l) i s) (writing right n (written_as r) j q) &&
      looks_alike u (leave x) && paired t u (leave x)
    | _ => false
    end) (indices right).

(** There is surely no move. *)
Definition no_move (sys : system) (s : state) : bool :=
  forallb (fun i => match after sys i s with Ill | Flt => true | _ => false end) (indices sys).
Definition moved_on (sys : system) (s : state) : bool :=
  existsb (fun i => match after sys i s with On _ | Fin _ => true | _ => false end) (indices sys).

Definition pair_ok (t : PositiveMap.t unit) (x : packed * packed) : bool :=
  let s := unpack all_left (fst x) in
  let q := unpack all_right (snd x) in
  forallb (fun i => leads (matched t s q i) (after left i s)) (indices left) &&
  (moved_on left s || no_move right q).

(** The start k of l is listed with a start of r. *)
Definition start_pair_ok (t : PositiveMap.t unit) (x : packed * packed) : bool :=
  let s := unpack all_left (fst x) in
  let q := unpack all_right (snd x) in
  shape_ok right q && start_ok right n q && looks_alike s q && paired t s q.
Definition start_listed (u : state) : bool :=
  match pack all_left u with
  | Some k => existsb (fun x => Pos.eqb (code k) (code (fst x))) (pr_starts ev)
  | None => false
  end.

Definition check_refines : bool :=
  let t := pair_set (pr_states ev) in
  sound left && sound right &&
  forallb (start_pair_ok t) (pr_starts ev) && forallb (pair_ok t) (pr_states ev) &&
  check_starts left n (limits left n) start_listed.

Hypothesis Check : check_refines = true.

Lemma checked : sound left = true /\ sound right = true /\
  (forall x, In x (pr_starts ev) -> start_pair_ok (pair_set (pr_states ev)) x = true) /\
  (forall x, In x (pr_states ev) -> pair_ok (pair_set (pr_states ev)) x = true) /\
  check_starts left n (limits left n) start_listed = true.
Proof.
  pose proof Check as C. unfold check_refines in C. cbv zeta in C.
  rewrite !andb_true_iff, !forallb_forall in C. tauto.
Qed.

(** What holds of two states that have been come to by the same moves. *)
Definition related (s q : state) : Prop :=
  wf left s /\ wf right q /\
  ((exists x, In x (pr_states ev) /\ sle (unpack all_left (fst x)) s /\
    sle (unpack all_right (snd x)) q) \/
  outcome s <> -1 /\ outcome q <> -1).

Lemma paired_related u v s q : sle u s -> sle v q -> wf left s -> wf right q ->
  paired (pair_set (pr_states ev)) u v = true -> related s q.
Proof.
  intros S Q W X H. unfold paired in H. destruct (pack all_left u) as [k|] eqn:K; try discriminate.
  destruct (pack all_right v) as [h|] eqn:E; try discriminate. split; auto. split; auto.
  apply orb_true_iff in H. destruct H as [H|H].
  - left. exists (k, h). split; [apply in_set_in; auto|].
    split; simpl; eapply sle_trans; eauto using unpack_pack.
  - right. replace (outcome s) with (outcome u) by apply S.
    replace (outcome q) with (outcome v) by apply Q.
    rewrite andb_true_iff, !negb_true_iff, !Z.eqb_neq in H. auto.
Qed.

Lemma over_no_move sys s u : outcome s <> -1 -> ~ moves sys s u.
Proof. intros O (a & _ & T). apply step_live in T. tauto. Qed.

Lemma looks_alike_sees u v s q : sle u s -> sle v q -> looks_alike u v = true ->
  exists x, sees left (seen_as l) s x /\ sees right (seen_as r) q x.
Proof.
  intros S Q H. unfold looks_alike, same_values in H.
  destruct (values_of left _ _ u) as [x|] eqn:X; try discriminate.
  destruct (values_of right _ _ v) as [y|] eqn:Y; try discriminate. apply same_list_eq in H.
  subst y.
  exists x. split; eapply values_sees; eauto.
Qed.

Lemma in_indices sys i a : nth_error (acts sys) i = Some a -> In i (indices sys).
Proof. intros N. apply in_seq. split; [lia|]. apply nth_error_Some. congruence. Qed.

(** Each move of the left state is a move of the right one. *)
Lemma related_step s q i a u : related s q -> nth_error (acts left) i = Some a -> step left a s u ->
  exists j b v, nth_error (acts right) j = Some b /\ step right b q v /\ related u v /\
  (exists w, written left (written_as l) i s w /\ written right (written_as r) j q w) /\
  (exists x, sees left (seen_as l) u x /\ sees right (seen_as r) v x).
Proof.
  intros (W & X & [(x & I & S & Q)|[O _]]) N T.
  2: { apply step_live in T. tauto. }
  destruct checked as (SL & SR & _ & C & _). apply C in I. unfold pair_ok in I. cbv zeta in I.
  apply andb_true_iff in I. destruct I as [I _]. rewrite forallb_forall in I.
  specialize (I i (in_indices _ _ _ N)). unfold after in I at 1. rewrite N in I.
  destruct (step_above left SL n a _ s u W S) as (y & Y & L); auto.
  { intros U. rewrite U in I. discriminate. }
  assert (M : matched (pair_set (pr_states ev)) (unpack all_left (fst x))
    (unpack all_right (snd x)) i y = true).
  { destruct (act left n a _); simpl in Y, I; try discriminate; injection Y as <-; auto. }
  unfold matched in M. apply existsb_exists in M. destruct M as (j & J & M).
  unfold after in M. destruct (nth_error (acts right) j) as [b|] eqn:B; try discriminate.
  assert (R : exists z, result (act right n b (unpack all_right (snd x))) = Some z /\
    same_values (writing left n (written_as l) i (unpack all_left (fst x)))
      (writing right n (written_as r) j (unpack all_right (snd x))) = true /\
    looks_alike y z = true /\ paired (pair_set (pr_states ev)) y z = true).
  { destruct (act right n b _) as [z|z| | |]; try discriminate; rewrite !andb_true_iff in M;
      exists (leave z); simpl; tauto. }
  destruct R as (z & R & A1 & A2 & A3). destruct (step_below right n b _ q z Q R) as (v & V & LV).
  exists j, b, v. split; auto. split; auto.
  assert (W' : wf left u) by (apply (shape_stays left SL a s); auto).
  assert (X' : wf right v) by (apply (shape_stays right SR b q); auto).
  split; [apply (paired_related y z); auto|]. split; [|apply (looks_alike_sees y z); auto].
  unfold same_values in A1. destruct (writing left _ _ _ _) as [w|] eqn:WL; try discriminate.
  destruct (writing right _ _ _ _) as [w'|] eqn:WR; try discriminate. apply same_list_eq in A1.
  subst w'.
  exists w. split; eapply writing_written; eauto.
Qed.

(** If the left player cannot move, the right one cannot either. *)
Lemma related_end s q : related s q -> (forall u, ~ moves left s u) -> forall v, ~ moves right q v.
Proof.
  intros (W & X & [(x & I & S & Q)|[_ O]]) N v; [|apply over_no_move; auto].
  destruct checked as (SL & SR & _ & C & _). apply C in I. unfold pair_ok in I. cbv zeta in I.
  apply andb_true_iff in I. destruct I as [_ I]. apply orb_true_iff in I. destruct I as [I|I].
  - exfalso. unfold moved_on in I. apply existsb_exists in I. destruct I as (i & _ & I).
    unfold after in I.
    destruct (nth_error (acts left) i) as [a|] eqn:A; try discriminate.
    assert (R : exists y, result (act left n a (unpack all_left (fst x))) = Some y)
      by (destruct (act left n a _); try discriminate; simpl; eauto).
    destruct R as (y & R). destruct (step_below left n a _ s y S R) as (u & U & _).
    apply (N u). exists a. split; auto. eapply nth_error_In; eauto.
  - intros (b & B & T). apply In_nth_error in B. destruct B as (j & B). unfold no_move in I.
    rewrite forallb_forall in I. specialize (I j (in_indices _ _ _ B)). unfold after in I.
    rewrite B in I.
    destruct (step_above right SR n b _ q v X Q) as (z & Z0 & _); auto.
    { intros U. rewrite U in I. discriminate. }
    destruct (act right n b _); simpl in Z0; discriminate.
Qed.

Lemma related_trace b s t : trace l b s t -> forall q, related s q -> trace r b q t.
Proof.
  induction 1 as [s|s N|b s i a u w x t N T Wr Se _ IH]; intros q R.
  - constructor.
  - constructor. apply (related_end s q); auto.
  - destruct (related_step s q i a u R N T) as (j & c & v & J & V & R' & (w' & A & B) & x' & D & E).
    rewrite (written_unique left _ i s w w' Wr A), (sees_unique left _ u x x' Se D).
    econstructor; eauto.
Qed.

Theorem product_refines : refines l r.
Proof.
  intros s S. destruct checked as (SL & SR & P & _ & C).
  assert (W : wf left s) by (apply reach_wf; auto; apply reach_start; auto).
  destruct S as (s0 & m & L & R). destruct (laid_out_laid left s0 L) as (par & K).
  destruct (start_good left n (limits left n) _ SL s0 m s L (limits_ok left n par s0 K) C R)
    as (v & V & G).
  unfold start_listed in G. destruct (pack all_left v) as [k|] eqn:PK; try discriminate.
  apply existsb_exists in G. destruct G as (x & I & G). apply Pos.eqb_eq, code_inj in G.
  specialize (P x I). unfold start_pair_ok in P. cbv zeta in P. rewrite !andb_true_iff in P.
  destruct P as [[[P1 P2] P3] P4]. rewrite <- G in *. set (q := unpack all_right (snd x)) in *.
  assert (LS : sle (unpack all_left k) s) by (eapply sle_trans; [apply unpack_pack; eauto|auto]).
  destruct (looks_alike_sees _ _ s q LS (sle_refl q) P3) as (y & Y1 & Y2).
  assert (Q : start right q) by (apply (start_ok_is right n); auto).
  exists q, y. repeat split; auto. intros b t T. apply (related_trace b s t T).
  apply (paired_related (unpack all_left k) q); auto with le. apply shape_ok_wf; auto.
Qed.
End Product.

(** The same pairs the other way round. *)
Definition turned (ev : product) : product :=
  let swap := map (fun x : packed * packed => (snd x, fst x)) in
  Product (pr_rounds ev) (swap (pr_starts ev)) (swap (pr_states ev)).

Theorem product_equivalent l r ev :
  check_refines l r ev && check_refines r l (turned ev) = true -> equivalent l r.
Proof.
  rewrite andb_true_iff. intros [A B]. split; eapply product_refines; eauto.
Qed.

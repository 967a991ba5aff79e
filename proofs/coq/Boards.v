(** States of which all is known: whether they have the right shape, and whether the setup lays out
    a board. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Starts.
Import ListNotations.
Open Scope Z_scope.

(** Whether two states are the same. *)
Definition equal_cell (c d : cell) : bool :=
  match c, d with Kn x, Kn y => x =? y | Un, Un | No, No => true | _, _ => false end.
Fixpoint equal_cells (l m : list cell) : bool :=
  match l, m with
  | [], [] => true
  | c :: l, d :: m => equal_cell c d && equal_cells l m
  | _, _ => false
  end.
Definition equal (s t : state) : bool :=
  equal_cells (seeds s) (seeds t) && equal_cells (vars s) (vars t) && (mover s =? mover t) &&
  (outcome s =? outcome t).

Lemma equal_cells_eq l : forall m, equal_cells l m = true -> l = m.
Proof.
  induction l as [|c l IH]; intros [|d m] H; simpl in H; try discriminate; auto.
  apply andb_true_iff in H. destruct H as [H K]. f_equal; auto.
  destruct c, d; try discriminate; auto. apply Z.eqb_eq in H. subst; auto.
Qed.

Lemma equal_eq s t : equal s t = true -> s = t.
Proof.
  unfold equal. rewrite !andb_true_iff. intros [[[A B] C] D].
  apply equal_cells_eq in A. apply equal_cells_eq in B. apply Z.eqb_eq in C. apply Z.eqb_eq in D.
  destruct s, t; simpl in *; congruence.
Qed.

Section Boards.
Variable sys : system.

Definition seed_ok (c : cell) : bool := match c with Kn z => 0 <=? z | _ => false end.
Fixpoint values_ok (ds : list (list Z)) (l : list cell) : bool :=
  match ds, l with
  | [], [] => true
  | d :: ds, Kn z :: l => existsb (Z.eqb z) d && values_ok ds l
  | _, _ => false
  end.
Definition shape_ok (s : state) : bool :=
  Nat.eqb (length (seeds s)) (npits sys) && forallb seed_ok (seeds s) &&
    values_ok (doms sys) (vars s).

Lemma shape_ok_wf s : shape_ok s = true -> wf sys s.
Proof.
  unfold shape_ok. rewrite !andb_true_iff. intros [[L B] V]. split; [apply Nat.eqb_eq; auto|split].
  - rewrite forallb_forall in B. apply Forall_forall. intros c I. apply B in I.
    destruct c; try discriminate. exists z. split; auto. apply Z.leb_le. auto.
  - revert V. generalize (vars s).
    induction (doms sys) as [|d ds IH]; intros [|[z| |] l] V; simpl in V;
      try discriminate; constructor; apply andb_true_iff in V; destruct V as [V W]; auto.
    exists z. split; auto. apply existsb_exists in V. destruct V as (y & Y & E).
    apply Z.eqb_eq in E.
    subst; auto.
Qed.

(** The seeds that are laid out, as the state before the reactions. *)
Definition board_state (l : list cell) : state := St l (map Kn (inits sys)) (first sys) (-1).

(** The values of the open parameters, from conditions [e = parameter]. *)
Definition parameter (s : state) (i : nat) : Z :=
  fold_right (fun c z => match c with
    | Bin Eq e (Param j) =>
      if Nat.eqb i j then match setup_value sys 0 [] e s with V x => x | _ => z end else z
    | _ => z
    end) 0 (conjuncts (setup sys)).
Definition parameters (s : state) : list Z := map (parameter s) (seq 0 (length (ranges sys))).

Definition range_ok (r : Z * option Z) (z : Z) : bool :=
  (fst r <=? z) && match snd r with Some h => z <=? h | None => true end.
Fixpoint ranges_ok (rs : list (Z * option Z)) (l : list Z) : bool :=
  match rs, l with
  | [], [] => true
  | r :: rs, z :: l => range_ok r z && ranges_ok rs l
  | _, _ => false
  end.

(** Whether the setup lays out these seeds. *)
Definition laid_out_ok (l : list cell) : bool :=
  let s := board_state l in
  shape_ok s &&
  forallb (fun i => nth i (free sys) false || match nth i l No with Kn 0 => true | _ => false end)
    (seq 0 (npits sys)) &&
  ranges_ok (ranges sys) (parameters s) &&
  match setup_value sys 0 (parameters s) (setup sys) s with V z => nz z | _ => false end.

Lemma ranges_ok_in rs : forall l, ranges_ok rs l = true -> Forall2 in_range rs l.
Proof.
  induction rs as [|r rs IH]; intros [|z l] H; simpl in H; try discriminate; constructor;
    apply andb_true_iff in H; destruct H as [H K]; auto.
  unfold range_ok in H. apply andb_true_iff in H. destruct H as [A B]. split; [lia|].
  destruct (snd r); auto. lia.
Qed.

Theorem laid_out_ok_is l : laid_out_ok l = true -> laid_out sys (board_state l).
Proof.
  unfold laid_out_ok. rewrite !andb_true_iff. intros [[[W B] R] E]. apply shape_ok_wf in W.
  repeat split; auto; try apply W.
  - intros i I F. rewrite forallb_forall in B. specialize (B i). rewrite F in B. simpl in B.
    simpl. destruct (nth i l No) as [[| |]| |]; auto; discriminate B; apply in_seq; lia.
  - exists (parameters (board_state l)).
    destruct (setup_value _ _ _ _ _) as [z| |] eqn:X; try discriminate.
    exists z. split; auto using ranges_ok_in.
Qed.

(** Whether a state is a start; then its board is laid out as it is, but for reactions that change
    variables or end the game. *)
Definition start_ok (n : nat) (s : state) : bool :=
  laid_out_ok (seeds s) &&
  match result (starting sys n (board_state (seeds s))) with
  | Some u => equal u s
  | None => false
  end.

Theorem start_ok_is n s : start_ok n s = true -> start sys s.
Proof.
  unfold start_ok. rewrite andb_true_iff. intros [L E].
  destruct (result _) as [u|] eqn:R; try discriminate. apply equal_eq in E. subst u.
  exists (board_state (seeds s)), n. split; auto. apply laid_out_ok_is; auto.
Qed.
End Boards.

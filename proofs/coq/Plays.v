(** The certificates [play]: what one play shows. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Starts Evidence Boards.
Import ListNotations.
Open Scope Z_scope.

Section Plays.
Variable sys : system.
Variable ev : play.
Notation n := (p_rounds ev).

(** The state after a move; moves are indices of actions. *)
Definition after (s : state) (i : nat) : option state :=
  match nth_error (acts sys) i with Some a => result (act sys n a s) | None => None end.

(** The states that the play comes to after s; None if a move is illegal. *)
Fixpoint states_after (s : state) (l : list nat) : option (list state) :=
  match l with
  | [] => Some []
  | i :: l =>
    match after s i with
    | Some u => option_map (cons u) (states_after u l)
    | None => None
    end
  end.

(** The start, and the states after it. *)
Definition played : option (state * list state) :=
  let l := map Kn (p_board ev) in
  if laid_out_ok sys l then
    match result (starting sys n (board_state sys l)) with
    | Some s => option_map (pair s) (states_after s (p_moves ev))
    | None => None
    end
  else None.

Lemma after_moves s i u : after s i = Some u -> moves sys s u.
Proof.
  unfold after. destruct (nth_error (acts sys) i) as [a|] eqn:N; try discriminate. intros H.
  exists a. split. eapply nth_error_In; eauto. exists n; auto.
Qed.

(** Each state of the list is one move after the one before. *)
Fixpoint chain (s : state) (l : list state) : Prop :=
  match l with [] => True | u :: l => moves sys s u /\ chain u l end.

Lemma states_chain moves : forall s l, states_after s moves = Some l -> chain s l.
Proof.
  induction moves as [|i m IH]; simpl; intros s l H. injection H as <-. exact I.
  destruct (after s i) as [u|] eqn:A; try discriminate.
  destruct (states_after u m) as [r|] eqn:R; try discriminate. injection H as <-.
  split; auto. eapply after_moves; eauto.
Qed.

Lemma played_chain s l : played = Some (s, l) -> start sys s /\ chain s l.
Proof.
  unfold played. destruct (laid_out_ok _ _) eqn:L; try discriminate.
  destruct (result _) as [u|] eqn:R; try discriminate.
  destruct (states_after u _) as [m|] eqn:M; try discriminate. intros [= <- <-]. split.
  - exists (board_state sys (map Kn (p_board ev))), n. split; auto. apply laid_out_ok_is; auto.
  - eapply states_chain; eauto.
Qed.

Lemma chain_reach l : forall s, reach sys s -> chain s l -> forall u, In u (s :: l) -> reach sys u.
Proof.
  induction l as [|v l IH]; simpl; intros s R C u I; destruct I as [<-|I]; auto; try tauto.
  destruct C as [M C]. apply (IH v); auto. eapply reach_moves; eauto.
Qed.

Lemma last_in (l : list state) : forall s, In (List.last l s) (s :: l).
Proof.
  induction l as [|u l IH]; intros s; [left; auto|]. right. destruct l; [left; auto|].
  change (List.last (u :: s0 :: l) s) with (List.last (s0 :: l) s).
  replace (List.last (s0 :: l) s) with (List.last (s0 :: l) u); [apply IH|].
  clear. revert s0. induction l; intros s0; auto. apply IHl.
Qed.

Definition final : option state :=
  match played with Some (s, l) => Some (List.last l s) | None => None end.

Lemma final_reach u : final = Some u -> reach sys u.
Proof.
  unfold final. destruct played as [[s l]|] eqn:P; try discriminate. intros [= <-].
  apply played_chain in P. destruct P as [S C].
  apply (chain_reach l s); auto. apply reach_start; auto. apply last_in.
Qed.

(** *** [reachable e], and [unreachable e] refuted *)

Definition check_play (e : expr) : bool :=
  match final with
  | Some u => match value sys n e u with V z => nz z | _ => false end
  | None => false
  end.

Theorem play_reachable e : check_play e = true -> reachable sys e.
Proof.
  unfold check_play. destruct final as [u|] eqn:F; try discriminate.
  destruct (value sys n e u) as [z| |] eqn:E; try discriminate. intros N.
  exists u. split. apply final_reach; auto. exists z. split; auto. exists n; auto.
Qed.

Theorem play_refutes e : check_play e = true -> ~ unreachable sys e.
Proof.
  intros C U. apply play_reachable in C. destruct C as (u & R & S).
  apply (fails_not_satisfies sys e u); auto.
Qed.

(** The same for a state in which e meets a fault. *)
Definition check_fault (e : expr) : bool :=
  match final with
  | Some u => match value sys n e u with F => true | _ => false end
  | None => false
  end.

Theorem play_fault e : check_fault e = true -> ~ unreachable sys e.
Proof.
  unfold check_fault. destruct final as [u|] eqn:L; try discriminate.
  destruct (value sys n e u) eqn:E; try discriminate. intros _ U.
  destruct (U u (final_reach u L)) as (m & M).
  assert (A : forall k, (n <= k)%nat -> value sys k e u = F).
  { intros k K. assert (X : rle (value sys n e u) (value sys k e u)).
    { unfold value. apply ev_le; auto with le. apply claim_le; simpl; auto. }
    rewrite E in X. destruct X; congruence. }
  specialize (A (Nat.max n m) (Nat.le_max_l n m)).
  rewrite (value_le sys m (Nat.max n m) e u u 0) in A; auto with le. discriminate. lia.
Qed.

(** *** [terminates within k] refuted *)

Lemma chain_path l : forall s, chain s l -> path sys (length l) s (List.last l s).
Proof.
  induction l as [|u l IH]; simpl; intros s C. constructor. destruct C as [M C].
  econstructor; [exact M|].
  replace (match l with [] => u | _ => List.last l s end) with (List.last l u).
  apply IH; auto. clear. destruct l; auto. revert s0. induction l; intros s0; auto. apply IHl.
Qed.

Definition check_longer (k : nat) : bool :=
  match played with Some (_, l) => (k <? length l)%nat | None => false end.

Theorem play_longer k : check_longer k = true -> ~ terminates_within sys k.
Proof.
  unfold check_longer. destruct played as [[s l]|] eqn:P; try discriminate. intros K T.
  apply played_chain in P. destruct P as [S C]. apply Nat.ltb_lt in K.
  specialize (T _ s _ S (chain_path l s C)). lia.
Qed.

(** *** [reachable e within k] *)

Definition check_play_within (k : nat) (e : expr) : bool :=
  match played with
  | Some (s, l) =>
    (length l <=? k)%nat &&
    match value sys n e (List.last l s) with V z => nz z | _ => false end
  | None => false
  end.

Theorem play_within k e : check_play_within k e = true -> reachable_within sys k e.
Proof.
  unfold check_play_within. destruct played as [[s l]|] eqn:P; try discriminate.
  rewrite andb_true_iff. intros [K E]. apply played_chain in P. destruct P as [S C].
  exists (length l), s, (List.last l s). split; [apply Nat.leb_le; auto|]. split; auto.
  split; [apply chain_path; auto|].
  destruct (value sys n e _) as [z| |] eqn:V0; try discriminate. exists z. split; auto.
  exists n; auto.
Qed.

(** *** [terminates] refuted *)

(** The index of the first state that is the last one again. *)
Fixpoint index_of (u : state) (l : list state) : option nat :=
  match l with
  | [] => None
  | s :: l => if equal s u then Some O else option_map S (index_of u l)
  end.

Definition check_endless : bool :=
  match played with
  | Some (s, l) =>
    match index_of (List.last l s) (s :: l) with Some i => (i <? length l)%nat | None => false end
  | None => false
  end.

Lemma index_of_nth u l d : forall i, index_of u l = Some i -> nth i l d = u /\ (i < length l)%nat.
Proof.
  induction l as [|s l IH]; simpl; intros i H; try discriminate.
  destruct (equal s u) eqn:E. injection H as <-. split; [apply equal_eq; auto|lia].
  destruct (index_of u l) as [j|]; try discriminate. injection H as <-.
  destruct (IH j eq_refl). split; auto. lia.
Qed.

Lemma chain_nth l : forall s d i, chain s l -> (i < length l)%nat ->
  moves sys (nth i (s :: l) d) (nth (S i) (s :: l) d).
Proof.
  induction l as [|u l IH]; simpl; intros s d i C I; [lia|]. destruct C as [M C].
  destruct i as [|i]; auto. apply (IH u d i); auto. lia.
Qed.

Lemma nth_last (l : list state) : forall s d, nth (length l) (s :: l) d = List.last l s.
Proof.
  induction l as [|u l IH]; intros s d; auto.
  change (nth (length l) (u :: l) d = List.last (u :: l) s).
  rewrite IH. clear. destruct l; auto. simpl. revert s0. induction l; intros s0; auto. apply IHl.
Qed.

(** The play that goes round from the state i to the last one. *)
Fixpoint round (i m k : nat) : nat :=
  match k with O => O | S k => if Nat.eqb (S (round i m k)) m then i else S (round i m k) end.

Theorem play_endless : check_endless = true -> ~ terminates sys.
Proof.
  unfold check_endless. destruct played as [[s l]|] eqn:P; try discriminate.
  destruct (index_of _ _) as [i|] eqn:Q; try discriminate. intros L T. apply Nat.ltb_lt in L.
  apply played_chain in P. destruct P as [S0 C]. destruct (index_of_nth _ _ s _ Q) as [N _].
  assert (B : forall k, (round i (length l) k < length l)%nat).
  { induction k as [|k IH]; cbn [round]; [lia|].
    destruct (Nat.eqb (S (round i (length l) k)) (length l)) eqn:E; auto. apply Nat.eqb_neq in E.
    lia. }
  apply (T (fun k => nth (round i (length l) k) (s :: l) s)); auto. intros k.
  pose proof (chain_nth l s s (round i (length l) k) C (B k)) as M.
  cbn [round]. destruct (Nat.eqb (S (round i (length l) k)) (length l)) eqn:E; auto.
  apply Nat.eqb_eq in E.
  rewrite E, nth_last in M. rewrite N. auto.
Qed.

(** *** [from e every step gives f] refuted *)

(** The play with the last move apart. *)
Definition check_broken (which : list nat) (e f : expr) (last_move : nat) : bool :=
  match final with
  | Some s =>
    existsb (Nat.eqb last_move) which && match value sys n e s with V z => nz z | _ => false end &&
    match after s last_move with
    | Some u => match value_after sys n f s u with V z => negb (nz z) | F => true | U => false end
    | None => false
    end
  | None => false
  end.

(** [last_move] leads from the last state of the play to one that is not as f says. *)
Theorem play_breaks which e f m : check_broken which e f m = true ->
  ~ every_step sys (among sys which) e f.
Proof.
  unfold check_broken. destruct final as [s|] eqn:L; try discriminate. rewrite !andb_true_iff.
  intros [[W E] A] H. apply final_reach in L. apply existsb_exists in W. destruct W as (i & I & W).
  apply Nat.eqb_eq in W. subst i. unfold after in A.
  destruct (nth_error (acts sys) m) as [a|] eqn:N; try discriminate.
  destruct (result _) as [u|] eqn:R; try discriminate.
  destruct (value sys n e s) as [z| |] eqn:X; try discriminate.
  destruct (H s a u L) as (k & y & Y & Y0).
  - exists z. split; auto. exists n; auto.
  - eapply nth_error_In; eauto.
  - exists m; auto.
  - exists n; auto.
  - assert (B : value_after sys n f s u = value_after sys (Nat.max n k) f s u).
    { destruct (value_after_up sys n (Nat.max n k) f s u (Nat.le_max_l n k)) as [Q|Q]; auto.
      rewrite Q in A. discriminate. }
    destruct (value_after_up sys k (Nat.max n k) f s u (Nat.le_max_r n k)) as [Q|Q]; rewrite Y in Q;
      [discriminate|].
    rewrite B, <- Q, Y0 in A. discriminate.
Qed.
End Plays.

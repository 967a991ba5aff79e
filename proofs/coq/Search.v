(** Case distinction on unknown cells: a search that proves something of all states which a partly
    known one stands for, by as few cases as it can.

    A state for which [done] holds needs no further case. Otherwise a cell gets each of its values:
    a variable those of its domain, a pit all numbers up to [most]. Which cell that is ([next]) may
    be any; it decides only how many cases there are. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims.
Import ListNotations.
Open Scope Z_scope.

Inductive slot := PitSlot (i : nat) | VarSlot (i : nat).

Definition with_pit (t : state) (i : nat) (z : Z) : state :=
  St (upd (seeds t) i (Kn z)) (vars t) (mover t) (outcome t).
Definition with_var (t : state) (i : nat) (z : Z) : state :=
  St (seeds t) (upd (vars t) i (Kn z)) (mover t) (outcome t).

Lemma upd_known_le l m : lle l m -> forall i z, nth i m No = Kn z -> lle (upd l i (Kn z)) m.
Proof.
  induction 1; intros [|i] z N; simpl in *; constructor; subst; auto with le. apply IHForall2; auto.
Qed.

Lemma with_pit_le t s i z : sle t s -> nth i (seeds s) No = Kn z -> sle (with_pit t i z) s.
Proof. intros (A & B & C & D) N. repeat split; simpl; auto using upd_known_le. Qed.

Lemma with_var_le t s i z : sle t s -> nth i (vars s) No = Kn z -> sle (with_var t i z) s.
Proof. intros (A & B & C & D) N. repeat split; simpl; auto using upd_known_le. Qed.

Lemma nth_not_no l m i : lle l m -> nth i l No = Un -> (i < length m)%nat.
Proof.
  intros H N. rewrite <- (lle_length _ _ H). destruct (Nat.lt_ge_cases i (length l)); auto.
  rewrite nth_overflow in N by auto. discriminate.
Qed.

Section Search.
Variable sys : system.
Variable most : state -> nat -> option Z.
Variable next : state -> option slot.
Variable done : state -> bool.

Fixpoint search (fuel : nat) (t : state) : bool :=
  if done t then true else
  match fuel, next t with
  | S f, Some (PitSlot i) =>
    match nth i (seeds t) No, most t i with
    | Un, Some h =>
      forallb (fun k => search f (with_pit t i (Z.of_nat k))) (seq 0 (Z.to_nat (h + 1)))
    | _, _ => false
    end
  | S f, Some (VarSlot i) =>
    match nth i (vars t) No with
    | Un => forallb (fun z => search f (with_var t i z)) (nth i (doms sys) [])
    | _ => false
    end
  | _, _ => false
  end.

(** [most] is right for the state s. *)
Definition at_most (s : state) : Prop := forall t i h z,
  sle t s -> nth i (seeds t) No = Un -> most t i = Some h -> nth i (seeds s) No = Kn z -> z <= h.

Theorem search_sound s : wf sys s -> at_most s -> forall fuel t,
  search fuel t = true -> sle t s -> exists u, sle u s /\ done u = true.
Proof.
  intros (L & B & V) M. induction fuel as [|f IH]; intros t H S; simpl in H.
  - destruct (done t) eqn:D; [eauto|discriminate].
  - destruct (done t) eqn:D; [eauto|]. destruct (next t) as [[i|i]|]; try discriminate.
    + destruct (nth i (seeds t) No) eqn:N; try discriminate.
      destruct (most t i) as [h|] eqn:Q; try discriminate.
      assert (I : (i < length (seeds s))%nat) by (eapply nth_not_no; eauto; apply S).
      rewrite Forall_forall in B. destruct (B _ (nth_In _ No I)) as (z & Z1 & Z0).
      pose proof (M t i h z S N Q Z1). rewrite forallb_forall in H.
      apply (IH (with_pit t i (Z.of_nat (Z.to_nat z)))).
      * apply H. apply in_seq. lia.
      * apply with_pit_le; auto. rewrite Z2Nat.id; auto.
    + destruct (nth i (vars t) No) eqn:N; try discriminate.
      assert (I : (i < length (vars s))%nat) by (eapply nth_not_no; eauto; apply S).
      assert (X : exists z, nth i (vars s) No = Kn z /\ In z (nth i (doms sys) [])).
      { clear - V I. revert i I.
        induction V as [|d c ds cs H _ IH]; simpl; intros [|i] I; try lia; auto.
        apply IH. lia. }
      destruct X as (z & Z1 & Z2). rewrite forallb_forall in H.
      apply (IH (with_var t i z)); auto using with_var_le.
Qed.
End Search.

(** The first unknown cell among some. *)
Fixpoint first_unknown (l : list cell) (ps : list nat) : option nat :=
  match ps with
  | [] => None
  | p :: ps => match nth p l No with Un => Some p | _ => first_unknown l ps end
  end.

(** Seeds that are known to be in some pits. *)
Definition known_in (l : list cell) (ps : list nat) : Z :=
  fold_right (fun p z => number (nth p l No) + z) 0 ps.

(** The certificates [forward-closed]: no reachable state satisfies a condition, or each step from
    one is as a claim says. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Evidence Closed.
Import ListNotations.
Open Scope Z_scope.

Section Forward.
Variable sys : system.
Variable ev : forward.
Notation rounds := (f_rounds ev).

Definition check_forward_set : bool := check_set sys rounds (f_parts ev) (f_states ev).

(** *** [unreachable e] *)

Definition check_forward (e : expr) : bool :=
  check_forward_set &&
  forallb (fun k => is_zero (value sys rounds e (unpack (f_parts ev) k))) (f_states ev).

(** In every reachable state e has the value 0. For [invariant e], let e be its negation; for [never
    stuck], that the state is stuck or the play endless. *)
Theorem forward_unreachable e : check_forward e = true -> unreachable sys e.
Proof.
  unfold check_forward. rewrite andb_true_iff, forallb_forall. intros [C T] s R.
  destruct (set_reach _ _ _ _ s C R) as (k & I & S). apply T in I.
  apply (is_below sys rounds e _ s 0 S). apply is_zero_ok; auto.
Qed.

(** *** [from e every step gives f] *)

Definition true_after (f : expr) (s : state) (o : out) : bool :=
  leads (fun u => match value_after sys rounds f s u with V z => nz z | _ => false end) o.

Definition check_step_claim (l : list nat) (e f : expr) (k : packed) : bool :=
  let s := unpack (f_parts ev) k in
  is_zero (value sys rounds e s) ||
  forallb (fun i => match nth_error (acts sys) i with
    | Some a => true_after f s (act sys rounds a s)
    | None => true
    end) l.
Definition check_every_step (l : list nat) (e f : expr) : bool :=
  check_forward_set && forallb (check_step_claim l e f) (f_states ev).

(** A step of one of these actions, from a reachable state that satisfies e, leads to a state in
    which f holds; [Old] in f reads the state before. *)
Theorem forward_every_step l e f : check_every_step l e f = true ->
  every_step sys (among sys l) e f.
Proof.
  unfold check_every_step. rewrite andb_true_iff, forallb_forall.
  intros [C T] s a u R E _ (i & I & N) S.
  destruct (set_reach _ _ _ _ s C R) as (k & K & Q). apply T in K. unfold check_step_claim in K.
  apply orb_true_iff in K. destruct K as [K|K].
  - exfalso. apply (fails_not_satisfies sys e s); auto. apply (is_below sys rounds e _ s 0 Q).
    apply is_zero_ok; auto.
  - rewrite forallb_forall in K. specialize (K i I). rewrite N in K.
    assert (Sound : sound sys = true) by (eapply closed_sound; eauto).
    destruct (step_above sys Sound rounds a _ s u (reach_wf _ Sound _ R) Q) as (v & V & L); auto.
    { intros U. rewrite U in K. discriminate. }
    assert (X : exists z, value_after sys rounds f (unpack (f_parts ev) k) v = Kernel.V z /\
      nz z = true).
    { destruct (act sys rounds a _); simpl in V, K; try discriminate; injection V as <-;
        destruct (value_after _ _ _ _ _); try discriminate; eauto. }
    destruct X as (z & X & Z0). exists rounds, z. split; auto. eapply value_after_le; eauto.
Qed.
End Forward.

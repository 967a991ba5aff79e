(** Forward-closed tables: the reachable states are listed, each with a label.

    [check_closed] asks that each start has an entry whose label is right for a start, and that
    each step from an entry leads to one whose label is right for a step from there. All kinds of
    evidence that list reachable states are instances; the labels are the numbers of states. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence.
Import ListNotations.
Open Scope Z_scope.

Section Closed.
Context {A : Type}.
Variable sys : system.
Variable n : nat.
Variable p : parts.
Variable entries : list (packed * A).
Variable ok_start : A -> bool.
Variable ok_step : A -> A -> bool.

Definition lookup_state (t : table A) (s : state) : option A :=
  match pack p s with Some k => find k t | None => None end.

(** What is asked of the result of a step: [test] of the state that it leads to. *)
Definition leads (test : state -> bool) (o : out) : bool :=
  match o with On r | Fin r => test (leave r) | Ill | Flt => true | Ukn => false end.

Definition labelled_so (t : table A) (ok : A -> bool) (s : state) : bool :=
  match lookup_state t s with Some b => ok b | None => false end.
Definition check_steps (t : table A) (e : packed * A) : bool :=
  let s := unpack p (fst e) in
  forallb (fun a => leads (labelled_so t (ok_step (snd e))) (act sys n a s)) (acts sys).
Definition check_closed : bool :=
  let t := tabulate entries in
  sound sys && check_starts sys n (limits sys n) (labelled_so t ok_start) &&
  forallb (check_steps t) entries.

(** The label of a state, which stands for all that agree with it on the kept parts. *)
Definition labelled (s : state) (b : A) : Prop :=
  exists k, pack p s = Some k /\ find k (tabulate entries) = Some b.

Lemma labelled_in s b : labelled s b -> exists k, In (k, b) entries /\ sle (unpack p k) s.
Proof. intros (k & K & F). exists k. split; [apply find_in; auto|apply unpack_pack; auto]. Qed.

Lemma labelled_unique s b c : labelled s b -> labelled s c -> b = c.
Proof. intros (k & K & F) (h & H & G). rewrite K in H. injection H as <-. congruence. Qed.

Lemma labelled_so_ok ok v s : sle v s -> labelled_so (tabulate entries) ok v = true ->
  exists b, labelled s b /\ ok b = true.
Proof.
  intros S. unfold labelled_so, lookup_state. destruct (pack p v) as [k|] eqn:K; try discriminate.
  destruct (find k _) as [b|] eqn:F; try discriminate. intros H. exists b. split; auto.
  exists k. split; auto. eapply pack_le; eauto.
Qed.

Hypothesis Check : check_closed = true.

Lemma closed_sound : sound sys = true.
Proof. unfold check_closed in Check. rewrite !andb_true_iff in Check. tauto. Qed.
Notation Sound := closed_sound.

Theorem closed_start u : start sys u -> exists b, labelled u b /\ ok_start b = true.
Proof.
  intros (s & m & L & R). pose proof Check as C. unfold check_closed in C.
  rewrite !andb_true_iff in C. destruct C as [[_ C] _].
  destruct (laid_out_laid sys s L) as (par & K).
  destruct (start_good sys n (limits sys n) _ Sound s m u L (limits_ok sys n par s K) C R)
    as (v & V & G).
  eapply labelled_so_ok; eauto.
Qed.

Theorem closed_step s a u b : wf sys s -> labelled s b -> In a (acts sys) -> step sys a s u ->
  exists c, labelled u c /\ ok_step b c = true.
Proof.
  intros W L I S. apply labelled_in in L. destruct L as (k & E & K). pose proof Check as C.
  unfold check_closed in C. rewrite !andb_true_iff, forallb_forall in C. destruct C as [_ C].
  specialize (C _ E). unfold check_steps in C. simpl in C. rewrite forallb_forall in C.
  specialize (C a I).
  destruct (step_above sys Sound n a _ s u W K) as (v & R & V); auto.
  { intros N. rewrite N in C. discriminate. }
  eapply labelled_so_ok; eauto.
  destruct (act sys n a _); simpl in R, C; try discriminate; congruence.
Qed.

(** Each reachable state is listed. *)
Theorem closed_reach s : reach sys s -> exists b, labelled s b.
Proof.
  induction 1 as [u S|s u a R (b & L) I S].
  - apply closed_start in S. destruct S as (b & L & _). eauto.
  - destruct (closed_step s a u b) as (c & C & _); eauto. apply reach_wf; auto. apply Sound.
Qed.
End Closed.

(** Without labels. *)
Definition unlabelled (l : list packed) : list (packed * unit) := map (fun k => (k, tt)) l.
Definition check_set (sys : system) (n : nat) (p : parts) (l : list packed) : bool :=
  check_closed sys n p (unlabelled l) (fun _ => true) (fun _ _ => true).

(** Each reachable state is one of those that the set stands for. *)
Theorem set_reach sys n p l s : check_set sys n p l = true -> reach sys s ->
  exists k, In k l /\ sle (unpack p k) s.
Proof.
  intros C R. destruct (closed_reach _ _ _ _ _ _ C s R) as (b & L).
  apply labelled_in in L. destruct L as (k & I & S). exists k. split; auto.
  apply in_map_iff in I. destruct I as (h & E & I). injection E as -> _. auto.
Qed.

(** The certificates [depths]: the table lists exactly the reachable states, so they can be
    counted.

    Each state has a number. One with the number 0 is a start; to each other one a step leads from
    a state with a smaller number. *)
From Coq Require Import ZArith List Bool Lia FMapPositive.
From Mancheck Require Import Kernel Shape Order Claims Evidence Closed Boards.
Import ListNotations.
Open Scope Z_scope.

Section Depths.
Variable sys : system.
Variable ev : numbered.
Notation n := (n_rounds ev).
Notation all := (all_parts sys).
Notation entries := (n_states ev).

Definition state_of (k : packed) : state := unpack all k.

(** For each state that a step leads to, the least number of a state that it comes from. *)
Definition note (d : Z) (t : table Z) (k : packed) : table Z :=
  match find k t with
  | Some b => if b <=? d then t else add k d t
  | None => add k d t
  end.
Definition next_keys (s : state) : list packed :=
  flat_map (fun a => match result (act sys n a s) with
    | Some u => match pack all u with Some k => [k] | None => [] end
    | None => []
    end) (acts sys).
Definition note_all (t : table Z) (e : packed * Z) : table Z :=
  fold_left (note (snd e)) (next_keys (state_of (fst e))) t.
Definition came_from : table Z := fold_left note_all entries (PositiveMap.empty Z).

Definition packed_ok (k : packed) : bool :=
  match pack all (state_of k) with Some h => Pos.eqb (code h) (code k) | None => false end.

Definition entry_ok (t : table Z) (e : packed * Z) : bool :=
  let (k, d) := e in
  packed_ok k && shape_ok sys (state_of k) &&
  if d =? 0 then start_ok sys n (state_of k) else
  match find k t with Some b => (0 <=? b) && (b <? d) | None => false end.
Definition check_depths : bool :=
  check_closed sys n all entries (fun _ => true) (fun _ _ => true) &&
  forallb (entry_ok came_from) entries.

(** *** Each state of the table is reachable *)

Definition comes (k : packed) (d : Z) : Prop :=
  exists h, In (h, d) entries /\ exists a u, In a (acts sys) /\
  result (act sys n a (state_of h)) = Some u /\ pack all u = Some k.
Definition right (t : table Z) : Prop := forall k d, find k t = Some d -> comes k d.

Lemma next_keys_in s k : In k (next_keys s) -> exists a u, In a (acts sys) /\
  result (act sys n a s) = Some u /\ pack all u = Some k.
Proof.
  unfold next_keys. rewrite in_flat_map. intros (a & A & I).
  destruct (result _) as [u|] eqn:R; [|destruct I].
  destruct (pack all u) as [h|] eqn:P; [|destruct I].
  destruct I as [->|[]]. eauto.
Qed.

Lemma note_right t k d : right t -> comes k d -> right (note d t k).
Proof.
  intros R C. assert (A : right (add k d t)).
  { intros h b F. destruct (find_add h k d t) as [[E ->]|[E _]]; rewrite E in F; auto.
    injection F as <-. auto. }
  unfold note. destruct (find k t) as [b|]; auto. destruct (b <=? d); auto.
Qed.

Lemma note_all_right t e : right t -> In e entries -> right (note_all t e).
Proof.
  destruct e as [h d]. intros R I. unfold note_all. simpl.
  assert (K : forall k, In k (next_keys (state_of h)) -> comes k d).
  { intros k J. exists h. split; auto. apply next_keys_in; auto. }
  revert t R K. generalize (next_keys (state_of h)).
  induction l as [|k l IH]; simpl; intros t R K; auto.
  apply IH; auto. apply note_right; auto.
Qed.

Lemma came_from_right : right came_from.
Proof.
  unfold came_from.
  assert (H : forall l t, (forall e, In e l -> In e entries) -> right t ->
    right (fold_left note_all l t)).
  { induction l as [|e l IH]; simpl; intros t I R; auto. apply IH; auto.
    apply note_all_right; auto. }
  apply H; auto. intros k d F. unfold find in F. rewrite PositiveMap.gempty in F. discriminate.
Qed.

(** A table of which [check_closed] and [entry_ok] hold lists exactly the reachable states. *)
Hypothesis Check : check_depths = true.

Lemma check_both : check_closed sys n all entries (fun _ => true) (fun _ _ => true) = true /\
  forall e, In e entries -> entry_ok came_from e = true.
Proof.
  pose proof Check as C. unfold check_depths in C. rewrite andb_true_iff, forallb_forall in C.
  tauto.
Qed.

Lemma entry_sound : sound sys = true.
Proof. eapply closed_sound, check_both. Qed.

Lemma entry_wf k d : In (k, d) entries -> wf sys (state_of k).
Proof.
  intros I. destruct check_both as [_ H]. apply H in I. unfold entry_ok in I.
  rewrite !andb_true_iff in I. apply shape_ok_wf. tauto.
Qed.

Lemma pack_state k d u : In (k, d) entries -> pack all u = Some k -> u = state_of k.
Proof.
  intros I P. symmetry. apply (known_le sys). apply (entry_wf k d); auto. apply unpack_pack; auto.
Qed.

Theorem entry_reach k d : In (k, d) entries -> reach sys (state_of k).
Proof.
  assert (H : forall m, 0 <= m -> forall k d, d <= m -> In (k, d) entries ->
    reach sys (state_of k)).
  { apply (Zlt_0_ind (fun m => forall k d, d <= m -> In (k, d) entries -> reach sys (state_of k))).
    intros m IH M k0 d0 D I. destruct check_both as [_ H]. pose proof (H _ I) as E.
    unfold entry_ok in E. apply andb_true_iff in E. destruct E as [_ E].
    destruct (d0 =? 0) eqn:Z0.
    - apply reach_start. apply (start_ok_is sys n); auto.
    - destruct (find k0 came_from) as [b|] eqn:F; try discriminate. apply andb_true_iff in E.
      destruct E as [B1 B2]. destruct (came_from_right _ _ F) as (h & J & a & u & A & R & P).
      rewrite <- (pack_state k0 d0 u I P).
      apply (reach_step sys (state_of h) u a); auto; [|exists n; auto].
      apply (IH b ltac:(lia)) with (d := b); auto; lia. }
  intros I. destruct (Z.le_gt_cases 0 d); [apply (H d) with (d := d)|apply (H 0) with (d := d)];
    auto; lia.
Qed.

Theorem reach_entry s : reach sys s -> exists k d, In (k, d) entries /\ s = state_of k.
Proof.
  intros R. destruct check_both as [C _].
  destruct (closed_reach _ _ _ _ _ _ C s R) as (d & k & P & F).
  exists k, d. apply find_in in F. split; auto. apply (pack_state k d); auto.
Qed.

Lemma state_inj k h d b : In (k, d) entries -> In (h, b) entries -> state_of k = state_of h ->
  k = h.
Proof.
  intros I J E. destruct check_both as [_ H]. apply H in I. apply H in J. unfold entry_ok in I, J.
  rewrite !andb_true_iff in I, J. destruct I as [[I _] _], J as [[J _] _]. unfold packed_ok in I, J.
  rewrite E in I. destruct (pack all (state_of h)) as [x|]; try discriminate.
  apply Pos.eqb_eq, code_inj in I. apply Pos.eqb_eq, code_inj in J. congruence.
Qed.
End Depths.

(** *** [count(states where e)]; for [count(finished where e)], e says that the game is over too *)

Section Count.
Variable sys : system.
Variable ev : numbered.
Variable e : expr.

Definition holds_in (k : packed) : bool :=
  negb (is_zero (value sys (n_rounds ev) e (state_of sys k))).
Definition decided (k : packed) : bool :=
  match value sys (n_rounds ev) e (state_of sys k) with V _ => true | _ => false end.
Definition check_count (z : Z) : bool :=
  let keys := map fst (n_states ev) in
  check_depths sys ev &&
  match tabulate_distinct (n_states ev) with Some _ => true | None => false end &&
  forallb decided keys && (Z.of_nat (length (filter holds_in keys)) =? z).

(** So many reachable states satisfy e. *)
Theorem depths_count z : check_count z = true ->
  counts (fun s => reach sys s /\ satisfies sys e s) (Z.to_nat z).
Proof.
  unfold check_count. rewrite !andb_true_iff. intros [[[C T] D] L].
  destruct (tabulate_distinct _) as [t|] eqn:E; try discriminate.
  apply tabulate_distinct_ok in E. destruct E as [_ ND]. apply Z.eqb_eq in L.
  exists (map (state_of sys) (filter holds_in (map fst (n_states ev)))). split; [|split].
  - assert (I : forall k, In k (filter holds_in (map fst (n_states ev))) ->
      exists d, In (k, d) (n_states ev)).
    { intros k I. apply filter_In in I. destruct I as [I _]. apply in_map_iff in I.
      destruct I as ([h d] & <- & I). eauto. }
    apply (NoDup_filter holds_in) in ND. revert I ND.
    generalize (filter holds_in (map fst (n_states ev))).
    induction l as [|k l IH]; simpl; intros I ND; constructor; inversion ND; subst.
    + intros M. apply in_map_iff in M. destruct M as (h & M & J).
      destruct (I k) as (d & K); auto. destruct (I h) as (b & H); auto.
      rewrite (state_inj sys ev C h k b d) in J; auto.
    + apply IH; auto.
  - rewrite map_length. lia.
  - rewrite forallb_forall in D. intros s. rewrite in_map_iff. split.
    + intros (k & <- & I). apply filter_In in I. destruct I as [I H].
      specialize (D k I). apply in_map_iff in I. destruct I as ([h d] & <- & I). simpl in *. split.
      eapply entry_reach; eauto. unfold decided, holds_in in *.
      destruct (value _ _ _ _) as [z0| |] eqn:V0; try discriminate. exists z0. split.
      exists (n_rounds ev); auto.
      destruct z0; auto; discriminate.
    + intros [R (y & Y & N)]. destruct (reach_entry sys ev C s R) as (k & d & I & ->). exists k.
      split; auto.
      assert (J : In k (map fst (n_states ev))) by (apply in_map_iff; exists (k, d); auto).
      apply filter_In. split; auto. specialize (D k J). unfold decided, holds_in in *.
      destruct (value _ _ _ _) as [z0| |] eqn:V0; try discriminate.
      assert (y = z0) by (eapply is_unique; eauto; exists (n_rounds ev); eauto). subst y.
      destruct z0; auto; discriminate.
Qed.

(** So any other number of them is wrong. *)
Theorem depths_count_not z y : check_count z = true -> y <> Z.to_nat z ->
  ~ counts (fun s => reach sys s /\ satisfies sys e s) y.
Proof. intros C N H. apply N. eapply counts_unique; eauto using depths_count. Qed.
End Count.

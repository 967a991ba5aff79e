(** The certificates [winning-states]: the starts from which a state that satisfies e can be reached
    are counted. The set is backward-closed, so that it contains them all; and from each of its
    states some move leads to one with a smaller number. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence Closed Boards Backward
  Depths Games Strategies Forcing.
Import ListNotations.
Open Scope Z_scope.

(** The set, the numbers of its states, and the starts that can be won, with all their parts. *)
Record winning := Winning { w_set : backward; w_numbers : list Z; w_starts : list packed }.

(** One player makes all moves. *)
Definition alone (p : Z) : bool := true.

Section Winning.
Variable sys : system.
Variable ev : winning.
Variable e : expr.
Notation n := (b_rounds (w_set ev)).

Definition way_to_win : strategy :=
  Strategy n (b_parts (w_set ev)) (combine (b_states (w_set ev)) (w_numbers ev)).

(** The number is at most the length of the list, which any number of moves may be. *)
Definition won_start (m : Z) (k : packed) : bool :=
  packed_ok sys k && start_ok sys n (state_of sys k) &&
  forced_in sys way_to_win e m (tabulate (s_states way_to_win)) (state_of sys k).
Definition listed_start (u : state) : bool :=
  if out_of sys (w_set ev) e (listed (w_set ev)) u then true else
  match pack (all_parts sys) u with
  | Some k => existsb (fun h => Pos.eqb (code k) (code h)) (w_starts ev)
  | None => false
  end.
Definition most_number : Z := fold_right Z.max 0 (w_numbers ev).
Definition check_winning (z : Z) : bool :=
  check_into sys (w_set ev) e && check_forces sys alone way_to_win e &&
  match tabulate_distinct (map (fun k => (k, tt)) (w_starts ev)) with
  | Some _ => true
  | None => false
  end &&
  forallb (won_start most_number) (w_starts ev) &&
  check_starts sys n (limits sys n) listed_start && (Z.of_nat (length (w_starts ev)) =? z).

Lemma forces_path m s : forces sys alone e m s -> can_reach sys e s.
Proof.
  induction 1 as [m s H|m s u _ M _ (k & v & P & Q)|m s H]; [|exists (S k), v|discriminate].
  - exists O, s. split; auto. constructor.
  - split; auto. econstructor; eauto.
Qed.

Lemma most_number_pos : 0 <= most_number.
Proof. unfold most_number. induction (w_numbers ev); simpl; lia. Qed.

(** So many starts can be won, where winning is to come to a state that satisfies e. *)
Theorem winning_count z : check_winning z = true ->
  counts (fun s => start sys s /\ can_reach sys e s) (Z.to_nat z).
Proof.
  unfold check_winning. rewrite !andb_true_iff, forallb_forall.
  intros [[[[[B C] D] W] S] L]. apply Z.eqb_eq in L.
  assert (Sound := into_sound sys (w_set ev) e B).
  destruct (tabulate_distinct _) as [t|] eqn:T; try discriminate.
  apply tabulate_distinct_ok in T. destruct T as [_ ND]. rewrite map_map, map_id in ND.
  assert (Won : forall k, In k (w_starts ev) ->
    start sys (state_of sys k) /\ can_reach sys e (state_of sys k)).
  { intros k I. apply W in I. unfold won_start in I. rewrite !andb_true_iff in I.
    destruct I as [[_ I] F]. apply start_ok_is in I. split; auto.
    apply (forces_path (Z.to_nat most_number)).
    apply (forced_in_ok sys alone way_to_win e) with (v := state_of sys k);
      auto with le; auto using most_number_pos.
    apply reach_wf; auto. apply reach_start; auto. }
  exists (map (state_of sys) (w_starts ev)). split; [|split].
  - assert (K : forall k, In k (w_starts ev) -> pack (all_parts sys) (state_of sys k) = Some k).
    { intros k I. apply W in I. unfold won_start in I. rewrite !andb_true_iff in I.
      destruct I as [[I _] _]. unfold packed_ok in I.
      destruct (pack _ _) as [h|]; try discriminate. apply Pos.eqb_eq, code_inj in I. congruence. }
    revert K ND. generalize (w_starts ev). clear. induction l as [|k l IH]; simpl; intros K ND;
      constructor; inversion ND; subst.
    + intros I. apply in_map_iff in I. destruct I as (h & E & I).
      assert (k = h) by (pose proof (K k (or_introl eq_refl)); pose proof (K h (or_intror I));
        congruence).
      subst; auto.
    + apply IH; auto.
  - rewrite map_length. lia.
  - intros s. rewrite in_map_iff. split.
    + intros (k & <- & I). auto.
    + intros [St (k & u & P & Q)].
      assert (X : wf sys s) by (apply reach_wf; auto; apply reach_start; auto).
      pose proof (reaches_target sys (w_set ev) e B k s u X P Q) as R.
      destruct St as (s0 & m & L0 & R0). destruct (laid_out_laid sys s0 L0) as (par & K).
      destruct (start_good sys n (limits sys n) _ Sound s0 m s L0 (limits_ok sys n par s0 K) S R0)
        as (v & V & G).
      unfold listed_start in G. destruct (out_of _ _ _ _ v) eqn:O.
      * exfalso. destruct (out_of_ok sys (w_set ev) e v s X V O) as [N F].
        destruct R as [R|R]; auto. apply (fails_not_satisfies sys e s); auto.
      * destruct (pack _ v) as [h|] eqn:H; try discriminate. apply existsb_exists in G.
        destruct G as (g & I & G). apply Pos.eqb_eq, code_inj in G. subst g. exists h. split; auto.
        apply (known_le sys). apply reach_wf; auto. apply reach_start. apply Won; auto.
        eapply sle_trans; [|exact V]. apply unpack_pack; auto.
Qed.
End Winning.

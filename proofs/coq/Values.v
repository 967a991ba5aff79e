(** The certificates [strategies] that show what positions are worth: every play that follows the
    strategy ends as it should, or is endless where that is as good. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Search Starts Evidence Closed Boards Games
  Strategies.
Import ListNotations.
Open Scope Z_scope.

Section Secure.
Variable sys : system.
Variable mine : Z -> bool.
Variable ev : strategy.
Variable e : expr.                             (** how a play should end *)
Variable endless : option expr.              (** what a state that is come back to should satisfy *)
Notation n := (s_rounds ev).
Notation p := (s_parts ev).
Notation entries := (s_states ev).
Notation tbl := (tabulate entries).
Notation number_of := (labelled p entries).

(** The number falls from m to k, or may stay. *)
Definition falls_to (stays : bool) (m k : Z) : bool :=
  (0 <=? k) && if stays then k <=? m else k <? m.
Definition may_stay (s : state) : bool :=
  match endless with Some x => true_in sys ev x s | None => false end.

(** A move to u is good in a state with the number m. *)
Definition good (t : table Z) (stays : bool) (m : Z) (u : state) : bool :=
  if outcome u =? -1 then number_so ev t (falls_to stays m) u else true_in sys ev e u.
Definition secures_entry (t : table Z) (x : packed * Z) : bool :=
  let s := unpack p (fst x) in
  (0 <=? snd x) && (outcome s =? -1) &&
  let test := good t (may_stay s) (snd x) in
  if mine (mover s) then some_move sys ev test s else every_move sys ev test s && has_move sys ev s.
Definition check_secures : bool := let t := tbl in sound sys && forallb (secures_entry t) entries.

(** The strategy: the first good move. *)
Definition chosen (s : state) : option action :=
  match pack p s with
  | Some k =>
    match find k tbl with
    | Some m =>
      let s := unpack p k in
      List.find (fun a => reaches (good tbl (may_stay s) m) (act sys n a s)) (acts sys)
    | None => None
    end
  | None => None
  end.

(** What holds of the states of a play that follows it. *)
Definition on_course (s : state) : Prop :=
  wf sys s /\ (outcome s = -1 -> exists m, number_of s m) /\ (outcome s <> -1 -> satisfies sys e s).

Hypothesis Check : check_secures = true.

Lemma secures_sound : sound sys = true.
Proof. pose proof Check as C. unfold check_secures in C. apply andb_true_iff in C. tauto. Qed.

Lemma entry_of s m : number_of s m -> exists k, pack p s = Some k /\ find k tbl = Some m /\
  sle (unpack p k) s /\ secures_entry tbl (k, m) = true.
Proof.
  intros (k & P & G). exists k. repeat split; auto; try (apply unpack_pack; auto).
  pose proof Check as C. unfold check_secures in C. rewrite andb_true_iff, forallb_forall in C.
  apply C. apply find_in; auto.
Qed.

(** The number falls, or stays where the state may be come back to. *)
Definition falls (s : state) (m k : Z) : Prop :=
  0 <= k < m \/ k = m /\ match endless with Some x => satisfies sys x s | None => False end.

Lemma falls_to_falls t s m k : sle t s -> falls_to (may_stay t) m k = true -> falls s m k.
Proof.
  intros L. unfold falls_to, may_stay, falls. destruct endless as [x|]; [|lia].
  destruct (true_in sys ev x t) eqn:T; [|lia]. intros H.
  destruct (Z.eq_dec k m); [right|left; lia]. split; auto. eapply true_in_ok; eauto.
Qed.

Lemma good_ok b m v u : sle v u -> good tbl b m v = true -> wf sys u ->
  on_course u /\ (outcome u = -1 -> exists k, number_of u k /\ falls_to b m k = true).
Proof.
  intros L G W. unfold good in G. replace (outcome v) with (outcome u) in G by (symmetry; apply L).
  destruct (outcome u =? -1) eqn:O.
  - destruct (number_so_ok ev _ v u L G) as (k & K & B). split; eauto. split; auto. split; eauto.
    lia.
  - split; [|lia]. split; auto. split; [lia|]. intros _. eapply true_in_ok; eauto.
Qed.

Lemma follows_course s u m : wf sys s -> number_of s m -> follows sys mine chosen s u ->
  on_course u /\ (outcome u = -1 -> exists k, number_of u k /\ falls s m k).
Proof.
  intros W N H. destruct (entry_of s m N) as (k & P & G & L & E).
  unfold secures_entry in E. cbv zeta in E. cbn [fst snd] in E.
  replace (mover (unpack p k)) with (mover s) in E by (symmetry; apply L).
  rewrite !andb_true_iff in E. destruct E as [_ E].
  assert (Sound := secures_sound).
  enough (X : on_course u /\ (outcome u = -1 -> exists j, number_of u j /\
    falls_to (may_stay (unpack p k)) m j = true)).
  { destruct X as [X Y]. split; auto. intros O. destruct (Y O) as (j & J & B). exists j.
    split; auto.
    eapply falls_to_falls; eauto. }
  unfold follows in H. destruct (mine (mover s)).
  - destruct H as (a & A & I & T). unfold chosen in A. rewrite P, G in A. apply find_some in A.
    destruct A as [_ R].
    destruct (step_above sys Sound n a (unpack p k) s u W L) as (v & V & Q); auto.
    { intros X. rewrite X in R. discriminate. }
    apply (good_ok (may_stay (unpack p k)) m v u); auto.
    destruct (act sys n a _); simpl in R, V; try discriminate; congruence.
    apply (shape_stays sys Sound a s); auto.
  - apply andb_true_iff in E. destruct E as [E _].
    destruct (every_move_ok sys ev _ _ s u Sound W L E H) as (v & Q & R).
    apply (good_ok (may_stay (unpack p k)) m v u); auto. eapply moves_wf; eauto.
Qed.

Lemma follows_live g s u : follows sys mine g s u -> outcome s = -1.
Proof.
  unfold follows. destruct (mine (mover s)); [intros (a & _ & _ & T)|intros (a & _ & T)];
    apply step_live in T; tauto.
Qed.

Lemma followed_course s u : on_course s -> followed sys mine chosen s u -> on_course u.
Proof.
  intros C H. induction H as [|u v _ IH F]; auto. destruct IH as (W & N & _).
  destruct (N (follows_live _ _ _ F)) as (m & M). eapply follows_course; eauto.
Qed.

Lemma course_goes_on s : on_course s -> outcome s = -1 -> exists u, follows sys mine chosen s u.
Proof.
  intros (W & N & _) O. destruct (N O) as (m & M). destruct (entry_of s m M) as (k & P & G & L & E).
  unfold secures_entry in E. cbv zeta in E. cbn [fst snd] in E.
  replace (mover (unpack p k)) with (mover s) in E by (symmetry; apply L).
  rewrite !andb_true_iff in E. destruct E as [_ E]. unfold follows.
  destruct (mine (mover s)).
  - unfold some_move in E. apply existsb_exists in E. destruct E as (a & A & R).
    destruct (List.find (fun a =>
      reaches (good tbl (may_stay (unpack p k)) m) (act sys n a (unpack p k)))
      (acts sys)) as [b|] eqn:D.
    + assert (D' := D). apply find_some in D'. destruct D' as [B R'].
      assert (X : exists v, result (act sys n b (unpack p k)) = Some v)
        by (destruct (act sys n b _); simpl in *; try discriminate; eauto).
      destruct X as (v & X). destruct (step_below sys n b _ s v L X) as (u & U & _).
      exists u, b. split; auto. unfold chosen. rewrite P, G. auto.
    + apply find_none with (x := a) in D; auto. rewrite D in R. discriminate.
  - apply andb_true_iff in E. destruct E as [_ E].
    destruct (some_move_ok sys ev _ _ s L E) as (a & v & u & A & U & _). exists u, a; auto.
Qed.

Lemma number_pos s m : number_of s m -> 0 <= m.
Proof.
  intros N. destruct (entry_of s m N) as (k & _ & _ & _ & E). unfold secures_entry in E.
  cbv zeta in E.
  rewrite !andb_true_iff in E. simpl in E. lia.
Qed.

(** Along a play numbers never rise. *)
Lemma play_numbers f : on_course (f O) -> (forall i, follows sys mine chosen (f i) (f (S i))) ->
  forall i, on_course (f i) /\ exists m, number_of (f i) m.
Proof.
  intros C H. induction i as [|i [D (m & M)]].
  - split; auto. apply C. eapply follows_live; eauto.
  - destruct (follows_course (f i) (f (S i)) m) as [E _]; auto. apply D. split; auto.
    apply E. eapply follows_live; eauto.
Qed.

Lemma next_number f i m : (forall i, follows sys mine chosen (f i) (f (S i))) -> wf sys (f i) ->
  number_of (f i) m -> exists k, number_of (f (S i)) k /\ falls (f i) m k.
Proof.
  intros H W M. destruct (follows_course (f i) (f (S i)) m) as [_ E]; auto.
  apply E. eapply follows_live; eauto.
Qed.

Lemma later_number f : on_course (f O) -> (forall i, follows sys mine chosen (f i) (f (S i))) ->
  forall i d m k, number_of (f i) m -> number_of (f (i + d)%nat) k -> k <= m.
Proof.
  intros C H i. induction d as [|d IH]; intros m k M K.
  - rewrite Nat.add_0_r in K. rewrite (labelled_unique _ _ _ _ _ M K). lia.
  - destruct (play_numbers f C H (i + d)%nat) as [(W & _) (x & X)]. specialize (IH m x M X).
    destruct (next_number f (i + d)%nat x H W X) as (y & Y & B).
    replace (i + S d)%nat with (S (i + d)) in K by lia.
    rewrite (labelled_unique _ _ _ _ _ K Y). destruct B; lia.
Qed.

(** So a state that a play comes back to may keep its number. *)
Lemma comes_back f i j : on_course (f O) -> (forall i, follows sys mine chosen (f i) (f (S i))) ->
  (i < j)%nat -> f i = f j ->
  match endless with Some x => satisfies sys x (f i) | None => False end.
Proof.
  intros C H L E. destruct (play_numbers f C H i) as [(W & _) (m & M)].
  destruct (next_number f i m H W M) as (k & K & [B|[_ B]]); auto. exfalso.
  rewrite E in M. pose proof (later_number f C H (S i) (j - S i) k m K) as Q.
  replace (S i + (j - S i))%nat with j in Q by lia. specialize (Q M). lia.
Qed.

(** Where no number may stay they fall with each move. *)
Lemma no_endless f : endless = None -> on_course (f O) ->
  ~ (forall i, follows sys mine chosen (f i) (f (S i))).
Proof.
  intros B C H. destruct (play_numbers f C H O) as [_ (m & M)].
  assert (Q : forall i, exists k, number_of (f i) k /\ 0 <= k /\ k + Z.of_nat i <= m).
  { induction i as [|i (k & K & K0 & L)].
    - exists m. pose proof (number_pos _ _ M). repeat split; auto; lia.
    - destruct (play_numbers f C H i) as [(W & _) _].
      destruct (next_number f i k H W K) as (j & J & F). unfold falls in F. rewrite B in F.
      exists j. split; auto. lia. }
  destruct (Q (Z.to_nat (m + 1))) as (k & _ & K0 & L). pose proof (number_pos _ _ M). lia.
Qed.

(** Those of [mine] can secure it from each state that is listed, or is over as it should be. *)
Theorem strategy_secures s : on_course s -> can_secure sys mine e endless s.
Proof.
  intros C. exists chosen. split.
  - intros u F O. apply (followed_course s u) in F; auto. apply F; auto.
  - intros u F O. apply (followed_course s u) in F; auto. apply course_goes_on; auto.
  - intros f F0 H. rewrite <- F0 in C. destruct endless as [x|] eqn:B.
    + intros i j L E. pose proof (comes_back f i j C H L E) as X. rewrite B in X. auto.
    + exact (no_endless f B C H).
Qed.
End Secure.

(** ** Values of positions *)

Section Worth.
Variable sys : system.
Variable w : expr.                             (** what a state that is over is worth to player 0 *)
Variable endless : option expr.              (** what an endless play is worth *)

Definition check_at_least (ev : strategy) (b : Z) : bool :=
  check_secures sys first_player ev (floor b w) (option_map (floor b) endless).
Definition check_at_most (ev : strategy) (b : Z) : bool :=
  check_secures sys other_players ev (ceiling b w) (option_map (ceiling b) endless).

(** A state is listed by the strategy, or is over as it should be. *)
Definition settled_so (ev : strategy) (e : expr) (t : table Z) (s : state) : bool :=
  if outcome s =? -1 then number_so ev t (fun _ => true) s else true_in sys ev e s.

Lemma settled_course ev e v s : wf sys s -> sle v s ->
  settled_so ev e (tabulate (s_states ev)) v = true -> on_course sys ev e s.
Proof.
  intros W L H. unfold settled_so in H.
  replace (outcome v) with (outcome s) in H by (symmetry; apply L).
  split; auto. destruct (outcome s =? -1) eqn:O; (split; intros X; [|]); try lia.
  - destruct (number_so_ok ev _ v s L H) as (m & M & _). eauto.
  - eapply true_in_ok; eauto.
Qed.

(** A position that is given with all its parts. *)
Definition check_position (ev : strategy) (e : expr) (s : state) : bool :=
  shape_ok sys s && settled_so ev e (tabulate (s_states ev)) s.

Lemma position_course ev e s : check_position ev e s = true -> on_course sys ev e s.
Proof.
  unfold check_position. rewrite andb_true_iff. intros [W H]. apply shape_ok_wf in W.
  apply (settled_course ev e s s); auto with le.
Qed.

Theorem position_at_least ev b s : check_at_least ev b && check_position ev (floor b w) s = true ->
  at_least sys w endless b s.
Proof.
  rewrite andb_true_iff. intros [C P].
  apply (strategy_secures sys first_player ev); auto using position_course.
Qed.

Theorem position_at_most ev b s : check_at_most ev b && check_position ev (ceiling b w) s = true ->
  at_most sys w endless b s.
Proof.
  rewrite andb_true_iff. intros [C P].
  apply (strategy_secures sys other_players ev); auto using position_course.
Qed.

Theorem position_worth low high v s :
  (check_at_least low v && check_position low (floor v w) s) &&
  (check_at_most high v && check_position high (ceiling v w) s) = true ->
  worth sys w endless v s.
Proof.
  rewrite andb_true_iff. intros [C P]. split. apply (position_at_least low); auto.
  apply (position_at_most high); auto.
Qed.

(** The same of all starts. *)
Definition check_start_positions (ev : strategy) (e : expr) : bool :=
  let t := tabulate (s_states ev) in check_positions sys ev (settled_so ev e t).

Lemma start_course ev e s : sound sys = true -> check_start_positions ev e = true -> start sys s ->
  on_course sys ev e s.
Proof.
  intros Sound C S. destruct (positions_good sys ev _ s Sound C S) as (v & L & G).
  apply (settled_course ev e v s); auto. apply reach_wf; auto. apply reach_start; auto.
Qed.

Theorem starts_at_least ev b : check_at_least ev b && check_start_positions ev (floor b w) = true ->
  forall s, start sys s -> at_least sys w endless b s.
Proof.
  rewrite andb_true_iff. intros [C P] s S. apply (strategy_secures sys first_player ev); auto.
  apply start_course; auto.
  eapply secures_sound; eauto.
Qed.

Theorem starts_at_most ev b : check_at_most ev b && check_start_positions ev (ceiling b w) = true ->
  forall s, start sys s -> at_most sys w endless b s.
Proof.
  rewrite andb_true_iff. intros [C P] s S. apply (strategy_secures sys other_players ev); auto.
  apply start_course; auto.
  eapply secures_sound; eauto.
Qed.

Theorem starts_worth low high v :
  (check_at_least low v && check_start_positions low (floor v w)) &&
  (check_at_most high v && check_start_positions high (ceiling v w)) = true ->
  forall s, start sys s -> worth sys w endless v s.
Proof.
  rewrite andb_true_iff. intros [C D] s S. split.
  - apply (starts_at_least low); auto.
  - apply (starts_at_most high); auto.
Qed.
End Worth.

(** What no step changes: the shape of a state, and the number of its seeds.

    [seeds_stay] and [shape_stays] hold of every System whose laps lead to pits ([sound]), so of
    all sizes of a board at once. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel.
Import ListNotations.
Open Scope Z_scope.

(** The one condition: no lap leads beyond the last pit. *)
Definition sound (sys : system) : bool :=
  forallb (fun l => forallb (fun p => p <? Z.of_nat (npits sys)) (nxt l)) (laps sys).

(** ** Boards *)

Definition seed (c : cell) : Prop := exists z, c = Kn z /\ 0 <= z.
Definition board (n : nat) (l : list cell) : Prop := length l = n /\ Forall seed l.
Definition valued (doms : list (list Z)) (l : list cell) : Prop :=
  Forall2 (fun d c => exists z, c = Kn z /\ In z d) doms l.

Definition number (c : cell) : Z := match c with Kn z => z | _ => 0 end.

(** The seeds in the pits of which k holds. *)
Fixpoint held (k : nat -> bool) (l : list cell) : Z :=
  match l with
  | [] => 0
  | c :: l => (if k O then number c else 0) + held (fun i => k (S i)) l
  end.
Definition total : list cell -> Z := held (fun _ => true).

Lemma length_upd {A} (l : list A) i c : length (upd l i c) = length l.
Proof. revert i; induction l; destruct i; simpl; auto. Qed.

Lemma nth_upd {A} (l : list A) i c d j :
  (i < length l)%nat -> nth j (upd l i c) d = if Nat.eqb j i then c else nth j l d.
Proof.
  revert i j; induction l; simpl; intros i j H; [lia|].
  destruct i, j; simpl; auto. apply IHl; lia.
Qed.

Lemma Forall_upd {A} (P : A -> Prop) l i c : Forall P l -> P c -> Forall P (upd l i c).
Proof. intros H C; revert i; induction H; destruct i; simpl; constructor; auto. Qed.

Lemma Forall2_upd {A B} (P : A -> B -> Prop) d l i c :
  Forall2 P d l -> (forall x, nth_error d i = Some x -> P x c) -> Forall2 P d (upd l i c).
Proof.
  intros H; revert i; induction H; intros [|i] C; simpl; constructor; auto.
Qed.

Lemma held_upd k l i c :
  (i < length l)%nat ->
  held k (upd l i c) = held k l + (if k i then number c - number (nth i l No) else 0).
Proof.
  revert k i; induction l as [|x l IH]; simpl; intros k i H; [lia|].
  destruct i; simpl. destruct (k O); lia. rewrite IH by lia. lia.
Qed.

Lemma seed_nth n l i : board n l -> (i < n)%nat -> seed (nth i l No).
Proof. intros [L H] I. rewrite Forall_forall in H. apply H, nth_In. lia. Qed.

Lemma held_ext l : forall k h, (forall i, k i = h i) -> held k l = held h l.
Proof.
  induction l as [|c l IH]; simpl; intros k h H; auto. rewrite H. f_equal. apply IH. auto.
Qed.

(** Adding to a pit what leaves it at 0 or more. *)
Lemma bump_board n l i z :
  board n l -> (i < n)%nat -> 0 <= number (nth i l No) + z -> board n (bump l i z).
Proof.
  intros B I H. destruct (seed_nth n l i B I) as (x & E & X). unfold bump. rewrite E in *.
  destruct B as [L F]. split. rewrite length_upd; auto.
  apply Forall_upd; auto. exists (x + z); split; auto.
Qed.

Lemma bump_held k n l i z :
  board n l -> (i < n)%nat -> held k (bump l i z) = held k l + (if k i then z else 0).
Proof.
  intros B I. destruct (seed_nth n l i B I) as (x & E & X). unfold bump.
  rewrite held_upd by (destruct B; lia). rewrite E. simpl. destruct (k i); lia.
Qed.

Lemma held_pos n k l : board n l -> 0 <= held k l.
Proof.
  intros [_ H]. revert k; induction H as [|c l (z & -> & Z0) _ IH]; simpl; intros k; [lia|].
  specialize (IH (fun i => k (S i))). destruct (k O); lia.
Qed.

(** ** What holds of the run after a statement *)

Definition post (P : run -> Prop) (o : out) : Prop :=
  match o with On r | Fin r => P r | _ => True end.

Lemma post_bindo P r k : (forall z, r = V z -> post P (k z)) -> post P (bindo r k).
Proof. destruct r; simpl; auto. Qed.

Lemma post_mono (P Q : run -> Prop) o : (forall r, P r -> Q r) -> post P o -> post Q o.
Proof. destruct o; simpl; auto. Qed.

Lemma post_andthen (P Q : run -> Prop) o k :
  post P o -> (forall r, P r -> Q r) -> (forall r, P r -> post Q (k r)) -> post Q (andthen o k).
Proof. destruct o; simpl; auto. Qed.

Lemma post_skips ls n P r l : forall i k,
  (forall m, post P (k m)) -> post P (skips ls n r i l k).
Proof.
  induction l as [|[e|] l IH]; simpl; intros i k H; auto.
  apply post_bindo; intros. apply IH; intros. apply H.
Qed.

Lemma post_counted ls n P r c k : (forall x, post P (k x)) -> post P (counted ls n r c k).
Proof. destruct c; simpl; auto. intros; apply post_bindo; auto. Qed.

Section Shape.
Variable sys : system.
Hypothesis Sound : sound sys = true.
Notation size := (npits sys).

(** A run has a shape like that of a state; [keeps r u]: u has it, and as many seeds as r. *)
Definition shaped (r : run) : Prop := board size (cells r) /\ valued (doms sys) (values r).
Definition keeps (r u : run) : Prop := shaped u /\ total (cells u) = total (cells r).

Lemma keeps_refl r : shaped r -> keeps r r.
Proof. split; auto. Qed.

Lemma keeps_trans r u v : keeps r u -> keeps u v -> keeps r v.
Proof. intros [_ A] [B C]. split; auto. lia. Qed.

(** A place that is tried is a pit or none. *)
Definition inside (p : Z) : Prop := p < Z.of_nat size.

Lemma lap_inside i l p : nth_error (laps sys) i = Some l -> inside (get (-1) (nxt l) p).
Proof.
  intros N. unfold get, inside. destruct (p <? 0); [lia|].
  destruct (nth_in_or_default (Z.to_nat p) (nxt l) (-1)) as [H| ->]; [|lia].
  unfold sound in Sound. rewrite forallb_forall in Sound.
  specialize (Sound l (nth_error_In _ _ N)). rewrite forallb_forall in Sound.
  apply Sound in H. lia.
Qed.

Lemma place_inside i l no : nth_error (laps sys) i = Some l ->
  forall f p q, inside p -> place f (nxt l) no p = Some q -> (q < size)%nat /\ no q = false.
Proof.
  intros N. unfold inside.
  induction f; simpl; intros p q P H; destruct (p <? 0) eqn:S; try discriminate.
  destruct (no (Z.to_nat p)) eqn:X.
  - apply IHf in H; auto. apply (lap_inside i); auto.
  - injection H as <-. split; auto. lia.
Qed.

Lemma is_pit_inside r p : shaped r -> is_pit r p = true -> 0 <= p /\ (Z.to_nat p < size)%nat.
Proof.
  intros [[L _] _] H. unfold is_pit in H. rewrite L in H. apply andb_true_iff in H. lia.
Qed.

Lemma get_board r p z : shaped r -> 0 <= p -> (Z.to_nat p < size)%nat ->
  rd (get No (cells r) p) = V z -> nth (Z.to_nat p) (cells r) No = Kn z /\ 0 <= z.
Proof.
  intros [B _] P I H. unfold get in H. destruct (p <? 0) eqn:S; [lia|].
  destruct (seed_nth _ _ _ B I) as (x & E & X). rewrite E in *. injection H as <-. auto.
Qed.

Lemma post_beginning i l n P r b p k :
  nth_error (laps sys) i = Some l -> shaped r -> inside p ->
  (forall q, inside q -> post P (k q)) -> post P (beginning (laps sys) n r b (nxt l) p k).
Proof.
  intros N R I H. destruct b; simpl; auto. apply H, (lap_inside i); auto.
  apply post_bindo; intros q _. destruct (is_pit r q) eqn:E; simpl; auto.
  apply H. apply is_pit_inside in E; auto. unfold inside. lia.
Qed.

(** Statements. *)

Lemma drops_keep d source i l sk only :
  nth_error (laps sys) i = Some l -> (source < size)%nat ->
  (forall r, shaped r -> post (keeps r) (d r)) ->
  forall c p r, inside p -> shaped r ->
  post (fun u => shaped u /\ total (cells u) = total (cells r) + Z.of_nat c)
    (drops d source c (nxt l) sk only p r).
Proof.
  intros N S D. induction c as [|c IH]; intros p r P R; cbn [drops]; [simpl; split; auto; lia|].
  destruct (place _ _ _ p) as [q|] eqn:E; simpl; auto.
  apply (place_inside i) in E; auto. destruct E as [Q _].
  destruct R as [B W]. pose proof (seed_nth _ _ _ B Q) as (x & X & X0).
  set (r1 := set_last _ _ _).
  assert (R1 : shaped r1) by (split; auto; apply bump_board; auto; rewrite X; simpl; lia).
  assert (T1 : total (cells r1) = total (cells r) + 1)
    by (unfold total; simpl; rewrite (bump_held _ size) by auto; lia).
  pose proof (D r1 R1) as K. destruct (d r1) as [u|u| | |]; simpl in K; auto; destruct K as [K T].
  - eapply post_mono; [|apply IH; auto; apply (lap_inside i); auto].
    intros v [A C]; split; auto. cbv beta in *. lia.
  - simpl. destruct K as [KB KW]. pose proof (seed_nth _ _ _ KB S) as (y & Y & Y0). split.
    + split; auto. simpl. apply bump_board; auto. rewrite Y; simpl; lia.
    + unfold total in *. simpl. rewrite (bump_held _ size) by auto. lia.
Qed.

Lemma move_keeps r c f i h :
  shaped r -> is_pit r f = true -> is_pit r i = true -> rd (get No (cells r) f) = V h ->
  0 <= c <= h -> post (keeps r) (move r c f i).
Proof.
  intros R F I H C. apply is_pit_inside in F; auto. apply is_pit_inside in I; auto.
  destruct (get_board r f h) as [N _]; try tauto. destruct R as [B W].
  assert (B1 : board size (bump (cells r) (Z.to_nat f) (- c)))
    by (apply bump_board; try tauto; rewrite N; simpl; lia).
  destruct (seed_nth _ _ (Z.to_nat i) B1) as (x & X & X0); [tauto|].
  split. split; auto; simpl; apply bump_board; try tauto; rewrite X; simpl; lia.
  unfold total. simpl. rewrite !(bump_held _ size) by tauto. lia.
Qed.

Lemma set_var_keeps r i z : shaped r -> post (keeps r) (set_var (doms sys) r i z).
Proof.
  intros [B W]. unfold set_var. destruct (0 <=? i) eqn:I; simpl; auto.
  destruct (existsb _ _) eqn:E; simpl; auto. split; auto. split; auto. simpl.
  apply Forall2_upd; auto. intros d D. exists z. split; auto.
  apply existsb_exists in E. destruct E as (y & Y & E). apply Z.eqb_eq in E. subst y.
  erewrite nth_error_nth in Y by eauto. auto.
Qed.

Lemma loop_keeps fuel c b e r0 :
  (forall r, shaped r -> post (keeps r) (b r)) ->
  forall before r, keeps r0 r -> post (keeps r0) (loop fuel c b e before r).
Proof.
  intros B. induction fuel; simpl; intros before r K; auto.
  apply post_bindo; intros x _. destruct (nz x); simpl; auto.
  destruct (seen _ _) as [[|]|]; simpl; auto.
  apply post_andthen with (P := keeps r0); auto.
  eapply post_mono; [|apply B, K]. intros u. apply keeps_trans; auto.
Qed.

Section Bodies.
Variables (e : Z) (rounds : nat) (n : env).
Notation ex := (ex (laps sys) (doms sys) (players sys) e rounds n).

Lemma sow_keeps source count i skip only from drop r :
  shaped r -> (forall r, shaped r -> post (keeps r) (ex drop r)) ->
  post (keeps r) (ex (Sow source count i skip only from drop) r).
Proof.
  intros R D. cbn [Kernel.ex]. apply post_bindo; intros p _.
  destruct (is_pit r p) eqn:P; simpl; auto. apply is_pit_inside in P; auto.
  destruct (nth_error (laps sys) i) as [l|] eqn:N; simpl; auto.
  apply post_counted; intros k. apply (post_beginning i); auto. unfold inside; lia.
  intros q Q. apply post_skips; intros m. apply post_bindo; intros all A. simpl in A.
  destruct (get_board r p all) as [G _]; try tauto.
  set (c := amount k all). destruct ((c <? 1) || (all <? c)) eqn:C; simpl; auto.
  apply orb_false_iff in C. destruct R as [B W].
  eapply post_mono; [|apply (drops_keep _ _ i); auto; try tauto].
  - intros u [U T]. split; auto. unfold total in *. cbn [cells set_cells set_origin] in T.
    rewrite (bump_held _ size) in T by tauto. lia.
  - split; auto. simpl. apply bump_board; try tauto. rewrite G; simpl; lia.
Qed.

Lemma transfer_keeps count f i r : shaped r -> post (keeps r) (ex (Transfer count f i) r).
Proof.
  intros R. destruct count as [c|]; simpl.
  - do 3 (apply post_bindo; intros ? _). destruct (is_pit r z0) eqn:F; simpl; auto.
    destruct (is_pit r z1) eqn:I; simpl; auto. apply post_bindo; intros h H.
    destruct ((z <? 0) || (h <? z)) eqn:C; simpl; auto. eapply move_keeps; eauto. lia.
  - apply post_bindo; intros z _. destruct (is_pit r z) eqn:I; simpl; auto.
    apply post_bindo; intros y _. destruct ((y <? 0) || (y =? z)); simpl; auto using keeps_refl.
    destruct (is_pit r y) eqn:F; simpl; auto. apply post_bindo; intros h H.
    eapply move_keeps; eauto. pose proof F as F'. apply is_pit_inside in F'; auto.
    destruct (get_board r y h); try tauto. lia.
Qed.

Theorem ex_keeps b : forall r, shaped r -> post (keeps r) (ex b r).
Proof.
  induction b; intros r R.
  - simpl. auto using keeps_refl.
  - simpl. apply post_andthen with (P := keeps r); auto.
    intros u U. eapply post_mono; [|apply IHb2, U]. intros v. apply keeps_trans; auto.
  - apply sow_keeps; auto.
  - apply transfer_keeps; auto.
  - destruct to; simpl.
    + destruct (has_var _ _); simpl; auto. apply post_bindo; intros. apply set_var_keeps; auto.
    + apply post_bindo; intros. destruct (has_var _ _); simpl; auto. apply post_bindo; intros.
      apply set_var_keeps; auto.
    + apply post_bindo; intros. split; auto.
    + apply post_bindo; intros. destruct (_ && _); simpl; auto. split; auto.
    + apply post_bindo; intros. split; auto.
  - simpl. apply post_bindo; intros x _. destruct (nz x); auto.
  - simpl. apply loop_keeps; auto using keeps_refl.
  - simpl. destruct (_ <? 0); simpl; auto. split; auto.
Qed.
End Bodies.

(** Turns. *)

Definition shape (s : state) : Prop := board size (seeds s) /\ valued (doms sys) (vars s).

Lemma shape_wf s : shape s <-> wf sys s.
Proof. unfold shape, wf, board, valued, seed. tauto. Qed.

(** The run r ends in the shape of s, with as many seeds. *)
Definition keep (s : state) (r : run) : Prop := shaped r /\ total (cells r) = total (seeds s).

Lemma pass_keeps rounds n a s : shape s -> post (keep s) (pass sys rounds n a s).
Proof.
  intros S. unfold pass. destruct (live s && _); simpl; auto.
  apply post_bindo; intros x _. destruct (nz x); simpl; auto.
  apply (ex_keeps _ _ _ _ (enter s _ _)). auto.
Qed.

Lemma settle_keeps rounds ended rs : forall s, shape s ->
  post (keep s) (settle sys rounds ended rs s).
Proof.
  induction rs as [|x q IH]; simpl; intros s S. split; auto.
  destruct (turn x && negb ended); auto. destruct (nth_error _ _) as [u|]; auto.
  apply post_bindo; intros c _. destruct (nz c); auto.
  pose proof (ex_keeps (endless sys) rounds (rules_env sys rounds) (does u)
    (enter s (mover s) (rlocals u)) S) as K.
  fold (exec sys rounds (rules_env sys rounds)) in K.
  destruct (exec _ _ _ _ _) as [v|v| | |]; simpl; auto.
  simpl in K. destruct K as [K T]. eapply post_mono; [|apply IH; exact K].
  intros w [A B]. split; auto. simpl in *. lia.
Qed.

Lemma conclude_keeps rounds s0 s o :
  post (keep s0) o -> post (keep s0) (conclude sys rounds s o).
Proof.
  destruct o; simpl; auto. intros [K T]. eapply post_mono; [|apply settle_keeps; exact K].
  intros w [A B]. split; auto. simpl in *. lia.
Qed.

Lemma act_keeps rounds a s : shape s -> post (keep s) (act sys rounds a s).
Proof.
  intros S. pose proof (pass_keeps rounds (rules_env sys rounds) a s S) as P. unfold act.
  destruct (ranked sys); [|apply conclude_keeps; auto].
  destruct (pass _ _ _ _ _) eqn:E; auto; apply post_bindo; intros k _; apply post_bindo;
    intros x _; destruct (nz x); simpl; auto. apply (conclude_keeps rounds s s (On r)); auto.
Qed.

Lemma result_keeps s o u : post (keep s) o -> result o = Some u ->
  shape u /\ total (seeds u) = total (seeds s).
Proof. destruct o; simpl; try discriminate; intros [A B] [= <-]; auto. Qed.

(** A step leads from a state of the right shape to one, with as many seeds. *)
Theorem shape_stays a s u : wf sys s -> step sys a s u -> wf sys u.
Proof.
  rewrite <- !shape_wf. intros S (n & H). eapply result_keeps; eauto using act_keeps.
Qed.

Theorem seeds_stay a s u : wf sys s -> step sys a s u -> total (seeds u) = total (seeds s).
Proof.
  rewrite <- !shape_wf. intros S (n & H). eapply result_keeps; eauto using act_keeps.
Qed.

(** A board becomes a start of the same shape, with as many seeds. *)
Theorem start_keeps u : start sys u ->
  exists s, laid_out sys s /\ wf sys u /\ total (seeds u) = total (seeds s).
Proof.
  intros (s & n & L & H). exists s. split; auto. rewrite <- shape_wf.
  eapply result_keeps; eauto. apply settle_keeps, shape_wf, L.
Qed.

Theorem reach_wf u : reach sys u -> wf sys u.
Proof.
  induction 1 as [u S|s u a _ W _ H]. apply start_keeps in S. destruct S; tauto.
  eapply shape_stays; eauto.
Qed.

(** Every reachable state has as many seeds as a board that the setup lays out. *)
Theorem seeds_stay_reach u : reach sys u ->
  exists s, laid_out sys s /\ total (seeds u) = total (seeds s).
Proof.
  induction 1 as [u S|s u a R (s0 & L & T) _ H].
  - apply start_keeps in S. destruct S as (s & A & _ & B). eauto.
  - exists s0. split; auto. rewrite <- T. apply seeds_stay with (a := a); auto.
    apply reach_wf; auto.
Qed.
End Shape.

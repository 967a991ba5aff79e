(** How many seeds a step takes from some pits at most, and how many these pits hold when a game
    ends: what bounds the states before a state whose kept pits are known. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims Starts.
Import ListNotations.
Open Scope Z_scope.

Section Losses.
Variable sys : system.
Variable kept : nat -> bool.
Notation size := (npits sys).
Notation held := (held kept).

Definition pits : list nat := seq 0 size.

(** ** Statements *)

(** Only the last seed of a sowing may fall into a pit that is not kept: others are not tried, or no
    pit comes after it. *)
Definition ends_lap (nx : list Z) (i : nat) : bool := get (-1) nx (Z.of_nat i) <? 0.
Definition covers (l : nat) (only : list nat) : bool :=
  match nth_error (laps sys) l with
  | Some l => forallb (fun i => kept i || within only i || ends_lap (nxt l) i) pits
  | None => false
  end.

Definition keeps_pit (e : expr) : bool :=
  match e with Const i => (0 <=? i) && kept (Z.to_nat i) | _ => false end.

Definition constant (count : option expr) : option Z :=
  match count with Some (Const c) => Some (Z.max 0 c) | _ => None end.

(** What a statement takes from the kept pits at most, if that is known. *)
Fixpoint loss (b : stmt) : option Z :=
  match b with
  | Skip | Set_ _ _ | Stop _ => Some 0
  | Seq a b => match loss a, loss b with Some x, Some y => Some (x + y) | _, _ => None end
  | If _ a b => match loss a, loss b with Some x, Some y => Some (Z.max x y) | _, _ => None end
  | Sow _ count l _ only _ drop =>
    match loss drop with
    | Some 0 => if covers l only then Some 1 else constant count
    | _ => None
    end
  | Transfer count _ into => if keeps_pit into then Some 0 else constant count
  | While _ b => match loss b with Some 0 => Some 0 | _ => None end
  end.

Definition loses (d : Z) (r u : run) : Prop := shaped sys u /\ held (cells r) <= held (cells u) + d.

Lemma loses_refl r : shaped sys r -> loses 0 r r.
Proof. split; auto. lia. Qed.

Lemma loses_trans d e r u v : loses d r u -> loses e u v -> loses (d + e) r v.
Proof. intros [_ A] [B C]. split; auto. lia. Qed.

Lemma loses_more d e r u : d <= e -> loses d r u -> loses e r u.
Proof. intros L [A B]. split; auto. lia. Qed.

Hypothesis Sound : sound sys = true.

Lemma covers_ok i l only q : nth_error (laps sys) i = Some l -> covers i only = true ->
  (q < size)%nat -> kept q = false -> within only q = true \/ ends_lap (nxt l) q = true.
Proof.
  intros N C Q K. unfold covers in C. rewrite N, forallb_forall in C. specialize (C q).
  rewrite K in C. apply orb_true_iff. apply C. apply in_seq. lia.
Qed.

(** After the end of a lap no seed can be dropped. *)
Lemma drops_end d source c nx sk only p r : p < 0 ->
  drops d source (Datatypes.S c) nx sk only p r = Ill.
Proof. intros P. cbn [drops place]. destruct (p <? 0) eqn:E; auto. lia. Qed.

Ltac split_ifs := repeat match goal with
  | H : context [if ?b then _ else _] |- _ => destruct b in *
  | |- context [if ?b then _ else _] => destruct b in *
  end.

Lemma drops_lose d source i l sk only :
  nth_error (laps sys) i = Some l -> (source < size)%nat -> covers i only = true ->
  (forall r, shaped sys r -> post (loses 0 r) (d r)) ->
  forall c p r, inside sys p -> shaped sys r ->
  post (fun u => shaped sys u /\
      held (cells r) + (if kept source then Z.of_nat c - 1 else 0) <= held (cells u))
    (drops d source c (nxt l) sk (within only) p r).
Proof.
  intros N S C D. induction c as [|c IH]; intros p r P R; cbn [drops].
  - simpl. split; auto. destruct (kept source); lia.
  - destruct (place _ _ _ p) as [q|] eqn:E; [|exact I].
    apply (place_inside sys Sound i) in E; auto. destruct E as [Q NS].
    destruct R as [B W]. pose proof (seed_nth _ _ _ B Q) as (x & X & X0).
    set (r1 := set_last _ _ _).
    assert (R1 : shaped sys r1) by (split; auto; apply bump_board; auto; rewrite X; simpl; lia).
    assert (T1 : held (cells r1) = held (cells r) + (if kept q then 1 else 0))
      by (simpl; rewrite (bump_held _ size) by auto; auto).
    assert (K1 : c <> O -> kept q = true \/ get (-1) (nxt l) (Z.of_nat q) < 0).
    { intros C0. destruct (kept q) eqn:K; auto. right.
      destruct (covers_ok i l only q N C Q K) as [O|O]; [|unfold ends_lap in O; lia].
      rewrite O in NS. apply orb_false_iff in NS. destruct NS as [_ NS].
      destruct c; [tauto|discriminate]. }
    pose proof (D r1 R1) as K. destruct (d r1) as [u|u| | |]; simpl in K; auto; destruct K as [K T].
    + destruct c as [|c].
      * simpl. split; auto. split_ifs; lia.
      * destruct (K1 ltac:(discriminate)) as [K2|K2]; [|rewrite drops_end by auto; exact I].
        eapply post_mono; [|apply IH; auto; apply (lap_inside sys Sound i); auto].
        intros v [A V]; split; auto. cbv beta in *. rewrite K2 in T1. split_ifs; lia.
    + cbn [post cells set_cells]. destruct K as [KB KW].
      pose proof (seed_nth _ _ _ KB S) as (y & Y & Y0). split.
      * split; auto. cbn [cells set_cells]. apply bump_board; auto. rewrite Y; simpl; lia.
      * rewrite (bump_held _ size) by auto.
        split_ifs; lia.
Qed.

(** No drop takes seeds from the kept pits. *)
Lemma drops_grow d source i l sk only :
  nth_error (laps sys) i = Some l -> (source < size)%nat ->
  (forall r, shaped sys r -> post (loses 0 r) (d r)) ->
  forall c p r, inside sys p -> shaped sys r ->
    post (loses 0 r) (drops d source c (nxt l) sk only p r).
Proof.
  intros N S D. induction c as [|c IH]; intros p r P R; cbn [drops]; [apply loses_refl; auto|].
  destruct (place _ _ _ p) as [q|] eqn:E; [|exact I].
  apply (place_inside sys Sound i) in E; auto. destruct E as [Q _].
  destruct R as [B W]. pose proof (seed_nth _ _ _ B Q) as (x & X & X0).
  set (r1 := set_last _ _ _).
  assert (R1 : loses 0 r r1).
  { split. split; auto; apply bump_board; auto; rewrite X; simpl; lia.
    simpl. rewrite (bump_held _ size) by auto. split_ifs; lia. }
  pose proof (D r1 (proj1 R1)) as K. destruct (d r1) as [u|u| | |]; auto.
  - pose proof (loses_trans 0 0 _ _ _ R1 K) as L. eapply post_mono; [|apply IH; [|apply L]].
    intros v. apply (loses_trans 0 0); auto. apply (lap_inside sys Sound i); auto.
  - pose proof (loses_trans 0 0 _ _ _ R1 K) as [[KB KW] L].
    pose proof (seed_nth _ _ _ KB S) as (y & Y & Y0).
    split. split; auto; cbn [cells set_cells]; apply bump_board; auto; rewrite Y; simpl; lia.
    cbn [cells set_cells]. rewrite (bump_held _ size) by auto. split_ifs; lia.
Qed.

Lemma move_loses_constant r c f i h :
  shaped sys r -> is_pit r f = true -> is_pit r i = true ->
  rd (get No (cells r) f) = V h -> 0 <= c <= h -> post (loses c r) (move r c f i).
Proof.
  intros R F I H C. pose proof (move_keeps sys r c f i h R F I H C) as [U _]. split; auto.
  apply (is_pit_inside sys) in F; auto. apply (is_pit_inside sys) in I; auto.
  destruct (get_board sys r f h) as [N _]; try tauto. destruct R as [B W].
  assert (B1 : board size (bump (cells r) (Z.to_nat f) (- c)))
    by (apply bump_board; try tauto; rewrite N; simpl; lia).
  simpl. rewrite !(bump_held _ size) by tauto. split_ifs; lia.
Qed.

Lemma move_loses r c f i h :
  shaped sys r -> is_pit r f = true -> is_pit r i = true -> kept (Z.to_nat i) = true ->
  rd (get No (cells r) f) = V h -> 0 <= c <= h -> post (loses 0 r) (move r c f i).
Proof.
  intros R F I K H C. pose proof (move_keeps sys r c f i h R F I H C) as [U _]. split; auto.
  apply (is_pit_inside sys) in F; auto. apply (is_pit_inside sys) in I; auto.
  destruct (get_board sys r f h) as [N _]; try tauto. destruct R as [B W].
  assert (B1 : board size (bump (cells r) (Z.to_nat f) (- c)))
    by (apply bump_board; try tauto; rewrite N; simpl; lia).
  simpl. rewrite !(bump_held _ size) by tauto. rewrite K. destruct (kept (Z.to_nat f)); lia.
Qed.

Lemma keeps_pit_ok ls n r e i : keeps_pit e = true -> ev ls n r e = V i -> kept (Z.to_nat i) = true.
Proof.
  destruct e; simpl; try discriminate. rewrite andb_true_iff. intros [_ K] [= <-]. auto.
Qed.

Lemma loop_loses fuel c b e r0 :
  (forall r, shaped sys r -> post (loses 0 r) (b r)) ->
  forall before r, loses 0 r0 r -> post (loses 0 r0) (loop fuel c b e before r).
Proof.
  intros B. induction fuel; simpl; intros before r K; auto.
  apply post_bindo; intros x _. destruct (nz x); simpl; auto.
  destruct (seen _ _) as [[|]|]; simpl; auto.
  apply post_andthen with (P := loses 0 r0); auto.
  eapply post_mono; [|apply B, K]. intros u U. apply (loses_trans 0 0 _ r); auto.
Qed.

Section Bodies.
Variables (e : Z) (rounds : nat) (n : env).
Notation ex := (ex (laps sys) (doms sys) (players sys) e rounds n).

Lemma sow_loses source count i skip only from drop r :
  shaped sys r -> covers i only = true ->
  (forall r, shaped sys r -> post (loses 0 r) (ex drop r)) ->
  post (loses 1 r) (ex (Sow source count i skip only from drop) r).
Proof.
  intros R C D. cbn [Kernel.ex]. apply post_bindo; intros p _.
  destruct (is_pit r p) eqn:P; simpl; auto. apply (is_pit_inside sys) in P; auto.
  destruct (nth_error (laps sys) i) as [l|] eqn:N; simpl; auto.
  apply post_counted; intros k. apply (post_beginning sys Sound i); auto. unfold inside; lia.
  intros q Q. apply post_skips; intros m. apply post_bindo; intros all A. simpl in A.
  destruct (get_board sys r p all) as [G _]; try tauto.
  set (c := amount k all). destruct ((c <? 1) || (all <? c)) eqn:K; simpl; auto.
  apply orb_false_iff in K. destruct R as [B W].
  eapply post_mono; [|apply (drops_lose _ _ i); auto; try tauto].
  - intros u [U T]. split; auto. cbn [cells set_cells set_origin] in T.
    rewrite (bump_held _ size) in T by tauto. split_ifs; lia.
  - split; auto. simpl. apply bump_board; try tauto. rewrite G; simpl; lia.
Qed.

Lemma sow_loses_constant source c i skip only from drop r :
  shaped sys r -> (forall r, shaped sys r -> post (loses 0 r) (ex drop r)) ->
  post (loses (Z.max 0 c) r) (ex (Sow source (Some (Const c)) i skip only from drop) r).
Proof.
  intros R D. cbn [Kernel.ex]. apply post_bindo; intros p _.
  destruct (is_pit r p) eqn:P; simpl; auto. apply (is_pit_inside sys) in P; auto.
  destruct (nth_error (laps sys) i) as [l|] eqn:N; simpl; auto.
  apply (post_beginning sys Sound i); auto. unfold inside; lia.
  intros q Q. apply post_skips; intros m. apply post_bindo; intros all A. simpl in A.
  destruct (get_board sys r p all) as [G _]; try tauto.
  destruct ((c <? 1) || (all <? c)) eqn:K; simpl; auto.
  apply orb_false_iff in K. destruct R as [B W].
  eapply post_mono; [|apply (drops_grow _ _ i); auto; try tauto].
  - intros u [U T]. split; auto. cbn [cells set_cells set_origin] in T.
    rewrite (bump_held _ size) in T by tauto. split_ifs; lia.
  - split; auto. simpl. apply bump_board; try tauto. rewrite G; simpl; lia.
Qed.

Lemma transfer_loses_constant c f i r : shaped sys r ->
  post (loses (Z.max 0 c) r) (ex (Transfer (Some (Const c)) f i) r).
Proof.
  intros R. simpl. do 2 (apply post_bindo; intros ? _).
  destruct (is_pit r z) eqn:F; simpl; auto.
  destruct (is_pit r z0) eqn:I; simpl; auto. apply post_bindo; intros h H.
  destruct ((c <? 0) || (h <? c)) eqn:C; [exact Logic.I|].
  eapply post_mono; [|eapply move_loses_constant; eauto; lia]. intros u. apply loses_more. lia.
Qed.

Lemma transfer_loses count f i r : shaped sys r -> keeps_pit i = true ->
  post (loses 0 r) (ex (Transfer count f i) r).
Proof.
  intros R K. destruct count as [c|]; simpl.
  - do 2 (apply post_bindo; intros ? _). apply post_bindo; intros z1 Z1.
    destruct (is_pit r z0) eqn:F; simpl; auto.
    destruct (is_pit r z1) eqn:I; simpl; auto. apply post_bindo; intros h H.
    destruct ((z <? 0) || (h <? z)) eqn:C; simpl; auto.
    eapply move_loses; eauto using keeps_pit_ok. lia.
  - apply post_bindo; intros z Z1. destruct (is_pit r z) eqn:I; simpl; auto.
    apply post_bindo; intros y _. destruct ((y <? 0) || (y =? z)); simpl; auto using loses_refl.
    destruct (is_pit r y) eqn:F; simpl; auto. apply post_bindo; intros h H.
    eapply move_loses; eauto using keeps_pit_ok. pose proof F as F'.
    apply (is_pit_inside sys) in F'; auto.
    destruct (get_board sys r y h); try tauto. lia.
Qed.

Lemma constant_pos count d : constant count = Some d -> 0 <= d.
Proof. destruct count as [[]|]; try discriminate. intros [= <-]. lia. Qed.

Lemma loss_pos b : forall d, loss b = Some d -> 0 <= d.
Proof.
  induction b; simpl; intros d L; try (injection L as <-; lia).
  - destruct (loss b1), (loss b2); try discriminate. injection L as <-.
    specialize (IHb1 _ eq_refl). specialize (IHb2 _ eq_refl). lia.
  - destruct (loss b) as [[| |]|], (covers lap only); try discriminate; [injection L as <-; lia|].
    apply constant_pos in L. auto.
  - destruct (keeps_pit into); [injection L as <-; lia|apply constant_pos in L; auto].
  - destruct (loss b1), (loss b2); try discriminate. injection L as <-.
    specialize (IHb1 _ eq_refl). specialize (IHb2 _ eq_refl). lia.
  - destruct (loss b) as [[| |]|]; try discriminate. injection L as <-. lia.
Qed.

Theorem ex_loses b : forall d r, loss b = Some d -> shaped sys r -> post (loses d r) (ex b r).
Proof.
  assert (Same : forall b r, shaped sys r -> loss b = Some 0 ->
    match b with Set_ _ _ => True | _ => False end -> post (loses 0 r) (ex b r)).
  { intros b0 r R _ B. destruct b0 as [| | | |to x| | |]; try tauto.
    pose proof (ex_keeps sys Sound e rounds n (Set_ to x) r R) as K.
    assert (Q : post (fun u => cells u = cells r) (ex (Set_ to x) r)).
    { destruct to; simpl; unfold set_var;
        repeat first
          [ apply post_bindo; intros
          | match goal with |- post _ (if ?b then _ else _) => destruct b end ];
        simpl; auto. }
    destruct (ex _ _); simpl in *; auto; destruct K as [K _]; split; auto; rewrite Q; lia. }
  induction b; intros d r L R.
  - injection L as <-. simpl. auto using loses_refl.
  - simpl in L. destruct (loss b1) as [x|] eqn:L1; try discriminate.
    destruct (loss b2) as [y|] eqn:L2; try discriminate. injection L as <-.
    pose proof (loss_pos _ _ L2). simpl. apply post_andthen with (P := loses x r); auto.
    + intros u. apply loses_more. lia.
    + intros u U. eapply post_mono; [|apply (IHb2 y); auto; apply U]. intros v.
      apply loses_trans; auto.
  - simpl in L. destruct (loss b) as [[| |]|]; try discriminate.
    destruct (covers lap only) eqn:C.
    + injection L as <-. apply sow_loses; auto.
    + destruct count as [[]|]; try discriminate. injection L as <-. apply sow_loses_constant; auto.
  - simpl in L. destruct (keeps_pit into) eqn:K.
    + injection L as <-. apply transfer_loses; auto.
    + destruct count as [[]|]; try discriminate. injection L as <-.
      apply transfer_loses_constant; auto.
  - injection L as <-. apply Same; simpl; auto.
  - simpl in L. destruct (loss b1) as [x|] eqn:L1; try discriminate.
    destruct (loss b2) as [y|] eqn:L2; try discriminate. injection L as <-.
    simpl. apply post_bindo; intros z _. destruct (nz z).
    + eapply post_mono; [|apply (IHb1 x); auto]. intros u. apply loses_more. lia.
    + eapply post_mono; [|apply (IHb2 y); auto]. intros u. apply loses_more. lia.
  - simpl in L. destruct (loss b) as [[| |]|] eqn:L1; try discriminate. injection L as <-.
    simpl. apply loop_loses; auto using loses_refl.
  - injection L as <-. simpl. destruct (_ <? 0); simpl; auto. split; auto. simpl. lia.
Qed.
End Bodies.

(** ** Turns *)

Definition most_of (l : list (option Z)) : option Z :=
  fold_right (fun x m => match x, m with
    | Some x, Some m => Some (Z.max x m)
    | _, _ => None
    end) (Some 0) l.

Lemma most_of_in l : forall d x, most_of l = Some d -> In x l -> exists y, x = Some y /\ y <= d.
Proof.
  induction l as [|a l IH]; simpl; intros d x M I; [tauto|].
  destruct a as [a|]; try discriminate. destruct (most_of l) as [m|]; try discriminate.
  injection M as <-. destruct I as [<-|I]. exists a. split; auto. lia.
  destruct (IH m x eq_refl I) as (y & -> & Y). exists y. split; auto. lia.
Qed.

Definition reaction_loss (x : reaction) : option Z :=
  most_of (map (fun u => loss (does u)) (per x)).
Fixpoint reactions_loss (rs : list reaction) : option Z :=
  match rs with
  | [] => Some 0
  | x :: rs =>
    match reaction_loss x, reactions_loss rs with Some a, Some b => Some (a + b) | _, _ => None end
  end.

(** What a step takes from the kept pits at most; nothing if all are kept. *)
Definition step_loss : option Z :=
  if forallb kept pits then Some 0 else
  match most_of (map (fun a => loss (body a)) (acts sys)), reactions_loss (rxs sys) with
  | Some x, Some y => Some (x + y)
  | _, _ => None
  end.

Definition leaves (d : Z) (s : state) (r : run) : Prop :=
  shaped sys r /\ held (seeds s) <= held (cells r) + d.

Lemma most_of_pos l d : most_of l = Some d -> 0 <= d.
Proof.
  revert d; induction l as [|[a|] l IH]; simpl; intros d M; try discriminate.
  injection M as <-. lia. destruct (most_of l) as [m|]; try discriminate. injection M as <-.
  specialize (IH m eq_refl). lia.
Qed.

Lemma reactions_loss_pos rs : forall d, reactions_loss rs = Some d -> 0 <= d.
Proof.
  induction rs as [|x rs IH]; simpl; intros d L. injection L as <-. lia.
  destruct (reaction_loss x) as [a|] eqn:A; try discriminate.
  destruct (reactions_loss rs) as [b|]; try discriminate. injection L as <-.
  apply most_of_pos in A. specialize (IH b eq_refl). lia.
Qed.

Lemma settle_loses rounds ended rs : forall d s, reactions_loss rs = Some d -> shape sys s ->
  post (leaves d s) (settle sys rounds ended rs s).
Proof.
  induction rs as [|x q IH]; simpl; intros d s L S. injection L as <-. split; auto. simpl; lia.
  destruct (reaction_loss x) as [a|] eqn:A; try discriminate.
  destruct (reactions_loss q) as [b|] eqn:B; try discriminate. injection L as <-.
  pose proof (most_of_pos _ _ A) as A0. pose proof (reactions_loss_pos _ _ B) as B0.
  assert (Skip : post (leaves (a + b) s) (settle sys rounds ended q s)).
  { eapply post_mono; [|apply (IH b); auto]. intros u [U V]. split; auto. lia. }
  destruct (turn x && negb ended); auto. destruct (nth_error _ _) as [u|] eqn:N; auto.
  apply post_bindo; intros c _. destruct (nz c); auto.
  destruct (most_of_in _ a (loss (does u)) A) as (y & Y & Y0).
  { apply in_map_iff. exists u. split; auto. eapply nth_error_In; eauto. }
  pose proof (ex_loses (endless sys) rounds (rules_env sys rounds) (does u) y
    (enter s (mover s) (rlocals u)) Y S) as K.
  fold (exec sys rounds (rules_env sys rounds)) in K.
  destruct (exec _ _ _ _ _) as [v|v| | |]; simpl; auto; simpl in K; destruct K as [K T].
  - eapply post_mono; [|apply (IH b); auto; exact K]. intros w [C D]. split; auto. simpl in *. lia.
  - split; auto. simpl in T. lia.
Qed.

Lemma act_loses rounds d e a s : In a (acts sys) -> shape sys s ->
  most_of (map (fun a => loss (body a)) (acts sys)) = Some d -> reactions_loss (rxs sys) = Some e ->
  post (leaves (d + e) s) (act sys rounds a s).
Proof.
  intros I S D E. pose proof (reactions_loss_pos _ _ E) as E0.
  destruct (most_of_in _ d (loss (body a)) D) as (y & Y & Y0).
  { apply in_map_iff. eauto. }
  assert (P : post (leaves d s) (pass sys rounds (rules_env sys rounds) a s)).
  { unfold pass. destruct (live s && _); simpl; auto. apply post_bindo; intros x _.
    destruct (nz x); simpl; auto. eapply post_mono; [|apply (ex_loses _ _ _ _ y); auto].
    intros u [A B]. split; auto. simpl in B. lia. }
  assert (C : forall o, post (leaves d s) o -> post (leaves (d + e) s) (conclude sys rounds s o)).
  { intros [r|r| | |]; simpl; auto; intros [A B]; [|split; auto; lia].
    eapply post_mono; [|apply settle_loses; eauto]. intros w [X Z]. split; auto. simpl in *. lia. }
  unfold act. destruct (ranked sys); auto.
  destruct (pass _ _ _ _ _) eqn:Q; auto; apply post_bindo; intros k _; apply post_bindo;
    intros x _; destruct (nz x); simpl; auto. apply (C (On r)); auto.
    split; [apply P|destruct P; lia].
Qed.

Lemma held_all l : length l = size -> forallb kept pits = true -> held l = total l.
Proof.
  intros L K. rewrite forallb_forall in K. unfold total.
  assert (H : forall l k h, (forall i, (i < length l)%nat -> k i = h i) ->
    Shape.held k l = Shape.held h l).
  { clear. induction l as [|c l IH]; simpl; intros k h H; auto. rewrite (H O) by lia.
    rewrite (IH _ (fun i => h (S i))); auto. intros i I. apply H. lia. }
  apply H. intros i I. apply K. apply in_seq. lia.
Qed.

Theorem step_loses d a s u : step_loss = Some d -> In a (acts sys) -> wf sys s -> step sys a s u ->
  held (seeds s) <= held (seeds u) + d.
Proof.
  intros D I W T. unfold step_loss in D. destruct (forallb kept pits) eqn:K.
  - injection D as <-. pose proof (shape_stays sys Sound a s u W T) as W'.
    pose proof (seeds_stay sys Sound a s u W T). rewrite !held_all; auto; try lia. apply W'.
    apply W.
  - destruct (most_of _) as [x|] eqn:X; try discriminate.
    destruct (reactions_loss _) as [y|] eqn:Y; try discriminate. injection D as <-.
    destruct T as (n & T). rewrite <- shape_wf in W.
    pose proof (act_loses n x y a s I W X Y) as P.
    destruct (act sys n a s); simpl in *; try discriminate; injection T as <-; apply P.
Qed.

Theorem start_loses d n s u : step_loss = Some d -> wf sys s ->
  result (starting sys n s) = Some u ->
  held (seeds s) <= held (seeds u) + d.
Proof.
  intros D W T. rewrite <- shape_wf in W. unfold step_loss in D. destruct (forallb kept pits) eqn:K.
  - injection D as <-. pose proof (settle_keeps sys Sound n false (rxs sys) s W) as P.
    pose proof (result_keeps sys s _ u P T) as [[[L _] _] Q]. rewrite !held_all; auto. lia. apply W.
  - destruct (most_of _) as [x|] eqn:X; try discriminate. apply most_of_pos in X.
    destruct (reactions_loss _) as [y|] eqn:Y; try discriminate. injection D as <-.
    pose proof (settle_loses n false (rxs sys) y s Y W) as P. unfold starting in T.
    destruct (settle _ _ _ _ s); simpl in *; try discriminate; injection T as <-; destruct P;
      simpl; lia.
Qed.
End Losses.

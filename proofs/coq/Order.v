(** The information order: what is found with unknown cells, or with few rounds of loops, holds
    whatever the cells are, and with more rounds.

    So one run of a partly known state speaks of all states that it stands for: [act_le]. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape.
Import ListNotations.
Open Scope Z_scope.

(** ** The order *)

Definition cle (c d : cell) : Prop := c = Un \/ c = d.
Definition lle : list cell -> list cell -> Prop := Forall2 cle.
Definition rle (q r : res) : Prop := q = U \/ q = r.

Definition sle (s u : state) : Prop :=
  lle (seeds s) (seeds u) /\ lle (vars s) (vars u) /\ mover s = mover u /\ outcome s = outcome u.

Record runle (r u : run) : Prop := {
  le_cells : lle (cells r) (cells u);
  le_values : lle (values r) (values u);
  le_mover : to_move r = to_move u;
  le_over : over r = over u;
  le_locs : lle (locs r) (locs u);
  le_last : cle (last r) (last u);
  le_was : cle (was r) (was u);
  le_origin : cle (origin r) (origin u);
  le_next : next r = next u;
  le_rank : cle (rank r) (rank u)
}.

Definition ole (o p : out) : Prop :=
  match o, p with
  | Ukn, _ => True
  | On r, On u | Fin r, Fin u => runle r u
  | Ill, Ill | Flt, Flt => True
  | _, _ => False
  end.

Lemma cle_refl c : cle c c.
Proof. right; auto. Qed.
Lemma lle_refl l : lle l l.
Proof. induction l; constructor; auto using cle_refl. Qed.
Lemma rle_refl r : rle r r.
Proof. right; auto. Qed.
Lemma sle_refl s : sle s s.
Proof. repeat split; auto using lle_refl. Qed.
Lemma runle_refl r : runle r r.
Proof. split; auto using cle_refl, lle_refl. Qed.
#[export] Hint Resolve cle_refl lle_refl rle_refl sle_refl runle_refl : le.
#[export] Hint Resolve le_cells le_values le_locs le_last le_was le_origin le_rank : le.

Lemma cle_trans c d e : cle c d -> cle d e -> cle c e.
Proof. intros [->| ->] H; [left|]; auto. Qed.
Lemma lle_trans l m n : lle l m -> lle m n -> lle l n.
Proof.
  intros H; revert n; induction H; intros n K; inversion K; subst; constructor;
    eauto using cle_trans.
  apply IHForall2; auto.
Qed.
Lemma sle_trans s u v : sle s u -> sle u v -> sle s v.
Proof.
  intros (A & B & C & D) (E & G & H & I). repeat split; eauto using lle_trans; congruence.
Qed.

(** ** Cells and lists *)

Lemma lle_length l m : lle l m -> length l = length m.
Proof. induction 1; simpl; auto. Qed.

Lemma nth_le l m : lle l m -> forall i, cle (nth i l No) (nth i m No).
Proof. induction 1; destruct i; simpl; auto with le. Qed.

Lemma get_le l m : lle l m -> forall z, cle (get No l z) (get No m z).
Proof. intros H z. unfold get. destruct (z <? 0); auto using nth_le with le. Qed.

Lemma rd_le c d : cle c d -> rle (rd c) (rd d).
Proof. intros [->| ->]; simpl; [left|right]; auto. Qed.

Lemma upd_le l m : lle l m -> forall i c d, cle c d -> lle (upd l i c) (upd m i d).
Proof. induction 1; intros [|i] c d C; simpl; constructor; auto. apply IHForall2; auto. Qed.

Lemma addc_le c d z : cle c d -> cle (addc c z) (addc d z).
Proof. intros [->| ->]; simpl; auto with le. left; auto. Qed.

Lemma bump_le l m i z : lle l m -> lle (bump l i z) (bump m i z).
Proof. intros H. apply upd_le; auto using addc_le, nth_le. Qed.

Lemma app_le l m : lle l m -> forall l' m', lle l' m' -> lle (l ++ l') (m ++ m').
Proof. intros; apply Forall2_app; auto. Qed.

Lemma bind_le q r k h : rle q r -> (forall z, rle (k z) (h z)) -> rle (bind q k) (bind r h).
Proof. intros [->| ->] H; [left; auto|]. destruct r; simpl; auto with le. Qed.

Lemma bindo_le q r k h : rle q r -> (forall z, ole (k z) (h z)) -> ole (bindo q k) (bindo r h).
Proof. intros [->| ->] H; simpl; auto. destruct r; simpl; auto. Qed.

Lemma andthen_le o p k h :
  ole o p -> (forall r u, runle r u -> ole (k r) (h u)) -> ole (andthen o k) (andthen p h).
Proof. destruct o, p; simpl; auto; tauto. Qed.

Lemma ole_refl o : ole o o.
Proof. destruct o; simpl; auto with le. Qed.
#[export] Hint Resolve rd_le nth_le get_le ole_refl : le.

(** ** Runs *)

Lemma set_cells_le r u l m : runle r u -> lle l m -> runle (set_cells r l) (set_cells u m).
Proof. intros [] H; split; auto. Qed.
Lemma set_values_le r u l m : runle r u -> lle l m -> runle (set_values r l) (set_values u m).
Proof. intros [] H; split; auto. Qed.
Lemma set_locs_le r u l m : runle r u -> lle l m -> runle (set_locs r l) (set_locs u m).
Proof. intros [] H; split; auto. Qed.
Lemma set_last_le r u c d c' d' : runle r u -> cle c d -> cle c' d' ->
  runle (set_last r c c') (set_last u d d').
Proof. intros [] ? ?; split; auto. Qed.
Lemma set_origin_le r u c d : runle r u -> cle c d -> runle (set_origin r c) (set_origin u d).
Proof. intros [] H; split; auto. Qed.
Lemma set_next_le r u z : runle r u -> runle (set_next r z) (set_next u z).
Proof. intros []; split; auto. Qed.
Lemma set_rank_le r u c d : runle r u -> cle c d -> runle (set_rank r c) (set_rank u d).
Proof. intros [] H; split; auto. Qed.
Lemma finish_le r u z : runle r u -> runle (finish r z) (finish u z).
Proof. intros []; split; auto. Qed.

Lemma enter_le s u z n : sle s u -> runle (enter s z n) (enter u z n).
Proof. intros (A & B & C & D). split; simpl; auto with le. Qed.
Lemma leave_le r u : runle r u -> sle (leave r) (leave u).
Proof. intros []. repeat split; auto. Qed.
Lemma moved_le s u z : sle s u -> sle (moved s z) (moved u z).
Proof. intros (A & B & C & D). repeat split; auto. Qed.

(** ** Expressions *)

Record envle (n m : env) : Prop := {
  le_ask : forall q r u, runle r u -> rle (ask n q r) (ask m q u);
  le_params : params n = params m;
  le_before : match before n, before m with
    | Some r, Some u => runle r u | None, None => True | _, _ => False end
}.

Lemma sum_le l m ps : lle l m -> rle (sum l ps) (sum m ps).
Proof.
  intros H. induction ps; simpl; auto with le.
  apply bind_le; auto with le. intros. apply bind_le; auto with le.
Qed.

Lemma ev_le ls e : forall n m r u, envle n m -> runle r u -> rle (ev ls n r e) (ev ls m u e).
Proof.
  induction e; intros n m r u N R; pose proof R as []; simpl; auto with le;
    try (rewrite ?le_mover0, ?le_over0; auto with le; fail).
  - rewrite (le_params _ _ N). auto with le.
  - apply bind_le; auto with le.
  - apply bind_le; auto with le.
  - apply sum_le; auto.
  - apply bind_le; auto with le.
  - apply bind_le; auto with le.
  - apply bind_le; auto. intros z. destruct (nz z); auto with le. apply bind_le; auto with le.
  - apply bind_le; auto. intros z. destruct (nz z); auto with le. apply bind_le; auto with le.
  - apply bind_le; auto. intros z. apply bind_le; auto with le.
  - apply bind_le; auto. intros z. destruct (nz z); auto.
  - apply le_ask; auto.
  - pose proof (le_before _ _ N) as B. destruct (before n), (before m); try tauto; auto with le.
    apply IHe; auto. split; simpl; auto. apply N. apply N.
Qed.

(** ** Statements *)

Lemma drops_le d h source : (forall r u, runle r u -> ole (d r) (h u)) ->
  forall c nx sk only p r u, runle r u ->
  ole (drops d source c nx sk only p r) (drops h source c nx sk only p u).
Proof.
  intros D. induction c; intros nx sk only p r u R; cbn [drops]; auto.
  destruct (place _ _ _ p) as [q|]; simpl; auto.
  match goal with |- ole (match ?o with _ => _ end) (match ?p with _ => _ end) =>
    assert (L : ole o p) end.
  { apply D. apply set_last_le; auto with le. apply set_cells_le; auto. apply bump_le, R. }
  destruct (d _), (h _); simpl in L; try tauto; auto.
  simpl. apply set_cells_le; auto. apply bump_le, L.
Qed.

Definition olle (a b : option bool) : Prop := a = None \/ a = b.

Lemma same_cell_le a b c d : cle a b -> cle c d -> olle (same_cell a c) (same_cell b d).
Proof. intros [->| ->] [->| ->]; destruct b, d; simpl; (left + right); reflexivity. Qed.

Lemma same_cells_le l l' : lle l l' -> forall m m', lle m m' ->
  olle (same_cells l m) (same_cells l' m').
Proof.
  induction 1 as [|c c' l l' C H IH]; intros m m' M; destruct M as [|d d' m m' D M]; simpl;
    try (right; reflexivity).
  destruct (same_cell_le _ _ _ _ C D) as [-> | ->].
  - destruct (IH _ _ M) as [-> | ->]. left; auto.
    destruct (same_cell c' d') as [[|]|], (same_cells l' m') as [[|]|]; (left + right); reflexivity.
  - destruct (same_cell c' d') as [[|]|]; auto. right; auto.
    destruct (IH _ _ M) as [-> | ->]; (left + right); reflexivity.
Qed.

Lemma olle_match a b x y : olle a b -> olle x y ->
  olle (match a, x with Some true, _ => Some true | Some false, x => x
        | None, Some true => Some true | None, _ => None end)
       (match b, y with Some true, _ => Some true | Some false, x => x
        | None, Some true => Some true | None, _ => None end).
Proof.
  intros [->| ->] [->| ->]; destruct b as [[|]|], y as [[|]|]; 
    (left; reflexivity) || (right; reflexivity).
Qed.

Lemma seen_le c d l m : lle c d -> Forall2 lle l m -> olle (seen c l) (seen d m).
Proof.
  intros C. induction 1 as [|x y l m X H IH]; [right; auto|].
  exact (olle_match _ _ _ _ (same_cells_le _ _ C _ _ X) IH).
Qed.

Lemma config_le r u : runle r u -> lle (config r) (config u).
Proof.
  intros []. unfold config. do 3 (apply Forall2_cons; auto). apply app_le; auto. apply app_le; auto.
Qed.

Lemma loop_le c c' b b' e : (forall r u, runle r u -> rle (c r) (c' u)) ->
  (forall r u, runle r u -> ole (b r) (b' u)) ->
  forall f g, (f <= g)%nat -> forall l m r u, Forall2 lle l m -> runle r u ->
  ole (loop f c b e l r) (loop g c' b' e m u).
Proof.
  intros C B. induction f; intros g G l m r u L R; simpl; auto.
  destruct g as [|g]; [lia|]. cbn [loop]. apply bindo_le; auto. intros z. destruct (nz z); auto.
  destruct (seen_le _ _ _ _ (config_le _ _ R) L) as [-> | ->]; simpl; auto.
  destruct (seen _ _) as [[|]|]; simpl; auto using finish_le.
  apply andthen_le; auto. intros. apply IHf; auto using config_le. lia.
Qed.

Lemma is_pit_le r u p : runle r u -> is_pit r p = is_pit u p.
Proof. intros []. unfold is_pit. rewrite (lle_length _ _ le_cells0). auto. Qed.

Section Statements.
Variables (ls : list lap) (doms : list (list Z)) (pls : nat) (e : Z).

Lemma skips_le n m r u : envle n m -> runle r u -> forall l i k h,
  (forall x, ole (k x) (h x)) -> ole (skips ls n r i l k) (skips ls m u i l h).
Proof.
  intros N R. induction l as [|[x|] l IH]; simpl; intros i k h K; auto.
  apply bindo_le; auto using ev_le.
Qed.

Lemma counted_le n m r u c k h : envle n m -> runle r u ->
  (forall x, ole (k x) (h x)) -> ole (counted ls n r c k) (counted ls m u c h).
Proof. intros N R K. destruct c; simpl; auto. apply bindo_le; auto using ev_le. Qed.

Lemma beginning_le n m r u b nx p k h : envle n m -> runle r u ->
  (forall x, ole (k x) (h x)) -> ole (beginning ls n r b nx p k) (beginning ls m u b nx p h).
Proof.
  intros N R K. destruct b; simpl; auto. apply bindo_le; auto using ev_le.
  intros z. rewrite (is_pit_le r u) by auto. destruct (is_pit u z); simpl; auto.
Qed.

Lemma move_le r u c f i : runle r u -> ole (move r c f i) (move u c f i).
Proof. intros R. apply set_cells_le; auto. apply bump_le, bump_le, R. Qed.

Lemma set_var_le r u i z : runle r u -> ole (set_var doms r i z) (set_var doms u i z).
Proof.
  intros R. unfold set_var. destruct (_ && _); simpl; auto.
  apply set_values_le; auto. apply upd_le; auto with le.
Qed.

Lemma has_var_le r u i : runle r u -> has_var r i = has_var u i.
Proof. intros []. unfold has_var. rewrite (lle_length _ _ le_values0). auto. Qed.

Ltac known := match goal with
  | |- ole (bindo _ _) (bindo _ _) => apply bindo_le; [auto using ev_le with le|intros ?]
  | |- ole (if ?b then _ else _) (if ?b then _ else _) => destruct b; simpl; auto
  end.

Theorem ex_le f g n m b : (f <= g)%nat -> envle n m -> forall r u, runle r u ->
  ole (ex ls doms pls e f n b r) (ex ls doms pls e g m b u).
Proof.
  intros G N. induction b; intros r u R; cbn [ex].
  - simpl; auto.
  - apply andthen_le; auto.
  - known. rewrite (is_pit_le r u) by auto. known.
    assert (R1 : runle (set_origin r (Kn z)) (set_origin u (Kn z)))
      by (apply set_origin_le; auto with le).
    destruct (nth_error ls lap) as [l|]; simpl; auto. apply counted_le; auto. intros c.
    apply beginning_le; auto. intros q. apply skips_le; auto. intros k.
    known. known.
    apply drops_le; auto. apply set_cells_le; auto. apply bump_le, R.
  - destruct count.
    + do 3 known. rewrite !(is_pit_le r u) by auto. known. known.
      known. apply move_le; auto.
    + known. rewrite !(is_pit_le r u) by auto. known. known. known.
      rewrite !(is_pit_le r u) by auto. known. known. apply move_le; auto.
  - destruct to.
    + rewrite (has_var_le r u) by auto. known. known. apply set_var_le; auto.
    + known. rewrite (has_var_le r u) by auto. known. known. apply set_var_le; auto.
    + known. apply set_locs_le; auto. apply upd_le; auto with le.
    + known. known. apply set_next_le; auto.
    + known. apply set_rank_le; auto with le.
  - known. known.
  - apply loop_le; auto using ev_le.
  - known. apply finish_le; auto.
Qed.
End Statements.

(** ** Turns *)

Section Turns.
Variable sys : system.
Variables f g : nat.
Hypothesis G : (f <= g)%nat.

Lemma pass_le n m a s u : envle n m -> sle s u -> ole (pass sys f n a s) (pass sys g m a u).
Proof.
  intros N S. pose proof S as (A & B & C & D). unfold pass, live. rewrite C, D.
  destruct (_ && _); simpl; auto. apply bindo_le.
  - apply ev_le; auto. apply enter_le; auto.
  - intros z. destruct (nz z); simpl; auto. apply ex_le; auto. apply enter_le; auto.
Qed.

(** Both [passes] and [outranked] look for one action: to have found it needs no other. *)
Lemma any_le q r : rle q r ->
  rle (match q with V 1 => V 1 | _ => U end) (match r with V 1 => V 1 | _ => U end).
Proof. intros [->| ->]; [left|right]; auto. Qed.

Lemma any_found q r : rle q r -> rle (match q with V 1 => V 1 | _ => U end) (V 1).
Proof. intros _. destruct q as [[|[]|]| |]; (left + right); reflexivity. Qed.

Lemma any_else q r : rle q r -> rle (match q with V 1 => V 1 | _ => U end) r.
Proof. intros [->| ->]. left; auto. destruct r as [[|[]|]| |]; (left + right); reflexivity. Qed.

Lemma passes_le n m l s u : envle n m -> sle s u -> rle (passes sys f n l s) (passes sys g m l u).
Proof.
  intros N S. induction l as [|a l IH]; simpl; auto with le.
  pose proof (pass_le n m a s u N S) as P.
  destruct (pass sys f n a s), (pass sys g m a u); simpl in P; try tauto; auto with le;
    eauto using any_le, any_found, any_else.
Qed.

Lemma mute_le : envle mute mute.
Proof. split; simpl; auto with le. Qed.

Definition beforele (r u : option run) : Prop :=
  match r, u with Some r, Some u => runle r u | None, None => True | _, _ => False end.

Lemma no_move_le n m l r u : envle n m -> runle r u ->
  rle (if over r =? -1 then bind (passes sys f n l (leave r)) (fun x => V (truth (x =? 0)))
    else V 0)
      (if over u =? -1 then bind (passes sys g m l (leave u)) (fun x => V (truth (x =? 0)))
        else V 0).
Proof.
  intros N R. rewrite (le_over _ _ R). destruct (_ =? -1); auto with le.
  apply bind_le; auto with le. apply passes_le; auto. apply leave_le; auto.
Qed.

Lemma asking_le par o p : beforele o p -> envle (asking sys f par o) (asking sys g par p).
Proof.
  intros B. split; simpl; auto. intros [] r u R; simpl; auto with le.
  apply no_move_le; auto using mute_le.
Qed.

Lemma rules_le : envle (rules_env sys f) (rules_env sys g).
Proof. apply asking_le; simpl; auto. Qed.

Lemma claim_le par o p : beforele o p -> envle (claim_env sys f par o) (claim_env sys g par p).
Proof.
  intros B. split; simpl; auto. intros [] r u R; simpl; auto with le.
  - apply no_move_le; auto using rules_le.
  - apply no_move_le; auto using mute_le.
Qed.

Lemma outranked_le k l s u : sle s u -> rle (outranked sys f k l s) (outranked sys g k l u).
Proof.
  intros S. induction l as [|a l IH]; simpl; auto with le.
  pose proof (pass_le _ _ a s u rules_le S) as P.
  assert (Q : forall r w, runle r w -> rle
    (match rank r with Kn z => if k <? z then V 1 else outranked sys f k l s
     | _ => match outranked sys f k l s with V 1 => V 1 | _ => U end end)
    (match rank w with Kn z => if k <? z then V 1 else outranked sys g k l u
     | _ => match outranked sys g k l u with V 1 => V 1 | _ => U end end)).
  { intros r w R. destruct (le_rank _ _ R) as [-> | ->].
    - destruct (rank w); eauto using any_le. destruct (k <? z); eauto using any_found, any_else.
    - destruct (rank w); eauto using any_le. destruct (k <? z); auto with le. }
  destruct (pass sys f _ a s), (pass sys g _ a u); simpl in P; try tauto; auto;
    try (eapply any_else; eauto; fail); eauto using any_le.
  all: match goal with |- rle _ (match rank ?w with _ => _ end) =>
    destruct (rank w); eauto using any_le; destruct (k <? z); eauto using any_found, any_else end.
Qed.

Lemma settle_le ended rs : forall s u, sle s u ->
  ole (settle sys f ended rs s) (settle sys g ended rs u).
Proof.
  induction rs as [|x q IH]; intros s u S; pose proof S as (A & B & C & D); simpl.
  - rewrite C. apply enter_le; auto.
  - destruct (turn x && negb ended); auto. rewrite C.
    destruct (nth_error _ _) as [w|]; auto. apply bindo_le.
    + apply ev_le; auto using enter_le, rules_le.
    + intros z. destruct (nz z); auto.
      pose proof (ex_le (laps sys) (doms sys) (players sys) (endless sys) f g _ _ (does w) G
        rules_le _ _
        (enter_le s u (mover u) (rlocals w) S)) as E.
      unfold exec. destruct (ex _ _ _ _ f _ _ _), (ex _ _ _ _ g _ _ _); simpl in E; try tauto; auto.
      rewrite (le_next _ _ E). apply IH, moved_le, leave_le; auto.
Qed.

Lemma conclude_le s u o p : sle s u -> ole o p -> ole (conclude sys f s o) (conclude sys g u p).
Proof.
  intros (A & B & C & D) H. destruct o, p; simpl in H; try tauto; simpl; auto.
  rewrite C, (le_next _ _ H). apply settle_le, moved_le, leave_le; auto.
Qed.

Theorem act_le a s u : sle s u -> ole (act sys f a s) (act sys g a u).
Proof.
  intros S. pose proof (pass_le _ _ a s u rules_le S) as P. unfold act.
  destruct (ranked sys); [|apply conclude_le; auto].
  destruct (pass sys f _ a s), (pass sys g _ a u); simpl in P; try tauto; auto;
    (apply bindo_le; [simpl; apply rd_le, P|]); intros k;
    (apply bindo_le; [apply outranked_le; auto|]); intros z; destruct (nz z); try exact I;
    apply conclude_le; auto.
Qed.
End Turns.

(** Putting a pit between two others.

    [insert x y S] is the System S with one more pit, whose number is the next one that is free. On
    each lap that leads from x to y, or from y to x, it lies between the two; it belongs to each set
    that x belongs to. This file says what a step of the larger System has to do with the steps of
    the smaller one: if x, y and the new pit are empty after it, and the new pit is not named before
    it, then it is a step of the smaller System ([act_shrinks]). Cutoff.v makes a theorem about all
    sizes of it. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel.
Import ListNotations.
Open Scope Z_scope.

(** ** The larger System *)

Section Insertion.
Variables x y e : nat.
(** What a relation leads to from the new pit. *)
Variable related : list Z -> Z.

Definition ins_set (ps : list nat) : list nat := if existsb (Nat.eqb x) ps then e :: ps else ps.
Definition ins_table (t : list Z) : list Z :=
  upd (upd t x (if nth x t (-1) =? Z.of_nat y then Z.of_nat e else nth x t (-1)))
      y (if nth y t (-1) =? Z.of_nat x then Z.of_nat e else nth y t (-1))
  ++ [if nth x t (-1) =? Z.of_nat y then Z.of_nat y else
      if nth y t (-1) =? Z.of_nat x then Z.of_nat x else -1].
Definition ins_lap (l : lap) : lap := Lap (ins_table (nxt l)) (ins_table (prv l)).

Definition ins_look (l : lookup) : lookup :=
  match l with Member ps => Member (ins_set ps) | Table t none => Table (t ++ [related t]) none | l => l end.
Fixpoint ins_expr (a : expr) : expr :=
  match a with
  | PitAt a => PitAt (ins_expr a)
  | Pick t a => Pick t (ins_expr a)
  | Sum ps => Sum (ins_set ps)
  | Look l a => Look (ins_look l) (ins_expr a)
  | Not a => Not (ins_expr a)
  | And a b => And (ins_expr a) (ins_expr b)
  | Or a b => Or (ins_expr a) (ins_expr b)
  | Bin o a b => Bin o (ins_expr a) (ins_expr b)
  | Cond c a b => Cond (ins_expr c) (ins_expr a) (ins_expr b)
  | Old a => Old (ins_expr a)
  | a => a
  end.
Definition ins_target (t : target) : target :=
  match t with ToPick t a => ToPick t (ins_expr a) | t => t end.
Definition ins_begin (b : begin) : begin := match b with At a => At (ins_expr a) | b => b end.
Fixpoint ins_stmt (b : stmt) : stmt :=
  match b with
  | Skip => Skip
  | Seq a b => Seq (ins_stmt a) (ins_stmt b)
  | Sow s c l k o f d =>
    Sow (ins_expr s) (option_map ins_expr c) l (map (option_map ins_expr) k) (ins_set o) (ins_begin f) (ins_stmt d)
  | Transfer c f i => Transfer (option_map ins_expr c) (ins_expr f) (ins_expr i)
  | Set_ t a => Set_ (ins_target t) (ins_expr a)
  | If c a b => If (ins_expr c) (ins_stmt a) (ins_stmt b)
  | While c a => While (ins_expr c) (ins_stmt a)
  | Stop o => Stop o
  end.
Definition ins_action (a : action) : action :=
  Act (who a) (fallback a) (alocals a) (ins_expr (guard a)) (ins_stmt (body a)).
(** In a reaction what is done with the seeds of x is done with those of the new pit. *)
Definition of_pit (p : nat) (a : stmt) : bool :=
  match a with Transfer _ (Const z) _ => z =? Z.of_nat p | _ => false end.
Definition again (a : stmt) : stmt := match a with Transfer c _ i => Transfer c (Const (Z.of_nat e)) i | a => a end.
Fixpoint twice (b : stmt) : stmt :=
  match b with
  | Seq a b => if of_pit x a then Seq a (Seq (again a) (twice b)) else Seq a (twice b)
  | a => if of_pit x a then Seq a (again a) else a
  end.
Definition ins_rule (u : rule) : rule := Rule (rlocals u) (ins_expr (when u)) (twice (ins_stmt (does u))).
Definition ins_reaction (u : reaction) : reaction := Rx (turn u) (map ins_rule (per u)).
Definition ins_dom (v : bool) (d : list Z) : list Z :=
  if v && existsb (Z.eqb (Z.of_nat x)) d then Z.of_nat e :: d else d.
Fixpoint ins_doms (vs : list bool) (ds : list (list Z)) : list (list Z) :=
  match ds with [] => [] | d :: ds => ins_dom (hd false vs) d :: ins_doms (tl vs) ds end.
End Insertion.

(** A template is an action in which [Param 0] stands for the pit that it is about. *)
Section Put.
Variable p : nat.
Fixpoint put_expr (a : expr) : expr :=
  match a with
  | Param _ => Const (Z.of_nat p)
  | PitAt a => PitAt (put_expr a)
  | Pick t a => Pick t (put_expr a)
  | Look l a => Look l (put_expr a)
  | Not a => Not (put_expr a)
  | And a b => And (put_expr a) (put_expr b)
  | Or a b => Or (put_expr a) (put_expr b)
  | Bin o a b => Bin o (put_expr a) (put_expr b)
  | Cond c a b => Cond (put_expr c) (put_expr a) (put_expr b)
  | Old a => Old (put_expr a)
  | a => a
  end.
Definition put_target (t : target) : target :=
  match t with ToPick t a => ToPick t (put_expr a) | t => t end.
Definition put_begin (b : begin) : begin := match b with At a => At (put_expr a) | b => b end.
Fixpoint put_stmt (b : stmt) : stmt :=
  match b with
  | Skip => Skip
  | Seq a b => Seq (put_stmt a) (put_stmt b)
  | Sow s c l k o f d =>
    Sow (put_expr s) (option_map put_expr c) l (map (option_map put_expr) k) o (put_begin f) (put_stmt d)
  | Transfer c f i => Transfer (option_map put_expr c) (put_expr f) (put_expr i)
  | Set_ t a => Set_ (put_target t) (put_expr a)
  | If c a b => If (put_expr c) (put_stmt a) (put_stmt b)
  | While c a => While (put_expr c) (put_stmt a)
  | Stop o => Stop o
  end.
Definition put_action (a : action) : action :=
  Act (who a) (fallback a) (alocals a) (put_expr (guard a)) (put_stmt (body a)).
End Put.

(** A conjunct of the setup that is about x alone has a twin about the new pit. *)
Fixpoint twin (x e : nat) (a : expr) : expr :=
  match a with
  | Pit i => Pit (if Nat.eqb i x then e else i)
  | Bin o a b => Bin o (twin x e a) (twin x e b)
  | a => a
  end.
Fixpoint about (x : nat) (a : expr) : bool :=
  match a with Pit i => Nat.eqb i x | Bin _ a b => about x a || about x b | _ => false end.
Fixpoint conjuncts (a : expr) : list expr :=
  match a with And a b => conjuncts a ++ conjuncts b | a => [a] end.
Definition ins_setup (x e : nat) (related : list Z -> Z) (a : expr) : expr :=
  fold_right (fun c d => And (twin x e c) d) (ins_expr x e related a) (filter (about x) (conjuncts a)).

Definition insert (x y : nat) (related : list Z -> Z) (templates : list action) (s : system) : system :=
  let e := npits s in
  Sys (players s) (S e) (map (ins_lap x y e) (laps s)) (ins_doms x e (pitvar s) (doms s))
    (inits s) (pitvar s) (free s ++ [nth x (free s) false]) (ranges s) (ins_setup x e related (setup s)) (first s)
    (map (ins_action x e related) (acts s) ++ map (fun t => put_action e (ins_action x e related t)) templates)
    (map (ins_reaction x e related) (rxs s)) (outcomes s) (map (option_map (ins_expr x e related)) (scores s)).

(** ** What may stand in the rules *)

Section Fragment.
Variable N : nat.                 (* pits *)
Variable ls : list lap.
Variable pv : list bool.
Notation isp := (fun p => Nat.ltb p N).

(** Expressions whose value, if there is one, is a pit of the board or none. *)
Fixpoint safe (a : expr) : bool :=
  match a with
  | Const z => (-1 <=? z) && (z <? Z.of_nat N)
  | Param _ | Last | Origin => true
  | Var i => nth i pv false
  | Look (Next _) Last | Look (Before _) Last => true
  | Cond _ a b => safe a && safe b
  | _ => false
  end.
Fixpoint plainly (a : expr) : bool :=
  match a with
  | Const _ | Param _ | Var _ | Local _ | Last | Was | Origin | Mover | Outcome => true
  | Pit i => isp i
  | PitAt a => plainly a && safe a
  | Sum ps => forallb isp ps
  | Look (Member ps) a => forallb isp ps && plainly a && safe a
  | Look (Next _) Last | Look (Before _) Last => true
  | Not a => plainly a
  | And a b | Or a b | Bin _ a b => plainly a && plainly b
  | Cond c a b => plainly c && plainly a && plainly b
  | _ => false
  end.

(** Statements that move no seeds. *)
Fixpoint quiet (b : stmt) : bool :=
  match b with
  | Skip | Stop _ => true
  | Seq a b => quiet a && quiet b
  | If c a b => plainly c && quiet a && quiet b
  | Set_ (ToVar i) a => plainly a && (negb (nth i pv false) || safe a)
  | Set_ (ToLocal _) a | Set_ ToNext a => plainly a
  | _ => false
  end.

(** At most one sowing on each path. A pit that takes only the last seed is followed by one that
    takes any. *)
Definition single (l : nat) (o : list nat) : bool :=
  forallb isp o &&
  match nth_error ls l with
  | None => false
  | Some lp => forallb (fun q => let z := nth q (nxt lp) (-1) in (z <? 0) || negb (existsb (Nat.eqb (Z.to_nat z)) o)) o
  end.
Fixpoint one (b : stmt) : bool :=
  quiet b ||
  match b with
  | Seq a b => (quiet a && one b) || (one a && quiet b)
  | If c a b => plainly c && one a && one b
  | Sow s c l [] o AfterSource Skip =>
    plainly s && safe s && match c with None => true | Some c => plainly c end && single l o
  | _ => false
  end.

(** The pit q takes any seed of each sowing. *)
Fixpoint takes (q : nat) (b : stmt) : bool :=
  match b with
  | Seq a b | If _ a b => takes q a && takes q b
  | Sow _ _ _ _ o _ _ => negb (existsb (Nat.eqb q) o)
  | _ => true
  end.
End Fragment.

(** ** Tables and cells *)

Lemma nth_upd {A} (l : list A) i j c d : (i < length l)%nat -> nth j (upd l i c) d = if Nat.eqb j i then c else nth j l d.
Proof.
  revert i j; induction l as [|a l IH]; intros [|i] [|j] H; simpl in *; try lia; auto.
  apply IH; lia.
Qed.
Lemma upd_length {A} (l : list A) i c : length (upd l i c) = length l.
Proof. revert i; induction l; intros [|i]; simpl; auto. Qed.
Lemma upd_app {A} (l m : list A) i c : (i < length l)%nat -> upd (l ++ m) i c = upd l i c ++ m.
Proof. revert i; induction l; intros [|i] H; simpl in *; try lia; auto. rewrite IHl; auto; lia. Qed.
Lemma bump_length l i k : length (bump l i k) = length l.
Proof. apply upd_length. Qed.
Lemma bump_app l m i k : (i < length l)%nat -> bump (l ++ m) i k = bump l i k ++ m.
Proof. intros H. unfold bump. rewrite app_nth1, upd_app; auto. Qed.
Lemma nth_bump l i j k : (i < length l)%nat -> nth j (bump l i k) No = if Nat.eqb j i then addc (nth i l No) k else nth j l No.
Proof. intros; apply nth_upd; auto. Qed.

Lemma bump_beyond l i k : (length l <= i)%nat -> bump l i k = l.
Proof.
  unfold bump. generalize (addc (nth i l No) k). intros c. revert i.
  induction l; intros [|i] H; simpl in *; auto; try lia. f_equal. apply IHl. lia.
Qed.

Lemma existsb_set x ps : existsb (Nat.eqb x) ps = true <-> In x ps.
Proof.
  rewrite existsb_exists; split; [intros (q & I & E)|intros I; exists x; split; auto; apply Nat.eqb_refl].
  apply Nat.eqb_eq in E; subst; auto.
Qed.

Lemma bind_V r k z : bind r k = V z -> exists w, r = V w /\ k w = V z.
Proof. destruct r; simpl; intros; try discriminate; eauto. Qed.
Lemma bindo_On r k o : bindo r k = o -> o <> Flt -> o <> Ukn -> exists w, r = V w /\ k w = o.
Proof. destruct r; simpl; intros; subst; try congruence; eauto. Qed.

(** ** Dropping seeds takes none away *)

Definition counts (c : cell) : Prop := exists z, c = Kn z /\ 0 <= z.

Lemma drops_mono d sp nx sk on : (forall r, d r = On r) -> forall c p r q, drops d sp c nx sk on p r = On q ->
  length (cells q) = length (cells r) /\
  forall i a, nth i (cells r) No = Kn a -> exists b, nth i (cells q) No = Kn b /\ a <= b.
Proof.
  intros D. induction c as [|c IH]; intros p r q H; cbn [drops] in H.
  - injection H as <-. split; auto. intros i a E; exists a; split; auto; lia.
  - destruct (place _ _ _ p) as [j|]; try discriminate. rewrite D in H. apply IH in H. simpl in H.
    rewrite bump_length in H. destruct H as [L M]. split; auto. intros i a E.
    assert (LT: (i < length (cells r))%nat).
    { destruct (Nat.lt_ge_cases i (length (cells r))); auto. rewrite nth_overflow in E by auto; discriminate. }
    destruct (Nat.eqb_spec i j) as [->|Q].
    + destruct (M j (a + 1)) as (b & B & C).
      { rewrite nth_bump, Nat.eqb_refl, E by auto. reflexivity. }
      exists b; split; auto; lia.
    + apply M. unfold bump. destruct (Nat.lt_ge_cases j (length (cells r))).
      * rewrite nth_upd by auto. destruct (Nat.eqb_spec i j); congruence.
      * replace (upd (cells r) j (addc (nth j (cells r) No) 1)) with (cells r); auto.
        clear - H. revert j H. induction (cells r); intros [|j] H; simpl in *; auto; try lia. f_equal. apply IHl; lia.
Qed.
Lemma drops_onward d sp nx sk on : (forall r, d r = On r) -> forall c p r q, drops d sp c nx sk on p r <> Fin q.
Proof.
  intros D. induction c as [|c IH]; intros p r q H; cbn [drops] in H; try discriminate.
  destruct (place _ _ _ p) as [j|]; try discriminate. rewrite D in H. eapply IH; eauto.
Qed.

(** The pit that is tried first, and takes seeds, has one more afterwards. *)
Lemma drops_first d sp nx sk on : (forall r, d r = On r) -> forall c j r q a, (0 < c)%nat -> sk j = false -> on j = false ->
  drops d sp c nx sk on (Z.of_nat j) r = On q -> nth j (cells r) No = Kn a -> exists b, nth j (cells q) No = Kn b /\ a + 1 <= b.
Proof.
  intros D [|c] j r q a C K O H E; try lia. cbn [drops] in H. cbn [place] in H.
  destruct (Z.ltb_spec (Z.of_nat j) 0); try lia. rewrite Nat2Z.id, K, O in H. cbn [orb andb] in H. rewrite D in H.
  apply (drops_mono d sp nx sk on D) in H. destruct H as [_ M]. apply M. simpl.
  assert (LT: (j < length (cells r))%nat).
  { destruct (Nat.lt_ge_cases j (length (cells r))); auto. rewrite nth_overflow in E by auto; discriminate. }
  rewrite nth_bump, Nat.eqb_refl, E by auto. reflexivity.
Qed.

(** ** A run of the smaller System, as one of the larger *)

Section Simulation.
Variable S : system.
Variables x y : nat.
Notation N := (npits S).
Notation e := (npits S).
Hypothesis xN : (x < N)%nat.
Hypothesis yN : (y < N)%nat.

Definition in_range_or_none (z : Z) : Prop := -1 <= z < Z.of_nat N.
Definition lap_ok (l : lap) : Prop :=
  length (nxt l) = N /\ length (prv l) = N /\
  Forall in_range_or_none (nxt l) /\ Forall in_range_or_none (prv l).
Hypothesis laps_ok : Forall lap_ok (laps S).
Variable rel : list Z -> Z.

Notation ls := (laps S).
Notation ls' := (map (ins_lap x y e) (laps S)).
Notation ie := (ins_expr x e rel).
Notation ib := (ins_stmt x e rel).
Notation pv := (pitvar S).

Definition grow (r : run) : run := set_cells r (cells r ++ [Kn 0]).
Definition grows (o : out) : out := match o with On r => On (grow r) | Fin r => Fin (grow r) | o => o end.

(** No register and no variable names x or y as the place of a seed, or a pit that is not there. *)
Definition pit_or_none (c : cell) : Prop := c = No \/ exists z, c = Kn z /\ in_range_or_none z.
Record good (r : run) : Prop := Good {
  g_len : length (cells r) = N;
  g_last : last r = No \/ exists p, last r = Kn (Z.of_nat p) /\ (p < N)%nat /\ p <> x /\ p <> y;
  g_origin : pit_or_none (origin r);
  g_vars : forall i, nth i pv false = true -> pit_or_none (nth i (values r) No)
}.
Definition ogood (o : out) : Prop := match o with On r | Fin r => good r | _ => True end.

Lemma nth_table t p : length t = N -> p <> x -> p <> y -> (p < N)%nat -> nth p (ins_table x y e t) (-1) = nth p t (-1).
Proof.
  intros L X Y P. unfold ins_table. rewrite app_nth1 by (rewrite !upd_length; lia).
  rewrite !nth_upd by (rewrite ?upd_length; lia).
  destruct (Nat.eqb_spec p y), (Nat.eqb_spec p x); congruence.
Qed.
Lemma nth_table_seam t p : length t = N -> p = x \/ p = y ->
  nth p (ins_table x y e t) (-1) = nth p t (-1) \/ nth p (ins_table x y e t) (-1) = Z.of_nat e.
Proof.
  intros L P. unfold ins_table. rewrite app_nth1 by (rewrite !upd_length; lia).
  rewrite !nth_upd by (rewrite ?upd_length; lia).
  destruct (Nat.eqb_spec p y) as [->|]; [destruct (nth y t (-1) =? Z.of_nat x); auto|].
  destruct (Nat.eqb_spec p x) as [->|]; [destruct (nth x t (-1) =? Z.of_nat y); auto|]. tauto.
Qed.
Lemma nth_table_new t : length t = N ->
  nth e (ins_table x y e t) (-1) = Z.of_nat y \/ nth e (ins_table x y e t) (-1) = Z.of_nat x \/ nth e (ins_table x y e t) (-1) = -1.
Proof.
  intros L. unfold ins_table. rewrite app_nth2 by (rewrite !upd_length; lia).
  rewrite !upd_length, L, Nat.sub_diag. simpl.
  destruct (nth x t (-1) =? Z.of_nat y); auto. destruct (nth y t (-1) =? Z.of_nat x); auto.
Qed.
Lemma table_range t p : Forall in_range_or_none t -> in_range_or_none (nth p t (-1)).
Proof.
  intros H. rewrite Forall_forall in H. destruct (Nat.lt_ge_cases p (length t)).
  - apply H, nth_In; auto.
  - rewrite nth_overflow by auto. unfold in_range_or_none. lia.
Qed.

(** *** Expressions *)

Lemma sum_grow l ps : length l = N -> forallb (fun p => Nat.ltb p N) ps = true -> sum (l ++ [Kn 0]) ps = sum l ps.
Proof.
  intros L. induction ps as [|p ps IH]; simpl; auto. intros H. apply andb_true_iff in H; destruct H as [P H].
  apply Nat.ltb_lt in P. rewrite app_nth1 by lia. destruct (rd (nth p l No)); simpl; auto. rewrite IH; auto.
Qed.
Lemma sum_set l ps : length l = N -> forallb (fun p => Nat.ltb p N) ps = true -> sum (l ++ [Kn 0]) (ins_set x e ps) = sum l ps.
Proof.
  intros L H. unfold ins_set. destruct (existsb (Nat.eqb x) ps); [|apply sum_grow; auto].
  cbn [sum]. rewrite app_nth2, L, Nat.sub_diag by lia. cbn [nth rd bind]. rewrite sum_grow by auto.
  destruct (sum l ps); reflexivity.
Qed.
Lemma get_grow l z : length l = N -> z < Z.of_nat N -> get No (l ++ [Kn 0]) z = get No l z.
Proof.
  intros L H. unfold get. destruct (Z.ltb_spec z 0); auto. apply app_nth1. lia.
Qed.
Lemma nth_laps i : match nth_error ls i with
  | Some l => nth_error ls' i = Some (ins_lap x y e l) /\ lap_ok l
  | None => nth_error ls' i = None end.
Proof.
  rewrite nth_error_map. destruct (nth_error ls i) as [l|] eqn:E; simpl; auto. split; auto.
  rewrite Forall_forall in laps_ok. apply laps_ok. eapply nth_error_In; eauto.
Qed.

Lemma rd_V c z : rd c = V z -> c = Kn z.
Proof. destruct c; simpl; intros H; try discriminate. injection H as ->; auto. Qed.
Lemma pit_or_none_V c z : pit_or_none c -> rd c = V z -> in_range_or_none z.
Proof. intros [->|(w & -> & R)]; simpl; intros H; try discriminate. injection H as ->; auto. Qed.

Lemma on_lap_range f i p z : (forall l, lap_ok l -> Forall in_range_or_none (f l)) -> on_lap ls f i p = V z -> in_range_or_none z.
Proof.
  intros Q H. unfold on_lap in H. destruct (p <? 0). injection H as <-; unfold in_range_or_none; lia.
  pose proof (nth_laps i) as L. destruct (nth_error ls i) as [l|]; try discriminate. injection H as <-.
  apply table_range, Q; tauto.
Qed.

Variables n n' : env.
Hypothesis no_params : params n = [] /\ params n' = [].

Lemma safe_range r a : good r -> safe N pv a = true -> forall z, ev ls n r a = V z -> in_range_or_none z.
Proof.
  intros G. induction a; cbn [safe ev]; intros H w E; try discriminate.
  - injection E as <-. unfold in_range_or_none. lia.
  - rewrite (proj1 no_params) in E. destruct i; discriminate.
  - eapply pit_or_none_V; [apply (g_vars r G); eauto|eauto].
  - destruct (g_last r G) as [L|(p & L & P & _)]; rewrite L in E; try discriminate. injection E as <-. unfold in_range_or_none. lia.
  - eapply pit_or_none_V; [apply (g_origin r G)|eauto].
  - destruct l as [i|i| |]; try discriminate; destruct a; try discriminate; apply bind_V in E; destruct E as (p & _ & E);
      eapply on_lap_range; try exact E; intros l L; apply L.
  - apply andb_true_iff in H; destruct H. apply bind_V in E; destruct E as (c & _ & E). destruct (nz c); auto.
Qed.

Lemma next_of_last r f i : good r -> (forall l, lap_ok l -> length (f l) = N) ->
  (forall l, f (ins_lap x y e l) = ins_table x y e (f l)) ->
  bind (rd (last r)) (on_lap ls' f i) = bind (rd (last r)) (on_lap ls f i).
Proof.
  intros G L I. destruct (g_last r G) as [E|(p & E & P & X & Y)]; rewrite E; simpl; auto.
  unfold on_lap. destruct (Z.ltb_spec (Z.of_nat p) 0); auto. rewrite Nat2Z.id.
  pose proof (nth_laps i) as Q. destruct (nth_error ls i) as [l|].
  - destruct Q as [-> K]. rewrite I, nth_table; auto.
  - rewrite Q. auto.
Qed.

Lemma ev_grow r a : good r -> plainly N pv a = true -> ev ls' n' (grow r) (ie a) = ev ls n r a.
Proof.
  intros G. induction a; cbn [plainly ins_expr ev]; intros H; try discriminate; auto.
  - destruct no_params as [-> ->]; auto.
  - simpl. apply Nat.ltb_lt in H. rewrite app_nth1; auto. rewrite (g_len r G); auto.
  - apply andb_true_iff in H; destruct H as [H K]. rewrite IHa by auto. destruct (ev ls n r a) eqn:E; simpl; auto.
    rewrite get_grow; auto. apply (g_len r G). apply (safe_range r a G K _ E).
  - simpl. apply sum_set; auto. apply (g_len r G).
  - destruct l as [i|i|ps|]; try discriminate.
    + destruct a; try discriminate. apply (next_of_last r nxt i G); auto. intros l L; apply L.
    + destruct a; try discriminate. apply (next_of_last r prv i G); auto. intros l (L & M & _); auto.
    + apply andb_true_iff in H; destruct H as [H K]. apply andb_true_iff in H; destruct H as [I H].
      rewrite IHa by auto. destruct (ev ls n r a) eqn:E; simpl; auto. pose proof (safe_range r a G K _ E) as R.
      unfold ins_set. destruct (existsb (Nat.eqb x) ps); auto. simpl.
      destruct (Z.leb_spec 0 z); simpl; auto. destruct (Nat.eqb_spec (Z.to_nat z) e); auto. unfold in_range_or_none in R. lia.
  - rewrite IHa; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHa1, IHa2 by auto; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHa1, IHa2 by auto; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHa1, IHa2 by auto; auto.
  - apply andb_true_iff in H; destruct H as [H ?]. apply andb_true_iff in H; destruct H. rewrite IHa1, IHa2, IHa3 by auto; auto.
Qed.

(** *** Statements that move no seeds *)

Notation doms' := (ins_doms x e pv (doms S)).
Variable rounds : nat.
Notation exS := (ex ls (doms S) (players S) (endless S) rounds n).
Notation exL := (ex ls' doms' (players S) (endless S) rounds n').

Lemma nth_doms vs ds i : nth i (ins_doms x e vs ds) [] =
  if Nat.ltb i (length ds) then ins_dom x e (nth i vs false) (nth i ds []) else [].
Proof.
  revert vs i; induction ds as [|d ds IH]; intros vs [|i]; simpl; auto.
  - destruct vs; auto.
  - rewrite IH. replace (Datatypes.S i <? Datatypes.S (length ds))%nat with (i <? length ds)%nat by reflexivity.
    destruct vs; simpl; auto. destruct i; auto.
Qed.
Lemma dom_same i z : (nth i pv false = true -> in_range_or_none z) ->
  existsb (Z.eqb z) (nth i doms' []) = existsb (Z.eqb z) (nth i (doms S) []).
Proof.
  intros R. rewrite nth_doms. destruct (Nat.ltb_spec i (length (doms S))).
  - unfold ins_dom. destruct (nth i pv false); simpl; auto. destruct (existsb (Z.eqb (Z.of_nat x)) _); simpl; auto.
    specialize (R eq_refl). unfold in_range_or_none in R. destruct (Z.eqb_spec z (Z.of_nat e)); auto. lia.
  - rewrite nth_overflow by auto. auto.
Qed.

Lemma quiet_grow b : forall r, good r -> quiet N pv b = true -> exL (ib b) (grow r) = grows (exS b r) /\ ogood (exS b r).
Proof.
  induction b; intros r G H; cbn [quiet] in H; try discriminate.
  - simpl; auto.
  - apply andb_true_iff in H; destruct H as [H1 H2]. destruct (IHb1 r G H1) as [E Q]. cbn [ins_stmt ex]. rewrite E.
    destruct (exS b1 r); simpl in *; auto.
  - destruct to as [i| |i| |]; try discriminate; cbn [ins_stmt ins_target ex].
    + apply andb_true_iff in H; destruct H as [H K]. replace (has_var (grow r) (Z.of_nat i)) with (has_var r (Z.of_nat i)) by reflexivity.
      destruct (has_var r (Z.of_nat i)) eqn:HV; simpl; auto. rewrite ev_grow by auto. destruct (ev ls n r x0) eqn:E; simpl; auto.
      assert (R: nth i pv false = true -> in_range_or_none z).
      { intros P. rewrite P in K. simpl in K. eapply safe_range; eauto. }
      unfold set_var. rewrite Nat2Z.id, dom_same by auto. destruct ((0 <=? Z.of_nat i) && existsb (Z.eqb z) (nth i (doms S) [])); simpl; auto.
      split; auto. destruct G as [G1 G2 G3 G4]. constructor; auto. simpl. intros j J.
      assert (i < length (values r))%nat by (unfold has_var in HV; lia). rewrite nth_upd by auto.
      destruct (Nat.eqb_spec j i) as [->|]; auto. right; exists z; auto.
    + rewrite ev_grow by auto. destruct (ev ls n r x0); simpl; auto. split; auto. destruct G; constructor; auto.
    + rewrite ev_grow by auto. destruct (ev ls n r x0); simpl; auto. destruct ((0 <=? z) && (z <? Z.of_nat (players S))); simpl; auto.
      split; auto. destruct G; constructor; auto.
  - apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2]. cbn [ins_stmt ex].
    rewrite ev_grow by auto. destruct (ev ls n r c); simpl; auto. destruct (nz z); auto.
  - cbn [ins_stmt ex]. destruct (outcome <? 0); simpl; auto. split; auto. destruct G; constructor; auto.
Qed.

(** *** Sowing *)

Lemma good_drop r q : good r -> (q < N)%nat -> q <> x -> q <> y ->
  good (set_last (set_cells r (bump (cells r) q 1)) (Kn (Z.of_nat q)) (nth q (cells r) No)).
Proof.
  intros [L G O V] Q X Y. constructor; simpl; auto. rewrite bump_length; auto. right; exists q; auto.
Qed.
Lemma grow_drop r q : good r -> (q < N)%nat ->
  set_last (set_cells (grow r) (bump (cells (grow r)) q 1)) (Kn (Z.of_nat q)) (nth q (cells (grow r)) No) =
  grow (set_last (set_cells r (bump (cells r) q 1)) (Kn (Z.of_nat q)) (nth q (cells r) No)).
Proof.
  intros G Q. pose proof (g_len r G) as L. unfold grow; simpl. rewrite bump_app, app_nth1 by lia. reflexivity.
Qed.

Lemma place_grow lp l o no p : nth_error ls l = Some lp -> single N ls l o = true ->
  (forall q, no q = true -> existsb (Nat.eqb q) o = true) ->
  existsb (Nat.eqb x) o = false -> existsb (Nat.eqb y) o = false -> in_range_or_none p ->
  place (Datatypes.S (length (ins_table x y e (nxt lp)))) (ins_table x y e (nxt lp)) no p =
  place (Datatypes.S (length (nxt lp))) (nxt lp) no p.
Proof.
  intros E H NO X Y P. pose proof (nth_laps l) as Q. rewrite E in Q. destruct Q as (_ & L & _ & R & _).
  unfold single in H. rewrite E in H. apply andb_true_iff in H; destruct H as [I H]. rewrite forallb_forall in I, H.
  assert (LL: length (ins_table x y e (nxt lp)) = Datatypes.S N).
  { unfold ins_table. rewrite app_length, !upd_length, L. simpl. lia. }
  rewrite LL, L. destruct N as [|k] eqn:EN; [lia|].
  cbn [place]. destruct (p <? 0) eqn:P0; auto. destruct (no (Z.to_nat p)) eqn:NP; auto.
  apply NO in NP. pose proof NP as NP0. apply existsb_set in NP. unfold get. rewrite P0.
  assert (Z.to_nat p <> x) by (intros <-; congruence). assert (Z.to_nat p <> y) by (intros <-; congruence).
  assert (Z.to_nat p < npits S)%nat by (unfold in_range_or_none in P; rewrite EN in *; lia).
  rewrite <- EN in *. rewrite nth_table by auto. specialize (H _ NP). cbn zeta in H.
  destruct (nth (Z.to_nat p) (nxt lp) (-1) <? 0) eqn:Z0; auto. cbn [orb] in H. apply negb_true_iff in H.
  destruct (no (Z.to_nat (nth (Z.to_nat p) (nxt lp) (-1)))) eqn:N2; auto. apply NO in N2. congruence.
Qed.

Lemma drops_grow dL dS sp lp l o : (forall r, dL r = On r) -> (forall r, dS r = On r) ->
  nth_error ls l = Some lp -> single N ls l o = true ->
  existsb (Nat.eqb x) o = false -> existsb (Nat.eqb y) o = false ->
  forall c p r q, good r -> Forall counts (cells r) -> in_range_or_none p ->
  drops dL sp c (ins_table x y e (nxt lp)) (within []) (within o) p (grow r) = On q ->
  nth x (cells q) No = Kn 0 -> nth y (cells q) No = Kn 0 ->
  exists q0, drops dS sp c (nxt lp) (within []) (within o) p r = On q0 /\ q = grow q0 /\ good q0.
Proof.
  intros DL DS E H X Y. pose proof (nth_laps l) as Q. rewrite E in Q. destruct Q as (_ & L & _ & R & _).
  induction c as [|c IH]; intros p r q G C P D QX QY; cbn [drops] in *.
  - injection D as <-. exists r; auto.
  - rewrite (place_grow lp l o) in D; auto.
    2:{ intros j J. unfold within in J. simpl in J. apply andb_true_iff in J; tauto. }
    destruct (place _ (nxt lp) _ p) as [j|] eqn:PL; try discriminate. rewrite DL in D.
    assert (J: (j < N)%nat).
    { pose proof table_range as TR. clear - PL P R L TR. revert PL. generalize (Datatypes.S (length (nxt lp))). intros f. revert p P. induction f; simpl; intros p P;
        destruct (p <? 0) eqn:P0; try discriminate.
      match goal with |- (if ?b then _ else _) = _ -> _ => destruct b end.
      - intros PL. eapply IHf; [|exact PL]. unfold get. rewrite P0. apply TR; auto.
      - intros PL. injection PL as <-. unfold in_range_or_none in P. lia. }
    assert (NJ: forall s, s = x \/ s = y -> nth s (cells q) No = Kn 0 -> j <> s).
    { intros s S0 Z0 ->. apply (drops_mono dL sp _ _ _ DL) in D. destruct D as [_ M]. simpl in M.
      pose proof (g_len r G) as LR. rewrite Forall_forall in C. destruct (C (nth s (cells r) No)) as (a & A & A0). apply nth_In; lia.
      destruct (M s (a + 1)) as (b & B & BB).
      { rewrite nth_bump, Nat.eqb_refl, app_nth1, A by (rewrite ?app_length; simpl; lia). reflexivity. }
      rewrite B in Z0. injection Z0 as ->. lia. }
    assert (JX: j <> x) by (apply NJ; auto). assert (JY: j <> y) by (apply NJ; auto).
    rewrite grow_drop in D by auto. rewrite DS.
    replace (get (-1) (ins_table x y e (nxt lp)) (Z.of_nat j)) with (get (-1) (nxt lp) (Z.of_nat j)) in D.
    2:{ unfold get. destruct (Z.ltb_spec (Z.of_nat j) 0); auto. rewrite Nat2Z.id, nth_table; auto. }
    eapply IH; eauto.
    + apply good_drop; auto.
    + simpl. unfold bump. rewrite Forall_forall in *. intros z I. apply In_nth with (d := No) in I. destruct I as (i & I & <-).
      rewrite upd_length in I. pose proof (g_len r G) as LR. rewrite nth_upd by lia. destruct (Nat.eqb i j).
      * destruct (C (nth j (cells r) No)) as (a & A & A0). apply nth_In; lia. rewrite A. simpl. exists (a + 1); split; auto; lia.
      * apply C, nth_In; auto.
    + unfold get. destruct (Z.of_nat j <? 0). unfold in_range_or_none; lia. apply table_range; auto.
Qed.

(** Statements that move no seeds leave the board as it is. *)
Lemma quiet_keeps M pv0 ls0 ds0 n0 k0 e0 b : forall r, quiet M pv0 b = true ->
  match ex ls0 ds0 k0 e0 rounds n0 b r with On q | Fin q => cells q = cells r | _ => True end.
Proof.
  induction b; intros r H; cbn [quiet] in H; try discriminate; cbn [ex]; auto.
  - apply andb_true_iff in H; destruct H as [H1 H2]. specialize (IHb1 r H1). destruct (ex ls0 ds0 k0 e0 rounds n0 b1 r); simpl; auto.
    specialize (IHb2 r0 H2). destruct (ex ls0 ds0 k0 e0 rounds n0 b2 r0); auto; congruence.
  - destruct to as [i| |i| |]; try discriminate.
    + destruct (has_var r (Z.of_nat i)); simpl; auto. destruct (ev ls0 n0 r x0); simpl; auto. unfold set_var.
      destruct ((0 <=? Z.of_nat i) && _); simpl; auto.
    + destruct (ev ls0 n0 r x0); simpl; auto.
    + destruct (ev ls0 n0 r x0); simpl; auto. destruct ((0 <=? z) && _); simpl; auto.
  - apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    destruct (ev ls0 n0 r c); simpl; auto. destruct (nz z); [apply IHb1|apply IHb2]; auto.
  - destruct (outcome <? 0); simpl; auto.
Qed.

(** *** At most one sowing *)

Definition at_end (o : out) (q : run) : Prop := o = On q \/ o = Fin q.
Definition empty (q : run) : Prop :=
  nth x (cells q) No = Kn 0 /\ nth y (cells q) No = Kn 0 /\ nth e (cells q) No = Kn 0.

Lemma set_same o : existsb (Nat.eqb x) o = false -> ins_set x e o = o.
Proof. unfold ins_set. intros ->; auto. Qed.
Lemma set_below o q : forallb (fun p => Nat.ltb p N) o = true -> (N <= q)%nat -> existsb (Nat.eqb q) o = false.
Proof.
  intros H Q. apply not_true_iff_false. rewrite existsb_set. rewrite forallb_forall in H. intros I.
  apply H, Nat.ltb_lt in I. lia.
Qed.

Lemma safe_ins a : safe N pv a = true -> safe (Datatypes.S N) pv (ie a) = true.
Proof.
  induction a; cbn [safe ins_expr]; intros H; try discriminate; auto.
  - apply andb_true_iff in H. rewrite Z.leb_le, Z.ltb_lt in H. apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. lia.
  - destruct l as [i|i| |]; try discriminate; destruct a; try discriminate; auto.
  - apply andb_true_iff in H; destruct H. apply andb_true_iff; auto.
Qed.
Lemma below_ins ps : forallb (fun p => Nat.ltb p N) ps = true -> forallb (fun p => Nat.ltb p (Datatypes.S N)) (ins_set x e ps) = true.
Proof.
  intros H. assert (K: forallb (fun p => Nat.ltb p (Datatypes.S N)) ps = true).
  { rewrite forallb_forall in *. intros q I. apply H in I. apply Nat.ltb_lt in I. apply Nat.ltb_lt. lia. }
  unfold ins_set. destruct (existsb (Nat.eqb x) ps); auto. cbn [forallb]. rewrite K, andb_true_r. apply Nat.ltb_lt. lia.
Qed.
Lemma plainly_ins a : plainly N pv a = true -> plainly (Datatypes.S N) pv (ie a) = true.
Proof.
  induction a; cbn [plainly ins_expr ins_look]; intros H; try discriminate; auto;
    try (repeat (apply andb_true_iff in H; destruct H as [H ?]); rewrite ?andb_true_iff; auto; fail).
  - apply Nat.ltb_lt in H. apply Nat.ltb_lt. lia.
  - apply andb_true_iff in H; destruct H as [H K]. rewrite IHa, safe_ins; auto.
  - apply below_ins; auto.
  - destruct l as [i|i|ps|]; try discriminate; try (destruct a; try discriminate; auto; fail).
    apply andb_true_iff in H; destruct H as [H K]. apply andb_true_iff in H; destruct H as [I H]. cbn [ins_look].
    rewrite below_ins, IHa, safe_ins; auto.
Qed.
Lemma quiet_ins b : quiet N pv b = true -> quiet (Datatypes.S N) pv (ib b) = true.
Proof.
  induction b; cbn [quiet ins_stmt]; intros H; try discriminate; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
  - destruct to as [i| |i| |]; try discriminate; cbn [ins_target].
    + apply andb_true_iff in H; destruct H as [H K]. rewrite plainly_ins by auto. simpl.
      destruct (nth i pv false); simpl in *; auto. apply safe_ins; auto.
    + apply plainly_ins; auto.
    + apply plainly_ins; auto.
  - apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite plainly_ins, IHb1, IHb2; auto.
Qed.

Lemma counts_bump l i c a : Forall counts l -> nth i l No = Kn a -> 0 <= a + c -> Forall counts (bump l i c).
Proof.
  intros C E P. assert (LT: (i < length l)%nat).
  { destruct (Nat.lt_ge_cases i (length l)); auto. rewrite nth_overflow in E by auto; discriminate. }
  rewrite Forall_forall in *. intros z I. apply In_nth with (d := No) in I. destruct I as (j & J & <-).
  rewrite bump_length in J. rewrite nth_bump by auto. destruct (Nat.eqb_spec j i) as [->|].
  - rewrite E. simpl. exists (a + c); auto.
  - apply C, nth_In; auto.
Qed.

Lemma sow_grow s c l o r q out : good r -> Forall counts (cells r) ->
  plainly N pv s = true -> safe N pv s = true -> match c with None => true | Some c => plainly N pv c end = true ->
  single N ls l o = true -> existsb (Nat.eqb x) o = false -> existsb (Nat.eqb y) o = false ->
  exL (ib (Sow s c l [] o AfterSource Skip)) (grow r) = out -> at_end out q -> empty q ->
  out = grows (exS (Sow s c l [] o AfterSource Skip) r) /\ ogood (exS (Sow s c l [] o AfterSource Skip) r).
Proof.
  intros G C P1 P2 PC SI OX OY H A (QX & QY & QE). cbn [ins_stmt ins_begin map ex] in *. rewrite set_same in H by auto.
  rewrite ev_grow in H by auto. destruct (ev ls n r s) eqn:ES; cbn [bindo] in *; try (subst; destruct A; discriminate).
  pose proof (safe_range r s G P2 _ ES) as RZ. pose proof (g_len r G) as LR.
  replace (is_pit (grow r) z) with (is_pit r z) in H.
  2:{ unfold is_pit. cbn [cells grow set_cells]. rewrite app_length, LR. unfold in_range_or_none in RZ. cbn [length].
      f_equal. destruct (Z.ltb_spec z (Z.of_nat N)), (Z.ltb_spec z (Z.of_nat (N + 1))); auto; lia. }
  destruct (is_pit r z) eqn:IP; cbn [negb] in *; try (subst; destruct A; discriminate).
  assert (ZR: 0 <= z < Z.of_nat N).
  { unfold is_pit in IP. apply andb_true_iff in IP. rewrite Z.leb_le, Z.ltb_lt, LR in IP. exact IP. }
  set (r1 := set_origin r (Kn z)) in *.
  change (set_origin (grow r) (Kn z)) with (grow r1) in H.
  assert (G1: good r1). { destruct G; constructor; auto. simpl. right; exists z; auto. }
  pose proof (nth_laps l) as NL. destruct (nth_error ls l) as [lp|] eqn:EL.
  2:{ rewrite NL in H. subst; destruct A; discriminate. }
  destruct NL as (NL & LL & _ & LR1 & _). rewrite NL in H.
  assert (CO: counted ls' n' (grow r1) (option_map ie c) = counted ls n r1 c).
  { unfold counted. destruct c; simpl; auto. rewrite ev_grow; auto. }
  rewrite CO in H. clear CO. cbn [beginning skips] in *.
  assert (K: exists k, (forall f, counted ls n r1 c f = f k) \/ out = Flt \/ out = Ukn).
  { unfold counted in *. destruct c as [c|]; [|exists None; auto].
    destruct (ev ls n r1 c); cbn [bindo] in *; [exists (Some z0); auto|exists None; subst; auto|exists None; subst; auto]. }
  destruct K as (k & [K|[->| ->]]); try (destruct A; discriminate). rewrite K in H |- *.
  change (cells (grow r1)) with (cells r1 ++ [Kn 0]) in H.
  change (cells r1) with (cells r) in *.
  assert (GZ: get No (cells r ++ [Kn 0]) z = nth (Z.to_nat z) (cells r) No).
  { rewrite get_grow by lia. unfold get. destruct (Z.ltb_spec z 0); auto. lia. }
  assert (GZ2: get No (cells r) z = nth (Z.to_nat z) (cells r) No).
  { unfold get. destruct (Z.ltb_spec z 0); auto. lia. }
  rewrite GZ in H. rewrite GZ2. clear GZ GZ2.
  destruct (nth (Z.to_nat z) (cells r) No) as [a| |] eqn:EA; cbn [rd bindo] in *; try (subst; destruct A; discriminate).
  destruct ((amount k a <? 1) || (a <? amount k a)) eqn:B; try (subst; destruct A; discriminate).
  rewrite bump_app in H by lia. set (m := amount k a) in *.
  change (set_cells (grow r1) (bump (cells r) (Z.to_nat z) (- m) ++ [Kn 0])) with (grow (set_cells r1 (bump (cells r) (Z.to_nat z) (- m)))) in H.
  set (r2 := set_cells r1 (bump (cells r) (Z.to_nat z) (- m))) in *.
  assert (G2: good r2). { destruct G1; constructor; auto. simpl. rewrite bump_length; auto. }
  assert (C2: Forall counts (cells r2)). { simpl. eapply counts_bump; eauto. lia. }
  assert (D: forall w, out <> Fin w).
  { intros w W. rewrite W in H. eapply drops_onward in H; auto. }
  destruct A as [A|A]; [|edestruct D; eauto]. rewrite A in H.
  assert (first_same: get (-1) (nxt (ins_lap x y e lp)) z = get (-1) (nxt lp) z).
  { unfold get. destruct (z <? 0); auto. cbn [nxt ins_lap]. destruct (Nat.eq_dec (Z.to_nat z) x) as [X|X]; [|destruct (Nat.eq_dec (Z.to_nat z) y) as [Y|Y]].
    1,2: destruct (nth_table_seam (nxt lp) (Z.to_nat z) LL) as [T|T]; auto; exfalso;
      assert (GE: get (-1) (nxt (ins_lap x y e lp)) z = Z.of_nat e) by (unfold get; destruct (Z.ltb_spec z 0); [lia|exact T]);
      rewrite GE in H; eapply drops_first with (a := 0) in H; auto;
      [destruct H as (b & HB & HC); rewrite QE in HB; injection HB as <-; lia
      |lia
      |eapply set_below; [|apply Nat.le_refl]; unfold single in SI; apply andb_true_iff in SI; tauto
      |simpl; rewrite app_nth2, bump_length, LR, Nat.sub_diag by (rewrite bump_length; lia); reflexivity].
    apply nth_table; auto. lia. }
  rewrite first_same in H. eapply (drops_grow _ (fun r => On r)) in H; eauto.
  - destruct H as (q0 & H & Q0 & G0). match goal with |- context [drops ?d _ _ _ _ _ _ _] => change d with (fun r => On r) end.
    rewrite H. subst q. subst out. simpl. auto.
  - unfold get. destruct (z <? 0). unfold in_range_or_none; lia. apply table_range; auto.
Qed.

Lemma one_grow b : forall r q out, good r -> Forall counts (cells r) -> one N ls pv b = true -> takes x b = true -> takes y b = true ->
  exL (ib b) (grow r) = out -> at_end out q -> empty q -> out = grows (exS b r) /\ ogood (exS b r).
Proof.
  induction b; intros r q out G C O X Y H A Q; cbn [one] in O; apply orb_true_iff in O;
    (destruct O as [O|O]; [subst out; apply quiet_grow; auto|]); try discriminate.
  - cbn [takes] in X, Y. apply andb_true_iff in X, Y. destruct X as [X1 X2], Y as [Y1 Y2]. cbn [ins_stmt ex] in H |- *.
    apply orb_true_iff in O; destruct O as [O|O]; apply andb_true_iff in O; destruct O as [O1 O2].
    + destruct (quiet_grow b1 r G O1) as [E G1]. rewrite E in H.
      pose proof (quiet_keeps N pv ls (doms S) n (players S) (endless S) b1 r O1) as KC.
      destruct (exS b1 r) as [m|m| | |]; simpl in H |- *; auto. eapply IHb2; eauto. simpl in KC. rewrite KC; auto.
    + destruct (exL (ib b1) (grow r)) as [m|m| | |] eqn:E; simpl in H; try (subst out; destruct A; discriminate).
      * pose proof (quiet_keeps (Datatypes.S N) pv ls' doms' n' (players S) (endless S) (ib b2) m (quiet_ins b2 O2)) as KC.
        assert (EM: empty m). { unfold empty. destruct A as [A|A]; rewrite A in H; rewrite H in KC; rewrite <- KC; exact Q. }
        edestruct (IHb1 r m (On m)) as [E1 G1]; eauto. left; auto. destruct (exS b1 r) as [m0|m0| | |]; simpl in E1; try discriminate.
        injection E1 as ->. simpl in G1 |- *. destruct (quiet_grow b2 m0 G1 O2) as [E2 G2]. rewrite E2 in H. auto.
      * subst out. destruct A as [A|A]; try discriminate. injection A as ->.
        edestruct (IHb1 r q (Fin q)) as [E1 G1]; eauto. right; auto. destruct (exS b1 r) as [m0|m0| | |]; simpl in E1 |- *; try discriminate. auto.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate.
    cbn [takes] in X, Y. apply negb_true_iff in X, Y.
    apply andb_true_iff in O; destruct O as [O O4]. apply andb_true_iff in O; destruct O as [O O3]. apply andb_true_iff in O; destruct O as [O1 O2].
    eapply sow_grow; eauto.
  - cbn [takes] in X, Y. apply andb_true_iff in X, Y. destruct X as [X1 X2], Y as [Y1 Y2]. cbn [ins_stmt ex] in H |- *.
    apply andb_true_iff in O; destruct O as [O O3]. apply andb_true_iff in O; destruct O as [O1 O2].
    rewrite ev_grow in H by auto. destruct (ev ls n r c); simpl in *; auto. destruct (nz z); eauto.
Qed.

(** *** Seeds in the new pit *)

(** Who sows from the new pit leaves a seed in x or y. So it was empty before, if all are after. *)
Lemma new_pit_empty b : forall r q out, Forall counts (cells r) -> length (cells r) = Datatypes.S N ->
  one (Datatypes.S N) ls' pv b = true -> takes x b = true -> takes y b = true -> takes e b = true ->
  exL b r = out -> at_end out q -> empty q -> nth e (cells r) No = Kn 0.
Proof.
  induction b; intros r q out C L O X Y W H A Q; cbn [one] in O; apply orb_true_iff in O;
    (destruct O as [O|O];
      [pose proof (quiet_keeps (Datatypes.S N) pv ls' doms' n' (players S) (endless S) _ r O) as KC;
       rewrite H in KC; destruct A as [A|A]; rewrite A in KC; rewrite <- KC; apply Q|]); try discriminate.
  - cbn [takes] in X, Y, W. apply andb_true_iff in X, Y, W. destruct X as [X1 X2], Y as [Y1 Y2], W as [W1 W2]. cbn [ex] in H.
    apply orb_true_iff in O; destruct O as [O|O]; apply andb_true_iff in O; destruct O as [O1 O2].
    + pose proof (quiet_keeps (Datatypes.S N) pv ls' doms' n' (players S) (endless S) b1 r O1) as KC.
      destruct (exL b1 r) as [m|m| | |]; simpl in H; try (subst out; destruct A; discriminate).
      * rewrite <- KC. eapply IHb2; eauto; rewrite KC; auto.
      * subst out. destruct A as [A|A]; try discriminate. injection A as ->. rewrite <- KC. apply Q.
    + destruct (exL b1 r) as [m|m| | |] eqn:E; simpl in H; try (subst out; destruct A; discriminate).
      * pose proof (quiet_keeps (Datatypes.S N) pv ls' doms' n' (players S) (endless S) b2 m O2) as KC.
        eapply (IHb1 r m (On m)); eauto. left; auto.
        unfold empty. destruct A as [A|A]; rewrite A in H; rewrite H in KC; rewrite <- KC; exact Q.
      * subst out. destruct A as [A|A]; try discriminate. injection A as ->. eapply (IHb1 r q (Fin q)); eauto. right; auto.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate.
    cbn [takes] in X, Y, W. apply negb_true_iff in X, Y, W. destruct Q as (QX & QY & QE).
    cbn [ex] in H. destruct (ev ls' n' r source) as [z| |]; cbn [bindo] in H; try (subst; destruct A; discriminate).
    destruct (is_pit r z) eqn:IP; cbn [negb] in H; try (subst; destruct A; discriminate). assert (ZR: 0 <= z < Z.of_nat (Datatypes.S N)).
    { unfold is_pit in IP. apply andb_true_iff in IP. rewrite Z.leb_le, Z.ltb_lt, L in IP. exact IP. }
    pose proof (nth_laps lap) as NL. destruct (nth_error ls lap) as [lp|] eqn:EL.
    2:{ rewrite NL in H. subst; destruct A; discriminate. }
    destruct NL as (NL & LL & _). rewrite NL in H. cbn [beginning skips] in H.
    set (f := fun k => bindo (rd (get No (cells (set_origin r (Kn z))) z)) (fun all =>
          if (amount k all <? 1) || (all <? amount k all) then Ill else
          drops (fun r => On r) (Z.to_nat z) (Z.to_nat (amount k all)) (nxt (ins_lap x y e lp)) (within []) (within only)
            (get (-1) (nxt (ins_lap x y e lp)) z)
            (set_cells (set_origin r (Kn z)) (bump (cells (set_origin r (Kn z))) (Z.to_nat z) (- amount k all))))).
    change (counted ls' n' (set_origin r (Kn z)) count f = out) in H.
    assert (K: exists k, f k = out \/ out = Flt \/ out = Ukn).
    { unfold counted in H. destruct count as [c|].
      - destruct (ev ls' n' (set_origin r (Kn z)) c); cbn [bindo] in H; [eauto|exists None; auto|exists None; auto].
      - exists None; auto. }
    destruct K as (k & [K1|[->| ->]]); try (destruct A; discriminate).
    clear H. subst f. cbn beta in K1. change (cells (set_origin r (Kn z))) with (cells r) in K1.
    assert (GZ2: get No (cells r) z = nth (Z.to_nat z) (cells r) No).
    { unfold get. destruct (Z.ltb_spec z 0); auto. lia. }
    rewrite GZ2 in K1. clear GZ2. destruct (nth (Z.to_nat z) (cells r) No) as [a| |] eqn:EA; cbn [rd bindo] in K1; try (subst; destruct A; discriminate).
    destruct ((amount k a <? 1) || (a <? amount k a)) eqn:B; try (subst; destruct A; discriminate).
    assert (D: forall w, out <> Fin w).
    { intros w E. rewrite E in K1. eapply drops_onward in K1; auto. }
    destruct A as [A|A]; [|edestruct D; eauto]. rewrite A in K1. clear A.
    set (m := amount k a) in *. set (r2 := set_cells (set_origin r (Kn z)) (bump (cells r) (Z.to_nat z) (- m))) in *.
    assert (C2: Forall counts (cells r2)). { simpl. eapply counts_bump; eauto. lia. }
    assert (L2: length (cells r2) = Datatypes.S N). { simpl. rewrite bump_length; auto. }
    destruct (Nat.eq_dec (Z.to_nat z) e) as [ZE|ZE].
    + exfalso. assert (GE: get (-1) (nxt (ins_lap x y e lp)) z = nth e (ins_table x y e (nxt lp)) (-1)).
      { unfold get. destruct (Z.ltb_spec z 0); [lia|]. rewrite ZE. reflexivity. }
      rewrite GE in K1. clear GE.
      assert (NO: forall s, nth s (cells q) No = Kn 0 -> (s < Datatypes.S N)%nat -> existsb (Nat.eqb s) only = false ->
        nth e (ins_table x y e (nxt lp)) (-1) <> Z.of_nat s).
      { intros s S0 S1 S2 S3. rewrite S3 in K1. rewrite Forall_forall in C2. destruct (C2 (nth s (cells r2) No)) as (v & V1 & V2). apply nth_In; lia.
        eapply drops_first with (a := v) in K1; auto; [|lia]. destruct K1 as (b & B1 & B2). rewrite S0 in B1. injection B1 as <-. lia. }
      destruct (nth_table_new (nxt lp) LL) as [T|[T|T]].
      * eapply NO; [exact QY|lia|auto|exact T].
      * eapply NO; [exact QX|lia|auto|exact T].
      * rewrite T in K1. destruct (Z.to_nat m) eqn:M; [lia|]. discriminate.
    + apply drops_mono in K1; auto. destruct K1 as [_ M]. rewrite Forall_forall in C.
      destruct (C (nth e (cells r) No)) as (v & V1 & V2). apply nth_In; lia.
      destruct (M e v) as (b & B1 & B2).
      { simpl. rewrite nth_bump by lia. destruct (Nat.eqb_spec e (Z.to_nat z)); congruence. }
      rewrite QE in B1. injection B1 as <-. rewrite V1. f_equal. lia.
  - cbn [takes] in X, Y, W. apply andb_true_iff in X, Y, W. destruct X as [X1 X2], Y as [Y1 Y2], W as [W1 W2]. cbn [ex] in H.
    apply andb_true_iff in O; destruct O as [O O3]. apply andb_true_iff in O; destruct O as [O1 O2].
    destruct (ev ls' n' r c); simpl in H; try (subst out; destruct A; discriminate). destruct (nz z); eauto.
Qed.
End Simulation.

(** ** What is allowed stays allowed *)

Section Allowed.
Variable S : system.
Variables x y : nat.
Notation N := (npits S).
Notation e := (npits S).
Hypothesis xN : (x < N)%nat.
Hypothesis yN : (y < N)%nat.
Hypothesis laps_ok : Forall (lap_ok S) (laps S).
Variable rel : list Z -> Z.
Notation ls := (laps S).
Notation ls' := (map (ins_lap x y e) (laps S)).
Notation pv := (pitvar S).

Lemma single_ins l o : single N ls l o = true -> existsb (Nat.eqb x) o = false -> existsb (Nat.eqb y) o = false ->
  single (Datatypes.S N) ls' l o = true.
Proof.
  intros H X Y. unfold single in *. apply andb_true_iff in H; destruct H as [I H]. apply andb_true_iff. split.
  - rewrite forallb_forall in *. intros q Q. apply I, Nat.ltb_lt in Q. apply Nat.ltb_lt. lia.
  - pose proof (nth_laps S x y laps_ok l) as NL. destruct (nth_error ls l) as [lp|]; try discriminate.
    destruct NL as [-> (L & _)]. rewrite forallb_forall in *. intros q Q. cbn [nxt ins_lap].
    rewrite nth_table; auto.
    + intros ->. apply existsb_set in Q. congruence.
    + intros ->. apply existsb_set in Q. congruence.
    + apply I, Nat.ltb_lt in Q. auto.
Qed.
Lemma one_ins b : one N ls pv b = true -> takes x b = true -> takes y b = true -> one (Datatypes.S N) ls' pv (ins_stmt x e rel b) = true.
Proof.
  induction b; cbn [one]; intros H X Y; apply orb_true_iff in H;
    (destruct H as [H|H]; [cbn [ins_stmt one]; apply orb_true_iff; left; apply (quiet_ins S x y xN yN rel) in H; auto|]); try discriminate;
    cbn [ins_stmt one]; apply orb_true_iff; right; cbn [takes] in X, Y.
  - apply andb_true_iff in X, Y. destruct X as [X1 X2], Y as [Y1 Y2]. apply orb_true_iff in H. apply orb_true_iff.
    destruct H as [H|H]; apply andb_true_iff in H; destruct H as [H1 H2]; [left|right]; apply andb_true_iff; split; auto;
      apply (quiet_ins S x y xN yN rel); auto.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate.
    apply negb_true_iff in X, Y. cbn [map ins_begin ins_stmt].
    apply andb_true_iff in H; destruct H as [H H4]. apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite (plainly_ins S x y xN yN rel), (safe_ins S x y xN yN rel), set_same, single_ins by auto.
    destruct count; simpl; auto. rewrite (plainly_ins S x y xN yN rel); auto.
  - apply andb_true_iff in X, Y. destruct X as [X1 X2], Y as [Y1 Y2].
    apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite (plainly_ins S x y xN yN rel), IHb1, IHb2; auto.
Qed.
Lemma takes_ins q b : q <> e -> takes q b = true -> takes q (ins_stmt x e rel b) = true.
Proof.
  intros Q. induction b; cbn [takes ins_stmt]; intros H; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
  - apply negb_true_iff in H. apply negb_true_iff. unfold ins_set. destruct (existsb (Nat.eqb x) only); auto.
    simpl. rewrite H. destruct (Nat.eqb_spec q e); auto; contradiction.
  - apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
Qed.
Lemma takes_quiet q M p b : quiet M p b = true -> takes q b = true.
Proof.
  induction b; cbn [quiet takes]; intros H; try discriminate; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
  - apply andb_true_iff in H; destruct H as [H ?]. apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
Qed.
Lemma takes_new b : one N ls pv b = true -> takes x b = true -> takes e (ins_stmt x e rel b) = true.
Proof.
  induction b; cbn [one]; intros H X; apply orb_true_iff in H;
    (destruct H as [H|H]; [eapply takes_quiet, (quiet_ins S x y xN yN rel); eauto|]); try discriminate; cbn [takes ins_stmt] in *.
  - apply andb_true_iff in X. destruct X as [X1 X2]. apply andb_true_iff. apply orb_true_iff in H.
    destruct H as [H|H]; apply andb_true_iff in H; destruct H as [H1 H2]; split; auto; eapply takes_quiet, (quiet_ins S x y xN yN rel); eauto.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate.
    apply negb_true_iff in X. apply negb_true_iff. rewrite set_same by auto. assert (B: forallb (fun p => Nat.ltb p N) only = true).
    { apply andb_true_iff in H; destruct H as [_ H]. unfold single in H. apply andb_true_iff in H. tauto. }
    eapply set_below; eauto.
  - apply andb_true_iff in X. destruct X as [X1 X2]. apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite IHb1, IHb2; auto.
Qed.
Lemma table_ok t : length t = N -> Forall (in_range_or_none S) t ->
  length (ins_table x y e t) = Datatypes.S N /\ Forall (fun z => -1 <= z < Z.of_nat (Datatypes.S N)) (ins_table x y e t).
Proof.
  intros L H. split.
  - unfold ins_table. rewrite app_length, !upd_length, L. simpl. lia.
  - set (P := fun z => -1 <= z < Z.of_nat (Datatypes.S N)).
    assert (G: forall z, in_range_or_none S z -> P z) by (unfold in_range_or_none, P; intros; lia).
    assert (NE: forall z, 0 <= z <= Z.of_nat e -> P z) by (unfold P; intros; lia).
    assert (U: forall l i z, Forall P l -> P z -> Forall P (upd l i z)).
    { induction l as [|w l IH]; intros [|i] z A B; simpl; auto; inversion A; subst; constructor; auto. }
    assert (T0: Forall P t) by (eapply Forall_impl; eauto).
    assert (TR: forall i, P (nth i t (-1))) by (intros; apply G, (table_range S x y xN yN); auto).
    unfold ins_table. apply Forall_app. split.
    + apply U; [apply U|]; auto; match goal with |- P (if ?b then _ else _) => destruct b end; auto; apply NE; lia.
    + constructor; auto. repeat match goal with |- P (if ?b then _ else _) => destruct b end; try (apply NE; lia).
      unfold P. lia.
Qed.
Lemma twice_quiet M p b : quiet M p b = true -> twice x e b = b.
Proof.
  induction b; cbn [quiet twice]; intros H; try discriminate; auto.
  apply andb_true_iff in H. destruct H as [H1 H2]. rewrite IHb2 by auto.
  destruct b1; try discriminate; auto.
Qed.
End Allowed.

(** The same of templates whose pit is put in. *)
Section PutAllowed.
Variables M p : nat.
Variable ls : list lap.
Variable pv : list bool.
Hypothesis pM : (p < M)%nat.

Lemma safe_put a : safe M pv a = true -> safe M pv (put_expr p a) = true.
Proof.
  induction a; cbn [safe put_expr]; intros H; try discriminate; auto.
  - apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. lia.
  - destruct l as [i|i| |]; try discriminate; destruct a; try discriminate; auto.
  - apply andb_true_iff in H; destruct H. apply andb_true_iff; auto.
Qed.
Lemma plainly_put a : plainly M pv a = true -> plainly M pv (put_expr p a) = true.
Proof.
  induction a; cbn [plainly put_expr]; intros H; try discriminate; auto;
    try (repeat (apply andb_true_iff in H; destruct H as [H ?]); rewrite ?andb_true_iff; auto; fail).
  - apply andb_true_iff in H; destruct H as [H K]. rewrite IHa, safe_put; auto.
  - destruct l as [i|i|ps|]; try discriminate; try (destruct a; try discriminate; auto; fail).
    apply andb_true_iff in H; destruct H as [H K]. apply andb_true_iff in H; destruct H as [I H]. rewrite I, IHa, safe_put; auto.
Qed.
Lemma quiet_put b : quiet M pv b = true -> quiet M pv (put_stmt p b) = true.
Proof.
  induction b; cbn [quiet put_stmt]; intros H; try discriminate; auto.
  - apply andb_true_iff in H; destruct H. rewrite IHb1, IHb2; auto.
  - destruct to as [i| |i| |]; try discriminate; cbn [put_target].
    + apply andb_true_iff in H; destruct H as [H K]. rewrite plainly_put by auto. simpl.
      destruct (nth i pv false); simpl in *; auto. apply safe_put; auto.
    + apply plainly_put; auto.
    + apply plainly_put; auto.
  - apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite plainly_put, IHb1, IHb2; auto.
Qed.
Lemma one_put b : one M ls pv b = true -> one M ls pv (put_stmt p b) = true.
Proof.
  induction b; cbn [one]; intros H; apply orb_true_iff in H;
    (destruct H as [H|H]; [cbn [put_stmt one]; apply orb_true_iff; left; apply quiet_put in H; auto|]); try discriminate;
    cbn [put_stmt one]; apply orb_true_iff; right.
  - apply orb_true_iff in H. apply orb_true_iff.
    destruct H as [H|H]; apply andb_true_iff in H; destruct H as [H1 H2]; [left|right]; apply andb_true_iff; split; auto; apply quiet_put; auto.
  - destruct skip; try discriminate. destruct from; try discriminate. destruct b; try discriminate. cbn [map put_begin put_stmt].
    apply andb_true_iff in H; destruct H as [H H4]. apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite plainly_put, safe_put, H4 by auto. destruct count; simpl; auto. rewrite plainly_put; auto.
  - apply andb_true_iff in H; destruct H as [H H3]. apply andb_true_iff in H; destruct H as [H1 H2].
    rewrite plainly_put, IHb1, IHb2; auto.
Qed.
Lemma takes_put q b : takes q (put_stmt p b) = takes q b.
Proof. induction b; cbn [takes put_stmt]; auto; congruence. Qed.
End PutAllowed.

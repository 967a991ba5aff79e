(** The evidence of certificates, as data: states that are known on some parts, tables of them, and
    a record for each kind. The checkers are in the files named after the kinds. *)
From Coq Require Import ZArith List Bool Lia FMapPositive.
From Mancheck Require Import Kernel Shape Order.
Import ListNotations.
Open Scope Z_scope.

(** ** States as they are written *)

(** The outcome or -1, the mover or -1, the kept variables, the seeds of the kept pits. *)
Record packed := P { p_outcome : Z; p_mover : Z; p_vars : list Z; p_seeds : list Z }.

(** What is kept: by pit; by variable in live states, and in finished ones. *)
Record parts := Parts { kept_pits : list bool; kept_vars : list bool; kept_over : list bool }.

Definition all_parts (sys : system) : parts :=
  let v := repeat true (length (doms sys)) in Parts (repeat true (npits sys)) v v.

(** ** Evidence, by kind; [rounds] is that of loops *)

(** Backward-closed sets: a start-only lemma is written as states in which it is not so. *)
Record backward := Backward { b_rounds : nat; b_parts : parts; b_states : list packed }.
(** Forward-closed sets. *)
Record forward := Forward { f_rounds : nat; f_parts : parts; f_states : list packed }.
(** Falling numbers and depths: all parts of states, each with a number. *)
Record numbered := Numbered { n_rounds : nat; n_states : list (packed * Z) }.
(** Plays: the seeds that the setup lays out, and the moves as indices of actions. *)
Record play := Play { p_rounds : nat; p_board : list Z; p_moves : list nat }.
(** Strategies: what is listed, each state with a number. *)
Record strategy := Strategy { s_rounds : nat; s_parts : parts; s_states : list (packed * Z) }.

(** ** States known on some parts *)

Fixpoint spread (mask : list bool) (l : list Z) : list cell :=
  match mask with
  | [] => []
  | false :: m => Un :: spread m l
  | true :: m => match l with z :: l => Kn z :: spread m l | [] => Un :: spread m [] end
  end.
Definition unpack (p : parts) (k : packed) : state :=
  St (spread (kept_pits p) (p_seeds k))
    (spread (if p_outcome k =? -1 then kept_vars p else kept_over p) (p_vars k))
    (p_mover k) (p_outcome k).

(** The kept parts of a list of cells, if they are known. *)
Fixpoint pick (mask : list bool) (l : list cell) : option (list Z) :=
  match mask, l with
  | [], [] => Some []
  | false :: m, _ :: l => pick m l
  | true :: m, Kn z :: l => option_map (cons z) (pick m l)
  | _, _ => None
  end.
Definition pack (p : parts) (s : state) : option packed :=
  match pick (if live s then kept_vars p else kept_over p) (vars s),
    pick (kept_pits p) (seeds s) with
  | Some v, Some k => Some (P (outcome s) (mover s) v k)
  | _, _ => None
  end.

Lemma spread_pick m : forall l k, pick m l = Some k -> lle (spread m k) l.
Proof.
  induction m as [|[|] m IH]; intros [|c l] k H; simpl in *; try discriminate.
  - constructor.
  - destruct c; try discriminate. destruct (pick m l) eqn:E; try discriminate.
    injection H as <-. constructor; auto with le. apply IH; auto.
  - constructor; [left; auto|]. apply IH; auto.
Qed.

Lemma unpack_pack p s k : pack p s = Some k -> sle (unpack p k) s.
Proof.
  unfold pack, live. destruct (pick _ (vars s)) as [v|] eqn:V; try discriminate.
  destruct (pick _ (seeds s)) as [b|] eqn:B; try discriminate. intros [= <-].
  repeat split; simpl; apply spread_pick; auto.
Qed.

Lemma pick_le m : forall l l' k, lle l l' -> pick m l = Some k -> pick m l' = Some k.
Proof.
  induction m as [|[|] m IH]; intros l l' k H E; inversion H as [|c d q q' C H1]; subst; simpl in *;
    try discriminate; auto.
  - destruct c; try discriminate. destruct C as [C|<-]; [discriminate|].
    destruct (pick m q) as [x|] eqn:X; try discriminate. rewrite (IH q q' x); auto.
  - eauto.
Qed.

Lemma pack_le p s u k : sle s u -> pack p s = Some k -> pack p u = Some k.
Proof.
  intros (A & B & C & D). unfold pack, live. rewrite <- C, <- D.
  destruct (pick _ (vars s)) as [v|] eqn:V; try discriminate.
  destruct (pick _ (seeds s)) as [b|] eqn:X; try discriminate. intros [= <-].
  rewrite (pick_le _ _ _ _ B V), (pick_le _ _ _ _ A X). auto.
Qed.

(** ** Tables of states *)

(** A state as a number: each bit of a cell is written as two, and so is its end. *)
Fixpoint put (p k : positive) : positive :=
  match p with
  | xH => xO k
  | xO p => xI (xO (put p k))
  | xI p => xI (xI (put p k))
  end.
Definition sign (z : Z) : positive := match z with Z0 => xH | Zpos p => xO p | Zneg p => xI p end.
Fixpoint put_list (l : list Z) (k : positive) : positive :=
  match l with [] => xO k | z :: l => xI (put (sign z) (put_list l k)) end.
Definition code (k : packed) : positive :=
  put (sign (p_outcome k)) (put (sign (p_mover k)) (put_list (p_vars k) (put_list (p_seeds k) xH))).

Lemma put_inj p : forall q k h, put p k = put q h -> p = q /\ k = h.
Proof.
  induction p; destruct q; simpl; intros k h H; try discriminate; injection H as H; auto;
    apply IHp in H; destruct H; subst; auto.
Qed.

Lemma sign_inj y z : sign y = sign z -> y = z.
Proof. destruct y, z; simpl; intros H; congruence. Qed.

Lemma put_list_inj l : forall m k h, put_list l k = put_list m h -> l = m /\ k = h.
Proof.
  induction l as [|y l IH]; intros [|z m] k h H; simpl in H; try discriminate; injection H as H;
    auto.
  apply put_inj in H. destruct H as [A B]. apply sign_inj in A. apply IH in B.
  destruct B; subst; auto.
Qed.

Lemma code_inj k h : code k = code h -> k = h.
Proof.
  destruct k, h. unfold code. simpl. intros H.
  apply put_inj in H. destruct H as [A H]. apply put_inj in H. destruct H as [B H].
  apply put_list_inj in H. destruct H as [C H]. apply put_list_inj in H. destruct H as [D _].
  apply sign_inj in A. apply sign_inj in B. subst; auto.
Qed.

Section Tables.
Context {A : Type}.
Definition table := PositiveMap.t A.
Definition find (k : packed) (t : table) : option A := PositiveMap.find (code k) t.
Definition add (k : packed) (a : A) (t : table) : table := PositiveMap.add (code k) a t.

Lemma find_add k h a t :
  find k (add h a t) = Some a /\ k = h \/ find k (add h a t) = find k t /\ k <> h.
Proof.
  unfold find, add. destruct (Pos.eq_dec (code k) (code h)) as [E|E].
  - left. rewrite E, PositiveMap.gss. auto using code_inj.
  - right. rewrite PositiveMap.gso by auto. split; auto. intros ->; auto.
Qed.

Definition tabulate (l : list (packed * A)) : table :=
  fold_right (fun x t => add (fst x) (snd x) t) (PositiveMap.empty A) l.

Lemma find_in l k a : find k (tabulate l) = Some a -> In (k, a) l.
Proof.
  induction l as [|[h b] l IH]; simpl. unfold find. rewrite PositiveMap.gempty. discriminate.
  destruct (find_add k h b (tabulate l)) as [[-> ->]|[-> _]]; auto. intros [= ->]; auto.
Qed.

Lemma in_find l k : In k (map fst l) -> find k (tabulate l) <> None.
Proof.
  induction l as [|[h b] l IH]; simpl; [tauto|].
  destruct (find_add k h b (tabulate l)) as [[-> ->]|[-> N]]; [discriminate|].
  intros [E|I]; [congruence|auto].
Qed.

(** The same, unless a state is listed twice. *)
Fixpoint tabulate_distinct (l : list (packed * A)) : option table :=
  match l with
  | [] => Some (PositiveMap.empty A)
  | x :: l =>
    match tabulate_distinct l with
    | Some t => match find (fst x) t with None => Some (add (fst x) (snd x) t) | Some _ => None end
    | None => None
    end
  end.

Lemma tabulate_distinct_ok l : forall t, tabulate_distinct l = Some t ->
  t = tabulate l /\ NoDup (map fst l).
Proof.
  induction l as [|[k a] l IH]; simpl; intros t H; [injection H as <-; split; auto; constructor|].
  destruct (tabulate_distinct l) as [q|]; try discriminate.
  destruct (IH q eq_refl) as [-> N]. destruct (find k (tabulate l)) eqn:E; try discriminate.
  injection H as <-. split; auto. constructor; auto. intros I. apply in_find in I. auto.
Qed.
End Tables.
Arguments table : clear implicits.

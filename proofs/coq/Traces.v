(** What can be seen of a play, and when one System plays as another does: the definitions that
    [refines] and [equivalent to] are stated with. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims.
Import ListNotations.
Open Scope Z_scope.

(** What is seen of a state is the values of some conditions: the seeds of the pits that are
    compared, who is to move, who has won. *)
Definition sees (sys : system) (es : list expr) (s : state) (vs : list Z) : Prop :=
  Forall2 (fun e z => is sys e s z) es vs.

(** How a move is written: a text, by its number, and values in the state before. There is one of
    these for each action. *)
Definition notation : Type := Z * list expr.
Definition written (sys : system) (ns : list notation) (i : nat) (s : state) (w : list Z) : Prop :=
  exists text es vs, nth_error ns i = Some (text, es) /\ sees sys es s vs /\ w = text :: vs.

(** A System with what is seen of it. *)
Record visible := Visible { rules_of : system; seen_as : list expr; written_as : list notation }.

(** [trace v ended s t]: some play from s is seen as t, moves as they are written with what is seen
    after them. It is [ended] if nobody can move at the end. *)
Inductive trace (v : visible) : bool -> state -> list (list Z * list Z) -> Prop :=
| trace_here s : trace v false s []
| trace_end s : (forall u, ~ moves (rules_of v) s u) -> trace v true s []
| trace_move b s i a u w x t :
    nth_error (acts (rules_of v)) i = Some a -> step (rules_of v) a s u ->
    written (rules_of v) (written_as v) i s w -> sees (rules_of v) (seen_as v) u x ->
    trace v b u t -> trace v b s ((w, x) :: t).

(** Each start of l looks like a start of r from which all plays of l, ended or not, are seen. *)
Definition refines (l r : visible) : Prop :=
  forall s, start (rules_of l) s -> exists q x, start (rules_of r) q /\
  sees (rules_of l) (seen_as l) s x /\ sees (rules_of r) (seen_as r) q x /\
  forall b t, trace l b s t -> trace r b q t.
Definition equivalent (l r : visible) : Prop := refines l r /\ refines r l.

Section Seen.
Variable sys : system.
Variable n : nat.

(** The values of conditions, if all are known. *)
Fixpoint values_of (es : list expr) (s : state) : option (list Z) :=
  match es with
  | [] => Some []
  | e :: es =>
    match value sys n e s with V z => option_map (cons z) (values_of es s) | _ => None end
  end.
Definition writing (ns : list notation) (i : nat) (s : state) : option (list Z) :=
  match nth_error ns i with
  | Some (text, es) => option_map (cons text) (values_of es s)
  | None => None
  end.

Lemma values_sees es : forall t s vs, sle t s -> values_of es t = Some vs -> sees sys es s vs.
Proof.
  induction es as [|e es IH]; simpl; intros t s vs S H. injection H as <-. constructor.
  destruct (value sys n e t) as [z| |] eqn:E; try discriminate.
  destruct (values_of es t) as [l|] eqn:L; try discriminate. injection H as <-. constructor.
  eapply is_below; eauto. apply (IH t s); auto.
Qed.

Lemma sees_unique es s : forall vs ws, sees sys es s vs -> sees sys es s ws -> vs = ws.
Proof.
  induction es as [|e es IH]; intros vs ws V W; inversion V; inversion W; subst; auto.
  f_equal; auto.
  eapply is_unique; eauto.
Qed.

Lemma writing_written ns i t s w : sle t s -> writing ns i t = Some w -> written sys ns i s w.
Proof.
  intros S. unfold writing. destruct (nth_error ns i) as [[text es]|] eqn:N; try discriminate.
  destruct (values_of es t) as [vs|] eqn:E; try discriminate. intros [= <-].
  exists text, es, vs. repeat split; auto. eapply values_sees; eauto.
Qed.

Lemma written_unique ns i s v w : written sys ns i s v -> written sys ns i s w -> v = w.
Proof.
  intros (t1 & e1 & v1 & N1 & S1 & ->) (t2 & e2 & v2 & N2 & S2 & ->). rewrite N1 in N2.
  injection N2 as <- <-. f_equal. eapply sees_unique; eauto.
Qed.
End Seen.

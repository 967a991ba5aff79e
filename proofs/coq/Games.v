(** What players can bring about: the definitions that claims about best play are stated with.

    [mine] says of a player whether it is one of those whose powers are meant. *)
From Coq Require Import ZArith List Bool Lia.
From Mancheck Require Import Kernel Shape Order Claims.
Import ListNotations.
Open Scope Z_scope.

Section Games.
Variable sys : system.
Variable mine : Z -> bool.

(** ** Forcing a state that satisfies e *)

(** In n moves at most, counting those of all players. A player without a move forces nothing, and is
    forced to nothing. *)
Inductive forces (e : expr) : nat -> state -> Prop :=
| forces_now n s : satisfies sys e s -> forces e n s
| forces_mine n s u : mine (mover s) = true -> moves sys s u -> forces e n u -> forces e (S n) s
| forces_others n s : mine (mover s) = false -> (exists u, moves sys s u) ->
    (forall u, moves sys s u -> forces e n u) -> forces e (S n) s.

Lemma forces_more e n s : forces e n s -> forall m, (n <= m)%nat -> forces e m s.
Proof.
  induction 1 as [n s H|n s u P M _ IH|n s P X _ IH]; intros m L.
  - constructor; auto.
  - destruct m as [|m]; [lia|]. apply forces_mine with u; auto. apply IH. lia.
  - destruct m as [|m]; [lia|]. apply forces_others; auto. intros u M. apply IH; auto. lia.
Qed.

Definition can_force (e : expr) (s : state) : Prop := exists n, forces e n s.

(** ** Securing how a play ends *)

(** A strategy chooses an action in each state; the others move as they like. *)
Definition strategy_of_play := state -> option action.
Definition follows (g : strategy_of_play) (s u : state) : Prop :=
  if mine (mover s) then exists a, g s = Some a /\ In a (acts sys) /\ step sys a s u else moves sys s u.
Inductive followed (g : strategy_of_play) (s : state) : state -> Prop :=
| followed_nil : followed g s s
| followed_step u v : followed g s u -> follows g u v -> followed g s v.

(** Every play from s that follows the strategy goes on until it is over, and then satisfies e; it
    may be endless only if that is as good. *)
Record keeps_to (e : expr) (endless_good : bool) (g : strategy_of_play) (s : state) : Prop := {
  over_good : forall u, followed g s u -> outcome u <> -1 -> satisfies sys e u;
  goes_on : forall u, followed g s u -> outcome u = -1 -> exists v, follows g u v;
  not_endless : forall f, f O = s -> (forall i, follows g (f i) (f (S i))) -> endless_good = true
}.
Definition can_secure (e : expr) (endless_good : bool) (s : state) : Prop :=
  exists g, keeps_to e endless_good g s.
End Games.

(** ** Values *)

(** What w is worth at the end of play, to the player 0, who plays against all others. An endless
    play is worth [endless], or nothing that either of them wants. *)
Definition first_player (p : Z) : bool := p =? 0.
Definition other_players (p : Z) : bool := negb (p =? 0).
Definition endless_at_least (endless : option Z) (b : Z) : bool :=
  match endless with Some z => b <=? z | None => false end.
Definition endless_at_most (endless : option Z) (b : Z) : bool :=
  match endless with Some z => z <=? b | None => false end.

Definition at_least (sys : system) (w : expr) (endless : option Z) (b : Z) (s : state) : Prop :=
  can_secure sys first_player (Bin Ge w (Const b)) (endless_at_least endless b) s.
Definition at_most (sys : system) (w : expr) (endless : option Z) (b : Z) (s : state) : Prop :=
  can_secure sys other_players (Bin Le w (Const b)) (endless_at_most endless b) s.
Definition worth (sys : system) (w : expr) (endless : option Z) (v : Z) (s : state) : Prop :=
  at_least sys w endless v s /\ at_most sys w endless v s.

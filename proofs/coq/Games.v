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

(** In n moves at most, counting those of all players. A player without a move forces nothing, and
    is forced to nothing. *)
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
  if mine (mover s) then exists a, g s = Some a /\ In a (acts sys) /\ step sys a s u
  else moves sys s u.
Inductive followed (g : strategy_of_play) (s : state) : state -> Prop :=
| followed_nil : followed g s s
| followed_step u v : followed g s u -> follows g u v -> followed g s v.

(** Every play from s that follows the strategy goes on until it is over, and then satisfies e. If
    [endless] is a condition, the play may also go on for ever, and then each state that it comes
    back to satisfies that. *)
Record keeps_to (e : expr) (endless : option expr) (g : strategy_of_play) (s : state) : Prop := {
  over_good : forall u, followed g s u -> outcome u <> -1 -> satisfies sys e u;
  goes_on : forall u, followed g s u -> outcome u = -1 -> exists v, follows g u v;
  endless_good : forall f, f O = s -> (forall i, follows g (f i) (f (S i))) ->
    match endless with
    | Some x => forall i j, (i < j)%nat -> f i = f j -> satisfies sys x (f i)
    | None => False
    end
}.
Definition can_secure (e : expr) (endless : option expr) (s : state) : Prop :=
  exists g, keeps_to e endless g s.
End Games.

(** ** Values *)

(** The player 0 plays against all others. Where play is over w is what that is worth to player 0.
    [endless] is what an endless play is worth that comes back to a state; if there is none, an
    endless play is as bad as can be for both. *)
Definition first_player (p : Z) : bool := p =? 0.
Definition other_players (p : Z) : bool := negb (p =? 0).
Definition floor (b : Z) (w : expr) : expr := Bin Ge w (Const b).
Definition ceiling (b : Z) (w : expr) : expr := Bin Le w (Const b).

Definition at_least (sys : system) (w : expr) (endless : option expr) (b : Z) (s : state) : Prop :=
  can_secure sys first_player (floor b w) (option_map (floor b) endless) s.
Definition at_most (sys : system) (w : expr) (endless : option expr) (b : Z) (s : state) : Prop :=
  can_secure sys other_players (ceiling b w) (option_map (ceiling b) endless) s.
Definition worth (sys : system) (w : expr) (endless : option expr) (v : Z) (s : state) : Prop :=
  at_least sys w endless v s /\ at_most sys w endless v s.

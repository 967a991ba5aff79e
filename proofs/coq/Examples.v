(** One small certificate of each kind, made by hand: models of what is to be emitted.

    The game has one player and a row of three pits, from which seeds can only go to the right. A
    move sows the seeds of pit 0 or pit 1, or carries the last one of pit 1 over. Play ends when the
    first two pits are empty. *)
From Coq Require Import ZArith List Bool.
From Mancheck Require Import Kernel Claims Evidence Forward Falling.
Import ListNotations.
Open Scope Z_scope.

Definition row : list lap := [Lap [1; 2; -1] [-1; 0; 1]].
Definition sow (p : Z) : stmt := Sow (Const p) (Some (Const 1)) 0 [] [] AfterSource Skip.
Definition Row : system := Sys 1 3 row [] [] [] [true; false; false] []
  (Bin Eq (Pit 0) (Const 2)) 0
  [Act 0 false 0 (Const 1) (sow 0); Act 0 false 0 (Const 1) (sow 1)]
  [Rx false [Rule 0 (Bin Eq (Sum [0; 1]%nat) (Const 0)) (Stop 0)]]
  [End; Endless] [None].

Definition all : parts := all_parts Row.
Definition S (a b c : Z) : packed := P (-1) 0 [] [a; b; c].

(** forward-closed *)
Definition reached : forward := Forward 1 all
  [S 2 0 0; S 1 1 0; S 1 0 1; S 0 2 0; S 0 1 1; P 0 (-1) [] [0; 0; 2]].

Theorem never_overfull : unreachable Row (Bin Gt (Pit 2) (Const 2)).
Proof. apply (forward_unreachable Row reached). vm_compute. reflexivity. Qed.

Theorem to_the_right :
  every_step Row (among Row [0; 1]%nat) (Const 1) (Bin Le (Pit 0) (Old (Pit 0))).
Proof. apply (forward_every_step Row reached). vm_compute. reflexivity. Qed.

(** falling-numbers *)
Definition numbers : numbered := Numbered 1
  [(S 2 0 0, 4); (S 1 1 0, 3); (S 1 0 1, 2); (S 0 2 0, 2); (S 0 1 1, 1); (P 0 (-1) [] [0; 0; 2], 0)].

Theorem at_most_four_moves : terminates_within Row 4.
Proof. apply (falling_within Row numbers). vm_compute. reflexivity. Qed.

Theorem always_ends : terminates Row.
Proof. apply (falling_terminates Row numbers). vm_compute. reflexivity. Qed.

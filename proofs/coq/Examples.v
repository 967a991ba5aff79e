(** One small certificate of each kind, made by hand: models of what is to be emitted.

    The game has one player and a row of three pits, from which seeds can only go to the right. A
    move sows the seeds of pit 0 or pit 1, or carries the last one of pit 1 over. Play ends when
    the first two pits are empty. *)
From Coq Require Import ZArith List Bool.
From Mancheck Require Import Kernel Shape Claims Evidence Forward Falling Backward Plays Depths
  Games Strategies Values Forcing Traces Product Winning.
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
  [(S 2 0 0, 4); (S 1 1 0, 3); (S 1 0 1, 2); (S 0 2 0, 2); (S 0 1 1, 1); 
   (P 0 (-1) [] [0; 0; 2], 0)].

Theorem at_most_four_moves : terminates_within Row 4.
Proof. apply (falling_within Row numbers). vm_compute. reflexivity. Qed.

Theorem always_ends : terminates Row.
Proof. apply (falling_terminates Row numbers). vm_compute. reflexivity. Qed.

(** play *)
Definition to_the_end : play := Play 1 [2; 0; 0] [0; 0; 1; 1]%nat.

Theorem can_end : reachable Row (Bin Eq Outcome (Const 0)).
Proof. apply (play_reachable Row to_the_end). vm_compute. reflexivity. Qed.

Theorem can_end_in_four : reachable_within Row 4 (Bin Eq Outcome (Const 0)).
Proof. apply (play_within Row to_the_end). vm_compute. reflexivity. Qed.

Theorem not_in_three : ~ terminates_within Row 3.
Proof. apply (play_longer Row to_the_end). vm_compute. reflexivity. Qed.

(** The play that is refuted is that of its moves, and then the move [last_move]. *)
Theorem pit_is_refilled :
  ~ every_step Row (among Row [0; 1]%nat) (Const 1) (Bin Eq (Pit 1) (Const 1)).
Proof. apply (play_breaks Row (Play 1 [2; 0; 0] [0]%nat) _ _ _ 0). vm_compute. reflexivity. Qed.

(** depths *)
Definition depths : numbered := Numbered 1
  [(S 2 0 0, 0); (S 1 1 0, 1); (S 1 0 1, 2); (S 0 2 0, 2); (S 0 1 1, 3); 
   (P 0 (-1) [] [0; 0; 2], 4)].

Theorem six_states : counts (fun s => reach Row s /\ satisfies Row (Const 1) s) (Z.to_nat 6).
Proof. apply (depths_count Row depths). vm_compute. reflexivity. Qed.

(** strategies: the one player can fill pit 2 in four moves, and cannot bring three seeds there. *)
Definition fill : strategy := Strategy 1 all (n_states numbers).
Definition solitary (p : Z) : bool := true.

Theorem can_fill : forall s, start Row s ->
  forces Row solitary (Bin Eq (Pit 2) (Const 2)) (Z.to_nat 4) s.
Proof. apply (starts_force Row solitary fill). vm_compute. reflexivity. Qed.

Definition rest : strategy := Strategy 1 all
  [(S 2 0 0, 0); (S 1 1 0, 0); (S 1 0 1, 0); (S 0 2 0, 0); (S 0 1 1, 0)].

Theorem cannot_overfill : forall s, start Row s ->
  ~ can_force Row solitary (Bin Eq (Pit 2) (Const 3)) s.
Proof. apply (starts_prevent Row solitary rest _ true). vm_compute. reflexivity. Qed.

(** The seeds that end in pit 2 are the value of the game: no play is endless. *)
Definition low : strategy := Strategy 1 all
  [(S 2 0 0, 4); (S 1 1 0, 3); (S 1 0 1, 2); (S 0 2 0, 2); (S 0 1 1, 1)].

Theorem worth_two : forall s, start Row s -> worth Row (Pit 2) None 2 s.
Proof. apply (starts_worth Row (Pit 2) None low low). vm_compute. reflexivity. Qed.

(** backward-closed: one seed is never taken from pit 0, so that it is never empty, with any number
    of seeds. Only pit 0 is kept. *)
Definition Stay : system := Sys 1 3 row [] [] [] [true; false; false] [(1, None)]
  (Bin Eq (Pit 0) (Param 0)) 0
  [Act 0 false 0 (Bin Ge (Pit 0) (Const 2)) (sow 0)]
  [Rx false [Rule 0 (Bin Eq (Pit 0) (Const 0)) (Stop 0)]]
  [End; Endless] [None].

Definition emptied : backward := Backward 1 (Parts [true; false; false] [] []) [P 0 (-1) [] [0]].

Theorem never_empty : unreachable Stay (Bin Eq Outcome (Const 0)).
Proof. apply (check_backward_unreachable Stay emptied). vm_compute. reflexivity. Qed.

(** The same of positions that need not be starts. *)
Theorem worth_two_from : worth Row (Pit 2) None 2 (unpack all (S 1 0 1)).
Proof. apply (position_worth Row (Pit 2) None low low). vm_compute. reflexivity. Qed.

Theorem can_fill_from :
  forces Row solitary (Bin Eq (Pit 2) (Const 2)) (Z.to_nat 1) (unpack all (S 0 1 1)).
Proof. apply (position_forces Row solitary fill). vm_compute. reflexivity. Qed.

(** One seed goes round two pits for ever: the play is endless, and worth what that counts. *)
Definition Ring : system := Sys 1 2 [Lap [1; 0] [1; 0]] [] [] [] [true; false] []
  (Bin Eq (Pit 0) (Const 1)) 0
  [Act 0 false 0 (Const 1) (sow 0); Act 0 false 0 (Const 1) (sow 1)] [] [Endless] [None].

Theorem goes_round : ~ terminates Ring.
Proof. apply (play_endless Ring (Play 1 [1; 0] [0; 1]%nat)). vm_compute. reflexivity. Qed.

Definition round : strategy := Strategy 1 (all_parts Ring)
  [(P (-1) 0 [] [1; 0], 0); (P (-1) 0 [] [0; 1], 0)].

Theorem worth_nothing : forall s, start Ring s -> worth Ring (Const 5) (Some (Const 0)) 0 s.
Proof. apply (starts_worth Ring (Const 5) (Some (Const 0)) round round). vm_compute. reflexivity.
Qed.

(** closed-product: the same game from right to left, with pits and moves numbered the other way. *)
Definition Mirror : system := Sys 1 3 [Lap [-1; 0; 1] [1; 2; -1]] [] [] [] [false; false; true] []
  (Bin Eq (Pit 2) (Const 2)) 0
  [Act 0 false 0 (Const 1) (sow 1); Act 0 false 0 (Const 1) (sow 2)]
  [Rx false [Rule 0 (Bin Eq (Sum [1; 2]%nat) (Const 0)) (Stop 0)]]
  [End; Endless] [None].

(** All pits are compared. Each move is written as the number of the seeds in its pit before it. *)
Definition seen_row : visible :=
  Visible Row [Pit 0; Pit 1; Pit 2; Outcome] [(0, [Pit 0]); (1, [Pit 1])].
Definition seen_mirror : visible :=
  Visible Mirror [Pit 2; Pit 1; Pit 0; Outcome] [(1, [Pit 1]); (0, [Pit 2])].
Definition both_ways : product := Product 1 [(S 2 0 0, S 0 0 2)]
  [(S 2 0 0, S 0 0 2); (S 1 1 0, S 0 1 1); (S 1 0 1, S 1 0 1); (S 0 2 0, S 0 2 0);
   (S 0 1 1, S 1 1 0)].

Theorem mirrored : equivalent seen_row seen_mirror.
Proof. apply (product_equivalent seen_row seen_mirror both_ways). vm_compute. reflexivity. Qed.

(** winning-states: only two seeds or fewer can be taken from pit 0. So of the six starts, with no
    seed to five, three can be won by emptying it. *)
Definition Few : system := Sys 1 3 row [] [] [] [true; false; false] []
  (Bin Le (Pit 0) (Const 5)) 0
  [Act 0 false 0 (Bin Le (Pit 0) (Const 2)) (sow 0)]
  [Rx false [Rule 0 (Bin Eq (Pit 0) (Const 0)) (Stop 0)]]
  [Win 0; Endless] [None].

Definition won : winning := Winning
  (Backward 1 (Parts [true; false; false] [] [])
    [P 0 (-1) [] [0]; P (-1) 0 [] [1]; P (-1) 0 [] [2]])
  [0; 1; 2] [P 0 (-1) [] [0; 0; 0]; S 1 0 0; S 2 0 0].

Theorem three_can_be_won :
  counts (fun s => start Few s /\ can_reach Few (Bin Eq Outcome (Const 0)) s) (Z.to_nat 3).
Proof. apply (winning_count Few won). vm_compute. reflexivity. Qed.

(** ** Evidence that is altered is rejected *)

(** A state is missing. *)
Example missing : check_forward Row
  (Forward 1 all [S 2 0 0; S 1 1 0; S 1 0 1; S 0 2 0; S 0 1 1]) (Const 0) = false.
Proof. vm_compute. reflexivity. Qed.

(** A number does not fall. *)
Example level : check_falls Row (Numbered 1
  [(S 2 0 0, 3); (S 1 1 0, 3); (S 1 0 1, 2); (S 0 2 0, 2); (S 0 1 1, 1);
   (P 0 (-1) [] [0; 0; 2], 0)]) (fun _ => true) = false.
Proof. vm_compute. reflexivity. Qed.

(** A state that is not reachable is counted, and one is counted twice. *)
Example too_many : check_count Row (Numbered 1 (n_states depths ++ [(S 0 0 2,
  5)])) (Const 1) 7 = false.
Proof. vm_compute. reflexivity. Qed.
Example twice : check_count Row (Numbered 1 (n_states depths ++ [(S 0 1 1,
  3)])) (Const 1) 7 = false.
Proof. vm_compute. reflexivity. Qed.

(** The play makes an illegal move, or begins with seeds that the setup does not lay out. *)
Example illegal : check_play Row (Play 1 [2; 0; 0] [1]%nat) (Const 1) = false.
Proof. vm_compute. reflexivity. Qed.
Example no_start : check_play Row (Play 1 [1; 0; 0] []) (Const 1) = false.
Proof. vm_compute. reflexivity. Qed.

(** One move fewer does not suffice; three seeds are no value; an endless play needs one. *)
Example too_few : check_forces_starts Row solitary fill (Bin Eq (Pit 2) (Const 2)) 3 = false.
Proof. vm_compute. reflexivity. Qed.
Example too_much : check_at_least Row (Pit 2) None low 3 = false.
Proof. vm_compute. reflexivity. Qed.
Example nothing : check_at_least Ring (Const 5) None round 0 = false.
Proof. vm_compute. reflexivity. Qed.

(** With no seed in pit 0 the game is over at once: the target has to be kept out of the starts. *)
Definition Empty : system := Sys 1 3 row [] [] [] [true; false; false] [(0, None)]
  (Bin Eq (Pit 0) (Param 0)) 0 (acts Stay) (rxs Stay) (outcomes Stay) [None].
Example empty : check_backward Empty emptied (Bin Eq Outcome (Const 0)) = false.
Proof. vm_compute. reflexivity. Qed.

(** A pair is missing; a start is missing. *)
Example unpaired : check_refines seen_row seen_mirror
  (Product 1 (pr_starts both_ways) (tl (pr_states both_ways))) = false.
Proof. vm_compute. reflexivity. Qed.
Example uncounted : check_winning Few
  (Winning (w_set won) (w_numbers won) (tl (w_starts won))) (Bin Eq Outcome (Const 0)) 2 = false.
Proof. vm_compute. reflexivity. Qed.

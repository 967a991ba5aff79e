(** The kernel of mancheck, as docs/kernel.md defines it: values, expressions, statements, turns and
    starts. Numbers have no bounds here; the limits of the tool are outside.

    States may be known in part. An unknown cell ([Un]) makes what is computed from it unknown, so
    what is found without it holds whatever the cell is (Order.v). A loop has a number of rounds;
    when they are used up the result is unknown as well. *)
From Coq Require Import ZArith List Bool.
Import ListNotations.
Open Scope Z_scope.

(** ** Values *)

(** A cell is known, unknown, or has no value (a register before it is set, a cell that is not
    there). *)
Inductive cell := Kn (z : Z) | Un | No.

(** What an expression evaluates to: a value, a fault, or unknown. *)
Inductive res := V (z : Z) | F | U.

Definition rd (c : cell) : res := match c with Kn z => V z | Un => U | No => F end.
Definition bind (r : res) (k : Z -> res) : res := match r with V z => k z | F => F | U => U end.
Definition truth (b : bool) : Z := if b then 1 else 0.
Definition nz (z : Z) : bool := negb (z =? 0).

(** [get d l z] is the z-th element of l, or d. *)
Definition get {A} (d : A) (l : list A) (z : Z) : A := if z <? 0 then d else nth (Z.to_nat z) l d.

(** ** Syntax *)

Inductive question := IsStuck | IsStart | NoMove.
Inductive op := Eq | Ne | Lt | Le | Gt | Ge | Add | Sub | Mul | Div | Mod | Min | Max.
Inductive lookup :=
| Next (lap : nat) | Before (lap : nat)
| Member (ps : list nat)
| Table (t : list Z) (none : option Z).        (** relations and indices; [none] is that of no pit *)

Inductive expr :=
| Const (z : Z) | Param (i : nat)
| Pit (i : nat) | PitAt (e : expr)             (** seeds *)
| Var (i : nat) | Pick (t : list Z) (e : expr) (** Pick t e: the variable t[e] *)
| Local (i : nat) | Last | Was | Origin | Mover | Outcome
| Sum (ps : list nat)
| Look (l : lookup) (e : expr)
| Not (e : expr) | And (a b : expr) | Or (a b : expr) | Bin (o : op) (a b : expr)
| Cond (c a b : expr)
| Ask (q : question)
| Old (e : expr).

Inductive target := ToVar (i : nat) | ToPick (t : list Z) (e : expr) | ToLocal (i : nat) | ToNext | ToRank.

(** Where the first seed of a sowing is tried. *)
Inductive begin := AfterSource | AtSource | At (e : expr).

Inductive stmt :=
| Skip
| Seq (a b : stmt)
| Sow (source : expr) (count : option expr) (lap : nat) (skip : list (option expr)) (only : list nat)
    (from : begin) (drop : stmt)
| Transfer (count : option expr) (from into : expr)
| Set_ (to : target) (x : expr)
| If (c : expr) (a b : stmt)
| While (c : expr) (b : stmt)
| Stop (outcome : Z)                           (** -1: not an outcome, but illegal *)
.

(** ** Systems and states *)

Record lap := Lap { nxt : list Z; prv : list Z }.            (** by pit: a pit, or -1 *)
Record action := Act { who : Z; fallback : bool; alocals : nat; guard : expr; body : stmt }.
Record rule := Rule { rlocals : nat; when : expr; does : stmt }.
Record reaction := Rx { turn : bool; per : list rule }.      (** a rule for each player *)
Inductive kind := Win (player : Z) | Lose | Draw | End | Endless.

Record system := Sys {
  players : nat;
  npits : nat;
  laps : list lap;
  doms : list (list Z);              (** the domain of each variable *)
  inits : list Z;
  pitvar : list bool;                (** the variables whose values are pits *)
  free : list bool;                  (** by pit *)
  ranges : list (Z * option Z);      (** of the open parameters *)
  setup : expr;
  first : Z;                         (** the player who begins *)
  acts : list action;
  rxs : list reaction;
  outcomes : list kind;              (** the last one is Endless *)
  scores : list (option expr)        (** by player *)
}.

Record state := St { seeds : list cell; vars : list cell; mover : Z; outcome : Z }.
Definition live (s : state) : bool := outcome s =? -1.

(** A state while a body runs. *)
Record run := Run {
  cells : list cell; values : list cell; to_move : Z; over : Z;
  locs : list cell; last : cell; was : cell; origin : cell; next : Z; rank : cell
}.

Definition enter (s : state) (n : Z) (locals : nat) : run :=
  Run (seeds s) (vars s) (mover s) (outcome s) (repeat (Kn 0) locals) No No No n (Kn 0).
Definition leave (r : run) : state := St (cells r) (values r) (to_move r) (over r).

Definition set_cells (r : run) c := Run c (values r) (to_move r) (over r) (locs r) (last r) (was r) (origin r) (next r) (rank r).
Definition set_values (r : run) v := Run (cells r) v (to_move r) (over r) (locs r) (last r) (was r) (origin r) (next r) (rank r).
Definition set_locs (r : run) l := Run (cells r) (values r) (to_move r) (over r) l (last r) (was r) (origin r) (next r) (rank r).
Definition set_last (r : run) l w := Run (cells r) (values r) (to_move r) (over r) (locs r) l w (origin r) (next r) (rank r).
Definition set_origin (r : run) o := Run (cells r) (values r) (to_move r) (over r) (locs r) (last r) (was r) o (next r) (rank r).
Definition set_next (r : run) n := Run (cells r) (values r) (to_move r) (over r) (locs r) (last r) (was r) (origin r) n (rank r).
Definition set_rank (r : run) k := Run (cells r) (values r) (to_move r) (over r) (locs r) (last r) (was r) (origin r) (next r) k.
Definition finish (r : run) o := Run (cells r) (values r) (-1) o (locs r) (last r) (was r) (origin r) (next r) (rank r).

(** ** Expressions *)

Definition apply (o : op) (x y : Z) : res :=
  match o with
  | Eq => V (truth (x =? y)) | Ne => V (truth (negb (x =? y)))
  | Lt => V (truth (x <? y)) | Le => V (truth (x <=? y))
  | Gt => V (truth (x >? y)) | Ge => V (truth (x >=? y))
  | Add => V (x + y) | Sub => V (x - y) | Mul => V (x * y)
  | Min => V (Z.min x y) | Max => V (Z.max x y)
  | Div => if y =? 0 then F else V (x / y)
  | Mod => if y =? 0 then F else V (x mod y)
  end.

Fixpoint sum (l : list cell) (ps : list nat) : res :=
  match ps with
  | [] => V 0
  | p :: q => bind (rd (nth p l No)) (fun x => bind (sum l q) (fun y => V (x + y)))
  end.

Definition on_lap (ls : list lap) (f : lap -> list Z) (i : nat) (p : Z) : res :=
  if p <? 0 then V (-1) else match nth_error ls i with
  | Some l => V (nth (Z.to_nat p) (f l) (-1))
  | None => F
  end.
Definition look (ls : list lap) (l : lookup) (p : Z) : res :=
  match l with
  | Next i => on_lap ls nxt i p
  | Before i => on_lap ls prv i p
  | Member ps => V (truth ((0 <=? p) && existsb (Nat.eqb (Z.to_nat p)) ps))
  | Table t none =>
    match (if p <? 0 then none else nth_error t (Z.to_nat p)) with Some z => V z | None => F end
  end.

(** What an expression depends on besides the run: the answers to questions, the parameters, the
    state before the step. *)
Record env := Env { ask : question -> run -> res; params : list Z; before : option run }.

Section Expressions.
Variable ls : list lap.
Fixpoint ev (n : env) (r : run) (e : expr) : res :=
  match e with
  | Const z => V z
  | Param i => match nth_error (params n) i with Some z => V z | None => F end
  | Pit i => rd (nth i (cells r) No)
  | PitAt e => bind (ev n r e) (fun p => rd (get No (cells r) p))
  | Var i => rd (nth i (values r) No)
  | Pick t e => bind (ev n r e) (fun i => rd (get No (values r) (get (-1) t i)))
  | Local i => rd (nth i (locs r) No)
  | Last => rd (last r) | Was => rd (was r) | Origin => rd (origin r)
  | Mover => V (to_move r) | Outcome => V (over r)
  | Sum ps => sum (cells r) ps
  | Look l e => bind (ev n r e) (look ls l)
  | Not e => bind (ev n r e) (fun x => V (truth (x =? 0)))
  | And a b => bind (ev n r a) (fun x => if nz x then bind (ev n r b) (fun y => V (truth (nz y))) else V 0)
  | Or a b => bind (ev n r a) (fun x => if nz x then V 1 else bind (ev n r b) (fun y => V (truth (nz y))))
  | Bin o a b => bind (ev n r a) (fun x => bind (ev n r b) (fun y => apply o x y))
  | Cond c a b => bind (ev n r c) (fun x => if nz x then ev n r a else ev n r b)
  | Ask q => ask n q r
  | Old e => match before n with Some o => ev (Env (ask n) (params n) None) o e | None => F end
  end.
End Expressions.

(** ** Statements *)

(** Onward, finished, illegal, a fault of the rules, unknown. *)
Inductive out := On (r : run) | Fin (r : run) | Ill | Flt | Ukn.

Definition bindo (r : res) (k : Z -> out) : out := match r with V z => k z | F => Flt | U => Ukn end.
Definition andthen (o : out) (k : run -> out) : out := match o with On r => k r | o => o end.

Fixpoint upd {A} (l : list A) (i : nat) (c : A) : list A :=
  match l, i with [], _ => [] | _ :: r, O => c :: r | x :: r, S j => x :: upd r j c end.
Definition addc (c : cell) (k : Z) : cell := match c with Kn z => Kn (z + k) | c => c end.
Definition bump (l : list cell) (i : nat) (k : Z) : list cell := upd l i (addc (nth i l No) k).

(** Two configurations at the head of a loop: surely the same, surely not, or unknown. *)
Definition same_cell (c d : cell) : option bool :=
  match c, d with Kn x, Kn y => Some (x =? y) | No, No => Some true | Un, _ | _, Un => None | _, _ => Some false end.
Fixpoint same_cells (l m : list cell) : option bool :=
  match l, m with
  | [], [] => Some true
  | c :: l, d :: m =>
    match same_cell c d with
    | Some false => Some false
    | Some true => same_cells l m
    | None => match same_cells l m with Some false => Some false | _ => None end
    end
  | _, _ => Some false
  end.
Definition config (r : run) : list cell := last r :: was r :: origin r :: cells r ++ values r ++ locs r.
Fixpoint seen (c : list cell) (l : list (list cell)) : option bool :=
  match l with
  | [] => Some false
  | d :: l =>
    match same_cells c d, seen c l with
    | Some true, _ => Some true
    | Some false, x => x
    | None, Some true => Some true
    | None, _ => None
    end
  end.

(** The pit that takes a seed which is tried first in p: not one that is skipped. *)
Fixpoint place (fuel : nat) (nx : list Z) (no : nat -> bool) (p : Z) : option nat :=
  if p <? 0 then None else
  match fuel with
  | O => None
  | S f => if no (Z.to_nat p) then place f nx no (get (-1) nx p) else Some (Z.to_nat p)
  end.

(** [drops d c …] drops c seeds, the first one tried in p, and carries out d after each. *)
Fixpoint drops (d : run -> out) (source c : nat) (nx : list Z) (skipped only : nat -> bool) (p : Z) (r : run) : out :=
  match c with
  | O => On r
  | S c' =>
    match place (S (length nx)) nx (fun q => skipped q || (only q && negb (Nat.eqb c' 0))) p with
    | None => Ill
    | Some q =>
      match d (set_last (set_cells r (bump (cells r) q 1)) (Kn (Z.of_nat q)) (nth q (cells r) No)) with
      | On r => drops d source c' nx skipped only (get (-1) nx (Z.of_nat q)) r
      | Fin r => Fin (set_cells r (bump (cells r) source (Z.of_nat c')))
      | o => o
      end
    end
  end.

Fixpoint loop (fuel : nat) (c : run -> res) (b : run -> out) (endless : Z) (before : list (list cell)) (r : run) : out :=
  match fuel with
  | O => Ukn
  | S f =>
    bindo (c r) (fun x =>
      if nz x then
        match seen (config r) before with
        | Some true => Fin (finish r endless)
        | Some false => andthen (b r) (loop f c b endless (config r :: before))
        | None => Ukn
        end
      else On r)
  end.

Definition amount (k : option Z) (all : Z) : Z := match k with None => all | Some c => c end.

Section Statements.
Variable ls : list lap.
Variable doms : list (list Z).
Variable pls : nat.                            (* players *)
Variable endless : Z.
Variable rounds : nat.                         (* of a loop *)
Variable n : env.
Notation ev := (ev ls n).

Definition is_pit (r : run) (p : Z) : bool := (0 <=? p) && (p <? Z.of_nat (length (cells r))).

(** The pits that are never sown this time. *)
Fixpoint skips (r : run) (i : nat) (l : list (option expr)) (k : list nat -> out) : out :=
  match l with
  | [] => k []
  | None :: l => skips r (S i) l k
  | Some e :: l => bindo (ev r e) (fun x => skips r (S i) l (fun m => k (if nz x then i :: m else m)))
  end.
Definition within (l : list nat) (q : nat) : bool := existsb (Nat.eqb q) l.

Definition move (r : run) (c f i : Z) : out :=
  On (set_cells r (bump (bump (cells r) (Z.to_nat f) (- c)) (Z.to_nat i) c)).

Definition set_var (r : run) (i : Z) (z : Z) : out :=
  if (0 <=? i) && existsb (Z.eqb z) (nth (Z.to_nat i) doms [])
  then On (set_values r (upd (values r) (Z.to_nat i) (Kn z))) else Flt.
Definition has_var (r : run) (i : Z) : bool := (0 <=? i) && (i <? Z.of_nat (length (values r))).

(** The count is evaluated even where there is none to be had. *)
Definition counted (r : run) (count : option expr) (k : option Z -> out) : out :=
  match count with None => k None | Some e => bindo (ev r e) (fun c => k (Some c)) end.
Definition beginning (r : run) (b : begin) (nx : list Z) (p : Z) (k : Z -> out) : out :=
  match b with
  | AfterSource => k (get (-1) nx p)
  | AtSource => k p
  | At e => bindo (ev r e) (fun q => if is_pit r q then k q else Flt)
  end.

Fixpoint ex (b : stmt) (r : run) : out :=
  match b with
  | Skip => On r
  | Seq a b => andthen (ex a r) (ex b)
  | Sow source count l skip only from drop =>
    bindo (ev r source) (fun p =>
      if negb (is_pit r p) then Flt else
      let r := set_origin r (Kn p) in
      match nth_error ls l with None => Flt | Some lp =>
      counted r count (fun k => beginning r from (nxt lp) p (fun q => skips r 0 skip (fun m =>
        bindo (rd (get No (cells r) p)) (fun all =>
          let c := amount k all in
          if (c <? 1) || (all <? c) then Ill else
          drops (ex drop) (Z.to_nat p) (Z.to_nat c) (nxt lp) (within m) (within only) q
            (set_cells r (bump (cells r) (Z.to_nat p) (- c))))))) end)
  | Transfer None f i =>
    bindo (ev r i) (fun i => if negb (is_pit r i) then Flt else
    bindo (ev r f) (fun f => if (f <? 0) || (f =? i) then On r else
    if negb (is_pit r f) then Flt else
    bindo (rd (get No (cells r) f)) (fun c => move r c f i)))
  | Transfer (Some c) f i =>
    bindo (ev r c) (fun c => bindo (ev r f) (fun f => bindo (ev r i) (fun i =>
    if negb (is_pit r f && is_pit r i) then Flt else
    bindo (rd (get No (cells r) f)) (fun h => if (c <? 0) || (h <? c) then Flt else move r c f i))))
  | Set_ (ToVar i) e =>
    if has_var r (Z.of_nat i) then bindo (ev r e) (fun z => set_var r (Z.of_nat i) z) else Flt
  | Set_ (ToPick t x) e =>
    bindo (ev r x) (fun i => if has_var r (get (-1) t i) then
      bindo (ev r e) (fun z => set_var r (get (-1) t i) z) else Flt)
  | Set_ (ToLocal i) e => bindo (ev r e) (fun z => On (set_locs r (upd (locs r) i (Kn z))))
  | Set_ ToNext e =>
    bindo (ev r e) (fun z => if (0 <=? z) && (z <? Z.of_nat pls) then On (set_next r z) else Flt)
  | Set_ ToRank e => bindo (ev r e) (fun z => On (set_rank r (Kn z)))
  | If c a b => bindo (ev r c) (fun x => if nz x then ex a r else ex b r)
  | While c b => loop rounds (fun r => ev r c) (ex b) endless [] r
  | Stop o => if o <? 0 then Ill else Fin (finish r o)
  end.
End Statements.

(** ** Turns *)

Section Turns.
Variable sys : system.
Variable rounds : nat.

Definition endless : Z := Z.of_nat (length (outcomes sys)) - 1.
Definition mute : env := Env (fun _ _ => F) [] None.
Definition exec (n : env) : stmt -> run -> out := ex (laps sys) (doms sys) (players sys) endless rounds n.
Definition eval (n : env) (r : run) (e : expr) : res := ev (laps sys) n r e.

(** The guard and the body of an action. A fault in either makes it illegal for all others. *)
Definition pass (n : env) (a : action) (s : state) : out :=
  if live s && (who a =? mover s) then
    let r := enter s ((mover s + 1) mod Z.of_nat (players sys)) (alocals a) in
    bindo (eval n r (guard a)) (fun g => if nz g then exec n (body a) r else Ill)
  else Ill.

(** Whether one of the actions passes. *)
Fixpoint passes (n : env) (l : list action) (s : state) : res :=
  match l with
  | [] => V 0
  | a :: l => match pass n a s with
    | On _ | Fin _ => V 1
    | Ill | Flt => passes n l s
    | Ukn => match passes n l s with V 1 => V 1 | _ => U end
    end
  end.
Definition plain : list action := filter (fun a => negb (fallback a)) (acts sys).

(** In reactions and in the guards of fallbacks, [NoMove] asks whether no other action passes. *)
Definition asking (par : list Z) (old : option run) : env := Env (fun q r =>
  match q with
  | NoMove => if over r =? -1 then bind (passes mute plain (leave r)) (fun x => V (truth (x =? 0))) else V 0
  | _ => F
  end) par old.
Definition rules_env : env := asking [] None.

(** In claims: also whether the mover is stuck. Whether a state is a start is not computed. *)
Definition claim_env (par : list Z) (old : option run) : env := Env (fun q r =>
  match q with
  | NoMove => ask rules_env NoMove r
  | IsStuck => if over r =? -1 then bind (passes rules_env (acts sys) (leave r)) (fun x => V (truth (x =? 0))) else V 0
  | IsStart => U
  end) par old.

(** The greatest rank of the actions that pass. *)
Fixpoint sets_rank (b : stmt) : bool :=
  match b with
  | Set_ ToRank _ => true
  | Seq a b | If _ a b => sets_rank a || sets_rank b
  | While _ b | Sow _ _ _ _ _ _ b => sets_rank b
  | _ => false
  end.
Definition ranked : bool := existsb (fun a => sets_rank (body a)) (acts sys).
Fixpoint outranked (k : Z) (l : list action) (s : state) : res :=
  match l with
  | [] => V 0
  | a :: l => match pass rules_env a s with
    | On r | Fin r => match rank r with
      | Kn z => if k <? z then V 1 else outranked k l s
      | _ => match outranked k l s with V 1 => V 1 | _ => U end
      end
    | Ill | Flt => outranked k l s
    | Ukn => match outranked k l s with V 1 => V 1 | _ => U end
    end
  end.

Definition moved (s : state) (m : Z) : state := St (seeds s) (vars s) m (outcome s).

(** The reactions, in order. *)
Fixpoint settle (ended : bool) (rs : list reaction) (s : state) : out :=
  match rs with
  | [] => On (enter s (mover s) 0)
  | x :: q =>
    if turn x && negb ended then settle ended q s else
    match nth_error (per x) (Z.to_nat (mover s)) with
    | None => settle ended q s
    | Some u =>
      bindo (eval rules_env (enter s (mover s) 0) (when u)) (fun c =>
        if nz c then
          match exec rules_env (does u) (enter s (mover s) (rlocals u)) with
          | On r => settle ended q (moved (leave r) (next r))
          | Ill => Flt
          | o => o
          end
        else settle ended q s)
    end
  end.

Definition conclude (s : state) (o : out) : out :=
  match o with
  | On r => settle (negb (next r =? mover s) || Nat.eqb (players sys) 1) (rxs sys) (moved (leave r) (next r))
  | o => o
  end.
Definition rank_of (o : out) : res := match o with On r | Fin r => rd (rank r) | Ukn => U | _ => F end.

(** The step of an action from a state. *)
Definition act (a : action) (s : state) : out :=
  let o := pass rules_env a s in
  if ranked then
    match o with
    | On _ | Fin _ => bindo (rank_of o) (fun k => bindo (outranked k (acts sys) s) (fun x =>
        if nz x then Ill else conclude s o))
    | o => o
    end
  else conclude s o.

Definition result (o : out) : option state := match o with On r | Fin r => Some (leave r) | _ => None end.

(** A board that the setup lays out becomes a start. docs/kernel.md has no start where an action
    that is tried for [NoMove] meets a fault; here it is illegal, so there may be more starts. *)
Definition starting (s : state) : out := settle false (rxs sys) s.
End Turns.

(** ** What is reachable *)

Definition in_range (r : Z * option Z) (z : Z) : Prop :=
  fst r <= z /\ match snd r with Some h => z <= h | None => True end.

(** A state whose cells are all known, of the right shape: boards hold no less than nothing, and
    variables have values in their domains. *)
Definition known (c : cell) : Prop := exists z, c = Kn z.
Definition wf (sys : system) (s : state) : Prop :=
  length (seeds s) = npits sys /\ Forall (fun c => exists z, c = Kn z /\ 0 <= z) (seeds s) /\
  Forall2 (fun d c => exists z, c = Kn z /\ In z d) (doms sys) (vars s).

Definition laid_out (sys : system) (s : state) : Prop :=
  wf sys s /\ vars s = map Kn (inits sys) /\ mover s = first sys /\ outcome s = -1 /\
  (forall i, (i < npits sys)%nat -> nth i (free sys) false = false -> nth i (seeds s) No = Kn 0) /\
  exists par z, Forall2 in_range (ranges sys) par /\
    eval sys (claim_env sys 0 par None) (enter s (first sys) 0) (setup sys) = V z /\ nz z = true.

Definition start (sys : system) (u : state) : Prop :=
  exists s rounds, laid_out sys s /\ result (starting sys rounds s) = Some u.
Definition step (sys : system) (a : action) (s u : state) : Prop :=
  exists rounds, result (act sys rounds a s) = Some u.
Inductive reach (sys : system) : state -> Prop :=
| reach_start u : start sys u -> reach sys u
| reach_step s u a : reach sys s -> In a (acts sys) -> step sys a s u -> reach sys u.

package rules

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Words of the language without a kernel expression or statement, expressed in the kernel.

// The registers of the running body and of the state that expressions read.
var (
	Last    = Register(LastReg)
	LastWas = Register(LastWasReg)
	Origin  = Register(OriginReg)
	Mover   = Register(MoverReg)
)

// Seeds returns the cell of the pit that is the value of an expression.
func Seeds(pit Expr) Cell {
	if c, ok := pit.(Const); ok && c.Value != None {
		return PitAt(c.Value)
	}
	return Cell{Sort: PitCell, Index: pit}
}

// HasOutcome holds in the states that are finished with an outcome, or for Live in those in which
// the game goes on.
func HasOutcome(outcome int) Expr {
	return Binary{Op: Eq, L: Register(OutcomeReg), R: Const{outcome, OutcomeType}}
}

// HasWon holds in the states that a player has won: by the outcome or, where that is an `end` and
// there are several players, by a score above all others. Nothing else in the program says who has
// won, but for the checkers of verdicts.
func (s *System) HasWon(player int) Expr {
	ahead := True
	for q, x := range s.Scores {
		if q != player {
			ahead = Join(And, ahead, Simplify(Binary{Op: Gt, L: s.Scores[player], R: x}, nil))
		}
	}
	won := False
	for i, o := range s.Outcomes {
		switch {
		case o.Kind == WinOutcome && o.Winner == player:
			won = Join(Or, won, HasOutcome(i))
		case o.Kind == EndOutcome && s.Scores != nil && len(s.Players) > 1:
			won = Join(Or, won, Join(And, HasOutcome(i), ahead))
		}
	}
	return won
}

// SomebodyHasWon holds in the states that a player has won, whichever it is.
func (s *System) SomebodyHasWon() Expr {
	won := False
	for player := range s.Players {
		won = Join(Or, won, s.HasWon(player))
	}
	return won
}

// In tests membership in the set of the pits whose entry is true.
func In(pit Expr, set []bool) Lookup {
	return Lookup{Table: &Table{Kind: MemberOf, Of: lists.Map(set, num.Truth)}, X: pit}
}

// Next returns the pit after another on a lap.
func (s *System) Next(pit Expr, lap int) Lookup {
	return Lookup{Table: &Table{Kind: NextOn, Lap: lap, Of: s.Laps[lap].Next}, X: pit}
}

// Before returns the pit before another on a lap.
func (s *System) Before(pit Expr, lap int) Lookup {
	return Lookup{Table: &Table{Kind: BeforeOn, Lap: lap, Of: s.Laps[lap].Prev}, X: pit}
}

// NextAlong and BeforeAlong are Next and Before for a lap that the System does not have.
func NextAlong(pit Expr, lap *Lap) Lookup {
	return Lookup{Table: &Table{Kind: NextOn, Lap: None, OwnLap: lap, Of: lap.Next}, X: pit}
}

func BeforeAlong(pit Expr, lap *Lap) Lookup {
	return Lookup{Table: &Table{Kind: BeforeOn, Lap: None, OwnLap: lap, Of: lap.Prev}, X: pit}
}

// RelatedBy is Related for a relation that the System does not have.
func RelatedBy(pit Expr, r *Relation) Lookup {
	return Lookup{Table: &Table{Kind: RelationOf, Relation: None, OwnRelation: r, Of: r.To}, X: pit}
}

// Related returns the pit that a relation leads to from another.
func (s *System) Related(pit Expr, relation int) Lookup {
	return Lookup{Table: &Table{Kind: RelationOf, Relation: relation, Of: s.Relations[relation].To}, X: pit}
}

// Index returns the number in the brackets of a pit.
func (s *System) Index(pit Expr) Lookup {
	return Lookup{Table: &Table{Kind: IndexOf, Of: lists.Map(s.Pits, func(p Pit) int { return p.Index })}, X: pit}
}

// SetVar sets a control variable.
func SetVar(v int, x Expr) Set { return Set{To: VarAt(v), X: x} }

// SetLocal sets a local.
func SetLocal(slot int, x Expr) Set { return Set{To: LocalAt(slot), X: x} }

// Again lets the mover move again after the action.
func Again(mover int) Set { return Set{To: Register(NextReg), X: FixedPlayer(mover)} }

// Prefer ranks the action: of all legal actions only those with the greatest rank stay legal. It is
// 0 without Prefer.
func Prefer(rank Expr) Set { return Set{To: Register(RankReg), X: rank} }

// Require makes the action illegal where cond does not hold.
func Require(cond Expr) If {
	return If{Cond: Simplify(Not{X: cond}, nil), Then: []Stmt{Stop{Outcome: Illegal}}}
}

package rules

import "github.com/mancheck/mancheck/dsl/diag"

// Stmt is a statement of the body of an action or ending.
type Stmt interface{ isStmt() }

// Sow takes seeds out of Source and drops them one by one along a lap.
//
// The first seed goes into StartAt, or into the Source itself with OriginFirst, or else into the pit after
// Source on the lap; each further one into the next pit of the lap, where pits with a true
// SkipIf (evaluated before the sowing, with Origin already set) get none, and pits in OnlyLast are passed over unless the seed
// in hand is the last one. Without Count all seeds of Source are sown. After each seed Last and LastWas
// are set and Drop is carried out. It makes the action illegal if there is no seed to sow, Count is more than Source holds,
// the line ends, or no pit of the lap can take the seed.
type Sow struct {
	Source      Expr
	Count       Expr // nil: all
	Lap         int
	SkipIf      []Expr // by pit; nil: never. The slice itself is nil if nothing is skipped
	OnlyLast    []bool // by pit; nil: none
	OriginFirst bool
	StartAt     Expr // nil: see above
	Drop        []Stmt
	At          diag.Range
}

// Gather moves all seeds of the pits From, in order, to the pit Into. A From that is None, or Into
// itself, gives nothing.
type Gather struct {
	From []Expr
	Into Expr
	At   diag.Range
}

// Take moves Count seeds.
type Take struct {
	Count, From, Into Expr
	At                diag.Range
}

// Assign sets a control variable, chosen as in VarRef.
type Assign struct {
	Table []int
	Index Expr
	X     Expr
	At    diag.Range
}

// SetLocal sets a local.
type SetLocal struct {
	Slot int
	X    Expr
}

// If carries out Then or Else.
type If struct {
	Cond       Expr
	Then, Else []Stmt
}

// While repeats Body as long as Cond holds. If the whole configuration (pits, variables, locals, last, origin)
// comes back at the loop's head, the loop never ends and the game is over with the outcome endless.
type While struct {
	Cond Expr
	Body []Stmt
	At   diag.Range
}

// Again lets the mover move again after the action.
type Again struct{}

// Finish ends the game; the rest of the body is not carried out, and no Ending is looked at.
type Finish struct{ Outcome int }

// Require makes the action illegal if Cond does not hold here.
type Require struct{ Cond Expr }

// Prefer ranks the action: of all legal actions only those with the greatest rank stay legal. Rank is 0 without it.
type Prefer struct{ Rank Expr }

func (Sow) isStmt()      {}
func (Gather) isStmt()   {}
func (Take) isStmt()     {}
func (Assign) isStmt()   {}
func (SetLocal) isStmt() {}
func (If) isStmt()       {}
func (While) isStmt()    {}
func (Again) isStmt()    {}
func (Finish) isStmt()   {}
func (Require) isStmt()  {}
func (Prefer) isStmt()   {}

// Blocks returns the statement lists inside s.
func Blocks(s Stmt) [][]Stmt {
	switch s := s.(type) {
	case Sow:
		return [][]Stmt{s.Drop}
	case If:
		return [][]Stmt{s.Then, s.Else}
	case While:
		return [][]Stmt{s.Body}
	}
	return nil
}

// Exprs returns the expressions that s evaluates itself, not those inside its blocks.
func Exprs(s Stmt) []Expr {
	var xs []Expr
	add := func(es ...Expr) {
		for _, e := range es {
			if e != nil {
				xs = append(xs, e)
			}
		}
	}
	switch s := s.(type) {
	case Sow:
		add(s.Source, s.Count, s.StartAt)
		add(s.SkipIf...)
	case Gather:
		add(s.From...)
		add(s.Into)
	case Take:
		add(s.Count, s.From, s.Into)
	case Assign:
		add(s.Index, s.X)
	case SetLocal:
		add(s.X)
	case If:
		add(s.Cond)
	case While:
		add(s.Cond)
	case Require:
		add(s.Cond)
	case Prefer:
		add(s.Rank)
	}
	return xs
}

// WalkStmts calls f on every statement of body, inner ones after the one that holds them.
func WalkStmts(body []Stmt, f func(Stmt)) {
	for _, s := range body {
		f(s)
		for _, b := range Blocks(s) {
			WalkStmts(b, f)
		}
	}
}

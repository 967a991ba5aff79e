package exec

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Stmt is a statement that was read once to be carried out often.
type Stmt struct {
	Body []Stmt // of a loop; of an `if`, what is done where the condition holds
	At   diag.Range

	sow               *Sow
	cond              *Expr  // of an `if` or a loop
	otherwise         []Stmt // of an `if`
	count, from, into *Expr  // of a transfer; count may be nil
	to, x             *Expr  // of an assignment

	of rules.Stmt // what was read
}

// Sow is a sowing that was read.
type Sow struct {
	*rules.Sow
	Skip []Skip // what decides in play whether pits get no seed
	Drop []Stmt

	skip                   []bool // by pit: it never gets a seed; nil: none
	lap                    *rules.Lap
	source, count, startAt *Expr // the latter two may be nil
}

// Skip says when a pit gets no seed.
type Skip struct {
	Pit int
	If  *Expr
}

// skips reads which pits get no seed.
func (s *Sow) skips() {
	for pit, x := range s.SkipIf {
		c, known := x.(rules.Const)
		if s.skip = append(s.skip, c.Value != 0); !known && x != nil {
			s.Skip = append(s.Skip, Skip{pit, ReadExpr(x)})
		}
	}
}

// readBody reads statements.
func readBody(sys *rules.System, body []rules.Stmt) []Stmt {
	list := make([]Stmt, len(body))
	for i, s := range body {
		list[i] = readStmt(sys, s)
	}
	return list
}

func readStmt(sys *rules.System, s rules.Stmt) Stmt {
	out := Stmt{of: s}
	switch s := s.(type) {
	case rules.Sow:
		out.sow = &Sow{
			Sow: &s, Drop: readBody(sys, s.Drop), lap: &sys.Laps[s.Lap],
			source: ReadExpr(s.Source), count: ReadExpr(s.Count), startAt: ReadExpr(s.StartAt),
		}
		out.sow.skips()
	case rules.Transfer:
		out.At, out.count, out.from, out.into = s.At, ReadExpr(s.Count), ReadExpr(s.From), ReadExpr(s.Into)
	case rules.Set:
		out.At, out.to, out.x = s.At, ReadExpr(s.To), ReadExpr(s.X)
	case rules.If:
		out.cond, out.Body, out.otherwise = ReadExpr(s.Cond), readBody(sys, s.Then), readBody(sys, s.Else)
	case rules.While:
		out.At, out.cond, out.Body = s.At, ReadExpr(s.Cond), readBody(sys, s.Body)
	case rules.Stop:
	}
	return out
}

package exec

import (
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Program is a System that is read once to be played often, when it is first needed. It may be used
// by several goroutines.
type Program struct {
	Sys *rules.System
	// Ranked reports by player whether some action of his has a `prefer`; Setup is the condition of
	// the setup.
	Ranked func() []bool
	Setup  func() *Expr

	actions   []atomic.Pointer[Action]
	reactions func() []reaction
}

// Action is an action that was read.
type Action struct {
	*rules.Action
	At *diag.Range // of its move
	body
}

// reaction is a reaction that was read, by player to move.
type reaction struct {
	*rules.Reaction
	by []body
}

// body is what is done on a condition, which may be nil.
type body struct {
	when   *Expr
	list   []Stmt
	locals int
}

// Read makes the Program of a System.
func Read(sys *rules.System) *Program {
	p := &Program{Sys: sys, Ranked: sync.OnceValue(sys.Ranked), actions: make([]atomic.Pointer[Action], len(sys.Actions))}
	p.Setup = sync.OnceValue(func() *Expr { return ReadExpr(sys.Start.Cond) })
	p.reactions = sync.OnceValue(func() (list []reaction) {
		for i := range sys.Reactions {
			e := &sys.Reactions[i]
			list = append(list, reaction{e, lists.Map(e.By, func(by rules.ReactionFor) body {
				return body{ReadExpr(by.When), readBody(sys, by.Body), len(by.Locals)}
			})})
		}
		return list
	})
	return p
}

// Action returns an action, which is read when it is first asked for: there may be very many.
func (p *Program) Action(i int) *Action {
	if a := p.actions[i].Load(); a != nil {
		return a
	}
	a := &p.Sys.Actions[i]
	out := &Action{Action: a, body: body{ReadExpr(a.Guard), readBody(p.Sys, a.Body), len(a.Locals)}}
	if a.Move < len(p.Sys.Moves) {
		out.At = &p.Sys.Moves[a.Move].At
	}
	p.actions[i].CompareAndSwap(nil, out) // others may have read it meanwhile
	return p.actions[i].Load()
}

// Expr is an expression that was read once to be evaluated often. What a domain needs of it is
// exported.
type Expr struct {
	Of       rules.Expr   // what was read
	Op       rules.Op     // of an operator
	Table    *rules.Table // of a lookup
	X, Right *Expr        // operands in the order of the text
	Parts    []*Expr      // of a chain of one `and` or `or`, which has no X

	kind  kind
	n     int   // the number of a constant, parameter or question; the slot of a cell
	list  []int // the pits of a sum; the variables that an index chooses from, nil if it chooses a pit
	other *Expr // the third operand
}

// kind says what an expression is. The kinds of fixed cells are in the order of their sorts.
type kind uint8

const (
	foreign kind = iota
	pitCell
	varCell
	localCell
	registerCell
	chosenPit // by an index, X
	chosenVar
	constant
	param
	sum
	lookup
	not
	operator
	junction
	conditional
	question
	old
)

// sort is that of a cell.
func (e *Expr) sort() rules.Sort {
	switch e.kind {
	case chosenPit:
		return rules.PitCell
	case chosenVar:
		return rules.VarCell
	}
	return rules.Sort(e.kind - pitCell)
}

// ReadExpr reads an expression; nil if there is none.
func ReadExpr(x rules.Expr) *Expr {
	switch of := x.(type) {
	case rules.Const:
		return &Expr{Of: x, kind: constant, n: of.Value}
	case rules.OpenParam:
		return &Expr{Of: x, kind: param, n: of.Param}
	case rules.Cell:
		e := &Expr{Of: x, kind: pitCell + kind(of.Sort), n: of.Slot}
		if of.Index != nil && of.Sort <= rules.VarCell {
			e.kind, e.list, e.X = chosenPit+kind(of.Sort), of.Table, ReadExpr(of.Index)
		}
		return e
	case rules.Sum:
		return &Expr{Of: x, kind: sum, list: of.Pits}
	case rules.Lookup:
		return &Expr{Of: x, kind: lookup, Table: of.Table, X: ReadExpr(of.X)}
	case rules.Not:
		return &Expr{Of: x, kind: not, X: ReadExpr(of.X)}
	case rules.Binary:
		if of.Op == rules.And || of.Op == rules.Or {
			return &Expr{Of: x, kind: junction, Op: of.Op, Parts: chain(of)}
		}
		return &Expr{Of: x, kind: operator, Op: of.Op, X: ReadExpr(of.L), Right: ReadExpr(of.R)}
	case rules.Cond:
		return &Expr{Of: x, kind: conditional, X: ReadExpr(of.If), Right: ReadExpr(of.Then), other: ReadExpr(of.Else)}
	case rules.Question:
		return &Expr{Of: x, kind: question, n: int(of)}
	case rules.Old:
		return &Expr{Of: x, kind: old, X: ReadExpr(of.X)}
	case nil:
		return nil
	}
	return &Expr{Of: x}
}

// chain reads the parts that one operator joins. Setups and guards are long chains, nested to the
// left.
func chain(x rules.Binary) []*Expr {
	if inner, is := x.L.(rules.Binary); is && inner.Op == x.Op {
		return append(chain(inner), ReadExpr(x.R))
	}
	return []*Expr{ReadExpr(x.L), ReadExpr(x.R)}
}

// At is the place of a fault.
func (e *Expr) At() diag.Range {
	switch of := e.Of.(type) {
	case rules.Cell:
		return of.At
	case rules.Lookup:
		return of.At
	case rules.Binary:
		return of.At
	case rules.Const, rules.Cond, rules.Not, rules.Old, rules.OpenParam, rules.Question, rules.Sum:
	}
	return diag.Range{}
}

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

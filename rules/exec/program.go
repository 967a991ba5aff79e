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

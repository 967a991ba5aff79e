package exec

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Program is a System that is read once to be played often, when it is first needed. It may be used
// by several goroutines.
type Program struct {
	Sys *rules.System
	// Ranked reports by player whether some action of his has a `prefer`.
	Ranked func() []bool

	actions   []atomic.Pointer[Action]
	reactions func() []reaction
	claims    sync.Map // Exprs by identity
	count     atomic.Int32
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
	p.reactions = sync.OnceValue(func() (list []reaction) {
		for i := range sys.Reactions {
			e := &sys.Reactions[i]
			list = append(list, reaction{e, lists.Map(e.By, func(by rules.ReactionFor) body {
				return body{read(by.When), readBody(sys, by.Body), len(by.Locals)}
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
	out := &Action{Action: a, body: body{read(a.Guard), readBody(p.Sys, a.Body), len(a.Locals)}}
	if a.Move < len(p.Sys.Moves) {
		out.At = &p.Sys.Moves[a.Move].At
	}
	p.actions[i].CompareAndSwap(nil, out) // others may have read it meanwhile
	return p.actions[i].Load()
}

// identity is the type of an expression, and where its value lies. Expressions do not change, so
// two with the same identity are equal as long as both exist.
type identity [2]uintptr

// mostClaims bounds the expressions that are kept.
const mostClaims = 1 << 10

// Expr reads an expression of a claim. There are few, and each is evaluated in many states: those
// that were read last are kept, and so nothing else comes to lie where they do.
func (p *Program) Expr(x rules.Expr) *Expr {
	id := *(*identity)(unsafe.Pointer(&x))
	if e, ok := p.claims.Load(id); ok {
		return e.(*Expr)
	}
	if p.count.Add(1)%mostClaims == 0 {
		p.claims.Clear()
	}
	e := read(x)
	p.claims.Store(id, e)
	return e
}

package residual

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Player plays single actions in states that have nothing to do with each other, with any number of
// seeds. Its programs do not depend on how many seeds are sown, or there would be as many programs
// as states. It makes new ones when a state has more seeds than those before. It is for one
// goroutine.
type Player struct {
	ctx     context.Context
	in      *interp.Interp
	slow    *interp.Player
	kept    rules.Parts
	cond    rules.Expr
	codec   *pack.Codec
	stepper *Stepper // nil: no state was played
	holds   *Predicate
	settle  int32 // the program of the reactions at the start
	key     []uint64
	place   int // of the action played last, in its menu
	batch   pack.Batch
	after   *pack.Flat
}

// NewPlayer returns a Player of a System, for the kept parts of its states, that plays until ctx
// ends. It also evaluates a condition, which may be nil.
func NewPlayer(ctx context.Context, sys *rules.System, kept rules.Parts, cond rules.Expr) *Player {
	in := interp.New(sys).Within(ctx)
	return &Player{ctx: ctx, in: in, slow: in.Player(), kept: kept, cond: cond, after: pack.NewFlat(sys)}
}

// System returns the System that is played.
func (p *Player) System() *rules.System { return p.in.System() }

// Do executes one action in s, whose other parts are empty or have their initial values. It is as
// interp.Player.Do, but says nothing of the other parts of the state that the action leads to. That
// state belongs to p and is valid until the next call.
func (p *Player) Do(s *pack.Flat, action int) (to *pack.Flat, legal bool, err error) {
	key, legal, err := p.do(s, action)
	if legal && key != nil {
		p.codec.Unpack(key, p.after)
	}
	return p.after, legal, err
}

// Leads reports whether an action leads from s to a state that agrees with another one in the
// player to move, the outcome, and these cells, which are kept. Otherwise it is as Do.
func (p *Player) Leads(s *pack.Flat, action int, to *pack.Flat, cells []int) (bool, error) {
	key, legal, err := p.do(s, action)
	if err != nil || !legal {
		return false, err
	}
	if key == nil {
		differs := func(i int) bool { return p.after.Cells[i] != to.Cells[i] }
		return p.after.Mover == to.Mover && p.after.Outcome == to.Outcome && !slices.ContainsFunc(cells, differs), nil
	}
	status := to.Mover
	if to.Outcome != rules.Live {
		status = len(p.in.System().Players) + to.Outcome
	}
	st := &p.stepper.status
	if int(key[st.Word]>>(st.Shift&63)&st.Mask) != status {
		return false, nil
	}
	for _, i := range cells {
		v := p.codec.Rest(i)
		if f := &p.stepper.compiler.places[i]; f.has {
			v = f.in(key)
		}
		if v != to.Cells[i] {
			return false, nil
		}
	}
	return true, nil
}

// do executes one action in s, and returns the key of the state that it leads to, or nil if that is
// in p.after.
func (p *Player) do(s *pack.Flat, action int) (key []uint64, legal bool, err error) {
	if s.Outcome != rules.Live || p.in.System().Actions[action].Mover != s.Mover {
		return nil, false, nil
	}
	if p.take(s) {
		menu := p.stepper.menu(p.key)
		if !p.find(menu, int32(action)) {
			return nil, false, nil
		}
		switch how := p.stepper.play(&menu.actions[p.place], p.key); how {
		case done, illegal:
			return p.stepper.w, how == done, nil
		case pause:
			if p.batch.Reset(); p.stepper.Expand(p.key, &p.batch) != nil {
				break // perhaps because of another action
			}
			i := slices.Index(p.batch.Actions, int32(action))
			if i < 0 {
				return nil, false, nil
			}
			return p.batch.Keys[i*len(p.key):], true, nil
		}
	}
	to, legal, err := p.slow.Do(s.View(p.in.System()), action)
	if legal {
		p.after.Set(to)
	}
	return nil, legal, err
}

// find looks for an action in a menu, first where the one before was found.
func (p *Player) find(m *menu, action int32) (is bool) {
	if p.place >= len(m.actions) || m.actions[p.place].action != action {
		p.place, is = slices.BinarySearchFunc(m.actions, action, func(e entry, action int32) int { return int(e.action - action) })
		return is
	}
	return true
}

// Holds evaluates the condition in s.
func (p *Player) Holds(s *pack.Flat) (bool, error) {
	if !p.take(s) {
		return p.in.Holds(p.cond, s.View(p.in.System()), nil)
	}
	return p.stepper.Holds(p.holds, View{Key: p.key})
}

// Settled reports whether a live state, of the player who begins, remains as it is when it is
// settled as a start. If that is not known it is false.
func (p *Player) Settled(s *pack.Flat) bool {
	if !p.take(s) {
		return false
	}
	return p.stepper.run(p.settle, p.stepper.w, p.key) == done && slices.Equal(p.stepper.w, p.key)
}

// take packs s, for which it makes a Stepper if there is no room. It fails if there are too many
// seeds to count.
func (p *Player) take(s *pack.Flat) bool {
	sys := p.in.System()
	seeds, ok := num.Sum(s.Cells[:len(sys.Pits)])
	if ok && (p.stepper == nil || seeds > p.codec.Seeds()) {
		most := 1 << 5
		for seeds >= most && most < 1<<40 {
			most *= most
		}
		if seeds >= most {
			most = num.Most
		}
		codec, err := pack.NewCodec(sys, most-1, p.kept)
		if err != nil {
			return false
		}
		p.codec, p.stepper = codec, New(p.ctx, sys, codec)
		c := p.stepper.compiler
		c.most = 0
		p.holds = p.stepper.Compile(p.cond)
		start := c.start()
		start.mover = sys.Start.Mover
		p.settle = c.made(point{env: start})
		p.key = make([]uint64, codec.Words())
	}
	return ok && p.codec.Pack(s, p.key) == nil
}

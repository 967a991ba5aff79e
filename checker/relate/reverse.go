package relate

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
)

// reverse looks, for every reachable step of the left from s to t, for a move of the right from the
// board of t to that of s. On the right the variables have their initial values, the only player is
// to move, and pits that are not compared are empty.
func (s *search) reverse() error {
	left := s.sides[0]
	if err := s.blank(); err != nil {
		return err
	}
	if err := left.listStarts(s.ctx, s.opt.MaxStates); err != nil {
		return err
	}
	live := slices.DeleteFunc(slices.Clone(left.starts), func(st rules.State) bool { return !st.Live() })
	return s.play(undoing{game.Of(s.ctx, left.sys), s}, live, func(st rules.State) []rules.State { return []rules.State{st} })
}

// blank rejects a right side whose moves depend on more than the compared pits.
func (s *search) blank() error {
	right := s.sides[1]
	if len(right.sys.Players) > 1 {
		return undecided("%s has several players: the board does not show who takes the step back", right.title)
	}
	kept := slice.Keep(s.ctx, right.sys, rules.Sum{Pits: right.shown})
	for v, matters := range kept.Vars {
		if matters && len(right.sys.Vars[v].Domain) > 1 {
			return undecided("`%s` of %s matters, and the board does not show its value", right.sys.Vars[v].Name, right.title)
		}
	}
	for p, matters := range kept.Pits {
		if matters && !slices.Contains(right.shown, p) {
			return undecided("`%s` of %s matters, and is not compared", right.sys.Pits[p].Name, right.title)
		}
	}
	return nil
}

// undoing is the game of the left side, which refuses steps that the right does not take back.
// Finished states are not states of it.
type undoing struct {
	game.Rules
	*search
}

// Identity implements game.Rules.
func (u undoing) Identity() []byte {
	l, r := u.sides[0], u.sides[1]
	return fmt.Appendf(nil, "%d\n%v %v\n%s\n%s", u.kind, l.shown, r.shown, l.sys.Canonical(), r.sys.Canonical())
}

// On implements game.Rules.
func (u undoing) On(codec *pack.Codec) (game.Game, error) {
	left, right := u.sides[0], u.sides[1]
	c, err := pack.NewCodec(right.sys, codec.Seeds(), rules.Parts{})
	if err != nil {
		return nil, err
	}
	shown := func(cell int) int {
		if k := slices.Index(left.shown, cell); k >= 0 {
			return right.shown[k]
		}
		return rules.None
	}
	g := &undoer{
		leftStepper: residual.New(u.ctx, left.sys, codec), rightStepper: residual.New(u.ctx, right.sys, c), words: codec.Words(),
		players: uint64(len(left.sys.Players)), status: codec.Status(), across: pack.NewRoute(codec, c, shown, false),
		blank: make([]uint64, c.Words()), back: make([]uint64, c.Words()), goal: make([]uint64, c.Words()), boards: make([]uint64, c.Words()),
	}
	g.across.Mask(g.boards)
	flat := pack.NewFlat(right.sys)
	flat.Set(right.sys.EmptyStart())
	return g, c.Pack(flat, g.blank)
}

// undoer is undoing on packed states.
type undoer struct {
	leftStepper, rightStepper *residual.Stepper
	words                     int
	players                   uint64
	status                    pack.Field
	across                    pack.Route // carries the board from left to right
	boards                    []uint64   // the bits of a state of the right that hold the board
	blank, back, goal         []uint64   // states of the right: without seeds, before the move, and after it
	moves                     pack.Batch
}

// CanMove implements game.Game.
func (u *undoer) CanMove(key []uint64) (bool, error) { return u.leftStepper.CanMove(key) }

// Expand implements game.Game.
func (u *undoer) Expand(key []uint64, out *pack.Batch) error {
	first := len(out.Actions)
	if err := u.leftStepper.Expand(key, out); err != nil {
		return err
	}
	clear(u.goal)
	u.across.Carry(key, u.goal)
	// Steps that end the game are checked, and then dropped.
	n := first
	for i := first; i < len(out.Actions); i++ {
		to := out.Keys[i*u.words : (i+1)*u.words]
		back, err := u.takenBack(to, out)
		if err != nil {
			return blame(1, err)
		}
		if !back {
			return refuse(&unlike{is: rules.NotTakenBack, actions: [2]int{int(out.Actions[i]), rules.None}})
		}
		if to[u.status.Word]>>(u.status.Shift&63)&u.status.Mask >= u.players {
			out.Ends++
			continue
		}
		copy(out.Keys[n*u.words:], to)
		out.Actions[n] = out.Actions[i]
		n++
	}
	out.Keys, out.Actions = out.Keys[:n*u.words], out.Actions[:n]
	return nil
}

// takenBack reports whether the right has a move from the board of a state to u.goal.
func (u *undoer) takenBack(from []uint64, out *pack.Batch) (bool, error) {
	copy(u.back, u.blank)
	u.across.Carry(from, u.back)
	u.moves.Reset()
	u.moves.Check = out.Check
	if err := u.rightStepper.Expand(u.back, &u.moves); err != nil {
		return false, err
	}
	for keys := u.moves.Keys; len(keys) > 0; keys = keys[len(u.goal):] {
		differs := uint64(0)
		for i, b := range u.boards {
			differs |= (keys[i] ^ u.goal[i]) & b
		}
		if differs == 0 {
			return true, nil
		}
	}
	return false, nil
}

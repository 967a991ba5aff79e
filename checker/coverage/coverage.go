// Package coverage counts in how many steps each place of the rules is carried out, and in how many
// its conditions are true and false.
//
// A System with marks (rules.Marked) is played beside the game, on states that have words for the
// marks behind those of the game. In the state before a step no mark is set, so the marks of the
// state after it say what the step came to. They are counted, and cut off. What is left is the step
// of the game, so a search or a simulation finds what it finds without being counted.
//
//	coverage.go  the game that counts
//	report.go    searches, and what several of them and simulations have counted, by place
package coverage

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Rules are the rules of a System, whose games count the steps that they list. They are game.Rules.
type Rules struct {
	game.Rules
	ctx    context.Context
	marked *rules.Marked

	mu    sync.Mutex
	games []*Game
	start Counts // what the settling of starts has carried out
}

// Of returns the rules of a System that is marked, for play until ctx ends.
func Of(ctx context.Context, sys *rules.System, marked *rules.Marked) *Rules {
	return &Rules{Rules: game.Of(ctx, sys), ctx: ctx, marked: marked, start: newCounts(marked)}
}

// Starts lists the starts of the game, and counts what settles them.
func (r *Rules) Starts(ctx context.Context, yield func(rules.State) error) error {
	r.start = newCounts(r.marked)
	return space.Starts(ctx, interp.New(r.marked.Sys).Within(ctx), func(st rules.State) error {
		for i, set := range st.Vars[r.marked.Vars:] {
			r.start.Marks[i] += int64(set)
		}
		st.Vars = st.Vars[:r.marked.Vars:r.marked.Vars]
		return yield(st)
	})
}

// Counts returns what all games have counted so far. None may be playing.
func (r *Rules) Counts() Counts {
	out := newCounts(r.marked)
	out.Add(r.start)
	for _, g := range r.games {
		g.tally.flush(out.Marks)
		for action, n := range g.actions {
			out.Moves[r.marked.Sys.Actions[action].Move] += n
		}
		for i := range out.Marks {
			if g.asked[i/64]>>(i%64)&1 != 0 {
				out.Marks[i] = 1
			}
		}
	}
	return out
}

// On implements game.Rules.
func (r *Rules) On(codec *pack.Codec) (game.Game, error) { return r.Play(codec) }

// Play is On with the type of the game.
func (r *Rules) Play(codec *pack.Codec) (*Game, error) {
	plain, err := r.Rules.On(codec)
	if err != nil {
		return nil, err
	}
	wide := codec.With(r.marked.Sys)
	g := &Game{
		Game: plain, stepper: residual.New(r.ctx, r.marked.Sys, wide), words: codec.Words(), key: make([]uint64, wide.Words()),
		status: codec.Status(), tally: newTally(wide.Words() - codec.Words()), actions: make([]int64, len(r.marked.Sys.Actions)),
	}
	g.endless = uint64(len(r.marked.Sys.Players) + r.marked.Sys.Endless())
	g.stepper.Notes(r.marked.Vars)
	g.asked, g.after = make([]uint64, wide.Words()-codec.Words()), make([]uint64, wide.Words())
	if r.marked.Survey != nil {
		g.surveyor = residual.New(r.ctx, r.marked.Survey, wide)
		g.surveyor.Notes(r.marked.Vars)
		for _, p := range r.marked.Places {
			if p.Kind == rules.GuardPlace || p.Kind == rules.GuardPart {
				g.unseen += 2
			}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.games = append(r.games, g)
	return g, nil
}

// Game is a game that counts. It belongs to one goroutine.
type Game struct {
	game.Game // of the System without marks
	stepper   *residual.Stepper
	words     int      // of a state of the game
	key       []uint64 // of a state with marks
	status    pack.Field
	endless   uint64 // the status of a turn that never ends
	steps     pack.Batch
	tally     tally
	actions   []int64 // by action: steps

	surveyor *residual.Stepper
	unseen   int        // how many marks of guards are not set in asked
	asked    []uint64   // the marks that surveys have set
	after    []uint64   // the state after a survey
	others   pack.Batch // for the surveyor
}

// Expand implements game.Game.
func (g *Game) Expand(key []uint64, out *pack.Batch) error {
	n := len(out.Keys)
	g.steps.Check = out.Check
	if err := g.expand(key); err != nil {
		return err
	}
	endless := false
	for i, action := range g.steps.Actions {
		to := g.steps.Keys[i*len(g.key):][:len(g.key)]
		g.tally.add(to[g.words:])
		g.actions[action]++
		endless = endless || to[g.status.Word]>>g.status.Shift&g.status.Mask == g.endless
		out.Keys, out.Actions = append(out.Keys, to[:g.words]...), append(out.Actions, action)
	}
	if !endless {
		return nil
	}
	// A turn comes round later if marks are set in it, and stops in another state of its circle.
	out.Keys, out.Actions = out.Keys[:n], out.Actions[:len(out.Actions)-(len(out.Keys)-n)/g.words]
	return g.Game.Expand(key, out)
}

// expand lists the steps of a state with marks. It also looks what guards say, until each of them
// has been true and false.
func (g *Game) expand(key []uint64) error {
	copy(g.key, key)
	g.steps.Reset()
	if err := g.stepper.Expand(g.key, &g.steps); err != nil || g.unseen == 0 {
		return err
	}
	list, _ := g.surveyor.Menu(g.key)
	last := len(list) - 1
	if last < 0 || int(list[last]) < len(g.actions) {
		return nil
	}
	if _, err := g.surveyor.Play(g.key, last, list[last], g.after, &g.others); err != nil {
		return err
	}
	for i, word := range g.after[g.words:] {
		g.unseen -= bits.OnesCount64(word &^ g.asked[i])
		g.asked[i] |= word
	}
	return nil
}

// Count counts one step of a state, and looks what guards say in it.
func (g *Game) Count(key []uint64, action int32) error {
	if err := g.expand(key); err != nil {
		return err
	}
	if i := slices.Index(g.steps.Actions, action); i >= 0 {
		g.tally.add(g.steps.Keys[i*len(g.key)+g.words:][:len(g.key)-g.words])
		g.actions[action]++
	}
	return nil
}

// Counts are numbers of steps. That of a mark of a guard is 1 if it was set in some state.
type Counts struct {
	Moves []int64 // by move of the System
	Marks []int64 // by mark
}

func newCounts(m *rules.Marked) Counts {
	return Counts{make([]int64, len(m.Sys.Moves)), make([]int64, m.Marks())}
}

// Add adds other counts of the same System.
func (c *Counts) Add(d Counts) {
	for i, n := range d.Moves {
		c.Moves[i] += n
	}
	for i, n := range d.Marks {
		c.Marks[i] += n
	}
}

// planes is how many bits of a counter are kept apart from the others.
const planes = 16

// tally counts for each bit of some words how often it was set. It adds all bits of a word at once:
// plane k has the k-th binary digit of each bit's number.
type tally struct {
	digits [][planes]uint64 // by word
	added  int              // since the digits were 0
	sums   []int64          // by bit, of what was added before
}

func newTally(words int) tally {
	return tally{digits: make([][planes]uint64, words), sums: make([]int64, 64*words)}
}

// add counts the bits of words.
func (t *tally) add(words []uint64) {
	for i, carry := range words {
		digits := &t.digits[i]
		for k := 0; carry != 0; k++ {
			digits[k], carry = digits[k]^carry, digits[k]&carry
		}
	}
	if t.added++; t.added == 1<<planes-1 {
		t.settle()
	}
}

// settle moves what the digits say to the sums.
func (t *tally) settle() {
	for i := range t.digits {
		for k, word := range t.digits[i] {
			for bit := range 64 {
				t.sums[64*i+bit] += int64(word>>bit&1) << k
			}
		}
		t.digits[i] = [planes]uint64{}
	}
	t.added = 0
}

// flush adds the numbers of the first bits to sums.
func (t *tally) flush(sums []int64) {
	t.settle()
	for i := range sums {
		sums[i] += t.sums[i]
	}
}

package forward

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
)

// Perft counts the sequences of 1, 2, … depth moves from a start. A finished state ends its
// sequence. It stores no states, so it tests the generation of moves itself. An error is the
// context's or a *PlayError.
func Perft(ctx context.Context, sys *rules.System, start rules.State, depth int) ([]uint64, error) {
	p := &perft{ctx: ctx, sys: sys, depth: depth}
	p.from(start)
	for len(p.counts) < depth && p.err == nil {
		p.counts = append(p.counts, 0)
	}
	return p.counts, p.err
}

// ErrPlays is the error of Plays if a count exceeds its limit.
var ErrPlays = errors.New("the limit on plays is reached")

// MaxPlies bounds the length of the plays that are counted. Each ply has its own list of moves.
const MaxPlies = 10_000

// ErrPlies is the error of Perft and Plays if longer plays than MaxPlies exist and are requested.
var ErrPlies = fmt.Errorf("plays go on after %d moves, and longer ones are not counted", MaxPlies)

// Plays is Perft summed over all starts. It fails with ErrPlays if the total of all counts exceeds
// limit, unless that is 0. The result ends at the length of the longest play.
func Plays(ctx context.Context, sys *rules.System, starts Starts, depth int, limit uint64) ([]uint64, error) {
	p := &perft{ctx: ctx, sys: sys, depth: depth, limit: limit}
	err := starts(ctx, func(s rules.State) error {
		p.from(s)
		return p.err
	})
	return p.counts, err
}

// perft is a running count.
type perft struct {
	ctx     context.Context
	sys     *rules.System
	codec   *pack.Codec
	stepper *residual.Stepper
	depth   int
	start   rules.State
	counts  []uint64 // by ply
	plies   []*ply   // as many as the longest play so far has moves
	work    int      // positions since the context was checked
	plays   uint64   // of any number of moves
	limit   uint64   // 0: none
	err     error
}

// room makes room for states with so many seeds.
func (p *perft) room(seeds int) (err error) {
	if p.codec != nil && p.codec.Seeds() >= seeds {
		return nil
	}
	if p.codec, err = pack.NewCodec(p.sys, seeds, rules.Parts{}); err != nil {
		return err
	}
	p.plies = p.plies[:0]
	p.stepper = residual.New(p.ctx, p.sys, p.codec)
	return nil
}

// from counts the plays from one start.
func (p *perft) from(start rules.State) {
	if p.start = start; p.depth == 0 {
		return
	}
	if p.err = p.room(start.Total()); p.err != nil {
		return
	}
	flat, key := pack.NewFlat(p.sys), make([]uint64, p.codec.Words())
	flat.Set(start)
	if p.err = p.codec.Pack(flat, key); p.err == nil && p.deeper(0) {
		p.play(0, key)
	}
}

// deeper makes sure that there is a ply for this depth.
func (p *perft) deeper(depth int) bool {
	switch {
	case depth < len(p.plies):
	case depth == MaxPlies:
		p.err = ErrPlies
	default:
		p.plies = append(p.plies, &ply{steps: pack.Batch{Check: p.ctx.Err}})
		if depth == len(p.counts) {
			p.counts = append(p.counts, 0)
		}
	}
	return p.err == nil
}

// ply is one depth of the count.
type ply struct {
	steps pack.Batch // of the state there
	taken int
}

// often is how many positions may be visited between two checks of the context.
const often = 1 << 10

// play counts the plays from the state at a depth.
func (p *perft) play(depth int, key []uint64) {
	l, words, status := p.plies[depth], len(key), p.codec.Status()
	if p.work++; p.work%often == 0 && p.ctx.Err() != nil {
		p.err = p.ctx.Err()
		return
	}
	l.steps.Reset()
	if err := p.stepper.Expand(key, &l.steps); err != nil {
		p.fail(depth, err)
		return
	}
	n := uint64(len(l.steps.Actions))
	p.counts[depth] += n
	if p.plays += n; p.limit > 0 && p.plays > p.limit {
		p.err = ErrPlays
		return
	}
	for l.taken = range l.steps.Actions {
		to := l.steps.Keys[l.taken*words : (l.taken+1)*words]
		live := to[status.Word]>>status.Shift&status.Mask < uint64(len(p.sys.Players))
		if depth+1 < p.depth && live && p.deeper(depth+1) {
			p.play(depth+1, to)
		}
		if p.err != nil {
			return
		}
	}
}

// fail ends the count with an error in the state at a depth.
func (p *perft) fail(depth int, err error) {
	if p.err = p.ctx.Err(); p.err != nil {
		return
	}
	t := Trace{Start: p.start.Clone()}
	for _, before := range p.plies[:depth] {
		t.Actions = append(t.Actions, int(before.steps.Actions[before.taken]))
	}
	p.err = &PlayError{Fault: err, Trace: t}
}

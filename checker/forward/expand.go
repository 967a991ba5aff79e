package forward

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
)

// expander lists the steps of packed states. Each worker has its own.
type expander interface {
	// Expand appends the steps of the state with this key to out: settled successors, in the order
	// of the actions. A finished state has none. The error is that of out.Check, or an error in the
	// rules as of step.Machine.Successors; what it has appended then means nothing.
	Expand(key []uint64, out *pack.Batch) error
}

// unpacker is the expander that plays unpacked states.
type unpacker struct {
	machine *step.Machine
	codec   *pack.Codec
	from    *pack.Flat
	key     []uint64
	out     *pack.Batch
	err     error
	visit   func(int, *pack.Flat) bool // add, made once
}

func newUnpacker(m *step.Machine, c *pack.Codec) *unpacker {
	u := &unpacker{machine: m, codec: c, from: pack.NewFlat(m.System()), key: make([]uint64, c.Words())}
	u.visit = u.add
	return u
}

// Expand implements expander.
func (u *unpacker) Expand(key []uint64, out *pack.Batch) error {
	u.codec.Unpack(key, u.from)
	u.out, u.err = out, nil
	if err := u.machine.Successors(u.from, u.visit); err != nil {
		return err
	}
	return u.err
}

// add appends one step.
func (u *unpacker) add(action int, to *pack.Flat) bool {
	if u.err = u.codec.Pack(to, u.key); u.err != nil {
		return false
	}
	out := u.out
	out.Keys = append(out.Keys, u.key...)
	out.Actions = append(out.Actions, int32(action))
	if len(out.Actions)%pack.CheckEvery == 0 && out.Check != nil {
		u.err = out.Check()
	}
	return u.err == nil
}

package cert

import (
	"context"
	"encoding/base64"
	"encoding/binary"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// pack encodes states one after another: outcome, mover, kept variables and kept pits, each as a
// variable-length number. The bytes are in base64. With numbers, each state is followed by its
// number.
func (c coder) pack(states []rules.State, numbers []int) Packed {
	var out []byte
	for i, s := range states {
		out = partial.AppendState(out, s, c.kept)
		if numbers != nil {
			out = binary.AppendVarint(out, int64(numbers[i]))
		}
	}
	return packed(len(states), out)
}

func packed(count int, data []byte) Packed {
	return Packed{Count: count, Text: base64.StdEncoding.EncodeToString(data)}
}

// bytes reverses packed. There is one text for each list of bytes.
func (p *Packed) bytes() ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(p.Text)
	if err != nil {
		return nil, reject("the packed states: %v", err)
	}
	return data, nil
}

// unpack reverses pack. It fails if there is something that is not a state of the System, or a
// negative number.
func (c coder) unpack(ctx context.Context, p *Packed, numbered bool) ([]rules.State, []int, error) {
	data, err := p.bytes()
	if err != nil {
		return nil, nil, err
	}
	var numbers []int
	u := unpacking{coder: c, rest: data}
	states := make([]rules.State, 0, max(0, min(p.Count, len(data))))
	for len(u.rest) > 0 && !u.bad {
		if len(states)%lookEvery == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		states = append(states, u.state())
		if numbered {
			numbers = append(numbers, u.next(within(0, num.Most)))
		}
	}
	if u.bad || len(states) != p.Count {
		return nil, nil, reject("the packed states are not %d states of this System", p.Count)
	}
	return states, numbers, nil
}

// unpacking decodes packed numbers. After an error every call fails.
type unpacking struct {
	coder
	rest []byte
	bad  bool
	room []int // allocated ahead for the cells of the next states
}

// cells returns n zeros for the cells of a state. They come from large blocks, because there are
// many states.
func (u *unpacking) cells(n int) []int {
	if len(u.room) < n {
		u.room = make([]int, max(n, 1<<14))
	}
	out := u.room[:n:n]
	u.room = u.room[n:]
	return out
}

// next decodes a number. It fails if pass rejects it, or if it has more bytes than it needs.
func (u *unpacking) next(pass func(int) bool) int {
	v, n := binary.Varint(u.rest)
	if n <= 0 || n > 1 && u.rest[n-1] == 0 || int64(int(v)) != v || !pass(int(v)) {
		u.bad, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[n:]
	return int(v)
}

func within(lo, hi int) func(int) bool { return func(n int) bool { return lo <= n && n <= hi } }

// state decodes a state. Parts that are not kept get their initial values.
func (u *unpacking) state() rules.State {
	s := rules.State{Seeds: u.cells(len(u.sys.Pits)), Vars: u.cells(len(u.sys.Vars))}
	for v := range s.Vars {
		s.Vars[v] = u.sys.Vars[v].Init
	}
	s.Outcome = u.next(within(rules.Live, len(u.sys.Outcomes)-1))
	if s.Live() {
		s.Mover = u.next(within(0, len(u.sys.Players)-1))
	} else {
		s.Mover = u.next(within(rules.None, rules.None))
	}
	for v := range lists.Marked(u.kept.VarsOf(s.Outcome)) {
		s.Vars[v] = u.next(u.sys.Vars[v].Contains)
	}
	for p := range lists.Marked(u.kept.Pits) {
		s.Seeds[p] = u.next(within(0, num.Most))
	}
	return s
}

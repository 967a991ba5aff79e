package residual

import "github.com/mancheck/mancheck/checker/pack"

// varying says what is known in the middle of an action of the fields of a state.
type varying struct {
	s      *Stepper
	most   int          // seeds
	fields words        // the bits of the fields that vary at first
	places []pack.Field // these fields
	world
	spans
}

// world is a state in the middle of an action. The fields that vary have there what was added to
// them since the latest operation of the script.
type world struct {
	vary   words              // the bits of the fields that vary
	pinned words              // what those of the others have that did at first
	clear  words              // fields that vary and become 0 before that is added
	hidden words              // fields that vary, or to which something came from one that does
	may    [mostPlaces]uint64 // by place: the values that a field may have, if they are less than 64
	filled bool               // the fields that vary are not all empty
	steps  int                // operations since the action began
}

// words returns the state in play.
func (p *varying) words() (w words) {
	copy(w[:], p.s.w)
	return w
}

// known reports whether a field is.
func (p *varying) known(f pack.Field) bool { return p.hidden[f.Word]>>f.Shift&f.Mask == 0 }

// varies reports whether a field varies.
func (p *varying) varies(f pack.Field) bool { return p.vary[f.Word]>>f.Shift&f.Mask != 0 }

// pin makes the field known that a test was just about.
func (p *varying) pin(f pack.Field, v uint64) {
	field := f.Mask << f.Shift
	p.vary[f.Word] &^= field
	p.hidden[f.Word] &^= field
	p.s.w[f.Word] |= v << f.Shift
	p.pinned[f.Word] |= v << f.Shift
	p.filled = p.filled && v == 0
}

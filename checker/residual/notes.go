package residual

// notes is what actions look at in the fields of a state that are held while others vary, and what
// they carry between these fields. Whatever reads the state in play takes notes (package rows).
type notes struct {
	held []uint64 // by word: the bits of the fields that are held
	key  []uint64 // the state before the action
	Seen []Sight  // what was looked at since Forget, without repetition, in the order in which it was

	// Looked has a bit for each place in Seen of what the latest action looked at; the last bit
	// stands for all places from there on.
	Looked uint64
	Work   int64 // operations executed and sights compared so far

	// Carried is what the latest action carried from one of the fields that are held to another.
	// Nothing has been looked at for that.
	Carried []Carry
}

// Carry says that all that a field had before an action is in another one after it.
type Carry struct{ From, Into Part }

// Part is a field of a key: the bits of Mask, from Shift on.
type Part struct {
	Word  int
	Shift uint
	Mask  uint64
}

func (p Part) bits() uint64 { return p.Mask << p.Shift }

// is reports whether two parts are the same field.
func (p Part) is(q Part) bool { return p.Word == q.Word && p.Shift == q.Shift }

// Sight is something that a program may look at in the fields that are held. It is a function of
// the state before the action: what the action itself does to these fields is part of it.
type Sight struct {
	kind  sight
	word  int
	shift uint
	mask  uint64
	add   uint64   // for tests: what the action has added before
	value uint64   // for tests
	sub   uint64   // for less
	sum   *[]place // for seedsOf
}

type sight uint8

const (
	bitsOf  sight = iota // word & mask
	equals               // whether these bits plus add are value
	less                 // whether the field at shift plus add, minus sub, is less than value
	seedsOf              // the seeds in the held ones of some fields
)

// Of returns what is seen in a state, of which only the fields that are held matter. Others have to
// be zero.
func (x *Sight) Of(key []uint64) uint64 {
	switch x.kind {
	case equals:
		return uint64(truth((key[x.word]&x.mask+x.add)&x.mask == x.value))
	case less:
		return uint64(truth((key[x.word]&(x.mask<<x.shift)+x.add)>>x.shift&x.mask-x.sub < x.value))
	case seedsOf:
		n := uint64(0)
		for i := range *x.sum {
			f := &(*x.sum)[i]
			n += key[f.Word] >> f.Shift & f.Mask
		}
		return n
	}
	return key[x.word] & x.mask
}

// note adds a sight.
func (t *notes) note(x Sight) {
	i := len(t.Seen) - 1
	for i >= 0 && t.Seen[i] != x {
		i--
	}
	t.Work += int64(len(t.Seen) - i)
	if i < 0 {
		i = len(t.Seen)
		t.Seen = append(t.Seen, x)
	}
	t.Looked |= 1 << min(i, 63)
}

// bits notes that bits of a word of the state in play were read. What was added to them is known to
// whoever knows the sights, so those of the state before the action are as good.
func (t *notes) bits(word int, mask uint64) {
	mask &= t.held[word]
	for i := range t.Carried {
		c := &t.Carried[i]
		if c.Into.Word == word && c.Into.bits()&mask != 0 {
			t.note(Sight{kind: bitsOf, word: c.From.Word, mask: c.From.bits()})
		}
		if c.From.Word == word {
			mask &^= c.From.bits()
		}
	}
	if mask != 0 {
		t.note(Sight{kind: bitsOf, word: word, mask: mask})
	}
}

// touched returns the bits of fields that something was carried from or to.
func (t *notes) touched(word int, mask uint64) (touched uint64) {
	for i := range t.Carried {
		for _, f := range [2]Part{t.Carried[i].From, t.Carried[i].Into} {
			if f.Word == word {
				touched |= f.bits() & mask
			}
		}
	}
	return touched
}

// carry notes that all seeds of a field go into another one.
func (t *notes) carry(from, into Part) {
	switch {
	case from.bits()&t.held[from.Word] == 0:
		return
	case into.bits()&t.held[into.Word] == 0:
		t.bits(from.Word, from.bits())
		return
	}
	home := true
	for i := range t.Carried {
		c := &t.Carried[i]
		home = home && !c.From.is(from)
		if c.Into.is(from) {
			c.Into = into
		}
	}
	if home {
		t.Carried = append(t.Carried, Carry{from, into})
	}
}

// place notes that a field was read.
func (t *notes) place(p *place) { t.bits(p.Word, p.Mask<<p.Shift) }

// sum notes that the seeds of fields were added up.
func (t *notes) sum(fields *[]place) {
	held, touched := false, false
	for i := range *fields {
		f := &(*fields)[i]
		held = held || t.held[f.Word]>>f.Shift&f.Mask != 0
		touched = touched || t.touched(f.Word, f.Mask<<f.Shift) != 0
	}
	switch {
	case touched:
		for i := range *fields {
			t.place(&(*fields)[i])
		}
	case held:
		t.note(Sight{kind: seedsOf, sum: fields})
	}
}

// added returns what was added to some fields of a word.
func (t *notes) added(w []uint64, word int, mask uint64) uint64 {
	return w[word]&mask - t.key[word]&mask
}

// same reports whether word & mask = value, and notes what was seen of the fields that are held.
func (t *notes) same(w []uint64, word int, mask, value uint64) bool {
	held := mask & t.held[word]
	if (w[word]^value)&mask&^held != 0 {
		return false
	}
	touched := t.touched(word, held)
	t.bits(word, touched)
	if held &^= touched; held != 0 && (w[word]^value)&touched == 0 {
		t.note(Sight{kind: equals, word: word, mask: held, add: t.added(w, word, held), value: value & held})
	}
	return w[word]&mask == value
}

// lessThan reports whether a field minus x is less than value.
func (t *notes) lessThan(w []uint64, o *op) bool {
	word := int(o.word)
	field := o.mask << o.shift
	switch {
	case field&t.held[word] == 0:
	case t.touched(word, field) != 0:
		t.bits(word, field)
	default:
		t.note(Sight{kind: less, word: word, shift: uint(o.shift), mask: o.mask, add: t.added(w, word, field), value: o.value, sub: uint64(o.x)})
	}
	return w[word]>>(o.shift&63)&o.mask-uint64(o.x) < o.value
}

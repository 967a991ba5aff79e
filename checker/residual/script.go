package residual

// Script is what is left of an action once some fields of a state are known: operations on the
// others, which vary. It is a tree, since tests of fields that vary have two branches, and is
// written in preorder. Two actions with equal scripts do the same to what varies, whatever they do
// to what is known.
//
// An operation is a head and its operands. The head has the kind of the operation, the field that
// it is about, another field, and a number: for tests, where the branch begins that is taken if the
// test fails.
type Script []uint64

// Kinds of operations of a script.
const (
	scriptAdd     = iota // bits, n: these bits of a word become 0, and n is added to it
	scriptMove           // mask: moves the seeds of a field to another one
	scriptOut            // mask: moves the seeds of a field to one that is known
	scriptTest           // bits, value: whether these bits of a word are as in value
	scriptLess           // mask, n, value: whether the field minus n is less than value, unsigned
	scriptIn             // mask, set: whether the field has one of the values, all less than 64
	scriptAny            // so many fields, each with a set of values: whether one of them has one of its values
	scriptBelow          // n, so many fields with weights: whether n and the weighted sum of the fields are less than 0
	scriptZero           // n, fields: whether they are 0
	scriptLegal          // the end of a play that is possible; the number is that of the end
	scriptIllegal        // the action is not legal
	scriptAlone          // what happens is not a matter of these fields alone
)

// head packs the head of an operation.
func head(kind, word, shift, into, intoShift, n int) uint64 {
	return uint64(kind) | uint64(word)<<8 | uint64(shift)<<16 | uint64(into)<<24 | uint64(intoShift)<<32 | uint64(n)<<40
}

// Legality says how an action was played.
type Legality int

// Values of Legality.
const (
	Unplayed Legality = iota // it has to be played as a whole
	Illegal
	Legal
)

// Illegal reports whether a script does nothing but end with an action that is not legal.
func (c Script) Illegal() bool { return c[0]&0xff == scriptIllegal }

// Run executes a script on the fields that vary, in w, in place. It adds to out what comes to
// fields that are known, and returns the number of the end that was reached, and how many
// operations that took.
func (c Script) Run(w, out []uint64) (end int, how Legality, work int64) {
	for pc := 0; ; work++ {
		h := c[pc]
		word, shift := h>>8&0xff, h>>16&63
		switch h & 0xff {
		case scriptAdd:
			w[word] = w[word]&^c[pc+1] + c[pc+2]
			pc += 3
		case scriptMove, scriptOut:
			n := w[word] >> shift & c[pc+1]
			w[word] -= n << shift
			to := w
			if h&0xff == scriptOut {
				to = out
			}
			to[h>>24&0xff] += n << (h >> 32 & 63)
			pc += 2
		case scriptTest:
			pc = c.next(pc, 3, w[word]&c[pc+1] == c[pc+2])
		case scriptLess:
			pc = c.next(pc, 4, w[word]>>shift&c[pc+1]-c[pc+2] < c[pc+3])
		case scriptIn:
			pc = c.next(pc, 3, c[pc+2]>>(w[word]>>shift&c[pc+1])&1 != 0)
		case scriptAny:
			n, holds := int(word), false
			for i := pc + 1; i <= pc+2*n; i += 2 {
				f := c[i]
				holds = holds || c[i+1]>>(w[f&0xff]>>(f>>8&63)&(f>>16)&63)&1 != 0
			}
			pc = c.next(pc, 1+2*n, holds)
		case scriptBelow:
			pc = c.next(pc, 2+int(word), c.sum(pc, int(word), w) < 0)
		case scriptZero:
			pc = c.next(pc, 2+int(word), c.sum(pc, int(word), w) == 0)
		case scriptLegal:
			return int(h >> 40), Legal, work
		case scriptIllegal:
			return 0, Illegal, work
		default:
			return 0, Unplayed, work
		}
	}
}

// next returns where a script continues after a test with so many words.
func (c Script) next(pc, words int, holds bool) int {
	if holds {
		return pc + words
	}
	return int(c[pc] >> 40)
}

// sum returns the weighted sum that a script compares, with so many terms.
func (c Script) sum(pc, terms int, w []uint64) int {
	n := int(c[pc+1])
	for _, t := range c[pc+2:][:terms] {
		n += int(int16(t>>48)) * int(w[t&0xff]>>(t>>8&63)&(t>>16&0xffffffff))
	}
	return n
}

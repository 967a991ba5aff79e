package cert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

const (
	large   = 64 << 10  // bytes; larger files are compressed
	maxSize = 256 << 20 // bytes, compressed or not
)

// Expanded returns how large a compressed file of size bytes may become. It keeps a small file from
// filling the memory.
func Expanded(size int) int { return min(maxSize, 8<<20+16*size) }

// zstdMagic begins every zstd frame.
var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Write writes a certificate, compressed if it is large. It fails rather than write one that Read
// would reject.
func Write(w io.Writer, c *Certificate) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return err
	}
	data := lines(text.Bytes())
	if len(data) > maxSize {
		return fmt.Errorf("a certificate of %d bytes is too large to be read back", len(data))
	}
	if len(data) > large {
		// A file that expands too much for the reader stays as it is.
		if packed := compressor.Compress(data); len(data) <= Expanded(len(packed)) {
			data = packed
		}
	}
	_, err := w.Write(data)
	return err
}

// Compressor compresses one text after another: making what does so takes longer than most of them.
// That is made where it is asked for, and not by sync.OnceValue, whose function every program would
// have linked in.
type Compressor struct {
	Level zstd.EncoderLevel
	once  sync.Once
	zstd  *zstd.Encoder
}

// Compress returns a text compressed, for Expand.
func (c *Compressor) Compress(text []byte) []byte {
	c.once.Do(func() {
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(c.Level), zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // the options are right
		}
		c.zstd = z
	})
	return c.zstd.EncodeAll(text, nil)
}

// compressor compresses all certificates.
var compressor = Compressor{Level: zstd.SpeedBetterCompression}

// lines breaks JSON into lines for human readers, with one line for each state.
func lines(compact []byte) []byte {
	var out bytes.Buffer
	depth, quoted := 0, false
	for i, c := range compact {
		switch {
		case c == '"' && !escaped(compact[:i]):
			quoted = !quoted
		case quoted:
		case c == '}' || c == ']':
			if depth--; depth < lineDepth {
				indent(&out, depth)
			}
		}
		out.WriteByte(c)
		if quoted {
			continue
		}
		if c == '{' || c == '[' {
			depth++
		}
		if bytes.IndexByte([]byte("{[,"), c) >= 0 && depth <= lineDepth {
			indent(&out, depth)
		}
		if c == ':' {
			out.WriteByte(' ')
		}
	}
	return out.Bytes()
}

// lineDepth is the depth down to which elements of lists and objects get lines of their own.
const lineDepth = 3

func indent(out *bytes.Buffer, depth int) {
	out.WriteByte('\n')
	for range depth {
		out.WriteString("  ")
	}
}

// escaped reports whether the byte after before is escaped by a backslash.
func escaped(before []byte) bool {
	n := len(before) - len(bytes.TrimRight(before, `\`))
	return n%2 == 1
}

// Read reads a certificate, compressed or not, without checking it. The error is a *Rejected, or an
// error of reading.
func Read(r io.Reader) (*Certificate, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, zstdMagic) {
		if data, err = Expand(data); err != nil {
			return nil, err
		}
	}
	if len(data) > maxSize {
		return nil, reject("the file is larger than %d bytes", maxSize)
	}
	c := &Certificate{}
	if err := strictjson.Unmarshal(data, c); err != nil {
		return nil, reject("this is no certificate: %v", err)
	}
	return c, nil
}

// window is how far back compressed text may refer. It is what the encoder uses; the decoder would
// allocate whatever a file asks for.
const window = 8 << 20

// Expand returns a compressed text expanded, or an error if it is too large; see Expanded.
func Expand(data []byte) ([]byte, error) {
	most := Expanded(len(data))
	z := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(z)
	text := bytes.NewBuffer(make([]byte, 0, min(8*len(data), 1<<20)))
	err := z.Reset(bytes.NewReader(data))
	if err == nil {
		_, err = text.ReadFrom(io.LimitReader(z, int64(most)+1))
	}
	switch {
	case err != nil:
		return nil, reject("the file cannot be expanded: %v", err)
	case text.Len() > most:
		return nil, reject("a file of %d bytes that expands to more than %d", len(data), most)
	}
	return text.Bytes(), nil
}

// decoders expand one text after another: making one takes longer than most of them.
var decoders = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(window), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // the options are right
	}
	return z
}}

// New returns the certificate for a verdict on an instance of a claim of program. It does not check
// the evidence.
func New(tool string, program *dsl.Program, inst *build.Instance, verdict string, vacuous bool, evidence Evidence) (*Certificate, error) {
	c := about(inst)
	c.Format, c.Version, c.Tool, c.Root = Format, Version, tool, program.Files[len(program.Files)-1].Path
	c.Sources, c.Verdict, c.Vacuous, c.Evidence = map[string]string{}, verdict, vacuous, Box{evidence}
	for path, text := range program.Sources {
		if !utf8.Valid(text) || !utf8.ValidString(path) {
			return nil, fmt.Errorf("%q is not text, and cannot be put into a certificate", path)
		}
		c.Sources[path] = string(text)
	}
	c.SourcesDigest = Digest(c.Sources)
	if _, err := stated(inst, verdict); err != nil {
		return nil, errors.New(err.(*Rejected).Reason)
	}
	return c, nil
}

// Certifiable reports whether there can be a certificate for such a verdict on claims like this
// one.
func Certifiable(inst *build.Instance, verdict string) bool {
	_, err := stated(&build.Instance{System: &rules.System{}, Property: inst.Property, Negated: inst.Negated, Lost: inst.Lost, Size: inst.Size}, verdict)
	return err == nil
}

// NewBackward returns the evidence of a set closed under predecessors that contains no start.
func NewBackward(sys *rules.System, parts rules.Kept, lemmas []rules.StartOnly, states []rules.State) *Backward {
	c := coder{sys, parts.SpelledOut(sys)}
	e := &Backward{newSet(c, lemmas)}
	e.States = lists.Map(c.sorted(states), c.encode)
	return e
}

// newSet returns a set without states.
func newSet(c coder, lemmas []rules.StartOnly) Set {
	set := Set{Kept: namesOf(c.sys, c.kept)}
	for _, l := range lemmas {
		x := &c.sys.Vars[l.Var]
		set.StartOnly = append(set.StartOnly, StartOnly{Var: x.Name, Value: c.sys.ValueName(x.Type, l.Value)})
	}
	return set
}

// NewForward returns the evidence of a set closed under steps that contains all starts.
func NewForward(sys *rules.System, parts rules.Kept, states []rules.State) *Forward {
	c := coder{sys, parts.SpelledOut(sys)}
	return &Forward{namesOf(sys, c.kept), c.pack(c.sorted(states), nil)}
}

// ShownByPlay reports whether a single play can show such a verdict on an instance.
func ShownByPlay(inst *build.Instance, verdict string) bool {
	st, err := stated(inst, verdict)
	if err != nil {
		return false
	}
	_, is := st.says.(*witness)
	return is
}

// NewPlay returns the evidence of a play from a start, with the state after each move.
func NewPlay(sys *rules.System, t *rules.Trace) *Play {
	return &Play{States: lists.Map(t.States(), whole(sys).encode), Moves: t.Moves()}
}

// Followed is a strategy to be certified: live states that differ in their kept parts, each with
// its number.
type Followed struct {
	Shows   string
	Bound   int // for AtLeast and AtMost
	States  []rules.State
	Numbers []int
}

// NewStrategies returns the evidence of strategies.
func NewStrategies(sys *rules.System, parts rules.Kept, list ...Followed) *Strategies {
	c := coder{sys, parts.SpelledOut(sys)}
	e := &Strategies{Kept: namesOf(sys, c.kept)}
	for _, f := range list {
		p := c.pack(c.ordered(f.States, f.Numbers))
		by := Strategy{Shows: f.Shows, Count: p.Count, Packed: p.Text}
		if f.Shows == AtLeast || f.Shows == AtMost {
			by.Bound = &f.Bound
		}
		e.By = append(e.By, by)
	}
	return e
}

// ordered returns the kept parts of states in order, and the numbers in the same order.
func (c coder) ordered(states []rules.State, numbers []int) ([]rules.State, []int) {
	list, order := c.projected(states), num.Run(0, len(states))
	slices.SortFunc(order, func(i, j int) int { return list[i].Compare(list[j]) })
	return lists.Map(order, func(i int) rules.State { return list[i] }), lists.Map(order, func(i int) int { return numbers[i] })
}

// whole is the coder that keeps all parts of states.
func whole(sys *rules.System) coder { return coder{sys, rules.Kept{}.SpelledOut(sys)} }

// sorted returns the kept parts of states in order and without duplicates.
func (c coder) sorted(states []rules.State) []rules.State {
	list := c.projected(states)
	slices.SortFunc(list, rules.State.Compare)
	return slices.CompactFunc(list, rules.State.Equal)
}

// projected returns the kept parts of states.
func (c coder) projected(states []rules.State) []rules.State {
	return lists.Map(states, func(s rules.State) rules.State { return c.kept.Project(c.sys, s) })
}

package cert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/internal/strictjson"
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

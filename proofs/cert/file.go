package cert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/internal/strictjson"
)

const (
	large   = 64 << 10  // larger files are compressed
	maxSize = 256 << 20 // of a file, compressed or not
)

// Expanded returns how large a file of size bytes may become: a small file must not fill the
// memory.
func Expanded(size int) int { return min(maxSize, 8<<20+16*size) }

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// Write writes a certificate, compressed if it is large.
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
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		if packed := z.EncodeAll(data, nil); len(data) <= Expanded(len(packed)) {
			data = packed
		}
	}
	_, err := w.Write(data)
	return err
}

// lines breaks JSON into lines for human readers, down to single states.
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

// lineDepth is the depth down to which the elements of lists and objects are on separate lines.
const lineDepth = 3

func indent(out *bytes.Buffer, depth int) {
	out.WriteByte('\n')
	for range depth {
		out.WriteString("  ")
	}
}

// escaped reports whether the next byte is escaped by a backslash.
func escaped(before []byte) bool {
	n := len(before) - len(bytes.TrimRight(before, `\`))
	return n%2 == 1
}

// Read reads a certificate, compressed or not, without checking it. The error is a *Rejected, or
// that of reading.
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

// window is how far back compressed text may refer, which is as much as the encoder does: the
// decoder makes room for whatever a file asks for.
const window = 8 << 20

// Expand returns a compressed text.
func Expand(data []byte) ([]byte, error) {
	most := Expanded(len(data))
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderMaxMemory(window), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text, err := io.ReadAll(io.LimitReader(z, int64(most)+1))
	switch {
	case err != nil:
		return nil, reject("the file cannot be expanded: %v", err)
	case len(text) > most:
		return nil, reject("a file of %d bytes that expands to more than %d", len(data), most)
	}
	return text, nil
}

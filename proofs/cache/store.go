package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/proofs/cert"

	"github.com/mancheck/mancheck/internal/file"
)

// maxSize is of the largest entry, compressed or not.
const maxSize = 256 << 20

// Entries that nobody asked for in so many days are removed, once a day.
const (
	kept  = 30 * 24 * time.Hour
	daily = 24 * time.Hour
)

// Store is a folder of entries. Any number of processes may use one at the same time: an entry
// appears complete or not at all. Whatever is wrong with an entry, it is as if it were not there.
type Store struct {
	Dir      string
	ReadOnly bool
}

// DefaultDir is the folder that is used unless another one is chosen.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "mancheck"), err
}

// Path is the file of the entry with this key.
func (s *Store) Path(k Key) string {
	name := k.String()
	return filepath.Join(s.Dir, name[:2], name[2:])
}

// Get gives what is kept under a key, if anything is.
func (s *Store) Get(k Key) ([]byte, bool) {
	f, err := file.Open(s.Path(k))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil || len(data) > maxSize {
		return nil, false
	}
	text, err := unseal(k, data)
	if err != nil {
		return nil, false
	}
	s.used(k)
	return text, true
}

// Put keeps text under a key. An error is one of writing; a store that is only read keeps nothing.
func (s *Store) Put(k Key, text []byte) error {
	if s.ReadOnly || len(text) > maxSize {
		return nil
	}
	dir := filepath.Dir(s.Path(k))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	s.trim()
	sealed := seal(k, text)
	if len(text) > cert.Expanded(len(sealed)-len(header)-2*sha256.Size) {
		return nil // nobody would read it again
	}
	return file.Write(s.Path(k), sealed, file.Loose)
}

// seal makes an entry: the format, a digest of the key and all that follows, and the text,
// compressed.
func seal(k Key, text []byte) []byte {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are right
	}
	packed := z.EncodeAll(text, nil)
	return append([]byte(Format+"\n"+digest(k, packed)+"\n"), packed...)
}

// header is what stands before the digest.
const header = Format + "\n"

func digest(k Key, packed []byte) string {
	sum := sha256.Sum256(append(k[:], packed...))
	return hex.EncodeToString(sum[:])
}

var errDamaged = errors.New("the entry is damaged, or belongs to another key")

func unseal(k Key, data []byte) ([]byte, error) {
	format, rest, _ := bytes.Cut(data, []byte("\n"))
	sum, packed, _ := bytes.Cut(rest, []byte("\n"))
	if string(format) != Format || string(sum) != digest(k, packed) {
		return nil, errDamaged
	}
	most := cert.Expanded(len(packed))
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(maxSize), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text, err := io.ReadAll(io.LimitReader(z, int64(most)+1))
	if err == nil && len(text) > most {
		err = errDamaged // or made to fill the memory: Put keeps nothing like this
	}
	return text, err
}

// used notes that an entry was of use, so that trim leaves it. That it may fail does no harm.
func (s *Store) used(k Key) {
	if s.ReadOnly {
		return
	}
	if info, err := os.Stat(s.Path(k)); err == nil && time.Since(info.ModTime()) > daily {
		now := time.Now()
		_ = os.Chtimes(s.Path(k), now, now)
	}
}

// trim removes what nobody asked for in a long time: with each build of the tool all earlier
// entries become useless.
func (s *Store) trim() {
	stamp := filepath.Join(s.Dir, "trimmed")
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < daily {
		return
	}
	if file.Write(stamp, nil, file.Loose) != nil {
		return
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, "[0-9a-f][0-9a-f]", "*"))
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > kept {
			_ = os.Remove(path) // another process may have done so
		}
	}
}

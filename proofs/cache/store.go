package cache

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/proofs/cert"
)

// maxSize is of the largest entry, compressed or not.
const maxSize = 256 << 20

// Entries that were not used for the time kept are removed, once a day.
const (
	kept  = 30 * 24 * time.Hour
	daily = 24 * time.Hour
)

// Store is a folder of entries. Any number of processes may use one at the same time: an entry
// appears complete or not at all. A damaged entry is treated as missing.
type Store struct {
	Dir      string
	ReadOnly bool
	Secret   []byte // nil: no entry counts as the user's own
}

// DefaultDir is the folder that is used unless another one is chosen.
func DefaultDir() (string, error) { return own(os.UserCacheDir()) }

// own is the program's folder in one of the user's. That must not depend on the current folder,
// where the environment says so by mistake.
func own(dir string, err error) (string, error) {
	if err == nil && !filepath.IsAbs(dir) {
		err = fmt.Errorf("the user's folder %s is no absolute path (HOME)", dir)
	}
	return filepath.Join(dir, "mancheck"), err
}

// Path is the file of the entry with this key.
func (s *Store) Path(k Key) string {
	name := k.String()
	return filepath.Join(s.Dir, name[:2], name[2:])
}

// Get gives what is kept under a key, if anything is. The entry is the user's own if it was put
// with the same secret; anybody who may write into the folder can make any other.
func (s *Store) Get(k Key) (text []byte, own, ok bool) {
	data, err := read(s.Path(k))
	if err != nil {
		return nil, false, false
	}
	if text, own, err = s.unseal(k, data); err != nil {
		return nil, false, false
	}
	s.used(k)
	return text, own, true
}

// read reads the file of an entry.
func read(path string) ([]byte, error) {
	if err := unlinked(filepath.Dir(path), path); err != nil {
		return nil, err
	}
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = errDamaged
	}
	return data, err
}

// unlinked fails if a path below the folder of a cache is a symbolic link.
func unlinked(paths ...string) error {
	for _, path := range paths {
		if info, err := file.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return &os.PathError{Op: "open", Path: path, Err: errors.New("it is a symbolic link")}
		}
	}
	return nil
}

// Put keeps text under a key. An error is one of writing; a store that is only read keeps nothing.
func (s *Store) Put(k Key, text []byte) error {
	if s.ReadOnly || len(text) > maxSize {
		return nil
	}
	dir := filepath.Dir(s.Path(k))
	if err := cmp.Or(unlinked(dir), file.MkdirAll(dir, 0o777)); err != nil {
		return err
	}
	s.trim()
	packed := compressor.Compress(text)
	if len(text) > cert.Expanded(len(packed)) {
		return nil // nobody would read it again
	}
	return file.Write(s.Path(k), s.seal(k, packed), file.Loose)
}

// compressor compresses all entries.
var compressor = cert.Compressor{Level: zstd.SpeedDefault}

// seal makes an entry of compressed text. Before it are lines with the format, a digest of the key
// and the text, and the mark of the user, which is empty without a secret.
func (s *Store) seal(k Key, packed []byte) []byte {
	sum := digest(k, packed)
	return append([]byte(Format+"\n"+sum+"\n"+s.mark(sum)+"\n"), packed...)
}

// mark is a message authentication code of a digest: only those who know the secret can make it.
func (s *Store) mark(sum string) string {
	if s.Secret == nil {
		return ""
	}
	h := hmac.New(sha256.New, s.Secret)
	h.Write([]byte(Format + "\n" + sum))
	return hex.EncodeToString(h.Sum(nil))
}

func digest(k Key, packed []byte) string {
	sum := sha256.Sum256(append(k[:], packed...))
	return hex.EncodeToString(sum[:])
}

var errDamaged = errors.New("the entry is damaged, or belongs to another key")

func (s *Store) unseal(k Key, data []byte) (text []byte, own bool, err error) {
	format, rest, _ := bytes.Cut(data, []byte("\n"))
	sum, rest, _ := bytes.Cut(rest, []byte("\n"))
	mark, packed, _ := bytes.Cut(rest, []byte("\n"))
	if string(format) != Format || string(sum) != digest(k, packed) {
		return nil, false, errDamaged
	}
	own = s.Secret != nil && hmac.Equal(mark, []byte(s.mark(string(sum))))
	text, err = cert.Expand(packed)
	return text, own, err
}

// used notes that an entry was of use, so that trim leaves it. That it may fail does no harm.
func (s *Store) used(k Key) {
	if s.ReadOnly {
		return
	}
	if info, err := file.Stat(s.Path(k)); err == nil && time.Since(info.ModTime()) > daily {
		now := time.Now()
		_ = file.Chtimes(s.Path(k), now, now)
	}
}

// trim removes what nobody asked for in a long time: with each build of the tool all earlier
// entries become useless.
func (s *Store) trim() {
	stamp := filepath.Join(s.Dir, "trimmed")
	if info, err := file.Stat(stamp); err == nil && time.Since(info.ModTime()) < daily {
		return
	}
	if file.Write(stamp, nil, file.Loose) != nil {
		return
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, "[0-9a-f][0-9a-f]", "*"))
	for _, path := range files {
		most := kept
		if file.Abandoned(path) {
			most = daily
		}
		if info, err := file.Stat(path); err == nil && time.Since(info.ModTime()) > most {
			_ = file.Remove(path) // another process may have done so
		}
	}
}

// secretSize is in bytes.
const secretSize = 32

// Secret reads the user's secret, which marks the entries that the user's own runs put into a
// store. It is not in the folder of the cache, so that whoever may write there does not know it. If
// there is none yet it is made, or with readOnly nil is returned.
func Secret(readOnly bool) ([]byte, error) {
	dir, err := own(os.UserConfigDir())
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "cache.key")
	secret, err := readSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if readOnly {
		return nil, nil
	}
	if err := file.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	secret = make([]byte, secretSize)
	rand.Read(secret)
	err = file.Write(path, secret, file.New|file.Private)
	if errors.Is(err, fs.ErrExist) {
		return readSecret(path) // another run was faster
	}
	return secret, err
}

func readSecret(path string) ([]byte, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 && runtime.GOOS != "windows" { // which knows no such modes
		return nil, fmt.Errorf("%s is open to others (mode %04o): what it marks may be forged; remove it, and a new one is made", path, perm)
	}
	secret, err := io.ReadAll(io.LimitReader(f, secretSize+1))
	if err == nil && len(secret) != secretSize {
		err = fmt.Errorf("%s does not have %d bytes; remove it, and a new one is made", path, secretSize)
	}
	return secret, err
}

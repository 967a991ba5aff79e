package cache

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mancheck/mancheck/internal/file"
)

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

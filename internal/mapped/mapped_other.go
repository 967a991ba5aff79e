//go:build !unix

package mapped

import "os"

// Open reads a file: these systems map files in other ways.
func Open(path string) (*File, error) {
	text, err := os.ReadFile(path)
	return &File{Bytes: text}, err
}

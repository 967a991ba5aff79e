// Package mapped reads large files as memory: only what is looked at is read, and several programs
// share it.
package mapped

// File is the contents of a file, which must not be changed.
type File struct {
	Bytes []byte
	free  func() error
}

// Close gives the memory back; Bytes must not be used after that.
func (f *File) Close() error {
	f.Bytes = nil
	if f.free == nil {
		return nil
	}
	return f.free()
}

//go:build amd64 || arm64

package huge

import "unsafe"

// Fetch asks for memory to be brought into the cache, and does not wait for it.
func Fetch[T any](p *T) { fetch(unsafe.Pointer(p)) }

//go:noescape
func fetch(p unsafe.Pointer)

//go:build !amd64 && !arm64

package huge

// Fetch does nothing.
func Fetch[T any](*T) {}

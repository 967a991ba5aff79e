//go:build !linux

package pack

// onLargePages does nothing where large pages cannot be asked for.
func onLargePages[E uint32 | uint64](table []E) []E { return table }

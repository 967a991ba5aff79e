package disk

import (
	"slices"
	"sync"
)

// pool keeps buffers for reuse, so that they do not accumulate as garbage at the end of each level.
// Their sizes are few, so most fit again.
type pool struct {
	mu    sync.Mutex
	words [][]uint64
	bytes [][]byte
}

// lease has the buffers that one user has taken from a pool.
type lease struct {
	pool  *pool
	words [][]uint64
	bytes [][]byte
}

func (l *lease) getWords(n int) []uint64 { return get(&l.pool.mu, &l.pool.words, &l.words, n) }

func (l *lease) getBytes(n int) []byte { return get(&l.pool.mu, &l.pool.bytes, &l.bytes, n) }

// get takes a slice of length n from free, or allocates one, and appends it to taken. Its contents
// are arbitrary.
func get[T any](mu *sync.Mutex, free, taken *[][]T, n int) []T {
	mu.Lock()
	defer mu.Unlock()
	i := slices.IndexFunc(*free, func(b []T) bool { return cap(b) >= n })
	var b []T
	if i >= 0 {
		b = (*free)[i]
		*free = slices.Delete(*free, i, i+1)
	} else {
		b = make([]T, n)
	}
	*taken = append(*taken, b)
	return b[:n:n]
}

// release returns all buffers to the pool.
func (l *lease) release() {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.pool.words, l.pool.bytes = append(l.pool.words, l.words...), append(l.pool.bytes, l.bytes...)
	l.words, l.bytes = nil, nil
}

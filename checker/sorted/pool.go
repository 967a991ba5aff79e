package sorted

import (
	"slices"
	"sync"
)

// Pool keeps buffers for reuse, so that they do not accumulate as garbage at the end of each level.
// There are few different sizes, so most buffers fit again.
type Pool struct {
	mu    sync.Mutex
	words [][]uint64
	bytes [][]byte
}

// Lease returns a Lease without buffers.
func (p *Pool) Lease() *Lease { return &Lease{pool: p} }

// Lease has the buffers that one user has taken from a pool.
type Lease struct {
	pool  *Pool
	words [][]uint64
	bytes [][]byte
}

// Words takes a buffer of n words. Its contents are arbitrary.
func (l *Lease) Words(n int) []uint64 { return get(&l.pool.mu, &l.pool.words, &l.words, n) }

func (l *Lease) getBytes(n int) []byte { return get(&l.pool.mu, &l.pool.bytes, &l.bytes, n) }

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

// Release returns all buffers to the pool.
func (l *Lease) Release() {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.pool.words, l.pool.bytes = append(l.pool.words, l.words...), append(l.pool.bytes, l.bytes...)
	l.words, l.bytes = nil, nil
}

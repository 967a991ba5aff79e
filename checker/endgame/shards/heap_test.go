package shards

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/internal/depot"
)

// heap is a depot in memory.
type heap struct {
	mu      sync.Mutex
	objects map[string][]byte
}

func newHeap() *heap { return &heap{objects: map[string][]byte{}} }

func (h *heap) String() string { return "heap" }

func (h *heap) Put(_ context.Context, name string, text []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, is := h.objects[name]; is {
		return fs.ErrExist
	}
	h.objects[name] = slices.Clone(text)
	return nil
}

func (h *heap) Get(_ context.Context, name string) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, is := h.objects[name]
	if !is {
		return nil, fs.ErrNotExist
	}
	return slices.Clone(text), nil
}

func (h *heap) Create(context.Context) (depot.Draft, error) { return &heapDraft{heap: h}, nil }

type heapDraft struct {
	bytes.Buffer
	heap *heap
}

func (d *heapDraft) Keep(_ context.Context, name string) error {
	d.heap.mu.Lock()
	defer d.heap.mu.Unlock()
	d.heap.objects[name] = slices.Clone(d.Bytes())
	return nil
}

func (d *heapDraft) Drop() {}

func (h *heap) Open(ctx context.Context, name string) (depot.Object, error) {
	text, err := h.Get(ctx, name)
	return heapObject{bytes.NewReader(text)}, err
}

type heapObject struct{ *bytes.Reader }

func (o heapObject) Close() error { return nil }

func (h *heap) Size(ctx context.Context, name string) (int64, error) {
	text, err := h.Get(ctx, name)
	return int64(len(text)), err
}

func (h *heap) List(_ context.Context, prefix string) (list []string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(h.objects)) {
		if strings.HasPrefix(name, prefix) {
			list = append(list, name)
		}
	}
	return list, nil
}

func (h *heap) Remove(_ context.Context, name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.objects, name)
	return nil
}

// hurt removes a block or changes a byte of one, and returns the number of blocks.
func (h *heap) hurt(random *rand.Rand) int {
	names, _ := h.List(context.Background(), depot.Block(""))
	if len(names) == 0 {
		return 0
	}
	name := names[random.IntN(len(names))]
	if text := h.objects[name]; random.IntN(2) == 0 {
		text[random.IntN(len(text))] ^= 1
	} else {
		delete(h.objects, name)
	}
	return 1
}

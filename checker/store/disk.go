package store

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mancheck/mancheck/checker/disk"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/file"
)

// Disk is states in the files of a folder. What is in memory does not grow with their number.
type Disk struct {
	ctx    context.Context
	folder string
	store  *disk.Store
	memory int64
	open   openLevel
	hands  []*disk.Reader // by worker

	mu     sync.Mutex
	failed error
}

// openLevel is the level that is read. There is one at a time.
type openLevel struct {
	number int
	level  *disk.Level
}

// OpenDisk opens a folder for the search that o identifies, or makes it. An error of the folder
// names it.
func OpenDisk(ctx context.Context, folder string, o disk.Options) (*Disk, error) {
	d := &Disk{ctx: ctx, folder: folder, memory: o.Memory, hands: make([]*disk.Reader, o.Threads), open: openLevel{number: -1}}
	var err error
	d.store, err = disk.Open(folder, o)
	return d, d.about(err)
}

// Close ends the use of the folder.
func (d *Disk) Close() error { return d.about(errors.Join(d.shut(), d.store.Close())) }

// Levels returns the number of levels that are complete, and Len that of the states of one.
func (d *Disk) Levels() int { return d.store.Levels() }

// Len returns the number of states of a level.
func (d *Disk) Len(level int) int64 { return d.store.Len(level) }

// Same reports whether two levels have the same states.
func (d *Disk) Same(first, second int) (bool, error) {
	same, err := d.store.Same(d.ctx, first, second)
	return same, d.about(err)
}

// Checkpoint saves the levels, with a text from which the search can go on. State returns it.
func (d *Disk) Checkpoint(text []byte) error { return d.about(d.store.Checkpoint(text)) }

// State returns the text of the last checkpoint.
func (d *Disk) State() []byte { return d.store.State() }

// Reopen makes a level the current one, and returns the number of its blocks.
func (d *Disk) Reopen(level int) (blocks int, err error) {
	if err := d.enter(level); err != nil {
		return 0, d.about(err)
	}
	return d.open.level.Blocks(), nil
}

// about gives an error the folder, if it lacks one.
func (d *Disk) about(err error) error {
	var damaged *sorted.CorruptError
	var other *disk.IdentityError
	if errors.As(err, &damaged) || errors.As(err, &other) || errors.Is(err, file.ErrLocked) {
		return fmt.Errorf("%s: %w", d.folder, err)
	}
	return err
}

// fail records the first error.
func (d *Disk) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed == nil {
		d.failed = d.about(err)
	}
}

func (d *Disk) Free() {}

func (d *Disk) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

func (d *Disk) Add(worker int, keys []uint64, _ bool) ([]uint64, int) {
	if err := d.store.Adder(worker).Add(keys); err != nil {
		d.fail(err)
	}
	return nil, 0
}

func (d *Disk) Settle(int64) (int64, error) {
	if _, err := d.store.EndLevel(d.ctx); err != nil {
		return 0, d.about(err)
	}
	found := int64(0)
	for i := range d.store.Levels() {
		found += d.store.Len(i)
	}
	return found, nil
}

func (d *Disk) Level() int {
	if err := d.enter(d.store.Levels() - 1); err != nil {
		d.fail(err)
		return 0
	}
	return d.open.level.Blocks()
}

// enter opens a level instead of the one that is open.
func (d *Disk) enter(number int) error {
	if d.open.number == number {
		return nil
	}
	if err := d.shut(); err != nil {
		return err
	}
	l, err := d.store.Level(number)
	if err == nil {
		d.open = openLevel{number, l}
	}
	return err
}

// shut closes the level that is open.
func (d *Disk) shut() error {
	for i, r := range d.hands {
		if r != nil {
			r.Close()
		}
		d.hands[i] = nil
	}
	if d.open.level == nil {
		return nil
	}
	err := d.open.level.Close()
	d.open = openLevel{number: -1}
	return err
}

func (d *Disk) Current(worker, i int) []uint64 {
	if d.hands[worker] == nil {
		d.hands[worker] = d.open.level.Reader()
	}
	keys, err := d.hands[worker].Block(i)
	if err != nil {
		d.fail(err)
	}
	return keys
}

func (d *Disk) Release(int, []uint64) {}

// Pieces makes the level the one that is read.
func (d *Disk) Pieces(level int) []Piece {
	if err := d.enter(level); err != nil {
		d.fail(err)
		return nil
	}
	var list []Piece
	for i := range d.open.level.Blocks() {
		list = append(list, Piece{level, i, i + 1})
	}
	return list
}

func (d *Disk) Read(worker int, p Piece, _ []uint64) []uint64 { return d.Current(worker, p.lo) }

func (d *Disk) Names(int, []uint64) []uint64 { return nil }

func (d *Disk) NameBits() int { return 1 }

func (d *Disk) Bytes(int64, int64) int64 { return d.memory }

package endgame

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/frozen"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// A file has a header, and then the futures by rank. The header is a line that says what the file
// is, a line of JSON with its checksum, and spaces.

// magic begins each file, with the version of its format and of the ranks.
const magic = "mancheck endgame table 3\n"

// Identity says of which positions a table has the futures.
type Identity struct {
	System  string // the variant's name
	Hash    string // of the rules without the setup, as rules.System.PlayHash says
	Players []string
	Pits    []string // in the order of ranks
	Sinks   []string
	// Swap has the images of the pits, if positions with the second player to move have no entries
	// of their own: each has that of its image, negated.
	Swap []string `json:",omitempty"`
	// Endless is what endless play is worth: open, even or scored.
	Endless   string
	Seeds     int
	Positions uint64
	Entries   uint64
}

// Header describes a table.
type Header struct {
	Identity
	Layers []Layer
}

// endlessWords are the conventions in a file.
var endlessWords = map[value.Endless]string{value.NoValue: "open", value.Even: "even", value.AsScored: "scored"}

func (t *Table) identity() Identity {
	id := Identity{
		System: t.sys.Name, Hash: t.sys.PlayHash(), Players: t.sys.Players, Endless: endlessWords[t.payoff.Endless],
		Seeds: t.Seeds(), Positions: t.Positions(), Entries: t.positions.Entries(),
	}
	for _, p := range t.positions.Pits() {
		id.Pits = append(id.Pits, t.sys.Pits[p].Name)
		if s := t.Swap(); s != nil {
			id.Swap = append(id.Swap, t.sys.Pits[s.Pits[p]].Name)
		}
	}
	id.Sinks = lists.Map(t.positions.Sinks(), func(s value.Sink) string { return t.sys.Pits[s.Pit].Name })
	return id
}

// differs says in what a table of another identity differs, or "".
func (id *Identity) differs(other *Identity) string {
	switch {
	case id.System != other.System:
		return fmt.Sprintf("it is for %s, not %s", id.System, other.System)
	case id.Hash != other.Hash:
		return fmt.Sprintf("it is for other rules or parameters of %s", id.System)
	case id.Endless != other.Endless:
		return fmt.Sprintf("endless play counts as %s in it, not %s", id.Endless, other.Endless)
	case id.Seeds != other.Seeds:
		return fmt.Sprintf("it has up to %d seeds in play, not %d", id.Seeds, other.Seeds)
	case !slices.Equal(id.Pits, other.Pits), !slices.Equal(id.Sinks, other.Sinks), !slices.Equal(id.Swap, other.Swap), id.Positions != other.Positions:
		return "it numbers positions in another way"
	}
	return ""
}

// OtherError is a table that is not for the game asked for.
type OtherError struct{ Path, Reason string }

func (e *OtherError) Error() string {
	return fmt.Sprintf("%s is not a table for this game: %s", e.Path, e.Reason)
}

// DamagedError is a file that is no table, or not whole.
type DamagedError struct {
	Path, Reason string
	Foreign      bool // it never was one
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s cannot be used as an endgame table: %s", e.Path, e.Reason)
}

// seal makes a line of JSON with its checksum.
func seal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // made of strings, numbers, lists and structs
	}
	return fmt.Appendf(nil, "%016x %s\n", xxh3.Hash(text), text)
}

// unseal reads such a line; spaces may follow. ok is false if it is not whole.
func unseal(line []byte, v any) (ok bool) {
	line, _, ended := bytes.Cut(line, []byte("\n"))
	sum, text, _ := bytes.Cut(line, []byte(" "))
	want, err := strconv.ParseUint(string(sum), 16, 64)
	return ended && err == nil && len(sum) == 16 && xxh3.Hash(text) == want && json.Unmarshal(text, v) == nil
}

// lineSize bounds the line of a layer.
const lineSize = 256

// page is what parts of a file are multiples of.
const page = 4096

// headerSize is a multiple of the pages with room for all layers.
func headerSize(id *Identity) int64 {
	most := len(magic) + len(seal(id)) + (id.Seeds+2)*lineSize
	return int64((most + page - 1) / page * page)
}

// checksum is that of a layer.
func (l *layer) checksum() string {
	h := xxh3.New()
	l.eachRange(func(first, end uint64) { l.each(first, end, func(part []byte) { _, _ = h.Write(part) }) })
	return fmt.Sprintf("%016x", h.Sum64())
}

// File is an open table of which the rules are not known yet. Its futures are read when they are
// first asked for.
type File struct {
	Header
	path   string
	handle file.Handle
	size   int64
	begin  int64 // of the futures

	most   int64 // bytes that are kept in memory
	once   sync.Once
	memory *frozen.File // the whole file
	failed error

	mu    sync.Mutex
	table *Table // that of a library, when it was first asked for
}

// Open opens a table, and checks that its header and its size are right. An error is that of the
// file system or a *DamagedError.
func Open(path string) (*File, error) { return OpenWithin(path, private()) }

// OpenWithin is Open for a table of which at most so many bytes are kept in memory.
func OpenWithin(path string, memory int64) (*File, error) {
	handle, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, handle: handle, most: memory}
	if err := f.readHeader(); err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return f, nil
}

// mostHeader bounds what is read to find out that a file is no table. The largest headers have a
// line for each of some hundred thousand seeds.
const mostHeader = 64 << 20

func (f *File) readHeader() error {
	info, err := f.handle.Stat()
	if err != nil {
		return err
	}
	f.size = info.Size()
	text := make([]byte, min(f.size, page))
	for {
		n, err := f.handle.ReadAt(text, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text = text[:n]
		is := bytes.HasPrefix(text, []byte(magic[:len(magic)-2]))
		if !is || bytes.Count(text, []byte("\n")) > 1 || int64(len(text)) == f.size || len(text) >= mostHeader {
			break
		}
		text = make([]byte, min(f.size, 16*int64(len(text)), mostHeader))
	}
	return f.header(text)
}

// header reads the header from the beginning of a file.
func (f *File) header(text []byte) error {
	rest, current := bytes.CutPrefix(text, []byte(magic))
	is := bytes.HasPrefix(text, []byte(magic[:len(magic)-2]))
	f.Header = Header{}
	reason := ""
	switch {
	case !is:
		reason = "it is no endgame table"
	case !current:
		reason = "it was made by another version of mancheck"
	case !unseal(rest, &f.Header), !f.sound():
		reason = "its header is damaged"
	case uint64(f.size) != uint64(headerSize(&f.Identity))+f.Entries:
		reason = "it has the wrong size"
	default:
		f.begin = headerSize(&f.Identity)
		return nil
	}
	return &DamagedError{f.path, reason, !is}
}

// sound reports whether the numbers of a header can be those of a table: a checksum is no proof
// that mancheck has written it.
func (h *Header) sound() bool {
	if h.Seeds < 0 || len(h.Layers) != h.Seeds+1 || h.Positions > math.MaxInt64 || h.Entries > h.Positions {
		return false
	}
	left := h.Positions
	for s, l := range h.Layers {
		if l.Seeds != s || l.Positions > left || l.Cyclic > l.Positions {
			return false
		}
		left -= l.Positions
	}
	return left == 0
}

// private is up to which size a table is read into memory: half of what a search may take.
var private = func() int64 { return limit.DefaultMemory() / 2 }

// load reads the file, once.
func (f *File) load() error {
	f.once.Do(func() {
		if f.memory, f.failed = frozen.Open(f.handle, f.most); f.failed != nil {
			return
		}
		var text []byte
		f.memory.Each(0, min(f.memory.Len(), f.begin), func(part []byte) { text = append(text, part...) })
		read := &File{path: f.path, size: f.memory.Len()}
		if f.failed = read.header(text); f.failed == nil && !reflect.DeepEqual(read.Header, f.Header) {
			f.failed = &DamagedError{Path: f.path, Reason: "it was changed while it was opened"}
		}
	})
	return f.failed
}

// Err fails with a *DamagedError if something was looked up in the table that is no longer what it
// was when the table was opened. What was found with it does not mean anything then. That can be so
// only of a table that is too large to be read into memory.
func (f *File) Err() error {
	if f.memory == nil {
		return nil
	}
	if err := f.memory.Err(); err != nil {
		return &DamagedError{Path: f.path, Reason: err.Error()}
	}
	return nil
}

// Close closes the file, and with it its table.
func (f *File) Close() error {
	if f.memory != nil {
		f.memory.Close()
	}
	return f.handle.Close()
}

// Bytes is the size of the file.
func (f *File) Bytes() int64 { return f.size }

// suits fails with an *OtherError if the table is not for a game.
func (f *File) suits(sys *rules.System, p value.Payoff) error {
	if f.Hash != sys.PlayHash() {
		other := Identity{System: sys.Name, Hash: sys.PlayHash()}
		return &OtherError{f.path, f.differs(&other)}
	}
	if _, ok := f.payoff(sys, p); !ok {
		return &OtherError{f.path, fmt.Sprintf("endless play counts as %s in it", f.Endless)}
	}
	return nil
}

// Table is the table, for a game that it fits. An error is an *OtherError, a *DamagedError or one
// of value.NewPositions.
func (f *File) Table(ctx context.Context, sys *rules.System, p value.Payoff) (*Table, error) {
	if err := f.suits(sys, p); err != nil {
		return nil, err
	}
	p, _ = f.payoff(sys, p)
	t, err := newTable(ctx, sys, f.Seeds, p)
	if err != nil {
		return nil, err
	}
	id := t.identity()
	if reason := f.differs(&id); reason != "" {
		return nil, &OtherError{f.path, reason}
	}
	if err := f.load(); err != nil {
		return nil, err
	}
	t.file, t.layers = f, f.Layers
	if all := f.memory.All(); all != nil {
		t.futures = all[f.begin:]
	}
	for s, l := range t.layers {
		if t.layer(s).checksum() != l.Checksum {
			return nil, cmp.Or(f.Err(), error(&DamagedError{Path: f.path, Reason: fmt.Sprintf("the layer of %d seeds is damaged", s)}))
		}
	}
	return t, nil
}

// payoff is the payoff of the table. ok is false if it is not the one that is asked for, and that
// matters.
func (f *File) payoff(sys *rules.System, p value.Payoff) (_ value.Payoff, ok bool) {
	for endless, word := range endlessWords {
		if word == f.Endless {
			t := value.Payoff{Kind: value.Margin, Endless: endless}
			return t, sameWorth(sys, f.Layers, t, p)
		}
	}
	return p, false
}

// sameWorth reports whether positions are worth the same by two payoffs. What endless play is worth
// does not matter if there is none.
func sameWorth(sys *rules.System, layers []Layer, a, b value.Payoff) bool {
	cyclic := slices.ContainsFunc(layers, func(l Layer) bool { return l.Cyclic > 0 })
	return a.Kind == b.Kind && (a.Endless == b.Endless || !cyclic && !value.MayLoop(sys))
}

// Counts returns how many positions have each future, and value.NoFuture. An error is that of the
// file system or a *DamagedError.
func (f *File) Counts() (map[int]uint64, error) {
	if err := f.load(); err != nil {
		return nil, err
	}
	var counts [256]uint64
	f.memory.Each(f.begin, f.memory.Len(), func(part []byte) {
		for _, b := range part {
			counts[b]++
		}
	})
	list := map[int]uint64{}
	for b, n := range counts {
		if n == 0 {
			continue
		}
		list[int(int8(b))] += n
		if f.Swap != nil {
			list[int(negated(value.Negated, int8(b)))] += n
		}
	}
	return list, f.Err()
}

// Fits implements value.Tables.
func (t *Table) Fits(sys *rules.System, p value.Payoff) bool {
	return (t.sys == sys || t.sys.PlayHash() == sys.PlayHash()) && sameWorth(sys, t.layers, t.payoff, p)
}

// Err fails with a *DamagedError if what was looked up is no longer what it was when the table was
// opened. A verdict that rests on it must not be said then.
func (t *Table) Err() error {
	if t.file == nil {
		return nil
	}
	return t.file.Err()
}

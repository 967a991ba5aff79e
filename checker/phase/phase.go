// Package phase divides work among many processes. The work is a sequence of phases, and a phase is
// a list of tasks that do not depend on each other.
//
// A task reads blocks and writes blocks (package depot). It is a pure function: when it runs again,
// anywhere, it writes the same bytes under the same names. The result of a task is its receipt.
// When a phase has all its receipts, the next phase is computed from them and written down. All
// state of the work is in the depot, so processes need not communicate: any process may run tasks
// that have no receipts, and may write down the next phase when all receipts are there. Both are
// idempotent.
//
//	plan                  what the work is; see Plan
//	phase/00012           a phase, with the hash of the phase before
//	receipt/00012/00003   the result of a task
//	block/…               input and output of tasks, content-addressed
//	try/00012/00003.1     an attempt: the task was handed out
//	fault/00012/00003.1   why an attempt failed
//	conflict/00012/00003  the task produced another result when it ran again
//
// What the tasks compute is up to a Work.
//
//	phase.go    the contents of the objects
//	job.go      the objects of a job in its depot
//	ready.go    which tasks have to run
//	fault.go    attempts at tasks, and why they failed
//	run.go      runs a task
//	driver.go   goes from phase to phase, and removes blocks that are no longer needed
//	certify.go  checks a finished job
package phase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/mancheck/mancheck/internal/depot"
)

// Format is the version of the objects of a job.
const Format = 1

// Plan describes the work. It never changes.
type Plan struct {
	Format int
	Tool   string // the build that made the plan; other builds must not continue it
	Kind   string // of Work
	Shards int    // number of parts of large phases
	Memory int64  // bytes that a task may use
	Tries  int    // attempts at a task before the job stops
	Work   json.RawMessage
}

// Block refers to a block, and describes it for tasks that read it.
type Block struct {
	Hash  string
	Size  int64           // bytes
	About json.RawMessage `json:",omitempty"`
}

// Hashes returns the set of the hashes of blocks.
func Hashes(list []Block) map[string]bool {
	set := map[string]bool{}
	for _, b := range list {
		set[b.Hash] = true
	}
	return set
}

// Keep writes a block.
func Keep(ctx context.Context, d depot.Depot, write func(io.Writer) error) (b Block, err error) {
	to, err := depot.NewWriter(ctx, d)
	if err != nil {
		return b, err
	}
	defer to.Drop()
	if err := write(to); err != nil {
		return b, err
	}
	b.Hash, b.Size, err = to.Keep(ctx)
	return b, err
}

// Read reads a block, as depot.Read does.
func (b *Block) Read(ctx context.Context, d depot.Depot) ([]byte, error) {
	return depot.Read(ctx, d, b.Hash, b.Size)
}

// Task is a part of a phase.
type Task struct {
	Inputs []Block         `json:",omitempty"` // in addition to those of the phase
	Args   json.RawMessage `json:",omitempty"`
}

// Phase is a list of tasks that can run at the same time. A phase without tasks is the last one,
// and its State is the result of the work.
type Phase struct {
	Plan    string // hash of the plan
	Number  int
	Name    string          // of what the tasks do
	Before  string          `json:",omitempty"` // hash of the phase before
	Results []Result        `json:",omitempty"` // of the tasks of the phase before
	State   json.RawMessage // what the Work needs to continue
	Inputs  []Block         `json:",omitempty"` // read by all tasks
	Tasks   []Task          `json:",omitempty"`
}

// Last reports whether this is the last phase.
func (p *Phase) Last() bool { return len(p.Tasks) == 0 }

// Result is the result of a task. It depends only on the task.
type Result struct {
	Outputs []Block         `json:",omitempty"`
	Tally   json.RawMessage `json:",omitempty"`
}

// Receipt records that a task was done.
type Receipt struct {
	Phase string // hash of the phase
	Task  int
	Result
	Cost Cost
}

// Cost is the cost of one or more tasks.
type Cost struct {
	Host   string `json:",omitempty"`
	CPU    time.Duration
	Wall   time.Duration
	Read   int64 // bytes of blocks
	Wrote  int64
	Memory int64 // peak of the process, in bytes
}

// Add adds the cost of another task.
func (c *Cost) Add(d Cost) {
	c.CPU += d.CPU
	c.Wall += d.Wall
	c.Read += d.Read
	c.Wrote += d.Wrote
	c.Memory = max(c.Memory, d.Memory)
}

// Work defines the phases and their tasks.
type Work interface {
	// Next returns the phase after last, which is complete, or the first phase if last is nil.
	// results has the results of the tasks of last. Next fills in only Name, State, Inputs and
	// Tasks. It depends only on its arguments and the phases before.
	Next(ctx context.Context, last *Phase, results []Result) (*Phase, error)

	// Do runs a task. It depends only on the task and the blocks that the task reads.
	Do(ctx context.Context, e *Env, p *Phase, task int) (Result, error)
}

// guarded calls f. If f panics, since an object of the job was changed and has the right checksum,
// the panic is an error.
func guarded[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case Wrong:
			err = fault.Err
		default:
			err = fmt.Errorf("objects of the job contradict each other, or mancheck has a bug: %v", fault)
		}
	}()
	return f()
}

// Wrong is what a method of a Work panics with if an object of the job is not what the Work writes.
// The caller of the method gets the error.
type Wrong struct{ Err error }

// Decode decodes an object of a Work in one of its methods. If that cannot be done, the object is
// Wrong.
func Decode[T any](text json.RawMessage) (v T) {
	if err := json.Unmarshal(text, &v); err != nil {
		panic(Wrong{err})
	}
	return v
}

// Encode encodes an object of a Work, which consists of numbers, strings, lists and structs.
func Encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // all these objects can be encoded
	}
	return text
}

// seal encodes an object as JSON, after a line with its checksum. unseal verifies the checksum and
// decodes the object.
func seal(v any) []byte {
	text := Encode(v)
	return fmt.Appendf(nil, "%s\n%s\n", digest(text), text)
}

func unseal(sealed []byte, v any) (hash string, err error) {
	sum, text, _ := bytes.Cut(sealed, []byte("\n"))
	text, ended := bytes.CutSuffix(text, []byte("\n"))
	if !ended || string(sum) != digest(text) {
		return "", fmt.Errorf("it has the wrong checksum")
	}
	return string(sum), json.Unmarshal(text, v)
}

// sum returns the hash of a sealed object, which is its first line.
func sum(sealed []byte) string {
	line, _, _ := bytes.Cut(sealed, []byte("\n"))
	return string(line)
}

// digest returns the SHA-256 of a text.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Package phase describes work that many processes share: one phase after another, each of tasks
// that do not depend on each other.
//
// A task reads blocks and writes blocks (package depot). It is a pure function: when it runs again,
// anywhere, it writes the same bytes under the same names. What a task came to is its receipt. When
// all receipts of a phase are there, the next phase follows from them, and is written down. So all
// that is known of the work is in the depot. Nobody has to be told anything: whoever finds tasks
// without receipts may run them, and whoever finds all receipts may write down what follows. That
// this happens twice does no harm.
//
//	plan                  what the work is; see Plan
//	phase/00012           a phase; each has the hash of the one before
//	receipt/00012/00003   what a task came to
//	block/…               what tasks read and write, by the hash of the content
//	try/00012/00003.1     that a task was handed out
//	fault/00012/00003.1   why a task failed
//	conflict/00012/00003  a task came to something else when it ran again
//
// What the work is, this package does not know: that is a Work.
//
//	phase.go    what the objects hold
//	job.go      the objects of a job in its depot
//	ready.go    which tasks have to run
//	fault.go    why tasks failed
//	try.go      how many times tasks were handed out
//	run.go      runs a task; here.go all of them, in one process
//	clean.go    removes blocks that are not needed any more
//	driver.go   finds what is to be done next
//	certify.go  checks a job that is done
//	count.go    what a task reads and writes, for its costs
package phase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Format is the version of the objects of a job.
const Format = 1

// Plan says what the work is. It does not change.
type Plan struct {
	Format int
	Tool   string // the build that made the plan; another one must not go on with it
	Kind   string // of Work
	Shards int    // into how many parts large phases are divided
	Memory int64  // bytes that a task may take
	Tries  int    // how many times a task is handed out before the work is given up
	Work   json.RawMessage
}

// Block is a block, and what those who read it must know of it.
type Block struct {
	Hash  string
	Size  int64           // bytes
	About json.RawMessage `json:",omitempty"`
}

// Task is a part of a phase.
type Task struct {
	Inputs []Block         `json:",omitempty"` // besides those of the phase
	Args   json.RawMessage `json:",omitempty"`
}

// Phase is a list of tasks that can run at the same time. One without tasks is the last, and its
// State is what the work came to.
type Phase struct {
	Plan    string // hash of the plan
	Number  int
	Name    string          // of what the tasks do
	Before  string          `json:",omitempty"` // hash of the phase before
	Results []Result        `json:",omitempty"` // of the tasks of the phase before
	State   json.RawMessage // what the Work has to know to go on
	Inputs  []Block         `json:",omitempty"` // that each task may read
	Tasks   []Task          `json:",omitempty"`
}

// Last reports whether the work is done.
func (p *Phase) Last() bool { return len(p.Tasks) == 0 }

// Result is what a task came to. It depends on nothing but the task.
type Result struct {
	Outputs []Block         `json:",omitempty"`
	Tally   json.RawMessage `json:",omitempty"`
}

// Receipt says that a task was done.
type Receipt struct {
	Phase string // hash of the phase
	Task  int
	Result
	Cost Cost
}

// Cost is what it took to run a task, or several.
type Cost struct {
	Host   string `json:",omitempty"`
	CPU    time.Duration
	Wall   time.Duration
	Read   int64 // bytes of blocks
	Wrote  int64
	Memory int64 // bytes, the most of the process at any time
}

// Add adds the cost of another task.
func (c *Cost) Add(d Cost) {
	c.CPU += d.CPU
	c.Wall += d.Wall
	c.Read += d.Read
	c.Wrote += d.Wrote
	c.Memory = max(c.Memory, d.Memory)
}

// Work is what the tasks are about.
type Work interface {
	// Next returns the phase after one that is whole, or the first one if last is nil. results are
	// those of the tasks of last. Only Name, State, Inputs and Tasks are filled in. It depends on
	// nothing but its arguments and the phases before.
	Next(ctx context.Context, last *Phase, results []Result) (*Phase, error)

	// Do does a task. It depends on nothing but the task and the blocks that this reads.
	Do(ctx context.Context, e *Env, p *Phase, task int) (Result, error)
}

// Encode writes what a Work makes itself, of numbers, texts, lists and structs.
func Encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only what can be written is in these objects
	}
	return text
}

// seal returns an object with a checksum, as a line of its own before it, and unseal takes it off
// again.
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

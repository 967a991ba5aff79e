// Package cache keeps verdicts in files, by the contents of what they are about.
//
// The key of a verdict is a SHA-256 of all that it depends on: the resolved System, the claim's
// property, the text that decides a claim about every size, the engine that is asked for, the
// endgame tables that are believed, and the build of the tool with its solver. It does not depend
// on file names, comments, layout or the claim's name, nor on what the claim's author expects, nor
// on limits: only verdicts that no limit had a part in are kept.
//
//	key.go    what a verdict depends on: Systems and properties as text
//	store.go  entries as files, and the key that marks the user's own
//	merge.go  the entries of another folder
//	entry.go  a verdict as the text of an entry, or as another process gets it, and back
//	place.go  which System a play is one of
//
// docs/cache.md says what may be relied on.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/describe"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Format is the version of keys and entries. Entries of another version are never found.
const Format = formatName + formatVersion

const formatName, formatVersion = "mancheck-cache ", "5"

// Key names a verdict by what it depends on.
type Key [sha256.Size]byte

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// With is the key of what depends on more than k is of.
func (k Key) With(text string) Key { return sha256.Sum256(append(k[:], text...)) }

// Build is the program that decides. Verdicts of another build are never believed.
type Build struct {
	Tool       string // name and version
	Executable string // digest of the program file
	Solver     string // name and version of the solver that it would ask
}

// KeyOf is the key of the verdict on inst.
func KeyOf(b Build, inst *build.Instance, opt proofs.Options) Key {
	opt = opt.For(inst)
	d := newDescriber()
	for _, text := range []string{Format, b.Tool, b.Executable, b.Solver, string(opt.Engine), opt.Solver} {
		d.Text(text)
	}
	d.Number(opt.Bound)
	d.Bytes(canonical(inst.System))
	d.Texts(inst.Open)
	d.Text(inst.Some)
	d.Text(inst.Size)
	d.Text(inst.Digest())
	if opt.Shortest {
		d.Text("shortest")
	}
	if inst.Negated {
		d.Text("not")
	}
	if inst.Borrows() {
		d.Text("borrows")
	}
	d.Value(reflect.ValueOf(&inst.Property))
	d.Number(len(inst.Fitted))
	for _, p := range inst.Fitted { // notes name them
		d.Text(p.Position)
		d.Number(p.Seeds.Lo)
		d.Number(p.Seeds.Hi)
	}
	for _, t := range claim.MayTrust(opt.Tables, inst) {
		d.Text(t.SHA256)
	}
	return Key(d.Sum(nil))
}

// newDescriber makes what writes what verdicts depend on into a hash.
func newDescriber() (d describe.Writer) {
	d = describe.New(func(v reflect.Value) bool {
		switch v.Type() {
		case ranges: // where something stands in the source does not matter
		case systems:
			d.Bytes(canonical(v.Interface().(*rules.System)))
		default:
			return false
		}
		return true
	})
	return d
}

var (
	ranges  = reflect.TypeFor[diag.Range]()
	systems = reflect.TypeFor[*rules.System]()
)

// canonical is the canonical text of a System; there may be none.
func canonical(sys *rules.System) []byte {
	if sys == nil {
		return nil
	}
	return sys.Canonical()
}

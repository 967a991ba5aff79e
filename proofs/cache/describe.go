package cache

import (
	"reflect"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/describe"
	"github.com/mancheck/mancheck/rules"
)

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

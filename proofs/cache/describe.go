package cache

import (
	"reflect"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/describe"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// describer writes what verdicts depend on into a hash.
type describer struct{ describe.Writer }

func newDescriber() (d describer) {
	d.Writer = describe.New(func(v reflect.Value) bool {
		switch v.Type() {
		case ranges: // where something stands in the source does not matter
		case systems:
			d.system(v.Interface().(*rules.System))
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

// system is the canonical text.
func (d describer) system(sys *rules.System) {
	var text []byte
	if sys != nil {
		text = sys.Canonical()
	}
	d.Bytes(text)
}

func (d describer) property(p build.Property) { d.Value(reflect.ValueOf(&p)) }

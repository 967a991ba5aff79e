package build

import (
	"encoding/hex"
	"reflect"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Walked lists what the gate for every size walks.
func (i *Instance) Walked() []ast.Node { return i.gate().walked }

// Written lists the texts of the digest of a claim about every size.
func (i *Instance) Written() (list []ast.Node) {
	d := identify(i.Claim.unit.bound[i.Claim.variant])
	d.roots(false, i.rules()...)
	d.roots(true, i.asked()...)
	for _, w := range d.texts {
		list = append(list, w.node)
	}
	return list
}

// DigestOf is the digest of a text about the variant of a claim.
func (i *Instance) DigestOf(n ast.Node) string {
	d := identify(i.Claim.unit.bound[i.Claim.variant])
	d.Value(reflect.ValueOf(&n))
	return hex.EncodeToString(d.Sum(nil))
}

package build

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/tier"
)

// TestShared: the games that claims have in common are those that each would have by itself.
func TestShared(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow", "proofs/values/*.sow"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		paths = append(paths, found...)
	}
	claims, games := 0, 0
	for i := 0; i < len(paths); i += tier.Every(8, 4) {
		path := paths[i]
		program, diags := dsl.Load(path, os.ReadFile)
		u, more := Collect(program.Files)
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, decl := range u.Claims {
			c, _ := u.Claim(decl)
			var found diag.List
			for _, inst := range c.Instances(nil, &found) {
				open := inst.Open
				if inst.Some != "" {
					open = append(append([]string{}, open...), inst.Some)
				}
				alone := *inst
				alone.resolve(u.build, open, new(diag.List))
				sys := inst.upward(alone.System) // a claim about every size is about more than one System
				if !reflect.DeepEqual(sys, inst.System) || !reflect.DeepEqual(alone.Property, inst.Property) {
					t.Errorf("%s: %s is about another game than it would be alone", path, inst.Name())
				}
				whole := *inst
				if inst.Shed(); inst.Property != nil || len(inst.System.Actions) > 0 || !reflect.DeepEqual(inst.System.Params, sys.Params) {
					t.Errorf("%s: what %s has forgotten is not the rules", path, inst.Name())
				}
				if err := inst.Restore(); err != nil || !reflect.DeepEqual(*inst, whole) {
					t.Errorf("%s: %s is another one when it is resolved again: %v", path, inst.Name(), err)
				}
				claims++
			}
			if found.HasErrors() {
				t.Errorf("%s: %v", path, found)
			}
		}
		games += len(u.shared.games)
	}
	if games == 0 || claims < games || claims < 2*games && tier.Full() {
		t.Errorf("%d claims about %d games", claims, games)
	}
}

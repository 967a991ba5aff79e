package proofs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/resolve"
)

func TestZ(t *testing.T) {
	files, _ := filepath.Glob("../examples/*.sow")
	for _, f := range files {
		prog, d := dsl.Load(f, os.ReadFile)
		u, d := resolve.Collect(prog.Files)
		fmt.Println(f, d)
		for _, c := range u.Claims {
			var diags diag.List
			cl, d := u.Claim(c)
			insts := cl.Instances(resolve.Settings{}, &diags)
			if len(d)+len(diags) > 0 {
				fmt.Println(d, diags)
			}
			for _, in := range insts {
				r, err := Decide(context.Background(), in, Options{})
				if err != nil {
					fmt.Println("ERR", c.Name.Name, err)
					continue
				}
				m := 0
				if r.Trace != nil {
					m = len(r.Trace.Steps)
				}
				fmt.Println(r.AsExpected(), r.InstanceName(), r.Status, r.Engine, r.Reason, r.Scope, r.Stats, m, r.Notes, r.Vacuous)
			}
		}
	}
}

package oracle

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
)

func TestDump(t *testing.T) {
	for _, path := range strings.Fields(os.Getenv("ORACLE_DUMP")) {
		p, diags := dsl.Load(path, os.ReadFile)
		if diags.HasErrors() {
			t.Error(path, diags)
			continue
		}
		f := p.Files[len(p.Files)-1]
		for _, d := range f.Decls {
			if c, ok := d.(*ast.Claim); ok {
				if only := os.Getenv("ORACLE_CLAIM"); only != "" && only != c.Name.Name {
					continue
				}
				begin := time.Now()
				for _, i := range DecideIn(p.Files, c, Limits{}) {
					fmt.Printf("%s %s %v vacuous=%v faults=%v %s\n", path, i.Name, i.Truth, i.Vacuous, i.Faults, i.Why)
				}
				if e := time.Since(begin); e > time.Second {
					fmt.Println("   took", e)
				}
			}
		}
	}
}

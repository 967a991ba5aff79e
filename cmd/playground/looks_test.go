//go:build !js

package main_test

import (
	"fmt"
	"os"
	"path"
	"testing"

	"github.com/chromedp/chromedp"

	. "github.com/mancheck/mancheck/internal/webtest"
)

// TestLooks: boards of each kind fit a phone, a tablet and a desk, light and dark, and axe-core
// finds no serious fault on them. SHOTS=DIR keeps the pictures.
func TestLooks(t *testing.T) {
	axe, err := os.ReadFile("web/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed")
	}
	v := visit(t, kalah)
	for _, file := range []string{"kalah", "oware", "family/hus_nama", "family/bao_kiswahili", "tchoukaillon", "dose2015"} {
		v.size(1440, 900)
		Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+"#example=examples/"+file+".sow"))
		v.wait(ready)
		Eval[any](t, v.ctx, string(axe)+";0")
		v.bool(`(document.querySelector("#board [data-move]").click(), true)`)
		v.wait(`document.querySelector("#board .where")?.textContent.startsWith("move 1 of 1")`)
		v.wait(settled)
		for _, scheme := range []string{"light", "dark"} {
			v.media("prefers-color-scheme", scheme)
			for _, width := range []int64{360, 768, 1440} {
				v.size(width, 800)
				v.bool(`(document.querySelector('.tabs [data-panel="board-panel"]').click(), true)`)
				v.wait(settled)
				if got := v.number(`document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s is %d wide on %d", file, got, width)
				}
				v.shot(fmt.Sprintf("%s-%d-%s", path.Base(file), width, scheme))
			}
			for _, fault := range v.faults() {
				t.Errorf("%s, %s: %s", file, scheme, fault)
			}
		}
	}
	v.heard.Quiet(t)
}

// faults are what axe-core finds on the page that is serious. It must have been loaded there.
func (v *visitor) faults() []string {
	v.t.Helper()
	v.bool(`(window.faults = null, axe.run(document).then(r => { window.faults = r.violations.filter(f => ["serious", "critical"].includes(f.impact))
		.map(f => f.id + ": " + f.nodes.slice(0, 3).map(n => n.target + " " + n.failureSummary).join("; ")) }), true)`)
	v.wait(`window.faults !== null`)
	return v.list(`window.faults`)
}

//go:build !js

package main_test

import (
	"fmt"
	"path"
	"testing"

	"github.com/chromedp/chromedp"

	. "github.com/mancheck/mancheck/internal/webtest"
)

// TestLooks: boards of each kind fit a phone, a tablet and a desk, light and dark, and axe-core
// finds no serious fault on them. SHOTS=DIR keeps the pictures.
func TestLooks(t *testing.T) {
	axe := axeCore(t)
	v := visit(t, kalah)
	for _, file := range []string{"kalah", "oware", "family/hus_nama", "family/bao_kiswahili", "tchoukaillon", "dose2015"} {
		v.size(1440, 900)
		Do(t, v.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(v.home+"#example=examples/"+file+".sow"))
		v.wait(ready)
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
			Accessible(t, v.ctx, axe)
		}
	}
	v.heard.Quiet(t)
}

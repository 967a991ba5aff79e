//go:build !js

package main_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	. "github.com/mancheck/mancheck/internal/webtest"
)

// TestResearcher: the first minutes of somebody who looks into a position. It is set up by clicks,
// its value is found, the best line is played, a worse move is tried beside it, and a link has all
// of that.
//
// South has a seed in each of the two pits that are furthest from the store, and North one that
// faces the second. If South plays the first of them, North can capture nothing, and each gets what
// is his: 2 to 1. If South plays the second one, North's seed falls opposite the first: 1 to 2.
func TestResearcher(t *testing.T) {
	v := visit(t, kalah)
	v.bool(`(() => { const set = (name, value) => { const box = document.querySelector('[data-key="param ' + name + '"]'); box.value = value; box.dispatchEvent(new Event("change")); };
		set("m", 3); set("n", 1); return true })()`)
	v.wait(`document.getElementById("game").textContent.startsWith("Kalah  m=3, n=1")`)
	v.click(`[data-key="set up"]`)
	v.wait(`document.querySelectorAll('#board [data-pit]').length === 8`)
	v.click(`[data-key="tool 0"]`)
	for _, pit := range []string{"south3", "north1", "north3"} {
		v.click(`#board [data-pit="` + pit + `"]`)
	}
	v.wait(`document.querySelector("#board .where").textContent === "3 seeds"`)
	v.click(`[data-key="done"]`)
	v.wait(`document.querySelector("#board .strong").textContent === "South to move"`)

	v.click("#analysis")
	v.wait(`document.querySelector("#board .analysis .kind.exact") !== null`)
	for move, worth := range map[string]string{"1": "+1", "2": "-1"} {
		v.wait(fmt.Sprintf(`document.querySelector('#board [data-move=%q] .worth').textContent.replace("−", "-").includes(%q)`, move, worth))
	}
	if !v.bool(`document.querySelector('#board [data-move="1"]').classList.contains("best") && !document.querySelector('#board [data-move="2"]').classList.contains("best")`) {
		t.Error("the better move is not marked")
	}
	v.shot("researcher")

	ahead := v.number(`document.querySelectorAll("#board .ahead button").length`)
	Do(t, v.ctx, chromedp.Focus(fmt.Sprintf(`#board [data-key="ahead %d"]`, ahead-1)))
	v.press(kb.Enter)
	v.wait(`document.querySelector("#board .strong").textContent.startsWith("over")`)
	if got := v.text(`document.querySelector("#board .game").textContent`); !strings.Contains(got, "South 2, North 1") {
		t.Errorf("best play comes to %q", got)
	}
	line := v.list(history)
	v.press(kb.Home)
	v.wait(`document.querySelector('#board [data-move="2"]') !== null`)
	v.click(`#board [data-move="2"]`)
	v.wait(`document.querySelector("#board .history .branch button[aria-current]") !== null`)
	v.click("#hold")
	v.wait(`document.querySelector('#board [data-held="stores_grow"] .verdict.good') !== null`)
	v.click("#share")
	v.wait(`document.getElementById("address") !== null`)
	address := v.text(`document.getElementById("address").value`)
	v.heard.Quiet(t)

	other := visit(t, address[strings.Index(address, "#"):])
	other.wait(`document.querySelector("#board .history .branch button[aria-current]") !== null`)
	got := other.list(history)
	if !slices.Contains(got, "1. South: 2") || among(got, line) != len(line) {
		t.Errorf("the link has %q; the best line was %q", got, line)
	}
	other.heard.Quiet(t)
}

// among counts the items that a list has of another one.
func among(list, of []string) (n int) {
	for _, one := range of {
		if slices.Contains(list, one) {
			n++
		}
	}
	return n
}

// TestTeacher: a teacher makes an exercise, twenty students do it in the page, and what they hand
// in is graded. The claim that is shown has the same verdict in the page and in the table.
func TestTeacher(t *testing.T) {
	const weighed = "%d * row1 + %d * row2 + %d * row3 + %d * row4"
	type result struct{ rank, falls, bounded string }
	var class []result
	// Each step is to the right, or takes two seeds away.
	for _, w := range [][4]int{{4, 3, 2, 1}, {5, 4, 3, 2}, {8, 4, 2, 1}, {9, 8, 7, 6}, {20, 5, 4, 1}, {7, 5, 3, 1}, {6, 5, 4, 3}, {100, 3, 2, 1}} {
		class = append(class, result{fmt.Sprintf(weighed, w[0], w[1], w[2], w[3]), "right", "right"})
	}
	// Some step changes none of these, or makes them more; 5 seeds are never more than 5.
	for _, rank := range []string{"seeds(row1)", "total(row)", "seeds(row4)", "total(row) * total(row)", "5 - row1", "2 * row1 + row2"} {
		class = append(class, result{rank, "wrong", "right"})
	}
	// These fall, but below 0: the weights at the start come to 16 at most.
	for _, less := range []int{20, 50, 99} {
		class = append(class, result{fmt.Sprintf(weighed+" - %d", 4, 3, 2, 1, less), "right", "wrong"})
	}
	for _, broken := range []string{"", "row1 +", "length(row1)"} {
		class = append(class, result{broken, "faulty", "faulty"})
	}

	make := exec.CommandContext(t.Context(), "go", "run", "./scripts/exercise", "make", "docs/exercises/rank.sow")
	make.Dir = "../.."
	made, err := make.Output()
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, "")
	v.drop("rank.sow", strconv.Quote(string(made)))
	v.wait(`!document.getElementById("exercise").hidden`)
	v.bool(catchSaved)
	dir := t.TempDir()
	for i, r := range class {
		v.write(strings.Replace(string(made), "define rank = 0", "define rank = "+r.rank, 1))
		v.wait(settled)
		v.wait(settled)
		if r.falls != "faulty" {
			v.click(decide("falls"))
			v.wait(verdict("falls", map[string]string{"right": "good", "wrong": "bad"}[r.falls]) + ` && document.querySelector("#claims .stale") === null`)
		}
		v.bool(`(window.handed = window.saved = null, true)`)
		v.click(`[data-key="hand in"]`)
		v.wait(`window.handed !== null && window.saved !== null`)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.sow", i)), []byte(v.text(`window.handed`)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v.shot("teacher")
	v.heard.Quiet(t)

	grade := exec.CommandContext(t.Context(), "go", "run", "./scripts/exercise", "grade", "docs/exercises/rank.sow", dir)
	grade.Dir = "../.."
	out, err := grade.Output()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(rows) != 1+len(class) || len(class) != 20 {
		t.Fatalf("%d rows for %d students, %v:\n%s", len(rows), len(class), err, out)
	}
	falls, bounded := slices.Index(rows[0], "falls"), slices.Index(rows[0], "bounded")
	for i, r := range class {
		if row := rows[i+1]; !strings.Contains(row[0], fmt.Sprintf("%02d", i)) || row[falls] != r.falls || row[bounded] != r.bounded {
			t.Errorf("%q is graded %q, want %q", r.rank, row, []string{r.falls, r.bounded})
		}
	}
}

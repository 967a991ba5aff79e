//go:build !js

package main_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	. "github.com/mancheck/mancheck/internal/webtest"
)

// catchSaved keeps what the page saves, in place of a file.
const catchSaved = `(window.saved = null, window.handed = null, URL.createObjectURL = b => (b.text().then(t => { window.handed = t; }), "about:blank#"), HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }, true)`

// shown is what the page says of an exercise.
const shown = `document.getElementById("exercise").innerText`

// examples loads the files that come with the page.
func (v *visitor) examples() {
	v.t.Helper()
	v.bool(`(fetch("library.json").then(r => r.json()).then(files => { window.files = files; }), true)`)
	v.wait(`window.files !== undefined`)
}

// rank is the secret part of the teacher's file, and the hints in it.
func rank(t *testing.T) (secret string, hints []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/exercises/rank.sow")
	if err != nil {
		t.Fatal(err)
	}
	_, secret, found := strings.Cut(string(text), "// Secret:\n")
	if !found {
		t.Fatal("rank.sow is no teacher's file")
	}
	for _, m := range regexp.MustCompile(`(?m)^// Hint: (.*)$`).FindAllStringSubmatch(secret, -1) {
		hints = append(hints, m[1])
	}
	return secret, hints
}

// TestExercise: an example that is an exercise says what is secret and by which sum, offers a hint
// after each try, and is handed in so that a teacher can grade it.
func TestExercise(t *testing.T) {
	secret, hints := rank(t)
	v := visit(t, "#example=docs/exercises/rank.sow")
	v.wait(`!document.getElementById("exercise").hidden`)
	for _, text := range []string{"2 secret claims", "0 tries", fmt.Sprintf("sha256 %.6x", sha256.Sum256([]byte(secret))), "Hint 1 comes after a try"} {
		if got := v.text(shown); !strings.Contains(got, text) {
			t.Errorf("the exercise says %q, and not %q", got, text)
		}
	}
	if v.bool(content+`.textContent.includes("falls_anywhere")`) || v.bool(content+`.textContent.includes("How far")`) {
		t.Error("the page shows what is secret")
	}
	v.click("#decide-all")
	v.wait(shown + `.includes("1 try")`)
	v.click("#decide-all") // the same again is no try
	v.wait(`document.querySelector('#claims-buttons [data-key="all"]:not(:disabled)') !== null`)
	Do(t, v.ctx, chromedp.Focus(`[data-key="hint 1"]`))
	v.press(kb.Enter)
	v.wait(shown + `.includes(` + strconv.Quote(hints[0]) + `)`)
	v.wait(`document.activeElement.dataset.key === "hint 1" && document.activeElement.getAttribute("aria-expanded") === "true"`)
	if got := v.text(shown); strings.Contains(got, hints[1]) || !strings.Contains(got, "Hint 2 comes after 2 tries") {
		t.Errorf("after a try: %q", got)
	}
	v.shot("exercise")
	Do(t, v.ctx, chromedp.Navigate(v.home))
	v.wait(ready)
	v.wait(shown + `.includes("1 try")`) // a reload forgets none

	v.examples()
	student := v.text(`window.files["docs/exercises/rank.sow"]`)
	solution := strings.Replace(student, "define rank = 0", "define rank = 4 * row1 + 3 * row2 + 2 * row3 + row4", 1)
	v.bool(catchSaved)
	v.write(strings.Replace(student, "define rank = 0", "define rank = 9 - row1", 1))
	v.wait(`document.getElementById("mistakes").textContent === "no mistakes" && document.querySelector("#claims .stale, #claims .claim") !== null`)
	v.wait(settled)
	v.wait(settled)
	v.click(decide("falls"))
	v.wait(shown + `.includes("2 tries")`)
	handed := map[string]string{}
	hand := func() {
		v.bool(`(window.handed = window.saved = null, true)`)
		v.click(`[data-key="hand in"]`)
		v.wait(`window.handed !== null && window.saved !== null`)
		handed[v.text(`window.saved`)] = v.text(`window.handed`)
	}
	v.write(solution)
	v.wait(settled)
	v.wait(settled)
	v.click("#decide-all")
	v.wait(verdict("falls", "good"))
	if got := v.text(shown); !strings.Contains(got, "2 tries") {
		t.Errorf("what is right counts as a try: %q", got)
	}
	v.shot("exercise solved")
	hand()

	// Who deletes the marks hands them in all the same.
	at := strings.Index(solution, "// There are")
	v.write(solution[:at])
	v.wait(shown + `.includes("was deleted")`)
	v.bool(`(HTMLAnchorElement.prototype.click = function () { window.saved = "again-" + this.download; }, true)`)
	hand()
	v.heard.Quiet(t)

	dir := t.TempDir()
	for name, text := range handed {
		if want := fmt.Sprintf("rank-handed-in-%.4x.sow", sha256.Sum256([]byte(secret))); strings.TrimPrefix(name, "again-") != want {
			t.Errorf("the file is %s, want %s", name, want)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	grade := exec.CommandContext(t.Context(), "go", "run", "./scripts/exercise", "grade", "docs/exercises/rank.sow", dir)
	grade.Dir = "../.."
	out, err := grade.Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(rows) != 3 {
		t.Fatalf("graded: %s", out)
	}
	for _, row := range rows[1:] {
		// The first claim is decided; those about all states may need a solver, which this run has
		// not.
		if cells := strings.Split(row, ","); cells[1] != "right" || slices.Contains(cells, "wrong") || slices.Contains(cells, "faulty") || cells[len(cells)-1] != "" {
			t.Errorf("graded: %s", row)
		}
	}
}

// TestExercises: all five exercises are among the examples, as students get them.
func TestExercises(t *testing.T) {
	v := visit(t, "")
	v.click("#examples")
	v.wait(`document.querySelector("#library[open] li") !== null`)
	v.examples()
	for _, name := range []string{"hole", "invariant", "law", "rank", "strategy"} {
		path := "docs/exercises/" + name + ".sow"
		teacher, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		_, secret, _ := strings.Cut(string(teacher), "// Secret:\n")
		student := v.text(`window.files[` + strconv.Quote(path) + `]`)
		if !strings.Contains(student, fmt.Sprintf("SHA-256 %x", sha256.Sum256([]byte(secret)))) || strings.Contains(student, "// Secret:") || strings.Contains(student, "// Hint:") {
			t.Errorf("%s is not what students get", path)
		}
		if !v.bool(`[...document.querySelectorAll("#library li")].some(li => li.dataset.name === ` + strconv.Quote(name) + `)`) {
			t.Errorf("%s is not among the examples", name)
		}
	}
	if got := v.list(`Object.keys(window.files).filter(f => f.includes("solutions"))`); len(got) > 0 {
		t.Errorf("solutions are given away: %q", got)
	}
	v.bool(`([...document.querySelectorAll("#library li")].find(li => li.dataset.name === "hole").scrollIntoView(), true)`)
	v.shot("exercises")
	v.heard.Quiet(t)
}

// TestHostileExercise: hints that are damaged or hostile do no harm, and a file that only looks
// like an exercise is none.
func TestHostileExercise(t *testing.T) {
	coded := func(hint string) string { return base64.StdEncoding.EncodeToString([]byte(hint)) }
	seal := "// There are 2 more claims, which stay secret: SHA-256 " + strings.Repeat("0", 64)
	game := "variant V {\n  board { a | b }\n  setup { a = 1 }\n  move { take 1 from a into b }\n}\nclaim c { count(states) = 7 }\n"
	hints := []string{"=", "AAA=A", "////", coded("\xff\xfe"), coded(`<img src=x onerror="window.hurt = true">`), strings.Repeat("QUFB", 20_000)}
	text := game + seal + "\n"
	for i, h := range hints {
		text += fmt.Sprintf("// Hint %d: %s\n", i+1, h)
	}
	text += "// Hint 99999999999999999999: QQ==\n// Hint 3: " + strings.Repeat("(", 5000) + "\n"
	v := visit(t, link(t, map[string]any{"path": "v.sow", "text": text}))
	for try := range 3 {
		v.write(fmt.Sprintf("// %d\n%s", try, text))
		v.wait(settled)
		v.wait(settled)
		v.click("#decide-all")
		v.wait(fmt.Sprintf(`/\b%d tr/.test(%s)`, try+1, shown))
	}
	v.bool(`(document.querySelectorAll("#exercise .hint button").forEach((b, i) => document.querySelector('[data-key="hint ' + (i + 1) + '"]').click()), true)`)
	v.wait(settled)
	if n := v.number(`document.querySelectorAll("#exercise .hint p").length`); n != 2 {
		t.Errorf("%d hints can be read: %q", n, v.text(shown))
	}
	if v.bool(`window.hurt === true || document.querySelector("#exercise img") !== null`) || !strings.Contains(v.text(shown), "<img src=x") {
		t.Error("a hint is read as HTML")
	}
	if n := v.number(shown + `.length`); n > 5000 {
		t.Errorf("the hints have %d characters", n)
	}
	for _, other := range []string{strings.Repeat("0", 63), strings.Repeat("g", 64)} {
		v.drop("other.sow", strconv.Quote(game+"// There are 2 more claims, which stay secret: SHA-256 "+other+"\n"))
		v.wait(`document.getElementById("path").textContent === "other.sow" && document.getElementById("exercise").hidden`)
		v.drop("v.sow", strconv.Quote(text))
		v.wait(`!document.getElementById("exercise").hidden`)
	}
	v.heard.Quiet(t)
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/tier"
)

// The documents are run as they stand, so that they stay true. Of the blocks of a document
//
//	```sow FILE     is written to FILE: the first one anew, others behind what is there.
//	```file FILE    likewise, for files that are no rules.
//	```diff FILE    changes FILE: the lines without a `+` are there once, and those without
//	                a `-` take their place.
//	```             is a session if it begins with `$ `: commands of a shell, each with what
//	                it prints.
//
// In a session `…` stands for what is left out: for any lines if it is alone on its line, and else
// for anything on the line.

// block is a block of code of a Markdown document.
type block struct {
	line int    // of the text below the fence
	info string // behind the fence
	text string
}

// blocks returns the fenced blocks of a document in their order.
func blocks(t *testing.T, path string) []block {
	t.Helper()
	var list []block
	open := false
	for i, line := range strings.SplitAfter(read(t, path), "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open:
			open = false
		case fence:
			open = true
			list = append(list, block{line: i + 2, info: strings.TrimSpace(info)})
		case open:
			list[len(list)-1].text += line
		}
	}
	if open || len(list) == 0 {
		t.Fatalf("%s: no blocks, or one that is not closed", path)
	}
	return list
}

func TestDocuments(t *testing.T) {
	tier.Long(t, "the documents decide many claims")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "docs/index.md", "docs/tutorial.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runDocument(t, root, name)
		})
	}
}

// TestRecordsDocument plays the games that are recorded in docs/records.md.
func TestRecordsDocument(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	runDocument(t, root, "docs/records.md")
}

// TestInitDocument goes the way of docs/ci.md from nothing to claims that hold.
func TestInitDocument(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	runDocument(t, root, "docs/ci.md")
}

// runDocument writes the files of a document, and runs its sessions.
func runDocument(t *testing.T, root, name string) {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"examples", "proofs"} {
		copyRules(t, filepath.Join(dir, folder), filepath.Join(root, folder))
	}
	sessions := 0
	for _, b := range blocks(t, filepath.Join(root, name)) {
		what, file, _ := strings.Cut(b.info, " ")
		at := fmt.Sprintf("%s:%d", name, b.line)
		switch {
		case what == "sow", what == "file":
			add(t, at, filepath.Join(dir, file), b.text)
		case what == "diff":
			change(t, at, filepath.Join(dir, file), b.text)
		case strings.HasPrefix(b.text, "$ "):
			sessions++
			runSession(t, at, dir, b.text)
		}
	}
	if sessions == 0 {
		t.Error("the document has no session")
	}
}

// copyRules copies the rules files of a folder.
func copyRules(t *testing.T, to, from string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*.sow"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no rules files: %v", from, err)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(file)), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// add appends a text to a file, behind an empty line.
func add(t *testing.T, at, file, text string) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatalf("%s: %v", at, err)
	}
	if len(old) > 0 {
		text = "\n" + text
	}
	if err := os.WriteFile(file, append(old, text...), 0o666); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
}

// change makes a change to a file.
func change(t *testing.T, at, file, diff string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	var old, now strings.Builder
	for line := range strings.Lines(diff) {
		switch sign, rest := line[:1], line[min(1, len(line)-1):]; sign {
		case "-":
			old.WriteString(rest)
		case "+":
			now.WriteString(rest)
		default:
			old.WriteString(rest)
			now.WriteString(rest)
		}
	}
	if n := strings.Count(string(data), old.String()); n != 1 {
		t.Fatalf("%s: what is changed occurs %d times:\n%s", at, n, data)
	}
	text := strings.Replace(string(data), old.String(), now.String(), 1)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
}

// runSession runs the commands of a session and compares what they print.
func runSession(t *testing.T, at, dir, text string) {
	t.Helper()
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			t.Fatalf("%s: %s: %v", at, command, err)
		}
		if got := trimmed(string(out)); !pattern(trimmed(want)).MatchString(got) {
			t.Errorf("%s: %s\nprints\n%s\nand not\n%s", at, command, got, want)
		}
	}
}

// trimmed is a text without white space at the ends of lines and without empty lines at its end.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// pattern matches what a session shows.
func pattern(want string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`\A`)
	for line := range strings.Lines(want) {
		if strings.TrimSpace(line) == "…" {
			b.WriteString(`(?s:.*\n)?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	b.WriteString(`\z`)
	return regexp.MustCompile(b.String())
}

// TestCookbook puts each piece of the cookbook into the game at its beginning, as the page says,
// and plays all plays of a few moves. Its claims are decided for that game as it stands.
func TestCookbook(t *testing.T) {
	const name = "cookbook.md"
	list := blocks(t, filepath.Join("../../docs", name))
	if list[0].info != "sow frame" {
		t.Fatalf("%s begins with %q", name, list[0].info)
	}
	frame := list[0].text
	for _, b := range list[1:] {
		t.Run(fmt.Sprintf("line%d", b.line), func(t *testing.T) {
			t.Parallel()
			args, text := []string{"perft", "--depth", "4", "--format", "json"}, ""
			switch b.info {
			case "sow":
				text = withItems(t, frame, b.text)
			case "sow body":
				text = withBody(t, frame, b.text)
			case "sow claim":
				args, text = []string{"check", "--timeout", "5m"}, frame+b.text
			default:
				t.Fatalf("a block of %q", b.info)
			}
			file := filepath.Join(t.TempDir(), "game.sow")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("mancheck", append(args, file)...).CombinedOutput()
			if err != nil || noPlay.Match(out) {
				t.Errorf("%s:%d: %v\n%s\n%s", name, b.line, err, out, text)
			}
		})
	}
}

// noPlay is a game in which a start or the first moves allow no move.
var noPlay = regexp.MustCompile(`"perft":[^\]]*\b0\b`)

// sown is what a body replaces.
const sown = "    sow from along ccw\n"

// withBody is the game whose move has the body.
func withBody(t *testing.T, frame, body string) string {
	if strings.Count(frame, sown) != 1 {
		t.Fatal("the game does not sow once")
	}
	if !strings.Contains(body, "sow ") {
		body = sown + body
	}
	return strings.Replace(frame, sown, body, 1)
}

// An item of the game and what shows that a piece has one of its own.
var items = []struct{ item, own *regexp.Regexp }{
	{regexp.MustCompile(`(?ms)^  board \{.*?^  \}\n`), regexp.MustCompile(`(?m)^board `)},
	{regexp.MustCompile(`(?m)^  setup .*\n`), regexp.MustCompile(`(?m)^setup `)},
	{regexp.MustCompile(`(?ms)^  move \{.*?^  \}\n`), regexp.MustCompile(`(?m)^move `)},
	{regexp.MustCompile(`(?m)^  end .*\n`), regexp.MustCompile(`(?m)^(end|draw|\w+ wins) `)},
}

// withItems is the game with these items, which take the place of its own.
func withItems(t *testing.T, frame, piece string) string {
	for _, i := range items {
		if len(i.item.FindAllString(frame, -1)) != 1 {
			t.Fatalf("the game has not one %v", i.item)
		}
		if i.own.MatchString(piece) {
			frame = i.item.ReplaceAllString(frame, "")
		}
	}
	return strings.TrimSuffix(frame, "}\n") + piece + "}\n"
}

// indented is a block of code of the reference.
var indented = regexp.MustCompile(`(?m)(?:^    .*\n|^\n)+`)

// TestReferenceParses: the blocks of the reference are declarations, items of a variant, or a body.
// Places where something is left out do not count.
func TestReferenceParses(t *testing.T) {
	leftOut := strings.NewReplacer("{ … }", "{ 0 }", "…statements…", "", "…", "", "MODIFIERS", "skip s")
	wraps := []string{"%s", "variant V { %s }", "variant V { move { %s } }"}
	found := 0
	for _, code := range indented.FindAllString(read(t, "../../docs/language.md"), -1) {
		if code = strings.TrimSpace(code); code == "" {
			continue
		}
		found++
		parses := false
		for _, wrap := range wraps {
			_, mistakes := dsl.Parse("language.md", fmt.Appendf(nil, wrap, "\n"+leftOut.Replace(code)+"\n"))
			parses = parses || len(mistakes) == 0
		}
		if !parses {
			t.Errorf("this is no code:\n%s", code)
		}
	}
	if found < 20 {
		t.Errorf("the reference has only %d blocks", found)
	}
}

var (
	// link is a link to a file or to a heading.
	link     = regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	noAnchor = regexp.MustCompile(`[^\pL\pN _-]`)
)

// TestDocumentLinks: files and headings that documents link to exist.
func TestDocumentLinks(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range append(documents, "../../README.md") {
		for _, m := range link.FindAllStringSubmatch(read(t, path), -1) {
			found++
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", path, err)
			} else if m[2] != "" && !hasHeading(read(t, to), m[2]) {
				t.Errorf("%s: %s has no heading %s", path, to, m[2])
			}
		}
	}
	if found == 0 {
		t.Error("no document has a link")
	}
}

// TestProse: lines of prose have at most 100 columns, so that a change of a sentence is one of a
// line, and the README is short.
func TestProse(t *testing.T) {
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(documents, "../../README.md") {
		code, front := false, false
		for i, line := range strings.Split(read(t, path), "\n") {
			if line == "---" && (i == 0 || front) { // around the settings of a page
				front = !front
			}
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
			}
			table := strings.HasPrefix(strings.TrimSpace(line), "|")
			command := strings.HasPrefix(line, "`") && strings.HasSuffix(line, "`")
			if !code && !front && !table && !command && !strings.HasPrefix(line, "    ") && utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s:%d has more than 100 columns", path, i+1)
			}
		}
	}
	if n := len(read(t, "../../README.md")); n > 9000 {
		t.Errorf("the README has %d characters, of at most 9000", n)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hasHeading reports whether a heading has the anchor, which is its text in lower case without
// signs, and with hyphens for blanks.
func hasHeading(text, anchor string) bool {
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		words := noAnchor.ReplaceAllString(strings.ToLower(h[1]), "")
		if strings.ReplaceAll(words, " ", "-") == anchor {
			return true
		}
	}
	return false
}

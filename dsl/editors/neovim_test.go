package editors_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// groups tells what a syntax group of Neovim stands for.
var groups = map[string]string{
	"sowComment": comment, "sowString": text, "sowClaimTitle": text, "sowNumber": number, "sowDeclaration": keyword, "sowStatement": keyword,
	"sowWordOperator": keyword, "sowConstant": keyword, "sowName": name, "sowDefinition": name, "sowClaimName": name, "sowWord": name,
	"sowClause": name, "sowClaimOf": name, "sowOperator": sign, "sowSeparator": sign, "sowBracket": sign, "sowSquare": sign,
}

// neovim runs Neovim without a window and without the settings of a user.
func neovim(t *testing.T, env []string, args ...string) {
	t.Helper()
	inTier(t)
	path, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no Neovim here")
	}
	cmd := exec.CommandContext(t.Context(), path, append([]string{
		"--headless", "-n", "-i", "NONE", "-u", "NORC",
	}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "" {
		t.Fatalf("nvim: %v\n%s", err, out)
	}
}

// filetypes lets Neovim find out the types of files.
const filetypes = "filetype plugin on | syntax on"

// TestNeovim: Neovim knows rules files, and its syntax finds the kinds of the scanner's tokens.
func TestNeovim(t *testing.T) {
	want, places := map[string][]token{}, map[string][][2]int{}
	files := rulesFiles(t)
	for path, src := range files {
		if filepath.Ext(path) != ".sow" || !strings.HasPrefix(path, "../../examples") {
			continue
		}
		want[path] = scanned(tokens(t, path, src))
		for _, k := range want[path] {
			line := strings.Count(src[:k.From], "\n") + 1
			places[path] = append(places[path], [2]int{line, k.From - strings.LastIndex(src[:k.From], "\n")})
		}
	}
	in, err := json.Marshal(places)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	asked, answer := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(asked, in, 0o666); err != nil {
		t.Fatal(err)
	}
	neovim(t, []string{"IN=" + asked, "OUT=" + answer}, "--cmd", "set runtimepath^=neovim", "--cmd", filetypes, "-c", "luafile neovim/test/tokens.lua", "-c", "qa!")
	var found map[string][]string
	if err := json.Unmarshal([]byte(read(t, answer)), &found); err != nil {
		t.Fatal(err)
	}
	clauses := 0
	for path, list := range want {
		var got []token
		for i, k := range list {
			got = append(got, token{k.From, k.To, groups[found[path][i]]})
			if found[path][i] == "sowClause" {
				clauses++
			}
		}
		compare(t, path, files[path], got, list)
	}
	if clauses < 100 {
		t.Errorf("the syntax finds only %d words of claims", clauses)
	}
}

// TestNeovimServer: the plugin starts the server, tells it whether the folder is trusted, and shows
// what a command answers. It becomes known after Neovim has looked for types of files.
func TestNeovimServer(t *testing.T) {
	dir := t.TempDir()
	neovim(t, []string{"DIR=" + dir}, "--cmd", filetypes, "-c", "set runtimepath^=neovim", "-c", "luafile neovim/test/server.lua", "-c", "qa!")
	for name, want := range map[string]string{"args": "lsp", "trusted": "false", "shown": "decided file://" + dir + "/game.sow here", "trust": "true"} {
		if got := strings.TrimSpace(read(t, filepath.Join(dir, name))); got != want {
			t.Errorf("%s: %q, and not %q", name, got, want)
		}
	}
}

// TestNeovimWords: the syntax has the keywords, and other words of the language.
func TestNeovimWords(t *testing.T) {
	var reserved, placed []string
	for _, m := range regexp.MustCompile(`(?m)^syntax keyword (\w+) (?:contained )?([a-z ]+?)(?: nextgroup=.*)?$`).FindAllStringSubmatch(read(t, "neovim/syntax/sow.vim"), -1) {
		if m[1] == "sowWord" || m[1] == "sowClause" {
			placed = append(placed, strings.Fields(m[2])...)
		} else {
			reserved = append(reserved, strings.Fields(m[2])...)
		}
	}
	slices.Sort(reserved)
	if want := reservedWords(); !slices.Equal(reserved, want) {
		t.Errorf("the keywords are %v, and not %v", want, reserved)
	}
	for _, w := range placed {
		if !slices.Contains(placedWords(), w) {
			t.Errorf("the language has no word %q", w)
		}
	}
	if len(placed) < 50 {
		t.Errorf("only %d words are coloured at their places", len(placed))
	}
}

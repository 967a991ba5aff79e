package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestStarters: the files for other programs are well-formed, and a release names itself in them.
func TestStarters(t *testing.T) {
	defer func(v string) { version = v }(version)
	for of, want := range map[string]string{"v1.2.3": "@v1.2.3", "v1.2.3-rc.1": "@main"} {
		version = of
		for ci, path := range map[string]string{"github": ".github/workflows/mancheck.yml", "gitlab": ".gitlab-ci.yml"} {
			dir := filepath.Join(t.TempDir(), "orchard")
			var out, errs strings.Builder
			if code := run([]string{"init", dir, "--ci", ci}, strings.NewReader(""), &out, &errs); code != exitExpected {
				t.Fatalf("status %d: %s", code, &errs)
			}
			text := read(t, filepath.Join(dir, path))
			var doc map[string]any
			if err := yaml.Unmarshal([]byte(text), &doc); err != nil || doc["jobs"] == nil && doc["prove"] == nil {
				t.Errorf("%s: %v, %v", path, err, doc)
			}
			if !strings.Contains(text, "mancheck"+want+"\n") {
				t.Errorf("%s of %s does not name %s:\n%s", path, of, want, text)
			}
			_, object, _ := strings.Cut(read(t, filepath.Join(dir, ".vscode/extensions.json")), "\n")
			var hint struct{ Recommendations []string }
			if err := json.Unmarshal([]byte(object), &hint); err != nil || len(hint.Recommendations) != 1 {
				t.Errorf("%v in %s", err, object)
			}
		}
	}
}

// TestInitNames: the game has its own name everywhere, and the folder's unless another is given.
func TestInitNames(t *testing.T) {
	for _, c := range []struct{ dir, game, file, variant, title string }{
		{"orchard", "", "orchard.sow", "Orchard", "Orchard"},
		{"my-games", "", "my_games.sow", "MyGames", "My Games"},
		{"orchard", "Ice Floes", "ice_floes.sow", "IceFloes", "Ice Floes"},
		{"orchard", "game", "game.sow", "Game", "Game"},
		{"South", "", "south.sow", "South", "South"},
		{"123", "", "", "", ""},
		{"orchard", "../x", "", "", ""},
		{"orchard", "a-", "", "", ""},
		{"orchard", "a/b", "", "", ""},
	} {
		dir := filepath.Join(t.TempDir(), c.dir)
		args := []string{"init", dir, "--ci", "none"}
		if c.game != "" {
			args = append(args, "--game", c.game)
		}
		var out, errs strings.Builder
		code := run(args, strings.NewReader(""), &out, &errs)
		if c.file == "" {
			if _, err := os.Stat(dir); code != exitFailed || err == nil {
				t.Errorf("%v: status %d, and the folder was made: %v", c, code, err == nil)
			}
			continue
		}
		if code != exitExpected {
			t.Errorf("%v: status %d: %s", c, code, &errs)
			continue
		}
		path := filepath.Join(dir, c.file)
		text := read(t, path)
		for _, want := range []string{"// " + c.title + ": ", "\nvariant " + c.variant + " {", "mancheck check " + c.file} {
			if !strings.Contains(text, want) {
				t.Errorf("%v: there is no %q in\n%s", c, want, text)
			}
		}
		if code := run([]string{"vet", path}, strings.NewReader(""), &out, &errs); code != exitExpected {
			t.Errorf("%v: vet: %s", c, &errs)
		}
	}
}

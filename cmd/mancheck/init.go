package main

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/gameprops"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
)

type initCmd struct {
	Dir   string `arg:"" optional:"" default:"." help:"Folder for the files; it is made if it is not there. The default is the current folder."`
	Game  string `placeholder:"NAME" help:"Name of the game. The default is the name of the folder."`
	CI    string `name:"ci" enum:"github,gitlab,none" default:"github" help:"Where claims are proved after each push: github, gitlab or none."`
	Force bool   `help:"Replace files that are there already."`
}

// templates are the files that init writes. They are valid as they stand: the rules of a game
// called Game in the file game.sow, and the newest mancheck. A release names itself instead.
//
//go:embed init
var templates embed.FS

// starter is a file that init writes.
type starter struct{ template, path, about string }

// starters lists the files for a game whose rules are in the given file.
func (c *initCmd) starters(rules string) []starter {
	list := []starter{{"game.sow", rules, "the rules of a game, and claims about it"}}
	switch c.CI {
	case "github":
		list = append(list, starter{"github.yml", ".github/workflows/mancheck.yml", "proves the claims after each push"})
	case "gitlab":
		list = append(list, starter{"gitlab.yml", ".gitlab-ci.yml", "proves the claims after each push"})
	}
	return append(list, starter{"extensions.json", ".vscode/extensions.json", "recommends the extension for VS Code"})
}

// Run writes the files that are not there yet, and says what to do next.
func (c *initCmd) Run(s *session) error {
	words, err := c.words()
	if err != nil {
		return err
	}
	rules := strings.ToLower(strings.Join(words, "_")) + ".sow"
	var kept []error
	t := term.Table{}
	for _, f := range c.starters(rules) {
		text, err := f.text(words, rules)
		if err != nil {
			return err
		}
		dir, name := filepath.Split(filepath.Join(c.Dir, f.path))
		path, err := output.Dir{Path: filepath.Clean(dir), Force: c.Force}.Write(name, text)
		switch {
		case err == nil:
			t.Row(path, f.about)
		case errors.As(err, new(*output.KeptError)):
			kept = append(kept, err)
		default:
			return err
		}
	}
	t.Write(s.out, "")
	if len(kept) > 0 {
		return errors.Join(kept...)
	}
	c.next(s, rules)
	return c.misplaced(s)
}

// misplaced notes that the file for continuous integration lies where nothing looks for it.
func (c *initCmd) misplaced(s *session) error {
	dir, err := filepath.Abs(c.Dir)
	if root := input.Repository(dir); err == nil && root != dir && c.CI != "none" {
		s.note("the file for continuous integration belongs into the root of the repository, %s: move it there", root)
	}
	return err
}

// text is the text of the file for a game of that name.
func (f starter) text(words []string, rules string) ([]byte, error) {
	text, err := templates.ReadFile("init/" + f.template)
	if err != nil {
		return nil, err
	}
	revision := "main"
	if info, _ := debug.ReadBuildInfo(); released.MatchString(edition(version, info)) {
		revision = edition(version, info)
	}
	text = []byte(strings.NewReplacer(
		"// Game:", "// "+strings.Join(words, " ")+":",
		"variant Game ", "variant "+strings.Join(words, "")+" ",
		"game.sow", rules,
		"mancheck@main", "mancheck@"+revision,
	).Replace(string(text)))
	if f.template == "game.sow" {
		if _, mistakes := dsl.Parse(rules, text); len(mistakes) > 0 {
			return nil, usageError{fmt.Errorf("a game cannot be called %s", strings.Join(words, ""))}
		}
	}
	return text, nil
}

// released matches the versions of releases.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// next says what to type.
func (c *initCmd) next(s *session, rules string) {
	fmt.Fprint(s.out, "\nNext:\n\n")
	t := term.Table{}
	if dir := filepath.Clean(c.Dir); dir != "." {
		t.Row(shell([]string{"cd", dir}))
	}
	t.Row("mancheck check "+rules, "# refutes a claim, with a play: the rules have a hole")
	t.Row("", "# mend it as the comment at the head of "+rules+" says")
	t.Row("mancheck prove", "# proves all claims")
	t.Write(s.out, "    ")
}

var (
	nameWord = regexp.MustCompile(`[A-Za-z0-9]+`)
	gameName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([ _-]+[A-Za-z0-9]+)*$`)
)

// words are the words of the game's name, each with a capital letter.
func (c *initCmd) words() ([]string, error) {
	name := c.Game
	if name == "" {
		dir, err := filepath.Abs(c.Dir)
		if err != nil {
			return nil, err
		}
		name = filepath.Base(dir)
	}
	if !gameName.MatchString(name) {
		return nil, usageError{fmt.Errorf("%q is no name for a game: letters, digits, and spaces or - between words; --game gives another than that of the folder", name)}
	}
	list := nameWord.FindAllString(name, -1)
	for i, word := range list {
		list[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return list, nil
}

type importCmd struct {
	File  string `arg:"" name:"properties" help:"Game properties of MancalaGames, as GameProps/Wari.txt; - is standard input."`
	Out   string `name:"output" short:"o" placeholder:"PATH" help:"Write the rules to this file instead of to standard output."`
	Force bool   `help:"Replace the file if it exists."`
}

// Run writes the rules of the game.
func (c *importCmd) Run(s *session) error {
	text, err := s.reader.Open(c.File)
	if err != nil {
		return unreadable(c.File, err)
	}
	rules, err := gameprops.Rules(text, strings.Trim(strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File)), input.Stdin))
	if err != nil {
		return diag.Errorf(diag.Unfit, diag.Range{File: c.File}, "%v", err)
	}
	return output.File{Path: c.Out, Force: c.Force}.Write(s.out, rules)
}

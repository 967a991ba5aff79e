// Package shipped lists the games of the repository, for scripts that write about all of them.
package shipped

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/build"
)

// Game is a game: the last variant of a file under examples.
type Game struct {
	ID      string // of the path, without examples/
	Path    string // of the file, from the root of the repository
	Text    string // of the file
	Unit    *build.Unit
	Variant *ast.Variant
}

// Games lists the games of the repository at root, those of the family last. A file without a
// variant, such as a board that several share, has none.
func Games(root string) ([]*Game, error) {
	var list []*Game
	for _, dir := range []string{"examples", "examples/family"} {
		paths, err := filepath.Glob(filepath.Join(root, dir, "*.sow"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			opened, err := proofs.Open(path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if len(opened.Unit.Variants) == 0 {
				continue
			}
			text, err := file.Read(path)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			g := &Game{Path: filepath.ToSlash(rel), Text: string(text), Unit: opened.Unit, Variant: opened.Unit.Variants[len(opened.Unit.Variants)-1]}
			g.ID = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(g.Path, "examples/"), ".sow"), "/", "-")
			list = append(list, g)
		}
	}
	return list, nil
}

var (
	head = regexp.MustCompile(`(?ms)\A.*?^variant `)
	line = regexp.MustCompile(`(?m)^// ?(.*)$`)
)

// Said is what the comments above the variant say.
func (g *Game) Said() string {
	lines := lists.Map(line.FindAllStringSubmatch(head.FindString(g.Text), -1), func(m []string) string { return m[1] })
	return strings.Join(lines, " ")
}

// Command gallery draws the games under examples for the site: it writes an SVG of each board at
// the start, and games.json, into a folder; or the picture of the README.
//
//	go run ./scripts/gallery FOLDER
//	go run ./scripts/gallery docs/board.svg
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/drawing"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/scripts/internal/shipped"
)

// Game is a game as the gallery shows it. Its picture is ID.svg.
type Game struct {
	ID     string `json:"id"`
	File   string `json:"file"` // from the root of the repository
	Name   string `json:"name"`
	About  string `json:"about"`
	Source string `json:"source"`
	Family bool   `json:"family"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: gallery FOLDER or FILE.svg")
	}
	if name := os.Args[1]; strings.HasSuffix(name, ".svg") {
		list, err := shipped.Games(".")
		if err != nil {
			log.Fatal(err)
		}
		picture, err := readme(context.Background(), list)
		if err == nil {
			err = file.Write(name, picture, file.Loose)
		}
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := write(context.Background(), ".", os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write draws the games of the repository at root into a folder.
func write(ctx context.Context, root, folder string) error {
	if err := file.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	list, err := shipped.Games(root)
	if err != nil {
		return err
	}
	var games []*Game
	for _, of := range list {
		g, picture, err := draw(ctx, of)
		if err != nil {
			return fmt.Errorf("%s: %w", of.Path, err)
		}
		games = append(games, g)
		if err := file.Write(filepath.Join(folder, g.ID+".svg"), picture, file.Loose); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(games, "", "  ")
	if err != nil {
		return err
	}
	return file.Write(filepath.Join(folder, "games.json"), text, file.Loose)
}

// draw draws a game.
func draw(ctx context.Context, of *shipped.Game) (*Game, []byte, error) {
	sys, diags := of.Unit.System(of.Variant, nil)
	if err := diags.Err(); err != nil {
		return nil, nil, err
	}
	start, err := firstStart(ctx, sys)
	if err != nil {
		return nil, nil, err
	}
	g := &Game{ID: of.ID, File: of.Path, Name: of.Variant.Name.Name, Family: strings.HasPrefix(of.Path, "examples/family/")}
	g.About, g.Source = about(of.Said())
	layout := drawing.LayoutOf(sys)
	g.Width, g.Height = layout.W, layout.H
	return g, picture(layout, start, plain{sys, start}), nil
}

// firstStart is the first start in which a player can move, or the first one of all.
func firstStart(ctx context.Context, sys *rules.System) (rules.State, error) {
	in := interp.New(sys)
	var initial, movable *rules.State
	err := space.Starts(ctx, in, func(s rules.State) error {
		found := s.Clone()
		if initial == nil {
			initial = &found
		}
		if can, err := in.CanMove(s); err != nil || !can {
			return err
		}
		movable = &found
		return space.ErrStop
	})
	switch {
	case movable != nil:
		return *movable, nil
	case err != nil:
		return rules.State{}, err
	case initial == nil:
		return rules.State{}, fmt.Errorf("there is no start")
	}
	return *initial, nil
}

// plain marks nothing in a state.
type plain struct {
	sys   *rules.System
	state rules.State
}

func (plain) Open(int) bool    { return false }
func (plain) Change(int) int   { return 0 }
func (plain) Marked() int      { return rules.None }
func (plain) Differs(int) bool { return false }
func (p plain) Status() string { return board.Status(p.sys, p.state) }

// picture is a drawing that needs nothing beside it.
func picture(l *drawing.Layout, s rules.State, m drawing.Marks) []byte {
	open, rest, _ := strings.Cut(string(l.Draw("board", s, m)), ">")
	var out bytes.Buffer
	fmt.Fprintf(&out, `%s xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><style>%s.board { max-height: none; min-width: 0; }</style><defs>%s</defs>%s`,
		open, l.W, l.H, drawing.Style, l.Empty("board", m.Open), rest)
	return out.Bytes()
}

var (
	source = regexp.MustCompile(`Source: (.*?[^A-Z])\.(?:\s+[A-Z]|$)`)
	first  = regexp.MustCompile(`^.*?\w{2}[.:](?:\s|$)`)
)

// about takes from the comments above the variant of a file what the game is, and where it was
// found.
func about(said string) (game, from string) {
	if m := source.FindStringSubmatch(said); m != nil {
		from = m[1]
	}
	said, _, _ = strings.Cut(said, "Source: ")
	game = strings.TrimSpace(first.FindString(said))
	if game == "" {
		game = strings.TrimSpace(said)
	}
	return strings.TrimRight(game, ".:"), from
}

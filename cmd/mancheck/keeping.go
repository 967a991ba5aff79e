package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/export"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/play"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// keeping saves games that are played.
type keeping struct {
	s    *session
	c    *playCmd
	at   *placement
	path string // where the game was saved as it is at the end
	last int    // moves that it had then
}

// save saves a game as a trace.
func (k *keeping) save(path string, game *rules.Trace, over bool) error {
	game.Seed, game.Claim = &k.at.seed, k.at.claim
	mode := file.New
	if over {
		mode = file.Named
	}
	err := file.Write(path, playText(game, "json"), mode)
	if errors.Is(err, fs.ErrExist) {
		return &play.ExistsError{Path: path}
	}
	if err == nil {
		k.path, k.last = path, len(game.Steps)
	}
	return err
}

// replay returns the command that replays a game.
func (k *keeping) replay(game *rules.Trace) string {
	words := []string{"mancheck", "replay", k.c.File}
	if k.path != "" && k.last == len(game.Steps) {
		return shell(append(words, k.path))
	}
	variant, params := k.c.Variant, k.c.Param
	if k.c.From != "" { // which may have said both
		variant = game.System.Name
		params = lists.Map(game.System.Params, func(p rules.Param) string { return p.Name + "=" + build.Value{N: p.Value, Bool: p.Bool}.String() })
	}
	if variant != "" {
		words = append(words, "--variant", variant)
	}
	for _, p := range params {
		words = append(words, "-p", p)
	}
	if text := k.start(game); text != "" {
		words = append(words, "--board", text)
	}
	return shell(append(words, "--moves", strings.Join(game.Moves(), ", ")))
}

// start returns the board that the game begins at, or an empty text if that is the only start.
func (k *keeping) start(game *rules.Trace) string {
	sys := game.System
	if first, several, err := input.FirstStart(k.s.ctx, k.at.in); err == nil && !several && first.Equal(game.Start) {
		return ""
	}
	flat := board.Flat(sys, game.Start)
	if st, err := board.Parse(sys, flat); err == nil {
		if st, err := k.at.in.Start(st); err == nil && st.Equal(game.Start) {
			return flat
		}
	}
	return string(board.StateJSON(sys, game.Start))
}

// shell writes words so that a shell reads them as they are.
func shell(words []string) string {
	var list []string
	for _, w := range words {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@") != "" || w == "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		list = append(list, w)
	}
	return strings.Join(list, " ")
}

// playText returns a play in a format, which is JSON if no other is meant.
func playText(t *rules.Trace, format string) []byte {
	switch format {
	case "text":
		return []byte(report.Play(t, ""))
	case "itf":
		return objectText(export.ITF(t))
	case "sow":
		return []byte(export.Positions(t))
	}
	return objectText(report.Trace(t))
}

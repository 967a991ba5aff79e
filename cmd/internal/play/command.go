package play

import (
	_ "embed" // the help
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/interp"
)

// kind is what a typed line asks for.
type kind int

const (
	nothing kind = iota
	move
	undo
	hint
	claim
	showBoard
	listMoves
	listHistory
	variables
	save
	saveOver
	help
	quit
)

// words has the kinds of the commands.
var words = map[string]kind{
	"undo": undo, "hint": hint, "claim": claim, "board": showBoard, "moves": listMoves, "history": listHistory, "show": variables, "save": save,
	"save!": saveOver, "help": help, "quit": quit,
}

//go:embed help.txt
var helpText string

// command is a line that was understood.
type command struct {
	kind kind        // of move
	step interp.Step // of a move
	arg  string
}

// parse parses a line. If a legal move has the notation of a command, the line is the move.
func (t *Table) parse(g *game, line string) (command, error) {
	if line = strings.TrimSpace(line); line == "" {
		return command{}, nil
	}
	step, illegal := g.find(line)
	if illegal == nil {
		return command{kind: move, step: step}, nil
	}
	word, arg, _ := strings.Cut(line, " ")
	k, known := words[word]
	arg = strings.TrimSpace(arg)
	switch {
	case !known:
		if near := spell.Nearest(word, slices.Sorted(maps.Keys(words))); near != "" && len(word) > 2 {
			return command{}, fmt.Errorf("%w; or did you mean `%s`?", illegal, near)
		}
		return command{}, illegal
	case k == claim && arg != "":
		return command{kind: claim, arg: arg}, t.knows(arg)
	case k == save || k == saveOver:
		if arg == "" {
			return command{}, fmt.Errorf("`%s` needs the name of a file", word)
		}
		return command{kind: k, arg: arg}, nil
	case arg != "":
		return command{}, fmt.Errorf("nothing can follow `%s`", word)
	}
	return command{kind: k}, nil
}

// knows returns an error if there is no claim of this name.
func (t *Table) knows(name string) error {
	if slices.Contains(t.Claims, name) {
		return nil
	}
	text := fmt.Sprintf("no claim is called `%s`", name)
	if near := spell.Nearest(name, t.Claims); near != "" {
		text += fmt.Sprintf("; did you mean `%s`?", near)
	}
	return fmt.Errorf("%s", text)
}

// reply answers commands that need no computation.
func (t *Table) reply(g *game, k kind) string {
	switch k {
	case claim:
		if len(t.Claims) == 0 {
			return "the file has no claims about this variant\n"
		}
		return "claims: " + strings.Join(t.Claims, ", ") + "\n"
	case listMoves:
		list := lists.Map(g.legal, func(o option) string { return o.notation })
		if len(list) == 0 {
			return "there is no legal move\n"
		}
		return "legal moves: " + strings.Join(list, ", ") + "\n"
	case listHistory:
		if len(g.moves) == 0 {
			return "no move was made yet\n"
		}
		return "moves: " + g.history(false) + "\n"
	case variables:
		return g.variables()
	case help:
		return helpText
	}
	return ""
}

// seeded returns the options for the present move. The seed depends on the number of moves, so that
// each move gets its own random games, but the same ones whenever it is played again.
func (t *Table) seeded(g *game) choose.Options {
	opts := t.Choose
	opts.Seed += uint64(len(g.moves))
	return opts
}

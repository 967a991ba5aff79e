package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
)

type movesCmd struct {
	File string `arg:"" help:"Rules file; - is standard input."`
	positionFlags
	budgetFlags `group:"limits"`
	formatFlag
}

// Run lists the legal moves and where they lead.
func (c *movesCmd) Run(s *session) error {
	s.draws = true
	in, st, err := s.placed(c.File, c.gameFlags, c.Board, c.State)
	if err != nil {
		return err
	}
	steps, err := in.Steps(st)
	if err != nil {
		return err
	}
	s.result(movesJSON(in, st, steps), func() { s.writeMoves(in, st, steps) })
	return nil
}

// movesJSON returns the object that --format json writes.
func movesJSON(in *interp.Interp, st rules.State, steps []interp.Step) report.Object {
	sys := in.System()
	moves := []report.Object{}
	for _, step := range steps {
		moves = append(moves, report.Object{
			{Name: "move", Value: in.Notation(step.Action, st)},
			{Name: "label", Value: sys.Actions[step.Action].Label},
			{Name: "state", Value: board.StateJSON(sys, step.To)},
		})
	}
	return report.Object{
		{Name: "variant", Value: sys.Name},
		{Name: "params", Value: json.RawMessage(board.ParamsJSON(sys))},
		{Name: "state", Value: board.StateJSON(sys, st)},
		{Name: "moves", Value: moves},
	}
}

// unlabelled is the label of a move that has none of its own.
const unlabelled = "move"

// writeMoves draws the position, and the board after each move.
func (s *session) writeMoves(in *interp.Interp, st rules.State, steps []interp.Step) {
	sys := in.System()
	fmt.Fprint(s.out, board.Draw(sys, st, board.Options{}))
	if st.Live() && len(steps) == 0 {
		fmt.Fprintln(s.out, s.color.Paint(term.Bad, "stuck: there is no legal move"))
	}
	for _, step := range steps {
		head, label := in.Notation(step.Action, st), sys.Actions[step.Action].Label
		if label == head || label == unlabelled {
			label = ""
		}
		fmt.Fprintf(s.out, "\n%s\n", strings.TrimRight(s.color.Paint(term.Bold, head)+"  "+label, " "))
		fmt.Fprint(s.out, board.Draw(sys, step.To, board.Options{Before: &st, Indent: "  "}))
	}
}

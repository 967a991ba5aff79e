package main

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
)

type perftCmd struct {
	File        string `arg:"" help:"Rules file; - is standard input."`
	Depth       count  `required:"" placeholder:"D" help:"Length of the longest sequences."`
	gameFlags   `group:"game"`
	boardFlags  `group:"game"`
	budgetFlags `group:"limits"`
	formatFlag
}

// maxPerftDepth is far beyond what can be counted. It keeps a typing mistake from allocating
// memory.
const maxPerftDepth = 1000

// Run counts the sequences of moves of each length.
func (c *perftCmd) Run(s *session) error {
	if c.Depth > maxPerftDepth {
		return usageError{fmt.Errorf("--depth=%d: at most %d", c.Depth, maxPerftDepth)}
	}
	in, st, err := s.placed(c.File, c.gameFlags, c.Board, nil)
	if err != nil {
		return err
	}
	counts, err := forward.Perft(s.ctx, in.System(), st, int(c.Depth))
	if limit.Ended(err) {
		// For people the session writes the reason.
		s.result(perftJSON(nil).With("reason", limit.Why(s.ctx)+" before the count was complete"), func() {})
		return status(exitInconclusive)
	}
	if err != nil {
		return fault.Explain(in.System(), err)
	}
	s.result(perftJSON(counts), func() { writePerft(s, counts) })
	return nil
}

func perftJSON(counts []uint64) report.Object {
	return report.Object{{Name: "perft", Value: append([]uint64{}, counts...)}}
}

func writePerft(s *session, counts []uint64) {
	t := term.Table{Right: []bool{true, true}}
	t.Row("depth", "sequences")
	for i, n := range counts {
		t.Row(fmt.Sprint(i+1), numeral.Number(int64(n)))
	}
	t.Write(s.out, "")
}

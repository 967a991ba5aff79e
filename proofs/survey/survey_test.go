package survey_test

import (
	"errors"
	"testing"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/survey"
)

// TestReadOnce: a file that changes while questions about it are asked changes no answer.
func TestReadOnce(t *testing.T) {
	text := `variant Push {
  player A, B
  board { a | b | pot }
  setup { a = 2, b = 1 }
  move { require a > 0  take 1 from a into pot }
  mover loses when no move
}
claim own { never stuck }
`
	file, err := proofs.Load("push.sow", func(string) ([]byte, error) { return []byte(text), nil })
	if err != nil {
		t.Fatal(err)
	}
	sys, diags := file.Unit.System(file.Unit.Variants[0], nil)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	read := 0
	open := func(string) ([]byte, error) {
		if read++; read > 1 {
			return nil, errors.New("it is another file now")
		}
		return []byte(text), nil
	}
	game := &survey.Game{System: sys}
	if err := survey.Prepare(t.Context(), "push.sow", open, []*survey.Game{game}, nil, ""); err != nil {
		t.Fatal(err)
	}
	survey.Run(t.Context(), []*survey.Game{game}, suite.Options{})
	// A moves, B moves, and A, who cannot, loses.
	want := map[string]string{
		"conserved": "yes", "a grows": "no", "b grows": "yes", "pot grows": "yes",
		"never stuck": "yes", "for ever": "no", "A can win": "no", "B can win": "yes",
	}
	for _, a := range game.Cells {
		q := a.Question
		if is, asked := want[q.String()]; !asked || a.Is() != is {
			t.Errorf("%s: %s, %s, want %s", q, a.Is(), a.Why(), is)
		}
		delete(want, q.String())
	}
	if len(want) > 0 || read != 1 {
		t.Errorf("not asked: %v; the file was read %d times", want, read)
	}
}

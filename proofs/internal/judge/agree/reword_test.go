package agree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/internal/judge/agree"
	"github.com/mancheck/mancheck/proofs/internal/judge/reword"
)

// TestRewordings: no named result of rules files depends on their words, and games in other words
// are equivalent. With MANCHECK_AGREE set
// there are hundreds of random files; for a long run there is the command fuzz -reword.
func TestRewordings(t *testing.T) {
	n := 15 / tier.Every(5, 3)
	if os.Getenv("MANCHECK_AGREE") != "" {
		n = 300
	}
	opt := agree.Counted(3000)
	opt.Decide.MaxStates = 1500
	tally := agree.NewTally()
	same := func(seed uint64, f *gen.File) {
		for _, found := range opt.InOtherWords(seed, f, tally) {
			t.Errorf("%v\n--- before:\n%s", found, found.File.Text)
		}
	}
	for _, name := range tier.First([]string{"few", "laps", "two", "three", "lent", "forms"}, 2, 6) {
		same(0, read(t, "../reword/testdata/"+name+".sow"))
	}
	for _, way := range reword.Ways {
		if tier.Short() {
			break
		}
		if tally.Claims["reworded: "+way.Name] == 0 {
			t.Errorf("nothing was reworded: %s", way.Name)
		}
		if way.Moves && tally.Claims["compared by moves: "+way.Name] == 0 {
			t.Errorf("no moves were compared: %s", way.Name)
		}
	}
	if tier.Full() {
		same(0, read(t, "../../../../examples/kalah.sow"))
		same(0, read(t, "../../../../examples/dose2015.sow"))
		same(0, read(t, "../../../testdata/wrong/operands.sow"))
	}
	for seed := range uint64(n) {
		same(seed, gen.With(seed, 8))
	}
	t.Log(tally.Claims)
}

func read(t *testing.T, path string) *gen.File {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return &gen.File{Text: string(text)}
}

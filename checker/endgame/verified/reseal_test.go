package verified_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestResealed changes a value in an object of a job and seals the object again. The entries are
// right, since the check derived them, or there is an error, at the latest from certify. The table
// may have other bytes, since it also has a figure that nobody relies on.
func TestResealed(t *testing.T) {
	defer file.Replace(phasetest.Files())()
	sys, seeds := []*rules.System{rulestest.Kalah(2, 1, true), awari(t, "2")}, []int{2, 3}
	var want []*verified.Outcome
	for i := range sys {
		want = append(want, built(t, temporary(t), sys[i], seeds[i], 2))
	}
	ends := map[string]int{}
	for seed := range phasetest.Runs(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			i := seed % 2
			j, w := begin(t, temporary(t), sys[i], seeds[i], 2)
			what, last, err := phasetest.Tamper(t, j, w, rand.New(rand.NewPCG(seed, 3)))
			if err != nil {
				ends["error"]++
				return
			}
			got, err := w.Outcome(last)
			switch {
			case err != nil:
				ends["error"]++
			case got.Verification == want[i].Verification:
				ends["right"]++
			default:
				ends["forged"]++
				if err := j.Certify(t.Context(), w, last, 1, nil); err == nil {
					t.Errorf("%s: the result is %+v, want %+v", what, got, want)
				}
			}
		})
	}
	t.Log(ends)
	if ends["error"] == 0 || ends["right"] == 0 {
		t.Errorf("runs ended with %v", ends)
	}
}

package sharded_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestResealed changes a value in an object of a job and seals the object again, as only somebody
// who writes into the folder on purpose does. The result is right, or there is an error. There is
// one exception: what the tasks of the check say is not checked once more. certify finds that.
func TestResealed(t *testing.T) {
	defer file.Replace(phasetest.Files())()
	sys := rulestest.Kalah(2, 1, true)
	o := sharded.Options{Shards: 3, Least: 5, StuckSteps: true}
	want, err := search(t, sys, o)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for seed := range phasetest.Runs(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := temporary(t)
			j, s := begin(t, d, sys, o)
			what, last, err := phasetest.Tamper(t, j, s, rand.New(rand.NewPCG(seed, 7)))
			if err != nil {
				ends["error"]++
				return
			}
			got, err := s.Outcome(t.Context(), last)
			switch {
			case err != nil:
				ends["error"]++
			case reflect.DeepEqual(got, want):
				ends["right"]++
			default:
				ends["forged"]++
				if err := j.Certify(t.Context(), s, last, 1, nil); err == nil {
					t.Errorf("%s: the result is %+v, want %+v", what, got, want)
				}
			}
		})
	}
	t.Log(ends)
	if ends["error"] == 0 || ends["right"] == 0 || ends["forged"] > ends["error"] {
		t.Errorf("runs ended with %v", ends)
	}
}

package proofs_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/interp"
)

// A program loads a file, decides a claim, and replays the play that shows it. Seeds may be sown
// from a house whose number they equal. With 3 seeds in house 3 and 1 in house 2 that is house 3
// alone; then 2 and 1 seeds lie in houses 2 and 1. House 1 has to be next, or it gets a second
// seed, which can never leave it.
func Example() {
	file, err := proofs.Open("testdata/four.sow")
	if err != nil {
		log.Fatal(err)
	}
	instances, err := file.Instances(nil, "four")
	if err != nil {
		log.Fatal(err)
	}
	for _, inst := range instances {
		r, err := proofs.Decide(context.Background(), inst, proofs.Options{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s, checked by %s\n", inst.Name(), r.Status, r.Checked)
		fmt.Println(strings.Join(r.Trace.Moves(), ", "))
		play, err := interp.New(r.Trace.System).Replay(r.Trace.Start, r.Trace.Moves())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(play.System.Outcomes[play.End().Outcome].Label)
	}
	// Output:
	// four: proved, checked by replay
	// 3, 1, 2, 1
	// win
}

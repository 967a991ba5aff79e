package rows

import (
	"errors"

	"github.com/mancheck/mancheck/checker/residual"
)

// Sampled says how states are explored by rows.
type Sampled struct {
	Territories [2][]int // pits
	States      int64
	Rows        int64 // that these are in
	Actions     []Played
	most        int64 // states
}

// Played says how an action was played.
type Played struct {
	States int64           // in which it was tried
	Alone  int64           // of these, in which it was not played by rows
	Why    residual.Causes // why not
}

// errSampled says that there are enough states.
var errSampled = errors.New("there are enough states")

// note counts how an action was played in the states of a row.
func (s *Sampled) note(action int32, why residual.Causes, states int, alone int64) {
	a := &s.Actions[action]
	a.States += int64(states)
	if a.Alone += alone; alone > 0 {
		a.Why |= why
	}
}

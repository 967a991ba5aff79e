package shards

import (
	"context"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
)

// task is a task that is running.
type task struct {
	*Work
	ctx    context.Context
	env    *phase.Env
	worker *worker
	state  *state
	layout *layout
	pages  *pages
	first  int // its parts are those from first up to end
	end    int
}

// seedsOf returns the control and the seeds of a block of the layer.
func (t *task) seedsOf(block int) (c int, s blocks.Seeds) {
	return t.division.Block(t.layout.Seeds, block)
}

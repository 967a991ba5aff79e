package suite

import (
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// The Systems of some hundred claims take a hundred megabytes, through which each collection of
// garbage goes. So in a run whose verdicts are only listed they are there while they are needed: a
// System is resolved once to find the mistakes in it, and the verdict that the cache may have, and
// once more to decide a claim.

// Shed makes room by the Systems of items that Recall has no verdict on, until their turn comes.
func Shed(items []*Item, opt Options) {
	for _, i := range items {
		if opt.Brief && i.Err == nil && i.Instance != nil && i.Result == nil {
			i.open = proofs.Undecided(i.Instance, opt.Decide.Engine, nil)
			i.open.System = nil
			i.Instance.Shed()
		}
	}
}

// undecided is the verdict on an item that is not decided.
func (i *Item) undecided(engine proofs.Engine, why verdict.Reason) *proofs.Result {
	if i.open == nil {
		return proofs.Undecided(i.Instance, engine, why)
	}
	r := *i.open
	r.Engine, r.Open, r.System = engine, why, i.Instance.System
	return &r
}

// shed makes room by what a table does not show of an item that is done.
func (r *run) shed(item *Item) {
	if r.opt.Brief && item.Err == nil && item.Result != nil && item.Result.AsExpected() {
		item.Result.Shed()
		item.Instance.Shed()
	}
}

// forget makes room when the last item of a file is done.
func (r *run) forget(i int) {
	items := r.report.Items
	if last := i+1 == len(items) || items[i+1].File != items[i].File; r.opt.Brief && last && items[i].Instance != nil {
		items[i].Instance.Claim.Forget()
	}
}

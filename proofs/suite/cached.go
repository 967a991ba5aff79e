package suite

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/claim"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/cert"
)

// recall takes a verdict from the store. One that the user's own run put there was decided, and
// checked, by this very program, and is believed, unless all evidence is to be checked. Of any
// other entry the evidence is checked. If it does not hold, that is the item's failure: either the
// tool was wrong when it kept it, or somebody else wrote it.
func (r *run) recall(item *Item, key cache.Key, opt proofs.Options) bool {
	if r.opt.Store == nil {
		return false
	}
	text, own, ok := r.opt.Store.Get(key)
	if !ok {
		return false
	}
	claimed, err := cache.Decode(item.Instance, text, own)
	if err != nil || r.lacks(claimed) {
		return false
	}
	claimed.Trusted = claim.Renamed(claimed.Trusted, claim.MayTrust(opt.Tables, item.Instance))
	if own && !opt.CheckAll && claimed.Checked != proofs.NotYet {
		claimed.Strict = opt.Strict
		item.Result, item.Cached = claimed, true
		return true
	}
	result, err := proofs.Confirm(r.ctx, item.Instance, claimed, opt)
	var rejected *proofs.RejectedError
	switch {
	case errors.As(err, &rejected):
		rejected.Entry = r.opt.Store.Path(key)
		item.Err = rejected
		return true
	case err != nil, result.Checked == proofs.Unchecked:
		return false
	}
	item.Result, item.Cached = result, true
	return true
}

// lacks reports whether an entry has no evidence, though there is some of verdicts like this.
func (r *run) lacks(result *proofs.Result) bool {
	return result.Evidence == nil && !result.ShownByPlay() && r.opt.Decide.Certify && cert.Certifiable(result.Instance, result.Status.String())
}

// keep puts a verdict into the store, if it is one to keep.
func (r *run) keep(item *Item, key cache.Key) {
	if r.opt.Store == nil || r.opt.Store.ReadOnly || r.ctx.Err() != nil || !r.opt.Store.Keeps(item.Result) {
		return
	}
	text, err := cache.Encode(item.Result)
	if err != nil {
		return // about something that entries cannot tell: it is decided each time
	}
	if err := r.opt.Store.Put(key, text); err != nil {
		r.warned.Do(func() { r.warn(fmt.Errorf("verdicts cannot be kept: %w", err)) })
	}
}

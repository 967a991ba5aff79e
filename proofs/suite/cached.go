package suite

import (
	"fmt"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/cert"
)

// recall takes a verdict from the store, if one is there that stands up to a check of its evidence.
func (r *run) recall(item *Item, key cache.Key) bool {
	if r.opt.Store == nil {
		return false
	}
	text, ok := r.opt.Store.Get(key)
	if !ok {
		return false
	}
	result, err := cache.Decode(item.Instance, text)
	if err != nil || r.lacks(result) {
		return false
	}
	checked, err := recheck(r.ctx, r.opt.Build.Tool, item.Program, result)
	switch {
	case r.ctx.Err() != nil:
		return false
	case err != nil:
		r.warn(fmt.Errorf("%s in %s: the evidence of the verdict in the cache does not hold, so it is decided again: %w", result.InstanceName(), item.File, err))
		return false
	}
	item.Result, item.Cached, item.Checked = result, true, checked
	return true
}

// mostEvidence is how many states evidence may have that is only kept for the store: there may be more states than memory has room for
// twice.
const mostEvidence = 250_000

// withEvidence are options for verdicts that are kept.
func (r *run) withEvidence(opt proofs.Options) proofs.Options {
	if r.opt.Store != nil && !opt.Certify {
		opt.Certify, opt.MaxEvidence = true, mostEvidence
	}
	return opt
}

// lacks reports whether a certificate is asked for whose evidence was too large to be kept.
func (r *run) lacks(result *proofs.Result) bool {
	return r.opt.Decide.Certify && result.Evidence == nil && result.Stats.States > mostEvidence &&
		cert.Certifiable(result.Instance.Property, result.Status.String())
}

// keep puts a verdict into the store, if it is one to keep.
func (r *run) keep(item *Item, key cache.Key) {
	if r.opt.Store == nil || r.opt.Store.ReadOnly || !cache.Keeps(item.Result) {
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

package suite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// Recall takes the verdicts on items that the store has, and that Run would believe, before it. So
// the Systems of these items need not wait for it in memory with those of all others. With
// Options.Changed or Options.Same it does nothing.
func Recall(items []*Item, opt Options) {
	r := &run{opt: opt}
	if opt.Store == nil || opt.Store.Secret == nil || opt.Decide.CheckAll || opt.Changed || opt.Same != nil {
		return
	}
	for _, item := range items {
		if item.Err == nil && !item.Skipped {
			r.early(item)
		}
	}
}

// early is Recall for one item. A fault of the tool is met again, and reported, by Run.
func (r *run) early(item *Item) {
	defer func() { _ = recover() }()
	key := r.key(item, r.opt.Decide)
	text, own, ok := r.opt.Store.Get(key)
	if !ok || !own {
		return
	}
	if claimed, believed := r.read(item, text, own, r.opt.Decide); believed {
		r.believe(item, claimed, r.opt.Decide)
		r.shed(item)
	}
}

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
		return r.open(item, key)
	}
	claimed, believed := r.read(item, text, own, opt)
	if claimed == nil {
		return false
	}
	if believed {
		r.believe(item, claimed, opt)
		return true
	}
	result, err := proofs.Confirm(r.ctx, item.Instance, claimed, opt)
	var rejected *proofs.RejectedError
	switch {
	case errors.As(err, &rejected):
		rejected.Entry = r.opt.Store.Path(key)
		item.Err = rejected
		return true
	case err != nil, result.Checked == proofs.NotYet, result.Checked == proofs.Unchecked, !own && askedSecond(result):
		return false
	}
	item.Result, item.Cached = result, true
	return true
}

// open takes from the store what the user's own run with Options.Each left open within the same
// limits.
func (r *run) open(item *Item, key cache.Key) bool {
	if r.opt.Each == 0 {
		return false
	}
	text, own, ok := r.opt.Store.Get(r.within(key))
	if !ok || !own {
		return false
	}
	told, err := cache.Told(item.Instance, text)
	if err == nil {
		item.Result, item.Cached = told, true
	}
	return err == nil
}

// within is the key of what the limits have a part in.
func (r *run) within(key cache.Key) cache.Key {
	d := r.opt.Decide
	return key.With(fmt.Sprint(r.opt.Each, d.MaxStates, d.MaxMemory, d.Whole))
}

// askedSecond reports whether the evidence of a verdict was shown by a solver. In an entry of
// somebody else nobody has shown it before.
func askedSecond(r *proofs.Result) bool {
	return slices.ContainsFunc(r.Notes, func(n verdict.Note) bool {
		asked, is := n.(verdict.Asked)
		return is && asked.Second != ""
	})
}

// key is the key of an item. It is made once.
func (r *run) key(item *Item, opt proofs.Options) cache.Key {
	if item.key == nil {
		key := cache.KeyOf(r.opt.Build, item.Instance, opt)
		item.key = &key
	}
	return *item.key
}

// read is the verdict on an item that an entry has, or nil, and whether it is believed as it is.
func (r *run) read(item *Item, text []byte, own bool, opt proofs.Options) (claimed *proofs.Result, believed bool) {
	believed = own && !opt.CheckAll
	how := cache.Strictly
	switch {
	case believed && r.opt.Brief:
		how = cache.InBrief
	case own:
		how = cache.AsOwn
	}
	claimed, err := cache.Decode(item.Instance, text, how)
	if err != nil || r.lacks(claimed) {
		return nil, false
	}
	claimed.Trusted = claim.Renamed(claimed.Trusted, claim.MayTrust(opt.Tables, item.Instance))
	return claimed, believed && claimed.Checked != proofs.NotYet
}

// believe makes the verdict of an entry that of the item.
func (r *run) believe(item *Item, claimed *proofs.Result, opt proofs.Options) {
	claimed.Strict = opt.Strict
	item.Result, item.Cached = claimed, true
}

// lacks reports whether an entry has no evidence, though there is some of verdicts like this.
func (r *run) lacks(result *proofs.Result) bool {
	return result.Evidence == nil && !result.ShownByPlay() && r.opt.Decide.Certify && cert.Certifiable(result.Instance, result.Status.String())
}

// keep puts a verdict into the store, if it is one to keep. With Options.Each it is also kept that
// it is open.
func (r *run) keep(item *Item, key cache.Key) {
	if r.opt.Store == nil || r.opt.Store.ReadOnly || r.ctx.Err() != nil {
		return
	}
	encode := cache.Encode
	if !r.opt.Store.Keeps(item.Result) {
		if r.opt.Each == 0 || r.opt.Store.Secret == nil {
			return
		}
		key, encode = r.within(key), cache.Tell
	}
	text, err := encode(item.Result)
	if err != nil {
		return // about something that entries cannot tell: it is decided each time
	}
	if err := r.opt.Store.Put(key, text); err != nil {
		r.warned.Do(func() { r.warn(fmt.Errorf("verdicts cannot be kept: %w", err)) })
	}
}

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

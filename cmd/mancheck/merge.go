package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mancheck/mancheck/cmd/internal/shard"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// mergeCmd has the subcommands that combine what several machines have made.
type mergeCmd struct {
	Reports mergeReportsCmd `cmd:"" help:"Merge the reports of all shards into the report of the whole run."`
	Caches  mergeCachesCmd  `cmd:"" help:"Merge the verdicts of several caches into one."`
}

type mergeReportsCmd struct {
	Reports []string `arg:"" name:"report" help:"The reports of all shards as JSON, in any order."`
	viewFlags
	budgetFlags `group:"limits"`
}

// Run checks that the reports belong to all shards of one run, and writes the reports of that run.
func (c *mergeReportsCmd) Run(s *session) error {
	build, err := thisBuild()
	if err != nil {
		return err
	}
	reports, err := shard.Read(c.Reports, build)
	if err != nil {
		return err
	}
	if err := c.tried(); err != nil {
		return err
	}
	m := &merging{s: s, reports: reports, settings: reports[0].Header.Settings}
	items, diags, err := m.items()
	if err != nil {
		return err
	}
	c.Brief = (c.Brief || m.settings.Brief) && !c.Verbose
	r := m.reporting(c.viewFlags, diags)
	r.begin()
	rep := r.list(items, m.said)
	if err := r.programs(rep); err != nil {
		return err
	}
	return r.status(rep)
}

// merging merges the reports of all shards of a run.
type merging struct {
	s        *session
	reports  []*shard.Report // in the order of the shards
	settings shard.Settings
	results  map[*suite.Item]shard.Result
}

// items reads the files that the reports contain, and gives each item in them its result.
func (m *merging) items() ([]*suite.Item, diag.List, error) {
	first := m.reports[0]
	texts := first.Content.Texts
	m.s.reader.Through = texts.Replay
	items, diags, err := m.s.itemsWith(texts.Found(), m.settings.Claims, m.settings.Params, func(items []*suite.Item) {
		longFlag{m.settings.Long}.leaveOut(items, m.settings.Claims)
	})
	if m.s.ctx.Err() != nil {
		return nil, nil, context.Cause(m.s.ctx)
	}
	if err == nil && (first.Header.Items != len(items) || first.Header.Digest != texts.Digest(items)) {
		err = errors.New("its files have other claims than its header says")
	}
	if err != nil {
		return nil, nil, diag.List{*first.Damaged(err)}
	}
	m.results = map[*suite.Item]shard.Result{}
	for _, r := range m.reports {
		own := r.Header.Take(items)
		if err := m.give(r, own, diags); err != nil {
			return nil, nil, diag.List{*r.Damaged(err)}
		}
	}
	m.collide(items)
	return items, diags, nil
}

// collide finds certificates of several shards that have the same name. One machine would not have
// written both.
func (m *merging) collide(items []*suite.Item) {
	written := map[string]*suite.Item{}
	for _, i := range items {
		r := m.results[i]
		first := written[r.Certificate]
		switch {
		case r.Certificate == "":
		case first == nil:
			written[r.Certificate] = i
		default:
			r.Said = append(r.Said, diagnostics(sameName(r.Certificate, first.Result, i.Result))...)
			r.Certificate, r.Remark, r.Lost = "", "", true
			m.results[i] = r
		}
	}
}

// give gives the items of a shard their results. The report must then be exactly what the shard
// would have written.
func (m *merging) give(r *shard.Report, own []*suite.Item, diags diag.List) (err error) {
	defer func() {
		if recover() != nil { // code that prints verdicts panics for impossible ones
			err = errors.New("it has an impossible verdict")
		}
	}()
	if len(own) != len(r.Content.Results) {
		return fmt.Errorf("it has %s instead of %d", numeral.Count(int64(len(r.Content.Results)), "result"), len(own))
	}
	before := about(diags, own)
	for n, i := range own {
		m.results[i] = r.Content.Results[n]
		if err := m.results[i].Give(i); err != nil {
			return err
		}
	}
	one := m.reporting(viewFlags{}, before)
	one.diags = slices.Concat(one.diags, slices.Concat(lists.Map(own, m.said)...))
	doc := one.document()
	doc.Shard = r.Header
	if !sameJSON(objectText(doc.JSON(&suite.Report{Items: own})), r.Text) {
		return errors.New("its results are not those that its shard has found")
	}
	return nil
}

// said returns the diagnostics about an item.
func (m *merging) said(i *suite.Item) diag.List { return m.results[i].Said }

// sameJSON reports whether two texts differ in white space only.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// reporting returns the state of the whole run, as if this process had decided all claims. Its
// certificates are those of the items that have their results.
func (m *merging) reporting(view viewFlags, diags diag.List) *reporting {
	certs := newCertificates(m.settings.Certificates)
	for i, r := range m.results {
		if i.Result == nil {
			continue
		}
		if r.Certificate != "" {
			certs.written[i.Result] = r.Certificate
		}
		if r.Remark != "" {
			certs.remarks[i.Result] = r.Remark
		}
		if r.Lost {
			certs.lost[i.Result] = true
		}
	}
	return &reporting{
		deciding: deciding{s: m.s, certs: certs, diags: diags, brief: true},
		view:     view, traces: m.settings.Traces, summary: m.settings.Summary,
	}
}

type mergeCachesCmd struct {
	Folders  []string `arg:"" name:"folder" help:"Folders of caches."`
	CacheDir string   `env:"MANCHECK_CACHE" placeholder:"DIR" help:"Folder of the cache that gets the verdicts. The default is mancheck in the cache folder of the system."`
}

// Run puts the entries of the folders into the cache.
func (c *mergeCachesCmd) Run(s *session) error {
	dir, err := (&cacheFlags{CacheDir: c.CacheDir}).dir("")
	if err != nil {
		return err
	}
	if err := file.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	store := &cache.Store{Dir: dir}
	for _, from := range c.Folders {
		m, err := store.Merge(s.ctx, from, func(err error) { s.note("warning: %v", err) })
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s: %s\n", filepath.ToSlash(from), counted(m))
	}
	return nil
}

// counted says what became of the entries of a folder.
func counted(m cache.Merged) string {
	text := numeral.Count(int64(m.Added), "verdict") + " added"
	for _, p := range []struct {
		n    int
		what string
	}{{m.Known, "there already"}, {m.Kept, "kept as they were"}, {m.Old, "of another version left out"}, {m.Damaged, "damaged left out"}} {
		if p.n > 0 {
			text += ", " + numeral.Number(int64(p.n)) + " " + p.what
		}
	}
	return text
}

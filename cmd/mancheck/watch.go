package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/watch"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

type watchCmd struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Rules files, and folders with rules files. The default is the current folder."`
	Claim []string `sep:"none" placeholder:"NAME" help:"Decide this claim only. May be repeated."`
	Jobs  threads  `placeholder:"N" help:"Claims to decide at the same time; the default is one for each processor."`
	longFlag
	cacheFlags `group:"cache"`
	checkFlags
	decideFlags
}

// Run decides the claims, and again what changes touch, until it is interrupted or left.
func (c *watchCmd) Run(s *session) error {
	if slices.Contains(c.Paths, input.Stdin) {
		return usageError{fmt.Errorf("standard input does not change: name files or folders")}
	}
	w, err := c.watching(s)
	if err != nil {
		return err
	}
	defer w.files.Close()
	if term.HasScreen(s.terminal) && term.IsTerminal(s.in) {
		s.progress.Stop()
		screen := watch.Screen{Title: "mancheck watch", Color: s.color.On, Changed: w.files.Changed(), Round: w.onScreen}
		return screen.Run(s.ctx, s.in, s.terminal)
	}
	return w.lines()
}

// watching prepares the run.
func (c *watchCmd) watching(s *session) (*watching, error) {
	c.MaxStates = cmp.Or(c.MaxStates, usualStates)
	opt, err := c.run(s, c.decideFlags)
	if err != nil {
		return nil, err
	}
	opt.Jobs = int(c.Jobs)
	c.apply(&opt.Decide)
	files, err := watch.NewFiles()
	if err != nil {
		return nil, err
	}
	return &watching{s: s, c: c, opt: opt, files: files, known: map[cache.Key]*proofs.Result{}}, nil
}

// watching is a run of watch.
type watching struct {
	s     *session
	c     *watchCmd
	opt   suite.Options
	files *watch.Files
	known map[cache.Key]*proofs.Result // the verdicts of earlier rounds, by what they depend on
}

// lines writes a table after each change.
func (w *watching) lines() error {
	for {
		rep, err := w.round(w.s.ctx, func([]*suite.Item) {})
		if err != nil {
			w.s.complain(err)
		} else {
			t := w.s.newTable()
			t.Brief, t.Merge = true, true
			t.All(rep)
		}
		if w.s.ctx.Err() != nil {
			return nil
		}
		w.s.out.Flush()
		w.s.note("waiting for changes")
		select {
		case <-w.files.Changed():
		case <-w.s.ctx.Done():
			return nil
		}
	}
}

// round reads the files and decides the claims on which no verdict is known. begun is called with
// the items once they are read, and over with the report.
func (w *watching) round(ctx context.Context, begun func([]*suite.Item)) (*suite.Report, error) {
	w.s.reader.Sources = map[string][]byte{}
	found, err := input.Find(w.c.Paths)
	if err != nil {
		return nil, w.follow(err)
	}
	items, diags, err := w.s.items(found, w.c.Claim, w.c.Param)
	if err := w.follow(err); err != nil {
		return nil, err
	}
	if len(diags) > 0 {
		w.s.tell(diags)
	}
	w.c.leaveOut(items, w.c.Claim)
	keys := map[*suite.Item]cache.Key{}
	for _, i := range items {
		if i.Err == nil && !i.Skipped {
			keys[i] = cache.KeyOf(w.opt.Build, i.Instance, w.opt.Decide)
			if r := w.known[keys[i]]; r != nil {
				i.Result, i.Cached = r, true
			}
		}
	}
	begun(items)
	rep := suite.Run(ctx, items, w.opt)
	if ctx.Err() == nil {
		clear(w.known) // what is not in the files any more
	}
	for n, i := range rep.Items {
		if i.Err != nil && i.Instance != nil {
			i.Err = w.s.fault(i.Instance, i.Err)
			w.s.complain(i.Err)
		}
		if key, is := keys[items[n]]; is && i.Result != nil && (ctx.Err() == nil || i.Result.Status != proofs.Unknown) {
			w.known[key] = i.Result
		}
	}
	return rep, nil
}

// follow watches the files that were read. It returns the given error, or its own.
func (w *watching) follow(err error) error {
	paths := slices.Sorted(maps.Keys(w.s.reader.Sources))
	if len(w.c.Paths) == 0 {
		paths = append(paths, ".")
	}
	if more := w.files.Follow(append(paths, w.c.Paths...)); err == nil {
		err = more
	}
	return err
}

// onScreen is a round on a screen.
func (w *watching) onScreen(ctx context.Context, width int, all bool, show func(watch.Shown)) watch.Shown {
	var notes bytes.Buffer
	w.s.err = plain.NewWriter(&notes)
	began := time.Now()
	l := &live{w: w, width: width, all: all, show: show, at: map[string]string{}}
	w.opt.Decided, w.opt.Watch = l.decided, l.watch
	rep, err := w.round(ctx, l.begin)
	if err != nil {
		w.s.complain(err)
	}
	_ = w.s.err.Flush()
	out := watch.Shown{Text: l.text(), Foot: fmt.Sprintf("at %s", began.Format(time.TimeOnly))}
	if rep != nil {
		out.Foot = string(plain.Text([]byte((&report.Table{Color: w.s.color}).Tally(rep)))) + " " + out.Foot
	}
	if notes.Len() > 0 {
		out.Text += "\n" + notes.String()
	}
	return out
}

// live is the table of a round that is under way.
type live struct {
	w     *watching
	width int
	all   bool
	show  func(watch.Shown)

	mu    sync.Mutex
	items []*suite.Item
	at    map[string]string // by claim: what is done for it
	last  time.Time
}

func (l *live) begin(items []*suite.Item) {
	l.mu.Lock()
	l.items = slices.Clone(items)
	l.mu.Unlock()
	l.refresh(0)
}

func (l *live) decided(n int, item *suite.Item) {
	l.mu.Lock()
	l.items[n] = new(*item)
	l.mu.Unlock()
	l.refresh(refreshed)
}

func (l *live) watch(now suite.Progress) {
	l.mu.Lock()
	clear(l.at)
	for _, p := range now.Running {
		l.at[p.Claim] = strings.TrimPrefix(work(p), ": ")
	}
	l.mu.Unlock()
	l.refresh(refreshed)
}

// refreshed is the shortest time between two tables.
const refreshed = 100 * time.Millisecond

// refresh shows the table, unless it was shown just now.
func (l *live) refresh(pause time.Duration) {
	l.mu.Lock()
	if time.Since(l.last) < pause {
		l.mu.Unlock()
		return
	}
	l.last = time.Now()
	done := lists.Count(l.items, func(i *suite.Item) bool { return i.Result != nil || i.Err != nil || i.Skipped })
	foot := fmt.Sprintf("%s of %s decided", numeral.Number(int64(done)), numeral.Count(int64(len(l.items)), "claim"))
	l.mu.Unlock()
	l.show(watch.Shown{Text: l.text(), Foot: foot})
}

func (l *live) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var text bytes.Buffer
	t := report.Table{W: &text, Color: l.w.s.color, Sources: l.w.s.reader.Sources, Width: l.width, Brief: !l.all, Verbose: l.all, Merge: !l.all}
	t.Live(l.items, func(i *suite.Item) string { return l.at[i.Name()] })
	return string(plain.Text(text.Bytes()))
}

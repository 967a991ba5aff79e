package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
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
	if line := s.progress; line.Active() {
		w.opt.Watch = func(now suite.Progress) { line.Show(underWay(now, line.Width())) }
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
	files, err := watchFiles()
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
	files *watchedFiles
	known map[cache.Key]*proofs.Result // the verdicts of earlier rounds, by what they depend on
}

// clearScreen goes to the upper left, and empties the screen and what is above it.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// lines writes a table after each change, on a screen in the place of the one before. A change ends
// the round that is under way.
func (w *watching) lines() error {
	for w.s.ctx.Err() == nil {
		if term.HasScreen(w.s.terminal) {
			fmt.Fprint(w.s.terminal, clearScreen)
		}
		ctx, stop := context.WithCancel(w.s.ctx)
		over := make(chan struct{})
		go func() {
			defer close(over)
			if rep, err := w.round(ctx); ctx.Err() == nil || w.s.ctx.Err() != nil {
				w.show(rep, err)
			}
		}()
		select {
		case <-w.files.Changed():
		case <-w.s.ctx.Done():
		}
		stop()
		<-over
	}
	return nil
}

// show writes the table of a round.
func (w *watching) show(rep *suite.Report, err error) {
	w.s.progress.Clear()
	if err != nil {
		w.s.complain(err)
	} else {
		t := w.s.newTable()
		t.Brief, t.Merge = true, true
		t.All(rep)
	}
	w.s.out.Flush()
	if w.s.ctx.Err() == nil {
		w.s.note("waiting for changes")
	}
}

// round reads the files and decides the claims on which no verdict is known.
func (w *watching) round(ctx context.Context) (*suite.Report, error) {
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

// watchedFiles watches files. Editors write a file anew or put another one in its place, so the
// folders of the files are watched.
type watchedFiles struct {
	watcher *fsnotify.Watcher
	changed chan struct{}
	follow  chan []string
	done    chan struct{}
}

// allSaved is how long nothing may change before a change is told: saving a file may take several
// steps, and a branch of git that is checked out changes many files.
const allSaved = 100 * time.Millisecond

// watchFiles watches nothing yet. Errors are those of the system, which may limit how many folders
// can be watched.
func watchFiles() (*watchedFiles, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	f := &watchedFiles{w, make(chan struct{}, 1), make(chan []string), make(chan struct{})}
	go f.run()
	return f, nil
}

// Changed receives after files have changed, once for all changes since it received last.
func (f *watchedFiles) Changed() <-chan struct{} { return f.changed }

// Close ends the watching.
func (f *watchedFiles) Close() error {
	close(f.done)
	return f.watcher.Close()
}

// Follow watches these files, in the place of those before, and all rules files in their folders
// and in the folders among them. What does not exist is waited for if its folder exists.
func (f *watchedFiles) Follow(paths []string) error {
	var errs []error
	folders := lists.Distinct(slices.Concat(lists.Map(paths, foldersOf)...))
	for _, dir := range folders {
		if err := f.watcher.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, dir := range f.watcher.WatchList() {
		if !slices.Contains(folders, dir) {
			_ = f.watcher.Remove(dir)
		}
	}
	select {
	case f.follow <- paths:
	case <-f.done:
	}
	return errors.Join(errs...)
}

// foldersOf is the folder of a file, or a folder with all below it.
func foldersOf(path string) []string {
	var list []string
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
		case at != path && (d.Name()[0] == '.' || d.Name() == "testdata"):
			return filepath.SkipDir
		default:
			list = append(list, filepath.Clean(at))
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		list = append(list, filepath.Dir(path))
	}
	return list
}

// isFolder reports whether a folder is there, in which there may be rules files.
func isFolder(path string) bool {
	info, err := file.Stat(path)
	return err == nil && info.IsDir()
}

// run tells changes once they have settled.
func (f *watchedFiles) run() {
	named := map[string]bool{}
	var wait <-chan time.Time
	for {
		select {
		case <-f.done:
			return
		case paths := <-f.follow:
			clear(named)
			for _, p := range paths {
				named[filepath.Clean(p)] = true
			}
		case e, ok := <-f.watcher.Events:
			if !ok {
				return
			}
			rules := filepath.Ext(e.Name) == ".sow" || named[filepath.Clean(e.Name)]
			if e.Op != fsnotify.Chmod && rules || e.Has(fsnotify.Create) && isFolder(e.Name) {
				wait = time.After(allSaved)
			}
		case _, ok := <-f.watcher.Errors: // some changes were missed
			if !ok {
				return
			}
			wait = time.After(allSaved)
		case <-wait:
			wait = nil
			select {
			case f.changed <- struct{}{}:
			default:
			}
		}
	}
}

package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/internal/file"
)

// shelf has texts that were read, so that one is read again only if something that it was made of
// has changed.
type shelf struct {
	base  context.Context // ends what is resolved of the texts
	mu    sync.Mutex
	texts map[string]*shelved // by path
}

// shelved is a text with what it was made of.
type shelved struct {
	text  *editor.Text
	asked map[string]*document // by path: the document that was open; nil: none was
	disk  int
	rules string // as world.rules has them
}

// rules are the settings that reading depends on.
func (w *world) rules(path string) string {
	return fmt.Sprintf("%q %q %q", w.settings.effective().AllowImports, w.only(path), w.folders)
}

// fits reports whether a text would be the same in a world.
func (s *shelved) fits(w *world, path string) bool {
	if s.disk != w.disk || s.rules != w.rules(path) {
		return false
	}
	for p, d := range s.asked {
		if w.docs[p] != d {
			return false
		}
	}
	return true
}

// read is the text at a path in a world.
func (l *shelf) read(w *world, path string) *editor.Text {
	l.mu.Lock()
	if s := l.texts[path]; s != nil && s.fits(w, path) {
		l.mu.Unlock()
		return s.text
	}
	l.mu.Unlock()
	s := &shelved{asked: map[string]*document{}, disk: w.disk, rules: w.rules(path)}
	reader := w.reader(path)
	open := reader.Imports(path)
	s.text = editor.Read(l.base, path, func(p string) ([]byte, error) {
		s.asked[p] = w.docs[p]
		if p != path && !filepath.IsAbs(filepath.FromSlash(path)) {
			return nil, errors.New("the text that imports it is in no folder")
		}
		return open(p)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.texts[path] = s
	return s.text
}

// depends reports whether the text at a path was made of another one.
func (l *shelf) depends(path, on string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.texts[path]
	if s == nil {
		return true
	}
	_, asked := s.asked[on]
	return asked
}

func (l *shelf) forget(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.texts, path)
}

// reader reads files as they are in the editor, or else on disk.
func (w *world) reader(path string) *input.Reader {
	r := input.NewReader(strings.NewReader(""))
	r.Allowed, r.Only = w.settings.effective().AllowImports, w.only(path)
	r.Context = context.Background() // what was decided is looked at later, and resolved again then
	r.Unsaved = func(p string) ([]byte, bool) {
		if d := w.docs[filepath.ToSlash(p)]; d != nil {
			return []byte(d.text()), true
		}
		return nil, false
	}
	return r
}

// mostFiles bounds the files of a workspace that are looked into, and mostEntries what is looked
// through to find them: a workspace may be all that somebody has.
const mostFiles, mostEntries = 2000, 100_000

// files lists the rules files that are open or lie in the folders of the workspace.
func (w *world) files() []string {
	list := slices.Collect(maps.Keys(w.docs))
	seen := 0
	for _, folder := range w.folders {
		_ = filepath.WalkDir(filepath.FromSlash(folder), func(p string, d fs.DirEntry, err error) error {
			switch seen++; {
			case err != nil:
				return nil // it is not looked into
			case d.IsDir() && p != filepath.FromSlash(folder) && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
				return filepath.SkipDir
			case len(list) > mostFiles || seen > mostEntries:
				return filepath.SkipAll
			case d.Type().IsRegular() && strings.HasSuffix(p, ".sow"):
				list = append(list, filepath.ToSlash(p))
			}
			return nil
		})
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// around reads the texts that know a name of the text at a path: what imports it, what it imports,
// and what imports that. The context ends the search for them.
func (l *shelf) around(ctx context.Context, w *world, path string) []*editor.Text {
	own := l.read(w, path)
	var out []*editor.Text
	for _, p := range w.files() {
		if p == path || ctx.Err() != nil {
			continue
		}
		t := l.read(w, p)
		for name := range t.Program.Sources {
			if _, common := own.Program.Sources[name]; common {
				out = append(out, t)
				break
			}
		}
	}
	// What is imported from outside of the workspace is read on its own, too: its claims have
	// names.
	for name := range own.Program.Sources {
		if name != path && strings.HasSuffix(name, ".sow") && !slices.ContainsFunc(out, func(t *editor.Text) bool { return t.Path == name }) {
			out = append(out, l.read(w, name))
		}
	}
	return out
}

// listing lists the files and folders in a folder that an import may name.
func listing(dir string) []string {
	entries, err := file.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			names = append(names, e.Name()+"/")
		default:
			names = append(names, e.Name())
		}
	}
	return names
}

// text is the document that is asked about, with what it imports. The document is nil if it is not
// open.
func (q *request) text() (*document, *editor.Text) {
	d := q.w.document(q.about.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	return d, q.shelf.read(q.w, d.path)
}

package lsp

import (
	"maps"
	"net/url"
	"path"
	"strings"
	"unicode"
)

// document is a text that is open in the editor. It does not change; a change makes another one.
type document struct {
	uri     string
	path    string
	version int32
	lines   *lines
}

func (d *document) text() string { return d.lines.text }

// changed is the document after changes, each of the text that the one before has made.
func (d *document) changed(version int32, list []change) *document {
	l := d.lines
	for _, c := range list {
		l = newLines(replaced(l, c), l.bytes)
	}
	return &document{d.uri, d.path, version, l}
}

// replaced is the text after one change. A range whose ends are the wrong way round is taken the
// right way.
func replaced(l *lines, c change) string {
	if c.Range == nil {
		return c.Text
	}
	from, to := l.offset(c.Range.Start), l.offset(c.Range.End)
	if from > to {
		from, to = to, from
	}
	return l.text[:from] + c.Text + l.text[to:]
}

// world is what the server knows at one time. It does not change.
type world struct {
	docs     map[string]*document // by path
	settings Settings
	folders  []string // paths of the workspace
	bytes    bool     // columns count bytes
	disk     int      // counts how often files may have changed on disk
}

// with is the world with a document in the place of the one at its path; nil closes that.
func (w *world) with(path string, d *document) *world {
	next := *w
	next.docs = make(map[string]*document, len(w.docs)+1)
	maps.Copy(next.docs, w.docs)
	if next.docs[path] = d; d == nil {
		delete(next.docs, path)
		next.disk++
	}
	return &next
}

// folder is the first folder of the workspace; empty: there is none.
func (w *world) folder() string {
	if len(w.folders) == 0 {
		return ""
	}
	return w.folders[0]
}

// document finds an open document by its URI.
func (w *world) document(uri string) *document {
	if d := w.docs[pathOf(uri, w.folder())]; d != nil {
		return d
	}
	for _, d := range w.docs {
		if d.uri == uri {
			return d
		}
	}
	return nil
}

// uri is that of a file, as the client writes it if the file is open.
func (w *world) uri(path string) string {
	if d := w.docs[path]; d != nil {
		return d.uri
	}
	return uriOf(path)
}

// pathOf is the path of a file that a URI names, with slashes: of a Windows drive as `c:/game.sow`.
// What is no file, such as `untitled:Untitled-1`, is a path in the folder given.
func pathOf(uri, folder string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		name := strings.Map(func(r rune) rune {
			if r == '/' || r == '\\' || unicode.IsControl(r) {
				return '_'
			}
			return r
		}, uri)
		return path.Join(folder, name)
	}
	p := u.Path
	if drive(strings.TrimPrefix(p, "/")) {
		p = strings.ToLower(p[1:2]) + p[2:]
	}
	if u.Host != "" && u.Host != "localhost" {
		p = "//" + u.Host + p // a share
		return "/" + path.Clean(p)
	}
	return path.Clean(p)
}

// isFile reports whether a URI names a file.
func isFile(uri string) bool { return strings.HasPrefix(strings.ToLower(uri), "file:") }

// drive reports whether a path begins with the letter of a drive.
func drive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0] >= 'a' && p[0] <= 'z' || p[0] >= 'A' && p[0] <= 'Z') && (len(p) == 2 || p[2] == '/')
}

// uriOf is the URI of a file.
func uriOf(p string) string {
	u := url.URL{Scheme: "file", Path: p}
	switch {
	case drive(p):
		u.Path = "/" + p
	case strings.HasPrefix(p, "//"):
		host, rest, _ := strings.Cut(p[2:], "/")
		u.Host, u.Path = host, "/"+rest
	}
	return u.String()
}

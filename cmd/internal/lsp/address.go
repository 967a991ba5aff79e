package lsp

import (
	"net/url"
	"path"
	"strings"
	"unicode"
)

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

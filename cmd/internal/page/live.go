package page

import (
	"net/url"
	"strings"
)

// Live is a playground, whose tool a page asks what other moves would do. A page has a copy of the
// rules for it.
type Live struct {
	Address string // of its folder, as seen from the page
	Path    string // of the rules file
	Files   map[string][]byte
}

// liveData is a Live for the page's script.
type liveData struct {
	Address string            `json:"address"`
	Path    string            `json:"path"`
	Files   map[string]string `json:"files"`
}

func (l *Live) data() *liveData {
	if l == nil {
		return nil
	}
	files := map[string]string{}
	for path, text := range l.Files {
		files[path] = string(text)
	}
	return &liveData{strings.TrimSuffix(l.Address, "/"), l.Path, files}
}

// policy is what the page's policy allows for it: to load from its server, to run a program there
// is, and to do so in a worker.
func (l *Live) policy() (program, more string) {
	if l == nil {
		return "", ""
	}
	from := "'self'"
	if u, err := url.Parse(l.Address); err == nil && u.Host != "" {
		from = u.Scheme + "://" + u.Host
	}
	return " 'wasm-unsafe-eval'", "; connect-src " + from + "; worker-src blob:"
}

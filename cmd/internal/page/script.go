package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/drawing"
)

//go:embed web
var web embed.FS

// modules are those of all pages. A module stands after those that it imports from.
var modules = []string{"dom.js", "source.js", "player.js", "against.js", "trace.js", "open.js", "menu.js", "page.js"}

// style and script are those of all pages, and live is the script of one with a playground.
var (
	style  = sync.OnceValue(func() string { return drawing.Style + file("style.css") })
	script = sync.OnceValue(func() string { return inline() })
	live   = sync.OnceValue(func() string { return inline("live.js", "whatif.js") })
)

// inline returns the script of all pages with more modules.
func inline(more ...string) string {
	return drawing.Inline(append([]string{drawing.Script}, lists.Map(slices.Concat(modules, more), file)...)...)
}

func file(name string) string {
	text, err := web.ReadFile("web/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// Style is the page's own, as it is.
func (*page) Style() template.CSS { return template.CSS(style()) }

// Script is the page's own, as it is.
func (h *page) Script() template.JS { return template.JS(h.script()) }

func (h *page) script() string {
	if h.Live != nil {
		return live()
	}
	return script()
}

// Policy forbids all but the page's own style and script, and what a playground takes.
func (h *page) Policy() string {
	program, more := h.Live.policy()
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'%s%s; base-uri 'none'; form-action 'none'",
		hash(style()), hash(h.script()), program, more)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

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

package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/drawing"
)

//go:embed web
var web embed.FS

// modules are those of all pages. A module stands after those that it imports from.
var modules = []string{"dom.js", "source.js", "player.js", "trace.js", "open.js", "menu.js", "page.js"}

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

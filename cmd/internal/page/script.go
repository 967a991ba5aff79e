package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"sync"

	"github.com/mancheck/mancheck/cmd/internal/drawing"
)

//go:embed web
var web embed.FS

// style and script are those of all pages, and live is the script of one with a playground. A
// module stands after those that it imports from.
var (
	style  = sync.OnceValue(func() string { return drawing.Style + file("style.css") })
	script = sync.OnceValue(func() string {
		return inline("dom.js", "source.js", "player.js", "trace.js", "open.js", "menu.js", "page.js")
	})
	live = sync.OnceValue(func() string {
		return inline("dom.js", "source.js", "player.js", "trace.js", "open.js", "menu.js", "page.js", "live.js", "whatif.js")
	})
)

func inline(names ...string) string {
	modules := []string{drawing.Script}
	for _, name := range names {
		modules = append(modules, file(name))
	}
	return drawing.Inline(modules...)
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

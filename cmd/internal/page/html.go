package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"strings"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/drawing"
)

//go:embed page.html.tmpl
var pageText string

// Options are what a page has besides its document.
type Options struct {
	Made string // the program that writes it, with its version
	Live *Live  // nil: it needs nothing beside it
}

// HTML writes a document as a page that runs no script but its own, and loads nothing but, if it is
// asked to, the tool of a playground.
func HTML(doc *explain.Document, opt Options) []byte {
	h := &page{
		Document: doc, Options: opt, playCount: map[string]int{}, anchors: map[string]string{}, taken: map[string]bool{},
		boards: boards{layouts: map[*rules.System]*drawing.Layout{}, ids: map[string]string{}},
		player: playerData{Boards: []boardData{}, Plays: []playData{}, Games: []object{}, Dots: drawing.Dots[:], Live: opt.Live.data()},
	}
	funcs := template.FuncMap{
		"svg":   h.boards.draw,
		"prose": proseHTML, "paragraphs": func(text string) []string { return strings.Split(text, "\n\n") }, "steps": h.play, "pair": h.pair, "game": h.game,
		"anchor": h.anchor, "node": h.node, "data": func() *playerData { return &h.player },
		"known": func(name string) string { return h.anchors[name] },
		"below": h.below, "level": func() int { return h.level }, "enter": h.enter, "source": sourceID, "entry": func(c *explain.Claim, to string) entry { return entry{c, to} },
	}
	maps.Copy(funcs, words)
	t := template.Must(template.New("page").Funcs(funcs).Parse(pageText))
	var out bytes.Buffer
	if err := t.Execute(&out, h); err != nil {
		panic(err) // the template is the program's own, and a document has no methods that fail
	}
	return out.Bytes()
}

// page is a document on its way into the template.
type page struct {
	*explain.Document
	Options
	player    playerData
	level     int            // of headings in the claim in hand
	in        string         // anchor of the instance in hand
	playCount map[string]int // of its plays, by anchor
	boards    boards
	anchors   map[string]string // of claims and instances, by name
	taken     map[string]bool
}

// Boards are the empty boards.
func (h *page) Boards() []template.HTML { return h.boards.Empty }

// proseHTML escapes text, and sets stretches in backquotes as code.
func proseHTML(text any) template.HTML {
	return template.HTML(spans(fmt.Sprint(text), template.HTMLEscapeString, func(span string) string {
		return "<code>" + template.HTMLEscapeString(strings.Trim(span, "`")) + "</code>"
	}))
}

var unfit = regexp.MustCompile(`[^a-zA-Z0-9]+`)

// anchor is the id of a claim or instance, the same whenever it is asked for.
func (h *page) anchor(name string) string {
	if id := h.anchors[name]; id != "" {
		return id
	}
	base := "claim-" + strings.Trim(unfit.ReplaceAllString(name, "-"), "-")
	id := base
	for n := 2; h.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	h.taken[id], h.anchors[name] = true, id
	return id
}

// entry is a claim in the menu; To is where it leads to, if not to the claim's section.
type entry struct {
	*explain.Claim
	To string
}

// below begins a claim with a heading of this level.
func (h *page) below(level int) string {
	h.level = level + 1
	return ""
}

// enter begins an instance: what follows belongs to it.
func (h *page) enter(name string) string {
	h.in = h.anchor(name)
	return ""
}

// node is the id of the node with this number in the tree of the instance in hand.
func (h *page) node(no int) string { return fmt.Sprintf("%s-no-%d", h.in, no) }

package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/drawing"
	"github.com/mancheck/mancheck/proofs/explain"
)

//go:embed page.html.tmpl
var pageText string

//go:embed web
var web embed.FS

// style and script are those of all pages, and live is the script of one with a playground. A
// module stands after those that it imports from.
var (
	style   = drawing.Style + file("style.css")
	modules = []string{drawing.Script, file("dom.js"), file("source.js"), file("player.js"), file("trace.js"), file("open.js"), file("menu.js"), file("page.js")}
	script  = drawing.Inline(modules...)
	live    = drawing.Inline(append(slices.Clone(modules), file("live.js"), file("whatif.js"))...)
)

func file(name string) string {
	text, err := web.ReadFile("web/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// Options are what a page has besides its document.
type Options struct {
	Made string // the program that writes it, with its version
	Live *Live  // nil: it needs nothing beside it
}

// HTML writes a document as a page that runs no script but its own, and loads nothing but, if it is
// asked to, the tool of a playground.
func HTML(doc *explain.Document, opt Options) []byte {
	h := &page{
		Document: doc, Options: opt, playCount: map[string]int{}, anchors: map[string]string{}, taken: map[string]bool{}, boards: newBoards(),
		player: playerData{Boards: []boardData{}, Plays: []playData{}, Dots: drawing.Dots[:], Live: opt.Live.data()},
	}
	funcs := template.FuncMap{
		"svg":   h.boards.draw,
		"prose": proseHTML, "paragraphs": func(text string) []string { return strings.Split(text, "\n\n") }, "steps": h.play, "pair": h.pair,
		"anchor": h.anchor, "tree": h.plant, "node": h.nodeView, "data": func() *playerData { return &h.player },
		"known": func(name string) string { return h.anchors[name] },
		"below": h.below, "level": func() int { return h.level }, "enter": h.enter, "source": sourceID, "entry": func(c *explain.Claim, to string) entry { return entry{c, to} },
		"claimView": func(c *explain.Claim, level int) claimView { return claimView{c, level} },
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
	prefix    string // of the nodes of the tree in hand
}

// Boards are the empty boards.
func (h *page) Boards() []template.HTML { return h.boards.Empty }

// claimView is a claim with the level of its heading.
type claimView struct {
	*explain.Claim
	Level int
}

// Style is the page's own, as it is.
func (*page) Style() template.CSS { return template.CSS(style) }

// Script is the page's own, as it is.
func (h *page) Script() template.JS { return template.JS(h.script()) }

func (h *page) script() string {
	if h.Live != nil {
		return live
	}
	return script
}

// Policy forbids all but the page's own style and script, and what a playground takes.
func (h *page) Policy() string {
	program, more := h.Live.policy()
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'%s%s; base-uri 'none'; form-action 'none'",
		hash(style), hash(h.script()), program, more)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
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

// playID is the id of the next play of the instance in hand.
func (h *page) playID() string {
	h.playCount[h.in]++
	return fmt.Sprintf("%s-play-%d", h.in, h.playCount[h.in])
}

// playedView is a play with its number among those of the page.
type playedView struct {
	plays
	ID  string
	No  int
	Has int // moves that the player has
}

func (h *page) play(p *explain.Play) playedView {
	return playedView{playView(p), h.playID(), h.add(p, nil), has(p)}
}

// pairedView is two plays with their numbers.
type pairedView struct {
	pairs
	ID  string
	No  [2]int
	Has int
}

func (h *page) pair(p *explain.Pair) pairedView {
	numbers := [2]int{h.add(p.Left, p.Differ[0]), h.add(p.Right, p.Differ[1])}
	return pairedView{pairView(p), h.playID(), numbers, min(has(p.Left), has(p.Right))}
}

// has is how many moves of a play the player has.
func has(p *explain.Play) int { return min(played(p), len(p.Trace.Steps)) }

// plant begins a tree: its nodes get ids of their own.
func (h *page) plant(t *explain.Tree) *explain.Tree {
	h.prefix = h.in + "-no-"
	return t
}

// nodeView is a node with the ids of the places it stands at and points to.
type nodeView struct {
	*explain.Node
	ID, SameID, MirrorID string
	Open                 bool
}

func (h *page) nodeView(n *explain.Node) nodeView {
	return nodeView{
		Node: n, ID: fmt.Sprintf("%s%d", h.prefix, n.No), Open: n.Mirror == 0,
		SameID: fmt.Sprintf("%s%d", h.prefix, n.Same), MirrorID: fmt.Sprintf("%s%d", h.prefix, n.Mirror),
	}
}

// proseHTML escapes text, and sets stretches in backquotes as code.
func proseHTML(text any) template.HTML {
	s := fmt.Sprint(text)
	var out strings.Builder
	at := 0
	for _, span := range code.FindAllStringIndex(s, -1) {
		out.WriteString(template.HTMLEscapeString(s[at:span[0]]))
		out.WriteString("<code>" + template.HTMLEscapeString(s[span[0]+1:span[1]-1]) + "</code>")
		at = span[1]
	}
	return template.HTML(out.String() + template.HTMLEscapeString(s[at:]))
}

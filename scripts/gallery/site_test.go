package main

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/tier"
	. "github.com/mancheck/mancheck/internal/webtest"
)

// site returns the folder of the site, which `make site` makes.
func site(t *testing.T) string {
	t.Helper()
	InTier(t)
	dir, err := filepath.Abs("../../bin/site")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		t.Skip("make site has not been run")
	}
	return dir
}

// document is a page as it lies in a file.
type document struct {
	ids   map[string]bool
	links []string // of a and img
	alts  int      // pictures with a text in their place
}

// documents reads the pages of the site, by their paths from its root.
func documents(t *testing.T, dir string) map[string]document {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.html"))
	atlas, err2 := filepath.Glob(filepath.Join(dir, "atlas", "*.html"))
	paths = append(paths, atlas...)
	if err != nil || err2 != nil || len(paths) < 20 {
		t.Fatalf("there are %d pages: %v", len(paths), err)
	}
	all := map[string]document{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		d := document{ids: map[string]bool{}}
		for n := range root.Descendants() {
			attrs := map[string]string{}
			for _, a := range n.Attr {
				attrs[a.Key] = a.Val
			}
			if id := attrs["id"]; id != "" {
				d.ids[id] = true
			}
			switch n.Data {
			case "a":
				if to, ok := attrs["href"]; ok {
					d.links = append(d.links, to)
				}
			case "img":
				d.links = append(d.links, attrs["src"])
				if attrs["alt"] != "" {
					d.alts++
				}
			}
		}
		all[strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(dir))] = d
	}
	return all
}

// repository is where links lead that leave the documents.
const repository = "https://github.com/mancheck/mancheck/"

// TestSiteLinks: what pages link to is there, with its anchor: pages, files of the site, and files
// of the repository.
func TestSiteLinks(t *testing.T) {
	dir := site(t)
	pages := documents(t, dir)
	within, outside := 0, 0
	for from, d := range pages {
		for _, link := range d.links {
			if rest, ok := strings.CutPrefix(link, repository); ok {
				file := regexp.MustCompile(`^(?:blob|tree)/main/([^#]*)`).FindStringSubmatch(rest)
				if file == nil {
					continue // a page about the repository, as for its releases
				}
				outside++
				if _, err := os.Stat(filepath.Join("../..", file[1])); err != nil {
					t.Errorf("%s: %v", from, err)
				}
				continue
			}
			to, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %v", from, err)
				continue
			}
			if to.Scheme != "" {
				continue
			}
			within++
			target := from
			if to.Path != "" {
				target = path.Join("/", to.Path)
			}
			if target == "/" || strings.HasSuffix(to.Path, "/") {
				target = path.Join(target, "index.html")
			}
			if _, err := os.Stat(filepath.Join(dir, target)); err != nil {
				t.Errorf("%s: %s is not there", from, link)
			}
			anchor := to.Fragment
			if other, ok := pages[target]; ok && anchor != "" && !other.ids[anchor] {
				t.Errorf("%s: %s has no anchor", from, link)
			}
		}
	}
	if within < 1000 || outside < 50 {
		t.Errorf("only %d links within the site, and %d to the repository", within, outside)
	}
}

// TestSiteCodes: each code of a diagnostic is an anchor.
func TestSiteCodes(t *testing.T) {
	ids := documents(t, site(t))["/diagnostics.html"].ids
	all := diag.Explanations()
	if len(all) == 0 {
		t.Error("there are no codes")
	}
	for _, e := range all {
		if !ids[string(e.Code)] {
			t.Errorf("%s is no anchor", e.Code)
		}
	}
}

// TestSitePictures: without script the gallery shows the board of each game.
func TestSitePictures(t *testing.T) {
	files, err := filepath.Glob("../../examples/family/*.sow")
	if err != nil {
		t.Fatal(err)
	}
	// The boards that most games share, two_rows.sow and four_rows.sow, are no games.
	if n := documents(t, site(t))["/gallery.html"].alts; n != len(files)-2 {
		t.Errorf("the gallery has %d pictures, of %d files", n, len(files))
	}
}

// serve serves the site and opens one of its pages.
func serve(t *testing.T) (home string) {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(site(t))))
	t.Cleanup(server.Close)
	return server.URL
}

// TestSitePages opens each page, in light and dark. It fits into a telephone, is accessible, and
// the browser finds nothing wrong. With SHOTS=DIR pictures are kept there.
func TestSitePages(t *testing.T) {
	home := serve(t)
	axe := Axe(t)
	pages := slices.Sorted(maps.Keys(documents(t, site(t))))
	for i, name := range pages {
		if strings.HasPrefix(name, "/atlas/") && i%tier.Every(20, 10) != 0 {
			continue // they are alike
		}
		t.Run(name, func(t *testing.T) {
			if name == "/404.html" {
				t.Skip("it is no page of its own")
			}
			ctx := Browser(t)
			Do(t, ctx, chromedp.EmulateViewport(1440, 900))
			heard := Open(t, ctx, home+name)
			for _, scheme := range []string{"light", "dark"} {
				Call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
				Wait(t, ctx, `document.documentElement.classList.contains("dark") === `+strconv.FormatBool(scheme == "dark"))
				for _, width := range []int64{360, 768, 1440} {
					Do(t, ctx, chromedp.EmulateViewport(width, 900))
					if over := Eval[int64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
						t.Errorf("at %d the page is %d too wide", width, over)
					}
					if dir := os.Getenv("SHOTS"); dir != "" {
						out, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: "png"})
						if err != nil {
							t.Fatal(err)
						}
						if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(strings.TrimSuffix(name[1:], ".html"), "/", "-")+"-"+scheme+"-"+strconv.FormatInt(width, 10)+".png"), out.Data, 0o666); err != nil {
							t.Fatal(err)
						}
					}
				}
				Accessible(t, ctx, axe)
			}
			heard.Quiet(t)
		})
	}
}

// alive says that the script has taken over a page.
const alive = `document.querySelector("#app").__vue_app__ !== undefined`

// TestSiteSearch finds a word by the keyboard.
func TestSiteSearch(t *testing.T) {
	ctx := Browser(t)
	heard := Open(t, ctx, serve(t)+"/index.html")
	Wait(t, ctx, alive)
	Do(t, ctx, chromedp.Click(".VPNavBarSearch button"))
	Wait(t, ctx, `document.querySelector("#localsearch-input") !== null`)
	Do(t, ctx, chromedp.SendKeys("#localsearch-input", "sow"))
	Wait(t, ctx, `document.querySelectorAll("#localsearch-list a.result").length > 3`)
	links := Eval[[]string](t, ctx, `[...document.querySelectorAll("#localsearch-list a.result")].map(a => new URL(a.href).pathname)`)
	if !slices.Contains(links, "/language.html") {
		t.Errorf("the search finds %v", links)
	}
	heard.Quiet(t)
}

// gallery is somebody at the gallery, without animations.
type gallery struct {
	t     *testing.T
	ctx   context.Context
	heard *Events
}

func visit(t *testing.T) gallery {
	t.Helper()
	ctx := Browser(t)
	Do(t, ctx, chromedp.EmulateViewport(1440, 900))
	Call(t, ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	g := gallery{t, ctx, Open(t, ctx, serve(t)+"/gallery.html")}
	Wait(t, ctx, alive)
	return g
}

// loaded reports whether the program has been loaded.
func (g gallery) loaded() bool {
	g.t.Helper()
	return Eval[bool](g.t, g.ctx, `performance.getEntriesByType("resource").some(r => r.name.endsWith(".wasm"))`)
}

// spoken is the expression for what the board of a game says.
func spoken(game string) string {
	return `(document.querySelector("` + game + ` .board")?.getAttribute("aria-label") ?? "")`
}

func pit(game, name string) string { return game + ` [data-pit="` + name + `"]` }

// TestSitePlay plays a game of the gallery. The program is loaded when it is asked for.
func TestSitePlay(t *testing.T) {
	const game = "#game-family-wari"
	g := visit(t)
	if g.loaded() {
		t.Error("the program is loaded before somebody plays")
	}
	Do(t, g.ctx, chromedp.Click(game+" button.first"))
	Wait(t, g.ctx, `document.querySelector('`+pit(game, "south1")+`') !== null`)
	if !g.loaded() {
		t.Error("the program is not loaded")
	}
	if got := Eval[string](t, g.ctx, spoken(game)); !strings.Contains(got, "south1 4, ") || !strings.Contains(got, "South to move") {
		t.Errorf("the board is %q", got)
	}
	Do(t, g.ctx, chromedp.Click(pit(game, "south1")))
	Wait(t, g.ctx, spoken(game)+`.includes("North to move")`)
	if got := Eval[string](t, g.ctx, spoken(game)); strings.Contains(got, "south1 ") || !strings.Contains(got, "south2 5, south3 5, south4 5, south5 5, south6 4") {
		t.Errorf("the board is %q", got)
	}
	Do(t, g.ctx, chromedp.Click(game+" .game-foot button")) // back
	Wait(t, g.ctx, spoken(game)+`.includes("south1 4, ")`)
	g.heard.Quiet(t)
}

// TestSiteChoice plays a game in which a house can be sown both ways, by the keyboard.
func TestSiteChoice(t *testing.T) {
	const game = "#game-family-o_an_quan"
	g := visit(t)
	Do(t, g.ctx, chromedp.Click(game+" button.first"))
	Wait(t, g.ctx, `document.activeElement.dataset.pit !== undefined`)
	Do(t, g.ctx, chromedp.KeyEvent(kb.Enter))
	Wait(t, g.ctx, `document.querySelectorAll("`+game+` .choices button").length === 2`)
	Accessible(t, g.ctx, Axe(t))
	Do(t, g.ctx, chromedp.Click(game+" .choices button"))
	Wait(t, g.ctx, spoken(game)+`.includes("south2 6, south3 6, south4 6, south5 6, east 1")`)
	g.heard.Quiet(t)
}

// TestSiteExample opens a game of the gallery in the playground.
func TestSiteExample(t *testing.T) {
	ctx := Browser(t)
	heard := Open(t, ctx, serve(t)+"/playground/#example=examples/family/wari.sow")
	Wait(t, ctx, `document.documentElement.dataset.ready === "true" && document.querySelector("#board .board") !== null`)
	if got := Eval[string](t, ctx, `document.getElementById("path").textContent`); got != "examples/family/wari.sow" {
		t.Errorf("the playground has opened %s", got)
	}
	Wait(t, ctx, `document.getElementById("game").textContent.includes("Wari")`)
	if errors := heard.Errors(); len(errors) > 0 {
		t.Errorf("errors %v", errors)
	}
}

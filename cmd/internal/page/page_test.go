package page_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/mancheck/mancheck/cmd/internal/page"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules/build"
)

// made keeps documents, of which many tests want the same.
var made = map[string]*explain.Document{}

// document explains claims of a file; without names it explains all.
func document(t *testing.T, path string, open func(string) ([]byte, error), names ...string) *explain.Document {
	t.Helper()
	key := path + " " + strings.Join(names, " ")
	if path == "-" || made[key] == nil {
		made[key] = built(t, path, open, names...)
	}
	return made[key]
}

func built(t *testing.T, path string, open func(string) ([]byte, error), names ...string) *explain.Document {
	t.Helper()
	program, diags := dsl.Load(path, open)
	unit, more := build.Collect(program.Files)
	if err := append(diags, more...).Err(); err != nil {
		t.Fatal(err)
	}
	var chosen, beside []*explain.Item
	for _, decl := range unit.Claims {
		c, diags := unit.Claim(decl)
		asked := len(names) == 0 || slices.Contains(names, c.Name)
		if !asked && !c.Refuted {
			continue
		}
		for _, inst := range c.Instances(nil, &diags) {
			r, err := proofs.Decide(context.Background(), inst, proofs.Options{Bounds: limit.Bounds{MaxStates: 3000}, Solver: "no-solver-here"})
			item := &explain.Item{Instance: inst, Result: r, Err: err}
			if asked {
				chosen = append(chosen, item)
			} else {
				beside = append(beside, item)
			}
		}
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := explain.Build(context.Background(), explain.Source{Path: path, Program: program}, chosen, beside)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

const proof = "../../../proofs/dose2015.sow"

func thesis(t *testing.T) *explain.Document { return document(t, proof, os.ReadFile, "thesis_any") }

var examples = []string{"congkak", "kalah", "oware", "tchoukaillon"}

func example(t *testing.T, name string) *explain.Document {
	return document(t, "../../../examples/"+name+".sow", os.ReadFile)
}

// voids are the elements without an end tag.
var voids = []string{"meta", "br", "input", "link", "hr", "img"}

// wellFormed checks that each element is closed, that ids are unique and local links lead
// somewhere, and that nothing is loaded.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	var open []string
	ids, links := map[string]bool{}, []string{}
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) || len(open) > 0 {
				t.Fatalf("%v, open: %v", z.Err(), open)
			}
			for _, l := range links {
				if !ids[l] {
					t.Errorf("a link to #%s, which is nowhere", l)
				}
			}
			return
		case html.StartTagToken:
			tag := z.Token()
			if !slices.Contains(voids, tag.Data) {
				open = append(open, tag.Data)
			}
			links = append(links, attributes(t, tag, ids)...)
		case html.SelfClosingTagToken:
			attributes(t, z.Token(), ids)
		case html.EndTagToken:
			tag := z.Token()
			if len(open) == 0 || open[len(open)-1] != tag.Data {
				t.Fatalf("</%s> within %v", tag.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
}

// attributes checks those of one element, and gives the local links.
func attributes(t *testing.T, tag html.Token, ids map[string]bool) (links []string) {
	t.Helper()
	for _, a := range tag.Attr {
		switch {
		case a.Key == "id" && ids[a.Val]:
			t.Errorf("id %s comes twice", a.Val)
		case a.Key == "id":
			ids[a.Val] = true
		case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
			links = append(links, a.Val[1:])
		case a.Key == "src" || a.Key == "href" || a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			t.Errorf("<%s %s=%q>", tag.Data, a.Key, a.Val)
		}
	}
	return links
}

func TestWellFormed(t *testing.T) {
	wellFormed(t, page.HTML(thesis(t), page.Options{Made: "mancheck v1"}))
	if !tier.Short() {
		wellFormed(t, page.HTML(document(t, proof, os.ReadFile), page.Options{Made: "mancheck v1"}))
	}
	for i := 0; i < len(examples); i += tier.Every(len(examples)) {
		wellFormed(t, page.HTML(example(t, examples[i]), page.Options{Made: "mancheck v1"}))
	}
}

var external = regexp.MustCompile(`(?i)(https?:)?//[a-z0-9-]+\.[a-z]|url\(|@import`)

// TestNoNetwork: nothing on a page names a place elsewhere but the name space of SVG, which is no
// address.
func TestNoNetwork(t *testing.T) {
	text := strings.ReplaceAll(string(page.HTML(thesis(t), page.Options{Made: "mancheck v1"})), `"http://www.w3.org/2000/svg"`, "")
	if found := external.FindString(text); found != "" {
		t.Errorf("the page names %q", found)
	}
	if !strings.Contains(text, "default-src &#39;none&#39;") {
		t.Error("nothing forbids the network")
	}
}

var drawings = regexp.MustCompile(`(?s)<svg.*?</svg>`)

func TestDrawings(t *testing.T) {
	for _, name := range examples {
		list := drawings.FindAll(page.HTML(example(t, name), page.Options{Made: "mancheck v1"}), -1)
		for _, svg := range list {
			if err := xml.Unmarshal(svg, new(struct{})); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, svg)
			}
		}
	}
	// s14 has two seeds in hole02, which is selected; nothing is known of the stores.
	page := string(page.HTML(thesis(t), page.Options{Made: "mancheck v1"}))
	if !strings.Contains(page, `aria-label="hole02 2, at hole02"`) || !strings.Contains(page, `<title>store01: any number</title>`) {
		t.Error("s14 is not drawn")
	}
}

const hostile = `// </script><script>alert(1)</script> & <b>x</b> *bold* | # "quoted"
variant Evil "</title><script>alert(2)</script>" {
  board { p[1..2] line l = p[1..2] }
  setup { p1 = 1, p2 = 1 }
  // - <img src=x onerror=alert(3)>
  move "<i>\"&amp;" { choose q in p sow q along l }
  win "<svg/onload=alert(4)>" when p1 = 0
}
// ` + "```" + ` </pre><script>alert(5)</script>
claim c "</h2><script>alert(6)</script>]]>" { reachable "<svg/onload=alert(4)>" }
`

// TestEscaping: labels and comments are users' text.
func TestEscaping(t *testing.T) {
	text := strings.ReplaceAll(hostile, `\"`, "'")
	doc := document(t, "-", func(string) ([]byte, error) { return []byte(text), nil })
	out := page.HTML(doc, page.Options{Made: "mancheck v1"})
	wellFormed(t, out)
	if n := bytes.Count(out, []byte("<script")); n != 2 {
		t.Errorf("%d scripts, want the data and the player", n)
	}
	for _, bad := range []string{"<img", "<i>", "<svg/", "<b>x"} {
		if bytes.Contains(out, []byte(bad)) {
			t.Errorf("the page has %s", bad)
		}
	}
	md := strings.TrimPrefix(string(page.Markdown(doc)), "<!-- mancheck explain -->\n")
	outside := regexp.MustCompile("(?s)(````*)[a-z]*\n.*?\n *(````*)\n").ReplaceAllString(md, "")
	outside = regexp.MustCompile("`[^`\n]*`").ReplaceAllString(outside, "")
	if found := regexp.MustCompile(`(^|[^\\])<`).FindString(outside); found != "" {
		t.Errorf("an open < in\n%s", outside)
	}
}

// TestMarkdown has the thesis as nested lists of boards.
func TestMarkdown(t *testing.T) {
	text := string(page.Markdown(thesis(t)))
	for _, want := range []string{
		"- **No. 1** · **s9** · the target\n", "\n  - **No. 2** · **s10** · SR004(B) → s9\n",
		"\n    - **No. 3** · **s14** · SR004(B) → s10\n",
		"\n       _ | 0 [2] 0  0  0  0 | _\n", "Dead end: no state has a step to it.", "**s17** · dead", "**s18** · invalid",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q", want)
		}
	}
}

// TestOwn: documents are distinguished from other contents of a file.
func TestOwn(t *testing.T) {
	doc := example(t, "oware")
	if !page.Own(page.Markdown(doc)) || !page.Own(page.HTML(doc, page.Options{Made: "mancheck v1"})) {
		t.Error("a document is not known again")
	}
	for _, other := range []string{"", "# oware\n", "// mancheck explain\nvariant V {", "<!doctype html>\n<title>mancheck explain</title>"} {
		if page.Own([]byte(other)) {
			t.Errorf("%q is taken for a document", other)
		}
	}
}

func TestSameBytes(t *testing.T) {
	again := built(t, proof, os.ReadFile, "thesis_any")
	if !bytes.Equal(page.HTML(thesis(t), page.Options{Made: "mancheck v1"}), page.HTML(again, page.Options{Made: "mancheck v1"})) || !bytes.Equal(page.Markdown(thesis(t)), page.Markdown(again)) {
		t.Error("two pages of one proof differ")
	}
}

// TestConfigurations: the page of the thesis shows the verdict on each configuration of the
// paper, and shows the two slips: D1 as it is stated, and s18, which does not lead to s16.
func TestConfigurations(t *testing.T) {
	doc := thesis(t)
	text := string(page.HTML(doc, page.Options{Made: "mancheck v1"}))
	want := map[string]string{
		"s9": "target", "s10": "valid", "s11": "valid", "s12": "valid", "s13": "valid", "s14": "valid",
		"s15": "invalid", "s16": "valid", "s17": "dead",
		"s18": "invalid", "s19": "valid", "s20": "invalid", "s21": "invalid", "s22": "dead", "s23": "dead",
	}
	for name, status := range want {
		pattern := `(?s)<b>` + name + `</b> <span class="badge [a-z]+">([a-z]+)</span>.*?<svg.*?<figcaption>(.*?)</figcaption>`
		figure := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if figure == nil || figure[1] != status || figure[2] == "" {
			t.Errorf("%s: %q, want %s with its reason", name, figure, status)
		}
	}
	for _, slip := range []string{"d1_stated", "s18_to_s16"} {
		section := regexp.MustCompile(`(?s)<code>` + slip + `</code></small><a .*?</section>`).FindString(text)
		if !strings.Contains(section, "Refuted, as the file expects") || !strings.Contains(section, "SR00") {
			t.Errorf("%s is not shown: %s", slip, section)
		}
	}
}

// TestMenuOfClaims: the menu has each claim with its verdict and a link to it, which is the same in
// every document about it.
func TestMenuOfClaims(t *testing.T) {
	for _, doc := range []*explain.Document{
		document(t, proof, os.ReadFile, "hole_in_the_rules"), document(t, proof, os.ReadFile, "hole_in_the_rules", "thesis_any", "map"),
	} {
		nav := regexp.MustCompile(`(?s)<nav.*?</nav>`).FindString(string(page.HTML(doc, page.Options{Made: "mancheck v1"})))
		entry := regexp.MustCompile(`<a href="#claim-hole-in-the-rules">.*</a>`).FindString(nav)
		if !strings.Contains(entry, "✓") || !strings.Contains(entry, "refuted") || !strings.Contains(entry, "<code>hole_in_the_rules</code>") {
			t.Errorf("the entry is %s in\n%s", entry, nav)
		}
	}
}

// TestMade: a page names what made it, and says at the top whether all is as expected.
func TestMade(t *testing.T) {
	text := string(page.HTML(example(t, "oware"), page.Options{Made: "mancheck v9 <abc>"}))
	for _, want := range []string{"<footer>Written by <code>mancheck explain</code>, mancheck v9 &lt;abc&gt;.</footer>", "3 claims, 3 verdicts: all as the file expects."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// TestTrustOnce: what several verdicts rest on stands on a page once.
func TestTrustOnce(t *testing.T) {
	text := string(page.HTML(document(t, proof, os.ReadFile, "hole_in_the_rules", "thesis_any", "map"), page.Options{Made: "mancheck v1"}))
	for _, once := range []string{"the parser and the resolver", "the Go compiler", "<h2>What the verdicts rest on</h2>"} {
		if n := strings.Count(text, once); n != 1 {
			t.Errorf("%q stands there %d times", once, n)
		}
	}
	if strings.Contains(text, "<dt>Rests on</dt>") {
		t.Error("a verdict says by itself what it rests on")
	}
}

// TestManyInstances: of a long sweep Markdown has the table and the first instance, and tells how
// many are left; a page has all.
func TestManyInstances(t *testing.T) {
	doc := document(t, "-", func(string) ([]byte, error) {
		return []byte(`variant Row {
  param k = 1 in 1..9
  board { p[1..2] line l = p[1..2] }
  setup { p1 = k }
  move { choose q in p where q = 1 sow q along l }
}
claim long { for k in 1..7: terminates }`), nil
	})
	md, html := string(page.Markdown(doc)), string(page.HTML(doc, page.Options{Made: "mancheck v1"}))
	if strings.Count(md, "### ") != 1 ||
		!strings.Contains(md, "6 more instances not written out") || !strings.Contains(md, "| 7 | ✓ proved |") {
		t.Errorf("Markdown:\n%s", md)
	}
	if n := strings.Count(html, `<details class="instance" id="claim-long-k-`); n != 7 {
		t.Errorf("%d instances on the page", n)
	}
}

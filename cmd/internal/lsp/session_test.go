package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/tier"
)

const game = `// A small game.
variant Ring {
  param m = 3 in 1..6
  board {
    hole[1..m]
    ring round = hole[1..m]
  }
  setup { each hole = 1 }
  move step {
    choose p in hole where p > 0
    sow p along round
    if last > 2 { win big }
  }
}

// Nobody wins.
claim wins {
  reachable big
}
claim always {
  invariant total(hole) = m
}
`

const gameURI = "file:///games/ring.sow"

// opened is a client with the small game open.
func opened(t *testing.T, d Decider) *client {
	c := start(t, d)
	c.initialize("", map[string]any{"trusted": true}, nil)
	c.open(gameURI, game)
	return c
}

func TestDiagnostics(t *testing.T) {
	c := start(t, deciding{})
	c.initialize("", nil, nil)
	c.open(gameURI, strings.Replace(game, "sow p along round", "sow p along ruond", 1))
	list := c.published(gameURI, 1)
	if len(list) != 1 || list[0].Code != "R001" || !strings.Contains(list[0].Message, "`ruond`") || !strings.Contains(list[0].Message, "did you mean `round`?") {
		t.Fatalf("got %+v", list)
	}
	if want := find(t, strings.Replace(game, "round\n    if", "ruond\n    if", 1), "^ruond"); list[0].Range.Start != want {
		t.Errorf("it is at %+v, want %+v", list[0].Range, want)
	}
	if want := pages + "diagnostics.md#r001-"; !strings.HasPrefix(list[0].CodeDescription["href"], want) {
		t.Errorf("the page is %s", list[0].CodeDescription["href"])
	}
	c.change(gameURI, 2, game)
	if list := c.published(gameURI, 2); len(list) != 0 {
		t.Errorf("got %+v", list)
	}
	// A note leads to another place.
	c.change(gameURI, 3, strings.Replace(game, "param m = 3 in 1..6", "param m = 3 in 1..6 param m = 2", 1))
	list = c.published(gameURI, 3)
	if len(list) == 0 || len(list[0].Related) == 0 || list[0].Related[0].Location.URI != gameURI {
		t.Errorf("got %+v", list)
	}
	// So is a warning of vet.
	c.change(gameURI, 4, strings.Replace(game, "param m = 3 in 1..6", "param m = 3 in 1..6 param unused = 2", 1))
	list = c.published(gameURI, 4)
	if len(list) != 1 || list[0].Severity != 2 || list[0].Code[0] != 'V' {
		t.Errorf("got %+v", list)
	}
	if c.quit() != 0 {
		t.Error("the status is not 0")
	}
}

// TestAnchors: each code has a section in the documentation at the address that is given.
func TestAnchors(t *testing.T) {
	page, err := os.ReadFile("../../../docs/diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if heading, is := strings.CutPrefix(line, "## "); is {
			anchors[anchor(strings.TrimSpace(heading))] = true
		}
	}
	for _, e := range diag.Explanations() {
		_, name, _ := strings.Cut(address(e.Code), "#")
		if !anchors[name] {
			t.Errorf("there is no section %s", name)
		}
	}
}

func TestHover(t *testing.T) {
	c := opened(t, deciding{})
	for at, want := range map[string]string{
		"variant ^Ring": "hole[1..3]", "param ^m": "3 by default, from 1 to 6.", "^sow p": "drops the seeds", "in ^hole": "3 pits, hole1 to hole3.",
		"along ^round": "ring round = hole[1..3]", "claim ^wins": "Nobody wins.", "^total(hole)": "number of seeds in a set", "^board {": "ring round",
	} {
		got := get[hover](c, "textDocument/hover", place(gameURI, find(t, game, at)))
		if got.Contents == nil || !strings.Contains(got.Contents.Value, want) {
			t.Errorf("%s: got %+v", at, got.Contents)
		}
	}
	if m := c.ask("textDocument/hover", place(gameURI, find(t, game, "A ^small"))); string(m.Result) != "null" {
		t.Errorf("in a comment: %s", m.Result)
	}
}

func TestNavigation(t *testing.T) {
	c := opened(t, deciding{})
	defined := get[[]location](c, "textDocument/definition", place(gameURI, find(t, game, "along ^round")))
	if len(defined) != 1 || defined[0].Range.Start != find(t, game, "ring ^round") {
		t.Errorf("defined at %+v", defined)
	}
	params := place(gameURI, find(t, game, "reachable ^big"))
	params["context"] = map[string]bool{"includeDeclaration": true}
	if got := get[[]location](c, "textDocument/references", params); len(got) != 2 || got[0].Range.Start != find(t, game, "win ^big") {
		t.Errorf("references %+v", got)
	}
	if got := get[[]documentHighlight](c, "textDocument/documentHighlight", params); len(got) != 2 || got[0].Kind != 3 || got[1].Kind != 2 {
		t.Errorf("highlights %+v", got)
	}
	symbols := get[[]documentSymbol](c, "textDocument/documentSymbol", place(gameURI, Position{}))
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
		for _, inner := range s.Children {
			names = append(names, inner.Name)
		}
	}
	if want := []string{"Ring", "m", "board", "setup", "step", "wins", "always"}; !slices.Equal(names, want) {
		t.Errorf("symbols %v", names)
	}
	found := get[[]symbolInformation](c, "workspace/symbol", map[string]string{"query": "WIN"})
	if len(found) != 1 || found[0].Name != "wins" || found[0].Location.Range.Start != find(t, game, "claim ^wins") {
		t.Errorf("found %+v", found)
	}
}

func TestRename(t *testing.T) {
	c := opened(t, deciding{})
	params := place(gameURI, find(t, game, "along ^round"))
	prepared := get[struct {
		Range       Range
		Placeholder string
	}](c, "textDocument/prepareRename", params)
	if prepared.Placeholder != "round" {
		t.Errorf("prepared %+v", prepared)
	}
	params["newName"] = "circle"
	edit := get[workspaceEdit](c, "textDocument/rename", params)
	if len(edit.Changes[gameURI]) != 2 {
		t.Errorf("changes %+v", edit)
	}
	for name, why := range map[string]string{"m": "cannot be the name", "sow": "is a word of the language", "1st": "is no name", "hole": "cannot be the name"} {
		params["newName"] = name
		m := c.ask("textDocument/rename", params)
		if m.Error == nil || !strings.Contains(m.Error.Message, why) {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if m := c.ask("textDocument/prepareRename", place(gameURI, find(t, game, "^invariant"))); m.Error == nil {
		t.Errorf("a word of the language: %s", m.Result)
	}
}

func TestWriting(t *testing.T) {
	c := opened(t, deciding{})
	labels := func(marked string) (list []string) {
		text, p := at(marked)
		c.change(gameURI, 2, text)
		for _, i := range get[completionList](c, "textDocument/completion", place(gameURI, p)).Items {
			list = append(list, i.Label)
		}
		return list
	}
	for marked, want := range map[string]string{
		strings.Replace(game, "along round", "along ^", 1):            "round",
		strings.Replace(game, "sow p along", "so^", 1):                "sow",
		strings.Replace(game, "reachable big", "reachable ^", 1):      "big",
		strings.Replace(game, "choose p in hole", "choose p in ^", 1): "hole",
		game + "claim c of ^":                           "Ring",
		game + "claim c {\n  ^":                         "unreachable",
		game + "claim c { for all ^":                    "m",
		strings.Replace(game, "total(hole)", "tot^", 1): "total",
	} {
		if got := labels(marked); !slices.Contains(got, want) {
			t.Errorf("%s\nproposes %v", marked[max(0, strings.IndexByte(marked, '^')-30):], got)
		}
	}
	if got := labels(strings.Replace(game, "along round", "along ^", 1)); slices.Contains(got, "m") {
		t.Errorf("a parameter is proposed as a lap: %v", got)
	}
	c.change(gameURI, 3, strings.Replace(game, "    sow p along", "  sow   p along", 1))
	edits := get[[]textEdit](c, "textDocument/formatting", place(gameURI, Position{}))
	if len(edits) != 1 || edits[0].NewText != "    sow p along round\n" {
		t.Errorf("edits %+v", edits)
	}
	wrong := "variant V { board { a,b } setup { a = 1 } }\n"
	c.change(gameURI, 4, wrong)
	comma := Position{Character: 21}
	params := map[string]any{"textDocument": map[string]string{"uri": gameURI}, "range": Range{comma, comma}, "context": map[string]any{"diagnostics": []any{}}}
	actions := get[[]codeAction](c, "textDocument/codeAction", params)
	if len(actions) != 2 || actions[0].Kind != quickFix || actions[1].Kind != fixAll || actions[0].Edit.Changes[gameURI][0].NewText != " " {
		t.Errorf("actions %+v", actions)
	}
}

func TestShowing(t *testing.T) {
	c := opened(t, deciding{})
	folds := get[[]foldingRange](c, "textDocument/foldingRange", place(gameURI, Position{}))
	if !slices.Contains(folds, foldingRange{StartLine: 1, EndLine: 12}) {
		t.Errorf("folds %+v", folds)
	}
	params := place(gameURI, Position{})
	params["range"] = Range{End: Position{Line: 100}}
	hints := get[[]inlayHint](c, "textDocument/inlayHint", params)
	if len(hints) != 1 || hints[0].Label != "house" || hints[0].Position.Line != 6 {
		t.Errorf("hints %+v", hints)
	}
	data := get[struct{ Data []uint32 }](c, "textDocument/semanticTokens/full", place(gameURI, Position{})).Data
	if len(data) == 0 || len(data)%5 != 0 {
		t.Fatalf("%d numbers", len(data))
	}
	type coloured struct{ text, kind string }
	var words []coloured
	line, column := uint32(0), uint32(0)
	lines := strings.Split(game, "\n")
	for ; len(data) > 0; data = data[5:] {
		if data[0] > 0 {
			column = 0
		}
		line, column = line+data[0], column+data[1]
		words = append(words, coloured{lines[line][column : column+data[2]], tokenTypes[data[3]]})
	}
	for _, want := range []coloured{{"variant", "keyword"}, {"Ring", "class"}, {"along", "keyword"}, {"round", "property"}, {"m", "parameter"}, {"total", "function"}, {"big", "enumMember"}, {"reachable", "keyword"}} {
		if !slices.Contains(words, want) {
			t.Errorf("no %+v in %+v", want, words)
		}
	}
}

// lensTitles are the lines above a claim.
func lensTitles(t *testing.T, c *client, claim string) (titles []string) {
	t.Helper()
	for _, l := range get[[]codeLens](c, "textDocument/codeLens", place(gameURI, Position{})) {
		if l.Command.Arguments[1] == claim {
			titles = append(titles, l.Command.Title)
		}
	}
	return titles
}

func execute(c *client, command string, arguments ...any) message {
	return c.ask("workspace/executeCommand", map[string]any{"command": command, "arguments": arguments})
}

func TestVerdicts(t *testing.T) {
	c := opened(t, deciding{})
	if got := lensTitles(t, c, "wins"); !slices.Equal(got, []string{"decide"}) {
		t.Fatalf("before: %v", got)
	}
	text := get[string](c, "workspace/executeCommand", map[string]any{"command": "mancheck.decide", "arguments": []string{gameURI, "wins"}})
	if !strings.Contains(text, "✓ proved") {
		t.Errorf("the table is %s", text)
	}
	got := lensTitles(t, c, "wins")
	if len(got) != 3 || !strings.HasPrefix(got[0], "✓ proved · ") || got[1] != "show the play" || got[2] != "explain" {
		t.Errorf("after: %v", got)
	}
	if got := lensTitles(t, c, "always"); !slices.Equal(got, []string{"decide"}) {
		t.Errorf("the other claim: %v", got)
	}
	play := get[string](c, "workspace/executeCommand", map[string]any{"command": "mancheck.trace", "arguments": []string{gameURI, "wins"}})
	if !strings.Contains(play, "over: big (win)") {
		t.Errorf("the play is %s", play)
	}
	document := get[string](c, "workspace/executeCommand", map[string]any{"command": "mancheck.explain", "arguments": []string{gameURI, "wins"}})
	if !strings.Contains(document, "**Proved.**") {
		t.Errorf("the document is %s", document)
	}
	// A comment and another layout keep the verdict; a change of the rules or of the claim does
	// not.
	stands := func(text string) bool {
		t.Helper()
		c.change(gameURI, 2, text)
		titles := lensTitles(t, c, "wins")
		return len(titles) == 3
	}
	if !stands(strings.Replace(game, "// Nobody", "// Somebody", 1)) || !stands("\n\n"+strings.Replace(game, "    sow", "  sow", 1)) {
		t.Error("the verdict has gone with a comment or blanks")
	}
	// So it does if the file says more: the claim and the rules are the same.
	if !stands(game+"claim more { never stuck }\n") || !stands(strings.Replace(game, "claim always", "claim other", 1)) {
		t.Error("the verdict has gone with another claim")
	}
	for _, change := range [][2]string{{"last > 2", "last > 1"}, {"reachable big", "unreachable big"}, {"param m = 3", "param m = 4"}, {"reachable big", "expect refuted reachable big"}} {
		if stands(strings.Replace(game, change[0], change[1], 1)) {
			t.Errorf("the verdict stays with %s", change[1])
		}
	}
	if !stands(game+"claim more { never stick }\n") || lensTitles(t, c, "more") != nil {
		t.Error("the verdict has gone with a mistake of syntax in another claim")
	}
	if m := execute(c, "mancheck.decide", gameURI, "wins"); m.Error != nil {
		t.Errorf("the claim beside such a mistake is not decided: %v", m.Error)
	}
	// Beside a mistake there is neither a verdict nor anything to decide.
	for _, wrong := range []string{strings.Replace(game, "reachable big", "reachable bug", 1), strings.Replace(game, "sow p", "sow r", 1), game + "variant {", game + "claim always { never stuck }\n"} {
		c.change(gameURI, 3, wrong)
		if got := lensTitles(t, c, "wins"); got != nil {
			t.Errorf("with a mistake: %v", got)
		}
		for _, command := range []string{"mancheck.decide", "mancheck.trace", "mancheck.explain"} {
			if m := execute(c, command, gameURI, "wins"); m.Error == nil {
				t.Errorf("%s with a mistake: %s", command, m.Result)
			}
		}
	}
	if !stands(game) {
		t.Error("the verdict is not there again")
	}
}

// TestVerdictsOfEverySize: a verdict on every size goes with a change that matters at greater sizes
// only, and stays with a change of what the claim does not use.
func TestVerdictsOfEverySize(t *testing.T) {
	const every = `variant Rows {
  param m = 2 in 1..
  board {
    a[1..m] | store
    line way = a[1..m], store
  }
  setup { each a = 1 }
  move {
    choose p in a where p > 0
    take 1 from p into store
  }
}
claim wins { for all m >= 1: from not finished every step gives seeds(store) >= old seeds(store) }
`
	c := start(t, deciding{})
	c.initialize("", map[string]any{"trusted": true}, nil)
	c.open(gameURI, every)
	text := get[string](c, "workspace/executeCommand", map[string]any{"command": "mancheck.decide", "arguments": []string{gameURI, "wins"}})
	if !strings.Contains(text, "✓ proved") {
		t.Fatalf("the table is %s", text)
	}
	stands := func(text string) bool {
		t.Helper()
		c.change(gameURI, 2, text)
		titles := lensTitles(t, c, "wins")
		return len(titles) > 0 && strings.HasPrefix(titles[0], "✓ proved")
	}
	if !stands(every + "define far = total(a[2..m])\n") {
		t.Error("the verdict has gone with a definition that nothing uses")
	}
	if stands(strings.Replace(every, "into store\n", "into store\n    if total(a[2..m]) > 3 { take 1 from store into a[1] }\n", 1)) {
		t.Error("the verdict stays, though greater boards have other rules")
	}
	if !stands(every) {
		t.Error("the verdict is not there again")
	}
}

func TestImports(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	rules, claims, _ := strings.Cut(game, "// Nobody wins.")
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return uriOf(dir + "/" + name)
	}
	base, root := write("base.sow", rules), write("root.sow", "import \"base.sow\"\n"+claims)
	c := start(t, deciding{})
	c.initialize(dir, nil, nil)
	text := "import \"base.sow\"\n" + claims
	c.open(root, text)
	if list := c.published(root, 1); len(list) != 0 {
		t.Fatalf("got %+v", list)
	}
	// The import counts as it is in the editor, and those that import it are looked at again.
	c.forget()
	c.open(base, strings.Replace(rules, "win big", "win large", 1))
	if list := c.published(root, 1); len(list) != 1 || !strings.Contains(list[0].Message, "`big`") {
		t.Fatalf("got %+v", list)
	}
	c.forget()
	c.change(base, 2, strings.Replace(rules, "variant Ring", "variant", 1))
	list := c.published(root, 1)
	if len(list) == 0 || !strings.HasPrefix(list[0].Message, "base.sow:") || list[0].Range.Start.Line != 0 || list[0].Related[0].Location.URI != base {
		t.Fatalf("got %+v", list)
	}
	c.forget()
	c.change(base, 3, rules)
	if list := c.published(root, 1); len(list) != 0 {
		t.Fatalf("got %+v", list)
	}
	// Names go over files.
	if got := get[[]location](c, "textDocument/definition", place(root, find(t, text, "reachable ^big"))); len(got) != 1 || got[0].URI != base {
		t.Errorf("defined at %+v", got)
	}
	if got := get[[]location](c, "textDocument/definition", place(root, find(t, text, "\"^base"))); len(got) != 1 || got[0].URI != base {
		t.Errorf("the import leads to %+v", got)
	}
	params := place(base, find(t, rules, "hole^[1..m]\n    ring"))
	params["newName"] = "cup"
	if edit := get[workspaceEdit](c, "textDocument/rename", params); len(edit.Changes[base]) != 4 || len(edit.Changes[root]) != 1 {
		t.Errorf("changes %+v", edit)
	}
	var files []string
	for _, i := range get[completionList](c, "textDocument/completion", place(root, find(t, text, "\"^base"))).Items {
		files = append(files, i.Label)
	}
	if !slices.Equal(files, []string{"base.sow"}) {
		t.Errorf("files %v", files)
	}
	// A verdict depends on what is imported.
	decided := func() bool {
		lenses := get[[]codeLens](c, "textDocument/codeLens", place(root, Position{}))
		return len(lenses) > 0 && strings.HasPrefix(lenses[0].Command.Title, "✓ proved")
	}
	if m := execute(c, "mancheck.decide", root, "wins"); m.Error != nil || !decided() {
		t.Errorf("it is not decided: %+v", m)
	}
	c.change(base, 4, strings.Replace(rules, "last > 2", "last > 3", 1))
	if decided() {
		t.Error("the verdict stays though the rules are others")
	}
	c.change(base, 5, rules+"// as before\n")
	if !decided() {
		t.Error("the verdict is not there again")
	}
	// When the import is closed, the file on disk counts again. What is said of the text before has
	// arrived by then, or it would be taken for what is said after.
	c.forget()
	c.change(base, 6, strings.Replace(rules, "win big", "win large", 1))
	c.awaited(root, 1, func(list []diagnostic) bool { return len(list) == 1 })
	c.forget()
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]string{"uri": base}})
	if list := c.published(root, 1); len(list) != 0 {
		t.Fatalf("got %+v", list)
	}
}

func TestUntitled(t *testing.T) {
	c := start(t, deciding{})
	c.initialize("", nil, nil)
	uri := "untitled:Untitled-1"
	c.open(uri, "import \"go.mod.sow\"\n"+game)
	list := c.published(uri, 1)
	if len(list) != 1 || list[0].Code != "F005" || !strings.Contains(list[0].Message, "in no folder") {
		t.Errorf("got %+v", list)
	}
	c.change(uri, 2, game)
	if list := c.published(uri, 2); len(list) != 0 {
		t.Errorf("got %+v", list)
	}
	if m := execute(c, "mancheck.decide", uri, "always"); m.Error != nil {
		t.Error(m.Error)
	}
}

// TestExamples: files of the repository have the diagnostics that `vet` finds, and nothing
// else.
func TestExamples(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.ToSlash(root)
	c := start(t, deciding{})
	c.initialize(root, nil, nil)
	for i, path := range examples(t, root) {
		if i%tier.Every(16, 6) != 0 {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		uri := uriOf(path)
		c.open(uri, string(src))
		list := c.published(uri, 1)
		w := &world{docs: map[string]*document{}, settings: Settings{Trusted: true}}
		text := editor.Read(t.Context(), path, w.reader(path).Imports(path))
		want := text.Vet(t.Context()).Diags
		if len(list) != len(want) {
			t.Errorf("%s: %d diagnostics, vet has %d", path, len(list), len(want))
			continue
		}
		for k, d := range want {
			if first, _, _ := strings.Cut(list[k].Message, "\n"); first != d.Message || list[k].Code != string(d.Code) || int(list[k].Range.Start.Line) != d.Range.Start.Line-1 {
				t.Errorf("%s: %+v, vet has %v", path, list[k], d)
			}
		}
		c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]string{"uri": uri}})
	}
}

// examples lists the rules files of the repository.
func examples(t testing.TB, root string) (files []string) {
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow"} {
		some, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, err)
		}
		for _, p := range some {
			files = append(files, filepath.ToSlash(p))
		}
	}
	return files
}

package editor

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// Proposal is what may stand at a place.
type Proposal struct {
	Text    string `json:"text"`
	Kind    string `json:"kind"` // that of a symbol, `keyword`, `function` or `file`
	Detail  string `json:"detail"`
	Meaning string `json:"meaning"` // Markdown
}

// Completion has the proposals for a stretch of the text: the word that is being written.
type Completion struct {
	Range     diag.Range // only with offsets
	Proposals []Proposal
}

// Complete lists what may stand at an offset, by the grammar and by the names that are known there.
// files lists the files of a folder, given by its path, that could be named.
func (t *Text) Complete(offset int, files func(dir string) []string) *Completion {
	from, _ := t.word(offset)
	if quote, inText := t.quoted(offset); inText {
		return t.completeFile(quote, offset, files)
	}
	if k, ok := t.token(offset); ok && k.Kind == dsl.CommentToken && k.Range.Start.Offset < offset || from < offset && t.Source[from] >= '0' && t.Source[from] <= '9' {
		return nil
	}
	expected := dsl.Expect(t.Source, from)
	p := &proposing{text: t, offset: from, expected: expected, variant: t.variantNear(from), claim: expected.Inside == "claim"}
	p.names()
	p.words()
	slices.SortStableFunc(p.list, func(a, b Proposal) int { return strings.Compare(a.Text, b.Text) })
	p.list = slices.CompactFunc(p.list, func(a, b Proposal) bool { return a.Text == b.Text })
	return &Completion{stretch(t.Path, from, offset), p.list}
}

func stretch(file string, from, to int) diag.Range {
	return diag.Range{File: file, Start: diag.Pos{Offset: from}, End: diag.Pos{Offset: to}}
}

// quoted reports whether an offset is inside a text in quotes, and where that begins.
func (t *Text) quoted(offset int) (int, bool) {
	line := t.Source[bytes.LastIndexByte(t.Source[:offset], '\n')+1 : offset] // up to the offset
	if bytes.Count(line, []byte(`"`))%2 == 0 || bytes.Contains(line, []byte("//")) {
		return 0, false
	}
	return offset - len(line) + bytes.LastIndexByte(line, '"') + 1, true
}

// completeFile lists the files that may stand in an `import`, or behind `in file`.
func (t *Text) completeFile(from, offset int, files func(dir string) []string) *Completion {
	before := dsl.Expect(t.Source, from-1)
	ending := ""
	switch {
	case slices.Contains(before.Strings, "Import"):
		ending = ".sow"
	case slices.Contains(before.Strings, "ForBoards"):
		ending = ".csv"
	default:
		return nil
	}
	dir, _ := path.Split(string(t.Source[from:offset]))
	out := &Completion{Range: stretch(t.Path, from+len(dir), offset)}
	for _, name := range files(path.Join(path.Dir(t.Path), dir)) {
		if strings.HasSuffix(name, ending) && name != path.Base(t.Path) || strings.HasSuffix(name, "/") {
			out.Proposals = append(out.Proposals, Proposal{Text: name, Kind: "file"})
		}
	}
	return out
}

// variantNear is variantAt, also at the end of a declaration that has a mistake: that of the last
// declaration before.
func (t *Text) variantNear(offset int) string {
	if v := t.variantAt(offset); v != "" {
		return v
	}
	if games := t.games(); len(games) == 1 {
		return games[0].Name.Name
	}
	return t.ofClaim(offset)
}

// ofClaim is the variant that a declaration with a mistake names after `of`.
func (t *Text) ofClaim(offset int) string {
	var before []dsl.Token
	for _, k := range dsl.Tokens(t.Path, t.Source) {
		if k.Range.Start.Offset >= offset {
			break
		}
		if k.Range.Start.Column == 1 && (k.Text == "claim" || k.Text == "position" || k.Text == "strategy" || k.Text == "variant") {
			before = nil
		}
		before = append(before, k)
	}
	switch {
	case len(before) >= 2 && before[0].Text == "variant":
		return before[1].Text
	case len(before) >= 4 && before[2].Text == "of":
		return before[3].Text
	}
	return ""
}

// proposing makes the proposals for one place.
type proposing struct {
	text     *Text
	offset   int
	expected dsl.Expected
	variant  string
	claim    bool
	list     []Proposal
}

// words proposes the words that the grammar allows.
func (p *proposing) words() {
	for _, w := range p.expected.Words {
		if r := rune(w[0]); unicode.IsLetter(r) {
			p.list = append(p.list, Proposal{Text: w, Kind: "keyword", Meaning: meanings()[w]})
		}
	}
}

// declaring are the words behind which a new name stands.
var declaring = []string{"param", "state", "ring", "line", "group", "let", "define", "procedure", "choose", "position", "strategy", "variant", "claim", "facing", "map"}

// wanted are the kinds of names in productions where only they make sense, by the production and,
// if that matters, the word before the name.
var wanted = map[string][]bind.Kind{
	"Claim of": {bind.VariantName}, "Position of": {bind.VariantName}, "Strategy of": {bind.VariantName},
	"Relation refines": {bind.VariantName}, "Relation reverses": {bind.VariantName}, "Relation to": {bind.VariantName},
	"Relation": {bind.PitsName, bind.GroupName}, "Following": {bind.StrategyName}, "StrategyWins": {bind.StrategyName},
	"StartingAt": {bind.PositionName}, "Place": {bind.PositionName},
	"ForAll": {bind.ParamName}, "ForSome": {bind.ParamName}, "ParamRange": {bind.ParamName},
	"Setting": {bind.ParamName, bind.VariableName}, "Owner": {bind.PlayerName}, "ScorePart": {bind.PlayerName},
	"Force": {bind.PlayerName}, "Ending": {bind.PlayerName}, "Finish": {bind.PlayerName}, "Verdict": {bind.PlayerName},
	"Value": {bind.PlayerName}, "Winner": {bind.PlayerName}, "Comparison": {bind.PlayerName},
	"Lap of": {bind.PlayerName}, "Lap reverse": {bind.LapName}, "Board board": {bind.BoardName},
	"PitRange": {bind.PitsName, bind.GroupName}, "StateVar": {bind.GroupName, bind.PitsName},
	"EveryStep by": {bind.MoveName}, "StepTo by": {bind.MoveName}, "Strategy by": {bind.MoveName},
	"Facing": {bind.PitsName, bind.GroupName}, "Formal": {bind.VariableName}, "CallStmt": {bind.ProcedureName},
}

// valueKinds are those of names that stand for a value.
var valueKinds = []bind.Kind{
	bind.ParamName, bind.PlayerName, bind.PitsName, bind.GroupName, bind.LapName, bind.RelationName,
	bind.VariableName, bind.ValueName, bind.DefinitionName, bind.ProcedureName, bind.LocalName,
}

// names proposes the names that are known and make sense.
func (p *proposing) names() {
	if slices.Contains(declaring, p.expected.Before) && len(p.expected.Names) == 1 {
		return
	}
	kinds, values, owned := map[bind.Kind]bool{}, false, false
	for _, production := range p.expected.Names {
		list, only := wanted[production+" "+p.expected.Before]
		if !only {
			list, only = wanted[production]
		}
		switch {
		case production == "Using":
			for _, e := range build.Engines {
				p.list = append(p.list, Proposal{Text: string(e), Kind: "engine"})
			}
		case only:
			for _, k := range list {
				kinds[k] = true
			}
		case production == "Primary" && p.expected.Before != "no": // behind `my` and `their`
			owned = true
		case production == "Named":
			values = true
		}
	}
	along := p.expected.Before == "along"
	for _, k := range []bind.Kind{bind.PitsName, bind.GroupName, bind.LapName, bind.DefinitionName} {
		kinds[k] = kinds[k] || owned
	}
	for _, k := range valueKinds {
		kinds[k] = kinds[k] || values && (!along || k == bind.LapName || k == bind.LocalName)
	}
	if values && p.claim {
		kinds[bind.OutcomeName], kinds[bind.PositionName] = true, true
	}
	for _, s := range p.text.Symbols().Visible(p.text.Path, p.offset, p.variant) {
		if kinds[s.Kind] && !s.Implied() && s.Name != "" && dsl.IsName(s.Name) {
			p.list = append(p.list, Proposal{Text: s.Name, Kind: s.Kind.String(), Detail: p.text.declared(s), Meaning: p.doc(s)})
		}
	}
	p.follows(kinds, values && !along)
}

// doc is the comment above a declaration.
func (p *proposing) doc(s *bind.Symbol) string {
	if d, is := s.Node.(interface{ Documentation() string }); is && s.Node != nil {
		return d.Documentation()
	}
	return ""
}

// follows proposes what follows from the picture, and the functions and words of the language.
func (p *proposing) follows(kinds map[bind.Kind]bool, values bool) {
	for _, v := range p.text.games() {
		if p.variant != "" && v.Name.Name != p.variant {
			continue
		}
		sys := p.text.Board(v.Name.Name)
		if sys == nil {
			continue
		}
		for _, l := range board.Lines(sys) {
			word, _, _ := strings.Cut(l.Text, " ")
			kind := map[string]bind.Kind{"group": bind.GroupName, "ring": bind.LapName, "line": bind.LapName, "facing": bind.RelationName, "map": bind.RelationName}[word]
			if kinds[kind] && word != "owner" {
				p.list = append(p.list, Proposal{Text: l.Name, Kind: kind.String(), Detail: l.Text})
			}
		}
	}
	words := []string{}
	if slices.Contains(p.expected.Names, "Formal") || p.expected.Before == ":" {
		words = append(words, "bool", "pit", "lap", "set")
	}
	if values {
		words = append(words, "pit")
	}
	if values && p.claim {
		words = append(words, "stuck", "finished", "start", "endless")
	}
	for _, w := range words {
		p.list = append(p.list, Proposal{Text: w, Kind: "keyword", Meaning: meanings()[w]})
	}
	for _, f := range bind.Functions() {
		if !values {
			break
		}
		p.list = append(p.list, Proposal{Text: f, Kind: "function", Meaning: meanings()[f]})
	}
}

package lsp

import (
	"slices"

	"github.com/mancheck/mancheck/cmd/internal/editor"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/rules/bind"
)

func (q *request) folds(_ *document, text *editor.Text) (any, error) {
	out := []foldingRange{}
	for _, f := range text.Folds() {
		one := foldingRange{StartLine: f.From - 1, EndLine: f.To - 1}
		if f.Comment {
			one.Kind = "comment"
		}
		out = append(out, one)
	}
	return out, nil
}

func (q *request) hints(d *document, text *editor.Text) (any, error) {
	out := []inlayHint{}
	for _, h := range text.Hints() {
		p := d.lines.position(h.At.Offset)
		if p.Line < q.about.Range.Start.Line || p.Line > q.about.Range.End.Line {
			continue
		}
		one := inlayHint{Position: p, Label: h.Text, PaddingLeft: true}
		if h.More != "" {
			one.Tooltip = markdown(h.More)
		}
		out = append(out, one)
	}
	return out, nil
}

// The types of tokens, which are sent by their places in the list, and the modifier.
var (
	tokenTypes = []string{
		"keyword", "comment", "string", "number", "operator", "class", "struct", "interface", "function", "parameter", "type", "property",
		"variable", "enumMember", "method", "event", "macro",
	}
	tokenModifiers = []string{"declaration"}
)

var symbolTypes = map[bind.Kind]string{
	bind.VariantName: "class", bind.BoardName: "struct", bind.PositionName: "interface", bind.StrategyName: "function",
	bind.ClaimName: "event", bind.ParamName: "parameter", bind.PlayerName: "type", bind.PitsName: "property",
	bind.GroupName: "property", bind.LapName: "property", bind.RelationName: "method", bind.VariableName: "variable",
	bind.ValueName: "enumMember", bind.DefinitionName: "function", bind.ProcedureName: "function",
	bind.OutcomeName: "enumMember", bind.MoveName: "macro", bind.LocalName: "variable", bind.Unknown: "property",
}

var kindTypes = map[dsl.TokenKind]string{
	dsl.KeywordToken: "keyword", dsl.CommentToken: "comment", dsl.TextToken: "string", dsl.NumberToken: "number", dsl.SignToken: "operator",
	dsl.NameToken: "variable",
}

// tokens lists the words of the document with their types, each by its distance from the one
// before.
func (q *request) tokens(d *document, text *editor.Text) (any, error) {
	data := []uint32{}
	var before Position
	for _, c := range text.Colours() {
		kind, declares := kindTypes[c.Kind], uint32(0)
		switch {
		case c.Symbol != nil:
			kind = symbolTypes[c.Symbol.Kind]
		case c.Function:
			kind = "function"
		}
		if c.Declares {
			declares = 1
		}
		span := d.lines.span(c.Range)
		if span.Start.Line != span.End.Line || kind == "operator" {
			continue
		}
		line, column := span.Start.Line-before.Line, span.Start.Character
		if line == 0 {
			column -= before.Character
		}
		data = append(data, line, column, span.End.Character-span.Start.Character, uint32(slices.Index(tokenTypes, kind)), declares)
		before = span.Start
	}
	return map[string]any{"data": data}, nil
}

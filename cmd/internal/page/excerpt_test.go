package page

import (
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/explain"
)

// TestExcerpt: stretches are counted as a browser counts: in UTF-16, with a line end as one
// character.
func TestExcerpt(t *testing.T) {
	at := func(file string, from, to int) diag.Range {
		return diag.Range{File: file, Start: diag.Pos{Offset: from}, End: diag.Pos{Offset: to}}
	}
	text := "variant V {\r\n  // 𝄞 ä\r\n  move M { x }\r\n}"
	v := &explain.Variant{Name: "V", At: at("v.sow", 100, 100+len(text)), Source: []explain.Piece{{Text: text[:20]}, {Text: text[20:]}}}
	e := (&page{Document: &explain.Document{Variants: []*explain.Variant{v}}}).excerpt("V")
	move := 100 + len("variant V {\r\n  // 𝄞 ä\r\n  ")
	if n := e.number(at("v.sow", move, move+len("move M { x }"))); n != 0 || e.stretches[0] != [2]int{24, 36} {
		t.Errorf("the move has number %d in %v", n, e.stretches)
	}
	if n := e.number(at("v.sow", move, move+len("move M { x }"))); n != 0 || len(e.stretches) != 1 {
		t.Errorf("again it has number %d in %v", n, e.stretches)
	}
	for _, r := range []diag.Range{{}, at("v.sow", 0, 50), at("other.sow", move, move+4), at("v.sow", move, 200+len(text))} {
		if n := e.number(r); n != -1 {
			t.Errorf("%v has number %d", r, n)
		}
	}
	if n := (&page{Document: &explain.Document{}}).excerpt("V").number(at("v.sow", move, move+4)); n != -1 {
		t.Errorf("in no text a stretch has number %d", n)
	}
}

package diag

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/internal/plain"
)

var update = flag.Bool("update", false, "write the golden files anew")

const source = "variant V {\n\tstate x : hol = none\n  path 播種 = ö\n}"

// find is the range of the first occurrence of a text in the source.
func find(text string) Range {
	return Range{File: "v.sow", Start: pos(strings.Index(source, text)), End: pos(strings.Index(source, text) + len(text))}
}

func pos(offset int) Pos {
	before := source[:offset]
	line := strings.LastIndex(before, "\n") + 1
	return Pos{Offset: offset, Line: 1 + strings.Count(before, "\n"), Column: 1 + len([]rune(before[line:]))}
}

func sample() List {
	var l List
	l.Errorf(Unknown, find("hol"), "unknown name `hol`").WithHelp("did you mean `hole`?")
	d := l.Warnf(Unused, find("播種"), "nothing uses `播種`")
	d.Notes = []Note{{Range: find("ö"), Message: "its value"}, {Message: "without a place"}}
	l.Errorf(Unclosed, Range{File: "v.sow", Start: pos(len(source)), End: pos(len(source))}, "expected `}` before the end of the file").
		Notes = []Note{{Range: find("{"), Message: "this `{` is not closed"}}
	l.Errorf(Syntax, Range{File: "v.sow", Start: find("none").Start, End: find("ö").End}, "more than a line")
	l.Errorf(TooLarge, Range{File: "large.sow"}, "the file is larger than 4 MiB").WithHelp("help of\n two lines\n")
	l.Errorf(Unknown, Range{File: "other.sow", Start: Pos{Line: 120, Column: 3}, End: Pos{Line: 120, Column: 4}}, "no source")
	l.Errorf(OutOfRange, Range{}, "n = 99 is not in 1..12")
	return l
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s: %s", path, d)
	}
}

func TestText(t *testing.T) {
	var text, colored bytes.Buffer
	Text(&text, sample(), map[string][]byte{"v.sow": []byte(source)}, false)
	golden(t, "text.golden", text.Bytes())
	Text(&colored, sample()[:2], map[string][]byte{"v.sow": []byte(source)}, true)
	golden(t, "color.golden", plain.Text(colored.Bytes()))
}

func TestToJSON(t *testing.T) {
	golden(t, "json.golden", ToJSON(sample()))
	var empty struct{ Diagnostics []any }
	if err := json.Unmarshal(ToJSON(nil), &empty); err != nil || empty.Diagnostics == nil {
		t.Errorf("no diagnostics become %s (%v)", ToJSON(nil), err)
	}
}

// FuzzText renders any range of any source.
func FuzzText(f *testing.F) {
	f.Add([]byte(source), 3, 9, 2)
	f.Fuzz(func(t *testing.T, src []byte, offset, column, length int) {
		r := Range{File: "v", Start: Pos{Offset: offset, Line: 1, Column: column}, End: Pos{Offset: offset, Line: 1, Column: column + length}}
		if offset < 0 || column < 1 || length < 0 || length > 1000 {
			return
		}
		var l List
		l.Errorf(Syntax, r, "m")
		Text(&bytes.Buffer{}, l, map[string][]byte{"v": src}, true)
	})
}
